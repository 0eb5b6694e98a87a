"""What Imperial Settlers supplies to the harnesses that go through games step by step: see `tests/kit/steps.py`."""

from __future__ import annotations

from typing import Any

from sim.games.imperial_settlers.rules.constants import ACT, LOOKOUT, PRODUCE

RESOLVING = "resolving"
"""An effect that waits."""
DECIDING = (RESOLVING, LOOKOUT, PRODUCE, ACT)
DECIDES_TWICE = True


def options(variant: str, players: int) -> dict[str, Any]:
    """Players who do anything."""
    return {"strategies": ["random"]}


def kind_of_step(g: Any) -> object:
    """What the next step does: an effect that waits, or a phase."""
    return RESOLVING if g.depth > 0 else int(g.phase)
