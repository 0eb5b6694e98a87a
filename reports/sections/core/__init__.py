"""Sentences, tables and figures on win rates, balance and decisions. Computes no statistics."""
