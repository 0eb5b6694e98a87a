"""One game in memory: state, random streams, seats, decisions, result rows. No rules, no player, no file."""
