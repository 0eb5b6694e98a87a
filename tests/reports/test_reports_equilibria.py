"""Symmetric equilibria: games with known answers, slow oracles, and games of chance payoffs."""

from collections.abc import Callable
from itertools import product
from math import comb

import numpy as np
import pytest
from scipy.optimize import root

from reports.statistics.strength.equilibria import (
    Companies,
    Equilibrium,
    companies_of,
    count_tables,
    payoffs_by_company,
    slopes,
    symmetric_equilibria,
    won_against,
)

V, C = 2.0, 5.0
HAWKS = [[(V - C) / 2, V], [0, V / 2]]
COORDINATION = [[2, 0], [0, 1]]
DILEMMA = [[3, 0], [5, 1]]
CIRCLE = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
CIRCLE_THAT_HEALS = [[0, -1, 2], [2, 0, -1], [-1, 2, 0]]
CIRCLE_THAT_FLEES = [[0, -2, 1], [1, 0, -2], [-2, 1, 0]]


def of_matrix(matrix: list[list[float]]) -> tuple[Companies, np.ndarray]:
    """Payoffs by table of a game of two: `matrix[s][t]` is what s wins against t."""
    companies = companies_of(len(matrix), 2)
    payoffs = np.zeros(companies.tables.shape)
    for s, t in product(range(len(matrix)), repeat=2):
        seats = np.bincount([s, t], minlength=len(matrix))
        payoffs[(companies.tables == seats).all(axis=1).argmax(), s] = matrix[s][t]
    return companies, payoffs


def found(companies: Companies, payoffs: np.ndarray) -> list[Equilibrium]:
    return symmetric_equilibria(companies, payoffs[None])[0]


