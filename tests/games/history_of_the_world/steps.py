"""What History of the World supplies to the harnesses that go through games step by step: see `tests/kit/steps.py`."""

from __future__ import annotations

from typing import Any

from sim.games.history_of_the_world.rules.constants import LOST_ROLL, NO_BATTLE, PHASES, STEPS, TURN

DECIDING = ("draft", "classic", "found", "conquest", "inactivate", "score", "roll", "loss")
DECIDES_TWICE = True


def options(variant: str, players: int) -> dict[str, Any]:
    """Players who do anything."""
    return {"strategies": ["random"]}


def kind_of_step(g: Any) -> object:
    """What the next step does: a phase of the game, in a turn a step of the turn or a part of a battle."""
    if g.phase != TURN:
        return PHASES[int(g.phase)]
    if g.battle != NO_BATTLE:
        return "loss" if g.battle == LOST_ROLL else "roll"
    return STEPS[int(g.step)]
