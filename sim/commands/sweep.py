"""Plays a game at many values of one or two parameters."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from sim.commands.shared import command_line, progress_bar, say


def sweep(
    config: Annotated[Path, typer.Argument(metavar="CONFIG.toml", help="File that describes the sweep.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Folder for the results.")] = None,
    overwrite: Annotated[bool, typer.Option(help="Replace the sweep in the output folder.")] = False,
    games: Annotated[
        int | None, typer.Option("--games", "-n", min=1, help="Games at each value, instead of the file's.")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", "-s", min=0, help="Seed, instead of the file's.")] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", help="Workers, instead of the file's; -1 for all cores.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar and no summary.")] = False,
) -> None:
    """Play the same deals at many values of one or two parameters, and draw how win shares respond.

    Example: empirelab sweep configs/sweeps/rhodos-coins.toml --out runs/rhodos-coins
    """
    from reports.figures import png
    from reports.sweep import SweepConfig, check_folder, play_sweep, read_sweep, write_sweep
    from reports.sweep_figures import draw_sweep
    from sim.catalog import validate_row
    from sim.runs.run import jobs_to_use

    asked = read_sweep(config)
    given = {name: value for name, value in (("games", games), ("seed", seed), ("jobs", jobs)) if value is not None}
    asked = validate_row("command line", asked.model_dump() | given, SweepConfig, None)
    jobs_to_use(asked.jobs)
    folder = out or (Path(asked.out) if asked.out else Path("runs") / f"sweep-{config.stem}")
    check_folder(folder, overwrite)
    arms = 1
    for vary in asked.vary:
        arms *= len(vary.values)
    with progress_bar(f"{arms} settings", arms * asked.games, quiet) as advance:
        told = (lambda text: None) if quiet else say
        done = play_sweep(asked, jobs=asked.jobs, say=told, progress=advance)
    write_sweep(done, png(draw_sweep(done)), folder, command_line())
    if not quiet:
        print_sweep(done)
        print(f"written to {folder}: sweep.png, sweep.parquet, sweep.json")


def print_sweep(done: Any) -> None:
    """Print what was found and one line for each value and level watched."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from reports import words
    from reports.rebalance_words import edge_interval
    from reports.sweep import base_words, heading, rows_of, sentences

    console = Console()
    if not console.is_terminal:
        console = Console(width=100)
    console.print(heading(done), style="bold", highlight=False, markup=False)
    for sentence in sentences(done):
        console.print(sentence, highlight=False, markup=False)
    for table, level in done.watched:
        grid = Table(title=level, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
        for name in [knob.name for knob in done.knobs]:
            grid.add_column(name, justify="right")
        for name in ("wins %", "95 % interval", "edge", "change", "95 % interval", "score"):
            grid.add_column(name, justify="right", no_wrap=True)
        grid.add_column("note", no_wrap=True)
        for row in rows_of(done, table, level):
            grid.add_row(
                *(f"{row[name]:g}" if isinstance(row[name], float) else str(row[name]) for name in done.columns),
                words.size(row["win_share"]),
                words.interval(row["low"], row["high"]),
                words.points(row["edge"], 2),
                words.points(row["change"], 2),
                edge_interval(row["change_low"], row["change_high"]),
                words.number(row["mean_score"]),
                row["change_note"] or "",
            )
        console.print(grid)
    legend = f"edge: wins minus fair, in percentage points. change: against {base_words(done)}, paired by deal."
    console.print(legend, highlight=False, markup=False, style="dim")
