"""What studies claim is false as seldom as they promise, and every sentence that claims something is a claim first."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from reports.claims import KINDS, Claim
from tests.reports.claims import STUDIES, counted, is_kept, mirror_match, shuffled


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_claims_something_false_in_at_most_one_world_of_twenty(name: str, scaled: Callable[..., int]) -> None:
    kinds, _ = counted(STUDIES[name].play(seed) for seed in range(scaled(STUDIES[name].worlds, 1, full_count=200)))
    for kind, count in kinds.items():
        false, of = (count.false_worlds, count.worlds) if KINDS[kind].per == "study" else (count.false, count.claims)
        assert is_kept(false, of, KINDS[kind].rate), f"{kind}: {false} of {of}"


def test_shuffling_keeps_who_won_and_gives_out_the_same_factions_within_each_block() -> None:
    run = mirror_match(400)
    mixed = shuffled(run, "faction", 1).seats.collect()
    seats = run.seats.collect()
    assert mixed.drop("faction").equals(seats.drop("faction"))
    assert not mixed["faction"].equals(seats["faction"])
    by_block = [frame.group_by("block").agg(frame["faction"].sort()).sort("block") for frame in (mixed, seats)]
    assert by_block[0].equals(by_block[1])


def test_a_claim_is_false_where_the_truth_lies_outside_its_limits() -> None:
    claim = Claim("out of balance", "Rhodos B", 0.05, 0.02, 0.08, "27 rows", "Rhodos B wins too often.")
    assert claim.false_of(0.0)
    assert not claim.false_of(0.05)


def test_a_claim_that_cannot_be_false_is_none() -> None:
    with pytest.raises(ValueError, match="cannot be false"):
        Claim("out of balance", "Rhodos B", 0.05, None, None, "27 rows", "Rhodos B wins.")
