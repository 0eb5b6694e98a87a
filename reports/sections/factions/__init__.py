"""Sentences, tables and figures on factions: why they win, what they should pay. Computes no statistics."""
