"""Plays a game step by step from outside: at each decision the engine stops, and the caller picks an option.

A game's record has a field `paused`. The game's strategy `pause` sets it at the first decision that has no answer yet.
The stopped record shows the options of this decision and is then discarded. The step is replayed from its beginning,
with the answers to all decisions so far, until no decision is left.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Self, TypeVar

import numpy as np

from sim.compiler.kernel import LINEUP, Record, strategy_pointer, strategy_slots
from sim.engine.rng import SEATS
from sim.engine.state import NOT_BEGUN
from sim.errors import UserError

MoveT = TypeVar("MoveT")
GameT = TypeVar("GameT", bound="SteppedGame")
Play = Callable[[Record, Record, Any], object]
"""Plays a step of a game. The parameters are the record, the tables and the players."""


class IllegalMoveError(Exception):
    """A move that the rules do not allow; the message is the reason."""


def first_reason(*reasons: tuple[object, str]) -> str:
    """Return the reason of the first pair whose condition holds; "" if no condition holds."""
    return next((why for holds, why in reasons if holds), "")


def refuse(why: str) -> None:
    """Raise `IllegalMoveError` with this reason, unless the reason is empty."""
    if why:
        raise IllegalMoveError(why)


def refuse_if(*reasons: tuple[object, str]) -> None:
    """Raise `IllegalMoveError` with the reason of the first condition that holds, if one does."""
    refuse(first_reason(*reasons))


# ---- Decisions ----


@dataclass(frozen=True)
class Option:
    """An option of a decision: its index, and the record fields that describe it (`sim.engine.options`).

    `place` is the province, region or land in games whose options name a place.
    """

    index: int
    kind: int
    card: int
    value: int
    seat: int
    place: int = 0


@cache
def _option_fields(dtype: np.dtype[Any]) -> list[str]:
    fields = [name for name in dtype.names or () if name.startswith("option_")]
    return [name for name in fields if name not in ("option_count", "option_score")]


def list_options(g: Record) -> list[Option]:
    """Return the options of the decision at which a record has stopped."""
    columns = [g[name] for name in _option_fields(g.dtype)]
    return [Option(index, *(int(column[index]) for column in columns)) for index in range(int(g.option_count))]


def find_option(options: Iterable[Option], **wanted: int) -> int | None:
    """Return the index of the first option whose fields have these values; None if there is none."""
    for option in options:
        if all(getattr(option, field) == value for field, value in wanted.items()):
            return option.index
    return None


class Decision:
    """A decision at which a game has stopped.

    Attributes
    ----------
    before
        Record of the game at the beginning of the step.
    g
        The stopped record. Its `paused_...` fields describe the decision. Other fields may be meaningless, because the
        engine still plays a stopped step to its end.
    number
        Kind of decision, as numbered by the game's constants.
    """

    def __init__(self, before: Record, g: Record) -> None:
        self.before, self.g = before, g
        self.number, self.options = int(g.paused_decision), list_options(g)

    def pick(self, why: str, **wanted: int) -> int:
        """Return the index of the first option whose fields have these values.

        Raises
        ------
        IllegalMoveError
            There is no such option. The message is `why`.
        """
        index = find_option(self.options, **wanted)
        if index is None:
            raise IllegalMoveError(why)
        return index


Decide = Callable[[Decision], int]
"""Takes a decision and returns the index of the option to take."""


def no_decision(decision: Decision) -> int:
    """Raise an error. This function takes the place of `decide` in steps that must not contain decisions."""
    raise AssertionError(f"decision {decision.number}")


# ---- Steps ----


def pausing_players(pause: Callable[..., float], state: np.dtype[Any], tables: np.dtype[Any]) -> Any:
    """Return players that stop the game at every decision, in the form that kernels take.

    `pause` is the strategy that stops the game, and `state` and `tables` are the record dtypes of the game.
    """
    lineup: Any = np.zeros(1, LINEUP)[0]
    return strategy_slots([strategy_pointer(pause, state, tables)]), lineup


def play_answered(
    table: Any, t: Record, players: Any, play: Play, answers: Sequence[int], paused: Callable[[], bool] | None = None
) -> Any:
    """Play a step on a copy of a game, with these answers to its first decisions, up to the next decision.

    Parameters
    ----------
    table
        Array of one record.
    t, players
        The tables, and the players that stop the game (`pausing_players`).
    play
        The function that plays the step. It must begin with `begin_step`.
    answers
        Indices of the options taken so far in this step.
    paused
        A function that tells whether the game has been stopped. It is needed if the record has no field `paused`.

    Returns
    -------
    array of shape (1,)
        The copy. The field `paused` of its record tells whether there is another decision.
    """
    trial = table.copy()
    g: Any = trial[0]
    if answers:
        g.answer[: len(answers)] = answers
        # These answers come from outside and use no random draws, so the streams of the seats stay as they are.
        g.answer_drawn[:] = g.rng_drawn[SEATS]
        g.answers_given = len(answers)
        g.step_decisions = NOT_BEGUN
    try:
        play(g, t, players)
    except IndexError:
        # The engine plays a stopped game to the end of the step. Its options may then be out of range.
        if not (g.paused if paused is None else paused()):
            raise
    return trial


class SteppedGame:
    """A game that is played move by move from outside. Each game has a subclass that names its kernels.

    Attributes
    ----------
    table
        Array of one record, replaced after every step.
    t, catalog
        The tables, and the data from which they were compiled.
    """

    catalog: Any

    def __init__(self, table: Any, t: Record, catalog: Any) -> None:
        self.table, self.t, self.catalog = table, t, catalog
        self.g.asks_always = 1

    @staticmethod
    def play_step(g: Record, t: Record, players: Any) -> object:
        """Play one step. Each subclass overrides this method with the kernel of its game."""
        raise NotImplementedError

    @staticmethod
    def players() -> Any:
        """Return players that stop the game at every decision (`pausing_players`)."""
        raise NotImplementedError

    @property
    def g(self) -> Any:
        """Return the record of the game."""
        return self.table[0]

    def copy(self) -> Self:
        """Return an independent copy of the game."""
        copied = copy.copy(self)
        copied.table = self.table.copy()
        return copied

    def next_decision(self) -> Decision | None:
        """Return the first decision of the next step; None if the step has none."""
        trial = play_answered(self.table, self.t, self.players(), self.play_step, ())
        return Decision(self.g, trial[0]) if trial[0].paused else None

    def step(self, decide: Decide = no_decision, play: Play | None = None) -> None:
        """Play one step with `play`, or with the game's `play_step` if `play` is None; `decide` makes all decisions.

        Raises
        ------
        IllegalMoveError
            `decide` found no legal option. The game is unchanged.
        UserError
            The position is larger than the engine allows.
        """
        answers: list[int] = []
        while True:
            trial = play_answered(self.table, self.t, self.players(), play or self.play_step, answers)
            if not trial[0].paused:
                break
            answers.append(decide(Decision(self.g, trial[0])))
        if trial[0].error:
            raise UserError("the position exceeds a capacity of the engine", found=int(trial[0].error))
        self.table = trial


# ---- Moves ----


def make_moves(
    game: GameT,
    moves: Iterable[MoveT],
    make: Callable[[GameT, MoveT], Mapping[str, Any] | None],
    reason_key: str = "reason",
) -> list[dict[str, Any]]:
    """Make moves one after another; an illegal move does not change the game.

    Parameters
    ----------
    game
        The game that the moves change.
    make
        The function that makes one move and returns the entries to add to its result. If it raises `IllegalMoveError`,
        the game is reset to its state before the move.
    reason_key
        The key under which a result holds the reason why its move was refused.

    Returns
    -------
    list of dict
        One result for each move: `ok`, and either what `make` returned or the reason for the refusal.
    """
    results: list[dict[str, Any]] = []
    for move in moves:
        before = vars(game.copy())
        try:
            results.append({"ok": True} | dict(make(game, move) or {}))
        except IllegalMoveError as illegal:
            vars(game).update(before)
            results.append({"ok": False, reason_key: str(illegal)})
    return results
