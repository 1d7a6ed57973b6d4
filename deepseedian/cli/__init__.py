"""The command line: a thin client of the wire that opens the vault itself when no daemon runs."""
