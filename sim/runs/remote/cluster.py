"""Lets the workers of a Dask cluster play a run, and returns results in the order of the games.

For a run in a folder, workers only play. They return rows, and this process writes them as in a run on one machine. So
workers need no shared folder, and a worker that dies leaves no partial output. A run at a URL is written by the workers
(`sim.runs.remote.url_run`).

Dask's own retries are not enough here. A task may run only on workers that would play the same run, and these are not
known in advance. A task whose permitted workers are all lost would wait forever.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from sim.compiler.source_digest import GUARDED
from sim.data.arguments import jobs_to_use
from sim.data.files import is_url
from sim.errors import OutageError, UserError
from sim.runs.config import RunRequest
from sim.runs.remote.url_run import Portion
from sim.runs.remote.worker import RunAsked, plan_here, play_at_worker, refusal, write_at_worker
from sim.runs.shards import Shard

LOCAL = "local"
ALLOWED = "tcp://HOST:PORT of a running dask scheduler, or local"
ANSWER_SECONDS = 10
"""Seconds to wait for an answer of a scheduler."""
WORKER_SECONDS = 120.0
"""Seconds to wait without any accepted worker before the run fails."""
LOOK_SECONDS = 0.5
"""Seconds between checks of the list of workers."""
WAIT_SECONDS = 0.01
"""Seconds between checks whether the next shard is done."""
FETCH_SECONDS = 5.0
"""Seconds to wait for finished rows before the workers are checked again."""
AHEAD = 2
"""Maximum number of tasks in play or queued for each thread of a worker. It limits memory."""
TRIES = 3
"""Maximum number of attempts at a task whose worker disappears."""


@dataclass
class Task:
    """Games that a worker plays: the call, its arguments, its future, the worker, and the number of attempts.

    The arguments end with the first game and the number of games.
    """

    work: Callable[..., Any]
    asked: tuple[Any, ...]
    future: Any
    worker: str
    tries: int = 1


@dataclass
class Cluster:
    """A Dask cluster that plays a run.

    Attributes
    ----------
    client
        The connection, a `distributed.Client`.
    say
        Receives messages about refused and lost workers.
    accepted, refused
        Dicts by worker address: the number of threads of each accepted worker, and for each refused worker the reason.
    asking
        Pending checks whether a worker would get the same results as this process, by worker address.
    tasks
        Tasks being played, in the order of the games.
    looked, busy
        Time of the last check of workers, and time of the last check that found an accepted worker.
    """

    client: Any
    asked: RunAsked
    say: Callable[[str], None]
    accepted: dict[str, int] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    asking: dict[str, Any] = field(default_factory=dict)
    tasks: deque[Task] = field(default_factory=deque)
    looked: float = float("-inf")
    busy: float = field(default_factory=time.monotonic)

    def play(self, shards: Sequence[Shard], jobs: int) -> Generator[tuple[np.ndarray, ...]]:
        """Play shards and yield their rows in order, as `in_order` does; `jobs` is ignored."""
        return self.in_order(play_at_worker, [(shard.group.first_game, shard.first, shard.count) for shard in shards])

    def write(self, url: str, part_games: Mapping[str, int], portions: Sequence[tuple[int, int]]) -> Generator[Portion]:
        """Let workers play portions of the run and write them to a URL; yield their results in order.

        Parameters
        ----------
        part_games
            Number of games in a part file of each table.
        portions
            First game and number of games of each portion.
        """
        return self.in_order(write_at_worker, [(url, dict(part_games), *portion) for portion in portions])

    def in_order(self, work: Callable[..., Any], pieces: Sequence[tuple[Any, ...]]) -> Generator[Any]:
        """Let workers call `work` for each shard or portion of the run; yield the results in order.

        `work` is called with the run, followed by the items of one entry of `pieces`. Each entry is a shard or a
        portion, and ends with its first game and its number of games. Raise OutageError if the cluster is lost, or has
        no worker that would get the same results. Raise UserError if a strategy fails.
        """
        waiting = deque(pieces)
        try:
            while waiting or self.tasks:
                self.look()
                while waiting and len(self.tasks) < AHEAD * sum(self.accepted.values()):
                    self.tasks.append(self.begun(work, waiting.popleft()))
                found = self.first_done()
                if found is not None:
                    yield found
        finally:
            self.client.cancel([task.future for task in self.tasks])
            self.tasks.clear()

    def look(self) -> None:
        """Update the list of workers: check that new workers can play the run, and resubmit the games of lost workers.

        Raise OutageError as `in_order` does.
        """
        now = time.monotonic()
        if now - self.looked < LOOK_SECONDS:
            return
        self.looked = now
        there = threads_of(self.client)
        for address in [address for address in self.accepted if address not in there]:
            del self.accepted[address]
            self.say(f"the worker {address} is lost; other workers play its games")
        for address in there.keys() - self.accepted.keys() - self.refused.keys() - self.asking.keys():
            self.asking[address] = self.submit(refusal, self.asked, at=address)
        for address, answer in list(self.asking.items()):
            if address not in there or answer.done():
                del self.asking[address]
            if address in there and answer.done():
                self.note(address, answer_of(answer), there[address])
        if self.accepted:
            self.busy = now
        elif not self.asking and (self.refused.keys() & there.keys() or now - self.busy > WORKER_SECONDS):
            reasons = [f"{address}: {reason}" for address, reason in self.refused.items() if address in there]
            message = f"no worker of the cluster can play this run{': ' if reasons else ''}{'; '.join(reasons)}"
            raise OutageError(message, field="cluster", allowed="workers with the same sources, data and versions")
        for task in self.tasks:
            if task.worker not in self.accepted and self.accepted and not task.future.done():
                self.begin_again(task)

    def note(self, address: str, reason: str, threads: int) -> None:
        """Record the answer of a worker: it is accepted if `reason` is empty, otherwise refused with a message."""
        if reason:
            self.refused[address] = reason
            self.say(f"the worker {address} is refused because it cannot play this run: {reason}")
        else:
            self.accepted[address] = threads

    def submit(self, work: Callable[..., Any], *arguments: Any, at: str) -> Any:
        """Submit a call to the worker at `at`; return its future. Results of equal earlier calls are not reused."""
        return self.client.submit(work, *arguments, workers=[at], pure=False)

    def begun(self, work: Callable[..., Any], asked: tuple[Any, ...]) -> Task:
        """Submit a shard or portion to the worker with the fewest tasks per thread, and return the new task."""
        loads = dict.fromkeys(self.accepted, 0)
        for task in self.tasks:
            if task.worker in loads:
                loads[task.worker] += 1
        worker = min(loads, key=lambda address: loads[address] / self.accepted[address])
        return Task(work, asked, self.submit(work, self.asked, *asked, at=worker), worker)

    def begin_again(self, task: Task) -> None:
        """Resubmit a task of a lost worker.

        Raises
        ------
        OutageError
            Too many workers were lost with this task: its games may crash them.
        """
        if task.tries == TRIES:
            message = f"{TRIES} workers were lost while playing the same games"
            first, games = task.asked[-2:]
            raise OutageError(message, field="cluster", found=f"{games} games from {first}")
        self.client.cancel([task.future])
        again = self.begun(task.work, task.asked)
        task.future, task.worker, task.tries = again.future, again.worker, task.tries + 1

    def first_done(self) -> Any | None:
        """Take the first task from the list if it is done, and return its result.

        Otherwise wait briefly and return None. If its worker was lost, resubmit the task. Raise the error of a task
        that failed.
        """
        if not self.tasks or not self.tasks[0].future.done():
            time.sleep(WAIT_SECONDS)
            return None
        task = self.tasks[0]
        if task.future.status == "finished":
            try:
                found = task.future.result(timeout=FETCH_SECONDS)
            except TimeoutError:  # the worker may be lost; the next check of workers detects that
                return None
            self.tasks.popleft()
            return found
        error = task.future.exception() if task.future.status == "error" else None
        if isinstance(error, UserError):
            raise error
        if error is not None and "KilledWorker" not in type(error).__name__:
            raise error
        if self.accepted:
            self.begin_again(task)
        else:
            time.sleep(LOOK_SECONDS)
        return None


def threads_of(client: Any) -> dict[str, int]:
    """Return the number of threads of each worker by its address.

    Raises
    ------
    OutageError
        The scheduler no longer answers.
    """
    gone = "the scheduler of the cluster is lost"
    if client.status != "running":
        raise OutageError(gone, field="cluster")
    try:
        return dict(client.nthreads())
    except OSError as error:
        raise OutageError(gone, field="cluster") from error


def answer_of(answer: Any) -> str:
    """Return why a worker cannot play the run, or an empty string if it can.

    `answer` is the completed future of a call of `sim.runs.remote.worker.refusal` at the worker.
    """
    if answer.status == "finished":
        return str(answer.result())
    error = answer.exception() if answer.status == "error" else None
    return f"the worker cannot prepare the run ({type(error).__name__}: {error})"


@contextmanager
def connected_cluster(request: RunRequest, say: Callable[[str], None]) -> Iterator[Cluster]:
    """Connect to the cluster of a request, or start a local one.

    `say` receives messages about refused and lost workers. Raise UserError if Dask is not installed, the address is
    wrong, or no scheduler answers.
    """
    address = str(request.cluster)
    try:
        from distributed import Client, LocalCluster  # noqa: PLC0415 - only with the extra of this name
    except ImportError as error:
        message = "the package distributed, which clusters need, is not installed"
        raise UserError(message, field="cluster", allowed="pip install 'empirelab[cluster]'") from error
    url = str(request.out) if is_url(request.out) else ""
    asked = RunAsked(request.config, request.stretch, plan_here(RunAsked(request.config, request.stretch)), url)
    if address == LOCAL:
        # If a sandbox watches this process, the workers must not use the memory that it shares with its watcher.
        each: Any = {"threads_per_worker": 1, "dashboard_address": None, "env": {GUARDED: ""}}
        with dask_silenced(), LocalCluster(n_workers=jobs_to_use(request.jobs), **each) as own, Client(own) as client:
            yield Cluster(client, asked, say)
        return
    try:
        # A client without a scheduler logs another error when it is discarded.
        with (
            dask_silenced(),
            ThreadPoolExecutor(1) as aside,
        ):  # in a thread of its own, because asyncio may already run in this thread, as in a notebook
            aside.submit(asyncio.run, greet(address)).result()
        client = Client(address, timeout=ANSWER_SECONDS, set_as_default=False)
    except Exception as error:  # a server of another kind may answer anything, and Dask's errors then vary
        message = "no Dask scheduler answers at this address"
        raise UserError(message, field="cluster", found=address, allowed=ALLOWED) from error
    with dask_silenced(), client:
        yield Cluster(client, asked, say)


async def greet(address: str) -> None:
    """Check that a Dask scheduler is at an address.

    Dask's own client waits forever for an answer. Raise Exception if no answer arrives in time, or the answer is not
    that of a scheduler.
    """
    from distributed.comm.core import connect  # noqa: PLC0415 - only with the extra of this name
    from distributed.security import Security  # noqa: PLC0415

    place = urlsplit(address)  # try the port first, because Dask would retry a closed port again and again
    socket.create_connection((place.hostname or "", place.port or 0), ANSWER_SECONDS).close()
    async with asyncio.timeout(ANSWER_SECONDS):
        connection = await connect(address, timeout=ANSWER_SECONDS, **Security().get_connection_args("client"))
        await connection.write({"op": "identity", "reply": True})
        answer = await connection.read()
        await connection.close()
    if "workers" not in answer:
        raise ValueError(answer["type"])  # a worker has answered


@contextmanager
def dask_silenced() -> Iterator[None]:
    """Silence Dask's logs; this program prints messages of its own for Dask's errors."""
    names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] in ("distributed", "tornado")]
    before = {name: logging.getLogger(name).level for name in names}
    try:
        for name in names:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)
