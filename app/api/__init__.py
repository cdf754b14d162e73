"""The same tables for other programs, over JSON; openapi.json describes each call."""
