"""One game in memory: state, random streams, seats, decisions, results. No rules or files. Authors import `api.py`."""
