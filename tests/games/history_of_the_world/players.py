"""Which player of History of the World beats which, for `tests/kit/players.py`."""

from sim.players.find_strategies import load_strategies
from tests.kit.players import Duel

SCHOOLS = [name for name in load_strategies("history_of_the_world") if name not in ("balanced", "random")]
DUELS = (
    Duel("balanced", "random", players=4, least=0.98, games=400),
    Duel("balanced", "random", players=4, least=0.98, games=400, variant="classic"),
    *(Duel("balanced", school, players=4, least=0.5, games=4000) for school in SCHOOLS),
)
