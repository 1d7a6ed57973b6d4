"""Use cases of at most one model call."""
