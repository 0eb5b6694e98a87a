"""Games in one plain Python file: what an author writes (`interface`), and how it is read and played."""
