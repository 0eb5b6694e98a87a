"""Searches for fair numbers: `rebalance` (one number), `one_faction`, `all_factions`. They do not render pages."""
