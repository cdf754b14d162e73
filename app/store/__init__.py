"""SQLite: the database file, the schema, and the log of each table."""
