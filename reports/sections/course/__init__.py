"""Sentences, tables and figures on the course of games: luck, leads, endings. Computes no statistics."""
