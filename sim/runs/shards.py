"""How the games of a run are divided: groups of one condition, stretches, and the shards that workers play."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sim.engine.result_rows import BLOCK, GAME
from sim.errors import UserError
from sim.players.batch import Plan, play_all
from sim.runs.store.journal import cut
from sim.runs.threads import in_order


@dataclass(frozen=True)
class Group:
    """The consecutive games of a run that have one number of players and one variant.

    Game i of a group is game `first_game` + i of the run. It is the game i that a run of this number of players and
    variant alone would play, counted from the first game of deal `first_deal`. Groups of the same number of players in
    several variants share no deal, so that their blocks are as independent as those of one group.

    Attributes
    ----------
    first_game, first_block
        Numbers of the group's first game and block in the run.
    first_deal
        Number of the group's first block among those of its plan.
    variants
        Variants that the seat rows of the run name (`variants_named`).
    """

    plan: Plan
    games: int
    first_game: int = 0
    first_block: int = 0
    first_deal: int = 0
    variants: tuple[str, ...] = ()

    @property
    def blocks(self) -> int:
        """Number of blocks of the group; the last one may be incomplete."""
        return -(-self.games // self.plan.block_games)


def share_out(plans: Sequence[Plan], games: int) -> tuple[Group, ...]:
    """Split games evenly between plans, which differ in players or variant; the first plans get the remainder.

    Raises
    ------
    UserError
        There are fewer games than plans.
    """
    if games < len(plans):
        message = "too few games for these numbers of players and variants"
        raise UserError(message, field="games", found=games, allowed=f"{len(plans)} or more")
    groups: list[Group] = []
    game = block = 0
    dealt = dict.fromkeys((plan.players for plan in plans), 0)
    variants = variants_named((plan.players, plan.variant) for plan in plans)
    for number, plan in enumerate(plans):
        own = games // len(plans) + (number < games % len(plans))
        group = Group(plan, own, game, block, dealt[plan.players], variants)
        groups.append(group)
        game += group.games
        block += group.blocks
        dealt[plan.players] += group.blocks
    return tuple(groups)


def variants_named(conditions: Iterable[tuple[int, str]]) -> tuple[str, ...]:
    """Return the variants that seat rows name: all, if a number of players is played in several of them, else none.

    Parameters
    ----------
    conditions
        Numbers of players and variants of the groups.
    """
    pairs = list(dict.fromkeys(conditions))
    several = len(pairs) > len({players for players, _ in pairs})
    return tuple(dict.fromkeys(variant for _, variant in pairs)) if several else ()


@dataclass(frozen=True)
class Stretch:
    """Some games of a longer run: `groups` hold the games `first` to `stop` - 1 of `whole`, numbered from 0."""

    groups: tuple[Group, ...]
    whole: tuple[Group, ...]
    first: int
    stop: int
    first_block: int


def stretch_of(whole: Sequence[Group], first: int | None, stop: int | None) -> Stretch:
    """Return a stretch of a run: whole blocks of its games.

    Parameters
    ----------
    first, stop
        First game, and the game after the last one; by default those of the whole run.

    Raises
    ------
    UserError
        The run lacks these games, or they begin or end within a block.
    """
    games = sum(group.games for group in whole)
    first, stop = first or 0, games if stop is None else stop
    if not 0 <= first < games:
        raise UserError("the run has no such game", field="games-from", found=first, allowed=f"0 to {games - 1}")
    if not first < stop <= games:
        raise UserError("the run has no such games", field="games-to", found=stop, allowed=f"{first + 1} to {games}")
    for field, game in (("games-from", first), ("games-to", stop)):
        check_between_blocks(whole, field, game)
    taken: list[Group] = []
    game = block = 0
    first_block = 0
    for group in whole:
        begin, end = max(first - group.first_game, 0), min(stop - group.first_game, group.games)
        if begin < end:
            before = begin // group.plan.block_games
            first_block = first_block if taken else group.first_block + before
            taken.append(
                replace(
                    group, games=end - begin, first_game=game, first_block=block, first_deal=group.first_deal + before
                )
            )
            game += taken[-1].games
            block += taken[-1].blocks
    return Stretch(tuple(taken), tuple(whole), first, stop, first_block)


def check_between_blocks(groups: Sequence[Group], field: str, game: int) -> None:
    """Raise UserError if a stretch that begins at this game would split a block."""
    for group in groups:
        own, size = game - group.first_game, group.plan.block_games
        if 0 < own < group.games and own % size:
            below, above = game - own % size, min(game - own % size + size, group.first_game + group.games)
            message = f"a stretch consists of whole blocks, here of {size} games"
            raise UserError(message, field=field, found=game, allowed=f"{below} or {above}")


@dataclass(frozen=True)
class Shard:
    """Consecutive games of a group, with its players as arguments of kernels; `first` counts within the group."""

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
        First game of the run, and the game after the last one; by default all games.
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
    game = shards[0].group.plan.game if shards else None
    return in_order(play_shard, ((shard,) for shard in shards), jobs, game)


Play = Callable[[Sequence[Shard], int], Generator[tuple[np.ndarray, ...]]]
"""Plays shards on a number of workers and yields their rows in order: `play_shards`, or a cluster."""
