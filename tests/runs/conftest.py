"""Runs of several parts though they are small, and what of a run does not depend on when and how it was played."""

from pathlib import Path

import pytest

from sim.runs import run
from sim.runs.store.manifest import read_manifest

OF_THE_MOMENT = ("command", "started", "seconds", "playing_seconds", "writing_seconds", "jobs")


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of 60 and 30 games, so that a small run has several."""
    monkeypatch.setattr(run, "PART_GAMES", 60)
    monkeypatch.setattr(run, "PART_GAMES_OF_PIECES", 30)
    monkeypatch.setattr(run, "SHARD_GAMES", 20)
    monkeypatch.setattr(run, "SHARD_GAMES_WITH_PIECES", 15)


def parts(folder: Path) -> dict[str, bytes]:
    """Bytes of every part by its path in the run folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*.parquet"))}


def contents(folder: Path, *but: str) -> dict[str, object]:
    """All of a run but what its manifest says of the moment, and some other fields of it."""
    manifest = {name: said for name, said in read_manifest(folder).items() if name not in (*OF_THE_MOMENT, *but)}
    return {**parts(folder), "run.json": manifest}
