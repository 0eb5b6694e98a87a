"""What 7 Wonders supplies to the harnesses that go through games step by step: see `tests/kit/steps.py`."""

from __future__ import annotations

from typing import Any

from sim.games.seven_wonders.rules.constants import CHOOSING, DISCARD_BUILDS, LAST_CARDS, START_TURN

BOARDS = ["Babylon B", "Halikarnassos B", "Olympia A", "Rhodos A", "Gizah A", "Ephesos A", "Alexandria A"]
"""Boards, the first of them those whose players decide after everybody's action."""
DECIDING = (START_TURN, CHOOSING, LAST_CARDS, DISCARD_BUILDS)
DECIDES_TWICE = True


def options(variant: str, players: int) -> dict[str, Any]:
    """Players who build wonders or by lot, with boards the first of which decide after everybody's action."""
    settings = {"free_city_uses_wonder_powers": True}
    return {"strategies": ["wonder", "random", "wonder@1"], "factions": BOARDS[: max(players, 3)], "settings": settings}


def kind_of_step(g: Any) -> int:
    """What the next step does."""
    return int(g.phase)
