"""Merges several runs of one plan into one run."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from sim.commands.completion import complete_runs
from sim.commands.console import command_line, print_json, progress_bar
from sim.commands.options import AsJson, Overwrite, Quiet, option


def merge(
    folders: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR...", help="Runs of one plan: its stretches, or other seeds.", autocompletion=complete_runs
        ),
    ],
    out: Annotated[Path, option("Folder for the merged run.", "--out", "-o", of="DIR")],
    overwrite: Overwrite = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Merge stretches of one plan into the run that plays all of it, and runs of one plan with several seeds.

    Examples
    --------
    empirelab merge runs/first-half runs/second-half --out runs/both-halves

    Notes
    -----
    Stretches are made with `--games-from` and `--games-to` of `simulate`, and may be given in any order. All parts
    are verified first. Overlapping stretches, missing games and other plans are refused. The source runs stay as they
    are.
    """
    from sim.runs.store.merge import merge as join

    with progress_bar("merging", None, quiet) as advance:
        made = join(folders, out, overwrite=overwrite, command=command_line(), report=advance)
    seeds = sorted({count.seed for count in made.player_counts if count.seed is not None} or {made.seed})
    if as_json:
        print_json({"folder": str(out), "games": made.games, "blocks": made.blocks, "seeds": seeds})
    elif not quiet:
        of = f"seed {seeds[0]}" if len(seeds) == 1 else f"seeds {', '.join(map(str, seeds))}"
        print(f"{made.games:,} games in {made.blocks:,} blocks, {of}")
        print(f"written to {out}; read it with: empirelab report {shlex.quote(str(out))}")
