"""Picks: what a seat takes anew every period is weighed among its like, against what was put into made-up runs."""

import shutil
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from synthetic import Truth, edit, rows, write_pieces, write_rows

from reports.data import piece_counts as picks_data
from reports.data.load import Run, load_run
from reports.data.piece_counts import read_levels, read_picks
from reports.render.export import json_text
from reports.render.page import render
from reports.report import build_report
from reports.sections.core.shares import filter_data
from reports.sections.pieces.pieces import picks_section
from reports.statistics.compare.filter_stats import choices_of
from reports.statistics.core.adjusted import Adjusted, Adjustment, adjusted_levels
from reports.statistics.pieces.pick_values import edges_of_picks, paired_picks, pick_values
from reports.statistics.pieces.picks import INSEPARABLE, pick_findings
from sim.data.declarations import GAMES
from sim.errors import UserError
from sim.game import load_game
from sim.runs.store.build_manifest import picks_entry
from tests.reports.conftest import Kept, at_terminal

SEATS, PERIODS, EACH = 4, 3, 6
KINGDOMS = tuple(f"Kingdom {period}{letter}" for period in range(1, PERIODS + 1) for letter in "ABCDEF")
OMENS = tuple(f"Omen {period}{letter}" for period in range(1, PERIODS + 1) for letter in "ABCD")
MIGHTY, COVETED, LASTING = "Kingdom 2C", "Kingdom 3B", "Kingdom 1D"
"""Worth 6 points at once; worth nothing, but taken by the skilled; worth 4 points later."""
SKILL = 5.0
PICKS = {
    "period": "era", "kinds": {"kingdom": list(KINGDOMS), "omen": list(OMENS)}, "start": "military", "taken": "era",
    "draft_place": "place", "turn_place": "turn", "later": "later", "later_parts": 10,
}  # fmt: skip


def write_picks(
    folder: Path, games: int, seed: int = 1, deal: float = 2.0, by_place: bool = False, one_omen: bool = False,
    **manifest: Any,
) -> Path:  # fmt: skip
    """A run in which each of four seats takes a kingdom and an omen in each of three eras.

    Skill brings points in every era, being ahead costs some, and the games of a block share luck. If kingdoms go by
    place, each goes to one place by points; with one omen all seats take the same in the first era.
    """
    rng = np.random.default_rng(seed)
    block = np.arange(games, dtype=np.uint32) // 3
    skilled = rng.integers(0, 2, (games, SEATS))
    luck = rng.normal(0, deal, (block.max() + 1, SEATS, PERIODS))[block]
    score = rng.random((games, SEATS)).argsort(axis=1) + 1
    ends, table = [score], []
    for period in range(PERIODS):
        place = 1 + (score[:, None, :] > score[:, :, None]).sum(axis=2)
        kingdom = rng.random((games, EACH)).argsort(axis=1)[:, :SEATS] + EACH * period
        if COVETED in KINGDOMS[EACH * period : EACH * (period + 1)]:
            # Who is skilled changes places with whoever has it, if that one is not.
            for game in np.flatnonzero((kingdom == KINGDOMS.index(COVETED)).any(axis=1)):
                has = int(np.argmax(kingdom[game] == KINGDOMS.index(COVETED)))
                able = np.flatnonzero(skilled[game])
                if len(able) and not skilled[game, has]:
                    kingdom[game, [has, able[0]]] = kingdom[game, [able[0], has]]
        if by_place:
            kingdom = place - 1 + EACH * period
        omen = rng.random((games, 4)).argsort(axis=1) + 4 * period
        omen = np.zeros_like(omen) if one_omen and period == 0 else omen
        gain = 20 + SKILL * skilled + 1.5 * place + luck[..., period] + rng.normal(0, 4, score.shape)
        gain += 6.0 * (kingdom == KINGDOMS.index(MIGHTY))
        turn = 1 + (kingdom[:, None, :] < kingdom[:, :, None]).sum(axis=2)
        later = np.where(kingdom == KINGDOMS.index(LASTING), 40, 0) + rng.integers(0, 20, score.shape)
        score = score + np.rint(gain).astype(np.int64)
        ends.append(score)
        table += [(kingdom, place, turn, later, period), (omen + len(KINGDOMS), place, 0 * turn, 0 * later, period)]
    truth = Truth(blocks=1, factions={}, strategies={"plain": 0.0, "skilled": SKILL})
    frame = rows(np.zeros_like(skilled), skilled, score.astype(np.int16), block, list(truth.strategies))
    frame = frame.with_columns(
        pl.Series(name, end.ravel().astype(np.int16))
        for name, end in zip(("military", "score_age_1", "score_age_2"), ends[:-1], strict=True)
    )
    kept = {
        "pieces_offered": "offered", "detail": "cards", "picks": PICKS,
        "piece_events": [{"column": "era", "title": "taken", "taken": True, "in_play": True}],
    }  # fmt: skip
    write_rows(folder, frame, truth, **{**kept, **manifest})
    names = (*KINGDOMS, *OMENS)
    game, seat = (axis.ravel() for axis in np.indices(score.shape))
    parts = [
        pl.DataFrame({
            "game": game.astype(np.uint32), "seat": seat.astype(np.uint8),
            "card": pl.Series(names, dtype=pl.Enum(names)).gather(piece.ravel().astype(np.uint32)),
            "offered": np.ones(game.size, np.uint8), "era": np.full(game.size, 1 + period, np.uint8),
            "place": place.ravel().astype(np.uint8), "turn": turn.ravel().astype(np.uint8),
            "later": later.ravel().astype(np.uint16),
        })
        for piece, place, turn, later, period in table
    ]  # fmt: skip
    write_pieces(folder, pl.concat(parts).sort("game", "seat"), "cards")
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_picks(tmp_path_factory.mktemp("picks") / "run", 1800)


