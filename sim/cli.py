"""The command line: gathers the commands and turns errors into messages and exit statuses."""

from __future__ import annotations

import codecs
import ctypes
import errno
import gc
import logging
import mmap
import os
import signal
import sys
import unicodedata
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from sim.commands.bench import bench
from sim.commands.check import check
from sim.commands.compare import compare
from sim.commands.data import check_data
from sim.commands.distil import distil
from sim.commands.explain import explain
from sim.commands.fetch import fetch
from sim.commands.intervene import intervene
from sim.commands.ladder import ladder
from sim.commands.listing import games, strategies
from sim.commands.merge import merge
from sim.commands.metagame import metagame
from sim.commands.plan import plan
from sim.commands.positions import inspect, verify
from sim.commands.price import price
from sim.commands.rebalance import rebalance
from sim.commands.replay import replay
from sim.commands.report import report
from sim.commands.sensitivity import sensitivity
from sim.commands.shared import print_version
from sim.commands.simulate import run, simulate
from sim.commands.soak import soak
from sim.commands.sweep import sweep
from sim.commands.tune import tune
from sim.commands.view import view
from sim.compiler.source_digest import GUARDED
from sim.data.printing import printed
from sim.errors import UserError, in_short, lack_of_memory
from sim.runs.remote.object_store import check_folder


class Commands(TyperGroup):
    """The commands; what is typed wrong is repeated in short, as in any other message."""

    def make_context(self, *words: Any, **more: Any) -> Any:
        """Read what is typed before the name of the command."""
        with said_in_short():
            return super().make_context(*words, **more)

    def invoke(self, ctx: Any) -> Any:
        """Read what is typed behind the name of the command, and run it."""
        with said_in_short():
            return super().invoke(ctx)


class OneCommand(TyperCommand):
    """A command; a URL is refused where a file or folder of this machine is meant."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command.

        Raises
        ------
        UserError
            A URL stands where a path is meant.
        """
        for name, value in ctx.params.items():
            for place in value if isinstance(value, list) else [value]:
                if isinstance(place, Path):
                    check_folder(place, name.replace("_", "-"))
        if limit := memory_limit():
            if not os.environ.get(GUARDED) and "numpy" not in sys.modules:
                carry_on_watched(limit)
            load_libraries()
        return super().invoke(ctx)


@contextmanager
def said_in_short() -> Iterator[None]:
    """Shorten the message of a wrong usage, which holds what was typed, of whatever length."""
    try:
        yield
    except typer.TyperException as error:
        error.message = in_short(error.message)
        raise


app = typer.Typer(
    name="empirelab",
    no_args_is_help=True,
    cls=Commands,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Play empire-building board games by the million with scripted players, and see what is out of balance.",
    epilog="Start with: empirelab simulate seven_wonders --out runs/first, then: empirelab report runs/first",
)

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What a system says of a disk, or a share of one, that is full."""
PR_SET_PDEATHSIG = 1
"""The call of Linux that ends a process with the one which began it."""
M_ARENA_MAX = -8
"""The setting of glibc by which each thread does not reserve 64 MB of addresses for itself."""
CRASHES = ("SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGKILL", "SIGSEGV", "SIGTRAP")
"""Signals by which libraries, or the system, end a process that gets no memory."""
LEAST_MEMORY = 550_000_000
"""Bytes without which libraries cannot even be loaded, or wait for ever."""
INTERRUPTED = 130
"""Exit status of a command that was interrupted or terminated."""
STAND_INS = {"±": "+-", "·": "*", "\N{MINUS SIGN}": "-", "\N{MULTIPLICATION SIGN}": "x"}
"""What is printed for signs that the encoding of the output lacks."""
COMMANDS = (
    games,
    strategies,
    simulate,
    run,
    report,
    explain,
    price,
    compare,
    sweep,
    rebalance,
    intervene,
    sensitivity,
    ladder,
    metagame,
    plan,
    tune,
    distil,
    replay,
    inspect,
    verify,
    view,
    merge,
    fetch,
    check,
    check_data,
    bench,
    soak,
)
for command in COMMANDS:
    app.command(cls=OneCommand)(command)


def say_what_is_compiled() -> None:
    """Print what is logged: that something has to be compiled first, in whatever command; `--quiet` hushes it."""
    log = logging.getLogger("sim")
    log.addHandler(logging.StreamHandler(sys.stderr))
    log.propagate = False


@app.callback()
def options_of_the_program(
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """Take the options that stand before a command."""


def what_is_kept(end: BaseException | None) -> str:
    """Return what the interrupt behind the end of the program says of work that is kept.

    Nothing where there is none, as in a process that has watched another one: that one has said it.
    """
    while end is not None and not isinstance(end, KeyboardInterrupt):
        end = end.__cause__ or end.__context__
    return "" if end is None else str(end) or "nothing half-written is left"


def main() -> NoReturn:
    """Run the program: exit status 0 on success, 2 on bad input, 130 when interrupted."""
    prepare_streams()
    if os.environ.get(GUARDED):
        from sim.players.sandbox import end_with_watcher  # noqa: PLC0415 - so that help is quick

        end_with_watcher()
    try:
        run_program()
    finally:
        note_ended()


def prepare_streams() -> None:
    """Open the standard streams that were closed, on nothing, and let what is printed be seen and fit the encoding.

    They stay so for the life of the process: the interpreter prints errors that nothing has caught. Where a stream is
    closed, Python has none, and the next file that is opened would take its place.
    """
    codecs.register_error("empirelab", stand_in)
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_RDWR)
            os.dup2(null, descriptor)
            if null != descriptor:
                os.close(null)
            stream = open(descriptor, "w" if descriptor else "r", encoding="utf-8")  # noqa: PTH123, SIM115
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)
        elif descriptor and hasattr(getattr(sys, name), "reconfigure"):
            getattr(sys, name).reconfigure(errors="empirelab")
    sys.stdout, sys.stderr = printed(sys.stdout), printed(sys.stderr)


def stand_in(error: UnicodeError) -> tuple[str, int]:
    """Return plain signs for those that the encoding of the output lacks, and where they end."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(plain, error.object[error.start : error.end])), error.end


