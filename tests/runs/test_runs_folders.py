"""A folder is written by one run at a time, appears whole or not at all, and costs nobody anything."""

import errno
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sim.data import disk
from sim.errors import UserError
from sim.players.batch import Plan
from sim.runs.run import play_run
from sim.runs.shards import interruptible
from sim.runs.store import run_folder as making_of_folders
from sim.runs.store.manifest import load_manifest
from sim.runs.store.parquet import check_out
from sim.runs.store.run_folder import FORMAT, atomic_folder, claim_of, lock
from tests.kit.processes import start_process
from tests.runs.conftest import names

ROOT = Path(__file__).parent.parent.parent
Make = Callable[..., Plan]


def refuse(target: Path, overwrite: bool) -> None:
    """The check of a folder of any kind: an old one is replaced only where that is asked for."""
    if target.exists() and not overwrite:
        raise UserError("the output folder exists")


def making(target: Path, overwrite: bool = False) -> Any:
    return atomic_folder(target, partial(refuse, target, overwrite))


def fill(target: Path, text: str = "new", overwrite: bool = False) -> None:
    with making(target, overwrite) as folder:
        (folder / "file").write_text(text)


def leave(target: Path, unfinished: str = "", replaced: str = "") -> None:
    """Leave what a killed run leaves: a claim that nobody holds, and the folders that it names."""
    said = {"format": FORMAT, "unfinished": unfinished, "replaced": replaced}
    claim_of(target).write_text(json.dumps(said))
    for name, text in ((unfinished, "half"), (replaced, "old")):
        if name:
            target.with_name(name).mkdir()
            (target.with_name(name) / "file").write_text(text)


UNFINISHED, REPLACED = ".run.unfinished-0123456789abcdef", ".run.replaced-0123456789abcdef"


# ---- One at a time ----


def test_a_folder_is_claimed_by_one_run_and_the_next_ends_at_once(target: Path, plan_of: Make) -> None:
    with making(target) as folder:
        (folder / "file").write_text("first")
        for start in (partial(fill, target), partial(check_out, target, False), partial(check_out, target, True)):
            with pytest.raises(UserError, match="run: another run is being written to this folder"):
                start()
        with pytest.raises(UserError, match="another run is being written to this folder"):
            play_run(plan_of(players=3, strategies=["random"]), 10, target, jobs=1)
    assert names(target.parent) == ["run"]
    assert (target / "file").read_text() == "first"


def test_folders_of_other_names_are_made_meanwhile(target: Path) -> None:
    with making(target), making(target.with_name("other")):
        pass
    assert names(target.parent) == ["other", "run"]


def test_a_claim_ends_with_the_run(target: Path) -> None:
    with pytest.raises(ZeroDivisionError), making(target):
        _ = 1 / 0
    assert names(target.parent) == []
    fill(target)
    assert (target / "file").read_text() == "new"


# ---- What appears meanwhile ----


@pytest.mark.parametrize("overwrite", [False, True])
def test_what_appears_meanwhile_is_kept_and_so_is_the_run(target: Path, overwrite: bool) -> None:
    def fill_late() -> None:
        with making(target, overwrite) as folder:
            (folder / "file").write_text("new")
            target.mkdir()
            (target / "thesis").write_text("years of work")

    target.with_name("run-2").mkdir()
    with pytest.raises(UserError, match=r"something else appeared here during the run; the result is in .*run-3"):
        fill_late()
    assert names(target.parent) == ["run", "run-2", "run-3"]
    assert (target / "thesis").read_text() == "years of work"
    assert (target.with_name("run-3") / "file").read_text() == "new"


def test_an_old_run_that_was_exchanged_meanwhile_is_kept(target: Path) -> None:
    def fill_late() -> None:
        with making(target, overwrite=True):
            target.rename(target.with_name("moved"))
            target.mkdir()

    fill(target, "old")
    with pytest.raises(UserError, match="something else appeared here during the run"):
        fill_late()
    assert names(target.parent) == ["moved", "run", "run-2"]


def test_a_run_that_got_a_file_of_its_users_meanwhile_is_not_replaced(target: Path, plan_of: Make) -> None:
    plan = plan_of(players=3, strategies=["random"])
    play_run(plan, 10, target, jobs=1)

    def write_note(games: int) -> None:
        (target / "notes.txt").write_text("mine")

    with pytest.raises(UserError, match=r"notes.txt in its folder is not part of it"):
        play_run(plan, 20, target, jobs=1, overwrite=True, report=write_note)
    assert names(target.parent) == ["run"]
    assert (target / "notes.txt").read_text() == "mine"
    assert load_manifest(target).games == 10


