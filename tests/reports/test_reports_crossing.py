"""The search for a fair value finds known truth, tries few values, and its interval covers."""

from collections.abc import Callable

import numpy as np
import pytest

from reports.statistics.core.crossing import (
    Crossing,
    Edges,
    doubt_of,
    edges_at_values,
    fair_places,
    fieller_ends,
    find_crossing,
    has_effect,
    is_needed,
    runs_both_ways,
    search_crossing,
)

NULL = 0.25


def response(curve: Callable[[int], float], blocks: int = 4000, shared: float = 0.8, seed: int = 1) -> Callable:
    """A game won with chance `NULL + curve(place)`; most of the luck is common to all places."""
    luck = np.random.default_rng(seed).random((blocks, 4))

    def measure(place: int) -> tuple[np.ndarray, np.ndarray]:
        own = np.random.default_rng((seed, place + 1000)).random((blocks, 4))
        common = np.random.default_rng((seed, 5)).random((blocks, 4)) < shared
        won = np.where(common, luck, own) < NULL + curve(place)
        return won.sum(axis=1).astype(float), np.full(blocks, 4.0)

    return measure


def exact(places: list[int], edges: list[float], error: float = 1e-3) -> Edges:
    return Edges(np.array(places), np.array(edges), np.eye(len(places)) * error**2, 10_000)


@pytest.mark.parametrize(
    ("slope", "truth", "least", "most"),
    [*((slope, truth, -10, 10) for slope in (0.02, -0.02, 0.1) for truth in (-6.3, 0.4, 7.0)), (0.03, 2.5, 0, 8)],
)
def test_a_straight_response_is_crossed_where_it_vanishes(slope: float, truth: float, least: int, most: int) -> None:
    measure = response(lambda place: float(np.clip(slope * (place - truth), -0.24, 0.7)), blocks=20_000)
    edges = search_crossing(measure, least, most, 0, NULL)
    crossing = find_crossing(edges, 0)
    assert crossing is not None
    assert crossing.low <= crossing.place <= crossing.high
    assert abs(crossing.place - truth) < 0.7
    assert len(edges.places) <= 8
    assert {least, 0, most} <= set(edges.places)


def test_a_bent_response_needs_few_trials_even_over_a_wide_range() -> None:
    calls = []
    slope = {True: 0.006, False: 0.02}
    measure = response(lambda place: max(-0.2, slope[place < 37] * (place - 37.4)), 20_000)

    def counted(place: int) -> tuple[np.ndarray, np.ndarray]:
        calls.append(place)
        return measure(place)

    edges = search_crossing(counted, 0, 60, 3, NULL)
    crossing = find_crossing(edges, 3)
    assert crossing is not None
    assert abs(crossing.place - 37.4) < 1
    assert len(calls) == len(set(calls)) <= 14


def test_the_crossing_nearest_to_the_printed_value_is_taken() -> None:
    edges = exact([0, 4, 5, 9, 10], [0.05, 0.01, -0.02, -0.01, 0.03])
    near_five, near_ten = find_crossing(edges, 4), find_crossing(edges, 10)
    assert near_five is not None
    assert near_ten is not None
    assert near_five.place == pytest.approx(4 + 1 / 3)
    assert near_ten.place == pytest.approx(9.25)
    assert runs_both_ways(edges)
    assert not runs_both_ways(exact([0, 1, 2], [0.1, 0.05, -0.1]))


def test_no_effect_and_no_crossing_are_known() -> None:
    assert not has_effect(search_crossing(response(lambda place: 0.05), 0, 10, 3, NULL))
    never = search_crossing(response(lambda place: 0.05 + 0.01 * place), 0, 10, 3, NULL)
    assert has_effect(never)
    assert find_crossing(never, 3) is None
    assert list(never.places) == [0, 3, 10]


def test_a_change_is_needed_where_the_printed_edge_is_sure_and_its_value_not_among_the_fair_ones() -> None:
    sure = exact([0, 3, 8], [-0.05, 0.03, 0.2], 0.005)
    assert is_needed(sure, find_crossing(sure, 3), 3)
    doubtful = exact([0, 3, 8], [-0.05, 0.009, 0.2], 0.005)
    assert not is_needed(doubtful, find_crossing(doubtful, 3), 3)
    assert not is_needed(sure, Crossing(5.0, 3.0, 6.0, False, False), 3)
    assert is_needed(exact([0, 3], [0.02, 0.03], 0.005), None, 3)


@pytest.mark.parametrize(
    ("printed", "best", "doubt"),
    [
        (0.05, 0.004, ""),
        (0.009, 0.001, "printed"),
        (-0.05, 0.0, "printed"),
        (0.02, 0.01, "change"),
        (0.02, -0.03, "change"),
        (0.06, 0.03, "left"),
        (np.nan, 0.0, "printed"),
    ],
)
def test_fresh_deals_confirm_an_edge_a_change_and_what_is_left(printed: float, best: float, doubt: str) -> None:
    searched, fresh = exact([0, 3, 8], [0.001, 0.05, 0.2], 0.005), exact([0, 3], [best, printed], 0.005)
    assert doubt_of(searched, fresh, 3, 0) == doubt


def test_a_search_on_a_fair_faction_seldom_ends_in_a_confirmed_change() -> None:
    """The printed value is fair: one search of twenty may find it off, and fresh deals undo nearly all of these."""
    proposed = confirmed = 0
    for seed in range(300):
        luck, other = (np.random.default_rng((seed, part)).random((400, 4)) for part in (1, 2))
        chances = NULL + 0.02 * np.arange(-3, 4)

        def edges(draws: np.ndarray, places: np.ndarray, chances: np.ndarray = chances) -> Edges:
            wins = (draws < chances[places, None, None]).sum(axis=2).astype(float)
            return edges_at_values(places, wins, np.full(wins.shape, 4.0), NULL)

        searched = edges(luck, np.arange(7))
        if is_needed(searched, find_crossing(searched, 3), 3):
            proposed += 1
            best = int(np.argmin(np.abs(searched.edges)))
            confirmed += not doubt_of(searched, edges(other, np.array([3, best])), 3, best)
    assert 0 < proposed <= 30
    assert confirmed <= 2


