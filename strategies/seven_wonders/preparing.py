"""What is worked out once for a run: how much a school will want of each good."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sim.jit import Floats, Record
from strategies.seven_wonders.weights import EARLY, LATE, TASTE_WEIGHTS


def prepare_school(w: Record, t: Record, players: int) -> Floats:
    """How much a school will want of each good, by age, resource and units it makes already.

    Returns
    -------
    ndarray
        Shape (2 * 4 * 7 * 4 + 4 * 9,): cards per city that need more units, weighted by the school's taste for their
        colour, first those of an age and then those of all later ages; behind them the tastes in each age.
    """
    tastes = weights_at(w, TASTE_WEIGHTS)
    # Added up one colour after the other: a matrix product rounds differently from machine to machine.
    this_age = np.zeros(t.later_need[players].shape[:-1])
    for colour in range(7):
        this_age += t.later_need[players][..., colour] * tastes[colour]
    later = np.zeros_like(this_age)
    for age in (2, 1, 0):
        later[age] = later[age + 1] + this_age[age + 1]
    by_age = [tastes, tastes * weights_at(w, EARLY), tastes, tastes * weights_at(w, LATE)]
    return np.concatenate([this_age.ravel(), later.ravel(), *by_age])


def weights_at(w: Record, places: Sequence[int | None]) -> Floats:
    """Weights at some places; 1 where there is none."""
    return np.array([1.0 if place is None else w.weight[place] for place in places])
