"""Plays every table that some strategies can make up, and says against which mixtures of them nobody gains."""

from __future__ import annotations

from typing import Annotated

import typer

from sim.commands.options import GameName, Options, games_option, whole_number, with_options
from sim.commands.sections import emit_sections


@with_options("players factions variant seed jobs code sandbox settings decks html csv png as_json quiet")
def metagame(
    options: Options,
    game: GameName,
    strategies: Annotated[str, typer.Option(help="Strategies that players choose among, with commas; two or more.")],
    games: Annotated[int, games_option("Games of each table.", whole_number)] = 4_000,
    fresh: Annotated[
        int | None,
        typer.Option(
            parser=whole_number,
            metavar="NUMBER",
            help="Games of each table at which invaders are tried; by default as many.",
        ),
    ] = None,
) -> None:
    """Play every table that some strategies can make up, and find the mixtures of them that nobody gains against.

    Example: empirelab metagame seven_wonders --strategies balanced,military,science --players 4
    """
    from reports.studies.players.metagame import play_metagame
    from reports.studies.players.metagame_report import metagame_values

    places = options.places
    done = play_metagame(
        options.config(game, games=games, strategies=strategies),
        fresh=fresh,
        jobs=options.jobs,
        say=options.log,
        bar=options.progress_bar,
    )
    heading = (done.title, f"{done.players} players choose among {', '.join(done.names)}")
    emit_sections(done.sections, places, heading, more=metagame_values(done), full=True)
