"""The wire: routes, wire models, and who may call."""
