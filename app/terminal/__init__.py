"""What the commands print: the protocol of a game, and how it is laid out in a terminal."""
