"""What Imperium supplies to the harnesses that go through games step by step: see `tests/kit/steps.py`."""

from __future__ import annotations

from typing import Any

from sim.games.imperium.rules.constants import ACTIVATE, CLEANING_UP, DISCARDING, FILL_HAND, SOLSTICE, START_TURN

RESOLVING = "resolving"
"""An operation of an effect."""
DECIDING = (RESOLVING, START_TURN, ACTIVATE, CLEANING_UP, DISCARDING, FILL_HAND, SOLSTICE)
DECIDES_TWICE = True


def options(variant: str, players: int) -> dict[str, Any]:
    """Players who do anything."""
    return {"strategies": ["random"]}


def kind_of_step(g: Any) -> object:
    """What the next step does: an operation of an effect that waits, or a phase."""
    return RESOLVING if g.depth > 0 else int(g.phase)
