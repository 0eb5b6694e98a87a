"""Fits what players have learnt of cards and wonders: the rows of configs/games/seven_wonders/lessons.toml.

`python -m tests.games.seven_wonders.fit_lessons FOLDER [games [round]]` lets `balanced` play 400 games at each of four
tables, of three to seven, and asks at three of ten cards played what its options bring, each played on 24 times to the
end of the game, dealt anew (`sim.diagnostics.fit_lessons`). What it lacks is written to FOLDER/lessons.toml. In later
rounds it is `taught`, who has lessons, that plays, on deals of the round's own, and what it still lacks is added to
what it knows. A round takes some ten minutes on one core.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sim.compiler.kernel import Record
from sim.diagnostics.fit_lessons import Floats, ask_options, plan_to_ask
from sim.games.seven_wonders.data.catalog import Catalog
from sim.games.seven_wonders.rules.constants import ACTIONS, ACTIONS_LEARNT, BUILD, COLOURS, FREE_BUILD, STAGE
from sim.games.seven_wonders.rules.tables import MAX_CARDS
from sim.players.batch import Plan
from tests.kit.lessons import head_of, number_at, options_of, rounded, write_lessons

GAMES = 400
"""At each size of table."""
TABLES = (3, 4, 5, 7)
"""Players at the tables that are asked about."""
SHARE = 0.3
SEED = 777
"""The number of the round is added to it."""
RIDGE = 60.0
MORE = 0.5
"""Share of what is found in later rounds that is added to lessons."""
NEXT_ROUND = 3
"""The rounds before are in the lessons that are shipped."""
FIELDS = ("option_action", "option_card")


def describe(g: Record, me: int) -> tuple[float, ...]:
    """What lessons may hang on: the age, its half, the side of the board and the stages that stand."""
    return int(g.age), int(g.turn), int(g.faction[me]), int(g.stages_built[me])


def plan_of(players: int, lesson_round: int) -> Plan:
    """Return a plan of a round: `balanced` in the first, then `taught`, sits in all seats, the teacher in none."""
    player = "balanced" if lesson_round == 1 else "taught"
    seed = SEED + lesson_round
    return plan_to_ask("seven_wonders", player, players, seed, rollouts=24, options=10, decisions=("play",))


def ask(games: int, lesson_round: int) -> tuple[Floats, Any]:
    """Return all options asked about in a round (`sim.diagnostics.fit_lessons.ask_options`), and the game's tables."""
    asked = []
    for place, players in enumerate(TABLES):
        plan = plan_of(players, lesson_round)
        asked.append(ask_options(plan, games, SHARE, describe, FIELDS, first=place * games))
    return np.concatenate([rows for rows in asked if rows.ndim > 1] or asked), plan.data.tables


@dataclass(frozen=True)
class Learnt:
    """What is learnt, in points, in the shapes of `t.card_lesson`, `t.colour_lesson` and `t.stage_lesson`."""

    cards: Floats
    colours: Floats
    stages: Floats

    def times(self, share: float) -> Learnt:
        """Return a share of all that is learnt."""
        return Learnt(share * self.cards, share * self.colours, share * self.stages)

    def plus(self, t: Any) -> Learnt:
        """Return it with what the tables know already."""
        return Learnt(self.cards + t.card_lesson, self.colours + t.colour_lesson, self.stages + t.stage_lesson)


def learn(rows: Floats, t: Any) -> Learnt:
    """Return what was learnt of playing cards: of the card and the half of its age, the colour, the stage."""
    options = options_of(rows)
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
    always, by_half, colours, stages = (np.zeros(shape) for shape, _, _ in asked)
    for array, lessons in zip((always, by_half, colours, stages), found, strict=True):
        array.flat[list(lessons)] = list(lessons.values())
    return Learnt(always[:, :, None] + by_half, colours, stages)


# ---- Writing ----


def rows_of(catalog: Catalog, learnt: Learnt) -> list[str]:
    """Return the rows of the file."""
    rows = []
    for card_id, card in enumerate(catalog.cards):
        points = dict(zip(ACTIONS, learnt.cards[card_id].tolist(), strict=False))
        rows.append(row("lesson", f'name = "{card.name}"\nage = {card.age}', points))
    for faction, wonder in enumerate(catalog.wonders):
        points = dict(zip(COLOURS, learnt.colours[faction].tolist(), strict=True))
        stages = [rounded(of_stage) for of_stage in learnt.stages[faction, : len(wonder.stage)].tolist()]
        rows.append(row("board", f'name = "{wonder.name}"\nside = "{wonder.side}"', points) + f"stages = {stages}\n")
    return rows


def row(table: str, of: str, points: dict[str, list[float]]) -> str:
    """Return a row of a table: what it is of, and all points that are not 0."""
    lines = [f"{column} = {rounded(each)}" for column, each in points.items() if any(rounded(each))]
    return "\n".join([f"[[{table}]]", of, *lines, ""])


def main(arguments: list[str]) -> None:
    """Write the lessons into a folder; further arguments are the number of games at each table, and of the round."""
    games = number_at(arguments, 1, GAMES)
    lesson_round = number_at(arguments, 2, NEXT_ROUND)
    rows, t = ask(games, lesson_round)
    learnt = learn(rows, t)
    if lesson_round > 1:
        learnt = learnt.times(MORE).plus(t)
    plan = plan_of(TABLES[0], lesson_round)
    write_lessons(Path(arguments[0]), [head_of(plan.game.folder), *rows_of(plan.data.catalog, learnt)])


if __name__ == "__main__":
    main(sys.argv[1:])
