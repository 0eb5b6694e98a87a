"""Declares what a learned judge is told about the seats of a game."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Literal

from sim.game import Data, JudgeFeatures


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
