"""Plays a ladder of players, and says which verdicts hold at its top."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from sim.commands.guarding import TIME_LIMIT, Guard, TimeLimit
from sim.commands.sections import CSV, Places, hand_over
from sim.commands.shared import (
    AsJson,
    Code,
    Factions,
    Full,
    GameName,
    Jobs,
    Margin,
    Page,
    Picture,
    Players,
    Quiet,
    Seed,
    Settings,
    Variant,
    command_line,
    counting_number,
    read_settings,
    say_unless,
    split,
)


def ladder(
    game: GameName,
    rungs: Annotated[
        str | None,
        typer.Option(help="Players, the least skilled first, with commas; by default those of the game's ladder."),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games", "-n", parser=counting_number, metavar="NUMBER", help="Games of a rung; by default the game's."
        ),
    ] = None,
    search_games: Annotated[
        int | None,
        typer.Option(
            parser=counting_number,
            metavar="NUMBER",
            help="Games of a rung that looks ahead; by default the game's, and no more than --games.",
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
    margin: Margin = 1.0,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="DIR", help="Folder for the runs, kept and gone on with; for `report`."),
    ] = None,
    overwrite: Annotated[bool, typer.Option(help="Play runs anew that are there.")] = False,
    as_json: AsJson = False,
    html: Page = None,
    csv: Annotated[str | None, CSV] = None,
    png: Picture = None,
    full: Full = False,
    quiet: Quiet = False,
) -> None:
    """Play the same deals with ever better players in all seats: which verdicts hold at the top, which flip on the way?

    Example: empirelab ladder seven_wonders --rungs random,greedy,balanced,balanced+8 --out runs/ladder
    """
    from reports.formatting import variants_of
    from reports.sections.strength.skill import ladder_sections
    from reports.statistics.core.decisions import margin_of
    from reports.studies.api import configured
    from reports.studies.players.ladder import played_ladder
    from reports.studies.players.ladder_config import ladder_config, ladder_of
    from sim.runs.config import game_of

    places = Places(html, csv, as_json, png)
    near = margin_of(margin)
    options = {
        "players": players,
        "strategies": None,
        "factions": factions,
        "variant": variant,
        "seed": seed,
        "code": code,
        "settings": read_settings(settings),
    }
    shared = configured("command line", game, options)
    config = ladder_config(shared, ladder_of(game_of(shared)), split(rungs or ""), games, search_games)
    say = say_unless(quiet)
    playing = played_ladder(
        config, out, overwrite=overwrite, jobs=jobs, command=command_line(), progress=not quiet, say=say
    )
    with playing as found:
        sections = ladder_sections(found, near)
        manifest = found.manifest
        size = f"{manifest['players']} players, variant {variants_of(manifest)}, seed {manifest['seed']}"
        heading = (f"{manifest['title']}: verdicts by skill", f"{', '.join(found.rungs)}; {size}")
        manifests = {name: run.manifest for name, run in found.rungs.items()}
        hand_over(sections, places, heading, manifests, {"rungs": list(found.rungs)}, full)


def rate(
    game: str,
    options: Mapping[str, Any],
    games: int | None,
    jobs: int,
    out: Path | None,
    html: Path | None,
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    """Rate all players of a game in games in which they all meet, for `strategies --ladder`.

    Parameters
    ----------
    options
        Options of `simulate`: players, variant, seed, code and settings as the command line has them.
    games, jobs, out, html, as_json, quiet
        As `strategies` has them.
    """
    from reports.formatting import run_size, variants_of
    from reports.sections.strength.player_ratings import rating_section
    from reports.studies.api import configured
    from reports.studies.players.ladder import played_rating
    from reports.studies.players.ladder_config import ladder_of, rating_config
    from sim.game import load_game

    places = Places(html, json=as_json)
    asked = dict(options) | {"strategies": None, "settings": read_settings(options["settings"])}
    config = rating_config(configured("command line", game, asked), ladder_of(load_game(game)), games)
    say = say_unless(quiet)
    with played_rating(config, out, jobs=jobs, command=command_line(), progress=not quiet, say=say) as run:
        manifest = run.manifest
        heading = (
            f"{manifest['title']}: rating of all players",
            f"{run_size(manifest)}, variant {variants_of(manifest)}",
        )
        hand_over([rating_section(run)], places, heading, {"the games": manifest})
