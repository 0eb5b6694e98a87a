"""Which player of Goofspiel beats which, for `tests/kit/players.py`."""

from tests.kit.players import Duel

DUELS = (Duel("matching", "random", players=2, least=0.9, games=300),)
