"""The command line: finds the commands and turns errors into messages and exit statuses."""

from __future__ import annotations

import atexit
import codecs
import ctypes
import errno
import gc
import logging
import math
import mmap
import os
import re
import signal
import sys
import time
import unicodedata
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from inspect import getdoc
from keyword import iskeyword
from pathlib import Path
from threading import Event, Timer
from types import FrameType
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from sim.commands.console import log_unless
from sim.commands.defaults import is_from_file, long_name, note_used, read_defaults
from sim.commands.options import print_version
from sim.compiler.source_digest import GUARDED
from sim.data.files import check_folder
from sim.errors import UserError, lack_of_memory, printed, truncate

MODULES = {
    "games": "listing", "strategies": "listing", "run": "simulate", "inspect": "positions", "verify": "positions",
    "check-data": "data", "check-game": "check_game", "import": "import_",
}  # fmt: skip
"""Modules of `sim.commands` for those commands whose module has another name."""
GROUPS_OF_COMMANDS = {
    "Play games": ("games", "strategies", "new", "plan", "simulate", "run"),
    "Read results": ("import", "report", "explain", "price", "ways", "replay", "view", "validate", "predict"),
    "Change a game": ("compare", "rebalance", "sweep", "intervene", "sensitivity", "calibrate"),
    "Study players": ("ladder", "metagame", "drama", "tune", "distil", "train"),
    "Files and checks": (
        "check", "merge", "fetch", "inspect", "verify", "check-data", "check-game", "soak", "bench", "warm",
    ),
}  # fmt: skip
COMMANDS = {name: group for group, names in GROUPS_OF_COMMANDS.items() for name in names}
"""The group of every command; commands are in the order in which help lists them."""
SETTINGS = {"help_option_names": ["-h", "--help"]}


GROUPS = {
    "What to play": "variant factions faction card make forbid require settings changes change decks with_set "
    "with_deck target low high step table on",
    "Who plays": "players strategies answers base with_strategies rungs pool assign code",
    "How much": "games games_from games_to until_width until_of search_games top_games fresh pilot pilots budget sprt "
    "effect alpha beta power generations population rounds round_games margin jobs columns missing anonymous replays",
    "Output": "detail out overwrite even_if_weaker html csv png patch arms keep name tags note beside section "
    "sensitivity ladder calibration explain full as_json quiet",
    "Advanced": "seed weights guard time_limit cluster checked trust start",
}
"""Groups of options with the names of their parameters, in the order of help and of the documentation."""
FIRST_GROUP = "Most used"
LAST_GROUP = "Advanced"
MOST_USED = {
    "strategies": "ladder games players code out",
    "simulate": "games players strategies factions out",
    "run": "out jobs overwrite tags note",
    "import": "out columns missing anonymous overwrite",
    "report": "html csv png margin beside",
    "explain": "faction pieces games html full",
    "price": "faction within games margin html",
    "ways": "html csv png full",
    "validate": "html csv png full",
    "predict": "out calibration",
    "compare": "change games players strategies html",
    "sweep": "out games seed jobs html",
    "rebalance": "faction knob refine every patch",
    "intervene": "card without forbid games html",
    "sensitivity": "games players strategies margin html",
    "calibrate": "games pilots change players html",
    "ladder": "rungs games players out html",
    "metagame": "strategies games players factions html",
    "drama": "players games strategies variant html",
    "plan": "effect power change players strategies",
    "tune": "weights pool generations games out",
    "distil": "teacher weights games share out",
    "train": "players base games changes out",
    "replay": "where game pick trust",
    "view": "html csv tags reports fast",
    "check": "repair trust jobs",
    "check-data": "all_rows decks",
    "check-game": "games players seed",
    "bench": "players runs seconds whole keep",
    "soak": "minutes games seed trial keep",
    "warm": "",
    "inspect": "settings decks",
    "verify": "settings",
    "merge": "out overwrite",
    "fetch": "out overwrite",
}
"""For each command, the five options that matter most, or all options if there are at most five."""


def group_options(command: str, params: list[Any]) -> None:
    """Put the options of a command into groups, and sort them in the order of the groups."""
    names = {FIRST_GROUP: MOST_USED.get(command, "").split()}
    names |= {group: text.split() for group, text in GROUPS.items()}
    places = {name: (group, place) for group in reversed(names) for place, name in enumerate(names[group])}
    order = list(names)

    def place_of(param: Any) -> tuple[int, int]:
        if param.param_type_name != "option":
            return -1, 0
        if param.is_flag:
            param.metavar = ""  # otherwise help would show <bool>
        param.rich_help_panel, place = places[param.name]
        return order.index(param.rich_help_panel), place

    params.sort(key=place_of)


