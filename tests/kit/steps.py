"""Steps of games under way.

A game supplies `tests/games/<game>/steps.py` with

- `options(variant, players)`: options of a run in whose games all kinds of steps come up at this table;
- `kind_of_step(g)`: a number or a name for what a step will be about, given the record as it begins;
- `DECIDING`: the kinds of those steps in which something is decided in some game at some table;
- `DECIDES_TWICE`: whether one step can hold several decisions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from sim.players.batch import Plan, plan_record
from sim.players.compile_players import players_of
from tests.kit.plans import plan_for, supplied


class Step(NamedTuple):
    """A step of a game: the game before and after it (arrays of length 1), and what kind of step it is."""

    before: np.ndarray
    after: np.ndarray
    kind: object

    @property
    def decisions(self) -> int:
        """Decisions made in the step."""
        return int(self.after[0].decisions - self.before[0].decisions)


def eventful_plan(game: str, variant: str, players: int) -> Plan:
    """Return the plan of games in which all kinds of steps come up."""
    return plan_for(game, variant, players, **{"seed": 31, **supplied(game, "steps").options(variant, players)})


def started(plan: Plan, number: int, keeps_log: bool = False) -> np.ndarray:
    """Return a game of a plan as it begins, an array of length 1."""
    table = plan.game.new_games(1)
    g: Any = table[0]
    g.log.keeps_rows = g.log.keeps_pieces = keeps_log
    plan.game.kernels.start_game(g, plan.data.tables, plan_record(plan), number)
    return table


def steps_of(plan: Plan, number: int, every: int, keeps_log: bool = False) -> Iterator[Step]:
    """Play a game of a plan step by step; yield the first step of each kind, and every so many after it.

    Steps in which something is decided and others of their kind count as two kinds.
    """
    table, team = started(plan, number, keeps_log), players_of(plan)
    g: Any = table[0]
    seen: Counter[tuple[object, bool]] = Counter()
    kind_of_step = supplied(plan.game.name, "steps").kind_of_step
    while not g.finished:
        step_kind, before = kind_of_step(g), table.copy()
        plan.game.play_step(g, plan.data.tables, team)
        assert g.error == 0
        kind = (step_kind, g.decisions > before[0].decisions)
        if seen[kind] % every == 0:
            yield Step(before, table.copy(), step_kind)
        seen[kind] += 1
