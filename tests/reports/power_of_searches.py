"""How often a search for one board confirms a change, and what that change truly leaves, on games of known effects.

`python -m tests.reports.power_of_searches [--boards 200]` prints the figures of docs/statistics.md on searches.
"""

from __future__ import annotations

import argparse

import numpy as np
import pytest

from reports.studies.parts.parts import faction_and_parts
from reports.studies.search.engine import search_changes
from reports.studies.search.goals import fair_goal
from reports.studies.search.search_report import confirmed_changes
from reports.studies.search.space import arm_changes
from sim.runs.config import RunConfig, make_plan
from tests.reports.made_up_arms import MadeUp

BOARD = "Rhodos B"
NUMBERS = (
    "coins_start", "stage.1.effects.1.vp", "stage.1.effects.2.shields", "stage.2.effects.1.vp",
    "stage.2.effects.3.coins",
)  # fmt: skip
MARGIN = 0.01


def searched(seed: int, games: int, *, quick: bool) -> tuple[bool, float]:
    """Search a board that is 2 to 15 points off; tell whether a change is confirmed, and what it truly leaves."""
    rng = np.random.default_rng(seed)
    plan = make_plan(RunConfig(game="seven_wonders", players=4, strategies=["balanced"], seed=100 * seed + 1))
    effects = {f"wonders.toml#{BOARD}.{name}": float(rng.uniform(0.008, 0.03)) for name in NUMBERS}
    game = MadeUp(plan, {BOARD: float(rng.uniform(0.02, 0.15) * rng.choice([-1, 1]))}, effects, own=0.1)
    number, parts = faction_and_parts(plan.game, plan.data, BOARD)
    with pytest.MonkeyPatch.context() as patch:
        game.played_with(patch)
        found = search_changes(plan, fair_goal(plan, MARGIN, [number]), games, quick=quick, parts=parts, jobs=1)
    return bool(confirmed_changes(found)), float(game.edge_of(tuple(arm_changes(found.arm)))[number])


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description="Count how often searches confirm a change.")
    asked.add_argument("--boards", type=int, default=200)
    boards = range(asked.parse_args().boards)
    for games, quick in ((4000, True), (1500, True), (4000, False)):
        found = [searched(seed, games, quick=quick) for seed in boards]
        left = np.abs([edge for confirmed, edge in found if confirmed])
        print(
            f"{games:,} games{', quick' if quick else ', refined'}: confirmed for {len(left)} of {len(boards)} boards;"
            f" {np.sum(left <= MARGIN)} of these truly within the margin, at most {100 * left.max():.2f} points left",
            flush=True,
        )
