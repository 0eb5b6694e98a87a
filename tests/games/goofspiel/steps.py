"""What Goofspiel supplies to the harnesses that go through games step by step: see `tests/kit/steps.py`."""

from __future__ import annotations

from typing import Any

from docs.examples.goofspiel.turns import NO_CARD

DECIDING = ("bid",)
DECIDES_TWICE = False


def options(_variant: str, _players: int) -> dict[str, Any]:
    """Players who bid by lot and who match the prize."""
    return {"strategies": ["random", "matching"]}


def kind_of_step(g: Any) -> str:
    """What the next step does."""
    return "bid" if NO_CARD in g.bid[: g.players] else "award"
