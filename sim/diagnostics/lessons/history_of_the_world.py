"""Lessons of History of the World: how much keeping a card or conquering a land is worth beyond its score.

`balanced` plays 1,600 games of four players. At every draft the teacher values the cards, with eight rollouts each to
the end of the epoch. In another 800 games the teacher values the best options at four of ten conquests, with six
rollouts each. The fitted lessons are added to the present ones. The first training round starts without lessons, and
takes eight minutes on one core. In later training rounds the teacher is the player with the learned judge, who needs a
quarter of that time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.compiler.kernel import Record
from sim.diagnostics.lessons.fit import (
    UNTAUGHT,
    Floats,
    ask_options,
    file_head,
    options_of_rows,
    plan_to_ask,
    rounded_row,
    spread,
)
from sim.games.history_of_the_world.data.catalog import FOLDER
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.tables import MAX_CARDS, MAX_EPOCHS, MAX_LANDS
from sim.players.batch import Plan

PLAYERS = 4
GAMES = 1600
"""Number of games for drafts; half as many games are played for conquests."""
DRAFTS, CONQUESTS = ("keep_event", "keep_empire"), ("act",)
ROLLOUTS = {DRAFTS: 8, CONQUESTS: 6}
ROLLOUTS_JUDGED = 4
SHARES = {DRAFTS: 1.0, CONQUESTS: 0.4}
SEEDS = {DRAFTS: 900, CONQUESTS: 950}
"""Base seeds, to which the number of the training round is added."""
NEXT_ROUND = 2
"""The training round to fit next; the shipped lessons include all earlier training rounds."""
FIELDS = ("option_kind", "option_land", "option_card")
RIDGES = {"card": 20.0, "land": 100.0}
LEARNT = {"reconstruction-2018": 0.5, "edition-1993": 0.0}
"""Factor for the fitted lessons of lands, by data set. With a larger factor players win less. On the map of 1993,
players win less with any lessons of lands."""
MOST_SCORE = 30.0
"""Limit of the scores of conquests. A score above this limit does not mean more wins."""
BRINGS_AT_LEAST = {"card": 1.0, "land": 0.3}
"""Minimum value assumed for a point of the score, in hundredths of a win. The scores of drafts are already in
hundredths of a win. The scores of conquests say almost nothing in the first epochs."""


def describe(g: Record, me: int) -> tuple[float, ...]:
    """Return what lessons may depend on: the epoch."""
    return (int(g.epoch),)


def plan_of(decisions: tuple[str, ...], lesson_round: int, data: str) -> Plan:
    """Return the plan of a training round.

    `balanced` plays all seats, in the first training round without lessons. The teacher has no seat.
    """
    return plan_to_ask(
        "history_of_the_world",
        "balanced",
        PLAYERS,
        SEEDS[decisions] + lesson_round,
        rollouts=ROLLOUTS[decisions] if lesson_round == 1 else ROLLOUTS_JUDGED,
        options=8,
        decisions=decisions,
        teacher=None if lesson_round == 1 else "judge",
        changes=UNTAUGHT if lesson_round == 1 else (),
        settings={"data": data},
    )


def learn_cards(rows: Floats) -> Floats:
    """Return the fitted lessons of keeping each card, in the shape of `t.card_lesson`."""
    options = options_of_rows(rows)
    decision, epoch, _, _, card = options.about
    cards = np.zeros(MAX_CARDS)
    for number in np.unique(decision):
        for of_epoch in np.unique(epoch):
            meant = (decision == number) & (epoch == of_epoch)
            (found,) = options.fit(meant, [card], RIDGES["card"], BRINGS_AT_LEAST["card"])
            cards += spread(found, MAX_CARDS)
    return cards


def learn_lands(rows: Floats, share: float) -> Floats:
    """Return the fitted lessons of conquering each land, times `share`, in the shape of `t.land_lesson`."""
    options = options_of_rows(rows, most=MOST_SCORE)
    _, epoch, kind, land, _ = options.about
    lands = np.zeros((MAX_EPOCHS, MAX_LANDS))
    conquered = np.where(kind == constants.CONQUER, land, -1)
    for of_epoch in np.unique(epoch):
        meant = (epoch == of_epoch) & (kind <= constants.BUILD_FORT)
        found, _ = options.fit(meant, [conquered, kind], RIDGES["land"], BRINGS_AT_LEAST["land"])
        lands[of_epoch] += share * spread(found, MAX_LANDS)
    return lands


def known_before(t: Record, lesson_round: int) -> tuple[Floats, Floats]:
    """Return the lessons of cards and lands that a training round starts from; for the first round they are 0."""
    share = float(lesson_round > 1)
    return share * t.card_lesson, share * t.land_lesson


def rows_of(catalog: Any, cards: Floats, lands: Floats) -> list[str]:
    """Return the TOML rows of the lessons of cards and lands.

    In each epoch the lessons of lands are shifted so that the lowest is 0, and no conquest has a negative lesson.
    Building a fort and moving on have no lessons, and are mostly worth less than a conquest.
    """
    rows = []
    for number, card in enumerate(catalog.cards):
        table = "empire" if number < len(catalog.empires) else "event"
        rows.append(f'[[{table}]]\nname = "{card.name}"\npoints = {rounded_row([cards[number]])[0]}\n')
    known = lands[: catalog.epochs, : len(catalog.lands)]
    points = known - known.min(1, keepdims=True)
    for number, land in enumerate(catalog.lands):
        rows.append(f'[[land]]\nname = "{land.name}"\npoints = {rounded_row(points[:, number])}\n')
    return rows


def new_lessons(games: int = GAMES, lesson_round: int = NEXT_ROUND, data: str = constants.DATA_SETS[0]) -> list[str]:
    """Play the games of one training round on a data set and return the rows of its lessons file.

    Lessons of cards use `games` games, and lessons of lands use half as many.
    """
    drafts, conquests = (plan_of(decisions, lesson_round, data) for decisions in (DRAFTS, CONQUESTS))
    catalog, t = drafts.data.catalog, drafts.data.tables
    cards, lands = known_before(t, lesson_round)
    cards = cards + learn_cards(ask_options(drafts, games, SHARES[DRAFTS], describe, FIELDS))
    if LEARNT[data] > 0:
        rows = ask_options(conquests, games // 2, SHARES[CONQUESTS], describe, FIELDS)
        lands = lands + learn_lands(rows, LEARNT[data])
    return [file_head(FOLDER / catalog.data_set), *rows_of(catalog, cards, lands)]
