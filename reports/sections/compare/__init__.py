"""Sentences, tables and figures on what changes between runs, conditions and sides. No computing."""
