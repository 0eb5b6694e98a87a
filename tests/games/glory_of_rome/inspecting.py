"""Positions for tests: written down shortly, inspected, and what became of a move."""

from __future__ import annotations

from typing import Any

from sim.games.glory_of_rome.game import load
from sim.games.glory_of_rome.io.positions import inspect_position

DATA = load({})
Position = dict[str, Any]
CHARACTERS = ("Junia Secunda", "Gaius Octavius", "Livia Drusilla", "Aemilius Lepidus")
"""Characters of seats of which nothing is said."""


def inspect(position: Position, **settings: object) -> dict[str, Any]:
    """Result of a position."""
    data = load(settings) if settings else DATA
    return inspect_position(position, data.catalog, data.tables)


def player(character: str, **keys: Any) -> dict[str, Any]:
    """Return a player of a position."""
    return {"character": character, **keys}


def table(*players: dict[str, Any], **keys: Any) -> Position:
    """Return a position of these players; who is given no character gets the one of its seat."""
    seats = [{"character": CHARACTERS[seat], "anchor": False, **each} for seat, each in enumerate(players)]
    return {"players": seats, **keys}


def move(do: str, p: int | None = 0, **keys: Any) -> dict[str, Any]:
    """Return a move; `from_` stands for "from"."""
    result: dict[str, Any] = {"do": do} if p is None else {"p": p, "do": do}
    return result | {key.rstrip("_"): value for key, value in keys.items()}


def after(position: Position, *moves: dict[str, Any], **settings: object) -> dict[str, Any]:
    """Result of a position with moves, all of which must be made."""
    result = inspect({**position, "moves": list(moves)}, **settings)
    assert [each for each in result["moves"] if not each["ok"]] == []
    return result


def refused(position: Position, wrong: dict[str, Any], *before: dict[str, Any], **settings: object) -> str:
    """Reason for which a move is against the rules; nothing is changed by it."""
    result = inspect({**position, "moves": [*before, wrong]}, **settings)
    without = inspect({**position, "moves": list(before)}, **settings)
    assert [each["ok"] for each in result["moves"]] == [True] * len(before) + [False]
    assert {**result, "moves": []} == {**without, "moves": []}
    return str(result["moves"][-1]["reason"])


def card(name: str, kind: str = "tools", when: str | None = None, **effect: Any) -> dict[str, Any]:
    """Return a trade card of a position's own."""
    row = {"name": name, "type": kind, "effect": effect}
    return row if when is None else {**row, "when": when}


def trade(*cards: dict[str, Any]) -> dict[str, Any]:
    """Return the data of a position with trade cards of its own."""
    return {"trade_cards": list(cards)}


def scores(result: dict[str, Any], part: str = "total") -> list[int]:
    """One part of the score of each player."""
    return [each["score"][part] for each in result["players"]]


def of(result: dict[str, Any], key: str) -> list[Any]:
    """What stands under a key of each player."""
    return [each[key] for each in result["players"]]


OPEN_TRACK = {"discord_track": ["military", "political", "commercial"], "discord": 0}


def built(**levels: int) -> dict[str, Any]:
    """Provinces with these buildings in Africa, before seat 0."""
    return {"Africa": {"buildings": levels}}


def kept(result: dict[str, Any], seat: int = 0) -> tuple[int, int]:
    """Denarii and glory of a seat."""
    told = result["players"][seat]
    return told["denarii"], told["glory"]


def act(seat: dict[str, Any] | None = None, round_number: int = 1, **levels: int) -> Position:
    """Return a position of the action phase with buildings before seat 0."""
    first = {**OPEN_TRACK, "glory": 1, "denarii": 0, **(seat or {})}
    return table(first, {}, round=round_number, phase="action", provinces=built(**levels))


EVENT = {"name": "Games", "turn": "counter-clockwise", "arrows": 2, "reward": {"denarii": 2}}


def events(**keys: Any) -> dict[str, Any]:
    """Return the data of a position with an event of its own: Games."""
    return {"events": [{**EVENT, **keys}]}
