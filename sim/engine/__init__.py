"""One game in memory: state, random streams, seats, decisions, result rows. No rules or files; `api.py` is for authors."""
