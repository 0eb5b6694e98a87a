"""Sentences, tables and figures on win rates, balance and decisions. No computing."""
