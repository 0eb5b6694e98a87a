"""One game in memory: state, random streams, seats, decisions, results. No rules, no files; authors import `api.py`."""
