"""Effects of cards: `resolve` interprets the code table. Each other file contains one family of operations."""
