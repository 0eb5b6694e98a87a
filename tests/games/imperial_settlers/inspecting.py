"""Positions for tests in short form."""

from __future__ import annotations

from typing import Any

from tests.kit.inspecting import Inspector, Position

INSPECTOR = Inspector("imperial_settlers")
DATA, inspect, after, refused = INSPECTOR.data, INSPECTOR.inspect, INSPECTOR.after, INSPECTOR.refused


def player(faction: str, **keys: Any) -> dict[str, Any]:
    """Return a player of a position; goods may be given as words: `goods="2 wood 1 gold"`."""
    for key in ("goods",):
        if isinstance(keys.get(key), str):
            keys[key] = goods(keys[key])
    return {"faction": faction, **keys}


def goods(text: str) -> dict[str, int]:
    """Goods of a text such as "2 wood 1 gold"."""
    parts = text.split()
    return {good: int(number) for number, good in zip(parts[::2], parts[1::2], strict=True)}


def table(*players: dict[str, Any], **keys: Any) -> Position:
    """Return a position of these players; a second player is added to one alone, unless the game is solo."""
    seats = list(players)
    if len(seats) == 1 and "solo" not in keys:
        seats.append(player("romans" if seats[0]["faction"] != "romans" else "barbarians"))
    return {"players": seats, **keys}


def move(do: str, p: int | None = 0, **keys: Any) -> dict[str, Any]:
    """Return a move; `pay` and `goods` may be given as words, `for_` stands for "for"."""
    result: dict[str, Any] = {"do": do} if p is None else {"p": p, "do": do}
    for key, value in keys.items():
        words = isinstance(value, str) and key in ("pay", "goods", "convert")
        result["for" if key == "for_" else key] = goods(value) if words else value
    return result


def held(result: dict[str, Any], seat: int = 0) -> dict[str, int]:
    """Goods of a seat that are not 0, its points as "vp" and its hand cards as "card"."""
    told = result["players"][seat]
    everything = {**told["goods"], "vp": told["vp"], "card": len(told["hand"])}
    return {good: number for good, number in everything.items() if number}


def things(result: dict[str, Any], location: str, seat: int = 0) -> dict[str, Any]:
    """What lies on a location, goods that are 0 left out."""
    lying = result["players"][seat]["on"].get(location, {})
    return {
        key: {good: number for good, number in value.items() if number} if isinstance(value, dict) else value
        for key, value in lying.items()
    }
