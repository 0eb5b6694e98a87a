"""Shows sections on a terminal, and as page, JSON, CSV and figures. It computes no statistics."""
