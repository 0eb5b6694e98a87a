"""What several commands share: options, texts to the user, the progress bar."""

from __future__ import annotations

import json
import logging
import math
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated, Any

import typer

from sim.commands.completion import games_named, strategies_named, variants_named
from sim.commands.guarding import guarded
from sim.errors import UserError

MOST_DIGITS = 30
"""Digits behind the first that a number on the command line may have; far more than any option takes."""


def whole_number(text: object) -> int:
    """Read a whole number as people write large ones: 20000, 20_000, 1e6 or 2.5e5.

    Raises
    ------
    typer.BadParameter
        It is none; the program tells it as wrong usage.
    """
    try:
        number = Decimal(str(text))
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite() or number.adjusted() > MOST_DIGITS or number != number.to_integral_value():
        raise typer.BadParameter(f"{str(text)!r} is not a whole number, such as 20000 or 2e4.")
    return int(number)


def counting_number(text: object) -> int:
    """Read a whole number from 1, as `whole_number`."""
    number = whole_number(text)
    if number < 1:
        raise typer.BadParameter(f"{number} is not in the range x>=1.")
    return number


def print_version(asked: bool) -> None:
    """Print the version and end, where it is asked for."""
    if asked:
        from importlib.metadata import version

        print(f"empirelab {version('empirelab')}")
        raise typer.Exit


def hush(quiet: bool) -> bool:
    """Keep what is logged to ourselves where only results and errors are asked for."""
    logging.getLogger("sim").setLevel(logging.ERROR if quiet else logging.INFO)
    return quiet


GameName = Annotated[
    str,
    typer.Argument(metavar="GAME", help="Name of the game; `empirelab games` lists them.", autocompletion=games_named),
]
Players = Annotated[
    int | None,
    typer.Option("--players", "-k", help="How many players sit at the table; by default the game's usual number."),
]
Strategies = Annotated[
    str | None,
    typer.Option(
        help='Strategies that meet, with commas, or "all"; one alone plays against itself. By default the game\'s.',
        autocompletion=strategies_named,
    ),
]
Factions = Annotated[
    str,
    typer.Option(help='What may be dealt, with commas: names of factions, or of what several share ("A"), or "all".'),
]
Variant = Annotated[
    str | None,
    typer.Option(
        help="Variant of the game; by default the one for so many players.",
        autocompletion=variants_named,
    ),
]
RunFolder = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a run that simulate has written.")]
Changes = Annotated[
    list[str] | None,
    typer.Option(
        "--change",
        metavar="FILE#ROW.FIELD=VALUE",
        help="Change a card, board, constant or weight, or @FILE.toml with changes; may be repeated.",
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Play an open point of the rules another way; may be repeated."),
]
Decks = Annotated[
    list[Path] | None,
    typer.Option(
        "--deck", metavar="FILE.toml", help="Decks of your own, dealt like the game's factions; may be repeated."
    ),
]
Assign = Annotated[
    str, typer.Option(help="Who sits where: rotate (one deal, players through all seats), random, or fixed.")
]
Seed = Annotated[int, typer.Option("--seed", "-s", help="Seed; the same seed gives the same games anywhere.")]
Code = Annotated[
    Path | None,
    typer.Option(
        "--code",
        "--python",
        callback=guarded,
        help="Python file with a strategy of your own, score or choose; it is run.",
    ),
]
Jobs = Annotated[int, typer.Option("--jobs", "-j", help="Workers; -1 for all cores.")]
FileJobs = Annotated[int | None, typer.Option("--jobs", "-j", help="Workers, instead of the file's; -1 for all cores.")]
GamesFrom = Annotated[
    int | None,
    typer.Option(
        parser=whole_number, metavar="NUMBER", help="Play a stretch only, from this game on, to be joined by merge."
    ),
]
GamesTo = Annotated[
    int | None,
    typer.Option(parser=whole_number, metavar="NUMBER", help="Play a stretch only, up to the game before this one."),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Let a Dask cluster play: tcp://HOST:PORT of its scheduler, or local for --jobs processes here.",
    ),
]
Tags = Annotated[
    list[str] | None, typer.Option("--tag", metavar="WORD", help="What to find the run by in `view`; may be repeated.")
]
Note = Annotated[str | None, typer.Option("--note", metavar="TEXT", help="What to remember of the run, kept with it.")]
Out = Annotated[Path | None, typer.Option("--out", "-o", help="Folder for the results.")]
KeptArms = Annotated[
    Path | None,
    typer.Option(
        "--arms", metavar="DIR", help="Keep what is played here: after an interrupt the same command goes on."
    ),
]
Page = Annotated[Path | None, typer.Option(metavar="PAGE.html", help="Write what was found as one page.")]
Margin = Annotated[
    float, typer.Option(metavar="POINTS", help="How far from its fair share a row may be, in percentage points.")
]
Picture = Annotated[Path | None, typer.Option(metavar="FILE.png", help="Write the figure as a PNG file.")]
Full = Annotated[bool, typer.Option("--full", help="Print long tables too.")]
Pool = Annotated[
    str | None, typer.Option(help="Whom it meets besides itself, with commas; by default all others but random.")
]
Weights = Annotated[str | None, typer.Option(help="Weights that may move, with commas; by default all that are not 0.")]
Fresh = Annotated[int, typer.Option(parser=whole_number, metavar="NUMBER", help="Games of the test on fresh deals.")]
NewStrategy = Annotated[
    Path | None, typer.Option("--out", "-o", help="TOML file to write; by default NAME.toml in this folder.")
]
Replace = Annotated[bool, typer.Option(help="Replace the file.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print what was found as one JSON document, and nothing else.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", callback=hush, help="Only results and errors, no word between.")]


