"""Plays games to see their course: chances to win after each round, comebacks, kingmaking."""
