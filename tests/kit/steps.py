"""Steps of games under way: what a step of each game is about, and which games have steps of every kind."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from docs.examples.goofspiel import turns as goofspiel
from sim.games.glory_of_rome.rules import constants as rome
from sim.games.history_of_the_world.rules import constants as epochs
from sim.games.imperial_settlers.rules import constants as settlers
from sim.games.imperium.rules import constants as imperium
from sim.games.seven_wonders.rules import constants as wonders
from sim.players.batch import Plan, plan_record
from sim.players.compile_players import players_of
from tests.kit.plans import plan_for


class Steps(NamedTuple):
    """What is known of the steps of a game."""

    # Number or name of what a step will be about, given the record as it begins.
    kind: Callable[[Any], object]
    # Kinds of those steps in which something is decided in some game at some table.
    deciding: tuple[object, ...]
    seldom: tuple[object, ...] = ()  # further kinds, which a sample of tables may miss
    decides_twice: bool = True  # whether one step can hold several decisions
    # Options of a run in whose games all kinds of steps come up, given the number of players.
    options: Callable[[int], dict[str, Any]] = lambda _: {"strategies": ["random"]}


RESOLVING = "resolving"
"""An effect that waits, or an operation of one."""
BOARDS = ["Babylon B", "Halikarnassos B", "Olympia A", "Rhodos A", "Gizah A", "Ephesos A", "Alexandria A"]
"""Boards of 7 Wonders, the first of them those whose players decide after everybody's action."""


def phase_or_effect(g: Any) -> object:
    """What the next step does: an effect that waits, or a phase."""
    return RESOLVING if g.depth > 0 else int(g.phase)


def step_of_epochs(g: Any) -> object:
    """What the next step does: a phase of the game, in a turn a step of the turn or a part of a battle."""
    if g.phase != epochs.TURN:
        return epochs.PHASES[int(g.phase)]
    if g.battle != epochs.NO_BATTLE:
        return "loss" if g.battle == epochs.LOST_ROLL else "roll"
    return epochs.STEPS[int(g.step)]


def step_of_rome(g: Any) -> object:
    """What the next step does: a phase without turns, or the stage that a turn has got to."""
    without_turns = g.phase in (rome.SET_UP, rome.EVENT_PHASE, rome.OVER)
    return rome.PHASES[int(g.phase)] if without_turns else rome.STAGES[int(g.stage)]


STEPS = {
    "seven_wonders": Steps(
        lambda g: int(g.phase),
        (wonders.START_TURN, wonders.CHOOSING, wonders.LAST_CARDS, wonders.DISCARD_BUILDS),
        options=lambda players: {
            "strategies": ["wonder", "random", "wonder@1"],
            "factions": BOARDS[: max(players, 3)],
            "settings": {"free_city_uses_wonder_powers": True},
        },
    ),
    "imperium": Steps(
        phase_or_effect,
        (
            *(RESOLVING, imperium.START_TURN, imperium.ACTIVATE, imperium.CLEANING_UP),
            *(imperium.DISCARDING, imperium.FILL_HAND, imperium.SOLSTICE),
        ),
    ),
    "imperial_settlers": Steps(
        phase_or_effect, (RESOLVING, settlers.LOOKOUT, settlers.PRODUCE, settlers.ACT), seldom=(settlers.ATTACK,)
    ),
    "history_of_the_world": Steps(
        step_of_epochs, ("draft", "classic", "found", "conquest", "inactivate", "score", "roll", "loss")
    ),
    # A seed of games in which a target of intrigue answers it with a trade card.
    "glory_of_rome": Steps(
        step_of_rome,
        (
            *("set-up", "turn_begins", "turn", "window", "respond", "legions"),
            *("treaty_answer", "treaty_raise", "treaty_last_answer", "spy"),
        ),
        decides_twice=False,
        options=lambda _: {"strategies": ["random"], "seed": 49},
    ),
    "goofspiel": Steps(
        lambda g: "bid" if goofspiel.NO_CARD in g.bid[: g.players] else "award",
        ("bid",),
        decides_twice=False,
        options=lambda _: {"strategies": ["random", "matching"]},
    ),
}


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
    return plan_for(game, variant, players, **{"seed": 31, **STEPS[game].options(players)})


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
    kind_of_step = STEPS[plan.game.name].kind
    while not g.finished:
        step_kind, decisions = kind_of_step(g), int(g.decisions)
        due = any(seen[step_kind, decided] % every == 0 for decided in (False, True))
        before = table.copy() if due else table
        plan.game.play_step(g, plan.data.tables, team)
        assert g.error == 0
        kind = (step_kind, g.decisions > decisions)
        if seen[kind] % every == 0:
            yield Step(before, table.copy(), step_kind)
        seen[kind] += 1