def row_of(frame: pl.DataFrame, level: str) -> dict[str, Any]:
    return frame.row(by_predicate=pl.col("level") == level, named=True)


# ---- What a page can be asked ----


def test_picks_of_each_period_can_be_asked_for_by_the_place_at_which_they_were_taken(folder: Path) -> None:
    run = load_run(folder)
    choices = choices_of(run)
    assert choices is not None
    tables = {sums.question.rows: sums for sums in choices.sums}
    periods = range(1, PERIODS + 1)
    assert list(tables)[:PERIODS] == [f"era {period}" for period in periods]
    taken = pl.concat(run.pieces or ()).filter(pl.col("card").cast(pl.String).is_in(KINGDOMS))
    joined = taken.join(run.seats, on=["game", "seat"]).with_columns(pl.col("card").cast(pl.String))
    for period in periods:
        sums, own = tables[f"era {period}"], joined.filter(pl.col("era") == period)
        assert sums.question.others == (f"place era {period}",)
        picks, places = choices.levels[f"era {period}"], choices.levels[f"place era {period}"]
        counted = {}
        for group in sums.groups:
            games = sum(blocks * sum(sums.companies[place][1::2]) for place, blocks in group["blocks"])
            place = None if group["keys"][3] == -1 else places[group["keys"][3]]
            counted[picks[group["keys"][2]], place] = games, sum(wins for _, wins in group["wins"])
        expected = {}
        for keys in (["card"], ["card", "place"]):
            for row in own.group_by(keys).agg(pl.len(), pl.col("win").cast(pl.Float64).sum()).collect().to_dicts():
                expected[row["card"], row.get("place")] = pytest.approx((row["len"], row["win"]), abs=1e-4)
        assert counted == expected


