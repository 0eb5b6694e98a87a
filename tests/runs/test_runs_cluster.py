"""A run on a cluster has the bytes of a run on one machine, whatever becomes of its workers."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import dask
import pytest

from sim.errors import OutageError, UserError
from sim.runs import run as playing
from sim.runs.config import RunRequest
from sim.runs.remote import cluster as clusters
from sim.runs.remote.cluster import Cluster, connected_cluster
from sim.runs.remote.worker import RunAsked, plan_here, play_at_worker, refusal
from sim.runs.simulate import config_of, play_request
from tests.runs.conftest import parts

CONFIG = config_of(
    "test", game="seven_wonders", games=900, players=[3, 4], strategies=["random", "greedy"], factions="all",
    assign="rotate", seed=3, detail="cards", code=None, settings={}, changes=[], checked=False,
)  # fmt: skip


def wait_for(file: Path, process: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        if file.exists() and file.stat().st_size:
            return
        assert process.poll() is None, "the scheduler has ended"
        time.sleep(0.1)
    raise AssertionError("no scheduler after a minute")


@contextmanager
def started(
    folder: Path, workers: int, protocol: str = "tcp", **more: str
) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and workers as processes of their own; the scheduler's address, and the workers."""
    note = folder / "scheduler.json"
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"} | more
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment}
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0", "--host", "127.0.0.1"]
    command += ["--protocol", protocol]
    scheduler = subprocess.Popen([*command, "--no-dashboard", "--scheduler-file", str(note)], **quiet)
    processes = [scheduler]
    try:
        wait_for(note, scheduler)
        worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", str(note), "--no-dashboard"]
        worker += ["--no-nanny", "--nthreads", "1", "--local-directory", str(folder)]
        processes += [subprocess.Popen(worker, **quiet) for _ in range(workers)]
        yield json.loads(note.read_text())["address"], processes[1:]
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.wait()


@pytest.mark.slow
@pytest.mark.parametrize(
    "moment", [pytest.param("with games to play", marks=pytest.mark.sweep), "with rows that were not fetched"]
)
def test_a_killed_worker_costs_its_shard_only_and_the_bytes_stay_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(playing, "SHARD_GAMES_WITH_PIECES", 50)
    monkeypatch.setattr(clusters, "FETCH_SECONDS", 1.0)
    said: list[str] = []
    play_request(RunRequest(CONFIG, tmp_path / "here", jobs=1), progress=False)
    with started(tmp_path, workers=2) as (address, workers):
        first_done = Cluster.first_done
        killed: list[int] = []

        def first_done_after_a_death(self: Cluster) -> Any:
            if not killed and self.tasks:
                task = self.tasks[0]
                if task.future.done() == (moment == "with rows that were not fetched"):
                    killed.append(pid_of(self.client, task.worker))
                    os.kill(killed[0], signal.SIGKILL)
                    next(worker for worker in workers if worker.pid == killed[0]).wait()
            return first_done(self)

        monkeypatch.setattr(Cluster, "first_done", first_done_after_a_death)
        play_request(RunRequest(CONFIG, tmp_path / "there", cluster=address), progress=False, say=said.append)
        assert [worker.pid for worker in workers if worker.poll() is not None] == killed != []
    assert parts(tmp_path / "there") == parts(tmp_path / "here")
    assert any("is lost; other workers play its games" in text for text in said)


@pytest.mark.slow
@pytest.mark.sweep
def test_a_cluster_that_takes_only_who_has_its_certificate_plays_for_who_has_it(tmp_path: Path) -> None:
    security = pytest.importorskip("distributed").Security.temporary()
    tls = {"ca-file": security.tls_ca_file}
    for role in ("scheduler", "worker", "client"):
        tls |= {f"{role}.cert": security.tls_client_cert, f"{role}.key": security.tls_client_key}
    words = {
        f"DASK_DISTRIBUTED__COMM__TLS__{name.upper().replace('.', '__').replace('-', '_')}": text
        for name, text in tls.items()
    }
    play_request(RunRequest(CONFIG, tmp_path / "here", jobs=1), progress=False)
    with started(tmp_path, 1, "tls", **words) as (address, _):
        assert address.startswith("tls://")
        with pytest.raises(UserError, match="no Dask scheduler answers at this address"):
            play_request(RunRequest(CONFIG, tmp_path / "there", cluster=address), progress=False)
        with dask.config.set({f"distributed.comm.tls.{name}": text for name, text in tls.items()}):
            play_request(RunRequest(CONFIG, tmp_path / "there", cluster=address), progress=False)
    assert parts(tmp_path / "there") == parts(tmp_path / "here")


