"""Subjects of a table, joining the rules and the store; nothing here knows the web."""
