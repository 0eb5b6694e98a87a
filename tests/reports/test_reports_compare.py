"""What differs between two runs is found, by how much, and no more often by chance than promised."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from synthetic import FACTIONS, Truth, renew_digests, write_run

from reports.data.load import load_run
from reports.drawing import figure_of
from reports.model import Section, Table
from reports.sections.compare.changes import Comparison, change_amount, comparison_sections
from reports.sections.core.opening import Turned, reach_words
from reports.statistics.compare.changes import independent, welch
from reports.studies.compare.compare import compare_runs, standings_of_picks
from sim.errors import UserError

PLAIN = dict.fromkeys(FACTIONS, 0.0)
FEW = {"plain": 0.0}
"""One strategy, so that no table crosses strategies with anything."""
SMALL = Truth(blocks=30, players=2, factions={"Rhodos A": 0.0, "Gizah B": 0.0}, strategies=FEW)
HELPED = PLAIN | {"Rhodos A": 6.0, "Gizah B": -6.0}


def compared(folder: Path, a: Truth, b: Truth, **manifest_b: Any) -> Comparison:
    runs = [load_run(write_run(folder / "a", a)), load_run(write_run(folder / "b", b, **manifest_b))]
    return compare_runs(runs[0], runs[1], "before", "after")


def words_of(sections: tuple[Section, ...]) -> str:
    return "\n".join(sentence for section in sections for sentence in section.sentences)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two runs on the same deals, in the second of which one side is helped and one hindered."""
    home, truth = tmp_path_factory.mktemp("helped"), Truth(blocks=1500, factions=PLAIN)
    changed = write_run(home / "b", replace(truth, factions=HELPED), changes=["cards.toml#x.vp=4"])
    return [write_run(home / "a", truth), changed]


@pytest.fixture(scope="module")
def helped(runs: list[Path]) -> Comparison:
    return compare_runs(*runs, "before", "after")


def test_the_headline_of_a_run_claims_the_rows_that_it_covers_and_no_others(helped: Comparison) -> None:
    balance = comparison_sections(helped)[1]
    assert {claim.said for claim in balance.claims} <= set(balance.sentences)
    after = [claim.subject for claim in balance.claims if claim.subject.endswith(", after")]
    assert after == [f"{claim.subject}, after" for claim in helped.verdicts[1].claims]
    assert any("Rhodos A" in subject for subject in after)


def test_what_was_changed_is_found_and_named(helped: Comparison) -> None:
    frame = helped.tables["faction"].frame
    # Shares add up, so the others move a little too: the widest changes come first.
    assert dict(frame.head(2).select("level", "flag").rows()) == {"Rhodos A": "up", "Gizah B": "down"}
    assert frame["change"][2] < frame["change"].abs()[1] / 5
    row = frame.row(by_predicate=pl.col("level") == "Rhodos A", named=True)
    assert row["low"] < row["change"] < row["high"]
    assert row["change"] == pytest.approx(row["edge_b"] - row["edge_a"])
    assert 5 < row["score_low"] < 6 < row["score_high"] < 7


def test_a_change_to_the_value_that_was_there_is_said_to_change_nothing(helped: Comparison) -> None:
    ore = Turned("Halikarnassos B", "stage 1 cost ore", "2", "2")
    same = replace(helped, turned=(ore,))
    assert same.sections[0].sentences == (
        "Nothing was changed, so nothing differs: Halikarnassos B, stage 1 cost ore is 2.",
    )
    other = replace(helped, turned=(ore, replace(ore, after="4")))
    assert "Nothing was changed" not in words_of(other.sections)


def test_a_margin_decides_what_is_out_of_balance_before_and_after(runs: list[Path], helped: Comparison) -> None:
    wide = compare_runs(*runs, margin=40.0)
    assert helped.standings[1]["faction", "Rhodos A"].state == "out"
    assert "Out of balance: Rhodos A" in helped.verdicts[1].headline
    assert {one.state for run in wide.standings for one in run.values()} == {"within"}
    assert wide.verdicts[1].headline.startswith(
        "Close to balance: all confirmed differences are smaller than 40 points."
    )
    assert "40 points" in wide.sections[0].reading
    with pytest.raises(UserError, match="margin out of range, in percentage points"):
        compare_runs(*runs, margin=0)


def test_what_seats_take_is_out_of_balance_from_the_margin_on() -> None:
    rows = [("Vikings", 0.03, 0.01), ("Franks", -0.015, 0.01), ("Khmers", 0.05, 0.06), ("Turks", 0.001, 0.01)]
    frame = pl.DataFrame(rows, schema=["level", "edge", "half"], orient="row")
    frame = frame.with_columns(family_low=pl.col("edge") - pl.col("half"), family_high=pl.col("edge") + pl.col("half"))
    table = Table("empire", "empire", frame)
    for margin, states in ((0.01, ["out", "out", "open", "open"]), (0.02, ["out", "open", "open", "within"])):
        assert [one.state for one in standings_of_picks(table, margin).values()] == states


