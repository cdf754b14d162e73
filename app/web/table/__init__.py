"""The table's pages: the grid, the protocol, editing a game, and sharing it."""
