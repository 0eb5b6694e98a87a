"""Divides the games of a run into groups and shards.

A group has one number of players and one variant. A shard is what a worker plays at a time. A stretch is a part of a
longer run. Workers return results in order, and an interrupt can abandon their work.
"""

from __future__ import annotations

import gc
import os
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from joblib import Parallel, delayed

from sim.data.arguments import cut
from sim.engine.result_rows import BLOCK, GAME
from sim.errors import OutageError, UserError
from sim.game import GameSpec
from sim.games.plain.loading import Named, changed_meanwhile
from sim.players.batch import Plan, play_all
from sim.players.sandbox import end_workers

Result = TypeVar("Result")


def in_order(
    work: Callable[..., Result], pieces: Iterable[tuple[Any, ...]], jobs: int, game: GameSpec | None = None
) -> Generator[Result]:
    """Call `work` with each tuple of arguments on `jobs` workers, and yield the results in order.

    Workers are threads, because kernels run without the interpreter lock. Threads share one compiled engine, and no
    rows are copied between processes. For a `game` in plain Python workers are processes (`in_processes`). If the
    generator is closed early, workers start no further call and end after the current call.
    """
    if game is not None and game.plain is not None:
        yield from in_processes(work, pieces, jobs, game)
        return
    workers = Parallel(n_jobs=jobs, backend="threading", return_as="generator", pre_dispatch="2*n_jobs")
    done = workers(delayed(work)(*piece) for piece in pieces)
    try:
        for result in done:  # noqa: UP028 - `yield from` would close it before the warning is silenced
            yield result
    finally:
        with warnings.catch_warnings():
            # After an interrupt some results are unused; joblib would warn about them.
            warnings.simplefilter("ignore", UserWarning)
            done.close()


PATIENCE = 2.0
"""If the remaining work takes fewer seconds than this, starting processes is not worthwhile."""
AHEAD, MOST_WAITING = 8, 64
"""Number of calls queued for each worker process, and maximum number of waiting calls and results for each process. The
queue keeps worker processes busy while this process writes or has to share its core."""


def in_processes(
    work: Callable[..., Result], pieces: Iterable[tuple[Any, ...]], jobs: int, game: GameSpec
) -> Generator[Result]:
    """Call `work` with each tuple of arguments and yield the results in order; use `jobs` processes if that is faster.

    Games in plain Python hold the interpreter's lock, so threads would not help. This process is itself a worker. Its
    time for the first calls shows whether it is worthwhile to start other processes for the rest. This process goes on
    working while the others start, and later whenever the next result is not ready. Raise OutageError if a worker
    process has died.
    """
    rest = deque(pieces)
    before = time.perf_counter()
    while rest:
        yield work(*rest.popleft())
        spent, before = time.perf_counter() - before, time.perf_counter()
        if jobs > 1 and spent * len(rest) > PATIENCE:
            break
    if not rest:
        return
    from joblib.externals.loky import get_reusable_executor  # noqa: PLC0415 - few runs need processes
    from joblib.externals.loky.process_executor import BrokenProcessPool  # noqa: PLC0415

    # Workers collect garbage as rarely as this process does: Python's default threshold would slow them down.
    workers = get_reusable_executor(max_workers=jobs - 1, initializer=gc.set_threshold, initargs=gc.get_threshold())
    named, waiting = Named(game.plain), deque[tuple[tuple[Any, ...], Future[Result]]]()
    first = workers.submit(call_with_game, named, os.getpid, ())
    try:
        while rest and not first.done():  # processes take a second or more to start
            yield work(*rest.popleft())
        first.result()
        while rest or waiting:
            there = sum(not future.done() for _, future in waiting)
            for _ in range(min(len(rest), AHEAD * (jobs - 1) - there)):
                piece = rest.popleft()
                waiting.append((piece, workers.submit(call_with_game, named, work, piece)))
            if not waiting[0][1].done() and len(waiting) < MOST_WAITING * jobs:
                if rest:
                    piece = rest.popleft()
                    waiting.append((piece, done_here(work, piece)))
                    continue
                last = next((place for place in reversed(range(len(waiting))) if waiting[place][1].cancel()), None)
                if last is not None:
                    waiting[last] = (waiting[last][0], done_here(work, waiting[last][0]))
                    continue
            yield waiting.popleft()[1].result()
    except BrokenProcessPool as error:
        if game.plain.file is not None and not game.plain.is_current(game.plain.file):
            raise changed_meanwhile(game) from None
        raise OutageError("a worker process has ended, perhaps for lack of memory", allowed="fewer --jobs") from error
    except KeyboardInterrupt:
        end_workers()
        raise
    finally:
        for _, future in waiting:
            future.cancel()


def done_here(work: Callable[..., Result], piece: tuple[Any, ...]) -> Future[Result]:
    """Call `work` in this process; return its result or error as a finished future, as for other processes."""
    future: Future[Result] = Future()
    try:
        future.set_result(work(*piece))
    except Exception as error:
        future.set_exception(error)
    return future


def call_with_game(named: object, work: Callable[..., Result], piece: tuple[Any, ...]) -> Result:
    """Call `work` in another process. Unpickling the argument `named` has already loaded the game in that process."""
    if isinstance(named, UserError):
        raise named
    return work(*piece)


