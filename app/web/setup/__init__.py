"""The start, the list of tables, and seating a new table or a table's next game."""
