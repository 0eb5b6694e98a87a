"""Small positions in few words, for tests of the rules."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.imperial_settlers.naive import GOODS
from tests.games.imperial_settlers.naive_comparing import by_engine, by_model

COMMON_DECK = ["Watchtower", "Lumberjacks", "Settlers", "Confectioner"]
DECKS = {
    "barbarians": ["Settlement", "Raid", "Idol"],
    "japanese": ["Rice Fields", "Geisha House", "Sumo School"],
    "romans": ["Legion", "Builder", "Gardens"],
    "egyptians": ["Slaves", "Pyramid", "Desert"],
}
SIDES = [pytest.param(by_model, id="model"), pytest.param(by_engine, id="engine")]


def table(*moves: Any, **said: Any) -> dict[str, Any]:
    """A position; a faction is a player with what is said of it, in the order said. Moves of seat 0 need no `p`."""
    players = [{"faction": one, "deck": DECKS[one], **said.pop(one)} for one in [*said] if one in DECKS]
    if len(players) == 1 and "solo" not in said:
        players.append({"faction": next(one for one in DECKS if one != players[0]["faction"]), "deck": []})
    made = [{"p": 0, **move} if move["do"] not in ("begin", "cleanup", "attack", "random") else move for move in moves]
    return {"decks": {"common": COMMON_DECK}, "players": players, "moves": made, **said}


def goods(**some: int) -> dict[str, int]:
    return {good: some.get(good, 0) for good in GOODS}


def build(card: str, **said: Any) -> dict[str, Any]:
    return {"do": "build", "card": card, **said}


def use(location: str, **said: Any) -> dict[str, Any]:
    return {"do": "activate", "location": location, **said}


def raze(**said: Any) -> dict[str, Any]:
    return {"do": "raze", **said}


PASS = {"do": "pass"}
OK, NO = {"ok": True}, {"ok": False}
