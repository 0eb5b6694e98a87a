"""Plays the same deals with and without a card, and says what it is worth to those who build it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from sim.commands.sections import CSV, Places, hand_over
from sim.commands.shared import (
    AsJson,
    Code,
    Decks,
    Factions,
    GameName,
    Jobs,
    Page,
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


def intervene(
    game: GameName,
    card: Annotated[
        list[str], typer.Option("--card", "-c", help='Card to change: "Loom (2)", "Loom" for all ages, or "all".')
    ],
    make: Annotated[
        str,
        typer.Option("--make", metavar="HOW", help="none (without effects), free (without cost), or FIELD=VALUE."),
    ] = "none",
    games: Annotated[
        int,
        typer.Option(
            "--games", "-n", parser=counting_number, metavar="NUMBER", help="How many games to play, in each arm."
        ),
    ] = 20_000,
    players: Players = None,
    strategies: Strategies = None,
    factions: Factions = "all",
    variant: Variant = None,
    seed: Seed = 1,
    jobs: Jobs = -1,
    code: Code = None,
    settings: Settings = None,
    decks: Decks = None,
    as_json: AsJson = False,
    html: Page = None,
    csv: Annotated[str | None, CSV] = None,
    png: Annotated[Path | None, typer.Option(metavar="FILE.png", help="Write the figure as a PNG file.")] = None,
    quiet: Quiet = False,
) -> None:
    """Play the same deals as printed and with a card changed: what is it worth to those who play it?

    Example: empirelab intervene seven_wonders --card Pawnshop --card Loom --make none
    """
    from reports.sections.piece_effects import intervention_section
    from reports.studies.intervene import choose_pieces, noun_of
    from reports.studies.intervene import intervene as play_and_compare
    from reports.studies.notebook import configured
    from reports.words import plural
    from sim.runs.config import make_plan

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
    plan = make_plan(configured("command line", game, options))
    pieces = choose_pieces(plan.game, plan.data, card)
    what = f"{plan.game.title}, {len(pieces)} {plural(noun_of(plan.game))}"
    with progress_bar(what, games * (1 + len(pieces)), quiet) as advance:
        found = play_and_compare(plan, games, pieces, make, jobs=jobs, say=say_unless(quiet), progress=advance)
    section = intervention_section(found)
    heading = (plan.game.title, f"{plan.players} players, {', '.join(strategy.name for strategy in plan.strategies)}")
    hand_over([section], places, heading, more=described(found), full=True)


def described(found: Any) -> dict[str, Any]:
    """What the JSON says beside the section: what was played, and every piece with all its figures."""
    from reports.words import plural

    plan = found.plan
    return {
        "game": plan.game.name,
        "make": found.make,
        "games": found.games,
        "players": plan.players,
        "seed": plan.seed,
        "strategies": [strategy.name for strategy in plan.strategies],
        plural(found.noun): found.frame.to_dicts(),
    }
