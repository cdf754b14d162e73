"""The table's pages: the grid, the protocol, amending a game, and sharing it."""
