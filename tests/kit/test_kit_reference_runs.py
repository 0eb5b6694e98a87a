"""Reference runs come to what they came to when their digests were written (`make digests` plays all of them)."""

import polars as pl
import pytest

from sim.game import load_game
from tests.kit.reference_runs import RUNS, digest, kept, play

SMALL = [name for name, run in RUNS.items() if run.small]


@pytest.mark.usefixtures("compiled_only")
@pytest.mark.parametrize("name", SMALL)
def test_a_run_comes_to_what_it_came_to(name: str) -> None:
    assert play(RUNS[name]) == kept()[name]


def test_every_run_has_its_digests_and_small_ones_are_exact() -> None:
    assert kept().keys() == RUNS.keys()
    assert all(RUNS[name].exact for name in SMALL)
    for name, run in RUNS.items():
        tallies = {tally.plural for tally in load_game(run.options["game"]).tallies}
        counted = {"cards", *tallies} if run.options.get("detail") == "cards" else set()
        assert kept()[name].keys() == {"seats", *counted}


def test_a_digest_follows_every_value_name_and_type() -> None:
    frame = pl.DataFrame({"score": [1, 2], "rank": [2, 1]})
    others = [
        pl.DataFrame({"score": [1, 3], "rank": [2, 1]}),
        pl.DataFrame({"score": [1, 2], "place": [2, 1]}),
        frame.cast({"rank": pl.Int8}),
        frame.reverse(),
    ]
    assert digest(frame) == digest(frame.clone())
    assert len({digest(frame), *(digest(other) for other in others)}) == 1 + len(others)
