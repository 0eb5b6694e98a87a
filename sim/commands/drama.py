"""Plays games, and measures how dramatic they are: when they are decided, comebacks, growing leads, kingmaking."""

from __future__ import annotations

from typing import Annotated

from sim.commands.completion import complete_variants
from sim.commands.options import GameName, Options, games_option, option, whole_number, with_options
from sim.commands.sections import emit_sections


@with_options("strategies factions seed jobs code sandbox settings decks html csv png as_json quiet")
def drama(
    options: Options,
    game: GameName,
    players: Annotated[
        str | None, option("Numbers of players, with commas; each is a condition.", "--players", "-k", of="NUMBERS")
    ] = None,
    variant: Annotated[
        str | None,
        option(
            "Variants of the game, with commas; each is a condition.",
            "--variant",
            of="NAMES",
            complete=complete_variants,
        ),
    ] = None,
    games: Annotated[int, games_option("Games of each condition.")] = 4_000,
    replays: Annotated[int, option("Games that are replayed for kingmaking; 0: none.", parser=whole_number)] = 200,
) -> None:
    """Play games and say when they are decided, how often winners come back, whether leads grow, and who makes kings.

    Examples
    --------
    empirelab drama seven_wonders
    empirelab drama imperium --players 2,3,4 --games 4000 --html drama.html
    empirelab drama my_game.py --games 1000

    Notes
    -----
    A model of the chance to win, fitted on half of the deals, judges the other half by the scores after each round.

    - `decided after`: the part of a game played when the later winner has a chance of 90 % for good; `open to the end`:
      games that only the end decides.
    - `comebacks`: games whose winner once had less than half of its fair chance.
    - `drama`: how far the later winner was behind the favourite, on average (Browne and Maire 2010); 0 is never.
    - `gain by point`: points that a seat gains on the table for each point that it is ahead of it: above 0 the leader
      runs away, below 0 the others catch up. `grows` and `shrinks` are corrected for all rows.
    - *Kingmaking*: a seat with a chance below 5 % plays on at random from three quarters of the game on, eight times.
    """
    from reports.studies.course.drama import play_drama
    from sim.game import load_game

    places = options.places
    config = options.config(game, games=games, players=players, variant=variant)
    sections = play_drama(config, replays=replays, jobs=options.jobs, say=options.log, bar=options.progress_bar)
    emit_sections(sections, places, (load_game(config.game).title, "how dramatic games are"), full=True)
