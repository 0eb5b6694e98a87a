"""Finds the value of a parameter at which an edge vanishes, with confidence limits, on common random numbers.

Every value is tried on the same deals. So the difference of two edges has much less noise than either edge alone
(Glasserman and Yao 1992). The search is that of Dowell and Jarratt (1971), the interval that of Fieller (1954).
`docs/statistics.md` lists the sources.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from reports.statistics.core.win_rate import ALPHA, Floats, holm, two_sided_p
from reports.statistics.distributions import t_ppf

MAX_TRIALS = 24
MAX_REFINEMENTS = 4

Measure = Callable[[int], tuple[Floats, Floats]]
"""Takes the index of a value on the grid; returns the wins and seat-games of every block, each of shape (blocks,)."""
Doubt = Literal["", "printed", "change", "left"]
"""The first test on fresh deals that a value found by a search fails; "" if it passes all of them. See `doubt_of`."""


@dataclass(frozen=True)
class Edges:
    """Edges at the values that were tried, with the covariance of their errors.

    Attributes
    ----------
    places
        Position of each tried value on the grid of possible values, in steps, ascending; shape (values,).
    edges
        Win rate minus the fair share.
    covariance
        Covariance of the edges, from blocks; shape (values, values).
    blocks
        Number of blocks with the faction at any of the values.
    alpha
        Error rate of intervals.
    """

    places: np.ndarray
    edges: Floats
    covariance: Floats
    blocks: int
    alpha: float = ALPHA

    @property
    def reach(self) -> float:
        """Student's t quantile for intervals that miss at the rate `alpha`; NaN for a single block."""
        return float(t_ppf(1 - self.alpha / 2, self.blocks - 1)) if self.blocks > 1 else float("nan")

    @property
    def errors(self) -> Floats:
        """Standard error of every edge."""
        return np.sqrt(np.diag(self.covariance))


@dataclass(frozen=True)
class Crossing:
    """The place at which the edge vanishes, in steps of the grid of values.

    Attributes
    ----------
    place
        Where the straight line through the edges at two neighbouring tried values crosses zero.
    low, high
        95 % limits.
    open_low, open_high
        Whether the interval extends below or above all values that were tried.
    """

    place: float
    low: float
    high: float
    open_low: bool
    open_high: bool


def edges_at_values(places: np.ndarray, wins: Floats, seats: Floats, null: float) -> Edges:
    """Return the edges at several values on the same deals, with their covariance from blocks.

    Let s_i be the share of seat-games won with value i, and B the number of blocks. With the residual r_ib =
    (W_ib - s_i N_ib) / N_i of value i in block b, cov_ij = B / (B - 1) * sum_b r_ib r_jb. This is the clustered
    variance of a ratio (Cochran 1977, eq. 6.13), for several ratios at once.

    Parameters
    ----------
    places
        Position of each value on the grid, in steps; shape (values,).
    wins, seats
        Wins W and seat-games N, shape (values, blocks).
    """
    played = seats.sum(axis=0) > 0
    wins, seats = wins[:, played], seats[:, played]
    total = seats.sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        share = wins.sum(axis=1, keepdims=True) / total
        residuals = (wins - share * seats) / total
    blocks = int(played.sum())
    scale = blocks / (blocks - 1) if blocks > 1 else np.nan
    order = np.argsort(places)
    covariance = scale * (residuals @ residuals.T)
    return Edges(places[order], (share[:, 0] - null)[order], covariance[np.ix_(order, order)], blocks)


# ---- Search ----


def search_crossing(measure: Measure, low: int, high: int, present: int, null: float) -> Edges:
    """Try as few values of a grid as possible until the edge changes its sign between two neighbouring places.

    The two ends and the present value are tried first. If the edge changes its sign between two of them, this bracket
    is narrowed until its ends are neighbours. It is narrowed by false position, or by halving where false position
    converges slowly (Dowell and Jarratt 1971). Then untried values inside the confidence interval are tried.

    Parameters
    ----------
    measure
        Plays one value. It is called once for each value.
    low, high
        Ends of the grid.
    present
        Position of the printed value (that of the unchanged game), between the two ends.
    """
    tried: dict[int, tuple[Floats, Floats]] = {}

    def look(place: int) -> Edges:
        if place not in tried:
            tried[place] = measure(place)
        wins, seats = (np.array([tried[key][i] for key in tried]) for i in (0, 1))
        return edges_at_values(np.array(list(tried)), wins, seats, null)

    for place in (present, low, high):
        edges = look(place)
    gap = high - low
    while has_effect(edges) and len(tried) < MAX_TRIALS:
        bracket = bracket_of(edges, present)
        if bracket is None or edges.places[bracket + 1] - edges.places[bracket] <= 1:
            break
        left, right = edges.places[bracket], edges.places[bracket + 1]
        slow = right - left > gap / 2
        gap = right - left
        root = (left + right) / 2 if slow else zero_between(edges, bracket)
        edges = look(int(np.clip(round(root), left + 1, right - 1)))
    for _ in range(MAX_REFINEMENTS):
        crossing = find_crossing(edges, present) if has_effect(edges) else None
        untried = None if crossing is None else untried_inside(edges, crossing)
        if untried is None:
            break
        edges = look(untried)
    return edges


