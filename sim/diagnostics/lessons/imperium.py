"""Lessons of Imperium: how much playing, using, gaining, retiring or discarding a card is worth beyond its score.

`balanced` without its lessons plays 2,000 games of two players with the commons of each box. At three of ten decisions
the teacher values the six best options, with six rollouts each to the end of the game. In later training rounds
`balanced` plays with its lessons, and the newly fitted lessons are added to them. These later lessons also depend on
the stage of the game (early or late) and on the number of actions left. A training round takes half an hour on two
cores.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from joblib import Parallel, delayed

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
from sim.games.imperium.data.catalog import LESSONS, CardLesson
from sim.games.imperium.data.compile import LESSON_PROGRAMS
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.tables import MAX_EFFECTS_LEARNT
from sim.players.batch import Plan

GAMES = 2000
NEXT_ROUND = 4
"""The training round to fit next; the shipped lessons include all earlier training rounds."""
SHARE = 0.3
SEEDS = {False: 777, True: 779}
"""Seed of the deals for the first training round (False), and for later training rounds (True)."""
RIDGES = {"play": 2500.0, "gain": 2500.0, "discard": 2500.0, "retire": 2500.0, "garrison": 2500.0, "effects": 2500.0}
MORE_RIDGES = dict.fromkeys(RIDGES, 1000.0) | {"garrison": 2500.0}
MOST_SCORE = 12.0
"""Limit of the scores. An option with a score of 20 wins no more often than an option with a score of 12."""
APART, SHIFT = 500.0, 1000.0
"""Scores beyond `APART` belong to innovating and revolting, because `decisions.py` moves these scores by `SHIFT`."""
ACTING_SHARE = 0.4
"""Factor for the lessons of playing and using cards in later training rounds. With full lessons players win less."""
NO_CARD, MANY = 3000, 16


def describe(g: Record, me: int) -> tuple[float, ...]:
    """Return what lessons may depend on: the decision, its row in the effect code, the round, the actions left."""
    return int(g.asked), int(g.asked_at), int(g.rounds), int(g.actions[me])


def ask_both_boxes(games: int, more: bool) -> tuple[Floats, Plan]:
    """Let the teacher value options in games with the commons of each box.

    With `more`, `balanced` plays with its lessons. Return the rows of `ask_options`, and the plan of the first box.
    """
    plans = [
        plan_to_ask(
            "imperium",
            "balanced",
            2,
            SEEDS[more],
            rollouts=6,
            options=6,
            decisions=constants.DECISIONS,
            variant=box,
            changes=() if more else UNTAUGHT,
        )
        for box in ("classics", "legends")
    ]
    parts = Parallel(n_jobs=2, backend="threading")(
        delayed(ask_options)(plan, games, SHARE, describe, OPTION_FIELDS) for plan in plans
    )
    parts[1][:, 0] += games  # so that no two games have the same number
    return np.concatenate(parts), plans[0]


@dataclass
class LearntOfNations:
    """Lessons in points: by lesson column and card, and by row of the effect code.

    The points of `always` hold in the whole game. Those of `late` are added to them in the late game. Those of `left`,
    a list by number of actions left, are also added. `by_row` has the points of rows of the effect code.
    """

    always: dict[str, dict[int, float]] = field(default_factory=dict)
    late: dict[str, dict[int, float]] = field(default_factory=dict)
    left: dict[str, dict[int, list[float]]] = field(default_factory=dict)
    by_row: dict[int, float] = field(default_factory=dict)


# ---- Fitting ----


class AskedOptions:
    """Options that the teacher has valued, column by column, from the rows of `ask_options`.

    `late` is 1 for options in the late game, and `left` the number of actions left, up to a limit.
    """

    def __init__(self, rows: Floats) -> None:
        self.options = options_of_rows(rows, APART, SHIFT, MOST_SCORE)
        self.decision, self.what, self.at, rounds, actions, self.kind, self.card, self.value = self.options.about
        self.late = (rounds >= constants.EARLY_ROUNDS).astype(np.int64)
        self.left = np.minimum(actions, constants.ACTIONS_TOLD_APART - 1)

    def fit(self, meant: Any, keys: Sequence[Integers], ridge: float) -> list[dict[int, float]]:
        """Fit lessons to the options that `meant` selects."""
        return self.options.fit(meant, keys, ridge)


def learn(asked: AskedOptions, more: bool) -> LearntOfNations:
    """Return the fitted lessons of cards. With `more` (later training rounds) they depend on the stage of the game."""
    learnt, ridges = LearntOfNations(), MORE_RIDGES if more else RIDGES
    learn_acting(asked, learnt, ridges["play"], more)
    picked = np.where(asked.card >= 0, asked.card, NO_CARD)
    pick = asked.decision == constants.PICK
    meant = {
        "retire": pick & (asked.what == constants.TO_HISTORY),
        "garrison": pick & (asked.what == constants.GARRISON_HERE),
        "discard": pick & (asked.what == constants.DISCARD),
        "gain": (asked.decision == constants.MARKET)
        & np.isin(asked.what, (constants.ACQUIRE, constants.BREAK_THROUGH)),
    }
    of_market = (asked.kind == constants.FROM_MARKET) & (asked.card >= 0)
    unseen = np.where(asked.card >= 0, 5000, 2000 + 100 * asked.kind + asked.value)
    for name, where in meant.items():
        key = picked if name != "gain" else np.where(of_market, asked.card, unseen)
        learn_by_stage(asked, learnt, name, where, key, ridges[name], more)
    if not more:
        [sunk] = asked.fit(pick & (asked.what == constants.SINK), [picked], ridges["retire"])
        for card, points in sunk.items():
            learnt.always["retire"][card] = learnt.always["retire"].get(card, 0.0) + points
        [learnt.always["develop"]] = asked.fit(asked.decision == constants.DEVELOP, [picked], ridges["gain"])
    [learnt.by_row] = asked.fit(asked.decision == constants.ALTERNATIVE, [asked.value], ridges["effects"])
    if not more:
        followed = np.where(asked.value == 1, asked.at, -1)
        [optional] = asked.fit(asked.decision == constants.WHETHER, [followed], ridges["effects"])
        for row, points in optional.items():
            learnt.by_row[row] = learnt.by_row.get(row, 0.0) + points
    return learnt


def learn_acting(asked: AskedOptions, learnt: LearntOfNations, ridge: float, more: bool) -> None:
    """Fit lessons of playing and using cards, and store them in `learnt`."""
    kind, card = asked.kind, asked.card
    acting = np.where(
        kind == constants.PLAY_CARD, card, np.where(kind == constants.EXHAUST_CARD, 1000 + card, 5000 + kind)
    )
    keys = [9000 + kind, acting]
    if more:
        keys += [MANY * acting + asked.left, MANY * acting + asked.late]
    _, always, *rest = asked.fit(asked.decision == constants.TURN, keys, ridge)
    share = ACTING_SHARE if more else 1.0
    for name, first in (("play", 0), ("use", 1000)):
        learnt.always[name] = {key - first: share * points for key, points in of_cards(always, first, 1).items()}
        if more:
            left, stage = (of_cards(each, first, MANY) for each in rest)
            learnt.left[name] = {}
            for key, points in left.items():
                by_actions = learnt.left[name].setdefault(key // MANY - first, [0.0] * constants.ACTIONS_TOLD_APART)
                by_actions[key % MANY] = share * points
            add_by_stage(learnt, name, {key - MANY * first: share * points for key, points in stage.items()})


def of_cards(found: Mapping[int, float], first: int, each: int) -> dict[int, float]:
    """Return the entries of `found` for cards `first` to `first` + 999; each card has `each` successive keys."""
    return {key: points for key, points in found.items() if first <= key // each < first + 1000}


def learn_by_stage(
    asked: AskedOptions, learnt: LearntOfNations, name: str, meant: Any, key: Integers, ridge: float, more: bool
) -> None:
    """Fit the lessons of column `name` to the options that `meant` selects, and store them in `learnt`.

    With `more`, also fit separate lessons for early and late game. `key` holds the card of each option.
    """
    keys = [key, MANY * key + asked.late] if more else [key]
    always, *stage = asked.fit(meant, keys, ridge)
    learnt.always[name] = of_cards(always, 0, 1)
    if more:
        add_by_stage(learnt, name, of_cards(stage[0], 0, MANY))


def add_by_stage(learnt: LearntOfNations, name: str, stage: Mapping[int, float]) -> None:
    """Add lessons for the early and the late game to column `name` of `learnt`.

    Early points are added to the lesson for the whole game. So they are subtracted from the lesson for the late game,
    before the late points are added to it.
    """
    always, late = learnt.always[name], learnt.late.setdefault(name, {})
    for key, points in stage.items():
        card = key // MANY
        if key % MANY == 0:
            always[card] = always.get(card, 0.0) + points
        late[card] = late.get(card, 0.0) + (points if key % MANY else -points)


# ---- Writing ----


def effects_by_card(t: Any, by_row: Mapping[int, float]) -> dict[int, dict[str, float]]:
    """Return for each card the lessons of its effects, by the names that the effects have in the file.

    `by_row` has the lessons by row of the effect code. Cards with the same effect code have the same lessons.
    """
    starts: dict[int, list[tuple[int, str]]] = {}
    for card in range(t.cards):
        for name, program in LESSON_PROGRAMS.items():
            if t.program[card, program] != 0:
                starts.setdefault(int(t.program[card, program]), []).append((card, name))
    begins = np.array(sorted(starts))
    effects: dict[int, dict[str, float]] = {}
    for row, points in sorted(by_row.items()):
        if row > 0:
            start = int(begins[np.searchsorted(begins, row, "right") - 1])
            for card, name in starts[start]:
                effects.setdefault(card, {})[f"{name}.{row - start}"] = points
    return effects


def rows_of(plan: Plan, learnt: LearntOfNations, known: Mapping[str, CardLesson]) -> list[str]:
    """Return the rows of the file: the new lessons added to the known lessons."""
    rows, effects = [], effects_by_card(plan.data.tables, learnt.by_row)
    for card, row in enumerate(plan.data.catalog.cards):
        lines = effect_lines(
            card, learnt, effects.get(card, {}), known.get(row.id, CardLesson.model_validate({"id": row.id}))
        )
        if lines:
            rows.append("\n".join(["[[lesson]]", f'id = "{row.id}"  # {row.name}', *lines, ""]))
    return rows


def effect_lines(card: int, learnt: LearntOfNations, effects: Mapping[str, float], known: CardLesson) -> list[str]:
    """Return the TOML lines of a card: its new lessons plus the known ones, rounded, without those that are 0."""
    lines = []
    for name in LESSONS:
        [points] = rounded_row([getattr(known, name) + learnt.always.get(name, {}).get(card, 0.0)])
        lines += [f"{name} = {points}"] if points else []
    late = rounded_row(getattr(known.late, name) + learnt.late.get(name, {}).get(card, 0.0) for name in LESSONS)
    lines += in_braces("late", {name: points for name, points in zip(LESSONS, late, strict=True) if points})
    for name in ("play", "use"):
        found = learnt.left.get(name, {}).get(card, [0.0] * constants.ACTIONS_TOLD_APART)
        left = rounded_row(old + new for old, new in zip(getattr(known, f"{name}_left"), found, strict=True))
        lines += [f"{name}_left = {left}"] if any(left) else []
    both = {name: known.effects.get(name, 0.0) + effects.get(name, 0.0) for name in {**known.effects, **effects}}
    told = {f'"{name}"': points for name, points in zip(both, rounded_row(both.values()), strict=True) if points}
    most = sorted(told, key=lambda name: -abs(told[name]))[:MAX_EFFECTS_LEARNT]
    return lines + in_braces("effects", {name: points for name, points in told.items() if name in most})


def in_braces(name: str, points: Mapping[str, float]) -> list[str]:
    """Return a list with one TOML line, the inline table `name`; an empty list if the table is empty."""
    return [f"{name} = {{ " + ", ".join(f"{key} = {value}" for key, value in points.items()) + " }"] if points else []


def new_lessons(games: int = GAMES, lesson_round: int = NEXT_ROUND, data: str = "") -> list[str]:
    """Play `games` games of one training round with the commons of each box; return the rows of its lessons file."""
    more = lesson_round > 1
    asked, plan = ask_both_boxes(games, more)
    rows = rows_of(plan, learn(AskedOptions(asked), more), plan.data.catalog.lessons if more else {})
    return [file_head(plan.game.folder), *rows]
