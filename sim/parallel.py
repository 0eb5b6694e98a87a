"""Work on threads, handed back in order."""

from __future__ import annotations

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
