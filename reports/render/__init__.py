"""Renders sections on the terminal and as page, JSON, CSV and figures. Computes no statistics."""
