"""Positions for tests in short form."""

from typing import Any

from tests.kit.inspecting import Inspector, Position

INSPECTOR = Inspector("glory_of_rome")
DATA, inspect, after, refused = INSPECTOR.data, INSPECTOR.inspect, INSPECTOR.after, INSPECTOR.refused
CHARACTERS = ("Junia Secunda", "Gaius Octavius", "Livia Drusilla", "Aemilius Lepidus")
"""Characters of seats of which nothing is said."""


def table(*players: dict[str, Any], **keys: Any) -> Position:
    """Return a position of these players; who is given no character gets the one of its seat."""
    seats = [{"character": CHARACTERS[seat], "anchor": False, **each} for seat, each in enumerate(players)]
    return {"players": seats, **keys}


def move(do: str, p: int | None = 0, **keys: Any) -> dict[str, Any]:
    """Return a move; `from_` stands for "from"."""
    result: dict[str, Any] = {"do": do} if p is None else {"p": p, "do": do}
    return result | {key.rstrip("_"): value for key, value in keys.items()}


def card(name: str, kind: str = "tools", when: str | None = None, **effect: Any) -> dict[str, Any]:
    """Return a trade card of a position's own."""
    row = {"name": name, "type": kind, "effect": effect}
    return row if when is None else {**row, "when": when}


def trade(*cards: dict[str, Any]) -> dict[str, Any]:
    """Return the data of a position with trade cards of its own."""
    return {"trade_cards": list(cards)}


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
