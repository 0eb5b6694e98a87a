"""Plays games to see their course: chances to win by round, comebacks, kingmaking."""