def bracket_of(edges: Edges, present: int) -> int | None:
    """Return i such that the edge changes its sign between tried values i and i + 1; None if it never does.

    If there are several such i, the one nearest to the present value is returned.
    """
    above = edges.edges >= 0
    changes = np.flatnonzero(above[1:] != above[:-1])
    if not len(changes):
        return None
    left, right = edges.places[changes], edges.places[changes + 1]
    distance = np.maximum(np.maximum(left - present, present - right), 0)
    return int(changes[np.argmin(distance)])


def zero_between(edges: Edges, left: int) -> float:
    """Return the place at which the line through values `left` and `left` + 1 crosses zero."""
    (x, y), (a, b) = edges.places[left : left + 2], edges.edges[left : left + 2]
    return float(x + (y - x) * a / (a - b))


def untried_inside(edges: Edges, crossing: Crossing) -> int | None:
    """Return an untried value near the crossing; None if there is no candidate.

    Candidates lie next to a tried value, in gaps between two tried values into which the confidence interval of the
    crossing reaches. The one nearest to the crossing is returned.
    """
    wanted = []
    for left, right in zip(edges.places[:-1], edges.places[1:], strict=True):
        if right - left > 1 and crossing.high > left and crossing.low < right:
            wanted.append(int(right - 1 if right <= crossing.place else left + 1))
    return min(wanted, key=lambda place: abs(place - crossing.place), default=None)


# ---- Inference from the tried values ----


def pairwise_changes(edges: Edges) -> tuple[np.ndarray, Floats, Floats]:
    """Test the difference of each pair of values that were tried.

    Returns
    -------
    pairs, change, p
        Indices of the two values, shape (pairs, 2), the larger value second; change of the edge; p-value, corrected by
        Holm over all pairs (Wald test by blocks; NaN if nothing differs).
    """
    pairs = np.array([(i, j) for i in range(len(edges.edges)) for j in range(i + 1, len(edges.edges))]).reshape(-1, 2)
    i, j = pairs.T
    change = edges.edges[j] - edges.edges[i]
    variance = edges.covariance[i, i] + edges.covariance[j, j] - 2 * edges.covariance[i, j]
    known = (variance > 1e-12 * edges.covariance[i, i]) & (edges.blocks > 1)
    p = two_sided_p(change, np.sqrt(np.where(known, variance, np.nan)), np.array(edges.blocks))
    return pairs, change, holm(p)


def has_effect(edges: Edges) -> bool:
    """Tell whether the edges of any two values that were tried differ significantly."""
    _, _, p = pairwise_changes(edges)
    return bool((p < edges.alpha).any())


def runs_both_ways(edges: Edges) -> bool:
    """Tell whether the edge significantly rises between some values and significantly falls between others."""
    _, change, p = pairwise_changes(edges)
    sure = change[p < edges.alpha]
    return bool((sure > 0).any() and (sure < 0).any())


def find_crossing(edges: Edges, present: int) -> Crossing | None:
    """Find the place at which the edge vanishes, with a 95 % interval; None if the edge never changes its sign.

    The interval contains the places x around the crossing whose edge e(x) does not differ significantly from 0, so
    e(x)^2 <= t^2 var e(x), where t is the quantile `edges.reach`. The edge e(x) lies on the straight line between the
    edges e_i of neighbouring values. Between two values this is Fieller's interval (1954) for the ratio
    -e_i / (e_{i+1} - e_i). If the interval reaches the next tried value, it may extend beyond that value.
    """
    bracket = bracket_of(edges, present)
    if bracket is None:
        return None
    place = zero_between(edges, bracket)
    high, open_high = walk_out(edges, bracket, place, 1)
    low, open_low = walk_out(edges, bracket, place, -1)
    return Crossing(place, low, high, open_low, open_high)


def is_needed(edges: Edges, crossing: Crossing | None, present: int) -> bool:
    """Tell whether the printed value has a significant edge and is not within the limits of the crossing, if any."""
    place = int(np.flatnonzero(edges.places == present)[0])
    own = bool(abs(edges.edges[place]) > edges.reach * edges.errors[place])
    return own and not (crossing is not None and crossing.low <= present <= crossing.high)


