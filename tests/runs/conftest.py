"""Runs of several parts though they are small, and what of a run does not depend on when and how it was played."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from sim.runs import run
from sim.runs.store.manifest import read_manifest

OF_THE_MOMENT = ("command", "started", "seconds", "playing_seconds", "writing_seconds", "jobs")


def set_sizes(patch: pytest.MonkeyPatch, part: int, part_of_pieces: int, shard: int, shard_with_pieces: int) -> None:
    """Set how many games parts and shards hold."""
    patch.setattr(run, "PART_GAMES", part)
    patch.setattr(run, "PART_GAMES_OF_PIECES", part_of_pieces)
    patch.setattr(run, "SHARD_GAMES", shard)
    patch.setattr(run, "SHARD_GAMES_WITH_PIECES", shard_with_pieces)


@pytest.fixture(scope="module")
def small_parts() -> Iterator[None]:
    """Parts of 60 and 30 games, so that a small run has several."""
    with pytest.MonkeyPatch.context() as patch:
        set_sizes(patch, 60, 30, 20, 15)
        yield


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "run"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def table_of(folder: Path, name: str = "seats") -> pl.DataFrame:
    """All rows of a table of a run."""
    return pl.read_parquet(folder / name / "*.parquet")


def parts(folder: Path) -> dict[str, bytes]:
    """Bytes of every part by its path in the run folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*.parquet"))}


def contents(folder: Path, *but: str) -> dict[str, object]:
    """All of a run but what its manifest says of the moment, and some other fields of it."""
    manifest = {name: said for name, said in read_manifest(folder).items() if name not in (*OF_THE_MOMENT, *but)}
    return {**parts(folder), "run.json": manifest}
