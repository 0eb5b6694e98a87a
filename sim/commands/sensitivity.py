"""Tests which findings depend on unknown data: plays every other plausible value of data that no source confirms."""

from __future__ import annotations

import time
from typing import Annotated

from sim.commands.console import more_games_step
from sim.commands.options import GameName, Options, games_option, with_options
from sim.commands.sections import emit_sections


@with_options(
    "players strategies factions variant seed jobs code sandbox arms settings margin as_json html csv png quiet"
)
def sensitivity(
    options: Options, game: GameName, games: Annotated[int, games_option("Games of each alternative.")] = 4_000
) -> None:
    """Play the same deals with every other plausible value of unknown data: which findings survive?

    Examples
    --------
    empirelab sensitivity seven_wonders --games 4000 --html guesses.html
    empirelab sensitivity imperial_settlers --players 4 --json > guesses.json
    empirelab simulate imperial_settlers --players 4 --games 20000 --out runs/settlers-4
    empirelab report runs/settlers-4 --sensitivity guesses.json

    Notes
    -----
    The alternatives are every other value of each unconfirmed setting, and the groups of rows that the game's
    `plausible.toml` changes together. Each faction and seat is judged under every alternative and over all of them.
    The alternative that changes it most is named with an interval. Alternatives that change nothing in the games are
    named and not counted. `report --sensitivity` refuses results of another variant, number of players, line-up,
    settings or data. Players use no lessons in these games, and those with a learned judge get one for each of them.
    """
    from reports.formatting import run_size, variant_words
    from reports.statistics.core.decisions import margin_of
    from reports.studies.sensitivity.report import describe_tried, sensitivity_section
    from reports.studies.sensitivity.sensitivity import alternatives_of, play_sensitivity
    from sim.runs.config import game_of

    places = options.places
    near = margin_of(options.margin)
    config = options.config(game, games=games)
    alternatives = alternatives_of(game_of(config), config)
    what = f"{game_of(config).title}, as played and {len(alternatives)} alternatives"
    began = time.perf_counter()
    with options.progress_bar(what, games * (1 + len(alternatives))) as advance:
        found = play_sensitivity(
            config, alternatives, near, jobs=options.jobs, arms=options.arms, say=options.log, progress=advance
        )
    names = [row.name for row in found.manifest.strategies]
    size = f"{run_size(found.manifest)} under each, variant {variant_words(found.manifest)}"
    heading = (found.title, f"{size}, {', '.join(names)}")
    step = more_games_step(games, time.perf_counter() - began)
    manifests = {found.title: found.manifest}
    emit_sections([sensitivity_section(found)], places, heading, manifests, describe_tried(found), step=step)
