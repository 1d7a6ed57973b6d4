"""Programs between a host and the daemon: they speak the host's protocol on one side and the socket on the other."""
