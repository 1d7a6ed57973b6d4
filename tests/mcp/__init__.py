"""MCP: the daemon's /mcp and the bridge on standard input and output."""
