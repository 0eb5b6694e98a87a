"""Options that several commands share, and parsers for their values. Decides which users' files run in a sandbox."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, suppress
from copy import copy
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from sim.commands.completion import (
    complete_factions,
    complete_games,
    complete_runs,
    complete_settings,
    complete_strategies,
    complete_variants,
)
from sim.commands.console import command_line, log_unless, progress_bar, set_quiet
from sim.commands.sections import Places
from sim.compiler.source_digest import FOLDERS, GUARDED
from sim.errors import UserError

if TYPE_CHECKING:
    from sim.runs.config import RunConfig, RunRequest


TIME_LIMIT = 10.0


def option(
    text: str,
    *names: str,
    of: str | None = "NUMBER",
    usual: str | bool = True,
    complete: Callable[..., Any] | None = None,
    parser: Callable[[object], Any] | None = None,
    least: float | None = None,
) -> Any:
    """Return an option with a help text. Help shows `of` in place of its value, and `usual` as its default.

    Parameters
    ----------
    names
        Names of the option; by default, it has the name of the parameter.
    of
        None: help shows the values that the type allows. Help never shows `of` for a flag, which has no value.
    usual
        True: help shows the default itself, if it is not None.
    complete, parser, least
        The function that suggests values to the shell, the function that parses the value, and the smallest number
        allowed.
    """
    return typer.Option(
        *names, metavar=of, help=text, show_default=usual, autocompletion=complete, parser=parser, min=least
    )


def remember(context: typer.Context, option: Any, value: Any) -> Any:
    """Store the value of an option for `guarded`, which runs before the command does. Return the value."""
    context.meta[option.name] = value
    return value


Guard = Annotated[
    bool,
    typer.Option(
        "--guard/--no-guard",
        is_eager=True,
        callback=remember,
        help="Play games and strategies in Python files of yours in a watched process of their own.",
    ),
]
TimeLimit = Annotated[
    float,
    typer.Option(
        min=0.1,
        is_eager=True,
        callback=remember,
        metavar="SECONDS",
        help="With --guard: longest time for one decision, and for one move of a game in a Python file.",
    ),
]


def guarded(context: typer.Context, code: Path | None) -> Path | None:
    """If a strategy file needs a sandbox, run the whole command in a sandbox and exit with its status."""
    if code is not None and context.meta.get("guard", True):
        run_command_guarded([code], context.meta.get("time_limit", TIME_LIMIT))
    return code


def run_command_guarded(codes: Iterable[Path], seconds: float) -> None:
    """If any of these files needs a sandbox, run the whole command in a sandbox and exit with its status.

    Raise typer.Exit if the command has run in a sandbox. Raise UserError if a strategy has crashed the process, or
    takes too long or too much memory.
    """
    outside = [code for code in codes if is_outside_strategy(code)]
    if GUARDED in os.environ or not outside:
        return
    from sim.players.sandbox import run_guarded
    from sim.runs.store.run_folder import discard_checkpoint

    raise typer.Exit(run_guarded(outside[0], seconds, discard_checkpoint))


def is_outside_strategy(code: Path) -> bool:
    """Tell whether a strategy file, or the base that a TOML file names, is a Python file outside the project."""
    if code.suffix == ".toml":
        from sim.data.catalog import read_toml

        with suppress(UserError):
            base = str(read_toml(code).get("base", ""))
            return base.endswith(".py") and is_outside_strategy(code.parent / base)
        return False
    return code.is_file() and not any(code.resolve().is_relative_to(folder) for folder in FOLDERS)


def codes_of(path: Path) -> list[Path]:
    """Return the strategy files that a run file names.

    Ignore errors in the run file, because its reader reports them.
    """
    from sim.data.catalog import read_toml

    with suppress(UserError):
        data = read_toml(path)
        runs = data.get("run", [])
        tables = [data, *(row for row in (runs if isinstance(runs, list) else []) if isinstance(row, Mapping))]
        return [Path(table["code"]) for table in tables if isinstance(table.get("code"), str)]
    return []


FILES_OWN = "the file's"
"""Text that help shows as the default of an option if a file may set the option."""
MAX_DIGITS = 30
"""Maximum number of digits after the first digit of a number. The limits of all options are far below such numbers."""


def whole_number(text: object) -> int:
    """Parse a whole number in any form that people use for large numbers: 20000, 20_000, 1e6 or 2.5e5.

    Raise typer.BadParameter if the text is not a whole number.
    """
    try:
        number = Decimal(str(text))
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite() or number.adjusted() > MAX_DIGITS or number != number.to_integral_value():
        raise typer.BadParameter(f"{str(text)!r} is not a whole number, such as 20000 or 2e4.")
    return int(number)


def counting_number(text: object) -> int:
    """Parse a whole number as `whole_number` does, and check that it is at least 1."""
    number = whole_number(text)
    if number < 1:
        raise typer.BadParameter(f"{number} is less than 1.")
    return number


def games_option(text: str, parser: Callable[[object], int] = counting_number, usual: str | bool = True) -> Any:
    """Return the option --games with a help text. If `usual` is a text, help shows it as the default."""
    return option(text, "--games", "-n", usual=usual, parser=parser)


def print_version(requested: bool) -> None:
    """If `requested`, print the version and exit."""
    if requested:
        from importlib.metadata import version

        print(f"empirelab {version('empirelab')}")
        raise typer.Exit


def named_game(context: typer.Context, name: str) -> str:
    """Return the name of a game. If `name` is a Python file or a folder, read the game from it.

    With --guard, the whole command then runs in a sandbox.
    """
    if ".py" not in name and not Path(name).is_dir():
        return name
    file, colon, _ = name.partition(".py:")
    path = Path(f"{file}.py" if colon else file)
    guard = context.meta.get("guard", False)
    if guard and path.suffix and path.name != "game.py":  # the watching process must not import the game
        run_command_guarded([path], context.meta["time_limit"])
    from sim.game import compiled_game, name_game
    from sim.players.sandbox import importing

    if guard and compiled_game(name) is None:
        run_command_guarded([path], context.meta["time_limit"])
    with importing():
        return str(name_game(name))


GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="Name of a game; see `empirelab games`. Or a Python file with a game of your own, which is run.",
        autocompletion=complete_games,
        callback=named_game,
    ),
]
Players = Annotated[
    int | None, option("Number of players at the table.", "--players", "-k", usual="the game's usual number")
]
Strategies = Annotated[
    str | None,
    option(
        'Strategies that meet, with commas, or "all". One alone plays against itself. NAME@0.5 adds noise of that '
        "scale to its scores; NAME+32 looks ahead with 32 games an option.",
        of="NAMES",
        usual="the game's usual players",
        complete=complete_strategies,
    ),
]
Factions = Annotated[
    str,
    option(
        'Factions that may be dealt, with commas: names ("Rhodos A"), or what several share ("Rhodos", "A").',
        of="NAMES",
        complete=complete_factions,
    ),
]
Variant = Annotated[
    str | None,
    option(
        "Variant of the game.",
        of="NAME",
        usual="the first of the game for this number of players",
        complete=complete_variants,
    ),
]
RunFolder = Annotated[
    Path, typer.Argument(metavar="DIR", help="Folder of a run, written by simulate.", autocompletion=complete_runs)
]
RunFolders = Annotated[
    list[Path], typer.Argument(metavar="DIR...", help="Folders of runs.", autocompletion=complete_runs)
]
Changes = Annotated[
    list[str] | None,
    option(
        "Change a card, board, constant or weight; @FILE.toml: a list of changes. May be repeated.",
        "--change",
        of="FILE#ROW.FIELD=VALUE",
    ),
]
Settings = Annotated[
    list[str] | None,
    option(
        "Play an open point of the rules another way; `empirelab games GAME` lists them. May be repeated.",
        "--set",
        of="NAME=VALUE",
        complete=complete_settings,
    ),
]
Decks = Annotated[
    list[Path] | None,
    option("Your own deck, dealt like the game's factions. May be repeated.", "--deck", of="FILE.toml"),
]
Assign = Annotated[
    str,
    option(
        "Who sits where: rotate (each deal from every seat), random, or fixed (the order of --strategies).", of="HOW"
    ),
]
Seed = Annotated[int, option("Seed. The same seed gives the same games on any machine.", "--seed", "-s")]
Code = Annotated[
    Path | None,
    typer.Option(
        "--code",
        "--python",
        metavar="FILE.py",
        callback=guarded,
        help="Python file with your own strategy. The program runs it.",
    ),
]
Jobs = Annotated[int, option("Worker processes; -1: one for each core.", "--jobs", "-j")]
FileJobs = Annotated[int | None, option("Worker processes; -1: one for each core.", "--jobs", "-j", usual=FILES_OWN)]
GamesFrom = Annotated[int | None, option("Play only from this game on; `merge` joins the parts.", parser=whole_number)]
GamesTo = Annotated[int | None, option("Play only the games before this one.", parser=whole_number)]
Cluster = Annotated[
    str | None,
    option(
        "Let a Dask cluster play: tcp://HOST:PORT of its scheduler, or local for --jobs processes here.", of="ADDRESS"
    ),
]
Tags = Annotated[list[str] | None, option("Label of the run, for `view`. May be repeated.", "--tag", of="WORD")]
Note = Annotated[str | None, option("Note kept with the run.", "--note", of="TEXT")]
KeptArms = Annotated[
    Path | None,
    option("Keep the games in this folder: after an interrupt the same command resumes them.", "--arms", of="DIR"),
]
Overwrite = Annotated[bool, option("Replace the run in the output folder.", "--overwrite")]
Csv = Annotated[
    str | None,
    option("Write all tables as one CSV file; a folder (ends in /) gets a file for each table.", of="TABLES.csv"),
]
Page = Annotated[Path | None, option("Write the results as one HTML page.", of="PAGE.html")]
Margin = Annotated[
    float, option("Rows this close to their fair share count as balanced, in percentage points.", of="POINTS")
]
Picture = Annotated[Path | None, option("Write the figure as a PNG file.", of="FILE.png")]
Full = Annotated[bool, option("Print long tables too.", "--full")]
Pool = Annotated[
    str | None,
    option(
        "Opponents besides itself, with commas.",
        of="NAMES",
        usual="all strategies but random",
        complete=complete_strategies,
    ),
]
Weights = Annotated[str | None, option("Weights that may change, with commas.", of="NAMES", usual="all that are not 0")]
Fresh = Annotated[int, option("Games of the test on fresh deals.", parser=whole_number)]
NewStrategy = Annotated[Path | None, option("File to write.", "--out", "-o", of="FILE.toml", usual="NAME.toml")]
Replace = Annotated[bool, option("Replace the file.", "--overwrite")]
AsJson = Annotated[bool, option("Print the results as one JSON document and nothing else.", "--json")]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", callback=set_quiet, help="Print results and errors only, no progress.")
]


@dataclass
class Options:
    """Values of the options that several commands share. An option that the command lacks has its default value."""

    players: Players = None
    strategies: Strategies = None
    factions: Factions = "all"
    variant: Variant = None
    assign: Assign = "rotate"
    seed: Seed = 1
    code: Code = None
    guard: Guard = True
    time_limit: TimeLimit = TIME_LIMIT
    settings: Settings = None
    decks: Decks = None
    jobs: Jobs = -1
    overwrite: Overwrite = False
    games_from: GamesFrom = None
    games_to: GamesTo = None
    cluster: Cluster = None
    tags: Tags = None
    note: Note = None
    arms: KeptArms = None
    margin: Margin = 1.0
    pool: Pool = None
    weights: Weights = None
    fresh: Fresh = 100_000
    html: Page = None
    csv: Csv = None
    png: Picture = None
    full: Full = False
    as_json: AsJson = False
    quiet: Quiet = False

    @property
    def places(self) -> Places:
        """The paths of the outputs. Reading this property checks that the outputs can be written."""
        return Places(self.html, self.csv, self.as_json, self.png, self.full)

    @property
    def log(self) -> Callable[[str], None]:
        """The function that prints a message. With --quiet, it prints nothing."""
        return log_unless(self.quiet)

    def progress_bar(self, label: str, total: int | None) -> AbstractContextManager[Callable[[int], None]]:
        """In a `with` block: show a progress bar, unless --quiet is given."""
        return progress_bar(label, total, self.quiet)

    def config(self, game: str, **more: Any) -> RunConfig:
        """Return the configuration of the run that these options request.

        `more` has further fields of `RunConfig`, and fields that replace the value of a shared option.
        """
        from sim.runs.simulate import config_of

        names = ("players", "strategies", "factions", "variant", "assign", "seed", "code")
        fields = {name: getattr(self, name) for name in names}
        fields |= {"settings": read_settings(self.settings), "decks": self.decks or []}
        return config_of("command line", game=game, **(fields | more))

    def request(self, config: RunConfig, out: Path | str, jobs: int | None = None) -> RunRequest:
        """Return the request to play a run and write it to a folder or a URL."""
        from sim.runs.config import RunRequest, label_of

        return RunRequest(
            config,
            out,
            jobs=self.jobs if jobs is None else jobs,
            overwrite=self.overwrite,
            command=command_line(),
            games_from=self.games_from,
            games_to=self.games_to,
            cluster=self.cluster,
            label=label_of(self.tags, self.note),
        )


def with_options(order: str, **helps: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Decorate a command to give it shared options. It receives their values as its first argument, an `Options`.

    `order` has names of fields of `Options`, separated by blanks; "sandbox" stands for --guard and --time-limit. Help
    sorts the options into groups. `helps` replaces the help texts of some of them.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        _, *own = inspect.signature(command, eval_str=True).parameters.values()
        known = dict(inspect.signature(Options, eval_str=True).parameters) | {one.name: one for one in own}
        names = order.replace("sandbox", "guard time_limit").split()
        parameters = [
            known[name].replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for name in [*(one.name for one in own if one.name not in names), *names]
        ]
        parameters = [
            one.replace(annotation=with_help(one.annotation, helps[one.name])) if one.name in helps else one
            for one in parameters
        ]

        @wraps(command)
        def run(**values: Any) -> None:
            mine = {one.name: values.pop(one.name) for one in own}
            command(Options(**values), **mine)

        vars(run)["__signature__"] = inspect.Signature(parameters)
        run.__annotations__ = {one.name: one.annotation for one in parameters}
        return run

    return decorate


def with_help(annotation: Any, text: str) -> Any:
    """Return the annotation of an option with another help text."""
    kind, option = get_args(annotation)
    option = copy(option)
    option.help = text
    return Annotated[kind, option]


def split(text: str) -> list[str]:
    """Split a text at its commas. Empty parts are left out."""
    return [word.strip() for word in text.split(",") if word.strip()]


def read_changes(texts: list[str] | None, game: str) -> list[str]:
    """Return changes in full: `@FILE.toml` is replaced by the changes in that file, and short names by paths.

    `@NAME` stands for a file of changes that comes with the game: `configs/games/GAME/changes/NAME.toml`.
    """
    from sim.data.catalog import CONFIGS, read_toml

    read: list[str] = []
    for text in texts or []:
        if not text.startswith("@"):
            read.append(text)
            continue
        path = Path(text[1:])
        shipped = CONFIGS / "games" / game / "changes" / f"{path}.toml"
        path = shipped if path.name == text[1:] and shipped.is_file() else path
        if not path.exists():
            message = "no such file of changes; a search writes one (--patch) if it finds a change"
            names = sorted(f"@{other.stem}" for other in shipped.parent.glob("*.toml"))
            raise UserError(message, file=path, allowed=names or None)
        data = read_toml(path)
        changes = data.get("changes")
        if (
            data.keys() != {"changes"}
            or not isinstance(changes, list)
            or not all(isinstance(one, str) for one in changes)
        ):
            message = "not a file of changes"
            raise UserError(message, file=path, field="changes", found=", ".join(data) or "nothing",
                            allowed='changes = ["FILE#ROW.FIELD=VALUE"]')  # fmt: skip
        read += changes
    if all("#" in text for text in read):
        return read
    from reports.studies.search.parameter_names import with_paths
    from sim.game import load_game

    return with_paths(load_game(game), read)


def read_settings(texts: list[str] | None) -> dict[str, object]:
    """Parse NAME=VALUE strings. A value is true, false, a whole number or a word."""
    values: dict[str, object] = {}
    for text in texts or []:
        name, equals, value = text.partition("=")
        if not equals:
            raise UserError("a setting has the form NAME=VALUE", field="set", found=text)
        if name.strip() in values:
            raise UserError("this setting is given twice", field="set", found=text, allowed="each setting once")
        words = {"true": True, "false": False}
        number = int(value) if value.lstrip("-").isdigit() else value
        values[name.strip()] = words.get(value.strip().casefold(), number)
    return values


def game_with(game: str, decks: list[Path] | None) -> Any:
    """Return a game together with the user's decks that the command line names."""
    from sim.data.changes import read_addition
    from sim.game import load_game, with_additions

    return with_additions(load_game(game), [read_addition(path) for path in decks or []])
