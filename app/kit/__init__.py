"""The kit: all that a phone takes along to keep score without a network, built and served."""
