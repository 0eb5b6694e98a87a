"""The chance that a row is fair, against slow arithmetic and in worlds whose true edges are known."""

from itertools import product
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats

import empirelab
from reports.statistics.core import fair_chance
from reports.statistics.core.decisions import LEAVE, MORE
from reports.statistics.core.fair_chance import COST, believed, cheapest, excess, losses, with_fair_chance

MARGIN = 0.01


def table(edges: list[float], error: float = 0.01, decision: str = MORE) -> pl.DataFrame:
    """A decided table of many blocks."""
    columns = {"edge": edges, "error": error, "blocks": 4000, "games": 4000, "null": 0.25, "decision": decision}
    return pl.DataFrame(columns).with_columns(more_games=pl.lit(None, pl.Int64))


def test_beliefs_are_those_of_the_whole_normal_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_chance, "STEPS", 7)
    edge, error = np.array([0.03, 0.01, -0.02, -0.02]), np.array([0.01, 0.02, 0.01, 0.015])
    groups = np.array([0, 0, 1, 1])
    found = believed(edge, error, 0.25, groups)
    spreads = fair_chance.PRIOR_SCALE * 0.25 * np.tan(np.pi / 2 * (np.arange(7) + 0.5) / 7)
    same, noise = groups[:, None] == groups, np.diag(error**2)
    weight, means, errors = [], [], []
    for g, w in product(spreads, spreads):
        prior = g**2 * same + w**2 * np.eye(4)
        gain = prior @ np.linalg.inv(prior + noise)
        weight.append(stats.multivariate_normal.pdf(edge, np.zeros(4), prior + noise) ** (3 / 4))
        means.append(gain @ edge)
        errors.append(np.sqrt(np.diag(prior - gain @ prior)))
    np.testing.assert_allclose(found.weight, np.array(weight) / np.sum(weight), rtol=1e-9)
    np.testing.assert_allclose(found.mean, means, atol=1e-12)
    np.testing.assert_allclose(found.error, errors, rtol=1e-9)


@pytest.mark.parametrize(("rows", "worlds", "grouped"), [(4, 400, False), (14, 150, True)])
def test_of_rows_said_to_be_fair_with_a_chance_that_share_is_fair(rows: int, worlds: int, grouped: bool) -> None:
    rng = np.random.default_rng(5)
    groups = np.arange(rows) // 2 if grouped else None
    said, true = [], []
    for _ in range(worlds):
        own, shared = np.exp(rng.uniform(np.log(0.002), np.log(0.06), 2))
        edges = rng.normal(0, own, rows) + (rng.normal(0, shared, rows)[groups] if groups is not None else 0.0)
        error = np.exp(rng.uniform(np.log(0.002), np.log(0.02)))
        luck = rng.normal(0, error, rows)
        seen = edges - edges.mean() + (luck - luck.mean()) * np.sqrt(rows / (rows - 1))
        known = believed(seen, np.full(rows, error), 0.25, groups)
        said += list(known.below(MARGIN) - known.below(-MARGIN))
        true += list(np.abs(edges - edges.mean()) <= MARGIN)
    chances, fair = np.array(said), np.array(true)
    for low, high in ((0.0, 0.2), (0.2, 0.5), (0.5, 0.8), (0.8, 1.0)):
        chosen = (chances >= low) & (chances < high + 1e-9)
        assert chosen.sum() > 100
        assert fair[chosen].mean() == pytest.approx(chances[chosen].mean(), abs=0.08), (low, high)


def test_a_side_borrows_from_the_other_side_of_its_board() -> None:
    edges = [0.04, 0.012, -0.03, -0.02, 0.001, -0.003]
    alone = with_fair_chance(table(edges), MARGIN, 4000)
    nested = with_fair_chance(table(edges), MARGIN, 4000, ["a", "a", "b", "b", "c", "c"])
    assert nested["strong_chance"][1] > alone["strong_chance"][1]


def test_expected_losses_are_those_of_drawn_edges() -> None:
    rng = np.random.default_rng(2)
    mean, error, later_error = 0.012, 0.008, 0.006
    prior = error**2 * 0.7
    edges = rng.normal(mean, np.sqrt(prior), 400_000)
    found = losses(np.array([mean]), np.array([prior]), np.array([later_error]), MARGIN, np.array([3.0]))
    leave = np.maximum(np.abs(edges) - MARGIN, 0)
    assert found["loss_leave"][0] == pytest.approx(leave.mean(), rel=0.01)
    seen = edges + rng.normal(0, later_error / np.sqrt(2), edges.size)
    gain = prior / (prior + later_error**2 / 2)
    expected = excess(mean + gain * (seen - mean), np.full(edges.size, np.sqrt(prior * (1 - gain))), MARGIN)
    chosen = np.where(expected < COST * MARGIN, leave, COST * MARGIN)
    assert found["loss_more"][0] == pytest.approx(chosen.mean(), rel=0.01)
    assert found["loss_change"][0] == COST * MARGIN


def test_playing_more_is_cheapest_only_if_it_saves_enough() -> None:
    assert cheapest((0.0, 0.005, 0.0), MARGIN) == LEAVE
    assert cheapest((0.08, 0.005, 0.005), MARGIN) == "change it"
    assert cheapest((0.006, 0.005, 0.002), MARGIN) == MORE


def test_tables_without_a_decision_have_no_chance() -> None:
    assert with_fair_chance(table([0.01, -0.01], decision=""), MARGIN, 4000)["fair_chance"].is_null().all()
    assert with_fair_chance(table([0.01, -0.01], error=0.0), MARGIN, 4000)["loss_leave"].is_null().all()


@pytest.mark.usefixtures("without_figures")
def test_a_report_gives_chance_and_cost_where_the_decision_stands(tmp_path: Path) -> None:
    run = empirelab.simulate("seven_wonders", games=400, out=tmp_path / "run", strategies="balanced", progress=False)
    assert "fair?" in run.table("board").columns
    listing = run.report().section("summary").tables["fair faction"]
    assert len(listing) == 14
    assert set(listing["cheapest"]) <= {"change", "leave", "play more"}
    page = run.save(tmp_path / "page.html").read_text()
    assert "Chance that it is fair (true edge within 1 point)" in page
    assert "% fair</small>" in page
