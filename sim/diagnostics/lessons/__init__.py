"""Lessons: learned bonuses of scripted players. `fit` estimates them. One module per game says for which moves."""
