"""The resident process of one vault: sockets, endpoint file, watcher, schedule, service units."""
