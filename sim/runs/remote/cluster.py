"""Runs played by the workers of a Dask cluster, in the order of the games.

For a run in a folder workers play and nothing else: rows come back, and the process that was asked writes them, as in a
run on one machine. So a worker needs no folder in common with others, and whatever becomes of it, nothing half-written
is left. A run at a URL they write themselves (`sim.runs.remote.url_run`).
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
from sim.errors import OutageError, UserError
from sim.runs.config import RunConfig
from sim.runs.remote.url_run import Portion
from sim.runs.remote.worker import RunAsked, plan_here, play_at_worker, refusal, write_at_worker
from sim.runs.run import jobs_to_use
from sim.runs.shards import Shard

LOCAL = "local"
ALLOWED = "tcp://HOST:PORT of a running dask scheduler, or local"
ANSWER_SECONDS = 10
"""How long a scheduler may take to answer."""
WORKER_SECONDS = 120.0
"""How long a run waits for a worker where a cluster has none for it."""
LOOK_SECONDS = 0.5
"""Between looks at which workers there are."""
WAIT_SECONDS = 0.01
"""Between looks at whether the next shard is done."""
FETCH_SECONDS = 5.0
"""How long rows may take on their way before it is asked whether their worker is still there."""
AHEAD = 2
"""Pieces that are played or wait for each thread of a worker; so many are held in memory at most."""
TRIES = 3
"""How often a piece is tried whose worker goes."""


@dataclass
class Task:
    """Games that are being played: what a worker was asked, the future of its answer, at which worker, how often.

    What a worker was asked ends with the first game and the number of games.
    """

    work: Callable[..., Any]
    asked: tuple[Any, ...]
    future: Any
    worker: str
    tries: int = 1


@dataclass
class Cluster:
    """A cluster that plays a run.

    Attributes
    ----------
    client
        The connection, a `distributed.Client`.
    asked
        The run.
    say
        Told of workers that are refused or have gone.
    accepted, refused
        Threads of workers that play, and why others do not, by address.
    asking
        What workers answer that have been asked whether they would play the same run, by address.
    tasks
        What is being played, in the order of the games.
    looked, busy
        When workers were looked at last, and when there was one last.
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
        """Play shards and yield their rows in order; workers are those of the cluster, whatever `jobs` says.

        Raises
        ------
        OutageError, UserError
            As for `in_order`.
        """
        return self.in_order(play_at_worker, [(shard.group.first_game, shard.first, shard.count) for shard in shards])

    def write(self, url: str, part_games: Mapping[str, int], portions: Sequence[tuple[int, int]]) -> Generator[Portion]:
        """Let workers play portions of the run and put them at a URL, and yield what has come of each, in order.

        Parameters
        ----------
        part_games
            Games in a part of each table.
        portions
            First game and number of games of each.

        Raises
        ------
        OutageError, UserError
            As for `in_order`.
        """
        return self.in_order(write_at_worker, [(url, dict(part_games), *portion) for portion in portions])

    def in_order(self, work: Callable[..., Any], pieces: Sequence[tuple[Any, ...]]) -> Generator[Any]:
        """Let workers do the same for several pieces of the run, and yield what comes of each, in order.

        Parameters
        ----------
        work
            What a worker does, called with the run and a piece.
        pieces
            Each ends with its first game and its number of games.

        Raises
        ------
        OutageError
            The cluster has gone, or has no worker that would play the same run.
        UserError
            A strategy fails.
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
        """See which workers there are, ask new ones, and give to others what those were at that have gone.

        Raises
        ------
        OutageError
            As for `play`.
        """
        now = time.monotonic()
        if now - self.looked < LOOK_SECONDS:
            return
        self.looked = now
        there = threads_of(self.client)
        for address in [address for address in self.accepted if address not in there]:
            del self.accepted[address]
            self.say(f"the worker {address} has gone; what it was at is played by others")
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
        """Note what a worker has answered."""
        if reason:
            self.refused[address] = reason
            self.say(f"the worker {address} is refused, for it would play another run: {reason}")
        else:
            self.accepted[address] = threads

    def submit(self, work: Callable[..., Any], *arguments: Any, at: str) -> Any:
        """Let one worker do something; every call is a task of its own."""
        return self.client.submit(work, *arguments, workers=[at], pure=False)

    def begun(self, work: Callable[..., Any], asked: tuple[Any, ...]) -> Task:
        """Give a piece of the run to the worker that has least to do for each of its threads."""
        loads = dict.fromkeys(self.accepted, 0)
        for task in self.tasks:
            if task.worker in loads:
                loads[task.worker] += 1
        worker = min(loads, key=lambda address: loads[address] / self.accepted[address])
        return Task(work, asked, self.submit(work, self.asked, *asked, at=worker), worker)

    def begin_again(self, task: Task) -> None:
        """Give to another worker what one was at that has gone.

        Raises
        ------
        OutageError
            That has happened often: these games may be what ends their workers.
        """
        if task.tries == TRIES:
            message = f"{TRIES} workers have gone that were at the same games"
            first, games = task.asked[-2:]
            raise OutageError(message, field="cluster", found=f"{games} games from {first}")
        self.client.cancel([task.future])
        again = self.begun(task.work, task.asked)
        task.future, task.worker, task.tries = again.future, again.worker, task.tries + 1

    def first_done(self) -> Any | None:
        """Wait a moment for the first piece; return what has come of it if that is there."""
        if not self.tasks or not self.tasks[0].future.done():
            time.sleep(WAIT_SECONDS)
            return None
        task = self.tasks[0]
        if task.future.status == "finished":
            try:
                found = task.future.result(timeout=FETCH_SECONDS)
            except TimeoutError:  # it may have gone with its worker, which the next look tells
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
    """Threads of all workers of a cluster, by address.

    Raises
    ------
    OutageError
        The scheduler does not answer any more.
    """
    gone = "the scheduler of the cluster has gone"
    if client.status != "running":
        raise OutageError(gone, field="cluster")
    try:
        return dict(client.nthreads())
    except OSError as error:
        raise OutageError(gone, field="cluster") from error


def answer_of(answer: Any) -> str:
    """What a worker says when it is asked; why it cannot even be asked."""
    if answer.status == "finished":
        return str(answer.result())
    error = answer.exception() if answer.status == "error" else None
    return f"it cannot prepare it ({type(error).__name__}: {error})"


@contextmanager
def cluster_of(
    address: str,
    config: RunConfig,
    stretch: tuple[int | None, int | None] | None,
    jobs: int,
    say: Callable[[str], None],
    url: str = "",
) -> Iterator[Cluster]:
    """Connect with a cluster, or start one here, for a run.

    Parameters
    ----------
    address
        Of the scheduler, "tcp://HOST:PORT", or "local".
    config, stretch
        The run.
    jobs
        Workers of a local cluster, -1 for all cores.
    say
        Told of workers that are refused or have gone.
    url
        Where workers put the run; empty where rows come back.

    Raises
    ------
    UserError
        Dask is not installed, the address is none, or nobody answers there.
    """
    try:
        from distributed import Client, LocalCluster  # noqa: PLC0415 - only with the extra of this name
    except ImportError as error:
        message = "clusters need the package distributed, which is not installed"
        raise UserError(message, field="cluster", allowed="pip install 'empirelab[cluster]'") from error
    asked = RunAsked(config, stretch, plan_here(RunAsked(config, stretch)), url)
    if address == LOCAL:
        # Whoever watches this process watches no worker, whose marks would be taken for those of this one.
        each: Any = {"threads_per_worker": 1, "dashboard_address": None, "env": {GUARDED: ""}}
        with dask_hushed(), LocalCluster(n_workers=jobs_to_use(jobs), **each) as own, Client(own) as client:
            yield Cluster(client, asked, say)
        return
    try:
        # A client that finds nobody would complain once more as it is thrown away.
        with dask_hushed(), ThreadPoolExecutor(1) as aside:  # asyncio may be at work in this thread, as in a notebook
            aside.submit(asyncio.run, greet(address)).result()
        client = Client(address, timeout=ANSWER_SECONDS, set_as_default=False)
    except Exception as error:  # whoever else is there may answer anything, which Dask takes for lengths and the like
        message = "no scheduler of a cluster answers"
        raise UserError(message, field="cluster", found=address, allowed=ALLOWED) from error
    with dask_hushed(), client:
        yield Cluster(client, asked, say)


async def greet(address: str) -> None:
    """Ask who is at an address, and take leave.

    Dask's own client waits without end for whoever is there to say anything.

    Raises
    ------
    Exception
        Nobody is there or answers in time, or it is no scheduler.
    """
    from distributed.comm.core import connect  # noqa: PLC0415 - only with the extra of this name
    from distributed.security import Security  # noqa: PLC0415

    place = urlsplit(address)  # where nobody listens Dask would try again and again
    socket.create_connection((place.hostname or "", place.port or 0), ANSWER_SECONDS).close()
    async with asyncio.timeout(ANSWER_SECONDS):
        connection = await connect(address, timeout=ANSWER_SECONDS, **Security().get_connection_args("client"))
        await connection.write({"op": "identity", "reply": True})
        answer = await connection.read()
        await connection.close()
    if "workers" not in answer:
        raise ValueError(answer["type"])  # one of the workers


@contextmanager
def dask_hushed() -> Iterator[None]:
    """Keep what Dask logs from the screen: what matters of it is said in our words."""
    names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] in ("distributed", "tornado")]
    before = {name: logging.getLogger(name).level for name in names}
    try:
        for name in names:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)
