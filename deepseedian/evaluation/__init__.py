"""Measuring recall on question sets and fixed cases, through throw-away vaults; nothing of the owner's is opened."""
