"""What The Glory of Rome supplies to the harnesses that go through games step by step: see `tests/kit/steps.py`."""

from __future__ import annotations

from typing import Any

from sim.games.glory_of_rome.rules.constants import EVENT_PHASE, OVER, PHASES, SET_UP, STAGES

DECIDING = (
    "set-up",
    "turn_begins",
    "turn",
    "window",
    "respond",
    "legions",
    "treaty_answer",
    "treaty_raise",
    "treaty_last_answer",
    "spy",
)
DECIDES_TWICE = False


def options(variant: str, players: int) -> dict[str, Any]:
    """Players who do anything, in games in which a target of intrigue answers it with a trade card."""
    return {"strategies": ["random"], "seed": 49}


def kind_of_step(g: Any) -> object:
    """What the next step does: a phase without turns, or the stage that a turn has got to."""
    return PHASES[int(g.phase)] if g.phase in (SET_UP, EVENT_PHASE, OVER) else STAGES[int(g.stage)]
