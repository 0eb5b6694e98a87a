"""Strategy files of a user's own play in a process that is watched: whatever they do to it becomes one message."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sim.players import sandbox
from tests.cli.conftest import COMMANDS, Program, listing
from tests.kit.processes import Outcome, in_process, start_process

SCORE = "def score(g, t, me, decision, option, w):\n"
CHOOSE = "def choose(view, options):\n"
OWN = ("--code", "mine.py", "--strategies", "mine,random")
ASKED = ("simulate", "seven_wonders", "--games", "8", "--jobs", "1", "--quiet", "--out", "runs/out")


def start(folder: Path, code: str, *more: str) -> subprocess.Popen[str]:
    """Start a run with a strategy file in a folder."""
    (folder / "runs").mkdir(exist_ok=True)
    (folder / "mine.py").write_text(code, "utf-8")
    return start_process(folder, "-m", "sim.cli", *ASKED, *OWN, *more)


def play(folder: Path, code: str, *more: str) -> Outcome:
    """Play a run with a strategy file in a folder."""
    with start(folder, code, *more) as process:
        out, err = process.communicate(timeout=300)
        return Outcome(process.returncode, out, err)


TOO_LONG = "mine.py: strategy mine takes longer than 1 s for a decision (--time-limit)"
BAD = {
    # what it does: (the file, what the message says)
    "never returns, compiled": (
        f"{SCORE}    n = 0\n    while g.decisions >= 0:\n        n += 1\n    return n\n",
        TOO_LONG,
    ),
    "never returns, in Python": (f"{CHOOSE}    while True:\n        pass\n", TOO_LONG),
    "never lets another thread go on": (f"{CHOOSE}    return sum(range(10**15))\n", TOO_LONG),
    "never ends being imported": (
        f"while True:\n    pass\n{SCORE}    return 0.0\n",
        "mine.py: importing the file takes longer than 1 s (--time-limit)",
    ),
    "reads behind the end, compiled": (
        f"{SCORE}    return g.coins[1000 * (me + 1)]\n",
        "mine.py, field score: strategy mine stops with IndexError",
    ),
    "reads behind the end, in Python": (f"{CHOOSE}    return options[99]\n", "strategy mine stops with IndexError"),
    "asks for more memory than there is, compiled": (
        f"import numpy as np\n{SCORE}    return np.ones(10**14)[option]\n",
        "mine.py, field score: strategy mine stops with MemoryError",
    ),
    "asks for more memory than there is, in Python": (
        f"{CHOOSE}    return bytearray(10**14)\n",
        "strategy mine stops with MemoryError",
    ),
    "raises a kind of its own, in Python": (
        f"class E(BaseException): pass\n{CHOOSE}    raise E('\\x1b[31mboom')\n",
        r"mine.py:3: strategy mine stops with E: \u001b[31mboom",
    ),
    "raises what cannot be written out": (
        f"class E(BaseException):\n    def __str__(self): raise ValueError\n{CHOOSE}    raise E\n",
        "mine.py:4: strategy mine stops with E: E too long to be written out",
    ),
    "ends the process": (
        f"import os\n{CHOOSE}    os._exit(0)\n",
        "mine.py: strategy mine ends the process with status 0",
    ),
    "ends the process as it is imported": (
        f"import os\nos._exit(7)\n{SCORE}    return 0.0\n",
        "mine.py: importing the file ends the process with status 7",
    ),
    "crashes": (
        f"import ctypes\n{CHOOSE}    ctypes.string_at(0)\n",
        "mine.py: strategy mine ends the process with SIGSEGV",
    ),
}


ALWAYS_TRIED = ("never returns, compiled", "ends the process")
"""The others are tried with `--full`."""


@pytest.mark.usefixtures("compiled_only")
@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=() if case in ALWAYS_TRIED else pytest.mark.sweep) for case in BAD]
)
def test_whatever_a_strategy_does_becomes_one_message(case: str, tmp_path: Path) -> None:
    code, message = BAD[case]
    outcome = play(tmp_path, code, "--time-limit", "1")
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1), outcome
    assert outcome.err.startswith("empirelab: ")
    assert message in outcome.err
    assert listing(tmp_path) == ["mine.py", "runs"]


THREAD = "import threading, time\nstarted = []\n"
STARTS = (
    "    if not started:\n"
    "        started.append(threading.Thread(target=work, daemon=False))\n"
    "        started[0].start()\n"
)


PROCESS = "import multiprocessing\nstarted = []\n"
LINGERS = {
    "a thread": f"{THREAD}def work():\n    while True:\n        time.sleep(1)\n{CHOOSE}{STARTS}    return options[0]\n",
    "a process": (
        f"{PROCESS}def work():\n    import time\n    time.sleep(1e6)\n{CHOOSE}"
        f"{STARTS.replace('threading.Thread', 'multiprocessing.Process')}    return options[0]\n"
    ),
    "what is done at the end": (
        f"import atexit, time\natexit.register(time.sleep, 1e6)\n{CHOOSE}    return options[0]\n"
    ),
}


@pytest.mark.usefixtures("compiled_only")
@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=() if case == "a process" else pytest.mark.sweep) for case in LINGERS]
)
def test_nothing_that_a_strategy_leaves_running_keeps_the_process(case: str, tmp_path: Path) -> None:
    outcome = play(tmp_path, LINGERS[case], "--time-limit", "1")
    said = "mine.py: strategy mine leaves something running that does not end within 5 s (--time-limit)"
    assert (outcome.status, outcome.err) == (2, f"empirelab: {said}\n")
    assert pl.read_parquet(tmp_path / "runs" / "out" / "seats" / "*.parquet")["game"].n_unique() == 8


@pytest.mark.sweep
@pytest.mark.usefixtures("compiled_only")
def test_threads_that_come_to_an_end_are_waited_for(tmp_path: Path) -> None:
    code = f"{THREAD}def work():\n    time.sleep(0.5)\n{CHOOSE}{STARTS}    return options[0]\n"
    assert play(tmp_path, code, "--time-limit", "60") == Outcome(0, "", "")


@pytest.mark.usefixtures("compiled_only")
def test_a_guarded_run_is_the_run_that_is_not_guarded(tmp_path: Path, empirelab: Program) -> None:
    code = f"{SCORE}    return g.coins[me] + g.option_card[option] % 7\n"
    assert play(tmp_path, code, "--time-limit", "60") == Outcome(0, "", "")
    guarded = pl.read_parquet(tmp_path / "runs" / "out" / "seats" / "*.parquet")
    assert empirelab(*ASKED, *OWN, "--no-guard", "--overwrite") == Outcome(0, "", "")
    assert pl.read_parquet(tmp_path / "runs" / "out" / "seats" / "*.parquet").equals(guarded)


@pytest.mark.sweep
@pytest.mark.usefixtures("compiled_only")
def test_a_wrong_file_is_told_as_without_a_guard(tmp_path: Path) -> None:
    told = [play(tmp_path, f"{SCORE}    return g.coinz[me]\n", way) for way in ("--guard", "--no-guard")]
    assert told[0] == told[1]
    assert told[0].status == 2


@pytest.mark.usefixtures("compiled_only")
def test_an_interrupt_ends_a_guarded_run_with_one_line(tmp_path: Path) -> None:
    code = f"import time\n{CHOOSE}    time.sleep(0.002)\n    return options[0]\n"
    with start(tmp_path, code, "--games", "100000") as process:
        begun = time.monotonic()
        while not any((tmp_path / "runs").iterdir()) and time.monotonic() < begun + 60:
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        try:
            _, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130, err
    assert err.startswith("empirelab: interrupted; ")
    assert err.count("\n") == 1, err


@pytest.mark.usefixtures("compiled_only")
@pytest.mark.parametrize("command", ["run", pytest.param("sweep", marks=pytest.mark.sweep)])
def test_a_strategy_file_that_a_file_of_runs_names_is_guarded_too(command: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(f"import os\nos._exit(7)\n{CHOOSE}    return options[0]\n", "utf-8")
    vary = '[[vary]]\nchange = "cards.toml#pawnshop.vp"\nvalues = [3, 4]\n' if command == "sweep" else ""
    (tmp_path / "asked.toml").write_text(f'game = "seven_wonders"\ncode = "mine.py"\n{vary}', "utf-8")
    said = "empirelab: mine.py: importing the file ends the process with status 7\n"
    assert in_process(tmp_path, "-m", "sim.cli", command, "asked.toml") == Outcome(2, "", said)


def test_whatever_command_runs_a_strategy_file_can_guard_it_or_not() -> None:
    options = {name: {option.name for option in command.params} for name, command in COMMANDS.items()}
    running = [name for name, known in options.items() if "code" in known]
    assert {"simulate", "strategies", "tune"} <= set(running)
    assert [name for name in running if not {"guard", "time_limit"} <= options[name]] == []


# ---- A busy machine ----


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the system does not tell what a process computes")
def test_time_in_which_a_process_waits_for_a_processor_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "MIN_SECONDS_TO_END", 0.2)
    marks = np.zeros(sandbox.MOST_MARKS, sandbox.MARK)
    marks[sandbox.ENDED]["inside"] = 1
    computes, waits = "while True: pass", "import time; time.sleep(60)"
    for program in (computes, waits):
        with subprocess.Popen([sys.executable, "-c", program]) as process:
            assert "does not end within" in sandbox._watch(process, marks, 0.0)
    monkeypatch.setattr(sandbox, "_processor_seconds", lambda processes: (0.0, True))
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(0.6)"]) as process:
        assert sandbox._watch(process, marks, 0.0) == ""


# ---- Memory ----


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not tell what a process takes")
def test_a_process_that_takes_more_memory_than_it_leaves_to_others_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "ENOUGH_MEMORY", 10**8)
    monkeypatch.setattr(sandbox, "memory_left", lambda: 10**8)
    process = subprocess.Popen([sys.executable, "-c", "import time; kept = b'x' * 3 * 10**8; time.sleep(60)"])
    said = sandbox._watch(process, np.zeros(sandbox.MOST_MARKS, sandbox.MARK), 10)
    assert said.endswith(" GB of memory, more than is still free (--no-guard sets no limit)")
    assert process.returncode == -signal.SIGKILL


def test_a_process_may_take_what_it_leaves_to_others_and_what_any_run_takes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sandbox, "CONTAINER", tmp_path)
    assert sandbox.memory_left() > 0
    (tmp_path / "memory.max").write_text("50000000\n")
    (tmp_path / "memory.current").write_text("25000000\n")
    (tmp_path / "memory.stat").write_text("anon 20000000\ninactive_file 5000000\n")
    assert sandbox.memory_left() == 30_000_000
    (tmp_path / "memory.current").write_text("56000000\n")
    assert (sandbox.memory_left(), sandbox.memory_allowed()) == (0, sandbox.ENOUGH_MEMORY)
    (tmp_path / "memory.max").write_text("max\n")
    assert sandbox.memory_left() > 0
