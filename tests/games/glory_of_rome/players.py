"""Which player of The Glory of Rome beats which, for `tests/kit/players.py`."""

from tests.kit.players import Duel

DUELS = (
    Duel("balanced", "random", players=2, least=0.95, games=600),
    Duel("balanced", "random", players=4, least=0.95, games=400, variant="spies"),
    Duel("balanced", "greedy", players=2, least=0.8, games=600),
    Duel("balanced", "greedy", players=4, least=0.8, games=400),
    Duel("balanced", "intriguer", players=2, least=0.5, games=1000),
    Duel("balanced", "religion", players=4, least=0.5, games=600),
    Duel("balanced", "builder", players=4, least=0.5, games=600),
)
