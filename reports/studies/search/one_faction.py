"""Races all printed numbers of a faction: which small change makes it fair, and what else that changes.

Every value is played on the same deals. A first round plays one small and one larger step of each number and drops
numbers that surely remove too little of the edge. A second round plays more steps of the best on more games. The last
values are played again, with the printed game, on the deals of another seed. If none of them that keeps every effect
may be fair, pairs of the most helpful numbers follow. If none of these may be either, a refined search adds further
changes one at a time; a quick one stops. The change that ranks first was chosen by these deals, which flatters it, so
its figures are from a third seed, on which only it and the printed game are played.

References
----------
Maron, O. and Moore, A. W. (1994). Hoeffding races: accelerating model selection search for classification and function
approximation. NIPS 6, 59-66.
Glasserman, P. and Yao, D. D. (1992). Some guidelines and guarantees for common random numbers. Management Science 38.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

import polars as pl

from reports.formatting import counted
from reports.statistics.core.win_rate import ALPHA
from reports.studies.parts.explain_parts import compare_with_base
from reports.studies.parts.intervene import without_lessons
from reports.studies.parts.parts import Part, concerned_share
from reports.studies.search.block_sums import compile_players_of
from reports.studies.search.checkpoint import SumStore
from reports.studies.search.goals import State, fair_goal, state_of
from reports.studies.search.greedy import Further, add_changes
from reports.studies.search.space import (
    MAX_TABLES,
    Arm,
    Loaded,
    Turn,
    arm_changes,
    arm_words,
    first_values,
    numbers_of_parts,
    removes_effect,
    steps_of_arm,
)
from reports.studies.search.successive_halving import (
    FIRST_ROUND,
    LAST_ROUND_SIZE,
    PAIR_VALUES,
    PAIRED,
    PRINTED,
    SECOND_ROUND,
    SECOND_ROUND_SIZE,
    SECOND_ROUND_STEPS,
    Heats,
    Progress,
    Say,
    SearchRequest,
    arm_key,
    check_race_games,
    first_arms,
    first_rounds,
    pair_round,
)
from sim.errors import UserError
from sim.players.batch import Plan
from sim.players.compile_players import players_of
from sim.runs.run import time_words

FINALISTS, PAIR_FINALISTS = 5, 3
LEFT_ALPHA, REST_ALPHA = ALPHA / 2, ALPHA / 6
"""Error rates of what the first change leaves, and of each of three further figures: the edge as printed, the other
faction moved most, and the length of a game; 5 % in all."""
POWER_OVER_LIMIT = 1.43
"""An effect this many times the half-width of its 95 % interval is shown in 80 % of searches."""
FEWER, SURPRISING = "fair because fewer have it", "surprising direction"
"""Beginnings of notes on a change."""


@dataclass(frozen=True)
class Race:
    """Result of a race.

    Attributes
    ----------
    faction, noun
        The faction's name, and what the game calls a faction.
    frame
        Final values, the best first: `change` in words, `changes` and `text` as changes, `numbers` changed, `steps`
        from the printed values; `edge` on fresh deals with `edge_low`, `edge_high` and their `state` (see
        `goals.State`), `open` (whether it may be fair: its interval holds 0, or it lies within the margin), `worth`
        (what the change removes) with `low`, `high`; `moved`, `moved_by` and `rounds` with their limits (see
        `explain_parts.PartsPlayed`), `used` and `used_after`, `note`, `surprising`, `removes` (whether it removes an
        effect), `seed` of the deals. The first row
        is from deals that had no part in choosing it, with simultaneous limits; the others have 95 % limits each.
    tried
        All values: `change`, `text`, `edge` and `worth` with limits, `games` played.
    hints
        Sentences on fair values between printed ones.
    edge, low, high
        The edge as printed, on the deals of the best change.
    turned, arms, pairs
        Numbers varied, values played, and pairs of changes among them.
    was_open
        Whether the first change might be fair on the deals that chose it.
    quick
        Whether the search stopped before it added further changes.
    missed
        Effect of a number that the first round finds four times in five, as a fraction; None if unknown.
    cost
        What such a search costs here; None if it was not measured.
    further
        Result of adding changes one at a time; None if one or two were enough or nothing was off.
    plan, games, seed, margin
        What was played, games of the last round, seed of the deals of the best change, and the margin as a fraction.
    """

    faction: str
    noun: str
    frame: pl.DataFrame
    tried: pl.DataFrame
    hints: tuple[str, ...]
    edge: float
    low: float
    high: float
    turned: int
    arms: int
    pairs: int
    was_open: bool
    further: Further | None
    plan: Plan
    games: int
    seed: int
    margin: float
    quick: bool = False
    missed: float | None = None
    cost: RaceCost | None = None

    @property
    def printed_state(self) -> State:
        """State of the edge as printed."""
        return state_of(self.low, self.high, self.margin)


@dataclass(frozen=True)
class RaceCost:
    """What a race costs here.

    Attributes
    ----------
    start
        Seconds until the cost was known, without the tables of the first round.
    values, steps
        Values of the first round, and usual ones of the second.
    loading, preparing
        Seconds to load the tables of a value, and until the players are ready to play with them.
    each
        Seconds of a game.
    concerned
        Share of the games that are played for each value: games without the faction are played once for all.
    """

    start: float
    values: int
    steps: float
    loading: float
    preparing: float
    each: float
    concerned: float

    def seconds(self, search: SearchRequest, quick: bool, late: bool = False) -> float:
        """Return about how long a race takes; `late` if no single change is enough, so pairs and more follow."""
        first, second, full = search.round_games(FIRST_ROUND), search.round_games(SECOND_ROUND), search.full
        rounds = [(self.values, first), (self.steps, second), (FINALISTS, full), (1, full)]
        if late:
            rounds += [(PAIR_VALUES * math.comb(PAIRED, 2), second), (PAIR_FINALISTS, full)]
        if late and not quick:
            rounds += [(self.values, first), (self.steps, second), (LAST_ROUND_SIZE + 1, full)]
        arms = sum(arms for arms, _ in rounds)
        # Tables are loaded before the first round, and again in it if they are too many for the cache.
        loads = arms + (self.values if self.values >= MAX_TABLES else 0)
        games = second + 2 * full + self.concerned * sum(arms * games for arms, games in rounds)
        return self.start + self.loading * loads + self.preparing * arms + self.each * games


def race_cost(heats: Heats, start: float, loading: float, measure: Callable[[Plan], float]) -> RaceCost:
    """Return the cost of a race.

    Parameters
    ----------
    start, loading
        Seconds that it took to find the numbers, and to load the tables of the first round.
    measure
        Returns the seconds that a game of a plan takes here.
    """
    arms = first_arms(heats)
    began = time.perf_counter()
    players_of(heats.changed(arms[0]))
    preparing = time.perf_counter() - began
    each = measure(replace(heats.plan, keeps_pieces=bool(heats.watched)))
    share = concerned_share(heats.plan, heats.faction)
    start += time.perf_counter() - began
    return RaceCost(start, len(arms), usual_steps(heats.turns), loading / len(arms), preparing, each, share)


def announced(cost: RaceCost, search: SearchRequest, quick: bool) -> RaceCost:
    """Say how long a race takes, and return its cost."""
    soon, late = (time_words(cost.seconds(search, quick, late)) for late in (False, True))
    search.say(f"this search takes {soon}; {late} if no single change is enough")
    return cost


def usual_steps(turns: Sequence[Turn]) -> float:
    """Return about how many values a second round of some numbers has: the mean of both directions, for the best."""
    sizes = range(-SECOND_ROUND_STEPS, SECOND_ROUND_STEPS + 1)
    both = sum(turn.takes(turn.present + size) for turn in turns for size in sizes if size)
    return both / 2 * min(1.0, SECOND_ROUND_SIZE / len(turns))


def race(
    plan: Plan,
    faction: int,
    parts: Sequence[Part],
    games: int,
    margin: float,
    *,
    quick: bool = False,
    measure: Callable[[Plan], float] | None = None,
    jobs: int = -1,
    say: Say = lambda text: None,
    progress: Progress = lambda games: None,
    expect: Progress = lambda games: None,
    store: SumStore | None = None,
) -> Race:
    """Find the printed numbers of a faction whose change makes it fair.

    Parameters
    ----------
    plan
        Who meets and what is dealt, as printed.
    faction, parts
        The faction's number, and the parts whose numbers are varied.
    games
        Games of each value in the last round.
    margin
        Edges up to this fraction count as balanced.
    quick
        Whether to stop after pairs of changes.
    measure
        Returns the seconds that a game of a plan takes here, for a forecast; None for no forecast.

    Raises
    ------
    UserError
        No number can be varied, the faction is not dealt, or the games are too few.
    """
    owner = plan.data.factions[faction].name
    if faction not in plan.factions:
        raise UserError(f"this {plan.game.faction_title} is not dealt", field="factions", found=owner)
    check_race_games(plan, games)
    plan = without_lessons(plan, [place for part in parts for place in part.places])
    began = time.perf_counter()
    loaded = Loaded(plan.game, plan.data)
    turns = numbers_of_parts(plan.game, plan.data, parts)
    say(f"{counted(len(turns), 'number')} of {owner}: which of them can be changed?")
    start, began = time.perf_counter() - began, time.perf_counter()
    turns = [turn for turn in turns if first_values(loaded, turn)]
    loading = time.perf_counter() - began
    if not turns:
        raise UserError("it has no number that can be changed", field="knob", found=owner)
    compile_players_of([plan], say)
    search = SearchRequest(plan, fair_goal(plan, margin), games, jobs, say, progress, expect, store)
    heats = Heats(search, plan.factions.index(faction), faction, turns, loaded)
    full = search.full
    cost = None if measure is None else announced(race_cost(heats, start, loading, measure), search, quick)
    numbers, singles = first_rounds(heats, (1 + min(len(turns), FINALISTS)) * full)
    missed = smallest_found(heats)
    final = finalists(heats, singles)
    say(f"the last {counted(len(final), 'value')}, on fresh deals")
    expect((1 + len(final)) * full)
    fresh = heats.on_fresh_deals()
    rows = confirm(fresh, final)
    pairs: list[Arm] = []
    further: Further | None = None
    printed = compare_with_printed(fresh, PRINTED)
    off = state_of(printed["edge_low"], printed["edge_high"], 0) == "out"
    if final and off and not any(row["open"] and not row["removes"] for row in rows):
        pairs = pair_round(heats, singles, PAIR_FINALISTS)
        rows += confirm(fresh, sorted(pairs, key=lambda arm: abs(heats.gain(arm).off))[:PAIR_FINALISTS])
        if not quick and not any(row["open"] for row in rows):
            say("two changes are not enough either: adding changes one at a time")
            further = add_changes(heats, nearest_arm(heats, [*singles, *pairs]))
            rows += confirm(fresh, [further.arm] if arm_key(further.arm) not in fresh.sums else [])
    last = fresh
    frame = ranked(rows)
    was_open = bool(rows and frame["open"][0])
    if rows:
        say("the best change, on fresh deals")
        expect(2 * full)
        last = fresh.on_fresh_deals()
        best = next(arm for arm in fresh.arms.values() if arm and "; ".join(arm_changes(arm)) == frame["text"][0])
        last.play_all([best], full)
        frame = framed([final_row(last, best, LEFT_ALPHA, REST_ALPHA), *frame.rows(named=True)[1:]])
    own, tried = compare_with_printed(last, PRINTED, REST_ALPHA), tried_rows(heats)
    return Race(
        faction=owner, noun=plan.game.faction_title, frame=frame, tried=tried,
        hints=tuple(hints_of(heats, numbers)), edge=own["edge"], low=own["edge_low"], high=own["edge_high"],
        turned=len(turns), arms=len(heats.arms) - 1 + (0 if further is None else further.arms), pairs=len(pairs),
        was_open=was_open, further=further, plan=plan, games=full, seed=last.plan.seed, margin=margin,
        quick=quick, missed=missed, cost=cost,
    )  # fmt: skip


def confirm(fresh: Heats, arms: Sequence[Arm]) -> list[dict[str, Any]]:
    """Play arms on fresh deals; return the rows of `Race.frame`."""
    fresh.play_all(arms, fresh.search.full)
    return [final_row(fresh, arm) for arm in arms]


def compare_with_printed(heats: Heats, arm: Arm, rate: float = ALPHA, rest: float = ALPHA) -> dict[str, Any]:
    """Compare an arm with the printed game; columns as `compare_with_base` returns them."""
    sums = heats.sums[arm_key(PRINTED)], heats.sums[arm_key(arm)]
    return compare_with_base(heats.plan, heats.faction, *sums, rate, rest)


def smallest_found(heats: Heats) -> float | None:
    """Return the effect that the first round shows four times in five, for a number of middling precision."""
    halves = [half for arm in heats.arms.values() if arm and math.isfinite(half := heats.gain(arm).half)]
    return POWER_OVER_LIMIT * median(halves) if halves else None


def finalists(heats: Heats, arms: Sequence[Arm]) -> list[Arm]:
    """Return the best value of each number, for the numbers that leave the smallest edges."""
    best: dict[str, tuple[float, Arm]] = {}
    for arm in arms:
        left, text = abs(heats.gain(arm).off), arm[0][0].text
        if text not in best or left < best[text][0]:
            best[text] = left, arm
    return [arm for _, arm in sorted(best.values(), key=lambda one: one[0])[:FINALISTS]]


def nearest_arm(heats: Heats, arms: Sequence[Arm]) -> Arm:
    """Return the arm that leaves least, preferring arms whose components stay in use."""
    gains = [heats.gain(arm) for arm in arms]
    return min(gains, key=lambda gain: (gain.fewer, abs(gain.off))).arm if gains else PRINTED


def hints_of(heats: Heats, numbers: Sequence[tuple[Turn, int]]) -> list[str]:
    """Return a hint for each number whose edge changes sign between two values: the fair value between them."""
    printed = heats.edge()
    statements = []
    for turn, side in numbers:
        values = [arm[0][1] for arm in heats.arms.values() if len(arm) == 1 and arm[0][0].text == turn.text]
        values = [value for value in values if (value - turn.present) * side > 0]
        before, edge = turn.present, printed
        for value in sorted(values, key=lambda value: abs(value - turn.present)):
            after = heats.gain(((turn, value),)).off
            if edge * after < 0:
                between = before + (value - before) * edge / (edge - after)
                statements.append(f"{turn.name} at about {between:.1f} (between {before} and {value})")
                break
            before, edge = value, after
    return statements


def tried_rows(heats: Heats) -> pl.DataFrame:
    """Return `Race.tried`, the smallest edges first."""
    rows = [tried_row(heats, arm) for arm in heats.arms.values() if arm]
    return pl.DataFrame(rows, infer_schema_length=None).sort(pl.col("edge").abs())


def tried_row(heats: Heats, arm: Arm) -> dict[str, Any]:
    """Return a row of `Race.tried`."""
    row = compare_with_printed(heats, arm)
    names = ("edge", "edge_low", "edge_high", "worth", "low", "high")
    result = {name: row[name] if math.isfinite(row[name]) else None for name in names}
    return {
        "change": arm_words(arm),
        "text": "; ".join(arm_changes(arm)),
        **result,
        "games": heats.sums[arm_key(arm)].games,
    }


def final_row(fresh: Heats, arm: Arm, rate: float = ALPHA, rest: float = ALPHA) -> dict[str, Any]:
    """Return a row of `Race.frame`; the rates are those of `compare_with_base`."""
    row, margin = compare_with_printed(fresh, arm, rate, rest), fresh.goal.margin
    uses = fresh.uses(arm)
    used, used_after = min(uses, key=lambda one: one[1] / max(one[0], 1e-9)) if uses else (None, None)
    state = state_of(row["edge_low"], row["edge_high"], margin)
    may_be = bool(state == "within" or abs(row["edge"]) <= margin or row["edge_low"] <= 0 <= row["edge_high"])
    surprising = fresh.gain(arm).surprising
    notes = [FEWER] if may_be and fresh.is_had_less(arm) else []
    notes += [f"{SURPRISING}: {surprise_words(arm, fresh.edge())}"] if surprising else []
    return {
        "change": arm_words(arm), "text": "; ".join(arm_changes(arm)), "changes": arm_changes(arm), "numbers": len(arm),
        "steps": steps_of_arm(arm), "state": state, "open": may_be, "used": used, "used_after": used_after,
        "note": "; ".join(notes), "surprising": surprising, "removes": removes_effect(arm),
        "seed": fresh.plan.seed, **row,
    }  # fmt: skip


def surprise_words(arm: Arm, edge: float) -> str:
    """Say what is surprising: 'more of an effect should make it stronger, and it is too strong'."""
    side, result = ("stronger", "too strong") if edge > 0 else ("weaker", "too weak"), []
    for turn, value in arm:
        if turn.surprises(value, edge):
            what = "a price" if turn.weakens > 0 else "an effect"
            result.append(f"{'more' if value > turn.present else 'less'} of {what}")
    return f"{' and '.join(result)} should make it {side[0]}, and it is {side[1]}"


def framed(rows: list[dict[str, Any]]) -> pl.DataFrame:
    """Return rows of `Race.frame` as a frame; unknown values are null."""
    return pl.DataFrame(rows, infer_schema_length=None).with_columns(pl.col(pl.Float64).fill_nan(None))


def ranked(rows: list[dict[str, Any]]) -> pl.DataFrame:
    """Sort rows, the best change first: open ones by the fewest numbers and steps, then by what is left.

    Changes follow that work only because a component goes unused, then those that remove an effect, and those in a
    surprising direction, unless only these are confirmed within the margin. Of changes that are not open, those that
    keep every effect come first, then those that leave less.
    """
    if not rows:
        return pl.DataFrame(schema={"change": pl.String, "state": pl.String, "open": pl.Boolean, "note": pl.String})
    frame = framed(rows)
    fair = pl.col("state") == "within"
    natural = bool(frame.select((fair & ~pl.col("surprising")).any()).item())
    behind = pl.col("surprising") & ~(fair & pl.lit(not natural))
    size = [pl.when("open").then(name).otherwise(0) for name in ("numbers", "steps")]
    unused = pl.col("open") & pl.col("note").str.contains(FEWER, literal=True)
    return frame.sort([~pl.col("open"), unused, "removes", pl.col("open") & behind, *size, pl.col("edge").abs()])
