"""The worth of one more or one fewer legion in a region."""

from __future__ import annotations

import math

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import note_change
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.regions import legions_in
from sim.games.glory_of_rome.rules.scoring import MISSIONS_TASK
from strategies.glory_of_rome.weights import (
    B_OTHERS,
    B_STATE,
    B_WORTH,
    BALANCE_NOTES,
    COUNTS_NOTED,
    MOST_LEGIONS,
    N_COUNT,
    N_GAIN,
    N_HURT,
    N_LEFT,
    N_LOSS,
    P_LEAD,
    P_LEGION,
    P_REGION,
    P_TASK,
)

CONQUERED_LATER = 0.9
CONQUERED_NOW = 0.35
"""Chance that a region which lacks one legion to be conquered gets it: with several rounds left, and in the last."""
ROUNDS_TO_CONQUER = 3.0
RIVALS_COUNT = 3.0
"""If at most this many rounds remain, the points that others lose in a region count as well."""
NO_GAIN = -100.0
FORCED = -0.3
"""Worth of a compulsory move that gains nothing."""
LEGION_BITS = 8
"""Bits for each seat's legions in a packed number. A seat has at most 99 legions, the highest `legion_limit`."""


@kernel
def chance_to_hold(g: Record, t: Record, region: int, legions: int) -> float:
    """Return the chance that a region is conquered in the end if it holds `legions` legions now."""
    missing = int(t.shield[g.small, region]) - legions
    if missing <= 0:
        return 1.0
    share = min(1.0, g.notes[N_LEFT] / ROUNDS_TO_CONQUER)
    chance = CONQUERED_NOW + (CONQUERED_LATER - CONQUERED_NOW) * share
    if g.players == 1 and g.notes[N_LEFT] == 0.0:
        return 0.0
    return float(chance**missing)


@kernel
def legions_of(g: Record, region: int, seat: int, mover: int, count: int) -> int:
    """Return the number of a seat's legions in a region, assuming that the seat `mover` has `count` legions."""
    return count if seat == mover else int(g.legions[region, seat])


@kernel
def chance_ahead(g: Record, seat: int, lead: int, w: Record) -> float:
    """Return the chance that a seat is ahead of another in a region in the end, given its present lead in legions."""
    x = (lead + (0.5 if g.medal[constants.MILITARY] == seat else -0.5)) / (0.1 + w.weight[P_LEAD] * g.notes[N_LEFT])
    return float(0.5 + 0.5 * x / math.sqrt(1.0 + x * x))


@kernel
def standing(g: Record, t: Record, region: int, seat: int, mover: int, count: int, w: Record) -> float:
    """Return the expected points of a seat in a region, assuming that the seat `mover` has `count` legions there.

    In the last round a tie that the military medal does not break is worth 0.
    """
    own = legions_of(g, region, seat, mover, count)
    if own <= 0:
        return 0.0
    medal = int(g.medal[constants.MILITARY])
    first, second, third = 1.0, 0.0, 0.0
    for other in range(g.players):
        if other != seat:
            lead = own - legions_of(g, region, other, mover, count)
            if lead == 0 and g.notes[N_LEFT] == 0.0 and medal not in (seat, other):
                return 0.0
            ahead = chance_ahead(g, seat, lead, w)
            third = third * ahead + second * (1.0 - ahead)
            second = second * ahead + first * (1.0 - ahead)
            first *= ahead
    points = t.region_points[g.small, region]
    firsts = float(points[0])
    if g.notes[N_HURT + seat] == 0.0:
        firsts += g.notes[N_COUNT + constants.COUNT_FIRST_PLACES]
    chance = chance_to_hold(g, t, region, legions_in(g, region) - int(g.legions[region, mover]) + count)
    worth = first * firsts + second * points[1] + third * points[2]
    if g.variant & constants.IMPERIAL != 0:
        worth += w.weight[P_TASK] / MISSIONS_TASK
    return float(chance * worth)


@kernel
def blank_balances(g: Record, me: int) -> None:
    """Set those cached balances of a seat to NaN that are out of date.

    A balance is the worth of having a certain number of legions in a region. It depends on the strategy, the
    rounds left, the owner of the military medal, the worth of first places, the harm to the other seats (in the last
    rounds), and the legions of the other seats in the region. Nothing else that it depends on changes during a game.
    The seat's own number of legions does not matter, because there is a note for each possible number.
    """
    at = me * BALANCE_NOTES
    left = g.notes[N_LEFT]
    changed = note_change(g, at + B_STATE, float(g.strategy[me]))
    changed |= note_change(g, at + B_STATE + 1, left)
    changed |= note_change(g, at + B_STATE + 2, float(g.medal[constants.MILITARY]))
    changed |= note_change(g, at + B_STATE + 3, g.notes[N_COUNT + constants.COUNT_FIRST_PLACES])
    for seat in range(g.players):
        changed |= note_change(g, at + B_STATE + 4 + seat, g.notes[N_HURT + seat] if left <= RIVALS_COUNT else 0.0)
    for region in range(g.legions.shape[0]):
        others = 0
        for seat in range(g.players):
            others = (others << LEGION_BITS) + (int(g.legions[region, seat]) if seat != me else 0)
        if note_change(g, at + B_OTHERS + region, float(others)) | changed:
            first = at + B_WORTH + region * COUNTS_NOTED
            g.notes[first : first + COUNTS_NOTED] = math.nan