# ---- What dead runs leave ----


def test_the_next_run_removes_what_a_killed_one_has_left(target: Path) -> None:
    leave(target, UNFINISHED)
    fill(target)
    assert names(target.parent) == ["run"]
    assert (target / "file").read_text() == "new"


def test_a_claim_that_is_looked_at_for_a_moment_is_taken_all_the_same(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = iter([False, False])
    monkeypatch.setattr(making_of_folders, "lock", lambda descriptor: next(found, None) is None and lock(descriptor))
    fill(target)
    assert names(target.parent) == ["run"]


def test_nothing_that_a_claim_does_not_name_is_removed(target: Path) -> None:
    leave(target, UNFINISHED)
    kept = [".run.replaced-mine", ".run.unfinished-1234", ".run.unfinished-mine", ".running"]
    for name in kept:
        target.with_name(name).mkdir()
    fill(target)
    assert names(target.parent) == [*kept, "run"]


@pytest.mark.parametrize(
    "text",
    [
        '{"format": "empirelab-claim/1", "unfinished": "../thesis", "replaced": ""}',
        '{"format": "empirelab-claim/1", "unfinished": ".run.unfinished-/../../thesis", "replaced": ""}',
        '{"format": "empirelab-claim/1", "unfinished": "thesis", "replaced": ""}',
        '{"format": "empirelab-claim/1", "unfinished": 7, "replaced": ""}',
        '{"format": "empirelab-claim/1"}',
        "[]",
        "my notes",
        "[" * 9000,
    ],
)
def test_a_file_that_is_no_claim_is_in_the_way_and_stays(tmp_path: Path, text: str) -> None:
    target = tmp_path / "runs" / "run"
    for folder in (tmp_path / "thesis", tmp_path / "runs" / "thesis"):
        folder.mkdir(parents=True)
    claim_of(target).write_text(text)
    with pytest.raises(UserError, match=r"run.claim: a file that this program did not write is in the way"):
        fill(target)
    assert claim_of(target).read_text() == text
    assert (tmp_path / "thesis").is_dir()
    assert names(tmp_path / "runs") == [".run.claim", "thesis"]


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="only where there is a folder in which nothing can be made")
def test_where_nothing_can_be_made_no_other_run_is_blamed() -> None:
    with pytest.raises(UserError, match="/proc/run: the output folder cannot be written: No such file or directory"):
        fill(Path("/proc/run"))


