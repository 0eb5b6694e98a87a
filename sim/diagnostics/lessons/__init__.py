"""Lessons: learned bonuses of scripted players. `fit` asks and fits, a module a game says what is learnt of."""
