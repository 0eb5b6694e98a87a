"""Sentences, tables and figures on differences between runs, conditions and sides of boards. Computes no statistics."""
