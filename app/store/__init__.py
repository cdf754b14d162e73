"""SQLite: a pool of connections, and a module of functions for each family of tables."""
