"""Plays every table that some strategies can form, and finds equilibria: mixtures that no strategy can beat."""

from __future__ import annotations

from typing import Annotated

from sim.commands.completion import complete_strategies
from sim.commands.console import playing_step
from sim.commands.options import GameName, Options, games_option, option, split, whole_number, with_options
from sim.commands.sections import emit_sections

GAMES = 20_000
"""Number of games of the run that is suggested as the next step."""


@with_options("players factions variant seed jobs code sandbox settings decks html csv png as_json quiet")
def metagame(
    options: Options,
    game: GameName,
    strategies: Annotated[
        str, option("Strategies to choose among, with commas; two to eight.", of="NAMES", complete=complete_strategies)
    ],
    answers: Annotated[
        str | None,
        option(
            "Instead: how much the best of these wins above a fair share as the only one among each strategy.",
            of="NAMES",
            usual="none",
            complete=complete_strategies,
        ),
    ] = None,
    games: Annotated[int, games_option("Games of each table.", whole_number)] = 4_000,
    fresh: Annotated[
        int | None,
        option(
            "Games of each table on fresh deals, at which strategies invade a mixture or answer a player.",
            parser=whole_number,
            usual="as --games",
        ),
    ] = None,
) -> None:
    """Play every table that some strategies can form, and find the mixtures of them that no strategy gains against.

    Examples
    --------
    empirelab metagame seven_wonders --strategies balanced,military,science --players 4
    empirelab metagame imperium --strategies balanced,market --players 3 --games 2000 --fresh 6000
    empirelab metagame seven_wonders --strategies balanced,military --answers judge+8,greedy --games 800

    Notes
    -----
    All tables play the same deals from all seats. The mixtures are symmetric equilibria, as far as the search finds
    them. Each is tested on fresh deals: one seat gets each strategy in turn, the others play the mixture. S
    strategies at tables of K form C(S + K - 1, K) tables, at most 1,000; three strategies at tables of four form 15.
    Tables of one strategy need no games. The command says beforehand how long it takes.

    With --answers, one seat plays an answer and all others one of the strategies. What the best answer wins above a
    fair share is a lower bound of the strategy's exploitability: of what the best possible answer would win. The
    answer is chosen on one set of deals and measured on another. `train --base NAME` trains an answer that looks ahead
    and knows how NAME plays.
    """
    if answers is not None:
        bound_exploitability(options, game, strategies, answers, games, fresh)
        return
    from reports.studies.players.metagame import play_metagame
    from reports.studies.players.metagame_report import metagame_values

    places = options.places
    config = options.config(game, games=games, strategies=strategies)
    done = play_metagame(config, fresh=fresh, jobs=options.jobs, say=options.log, bar=options.progress_bar)
    heading = (done.title, f"{done.players} players choose among {', '.join(done.names)}")
    shares = done.equilibria[0].shares.tolist() if done.equilibria else []
    chosen = [name for name, share in zip(done.names, shares, strict=False) if share > 0]
    step = None
    if chosen:
        config = done.config.model_copy(update={"strategies": chosen, "games": GAMES})
        said = "See how balanced the game is with the players of the first mixture"
        step = playing_step(said, ["simulate", game, "--out", "runs/equilibrium"], config, options.jobs)
    emit_sections(done.sections, places, heading, more=metagame_values(done), full=True, step=step)


def bound_exploitability(
    options: Options, game: str, strategies: str, answers: str, games: int, fresh: int | None
) -> None:
    """Play answers against strategies, and report how much the best answers win."""
    from reports.studies.players.exploitability import play_answers

    config = options.config(game, games=games, strategies=strategies)
    found = play_answers(
        config, split(answers), fresh=fresh, jobs=options.jobs, say=options.log, bar=options.progress_bar
    )
    heading = (found.title, f"best answers to {strategies} at tables of {found.players}")
    emit_sections(found.sections, options.places, heading, more={"answers": found.frame.to_dicts()}, full=True)
