"""Work on threads: results in order, and work that an interrupt can abandon."""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Callable, Generator, Iterable
from typing import Any, TypeVar

from joblib import Parallel, delayed

from sim.errors import UserError

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


def in_order(work: Callable[..., Result], pieces: Iterable[tuple[Any, ...]], jobs: int) -> Generator[Result]:
    """Call `work` with each tuple of arguments on `jobs` workers, and yield the results in order.

    Workers are threads: kernels run without the interpreter lock, so they share one compiled engine and copy no rows
    between processes. When the generator is closed early, they start no further call and end after the current one.
    """
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
