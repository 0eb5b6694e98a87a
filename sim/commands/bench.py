"""Measures speed and memory."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any

import typer

from sim.commands.completion import complete_games
from sim.commands.console import log_unless, print_json
from sim.commands.defaults import typed
from sim.commands.options import AsJson, Decks, Quiet, named_game, option, whole_number
from sim.errors import UserError

ALL = "all"
"""The word that users give in place of the name of a game to measure all games."""


def bench(
    context: typer.Context,
    game: Annotated[
        str,
        typer.Argument(
            metavar="[GAME]",
            help='Name or Python file of a game, or "all".',
            autocompletion=complete_games,
            callback=named_game,
        ),
    ] = "seven_wonders",
    players: Annotated[
        int | None,
        option("Number of players at the table.", "--players", "-k", least=1, usual="the game's usual number"),
    ] = None,
    runs: Annotated[int, option("Measurements of each line-up; the median counts.", least=1)] = 5,
    seconds: Annotated[float, option("Approximate CPU time of each measurement.", of="SECONDS")] = 1.0,
    start: Annotated[bool, option("Also measure cold and warm starts, which takes a minute.")] = True,
    whole: Annotated[
        int, option("Games of a whole run on all cores, and of its report; 0: neither.", parser=whole_number)
    ] = 100_000,
    keep: Annotated[
        Path | None, option("Write the results into this folder, and compare them with the last ones there.", of="DIR")
    ] = None,
    decks: Decks = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Measure the speed of a game, the start of a process, and a whole run and its report, with their memory.

    Examples
    --------
    empirelab bench seven_wonders
    empirelab bench seven_wonders --no-start --whole 0 --json
    empirelab bench all --no-start --whole 0 --keep benchmarks

    Notes
    -----
    The game declares the line-ups. Games per second are CPU time of one core without writing. The whole run is
    wall-clock time on all cores with its results written. The report is `report --html` of the same run: wall-clock
    time of the process and its peak memory, with all code compiled.
    """
    from sim.data.declarations import GAMES
    from sim.diagnostics.bench import bench as measure
    from sim.diagnostics.bench_history import compared, folder_to_keep_in, keep_measured

    if whole < 0:
        raise UserError("too few games", field="whole", found=whole, allowed="0 for none, or more")
    if not 0 < seconds < math.inf:
        raise UserError("not a length of time", field="seconds", found=seconds, allowed="more than 0")
    if game == ALL and (needless := typed(context, ("players", "decks"))):
        raise UserError("this option is for one game", field=needless[0], allowed="the name of a game in place of all")
    if keep is not None:
        folder_to_keep_in(keep)
    results = [
        measure(
            each, players=players, runs=runs, seconds=seconds, start=start, whole=whole, say=log_unless(quiet),
            decks=[str(path) for path in decks or []],
        )
        for each in (GAMES if game == ALL else [game])
    ]  # fmt: skip
    lines = [] if keep is None else compared(keep, results)
    if as_json:
        print_json(results if game == ALL else results[0])
    else:
        for result in results:
            if game == ALL:
                print(f"{result['game']}:")
            print_measured(result, runs)
        for line in lines:
            print(line)
    if keep is not None:
        kept = keep_measured(keep, results)
        if not (as_json or quiet):
            print(f"kept: {kept}")


def print_measured(result: dict[str, Any], runs: int) -> None:
    """Print the speed, times and memory that were measured for a game."""
    seats = result["speed"][0]["players"]
    print(f"{'line-up, ' + str(seats) + ' players':<26}{'games/s':>10}{'(slowest-fastest)':>20}", end="")
    print(f"{'decisions/s':>14}{'options/s':>13}{'score':>7}")
    for row in result["speed"]:
        spread = f"({row['slowest']:,.0f}-{row['fastest']:,.0f})"
        print(f"{row['lineup']:<26}{row['games_per_second']:>10,.0f}{spread:>20}", end="")
        print(f"{row['decisions_per_second']:>14,.0f}{row['options_per_second']:>13,.0f}{row['mean_score']:>7.1f}")
    print(f"one core, CPU time, medians of {runs} runs")
    for row in result["start"]:
        print(f"start to first game, {row['cache']}: {row['seconds']:.1f} s, {row['memory_megabytes']:.0f} MB")
    if result["run"]:
        row = result["run"]
        print(f"run of {row['games']:,} games, {row['jobs']} workers: {row['seconds']:.1f} s", end="")
        print(f" ({row['games_per_second']:,.0f} games/s), writing {row['writing_share']:.1%} of it,", end="")
        print(f" {row['bytes_per_seat']:.1f} bytes a seat, peak memory {row['memory_megabytes']:.0f} MB")
    if result["report"]:
        row = result["report"]
        print(f"report on {row['games']:,} games: {row['seconds']:.1f} s, {row['memory_megabytes']:.0f} MB")
