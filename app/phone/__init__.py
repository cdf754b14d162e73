"""The score keeper as it runs on a phone, in its browser's service worker, without a network."""