def by_orders(companies: Companies, payoffs: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """What each strategy wins against a mixture: all orders in which the others can sit, one by one."""
    strategies = companies.tables.shape[1]
    place = {tuple(row): number for number, row in enumerate(companies.tables.tolist())}
    won = np.zeros(strategies)
    for own in range(strategies):
        for others in product(range(strategies), repeat=companies.players - 1):
            table = place[tuple(np.bincount([own, *others], minlength=strategies).tolist())]
            won[own] += np.prod(shares[list(others)]) * payoffs[table, own]
    return won


def chance_game(seed: int, strategies: int, players: int) -> tuple[Companies, np.ndarray]:
    companies = companies_of(strategies, players)
    return companies, np.random.default_rng(seed).uniform(0, 1, companies.tables.shape)


# ---- Known answers ----


@pytest.mark.parametrize(
    ("game", "shares", "stable"),
    [
        (HAWKS, [V / C, 1 - V / C], True),
        (DILEMMA, [0, 1], True),
        (CIRCLE, [1 / 3] * 3, False),
        (CIRCLE_THAT_HEALS, [1 / 3] * 3, True),
        (CIRCLE_THAT_FLEES, [1 / 3] * 3, False),
    ],
    ids=["hawks and doves", "dilemma", "circle", "circle in which wins outweigh losses", "circle in which losses do"],
)
def test_the_only_equilibrium_of_a_game_is_the_known_one(
    game: list[list[float]], shares: list[float], stable: bool
) -> None:
    (only,) = found(*of_matrix(game))
    assert only.shares == pytest.approx(shares)
    assert (only.stable, only.single) == (stable, True)


def test_coordination_has_two_pure_answers_and_one_between_that_does_not_last() -> None:
    first, second, between = found(*of_matrix(COORDINATION))
    assert [first.shares.tolist(), second.shares.tolist()] == [[1, 0], [0, 1]]
    assert between.shares == pytest.approx([1 / 3, 2 / 3])
    assert [one.stable for one in (first, second, between)] == [True, True, False]


@pytest.mark.parametrize("players", [2, 3, 4, 7])
def test_who_volunteers_among_several_is_the_known_mixture(players: int) -> None:
    # Everybody gains 1 if anybody pays 0.3: the chance of paying nothing is 0.3^(1 / (players - 1)) (Diekmann 1985).
    companies = companies_of(2, players)
    payoffs = np.stack([np.full(players + 1, 0.7), (companies.tables[:, 0] > 0).astype(float)], axis=1)
    (only,) = found(companies, payoffs)
    assert only.shares[1] == pytest.approx(0.3 ** (1 / (players - 1)))
    assert only.stable


def test_strategies_that_play_alike_leave_a_line_that_is_named_once() -> None:
    lines = [one for one in found(*of_matrix([[1, 1, 0], [1, 1, 0], [0, 0, 0.5]])) if len(one.support) > 1]
    assert [one.support for one in lines if not one.single] == [(0, 1), (0, 1, 2)]
    assert not any(one.stable for one in lines)
    assert next(one.shares for one in lines if one.support == (0, 1)) == pytest.approx([0.5, 0.5, 0])


# ---- Slow oracles ----


@pytest.mark.parametrize(("strategies", "players"), [(2, 5), (3, 3), (4, 3), (3, 4)])
def test_winnings_are_those_of_all_orders_of_the_others(strategies: int, players: int) -> None:
    companies, payoffs = chance_game(strategies, strategies, players)
    shares = np.random.default_rng(players).dirichlet(np.ones(strategies))
    assert len(companies.tables) == count_tables(strategies, players) == comb(strategies + players - 1, players)
    assert won_against(companies, payoffs, shares) == pytest.approx(by_orders(companies, payoffs, shares))


def test_slopes_are_those_of_small_steps() -> None:
    companies, payoffs = chance_game(3, 3, 4)
    shares, step = np.array([0.2, 0.3, 0.5]), 1e-6
    exact = slopes(companies, payoffs_by_company(companies, payoffs), shares)
    for place, shift in enumerate(step * np.eye(3)):
        around = [won_against(companies, payoffs, shares + sign * shift) for sign in (1, -1)]
        assert exact[:, place] == pytest.approx((around[0] - around[1]) / (2 * step), abs=1e-6)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_game_has_an_equilibrium_and_nobody_gains_against_it(players: int, scaled: Callable[..., int]) -> None:
    for seed in range(scaled(30, 5, 300)):
        companies, payoffs = chance_game(seed, 3, players)
        answers = found(companies, payoffs)
        assert answers
        for one in answers:
            won = by_orders(companies, payoffs, one.shares)
            assert one.shares.sum() == pytest.approx(1)
            assert won.max() - won @ one.shares < 1e-8
            assert one.gains == pytest.approx(won - won @ one.shares, abs=1e-12)


def test_inner_equilibria_are_all_that_many_starts_of_another_solver_find(scaled: Callable[..., int]) -> None:
    several = 0
    for seed in range(scaled(12, 2, 200)):
        companies, payoffs = chance_game(seed, 3, 3)

        def excess(pair: np.ndarray, companies: Companies = companies, payoffs: np.ndarray = payoffs) -> np.ndarray:
            won = won_against(companies, payoffs, np.array([*pair, 1 - pair.sum()]))
            return won[:2] - won[2]

        expected: list[np.ndarray] = []
        for pair in np.random.default_rng(seed).dirichlet(np.ones(3), 60)[:, :2]:
            solved = root(excess, pair, tol=1e-12)
            mixture = np.array([*solved.x, 1 - solved.x.sum()])
            new = all(np.abs(mixture - other).max() > 1e-4 for other in expected)
            if solved.success and np.abs(solved.fun).max() < 1e-9 and mixture.min() > 1e-5 and new:
                expected.append(mixture)
        inner = [one.shares for one in found(companies, payoffs) if len(one.support) == 3]
        several += len(inner)
        assert len(inner) == len(expected)
        for mixture in expected:
            assert min(np.abs(mixture - other).max() for other in inner) < 1e-6
    assert several > 1


def test_several_games_are_solved_as_each_alone() -> None:
    companies = companies_of(3, 3)
    payoffs = np.random.default_rng(4).uniform(0, 1, (6, *companies.tables.shape))
    together = symmetric_equilibria(companies, payoffs)
    for game, answers in zip(payoffs, together, strict=True):
        alone = found(companies, game)
        assert [one.support for one in answers] == [one.support for one in alone]
        assert np.array([one.shares for one in answers]) == pytest.approx(np.array([one.shares for one in alone]))


def test_a_stable_answer_drives_out_few_who_play_otherwise() -> None:
    rng = np.random.default_rng(1)
    for seed in range(20):
        companies, payoffs = chance_game(seed, 3, 3)
        for one in found(companies, payoffs):
            anybody, own = rng.dirichlet(np.ones(3), 200), np.zeros((200, 3))
            own[:, one.support] = rng.dirichlet(np.ones(len(one.support)), 200)
            others = np.concatenate([anybody, own[np.abs(own - one.shares).max(axis=1) > 0.1]])
            near = one.shares + 1e-4 * (others - one.shares)
            won = won_against(companies, payoffs, near)
            ahead = ((one.shares - near) * won).sum(axis=1)
            assert bool((ahead > 0).all()) == one.stable