def docstring_parts(docstring: str) -> tuple[list[str], list[str], str]:
    """Split a docstring into its paragraphs, the lines of its examples, and its notes."""
    text, *rest = re.split(r"\n(Examples|Notes)\n-+\n", docstring)
    sections = dict(zip(rest[::2], rest[1::2], strict=True))
    paragraphs = [" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n")]
    return paragraphs, sections.get("Examples", "").strip().splitlines(), sections.get("Notes", "").strip()


MOST_EXAMPLES = 3
"""Maximum number of examples that --help shows; the documentation shows all."""


def help_text(paragraphs: Sequence[str], examples: Sequence[str]) -> str:
    """Return what --help shows above the options. Square brackets are escaped, so that they are not read as markup."""
    shown = [
        "\n".join(["Examples:" if len(examples) > 1 else "Example:", *(f"  {one}" for one in examples[:MOST_EXAMPLES])])
    ]
    return "\n\n".join([*paragraphs, *(shown if examples else [])]).replace("[", r"\[")


def function_of(name: str) -> Callable[..., Any]:
    """Return the function of a command.

    If the command's name is a Python keyword, the name of the function ends in an underscore.
    """
    plain = name.replace("-", "_")
    module = import_module(f"sim.commands.{MODULES.get(name, name)}")
    found: Callable[..., Any] = getattr(module, f"{plain}_" if iskeyword(plain) else plain)
    return found


@cache
def command_named(name: str) -> Any:
    """Build a command; raise KeyError if there is none of this name."""
    single = typer.Typer(add_completion=False, pretty_exceptions_enable=False, context_settings=SETTINGS)
    single.command(name, cls=OneCommand, rich_help_panel=COMMANDS[name])(function_of(name))
    return get_command(single)


class LazyCommands(Mapping[str, Any]):
    """The commands by name. Each command is imported when it is first used, so that no command loads the others."""

    def __getitem__(self, name: str) -> Any:
        return command_named(name)

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class Commands(TyperGroup):
    """The group of all commands. It reports wrong usage in the same way as any other error."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options | {"commands": LazyCommands()})

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print help that lists all commands. Their options are not loaded, because that would take too long."""
        built: Any = self.commands
        listed: dict[str, Any] = {}
        for name, panel in COMMANDS.items():
            paragraphs = docstring_parts(getdoc(function_of(name)) or "")[0]
            listed[name] = TyperCommand(name, help=help_text(paragraphs, ()), rich_help_panel=panel)
        self.commands = listed
        try:
            super().format_help(ctx, formatter)
        finally:
            self.commands = built

    def make_context(self, *words: Any, **more: Any) -> Any:
        """Parse the arguments before the name of the command."""
        with usage_errors():
            return super().make_context(*words, **more)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command; raise UserError if the command does not exist."""
        if not ctx.resilient_parsing and not args[0].startswith("-") and args[0] not in COMMANDS:
            raise UserError("unknown command", found=args[0], allowed=COMMANDS)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Parse the arguments after the name of the command, and run it."""
        with usage_errors():
            return super().invoke(ctx)


class OneCommand(TyperCommand):
    """A command, with its options in groups, its examples, and the user's defaults.

    `summary`, `examples` and `notes` are parts of its docstring: the text of `--help`, example commands, and notes that
    only the documentation shows.
    """

    def __init__(self, *words: Any, **more: Any) -> None:
        super().__init__(*words, **more)
        self.summary, self.examples, self.notes = docstring_parts(self.help or "")
        self.help = help_text(self.summary, self.examples)
        group_options(self.name or "", self.params)

    def make_context(self, info_name: Any, args: Any, parent: Any = None, **more: Any) -> Any:
        """Parse the arguments. An option that is not given gets the user's default."""
        defaults = {} if more.get("resilient_parsing") else read_defaults(self, COMMANDS)
        more |= {"default_map": {name: one.value for name, one in defaults.items()}, "obj": defaults}
        return super().make_context(info_name, args, parent, **more)

    def get_help_option(self, ctx: Any) -> Any:
        """Return the option --help, placed in the last group of options."""
        option: Any = super().get_help_option(ctx)
        option.rich_help_panel = LAST_GROUP
        return option

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print help, and the options that a user's defaults file changes."""
        super().format_help(ctx, formatter)
        for line in note_used(ctx, ctx.obj, of_all=True):
            print(line)

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        for name, value in ctx.params.items():
            for place in value if isinstance(value, list) else [value]:
                if isinstance(place, Path):
                    check_folder(place, name.replace("_", "-"))
        if limit := memory_limit():
            if not os.environ.get(GUARDED) and "numpy" not in sys.modules:
                fork_for_memory(limit)
            load_libraries()
        for line in note_used(ctx, ctx.obj):
            log_unless(ctx.params.get("quiet", False))(line)
        return super().invoke(ctx)


