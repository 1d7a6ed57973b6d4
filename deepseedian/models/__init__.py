"""Ports to models: chat, and the credentials for it."""
