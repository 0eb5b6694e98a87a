"""Work on threads: handed back in order, or left to itself by an interrupt."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Generator, Iterable
from typing import Any, TypeVar

from joblib import Parallel, delayed

Result = TypeVar("Result")


def in_order(work: Callable[..., Result], pieces: Iterable[tuple[Any, ...]], jobs: int) -> Generator[Result]:
    """Do a piece of work for each tuple of arguments on `jobs` workers, and yield the results in order.

    Workers are threads: kernels run without the interpreter lock, so they share one compiled engine and no rows
    are copied between processes. Closed early, they begin no further piece, and end with the one they are at.
    """
    workers = Parallel(n_jobs=jobs, backend="threading", return_as="generator", pre_dispatch="2*n_jobs")
    done = workers(delayed(work)(*piece) for piece in pieces)
    try:
        for result in done:  # noqa: UP028 - `yield from` would close it before the warning is silenced
            yield result
    finally:
        with warnings.catch_warnings():
            # When interrupted or stopped, pieces are left unused; joblib would warn of that.
            warnings.simplefilter("ignore", UserWarning)
            done.close()


def interruptible(work: Callable[..., Result], *arguments: Any) -> Result:
    """Do a piece of work that an interrupt may leave to itself, even where it never returns to Python.

    Python sees an interrupt only between its own steps, so it would wait for a kernel in the main thread for ever.
    What is left runs on until the process ends.
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
