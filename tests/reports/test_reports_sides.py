"""Factions that differ in one thing only are compared pair by pair, each against the tables it sat at."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from synthetic import FACTIONS, WONDERS, Truth, rows, write_rows

from reports.data.load import Run, load_run
from reports.model import Section
from reports.render.format_cells import sheet
from reports.report import build_report
from reports.sections.compare.robustness import sides_section
from reports.sections.core.shares import share_report
from reports.statistics.compare.robustness import compare_pairs

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
    frame = dealt(60, {})
    assert section_of(tmp_path / "old", frame) is None
    assert section_of(tmp_path / "none", frame, exclusive="wonder", paired_attribute="") is None
    assert section_of(tmp_path / "alone", frame, exclusive="side", paired_attribute="side") is None


def test_the_report_holds_the_pairs(tmp_path: Path) -> None:
    report = build_report(run_of(tmp_path / "run", dealt(100, {}), **PAIRED))
    assert report.section("sides").title == "Pairs of one wonder"
