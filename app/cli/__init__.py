"""The commands `score`, `settle`, `compare` and `years`, and what they print in a terminal."""
