"""Sentences, tables and figures on strength: ratings, matchups, ladder, equilibria. Computes no statistics."""
