"""Precomputes numbers once per run: odds of battles, points of regions in later epochs, distances from start lands."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from sim.compiler.kernel import Floats, Record
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.tables import MAX_REGIONS
from strategies.history_of_the_world.weights import (
    ADVANTAGES,
    AFTER,
    FIRST_LAND,
    LANDS_OF,
    LASTING,
    LATER,
    LEAST_ADVANTAGE,
    LEVEL_POINTS,
    MOST_ARMIES,
    MOST_LASTING,
    MOST_REROLLS,
    NEAR,
    NEAR_BITS,
    NEAR_STEPS,
    ODDS,
    ODDS_STEP,
    P_CONTROL,
    P_DOMINANCE,
    P_EPOCH_FACTOR,
    P_FUTURE,
    P_PRESENCE,
    PREPARED,
)

SIDES = 6
FAR = NEAR_STEPS - 1


def prepare(w: Record, t: Record, players: int) -> Floats:
    """Compute the numbers that players find in `w.prepared`; `weights.py` defines their layout."""
    prepared = _of_the_map(t.tobytes(), t.dtype).copy()
    prepare_later(w, t, players, prepared)
    prepare_levels(w, t, prepared)
    return prepared


@lru_cache(maxsize=8)
def _of_the_map(tables: bytes, kind: np.dtype[Any]) -> Floats:
    """Return prepared numbers with the entries that depend only on the tables: odds, distances, lands by region.

    `tables` are the bytes of the tables record, and `kind` is its dtype.
    """
    t: Any = np.frombuffer(tables, kind)[0]
    prepared = np.zeros(PREPARED)
    prepare_odds(t, prepared)
    for card in range(int(t.cards)):
        prepared[NEAR + card] = packed_distances(t, card)
    sort_lands(t, prepared)
    return prepared


def sort_lands(t: Record, prepared: Floats) -> None:
    """Sort the lands by region, so that the lands of one region can be read directly."""
    lands = sorted(range(int(t.lands)), key=lambda land: int(t.region[land]))
    prepared[LANDS_OF : LANDS_OF + len(lands)] = lands
    for region in range(int(t.regions) + 1):
        prepared[FIRST_LAND + region] = sum(int(t.region[land]) < region for land in lands)


# ---- Battles ----


def odds_row(advantage: int, fort: int, maritime: int, rerolls: int, ties: int) -> int:
    """Return the index of the odds of an attack. `terms.land_worth` computes the same index."""
    place = advantage - LEAST_ADVANTAGE
    place = ((place * 2 + fort) * 2 + maritime) * (MOST_REROLLS + 1) + rerolls
    return ODDS + (place * 2 + ties) * ODDS_STEP


def prepare_odds(t: Record, prepared: Floats) -> None:
    """Compute the odds of each kind of attack for each number of armies that remain to the attacker.

    The odds are the chance to take the land, and the expected number of the remaining armies that are spent. After a
    lost roll, the attacker lays siege while armies remain, which raises its advantage by 1. After a tie, another of its
    armies enters the emptied land.
    """
    for fort in range(2):
        for maritime in range(2):
            for rerolls in range(MOST_REROLLS + 1):
                for ties in range(2):
                    for armies in range(MOST_ARMIES + 1):
                        for advantage in reversed(range(LEAST_ADVANTAGE, LEAST_ADVANTAGE + ADVANTAGES)):
                            here = odds_row(advantage, fort, maritime, rerolls, ties) + 2 * armies
                            better = min(advantage + 1, LEAST_ADVANTAGE + ADVANTAGES - 1)
                            after = odds_row(better, fort, maritime, rerolls, ties) + 2 * (armies - 1)
                            win, tie = prepare_roll_odds(t, advantage, fort, maritime, rerolls)
                            if ties:
                                win, tie = win + tie, 0.0
                            prepared[here] = win
                            if armies > 0:
                                lost = 1.0 - win - tie
                                prepared[here] += tie + lost * prepared[after]
                                prepared[here + 1] = tie + lost * (1.0 + prepared[after + 1])


def prepare_roll_odds(t: Record, advantage: int, fort: int, maritime: int, rerolls: int) -> tuple[float, float]:
    """Return the chance that the attacker wins a roll, and the chance of a tie."""
    attack = highest_of(int(t.attack_dice) + rerolls)
    again = int(t.maritime_rerolls) if maritime else 0
    dice = int(t.fort_dice if fort else t.defence_dice)
    win = tie = 0.0
    for highest, chance in attack.items():
        beaten = highest + advantage
        defence = highest_of(dice + again) if dice > 1 else highest_of(1)
        for result, likely in defence.items():
            if dice == 1 and again and (result < beaten or (result == beaten and result <= SIDES // 2)):
                for second in range(1, SIDES + 1):
                    win += chance * likely / SIDES * (second < beaten)
                    tie += chance * likely / SIDES * (second == beaten)
            else:
                win += chance * likely * (result < beaten)
                tie += chance * likely * (result == beaten)
    return win, tie


def highest_of(dice: int) -> dict[int, float]:
    """Return the probability of each value of the highest of several dice."""
    return {value: (value**dice - (value - 1) ** dice) / SIDES**dice for value in range(1, SIDES + 1)}


# ---- Later epochs ----


def prepare_later(w: Record, t: Record, players: int, prepared: Floats) -> None:
    """Compute the points that holdings bring in later epochs.

    The weight of points changes by a constant factor from each epoch to the next. The factor is smaller with more
    players.
    """
    factor = float(w.weight[P_EPOCH_FACTOR]) * (1.0 - 0.04 * (players - 4))
    for epoch in range(int(t.epochs)):
        share = float(w.weight[P_FUTURE])
        for later in range(epoch + 1, int(t.epochs)):
            share *= factor
            prepared[AFTER + epoch] += share
            for region in range(int(t.regions)):
                prepared[LATER + epoch * MAX_REGIONS + region] += share * token_in(t, later, region)


def token_in(t: Record, epoch: int, region: int) -> int:
    """Return the presence value of a region in an epoch: that of the token placed there most recently."""
    for placed in range(epoch, -1, -1):
        if t.presence[placed, region] > 0:
            return int(t.presence[placed, region])
    return 0


def prepare_levels(w: Record, t: Record, prepared: Floats) -> None:
    """Compute the points of armies in a region, as multiples of its presence value.

    Points in later epochs depend on the number of armies. Points in the present epoch depend on the level that the
    armies reach.
    """
    for own in range(MOST_LASTING + 1):
        prepared[LASTING + 2 * own] = 0.8 * lasting(own)
        prepared[LASTING + 2 * own + 1] = lasting(own)
    prepared[LEVEL_POINTS + 1] = w.weight[P_PRESENCE]
    prepared[LEVEL_POINTS + 2] = t.dominance_times * w.weight[P_DOMINANCE]
    prepared[LEVEL_POINTS + 3] = t.control_times * w.weight[P_CONTROL]


def lasting(own: int) -> float:
    """Return the later points of armies in a region, as a multiple of its presence value.

    Larger majorities last longer.
    """
    value = 1.0 + 0.35 * min(own - 1.0, 1.0)
    value += 0.15 * max(0.0, min(own - 2.0, 1.0)) + 0.05 * max(0.0, min(own - 3.0, 3.0))
    return value if own > 0 else 0.0


# ---- Distances ----


def packed_distances(t: Record, card: int) -> float:
    """Return the distances of all regions from a card's start lands, packed into one number.

    A distance is a number of conquests, at most FAR.
    """
    reached = {int(land) for land in t.start[card] if land != constants.NO_LAND}
    discs = {int(body) for body in t.discs[card] if body != constants.NOWHERE}
    distance = np.full(int(t.regions), FAR)
    for step in range(FAR):
        for land in reached:
            distance[t.region[land]] = min(distance[t.region[land]], step)
        reached |= {other for land in reached for other in lands_next_to(t, land, discs)}
    return float(sum(int(steps) << NEAR_BITS * region for region, steps in enumerate(distance)))


def lands_next_to(t: Record, land: int, discs: set[int]) -> set[int]:
    """Return the lands that an army in the given land can conquer."""
    near = {int(other) for other in (*t.borders[land], *t.stepping_stones[land]) if other >= 0}
    coasts = {int(body) for body in t.coasts[land] if body >= 0}
    touched = {body for body in coasts if body in discs or any(adjoins(t, body, disc) for disc in discs)}
    if touched:
        passed = touched | discs
        near |= {int(shore) for body in passed for shore in t.shores[body] if shore >= 0}
    return near


def adjoins(t: Record, body: int, disc: int) -> bool:
    """Tell whether a disc that lies in the ocean `disc` also counts in the sea `body`, because they adjoin."""
    sea = t.body_kind[body] == constants.SEA and t.body_kind[disc] == constants.OCEAN
    return bool(sea and t.body_borders[body, disc] != 0)
