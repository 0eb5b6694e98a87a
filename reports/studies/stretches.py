"""Plays games in memory on several workers, in stretches of consecutive games."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from typing import TypeVar

from sim.data.arguments import cut
from sim.players.batch import Plan
from sim.runs.shards import in_order

Result = TypeVar("Result")
Bar = Callable[[str, int], AbstractContextManager[Callable[[int], None]]]
"""Takes a label and a number of games. The function that the context yields takes the number of games just finished."""


def no_bar(label: str, games: int) -> AbstractContextManager[Callable[[int], None]]:
    """Return a context manager that shows no progress bar."""
    return nullcontext(lambda played: None)


def play_stretches(
    play: Callable[[int, int], Result],
    plan: Plan,
    stretches: Sequence[tuple[int, int]],
    workers: int,
    progress: Callable[[int], None],
) -> Generator[Result]:
    """Play stretches of games, and yield the result of each in order.

    Parameters
    ----------
    play
        Takes the first game and the number of games of a stretch. For a game in plain Python, it is called in
        worker processes.
    stretches
        First game and number of games of each stretch, see `block_stretches`.
    """
    with closing(in_order(play, stretches, workers, plan.game)) as played:
        for (_, count), result in zip(stretches, played, strict=True):
            progress(count)
            yield result


def block_stretches(plan: Plan, games: int, size: int) -> list[tuple[int, int]]:
    """Cut `games` games into stretches of whole blocks, of about `size` games. Return first game and length of each."""
    return cut(games, max(size // plan.block_games, 1) * plan.block_games)
