"""Lessons of 7 Wonders: how much a card, a colour on a board or a stage of a board is worth beyond its score.

`balanced` plays 400 games with each of 3, 4, 5 and 7 players. At three of ten decisions the teacher values the options,
with 24 rollouts each to the end of the game. In later training rounds `taught` plays, a player with lessons. Half of
each newly fitted lesson is added to its lessons. A training round takes ten minutes on one core.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.compiler.kernel import Record
from sim.diagnostics.lessons.fit import (
    Floats,
    ask_options,
    file_head,
    options_of_rows,
    plan_to_ask,
    rounded_row,
    spread,
)
from sim.games.seven_wonders.data.catalog import Catalog
from sim.games.seven_wonders.rules.constants import ACTIONS, ACTIONS_LEARNT, BUILD, COLOURS, FREE_BUILD, STAGE
from sim.games.seven_wonders.rules.tables import MAX_CARDS
from sim.players.batch import Plan

GAMES = 400
"""Number of games for each number of players."""
TABLES = (3, 4, 5, 7)
"""The numbers of players with which games are played."""
SHARE = 0.3
SEED = 777
"""Base seed, to which the number of the training round is added."""
RIDGE = 60.0
MORE = 0.5
"""Factor for the lessons of later training rounds, before they are added."""
NEXT_ROUND = 3
"""The training round to fit next; the shipped lessons include all earlier training rounds."""
FIELDS = ("option_action", "option_card")


def describe(g: Record, me: int) -> tuple[float, ...]:
    """Return what lessons may depend on: the age, the turn, the board with its side, and the stages built."""
    return int(g.age), int(g.turn), int(g.faction[me]), int(g.stages_built[me])


def plan_of(players: int, lesson_round: int) -> Plan:
    """Return the plan of a training round.

    `balanced` plays all seats in the first training round, `taught` in later ones. The teacher has no seat.
    """
    player = "balanced" if lesson_round == 1 else "taught"
    seed = SEED + lesson_round
    return plan_to_ask("seven_wonders", player, players, seed, rollouts=24, options=10, decisions=("play",))


def ask_players(games: int, lesson_round: int) -> tuple[Floats, Any]:
    """Return the rows of `ask_options` for each number of players in a training round, and the game's tables."""
    asked = []
    for place, players in enumerate(TABLES):
        plan = plan_of(players, lesson_round)
        asked.append(ask_options(plan, games, SHARE, describe, FIELDS, first=place * games))
    return np.concatenate([rows for rows in asked if rows.ndim > 1] or asked), plan.data.tables


@dataclass(frozen=True)
class LearntOfWonders:
    """Lessons in points, in the shapes of `t.card_lesson`, `t.colour_lesson` and `t.stage_lesson`."""

    cards: Floats
    colours: Floats
    stages: Floats

    def times(self, share: float) -> LearntOfWonders:
        """Return all lessons multiplied by `share`."""
        return LearntOfWonders(share * self.cards, share * self.colours, share * self.stages)

    def plus(self, t: Any) -> LearntOfWonders:
        """Return the sum of these lessons and the lessons in the tables `t`."""
        return LearntOfWonders(self.cards + t.card_lesson, self.colours + t.colour_lesson, self.stages + t.stage_lesson)


def learn(rows: Floats, t: Any) -> LearntOfWonders:
    """Fit lessons to the rows of `ask_options` and return them.

    Lessons of cards depend on the action and the half of the age, those of colours and stages on the board and the age.
    `t` are the game's tables.
    """
    options = options_of_rows(rows)
    _, age, turn, faction, stage, action, card = options.about
    age, half = age - 1, (2 * turn > t.turns_per_age).astype(np.int64)
    action = np.where(action == FREE_BUILD, BUILD, action)
    every = np.ones(len(card), bool)
    asked = (
        ((MAX_CARDS, ACTIONS_LEARNT), (card, action), every),
        (t.card_lesson.shape, (card, action, half), every),
        (t.colour_lesson.shape, (faction, t.card_colour[card], age), action == BUILD),
        (t.stage_lesson.shape, (faction, stage, age), action == STAGE),
    )
    keys = [
        np.where(meant, np.ravel_multi_index(np.where(meant, place, 0), shape), -1) for shape, place, meant in asked
    ]
    found = options.fit(slice(None), keys, RIDGE)
    always, by_half, colours, stages = (spread(own, *shape) for own, (shape, _, _) in zip(found, asked, strict=True))
    return LearntOfWonders(always[:, :, None] + by_half, colours, stages)


# ---- Writing ----


def rows_of(catalog: Catalog, learnt: LearntOfWonders) -> list[str]:
    """Return the TOML rows of the lessons: one for each card, and one for each side of a board."""
    rows = []
    for card_id, card in enumerate(catalog.cards):
        points = dict(zip(ACTIONS, learnt.cards[card_id].tolist(), strict=False))
        rows.append(row("lesson", f'name = "{card.name}"\nage = {card.age}', points))
    for faction, wonder in enumerate(catalog.wonders):
        points = dict(zip(COLOURS, learnt.colours[faction].tolist(), strict=True))
        stages = [rounded_row(of_stage) for of_stage in learnt.stages[faction, : len(wonder.stage)].tolist()]
        rows.append(row("board", f'name = "{wonder.name}"\nside = "{wonder.side}"', points) + f"stages = {stages}\n")
    return rows


def row(table: str, of: str, points: dict[str, list[float]]) -> str:
    """Return a TOML row of `table`: the lines `of`, which name a card or board, then the points that are not 0."""
    lines = [f"{column} = {rounded_row(each)}" for column, each in points.items() if any(rounded_row(each))]
    return "\n".join([f"[[{table}]]", of, *lines, ""])


def new_lessons(games: int = GAMES, lesson_round: int = NEXT_ROUND, data: str = "") -> list[str]:
    """Play `games` games of one training round with each number of players; return the rows of its lessons file."""
    rows, t = ask_players(games, lesson_round)
    learnt = learn(rows, t)
    if lesson_round > 1:
        learnt = learnt.times(MORE).plus(t)
    plan = plan_of(TABLES[0], lesson_round)
    return [file_head(plan.game.folder), *rows_of(plan.data.catalog, learnt)]
