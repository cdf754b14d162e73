"""The commands of `flask --app app`, and what they print in a terminal."""
