"""Which player of 7 Wonders beats which, for `tests/kit/players.py`."""

from sim.players.find_strategies import load_strategies
from tests.kit.players import Duel

NAMES = list(load_strategies("seven_wonders"))
SCHOOLS = [name for name in NAMES if name not in ("random", "greedy")]
HEURISTICS = [*SCHOOLS, "greedy"]
DUELS = (
    *(Duel(name, "random", players=players, least=0.9, games=300) for name in HEURISTICS for players in (2, 3, 6)),
    *(Duel(school, "greedy", players=4, least=0.6, games=400) for school in SCHOOLS),
)