def test_the_first_screen_of_a_comparison_has_no_words_of_statisticians(helped: Comparison) -> None:
    sections = comparison_sections(helped)
    shown = " ".join([words_of(sections), *(section.reading for section in sections)])
    shown += " ".join(column.title for section in sections for one in section.listings for column in one.shown)
    for word in ("MDE", "Holm", "block", "first minus second", "minus that in the first", ".toml"):
        assert word not in shown


def test_deals_in_common_save_games(helped: Comparison) -> None:
    assert helped.apart == ""
    savings = helped.tables["faction"].frame["saving"]
    assert savings.to_numpy().min() > 2
    assert "on the same deals, which is worth" in words_of(comparison_sections(helped))


def test_other_deals_are_compared_as_independent_runs(tmp_path: Path, runs: list[Path], helped: Comparison) -> None:
    other = compare_runs(runs[0], write_run(tmp_path / "b", Truth(blocks=1500, factions=HELPED, seed=2)))
    assert other.apart == "seed"
    wide, narrow = (run.tables["faction"].frame.sort("level")["error"].to_numpy() for run in (other, helped))
    # The luck of the deals counts in both runs: wider by the root of what sharing them would have saved.
    expected = np.sqrt(helped.tables["faction"].frame.sort("level")["saving"].to_numpy())
    assert (wide / narrow) == pytest.approx(expected, rel=0.1)
    assert other.tables["faction"].frame["saving"].null_count() == 14
    assert "do not share their deals (different seed)" in words_of(comparison_sections(other))


def test_the_shorter_run_decides_how_many_games_count(tmp_path: Path) -> None:
    run = compared(tmp_path, replace(SMALL, blocks=40), replace(SMALL, blocks=20))
    # The synthetic luck of a shorter run is another one, but the runs say that they share their deals.
    assert run.manifest_a.games == run.manifest_b.games == 40
    assert run.manifest_a.blocks == 20
    assert run.tables["seat"].frame["games"].to_list() == [40] * 2


def test_a_run_compared_with_itself_is_said_to_be_the_same(tmp_path: Path) -> None:
    run = load_run(write_run(tmp_path / "a", SMALL))
    same = compare_runs(run, tmp_path / ".." / tmp_path.name / "a")
    for table in same.tables.values():
        assert set(table.frame["flag"]) == {""}
        assert table.frame["change"].to_list() == [0.0] * table.frame.height
    assert same.sections[0].sentences == ("A run was compared with itself, so nothing differs.",)


def test_the_same_run_in_another_folder_is_known_by_its_parts(tmp_path: Path) -> None:
    folders = [write_run(tmp_path / name, SMALL, command=f"empirelab in {name}") for name in "abc"]
    part = next(folders[2].glob("seats/*.parquet"))
    pl.read_parquet(part).with_columns(pl.col("score") + 1).write_parquet(part)
    renew_digests(folders[2])
    same, other = (compare_runs(folders[0], folder) for folder in folders[1:])
    assert (same.same, other.same) == ("content", "plan")
    assert same.sections[0].sentences == ("Both folders hold the same run, so nothing differs.",)
    assert "have the same plan and play the same games" in words_of(comparison_sections(other))


def test_runs_of_different_games_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="runs of different games cannot be compared"):
        compared(tmp_path, SMALL, SMALL, game="catan")


def test_other_numbers_of_players_are_compared_by_their_edges(tmp_path: Path) -> None:
    three, four = (Truth(blocks=blocks, players=n, strategies=FEW) for blocks, n in ((600, 3), (450, 4)))
    run = compared(tmp_path, three, four)
    assert "players" in run.apart
    assert run.tables["faction"].frame["change"].null_count() == 0
    seat = run.tables["seat"].frame.row(by_predicate=pl.col("level") == "seat 3", named=True)
    assert (seat["change"], seat["edge_a"], seat["note"]) == (None, None, "only in the second run")


@pytest.mark.parametrize("times", [1, 12])
def test_however_long_a_change_is_its_legend_covers_nothing(helped: Comparison, times: int) -> None:
    change = ", ".join(["wonders.toml#Rhodos B.coins_start=5"] * times)
    figure = figure_of(replace(helped, title_b=change).sections[0].pictures[0].draw())
    figure.canvas.draw()
    (ax,) = figure.axes
    legend = ax.get_legend()
    assert legend is not None
    box, whole = legend.get_window_extent(), figure.bbox
    assert box.x0 >= whole.x0
    assert box.x1 <= whole.x1
    assert box.y1 <= whole.y1
    others = [ax.title, ax._left_title, *ax.texts, *ax.get_yticklabels()]  # type: ignore[attr-defined]
    for text in others:
        assert not text.get_text() or not box.overlaps(text.get_window_extent()), text.get_text()
    assert not box.overlaps(ax.get_window_extent())
    assert ax.get_window_extent().width > 0.4 * whole.width
    assert "".join(text.get_text() for text in legend.get_texts()).count("coins_start") == times


