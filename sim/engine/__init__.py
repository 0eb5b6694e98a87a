"""One game in memory: state, random streams, seats, decisions, results. Neither rules nor files.

Authors of games and players import `api.py`.
"""
