"""The verdict as a program reads it, and what a designer's margin decides of each row."""

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from made_up import many_rows
from synthetic import FACTIONS, Truth, play, write_rows, write_run

from reports.data.load import load_run
from reports.formatting import decision
from reports.model import Report
from reports.render.export import json_text
from reports.report import build_report
from reports.sections.core.row_cards import decided_groups, rooms, row_cards
from reports.sections.core.shares import share_report
from reports.sections.core.verdict import flagged
from reports.sections.core.win_rate_figures import MAX_UNFOLDED, first_picture_of, fold_table, short_forest
from reports.statistics.core.balance import balance_of
from reports.statistics.core.decisions import confirming_games, decided, games_to_decide
from reports.statistics.core.win_rate import FIRST_SCREEN_ALPHA, family_probability
from reports.statistics.distributions import t_ppf
from tests.reports.conftest import at_terminal


def rows(*limits: tuple[float, float, float]) -> pl.DataFrame:
    """Rows with edge and limits in points."""
    hundredths = [tuple(value / 100 for value in row) for row in limits]
    return pl.DataFrame(hundredths, schema=["edge", "family_low", "family_high"], orient="row")


LIMITS = [
    # (edge, low, high) in points, decision with a margin of 1 point
    (5.0, 4.0, 6.0, "change it"),
    (-5.0, -6.0, -1.1, "change it"),
    (0.2, -0.5, 0.9, "leave it"),
    (0.6, 0.3, 0.9, "leave it"),
    (2.0, 0.9, 3.1, "more games"),
    (0.0, -2.0, 2.0, "more games"),
    (-1.2, -2.0, -0.4, "more games"),
]


def test_a_row_is_changed_left_or_played_on_by_its_limits_for_all_rows() -> None:
    frame = decided(rows(*(row[:3] for row in LIMITS)), 0.01, 1000)
    assert frame["decision"].to_list() == [row[3] for row in LIMITS]
    assert [more is None for more in frame["more_games"]] == [row[3] != "more games" for row in LIMITS]
    assert decided(rows((2.0, 1.5, 2.5)), 0.03, 1000)["decision"].to_list() == ["leave it"]


@pytest.mark.parametrize(("edge", "half"), [(0.02, 0.03), (-0.03, 0.025), (0.004, 0.02), (0.0, 0.05), (-0.008, 0.01)])
def test_after_so_many_more_games_four_of_five_rows_are_decided(edge: float, half: float) -> None:
    """True edges are those that the run leaves possible, and what is played later has luck of its own."""
    rng, error, tries = np.random.default_rng(3), half / 3, 4000
    frame = rows((100 * edge, 100 * (edge - half), 100 * (edge + half))).with_columns(error=error)
    times = 1 + decided(frame, 0.01, 1000)["more_games"][0] / 1000
    true = rng.normal(edge, error, tries)
    fresh = rng.normal(true, error / (times - 1) ** 0.5)
    later, nearer = 100 * (edge + (times - 1) * fresh) / times, 100 * half * times**-0.5
    after = decided(rows(*((one, one - nearer, one + nearer) for one in later)), 0.01, 1000)["decision"]
    assert (after != "more games").mean() == pytest.approx(0.8, abs=0.025)


def test_an_edge_that_shrinks_needs_more_games() -> None:
    seen = rows((2.0, 0.5, 3.5)).with_columns(error=pl.lit(0.005), shrunk_high=pl.lit(0.021))
    stays, shrinks = (
        decided(seen.with_columns(shrunk=pl.lit(shrunk), shrunk_high=pl.lit(shrunk + 0.006)), 0.01, 1000)
        for shrunk in (0.02, 0.014)
    )
    assert shrinks["more_games"][0] > stays["more_games"][0]


