"""Shards: stretches of a run's games, played by workers and handed back in the order of the games."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.engine.result_rows import BLOCK, GAME
from sim.players.batch import play_all
from sim.runs.groups import Group, cut
from sim.runs.threads import in_order


@dataclass(frozen=True)
class Shard:
    """Consecutive games of a group, with its players as kernels take them; `first` counts in the group."""

    group: Group
    players: Any
    first: int
    count: int


def shards_of(
    groups: Sequence[Group], players: Sequence[Any], size: int, first: int = 0, stop: int | None = None
) -> list[Shard]:
    """Cut the games of all groups into shards, in order.

    Parameters
    ----------
    first, stop
        Games of the run from which and before which shards are wanted; by default all.
    """
    shards = []
    for group, team in zip(groups, players, strict=True):
        begin = max(first - group.first_game, 0)
        end = group.games if stop is None else min(stop - group.first_game, group.games)
        shards += [Shard(group, team, begin + at, count) for at, count in cut(max(end - begin, 0), size)]
    return shards


def play_shard(shard: Shard) -> tuple[np.ndarray, ...]:
    """Play a shard; games and blocks are numbered as in the run."""
    group = shard.group
    before = group.first_deal * group.plan.block_games
    tables = play_all(group.plan, shard.players, before + shard.first, shard.count)
    tables[0][:, BLOCK] += group.first_block - group.first_deal
    for rows in tables:
        rows[:, GAME] += group.first_game - before
    return tables


def play_shards(shards: Sequence[Shard], jobs: int) -> Generator[tuple[np.ndarray, ...]]:
    """Play shards on `jobs` workers and yield their rows in order (`sim.runs.threads.in_order`)."""
    return in_order(play_shard, ((shard,) for shard in shards), jobs)


Play = Callable[[Sequence[Shard], int], Generator[tuple[np.ndarray, ...]]]
"""Plays shards on so many workers and yields their rows in order: `play_shards`, or a cluster."""
