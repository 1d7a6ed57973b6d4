"""Settings that know where their value comes from, and the folders outside the vault."""