def test_on_the_margin_itself_games_are_named_only_as_far_as_the_edge_is_open() -> None:
    frame = rows((1.0, 0.5, 1.5)).with_columns(error=pl.lit(0.0016))
    known = frame.with_columns(shrunk=pl.lit(0.01), shrunk_high=pl.lit(0.01001))
    assert decided(frame, 0.01, 1000)["more_games"][0] > 50_000
    row = decided(known, 0.01, 1000).row(0, named=True)
    assert (row["decision"], row["more_games"]) == ("more games", None)
    assert decision(row) == "more games"


def test_limits_that_reach_further_to_one_side_count_by_the_side_that_matters() -> None:
    edge, low, high = (rows((3.0, 0.0, 9.0))[name].to_numpy() for name in ("edge", "family_low", "family_high"))
    error = np.array([0.01])
    near, far = (games_to_decide(edge, low, most, 0.01, error)[0] for most in (high, high + 0.5))
    assert near == pytest.approx(far)


def test_two_rows_of_which_one_gains_what_the_other_loses_are_decided_together() -> None:
    edges = rows((2.0, 1.1, 2.9), (-1.8, -2.7, -0.9))
    frame = decided(edges, 0.01, 1000)
    assert frame["decision"].to_list() == ["more games", "more games"]
    # Both need what the wider one needs.
    more = frame["more_games"].to_list()
    assert more[0] == more[1] >= 266
    balance = balance_of(
        edges.with_columns(pl.lit(None, pl.Float64).alias(name) for name in ("error", "null", "win_rate")).with_columns(
            note=pl.lit("")
        )
    )
    assert (balance.outside, balance.unknown) == (0, 2)


def test_unknown_limits_decide_nothing() -> None:
    frame = decided(rows((2.0, 1.0, 3.0)).with_columns(pl.lit(None, pl.Float64).alias("family_low")), 0.01, 1000)
    assert frame.select("decision", "more_games").rows() == [("", None)]


@pytest.fixture(scope="module")
def wide(run_folder: Path) -> Report:
    """The whole report with a margin of 6 points."""
    return build_report(load_run(run_folder), margin=6)


def test_every_row_of_the_verdict_leaves_zero_out_and_is_as_wide_as_the_margin(report: Report, wide: Report) -> None:
    for one in (report, wide):
        assert one.verdict.state == "out of balance"
        assert one.verdict.rows
        for row in one.verdict.rows:
            assert row["low"] > 0 or row["high"] < 0
            assert row["low"] <= row["edge"] <= row["high"]
            assert abs(row["edge"]) >= one.verdict.margin
            assert row["table"] in ("faction", "seat", "wonder", "side")
    assert len(wide.verdict.rows) < len(report.verdict.rows)


def test_no_flagged_row_of_any_plain_table_has_limits_that_reach_zero(report: Report) -> None:
    for table in report.tables.values():
        if not table.crossed:
            sure = table.frame.filter(pl.col("flag") != "")
            assert ((sure["family_low"] > 0) | (sure["family_high"] < 0)).all()
            assert (sure["p_family"] < 1.002 * FIRST_SCREEN_ALPHA).all()
    assert (report.tables["faction"].frame["flag"] != "").any()


def test_every_decided_row_stands_with_what_is_decided_of_it(report: Report) -> None:
    assert {name for name, table in report.tables.items() if table.decides} == {"faction", "wonder", "side", "seat"}
    frames = [table.frame for name, table in report.tables.items() if name in ("faction", "seat")]
    decided = {row["level"]: row["decision"] for frame in frames for row in frame.to_dicts()}
    cards = row_cards(report, {"Gizah A": "why.html"})
    assert {card.name: card.decision for card in cards} == decided
    assert {card.name: card.link for card in cards if not card.link.startswith("#")} == {"Gizah A": "why.html"}
    titles = {"change it": "Change", "leave it": "Leave", "more games": "Play more"}
    counted = {titles[word]: number for word, number in Counter(decided.values()).items()}
    assert {title: number for title, number, _ in decided_groups(cards)} == counted


