"""What it is worth to play first, and the handicap that removes it: known points are found again."""

import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from synthetic import Truth, rows, write_rows

from reports.data.load import Run, load_run
from reports.sections.strength.first_player import first_player_section, first_players_section
from reports.statistics.strength.first_player import first_player


def run_of(folder: Path, points: int, blocks: int = 3000, players: int = 3, rotations: int = 1) -> Run:
    """Return games in which seat 0 has points more at the end and nothing else differs."""
    rng = np.random.default_rng(2)
    luck = rng.normal(0, 3, (blocks, players)).repeat(rotations, axis=0)
    score = 60 + luck + rng.normal(0, 8, (blocks * rotations, players))
    score[:, 0] += points
    seats = np.zeros_like(score, dtype=np.int64)
    truth = Truth(blocks=blocks, players=players, strategies={"balanced": 0.0})
    frame = rows(seats + np.arange(players), seats, np.rint(score).astype(np.int16),
                 np.arange(blocks).repeat(rotations), ["balanced"])  # fmt: skip
    return load_run(write_rows(folder / "run", frame, truth))


@pytest.mark.parametrize("points", [4, -3])
def test_the_points_of_the_first_player_are_found_and_taken_away(tmp_path: Path, points: int) -> None:
    run = run_of(tmp_path, points)
    first = first_player(run).filter(pl.col("number") == 0).row(0, named=True)
    assert first["handicap_low"] < -points < first["handicap_high"]
    assert first["handicap_high"] - first["handicap_low"] < 2
    assert first["left_low"] < 0 < first["left_high"]
    section = first_player_section(run)
    assert section is not None
    said = " ".join(section.sentences)
    wins, takes = ("more", "less") if points > 0 else ("less", "more")
    assert f"points {wins} than the fair share" in said
    assert re.search(f"with [0-9.]+ points {takes} .* the first player wins its fair share", said)
    assert {claim.kind for claim in section.claims} == {"out of balance", "price alone"}


def test_a_win_rate_by_hand_is_that_of_the_table(tmp_path: Path) -> None:
    run = run_of(tmp_path, 2, blocks=200, rotations=2)
    frame = first_player(run)
    seats = run.seats.collect()
    for row in frame.to_dicts():
        own = seats.filter(pl.col("seat") == row["number"])
        assert row["win_rate"] == pytest.approx(own["win"].mean())
        sums = own.group_by("block").agg(pl.col("win").sum(), pl.len())
        residual = (sums["win"] - row["win_rate"] * sums["len"]).to_numpy() / own.height
        error = np.sqrt(len(residual) / (len(residual) - 1) * (residual**2).sum())
        assert row["edge_high"] - row["edge"] == pytest.approx(1.972 * error, rel=1e-3)


def test_nothing_is_found_where_seats_are_equal(tmp_path: Path) -> None:
    section = first_player_section(run_of(tmp_path, 0))
    assert section is not None
    assert "no first-player advantage was found" in section.sentences[0]


def test_every_rung_of_a_ladder_has_its_first_player(tmp_path: Path) -> None:
    rungs = {name: run_of(tmp_path / name, points, 300) for name, points in (("random", 0), ("balanced", 5))}
    section = first_players_section(rungs, "rung")
    assert section is not None
    assert section.listings[0].frame["rung"].to_list() == ["random", "balanced"]
    assert section.listings[0].frame["handicap"][1] < -2


def test_runs_beside_each_other_have_one_table_by_number_of_players(tmp_path: Path) -> None:
    runs = {str(number): run_of(tmp_path / str(number), 5, 300, players) for number, players in enumerate((4, 3, 3))}
    section = first_players_section(runs, "run")
    assert section is not None
    assert section.listings[0].frame.select("players", "run").rows() == [(3, "1"), (3, "2"), (4, "0")]
    assert [said.partition(":")[0] for said in section.sentences[:2]] == ["3 players", "4 players"]
    assert "0 +" in section.sentences[1]
