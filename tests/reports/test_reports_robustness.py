"""The same balance under several conditions: what holds, what flips, and what cannot be told."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats
from synthetic import FACTIONS, WONDERS, Truth, play, rows, typed_manifest, with_fields, write_rows

from reports.data.load import Run, load_run
from reports.data.moments import block_moments
from reports.model import Report, Section
from reports.render.format_cells import sheet
from reports.report import build_report
from reports.sections.compare.robustness import robustness_section, sides_section
from reports.sections.core.shares import share_report
from reports.statistics.compare.robustness import (
    can_tell,
    compare_pairs,
    edge_at_fair_share,
    edges_under,
    null_test,
    run_names,
    verdicts,
)
from reports.statistics.core.win_rate import win_rates
from sim.errors import UserError

RNG_SEED = 31
FOUR = ("x A", "x B", "y A", "y B")
SCIENCE = {("science", board): 12.0 for board in FOUR}
"""A strategy that is strong with every faction."""


def favoured(
    favours: dict[tuple[str, str], float], blocks: int = 2000, players: int = 4, seed: int = 1
) -> pl.DataFrame:
    """Games in which a strategy has a strength of its own with a faction; everything else is alike."""
    strategies = ["science", "trade"]
    rng = np.random.default_rng(seed)
    faction = rng.random((blocks, 4)).argsort(axis=1).astype(np.uint8)[:, :players]
    strategy = rng.integers(0, 2, (blocks, players), dtype=np.uint8)
    strength = np.zeros((2, 4))
    for (name, board), value in favours.items():
        strength[strategies.index(name), FOUR.index(board)] = value
    score = np.rint(48 + strength[strategy, faction] + rng.normal(0, 9, (blocks, players))).astype(np.int16)
    return rows(faction, strategy, score, np.arange(blocks, dtype=np.uint32), strategies)


def truth(names: tuple[str, ...] = ("science", "trade")) -> Truth:
    return Truth(factions=dict.fromkeys(FOUR, 0.0), strategies=dict.fromkeys(names, 0.0))


def written(
    folder: Path, frame: pl.DataFrame, names: tuple[str, ...] = ("science", "trade"), **manifest: object
) -> Run:
    return load_run(write_rows(folder, frame, truth(names), **manifest))


def what_holds(section: Section, name: str) -> dict[str, str]:
    frame = next(listing.frame for listing in section.listings if listing.name == f"robustness {name}")
    return dict(frame.select("level", "verdict").rows())


def test_a_faction_strong_for_one_strategy_and_weak_for_another_flips(tmp_path: Path) -> None:
    favours = {("science", "x A"): 9.0, ("trade", "x A"): -9.0, ("science", "y B"): 9.0, ("trade", "y B"): 9.0}
    section = robustness_section(written(tmp_path / "run", favoured(favours)))
    verdicts_seen = what_holds(section, "faction by strategy")
    assert verdicts_seen["x A"] == "flips"
    assert verdicts_seen["y B"] == "strong"
    assert section.sentences[0].startswith("x A flips: strong for science (+")
    assert ", weak for trade (-" in section.sentences[0]
    assert "y B is too strong under both strategies." in section.sentences


def test_a_strong_strategy_makes_no_strong_faction(tmp_path: Path) -> None:
    section = robustness_section(written(tmp_path / "run", favoured(SCIENCE, seed=2)))
    for name in ("faction by strategy", "seat by strategy"):
        assert set(what_holds(section, name).values()) <= {"undecided", "fair", "fair under some"}


@pytest.mark.parametrize("name", ["faction", "seat"])
def test_errors_allow_for_cells_of_a_condition_that_meet_in_the_same_games(
    name: str, scaled: Callable[..., int]
) -> None:
    """Over many runs the edges spread as their errors say, although half the table plays the same strategy."""
    runs, blocks = scaled(60, 60, full_count=120), 200
    frame = favoured(SCIENCE, blocks=runs * blocks)
    seats = frame.lazy().with_columns(run=pl.col("block") // blocks)
    moments = [
        block_moments(seats, ["run", *keys], 4).partition_by("run") for keys in ([name, "strategy"], ["strategy"])
    ]
    z, alarms = [], 0
    for cells, totals in zip(*moments, strict=True):
        shares = win_rates(cells, [name, "strategy"]).rename({name: "level", "strategy": "condition"})
        total = win_rates(totals, ["strategy"]).select(condition="strategy", total_error="error")
        edges = edges_under(shares.join(total, on="condition", how="left"))
        z.append((edges["edge"] / edges["error"]).to_list())
        alarms += int(edges["verdict"].is_in(["strong", "weak"]).any())
    assert np.std(z) == pytest.approx(1, abs=0.06)
    assert alarms / runs <= 0.05 + 2.5 * np.sqrt(0.05 * 0.95 / runs)


def test_null_test_is_the_score_test_where_blocks_are_of_one_size() -> None:
    wins = np.random.default_rng(RNG_SEED).binomial(4, 0.4, 60)
    edge, residual = wins.mean() / 4 - 0.25, wins - wins.mean()
    error = np.sqrt(60 / 59 * (residual**2).sum()) / 240
    t = (wins - 1).sum() / np.sqrt(((wins - 1.0) ** 2).sum())
    expected = 2 * stats.t.sf(abs(t), 59)
    assert null_test(np.array([edge]), np.array([error]), np.array([60.0])) == pytest.approx(expected)


def conditions(edges: np.ndarray, error: float) -> pl.DataFrame:
    """Cells of many rows under a few conditions, shape (rows, conditions)."""
    many, few = edges.shape
    return pl.DataFrame({
        "level": np.repeat([f"row {i:04d}" for i in range(many)], few),
        "condition": np.tile(list("abcdefgh")[:few], many),
        "games": 4000, "blocks": 1000, "edge": edges.ravel(), "error": error, "null": 0.25,
    })  # fmt: skip


def test_conditions_that_are_alike_are_told_apart_in_one_row_of_twenty() -> None:
    edges = np.random.default_rng(RNG_SEED).normal(0, 0.01, (400, 4))
    rows_seen = verdicts(edges_under(conditions(edges, 0.01)))
    p = stats.chi2.sf(rows_seen["q"].to_numpy(), 3)
    assert (p < 0.05).mean() == pytest.approx(0.05, abs=3 * np.sqrt(0.05 * 0.95 / 400))
    assert set(rows_seen["verdict"]) <= {"undecided", "strong under some", "weak under some"}


def test_a_fair_game_has_a_flag_or_flip_in_at_most_one_table_of_twenty() -> None:
    edges = np.random.default_rng(RNG_SEED).normal(0, 0.01, (200, 14, 4))
    alarms = [bool(edges_under(conditions(table, 0.01))["verdict"].is_in(["strong", "weak"]).any()) for table in edges]
    assert np.mean(alarms) <= 0.05 + 2.5 * np.sqrt(0.05 * 0.95 / 200)


@pytest.mark.parametrize(
    ("edges", "verdict"),
    [
        ((0.05, 0.04, 0.06), "strong"),
        ((-0.05, -0.04, -0.06), "weak"),
        ((0.001, 0.0, -0.001), "fair"),
        ((0.05, 0.0, -0.05), "flips"),
        ((0.05, 0.0, 0.001), "depends"),
        ((0.05, 0.005, 0.04), "strong under some"),
        ((0.005, -0.005, 0.005), "undecided"),
    ],
)
def test_one_word_says_what_a_row_is_under_all_conditions(edges: tuple[float, ...], verdict: str) -> None:
    frame = verdicts(edges_under(conditions(np.array([edges]), 0.003)))
    assert frame["verdict"].to_list() == [verdict]


STRONG, WEAK = ({(name, "x A"): edge for name in ("science", "trade")} for edge in (9.0, -9.0))


def together(one: pl.DataFrame, two: pl.DataFrame) -> pl.DataFrame:
    """The games of two runs, one after the other."""
    return pl.concat([one, two.with_columns(pl.col("game", "block") + 2000)])


def of_four_and_two(
    favours_four: dict[tuple[str, str], float], favours_two: dict[tuple[str, str], float]
) -> pl.DataFrame:
    """Games of two and of four players in one run."""
    return together(favoured(favours_four), favoured(favours_two, players=2, seed=2))


def test_balance_by_number_of_players_is_compared_where_it_varies(tmp_path: Path) -> None:
    run = written(tmp_path / "run", of_four_and_two(STRONG, WEAK), players=[2, 4])
    section = robustness_section(run)
    assert what_holds(section, "faction by number of players")["x A"] == "flips"
    assert any(said.startswith("x A flips: strong for 4 players (+") for said in section.sentences)
    tables = share_report(run).tables
    nulls = dict(tables["players x faction"].frame.select("level", "null").unique().rows())
    assert nulls == {"2 players": pytest.approx(1 / 2), "4 players": pytest.approx(1 / 4)}
    assert tables["players x faction"].frame["mean_rank_null"].unique().sort().to_list() == [1.5, 2.5]
    assert {"players x seat", "players x strategy"} <= set(tables)


@pytest.mark.sweep
def test_balance_by_variant_is_compared_where_the_seats_name_it(tmp_path: Path) -> None:
    both, names = together(favoured(STRONG), favoured(WEAK, seed=2)), ["classic", "modern"]
    named = pl.Series(names, dtype=pl.Enum(names)).gather((both["game"] >= 2000).cast(pl.UInt32))
    run = written(tmp_path / "run", both.with_columns(variant=named), variants=names)
    section = robustness_section(run)
    assert what_holds(section, "faction by variant")["x A"] == "flips"
    assert any(said.startswith("x A flips: strong for classic (+") for said in section.sentences)
    assert set(what_holds(section, "seat by variant").values()) <= {"fair", "undecided", "fair under some"}
    assert {"variant x faction", "variant x seat", "variant x strategy"} <= set(share_report(run).tables)


def test_seats_of_large_tables_do_not_flip_because_all_edges_are_smaller_there(tmp_path: Path) -> None:
    section = robustness_section(written(tmp_path / "run", of_four_and_two(SCIENCE, SCIENCE), players=[2, 4]))
    assert not [said for said in section.sentences if said.startswith("seat") and "flips" in said]
    assert "robustness seat by strategy" not in [listing.name for listing in section.listings]
    assert "robustness seat by number of players" in [listing.name for listing in section.listings]


def test_temperatures_are_compared_over_the_strategies_that_play_at_all_of_them(tmp_path: Path) -> None:
    names = ("science", "science@0.5")
    favours = {("science", "x A"): 9.0, ("trade", "x A"): -9.0}
    strategies = [
        {"name": name, "base": "school", "description": "", "temperature": heat, "weights": {}, "source": ""}
        for name, heat in zip(names, (0.0, 0.5), strict=True)
    ]
    run = written(tmp_path / "run", favoured(favours), names, strategies=strategies)
    assert what_holds(robustness_section(run), "faction by temperature")["x A"] == "flips"
    apart = [{**row, "name": name} for row, name in zip(strategies, ("science", "trade"), strict=True)]
    other = written(tmp_path / "other", favoured(favours), strategies=apart)
    assert "temperature x faction" not in share_report(other).tables


def test_several_runs_are_conditions_named_by_what_differs(tmp_path: Path) -> None:
    first = written(tmp_path / "first", favoured(STRONG))
    second = written(tmp_path / "second", favoured({}, players=3), players=3)
    section = robustness_section(first, [second])
    edges = next(listing.frame for listing in section.listings if listing.name == "edges faction by run")
    assert edges["condition"].unique().sort().to_list() == ["3 players", "4 players"]
    assert what_holds(section, "faction by run")["x A"] in ("depends", "strong under some")
    # There is no seat 3 at a table of three.
    assert "undecided" in what_holds(section, "seat by run")["seat 3"]


def test_runs_are_named_by_what_differs_or_numbered() -> None:
    manifest = typed_manifest(truth(), 100, 25)
    assert run_names([manifest, manifest]) == ["run 1", "run 2"]
    assert run_names([manifest, with_fields(manifest, {"seed": 7})]) == ["seed 1", "seed 7"]
    starts = [with_fields(manifest, {"settings": {**manifest.settings, "start": coins}}) for coins in (5, 3)]
    assert run_names(starts) == ["start 5", "start 3"]
    several = [with_fields(manifest, {"players": players}) for players in ([3, 4], 4)]
    assert run_names(several) == ["3 or 4 players", "4 players"]


def test_runs_of_different_games_or_factions_are_refused(tmp_path: Path) -> None:
    run = written(tmp_path / "run", favoured({}, blocks=50))
    for field, value, words in (("game", "space_empires", "different games"),
                                ("factions", run.manifest.factions[:3], "the same factions")):  # fmt: skip
        other = replace(run, manifest=with_fields(run.manifest, {field: value}))
        with pytest.raises(UserError, match=words):
            robustness_section(run, [other])


def test_no_interval_contradicts_the_word_beside_it() -> None:
    edges = np.array([[0.2, -0.2, 0.2, -0.2]] * 5 + [[0.027, -0.026, 0.0, 0.0]])
    frame = edges_under(conditions(edges, 0.01))
    assert (frame.tail(4)["p"] < 0.05).any()
    strong, weak = (frame.filter(pl.col("verdict") == word) for word in ("strong", "weak"))
    assert (strong["edge_low"] > 0).all()
    assert (weak["edge_high"] < 0).all()


def test_a_seat_that_one_strategy_always_holds_says_why_it_is_not_tested() -> None:
    frame = conditions(np.array([[0.05, -0.02]]), 0.01).with_columns(total_error=0.01)
    alone = pl.concat([frame.head(1), frame.tail(1).with_columns(level=pl.lit("row 0001"))])
    edges = edges_under(alone)
    assert edges["p"].null_count() == 2
    assert edges["note"].to_list() == ["no variation"] * 2


def test_pictures_show_every_row_and_its_verdict(report: Report, run_folder: Path) -> None:
    section = robustness_section(load_run(run_folder), (), report.tables)
    ax = section.pictures[0].draw()
    assert sorted(label.get_text() for label in ax.get_yticklabels()) == sorted(report.tables["faction"].frame["level"])
    shown = [text.get_text() for text in ax.texts]
    assert all(verdict in shown for verdict in what_holds(section, "faction by strategy").values())


def test_synthetic_luck_of_a_deal_raises_no_flag_under_any_strategy(tmp_path: Path) -> None:
    fair = Truth(blocks=1500, factions=dict.fromkeys(FOUR, 0.0), strategies={"a": 3.0, "b": 0.0}, deal=6.0)
    section = robustness_section(load_run(write_rows(tmp_path / "run", play(fair), fair)))
    assert not {"flips", "strong", "weak"} & set(what_holds(section, "faction by strategy").values())


def under_players(shares: np.ndarray, games: int, rng: np.random.Generator | None = None) -> pl.DataFrame:
    """Cells of rows under players of any strength from true shares of shape (rows, players), one game a block."""
    many, few = shares.shape
    won = shares if rng is None else rng.binomial(games, shares) / games
    mean = won.mean(axis=0)
    return pl.DataFrame({
        "level": np.repeat([f"row {i:02d}" for i in range(many)], few),
        "condition": np.tile([f"player {i}" for i in range(few)], many),
        "games": games, "blocks": games, "null": 0.25, "edge": (won - 0.25).ravel(),
        "error": np.sqrt(won * (1 - won) / (games - 1)).ravel(),
        "total_error": np.tile(np.sqrt(mean * (1 - mean) / (many * games)), many),
    })  # fmt: skip


def alike(edge: float, means: list[float]) -> np.ndarray:
    """Shares of 14 rows; the odds of the first are everywhere those that make this edge at the fair share."""
    ratio = (0.25 + edge) / (0.75 - edge) * 3
    odds = np.array(means) / (1 - np.array(means))
    return np.vstack([ratio * odds / (1 + ratio * odds), np.tile(means, (13, 1))])


def test_a_point_must_be_there_to_win_and_to_lose() -> None:
    assert can_tell(np.array([0.0, 0.01, 0.02, 0.021, 0.05, 0.25, 0.979, 0.98, 1.0])).tolist() == [
        False, False, False, True, True, True, True, False, False,
    ]  # fmt: skip
    assert can_tell(np.array([0.03]), margin=0.02).tolist() == [False]


def test_players_without_wins_do_not_hide_that_a_row_is_strong_under_all_others() -> None:
    frame = edges_under(under_players(alike(0.1, [0.5, 0.3, 0.01, 0.0]), 20_000))
    assert set(frame.filter(pl.col("condition") == "player 2")["verdict"]) == {"cannot tell"}
    assert frame.filter(pl.col("condition") == "player 3")["edge"].null_count() == 14
    rows_seen = verdicts(frame)
    first = rows_seen.select("level", "verdict", "strong", "fair", "untold").row(0)
    assert first == ("row 00", "strong", 2, 0, 2)
    assert (rows_seen["fair"] + rows_seen["unknown"] + rows_seen["strong"] + rows_seen["weak"] == 2).all()


def test_where_nobody_can_tell_nothing_is_said() -> None:
    rows_seen = verdicts(edges_under(under_players(alike(0.1, [0.01, 0.0]), 20_000)))
    assert set(rows_seen["verdict"]) == {"cannot tell"}
    assert rows_seen["mean"].null_count() == 14


def test_a_row_is_strong_under_a_player_who_wins_one_game_in_twenty() -> None:
    frame = edges_under(under_players(alike(0.1, [0.4, 0.05]), 10_000, np.random.default_rng(RNG_SEED)))
    seldom = frame.filter(pl.col("condition") == "player 1").row(0, named=True)
    assert seldom["verdict"] == "strong"
    assert seldom["win_rate"] < 0.085
    assert seldom["edge_low"] < 0.1 < seldom["edge_high"]
    assert "strong" not in set(frame.filter(pl.col("level") != "row 00")["verdict"])


def test_the_mean_edge_of_a_row_is_not_drawn_to_players_who_seldom_win() -> None:
    rng, found = np.random.default_rng(RNG_SEED), []
    for _ in range(30):
        rows_seen = verdicts(edges_under(under_players(alike(0.1, [0.5, 0.35, 0.06, 0.01, 0.0]), 3000, rng)))
        found.append(rows_seen.filter(pl.col("level") == "row 00")["mean"][0])
    # Of 14 rows one is strong, so that the mean it is measured against lies a little above the others.
    assert np.mean(found) == pytest.approx(0.1, abs=0.012)


def test_limits_hold_the_truth_of_all_cells_in_19_tables_of_20_for_rare_winners_too(scaled: Callable[..., int]) -> None:
    rng, tables, held, alarms = np.random.default_rng(RNG_SEED), scaled(80, 80, full_count=2000), 0, 0
    means, fair = np.array([0.45, 0.2, 0.05]), np.full(3, 0.25)
    for _ in range(tables):
        frame = edges_under(under_players(np.tile(means, (14, 1)), 600, rng))
        alarms += int(frame["verdict"].is_in(["strong", "weak"]).any())
        held += int(((frame["edge_low"] <= 0) & (frame["edge_high"] >= 0)).all())
    spread = 2.5 * np.sqrt(0.05 * 0.95 / tables)
    assert alarms / tables <= 0.05 + spread
    assert held / tables >= 0.95 - spread
    assert edge_at_fair_share(means, means, fair) == pytest.approx(0)
    assert edge_at_fair_share(fair + 0.03, fair, fair) == pytest.approx(0.03)


PAIRED = {"exclusive": "wonder", "paired_attribute": "side"}


def dealt(blocks: int, strengths: dict[str, float], seed: int = 1, luck: float = 9.0) -> pl.DataFrame:
    """Games of four with different wonders, either side of each, who move one seat on within a block."""
    rng = np.random.default_rng(seed)
    takes = 2 * rng.random((blocks, len(WONDERS))).argsort(axis=1)[:, :4] + rng.integers(0, 2, (blocks, 4))
    deal = rng.normal(0, 5, (blocks, 4)) + np.array([strengths.get(name, 0.0) for name in FACTIONS])[takes]
    turn = (np.arange(4)[None, :] + np.arange(4)[:, None]) % 4
    faction, strength = (array[:, turn].reshape(4 * blocks, 4) for array in (takes, deal))
    score = np.rint(48 + strength + rng.normal(0, luck, strength.shape)).astype(np.int16)
    strategy = np.zeros(score.shape, np.uint8)
    return rows(faction.astype(np.uint8), strategy, score, np.repeat(np.arange(blocks, dtype=np.uint32), 4), ["civil"])


def run_of(folder: Path, frame: pl.DataFrame, **manifest: Any) -> Run:
    truth = Truth(factions=dict.fromkeys(FACTIONS, 0.0), strategies={"civil": 0.0})
    return load_run(write_rows(folder, frame, truth, **manifest))


def section_of(folder: Path, frame: pl.DataFrame, **manifest: Any) -> Section | None:
    run = run_of(folder, frame, **manifest)
    return sides_section(share_report(run).tables, run.manifest)


def test_the_side_that_wins_more_is_found_for_each_wonder(tmp_path: Path) -> None:
    section = section_of(tmp_path / "run", dealt(3000, {"Rhodos B": 5.0, "Gizah A": 4.0}), **PAIRED)
    assert section is not None
    frame = section.listings[0].frame
    flags = dict(frame.select("pair", "flag").rows())
    assert flags == dict.fromkeys(WONDERS, "") | {"Rhodos": "second wins more", "Gizah": "first wins more"}
    written = sheet(section.listings[0])
    assert set(written.tones) == {""}, "the colours of strong and weak belong to single factions"
    assert not {"strong", "weak"} & {cell.text for row in written.rows for cell in row}
    assert section.sentences[0] == "In 2 of 7 pairs of one wonder, one side wins more than the other."
    assert section.sentences[1].startswith("Rhodos: side B wins more than A, +")
    row = frame.filter(pair="Rhodos").row(0, named=True)
    assert row["difference"] == pytest.approx(row["first_share"] - row["second_share"])
    assert row["difference_low"] < row["difference"] < row["difference_high"] < 0
    claim = next(claim for claim in section.claims if claim.said == section.sentences[1])
    assert (claim.subject, claim.estimate) == ("Rhodos: B minus A", -row["difference"])
    assert (claim.low, claim.high) == (-row["family_high"], -row["family_low"])


def test_limits_hold_as_often_as_they_say_and_alike_sides_raise_no_flag(
    tmp_path: Path, scaled: Callable[..., int]
) -> None:
    """No side is better here: of many pairs the limits leave out 0 in one of twenty, and few tables raise any flag."""
    missed, alarms = [], 0
    runs = scaled(6, 4, full_count=80)
    for seed in range(runs):
        section = section_of(tmp_path / str(seed), dealt(150, {}, seed), **PAIRED)
        assert section is not None
        frame = section.listings[0].frame
        missed += (frame["difference_low"] * frame["difference_high"] > 0).to_list()
        alarms += int((frame["flag"] != "").any())
    assert np.mean(missed) == pytest.approx(0.05, abs=0.05)
    assert alarms <= max(3, runs // 8)


def test_one_block_each_says_nothing() -> None:
    names = {"faction": "x", "edge": 0.1, "error": None, "blocks": 1, "mean_score": 50.0, "share": 0.35}
    pair = {f"{place}_{name}": value for place in ("first", "second") for name, value in names.items()}
    frame = compare_pairs(pl.DataFrame([{"pair": "x", "first": "A", "second": "B", "games": 8, **pair}]))
    assert frame.select("flag", "note", "p", "difference_low").row(0) == ("", "too few blocks", None, None)


def test_a_game_without_pairs_has_no_such_section(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run", dealt(60, {}))
    tables = share_report(run).tables
    for pairing in ({}, PAIRED | {"paired_attribute": ""}, PAIRED | {"exclusive": "side"}):
        assert sides_section(tables, with_fields(run.manifest, pairing)) is None
    assert sides_section(tables, with_fields(run.manifest, PAIRED)) is not None


def test_the_report_holds_the_pairs(tmp_path: Path) -> None:
    report = build_report(run_of(tmp_path / "run", dealt(100, {}), **PAIRED))
    assert report.section("sides").title == "Pairs of one wonder"