def table_of(edges: np.ndarray, errors: np.ndarray, blocks: int) -> Table:
    count = len(edges)
    frame = pl.DataFrame(
        {
            "level": [str(number) for number in range(count)],
            "edge": edges, "error": errors, "edge_low": edges, "edge_high": edges,
            "blocks": [blocks] * count, "games": [blocks] * count,
            "mean_score": edges, "mean_score_low": edges - 2 * errors, "mean_score_high": edges + 2 * errors,
        }
    )  # fmt: skip
    return Table("faction", "board", frame)


def test_independent_intervals_cover_the_truth_and_tests_keep_their_level() -> None:
    """5,000 comparisons at once: means of normal blocks, fewer and noisier ones in the second run."""
    rng = np.random.default_rng(11)
    rows, truth = 5000, 0.02
    samples = rng.normal(0.0, 0.4, (rows, 30)), rng.normal(truth, 0.8, (rows, 12))
    errors = [sample.std(axis=1, ddof=1) / sample.shape[1] ** 0.5 for sample in samples]
    tables = [table_of(s.mean(axis=1), e, s.shape[1]) for s, e in zip(samples, errors, strict=True)]
    frame = independent(tables[0], tables[1])
    covered = ((frame["low"] <= truth) & (truth <= frame["high"])).mean()
    assert 0.94 <= covered <= 0.96  # type: ignore[operator]
    means = [sample.mean(axis=1) for sample in samples]
    change, error, freedom = welch(means[0], means[1], errors[0], errors[1], np.full(rows, 30.0), np.full(rows, 12.0))
    from scipy import stats  # noqa: PLC0415

    slow = stats.ttest_ind(samples[1], samples[0], axis=1, equal_var=False)
    assert change / error == pytest.approx(slow.statistic)
    assert freedom == pytest.approx(slow.df)
    assert frame.sort(pl.col("level").cast(pl.Int64))["p"].to_numpy() == pytest.approx(slow.pvalue)


def test_a_sure_change_does_not_look_as_if_its_interval_touched_zero() -> None:
    row = {"change": 0.0054, "family_low": 0.0004, "family_high": 0.0104, "flag": "up"}
    assert change_amount(row) == "0.54 ± 0.50"
    assert change_amount(row | {"flag": ""}) == "0.5 ± 0.5"
    assert change_amount(row | {"change": 0.0123, "family_low": 0.0073, "family_high": 0.0173}) == "1.2 ± 0.5"


def test_a_change_of_shares_has_no_limits_beyond_what_shares_can_be(tmp_path: Path) -> None:
    few = Truth(blocks=2, factions=PLAIN, strategies=FEW)
    run = compared(tmp_path, few, replace(few, seed=2))
    frames = [table.frame.drop_nulls("low") for table in run.tables.values()]
    limits = np.concatenate([frame[name].to_numpy() for frame in frames for name in ("low", "high")])
    assert len(limits)
    assert np.abs(limits).max() == 1.0


def test_limits_of_edges_allow_for_other_fair_shares(tmp_path: Path) -> None:
    run = compared(tmp_path, *(Truth(blocks=2, players=players, strategies=FEW) for players in (3, 2)))
    limits = run.tables["seat"].frame.drop_nulls("low").select(pl.col("low").min(), pl.col("high").max()).row(0)
    # From a third to a half: an edge moves by 1/3 - 1/2 less than the share.
    assert limits == pytest.approx((1 / 3 - 1 / 2 - 1, 1 / 3 - 1 / 2 + 1))


def test_a_few_games_are_said_to_rule_nothing_out() -> None:
    wide = {"change": 0.5, "family_low": -1.0, "family_high": 1.0, "note": "few deals differ"}
    said = reach_words([wide], "board", "none moves by more than {} points")
    assert said == "too few games to rule out a change of any size"


def test_rows_of_which_nothing_is_known_are_counted_and_not_said_to_have_stayed() -> None:
    rows = [
        {"change": -0.5, "family_low": None, "family_high": None, "note": "one block"},
        {"change": 0.0, "family_low": None, "family_high": None, "note": "no variation"},
        {"change": 0.1, "family_low": -0.3, "family_high": 0.5, "note": ""},
    ]
    said = reach_words(rows, "board", "none moves by more than {} points")
    assert said == "none moves by more than 50.0 points; 1 board cannot be judged from these games"


def test_an_interval_that_ends_at_what_is_possible_is_told_by_its_limits() -> None:
    row = {"change": -0.6, "family_low": -1.0, "family_high": 0.5456, "flag": ""}
    assert change_amount(row) == "60.0, between -100.0 and +54.6"
