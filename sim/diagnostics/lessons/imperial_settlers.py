"""Lessons of Imperial Settlers: how much an action, taking a card or giving up a location is worth beyond its score.

`balanced` plays 1,600 games of two players. At four of ten such decisions the teacher values the eight best options,
with six rollouts each to the end of the game. The fitted lessons are added to the present ones. The first training
round starts without lessons. A training round takes half an hour on one core.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sim.compiler.kernel import Record
from sim.diagnostics.lessons.fit import (
    OPTION_FIELDS,
    UNTAUGHT,
    Floats,
    Integers,
    ask_options,
    file_head,
    options_of_rows,
    plan_to_ask,
    rounded_row,
)
from sim.games.imperial_settlers.data.catalog import Catalog
from sim.games.imperial_settlers.data.models import LESSONS
from sim.games.imperial_settlers.rules import constants
from sim.players.batch import Plan

GAMES = 1600
SHARE = 0.4
SEED = 777
"""Base seed, to which the number of the training round is added."""
RIDGES = {"turn": 100.0, "take": 500.0, "give_up": 500.0}
DECISIONS = ("turn", "take", "give_up")
MORE = 0.4
"""Factor for the lessons of later training rounds, before they are added. With full lessons players win less."""
ALIKE = 1e-9
"""Scores that differ by less than this count as equal."""
OTHER_MOVES = 20_000
"""Smallest key of a move without a card. Keys of moves with a card are smaller."""
BY_ROUND = 8
NEXT_ROUND = 4
"""The training round to fit next; the shipped lessons include all earlier training rounds."""
FEW = 3

Chosen = NDArray[np.bool_]


def describe(g: Record, me: int) -> tuple[float, ...]:
    """Return what lessons may depend on: the round of the game."""
    return (int(g.rounds),)


def plan_of(lesson_round: int) -> Plan:
    """Return the plan of a training round.

    `balanced` plays all seats, in the first training round without lessons. The teacher has no seat.
    """
    changes = UNTAUGHT if lesson_round == 1 else ()
    seed = SEED + lesson_round
    return plan_to_ask(
        "imperial_settlers", "balanced", 2, seed, rollouts=6, options=8, decisions=DECISIONS, changes=changes
    )


@dataclass
class LearntOfSettlers:
    """Lessons in points by round of the game: of cards, by lesson column and number of the name, and of other moves."""

    cards: dict[tuple[str, int], Floats] = field(default_factory=dict)
    moves: dict[str, Floats] = field(default_factory=dict)

    def add(self, column: str, name: int, of_round: int | slice, points: float) -> None:
        """Add points to a column's lesson of the card name number `name`, for one round or a slice of rounds."""
        self.cards.setdefault((column, name), np.zeros(constants.ROUNDS))[of_round] += points

    def times(self, share: float) -> LearntOfSettlers:
        """Return all lessons multiplied by `share`."""
        cards = {key: share * points for key, points in self.cards.items()}
        return LearntOfSettlers(cards, {move: share * points for move, points in self.moves.items()})


def scores_tell(numbers: Integers, scores: Floats) -> Chosen:
    """Tell for each option whether the scores at its decision are usable, that is, rank the options.

    If three or more options score below the best one, and their scores are all equal, the scores do not rank them. Such
    options are merely postponed: the player wants to take another option first, such as laying a defence token.
    """
    known = pd.Series(scores)
    below = known.where(known < known.groupby(numbers).transform("max") - ALIKE).groupby(numbers)
    alike = below.transform("max") - below.transform("min") < ALIKE
    return ~(alike & (below.transform("count") >= FEW)).to_numpy()


def learn(rows: Floats, t: Any) -> LearntOfSettlers:
    """Return the lessons fitted to the rows of `ask_options`."""
    options, learnt = options_of_rows(rows, math.inf, 0.0, math.inf), LearntOfSettlers()
    told = scores_tell(options.number, options.score)
    decision, rounds, kind, card, value = options.about
    name = np.where(card >= 0, t.name[np.maximum(card, 0)], -1).astype(np.int64)
    bought = np.where(kind == constants.EXCHANGE, value + 1, 0)
    acting = np.where(card >= 0, 1000 * kind + name, OTHER_MOVES + 100 * kind + bought)
    keys = [BY_ROUND * kind + rounds, acting, BY_ROUND * acting + rounds]
    moves, always, staged = options.fit(told & (decision == constants.TURN), keys, RIDGES["turn"])
    for key, points in moves.items():
        of_move = learnt.moves.setdefault(constants.MOVES[key // BY_ROUND], np.zeros(constants.ROUNDS))
        of_move[key % BY_ROUND - 1] = points
    for found, each in ((always, 1), (staged, BY_ROUND)):
        for key, points in found.items():
            what, of_round = key // each, slice(None) if each == 1 else key % each - 1
            if what < OTHER_MOVES and constants.BUILD <= what // 1000 <= constants.ACTIVATE:
                learnt.add(LESSONS[what // 1000 - constants.BUILD], what % 1000, of_round, points)
    for column, asked in (("take", constants.TAKE), ("give_up", constants.GIVE_UP)):
        late = (rounds >= constants.ROUNDS - 1).astype(np.int64)
        always, staged = options.fit(
            told & (decision == asked), [name, np.where(name >= 0, 2 * name + late, -1)], RIDGES[column]
        )
        for key, points in always.items():
            learnt.add(column, key, slice(None), points)
        for key, points in staged.items():
            learnt.add(column, key // 2, slice(3, None) if key % 2 else slice(3), points)
    return learnt


# ---- Writing ----


def rows_of(catalog: Catalog, learnt: LearntOfSettlers, first: bool) -> list[str]:
    """Return the TOML rows of the lessons; unless this is the `first` training round, the known ones are added."""
    rows = []
    for move in constants.MOVES:
        known = catalog.moves.get(move)
        points = learnt.moves.get(move, np.zeros(constants.ROUNDS)) + (0.0 if known is None or first else known.points)
        if any(rounded_row(points)):
            rows.append(f'[[move]]\nmove = "{move}"\npoints = {rounded_row(points)}\n')
    names = {card.name: number for number, card in enumerate(catalog.cards)}
    for name in names:
        number = catalog.names.index(name)
        lines = []
        for column in LESSONS:
            points = learnt.cards.get((column, number), np.zeros(constants.ROUNDS))
            if not first and name in catalog.lessons:
                points = points + getattr(catalog.lessons[name], column)
            lines += [f"{column} = {rounded_row(points)}"] if any(rounded_row(points)) else []
        if lines:
            rows.append("\n".join(["[[lesson]]", f'name = "{name}"', *lines, ""]))
    return rows


def new_lessons(games: int = GAMES, lesson_round: int = NEXT_ROUND, data: str = "") -> list[str]:
    """Play the games of one training round and return the rows of its lessons file."""
    first, plan = lesson_round == 1, plan_of(lesson_round)
    learnt = learn(ask_options(plan, games, SHARE, describe, OPTION_FIELDS), plan.data.tables)
    if not first:
        learnt = learnt.times(MORE)
    return [file_head(plan.game.folder), *rows_of(plan.data.catalog, learnt, first)]
