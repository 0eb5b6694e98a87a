"""What `soak` finds in games in plain Python, and where."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from sim.diagnostics.soak import soak
from sim.diagnostics.soak_plain import check_plain_stretch
from sim.runs.config import RunConfig, make_plan
from tests.plain.conftest import edited

FAULTS = {
    "the global random": (
        "state.row.append(state.deck.pop())",
        "import random; state.row.append(state.deck.pop(random.randrange(len(state.deck))))",
        r"trade\.py:\d+: the game draws from the global random",
    ),
    "the order of a set": (
        'return ["work", *(',
        "return [*{'work', 'rest', 'nap'}] if own < 9 else [*(",
        r"trade\.py:\d+: game \d+ .* in another process",
    ),
    "a state shared between games": (
        "state.deck = [good",
        "self.log.append(1); state.deck = [self.data['good'][len(self.log) % 3]] + [good",
        r"trade\.py:8, field Trade\.log: .*: this outlives a game",
    ),
    "a list of the module": (
        "state.turn += 1",
        "MOVES.append(1); state.coins[me] += len(MOVES) % 3; state.turn += 1",
        r"trade\.py:\d+, field MOVES: .*this is kept outside the state",
    ),
    "a default that is kept": (
        "def length(self, state):",
        "def length(self, state, seen=[]):\n        seen.append(1); state.coins[0] += len(seen) % 3",
        r"trade\.py:\d+, field Trade\.length: .*this is kept ",
    ),
    "a copy that shares": (
        "def check(self, state)",
        "def copy(self, state):\n        import copy\n        return copy.copy(state)\n\n    def check(self, state)",
        r"trade\.py:\d+, field state\.\w+: a copy of the state shares something",
    ),
    "options that show the deck": (
        'return ["work", *(',
        'return [f"work {state.deck[-1].name if state.deck else 0}", *(',
        r"trade\.py:\d+.*options of seat \d depend on what it cannot see",
    ),
    "a player who looks at the deck": (
        "return patience if",
        "return len(state.deck) and state.deck[-1].points if",
        r"trade\.py:\d+.*player saver depends on what its seat cannot see",
    ),
    "an invariant": (
        "min(state.coins) >= 0",
        "max(state.coins) < 3",
        r"trade\.py:\d+.*AssertionError: a guild has debts",
    ),
}
TEXTS = ("'nap'", 'f"work')
"""Marks of faults with options that are texts of another kind."""


def fault_of(games: int = 12) -> str:
    """Play some games of the file with all checks; return the failed one."""
    plan = make_plan(RunConfig(game="trade.py", strategies=["saver", "spender"]))
    return check_plain_stretch(plan, 0, games, np.random.default_rng(1), again=True)[0]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_and_named(trade: Path, fault: str) -> None:
    old, new, said = FAULTS[fault]
    edited(trade, old, new)
    if "self.log" in new:
        edited(trade, '    title = "Trade"', '    title = "Trade"\n    log = []')
    if "MOVES" in new:
        edited(trade, "class Trade", "MOVES = []\n\n\nclass Trade")
    if any(mark in new for mark in TEXTS):
        edited(trade, 'if option == "work":', "if isinstance(option, str):")
        edited(trade, 'return patience if option == "work"', "return patience if isinstance(option, str)")
    found = fault_of()
    assert found
    assert re.search(said, found), found


@pytest.mark.parametrize("game", [pytest.param("trade.py", marks=pytest.mark.sweep), "bids.py"])
def test_a_sound_game_is_clean(trade: Path, game: str) -> None:
    plan = make_plan(RunConfig(game=game, strategies=["random", "greedy"]))
    fault, moves, looks = check_plain_stretch(plan, 0, 8, np.random.default_rng(1), again=True)
    assert fault == ""
    assert moves > looks > 0


@pytest.mark.slow
@pytest.mark.usefixtures("trade")
def test_a_change_that_breaks_a_game_is_found() -> None:
    change = "trade.toml#rules.die=0"
    (violation,) = soak("trade.py", seconds=0, changes=[change]).violations
    assert "empty range" in violation.fault
    assert violation.again.endswith(f"--change '{change}'")


def test_every_seat_that_acts_at_the_same_time_is_watched(bids: Path) -> None:
    peek = "if state.seat == 1 and state.prizes:\n        return state.prizes[-1] * option\n    return -abs("
    edited(bids, "return -abs(", peek)
    plan = make_plan(RunConfig(game="bids.py", strategies=["matching"], players=2))
    fault = check_plain_stretch(plan, 0, 12, np.random.default_rng(1), again=False)[0]
    assert "player matching depends on what its seat cannot see" in fault
