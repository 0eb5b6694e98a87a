"""Lessons of The Glory of Rome: how much placing a follower or building a tile is worth beyond its score.

`balanced` plays 960 games of two players and 640 games of four players. At four of ten decisions the teacher values the
eight best options, with six rollouts each to the end of the game. The fitted lessons are added to the present ones. The
first training round starts without lessons. A training round takes fifteen minutes on one core.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.compiler.kernel import Record
from sim.diagnostics.lessons.fit import (
    OPTION_FIELDS,
    UNTAUGHT,
    Floats,
    ask_options,
    file_head,
    options_of_rows,
    plan_to_ask,
    rounded_row,
    spread,
)
from sim.games.glory_of_rome.data.catalog import FOLDER
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.tables import MAX_ROUNDS
from sim.players.batch import Plan

GAMES = {2: 960, 4: 640}
"""Number of games for each number of players."""
SHARE = 0.4
SEED = 880
"""Base seed, to which the number of the training round is added."""
NEXT_ROUND = 3
"""The training round to fit next; the shipped lessons include all earlier training rounds."""
RIDGES = {"follower": 20.0, "tile": 20.0}
LEARNT = {2: (0.5, 0.3), 4: (0.3, 0.3)}
"""Factors for the fitted lessons of followers and of tiles, by number of players. With full lessons players win less.
In the first training round, the factor for followers at tables of four was also 0.5."""
APART, SHIFT, MOST_SCORE = 30.0, 50.0, 15.0
"""`APART`, `SHIFT` and `most` of `options_of_rows`. Scores beyond `APART` belong to options that `decisions.py` puts
before or after all others."""
ROUNDS, LEFT = 16, 8
"""Factors that combine several numbers into one key."""
YEARS = 3
"""Number of successive rounds of the game in which building a tile has the same lesson."""


def describe(g: Record, me: int) -> tuple[float, ...]:
    """Return what lessons may depend on: the round of the game, and the number of followers left."""
    return int(g.rounds), int(g.followers_left[me])


def plan_of(players: int, lesson_round: int) -> Plan:
    """Return the plan of a training round.

    `balanced` plays all seats, in the first training round without lessons. The teacher has no seat.
    """
    changes = UNTAUGHT if lesson_round == 1 else ()
    seed, decisions = SEED + lesson_round, constants.DECISIONS
    return plan_to_ask(
        "glory_of_rome", "balanced", players, seed, rollouts=6, options=8, decisions=decisions, changes=changes
    )


def learn(rows: Floats) -> tuple[Floats, Floats]:
    """Fit lessons to the rows of `ask_options` for one number of players; return those of followers and of tiles.

    The arrays have the shapes of the game's tables of lessons for one number of players.
    """
    options = options_of_rows(rows, APART, SHIFT, MOST_SCORE)
    decision, rounds, left, kind, card, value = options.about
    place = np.where(kind == constants.PLACE_FOLLOWER, 2 * card + value, -1)
    by_round = np.where(place >= 0, ROUNDS * place + rounds, -1)
    by_left = np.where(place >= 0, LEFT * by_round + np.clip(left, 1, constants.FOLLOWERS_TOLD_APART) - 1, -1)
    always, staged, counted = options.fit(
        decision == constants.ASK_FOLLOWER, [place, by_round, by_left], RIDGES["follower"]
    )
    places, told = (len(constants.PLACES), 2), constants.FOLLOWERS_TOLD_APART
    # The first two kinds of lessons hold for any number of followers left, and the first kind in all rounds.
    followers = spread(always, *places, 1, 1) + spread(staged, *places, ROUNDS, 1)[:, :, :MAX_ROUNDS]
    followers = followers + spread(counted, *places, ROUNDS, LEFT)[:, :, :MAX_ROUNDS, :told]
    tile = np.where(kind == constants.PLACE_TILE, constants.LEVELS * card + value - 1, -1)
    year = np.where(tile >= 0, ROUNDS * tile + rounds // YEARS, -1)
    always, staged = options.fit(decision == constants.ASK_BUILD, [tile, year], RIDGES["tile"])
    kinds = (len(constants.BUILDINGS), constants.LEVELS)
    by_year = np.repeat(spread(staged, *kinds, ROUNDS), YEARS, axis=2)[:, :, :MAX_ROUNDS]
    return followers, spread(always, *kinds, 1) + by_year


def added(
    found: tuple[Floats, Floats], known: tuple[Floats, Floats] | None, shares: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Return the found lessons of followers and of tiles, multiplied by `shares`, plus the known lessons if any."""
    followers, tiles = (share * points for share, points in zip(shares, found, strict=True))
    return (followers, tiles) if known is None else (followers + known[0], tiles + known[1])


def rows_of(players: str, followers: Floats, tiles: Floats) -> list[str]:
    """Return the TOML rows of the lessons for a number of players."""
    rows, of_table = [], f'players = "{players}"\n'
    for number, place in enumerate(constants.PLACES):
        for bonus in range(2):
            lines = ",\n".join(f"    {rounded_row(of_round)}" for of_round in followers[number, bonus])
            what = f'place = "{place}"\nbonus = {str(bool(bonus)).lower()}\n'
            rows.append(f"[[follower]]\n{of_table}{what}points = [\n{lines},\n]\n")
    for number, building in enumerate(constants.BUILDINGS):
        for level in range(constants.LEVELS):
            what = f'type = "{building}"\nlevel = {level + 1}\n'
            rows.append(f"[[tile]]\n{of_table}{what}points = {rounded_row(tiles[number, level])}\n")
    return rows


def new_lessons(games: int = 0, lesson_round: int = NEXT_ROUND, data: str = "") -> list[str]:
    """Play the games of one training round and return the rows of its lessons file.

    `games` games are played with each number of players. By default the numbers of games are those of `GAMES`.
    """
    rows = [file_head(FOLDER)]
    for table, (players, name) in enumerate(zip(GAMES, constants.TABLES_TOLD_APART, strict=True)):
        plan = plan_of(players, lesson_round)
        found = learn(ask_options(plan, games or GAMES[players], SHARE, describe, OPTION_FIELDS))
        t: Any = plan.data.tables
        known = None if lesson_round == 1 else (t.follower_lesson[table], t.tile_lesson[table])
        rows += rows_of(name, *added(found, known, LEARNT[players]))
    return rows
