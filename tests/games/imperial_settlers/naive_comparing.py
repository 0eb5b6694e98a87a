"""Results of the slow model and of the engine side by side."""

from __future__ import annotations

import copy
from typing import Any

from sim.games.imperial_settlers.data.catalog import load_catalog
from sim.games.imperial_settlers.data.compile import build_tables
from sim.games.imperial_settlers.io.positions import inspect_position
from tests.games.imperial_settlers.naive_moves import inspect
from tests.kit import differences

CATALOG: Any = load_catalog()
T: Any = build_tables(CATALOG)


def by_engine(position: dict[str, Any]) -> dict[str, Any]:
    """What the engine makes of a position."""
    return compared(inspect_position(copy.deepcopy(position), CATALOG, T))


def by_model(position: dict[str, Any]) -> dict[str, Any]:
    """What the slow model makes of it."""
    return compared(inspect(copy.deepcopy(position)))


def where_they_differ(position: dict[str, Any]) -> list[str]:
    """Where model and engine differ, after as few of the moves as show it."""
    return differences.where_they_differ(position, by_model, by_engine)


def compared(result: dict[str, Any]) -> dict[str, Any]:
    """What is compared of a result: without reasons, things that do not lie there, and the order of what has none."""
    result = copy.deepcopy(result)
    for move in result["moves"]:
        move.pop("reason", None)
    result["discards"] = {deck: sorted(cards) for deck, cards in result["discards"].items()}
    for player in result["players"]:
        for key in ("hand", "deals", "discard", "pack"):
            player[key] = sorted(player.get(key) or [])
        player["on"] = {name: without_nothing(things) for name, things in player["on"].items()}
        player["on"] = {name: things for name, things in player["on"].items() if things}
        player["production_choices"] = sorted(player["production_choices"])
    for key in ("deal", "raze_hand"):
        if result["legal"] and key in result["legal"]:
            result["legal"][key] = sorted(result["legal"][key])
    return result


def without_nothing(things: dict[str, Any]) -> dict[str, Any]:
    """What lies on a location, without goods of which there are none."""
    inner = {key: without_nothing(value) if isinstance(value, dict) else value for key, value in things.items()}
    return {key: value for key, value in inner.items() if value or (key == "controlled_by" and value == 0)}