def test_a_link_in_place_of_a_claim_is_not_followed(target: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis").write_text("years of work")
    claim_of(target).symlink_to("thesis")
    with pytest.raises(UserError, match="cannot be written"):
        fill(target)
    assert (tmp_path / "thesis").read_text() == "years of work"


def test_a_run_killed_before_its_successor_was_in_place_is_put_back(target: Path) -> None:
    leave(target, UNFINISHED, REPLACED)
    with pytest.raises(UserError, match="the output folder exists"):
        fill(target)
    assert names(target.parent) == ["run"]
    assert (target / "file").read_text() == "old"


def test_a_run_killed_after_its_successor_was_in_place_is_removed(target: Path) -> None:
    leave(target, "", REPLACED)
    target.mkdir()
    (target / "file").write_text("successor")
    fill(target, "third", overwrite=True)
    assert names(target.parent) == ["run"]
    assert (target / "file").read_text() == "third"


def test_of_an_old_run_and_what_took_its_place_neither_is_lost(target: Path) -> None:
    leave(target, UNFINISHED, REPLACED)
    target.mkdir()
    with pytest.raises(UserError, match=f"moved to .*{REPLACED}, and something else took its place"):
        fill(target)
    assert target.is_dir()
    assert (target.with_name(REPLACED) / "file").read_text() == "old"


def test_an_old_run_comes_back_when_the_new_one_cannot_be_put_in_its_place(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(target, "old")
    rename = Path.rename

    def fail(path: Path, to: Path) -> Path:
        if path.name == "content":
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return rename(path, to)

    monkeypatch.setattr(Path, "rename", fail)
    with pytest.raises(UserError, match="cannot be written: Input/output error"):
        fill(target, "new", overwrite=True)
    assert names(target.parent) == ["run"]
    assert (target / "file").read_text() == "old"


def test_all_is_on_the_disk_before_the_folder_has_its_name(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []
    sync, rename = os.fsync, Path.rename

    def note_sync(descriptor: int) -> None:
        steps.append(Path(f"/proc/self/fd/{descriptor}").readlink().name)
        sync(descriptor)

    def note_rename(path: Path, to: Path) -> Path:
        steps.append(f"{path.name} becomes {to.name}")
        return rename(path, to)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(Path, "rename", note_rename)
    with making(target) as folder:
        (folder / "seats").mkdir()
        (folder / "seats" / "part").write_text("rows")
        name = folder.name
    at = steps.index(f"{name} becomes run")
    assert {"part", "seats", "content"} <= set(steps[:at])
    assert target.parent.name in steps[at:]


# ---- Full disks ----


@pytest.fixture
def small_files() -> Any:
    """Let no file grow beyond 20,000 bytes, which looks to a program like a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_file_that_the_system_cuts_short_ends_a_run_with_nothing_left(
    target: Path, plan_of: Make, small_files: None
) -> None:
    plan = plan_of(players=3, strategies=["random"])
    with pytest.raises(UserError, match=r"run: the output folder cannot be written: File too large"):
        play_run(plan, 2000, target, jobs=1)
    assert names(target.parent) == []


@pytest.mark.parametrize("step", ["write", "append", "make_folder"])
def test_a_full_disk_ends_a_run_with_nothing_left(
    target: Path, plan_of: Make, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    plan = plan_of(players=3, strategies=["random"])
    play_run(plan, 10, target, jobs=1)
    before = {path: path.read_bytes() for path in target.rglob("*") if path.is_file()}

    def fail(taken: str, path: Path, *more: object) -> None:
        if taken == step and ".run.unfinished" in str(path):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(disk, "watch", fail)
    with pytest.raises(UserError, match="cannot be written: No space left on device"):
        play_run(plan, 20, target, jobs=1, overwrite=True)
    assert {path: path.read_bytes() for path in target.rglob("*") if path.is_file()} == before
    assert names(target.parent) == ["run"]


# ---- True processes ----

HOLD = """
import sys, time
from pathlib import Path
from sim.runs.store.run_folder import atomic_folder
with atomic_folder(Path(sys.argv[1]), lambda: None) as folder:
    (folder / "file").write_text("half")
    print(folder.parent.name, flush=True)
    time.sleep(60)
"""


@pytest.mark.slow
def test_what_a_killed_process_leaves_is_removed_only_when_it_is_dead(target: Path) -> None:
    arguments = [sys.executable, "-c", HOLD, str(target)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        name = process.stdout.readline().strip()
        with pytest.raises(UserError, match="another run is being written to this folder"):
            fill(target)
        assert names(target.parent) == [".run.claim", name]
        process.kill()
    assert names(target.parent) == [".run.claim", name]
    fill(target)
    assert names(target.parent) == ["run"]


@contextmanager
def handled(number: signal.Signals, handler: Any) -> Iterator[None]:
    """Handle a signal even if the tests themselves ignore it, as after `nohup` or in the background."""
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


@pytest.mark.slow
@pytest.mark.parametrize("number", [pytest.param(signal.SIGHUP, marks=pytest.mark.sweep), signal.SIGTERM])
def test_a_run_whose_terminal_closes_before_it_has_played_leaves_nothing(
    number: signal.Signals, tmp_path: Path
) -> None:
    words = ["simulate", "seven_wonders", "--games", "10000000", "--strategies", "random", "--quiet", "--out", "a/run"]
    with handled(number, signal.SIG_DFL), start_process(tmp_path, "-m", "sim.cli", *words) as process:
        while process.poll() is None and not list(tmp_path.glob("a/.run.unfinished-*/plan.json")):
            time.sleep(0.01)
        process.send_signal(number)
        _, said = process.communicate()
    assert process.returncode == 130
    assert "no partial output is left" in said
    assert names(tmp_path) == []


def test_work_that_never_returns_can_be_interrupted() -> None:
    ended = threading.Event()
    threading.Timer(0.2, signal.raise_signal, [signal.SIGINT]).start()
    with handled(signal.SIGINT, signal.default_int_handler), pytest.raises(KeyboardInterrupt):
        interruptible(ended.wait)
    ended.set()
    assert interruptible(max, 3, 5) == 5
    with pytest.raises(ValueError, match="no such number"):
        interruptible(raise_error)


def raise_error() -> None:
    raise ValueError("no such number")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only where a device is always full")
def test_what_cannot_be_printed_is_told() -> None:
    with Path("/dev/full").open("w") as full:
        words = [sys.executable, "-m", "sim.cli", "games"]
        done = subprocess.run(words, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "empirelab: the results cannot be printed or written (No space left on device)\n"
