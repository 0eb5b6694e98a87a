"""Plays every table that some strategies can make up, and says against which mixtures of them nobody gains."""

from __future__ import annotations

from typing import Annotated

import typer

from sim.commands.guarding import TIME_LIMIT, Guard, TimeLimit
from sim.commands.sections import CSV, Places, hand_over
from sim.commands.shared import (
    AsJson,
    Code,
    Decks,
    Factions,
    GameName,
    Jobs,
    Page,
    Picture,
    Players,
    Quiet,
    Seed,
    Settings,
    Variant,
    progress_bar,
    read_settings,
    say_unless,
    whole_number,
)


def metagame(
    game: GameName,
    strategies: Annotated[str, typer.Option(help="Strategies that players choose among, with commas; two or more.")],
    games: Annotated[
        int, typer.Option("--games", "-n", parser=whole_number, metavar="NUMBER", help="Games of each table.")
    ] = 4_000,
    fresh: Annotated[
        int | None,
        typer.Option(
            parser=whole_number,
            metavar="NUMBER",
            help="Games of each table at which invaders are tried; by default as many.",
        ),
    ] = None,
    players: Players = None,
    factions: Factions = "all",
    variant: Variant = None,
    seed: Seed = 1,
    jobs: Jobs = -1,
    code: Code = None,
    guard: Guard = True,
    time_limit: TimeLimit = TIME_LIMIT,
    settings: Settings = None,
    decks: Decks = None,
    html: Page = None,
    csv: Annotated[str | None, CSV] = None,
    png: Picture = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Play every table that some strategies can make up, and find the mixtures of them that nobody gains against.

    Example: empirelab metagame seven_wonders --strategies balanced,military,science --players 4
    """
    from reports.studies.api import configured
    from reports.studies.players.metagame import play_metagame as carry_out
    from reports.studies.players.metagame_report import metagame_values

    places = Places(html, csv, as_json, png)
    options = {
        "games": games,
        "players": players,
        "strategies": strategies,
        "factions": factions,
        "variant": variant,
        "seed": seed,
        "code": code,
        "settings": read_settings(settings),
        "decks": decks or [],
    }
    config = configured("command line", game, options)
    done = carry_out(
        config,
        fresh=fresh,
        jobs=jobs,
        say=say_unless(quiet),
        bar=lambda label, total: progress_bar(label, total, quiet),
    )
    heading = (done.title, f"{done.players} players choose among {', '.join(done.names)}")
    hand_over(done.sections, places, heading, more=metagame_values(done), full=True)
