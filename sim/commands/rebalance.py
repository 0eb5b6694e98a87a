"""Searches the value of a number at which a faction is fair."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from sim.commands.shared import Factions, GameName, Players, Settings, Strategies, Variant, read_settings, say


def rebalance(
    game: GameName,
    faction: Annotated[str, typer.Option(help='Whose edge is to vanish, e.g. "Rhodos B".')],
    knob: Annotated[str, typer.Option(help="What is turned: a field of its row, e.g. coins_start, or FILE#ROW.FIELD.")],
    games: Annotated[int, typer.Option("--games", "-n", help="Games at each value tried.")] = 20_000,
    players: Players = None,
    strategies: Strategies = None,
    factions: Factions = "all",
    variant: Variant = None,
    low: Annotated[float | None, typer.Option(help="Lowest value to try.")] = None,
    high: Annotated[float | None, typer.Option(help="Highest value to try.")] = None,
    step: Annotated[float | None, typer.Option(help="Step between values; 1 for whole numbers.")] = None,
    seed: Annotated[int, typer.Option("--seed", "-s", help="Seed; the same seed gives the same games anywhere.")] = 1,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Workers; -1 for all cores.")] = -1,
    code: Annotated[Path | None, typer.Option(help="Python file with a strategy of your own.")] = None,
    settings: Settings = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Do not say which value is being tried.")] = False,
) -> None:
    """Search the value of a number at which a faction's edge vanishes, with the same deals at every value.

    Example: empirelab rebalance seven_wonders --faction "Rhodos B" --knob coins_start
    """
    import json

    from reports.rebalance import rebalance as carry_out
    from reports.rebalance_words import as_json as to_json
    from reports.words import counted
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
    config = config_of("command line", **asked)

    def trying(turned: Any, value: float) -> None:
        if not quiet:
            say(f"playing {counted(games, 'game')} with {turned.title} = {value:g}")

    done = carry_out(config, faction, knob, low=low, high=high, step=step, jobs=jobs, trying=trying)
    if as_json:
        print(json.dumps(to_json(done), ensure_ascii=False, indent=1))
    else:
        print_rebalance(done)


def print_rebalance(done: Any) -> None:
    """Print what was found, the values tried, and what changes for the others."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from reports import words
    from reports.rebalance_words import edge_interval, number_words, sentences
    from reports.winshare import ALPHA

    console = Console()
    if not console.is_terminal:
        console = Console(width=100)
    first, *more = sentences(done)
    console.print(first, style="bold", highlight=False, markup=False)
    for sentence in more:
        console.print(sentence, highlight=False, markup=False)
    grid = Table(title="Values tried", title_justify="left", box=box.SIMPLE_HEAD)
    for name in (done.knob.name, "edge", "95 % interval", "against printed", "95 % interval"):
        grid.add_column(name, justify="right")
    for row in done.tried.to_dicts():
        cells = [words.points(row["edge"], 2), edge_interval(row["low"], row["high"])]
        cells += [words.points(row["change"], 2), edge_interval(row["change_low"], row["change_high"])]
        grid.add_row(number_words(row["value"]), *cells)
    console.print(grid)
    if done.others.is_empty():
        return
    title = f"Side effects of {done.knob.title} = {number_words(done.best)}"
    grid = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    grid.add_column("")
    for name in ("edge as printed", "edge then", "change", "95 % interval", "flag"):
        grid.add_column(name, justify="right")
    for row in done.others.to_dicts():
        sure = row["p_holm"] is not None and row["p_holm"] < ALPHA
        cells = [words.points(row[name], 2) for name in ("edge_before", "edge_after", "change")]
        flag = row["note"] or (("gains" if row["change"] > 0 else "loses") if sure else "")
        grid.add_row(row["level"], *cells, edge_interval(row["low"], row["high"]), flag)
    console.print(grid)
    legend = (
        "edge: wins minus fair, in percentage points, with 95 % intervals by block; changes on the same deals. "
        "gains, loses: beyond doubt (Holm-corrected p < 0.05)."
    )
    console.print(legend, highlight=False, markup=False, style="dim")
