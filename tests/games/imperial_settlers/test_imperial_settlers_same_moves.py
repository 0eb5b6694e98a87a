"""Positions and moves made up at random, legal and illegal ones, come out as the slow model says, in every field."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest

from tests.games.imperial_settlers.naive_comparing import by_engine, where_they_differ
from tests.games.imperial_settlers.naive_making import random_position, random_start, with_moves

PARTS = range(4)


@pytest.mark.parametrize("part", PARTS)
def test_moves_of_the_action_phase(part: int, scaled: Callable[..., int]) -> None:
    for seed in range(scaled(10, 5, 500)):
        chance = random.Random(f"position {part} {seed}")
        assert where_they_differ(with_moves(chance, random_position(chance), 5)) == [], seed


@pytest.mark.parametrize("part", PARTS)
def test_whole_rounds(part: int, scaled: Callable[..., int]) -> None:
    for seed in range(scaled(1, 1, 40)):
        chance = random.Random(f"start {part} {seed}")
        assert where_they_differ(with_moves(chance, random_start(chance), 50, 0.1)) == [], seed


def test_moves_that_are_made_up_are_of_all_kinds_and_mostly_legal() -> None:
    chance = random.Random(1)
    made: Counter[tuple[str, bool]] = Counter()
    for _ in range(15):
        position = with_moves(chance, random_position(chance), 6)
        results = by_engine(position)["moves"]
        made.update((move["do"], result["ok"]) for move, result in zip(position["moves"], results, strict=True))
    assert {"build", "activate", "raze", "pass"} <= {what for what, ok in made if ok}
    assert sum(number for (_, ok), number in made.items() if not ok) > 3
