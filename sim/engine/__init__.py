"""One game in memory: state, random streams, seats, decisions, result rows. No rules, player or file; `api.py` for authors."""
