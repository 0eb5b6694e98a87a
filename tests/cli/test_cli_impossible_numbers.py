"""Numbers that no computer can play, or that are none, are refused before anything is played."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

REBALANCE = ("rebalance", "seven_wonders", "--faction", "Rhodos B", "--knob", "coins_start")
HUGE = 99_999_999_999


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((*REBALANCE, "--low", "nan"), "field low: the knob does not take this value (found: nan)"),
        ((*REBALANCE, "--high", "inf"), "field high: the knob does not take this value (found: inf)"),
        ((*REBALANCE, "--low", "inf", "--high=-inf"), "the knob does not take this value"),
        ((*REBALANCE, "--jobs", 0), "field jobs: impossible number of jobs"),
        (("sweep", "sweep.toml", "--games", HUGE), "field games: not allowed here"),
        (("sweep", "sweep.toml", "--jobs", 0), "field jobs: impossible number of jobs"),
        (("tune", "seven_wonders", "civil", "--games", HUGE), "field games: too many to play"),
        (("tune", "seven_wonders", "civil", "--fresh", HUGE), "field fresh: too many to play"),
        (("tune", "seven_wonders", "civil", "--population", HUGE), "field population: too many to play"),
        (("tune", "seven_wonders", "civil", "--name", "a b/c"), "the name of a strategy must not contain a slash"),
        (("simulate", "seven_wonders", "--players", "3,,4"), "field players.2: not allowed here (found: '')"),
        (("simulate", "seven_wonders", "--until-width", 0), "allowed: above 0, at most 50"),
        (("plan", "seven_wonders", "--effect", 80), "allowed: 0.001 to 75 points"),
        (("plan", "seven_wonders", "--effect", 1e-9), "allowed: 0.001 to 75 points"),
        (("intervene", "seven_wonders", "--card", "Foo"), "unknown card"),
    ],
)
def test_a_number_that_cannot_be_is_refused(
    complaint: Callable[..., str], tmp_path: Path, words: tuple[object, ...], message: str
) -> None:
    vary = '[[vary]]\nchange = "cards.toml#altar.vp"\nvalues = [3, 30]\n'
    (tmp_path / "sweep.toml").write_text(f'game = "seven_wonders"\n{vary}')
    said = complaint(*words)
    assert message in said
    assert len(said) < 300


@pytest.mark.parametrize(
    ("width", "words"),
    [
        (30, "Stopped after 750 of at most 1,500 games: every strategy is known to ±"),
        (0.1, "Not reached after 1,500 games: ± 0.1 points was asked for, but "),
    ],
)
def test_a_run_says_whether_it_became_as_precise_as_asked(
    empirelab: Callable[..., Any], width: float, words: str
) -> None:
    asked = ("--games", 1500, "--players", 3, "--strategies", "random,greedy", "--until-of", "strategy")
    outcome = empirelab("simulate", "seven_wonders", *asked, "--until-width", width, "--out", "run")
    assert outcome.status == 0, outcome
    assert words in outcome.out


def test_a_comparison_of_unlike_lengths_says_what_it_leaves_out(empirelab: Callable[..., Any]) -> None:
    for name, games, strategy in (("long", 90, "random"), ("short", 30, "random"), ("one", 1, "greedy")):
        words = ("--games", games, "--players", 3, "--strategies", strategy, "--quiet", "--out", name)
        assert empirelab("simulate", "seven_wonders", *words).status == 0
    said = " ".join(empirelab("compare", "long", "short").out.split())
    assert "90 games of 3 players, seed 1; then 30 games of 3 players" in said
    assert "60 further games of the first run are left out" in said
    single = " ".join(empirelab("compare", "long", "one").out.split())
    assert "These runs allow no finding on changes: one block" in single
    assert "was found to change" not in single
