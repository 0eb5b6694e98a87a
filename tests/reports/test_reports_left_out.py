"""Findings with each player left out in turn, and players without hope."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from synthetic import Truth, play, write_run

from reports.data.load import load_run
from reports.data.moments import block_moments
from reports.model import Report, Table
from reports.render.export import csv_text
from reports.sections.compare.robustness import robustness_section
from reports.sections.core.shares import share_report
from reports.sections.core.summary import hopeless_words, how_many, range_of, range_words
from reports.statistics.compare.robustness import with_players_left_out
from reports.statistics.core.balance import balance_of
from reports.statistics.core.decisions import WITHOUT, decided, decisions_of
from reports.statistics.core.win_rate import family_probability, hopeless_players, t_quantile, win_rates

PLAYERS = ("greedy", "science", "trade")


def cells_of(edges: list[list[float]], error: float = 0.001) -> pl.DataFrame:
    """Edges of boards under three players, each with the same games; every player wins a quarter on average."""
    return pl.DataFrame({
        "level": np.repeat([f"board {row}" for row in range(len(edges))], 3), "strategy": list(PLAYERS) * len(edges),
        "games": 4000, "blocks": 1000, "edge": np.ravel(edges), "error": error,
    })  # fmt: skip


def left_out(edges: list[list[float]], hopeless: tuple[str, ...] = (), error: float = 0.001) -> pl.DataFrame:
    plain = [float(np.mean(row)) for row in edges]
    frame = pl.DataFrame({
        "level": [f"board {row}" for row in range(len(edges))], "edge": plain, "error": error / 2, "null": 0.25,
        "win_rate": [0.25 + edge for edge in plain], "p": 0.5, "note": "", "blocks": 3000,
        "family_low": [edge - 0.003 for edge in plain], "family_high": [edge + 0.003 for edge in plain],
    })  # fmt: skip
    strategies = pl.DataFrame({"level": PLAYERS, "error": [0.0005] * 3})
    return with_players_left_out(frame, cells_of(edges, error), strategies, hopeless, len(edges))


# Board 0 is fair on average, as it is bad in one player's hands; board 1 mirrors it; boards 2 and 3 are fair with all.
SWAYED = [[-0.06, 0.03, 0.03], [0.06, -0.03, -0.03], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]


def test_a_row_that_is_fair_on_average_alone_is_not_called_surely_fair() -> None:
    frame = left_out(SWAYED)
    first = frame.row(0, named=True)
    assert first["without_high"] == pytest.approx(0.03)
    assert first["without_high_player"] == "greedy"
    assert first["without_low"] == pytest.approx(-0.015)
    assert decisions_of(frame, 0.01).tolist() == ["depends on players"] * 2 + ["leave it"] * 2
    assert decisions_of(frame.drop(WITHOUT), 0.01).tolist() == ["leave it"] * 4
    assert range_of(first) == "-1.5 without science to +3.0 without greedy"


def test_whoever_has_no_hope_is_left_out_of_the_mean_and_of_the_range() -> None:
    first = left_out(SWAYED, hopeless=("greedy",)).row(0, named=True)
    assert first["kept_edge"] == pytest.approx(0.03)
    assert first["kept_low"] < 0.03 < first["kept_high"]
    assert {first["without_low_player"], first["without_high_player"]} <= {"science", "trade"}
    alone = left_out(SWAYED, hopeless=("greedy", "trade")).row(0, named=True)
    assert (alone["without_low"], alone["without_low_player"]) == (pytest.approx(0.03), "")
    assert range_of(alone) == "+3.0 for the one remaining player"


def test_the_counts_of_a_table_are_those_of_its_decisions() -> None:
    """What depends on players is not called undecided: no number of games would make it known."""
    frame = left_out(SWAYED)
    balance = balance_of(frame)
    assert (balance.within, balance.outside, balance.swayed, balance.unknown) == (2, 0, 2, 0)
    table = Table("faction", "board", decided(frame, 0.01, 1000))
    assert how_many(table) == "2 of 4 boards (2 depending on players)"
    (_, swayed), claims = range_words(table, frame.head(1).to_dicts())
    assert (claims[0].subject, claims[0].said) == ("board 0 without science", swayed)
    assert swayed == (
        "Depends on players (within 1 point over all of them, but not with one left out): "
        "board 0 (-1.5 without science to +3.0 without "
        "greedy) and board 1 (-3.0 without greedy to +1.5 without science). More games do not change that: choose "
        "which players count (--strategies)."
    )


def test_a_row_that_only_a_player_left_out_keeps_open_is_named() -> None:
    table = Table("faction", "board", decided(left_out([[0.0] * 3] * 4, error=0.01), 0.01, 1000))
    assert set(table.frame["decision"]) == {"more games"}
    said, claims = range_words(table, [])
    assert [one.partition(" (")[0] for one in said] == ["Undecided only because of single players"]
    assert [(one.kind, one.said) for one in claims] == [("within the margin", said[0])] * 4


def test_games_that_would_decide_are_enough_whoever_is_left_out() -> None:
    """Over all games the limits need hardly more; those with a player left out need far more."""
    frame = left_out([[0.0] * 3] * 4, error=0.01).with_columns(family_low=-0.0101, family_high=pl.lit(0.0101))
    more = decided(frame, 0.01, 1000)["more_games"].to_list()
    half = frame["without_high_limit"][0]
    alone = decided(frame.drop(pl.selectors.starts_with("without_")), 0.01, 1000)["more_games"].to_list()
    assert min(more) > max(1000 * ((half / 0.01) ** 2 - 1), *alone)


def test_few_games_under_one_player_leave_it_open_whether_a_row_is_fair() -> None:
    assert balance_of(left_out([[0.0] * 3] * 4)).within == 4
    assert balance_of(left_out([[0.0] * 3] * 4, error=0.01)).within == 0


def test_a_row_seen_beyond_the_margin_without_a_player_depends_on_players_only_if_that_is_sure() -> None:
    seen = [[-0.024, 0.012, 0.012], [0.024, -0.012, -0.012], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    sure, unsure = (decided(left_out(seen, error=error), 0.01, 1000) for error in (0.0005, 0.003))
    assert sure["decision"].to_list() == ["depends on players"] * 2 + ["leave it"] * 2
    assert unsure["decision"].to_list() == ["more games"] * 2 + ["leave it"] * 2
    more = unsure["more_games"].to_list()
    assert min(more[:2]) > 0
    # With so many more games, by the square root law, it is sure.
    shrunk = 0.003 / ((1000 + more[0]) / 1000) ** 0.5
    assert decided(left_out(seen, error=0.99 * shrunk), 0.01, 1000)["decision"][0] == "depends on players"


@pytest.mark.parametrize(("name", "keys"), [("faction", ["faction", "strategy"]), ("seat", ["seat", "strategy"])])
def test_edges_with_players_left_out_spread_as_their_limits_say(
    name: str, keys: list[str], scaled: Callable[..., int]
) -> None:
    runs, blocks = scaled(30, 30, full_count=400), 150
    names = {f"board {number}": 0.0 for number in range(6)}
    truth = Truth(blocks=runs * blocks, factions=names, strategies={"a": 6.0, "b": 0.0, "c": -3.0}, deal=5.0)
    seats = play(truth).lazy().with_columns(run=pl.col("block") // blocks)
    parts = [block_moments(seats, ["run", *one], 4).partition_by("run") for one in (keys, ["strategy"], [name])]
    z = []
    for crossed, plain, own in zip(*parts, strict=True):
        cells, strategies, rows = (
            win_rates(moments, of).rename({of[0]: "level"}).with_columns(pl.col("level").cast(pl.String))
            for moments, of in ((crossed, keys), (plain, ["strategy"]), (own, [name]))
        )
        cells = cells.with_columns(pl.col("strategy").cast(pl.String))
        found = with_players_left_out(rows, cells, strategies, (), rows.height)
        reach = t_quantile(rows["blocks"].to_numpy().astype(float), family_probability(rows.height))
        error = (found["kept_high"] - found["kept_low"]).to_numpy() / 2 / reach
        z.append(found["kept_edge"].to_numpy() / error)
        assert (found["without_low"] <= found["kept_edge"]).all()
        assert (found["without_low_limit"] <= found["kept_low"]).all()
    # One or two hundred deviates: their standard deviation is known to about 5 %.
    assert 0.85 < np.std(z) < 1.1


@pytest.mark.parametrize(("reach", "hopeless"), [(0.01, ["c", "b"]), (0.06, [])])
def test_only_who_surely_wins_less_than_a_fifth_of_the_fair_share_has_no_hope(
    reach: float, hopeless: list[str]
) -> None:
    players = pl.DataFrame({"level": list("abcde"), "win_rate": [0.5, 0.0, 0.02, 0.045, 0.06], "null": 0.25})
    reached = players.with_columns(family_high=pl.col("win_rate") - 0.25 + reach)
    assert hopeless_players(reached)["level"].to_list() == hopeless


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Two able players, and one who wins only where all are like him; board x is strong in the hands of both."""
    boards = {"x": 3.0} | {f"board {number}": 0.0 for number in range(5)}
    truth = Truth(blocks=1500, factions=boards, strategies={"science": 4.0, "trade": 0.0, "random": -45.0})
    return share_report(load_run(write_run(tmp_path_factory.mktemp("runs") / "random", truth)))


