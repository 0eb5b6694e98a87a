"""Numbers made from sums over blocks: shares, edges, strengths, with their errors and tests."""
