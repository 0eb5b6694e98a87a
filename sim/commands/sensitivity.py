"""Plays every plausible value of what no source tells, and says which findings survive."""

from __future__ import annotations

from typing import Annotated

from sim.commands.options import GameName, Options, games_option, with_options
from sim.commands.sections import emit_sections


@with_options(
    "players strategies factions variant seed jobs code sandbox arms settings margin as_json html csv png quiet"
)
def sensitivity(
    options: Options,
    game: GameName,
    games: Annotated[int, games_option("How many games to play under each.")] = 4_000,
) -> None:
    """Play the same deals with every other plausible value of what no source tells: which findings survive?

    Example: empirelab sensitivity glory_of_rome --games 4000 --json > sensitivity.json
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
    with options.progress_bar(what, games * (1 + len(alternatives))) as advance:
        found = play_sensitivity(
            config, alternatives, near, jobs=options.jobs, arms=options.arms, say=options.log, progress=advance
        )
    names = [row.name for row in found.manifest.strategies]
    size = f"{run_size(found.manifest)} under each, variant {variant_words(found.manifest)}"
    heading = (found.title, f"{size}, {', '.join(names)}")
    emit_sections([sensitivity_section(found)], places, heading, {found.title: found.manifest}, describe_tried(found))
