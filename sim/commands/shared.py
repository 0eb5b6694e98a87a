"""What several commands share: options, texts to the user, the progress bar."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from sim.errors import UserError

GameName = Annotated[str, typer.Argument(metavar="GAME", help="Name of the game; `empirelab games` lists them.")]
Players = Annotated[
    int | None,
    typer.Option("--players", "-k", help="How many players sit at the table; by default the game's usual number."),
]
Strategies = Annotated[
    str | None,
    typer.Option(help="Strategies that meet, with commas; one name alone plays against itself. By default the game's."),
]
Factions = Annotated[
    str,
    typer.Option(help='What may be dealt, with commas: names of factions, or of what several share ("A"), or "all".'),
]
Variant = Annotated[str | None, typer.Option(help="Variant of the game; by default the one for so many players.")]
RunFolder = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a run that simulate has written.")]
Changes = Annotated[
    list[str] | None,
    typer.Option(
        "--change", metavar="FILE#ROW.FIELD=VALUE", help="Change a card, board, constant or weight; may be repeated."
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Play an open point of the rules another way; may be repeated."),
]
Assign = Annotated[
    str, typer.Option(help="Who sits where: rotate (one deal, players through all seats), random, or fixed.")
]
Seed = Annotated[int, typer.Option("--seed", "-s", help="Seed; the same seed gives the same games anywhere.")]
Code = Annotated[Path | None, typer.Option(help="Python file with a strategy of your own; it is run.")]
Jobs = Annotated[int, typer.Option("--jobs", "-j", help="Workers; -1 for all cores.")]
FileJobs = Annotated[int | None, typer.Option("--jobs", "-j", help="Workers, instead of the file's; -1 for all cores.")]
Out = Annotated[Path | None, typer.Option("--out", "-o", help="Folder for the results.")]
Page = Annotated[Path | None, typer.Option(metavar="PAGE.html", help="Write what was found as one page.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def say(text: str) -> None:
    """Tell the user what is going on, apart from the results."""
    print(text, file=sys.stderr, flush=True)


@contextmanager
def progress_bar(label: str, total: int, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on the terminal, if there is one; give what advances it."""
    from sim.runs.progress import show_progress

    with show_progress(label, total, not quiet) as progress:
        yield progress.advance


def split(text: str) -> list[str]:
    """Split at commas."""
    return [word.strip() for word in text.split(",") if word.strip()]


def read_settings(texts: list[str] | None) -> dict[str, object]:
    """Read NAME=VALUE texts as TOML would.

    Raises
    ------
    UserError
        A text has no equals sign.
    """
    values: dict[str, object] = {}
    for text in texts or []:
        name, equals, value = text.partition("=")
        if not equals:
            raise UserError("a setting is given as NAME=VALUE", field="set", found=text)
        words = {"true": True, "false": False}
        number = int(value) if value.lstrip("-").isdigit() else value
        values[name.strip()] = words.get(value.strip().casefold(), number)
    return values


def command_line() -> str:
    """The command as it was typed."""
    return shlex.join(["empirelab", *sys.argv[1:]])
