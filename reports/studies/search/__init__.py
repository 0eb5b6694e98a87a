"""Searches for fair values of one number (`rebalance`) or of all numbers of factions (`engine`). Renders no pages."""
