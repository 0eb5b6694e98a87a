"""Engines: games, batches, runs and the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sim.runs.simulate import simulate

__all__ = ["simulate"]


def __getattr__(name: str) -> Any:
    """Import the engine only when asked for: the command line must start at once."""
    if name not in __all__:
        raise AttributeError(f"module 'sim' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - part of the delayed import

    return getattr(import_module("sim.runs.simulate"), name)
