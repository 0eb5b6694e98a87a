"""Results of the slow model and of the engine side by side."""

from __future__ import annotations

import copy
from typing import Any

from tests.games.glory_of_rome import naive_moves
from tests.games.glory_of_rome.inspecting import inspect
from tests.kit import differences

UNORDERED = ("hand", "sets", "medals", "milestones", "bonuses", "achievements", "tasks")


def by_engine(position: dict[str, Any]) -> dict[str, Any]:
    """What the engine makes of a position."""
    return compared(inspect(copy.deepcopy(position)))


def by_model(position: dict[str, Any]) -> dict[str, Any]:
    """What the slow model makes of it."""
    return compared(naive_moves.inspect(position))


def where_they_differ(position: dict[str, Any]) -> list[str]:
    """Where model and engine differ, after as few of the moves as show it."""
    return differences.where_they_differ(position, by_model, by_engine)


def compared(result: dict[str, Any]) -> dict[str, Any]:
    """What is compared of a result: without reasons, and without the order of what has none."""
    for move in result["moves"]:
        move.pop("reason", None)
    for player in result["players"]:
        for key in UNORDERED:
            if key in player:
                player[key] = sorted(player[key])
        player["pantheon"] = {level: sorted(pieces) for level, pieces in player["pantheon"].items()}
    for province in result["provinces"].values():
        for key in ("intrigue", "activated"):
            province[key] = sorted(province[key])
    result["supply"]["medals"] = sorted(result["supply"]["medals"])
    if result["legal"]:
        result["legal"] = {key: sorted(texts) for key, texts in result["legal"].items()}
    return result
