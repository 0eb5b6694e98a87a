"""The program as a user runs it, in a process of its own, and what the commands print when all goes well."""

import errno
import io
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sim.cli import prepare_streams
from sim.commands.console import print_json_text
from sim.compiler.source_digest import own_environment, own_program
from sim.errors import lack_of_memory
from sim.runs.store.manifest import read_manifest
from tests.cli.conftest import Program
from tests.kit.processes import ROOT, Outcome, in_process

SMALL = ("simulate", "seven_wonders", "--games", 40, "--jobs", 1)


# ---- True processes ----


@pytest.mark.skipif(sys.platform == "win32", reason="pipes end otherwise")
def test_output_may_be_cut_off(tmp_path: Path) -> None:
    line = f"{sys.executable} -m empirelab strategies seven_wonders --json | head -n 1"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(line, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[\n", "")


# ---- Streams that are closed, or whose encoding lacks signs ----


def in_shell(folder: Path, before: str, *arguments: object, after: str = "", **environment: str) -> Outcome:
    """Run the program in a folder by a shell, which does something before and sends its streams somewhere."""
    line = f"{before} {shlex.join([sys.executable, '-m', 'sim.cli', *map(str, arguments)])} {after}"
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | environment
    done = subprocess.run(line, shell=True, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return Outcome(done.returncode, done.stdout, done.stderr)


ALL = "<&- >&- 2>&-"


@pytest.mark.skipif(sys.platform == "win32", reason="the shell of Windows closes no streams")
@pytest.mark.parametrize("closed", [*(pytest.param(one, marks=pytest.mark.sweep) for one in (">&-", "2>&-")), ALL])
def test_a_run_is_written_where_streams_are_closed(tmp_path: Path, closed: str) -> None:
    done = in_shell(tmp_path, "", *SMALL, "--out", "out", after=closed)
    assert (done.status, done.err) == (0, "")
    assert ("40 games" in done.out) == (closed == "2>&-")
    assert (tmp_path / "out" / "run.json").is_file()


@pytest.mark.sweep
@pytest.mark.parametrize("encoding", ["ascii", "cp866"])
def test_signs_that_the_encoding_lacks_have_stand_ins(tmp_path: Path, encoding: str) -> None:
    done = in_shell(tmp_path, "", "plan", "seven_wonders", "--pilot", 60, "--jobs", 1, PYTHONIOENCODING=encoding)
    assert (done.status, done.err) == (0, "")
    assert "+- " in done.out
    assert done.out.isascii()


def test_json_holds_names_whatever_the_encoding(tmp_path: Path, empirelab: Program) -> None:
    (tmp_path / "mine.toml").write_text('name = "mine"\ndescription = "±é☃"\nbase = "random"\n', "utf-8")
    words = ("strategies", "seven_wonders", "--code", "mine.toml", "--json")
    plain, whole = in_shell(tmp_path, "", *words, PYTHONIOENCODING="ascii"), empirelab(*words)
    assert plain.status == 0, plain.err
    assert plain.json == whole.json
    assert "±é☃" in whole.out


def test_json_is_printed_to_a_stream_that_has_no_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    print_json_text('{"name": "é"}')
    assert sys.stdout.getvalue() == '{"name": "é"}\n'


def test_what_nobody_catches_is_printed_with_signs_that_can_be_seen(tmp_path: Path) -> None:
    played = "import sim.cli\nsim.cli.program = fail\nsim.cli.main()"
    script = f"def fail():\n    raise RuntimeError('\\x1b[31m')\n{played}"
    assert in_process(tmp_path, "-c", script).err.splitlines()[-1] == r"RuntimeError: \u001b[31m"


def test_stand_ins_are_plain_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, getattr(sys, name))  # it is replaced
    prepare_streams()
    assert "8 ± 1 \N{EN DASH} Málna…☃\udcff".encode("ascii", "empirelab") == b"8 +- 1 - Malna...??"


@pytest.mark.slow
@pytest.mark.sweep
def test_the_digits_of_a_report_do_not_depend_on_threads(tmp_path: Path, empirelab: Program) -> None:
    words = ("--games", 500, "--strategies", "all", "--quiet", "--out", "out")
    empirelab("simulate", "seven_wonders", *words)
    one, two = (in_shell(tmp_path, "", "report", "out", "--json", OPENBLAS_NUM_THREADS=count) for count in "12")
    assert (one.status, one.out) == (0, two.out)


# ---- Too little memory ----

unlimited = pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps to a limit of address space")


@unlimited
@pytest.mark.parametrize("kilobytes", [150_000, 600_000])
def test_too_little_memory_ends_with_one_message(tmp_path: Path, kilobytes: int) -> None:
    done = in_shell(tmp_path, f"ulimit -v {kilobytes};", *SMALL, "--out", "out")
    assert done.status == 2
    assert done.err.splitlines()[-1].startswith("empirelab: there is not enough memory: ")
    assert "Traceback" not in done.err
    assert not (tmp_path / "out").exists()


@unlimited
@pytest.mark.parametrize("name", ["SIGABRT", "SIGKILL"])
def test_a_process_that_is_ended_for_lack_of_memory_is_told(in_new_process: Callable[..., str], name: str) -> None:
    script = f"""
import os, subprocess, sys
kill = "os.kill(os.getpid(), signal.{name})"
played = "import os, signal; from sim.cli import fork_for_memory; fork_for_memory(10**9); " + kill
done = subprocess.run([sys.executable, "-c", played], capture_output=True, text=True)
print(done.returncode, done.stderr)
"""
    assert in_new_process(script).strip() == (
        "2 empirelab: there is not enough memory: a process may take 1,000 MB (ulimit -v); the process was ended by "
        f"{name}; the same command resumes an unfinished run"
    )


@unlimited
def test_a_limit_changes_nothing_where_no_command_begins(tmp_path: Path) -> None:
    limit = "ulimit -v 400000;"
    assert [in_shell(tmp_path, limit, word).status for word in ("--help", "games")] == [0, 2]
    assert in_shell(tmp_path, limit, "simulate", "--help").status == 0
    assert in_shell(tmp_path, limit, _EMPIRELAB_COMPLETE="complete_fish").status == 0


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "/x/out of memory/part"), ""),
        (FileNotFoundError("/x/out of memory/part"), ""),
        (OSError(errno.ENOMEM, "Cannot allocate memory", "part"), "Cannot allocate memory"),
        (OSError("libx.so: failed to map segment from shared object"), "failed to map segment"),
        (RuntimeError("can't start new thread"), "new thread"),
    ],
)
def test_a_lack_of_memory_is_known_by_the_reason_not_by_a_name(error: Exception, said: str) -> None:
    assert said in lack_of_memory(error)
    assert bool(lack_of_memory(error)) == bool(said)