def test_the_report_names_who_has_no_hope_and_leaves_him_out_of_means(report: Report) -> None:
    said = [finding.headline for finding in report.findings if finding.tone == "caution"]
    assert any(one.startswith("Random (wins 1.3 %) wins less than a fifth of the fair share") for one in said)
    assert hopeless_words(report.tables["faction"]) == ""
    faction = report.tables["faction"].frame
    assert set(faction["without_low_player"]) == {"science", "trade"}
    assert faction["kept_edge"].max() > 1.2 * faction["edge"].max()  # type: ignore[operator]
    section = robustness_section(load_run(report.folder), (), report.tables)
    edges = next(listing.frame for listing in section.listings if listing.name == "edges faction by strategy")
    assert set(edges.filter(~pl.col("averaged"))["condition"]) == {"random"}
    assert {"left out faction", "left out seat"} <= {listing.name for listing in section.listings}


def test_the_verdict_and_all_files_carry_the_range_over_the_players(report: Report) -> None:
    assert "Confirmed balanced (±1 point, also with any one player left out): " in report.findings[0].headline
    details = " ".join(detail for finding in report.findings for detail in finding.details)
    row = report.tables["faction"].frame.row(0, named=True)
    assert f"Leaving out one player at a time: {row['level']} {range_of(row)}" in details
    head = csv_text(report).splitlines()[0].split(",")
    assert {"kept_edge", "without_low", "without_low_player", "without_high", "without_high_player"} <= set(head)


def test_a_run_of_one_player_has_nobody_to_leave_out(tmp_path: Path) -> None:
    report = share_report(load_run(write_run(tmp_path / "run", Truth(blocks=60, strategies={"a": 0.0}))))
    assert set(report.tables["faction"].frame["without_low"]) == {None}
    assert "whichever player" not in report.findings[0].headline
