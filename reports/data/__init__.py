"""Reading runs: their rows, whole blocks as arrays, and sums over blocks."""
