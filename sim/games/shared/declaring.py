"""Declares what the rules of a game have under the usual names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, Literal

from sim.game import Data, JudgeFeatures

USUAL = (
    "STATE", "TABLES", "SCORE_PARTS", "END_REASONS", "DECISIONS", "MEASURES", "CHECKPOINTS", "set_up", "play_step",
    "redeal", "write_measures", "write_pieces",
)  # fmt: skip
"""Names in the rules of a game that are, in small letters, fields of `GameSpec`."""


def usual_fields(*modules: ModuleType) -> dict[str, Any]:
    """Return those fields of `GameSpec` that modules of a game's rules have under the usual names."""
    return {name.lower(): getattr(module, name) for module in modules for name in USUAL if hasattr(module, name)}


def without_price(_: Data, __: int) -> Mapping[str, str]:
    """Return the field, with its new value, that removes the price of a piece."""
    return {"cost": "{}"}


def judge_features(
    features: ModuleType,
    name_features: Callable[[Data], tuple[str, ...]],
    roles: Literal["others", "neighbours"] = "others",
) -> JudgeFeatures:
    """Return the declaration of the features in a game's `rules/features.py`, whose kernels have the usual names."""
    return JudgeFeatures(
        describe_seat=features.describe_seat,
        max_features=features.MAX_FEATURES,
        name_features=name_features,
        phase_of=features.phase_of,
        phases=features.PHASES,
        may_stop=features.may_stop,
        clock=getattr(features, "clock", None),
        roles=roles,
    )
