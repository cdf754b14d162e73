"""The pages on which house rules are changed, read and passed on."""
