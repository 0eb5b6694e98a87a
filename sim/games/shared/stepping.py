"""Games that are looked at from outside: played step by step, and stopped at the first decision without an answer.

A game's record has a field `paused`, which its strategy `pause` sets at the first decision it is asked for; a record so
stopped shows the options of that decision and is given up once they have been read. A step is played anew with the
answers found so far until it asks for no more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sim.compiler.kernel import Record, strategy_pointer, strategy_slots
from sim.compiler.player_record import LINEUP
from sim.engine.rng import SEATS
from sim.engine.state import NOT_BEGUN
from sim.errors import UserError


class IllegalMoveError(Exception):
    """A move that the rules do not allow; the message is the reason."""


Play = Callable[[Record, Record, Any], object]
"""Plays a step of a game: its record, its tables, its players."""


def pausing_players(pause: Callable[..., float], state: np.dtype[Any], tables: np.dtype[Any]) -> Any:
    """Return players who stop the game at every decision, as kernels take them.

    Parameters
    ----------
    pause
        The strategy that stops it.
    state, tables
        Record dtypes of the game.
    """
    lineup: Any = np.zeros(1, LINEUP)[0]
    return strategy_slots([strategy_pointer(pause, state, tables)]), lineup


def play_answered(
    table: Any, t: Record, players: Any, play: Play, answers: Sequence[int], paused: Callable[[], bool] | None = None
) -> Any:
    """Play a step in a copy of a game with these answers, up to the first decision behind them.

    Parameters
    ----------
    table
        Array of one record.
    t, players
        Tables, and players who stop the game (`pausing_players`).
    play
        Plays the step; it begins with `begin_step`.
    answers
        Options taken so far, by their places.
    paused
        Tells whether the game has been stopped, where its record has no field for that.

    Returns
    -------
    array of shape (1,)
        The copy; `paused` in its record tells whether there is one more decision.
    """
    trial = table.copy()
    g: Any = trial[0]
    if answers:
        g.answer[: len(answers)] = answers
        # Lots of seats decide nothing here: their streams may stay as they are.
        g.answer_drawn[:] = g.rng_drawn[SEATS]
        g.answers_given = len(answers)
        g.step_decisions = NOT_BEGUN
    try:
        play(g, t, players)
    except IndexError:
        # A stopped game runs on with options that are no longer meant, until the step is over.
        if not (g.paused if paused is None else paused()):
            raise
    return trial


def play_decided(table: Any, t: Record, players: Any, play: Play, decide: Callable[[Record], int]) -> Any:
    """Play a step in a copy of a game, with an answer to each of its decisions.

    Parameters
    ----------
    table, t, players, play
        As in `play_answered`.
    decide
        Returns the place of the option to take, given the record stopped at the decision.

    Returns
    -------
    array of shape (1,)
        The game after the step.

    Raises
    ------
    UserError
        The game holds more than the engine.
    """
    answers: list[int] = []
    while True:
        trial = play_answered(table, t, players, play, answers)
        if not trial[0].paused:
            break
        answers.append(decide(trial[0]))
    if trial[0].error:
        raise UserError("the position holds more than the engine has room for", found=int(trial[0].error))
    return trial
