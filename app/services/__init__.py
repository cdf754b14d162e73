"""What people do at a table, joining the rules and the store; nothing here knows the web."""
