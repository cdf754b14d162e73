"""The pages for who learns the game; the sample game is registered where it is carried."""