def say(text: str) -> None:
    """Tell the user what is going on, apart from the results."""
    print(text, file=sys.stderr, flush=True)


def say_unless(quiet: bool) -> Callable[[str], None]:
    """Return what tells the user what is going on; nothing where only results are asked for."""
    return (lambda text: None) if quiet else say


def print_json(content: Any) -> None:
    """Print one JSON document: what is no number in JSON (NaN, infinity) is null."""
    print_json_text(json.dumps(without_nan(content), indent=1, ensure_ascii=False, allow_nan=False, default=str))


def print_json_line(content: Any) -> None:
    """Print one JSON document on one line."""
    print_json_text(json.dumps(without_nan(content), ensure_ascii=False, allow_nan=False, default=str))


def print_json_text(text: str) -> None:
    """Print a JSON document, in ASCII where the encoding of the output lacks a sign of it."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")  # a stream of text in memory has none
    except UnicodeEncodeError:
        text = re.sub(r"[^\x00-\x7f]", lambda sign: json.dumps(sign[0])[1:-1], text)
    print(text)


def without_nan(content: Any) -> Any:
    """Return the same tables and lists with None in place of NaN and of infinity."""
    if isinstance(content, Mapping):
        return {str(key): without_nan(value) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [without_nan(value) for value in content]
    return None if isinstance(content, float) and not math.isfinite(content) else content


@contextmanager
def progress_bar(label: str, total: int | None, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on the terminal, if there is one; give what advances it."""
    from sim.runs.progress import show_progress

    with show_progress(label, total, not quiet) as progress:
        yield progress.advance


def split(text: str) -> list[str]:
    """Split at commas."""
    return [word.strip() for word in text.split(",") if word.strip()]


def read_changes(texts: list[str] | None, game: str) -> list[str]:
    """Return changes with those of a file in the place of `@FILE.toml`, its list `changes`, and paths for words.

    Raises
    ------
    UserError
        The file cannot be read, or holds anything but a list of texts, or words stand for no number of the game.
    """
    from reports.studies.search.parameter_names import with_paths
    from sim.data.catalog import read_toml
    from sim.game import load_game

    found: list[str] = []
    for text in texts or []:
        if not text.startswith("@"):
            found.append(text)
            continue
        path = Path(text[1:])
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
        found += changes
    return with_paths(load_game(game), found) if any("#" not in text for text in found) else found


def read_settings(texts: list[str] | None) -> dict[str, object]:
    """Read NAME=VALUE texts as TOML would.

    Raises
    ------
    UserError
        A text has no equals sign, or a setting is given twice.
    """
    values: dict[str, object] = {}
    for text in texts or []:
        name, equals, value = text.partition("=")
        if not equals:
            raise UserError("a setting is given as NAME=VALUE", field="set", found=text)
        if name.strip() in values:
            raise UserError("this setting is given twice", field="set", found=text, allowed="each setting once")
        words = {"true": True, "false": False}
        number = int(value) if value.lstrip("-").isdigit() else value
        values[name.strip()] = words.get(value.strip().casefold(), number)
    return values


def game_with(game: str, decks: list[Path] | None) -> Any:
    """Return a game with the decks of a user's own that the command line names.

    Raises
    ------
    UserError
        There is no such game, it takes no such files, or one of them cannot be read.
    """
    from sim.data.additions import read_addition
    from sim.game import load_game, with_additions

    return with_additions(load_game(game), [read_addition(path) for path in decks or []])


def command_line() -> str:
    """The command as it was typed."""
    return shlex.join(["empirelab", *sys.argv[1:]])
