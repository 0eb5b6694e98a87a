"""One game in memory: state, random streams, seats, decisions, results. It knows no rules and reads no files.

Authors of games and players import `api.py`.
"""
