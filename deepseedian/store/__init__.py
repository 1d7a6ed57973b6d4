"""Files and SQLite: the memory folder with its locks and commits, and this device's own records."""
