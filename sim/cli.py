"""The command line: gathers the commands and turns errors into messages and exit statuses."""

from __future__ import annotations

import errno
import gc
import logging
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
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
from sim.errors import UserError, in_short
from sim.printing import printed
from sim.runs.objects import check_folder
from sim.sources import GUARDED


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
INTERRUPTED = 130
"""Exit status of a command that was interrupted or terminated."""
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
    if not os.environ.get(GUARDED):
        run_program()
    from sim.guard import end_with_watcher  # noqa: PLC0415 - so that help is quick

    end_with_watcher()
    try:
        run_program()
    finally:
        note_ended()


def note_ended() -> None:
    """Tell whoever guards this process that the program ends by itself."""
    if os.environ.get(GUARDED):
        from sim.guard import note_end  # noqa: PLC0415 - so that help is quick

        note_end()


@cache
def program() -> Any:
    """Return the program with all its commands; built once, for those who call `main` more than once in a process."""
    return get_command(app)


@contextmanager
def output_that_can_be_seen() -> Iterator[None]:
    """Let nothing but printable text reach standard output and error."""
    with redirect_stdout(printed(sys.stdout)), redirect_stderr(printed(sys.stderr)):
        yield


@output_that_can_be_seen()
def run_program() -> NoReturn:
    """Run what was typed, and end."""
    # The matrices here are small: threads of numpy's linear algebra would wait for each other ten times as long as they
    # work, and round differently on machines with other numbers of cores. Read when numpy is first imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
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