@pytest.mark.usefixtures("without_figures")
def test_the_page_asks_for_the_place_only_where_it_is_known(folder: Path, browser: Any, tmp_path: Path) -> None:
    report = build_report(folder)
    page_file = tmp_path / "page.html"
    page_file.write_text(render(replace(report, sections=()), asked=filter_data(load_run(folder))), encoding="utf-8")
    page = browser.new_page()
    page.goto(page_file.as_uri())
    page.locator("#ask svg").wait_for()
    assert page.get_by_label("Compare", exact=True).locator("option").first.inner_text() == "Kingdom, era 1"
    assert page.locator('#ask select[name="place era 1"]').is_visible()
    assert not page.locator('#ask select[name="place era 2"]').is_visible()
    assert "choose a place to compare seats that stood alike" in page.locator("#ask output").inner_text()
    page.get_by_label("Compare", exact=True).select_option("Kingdom, era 2")
    rows = page.locator('table[data-table="asked"] tbody tr')
    assert rows.count() == EACH
    every = sum(int(text.replace(",", "")) for text in rows.locator("td:nth-child(6)").all_inner_texts())
    page.locator('#ask select[name="place era 2"]').select_option("place 1")
    first = sum(int(text.replace(",", "")) for text in rows.locator("td:nth-child(6)").all_inner_texts())
    assert 0 < first < every == 1800 * SEATS
    page.close()


# ---- What is counted ----


def test_a_pick_has_the_points_of_its_period_and_a_tenth_of_what_is_counted_in_tenths(folder: Path) -> None:
    run = load_run(folder)
    rows = rows_of(run)
    assert len(rows["piece"]) == 1800 * SEATS * PERIODS * 2
    ends = run.seats.select("block", "military", "score_age_1", "score_age_2", "score").collect().rows()
    gains = [(block, period, after - before) for block, *points in ends
             for period, (before, after) in enumerate(pairwise(points))]  # fmt: skip
    kingdoms = [rows[name][rows["kind"] == 0].tolist() for name in ("block", "period", "points")]
    assert sorted(zip(*kingdoms, strict=True)) == sorted(gains)
    cards = pl.read_parquet(folder / "cards" / "*.parquet")
    assert rows["later"].sum() == pytest.approx(cards["later"].sum() / 10)
    assert rows["whole"] - rows["points"] == pytest.approx(rows["later"])


