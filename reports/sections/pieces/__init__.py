"""Sentences, tables and figures on cards and other pieces, and picks. Computes no statistics."""
