"""Laws that only Imperium has to prove: every nation meets every other, and whose accession card lies low."""

from collections.abc import Callable

import pytest

from sim.engine.result_rows import FACTION
from sim.games.imperium.rules.invariants import LAWS, broken_seat
from tests.games.imperium.tables import T, position
from tests.kit.laws import check_games
from tests.kit.plans import plan_for

AT_THE_BOTTOM = LAWS.index("the accession card stays at the bottom of the nation deck")


@pytest.mark.usefixtures("compiled_only")
def test_pairs_of_nations_play_lawfully(scaled: Callable[..., int]) -> None:
    games = scaled(160, 1, full_count=800)
    rows = check_games(plan_for("imperium", "classics", 2, seed=99), 0, games)
    pairs = {tuple(sorted(pair)) for pair in (rows[:, :, FACTION] // 2).tolist()}
    assert len(pairs) >= (16 * 15 // 2 if games >= 800 else 60)


@pytest.mark.parametrize(
    ("nation", "broken"),
    [
        (["Glory", "Nanda Dynasty", "Arthashastra"], -1),
        # Given by the Qin once they are an empire, and put there by Sacred Pass.
        (["Glory", "Nanda Dynasty", "Long Walls I"], -1),
        (["Nanda Dynasty", "Glory", "Arthashastra"], AT_THE_BOTTOM),
    ],
)
def test_only_the_own_accession_card_has_to_lie_at_the_bottom(nation: list[str], broken: int) -> None:
    g = position(nations=("Mauryans A", "Qin A"), nation={0: nation})
    assert broken_seat(g, T, 0) == broken
