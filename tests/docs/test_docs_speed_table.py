"""The README's table of speed says what `make bench` has kept."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sim.diagnostics.bench_history import keep_measured
from sim.errors import UserError

ROOT = Path(__file__).parents[2]


@pytest.fixture
def maker(script: Callable[[str], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script, with its page and what was kept in the folder of the test."""
    module = script("make_speed_table")
    for name, value in {"ROOT": tmp_path, "KEPT_IN": tmp_path / "benchmarks", "PAGE": tmp_path / "README.md"}.items():
        monkeypatch.setattr(module, name, value)
    module.PAGE.write_text(f"Before\n{module.MARKS[0]}\nolder\n\n{module.MARKS[1]}behind\n", "utf-8")
    monkeypatch.setattr(sys, "argv", ["make_speed_table.py"])
    return module


def measured(random: float) -> list[dict[str, Any]]:
    """What `bench` finds of all games, in short."""
    speeds = {"random": random, "eight heuristics mixed": 2704.6, "balanced": 987.0}
    rows = [{"lineup": label, "players": 4, "games_per_second": speed} for label, speed in speeds.items()]
    return [{"game": game, "speed": rows} for game in ("seven_wonders", "imperium")]


def test_the_table_is_written_from_what_was_kept_last_and_compared_with_it(
    maker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = keep_measured(maker.KEPT_IN, measured(12_345.6))
    maker.main()
    page = maker.PAGE.read_text("utf-8")
    assert "| 7 Wonders, 4 | 12,300 | 2,700 | 987 |\n" in page
    assert f"[benchmarks/{file.name}](benchmarks/{file.name})" in page
    assert page.startswith("Before\n")
    assert page.endswith("behind\n")
    assert "older" not in page
    monkeypatch.setattr(sys, "argv", ["make_speed_table.py", "--check"])
    maker.main()
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | {"games": measured(13_000.0)}), "utf-8")
    with pytest.raises(SystemExit, match="the table is not of what was kept last"):
        maker.main()


def test_what_is_missing_is_told(maker: Any) -> None:
    with pytest.raises(SystemExit, match="nothing was kept"):
        maker.main()
    with pytest.raises(UserError, match="a line-up was not measured"):
        maker.speed_of(measured(1.0)[0]["speed"], "seven wonders")
    with pytest.raises(UserError, match="no place for the table"):
        maker.page_with("a page", "a table", maker.MARKS)


def test_the_readme_has_the_table_of_what_was_kept_last(maker: Any) -> None:
    page = (ROOT / "README.md").read_text("utf-8")
    assert all(mark in page for mark in maker.MARKS)
    kept = maker.last_kept(ROOT / "benchmarks")
    if kept is not None:
        file, content = kept
        assert maker.speed_table(content, file.relative_to(ROOT).as_posix()) in page
