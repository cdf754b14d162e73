"""Codes and values of the core into sentences, numbers and money, in every language spoken here."""
