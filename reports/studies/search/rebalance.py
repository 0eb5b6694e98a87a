"""Searches for the value of one number at which a faction's edge vanishes, and measures side effects."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

from reports.data.load import Run, check_company
from reports.data.moments import block_moments
from reports.sections.core.next_step import VALUES
from reports.statistics.compare.paired import paired_differences, paired_moments
from reports.statistics.core.crossing import (
    Crossing,
    Edges,
    doubt_of,
    edges_at_values,
    find_crossing,
    has_effect,
    is_needed,
    runs_both_ways,
    search_crossing,
)
from reports.statistics.core.win_rate import ALPHA, Floats, family_probability, win_rates
from reports.studies.compare.arms import play_arm
from reports.studies.compare.picks_compared import others_of_period, pick_sums
from reports.studies.parts.intervene import choose_pieces, lessons_off
from reports.studies.parts.own_judges import has_judge, ignore, train_missing
from reports.studies.parts.parts import parts_of
from reports.studies.search.parameter_names import path_of_words
from reports.studies.search.parameters import (
    SETTING,
    Knob,
    find_faction,
    find_knob,
    full_name,
    is_number,
    number_after,
    number_knobs,
    printed_game,
    with_knob,
)
from reports.studies.search.rebalance_report import NO_OTHERS, Confirmation, Outcome, Rebalance, SearchGrid
from reports.studies.search.successive_halving import next_seed
from sim.data.arguments import jobs_to_use
from sim.data.changes import Limits
from sim.errors import UserError
from sim.game import Data, GameSpec
from sim.players.batch import Plan
from sim.runs.config import RunConfig, make_plan
from sim.runs.run import seconds_per_game, time_words

MIN_REACH = {True: 5.0, False: 1.0}
"""A default range reaches at least this far to each side of the printed value. True stands for whole numbers."""
STATEMENT_ALPHA = ALPHA / 4
"""Error rate of each of four statements: fair values, rise and fall, remaining edge, side effects. The sum is 5 %."""
DEFAULT_STEPS = 20
"""Number of steps in a default range of fractions."""
MAX_STEPS = 100_000


def rebalance_grid(
    knob: Knob,
    low: float | None,
    high: float | None,
    step: float | None,
    allowed: Callable[[float], bool] = lambda value: True,
) -> SearchGrid:
    """Return the values that a search may try.

    The default range reaches from 0 to twice the printed value. It reaches at least 5 (for whole numbers) or 1 (for
    others) to each side, but stays within the limits of the field. Steps are 1 for whole numbers, and a twentieth of
    the range for others. A default end moves inwards until the game accepts it, as `allowed` tells.

    Raises UserError if the knob is not a number, or the range does not contain the printed value or is not allowed.
    """
    limits, present = knob.limits, knob.present
    if limits is None or not is_number(present):
        raise UserError("this knob is not a number", field="knob", found=knob.title, allowed="a field that is a number")
    reach = max(MIN_REACH[limits.whole], abs(present))
    least = clamped(limits, present - reach) if low is None else _checked(limits, low, "low")
    most = clamped(limits, present + reach) if high is None else _checked(limits, high, "high")
    if not least <= present <= most or least == most:
        message = f"the range must contain the printed value of {knob.name}, which is {present:g}, and another value"
        side = f"--low {present:g}" if least > present else f"--high {present:g}" if most < present else "a wider range"
        raise UserError(message, field="low", found=f"{least:g} to {most:g}", allowed=side)
    width = (1.0 if limits.whole else (most - least) / DEFAULT_STEPS) if step is None else step
    if not (math.isfinite(width) and width > 0) or (limits.whole and width != round(width)):
        kind = "a whole number from 1" if limits.whole else "a number above 0"
        raise UserError("not a step of this knob", field="step", found=step, allowed=kind)
    if (most - least) / width > MAX_STEPS:
        many = f"at most {MAX_STEPS:,} steps from low to high"
        raise UserError("the step is too small", field="step", found=width, allowed=many)
    steps = np.arange(math.floor((most - least) / width + 1e-9) + 1)
    values = np.unique(np.round([*(least + width * steps), most, present], 10))
    while low is None and values[0] < present and not allowed(values[0]):
        values = values[1:]
    while high is None and values[-1] > present and not allowed(values[-1]):
        values = values[:-1]
    return SearchGrid(values, int(np.searchsorted(values, present)), limits.whole)


def clamped(limits: Limits, value: float) -> float:
    """Return the value nearest to `value` that a field allows."""
    least = -math.inf if limits.low is None else limits.low
    most = math.inf if limits.high is None else limits.high
    return min(max(value, least), most)


def _checked(limits: Limits, value: float, name: str) -> float:
    """Return `value`, the end `name` of the range. Raise UserError if the field does not allow it."""
    if not math.isfinite(value) or (limits.whole and value != round(value)) or clamped(limits, value) != value:
        least = "any number" if limits.low is None else f"{limits.low:g}"
        most = "" if limits.high is None else f" to {limits.high:g}"
        kind = ", whole numbers" if limits.whole else ""
        raise UserError("the knob does not take this value", field=name, found=value, allowed=f"{least}{most}{kind}")
    return value


def find_faction_knob(game: GameSpec, data: Data, faction: str, text: str) -> Knob:
    """Find a knob that is a number. Otherwise raise UserError, which lists the numbers of the row."""
    full = full_name(game, data, faction, text)
    if "#" not in text and " " in text.strip():
        with suppress(UserError):
            full = path_in_words(game, data, faction, text)
    if full.strip().startswith(SETTING) or "=" in full:
        knob = find_knob(game, data, full)
        raise UserError("this knob is not a number", field="knob", found=knob.name, allowed="a field that is a number")
    try:
        knob = find_knob(game, data, full)
    except UserError:
        wrong = "this does not name exactly one number of this row"
    else:
        if knob.limits is not None:
            return knob
        wrong = "this knob is not a number"
    names = names_of_knobs(game, data, faction, text, full)
    raise UserError(wrong, field="knob", found=text, allowed=names or "a field that is a number")


def names_of_knobs(game: GameSpec, data: Data, faction: str, text: str, full: str) -> list[str]:
    """Return the names of the numbers in the row of a knob, whose path is `full` and which the user typed as `text`.

    If this is the row of a faction, also return the names of the faction's parts, and "all".
    """
    own = "" if full == text else full.removesuffix(text)  # a field of the faction's own row needs no path
    numbers = [name.removeprefix(own) for name in number_knobs(game, data, full)]
    if not own or not data.factions:
        return numbers
    parts = [part.name for part in parts_of(game, data, find_faction(game, data, faction))]
    return list(dict.fromkeys([*numbers, *parts, "all"]))


def path_in_words(game: GameSpec, data: Data, faction: str, text: str) -> str:
    """Find a number by its name in words, in a faction's row or on a piece, and return its path.

    Raises UserError if no number matches, or several do.
    """
    try:
        return path_of_words(game, data, f"{faction}: {text}")
    except UserError:
        return path_of_words(game, data, text)


def search_value(
    config: RunConfig,
    faction: str,
    knob: str,
    *,
    low: float | None = None,
    high: float | None = None,
    step: float | None = None,
    jobs: int = -1,
    arms: Path | None = None,
    trying: Callable[[Knob, float, int], None] = lambda knob, value, seed: None,
    say: Callable[[str], None] | None = None,
    progress: Callable[[int], None] = lambda games: None,
) -> Rebalance:
    """Search for the value of a knob at which a faction's edge vanishes, and confirm it on fresh deals.

    Parameters
    ----------
    config
        The run that is played at each value, always on the same deals. Then the best and the printed value are played
        on the deals of another seed, with equally many games. The run's changes are the base of the search: values that
        are called printed include them.
    faction
        Name of a faction. In a game without factions whose seats take picks, such as an empire each epoch, the name of
        a pick. The edge of a pick is the one in a run's report: against the mean pick of its kind and period.
    knob
        A field of the faction's row in the game's data, or `FILE#ROW.FIELD`.
    low, high, step
        Range and step of the search, see `rebalance_grid`.
    arms
        Folder that stores the games at each value, so that an interrupted search can be resumed. None stores nothing.
    trying
        Takes the knob, each value and the seed of the deals, before the value is played.
    say
        Takes messages, such as how long the search takes. With None, no time is measured.

    Raises
    ------
    UserError
        The faction or knob is unknown, the range or the number of jobs is not allowed, or the faction is not dealt.
    """
    jobs_to_use(jobs)
    game, data = printed_game(config)
    plan = make_plan(config)
    check_company(plan.players, "a fair value needs opponents; `sweep` shows what a number does")
    name, title = find_rival(plan, game, data, faction)
    picked = not data.factions and game.pieces is not None
    if picked and game.pieces is not None:
        config = config.model_copy(update={"detail": game.pieces.plural})
    turn = find_faction_knob(game, data, name, knob)
    base = tuple(config.changes)
    turn = replace(turn, present=number_after(game, turn.text, turn.present, base))
    config = config.model_copy(update={"changes": lessons_off([plan], config.changes, [turn.text])})
    grid = rebalance_grid(turn, low, high, step, lambda value: takes_value(config, turn, value))
    null = 1 / plan.players
    if say is not None:  # now it is known that the search is possible
        own = make_plan(config)
        train_missing([own], say, jobs)
        more = ", and trains a judge for each value" if any(map(has_judge, own.strategies)) else ""
        say(f"this search takes {time_words(VALUES * config.games * seconds_per_game(own, jobs))}{more}")

    def arm(place: int, seed: int) -> AbstractContextManager[Run]:
        trying(turn, grid.value(place), seed)
        played = with_knob(config, turn, grid.value(place)).model_copy(update={"seed": seed})
        of_value = f"value {grid.value(place):g} seed {seed}"
        return play_arm(played, config.games, arms, of_value, jobs=jobs, say=say or ignore, progress=progress)

    def measure(place: int) -> tuple[Floats, Floats]:
        with arm(place, config.seed) as run:
            return sums(run)

    def sums(run: Run) -> tuple[Floats, Floats]:
        return pick_sums(run, title, name, null) if picked else faction_sums(run, name)

    edges = search_crossing(measure, 0, len(grid.values) - 1, grid.present, null)
    stated = replace(edges, alpha=STATEMENT_ALPHA)
    crossing, outcome = outcome_of(edges, grid.present)
    best = best_place(edges, grid.present) if outcome in ("fair", "out of range") else grid.present
    confirmation, others = None, NO_OTHERS
    if best != grid.present:
        seed = next_seed(config.seed)
        with arm(grid.present, seed) as before, arm(best, seed) as after:
            wins, seats = map(np.array, zip(*(sums(run) for run in (before, after)), strict=True))
            fresh = edges_at_values(np.array([grid.present, best]), wins, seats, null)
            doubt = doubt_of(edges, fresh, grid.present, best)
            confirmation = Confirmation(tried_frame(replace(fresh, alpha=STATEMENT_ALPHA), grid), seed, doubt)
            others = side_effects(before, after, name, title if picked else None)
    return Rebalance(
        faction=name,
        title=title,
        knob=turn,
        grid=grid,
        config=config,
        outcome=outcome,
        crossing=None if crossing is None else find_crossing(stated, grid.present),
        winding=runs_both_ways(stated),
        tried=tried_frame(edges, grid),
        best=grid.value(best),
        confirmation=confirmation,
        others=others,
        picked=picked,
        base=base,
    )


def find_rival(plan: Plan, game: GameSpec, data: Data, text: str) -> tuple[str, str]:
    """Return the name of the faction that `text` matches, and the game's word for a faction.

    In a game without factions, these are the name of a pick and the game's word for its kind. Raises UserError if
    nothing matches, if several do, or if the faction is not dealt or has no rivals.
    """
    if not data.factions and game.pieces is not None and game.pieces.picks is not None:
        result = choose_pieces(game, data, [text])
        if len(result) > 1:
            message, names = f"this name matches several {game.pieces.plural}", [data.pieces[piece] for piece in result]
            raise UserError(message, field="faction", found=text, allowed=names)
        return data.pieces[result[0]], game.pieces.picks.kinds(data)[result[0]]
    number = find_faction(game, data, text)
    name = data.factions[number].name
    if number not in plan.factions or len(plan.factions) < 2:
        message = f"this {game.faction_title} has no rivals or is not dealt"
        dealt = [data.factions[other].name for other in plan.factions]
        raise UserError(message, field="faction", found=name, allowed=dealt)
    return name, game.faction_title


def faction_sums(run: Run, faction: str) -> tuple[Floats, Floats]:
    """Return wins and seat-games of a faction by block, each of shape (blocks,)."""
    own = run.seats.filter(pl.col("faction") == faction).group_by("block")
    frame = own.agg(pl.col("win").cast(pl.Float64).sum(), pl.len()).collect(engine="streaming")
    sums = np.zeros((2, run.manifest.blocks))
    sums[:, frame["block"].to_numpy()] = frame["win"].to_numpy(), frame["len"].to_numpy()
    return sums[0], sums[1]


def takes_value(config: RunConfig, knob: Knob, value: float) -> bool:
    """Tell whether the game accepts a value of a knob."""
    whole = knob.limits is not None and knob.limits.whole
    try:
        make_plan(with_knob(config, knob, round(value) if whole else float(value)))
    except UserError:
        return False
    return True


def best_place(edges: Edges, present: int) -> int:
    """Return the grid index of the tried value with the smallest absolute edge. On a tie, that nearest to `present`."""
    order = np.lexsort((np.abs(edges.places - present), np.abs(edges.edges)))
    return int(edges.places[order[0]])


def outcome_of(edges: Edges, present: int) -> tuple[Crossing | None, Outcome]:
    """Return where the edge vanishes, if it does, and the outcome of a search."""
    if edges.blocks < 2:
        return None, "one block"
    if not has_effect(edges):
        return None, "no effect"
    crossing = find_crossing(edges, present)
    if not is_needed(edges, crossing, present):
        return crossing, "not needed"
    return crossing, "out of range" if crossing is None else "fair"


def tried_frame(edges: Edges, grid: SearchGrid) -> pl.DataFrame:
    """Return the edges at the tried values with intervals, and their changes against the printed value."""
    start = int(np.flatnonzero(edges.places == grid.present)[0])
    variance = np.diag(edges.covariance)
    spread = np.sqrt(np.maximum(variance + variance[start] - 2 * edges.covariance[start], 0))
    change = edges.edges - edges.edges[start]
    reach, spread = edges.reach, np.where(spread > 1e-6 * edges.errors, spread, np.nan)
    columns = {
        "edge": edges.edges, "low": edges.edges - reach * edges.errors, "high": edges.edges + reach * edges.errors,
        "error": edges.errors, "change": change, "change_low": change - reach * spread,
        "change_high": change + reach * spread,
    }  # fmt: skip
    series = [pl.Series(name, values).fill_nan(None) for name, values in columns.items()]
    return pl.DataFrame([pl.Series("value", [float(grid.value(int(place))) for place in edges.places]), *series])


def side_effects(before: Run, after: Run, faction: str, kind: str | None = None) -> pl.DataFrame:
    """Return how all other factions and the strategies change. Limits hold for all rows of a table at once.

    `before` is the run with the printed value, `after` that with the best value. If `faction` is a pick, `kind` is its
    kind, and the other picks of its period replace the other factions.
    """
    frames = []
    for table in ("faction", "strategy"):
        if table == "faction" and kind is not None:
            joined = others_of_period(before, after, kind, faction, STATEMENT_ALPHA).with_columns(table=pl.lit(table))
        else:
            joined = changes_of_table(before, after, table, faction)
        if table == "faction" or joined.height > 1:
            first = ("table", "level", "edge_before", "edge_after")
            chosen = joined.select(*first, pl.exclude(*first))
            frames.append(chosen.sort("change", descending=True, nulls_last=True))
    return pl.concat(frames, how="diagonal")


def changes_of_table(before: Run, after: Run, table: str, faction: str) -> pl.DataFrame:
    """Return how a table's rows change, without the row of the searched faction. Limits hold for all rows at once."""
    keys = [table]
    moments = paired_moments(before, after, keys)
    changed = paired_differences(moments, keys, family_probability(moments.height, STATEMENT_ALPHA))
    edges = [
        win_rates(block_moments(run.seats, keys), keys).select(table, pl.col("edge").alias(name))
        for run, name in ((before, "edge_before"), (after, "edge_after"))
    ]
    joined = changed.join(edges[0], on=table, how="left").join(edges[1], on=table, how="left")
    joined = joined.with_columns(pl.lit(table).alias("table"), pl.col(table).cast(pl.String).alias("level"))
    return joined.filter(pl.col("level") != faction).drop(table) if table == "faction" else joined.drop(table)
