"""The model loop: a turn with a model, its prompt, its context and the one table of tools."""
