"""Compiled code is kept between processes, and made anew when any file it depends on has changed."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.jit import ROOT, cache_folder, compiled, drop_old_caches, kernel, source_digest, sources_of

STATE_FILE = "sim/games/seven_wonders/state.py"
ASK = """
import json
import numpy as np
from sim.games.seven_wonders.game import GAME
from strategies.seven_wonders import turns_left
g = GAME.new_games(1)[0]
g.age, g.turn = 2, 3
t = GAME.load({}).tables
value = turns_left(g, t)
print(json.dumps({"value": value, "coins": int(t.start_coins), "hits": sum(turns_left.stats.cache_hits.values()),
                  "misses": sum(turns_left.stats.cache_misses.values())}))
"""


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the project whose caches are its own."""
    for folder in ("sim", "strategies", "configs"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def edit(folder: Path, file: str, old: str, new: str) -> None:
    text = (folder / file).read_text("utf-8")
    assert text.count(old) == 1, f"{file} has {old!r} {text.count(old)} times"
    (folder / file).write_text(text.replace(old, new), "utf-8")


def kept(folder: Path) -> dict[str, int]:
    """Compiled files by name, with the time each was written."""
    return {str(path): path.stat().st_mtime_ns for path in (folder / "cache").rglob("*.nbc")}


@pytest.mark.usefixtures("compiled_only")
def test_an_edited_helper_in_another_file_takes_effect_and_all_else_is_read_from_the_cache(
    copied: Path, in_new_process: Callable[..., str]
) -> None:
    def ask() -> dict[str, Any]:
        return json.loads(in_new_process(ASK, cwd=copied, EMPIRELAB_CACHE=str(copied / "cache")))

    # Turn 3 of Age II is the ninth of eighteen: nine are left.
    assert ask() == {"value": 9.0, "coins": 3, "hits": 0, "misses": 1}
    first = kept(copied)
    assert first
    assert ask() == {"value": 9.0, "coins": 3, "hits": 1, "misses": 0}
    assert kept(copied) == first

    # Tables are arguments: an edited TOML file takes effect and compiles nothing.
    edit(copied, "configs/games/seven_wonders/rules.toml", "start_coins = 3", "start_coins = 5")
    assert ask() == {"value": 9.0, "coins": 5, "hits": 1, "misses": 0}
    assert kept(copied) == first

    # `turns_left` of strategies/seven_wonders.py calls `turn_of_game` of state.py.
    edit(copied, STATE_FILE, "(g.age - 1) * t.turns_per_age + g.turn - 1", "(g.age - 1) * t.turns_per_age + g.turn - 4")
    assert ask() == {"value": 12.0, "coins": 5, "hits": 0, "misses": 1}
    assert kept(copied).keys() > first.keys()


def test_the_sources_of_the_engine_are_all_files_whose_code_it_runs() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in sources_of(ROOT / "sim/games/seven_wonders/play.py")}
    rules = ("building", "conflicts", "effects", "log", "play", "scoring", "setup", "state", "tables", "trade", "turns")
    assert {f"sim/games/seven_wonders/{name}.py" for name in rules} <= names
    assert {"sim/rng.py", "sim/jit.py", "sim/players.py", "sim/lineups.py", "sim/batch.py"} <= names


def test_every_way_to_import_a_project_file_is_seen() -> None:
    """`sources_of` reads import lines: it sees only `from <module> import ...` and `import <module>`."""
    for package in ("sim", "strategies"):
        folders = {
            path.parent.relative_to(ROOT).as_posix().replace("/", ".") for path in (ROOT / package).rglob("*.py")
        }
        for path in (ROOT / package).rglob("*.py"):
            for line in path.read_text("utf-8").splitlines():
                words = line.split()
                if words[:1] == ["from"]:
                    assert not words[1].startswith("."), f"{path}: relative import"
                    assert words[1] not in folders, f"{path}: import names the file, not its folder: {line}"


def test_the_digest_of_sources_follows_every_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sim.jit.ROOT", tmp_path)
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    one.write_text("a = 1\n", "utf-8")
    other.write_text("b = 1\n", "utf-8")
    before = source_digest([one, other])
    assert before == source_digest([other, one])
    other.write_text("b = 2\n", "utf-8")
    assert source_digest([one, other]) != before


def test_old_caches_are_dropped_and_the_newest_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMPIRELAB_CACHE", str(tmp_path))
    module = tmp_path / "numba0-py3" / "sim.rng"
    for number in range(5):
        folder = module / f"digest{number}"
        folder.mkdir(parents=True)
        os.utime(folder, (1000 + number, 1000 + number))
    drop_old_caches(keep=2)
    assert sorted(path.name for path in module.iterdir()) == ["digest3", "digest4"]


def test_the_cache_stands_where_the_user_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMPIRELAB_CACHE", str(tmp_path))
    cache_folder.cache_clear()
    try:
        assert cache_folder(ROOT / "sim/rng.py").is_relative_to(tmp_path)
    finally:
        cache_folder.cache_clear()


@pytest.mark.usefixtures("compiled_only")
def test_a_kernel_of_somebody_elses_file_is_compiled_but_not_kept() -> None:
    @kernel
    def twice(number: int) -> int:
        return 2 * number

    assert twice(21) == 42
    assert type(twice._cache).__name__ == "NullCache"  # type: ignore[attr-defined]


def test_a_kernel_is_a_plain_function_when_nothing_is_compiled() -> None:
    def half(number: float) -> float:
        return number / 2

    assert (kernel(half) is half) == (not compiled())
    assert kernel(half)(np.float64(3.0)) == 1.5
