"""One game in memory; no rules, no files. Authors of games and players import `api.py`."""
