"""The sandbox: a command that runs a user's Python file does so in a process that another process watches.

While the playing process runs the user's code, it marks the strategy or the game in memory that both processes share
(`sim.players.batch`). The watching process ends the playing process if it takes too long or too much memory. If the
playing process dies, the watching process prints one message. Unfinished output is removed.
"""

from __future__ import annotations

import mmap
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import IO, Any

import numpy as np

from sim.compiler.source_digest import GUARDED, own_environment, own_program
from sim.errors import UserError, bare

MARKS = "marks"
TARGETS = "targets"
"""Names of two files in the folder that both processes share: `MARKS` holds the marks, and `TARGETS` has a line for
each run folder that is being written."""
CONTAINER = Path("/sys/fs/cgroup")
"""Folder of the files that say how much memory a Linux container may use and does use."""
ENOUGH_MEMORY = 2 * 10**9
"""Bytes of memory that a process may always use. A run needs a few hundred million."""
MIN_SECONDS_TO_END = 5.0
"""Minimum number of seconds that the interpreter gets to end its process. On a busy machine, one second is too
short."""
BETWEEN_LOOKS = 0.1
MAX_SECONDS_OF_LOOK = 1.0
"""Maximum number of seconds that a check by the watcher adds to the time of a call. If more have passed since the last
check, both processes were suspended."""
MOST_MARKS = 2 + 1024 * 32
"""Number of marks: two special ones, and enough for one per strategy of each worker."""
MARK = np.dtype(
    (
        np.record,
        [
            ("inside", np.int64),  # 1 while the user's code is running
            ("calls", np.int64),  # how often it has been called
            ("failed", np.int64),  # 1 once it has raised an exception, which compiled code cannot pass on
            ("name", "S104"),  # the owner of the code: "strategy mine", or "the game"
        ],
    )
)
"""The mark of a strategy, or of a game in plain Python, on one worker."""
ENDED, IMPORTING, FIRST_MARK = range(3)
"""Indices of marks. The first is set when the program has ended normally, the second while a user's file is
imported. The marks of strategies begin at the third."""


@cache
def own_marks() -> np.ndarray:
    """Return the marks of this process, of shape (MOST_MARKS,). If there is a watcher, it shares this memory."""
    folder = os.environ.get(GUARDED)
    return marks_in(Path(folder)) if folder else np.zeros(MOST_MARKS, MARK)


def marks_in(folder: Path) -> np.ndarray:
    """Return the marks in a folder's file, which is mapped into memory."""
    with (folder / MARKS).open("r+b") as file:
        return np.frombuffer(mmap.mmap(file.fileno(), MOST_MARKS * MARK.itemsize), MARK)


def is_sandboxed() -> bool:
    """Tell whether this process runs in a sandbox."""
    return bool(os.environ.get(GUARDED))


# ---- In the process that plays ----


def note_target(target: Path) -> None:
    """Tell the watching process, if there is one, that a run folder is being written."""
    if is_sandboxed():
        with (Path(os.environ[GUARDED]) / TARGETS).open("a", encoding="utf-8") as file:
            file.write(f"{target}\n")


@contextmanager
def importing() -> Iterator[None]:
    """In a `with` block: mark that a user's file is being imported."""
    mark = own_marks()[IMPORTING]
    mark["calls"] += 1
    mark["inside"] = 1
    try:
        yield
    finally:
        mark["inside"] = 0


def note_end() -> None:
    """Record that the program ends normally, whatever its exit status.

    The worker processes of the project are ended first. Then the watcher waits only for processes that a user's file
    has started.
    """
    if is_sandboxed():
        end_workers()
        own_marks()[ENDED]["inside"] = 1


def end_workers() -> None:
    """End the worker processes of this process, if it has any, whatever they are doing."""
    kept: Any = sys.modules.get("joblib.externals.loky.reusable_executor")
    if kept is None or kept._executor is None:
        return
    from joblib.externals.loky.backend.utils import kill_process_tree  # noqa: PLC0415 - few processes have workers

    # If some of the workers' work was cancelled, an error ends the thread in which `shutdown` would kill the workers.
    for process in list(kept._executor._processes.values()):
        kill_process_tree(process)
    kept._executor.shutdown(wait=True)


def end_with_watcher() -> None:
    """Terminate this process as soon as its watcher has died."""
    watcher = os.getppid()

    def look() -> None:
        while os.getppid() == watcher:
            time.sleep(1.0)
        if is_sandboxed():
            shutil.rmtree(os.environ[GUARDED], ignore_errors=True)
        os.kill(os.getpid(), signal.SIGTERM)  # SIGINT may be ignored, as in background jobs of a shell

    threading.Thread(target=look, daemon=True).start()


