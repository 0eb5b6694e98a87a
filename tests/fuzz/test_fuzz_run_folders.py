"""Manifests and parts of runs changed at random are refused in words, or reported and told."""

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import strategies as st

from reports.data.load import load_run
from reports.render.export import csv_text, json_text
from reports.report import build_report
from sim.runs.config import RunConfig, RunRequest
from sim.runs.replay import replay
from sim.runs.simulate import play_request
from tests.fuzz.mutations import told, try_all, try_broken, try_changed

PART = "seats/part-000000.parquet"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run with all tables."""
    folder = tmp_path_factory.mktemp("runs") / "run"
    options: dict[str, Any] = {"players": [3, 4], "strategies": ["balanced", "random"], "detail": "cards", "seed": 3}
    config = RunConfig(game="seven_wonders", games=24, **options)
    play_request(RunRequest(config, folder, jobs=1), progress=False, say=lambda text: None)
    return folder


@pytest.fixture
def copy(run: Path, tmp_path: Path) -> Path:
    """A copy of the run that may be changed."""
    return shutil.copytree(run, tmp_path / "run")


def read(folder: Path) -> None:
    """Report on a run in all forms and tell a game of it; nothing beside the run is written."""
    before = sorted(folder.parent.rglob("*"))
    if (loaded := told(lambda: load_run(folder))) and (report := told(lambda: build_report(loaded))):
        assert json.loads(json_text(report))
        assert csv_text(report)
    told(lambda: replay(folder, 1))
    assert sorted(folder.parent.rglob("*")) == before


def test_changed_manifests_are_refused_in_words_or_reported(copy: Path, scaled: Callable[..., int]) -> None:
    manifest = json.loads((copy / "run.json").read_text("utf-8"))
    try_changed(copy / "run.json", manifest, lambda: read(copy), scaled(4, 2, 1500))


@pytest.mark.parametrize("name", ["run.json", PART])
def test_broken_manifests_and_parts_are_refused_in_words_or_reported(
    name: str, copy: Path, scaled: Callable[..., int]
) -> None:
    try_broken(copy / name, (copy / name).read_bytes(), lambda: read(copy), scaled(4, 2, 1000))


CHANGES = ("drop", "rename", "text", "null", "wild", "shuffle", "fewer", "twice", "negative")


def test_parts_of_other_content_are_refused_in_words_or_reported(
    run: Path, copy: Path, scaled: Callable[..., int]
) -> None:
    manifest, frame = json.loads((run / "run.json").read_text("utf-8")), pl.read_parquet(run / PART)

    def check(example: tuple[int, str]) -> None:
        number, how = example
        part = changed(frame, frame.columns[number % frame.width], how)
        part.write_parquet(copy / PART)
        entry = {"rows": part.height, "sha256": hashlib.sha256((copy / PART).read_bytes()).hexdigest()}
        shards = [manifest["shards"][0] | entry, *manifest["shards"][1:]]
        (copy / "run.json").write_text(json.dumps(manifest | {"shards": shards}), "utf-8")
        read(copy)

    try_all(st.tuples(st.integers(0, 1000), st.sampled_from(CHANGES)), check, scaled(4, 2, 1000))


def changed(frame: pl.DataFrame, name: str, how: str) -> pl.DataFrame:
    """A part with one column, or its rows, other than the run has written them."""
    column = pl.col(name)
    match how:
        case "drop":
            return frame.drop(name)
        case "rename":
            return frame.rename({name: f"{name}s"})
        case "text":
            return frame.with_columns(column.cast(pl.String))
        case "null":
            return frame.with_columns(pl.when(pl.int_range(pl.len()) > 3).then(column).alias(name))
        case "wild" if frame[name].dtype.is_numeric():
            return frame.with_columns(pl.lit(float("inf")).alias(name))
        case "negative" if frame[name].dtype.is_numeric():
            return frame.with_columns(-column.cast(pl.Int64))
        case "shuffle":
            return frame.with_columns(column.shuffle(seed=1))
        case "fewer":
            return frame.head(frame.height // 2)
        case _:
            return pl.concat([frame, frame])
