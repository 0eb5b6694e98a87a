"""Plays every plausible value of what no source tells, and says which findings survive."""

from __future__ import annotations

from typing import Annotated

import typer

from sim.commands.guarding import TIME_LIMIT, Guard, TimeLimit
from sim.commands.sections import CSV, Places, hand_over
from sim.commands.shared import (
    AsJson,
    Code,
    Factions,
    GameName,
    Jobs,
    KeptArms,
    Margin,
    Page,
    Picture,
    Players,
    Quiet,
    Seed,
    Settings,
    Strategies,
    Variant,
    counting_number,
    progress_bar,
    read_settings,
    say_unless,
)


def sensitivity(
    game: GameName,
    games: Annotated[
        int,
        typer.Option(
            "--games", "-n", parser=counting_number, metavar="NUMBER", help="How many games to play under each."
        ),
    ] = 4_000,
    players: Players = None,
    strategies: Strategies = None,
    factions: Factions = "all",
    variant: Variant = None,
    seed: Seed = 1,
    jobs: Jobs = -1,
    code: Code = None,
    guard: Guard = True,
    time_limit: TimeLimit = TIME_LIMIT,
    arms: KeptArms = None,
    settings: Settings = None,
    margin: Margin = 1.0,
    as_json: AsJson = False,
    html: Page = None,
    csv: Annotated[str | None, CSV] = None,
    png: Picture = None,
    quiet: Quiet = False,
) -> None:
    """Play the same deals with every other plausible value of what no source tells: which findings survive?

    Example: empirelab sensitivity glory_of_rome --games 4000 --json > sensitivity.json
    """
    from reports.formatting import run_size, variants_of
    from reports.statistics.core.decisions import margin_of
    from reports.studies.api import configured
    from reports.studies.sensitivity.report import describe_tried, sensitivity_section
    from reports.studies.sensitivity.sensitivity import alternatives_of, play_sensitivity
    from sim.runs.config import game_of

    places = Places(html, csv, as_json, png)
    near = margin_of(margin)
    options = {
        "games": games,
        "players": players,
        "strategies": strategies,
        "factions": factions,
        "variant": variant,
        "seed": seed,
        "code": code,
        "settings": read_settings(settings),
    }
    config = configured("command line", game, options)
    alternatives = alternatives_of(game_of(config), config)
    what = f"{game_of(config).title}, as played and {len(alternatives)} alternatives"
    with progress_bar(what, games * (1 + len(alternatives)), quiet) as advance:
        found = play_sensitivity(
            config, alternatives, near, jobs=jobs, arms=arms, say=say_unless(quiet), progress=advance
        )
    names = [row["name"] for row in found.manifest["strategies"]]
    size = f"{run_size(found.manifest)} under each, variant {variants_of(found.manifest)}"
    heading = (found.title, f"{size}, {', '.join(names)}")
    hand_over([sensitivity_section(found)], places, heading, {found.title: found.manifest}, describe_tried(found))
