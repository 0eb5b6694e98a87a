"""What games count besides seats and pieces: sums by place and period on a map, and outcomes against exact odds."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from synthetic import Truth, edit, renew_digests, write_run

from reports.data.check import check_run
from reports.data.load import load_run, tallies_shown, tally_sums
from reports.render.export import json_text
from reports.render.page import render
from reports.report import build_report
from reports.sections.course.place_maps import heat_sections
from reports.sections.course.results import odds_sections
from reports.statistics.course.results import against_odds
from sim.errors import UserError
from sim.game import load_game
from sim.runs.store.build_manifest import tally_entry
from sim.runs.store.manifest import TallyEntry
from tests.reports.conftest import Kept, at_terminal

TOWNS = ("Ur", "Uruk", "Eridu", "Lagash")
COLUMNS = ["held_1", "held_2", "held_3", "points_1", "points_2", "points_3"]
THROWS = {"fair": (0.5, 0.2, 0.3), "loaded": (0.6, 0.1, 0.3), "never": (1.0, 0.0, 0.0), "strange": None}
OUTCOMES = ["won", "tied", "lost"]
GAMES = 200


def tallies() -> list[dict[str, Any]]:
    towns = [{"name": name, "values": {"x": 10.0 * at, "y": float(at % 2), "group": "Sumer" if at < 3 else "East"},
              "near": [TOWNS[at - 1]] if at else []} for at, name in enumerate(TOWNS)]  # fmt: skip
    throws = [{"name": name, "values": dict(zip(OUTCOMES, odds, strict=True)) if odds else {}, "near": []}
              for name, odds in THROWS.items()]  # fmt: skip
    return [
        {"name": "town", "plural": "towns", "shows": "map", "columns": COLUMNS, "parts": {"points": 10}, "rows": towns},
        {"name": "throw", "plural": "throws", "shows": "odds", "columns": OUTCOMES, "rows": throws},
    ]


def write_tally(
    folder: Path, table: str, noun: str, names: tuple[str, ...], counts: np.ndarray, columns: list[str]
) -> list[dict[str, Any]]:
    """Write counts of shape (games, rows, columns) in two parts, without rows of 0; return the entries of the parts."""
    (folder / table).mkdir()
    parts: list[dict[str, Any]] = []
    for number, games in enumerate(np.array_split(np.arange(len(counts)), 2)):
        game, row = np.nonzero(counts[games].any(axis=2))
        frame = pl.DataFrame({
            "game": games[game].astype(np.uint32),
            noun: pl.Series(names, dtype=pl.Enum(names)).gather(row.astype(np.uint32)),
            **{name: counts[games[game], row, at].astype(np.uint16) for at, name in enumerate(columns)},
        })  # fmt: skip
        file = f"{table}/part-{number:06d}.parquet"
        frame.write_parquet(folder / file)
        parts.append({"file": file, "games": len(games), "rows": frame.height})
    return parts


@pytest.fixture(scope="module")
def counts() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(3)
    held = rng.integers(0, 2, (GAMES, 4, 6))
    held[:, :, 3:] *= rng.integers(0, 90, (GAMES, 4, 3))
    held[:, 3] = 0  # nobody ever comes to Lagash
    held[:, :, [2, 5]] = 0  # and no game lasts for three periods
    odds = ((0.5, 0.2, 0.3), (0.5, 0.2, 0.3), (1, 0, 0), (0.2, 0.3, 0.5))
    throws = np.stack([rng.multinomial(40, shares, GAMES) for shares in odds], axis=1)
    return {"towns": held, "throws": throws}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, counts: dict[str, np.ndarray]) -> Path:
    folder = write_run(
        tmp_path_factory.mktemp("tallies") / "run", Truth(GAMES // 4, factions={}, strategies={"a": 0.0, "b": 0.0})
    )
    shards = {
        "towns": write_tally(folder, "towns", "town", TOWNS, counts["towns"], COLUMNS),
        "throws": write_tally(folder, "throws", "throw", tuple(THROWS), counts["throws"], OUTCOMES),
    }
    edit(folder, lambda m: m.update(tallies=tallies(), tally_shards=shards))
    renew_digests(folder)
    return folder


# ---- Maps ----


def test_sums_are_those_of_all_games_and_rows_of_nothing_are_there(folder: Path, counts: dict[str, np.ndarray]) -> None:
    run = load_run(folder)
    (entry,) = tallies_shown(run, "map")
    sums = tally_sums(run, entry)
    assert sums["row"].to_list() == list(TOWNS)
    assert (sums.select(COLUMNS).to_numpy() == counts["towns"].sum(axis=0)).all()


def test_a_map_gives_means_per_game_of_the_periods_that_were_played(
    folder: Path, counts: dict[str, np.ndarray]
) -> None:
    (section,) = heat_sections(load_run(folder))
    frames = {listing.name: listing.frame for listing in section.listings}
    assert set(frames) == {"towns", "towns held", "towns points"}
    held = frames["towns held"].sort("town")
    assert held.columns == ["town", "group", "period 1", "period 2"]
    mean = counts["towns"].mean(axis=0)
    order = np.argsort(TOWNS)
    assert held["period 1"].to_list() == pytest.approx(mean[order, 0].tolist())
    # Points are counted in tenths.
    points = dict(zip(frames["towns"]["town"], frames["towns"]["points"], strict=True))
    assert points == pytest.approx(dict(zip(TOWNS, mean[:, 3:].sum(axis=1) / 10, strict=True)))
    assert frames["towns"]["points"].is_sorted(descending=True)


def test_the_map_has_a_panel_for_each_period_and_dots_as_large_as_what_was_counted(folder: Path) -> None:
    (section,) = heat_sections(load_run(folder))
    assert section.pictures[0].name == "towns held"
    ax = section.pictures[0].draw()
    texts = {text.get_text() for text in ax.texts}
    assert {"period 1", "period 2", "Sumer", "East"} <= texts
    assert not {"period 3", "Lagash"} & texts
    first = ax.collections[0]
    sizes = np.asarray(first.get_sizes())
    frame = section.listings[1].frame
    values = [frame.row(by_predicate=pl.col("town") == town, named=True)["period 1"] for town in TOWNS]
    assert np.argsort(sizes).tolist() == np.argsort(values).tolist()
    assert len(np.unique(np.asarray(first.get_offsets()), axis=0)) == len(TOWNS)


# ---- Odds ----


def test_dice_that_keep_to_their_odds_are_told_from_those_that_do_not(folder: Path) -> None:
    (section,) = odds_sections(load_run(folder))
    rows = {row["row"]: row for row in section.listings[0].frame.to_dicts()}
    assert {name: row["flag"] for name, row in rows.items()} == dict.fromkeys(THROWS, "") | {"loaded": "differs"}
    assert (rows["strange"]["won_exact"], rows["strange"]["p"]) == (None, None)
    assert rows["fair"]["won_low"] < 0.5 < rows["fair"]["won_high"]


def test_fair_dice_are_called_unfair_in_one_table_of_twenty() -> None:
    rng = np.random.default_rng(4)
    entry = TallyEntry(**tallies()[1])
    entry = entry.model_copy(update={"rows": [entry.rows[0], *([entry.rows[0]] * 4)]})
    alarms = 0
    for _ in range(100):
        thrown = rng.multinomial(120, (0.5, 0.2, 0.3), 5)
        counts = pl.DataFrame({"row": list("abcde"), **{name: thrown[:, at] for at, name in enumerate(OUTCOMES)}})
        alarms += (against_odds(entry, counts)["flag"] != "").any()
    assert 1 <= alarms <= 11


def test_an_outcome_that_cannot_be_is_no_chance_in_few_rolls_either() -> None:
    sure, rare, unknown = ((1.0, 0.0, 0.0), (0.9, 0.1, 0.0), (np.nan, 0.1, 0.0))
    odds = [{"name": name, "values": dict(zip(OUTCOMES, of, strict=True))} for name, of in
            (("never", sure), ("a", rare), ("b", unknown))]  # fmt: skip
    thrown = pl.DataFrame({"row": ["never", "a", "b"], "won": [99, 30, 30], "tied": [1, 1, 1], "lost": [0, 3, 3]})
    found = against_odds(TallyEntry(**{**tallies()[1], "rows": odds}), thrown)
    # A tie is expected 3.4 times in the second row. Of the third row the odds are not all known.
    assert found["p"].to_list() == [0.0, 0.0, None]
    assert found["flag"].to_list() == ["differs", "differs", ""]


def test_how_to_read_the_rows_is_said_in_the_words_of_the_game_alone(folder: Path, tmp_path: Path) -> None:
    limits = "Limits are those of independent throws (Clopper and Pearson 1934)."
    (section,) = odds_sections(load_run(folder))
    assert section.reading == limits
    other = Path(shutil.copytree(folder, tmp_path / "run"))
    edit(other, lambda m: m["tallies"][1].update(reading="Sticks are thrown by twos."))
    (section,) = odds_sections(load_run(other))
    assert section.reading == f"Sticks are thrown by twos. {limits}"


def test_what_a_game_says_of_its_counts_stands_in_the_manifest() -> None:
    game = load_game("history_of_the_world")
    data = game.load({})
    said = {tally.shows: (tally.reading, tally_entry(tally, data).reading) for tally in game.tallies}
    assert said["odds"][0]
    assert all(reading == told for reading, told in said.values())


# ---- Reports and damaged runs ----


@pytest.mark.usefixtures("without_figures")
def test_the_report_says_it_everywhere_and_as_kept(folder: Path, kept: Kept) -> None:
    report = build_report(folder)
    kept("tallies", {"towns and throws": [*heat_sections(load_run(folder)), *odds_sections(load_run(folder))]})
    small = replace(report, tables={"seat": report.tables["seat"]})
    for text in (render(small), json_text(small), at_terminal(small, full=True, width=160)):
        for word in ("Towns held, points", "Eridu", "Throws against the exact odds", "loaded"):
            assert word in text


def test_a_run_without_tallies_has_no_such_sections(tmp_path: Path) -> None:
    run = load_run(write_run(tmp_path / "run", Truth(blocks=20)))
    assert heat_sections(run) == ()
    assert odds_sections(run) == ()


PART = "towns/part-000001.parquet"
BREAKS: dict[str, tuple[Callable[[Path], object], str]] = {
    "gone": (lambda f: (f / PART).unlink(), "part of the run is missing"),
    "damaged": (lambda f: (f / PART).write_bytes(b"PAR1"), "checksum mismatch"),
    "games": (lambda f: edit(f, lambda m: m["tally_shards"]["towns"][0].update(games=3)), "tally_shards.towns"),
    "table": (
        lambda f: edit(f, lambda m: m["tally_shards"].update(cities=m["tally_shards"].pop("towns"))),
        "not a part of this table",
    ),
}


@pytest.mark.parametrize(("harm", "message"), BREAKS.values(), ids=BREAKS)
def test_a_damaged_tally_is_refused(harm: Callable[[Path], object], message: str, folder: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(folder, tmp_path / "run"))
    harm(other)
    with pytest.raises(UserError, match=message):
        check_run(other)


def test_a_whole_run_is_checked_and_a_tally_of_another_one_is_refused(folder: Path, tmp_path: Path) -> None:
    assert check_run(folder).parts == 5
    other = Path(shutil.copytree(folder, tmp_path / "run"))
    frame, names = pl.read_parquet(other / PART), pl.Enum([*TOWNS, "Babylon"])
    frame.with_columns(pl.col("town").cast(pl.String).cast(names)).write_parquet(other / PART)
    renew_digests(other)
    with pytest.raises(UserError, match="part of another run"):
        heat_sections(load_run(other))
