"""Work on threads: results in order, and work that an interrupt can abandon."""

from __future__ import annotations

import os
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable
from typing import Any, TypeVar

from joblib import Parallel, delayed

from sim.errors import OutageError, UserError
from sim.game import Game
from sim.games.plain.loading import changed_meanwhile, named_for

Result = TypeVar("Result")
MAX_JOBS = 1024
"""Workers are threads; systems give a process a few thousand at most."""


def jobs_to_use(jobs: int) -> int:
    """Return the number of workers: as requested, or all cores for -1.

    Raises
    ------
    UserError
        The number is neither -1 nor one from 1 to `MAX_JOBS`.
    """
    if jobs == -1:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not 1 <= jobs <= MAX_JOBS:
        allowed = f"1 to {MAX_JOBS:,}, or -1 for all cores"
        raise UserError("impossible number of jobs", field="jobs", found=jobs, allowed=allowed)
    return jobs


def in_order(
    work: Callable[..., Result], pieces: Iterable[tuple[Any, ...]], jobs: int, game: Game | None = None
) -> Generator[Result]:
    """Call `work` with each tuple of arguments on `jobs` workers, and yield the results in order.

    Workers are threads: kernels run without the interpreter lock, so they share one compiled engine and copy no rows
    between processes. For a `game` in plain Python they are processes (`in_processes`). When the generator is closed
    early, they start no further call and end after the current one.
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
            # After an interrupt some results are unused, of which joblib would warn.
            warnings.simplefilter("ignore", UserWarning)
            done.close()


PATIENCE = 2.0
"""Seconds of work that are not worth the start of processes."""


def in_processes(
    work: Callable[..., Result], pieces: Iterable[tuple[Any, ...]], jobs: int, game: Game
) -> Generator[Result]:
    """Call `work` with each tuple of arguments and yield the results in order, on `jobs` processes if that pays.

    Games in plain Python hold the interpreter's lock, so threads would not help them. The first piece is played here:
    its time says whether the others are worth the start of processes.

    Raises
    ------
    OutageError
        A process has ended.
    """
    rest = list(pieces)
    before = time.perf_counter()
    while rest:
        yield work(*rest.pop(0))
        spent, before = time.perf_counter() - before, time.perf_counter()
        if jobs > 1 and spent * len(rest) > PATIENCE:
            break
    if not rest:
        return
    from joblib.externals.loky import get_reusable_executor  # noqa: PLC0415 - few runs need processes
    from joblib.externals.loky.process_executor import BrokenProcessPool  # noqa: PLC0415

    workers = get_reusable_executor(max_workers=jobs)
    named, waiting = named_for(game), deque[Any]()
    first = workers.submit(call_with_game, named, os.getpid, ())
    try:
        while rest and not first.done():  # processes take a second or more to start
            yield work(*rest.pop(0))
        first.result()
        for piece in rest:
            waiting.append(workers.submit(call_with_game, named, work, piece))
            if len(waiting) >= 2 * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool as error:
        if game.plain.file is not None and not game.plain.is_current(game.plain.file):
            raise changed_meanwhile(game) from None
        raise OutageError("a worker process has ended, perhaps for lack of memory", allowed="fewer --jobs") from error
    except KeyboardInterrupt:
        workers.shutdown(wait=False, kill_workers=True)
        raise
    finally:
        for piece in waiting:
            piece.cancel()


def call_with_game(named: object, work: Callable[..., Result], piece: tuple[Any, ...]) -> Result:
    """Call `work` in a process that has read the game: `named` travels first, and reads it as it arrives."""
    if isinstance(named, UserError):
        raise named
    return work(*piece)


def interruptible(work: Callable[..., Result], *arguments: Any) -> Result:
    """Call `work` so that an interrupt can abandon it, even if it never returns to Python.

    Python handles an interrupt only between its own steps, so it would wait forever for a kernel in the main thread.
    An abandoned call runs on until the process ends.
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
        worker.join(0.1)  # Python may have to be woken to see a signal that another thread has received
    if errors:
        raise errors[0]
    return results[0]
