"""Sentences, tables and figures on changes between runs, conditions and sides. Computes no statistics."""