# ---- In the process that watches ----


def memory_allowed() -> int:
    """Return how many bytes the playing process may use now: the free memory, but at least `ENOUGH_MEMORY`.

    The watcher compares what a process uses with what is still free. So if n processes grow equally, each is ended when
    it uses more than 1 / (n + 1) of the memory that was free at first, and as much is left for the system.
    """
    return max(ENOUGH_MEMORY, memory_left())


def memory_left() -> int:
    """Return how many bytes of memory of this machine or container are free; 2**62 if unknown."""
    left = [1 << 62]
    with suppress(OSError, ValueError, IndexError):
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
        left += [int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")]
    with suppress(OSError, ValueError, KeyError):
        most = int((CONTAINER / "memory.max").read_text("ascii"))  # the text is "max" if there is no limit
        lines = (CONTAINER / "memory.stat").read_text("ascii").splitlines()
        # Cached copies of files count as free: the operating system drops them when a process needs memory.
        kept = dict(line.split() for line in lines)["inactive_file"]
        left.append(max(most - int((CONTAINER / "memory.current").read_text("ascii")) + int(kept), 0))
    return min(left)


def run_guarded(code: Path, seconds: float, drop: Callable[[Path], None]) -> int:
    """Run the present command again in a sandbox, and return its exit status.

    A strategy of the user's file `code` may take `seconds` for a decision. If a strategy ends the process, or takes too
    long or too much memory, call `drop` for each run folder that was being written, to remove what is unfinished, and
    raise UserError.
    """
    with tempfile.TemporaryDirectory(prefix="empirelab-guard-") as name:
        folder = Path(name)
        (folder / MARKS).write_bytes(bytes(MOST_MARKS * MARK.itemsize))
        marks = marks_in(folder)
        # The other process can inherit only the standard streams of the system.
        captured = bare(sys.stdout) is not sys.__stdout__ or bare(sys.stderr) is not sys.__stderr__
        outputs: list[IO[bytes] | None] = [(folder / one).open("wb") if captured else None for one in ("out", "err")]
        try:
            process = subprocess.Popen(
                _command(), env=own_environment() | {GUARDED: name}, stdout=outputs[0], stderr=outputs[1]
            )
            with _signals_left_to(process):
                fault = _watch(process, marks, seconds)
        finally:
            for output in filter(None, outputs):
                output.close()
        if captured:
            for stream, file in ((sys.stdout, "out"), (sys.stderr, "err")):
                stream.write((folder / file).read_text("utf-8", "replace"))
        if fault:
            for target in targets_in(folder):
                drop(target)
            raise UserError(fault, file=code)
        if _ended_by(process, "SIGPIPE"):
            signal.raise_signal(-process.returncode)  # the program that reads the output has closed the pipe
        if not marks[ENDED]["inside"]:
            message = f"the process that played was ended by {_ending(process.returncode)}"
            raise UserError(message, allowed="run the same command to resume")
        return int(process.returncode)


@contextmanager
def _signals_left_to(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """In a `with` block: forward interrupts and termination signals to a process, as termination signals.

    A terminal sends an interrupt to the playing process too. That process treats the second signal as a repetition.
    """
    asked = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    handlers = {number: signal.getsignal(number) for number in asked}
    for number in asked:
        if handlers[number] != signal.SIG_IGN:
            signal.signal(number, lambda *_: process.terminate())
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _command() -> list[str]:
    """Return a command that runs this program again, with the same arguments."""
    own, typed = sys.orig_argv[1:], sys.argv[1:]
    if typed and own[-len(typed) :] == typed and len(own) > len(typed):
        return [sys.executable, *own]
    return own_program("sim.cli", *typed)


def _watch(process: subprocess.Popen[bytes], marks: np.ndarray, seconds: float) -> str:
    """Watch a process until it ends; end it if a strategy takes too long or the memory is used up.

    Return a message if that happened or if a strategy's code crashed the process, otherwise "". `seconds` is the time
    limit of a call.
    """
    calls, waited, looked, used = marks["calls"].copy(), np.zeros(len(marks)), time.monotonic(), 0.0
    while True:
        with suppress(subprocess.TimeoutExpired):
            process.wait(BETWEEN_LOOKS)
            break
        now, inside = time.monotonic(), marks["inside"] != 0
        running = (process.pid, *_started_by(process.pid))
        before, (used, wants) = used, _processor_seconds(running)
        passed = min(now - looked, MAX_SECONDS_OF_LOOK)
        if wants:  # on a busy machine, count only the processor time that the processes have had
            passed = min(passed, max(used - before, 0.0))
        moved = ~inside | (marks["calls"] != calls)
        calls, waited = marks["calls"].copy(), np.where(moved, 0.0, waited + passed)
        looked = now
        if waited[ENDED] > (limit := max(seconds, MIN_SECONDS_TO_END)):
            _end(process)
            named = np.flatnonzero(marks["name"][FIRST_MARK:] != b"") + FIRST_MARK
            who = _whose(marks, named[0]) if len(named) else "the file"
            return f"{who} leaves something running that does not end within {limit:g} s (--time-limit)"
        stuck = np.flatnonzero((waited > seconds)[IMPORTING:]) + IMPORTING
        if len(stuck):
            _end(process)
            where = "" if stuck[0] == IMPORTING else " for a decision"
            return f"{_whose(marks, stuck[0])} takes longer than {seconds:g} s{where} (--time-limit)"
        if (memory := sum(map(_memory_of, running))) > memory_allowed():
            who = _at_work(marks)
            _end(process)
            taken = f"takes {memory / 1e9:.1f} GB of memory, more than is still free"
            return f"{who or 'the process that plays'} {taken} (--no-guard sets no limit)"
    who = _at_work(marks)
    if marks[ENDED]["inside"] or not who or _ended_by(process, "SIGKILL"):
        return ""
    return f"{who} ends the process with {_ending(process.returncode)}"


def _at_work(marks: np.ndarray) -> str:
    """Return the name of the strategy whose code is running; "" if no user's code is running."""
    found = np.flatnonzero(marks["inside"][IMPORTING:]) + IMPORTING
    return _whose(marks, found[0]) if len(found) else ""


def _whose(marks: np.ndarray, place: int) -> str:
    name = bytes(marks[place]["name"]).decode("utf-8", "replace")
    return "importing the file" if place == IMPORTING else name


def _ended_by(process: subprocess.Popen[bytes], name: str) -> bool:
    """Tell whether the signal of this name has ended a process."""
    return hasattr(signal, name) and bool(process.returncode == -getattr(signal, name))


def _ending(status: int) -> str:
    """Return the signal that ended a process, or its exit status, in words."""
    return signal.Signals(-status).name if status < 0 else f"status {status}"


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and those of its descendants that the system lists."""
    started = _started_by(process.pid)
    process.kill()
    process.wait()
    for one in started:
        with suppress(OSError):
            os.kill(one, signal.SIGKILL)


def _started_by(process: int) -> list[int]:
    """Return the ids of a process's descendants, without joblib's trackers, which clean up after its end."""
    found = []
    for file in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            for child in map(int, file.read_text("ascii").split()):
                if b"resource_tracker" not in Path(f"/proc/{child}/cmdline").read_bytes():
                    found += [child, *_started_by(child)]
    return found


def _processor_seconds(processes: Iterable[int]) -> tuple[float, bool]:
    """Return the processor seconds of processes, and whether any of their threads is computing or waiting to run.

    If the system does not list processes, return 0 and False.
    """
    ticks, wants = 0, False
    for process in processes:
        with suppress(OSError, ValueError, IndexError):
            ticks += sum(map(int, _fields_of(Path(f"/proc/{process}/stat"))[11:13]))
            threads = Path(f"/proc/{process}/task").glob("*/stat")
            wants = any(_fields_of(thread)[0] in ("R", "D") for thread in threads) or wants
    return (ticks / os.sysconf("SC_CLK_TCK") if ticks else 0.0), wants


def _fields_of(stat: Path) -> list[str]:
    """Return the fields after the name in a `stat` file of /proc; the first is the state of process or thread."""
    return stat.read_text("ascii", "replace").rpartition(")")[2].split()


def _memory_of(process: int) -> int:
    """Return the memory of a running process in bytes; 0 if unknown."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text("ascii").split()[1]) * mmap.PAGESIZE
    except (OSError, IndexError, ValueError):
        return 0


def targets_in(folder: Path) -> list[Path]:
    """Return the run folders that a process in the sandbox has started to write."""
    file = folder / TARGETS
    return [Path(line) for line in dict.fromkeys(file.read_text("utf-8").splitlines())] if file.exists() else []
