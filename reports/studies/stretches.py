"""Plays games in memory, stretch by stretch, on several workers."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, closing, nullcontext
from typing import TypeVar

from sim.data.arguments import cut
from sim.players.batch import Plan
from sim.runs.shards import in_order

Result = TypeVar("Result")
Bar = Callable[[str, int], AbstractContextManager[Callable[[int], None]]]


def no_bar(label: str, games: int) -> AbstractContextManager[Callable[[int], None]]:
    """Show nothing."""
    return nullcontext(lambda played: None)


def play_stretches(
    play: Callable[[int, int], Result],
    plan: Plan,
    games: int,
    size: int,
    workers: int,
    progress: Callable[[int], None],
) -> list[Result]:
    """Call `play` with the first game and the number of games of each stretch. Return its results in order.

    A stretch has about `size` games, in whole blocks. Results must not depend on `size`.
    """
    stretches = cut(games, max(size // plan.block_games, 1) * plan.block_games)
    results = []
    with closing(in_order(play, stretches, workers, plan.game)) as played:
        for (_, count), result in zip(stretches, played, strict=True):
            results.append(result)
            progress(count)
    return results