def test_small_stretches_give_the_same_figures(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = pick_findings(load_run(folder)).picks
    monkeypatch.setattr(picks_data, "ROWS", 999)
    parts = pick_findings(load_run(folder)).picks
    assert parts["level"].to_list() == whole["level"].to_list()
    for name in ("whole", "worth", "worth_low", "gain", "gain_high", "blocks"):
        assert np.allclose(parts[name].to_numpy(), whole[name].to_numpy()), name


def test_figures_agree_with_least_squares_written_out(folder: Path) -> None:
    run = load_run(folder)
    names, block, x, y = least_squares_of(run, 1, "whole")
    inverse = np.linalg.inv(x.T @ x)
    beta = inverse @ x.T @ y
    left = y - x @ beta
    scores = np.stack([(x * left[:, None])[block == one].sum(axis=0) for one in np.unique(block)])
    blocks, terms = scores.shape
    variance = blocks / (blocks - terms) * inverse @ scores.T @ scores @ inverse
    of_picks = x[:, : len(names)]
    contrast = np.hstack([np.eye(len(names)) - of_picks.mean(axis=0), np.zeros((len(names), terms - len(names)))])
    frame = pick_findings(run).picks
    for place, name in enumerate(names):
        row, own = row_of(frame, name), of_picks[:, place] > 0
        error = np.sqrt(contrast[place] @ variance @ contrast[place])
        assert row["worth"] == pytest.approx(contrast[place] @ beta)
        assert row["worth_high"] - row["worth"] == pytest.approx(1.96 * error, rel=0.01)
        assert row["whole"] == pytest.approx(y[own].mean())
        assert row["blocks"] == len(np.unique(block[own]))


def test_the_values_of_blocks_have_the_edges_and_the_intervals_of_the_report(folder: Path) -> None:
    run = load_run(folder)
    found = pick_findings(run).picks
    named = {"edge": "gain", "edge_low": "gain_low", "edge_high": "gain_high", "p": "gain_p", "period": "period",
             "games": "games"}  # fmt: skip
    for kind in ("kingdom", "omen"):
        edges = edges_of_picks(pick_values(run, kind)).sort("level")
        expected = found.filter(pl.col("kind") == kind).sort("level")
        assert edges["level"].to_list() == expected["level"].to_list()
        for name, of_report in named.items():
            assert edges[name].to_list() == pytest.approx(expected[of_report].to_list(), abs=1e-6)


def test_what_all_seats_take_has_no_edge_in_the_report_nor_in_a_comparison(tmp_path: Path) -> None:
    run = load_run(write_picks(tmp_path / "run", 600, one_omen=True))
    reported = row_of(pick_findings(run).picks, OMENS[0])
    assert (reported["gain"], reported["note"]) == (None, "too few games")
    values = pick_values(run, "omen")
    compared = row_of(edges_of_picks(values), OMENS[0])
    assert (compared["edge"], compared["p"], compared["note"]) == (None, None, "too few games")
    assert row_of(paired_picks(values, values), OMENS[0])["note"] == "too few games"


def test_a_change_of_a_pick_is_as_sure_as_leaving_out_blocks_one_by_one_says(tmp_path: Path) -> None:
    # The same lots, but the luck of the deal weighs more: the runs are alike where a deal decided nothing.
    runs = [load_run(write_picks(tmp_path / str(deal), 360, deal=deal)) for deal in (2.0, 3.0)]
    changed = paired_picks(*(pick_values(run, "kingdom") for run in runs))
    assert (changed["error"] > 0).all()
    assert changed["saving"].median() > 2  # type: ignore[operator]
    parts = [least_squares_of(run, 1, "surplus") for run in runs]
    names, blocks = parts[0][0], np.unique(parts[0][1])
    whole = [edges_by_hand(x, y) for _, _, x, y in parts]
    without = np.array([
        edges_by_hand(parts[1][2][parts[1][1] != block], parts[1][3][parts[1][1] != block])
        - edges_by_hand(parts[0][2][parts[0][1] != block], parts[0][3][parts[0][1] != block])
        for block in blocks
    ])  # fmt: skip
    error = np.sqrt((len(blocks) - 1) / len(blocks) * ((without - without.mean(axis=0)) ** 2).sum(axis=0))
    for place, name in enumerate(names):
        row = row_of(changed, name)
        assert row["change"] == pytest.approx(whole[1][place] - whole[0][place], abs=1e-6)
        assert row["error"] == pytest.approx(error[place], rel=0.1)


def rows_of(run: Run) -> dict[str, np.ndarray]:
    """All picks of a run, a column an array."""
    stretches = list(read_picks(run, read_levels(run)))
    return {name: np.concatenate([part[name] for part in stretches]) for name in stretches[0]}


def least_squares_of(run: Run, period: int, value: str) -> tuple[list[str], np.ndarray, np.ndarray, np.ndarray]:
    """Names of the kingdoms of a period; block, terms (kingdoms first) and a value of each row."""
    rows = rows_of(run)
    rows = {name: values[(rows["kind"] == 0) & (rows["period"] == period)] for name, values in rows.items()}
    terms = [(rows[name][:, None] == np.unique(rows[name])[None, skip:]).astype(float)
             for name, skip in (("piece", 0), ("standing", 1), ("strategy", 1))]  # fmt: skip
    names = [read_levels(run).pieces[piece] for piece in np.unique(rows["piece"])]
    return names, rows["block"], np.hstack(terms), rows[value]


def edges_by_hand(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Terms of the six kingdoms less their mean, each counted as often as it was taken."""
    beta = np.linalg.lstsq(x, y, rcond=None)[0][:EACH]
    return np.asarray(beta - (x[:, :EACH].mean(axis=0) * beta).sum())


# ---- What can be told apart ----


def made_rows(games: int = 600) -> dict[str, np.ndarray]:
    """Rows of three picks, places and strategies, two in each of the blocks; places bring 10 points each."""
    rng = np.random.default_rng(5)
    place, pick, strategy = rng.integers(0, 3, (3, games))
    points = 10.0 * place + 2.0 * (pick == 2) + rng.normal(0, 1, games)
    return {"block": np.arange(games) // 2, "group": np.zeros(games, np.int64), "pick": pick, "place": place,
            "strategy": strategy, "points": points}  # fmt: skip


def compare_picks(rows: dict[str, np.ndarray], *beside: str) -> Adjusted:
    comparison = Adjustment(("group", 1), ("pick", 3), tuple((name, 3) for name in beside))
    (found,) = adjusted_levels(lambda: [rows], (comparison,), ("points",))
    return found


def test_what_a_pick_brings_is_not_told_from_the_place_that_it_always_goes_with() -> None:
    rows = made_rows()
    found = compare_picks({**rows, "pick": rows["place"]}, "place", "strategy")
    assert not found.estimable.any()
    assert np.isnan(found.effect).all()
    assert np.isnan(found.p()).all()
    assert np.isfinite(found.mean).all()


def test_picks_in_two_separate_halves_are_not_set_against_the_mean_of_all() -> None:
    # The last pick goes with the last place and with no other, the first two go with either of the first two places.
    rows = made_rows()
    apart = {**rows, "pick": np.where(rows["place"] == 2, 2, rows["pick"] % 2)}
    assert not compare_picks(apart, "place").estimable.any()
    assert compare_picks(apart, "strategy").estimable.all()


def test_what_goes_together_beside_the_picks_changes_no_figure() -> None:
    rows = made_rows()
    once = compare_picks(rows, "place")
    twice = compare_picks({**rows, "strategy": (rows["place"] + 1) % 3}, "place", "strategy")
    assert twice.estimable.all()
    assert np.allclose(twice.effect, once.effect)
    assert np.allclose(twice.error, once.error)
    assert 0.9 < once.effect[0, 2, 0] < 1.7


def test_the_report_says_that_kingdoms_go_together_with_places(tmp_path: Path) -> None:
    run = load_run(write_picks(tmp_path / "run", 600, by_place=True))
    frame = pick_findings(run).picks
    kingdoms = frame.filter(pl.col("kind") == "kingdom")
    assert kingdoms["worth"].null_count() == kingdoms["p"].null_count() == kingdoms.height
    assert set(kingdoms["note"]) == {INSEPARABLE}
    assert frame.filter(pl.col("kind") == "omen")["worth"].null_count() == 0
    section = picks_section(run)
    assert section is not None
    assert section.sentences[0].startswith("Each kingdom is confounded with a place or a strategy")


# ---- What is found ----


def test_a_pick_that_brings_points_is_told_from_one_that_the_skilled_take(folder: Path) -> None:
    frame = pick_findings(load_run(folder)).picks
    mighty, coveted, lasting = (row_of(frame, name) for name in (MIGHTY, COVETED, LASTING))
    assert (mighty["flag"], lasting["flag"], coveted["flag"]) == ("above", "above", "")
    # Five of six kingdoms stand beside it, so that the mean of the era has a share of what it brings.
    assert mighty["worth_low"] < 6 * 5 / 6 < mighty["worth_high"]
    assert lasting["worth_low"] < 4 * 5 / 6 < lasting["worth_high"]
    assert mighty["gain_flag"] == "above"
    others = frame.filter((pl.col("kind") == "kingdom") & (pl.col("period") == 3) & (pl.col("level") != COVETED))
    # The plain mean of its owners is that of the skilled.
    assert coveted["points"] > others["points"].max() + 1
    assert frame.filter(pl.col("kind") == "omen")["flag"].unique().to_list() == [""]


def test_intervals_cover_what_was_put_in_and_false_alarms_are_rare(tmp_path: Path) -> None:
    inside = total = alarms = 0
    for seed in range(5):
        frame = pick_findings(load_run(write_picks(tmp_path / str(seed), 1200, seed))).picks
        for name, row in ((row["level"], row) for row in frame.to_dicts()):
            put_in = {MIGHTY: 6.0, LASTING: 4.0}.get(name, 0.0)
            mean = {(2, "kingdom"): 6.0 / EACH, (1, "kingdom"): 4.0 / EACH}.get((row["period"], row["kind"]), 0.0)
            inside += row["worth_low"] < put_in - mean < row["worth_high"]
            total += 1
            alarms += row["flag"] != "" and mean == 0.0
    assert 0.91 <= inside / total <= 0.99
    assert alarms <= 2


def test_places_by_points_say_what_being_behind_brings(folder: Path) -> None:
    draft = pick_findings(load_run(folder)).draft
    first = draft.filter(pl.col("period") == 1)
    assert first["level"].to_list() == ["1", "2", "3", "4"]
    for row in first.to_dicts():
        assert row["worth_low"] - 0.3 < 1.5 * (int(row["level"]) - 2.5) < row["worth_high"] + 0.3


def test_a_run_that_is_too_small_gives_means_alone(tmp_path: Path) -> None:
    run = load_run(write_picks(tmp_path / "run", 90))
    frame = pick_findings(run).picks
    assert frame["worth"].null_count() == frame.height
    assert frame["note"].unique().to_list() == ["too few games"]
    assert frame["points"].null_count() == 0
    section = picks_section(run)
    assert section is not None
    assert section.sentences[0].startswith("Of kingdoms only means are given: the run is too small")
    assert section.pictures == ()


# ---- What is shown ----


@pytest.mark.usefixtures("without_figures")
def test_the_report_says_it_everywhere_and_as_kept(folder: Path, kept: Kept) -> None:
    report = build_report(load_run(folder))
    section = report.section("picks")
    kept("picks", {"kingdoms and omens": [section]})
    small = replace(report, tables={"seat": report.tables["seat"]})
    for text in (render(small), json_text(small), at_terminal(small, full=True, width=160)):
        assert section.title in text
        assert MIGHTY in text
    assert section.listings[0].frame.height == len(KINGDOMS)


def test_how_the_draft_goes_is_said_in_the_words_of_the_game_alone(folder: Path, tmp_path: Path) -> None:
    run = load_run(folder)
    section = picks_section(run)
    assert section is not None
    words = {"draft": "the eldest chooses first", "reading": "Elders are wise."}
    other = picks_section(load_run(with_picks(folder, tmp_path / "run", words)))
    assert other is not None
    assert [sentence.replace(" (the eldest chooses first)", "") for sentence in other.sentences] == [*section.sentences]
    assert other.sentences != section.sentences
    assert other.reading == f"{section.reading} Elders are wise."


def with_picks(folder: Path, other: Path, changed: dict[str, Any]) -> Path:
    """A copy of a run whose manifest says something else of its picks."""
    edit(shutil.copytree(folder, other), lambda manifest: manifest["picks"].update(changed))
    return other


def test_a_game_without_picks_and_a_run_that_kept_none_have_no_section(folder: Path, tmp_path: Path) -> None:
    other = with_picks(folder, tmp_path / "run", {})
    edit(other, lambda manifest: manifest.update(picks=None))
    assert picks_section(load_run(other)) is None
    shutil.rmtree(other / "cards")
    edit(other, lambda manifest: manifest.update(piece_parts=[], detail="seats"))
    assert picks_section(load_run(other)) is None


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"taken": "century"}, "columns are missing: century"),
        ({"start": "treasure"}, "picks: not a name in this run"),
        ({"later_parts": 0}, "picks.later_parts: not allowed here"),
    ],
)
def test_a_manifest_that_names_what_is_not_there_is_refused(
    wrong: dict[str, Any], message: str, folder: Path, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=message):
        load_run(with_picks(folder, tmp_path / "run", wrong))


def test_what_a_game_declares_of_its_picks_fits_its_rows_and_its_score() -> None:
    with_pieces = [(game, game.pieces) for game in map(load_game, GAMES) if game.pieces]
    declared = [(game, pieces, pieces.picks) for game, pieces in with_pieces if pieces.picks]
    assert declared
    for game, pieces, picks in declared:
        columns = {column for column, _ in pieces.columns}
        assert {picks.taken, picks.draft_place, picks.turn_place, picks.later} <= columns
        assert picks.start in game.score_parts
        assert game.checkpoints
        for settings in game.data_sets:
            data = game.load(settings)
            assert len(picks.kinds(data)) == len(data.pieces)
            told = picks_entry(pieces, data)
            assert told is not None
            assert (told.draft, told.reading) == (picks.draft, picks.reading)
