"""Games in one plain Python file: what an author writes (`interface`), and how such a game is read and played."""
