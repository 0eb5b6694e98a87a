"""Habits of scripted players that a good player would not have, counted in the logs of games.

`python -m tests.games.imperial_settlers.habits 100 balanced` counts them in 100 games each of 2, 3 and 4 players. They
are counts for each seat and game, and stand in docs/players.md.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.log import (
    ACTIVATED,
    BUILT,
    CARD,
    DEFENDED,
    EXCHANGED,
    GAVE_UP,
    KIND,
    LOST,
    MADE_DEAL,
    NUMBER,
    PHASE_BEGINS,
    PLACED_SAMURAI,
    RAZED,
    RAZED_FROM_HAND,
    ROUND,
    SEAT,
    TUCKED,
    TURN_BEGINS,
    VALUE,
)
from sim.players.batch import Plan
from sim.players.compile_players import players_of
from sim.runs.config import RunConfig, make_plan
from tests.kit.steps import started

HABITS = {
    "goods_lost": "loses a resource or gold in cleanup (each)",
    "goods_left": "ends the game with a resource or gold (each)",
    "tokens_lost": "loses a raze token in cleanup, or ends the game with it (each)",
    "worker_pairs": "loses a pair of workers in cleanup, or ends the game with it",
    "token_kept": "is razed with its defence token still in hand, though it has had a turn",
    "token_missed": "the same, and the location razed could have carried the token",
    "gives_faction": "gives up a faction location though it has a common one or a foundation",
    "guarded_given": "gives up a location that carries its defence token or a samurai",
    "late_deal": "makes a deal for a good, not points or cards, in the last round",
    "vain_deal": "the same, and does nothing more than such deals before it passes",
    "late_samurai": "spends a worker on a samurai in the last round",
    "buildable": "ends the game with a common card that it could have built",
}
"""Each habit by its name."""
GOODS = (constants.WOOD, constants.STONE, constants.FOOD, constants.GOLD)
USES = (BUILT, ACTIVATED, RAZED_FROM_HAND, RAZED, EXCHANGED, TUCKED)
"""What a good can be for."""


def count_habits(plan: Plan, games: int) -> tuple[Counter[str], int]:
    """Play games of a plan; return its habits and points over all seats, and the number of seats."""
    table, t, found, seats = players_of(plan), plan.data.tables, Counter[str](), 0
    for game in range(games):
        g: Any = started(plan, game, keeps_log=True)[0]
        before = g.copy()
        token = [False] * g.players
        seen = 0
        while not g.finished and not g.error:
            before = g.copy()
            plan.game.play_step(g, t, table)
            rows = [list(map(int, row)) for row in g.log.rows[seen : g.log.row_count]]
            seen = int(g.log.row_count)
            for row in rows:
                count_row(before, t, row, token, found)
        assert not g.error, g.error
        every_row = [list(map(int, row)) for row in g.log.rows[:seen]]
        for seat in range(g.players):
            count_end(g, t, seat, [row for row in every_row if row[SEAT] == seat], found)
        seats += int(g.players)
    return found, seats


def count_row(before: Any, t: Any, row: Sequence[int], token: list[bool], found: Counter[str]) -> None:
    """Count the habits seen in one row of the log; `token` tells who has had a turn and not laid the defence token."""
    kind, seat, card = row[KIND], row[SEAT], row[CARD]
    last = row[ROUND] == constants.ROUNDS
    if kind == PHASE_BEGINS:
        token[:] = [False] * len(token)
    elif kind == TURN_BEGINS:
        token[seat] = bool(before.goods[seat, constants.DEFENCE] > 0)
    elif kind == DEFENDED:
        token[seat] = False
    elif kind == RAZED and row[VALUE] != seat and token[row[VALUE]]:
        found["token_kept"] += 1
        found["token_missed"] += int(t.deck[card] == constants.COMMON)
    elif kind == GAVE_UP and row[VALUE] == 0:
        count_given_up(before, t, seat, card, found)
    elif kind == MADE_DEAL and last:
        found["late_deal"] += int(t.deal_good[card] not in (constants.VP, constants.CARD))
    elif kind == PLACED_SAMURAI and last and row[VALUE] == 0:
        found["late_samurai"] += 1
    elif kind == LOST and before.phase != constants.ACT and card == constants.NO_CARD:
        found["goods_lost"] += row[NUMBER] * int(row[VALUE] in GOODS)
        found["tokens_lost"] += row[NUMBER] * int(row[VALUE] == constants.RAZE)
        found["worker_pairs"] += row[NUMBER] // 2 * int(row[VALUE] == constants.WORKER)


def count_given_up(before: Any, t: Any, seat: int, card: int, found: Counter[str]) -> None:
    """Count the habits seen in giving a location up to build another."""
    found["guarded_given"] += int(before.defence[card] != 0 or before.samurai[card] != 0)
    if t.deck[card] != constants.COMMON:
        mine = before.zone[seat, constants.LOCATIONS, : before.zone_size[seat, constants.LOCATIONS]]
        spare = before.zone_size[seat, constants.FOUNDATIONS] + sum(
            int(t.deck[other] == constants.COMMON) for other in mine
        )
        found["gives_faction"] += int(spare > 0)


def count_end(g: Any, t: Any, seat: int, rows: Sequence[Sequence[int]], found: Counter[str]) -> None:
    """Count the habits of a seat that are seen at the end of a game."""
    found["points"] += int(g.score[seat, len(constants.SCORE_PARTS)])
    found["goods_left"] += sum(int(g.goods[seat, good]) for good in GOODS)
    found["tokens_lost"] += int(g.goods[seat, constants.RAZE])
    found["worker_pairs"] += int(g.goods[seat, constants.WORKER]) // 2
    for row in reversed([row for row in rows if row[ROUND] == constants.ROUNDS]):
        if row[KIND] in USES:
            break
        found["vain_deal"] += int(
            row[KIND] == MADE_DEAL and t.deal_good[row[CARD]] not in (constants.VP, constants.CARD)
        )
    for card in g.zone[seat, constants.HAND, : g.zone_size[seat, constants.HAND]]:
        lacks = sum(max(0, int(t.cost[card, good] - g.goods[seat, good])) for good in range(constants.RESOURCES))
        lacks += int(t.cost[card, constants.GOLD])
        found["buildable"] += int(t.deck[card] == constants.COMMON and lacks <= g.goods[seat, constants.GOLD])


def main(arguments: Sequence[str]) -> None:
    """Print the counts of a strategy: games at each number of players, its name, and a file of code if it needs one."""
    games = int(arguments[0]) if arguments else 100
    strategy = arguments[1] if len(arguments) > 1 else "balanced"
    code = str(Path(arguments[2])) if len(arguments) > 2 else None
    found, seats = Counter[str](), 0
    for players in (2, 3, 4):
        config = RunConfig(game="imperial_settlers", players=players, strategies=[strategy], seed=21, code=code)
        counted, of = count_habits(make_plan(config), games)
        found += counted
        seats += of
    print(f"{found['points'] / seats:6.1f}  points")
    for habit, what in HABITS.items():
        print(f"{found[habit] / seats:6.2f}  {what}")


if __name__ == "__main__":
    main(sys.argv[1:])