@kernel
def balance(g: Record, t: Record, region: int, me: int, count: int, w: Record) -> float:
    """Return the worth of having `count` legions in a region, cached across decisions.

    `note_legions` must have reset the outdated values before.
    """
    if count > MOST_LEGIONS:
        return compute_balance(g, t, region, me, count, w)
    at = me * BALANCE_NOTES + B_WORTH + region * COUNTS_NOTED + count
    if math.isnan(g.notes[at]):
        g.notes[at] = compute_balance(g, t, region, me, count, w)
    return float(g.notes[at])


@kernel
def compute_balance(g: Record, t: Record, region: int, me: int, count: int, w: Record) -> float:
    """Compute the worth of `count` legions in a region: points and, in the last rounds, harm to others there."""
    worth = standing(g, t, region, me, me, count, w)
    if g.notes[N_LEFT] > RIVALS_COUNT:
        return float(w.weight[P_REGION] * worth)
    for seat in range(g.players):
        if seat != me and g.legions[region, seat] > 0:
            worth -= g.notes[N_HURT + seat] * standing(g, t, region, seat, me, count, w)
    return float(worth if g.notes[N_LEFT] == 0.0 else w.weight[P_REGION] * worth)


@kernel
def note_legions(g: Record, t: Record, me: int, w: Record) -> None:
    """Cache once per decision, for each region, the gain from one more legion and the loss from one fewer."""
    if not math.isnan(g.notes[N_GAIN]):
        return
    blank_balances(g, me)
    each = g.notes[N_COUNT + constants.COUNT_LEGIONS]
    for region in range(g.legions.shape[0]):
        own = int(g.legions[region, me])
        now = balance(g, t, region, me, own, w)
        g.notes[N_GAIN + region] = each + balance(g, t, region, me, own + 1, w) - now
        g.notes[N_LOSS + region] = 0.0
        if own > 0:
            g.notes[N_LOSS + region] = each + now - balance(g, t, region, me, own - 1, w)


@kernel
def best_region(g: Record) -> int:
    """Return the region in which one more legion is worth most."""
    best = 0
    for region in range(1, g.legions.shape[0]):
        if g.notes[N_GAIN + region] > g.notes[N_GAIN + best]:
            best = region
    return best


@kernel
def placing_worth(g: Record, region: int, w: Record) -> float:
    """Return the worth of placing a legion in a region, minus the worth of keeping it while rounds remain."""
    kept = w.weight[P_LEGION] * min(1.0, g.notes[N_LEFT] / ROUNDS_TO_CONQUER)
    return float(g.notes[N_GAIN + region] - kept)


@kernel
def moving_worth(g: Record, source: int, region: int) -> float:
    """Return the worth of moving a legion from the region `source` to another region."""
    return float(g.notes[N_GAIN + region] - g.notes[N_LOSS + source])


@kernel
def military_worth(g: Record, t: Record, me: int, w: Record) -> float:
    """Return the worth of the best placement or move of a legion."""
    note_legions(g, t, me, w)
    best = NO_GAIN
    for region in range(g.legions.shape[0]):
        if g.board_legions[me] > 0:
            best = max(best, placing_worth(g, region, w))
        for source in range(g.legions.shape[0]):
            if source != region and g.legions[source, me] > 0:
                best = max(best, moving_worth(g, source, region))
    return best


@kernel
def second_military_worth(g: Record, t: Record, me: int, w: Record) -> float:
    """Return the worth of placing or moving a second legion after the best first step.

    If fewer than two legions are left on the seat's board, the second step must be a move.
    """
    note_legions(g, t, me, w)
    best = best_region(g)
    if g.board_legions[me] < 2:
        return second_move_worth(g, me, best)
    own = int(g.legions[best, me])
    kept = w.weight[P_LEGION] * min(1.0, g.notes[N_LEFT] / ROUNDS_TO_CONQUER)
    more = balance(g, t, best, me, own + 2, w) - balance(g, t, best, me, own + 1, w)
    worth = g.notes[N_COUNT + constants.COUNT_LEGIONS] + more
    for region in range(g.legions.shape[0]):
        if region != best:
            worth = max(worth, g.notes[N_GAIN + region])
    return float(max(0.0, worth - kept))


@kernel
def second_move_worth(g: Record, me: int, best: int) -> float:
    """Return the worth of the best move to a region other than `best`, and at least `FORCED`."""
    worth = FORCED
    for source in range(g.legions.shape[0]):
        if g.legions[source, me] > 0:
            for region in range(g.legions.shape[0]):
                if region not in (source, best):
                    worth = max(worth, moving_worth(g, source, region))
    return worth


@kernel
def loss_of(g: Record, t: Record, region: int, seat: int, w: Record) -> float:
    """Return the worth to this seat of another seat losing a legion in a region."""
    own = int(g.legions[region, seat])
    lost = standing(g, t, region, seat, seat, own, w) - standing(g, t, region, seat, seat, own - 1, w)
    return float(g.notes[N_HURT + seat] * lost)