@contextmanager
def usage_errors() -> Iterator[None]:
    """Convert a parser error into a message in the style of all others.

    Raise UserError if the command line is wrong, or a defaults file of the user has a wrong value.
    """
    try:
        yield
    except typer.TyperException as error:
        if error.exit_code != WRONG_USAGE or type(error).__name__ == "NoArgsIsHelpError":
            raise
        raise usage_error(error) from None


def usage_error(error: Any) -> UserError:
    """Return the error message for an error of the parser."""
    context: Any = getattr(error, "ctx", None)
    option: Any = getattr(error, "param", None)
    command = None if context is None or context.parent is None else context.info_name
    if context is not None and "such option" in error.message:
        known = [name for one in context.command.params for name in one.opts if name.startswith("-")]
        return UserError("unknown option", file=command, found=error.option_name, allowed=known)
    said = truncate(error.message.rstrip("."))
    for pattern, words in PARSER_WORDS.items():
        said = re.sub(pattern, words, said)
    if option is None:
        return UserError(f"{said[:1].lower()}{said[1:]}", file=command)
    name = f"--{long_name(option)}" if option.param_type_name == "option" else option.metavar or option.name
    if type(error).__name__ == "MissingParameter":
        return UserError(f"{name} is missing; `empirelab {command} --help` shows the options", file=command)
    from_file = option.name in (context.obj or {}) and is_from_file(context, option.name)
    place = context.obj[option.name].file if from_file else None
    reason = error.__cause__  # Typer reads numbers by pydantic
    found = reason.errors()[0]["input"] if type(reason).__name__ == "ValidationError" else None
    return UserError(f"{said[:1].lower()}{said[1:]}", file=place, field=name.lstrip("-"), found=found)


PARSER_WORDS = {
    "Input should be a valid integer.*": "not a whole number",
    "Input should be a valid number.*": "not a number",
    "Input should be": "must be",
    "Got unexpected extra argument\\(s\\) \\((.*)\\)": r"too many words: \1",
    "requires an argument": "needs a value",
    "does not take a value": "takes no value",
}
"""Patterns of the parser's messages, and the text that replaces each of them."""