def test_the_first_screen_names_the_widest_edges_of_many(report: Report) -> None:
    twice = row_cards(report, {}) * 2
    cards = [replace(card, decision="change it", width=float(n)) for n, card in enumerate(twice)]
    ((_, number, named),) = decided_groups(cards)
    assert number == len(cards) > len(named)
    assert named == cards[-len(named) :]


@pytest.mark.parametrize(
    ("sizes", "room"),
    [([9, 5, 4], [9, 5, 4]), ([22, 14], [8, 8]), ([30, 2], [14, 2]), ([40, 1, 12], [8, 1, 7]), ([36], [16])],
)
def test_room_that_small_decisions_leave_goes_to_large_ones(sizes: list[int], room: list[int]) -> None:
    assert rooms(sizes) == room


def test_a_long_figure_shows_the_farthest_and_folds_the_rest_into_a_line_each(report: Report) -> None:
    table = many_rows(report)
    short, folds = fold_table(table)
    edges = short.frame["edge"].to_numpy()
    strong = edges[edges > 0]
    assert len(edges) == MAX_UNFOLDED
    assert (np.diff(strong) < 0).all()
    assert (np.diff(edges[len(strong) :]) > 0).all()
    left = {row["level"] for fold in folds for row in fold.rows}
    assert left | set(short.frame["level"]) == set(table.frame["level"])
    fair = next(fold for fold in folds if fold.title.startswith("not significant"))
    assert {row["flag"] for row in fair.rows} == {""}
    assert max(abs(row["edge"]) for fold in folds for row in fold.rows if row["flag"]) <= np.abs(edges).min()
    names = [label.get_text() for label in short_forest(table).get_yticklabels()]
    assert names[MAX_UNFOLDED:] == [f"{len(fold.rows)} {fold.title}" for fold in folds]
    assert first_picture_of(report, report.tables["faction"]) is None
    short, (fold,) = fold_table(replace(table, frame=table.frame.with_columns(flag=pl.lit(""))))
    assert short.frame["level"].to_list() == ["Nation 0"], "where all are fair, the farthest stands before the fold"
    assert len(fold.rows) == 31


def test_the_margin_stands_in_every_sentence_that_rests_on_it(wide: Report) -> None:
    said = " ".join([wide.findings[0].headline, *(text for one in wide.findings for text in one.details)])
    assert "Confirmed balanced (±6 points" in said
    assert "Decisions (±6 points): " in said
    assert "(±6 points)" in " ".join(wide.section("robustness").sentences)
    for text in (said, *(" ".join([*one.sentences, one.reading]) for one in wide.sections)):
        assert not re.search("within 1 point|to see 1 point", text)
    balance = wide.section("summary").listings[0].frame
    counted = wide.tables["faction"].frame["decision"].value_counts()
    assert balance.filter(pl.col("table") == "wonder side")["within"][0] == dict(counted.rows())["leave it"]


def test_the_headline_names_rows_of_the_verdict_and_counts_decisions(report: Report) -> None:
    said = re.findall(r"([\w ]+) too (?:strong|weak) by", report.findings[0].headline)
    assert said
    assert {name.strip() for name in said} <= {row["name"] for row in report.verdict.rows}
    counts = Counter(report.tables["faction"].frame["decision"])
    within, rest = re.findall(r"(\d+) of 14 wonder sides \(([^)]*)\)", report.findings[0].headline)[0]
    assert int(within) == counts["leave it"]
    assert rest == f"{counts['change it']} confirmed unbalanced, {counts['more games']} undecided"


def test_no_figure_on_a_terminal_is_cut_off_by_a_long_decision_or_in_pairs(report: Report) -> None:
    table = report.tables["faction"]
    frame = table.frame.with_columns(decision=pl.lit("depends on players"), more_games=pl.lit(None, pl.Int64))
    swayed = replace(report, tables={**report.tables, "faction": replace(table, frame=frame)})
    shown = at_terminal(swayed, full=True)
    assert "…" not in shown
    assert "depends: within the margin over all games" in " ".join(shown.split())


