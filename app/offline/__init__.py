"""An evening without a network: the bundle a phone takes along, the phone, push and pull."""