def test_an_error_that_was_set_aside_is_no_reason() -> None:
    shown, hidden = ValueError("wrong"), ValueError("wrong")
    shown.__context__ = hidden.__context__ = MemoryError()
    hidden.__suppress_context__ = True
    assert (lack_of_memory(shown), lack_of_memory(hidden)) == ("MemoryError", "")


@pytest.mark.sweep
@unlimited
def test_a_limit_that_is_wide_enough_changes_nothing(tmp_path: Path, empirelab: Program) -> None:
    limited = in_shell(tmp_path, "ulimit -v 4000000;", "check-data", "seven_wonders")
    assert limited == empirelab("check-data", "seven_wonders")


@unlimited
def test_an_interrupt_reaches_the_process_that_plays_under_a_limit(tmp_path: Path) -> None:
    line = f"ulimit -v 4000000; exec {sys.executable} -m sim.cli simulate seven_wonders --games 1e8 --out out"
    environment, pipe = os.environ | {"PYTHONPATH": str(ROOT)}, subprocess.PIPE
    with subprocess.Popen(line, shell=True, cwd=tmp_path, env=environment, stderr=pipe, text=True) as playing:
        while not (tmp_path / ".out.claim").exists():
            assert playing.poll() is None
            time.sleep(0.1)
        playing.terminate()
        _, said = playing.communicate()
    assert playing.returncode == 130
    assert "empirelab: interrupted; " in said


INTERRUPTED = Outcome(130, "", "empirelab: interrupted; no partial output is left\n")


