"""Compares the predictions of short runs with later runs on fresh deals."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated

from sim.commands.console import more_games_step
from sim.commands.options import GameName, Options, games_option, option, whole_number, with_options
from sim.commands.sections import emit_sections
from sim.errors import UserError

if TYPE_CHECKING:
    from sim.runs.config import RunConfig


@with_options(
    "players strategies factions variant seed jobs code sandbox settings margin as_json html csv png full quiet"
)
def calibrate(
    options: Options,
    game: GameName,
    games: Annotated[int, games_option("Games of each short run; the later run has ten times as many.")] = 2_000,
    pilots: Annotated[int, option("Number of short runs.", parser=whole_number)] = 6,
    change: Annotated[
        list[str] | None,
        option(
            "The change to try. May be repeated.",
            of="FILE#ROW.FIELD=VALUE",
            usual="a change that a quick search confirms",
        ),
    ] = None,
) -> None:
    """Check what short runs say against a later run on fresh deals: how often does it come true?

    Examples
    --------
    empirelab calibrate seven_wonders --html calibration.html
    empirelab calibrate seven_wonders --games 1000 --change "wonders.toml#Rhodos B.coins_start=1"

    Notes
    -----
    Short runs give edges, intervals, chances to be fair, decisions and forecasts of further games. The later run has
    other deals and ten times the games. A change is tried in the same way, on two more sets of deals: by default one
    that a quick search confirms for the faction with the widest edge. docs/calibration.md has the results of all games.
    """
    from reports.formatting import run_size, variant_words
    from reports.statistics.core.decisions import margin_of
    from reports.studies.calibrate.calibrate import play_calibration
    from reports.studies.calibrate.report import calibration_section

    near = margin_of(options.margin)
    config = options.config(game, games=games)
    began = time.perf_counter()
    with options.progress_bar("calibration", None) as advance:
        found = play_calibration(
            config, pilots, near,
            lambda name: change or searched(config, name, options.margin, options.jobs, options.log),
            jobs=options.jobs, say=options.log, progress=advance,
        )  # fmt: skip
    manifest = found.run.manifest
    heading = (f"{manifest.title}: calibration", f"{run_size(manifest)}, variant {variant_words(manifest)}")
    step = more_games_step(games, time.perf_counter() - began)
    emit_sections([calibration_section(found)], options.places, heading, {"later run": manifest}, step=step)


def searched(config: RunConfig, faction: str, margin: float, jobs: int, say: Callable[[str], None]) -> Sequence[str]:
    """Search all numbers of a faction quickly, and return the changes that fresh deals confirm.

    If the search fails, return no changes and log the reason.
    """
    from reports.data.ladder_rows import ladder_of
    from reports.studies.search.search_report import confirmed_changes
    from sim.commands.rebalance import find_changes, goal_of, match_parts, number_of
    from sim.runs.config import game_of

    quick = config.model_copy(update={"games": ladder_of(game_of(config)).quick_games})
    try:
        parts = match_parts(quick, faction, "all")
        goal = goal_of(quick, margin, (number_of(quick, faction),))
        return confirmed_changes(find_changes(quick, goal, parts, True, jobs=jobs, shown=False))
    except UserError as error:
        say(f"no change of {faction} is tried: {error}")
        return ()