def pid_of(client: Any, worker: str) -> int:
    """Process of a worker."""
    return int(client.run(os.getpid, workers=[worker])[worker])


def test_a_worker_with_other_versions_is_refused_and_both_are_named() -> None:
    asked = RunAsked(CONFIG, None, plan_here(RunAsked(CONFIG, None)))
    assert refusal(asked) == ""
    versions = asked.plan["versions"] | {"polars": "0.1"}
    other = refusal(replace(asked, plan=asked.plan | {"versions": versions}))
    assert other.startswith("versions.polars '0.1' where the run was asked for, '")
    assert other.endswith("' at the worker")


def test_a_worker_that_cannot_find_the_players_is_refused_with_the_reason() -> None:
    config = CONFIG.model_copy(update={"code": "/nowhere/mine.py"})
    assert "/nowhere/mine.py" in refusal(RunAsked(config, None, {}))


class Answer:
    """What a worker has answered."""

    def __init__(self, text: str) -> None:
        self.status, self.text = "finished", text

    def done(self) -> bool:
        return True

    def result(self) -> str:
        return self.text


class NoWorkers:
    """A client of a cluster with workers that all give the same answer."""

    status = "running"

    def __init__(self, answer: str, workers: int) -> None:
        self.answer, self.workers = answer, workers

    def nthreads(self) -> dict[str, int]:
        return {f"tcp://10.0.0.{number}:1": 1 for number in range(self.workers)}

    def submit(self, *_: Any, **__: Any) -> Answer:
        return Answer(self.answer)

    def cancel(self, futures: list[Any]) -> None:
        assert not futures


def test_a_cluster_of_refused_workers_ends_the_run_and_keeps_what_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(clusters, "LOOK_SECONDS", 0.0)
    cluster = Cluster(NoWorkers("polars 1 here, 2 there", 1), RunAsked(CONFIG, None, {}), said.append)
    with pytest.raises(OutageError, match=r"no worker .* tcp://10.0.0.0:1: polars 1 here, 2 there"):
        list(cluster.in_order(play_at_worker, [(0, 0, 50)]))
    assert said == ["the worker tcp://10.0.0.0:1 is refused because it cannot play this run: polars 1 here, 2 there"]


def test_a_cluster_without_workers_is_waited_for_and_then_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(clusters, "WORKER_SECONDS", 0.1)
    cluster = Cluster(NoWorkers("", 0), RunAsked(CONFIG, None, {}), print)
    with pytest.raises(OutageError, match="no worker of the cluster can play this run"):
        list(cluster.in_order(play_at_worker, [(0, 0, 50)]))


def test_a_scheduler_that_goes_ends_the_run_and_keeps_what_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    client = NoWorkers("", 1)

    def gone() -> dict[str, int]:
        raise ConnectionResetError

    monkeypatch.setattr(client, "nthreads", gone)
    with pytest.raises(OutageError, match="the scheduler of the cluster is lost"):
        list(Cluster(client, RunAsked(CONFIG, None, {}), print).in_order(play_at_worker, [(0, 0, 50)]))


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense", "tcp://127.0.0.1:port"])
def test_an_unreachable_scheduler_is_one_message_and_leaves_nothing(tmp_path: Path, address: str) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(UserError, match="no Dask scheduler answers at this address") as error:
        play_request(RunRequest(CONFIG, tmp_path / "run", cluster=address), progress=False)
    assert address in str(error.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "answer", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\1" + bytes(7) + b"\3" + bytes(7) + b"any"]
)
def test_who_is_no_scheduler_and_says_nothing_or_anything_is_one_message(
    tmp_path: Path, answer: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(clusters, "ANSWER_SECONDS", 1)
    connections = []

    def answers(at: socket.socket) -> None:
        with suppress(OSError):
            while True:
                connections.append(at.accept()[0])
                connections[-1].sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=answers, args=(server,), daemon=True).start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(UserError, match="no Dask scheduler answers at this address"):
            play_request(RunRequest(CONFIG, tmp_path / "run", cluster=address), progress=False)
        server.shutdown(socket.SHUT_RDWR)
    for connection in connections:
        connection.close()
    assert not list(tmp_path.iterdir())


def test_without_dask_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(UserError, match=r"empirelab\[cluster\]"),
        connected_cluster(RunRequest(CONFIG, "", jobs=1, cluster="local"), print),
    ):
        pass
