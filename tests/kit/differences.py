"""Two results side by side: where a slow model and the engine differ, after as few moves as show it."""

from collections.abc import Callable
from typing import Any

Position = dict[str, Any]
Inspect = Callable[[Position], dict[str, Any]]


def where_they_differ(position: Position, by_model: Inspect, by_engine: Inspect) -> list[str]:
    """Where model and engine differ on a position, after as few of its moves as show it; empty if nowhere."""
    moves = position.get("moves", [])
    found = differences(by_model(position), by_engine(position))
    if not found:
        return []
    for number in range(len(moves) + 1):
        first = {**position, "moves": moves[:number]}
        found = differences(by_model(first), by_engine(first))
        if found:
            return [f"after {moves[number - 1] if number else 'no move'}", *found, f"position {first}"]
    return found


def differences(one: Any, other: Any, where: str = "") -> list[str]:
    """Where two results differ, and how."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = [*one, *(key for key in other if key not in one)]
        return [
            difference
            for key in keys
            for difference in differences(one.get(key, "nothing"), other.get(key, "nothing"), f"{where}.{key}")
        ]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [
            x
            for number, pair in enumerate(zip(one, other, strict=True))
            for x in differences(*pair, f"{where}.{number}")
        ]
    return [] if one == other else [f"{where[1:]}: model {one}, engine {other}"]
