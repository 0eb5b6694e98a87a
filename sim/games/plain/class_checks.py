"""Checks the declarations in a game's class, and finds the players in its file."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any

from sim.data.declarations import MAX_PLAYERS
from sim.errors import UserError, close, nearest
from sim.games.plain.failures import place_of, shown
from sim.games.plain.interface import Game

METHODS = ("setup", "options", "apply", "score")
"""Methods that every game has."""
SCORES, CHOOSES = ("game", "state", "option"), ("game", "view", "options")
"""First three arguments of a player that scores an option, and of a player that chooses an option."""
FREE_PLAYERS = {"random": "takes any option", "greedy": "takes the option after which its score leads by most"}
"""Players that come with every game."""
STANDARD = "standard"
"""Name of the only variant of a game that declares no variants."""


@dataclass
class Player:
    """A player of a game: its function, and its weights. The function is None for players that come with every game."""

    name: str
    function: Callable[..., Any] | None
    chooses: bool
    weights: dict[str, float]
    description: str


def check_class(kind: type[Game], place: str) -> None:
    """Raise UserError if an attribute or method of a game's class is missing, misspelt or invalid."""
    known = [name for name in vars(Game) if not name.startswith("_")]
    for method in METHODS:
        if getattr(kind, method, None) is getattr(Game, method):
            near = nearest(method, [name for name in vars(kind) if name not in known])
            hint = f"; did you mean {near!r}?" if near else ""
            raise UserError(f"the game {kind.__name__} has no method {method}{hint}", file=place, field=method)
    for name, value in vars(Game).items():
        if callable(value) and not name.startswith("_"):
            check_parameters(kind, name, value, place)
    for name in vars(kind):
        near = nearest(name, known) if not name.startswith("_") and name not in known else None
        if near is not None and len(near) > 3 and close(name, near):
            raise UserError("a game has no attribute of this name", file=place, field=name, found=name, allowed=[near])
    if not kind.players or not all(type(count) is int and 1 <= count <= MAX_PLAYERS for count in kind.players):
        raise UserError(
            "players must list the numbers of players",
            file=place,
            field="players",
            found=kind.players,
            allowed=f"numbers from 1 to {MAX_PLAYERS}, such as (2, 3, 4)",
        )
    for attribute in ("score_parts", "measure_names", "end_reasons", "piece_events", "negative", "piece_price"):
        value = getattr(kind, attribute)
        if isinstance(value, str) or not all(isinstance(each, str) for each in value):
            raise UserError(
                f"{attribute} must be a list of names",
                file=place,
                field=attribute,
                found=value,
                allowed='("one", "two")',
            )
    if STANDARD in list(kind.variants)[1:]:
        message = f"the variant {STANDARD} has to be the first, which is played by default"
        raise UserError(message, file=place, field="variants", found=list(kind.variants))
    if kind.checkpoints and kind.round is Game.round:
        raise UserError(
            "checkpoints need the method round(state)", file=place, field="checkpoints", allowed="def round"
        )


def check_parameters(kind: type[Game], name: str, value: Callable[..., Any], place: str) -> None:
    """Raise UserError if a class's method cannot be called like `value`, the method of this name in `Game`."""
    wanted = list(inspect.signature(value).parameters)
    method = getattr(kind, name)
    if not callable(method):
        raise UserError(f"{name} is not a method", file=place, field=name, allowed=f"def {name}({', '.join(wanted)})")
    try:
        inspect.signature(method).bind(*wanted)
    except TypeError:
        found = f"{name}({', '.join(inspect.signature(method).parameters)})"
        raise UserError(
            f"{name} has the wrong parameters", file=f"{shown(method.__code__.co_filename)}:{line_of(method)}",
            field=name, found=found, allowed=f"{name}({', '.join(wanted)})",
        ) from None  # fmt: skip


def line_of(thing: Any) -> int:
    """Return the number of the line on which a class or a function begins; 1 if its source is not available."""
    try:
        return inspect.getsourcelines(thing)[1]
    except (OSError, TypeError):
        return 1


def players_of_module(module: ModuleType) -> dict[str, Player]:
    """Return the players of a game by name: first those in its file, then those that come with every game.

    Raise UserError if a player has a further argument that is not a weight, or if no function of the file is a player
    but one of them looks like one.
    """
    found, nearly = {}, []
    for name, function in vars(module).items():
        if isinstance(function, FunctionType) and not name.startswith("_"):
            arguments = tuple(inspect.signature(function).parameters)[:3]
            if arguments in (SCORES, CHOOSES):
                found[name] = player_of(name, function)
            elif len(arguments) == 3 and (arguments[0], arguments[2]) in ((SCORES[0], SCORES[2]), ("game", "options")):
                nearly.append((function, arguments))
    if nearly and not found:
        function, arguments = nearly[0]
        wanted = SCORES if arguments[2] == SCORES[2] else CHOOSES
        raise UserError(
            f"{function.__name__} looks like a player, but its arguments have other names",
            file=f"{shown(function.__code__.co_filename)}:{line_of(function)}", field=function.__name__,
            found=f"{function.__name__}({', '.join(arguments)})", allowed=f"{function.__name__}({', '.join(wanted)})",
        )  # fmt: skip
    free = {name: Player(name, None, False, {}, said) for name, said in FREE_PLAYERS.items() if name not in found}
    return found | free


def player_of(name: str, function: FunctionType) -> Player:
    """Return the player that a function of the file defines.

    Raise UserError if an argument after the first three is not a keyword argument with a numeric default.
    """
    _, _, _, *more = inspect.signature(function).parameters.values()
    weights = {}
    for one in more:
        default = one.default
        if one.kind is not one.KEYWORD_ONLY or isinstance(default, bool) or not isinstance(default, int | float):
            allowed = f"*, {one.name}=1.0"
            raise UserError(
                f"player {name}: a weight must be a keyword argument with a numeric default",
                file=place_of(function), field=one.name, found=str(one), allowed=allowed,
            )  # fmt: skip
        weights[one.name] = float(default)
    description = ((function.__doc__ or "").strip() or "a player of the game's file").splitlines()[0]
    chooses = tuple(inspect.signature(function).parameters)[:3] == CHOOSES
    return Player(name, function, chooses, weights, description)
