"""Plays every table that some strategies can form, and finds their equilibria: mixtures that no strategy can beat."""

from __future__ import annotations

from typing import Annotated

import typer

from sim.commands.completion import complete_strategies
from sim.commands.console import command_again
from sim.commands.options import GameName, Options, games_option, whole_number, with_options
from sim.commands.sections import emit_sections

GAMES = 20_000
"""Games of the run that is suggested."""


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
    from reports.sections.core.next_step import NextStep
    from reports.statistics.core.balance import MARGIN
    from reports.studies.players.metagame import play_metagame
    from reports.studies.players.metagame_report import metagame_values
    from sim.game import load_game
    from sim.runs.config import make_plan
    from sim.runs.run import seconds_per_game, time_words

    places = options.places
    done = play_metagame(
        options.config(game, games=games, strategies=strategies),
        fresh=fresh,
        jobs=options.jobs,
        say=options.log,
        bar=options.progress_bar,
    )
    heading = (done.title, f"{done.players} players choose among {', '.join(done.names)}")
    shares = done.equilibria[0].shares.tolist() if done.equilibria else []
    chosen = [name for name, share in zip(done.names, shares, strict=False) if share > 0]
    step = None
    if chosen:
        config = done.config.model_copy(update={"strategies": chosen, "games": GAMES})
        takes = time_words(GAMES * seconds_per_game(make_plan(config), options.jobs))
        words = ["simulate", game, "--out", "runs/equilibrium"]
        command = command_again(words, config, load_game(game), 100 * MARGIN, 0)
        step = NextStep(f"See how balanced the game is with the players of the first mixture ({takes}).", (command,))
    emit_sections(done.sections, places, heading, more=metagame_values(done), full=True, step=step)
