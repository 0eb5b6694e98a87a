"""Which player of Imperial Settlers beats which, for `tests/kit/players.py`."""

from sim.players.find_strategies import load_strategies
from tests.kit.players import Duel

SCHOOLS = [name for name in load_strategies("imperial_settlers") if name not in ("balanced", "random")]
DUELS = (
    Duel("balanced", "random", players=2, least=0.95, games=600),
    # razer is nearly as strong at two: it takes many games to tell.
    *(Duel("balanced", school, players=2, least=0.5, games=8000 if school == "razer" else 600) for school in SCHOOLS),
    *(Duel("balanced", school, players=4, least=0.5, games=400) for school in SCHOOLS),
)