def interruptible(work: Callable[..., Result], *arguments: Any) -> Result:
    """Call `work` so that an interrupt can abandon it, even if it never returns to Python.

    Python handles an interrupt only between steps of its own. If a kernel in the main thread never returned, the
    interrupt would wait forever. So `work` runs in another thread. An abandoned call runs on until the process ends.
    """
    results: list[Result] = []
    errors: list[BaseException] = []

    def do() -> None:
        try:
            results.append(work(*arguments))
        except BaseException as error:
            errors.append(error)

    worker = threading.Thread(target=do, daemon=True)
    worker.start()
    while worker.is_alive():
        worker.join(0.1)  # wait only briefly, because Python notices a signal to another thread only when it wakes up
    if errors:
        raise errors[0]
    return results[0]


@dataclass(frozen=True)
class Group:
    """The consecutive games of a run that have one number of players and one variant.

    Game i of a group is game `first_game` + i of the run. A run with only this number of players and variant has the
    same games, beginning with its block `first_deal`. Groups with the same number of players but different variants
    share no deals, so that their blocks are as independent as the blocks of one group.

    Attributes
    ----------
    first_game, first_block
        Numbers of the group's first game and block in the run.
    first_deal
        Number of the group's first block in a run with only this number of players and variant.
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

    Raise UserError if there are fewer games than plans.
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
    """Return the variants to record in seat rows: all if two variants share a number of players, otherwise none.

    Parameters
    ----------
    conditions
        Number of players and variant of each group.
    """
    pairs = list(dict.fromkeys(conditions))
    several = len(pairs) > len({players for players, _ in pairs})
    return tuple(dict.fromkeys(variant for _, variant in pairs)) if several else ()


@dataclass(frozen=True)
class Stretch:
    """Part of a longer run: the games `first` to `stop` - 1 of `whole`. In `groups` they are numbered from 0."""

    groups: tuple[Group, ...]
    whole: tuple[Group, ...]
    first: int
    stop: int
    first_block: int


def stretch_of(whole: Sequence[Group], first: int | None, stop: int | None) -> Stretch:
    """Return the stretch of a run that consists of the games `first` to `stop` - 1. It must have whole blocks.

    Parameters
    ----------
    first, stop
        First game, and the game after the last one; by default the whole run is taken.

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


def groups_to_play(
    plans: Sequence[Plan], games: int, stretch: tuple[int | None, int | None] | None
) -> tuple[tuple[Group, ...], Stretch | None]:
    """Return the groups of a run, or of a stretch of it (`stretch_of`), and the stretch."""
    whole = share_out(plans, games)
    taken = None if stretch is None else stretch_of(whole, *stretch)
    return (whole, None) if taken is None else (taken.groups, taken)


def check_between_blocks(groups: Sequence[Group], field: str, game: int) -> None:
    """Raise UserError, naming the option `field`, if a stretch that begins or ends at this game splits a block."""
    for group in groups:
        own, size = game - group.first_game, group.plan.block_games
        if 0 < own < group.games and own % size:
            below, above = game - own % size, min(game - own % size + size, group.first_game + group.games)
            message = f"a stretch consists of whole blocks, here of {size} games"
            raise UserError(message, field=field, found=game, allowed=f"{below} or {above}")


@dataclass(frozen=True)
class Shard:
    """Consecutive games of a group, with its players as arguments of kernels; `first` is counted within the group."""

    group: Group
    players: Any
    first: int
    count: int


def shards_of(
    groups: Sequence[Group], players: Sequence[Any], size: int, first: int = 0, stop: int | None = None
) -> list[Shard]:
    """Cut the games of all groups into shards of at most `size` games, in order.

    Parameters
    ----------
    first, stop
        First game of the run to play, and the game after the last one to play; by default all games.
    """
    shards = []
    for group, team in zip(groups, players, strict=True):
        begin = max(first - group.first_game, 0)
        end = group.games if stop is None else min(stop - group.first_game, group.games)
        shards += [Shard(group, team, begin + at, count) for at, count in cut(max(end - begin, 0), size)]
    return shards


def play_shard(shard: Shard) -> tuple[np.ndarray, ...]:
    """Play a shard and return the rows of each table. Games and blocks are numbered as in the run."""
    group = shard.group
    before = group.first_deal * group.plan.block_games
    tables = play_all(group.plan, shard.players, before + shard.first, shard.count)
    tables[0][:, BLOCK] += group.first_block - group.first_deal
    for rows in tables:
        rows[:, GAME] += group.first_game - before
    return tables


def play_shards(shards: Sequence[Shard], jobs: int) -> Generator[tuple[np.ndarray, ...]]:
    """Play shards on `jobs` workers and yield their rows in order (`sim.runs.shards.in_order`)."""
    game = shards[0].group.plan.game if shards else None
    return in_order(play_shard, ((shard,) for shard in shards), jobs, game)


Play = Callable[[Sequence[Shard], int], Generator[tuple[np.ndarray, ...]]]
"""Function that plays shards on a number of workers and yields their rows in order. It is `play_shards` or
`Cluster.play`."""
