"""Sentences, tables and figures on results of real games. Computes no statistics."""