def test_an_interrupt_that_comes_where_python_cannot_raise_it_is_repeated(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("""
import signal, time
import sim.cli
class Interrupted:
    def __del__(self):
        signal.raise_signal(signal.SIGTERM)
def command(prog_name):
    try:
        Interrupted()
        time.sleep(60)
    except KeyboardInterrupt as error:
        raise SystemExit(130) from error
sim.cli.program = lambda: command
sim.cli.main()
""")
    assert in_process(tmp_path, "program.py") == INTERRUPTED


def test_an_interrupt_that_passes_through_an_exec_ends_with_the_status_of_an_interrupt(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("""
import sim.cli
def command(prog_name):
    try:
        exec("raise KeyboardInterrupt")
    except KeyboardInterrupt as error:
        raise SystemExit(130) from error
sim.cli.program = lambda: command
sim.cli.start()
""")
    assert in_process(tmp_path, "-m", "program") == INTERRUPTED


# ---- What commands print ----


def test_without_out_a_run_goes_to_runs(empirelab: Program, tmp_path: Path) -> None:
    done = empirelab(*SMALL)
    assert done.out.startswith("40 games, 160 seats in ")
    assert "read it with: empirelab report runs/seven_wonders" in done.out
    assert [path.name for path in (tmp_path / "runs").iterdir()] == ["seven_wonders"]


def test_the_manifest_keeps_the_command(empirelab: Program, tmp_path: Path) -> None:
    empirelab(*SMALL, "--quiet", "--factions", "A,Rhodos B", "--out", "out")
    manifest = read_manifest(tmp_path / "out")
    assert manifest["command"].endswith("--jobs 1 --quiet --factions 'A,Rhodos B' --out out")
    assert len(manifest["factions_dealt"]) == 8


def test_a_run_file_and_its_options_write_the_same_games(empirelab: Program, tmp_path: Path) -> None:
    (tmp_path / "three.toml").write_text(
        'game = "seven_wonders"\ngames = 40\nplayers = 3\nstrategies = ["balanced", "greedy@0.5"]\nseed = 5\njobs = 1\n'
    )
    empirelab("run", "three.toml", "--quiet")
    options = ("--players", 3, "--strategies", "balanced,greedy@0.5", "--seed", 5, "--out", "other", "--quiet")
    empirelab(*SMALL, *options)
    digests = [read_manifest(tmp_path / folder)["shards"][0]["sha256"] for folder in ("runs/three", "other")]
    assert digests[0] == digests[1]


def test_strategies_are_listed_and_told_as_json(empirelab: Program, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        '"""Lets the lot decide."""\nWEIGHTS = {"a": 1}\ndef score(g, t, me, decision, option, w):\n    return 0.0\n'
    )
    outcome = empirelab("strategies", "seven_wonders", "--code", "mine.py")
    assert "mine      Lets the lot decide." in outcome.out
    rows = empirelab("strategies", "seven_wonders", "--code", "mine.py", "--json").json
    assert rows[-1]["name"] == "mine"
    assert rows[-1]["weights"] == {"a": 1.0}


def test_a_strategy_may_sit_at_the_table_twice(empirelab: Program) -> None:
    names = "balanced,military,balanced"
    arguments = ("simulate", "seven_wonders", "--games", 6, "--players", 3, "--assign", "fixed", "--strategies", names)
    empirelab(*arguments, "--quiet", "--out", "out")
    told = empirelab("replay", "out").out
    assert [line.rsplit(", ", 1)[1] for line in told.splitlines()[:3]] == ["balanced", "military", "balanced"]


def test_a_process_of_the_project_imports_nothing_of_the_current_folder(tmp_path: Path) -> None:
    for name in ("yaml", "gymnasium", "IPython", "typer", "sim", "numba"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the current folder is on the import path')", "utf-8")
    command = own_program("sim.cli", "games")
    done = subprocess.run(command, env=own_environment(), cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("width", "words"),
    [
        (30, "Stopped after 750 of at most 1,500 games: every strategy is measured to ±"),
        (0.1, "Not reached after 1,500 games: ± 0.1 points was requested, but "),
    ],
)
def test_a_run_says_whether_it_became_as_precise_as_asked(empirelab: Program, width: float, words: str) -> None:
    asked = ("--games", 1500, "--players", 3, "--strategies", "random,greedy", "--until-of", "strategy")
    outcome = empirelab("simulate", "seven_wonders", *asked, "--until-width", width, "--out", "run")
    assert words in outcome.out
