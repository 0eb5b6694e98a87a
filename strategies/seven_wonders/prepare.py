"""Precomputes numbers once per run: those that depend on the turn of the game but not on the position."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from sim.compiler.kernel import Floats, Record
from sim.games.seven_wonders.rules.state import MOMENTS
from strategies.seven_wonders.terms.bounds import NO_BOUND, most_chained, most_denied, most_worths
from strategies.seven_wonders.weights import (
    COIN_AT_END,
    COIN_SCARCE,
    DOUBTS,
    EARLY,
    GROWTH,
    LATE,
    NEEDS,
    P_COIN_END,
    P_COIN_NEED,
    P_COIN_SCALE,
    P_DOUBT,
    P_DOUBT_NOW,
    P_GOODS_FOR_STAGES,
    P_GROWTH,
    P_LATER_CONFLICTS,
    P_WONDER,
    SHARE_LEFT,
    STAGES_IN_NEED,
    STAKES,
    TASTE_WEIGHTS,
    TASTES,
    TURN_NUMBERS,
)


def prepare_school(w: Record, t: Record, players: int) -> Floats:
    """Compute the numbers of a player that depend on the turn of the game but not on the position.

    Returns
    -------
    ndarray
        Shape (3 * MOMENTS * TURN_NUMBERS + 2 * MAX_CARDS,).

        The first part has a row for each moment (turn of the game), with these numbers at the offsets named in
        weights.py: the share of the game still to come, the two parts of a coin's worth, the number of counted things
        that one city is expected to add, the uncertainty about shields in each age, the points at stake in each age's
        conflicts, the weights of a point by its source ("tastes"), and the needs.

        There is a need for each resource, each number n of units and each number of the city's own stages that need
        more than n units. It is the expected number of future cards per city that need more than n units, each weighted
        by the player's taste for its colour, plus the weighted stages.

        The second part has two numbers for each card: upper bounds of the worth of denying it, and of its chains.
    """
    turns = int(t.turns_per_age)
    prepared = np.zeros((3 * MOMENTS, TURN_NUMBERS))
    tastes, needs = tastes_of_ages(w), needs_of_turns(w, t, players)
    stakes = stakes_of_ages(w, t)
    for age in range(3):
        for moment in range(1, MOMENTS):
            # Cards left after the last turn are played as part of the last turn.
            turn = min(moment, turns) - 1
            row = prepared[MOMENTS * age + moment]
            left = 3.0 * turns - 1.0 - (age * turns + turn)
            row[SHARE_LEFT] = left / (3.0 * turns)
            row[COIN_AT_END] = w.weight[P_COIN_END] / t.coins_per_vp
            row[COIN_SCARCE] = w.weight[P_COIN_NEED] * row[SHARE_LEFT] * w.weight[P_COIN_SCALE]
            row[GROWTH] = w.weight[P_GROWTH] * left
            for later in range(age, 3):
                until = (later - age + 1) * turns - (turn + 1)
                row[DOUBTS + later] = w.weight[P_DOUBT_NOW] + w.weight[P_DOUBT] * math.sqrt(until)
                row[STAKES + later] = stakes[later - age, later]
            row[TASTES : TASTES + tastes.shape[1]] = tastes[age]
            row[NEEDS:] = needs[age, turn].ravel()
    worths = most_worths(w, t, prepared)
    most = np.concatenate([most_denied(w, worths), most_chained(w, t, worths)])
    return np.concatenate([prepared.ravel(), np.minimum(most, NO_BOUND)])


def tastes_of_ages(w: Record) -> Floats:
    """Return the weight of a point of each kind in each age, shape (3 ages, KINDS)."""
    tastes = weights_at(w, TASTE_WEIGHTS)
    return np.array([tastes * weights_at(w, EARLY), tastes, tastes * weights_at(w, LATE)])


def stakes_of_ages(w: Record, t: Record) -> Floats:
    """Return the points at stake in a conflict, by how many ages ahead it is and by its age; shape (3, 3).

    Conflicts in later ages are weighted down.
    """
    weight, stakes = 1.0, np.zeros((3, 3))
    for off in range(3):
        stakes[off] = weight * (0.5 * (t.military_win_vp[1:] - t.military_loss_vp))
        weight *= w.weight[P_LATER_CONFLICTS]
    return stakes


def needs_of_turns(w: Record, t: Record, players: int) -> Floats:
    """Return the needs (see `prepare_school`), shape (3 ages, turns, resources, units, stages).

    A need is the weighted number of future cards per city, and of own stages, that need more than `units` units.
    """
    tastes = weights_at(w, TASTE_WEIGHTS)
    # Sum colour by colour, because a matrix product rounds differently on different machines.
    of_age = np.zeros(t.later_need[players].shape[:-1])
    for colour in range(7):
        of_age += t.later_need[players][..., colour] * tastes[colour]
    later = np.zeros_like(of_age)
    for age in (2, 1, 0):
        later[age] = later[age + 1] + of_age[age + 1]
    left = np.arange(t.turns_per_age - 1, -1, -1)[:, None, None]
    needs = np.zeros((3, len(left), *of_age.shape[1:], STAGES_IN_NEED))
    needs[..., 0] = [of_age[age] * left / t.turns_per_age + later[age] for age in (1, 2, 3)]
    for stages in range(1, STAGES_IN_NEED):
        needs[..., stages] = needs[..., stages - 1] + max(0.0, w.weight[P_GOODS_FOR_STAGES]) * w.weight[P_WONDER]
    return needs


def weights_at(w: Record, places: Sequence[int | None]) -> Floats:
    """Return the weights at these indices; 1 where the index is None."""
    return np.array([1.0 if place is None else w.weight[place] for place in places])
