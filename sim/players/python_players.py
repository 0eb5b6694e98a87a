"""Players that are plain Python functions.

They receive the view of their seat and the options by name, and return one option.

To the engine, such a player is a strategy like any other. It is asked when the first option of a decision is scored.
Then the option that it returned scores 1, and all others score 0. Compiled kernels call it through a pointer
(`ctypes`), which holds the interpreter's lock during the call.

A game has a module that says what a seat may see (`GameSpec.view`). It has two functions:

- `look(g, data, me)` returns all that the seat may see, as a dictionary that JSON can hold;
- `name_options(g, data, me, decision)` returns an entry for each option listed, with `text`: its meaning in words.
"""

from __future__ import annotations

import ctypes
import math
import sys
import threading
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from sim.compiler.kernel import Record, compiled
from sim.data.place import own_lines
from sim.engine.script import Strategy
from sim.engine.state import record_in_memory
from sim.errors import UserError, what_was_raised
from sim.game import Data, GameSpec

Choose = Callable[[dict[str, Any], list[dict[str, Any]]], Any]
"""`choose(view, options)` of a player's file; it returns one of the options."""

SIGNATURE = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p, *(ctypes.c_int64,) * 3, ctypes.c_void_p)
"""The `ctypes` signature of a scoring function that compiled code can call."""


NOBODY = -1
"""Value of `decision` for the view of a seat that is not deciding."""


class _Thread(threading.local):
    """The state of a worker thread between two calls: the index of the option chosen last, and an error."""

    chosen = 0
    failure: BaseException | None = None


_thread = _Thread()


def check_view(game: GameSpec, file: Path | None) -> None:
    """Check that a game supports players in Python."""
    if not game.view:
        message = f"{game.title} cannot be played by a Python function yet"
        field, allowed = ("choose", "def score(g, t, me, decision, option, w)") if file else ("game", None)
        raise UserError(message, file=file, field=field, allowed=allowed)


def view_of(g: Record, game: GameSpec, data: Data, me: int, decision: int) -> dict[str, Any]:
    """Return the view of a seat. `decision` is NOBODY if the seat is not deciding.

    It has `game`, `seat`, `decision` (its name, or None), and the entries that `look` returns.
    """
    asked = game.decisions[decision] if decision != NOBODY else None
    shown = import_module(game.view).look(g, data, me)
    return {"game": game.name, "seat": int(me), "decision": asked, **shown}


def options_of(g: Record, game: GameSpec, data: Data, me: int, decision: int) -> list[dict[str, Any]]:
    """Return the options of a decision as dictionaries that describe them. Each has a `text`."""
    options: list[dict[str, Any]] = import_module(game.view).name_options(g, data, me, decision)
    return options


def pointer_to(strategy: Strategy, game: GameSpec, data: Data) -> Any:
    """Return a Python player in the form that kernels call.

    This is a scoring function or, if kernels are compiled, an object with the `address` of one.
    """
    assert strategy.script.choose is not None
    score = _scoring(strategy.script.choose, strategy, game, data)
    return address_of_score(score, game.state) if compiled() else score


def address_of_score(score: Callable[..., float], state: np.dtype[Any]) -> Any:
    """Wrap a Python scoring function so that compiled kernels can call it; return an object with its `address`.

    The function receives None in place of tables and weights. The returned object must be kept as long as it is called.
    """

    def by_address(g: int, _t: int, me: int, decision: int, option: int, _w: int) -> float:
        return score(record_in_memory(g, state), None, me, decision, option, None)

    hear_interrupts()
    callback = SIGNATURE(by_address)
    # The callback must stay alive as long as its address is used.
    return SimpleNamespace(address=ctypes.cast(callback, ctypes.c_void_p).value, callback=callback)


@cache
def hear_interrupts() -> None:
    """Install a hook that saves an interrupt that arrives just as compiled code calls Python.

    No Python frame can catch such an interrupt. Without the hook, Python would print that it ignores the interrupt, and
    the games would go on. `raise_failure` raises the saved interrupt.
    """
    usual = sys.unraisablehook

    def hook(unraisable: Any) -> None:
        if isinstance(unraisable.exc_value, KeyboardInterrupt):
            keep_failure(unraisable.exc_value)
        else:
            usual(unraisable)

    sys.unraisablehook = hook


def _scoring(choose: Choose, strategy: Strategy, game: GameSpec, data: Data) -> Callable[..., float]:
    """Return a scoring function that asks a player (`choose`) and gives its option 1, all others 0.

    The player is asked at the first option of a decision. If it fails, the score is NaN, and the error is saved.
    """

    def score(g: Record, _t: Record, me: int, decision: int, option: int, _w: Record) -> float:
        if _thread.failure is not None:
            return math.nan
        if option == 0:
            try:
                _thread.chosen = _ask(choose, strategy, g, game, data, me, decision)
            except BaseException as error:  # an error cannot pass through compiled code, so it is kept for the end
                keep_failure(error)
                return math.nan
        return 1.0 if option == _thread.chosen else 0.0

    return score


def _ask(choose: Choose, strategy: Strategy, g: Record, game: GameSpec, data: Data, me: int, decision: int) -> int:
    """Ask a player, and return the index of the option that it takes."""
    view, options = view_of(g, game, data, me, decision), options_of(g, game, data, me, decision)
    try:
        answer = choose(view, list(options))
        for place, option in enumerate(options):
            if option is answer:
                return place
        for place, option in enumerate(options):
            if type(answer) is dict and option == answer:
                return place
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # any exception, including exception classes that the player defines
        reason = f"strategy {strategy.name} stops with {what_was_raised(error)}"
        raise UserError(reason, file=_line_of(strategy.source, error)) from error
    raise UserError(
        f"strategy {strategy.name} returns none of the options",
        file=f"{strategy.source}:{choose.__code__.co_firstlineno}" if hasattr(choose, "__code__") else strategy.source,
        field="choose",
        found="None" if answer is None else answer,
        allowed="one of the entries of options",
    )


def _line_of(source: str, error: BaseException) -> str:
    """Return a player's file, with the last line of this file that occurs in the traceback of an error."""
    path = Path(source).resolve()
    lines = own_lines(error, lambda file: Path(file).resolve() == path)
    return f"{source}:{lines[-1][1]}" if lines else source


def keep_failure(error: BaseException) -> None:
    """Save the error that stops this worker's game, for `raise_failure` to raise.

    The caller must then return NaN as the score.
    """
    _thread.failure = error


def raise_failure() -> None:
    """If a player in Python has stopped this worker's game with an error, raise this error.

    It is a UserError if the player raised an error or returned none of the options.
    """
    failure, _thread.failure = _thread.failure, None
    if failure is not None:
        raise failure
