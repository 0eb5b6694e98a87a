"""Positions and moves made up at random, legal and illegal ones, come out as the slow model says, in every field."""

import random
from collections import Counter
from collections.abc import Callable

import pytest

from tests.games.imperial_settlers.naive_making import (
    by_engine,
    random_draft,
    random_position,
    random_start,
    where_they_differ,
    with_moves,
)

PARTS = range(4)


@pytest.mark.parametrize("part", PARTS)
def test_moves_of_the_action_phase(part: int, scaled: Callable[..., int]) -> None:
    for seed in range(scaled(7, 5, 500)):
        chance = random.Random(f"position {part} {seed}")
        assert where_they_differ(with_moves(chance, random_position(chance), 5)) == [], seed


@pytest.mark.parametrize("phase", ["production", "cleanup", "attack"])
def test_moves_from_other_phases_on(phase: str, scaled: Callable[..., int]) -> None:
    for seed in range(scaled(5, 4, 400)):
        chance = random.Random(f"{phase} {seed}")
        assert where_they_differ(with_moves(chance, random_position(chance, phase), 5)) == [], seed


def test_picks_from_the_middle_of_a_lookout_phase_on(scaled: Callable[..., int]) -> None:
    for seed in range(scaled(10, 6, 600)):
        chance = random.Random(f"draft {seed}")
        assert where_they_differ(with_moves(chance, random_draft(chance), 5)) == [], seed


@pytest.mark.parametrize("part", PARTS)
def test_whole_rounds(part: int, scaled: Callable[..., int]) -> None:
    for seed in range(scaled(1, 1, 40)):
        chance = random.Random(f"start {part} {seed}")
        assert where_they_differ(with_moves(chance, random_start(chance), 50, 0.1)) == [], seed


def test_moves_that_are_made_up_are_of_all_kinds_and_mostly_legal() -> None:
    chance = random.Random(1)
    made: Counter[tuple[str, bool]] = Counter()
    for _ in range(8):
        position = with_moves(chance, random_position(chance), 6)
        results = by_engine(position)["moves"]
        made.update((move["do"], result["ok"]) for move, result in zip(position["moves"], results, strict=True))
    assert {"build", "activate", "raze", "pass"} <= {what for what, ok in made if ok}
    assert sum(number for (_, ok), number in made.items() if not ok) > 3
