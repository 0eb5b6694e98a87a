"""Effects of cards: `resolve` interprets the code table, with a file for each family of operations."""
