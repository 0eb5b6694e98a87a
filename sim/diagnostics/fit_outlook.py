"""Fits the weights with which a search in History of the World estimates, between two epochs, who will win.

`python -m sim.diagnostics.fit_outlook` plays games of `balanced`. At the end of each epoch it computes the prospects of
every seat: features of its position that tell how likely it is to win. For each number of epochs left it fits a
conditional logit, which predicts the winner from the prospects. It prints the rows for
configs/search/history_of_the_world.toml, where they are rounded.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players
from sim.games.history_of_the_world.game import GAME
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.outlook import PROSPECTS, prospect_of
from sim.games.history_of_the_world.rules.scoring import count_armies
from sim.games.history_of_the_world.rules.turns import play_step
from sim.players.batch import plan_record
from sim.players.compile_players import players_of
from sim.runs.config import RunConfig, make_plan

TABLES = (
    ("reconstruction-2018", 3, 4000, 992),
    ("reconstruction-2018", 4, 8000, 991),
    ("reconstruction-2018", 6, 3000, 992),
)
"""Games to which rows are fitted: map, number of players, number of games, and seed."""
LONGER = (("edition-1993", 4, 4000, 992),)
"""Games on a map with more epochs. They are used only for rows with more epochs left than `TABLES` reaches."""
RIDGE = 1e-3
"""Penalty on the squared coefficients, for prospects in units of their standard deviation."""
NEWTON_STEPS = 30

Floats = NDArray[np.float64]
start_game = GAME.kernels.start_game


@kernel
def count_at_ends(
    g: Record, t: Record, players: Players, plan: Record, games: int, units: Any, counts: Any, left: Any, wins: Any
) -> int:
    """Play games and write the prospects of all seats at the end of each epoch but the last.

    Each such epoch gives one row of `counts` (seats, prospects), `left` (number of epochs left) and `wins` (seats; 1
    for a seat that won). `units` is the identity matrix: row i is the weight vector that selects prospect i.

    Returns
    -------
    The number of rows that were written.
    """
    rows = 0
    for game in range(games):
        start_game(g, t, plan, game)
        first = rows
        rounds = 0
        while g.finished == 0 and g.error == 0:
            play_step(g, t, players)
            if g.rounds > rounds and g.phase != constants.END:
                rounds = g.rounds
                left[rows] = t.epochs - g.epoch
                count_armies(g, t)
                for seat in range(g.players):
                    for prospect in range(units.shape[0]):
                        counts[rows, seat, prospect] = prospect_of(g, t, seat, units[prospect])
                rows += 1
        for row in range(first, rows):
            for seat in range(g.players):
                wins[row, seat] = g.rank[seat] == 1
    return rows


def games_counted(data: str, players: int, games: int, seed: int) -> tuple[Floats, NDArray[np.int64], Floats]:
    """Play games; return prospects (rows, seats, prospects), epochs left (rows,) and who won (rows, seats)."""
    row = RunConfig(
        game=GAME.name, variant="draft", players=players, strategies=["balanced"], seed=seed, settings={"data": data}
    )
    plan = make_plan(row)
    most = games * int(plan.data.tables.epochs)
    counts, left, wins = np.zeros((most, players, len(PROSPECTS))), np.zeros(most, np.int64), np.zeros((most, players))
    g, units = plan.game.new_games(1)[0], np.eye(len(PROSPECTS))
    rows = count_at_ends(g, plan.data.tables, players_of(plan), plan_record(plan), games, units, counts, left, wins)
    assert g.error == 0, g.error
    return counts[:rows], left[:rows], wins[:rows]


def fit(parts: list[tuple[Floats, Floats]]) -> Floats:
    """Return the weights of prospects in a conditional logit of who won (McFadden 1974), fitted by Newton's method.

    Each of the `parts` has prospects (rows, seats, prospects) and who won (rows, seats).
    """
    centred = [(counts - counts.mean(axis=1, keepdims=True), wins) for counts, wins in parts]
    spread = np.sqrt(
        np.mean(np.concatenate([counts.reshape(-1, len(PROSPECTS)) ** 2 for counts, _ in centred]), axis=0)
    )
    games, weights = sum(len(counts) for counts, _ in centred), np.zeros(len(PROSPECTS))
    for _ in range(NEWTON_STEPS):
        slope, curve = -2 * RIDGE * weights, 2 * RIDGE * np.eye(len(PROSPECTS))
        for counts, wins in centred:
            scaled = counts / spread
            chance = np.exp(scaled @ weights)
            chance /= chance.sum(axis=1, keepdims=True)
            mean = np.einsum("gs,gsp->gp", chance, scaled)
            slope = slope + np.einsum("gs,gsp->p", wins - chance, scaled) / games
            curve = curve + (np.einsum("gs,gsp,gsq->pq", chance, scaled, scaled) - mean.T @ mean) / games
        weights = weights + np.linalg.solve(curve, slope)
    return weights / spread


def main() -> None:
    """Print the rows for one epoch left, for two epochs left, and so on."""
    standard = [games_counted(*table) for table in TABLES]
    longer = [games_counted(*table) for table in LONGER]
    for number in range(1, max(int(left.max()) for _, left, _ in longer) + 1):
        among = standard if any((left == number).any() for _, left, _ in standard) else longer
        weights = fit([(counts[left == number], wins[left == number]) for counts, left, wins in among])
        print(f"[[outlook]] # {number} left")
        for name, weight in zip(PROSPECTS, weights, strict=True):
            print(f"{name} = {weight:.3f}")


if __name__ == "__main__":
    main()
