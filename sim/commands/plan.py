"""Says how many games a question needs."""

from __future__ import annotations

from typing import Annotated

import typer

from sim.commands.guarding import TIME_LIMIT, Guard, TimeLimit
from sim.commands.sections import CSV, Places, hand_over
from sim.commands.shared import (
    AsJson,
    Assign,
    Code,
    Decks,
    Factions,
    GameName,
    Jobs,
    Page,
    Players,
    Quiet,
    Settings,
    Strategies,
    Variant,
    read_settings,
    say_unless,
    whole_number,
)
from sim.errors import UserError


def plan(
    game: GameName,
    effect: Annotated[float, typer.Option("--effect", "-e", help="Edge or change to be found, in points.")] = 1.0,
    power: Annotated[float, typer.Option(help="How often it is to be found.")] = 0.9,
    alpha: Annotated[float, typer.Option(help="Chance of a false alarm in a table.")] = 0.05,
    table: Annotated[str, typer.Option(help="For which table: faction, seat, strategy or all.")] = "all",
    change: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE#ROW.FIELD=VALUE", help="Change to be compared on the same deals; may be repeated."),
    ] = None,
    players: Players = None,
    strategies: Strategies = None,
    factions: Factions = "all",
    variant: Variant = None,
    assign: Assign = "rotate",
    seed: Annotated[int, typer.Option("--seed", "-s", help="Seed of the pilot.")] = 1,
    pilot: Annotated[
        int,
        typer.Option(
            parser=whole_number, metavar="NUMBER", help="Games of the pilot that measures how much blocks vary."
        ),
    ] = 4000,
    code: Code = None,
    guard: Guard = True,
    time_limit: TimeLimit = TIME_LIMIT,
    settings: Settings = None,
    decks: Decks = None,
    html: Page = None,
    csv: Annotated[str | None, CSV] = None,
    as_json: AsJson = False,
    jobs: Jobs = -1,
    quiet: Quiet = False,
) -> None:
    """Say how many games it takes to find an edge or a change of some size, and how long they take here.

    Example: empirelab plan seven_wonders --effect 1.0 --power 0.9 --strategies balanced,military,science
    """
    from reports.formatting import counted
    from reports.studies.api import configured, needs_of

    places = Places(html, csv, as_json)
    if pilot < 1:
        raise UserError("a pilot has one game at least", field="pilot", found=pilot, allowed="1 or more")
    options = {
        "games": pilot,
        "players": players,
        "strategies": strategies,
        "factions": factions,
        "variant": variant,
        "assign": assign,
        "seed": seed,
        "code": code,
        "settings": read_settings(settings),
        "decks": decks or [],
    }
    config = configured("command line", game, options)
    section, needs, played = needs_of(
        config, effect, power, alpha, table, change or [], jobs=jobs, say=say_unless(quiet)
    )
    manifest = played.run.manifest
    heading = (manifest["title"], f"{counted(manifest['players'], 'player')}, {', '.join(config.strategies)}")
    more = {"effect": effect, "power": power, "alpha": alpha, "needs": needs.to_dicts(), "pilot_games": pilot}
    more |= {"games_per_second": round(pilot / max(played.seconds, 1e-9), 1)}
    hand_over([section], places, heading, more=more)
