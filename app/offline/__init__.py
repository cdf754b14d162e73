"""The evening without a network: a phone's bundle, the phone itself, push and pull."""
