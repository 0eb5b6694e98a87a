"""A game in plain Python plays in a process that is watched: one that hangs is ended with one message."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sim.compiler.source_digest import GUARDED
from sim.errors import UserError
from sim.players import sandbox
from tests.plain.conftest import edited

ENVIRONMENT = {name: value for name, value in os.environ.items() if name != GUARDED}
ENVIRONMENT["PYTHONPATH"] = str(Path(__file__).parents[2])
TRADE = "simulate trade.py --quiet --out runs/out --strategies saver --time-limit 1"


def play(command: str) -> tuple[int, str, str]:
    """Run a command of the program; return its status and what it prints."""
    words = [sys.executable, "-m", "sim.cli", *command.split()]
    done = subprocess.run(words, env=ENVIRONMENT, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


FOREVER = "while True: pass"
SLOW = "the game takes longer than 1 s for a decision (--time-limit)"
HANGS = {
    # where: (old text of the file, new text, what the message says)
    "in a move": ("state.turn += 1", FOREVER, SLOW),
    "in a player": ("return patience if", f"{FOREVER}\n    return patience if", SLOW),
    "at the top of the file": ("class Trade", f"{FOREVER}\nclass Trade", "importing the file takes longer than 1 s"),
}  # fmt: skip


@pytest.mark.parametrize(
    "where", [pytest.param(where, marks=pytest.mark.sweep if where == "in a player" else ()) for where in HANGS]
)
def test_a_game_that_hangs_is_ended(trade: Path, where: str) -> None:
    old, new, said = HANGS[where]
    edited(trade, old, new)
    status, out, err = play(f"{TRADE} --games 40 --jobs 1")
    assert (status, out) == (2, "")
    assert f"trade.py: {said}" in err
    assert not Path("runs/out").exists()


def test_a_worker_process_that_hangs_is_ended_too(trade: Path) -> None:
    edited(trade, "state.turn += 1", "state.turn += 1\n        while MAIN != os.getpid(): pass")
    edited(trade, "class Trade", f"MAIN = int(os.environ.setdefault('{MAIN}', str(os.getpid())))\n\n\nclass Trade")
    edited(trade, "from empirelab", "import os\n\nfrom empirelab")
    status, _, err = play(f"{TRADE} --games 60000 --jobs 2")
    assert status == 2
    assert "trade.py: the game takes longer than 1 s for a decision" in err


@pytest.mark.parametrize(
    "command",
    [
        "distil trade.py saver --from saver+1 --games 10 --fresh 24",
        pytest.param("train trade.py", marks=pytest.mark.sweep),
    ],
)
def test_a_search_that_hangs_is_ended(trade: Path, command: str) -> None:
    edited(trade, "state.turn += 1", "state.turn += 1\n        while state.turn == 2: pass")
    edited(trade, "    def setup", "    games = []\n\n    def setup")
    status, _, err = play(f"{command} --time-limit 1")
    assert status == 2
    assert f"trade.py: {SLOW}" in err


MAIN = "TRADE_MAIN_PROCESS"
"""Variable with the process that has read the game first."""


def test_a_slow_game_with_quick_moves_is_played(trade: Path) -> None:
    edited(trade, "state.turn += 1", "state.turn += 1\n        time.sleep(0.12)")
    edited(trade, "from empirelab", "import time\n\nfrom empirelab")
    status, _, err = play(f"{TRADE} --games 1 --jobs 1")
    assert (status, err) == (0, "")


def test_a_game_that_takes_too_much_memory_is_ended(trade: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edited(trade, "state.turn += 1", "state.turn += 1; HELD.append(b'1' * 10**7)")
    edited(trade, "class Trade", "HELD = []\n\n\nclass Trade")
    monkeypatch.setattr(sandbox, "memory_allowed", lambda: 5 * 10**8)
    monkeypatch.delenv(GUARDED)
    monkeypatch.setattr(sys, "argv", ["empirelab", *TRADE.split(), "--games", "2000", "--jobs", "1"])
    monkeypatch.setenv("PYTHONPATH", ENVIRONMENT["PYTHONPATH"])
    with pytest.raises(UserError, match=r"the game takes .* GB of memory, more than is still free"):
        sandbox.run_guarded(trade, 10.0, lambda _: None)
