"""What a newcomer reads agrees with itself: headline and cards, shares that add up, names that fit, how a run ended."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from synthetic import Truth, renew_digests, typed_manifest, with_fields, write_run

from reports.data.load import load_run
from reports.data.moments import block_moments
from reports.drawing import figure_of
from reports.formatting import common_decimals, points, stop_words
from reports.model import Report, Verdict
from reports.render.chart import svg
from reports.render.page import render
from reports.sections.compare.robustness import condition_picture
from reports.sections.core.shares import extreme_factions, share_report
from reports.sections.core.win_rate_figures import forest
from reports.statistics.compare.robustness import compare_conditions
from reports.statistics.core.balance import balance_of
from reports.statistics.core.win_rate import win_rates
from reports.statistics.course.luck import clip_at_zero
from sim.errors import UserError
from tests.reports.conftest import Kept

WIDTH_RULE = {"rule": "until-width", "at_most": 30_000, "width": 2.0, "of": "faction", "least_precise": "Rhodos B"}


@pytest.mark.parametrize(
    ("edges", "named"),
    [
        ({"A": 0.48, "B": 0.25, "C": -0.3}, ["A", "C"]),
        ({"A": 0.48, "B": 0.25}, ["A"]),
        ({"A": -0.22, "B": -0.31, "C": -0.05}, ["B"]),
        ({"A": 0.19, "B": -0.19}, []),
    ],
)
def test_extreme_factions_are_the_strongest_and_the_weakest(edges: dict[str, float], named: list[str]) -> None:
    rows = tuple({"table": "faction", "name": name, "edge": edge} for name, edge in edges.items())
    report = SimpleNamespace(verdict=Verdict("out of balance", rows, 0.01))
    assert [row["name"] for row in extreme_factions(report)] == named  # type: ignore[arg-type]


def test_a_rule_that_ends_a_run_is_told_as_kept(kept: Kept) -> None:
    rules = {
        "none": None,
        "early": WIDTH_RULE | {"early": True, "enough": True, "reached": 1.9876},
        "not reached": WIDTH_RULE | {"early": False, "enough": False, "reached": 3.1876},
        "not known": WIDTH_RULE | {"early": False, "enough": False, "reached": None},
    }
    run = with_fields(typed_manifest(Truth(), 8_000, 2_000), {"faction_title": "board"})
    told = {name: stop_words(with_fields(run, {"stopped": rule})) for name, rule in rules.items()}
    assert told["none"] == ""
    kept("end of a run", {name: [text] for name, text in told.items()})


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("score", float("nan"), "field score: not a number that this run can have"),
        ("end_reason", None, "field end_reason: 640 rows without a value"),
    ],
)
def test_a_column_without_values_is_named(column: str, value: float | None, message: str, tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", Truth(blocks=40))
    part = next((folder / "seats").iterdir())
    seats = pl.read_parquet(part)
    gone = pl.lit(value) if value is not None else pl.lit(None, seats.schema[column])
    seats.with_columns(gone.alias(column)).write_parquet(part)
    renew_digests(folder)
    with pytest.raises(UserError, match=message):
        share_report(load_run(folder))


@pytest.mark.usefixtures("without_figures")
def test_the_page_tells_of_the_rule_at_its_head(tmp_path: Path) -> None:
    stopped = WIDTH_RULE | {"early": True, "enough": True, "reached": 1.9876}
    page = render(share_report(load_run(write_run(tmp_path / "run", Truth(blocks=40), stopped=stopped))))
    assert "Stopped after 160 of at most 30,000 games" in page.split("<main>")[0]


@pytest.mark.usefixtures("without_figures")
def test_headline_and_decisions_give_the_same_interval_and_say_what_it_is(report: Report) -> None:
    head, page = report.findings[0], render(report)
    decisions = page.split('<div class="decisions">')[1].split("</div>")[0]
    spread = decisions.split("<small>")[1].split("</small>")[0]
    assert spread.startswith("±")
    assert spread in head.headline
    assert "± in the headline" in page


def test_shares_below_zero_are_left_to_the_rest_and_all_add_up() -> None:
    rng = np.random.default_rng(1)
    parts = np.array([0.02, -0.03]) + rng.normal(0, 0.0002, (40, 2))
    others = np.column_stack([parts, 1 - parts.sum(axis=1)])
    (share, low, high), below = clip_at_zero(others.mean(axis=0), others)
    assert below.tolist() == [False, True, False]
    assert np.isnan([share[1], low[1], high[1]]).all(), "not even its upper limit is above 0: it has no figure"
    share, low, high = (values[[0, 2]] for values in (share, low, high))
    assert share.sum() == pytest.approx(1)
    assert ((low >= 0) & (low <= share) & (share <= high) & (high <= 1)).all()


def test_long_names_of_conditions_leave_room_for_the_figure() -> None:
    names = [f"{number} players, balanced, balanced@1, military, science and 12 more" for number in (3, 4, 5, 6, 7)]
    for few in (3, 5):
        frame = pl.DataFrame({
            "condition": np.repeat(names[:few], 4), "level": list("abcd") * few, "games": [400] * 4 * few,
            "blocks": [100] * 4 * few, "edge": [0.1, 0.0, 0.0, -0.1] * few, "error": [0.01] * 4 * few,
            "null": [0.25] * 4 * few,
        })  # fmt: skip
        ax = condition_picture(compare_conditions("faction by run", "board", "run", frame)).draw()
        figure = figure_of(ax)
        svg(figure)  # raises a warning where the layout collapses
        assert ax.get_position().width * figure.get_figwidth() > 2
        said = ax.get_xlabel() + " ".join(text.get_text() for key in figure.legends for text in key.get_texts())
        assert all(name in said.replace("\n", " ") for name in names[:few])


def test_seats_of_several_table_sizes_are_drawn_by_their_edges(report: Report) -> None:
    table = report.tables["seat"]
    mixed = replace(table, frame=table.frame.with_columns(null=pl.Series([0.25, 0.25, 0.3, 0.2])))
    dots = forest(mixed).collections[-1].get_offsets()
    assert np.asarray(dots)[:, 0] == pytest.approx(100 * table.frame["edge"].to_numpy())


def test_edges_of_a_list_have_the_same_decimals() -> None:
    edges = (-0.2408, -0.027)
    assert [points(edge, common_decimals(edges, (0.0005, 0.01))) for edge in edges] == ["-24.1", "-2.7"]
    assert common_decimals((0.0004, 0.02), (0.0002, 0.01)) == 2


def test_who_never_won_at_tables_of_several_sizes_is_weak() -> None:
    blocks, players = 300, np.tile([3.0, 4.0, 5.0], 100)
    won = np.random.default_rng(1).random((2, blocks)) < np.stack([1 / players, np.zeros(blocks)])
    frame = pl.concat([moments(name, wins.astype(float), 1 / players) for name, wins in zip("ab", won, strict=True)])
    assert dict(win_rates(frame, ["row"]).select("row", "flag").rows())["b"] == "weak"


def moments(name: str, w: np.ndarray, e: np.ndarray) -> pl.DataFrame:
    """One game of a row in each block."""
    frame = pl.DataFrame({"block": np.arange(len(w)), "row": name, "players": np.round(1 / e).astype(int), "win": w})
    return block_moments(frame.with_columns(score=pl.lit(0), rank=pl.lit(1)).lazy(), ["row"])


def test_the_widest_edge_is_the_same_row_everywhere(tmp_path: Path) -> None:
    built = share_report(load_run(write_run(tmp_path / "run", Truth(blocks=2))))
    table = built.tables["faction"]
    widest = table.frame.filter(pl.col("p").is_not_null()).sort(pl.col("edge").abs(), descending=True)
    assert not widest.height or balance_of(table.frame).edge in (None, widest["edge"][0])
