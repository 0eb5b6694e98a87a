"""Which player of Imperium beats which, for `tests/kit/players.py`."""

from sim.players.find_strategies import load_strategies
from tests.kit.players import Duel

SCHOOLS = [name for name in load_strategies("imperium") if name not in ("balanced", "random")]
# With the commons of Classics balanced wins somewhat less often, because random collapses the game.
DUELS = (
    Duel("balanced", "random", players=2, least=0.94, games=1500, variant="classics"),
    Duel("balanced", "random", players=2, least=0.95, games=1500, variant="legends"),
    *(Duel("balanced", school, players=2, least=0.5, games=1600) for school in SCHOOLS),
    *(Duel("balanced", school, players=4, least=0.5, games=1200) for school in SCHOOLS),
)
