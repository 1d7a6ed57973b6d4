"""The vault's own notes: their index, and what can be asked of them. Nothing here ever writes a note."""
