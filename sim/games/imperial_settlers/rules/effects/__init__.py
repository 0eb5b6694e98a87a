"""Effects of cards: one interpreter of the code table, with a file for each family of operations."""
