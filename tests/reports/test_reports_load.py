"""A folder that cannot be trusted is refused with a message that says why."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from synthetic import Truth, edit, renew_digests, write_run

from reports.data import load
from reports.data.load import held_seats, load_run
from reports.report import build_report
from reports.sections.core.shares import share_report
from sim.errors import UserError

SMALL = Truth(blocks=30)
PART = "seats/part-000001.parquet"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_run(tmp_path / "run", SMALL, part_games=50)


def rewrite(folder: Path, change: Callable[[pl.DataFrame], pl.DataFrame]) -> None:
    """Change the rows of a part as one would who knows of digests."""
    change(pl.read_parquet(folder / PART)).write_parquet(folder / PART)
    renew_digests(folder)


def replace_part(folder: Path, change: Callable[[bytes], bytes]) -> None:
    (folder / PART).write_bytes(change((folder / PART).read_bytes()))
    renew_digests(folder)


def name_first_part(folder: Path, file: str) -> None:
    edit(folder, lambda manifest: manifest["shards"][0].update(file=file))


def link_out(folder: Path) -> None:
    """Put a link to a file elsewhere in place of a part."""
    (folder / PART).rename(folder.parent / "elsewhere.parquet")
    (folder / PART).symlink_to(folder.parent / "elsewhere.parquet")


def test_a_whole_run_loads_all_parts(folder: Path) -> None:
    run = load_run(folder)
    assert run.seats.select(pl.len()).collect().item() == 30 * 4 * 4
    assert run.manifest.title == "7 Wonders"


def test_a_report_takes_a_folder_as_well_as_a_run(folder: Path) -> None:
    assert build_report(str(folder)).manifest == load_run(folder).manifest
    with pytest.raises(UserError, match="no such run folder"):
        build_report("runs/none")
    with pytest.raises(UserError, match=r"this is not a Run \(found: 'int'\); allowed: load_run\(\"runs/first\"\)"):
        build_report(3)  # type: ignore[arg-type]


def foreign_name(frame: pl.DataFrame) -> pl.DataFrame:
    names = pl.Enum([*frame["faction"].dtype.categories, "Atlantis"])
    return frame.with_columns(pl.col("faction").cast(names))


BREAKS: dict[str, tuple[Callable[[Path], object], str]] = {
    "no folder": (shutil.rmtree, "no such run folder"),
    "no manifest": (lambda f: (f / "run.json").unlink(), "no run.json"),
    "not JSON": (lambda f: (f / "run.json").write_text("{"), "run.json, row 1: not valid JSON"),
    "not UTF-8": (lambda f: (f / "run.json").write_bytes(b"\xff\xfe"), "run.json, row 1: not UTF-8"),
    "a list": (lambda f: (f / "run.json").write_text("[]"), "run.json: not a JSON object"),
    "format": (lambda f: edit(f, lambda m: m.update(format="empirelab-run/0")), "not a run manifest"),
    "field gone": (lambda f: edit(f, lambda m: m.pop("score_parts")), "score_parts: this field is missing"),
    "field kind": (lambda f: edit(f, lambda m: m.update(games="many")), "games: not allowed here .found: 'many'"),
    "no strategy": (lambda f: edit(f, lambda m: m.update(strategies=[])), "strategies: wrong number of entries"),
    "same faction": (lambda f: edit(f, lambda m: m["factions"].append(m["factions"][0])), "a name occurs twice"),
    "attribute": (lambda f: edit(f, lambda m: m["factions"][3]["attributes"].pop("side")), "'side' is missing"),
    "reserved": (lambda f: edit(f, lambda m: m.update(faction_attributes=["seat"])), "reserved name of an attribute"),
    "shard field": (lambda f: edit(f, lambda m: m["shards"][0].pop("rows")), "shards.1.rows: this field is missing"),
    "shard kind": (lambda f: edit(f, lambda m: m.update(shards=["a"])), "shards.1: not allowed here"),
    "empty": (lambda f: edit(f, lambda m: m.update(games=0, shards=[])), "games: not allowed here .found: 0"),
    "unfinished": (lambda f: edit(f, lambda m: m["shards"].pop()), "hold 100 games, but the run has 120"),
    "too many": (lambda f: edit(f, lambda m: m.update(games=70)), "hold 120 games, but the run has 70"),
    "listed twice": (lambda f: edit(f, lambda m: m["shards"][0].update(file=PART)), "listed twice"),
    "seed": (lambda f: edit(f, lambda m: m.update(seed=-1)), "run.json.*seed"),
    "variants": (lambda f: edit(f, lambda m: m.update(variants="old")), "variants: not allowed here"),
    "counts": (lambda f: edit(f, lambda m: m.update(player_counts=[4])), "player_counts.1: not allowed here"),
    "count": (
        lambda f: edit(f, lambda m: m.update(player_counts=[{"players": 4, "variant": "old"}])),
        "player_counts.1.games: this field is missing",
    ),
    "variant of one part": (
        lambda f: rewrite(f, lambda t: t.with_columns(pl.lit("old", pl.Enum(["old"])).alias("variant"))),
        "other variants than in the first part",
    ),
    "certainty text": (lambda f: edit(f, lambda m: m["certainty"].update(confirmed="9")), "certainty.confirmed"),
    "certainty below 0": (lambda f: edit(f, lambda m: m["certainty"].update(confirmed=-9)), "certainty.confirmed"),
    "certainty null": (lambda f: edit(f, lambda m: m["certainty"].update(confirmed=None)), "certainty.confirmed"),
    "players": (lambda f: edit(f, lambda m: m.update(players=5)), "run.json.*players.*480 rows"),
    "dealt": (lambda f: edit(f, lambda m: m.update(factions_dealt=["Atlantis"])), "run.json.*factions_dealt"),
    "checkpoints": (lambda f: edit(f, lambda m: m.update(checkpoints=["score_age_9"])), "run.json.*checkpoints"),
    "checkpoints kind": (lambda f: edit(f, lambda m: m.update(checkpoints="coins")), "checkpoints: not allowed here"),
    "outside": (lambda f: name_first_part(f, "../a.parquet"), "shards.1.file: not allowed here"),
    "part gone": (lambda f: (f / PART).unlink(), "part of the run is missing"),
    "part cut": (lambda f: replace_part(f, lambda content: content[:-50]), "cannot be read as Parquet"),
    "part empty": (lambda f: replace_part(f, lambda content: b""), "cannot be read as Parquet"),
    "part linked": (link_out, f"{PART}: this part links to a place outside the run folder .found: .*elsewhere.parquet"),
    "part a circle": (
        lambda f: ((f / PART).unlink(), (f / PART).symlink_to((f / PART).name)),
        f"{PART}: this part cannot be read",
    ),
    "part a folder": (lambda f: ((f / PART).unlink(), (f / PART).mkdir()), "part of the run is missing"),
    "part of 5,000 letters": (lambda f: name_first_part(f, f"seats/{'p' * 5000}.parquet"), "file: not allowed here"),
    "part of 200 digits": (lambda f: name_first_part(f, f"seats/part-{'1' * 200}.parquet"), "file: not allowed here"),
    "no digest": (lambda f: edit(f, lambda m: m["shards"][0].update(sha256="")), "shards.1.sha256: not allowed here"),
    "a null": (lambda f: edit(f, lambda m: m.update(score_parts=["blue", None])), "score_parts.2: not allowed here"),
    "a column twice": (lambda f: edit(f, lambda m: m["score_parts"].append("win")), "score_parts: a name occurs twice"),
    "nested deep": (lambda f: (f / "run.json").write_text("[" * 100_000), "nested too deep"),
    "part foreign": (lambda f: shutil.copy(f / PART, f / "seats/part-000009.parquet"), "not listed in run.json"),
    "part short": (lambda f: rewrite(f, lambda d: d.head(12)), "holds 12 rows, the manifest says 200"),
    "column gone": (lambda f: rewrite(f, lambda d: d.drop("rank", "blue")), "columns are missing: rank, blue"),
    "column text": (lambda f: rewrite(f, lambda d: d.cast({"score": pl.String})), "not a column of numbers"),
    "blocks": (lambda f: rewrite(f, lambda d: d.cast({"block": pl.Float64})), "block: not a column of whole numbers"),
    "no names": (lambda f: rewrite(f, lambda d: d.with_columns(strategy=1)), "not a column of names"),
    "other names": (lambda f: rewrite(f, foreign_name), "Atlantis"),
}


def test_seats_of_a_small_run_are_held_and_those_of_a_large_one_stay_on_disk(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = load_run(folder)
    held = held_seats(run)
    assert held.seats.collect().equals(run.seats.collect())
    assert "DF [" in held.seats.explain()
    monkeypatch.setattr(load, "HELD_BYTES", 1000)
    assert held_seats(run) is run


@pytest.mark.parametrize(("damage", "message"), BREAKS.values(), ids=list(BREAKS))
def test_a_bad_folder_is_refused(folder: Path, damage: Callable[[Path], object], message: str) -> None:
    damage(folder)
    with pytest.raises(UserError, match=message):
        load_run(folder)


def test_every_flipped_bit_of_a_part_is_found(folder: Path, scaled: Callable[..., int]) -> None:
    whole = (folder / PART).read_bytes()
    rng = np.random.default_rng(5)
    for place, bit in zip(rng.integers(0, len(whole), scaled(40, 40, 500)), rng.integers(0, 8, 500), strict=False):
        flipped = bytearray(whole)
        flipped[place] ^= 1 << bit
        (folder / PART).write_bytes(flipped)
        with pytest.raises(UserError, match=f"{PART}, field sha256: checksum mismatch"):
            load_run(folder)
    (folder / PART).write_bytes(whole)
    assert load_run(folder)


def test_damage_that_comes_while_a_run_is_open_is_reported_and_not_counted(folder: Path) -> None:
    run = load_run(folder)
    replace_part(folder, lambda content: content[:4] + bytes(596) + content[600:])
    with pytest.raises(UserError, match="play"):
        share_report(run)


def test_a_run_folder_may_be_a_link_itself(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(folder)
    assert load_run(tmp_path / "link").manifest == load_run(folder).manifest


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.with_columns(win=pl.lit(0.0, pl.Float32)), "wins add up to"),
        (lambda d: d.with_columns(pl.when(pl.col("game") > 60).then("score").alias("score")), "without a value"),
        (lambda d: d.with_columns(pl.when(pl.col("game") > 60).then("faction").alias("faction")), "without a value"),
        (lambda d: d.with_columns(win=pl.lit(float("nan"), pl.Float32)), "field win: .*allowed: a finite number"),
    ],
)
def test_rows_that_contradict_themselves_are_refused(folder: Path, change: Any, message: str) -> None:
    rewrite(folder, change)
    with pytest.raises(UserError, match=message):
        share_report(load_run(folder))
