"""What `bench` measures and prints."""

import json
from pathlib import Path
from typing import Any

import pytest

from sim.data.declarations import GAMES
from sim.diagnostics import bench, bench_history
from sim.diagnostics.bench import measure_report
from sim.diagnostics.bench_history import compared, keep_measured
from sim.errors import UserError
from tests.cli.conftest import Message, Program

ASKED = ("bench", "seven_wonders", "--runs", 1, "--seconds", 0.01, "--no-start")


def test_a_small_run_is_measured_in_a_process_of_its_own(empirelab: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    report = {"games": 8, "seconds": 3.94, "memory_megabytes": 410.2}
    monkeypatch.setattr(bench, "measure_report", lambda folder, games: report if folder.is_dir() else games)
    outcome = empirelab(*ASKED, "--whole", 8, "--json")
    found = outcome.json
    assert [row["lineup"] for row in found["speed"]] == ["random", "eight heuristics mixed", "balanced"]
    assert found["start"] == []
    assert found["run"]["games"] == 8
    assert found["run"]["memory_megabytes"] >= 0
    assert found["report"] == {"games": 8, "seconds": 3.94, "memory_megabytes": 410.2}


def test_the_report_counts_once_its_code_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = iter([(60.0, 900.0), (4.0, 400.0)])
    asked = []

    def run(arguments: list[str], _: dict[str, str]) -> tuple[float, float]:
        asked.append(arguments[:3])
        return next(measured)

    monkeypatch.setattr(bench, "_run", run)
    assert measure_report(Path("run"), 8) == {"games": 8, "seconds": 4.0, "memory_megabytes": 400.0}
    assert asked == [["report", "run", "--html"]] * 2


def test_time_and_memory_of_the_report_are_printed_beside_the_others(
    empirelab: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = {
        "games": 100_000, "jobs": 2, "seconds": 6.2, "games_per_second": 16_129.0, "writing_share": 0.04,
        "size_megabytes": 3.0, "bytes_per_seat": 7.6, "memory_megabytes": 251.0,
    }  # fmt: skip
    report = {"games": 100_000, "seconds": 3.94, "memory_megabytes": 410.2}
    monkeypatch.setattr(bench, "measure_run", lambda *_: row)
    monkeypatch.setattr(bench, "measure_report", lambda *_: report)
    lines = empirelab(*ASKED, "--whole", 100_000).out.splitlines()
    assert lines[-2].startswith("run of 100,000 games, 2 workers: 6.2 s")
    assert lines[-1] == "report on 100,000 games: 3.9 s, 410 MB"


def test_no_whole_run_means_no_report(empirelab: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def unwanted(*_: Any) -> None:
        raise AssertionError

    monkeypatch.setattr(bench, "measure_report", unwanted)
    assert "report" not in empirelab(*ASKED, "--whole", 0).out


def test_a_measurement_of_no_time_is_refused(complaint: Message) -> None:
    for seconds in (0, -1, "nan", "inf"):
        message = complaint("bench", "seven_wonders", f"--seconds={seconds}")
        assert "not a length of time" in message


def measured(game: str, players: int = 4, games_per_second: float = 200.0) -> dict[str, Any]:
    """What is found of a game, as `sim.diagnostics.bench.bench` has it."""
    row = {
        "lineup": "random", "players": players, "games": 100, "runs": 1, "games_per_second": games_per_second,
        "slowest": 190.0, "fastest": 210.0, "decisions_per_second": 1.0, "options_per_second": 1.0, "mean_score": 1.0,
    }  # fmt: skip
    return {"game": game, "speed": [row], "start": [], "run": None, "report": None}


def test_speed_is_kept_and_compared_with_what_was_kept_last(
    empirelab: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    speeds = iter([200.0] * len(GAMES) + [250.0] * len(GAMES))
    monkeypatch.setattr(bench, "bench", lambda game, **_: measured(game, 4, next(speeds)))
    first = empirelab("bench", "all", "--keep", "kept")
    assert "share" not in first.out
    (kept,) = (tmp_path / "kept").glob("*.json")
    assert first.out.endswith(f"kept: {kept.relative_to(tmp_path)}\n")
    assert [game["game"] for game in json.loads(kept.read_text("utf-8"))["games"]] == list(GAMES)
    second = empirelab("bench", "all", "--keep", "kept").out
    assert f"CPU seconds of a game, as a share of those in {kept.relative_to(tmp_path)}:\n" in second
    for game in GAMES:
        assert f"  {game}, random, 4 players: 0.800\n" in second


def test_what_was_measured_is_told_where_it_cannot_be_kept(empirelab: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise UserError("cannot be written (No space left on device)", file="kept")

    monkeypatch.setattr(bench, "bench", lambda game, **_: measured(game))
    monkeypatch.setattr(bench_history, "write_all", full)
    outcome = empirelab("bench", "imperium", "--keep", "kept", status=2)
    assert "kept: cannot be written (No space left on device)" in outcome.err
    assert "(190-210)" in outcome.out


def test_what_was_measured_elsewhere_or_for_the_first_time_is_said(tmp_path: Path) -> None:
    file = keep_measured(tmp_path, [measured("imperium")])
    content = json.loads(file.read_text("utf-8"))
    file.write_text(json.dumps(content | {"machine": "an abacus"}), "utf-8")
    lines = compared(tmp_path, [measured("imperium"), measured("imperium", 2)])
    assert lines[1:] == [
        "  (measured on another machine: an abacus)",
        "  imperium, random, 4 players: 1.000",
        "  imperium, random, 2 players: new",
    ]


def test_what_was_kept_must_be_readable_before_anything_is_measured(complaint: Message, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "2026.json").write_text("{}", "utf-8")
    assert "2026.json: the last measurement cannot be read" in complaint("bench", "all", "--keep", "kept")
    (tmp_path / "kept" / "2027.json").write_text(
        '{"format": "empirelab-bench/1", "machine": "", "games": [{}]}', "utf-8"
    )
    assert "2027.json: the last measurement cannot be read" in complaint("bench", "all", "--keep", "kept")
    (tmp_path / "kept" / "2028.json").write_text('{"format": "other"}', "utf-8")
    assert "2028.json, field format: not written by this version" in complaint("bench", "all", "--keep", "kept")
    (tmp_path / "file").write_text("", "utf-8")
    assert "file, field keep: not a folder" in complaint("bench", "imperium", "--keep", "file")
    assert "field players: this option is for one game" in complaint("bench", "all", "--players", 3)