app = typer.Typer(
    name="empirelab",
    no_args_is_help=True,
    cls=Commands,
    pretty_exceptions_enable=False,
    context_settings=SETTINGS,
    help="Play empire-building board games by the million with scripted players, and see what is out of balance.",
    epilog="Start with: empirelab simulate seven_wonders --out runs/first, then: empirelab report runs/first",
)

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Error numbers for a full disk, a used-up quota or a file that is too large."""
PR_SET_PDEATHSIG = 1
"""The option of `prctl` that ends a process together with its parent."""
M_ARENA_MAX = -8
"""The setting of glibc that keeps each thread from reserving 64 MB of addresses."""
CRASHES = ("SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGKILL", "SIGSEGV", "SIGTRAP")
"""Signals that end a process that has run out of memory. They are sent by libraries or by the system."""
MIN_MEMORY = 550_000_000
"""Bytes of memory below which libraries fail to load or wait forever."""
WRONG_USAGE = 2
"""Exit status after wrong usage."""
INTERRUPTED = 130
"""Exit status after an interrupt or termination."""
STAND_INS = {"±": "+-", "·": "*", "\N{MINUS SIGN}": "-", "\N{MULTIPLICATION SIGN}": "x"}
"""Replacements for characters that the encoding of the output lacks."""


def print_log() -> None:
    """Print log messages of the package `sim`, such as what has to be compiled, to standard error."""
    log = logging.getLogger("sim")
    log.addHandler(logging.StreamHandler(sys.stderr))
    log.propagate = False


@app.callback()
def program_options(
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """Accept the options that stand before the name of a command, such as --version."""


def saved_message(end: BaseException | None) -> str:
    """Return an interrupt's message, which says what has been saved.

    It is empty if `end` has no interrupt among its causes. This is so in a process that watches another one: the
    watched process was interrupted, and has printed the message.
    """
    while end is not None and not isinstance(end, KeyboardInterrupt):
        end = end.__cause__ or end.__context__
    return "" if end is None else str(end) or "no partial output is left"


def interrupt_once() -> Callable[[int, FrameType | None], None]:
    """Return a signal handler that interrupts the program.

    A second interrupt is ignored while the program saves the games played so far.
    """
    last = -math.inf

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal last
        if lost.is_set() or time.monotonic() - last > SECONDS_TO_SAVE:
            lost.clear()
            last = time.monotonic()
            signal.default_int_handler(number, frame)

    return handle


SECONDS_TO_SAVE = 5.0
"""Seconds after an interrupt during which further interrupts are ignored."""


lost = Event()
"""Set when an interrupt arrives where Python cannot raise it; cleared when that interrupt is repeated."""
interrupted = Event()
"""Set when the program ends because of an interrupt."""


def start() -> NoReturn:
    """Run the program as a process of its own, and end the process with the right exit status.

    If an interrupt passes through an `exec`, as in the definition of a dataclass, `python -m` ends with SIGINT even if
    the interrupt is handled. To prevent that, `end_interrupted` ends the process itself. It is registered with `atexit`
    before all other functions, so that it runs last.
    """
    atexit.register(end_interrupted)
    main()


def note_interrupt(end: BaseException) -> None:
    """Print what was saved after an interrupt, end the worker processes, and ignore further interrupts."""
    from sim.players.sandbox import end_workers  # noqa: PLC0415 - so that help is quick

    interrupted.set()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    if kept := saved_message(end):
        print(f"empirelab: interrupted; {kept}", file=sys.stderr, flush=True)
    end_workers()


def end_interrupted() -> None:
    """If the program was interrupted, end the process with the exit status of an interrupt."""
    if interrupted.is_set():
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(INTERRUPTED)


def main() -> NoReturn:
    """Run the program. The exit status is 0 on success, 2 on bad input, and 130 after an interrupt."""
    prepare_streams()
    if os.environ.get(GUARDED):
        from sim.players.sandbox import end_with_watcher  # noqa: PLC0415 - so that help is quick

        end_with_watcher()
    try:
        run_program()
    finally:
        note_ended()


def prepare_streams() -> None:
    """Replace closed standard streams by the null device, and make all output printable in its encoding.

    Otherwise the next file opened would get the descriptor of a closed stream. The streams stay replaced until the
    process ends, because the interpreter may still print errors at the end.
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
    """Return what replaces the characters that the encoding of the output lacks, and the position after them."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(to_ascii, error.object[error.start : error.end])), error.end


def to_ascii(sign: str) -> str:
    """Return a replacement for a character in ASCII: its letter without the accent, a stand-in, or a question mark."""
    if unicodedata.category(sign) == "Pd":
        return "-"
    bare = "".join(part for part in unicodedata.normalize("NFKD", sign) if not unicodedata.combining(part))
    return STAND_INS.get(sign) or (bare if bare.isascii() and bare else "?")


def memory_limit() -> int:
    """Return the bytes of memory that a process may request (`ulimit -v`); 0 for no limit."""
    with suppress(ImportError):
        import resource  # noqa: PLC0415 - Windows has none

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        return 0 if limit == resource.RLIM_INFINITY else limit
    return 0


def fork_for_memory(limit: int) -> None:
    """Continue in a child process. The parent prints a message if the child runs out of memory.

    Python raises an error when memory is short, but libraries in other languages end the process. The parent process
    loads none of them.

    Parameters
    ----------
    limit
        Bytes that a process may request.
    """
    if limit < MIN_MEMORY:
        end_for_memory(limit, f"at least {MIN_MEMORY / 1e6:.0f} MB are needed")
    ended = mmap.mmap(-1, 1)  # shared with the child process
    sys.stdout.flush()  # otherwise both processes would print what is still in the buffers
    sys.stderr.flush()
    process = os.fork()
    if process == 0:
        ends.append(ended)
        os.environ.setdefault(
            "_RJEM_MALLOC_CONF", "background_thread:false"
        )  # for Polars, which would otherwise print errors forever
        with suppress(OSError, AttributeError):  # if the parent is killed, the child is killed too
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL))
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches both processes; only the child handles it
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, lambda number, _: os.kill(process, number))
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    if status >= 0 and ended[0]:
        os._exit(status)
    name = signal.Signals(-status).name if status < 0 else f"status {status}"
    if status >= 0 or name in CRASHES:
        end_for_memory(limit, f"the process was ended by {name}; the same command resumes an unfinished run")
    signal.signal(-status, signal.SIG_DFL)
    os.kill(os.getpid(), -status)


def report_unraisable(problem: Any) -> None:
    """Print an error that could not be raised.

    A lack of memory under a memory limit is not printed here, because it has its own message. An interrupt that arrives
    where Python cannot raise it, such as in a destructor, is repeated shortly afterwards. Otherwise the program would
    continue.
    """
    if isinstance(problem.exc_value, KeyboardInterrupt):
        lost.set()
        Timer(0.05, os.kill, [os.getpid(), signal.SIGTERM]).start()  # wakes the main thread if it sleeps
    elif not (ends and lack_of_memory(problem.exc_value)):
        sys.__unraisablehook__(problem)


def load_libraries() -> None:
    """Load libraries and start their threads now. If memory were short later, their start could hang forever."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)
    # If Polars cannot load its library for lack of memory, it only warns, and fails later with a misleading error.
    warnings.filterwarnings("error", "Polars binary is missing")
    import polars as pl  # noqa: PLC0415 - so that help is quick
    import scipy.linalg  # noqa: F401, PLC0415

    pl.LazyFrame({"number": [1, 2]}).select(pl.col("number").sum()).collect(engine="streaming")