def doubt_of(found: Edges, fresh: Edges, present: int, best: int) -> Doubt:
    """Check on fresh deals the value `best` that a search has found, since the search's own deals flatter it.

    The value passes if three tests pass on fresh deals. The edge of the printed value must recur with the same sign
    ("printed"). The change must bring the edge significantly nearer to 0 ("change"). The remaining edge must agree with
    the edge that the search found ("left"). Each is a test at the 5 % level. Returns the word of the first test that
    failed, or "".
    """
    old, new = (
        [int(np.flatnonzero(edges.places == place)[0]) for place in (present, best)] for edges in (found, fresh)
    )
    (before, after), sign = fresh.edges[new], np.sign(found.edges[old[0]])
    if not before * sign > fresh.reach * fresh.errors[new[0]]:
        return "printed"
    covariance = fresh.covariance[np.ix_(new, new)]
    spread = np.sqrt(max(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1], 0.0))
    if not ((before - after) * sign > fresh.reach * spread and abs(after) < abs(before)):
        return "change"
    apart = abs(after - found.edges[old[1]])
    both = np.hypot(fresh.reach * fresh.errors[new[1]], found.reach * found.errors[old[1]])
    return "" if apart <= both else "left"


def walk_out(edges: Edges, segment: int, start: float, direction: int) -> tuple[float, bool]:
    """Walk from a crossing to one side until the edge becomes significant.

    The crossing lies at `start`, between the tried values `segment` and `segment` + 1; `direction` is 1 or -1. Return
    the place, and whether the edge never becomes significant on this side.
    """
    if not edges.reach > 0:
        return float(edges.places[-1] if direction > 0 else edges.places[0]), True
    while 0 <= segment < len(edges.places) - 1:
        left, right = (float(place) for place in edges.places[segment : segment + 2])
        ends = [left + share * (right - left) for share in fieller_ends(edges, segment)]
        ahead = [end for end in ends if (end - start) * direction >= 0]
        if ahead:
            return min(ahead, key=lambda end: abs(end - start)), False
        segment += direction
        start = right if direction > 0 else left
    return start, True


def fieller_ends(edges: Edges, segment: int) -> list[float]:
    """Return where the edge is just significant, as fractions of the way from tried value `segment` to the next."""
    a, b = edges.edges[segment : segment + 2]
    ((v, c), (_, w)) = edges.covariance[segment : segment + 2, segment : segment + 2]
    t2, slope = edges.reach**2, b - a
    # (a + x slope)^2 = t^2 (v + 2 x (c - v) + x^2 (v + w - 2 c))
    quadratic = [slope**2 - t2 * (v + w - 2 * c), 2 * (a * slope - t2 * (c - v)), a**2 - t2 * v]
    roots = np.roots(quadratic) if np.any(quadratic) else np.array([])
    return sorted(float(root.real) for root in roots if abs(root.imag) < 1e-12 and 0 <= root.real <= 1)


# ---- Values of a sweep ----


def fair_places(values: Floats, edges: Floats, low: Floats, high: Floats) -> list[Crossing]:
    """Find all places at which an edge vanishes, given its estimates at several values.

    Each place comes with its range of fair values.

    The edge and its limits are interpolated linearly between values. On common deals errors are correlated, so the true
    interval between two values is no wider. The ranges are therefore conservative.

    Parameters
    ----------
    values
        The values, ascending; shape (values,).
    edges, low, high
        The edge and its 95 % limits at each value; NaN if unknown.

    Returns
    -------
    One crossing for each change of sign. Its places are values of the parameter, not steps of a grid.
    """
    found = []
    for left in range(len(values) - 1):
        a, b = edges[left : left + 2]
        if not (a == 0 or a * b < 0):
            continue
        place = float(values[left] + (values[left + 1] - values[left]) * (a / (a - b) if a != b else 0.0))
        (lower, open_low), (upper, open_high) = (
            end_of_band(values, low, high, place, direction) for direction in (-1, 1)
        )
        found.append(Crossing(place, lower, upper, open_low, open_high))
    return found


def end_of_band(values: Floats, low: Floats, high: Floats, start: float, direction: int) -> tuple[float, bool]:
    """Walk from a place to one side until the band between the limits excludes 0.

    Return the place, and whether the band never excludes 0 on this side.
    """
    at = start
    beyond = values[values > start] if direction > 0 else values[values < start][::-1]
    for value in beyond:
        for limit in (low, high):
            here, there = np.interp([at, value], values, limit)
            if here != 0 and here * there <= 0:
                return float(at + (value - at) * here / (here - there)), False
        at = value
    return float(at), True