def plain(sign: str) -> str:
    """Return a sign in ASCII: a letter without its accent; what nothing stands for is a question mark."""
    if unicodedata.category(sign) == "Pd":
        return "-"
    bare = "".join(part for part in unicodedata.normalize("NFKD", sign) if not unicodedata.combining(part))
    return STAND_INS.get(sign) or (bare if bare.isascii() and bare else "?")


def memory_limit() -> int:
    """Bytes of memory that the system lets a process ask for (`ulimit -v`); 0 where it sets no limit."""
    with suppress(ImportError):
        import resource  # noqa: PLC0415 - Windows has none

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        return 0 if limit == resource.RLIM_INFINITY else limit
    return 0


def carry_on_watched(limit: int) -> None:
    """Go on in a second process, and say in this one what becomes of it if it gets too little memory.

    Python meets a lack of memory with an error, libraries in other languages end the process. This one stays as it is
    before any of them is loaded.

    Parameters
    ----------
    limit
        Bytes that a process may ask for.
    """
    if limit < LEAST_MEMORY:
        end_for_memory(limit, f"at least {LEAST_MEMORY / 1e6:.0f} MB are needed")
    ended = mmap.mmap(-1, 1)  # shared with the second process
    sys.stdout.flush()  # or both would print it
    sys.stderr.flush()
    process = os.fork()
    if process == 0:
        ends.append(ended)
        os.environ.setdefault("_RJEM_MALLOC_CONF", "background_thread:false")  # of Polars: it would complain for ever
        with suppress(OSError, AttributeError):  # who kills the one kills both
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL))
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal interrupts both
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, lambda number, _: os.kill(process, number))
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    if status >= 0 and ended[0]:
        os._exit(status)
    name = signal.Signals(-status).name if status < 0 else f"status {status}"
    if status >= 0 or name in CRASHES:
        end_for_memory(limit, f"the process was ended by {name}; the same command resumes what a run has kept")
    signal.signal(-status, signal.SIG_DFL)
    os.kill(os.getpid(), -status)


def load_libraries() -> None:
    """Load those libraries and start their threads while there is memory: where they get none, they wait for ever."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)
    # Polars passes over a library of its own that finds no memory, and fails later for any reason.
    warnings.filterwarnings("error", "Polars binary is missing")
    import polars as pl  # noqa: PLC0415 - so that help is quick
    import scipy.linalg  # noqa: F401, PLC0415

    pl.LazyFrame({"number": [1, 2]}).select(pl.col("number").sum()).collect(engine="streaming")


def end_for_memory(limit: int, words: str) -> NoReturn:
    """Say that the system gives this program too little memory, and end."""
    message = f"there is not enough memory: a process may take {limit / 1e6:,.0f} MB (ulimit -v); {words}"
    print(f"empirelab: {message}", file=sys.stderr, flush=True)
    os._exit(2)


ends: list[mmap.mmap] = []
"""Where this process, watched for its memory, notes that the program ends by itself; empty where nobody watches."""


def note_ended() -> None:
    """Tell the process that watches this one that the program ends by itself."""
    for ended in ends:
        ended[0] = 1
    if os.environ.get(GUARDED):
        from sim.players.sandbox import note_end  # noqa: PLC0415 - so that help is quick

        note_end()


@cache
def program() -> Any:
    """Return the program with all its commands; built once, for those who call `main` more than once in a process."""
    return get_command(app)


def run_program() -> NoReturn:
    """Run what was typed, and end."""
    # The matrices here are small: threads of numpy's linear algebra would wait for each other ten times as long as they
    # work, and round differently with other numbers of them. Read when numpy is first imported.
    os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1")
    # Imports and figures make a million objects that stay: looking through them for garbage after every 700 new ones
    # takes a twentieth of a report's time.
    gc.set_threshold(50_000)
    # A terminated run ends as an interrupted one does, and so does one whose terminal is closed, but for nohup.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.default_int_handler)
    if hasattr(signal, "SIGPIPE"):
        # A reader that has seen enough (`| head`) ends the program, as it does other programs.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    say_what_is_compiled()
    try:
        try:
            program()(prog_name="empirelab")
        except BaseException as error:
            if isinstance(error, SystemExit) or not (reason := lack_of_memory(error)):
                raise
            raise UserError(f"there is not enough memory: {reason}") from error
        finally:
            sys.stdout.flush()
    except UserError as error:
        print(f"empirelab: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        if error.errno in FULL and error.filename is None:
            print(f"empirelab: what was found cannot be printed or written ({error.strerror})", file=sys.stderr)
            sys.stderr.flush()
            # What is waiting to be printed would be tried again, and complained of, as the interpreter ends.
            note_ended()
            os._exit(2)
        # What the system refuses, such as a name that is too long, and no command has looked for.
        reason = error.strerror or type(error).__name__
        print(f"empirelab: {UserError(f'the system refuses this: {reason}', file=error.filename)}", file=sys.stderr)
        sys.exit(2)
    except SystemExit as end:
        if end.code == INTERRUPTED and (kept := what_is_kept(end)):
            print(f"empirelab: interrupted; {kept}", file=sys.stderr)
        raise
    sys.exit(0)


if __name__ == "__main__":
    main()
