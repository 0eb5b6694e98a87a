"""Plays every table that some strategies can make up, and says against which mixtures of them nobody gains."""

from __future__ import annotations

from typing import Annotated

import typer

from sim.commands.completion import complete_strategies
from sim.commands.options import GameName, Options, games_option, whole_number, with_options
from sim.commands.sections import emit_sections


@with_options("players factions variant seed jobs code sandbox settings decks html csv png as_json quiet")
def metagame(
    options: Options,
    game: GameName,
    strategies: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="Strategies to choose among, with commas; two to eight.",
            autocompletion=complete_strategies,
        ),
    ],
    games: Annotated[int, games_option("Games of each table.", whole_number)] = 4_000,
    fresh: Annotated[
        int | None,
        typer.Option(
            parser=whole_number,
            metavar="NUMBER",
            help="Games of each table at which other strategies invade a mixture.",
            show_default="as --games",
        ),
    ] = None,
) -> None:
    """Play every table that some strategies can form, and find the mixtures of them that no strategy gains against.

    Examples
    --------
    empirelab metagame seven_wonders --strategies balanced,military,science --players 4
    empirelab metagame imperium --strategies balanced,market --players 3 --games 2000 --fresh 6000

    Notes
    -----
    All tables play the same deals from all seats. The mixtures are symmetric equilibria, as far as the search finds
    them. Each is tested on fresh deals: one seat gets each strategy in turn, the others play the mixture. S
    strategies at tables of K form C(S + K - 1, K) tables, at most 1,000; three strategies at tables of four form 15.
    Tables of one strategy need no games. The command says beforehand how long it takes.
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