def test_an_interval_that_leaves_the_range_is_open_there() -> None:
    crossing = find_crossing(exact([0, 1, 5], [-0.001, 0.04, 0.2]), 1)
    assert crossing is not None
    assert (crossing.open_low, crossing.open_high, crossing.low) == (True, False, 0.0)


def test_edges_have_the_covariance_of_their_block_sums() -> None:
    rng = np.random.default_rng(3)
    seats = rng.integers(0, 4, (3, 50)).astype(float)
    wins = np.floor(seats * rng.random((3, 50)))
    edges = edges_at_values(np.array([5, 1, 3]), wins, seats, NULL)
    played = [b for b in range(50) if seats[:, b].sum()]
    assert edges.blocks == len(played)
    for row, i in enumerate([1, 2, 0]):
        share = wins[i].sum() / seats[i].sum()
        assert edges.edges[row] == pytest.approx(share - NULL)
        for column, j in enumerate([1, 2, 0]):
            other = wins[j].sum() / seats[j].sum()
            total = sum((wins[i, b] - share * seats[i, b]) * (wins[j, b] - other * seats[j, b]) for b in played)
            want = len(played) / (len(played) - 1) * total / seats[i].sum() / seats[j].sum()
            assert edges.covariance[row, column] == pytest.approx(want)


def test_the_ends_of_an_interval_are_where_the_edge_is_just_significant() -> None:
    edges = Edges(np.array([2, 3]), np.array([-0.01, 0.02]), np.array([[4e-6, 3e-6], [3e-6, 5e-6]]), 2000)
    for share in fieller_ends(edges, 0):
        weights = np.array([1 - share, share])
        t = weights @ edges.edges / np.sqrt(weights @ edges.covariance @ weights)
        assert abs(t) == pytest.approx(edges.reach)


@pytest.mark.slow
def test_intervals_of_the_crossing_cover_the_truth() -> None:
    truth, slope, covered = 0.37, 0.06, 0
    for seed in range(1000):
        luck = np.random.default_rng(seed).random((3, 300, 4))
        common = luck[2] < 0.7
        wins = [
            (np.where(common, luck[0], luck[1] if place else luck[0]) < NULL + slope * (place - truth)).sum(axis=1)
            for place in (0, 1)
        ]
        edges = edges_at_values(np.array([0, 1]), np.array(wins, float), np.full((2, 300), 4.0), NULL)
        # Without a change of sign the line meets zero beyond the values tried; the interval is tested at the truth.
        weights = np.array([1 - truth, truth])
        t = weights @ edges.edges / np.sqrt(weights @ edges.covariance @ weights)
        crossing = find_crossing(edges, 0)
        inside = crossing is not None and crossing.low <= truth <= crossing.high
        assert crossing is None or inside == (abs(t) <= edges.reach)
        covered += abs(t) <= edges.reach
    assert 930 <= covered <= 970


# ---- Values of a sweep ----


def band(edges: list[float], half: float) -> tuple[np.ndarray, ...]:
    middle = np.array(edges)
    return middle, middle - half, middle + half


def test_a_line_of_a_sweep_meets_the_fair_share_where_it_changes_sign() -> None:
    found = fair_places(np.array([1.0, 2.0, 4.0]), *band([0.06, 0.02, -0.02], 0.01))
    assert [round(crossing.place, 6) for crossing in found] == [3.0]
    # The band holds 0 where the edge is at most 0.01: from 2.5 to 3.5.
    assert (found[0].low, found[0].high) == pytest.approx((2.5, 3.5))
    assert not found[0].open_low
    assert not found[0].open_high


def test_a_band_that_holds_fair_to_the_last_value_is_open_there() -> None:
    (crossing,) = fair_places(np.array([0.0, 1.0, 2.0]), *band([0.03, 0.005, -0.005], 0.02))
    assert crossing.open_high
    assert not crossing.open_low


def test_a_line_that_keeps_its_sign_meets_nothing_and_one_that_turns_meets_fair_twice() -> None:
    values = np.array([0.0, 1.0, 2.0])
    assert fair_places(values, *band([0.03, 0.02, 0.01], 0.005)) == []
    assert [crossing.place for crossing in fair_places(values, *band([-0.02, 0.02, -0.02], 0.005))] == [0.5, 1.5]
    unknown = np.full(3, np.nan)
    assert fair_places(values, unknown, unknown, unknown) == []


def test_the_range_of_fair_values_holds_the_true_one_in_at_least_93_of_100_sweeps() -> None:
    values, truth, blocks, trials = np.array([0.0, 1.0, 2.0, 3.0]), 1.4, 400, 400
    held = 0
    for seed in range(trials):
        draw = np.random.default_rng(seed)
        # Half of the luck is common to all values, as on common deals.
        common, own = draw.normal(size=(blocks, 1)), draw.normal(size=(blocks, len(values)))
        wins = 0.03 * (truth - values) + 0.15 * (common + own)
        edge, half = wins.mean(axis=0), 1.966 * wins.std(axis=0, ddof=1) / np.sqrt(blocks)
        held += any(one.low <= truth <= one.high for one in fair_places(values, edge, edge - half, edge + half))
    assert held >= 0.93 * trials
