"""Duels: which scripted player has to beat which."""

from dataclasses import dataclass

import numpy as np

from reports.statistics.core.sprt import always_valid_reach
from sim.engine.result_rows import RANK, STRATEGY
from sim.players.batch import Plan
from sim.players.find_strategies import load_strategies
from tests.kit.plans import plan_for, rows_of

FIRST_BLOCKS = 24
"""Blocks after which a duel is looked at for the first time; from then on whenever there are twice as many."""
ALPHA = 0.001
"""Chance that a duel is ever told before its last game although its share is on the other side of `least`."""

EFFECT = 0.1
"""Distance from `least` at which a duel is told soonest."""


@dataclass(frozen=True)
class Duel:
    """Two strategies that share the seats of a table."""

    stronger: str
    weaker: str
    players: int
    least: float  # share of the wins that the stronger one must exceed; a fair share is a half
    games: int  # how many are played, unless fewer leave no doubt
    variant: str | None = None

    def __str__(self) -> str:
        """Name of the duel in a list of tests."""
        return f"{self.stronger}-{self.weaker}-{self.players}{self.variant or ''}"


def shares_of_blocks(plan: Plan, first: int, count: int) -> np.ndarray:
    """Share of the wins that goes to the first strategy in each block of these games; shared wins are parted."""
    rows = rows_of(plan, first * plan.block_games, count * plan.block_games)
    best = rows[:, :, RANK] == 1
    won = (best & (rows[:, :, STRATEGY] == 0)).sum(axis=1) / best.sum(axis=1)
    return won.reshape(count, plan.block_games).mean(axis=1)


def is_told(shares: np.ndarray, least: float) -> bool:
    """Tell whether blocks leave no doubt on which side of `least` the share is, by an interval for every look."""
    # An imagined block won whole, as in `paired_estimate`: blocks that are all alike are not sure at once.
    variance = (shares.var(ddof=1) + 1 / len(shares)) / len(shares)
    return bool(abs(shares.mean() - least) > always_valid_reach(variance, EFFECT, ALPHA))


def win_rate(game: str, duel: Duel) -> float:
    """Share of the wins that goes to the stronger strategy, as of the first look at which it is told."""
    plan = plan_for(game, duel.variant, duel.players, strategies=[duel.stronger, duel.weaker], seed=3)
    blocks = -(-duel.games // plan.block_games)
    shares = shares_of_blocks(plan, 0, min(FIRST_BLOCKS, blocks))
    while len(shares) < blocks and not is_told(shares, duel.least):
        more = min(len(shares), blocks - len(shares))
        shares = np.concatenate([shares, shares_of_blocks(plan, len(shares), more)])
    return float(shares.mean())


def schools(game: str, but: tuple[str, ...] = ("balanced", "random")) -> list[str]:
    """Return the strategies of a game but for some."""
    return [name for name in load_strategies(game) if name not in but]


DUELS: dict[str, tuple[Duel, ...]] = {
    "seven_wonders": (
        *(
            Duel(name, "random", players=players, least=0.9, games=300)
            for name in schools("seven_wonders", ("random",))
            for players in (2, 3, 6)
        ),
        *(
            Duel(school, "greedy", players=4, least=0.6, games=400)
            for school in schools("seven_wonders", ("random", "greedy"))
        ),
    ),
    # With the commons of Classics balanced wins somewhat less often, because random collapses the game.
    "imperium": (
        Duel("balanced", "random", players=2, least=0.94, games=1500, variant="classics"),
        Duel("balanced", "random", players=2, least=0.95, games=1500, variant="legends"),
        *(Duel("balanced", school, players=2, least=0.5, games=1600) for school in schools("imperium")),
        *(Duel("balanced", school, players=4, least=0.5, games=1200) for school in schools("imperium")),
    ),
    "imperial_settlers": (
        Duel("balanced", "random", players=2, least=0.95, games=600),
        # razer is nearly as strong at two: it takes many games to tell.
        *(
            Duel("balanced", school, players=2, least=0.5, games=8000 if school == "razer" else 600)
            for school in schools("imperial_settlers")
        ),
        *(Duel("balanced", school, players=4, least=0.5, games=400) for school in schools("imperial_settlers")),
    ),
    "history_of_the_world": (
        Duel("balanced", "random", players=4, least=0.98, games=400),
        Duel("balanced", "random", players=4, least=0.98, games=400, variant="classic"),
        *(Duel("balanced", school, players=4, least=0.5, games=4000) for school in schools("history_of_the_world")),
    ),
    "glory_of_rome": (
        Duel("balanced", "random", players=2, least=0.95, games=600),
        Duel("balanced", "random", players=4, least=0.95, games=400, variant="spies"),
        Duel("balanced", "greedy", players=2, least=0.8, games=600),
        Duel("balanced", "greedy", players=4, least=0.8, games=400),
        Duel("balanced", "intriguer", players=2, least=0.5, games=1000),
        Duel("balanced", "religion", players=4, least=0.5, games=600),
        Duel("balanced", "builder", players=4, least=0.5, games=600),
    ),
    "goofspiel": (Duel("matching", "random", players=2, least=0.9, games=300),),
}
