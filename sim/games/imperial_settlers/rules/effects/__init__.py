"""Effects of cards: `resolve` interprets the code table, with one file per family of operations."""