def reported(folder: Path, truth: Truth) -> Report:
    return share_report(load_run(write_run(folder, truth)))


def test_a_fair_game_is_one_where_nothing_was_found(tmp_path: Path) -> None:
    report = reported(tmp_path / "run", Truth(blocks=300, strategies={"a": 0.0, "b": 0.0}, seed=4))
    assert json.loads(json_text(report))["verdict"] == {"state": "nothing found", "rows": [], "margin": 0.01}


@pytest.mark.parametrize(
    "truth",
    [
        Truth(blocks=3, strategies={"a": 0.0, "b": 0.0}),
        Truth(blocks=50, players=2, factions={"x A": 0.0}, strategies={"a": 0.0}, deal=0.0, luck=0.0),
    ],
    ids=["too small", "nothing varies"],
)
def test_a_run_that_could_show_nothing_cannot_tell(truth: Truth, tmp_path: Path) -> None:
    assert reported(tmp_path / "run", truth).verdict.state == "cannot tell"


def test_of_two_sides_the_verdict_names_the_one_that_wins_too_often(tmp_path: Path) -> None:
    """Single boards differ too little for this run, but all B together do not."""
    sided = dict.fromkeys(FACTIONS, 0.0) | {name: 0.9 for name in FACTIONS if name.endswith("B")}
    report = reported(tmp_path / "run", Truth(blocks=1500, factions=sided, luck=5.0, deal=1.0))
    assert [(row["table"], row["name"]) for row in report.verdict.rows] == [("side", "B")]
    assert report.findings[0].headline.startswith("Out of balance: side B too strong by ")
    assert "too weak" not in report.findings[0].headline
    side = report.tables["side"]
    assert [row["level"] for row in flagged(side)] == ["B"]
    assert side.frame["flag"].to_list() == ["strong", "weak"]
    assert side.frame["decision"][0] == side.frame["decision"][1]


def test_a_row_that_may_be_chance_is_not_changed_though_its_limits_lie_outside() -> None:
    p = pl.Series("p_family", [0.01, 0.2, None], dtype=pl.Float64)
    flag = pl.Series("flag", ["strong", "", "strong"])
    frame = decided(rows((5.0, 4.0, 6.0), (5.0, 4.0, 6.0), (5.0, 4.0, 6.0)).with_columns(p, flag), 0.01, 1000)
    assert frame["decision"].to_list() == ["change it", "more games", "change it"]
    assert frame["more_games"].to_list() == [None, pytest.approx(3779, abs=5), None]


def test_half_the_seats_that_win_every_game_are_surely_better(tmp_path: Path) -> None:
    truth = Truth(blocks=80, strategies={"random": 0.0, "balanced": 0.0})
    strategy = (pl.col("seat") + pl.col("game")) % 2
    alike = play(truth).with_columns(strategy=strategy.cast(pl.UInt8), win=(strategy / 2).cast(pl.Float32))
    table = share_report(load_run(write_rows(tmp_path / "run", alike, truth))).tables["strategy"]
    assert dict(table.frame.select("level", "flag").iter_rows()) == {"balanced": "strong", "random": "weak"}


@pytest.mark.parametrize(("edge", "most"), [(0.004, 10**6), (-0.004, 10**6), (0.023, 10**4)])
def test_the_proposed_games_confirm_a_row_in_four_of_five_runs(edge: float, most: int) -> None:
    error, rows = 0.01, 14
    games, margin = confirming_games(edge, error, 1000, 0.01, rows, most)
    assert (margin == 0.01) == (most == 10**6)
    own = error * np.sqrt(1000 / games)
    edges = np.random.default_rng(1).normal(edge, own, 40_000)
    confirmed = np.abs(edges) + t_ppf(family_probability(rows), 1e9) * own <= margin
    assert 0.79 < confirmed.mean() < (0.83 if margin == 0.01 else 1)
    more, wider = confirming_games(edge, error, 1000, margin, rows, most, players=2)
    assert (more, wider) > (games, margin) if wider == margin else wider > margin