def end_for_memory(limit: int, words: str) -> NoReturn:
    """Print that the system does not give this program enough memory, and exit."""
    message = f"there is not enough memory: a process may take {limit / 1e6:,.0f} MB (ulimit -v); {words}"
    print(f"empirelab: {message}", file=sys.stderr, flush=True)
    os._exit(WRONG_USAGE)


ends: list[mmap.mmap] = []
"""One byte shared with the watching process, set when this process ends normally; empty without a watching process."""


def note_ended() -> None:
    """Tell the watching process that this process ends normally."""
    for ended in ends:
        ended[0] = 1
    if os.environ.get(GUARDED):
        from sim.players.sandbox import note_end  # noqa: PLC0415 - so that help is quick

        note_end()


@cache
def program() -> Any:
    """Return the program with all its commands, built once per process."""
    return get_command(app)


def fail(message: str, at_once: bool = False) -> NoReturn:
    """Print why the program fails, and exit. With `at_once`, skip the shutdown of the interpreter."""
    print(f"empirelab: {message}", file=sys.stderr)
    if at_once:
        sys.stderr.flush()
        note_ended()
        os._exit(WRONG_USAGE)
    sys.exit(WRONG_USAGE)


def run_program() -> NoReturn:
    """Run the command line, and exit."""
    # Matrices are small here, so threads of numpy's linear algebra would mostly wait for each other. Their number would
    # also change the rounding. numpy reads these variables when it is first imported.
    os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1")
    # Imports and figures create a million objects that stay. Collecting garbage after every 700 new objects would take
    # a twentieth of a report's time.
    gc.set_threshold(50_000)
    # A run ends like an interrupted one if it is terminated or if its terminal is closed (except with nohup).
    handler = interrupt_once()
    sys.unraisablehook = report_unraisable
    signal.signal(signal.SIGTERM, handler)
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name) and signal.getsignal(getattr(signal, name)) != signal.SIG_IGN:
            signal.signal(getattr(signal, name), handler)
    if hasattr(signal, "SIGPIPE"):
        # A closed pipe (`| head`) ends the program, as users expect.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    print_log()
    try:
        try:
            program()(prog_name="empirelab")
        except BaseException as error:
            reason = lack_of_memory(error)
            if isinstance(error, SystemError) and memory_limit():
                reason = reason or str(error)  # compiled code may fail with an unclear error if memory is short
            if isinstance(error, SystemExit) or not reason:
                raise
            raise UserError(f"there is not enough memory: {reason}") from error
        finally:
            sys.stdout.flush()
    except UserError as error:
        # If memory is short, the interpreter would run out of it again during its shutdown, and print another error.
        fail(str(error), at_once="there is not enough memory" in str(error))
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        if error.errno in FULL and error.filename is None:
            # At its end the interpreter would try to print the remaining output again, and fail again.
            fail(f"the results cannot be printed or written ({error.strerror})", at_once=True)
        # No command checks for this error; an example is a file name that is too long.
        reason = error.strerror or type(error).__name__
        fail(str(UserError(f"operating system error: {reason}", file=error.filename)))
    except SystemExit as end:
        if end.code == INTERRUPTED:
            note_interrupt(end)
        raise
    sys.exit(0)


if __name__ == "__main__":
    start()
