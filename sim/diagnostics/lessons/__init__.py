"""Lessons: learned bonuses of scripted players. `fit` estimates them; one module per game says for which moves."""
