"""Plays the same deals with and without a card, and says what it is worth to those who build it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from sim.commands.shared import (
    Factions,
    GameName,
    Players,
    Settings,
    Strategies,
    Variant,
    progress_bar,
    read_settings,
    say,
)


def intervene(
    game: GameName,
    card: Annotated[
        list[str], typer.Option("--card", "-c", help='Card to change: "Loom (2)", "Loom" for all ages, or "all".')
    ],
    make: Annotated[
        str,
        typer.Option("--make", metavar="HOW", help="none (without effects), free (without cost), or FIELD=VALUE."),
    ] = "none",
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games to play, in each arm.")] = 20_000,
    players: Players = None,
    strategies: Strategies = None,
    factions: Factions = "all",
    variant: Variant = None,
    seed: Annotated[int, typer.Option("--seed", "-s", help="Seed; the same seed gives the same deals anywhere.")] = 1,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Workers; -1 for all cores.")] = -1,
    code: Annotated[Path | None, typer.Option(help="Python file with a strategy of your own.")] = None,
    settings: Settings = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    csv: Annotated[Path | None, typer.Option(help="Write the whole table as a CSV file.")] = None,
    png: Annotated[Path | None, typer.Option(help="Write the figure as a PNG file.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")] = False,
) -> None:
    """Play the same deals as printed and with a card changed: what is it worth to those who build it?

    Example: empirelab intervene seven_wonders --card Pawnshop --card Loom --make none
    """
    from reports.intervention import choose_cards, intervention_section
    from reports.intervention import intervene as play_and_compare
    from sim.runs.config import make_plan
    from sim.runs.simulate import config_of

    asked = {
        "game": game,
        "games": games,
        "players": players,
        "strategies": strategies,
        "factions": factions,
        "variant": variant,
        "seed": seed,
        "code": code,
        "settings": read_settings(settings),
    }
    plan = make_plan(config_of("command line", **asked))
    cards = choose_cards(plan.game, plan.data, card)
    check_files(csv, png)
    with progress_bar(f"{plan.game.title}, {len(cards)} cards", games * (1 + len(cards)), quiet) as advance:
        told = (lambda text: None) if quiet else say
        found = play_and_compare(plan, games, cards, make, jobs=jobs, say=told, progress=advance)
    section = intervention_section(found)
    written = write_files(found.frame, section, csv, png)
    if as_json:
        print_json(found, section)
        return
    print_section(section)
    for path in written:
        print(f"written: {path}")


def check_files(*paths: Path | None) -> None:
    """Check, before any work is done, that results may be written to these files.

    Raises
    ------
    UserError
        A file lies in no folder, is a folder or a part of a run, or is named twice.
    """
    from sim.errors import UserError
    from sim.runs.store import check_not_part

    given = [path for path in paths if path is not None]
    for path in given:
        check_not_part(path)
        if path.is_dir() or not path.absolute().parent.is_dir():
            raise UserError("this file cannot be written", file=path, allowed="a file in a folder that exists")
    if len({path.resolve() for path in given}) < len(given):
        raise UserError("table and figure cannot be the same file", file=given[0], allowed="another name")


def write_files(frame: Any, section: Any, csv: Path | None, png: Path | None) -> list[Path]:
    """Write the files asked for; return those that were written.

    Raises
    ------
    UserError
        A file cannot be written.
    """
    from reports.figures import png as drawn
    from sim.errors import UserError

    written = []
    try:
        if csv is not None:
            frame.write_csv(csv)
            written.append(csv)
        if png is not None and section.pictures:
            png.write_bytes(drawn(section.pictures[0].draw().figure))
            written.append(png)
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror or error}", file=csv or png) from None
    return written


def print_json(found: Any, section: Any) -> None:
    """Print what was found as JSON."""
    import json

    content = {
        "game": found.plan.game.name,
        "make": found.make,
        "games": found.games,
        "players": found.plan.players,
        "seed": found.plan.seed,
        "strategies": [strategy.name for strategy in found.plan.strategies],
        "sentences": list(section.sentences),
        "reading": section.reading,
        "cards": found.frame.to_dicts(),
    }
    print(json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1))


def print_section(section: Any) -> None:
    """Print sentences and table."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from reports import words
    from reports.rebalance_words import edge_interval

    console = Console()
    if not console.is_terminal:
        console = Console(width=100)
    console.print(section.title, style="bold", highlight=False, markup=False)
    for sentence in section.sentences:
        console.print(sentence, highlight=False, markup=False)
    listing = section.listings[0]
    worth = "worth" if listing.columns[1].title == "worth" else "change"
    titles = ("card", worth, "95 % interval", "score", "games", "built %", "then %", "flag")
    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for place, title in enumerate(titles):
        grid.add_column(title, justify="left" if place == 0 or title == "flag" else "right", no_wrap=True)
    styles = {"strong": "bold dark_orange", "weak": "bold blue", "": ""}
    for row in listing.frame.to_dicts():
        cells = (
            row["card"],
            words.points(row["worth"]),
            edge_interval(row["low"], row["high"], 1),
            words.number(row["score"]),
            words.count(row["games"]),
            words.size(row["built"], 1),
            words.size(row["built_changed"], 1),
            row["flag"] or row["note"],
        )
        grid.add_row(*cells, style=styles[row["flag"]])
    console.print(grid)
    console.print(f"{listing.note} {section.reading}".strip(), highlight=False, markup=False, style="dim")
