"""What `bench` measures and prints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Program

import sim.bench

ASKED = ("bench", "seven_wonders", "--runs", 1, "--seconds", 0.01, "--no-start")


def test_a_small_run_is_measured_in_a_process_of_its_own(empirelab: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    report = sim.bench.WholeReport(8, 3.94, 410.2)
    monkeypatch.setattr(sim.bench, "measure_report", lambda folder, games: report if folder.is_dir() else games)
    outcome = empirelab(*ASKED, "--whole", 8, "--json")
    assert outcome.status == 0
    found = json.loads(outcome.out)
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

    monkeypatch.setattr(sim.bench, "_run", run)
    assert sim.bench.measure_report(Path("run"), 8) == sim.bench.WholeReport(8, 4.0, 400.0)
    assert asked == [["report", "run", "--html"]] * 2


def test_time_and_memory_of_the_report_are_printed_beside_the_others(
    empirelab: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = sim.bench.WholeRun(100_000, 2, 6.2, 16_129.0, 0.04, 3.0, 7.6, 251.0)
    monkeypatch.setattr(sim.bench, "measure_run", lambda *_: row)
    monkeypatch.setattr(sim.bench, "measure_report", lambda *_: sim.bench.WholeReport(100_000, 3.94, 410.2))
    lines = empirelab(*ASKED, "--whole", 100_000).out.splitlines()
    assert lines[-2].startswith("run of 100,000 games, 2 workers: 6.2 s")
    assert lines[-1] == "report on 100,000 games: 3.9 s, 410 MB"


def test_no_whole_run_means_no_report(empirelab: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def unwanted(*_: Any) -> None:
        raise AssertionError

    monkeypatch.setattr(sim.bench, "measure_report", unwanted)
    assert "report" not in empirelab(*ASKED, "--whole", 0).out
