"""Estimates how many games a question needs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from sim.commands.console import command_again
from sim.commands.options import GameName, Options, option, whole_number, with_options
from sim.commands.sections import emit_sections
from sim.errors import UserError


@with_options(
    "players strategies factions variant assign seed pilot code sandbox settings decks html csv as_json jobs quiet",
    seed="Seed of the pilot.",
)
def plan(
    options: Options,
    game: GameName,
    effect: Annotated[float, option("Edge or change to find, in points.", "--effect", "-e", of="POINTS")] = 1.0,
    power: Annotated[float, option("Probability with which it is to be found.", of="SHARE")] = 0.9,
    alpha: Annotated[float, option("Probability of a false alarm in a table.", of="SHARE")] = 0.05,
    table: Annotated[str, option("Table: faction, seat, strategy or all.", of="TABLE")] = "all",
    change: Annotated[
        list[str] | None,
        option("Plan a comparison with this change on the same deals. May be repeated.", of="FILE#ROW.FIELD=VALUE"),
    ] = None,
    pilot: Annotated[
        int, option("Games of the pilot, which measures how much blocks vary.", parser=whole_number)
    ] = 4000,
) -> None:
    """Say how many games it takes to find an edge or a change of a given size, and how long they take on this machine.

    Examples
    --------
    empirelab plan seven_wonders --effect 1.0 --power 0.9
    empirelab plan seven_wonders --effect 0.5 --strategies balanced,science --change "cards.toml#pawnshop.vp=4"

    Notes
    -----
    A short pilot measures how much blocks vary. For each table the answer gives the games needed to flag an edge of
    that size, for an interval that narrow, and to find a change of that size between two arms. A comparison on the
    same deals needs fewer games; how many depends on the change, so `--change` plays a second pilot.
    """
    from reports.data.load import player_counts
    from reports.formatting import counted, round_up
    from reports.sections.core.next_step import NextStep
    from reports.statistics.core.balance import MARGIN
    from reports.studies.api import needs_of
    from sim.runs.run import time_words

    places = options.places
    if pilot < 1:
        raise UserError("a pilot needs at least one game", field="pilot", found=pilot, allowed="1 or more")
    config = options.config(game, games=pilot)
    section, needs, played = needs_of(
        config, effect, power, alpha, table, change or [], jobs=options.jobs, say=options.log
    )
    manifest = played.run.manifest
    heading = (manifest.title, f"{counted(player_counts(manifest)[-1], 'player')}, {', '.join(config.strategies)}")
    more = {"effect": effect, "power": power, "alpha": alpha, "needs": needs.to_dicts(), "pilot_games": pilot}
    more |= {"games_per_second": round(pilot / max(played.seconds, 1e-9), 1)}
    most = max((row["flag_any"] or 0 for row in needs.to_dicts()), default=0)
    step = None
    if most and not change:
        games = round_up(most)
        words = ["simulate", config.game, "--out", f"runs/{Path(config.game).stem.replace('_', '-')}"]
        command = command_again(words, config.model_copy(update={"games": games, "seed": 1}), 100 * MARGIN, 0)
        takes = time_words(games * played.seconds / pilot)
        step = NextStep(f"Play that many games, enough for every table ({takes}).", (command,))
    emit_sections([section], places, heading, more=more, step=step)
