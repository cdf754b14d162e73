"""Files out and in, the ledger for a spreadsheet, and erasure."""
