"""A game in plain Python plays in a process that is watched: one that hangs is ended with one message."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from sim.cli import app
from sim.compiler.source_digest import GUARDED
from sim.players import sandbox
from tests.plain.conftest import command, edited

Watch = Callable[[str], Result]
TRADE = "simulate trade.py --quiet --out runs/out --strategies saver --time-limit 1"


@pytest.fixture
def watch(trade: Path, monkeypatch: pytest.MonkeyPatch) -> Watch:
    """Run a command of the program, which watches the game in a process of its own."""
    monkeypatch.delenv(GUARDED)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))

    def run(words: str) -> Result:
        monkeypatch.setattr(sys, "argv", ["empirelab", *words.split()])
        return CliRunner().invoke(app, words.split())

    return run


FOREVER = "while True: pass"
SLOW = "trade.py: the game takes longer than 1 s for a decision (--time-limit)"
HANGS = {
    # where: (old text of the file, new text, what the message says)
    "in a move": ("state.turn += 1", FOREVER, SLOW),
    "in a player": ("return patience if", f"{FOREVER}\n    return patience if", SLOW),
    "at the top": ("class Trade", f"{FOREVER}\nclass Trade", "trade.py: importing the file takes longer than 1 s"),
}  # fmt: skip


@pytest.mark.parametrize(
    "where", [pytest.param(where, marks=pytest.mark.sweep if where == "in a player" else ()) for where in HANGS]
)
def test_a_game_that_hangs_is_ended(trade: Path, watch: Watch, where: str) -> None:
    old, new, said = HANGS[where]
    edited(trade, old, new)
    done = watch(f"{TRADE} --games 40 --jobs 1")
    assert said in str(done.exception)
    assert done.stdout == ""
    assert not Path("runs/out").exists()


MAIN = "TRADE_MAIN_PROCESS"
"""Environment variable with the id of the process that read the game first."""


@pytest.mark.sweep
def test_a_worker_process_that_hangs_is_ended_too(trade: Path, watch: Watch) -> None:
    edited(trade, "state.turn += 1", "state.turn += 1\n        while MAIN != os.getpid(): pass")
    edited(trade, "class Trade", f"MAIN = int(os.environ.setdefault('{MAIN}', str(os.getpid())))\n\n\nclass Trade")
    edited(trade, "from empirelab", "import os\n\nfrom empirelab")
    assert SLOW in str(watch(f"{TRADE} --games 60000 --jobs 2").exception)


SEARCHES = ("distil trade.py saver --from saver+1 --games 10 --rounds 1 --fresh 24 --jobs 1", "train trade.py")


@pytest.mark.sweep
@pytest.mark.parametrize("command", SEARCHES)
def test_a_search_that_hangs_is_ended(trade: Path, watch: Watch, command: str) -> None:
    edited(trade, "state.turn += 1", "state.turn += 1\n        while state.turn == 2: pass")
    edited(trade, "    def setup", "    games = []\n\n    def setup")
    assert SLOW in str(watch(f"{command} --time-limit 1").exception)


MARKED = "sandbox.own_marks()['inside'][sandbox.IMPORTING{}:].any()"
"""Whether anything is marked as running: the import or a game, or with ` + 1` only a game."""


def test_a_file_is_marked_while_it_is_imported_and_a_game_while_a_search_plays_it(trade: Path) -> None:
    edited(trade, "state.turn += 1", f"state.turn += 1\n        assert {MARKED.format(' + 1')}")
    edited(trade, "class Trade", f"from sim.players import sandbox\n\nassert {MARKED.format('')}\n\n\nclass Trade")
    command(SEARCHES[0], "--out", "found.toml")
    assert not sandbox.own_marks()["inside"].any()


@pytest.mark.parametrize("words", ["simulate trade.py --games 9 --jobs 1", *SEARCHES, "tune trade.py saver"])
def test_commands_that_play_are_watched(watch: Watch, monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    watched: list[tuple[str, float]] = []

    def run_guarded(code: Path, seconds: float, _: object) -> int:
        watched.append((code.name, seconds))
        return 0

    monkeypatch.setattr(sandbox, "run_guarded", run_guarded)
    assert watch(f"{words} --time-limit 1").exit_code == 0
    assert watched == [("trade.py", 1.0)]


def test_a_slow_game_with_quick_moves_is_played(trade: Path, watch: Watch) -> None:
    edited(trade, "state.turn += 1", "state.turn += 1\n        time.sleep(0.12)")
    edited(trade, "from empirelab", "import time\n\nfrom empirelab")
    done = watch(f"{TRADE} --games 1 --jobs 1")
    assert (done.exit_code, done.stderr) == (0, "")


def test_a_game_that_takes_too_much_memory_is_ended(trade: Path, watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    edited(trade, "state.turn += 1", "state.turn += 1; HELD.append(b'1' * 10**7)")
    edited(trade, "class Trade", "HELD = []\n\n\nclass Trade")
    monkeypatch.setattr(sandbox, "memory_allowed", lambda: 5 * 10**8)
    said = str(watch(f"{TRADE} --games 2000 --jobs 1 --time-limit 10").exception)
    assert "trade.py: the game takes " in said
    assert " GB of memory, more than is still free" in said
