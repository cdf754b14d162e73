"""The commands of `flask --app app`, and their output in a terminal."""
