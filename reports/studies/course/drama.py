"""Plays games under some conditions and says how dramatic they are. See `reports.statistics.course.drama`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import polars as pl

from reports.data.load import check_company
from reports.formatting import counted
from reports.model import Section
from reports.sections.course.drama import DramaFrames, drama_sections
from reports.statistics.core.jackknife import MIN_BLOCKS
from reports.statistics.course.drama import (
    Chances,
    chances_by_round,
    condition_differences,
    kingmaking,
    lead_slopes,
    lost_seats,
    measures_frame,
    reliability,
    rounds_frame,
)
from reports.studies.stretches import Bar, block_stretches, no_bar, play_stretches
from sim.data.arguments import jobs_to_use
from sim.errors import UserError
from sim.players.batch import Plan
from sim.runs.config import RunConfig, make_plans
from sim.runs.histories import Histories, joined_histories, play_histories, replay_with_other_choices
from sim.runs.run import warm_up

DRAMA_GAMES = 4_000
REPLAYED = 200
"""Number of games that are replayed to measure kingmaking."""
TRIES = 8
"""Each of the `REPLAYED` games is replayed this often with random choices, and as often with different luck."""
LEAST = 200
"""Minimum number of games of a condition. Half of them are used to fit the model."""
STRETCH = 250
"""Approximate number of games in a worker's task. Results do not depend on it."""


def play_drama(
    config: RunConfig,
    *,
    replays: int = REPLAYED,
    jobs: int = -1,
    say: Callable[[str], None] = lambda text: None,
    bar: Bar = no_bar,
) -> list[Section]:
    """Play games under each condition, and describe their course.

    Parameters
    ----------
    config
        What to play. Each combination of a number of players and a variant is a condition, with `games` games.
    replays
        Games of each condition that are replayed to measure kingmaking.

    Raises
    ------
    UserError
        There are too few games, or games have one player. Also raised by `make_plan`.
    """
    workers = jobs_to_use(jobs)
    games = config.games
    if games < LEAST:
        message = "too few games: one half of them fits the model, the other one is judged"
        raise UserError(message, field="games", found=games, allowed=f"{LEAST} or more")
    plans = make_plans(config)
    for plan in plans:
        check_company(plan.players, "a single player has no opponents, so nobody leads or falls behind")
        if games < MIN_BLOCKS * plan.block_games:
            message = f"too few deals: one of them is {counted(plan.block_games, 'game')} here, and errors need more"
            allowed = f"{MIN_BLOCKS * plan.block_games} or more, for {MIN_BLOCKS} deals"
            raise UserError(message, field="games", found=games, allowed=allowed)
    names = condition_names(plans)
    teams = [team for plan in plans for team in warm_up([plan], say)]
    every, found, kings = list[Histories](), list[Chances](), list[dict[str, Any]]()
    for name, plan, team in zip(names, plans, teams, strict=True):
        with bar(name, games) as advance:
            play = partial(play_histories, plan, team)
            stretches = block_stretches(plan, games, STRETCH)
            every.append(joined_histories(list(play_stretches(play, plan, stretches, workers, advance))))
        if every[-1].moments.max() < 1:
            message = "games end within their first round, so chances by round are unknown"
            raise UserError(
                message, field="game", found=plan.game.name, allowed="a game with `round`, of several rounds"
            )
        found.append(chances_by_round(every[-1]))
        if replays:
            kings.append({"condition": name} | made_kings(plan, every[-1], found[-1], replays))
    return drama_sections(drama_frames(names, every, found, kings))


def drama_frames(
    names: Sequence[str], every: Sequence[Histories], found: Sequence[Chances], kings: Sequence[dict[str, Any]] = ()
) -> DramaFrames:
    """Compute all tables. Each argument has one item for each condition: name, games, chances to win, kingmaking."""
    measures = measures_frame(names, every, found)
    numbers = dict.fromkeys(f"{one}{end}" for one in ("choices", "any", "luck") for end in ("", "_low", "_high"))
    schema = {"condition": pl.String, "games": pl.Int64} | dict.fromkeys(numbers, pl.Float64)
    return DramaFrames(
        measures,
        pl.concat([rounds_frame(*one) for one in zip(names, every, found, strict=True)]),
        lead_slopes(names, every),
        reliability(every, found),
        condition_differences(measures),
        pl.DataFrame(list(kings), schema=schema),
        TRIES,
    )


def condition_names(plans: Sequence[Plan]) -> list[str]:
    """Name conditions by their number of players, and by their variant if there are several."""
    variants = {plan.variant for plan in plans}
    return [counted(plan.players, "player") + (f", {plan.variant}" if len(variants) > 1 else "") for plan in plans]


def made_kings(plan: Plan, histories: Histories, chances: Chances, replays: int) -> dict[str, Any]:
    """Measure kingmaking: replay games from where one seat can hardly win any more, with random choices by this seat.

    The result is a row with the columns of `KING_COLUMNS`, of which only `games` is known if too few blocks have such a
    seat.
    """
    lost = lost_seats(histories, chances, replays)
    row: dict[str, Any] = {"games": len(lost)}
    blocks = histories.block[[game for game, _, _ in lost]]
    if len(set(blocks.tolist())) > 1:
        for measure, values in kingmaking(replay_with_other_choices(plan, lost, TRIES), lost, blocks).items():
            row |= dict(zip((measure, f"{measure}_low", f"{measure}_high"), values, strict=True))
    return row
