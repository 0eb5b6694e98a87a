"""One game in memory: state, random streams, seats, decisions, result rows. No rules, no files; `api.py` is for authors."""
