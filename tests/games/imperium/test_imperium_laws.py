"""Laws of the table that only Imperium has to prove: every nation meets every other."""

import pytest

from sim.rows import FACTION
from tests.kit.laws import check_games
from tests.kit.plans import plan_for


@pytest.mark.slow
@pytest.mark.usefixtures("compiled_only")
def test_every_pair_of_nations_plays_lawfully() -> None:
    rows = check_games(plan_for("imperium", "classics", 2, seed=99), 0, 800)
    pairs = {tuple(sorted(pair)) for pair in (rows[:, :, FACTION] // 2).tolist()}
    assert len(pairs) == 16 * 15 // 2
