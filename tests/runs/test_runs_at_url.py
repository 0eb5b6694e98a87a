"""A run that workers of a cluster put at a URL has the bytes of a run in a folder, whatever becomes of them."""

import os
import signal
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from reports.data.load import load_run
from sim.data.files import MANIFEST, check_folder, is_url
from sim.errors import OutageError, UserError
from sim.runs import run as playing
from sim.runs.config import RunRequest, make_plans
from sim.runs.remote import url_run
from sim.runs.remote.cluster import Cluster
from sim.runs.remote.object_store import put_object, read, remove_object, sizes
from sim.runs.remote.url_run import PLAN, Portion, fetch_run, play_run_at_url, write_portion
from sim.runs.remote.worker import RunAsked, plan_here, refusal
from sim.runs.shards import share_out
from sim.runs.simulate import play_request, simulate
from tests.runs.conftest import names, parts, set_sizes
from tests.runs.test_runs_cluster import CONFIG as OF_A_CLUSTER
from tests.runs.test_runs_cluster import pid_of, started

pytest.importorskip("fsspec")
CONFIG = OF_A_CLUSTER.model_copy(update={"games": 132})
PLANS = make_plans(CONFIG)
PORTIONS = 4


@pytest.fixture(scope="module", autouse=True)
def small_parts() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        set_sizes(patch, 40, 20, 40, 20)
        yield


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same run in a folder."""
    folder = tmp_path_factory.mktemp("runs") / "here"
    play_request(RunRequest(CONFIG, folder, jobs=1), progress=False)
    return folder


@pytest.fixture
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    """A place in memory that is empty before and after."""
    place = f"memory://{request.node.name}"
    yield place
    remove_object(place, list(sizes(place)))


def written_here(url: str, part_games: Mapping[str, int], portions: Sequence[tuple[int, int]]) -> Generator[Portion]:
    """What workers do, in this process."""
    groups = share_out(PLANS, CONFIG.games)
    players = playing.warm_up([group.plan for group in groups], print)
    for first, games in portions:
        yield write_portion(groups, players, url, part_games, first, games)


def run_at(url: str, said: list[str] | None = None) -> None:
    play_run_at_url(PLANS, RunRequest(CONFIG, url), written_here, say=print if said is None else said.append)


def parts_of(url: str) -> dict[str, bytes | None]:
    return {name: read(url, name) for name in sizes(url) if name != MANIFEST}


def test_parts_at_a_url_are_those_of_a_run_in_a_folder_and_nothing_else_is_left(here: Path, url: str) -> None:
    run_at(url)
    assert parts_of(url) == parts(here)
    assert len(parts(here)) == PORTIONS + 7


def test_a_url_of_this_machine_is_a_folder_that_reports_open(here: Path, tmp_path: Path) -> None:
    run_at(f"file://{tmp_path}/there")
    assert parts(tmp_path / "there") == parts(here)
    assert load_run(tmp_path / "there").seats.collect().equals(load_run(here).seats.collect())


def test_a_fetched_run_has_its_bytes_and_a_damaged_one_leaves_nothing(url: str, tmp_path: Path) -> None:
    run_at(url)
    fetch_run(url, tmp_path / "fetched")
    assert parts(tmp_path / "fetched") == parts_of(url)
    assert (tmp_path / "fetched" / MANIFEST).read_bytes() == read(url, MANIFEST)
    put_object(url, "seats/part-000001.parquet", b"something else")
    with pytest.raises(UserError, match="checksum mismatch"):
        fetch_run(url, tmp_path / "damaged")
    remove_object(url, ["seats/part-000001.parquet"])
    with pytest.raises(UserError, match="this part of the run is missing"):
        fetch_run(url, tmp_path / "damaged")
    assert names(tmp_path) == ["fetched"]


class KilledError(BaseException):
    """The process is gone."""


def test_the_same_command_goes_on_after_a_kill_at_any_object(
    here: Path, url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, scaled: Callable[..., int]
) -> None:
    wanted, total = parts(here), len(parts(here)) + PORTIONS + 1
    for last in (*range(0, total - 1, scaled(3, 3, 1)), total - 1):
        done: list[str] = []

        def put_until_killed(place: str, name: str, content: bytes, last: int = last, done: list[str] = done) -> None:
            if len(done) == last:
                raise KilledError
            done.append(name)
            put_object(place, name, content)

        with monkeypatch.context() as patch:
            patch.setattr(url_run, "put_object", put_until_killed)
            with pytest.raises(KilledError):
                run_at(url)
        assert MANIFEST not in sizes(url), "the manifest is there before the run is whole"
        with pytest.raises(UserError, match="an unfinished run is there"):
            fetch_run(url, tmp_path / "fetched")
        said: list[str] = []
        run_at(url, said)
        assert parts_of(url) == wanted
        notes = sum(name.startswith("unfinished/") for name in done)
        assert bool(said) == bool(notes), "what was noted is gone on with"
        remove_object(url, list(sizes(url)))


def test_a_portion_whose_parts_are_gone_is_played_again(url: str) -> None:
    with pytest.raises(KilledError):
        play_run_at_url(PLANS, RunRequest(CONFIG, url), killed_after_two)
    remove_object(url, ["seats/part-000000.parquet"])
    said: list[str] = []
    run_at(url, said)
    assert "40 of 132 games already played" in said[0]


def killed_after_two(
    url: str, part_games: Mapping[str, int], portions: Sequence[tuple[int, int]]
) -> Generator[Portion]:
    yield from written_here(url, part_games, portions[:2])
    raise KilledError


def test_an_interrupt_and_an_outage_say_what_is_kept(url: str) -> None:
    def ended_by(error: BaseException) -> Any:
        def write(*asked: Any) -> Generator[Portion]:
            with pytest.raises(KilledError):
                yield from killed_after_two(*asked)
            raise error

        return write

    with pytest.raises(KeyboardInterrupt, match="80 of 132 games saved; run the same command to resume"):
        play_run_at_url(PLANS, RunRequest(CONFIG, url), ended_by(KeyboardInterrupt()))
    with pytest.raises(UserError, match="no worker left; 132 of 132 games saved"):
        play_run_at_url(PLANS, RunRequest(CONFIG, url), ended_by(OutageError("no worker left")))
    with pytest.raises(UserError, match="it fails; the files written so far remain"):
        play_run_at_url(PLANS, RunRequest(CONFIG, url), ended_by(UserError("it fails")))


def test_a_part_that_was_put_elsewhere_makes_no_finished_run(url: str) -> None:
    def write(url: str, *asked: Any) -> Generator[Portion]:
        for portion in written_here(url, *asked):
            remove_object(url, list(portion.sizes)[:1])
            yield portion

    with pytest.raises(OutageError, match="a part that a worker wrote is missing"):
        play_run_at_url(PLANS, RunRequest(CONFIG, url), write)
    assert MANIFEST not in sizes(url)


def test_what_lies_there_is_never_overwritten(url: str) -> None:
    with pytest.raises(KilledError):
        play_run_at_url(PLANS, RunRequest(CONFIG, url), killed_after_two)
    there = parts_of(url)
    with pytest.raises(UserError, match="an unfinished run of another plan is here: games 132 there, 100 asked for"):
        play_run_at_url(PLANS, RunRequest(CONFIG.model_copy(update={"games": 100}), url), written_here)
    assert parts_of(url) == there
    run_at(url)
    there = parts_of(url)
    put_object(url, PLAN, b"left by a kill behind the manifest")
    with pytest.raises(UserError, match="a run is already there"):
        run_at(url)
    assert parts_of(url) == there
    put_object(f"{url}-other", "letter.txt", b"dear")
    with pytest.raises(UserError, match=r"something other than a run is there \(found: 'letter.txt'\)"):
        run_at(f"{url}-other")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "only the workers of a cluster can write a run to a URL"),
        ({"cluster": "local", "overwrite": True}, "a run at a URL cannot be replaced"),
        ({"cluster": "local", "stop_rule": print}, "a stopping rule needs all games"),
    ],
)
def test_what_only_a_folder_can_be_is_refused_at_a_url(url: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError, match=said):
        play_request(RunRequest(CONFIG, url, **options), progress=False)
    assert not sizes(url)


def test_what_is_too_large_at_a_url_is_not_read(url: str) -> None:
    put_object(url, "plan.json", bytes(1001))
    assert read(url, "plan.json", 1001) == bytes(1001)
    with pytest.raises(UserError, match=r"plan\.json: too large"):
        read(url, "plan.json", 1000)


def test_a_url_is_told_from_paths() -> None:
    assert all(map(is_url, ["s3://bucket/run", "file:///run", "simplecache::s3://bucket/run", Path("s3://bucket/run")]))
    assert not any(map(is_url, ["runs/first", "/runs/a:/b", "C:/runs", r"C:\runs", "a:b/c", ".", "runs/s3://bucket"]))
    with pytest.raises(UserError, match=r"field out: a URL is not allowed here \(found: 's3://bucket/run'\)"):
        check_folder(Path("s3://bucket/run"), "out")
    with pytest.raises(UserError, match="a URL is not allowed here"):
        simulate("seven_wonders", out="s3://bucket/run")


def test_a_kind_of_store_that_there_is_not_is_one_message() -> None:
    with pytest.raises(UserError, match=r"^nowhere://run: this kind of store cannot be used .*empirelab\[s3\]"):
        sizes("nowhere://run")


def test_a_worker_that_sees_another_store_is_refused(url: str) -> None:
    asked = RunAsked(CONFIG, None, plan_here(RunAsked(CONFIG, None)), url)
    assert refusal(asked) == f"it does not find the run's plan at {url}"
    put_object(url, PLAN, b"{}")
    assert refusal(asked) == ""


# ---- A store of objects, a scheduler and workers, each in a process of its own ----


@contextmanager
def store_of_objects() -> Iterator[str]:
    """An S3 server on this machine, which the environment names, with an empty bucket; the URL of the bucket."""
    import s3fs  # noqa: PLC0415 - few have it
    from moto.server import ThreadedMotoServer  # noqa: PLC0415

    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    with pytest.MonkeyPatch.context() as patch:
        try:
            patch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{server.get_host_and_port()[1]}")
            for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
                patch.setenv(name, "test")
            patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
            s3fs.S3FileSystem(skip_instance_cache=True).mkdir("bucket")
            yield "s3://bucket"
        finally:
            server.stop()


@pytest.mark.slow
@pytest.mark.sweep
def test_on_a_store_of_objects_a_killed_worker_costs_its_portion_only(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("distributed", "s3fs", "moto", "flask", "flask_cors"):
        pytest.importorskip(name)
    said: list[str] = []
    first_done = Cluster.first_done
    killed: list[int] = []

    def first_done_after_a_death(self: Cluster) -> Any:
        if not killed and self.tasks:
            killed.append(pid_of(self.client, self.tasks[0].worker))
            os.kill(killed[0], signal.SIGKILL)
            time.sleep(0.5)
        return first_done(self)

    monkeypatch.setattr(Cluster, "first_done", first_done_after_a_death)
    with store_of_objects() as bucket, started(tmp_path, workers=2) as (address, workers):
        play_request(RunRequest(CONFIG, f"{bucket}/runs/one", cluster=address), progress=False, say=said.append)
        assert [worker.pid for worker in workers if worker.poll() is not None] == killed != []
        assert parts_of(f"{bucket}/runs/one") == parts(here)
        fetch_run(f"{bucket}/runs/one", tmp_path / "fetched")
    assert any("is lost; other workers play its games" in text for text in said)
    assert parts(tmp_path / "fetched") == parts(here)
