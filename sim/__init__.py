"""The simulator: games, their engine, players, runs and the command line."""

from __future__ import annotations

import os
import sys
import warnings
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sim.runs.simulate import simulate

__all__ = ["simulate"]

NUMBA_SETTINGS = ".numba_config.yaml"
"""Name of numba's settings file in the current folder.

This file can make numba import code and cache kernels in other places.
"""


def _import_numba_without_settings() -> None:
    """Import numba with the module `yaml` hidden. Without `yaml`, numba ignores its settings file."""
    modules: dict[str, Any] = sys.modules
    kept = {"yaml": modules["yaml"]} if "yaml" in modules else {}
    modules["yaml"] = None  # None makes the import of this module fail
    try:
        with warnings.catch_warnings(action="ignore"):
            import numba  # noqa: F401, PLC0415 - slow, and needed here only if there is such a file
    finally:
        del modules["yaml"]
        modules.update(kept)


if os.path.exists(NUMBA_SETTINGS) and "numba" not in sys.modules:  # noqa: PTH110 - pathlib takes longer
    _import_numba_without_settings()


def __getattr__(name: str) -> Any:
    """Import the engine only when it is needed, so that the command line starts at once."""
    if name not in __all__:
        raise AttributeError(f"module 'sim' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - part of the delayed import

    return getattr(import_module("sim.runs.simulate"), name)
