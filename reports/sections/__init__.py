"""Sentences, tables and figures made from statistics, by subject. Nothing is estimated and no game is played here."""
