"""How a phone that went on without a network and the server come together again."""
