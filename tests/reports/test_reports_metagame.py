"""The meta-game: chains of dominance, rock-paper-scissors, equals, and slow oracles for both answers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from synthetic import Truth, write_run

from reports.data.load import load_run
from reports.sections.metagame import metagame_section
from reports.statistics.metagame import alpha_rank, equilibrium, lasting, metagame, ranking, replicator

CIRCLE = np.array([[0, 0.1, -0.1], [-0.1, 0, 0.1], [0.1, -0.1, 0]])
CHAIN = np.array([[0, 0.1, 0.3], [-0.1, 0, 0.2], [-0.3, -0.2, 0]])


def random_game(seed: int, size: int) -> np.ndarray:
    values = np.random.default_rng(seed).uniform(-0.4, 0.4, (size, size))
    return np.triu(values, 1) - np.triu(values, 1).T


def by_power(payoffs: np.ndarray, selection: float, population: int) -> np.ndarray:
    """Stationary shares of the chain, step by step as the paper writes it, by powers of its matrix."""
    size = len(payoffs)
    chain = np.zeros((size, size))
    for r in range(size):
        for s in range(size):
            if r != s:
                d = payoffs[s, r] - payoffs[r, s]
                rho = 1 / population if d == 0 else (1 - np.exp(-selection * d)) / (
                    1 - np.exp(-population * selection * d)
                )  # fmt: skip
                chain[r, s] = rho / (size - 1)
        chain[r, r] = 1 - chain[r].sum()
    return np.linalg.matrix_power(chain, 2**20)[0]


def test_the_best_of_a_chain_keeps_everything() -> None:
    assert alpha_rank(CHAIN).tolist() == [1, 0, 0]
    assert equilibrium(CHAIN).tolist() == [1, 0, 0]
    assert ranking(CHAIN[::-1, ::-1]).tolist() == [2, 1, 0]


def test_rock_paper_scissors_shares_evenly() -> None:
    assert alpha_rank(CIRCLE) == pytest.approx([1 / 3] * 3)
    assert equilibrium(CIRCLE) == pytest.approx([1 / 3] * 3)


def test_uneven_circle_has_the_known_equilibrium() -> None:
    game = np.array([[0, 0.1, -0.3], [-0.1, 0, 0.2], [0.3, -0.2, 0]])
    assert equilibrium(game) == pytest.approx(np.array([0.2, 0.3, 0.1]) / 0.6)


def test_equals_share_evenly_and_not_at_random() -> None:
    assert alpha_rank(np.zeros((4, 4))) == pytest.approx([0.25] * 4)
    assert equilibrium(np.zeros((4, 4))) == pytest.approx([0.25] * 4, abs=1e-4)


@pytest.mark.parametrize("seed", range(6))
def test_alpha_rank_is_the_stationary_distribution_of_the_chain(seed: int) -> None:
    game = random_game(seed, 5)
    assert alpha_rank(game, 0.2, 10) == pytest.approx(by_power(game, 0.2, 10), abs=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_strong_selection_tends_to_the_limit_without_overflow(seed: int) -> None:
    game = random_game(seed, 6)
    assert alpha_rank(game, 1e4) == pytest.approx(alpha_rank(game), abs=1e-6)
    assert alpha_rank(game, 1e-6) == pytest.approx([1 / 6] * 6, abs=1e-4)


@pytest.mark.parametrize("seed", range(12))
def test_nothing_beats_the_equilibrium_and_the_dynamics_rest_there(seed: int) -> None:
    game = random_game(seed, 7)
    shares = equilibrium(game)
    assert shares.sum() == pytest.approx(1)
    assert (shares @ game >= -1e-7).all()
    held = shares * (game @ shares)
    assert held == pytest.approx(np.zeros(7), abs=1e-7)
    assert not shares[np.setdiff1d(np.arange(7), lasting((game.T > 0) | (game == 0)))].any()


def test_time_average_of_the_replicator_dynamics_is_the_equilibrium() -> None:
    game = np.array([[0, 0.1, -0.3], [-0.1, 0, 0.2], [0.3, -0.2, 0]])
    _, path = replicator(game, np.array([0.4, 0.4, 0.2]), 6000, 20_000)
    assert path.mean(axis=0) == pytest.approx(equilibrium(game), abs=0.01)


def test_replicator_dynamics_end_with_the_best_of_a_chain() -> None:
    _, path = replicator(CHAIN, np.full(3, 1 / 3), 400)
    assert path[-1] == pytest.approx([1, 0, 0], abs=1e-6)


def test_resamples_tell_a_certain_order_from_a_doubtful_one() -> None:
    noise = np.random.default_rng(1).normal(0, 0.01, (400, 3, 3))
    noise = np.triu(noise, 1) - np.swapaxes(np.triu(noise, 1), 1, 2)
    close = np.array([[0, 0.005, 0.3], [-0.005, 0, 0.3], [-0.3, -0.3, 0]])
    frame = metagame(["a", "b", "c"], close, close + noise)
    first, second = frame.row(0, named=True), frame.row(1, named=True)
    assert first["first"] == pytest.approx(0.69, abs=0.08)
    assert first["before_next"] == first["whole_order"] == first["first"]
    assert second["before_next"] == 1.0
    assert (first["low"], first["high"]) == (0.0, 1.0)


def test_section_names_what_remains(tmp_path: Path) -> None:
    truth = Truth(blocks=600, strategies={"weak": -8.0, "middle": 0.0, "strong": 8.0})
    section = metagame_section(load_run(write_run(tmp_path / "run", truth)))
    assert "all would end with strong" in section.sentences[0]
    assert section.listings[0].frame["strategy"].to_list() == ["strong", "middle", "weak"]
    assert section.listings[0].frame["first"][0] == 1.0
    section.pictures[0].draw()


@pytest.mark.parametrize(
    ("truth", "word"),
    [
        ({"blocks": 20, "strategies": {"only": 0.0}}, "no choice"),
        ({"blocks": 1, "players": 7, "strategies": {"a": 0.0, "b": 0.0}}, "too few blocks"),
        ({"blocks": 12, "players": 2, "strategies": {"a": 9.0, "b": 0.0}}, "too few blocks"),
        ({"blocks": 2, "players": 2}, "never met"),
        ({"blocks": 40, "players": 2, "strategies": {"a": 0.0, "b": 0.0}}, "resamples"),
    ],
)
def test_poor_runs_get_words(tmp_path: Path, truth: dict[str, object], word: str) -> None:
    section = metagame_section(load_run(write_run(tmp_path / "run", Truth(**truth))))  # type: ignore[arg-type]
    assert word in " ".join(section.sentences)
    for listing in section.listings:
        floats = listing.frame.select(pl.selectors.float())
        assert sum(floats.select(pl.all().is_nan().sum()).fill_null(0).row(0)) == 0
    for picture in section.pictures:
        picture.draw()
