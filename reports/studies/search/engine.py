"""Finds changes of printed numbers that bring targets within a margin.

The targets are one faction, the sides of a board, all factions, or those of a target file. All searches share this
code. Only the goal and the stop rule differ, and both are data. Each step takes the target that is farthest off, and
varies the numbers that may help it. This happens on the same deals, in rounds of successive halving: small and larger
steps of every number on few games, the best of them on more games, the last few on all games. If no single number
brings the target near enough, pairs of numbers follow. The change that ranks first is made. The next step starts from
the game with all changes so far, because each change moves the other targets too. At the end the search drops changes
that are not needed.

The reported figures come from the deals of the next seed, which played no part in the choice. A search for one faction
also plays the runners-up on these deals. A search for several factions can also be tested with the game's best players.

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
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any

import numpy as np
import polars as pl

from reports.data.ladder_rows import ladder_of
from reports.formatting import counted, lessons_words, points
from reports.statistics.core.win_rate import ALPHA
from reports.studies.parts.explain_parts import MIN_BLOCKS, compare_with_base
from reports.studies.parts.intervene import changed_plan, without_lessons
from reports.studies.parts.own_judges import bases_words, train_missing, with_bases
from reports.studies.parts.parts import Part, concerned_share, parts_of
from reports.studies.search.block_sums import ArmSums, Watched, compile_players_of, play_sums
from reports.studies.search.checkpoint import SumStore
from reports.studies.search.goals import Deviations, Goal, deviations, fair_goal, state_of
from reports.studies.search.space import (
    MAX_TABLES,
    Arm,
    Loaded,
    Turn,
    arm_changes,
    arm_words,
    changed_already,
    from_printed,
    numbers_of_parts,
    standing_at,
    with_arm,
)
from reports.studies.search.successive_halving import (
    CORRECTED,
    FIRST_ROUND,
    LAST_ROUND_SIZE,
    MIN_EFFECT_SHARE,
    PAIR_VALUES,
    PAIRED,
    PRINTED,
    SECOND_ROUND,
    SECOND_ROUND_SIZE,
    SECOND_ROUND_STEPS,
    Gain,
    Heats,
    Progress,
    Say,
    SearchRequest,
    arm_key,
    first_arms,
    first_rounds,
    last_round,
    pair_round,
    rank_key,
    singles_of,
    straddling,
    whole_games,
    with_fresh_deals,
)
from sim.data.lessons import JUDGE
from sim.errors import UserError
from sim.players.batch import Plan
from sim.players.compile_players import players_of
from sim.runs.run import time_words

LEFT_ALPHA, REST_ALPHA = ALPHA / 2, ALPHA / 6
"""`LEFT_ALPHA` is the error rate of the edges that the changes leave. `REST_ALPHA` is the error rate of each of three
further samples: the printed game, factions without a target, and the best players (or the length of a game). All four
add up to 5 %."""
POWER_OVER_LIMIT = 1.43
"""An effect of this many times half the width of its 95 % interval is detected in 80 % of searches."""
FEWER, SURPRISING, REMOVES = "fair because fewer have it", "surprising direction", "removes an effect"
"""Beginnings of notes on a change."""


@dataclass(frozen=True)
class StopRule:
    """When a search ends.

    One target gets at most `visits` changes. A change must remove at least the fraction `share` of the deviation; if
    `share` is 0, any confirmed reduction is enough. At most `runners_up` changes that were not chosen are played on
    fresh deals, too.
    """

    visits: int
    share: float
    runners_up: int = 0


SEVERAL = StopRule(visits=2, share=0.25)
QUICK = StopRule(visits=1, share=0.0, runners_up=3)
REFINED = StopRule(visits=9, share=0.0, runners_up=3)


@dataclass(frozen=True)
class Step:
    """One step of the search: the target that was farthest `off`, and the change that was made for it.

    `outcome` is "kept"; "needless" if all targets are as near without the change; "harmful" if the change moved other
    targets away by as much; "replaced" if a later step changed the same numbers.
    """

    name: str
    off: float
    gain: Gain
    outcome: str = "kept"


@dataclass(frozen=True)
class BeforeAndAfter:
    """Results of the printed and the changed game on the same deals.

    `players` names the players. `before` and `after` are the deviations in the two games. Each has `games` games.
    """

    players: str
    before: Deviations
    after: Deviations
    games: int
    seed: int


@dataclass(frozen=True)
class OneFaction:
    """Results of a search for one faction, apart from its changes.

    Attributes
    ----------
    frame
        Changes on fresh deals: the chosen one first, then the runners-up of the search. Limits of the chosen one hold
        simultaneously. Each runner-up has 95 % limits of its own. The columns are:

        - `change` in words; `changes` and `text` as changes; `numbers`: how many numbers are changed.
        - `edge` after the change, with `edge_low`, `edge_high` and `state` (see `goals.State`).
        - `open`: whether the edge may be fair, because it is within the margin or its interval contains 0.
        - `worth`: how much of the edge the change removes, with `low` and `high`.
        - `moved`, `moved_by`, `rounds`, `used` and `used_after` with limits, as in `PartsPlayed.frame`.
        - `note`: caveats.
    tried
        All values of the first step: `change`, `text`, `edge` and `worth` with limits, and `games` played.
    hints
        Sentences on fair values between printable ones.
    coarse
        Statements on numbers of which one value leaves too much and the next too little: 'bonus is too coarse: 1 leaves
        +13.1 points and 0 leaves -9.2'.
    turned, pairs
        How many numbers were varied, and how many pairs of changes were played.
    missed
        The effect, a fraction, that the first round detects four times in five. None if unknown.
    """

    name: str
    frame: pl.DataFrame
    tried: pl.DataFrame
    hints: tuple[str, ...]
    turned: int
    pairs: int
    missed: float | None
    coarse: tuple[str, ...] = ()


@dataclass(frozen=True)
class Found:
    """Result of a search for changes.

    Attributes
    ----------
    goal, rule
        The targets, and when the search ends.
    arm
        The changes, each from the printed value.
    owners
        For each change, the name of its faction.
    stuck
        By name of a target: why the search gave it up.
    searched
        Deviations of the changed game on the deals of the search.
    fresh
        The printed and the changed game on fresh deals, with the players of the search.
    top
        The same with the best players of the game's ladder. None if not requested.
    others
        Factions without a target, on the same fresh deals, compared with their fair shares. None if there are no such
        factions, or if the goal is not fairness.
    plan
        The printed game.
    arms, played
        Number of arms that the search played, and number of games.
    one
        Further results of a search for one faction. None for several factions.
    cost
        Cost of a step on this machine. None if it was not measured.
    players
        Sentences on the players of the search and of `top`.
    base
        Changes from which the search started. Values that are called printed include them.
    """

    goal: Goal
    rule: StopRule
    arm: Arm
    owners: tuple[str, ...]
    steps: tuple[Step, ...]
    stuck: dict[str, str]
    searched: Deviations
    fresh: BeforeAndAfter
    top: BeforeAndAfter | None
    others: tuple[Goal, BeforeAndAfter] | None
    plan: Plan
    arms: int
    played: int
    one: OneFaction | None = None
    cost: RaceCost | None = None
    players: tuple[str, ...] = ()
    base: tuple[str, ...] = ()


@dataclass(frozen=True)
class RaceCost:
    """The cost of a search step on this machine.

    Attributes
    ----------
    start
        Seconds that passed until the cost was known, apart from loading tables.
    values, steps
        Number of values in the first round, and expected number in the second.
    loading, preparing
        Seconds to load the tables of a value, and to prepare the players for them.
    each
        Seconds per game.
    concerned
        Share of the games that each value must play. Games without the faction are played once for all values.
    """

    start: float
    values: int
    steps: float
    loading: float
    preparing: float
    each: float
    concerned: float

    def seconds(self, search: SearchRequest, quick: bool, late: bool = False) -> float:
        """Estimate the seconds of a search. `late` assumes that no single change is enough, so that pairs follow."""
        first, second, full = search.round_games(FIRST_ROUND), search.round_games(SECOND_ROUND), search.full
        step = [(self.values, first), (self.steps, second), (LAST_ROUND_SIZE, full)]
        pairs = [(PAIR_VALUES * math.comb(PAIRED, 2) + CORRECTED, second), (LAST_ROUND_SIZE, full)]
        rounds = [*step, *(pairs if late else []), *(step if late and not quick else []), (1 + QUICK.runners_up, full)]
        arms = sum(arms for arms, _ in rounds)
        # Tables are loaded before the first round. If they do not fit into the cache, the first round loads them again.
        loads = arms + (self.values if self.values >= MAX_TABLES else 0)
        games = 2 * full + self.concerned * sum(arms * games for arms, games in rounds)
        return self.start + self.loading * loads + self.preparing * arms + self.each * games


def race_cost(heats: Heats, start: float, loading: float, measure: Callable[[Plan], float]) -> RaceCost:
    """Measure the cost of a step.

    Parameters
    ----------
    start, loading
        Seconds that it took to find the numbers, and to load the tables of the first round.
    measure
        Takes a plan. Returns how many seconds one of its games takes here.
    """
    arms = first_arms(heats)
    began = time.perf_counter()
    players_of(heats.changed(arms[0]))
    preparing = time.perf_counter() - began
    each = measure(replace(heats.plan, keeps_pieces=bool(heats.watched)))
    share = concerned_share(heats.plan, heats.faction)
    start += time.perf_counter() - began
    return RaceCost(start, len(arms), expected_steps(heats.turns), loading / len(arms), preparing, each, share)


def expected_steps(turns: Sequence[Turn]) -> float:
    """Estimate how many values a second round has, if each of the best numbers goes in one of two directions."""
    sizes = range(-SECOND_ROUND_STEPS, SECOND_ROUND_STEPS + 1)
    both = sum(turn.takes(turn.present + size) for turn in turns for size in sizes if size)
    return both / 2 * min(1.0, SECOND_ROUND_SIZE / len(turns))


Raced = list[tuple[Heats, list[Arm]]]
"""For each faction that may be changed: the arms of a step with their sums, and the arms of the second round."""


@dataclass
class ChangeSearch(SearchRequest):
    """The state of a running search.

    `held` are the changes made so far, `steps` the steps, `stuck` the targets that were given up, with the reason.
    `arms` counts the arms that were played, `off` the targets that are confirmed off and not given up. Numbers of
    `parts` are varied (None for all parts). `first` are the numbers and arms of the first step.
    """

    rule: StopRule = SEVERAL
    parts: Sequence[Part] | None = None
    held: Arm = PRINTED
    steps: list[Step] = field(default_factory=list)
    stuck: dict[str, str] = field(default_factory=dict)
    printed: dict[str, tuple[Turn, int]] = field(default_factory=dict)
    arms: int = 0
    off: int = 1
    first: Raced = field(default_factory=list)
    hints: tuple[str, ...] = ()
    cost: RaceCost | None = None

    def evaluate(self, held: Arm) -> Deviations:
        """Play the game with the changes `held` on the deals of the search. Return its deviations from the goal."""
        self.arms += 1
        return deviations(self.goal, self.sums(self.plan, held, self.games))

    def sums(self, plan: Plan, held: Arm, games: int) -> ArmSums:
        """Play a game with some changes and return its sums."""
        arm = changed_plan(plan, arm_changes(held)) if held else plan
        watched, whole = Watched(self.goal.factions[0][0], (), self.goal.pairs), whole_games(plan, games)
        return play_sums(arm, watched, 0, whole, jobs=self.jobs, progress=self.count, store=self.store)

    def so_far(self) -> str:
        """Say what an interrupted search has found so far."""
        if not self.held:
            return "no change was found yet"
        return f"found so far, not confirmed on fresh deals: {'; '.join(arm_words((one,)) for one in self.held)}"


def search_changes(
    plan: Plan,
    goal: Goal,
    games: int,
    *,
    quick: bool = False,
    parts: Sequence[Part] | None = None,
    top: tuple[Plan, int] | None = None,
    measure: Callable[[Plan], float] | None = None,
    jobs: int = -1,
    say: Say = lambda text: None,
    progress: Progress = lambda games: None,
    expect: Progress = lambda games: None,
    store: SumStore | None = None,
) -> Found:
    """Search for a few changes of printed numbers that bring all targets within the margin.

    Parameters
    ----------
    plan
        The players and what is dealt, as printed.
    goal
        The targets and their margin.
    games
        Number of games of each arm in the last round and on fresh deals.
    quick
        Whether a search for one faction ends after one step.
    parts
        Parts whose numbers are varied. None for all parts.
    top
        The same plan with the best players, and how many games they play with each arm. None to skip them. If players
        of `plan` have learned judges, `plan` itself takes the place of `top`, and the search uses these players without
        look-ahead.
    measure
        Takes a plan, and returns how many seconds one of its games takes here, for a forecast. None for no forecast.

    Raises
    ------
    UserError
        The games are too few for any interval, a faction is not dealt, or a faction has no number that can be changed.
    KeyboardInterrupt
        The search was interrupted. The error says what was found so far.
    """
    for number, *_ in goal.factions:
        if number not in plan.factions:
            name = plan.data.factions[number].name
            raise UserError(f"this {plan.game.faction_title} is not dealt", field="factions", found=name)
    least = MIN_BLOCKS * plan.block_games
    if games < least:
        raise UserError("too few games for a race", field="games", found=games, allowed=f"at least {least}")
    rows = rows_of_factions(plan) if parts is None else [place for part in parts for place in part.places]
    judged, plan = plan, with_bases(plan)
    if judged != plan:
        top = judged, min(games, ladder_of(plan.game).top_games)
    said = bases_words(judged)
    plan, top = without_lessons(plan, rows), None if top is None else (without_lessons(top[0], rows), top[1])
    said += [] if top is None else lessons_words([text for text in top[0].changes if JUDGE in text])
    compile_players_of([plan], say)
    rule = SEVERAL if not goal.one else QUICK if quick else REFINED
    search = ChangeSearch(plan, goal, games, jobs, say, progress, expect, store, rule=rule, parts=parts)
    try:
        return replace(run_search(search, top, measure), players=tuple(said), base=judged.changes)
    except KeyboardInterrupt as error:
        raise KeyboardInterrupt(search.so_far()) from error


def rows_of_factions(plan: Plan) -> list[str]:
    """Return the rows of all factions as `FILE#ROW`."""
    if plan.game.faction_place is None:
        return []
    return ["#".join(plan.game.faction_place(plan.data, number)) for number in plan.factions]


def run_search(search: ChangeSearch, top: tuple[Plan, int] | None, measure: Callable[[Plan], float] | None) -> Found:
    """Run a search. See `search_changes`."""
    plan, goal, games, say = search.plan, search.goal, search.games, search.say
    now = None if goal.one else search.evaluate(PRINTED)
    place = 0 if now is None else farthest_off(search, now)
    if place is not None and measure is not None:
        announce(search, place, top, measure)
    while place is not None:
        if now is not None:
            more = f", the first of {search.off} that are confirmed off" if search.off > 1 else ""
            off = f"{goal.names[place]} is farthest off ({points(float(now.off[place]))} points)"
            say(f"{off}{more}: trying its numbers")
        now = take_step(search, place)
        place = farthest_off(search, now)
    assert now is not None, "one faction is always searched"
    searched = drop_needless(search, now)
    played = search.played
    fresh, one = play_fresh(search)
    rest = [number for number in plan.factions if number not in goal.shares]
    others, anew = None, with_fresh_deals(plan)
    if goal.fair and rest:
        of_rest = fair_goal(plan, goal.margin, rest)
        others = of_rest, both_deviations(of_rest, anew, games, *fresh, REST_ALPHA)
    best = None
    if top is not None:
        best_plan, best_games = top
        train_missing([best_plan, changed_plan(best_plan, arm_changes(search.held))], say, search.jobs)
        compile_players_of([best_plan], say)
        say(f"both games with {player_names(best_plan)} in all seats, {whole_games(best_plan, best_games)} games each")
        best_anew = with_fresh_deals(best_plan)
        sums = both_games(search, best_anew, best_games)
        best = both_deviations(goal, best_anew, best_games, *sums, REST_ALPHA)
    factions = [search.printed[turn.text][1] for turn, _ in search.held]
    return Found(
        goal=goal, rule=search.rule, arm=search.held,
        owners=tuple(plan.data.factions[number].name for number in factions),
        steps=tuple(search.steps), stuck=search.stuck, searched=searched,
        fresh=both_deviations(goal, anew, games, *fresh), top=best, others=others, plan=plan,
        arms=search.arms, played=played, one=one, cost=search.cost,
    )  # fmt: skip


def announce(search: ChangeSearch, place: int, top: tuple[Plan, int] | None, measure: Callable[[Plan], float]) -> None:
    """Say roughly how long a search takes, and store the cost of its first step, about target `place`, in the search.

    The forecast assumes that each target that is off needs one step, as long as the first one.
    """
    faction, began = search.goal.factions[place][0], time.perf_counter()
    heats = Heats(search, place, faction, turns_for(search, faction), Loaded(search.plan))
    start, began = time.perf_counter() - began, time.perf_counter()
    if not first_arms(heats):
        return
    search.cost = race_cost(heats, start, time.perf_counter() - began, measure)
    if top is not None:
        train_missing([top[0]], search.say, search.jobs)
    last = 0.0 if top is None else 2 * whole_games(*top) * measure(top[0])
    steps = search.off * len(search.goal.factions[place])
    quick = search.rule != REFINED
    soon, late = (time_words(steps * search.cost.seconds(search, quick, more) + last) for more in (False, True))
    both = f"{soon}; {late} if no single change is enough"
    search.say(f"this search takes {both if search.goal.one else late}")


# ---- Steps ----


def farthest_off(search: ChangeSearch, now: Deviations) -> int | None:
    """Return the index of the target to work on next. None if no target is confirmed off and not given up.

    Of these targets, it is the one that is farthest off.
    """
    goal, rule = search.goal, search.rule
    open_places = [
        place for place in np.flatnonzero(now.sure(goal.margin)).tolist() if goal.names[place] not in search.stuck
    ]
    for place in list(open_places):
        name = goal.names[place]
        if sum(step.name == name and step.outcome != "harmful" for step in search.steps) >= rule.visits:
            search.stuck[name] = f"{counted(rule.visits, 'step')} of the search did not suffice"
            open_places.remove(place)
    search.off = len(open_places)
    return max(open_places, key=lambda place: abs(now.off[place]), default=None)


def take_step(search: ChangeSearch, place: int) -> Deviations:
    """Make the change that helps the target with index `place` most, if any helps. Return the deviations afterwards.

    A change can move other targets away by as much as it helps this one, for example if two sides share a card. Then
    the change that leaves the smallest total excess is made instead, if it is an improvement.
    """
    goal, name = search.goal, search.goal.names[place]
    raced = race_for(search, place)
    now = deviations(goal, raced[0][0].sums[arm_key(PRINTED)])
    off = float(now.off[place])
    gain, nearest = best_gain(search, raced)
    if gain is None:
        search.stuck[name] = nearest
        return now
    then = after_gain(search, raced, gain)
    if not goal.one and then.excess(goal.margin) >= now.excess(goal.margin):
        search.steps.append(Step(name, off, gain, "harmful"))
        search.say(f"{arm_words(gain.arm)} moves others out of balance as far: looking for a change that helps all")
        harmful, gain = gain, last_round(raced, together=True)
        then = now if gain is None or gain.arm == harmful.arm else after_gain(search, raced, gain)
        if gain is None or then.excess(goal.margin) >= now.excess(goal.margin):
            most = f"the change that helps it most ({arm_words(harmful.arm)})"
            search.stuck[name] = f"{most} moves others out of balance as far"
            return now
    mark_steps(search, "replaced", {turn.text for turn, _ in gain.arm}.issuperset)
    printed = {text: turn for text, (turn, _) in search.printed.items()}
    search.held = from_printed(printed, with_arm(search.held, gain.arm))
    search.steps.append(Step(name, off, gain))
    search.say(f"{arm_words(gain.arm)}: {points(float(then.off[place]))} points are left")
    return then


def after_gain(search: ChangeSearch, raced: Raced, gain: Gain) -> Deviations:
    """Return the deviations of the game with the change of `gain`. Its arm must have been played for all games."""
    (sums,) = [heats.sums[arm_key(gain.arm)] for heats, _ in raced if arm_key(gain.arm) in heats.sums]
    return deviations(search.goal, sums)


def mark_steps(search: ChangeSearch, outcome: str, concerns: Callable[[set[str]], bool]) -> None:
    """Set the outcome of some kept steps to `outcome`: those for whose numbers `concerns` returns True.

    `concerns` takes the paths of the numbers that a step changes.
    """
    for place, step in enumerate(search.steps):
        if step.outcome == "kept" and concerns({turn.text for turn, _ in step.gain.arm}):
            search.steps[place] = replace(step, outcome=outcome)


def race_for(search: ChangeSearch, place: int) -> Raced:
    """Play the first two rounds of successive halving for the target with index `place`.

    This is done for each faction whose numbers may be changed to help this target.
    """
    raced: Raced = []
    loaded = Loaded(search.plan)
    for faction in search.goal.factions[place]:
        base = search.first[0][0].sums[arm_key(PRINTED)] if search.goal.one and search.first else None
        heats = Heats(search, place, faction, turns_for(search, faction), loaded, search.held, base)
        if search.goal.one and not first_arms(heats):
            name = search.plan.data.factions[faction].name
            raise UserError("no number of this faction can be changed", field="knob", found=name)
        search.expect(search.full * search.off)
        heats.play(PRINTED, search.full)
        numbers, arms = first_rounds(heats, LAST_ROUND_SIZE * search.full, search.off - 1)
        if not search.first:
            search.hints = tuple(hints_of(heats, numbers))
        raced.append((heats, arms))
    search.first = search.first or raced
    return raced


def best_gain(search: ChangeSearch, raced: Raced) -> tuple[Gain | None, str]:
    """Choose among the changes that were played. Try pairs of numbers if no single number is enough.

    Returns
    -------
    gain, reason
        The smallest change that brings the target near enough. If there is none, the change that leaves the smallest
        deviation, provided it removes enough of the deviation. Otherwise `gain` is None, and `reason` says why.
    """
    goal, share, edge = search.goal, search.rule.share, abs(raced[0][0].edge())
    best = last_round(raced, goal.together)
    moves = best is not None and goal.together and best.moved > 0
    if best is None or not best.near or best.fewer or (goal.one and best.removes) or moves:
        for heats, arms in raced:
            arms.extend(pair_round(heats, arms, LAST_ROUND_SIZE, search.off))
        best = last_round(raced, goal.together)
    search.arms += sum(len(heats.arms) for heats, _ in raced)
    if best is None:
        return None, "no printed number of it takes away a part of that"
    if not share and (abs(best.worth) <= best.half or abs(best.off) >= edge):
        number = "further number" if search.held else "number"
        return None, f"no {number} is confirmed to reduce it in {counted(search.full, 'game')}"
    if share and not goal.together and abs(best.off) > (1 - share) * edge:
        return None, f"no printed change takes away a quarter of that; nearest is {arm_words(best.arm)}"
    return best, ""


def turns_for(search: ChangeSearch, faction: int) -> list[Turn]:
    """Return the numbers of a faction with their values after the changes so far.

    If the search is for several factions, the name of each number begins with the faction.
    """
    plan, name = search.plan, search.plan.data.factions[faction].name
    parts = parts_of(plan.game, plan.data, faction) if search.parts is None else search.parts
    turns = changed_already(plan.game, numbers_of_parts(plan.game, plan.data, parts), plan.changes)
    if not search.goal.one:
        turns = [replace(turn, name=f"{name}, {turn.name}") for turn in turns]
    for turn in turns:
        search.printed.setdefault(turn.text, (turn, faction))
    return standing_at(turns, search.held)


def drop_needless(search: ChangeSearch, now: Deviations) -> Deviations:
    """Play the game without each change in turn, and drop the changes that are not needed.

    `now` are the deviations with all changes. Returns the deviations with the changes that remain.
    """
    changes = search.held if len(search.held) > 1 else ()
    search.expect(len(changes) * search.full)
    for change in changes:
        without = tuple(one for one in search.held if one != change)
        then = search.evaluate(without)
        if is_as_good(then, now, search.goal.margin):
            search.held, now = without, then
            search.say(f"{arm_words((change,))} is not needed")
            mark_steps(search, "needless", {turn.text for turn, _ in without}.isdisjoint)
    return now


def is_as_good(then: Deviations, now: Deviations, margin: float) -> bool:
    """Tell whether the deviations `then` are at least as good as the deviations `now`.

    They are if no target is newly beyond the margin, clearly farther beyond it, or newly certain to be beyond it.
    """
    farther = np.abs(then.off) - np.abs(now.off) > MIN_EFFECT_SHARE * margin
    beyond = (np.abs(then.off) > margin) & (farther | ~(np.abs(now.off) > margin))
    return not beyond.any() and not (then.sure(margin) & ~now.sure(margin)).any()


# ---- Confirmation on fresh deals ----


def play_fresh(search: ChangeSearch) -> tuple[tuple[ArmSums, ArmSums], OneFaction | None]:
    """Play the printed and the changed game on the deals of the next seed. For one faction, play the runners-up too."""
    if not search.goal.one:
        search.say("both games on fresh deals")
        return both_games(search, with_fresh_deals(search.plan), search.games), None
    ((heats, arms),) = search.first
    chosen = [search.held] if search.held else []
    others = [arm for arm in runners_up(heats, arms) if arm_key(arm) != arm_key(search.held)]
    played = [*chosen, *others[: search.rule.runners_up]]
    search.say(f"{counted(len(played), 'change')} and the printed game on fresh deals")
    search.expect((1 + len(played)) * search.full)
    fresh = heats.on_fresh_deals()
    for arm in (PRINTED, *chosen):
        fresh.play(arm, search.full)
    played = [*chosen, *fresh.play_all(played[len(chosen) :], search.full)]
    rows = [final_row(fresh, arm, LEFT_ALPHA, REST_ALPHA) for arm in chosen]
    rows += [final_row(fresh, arm) for arm in played[len(chosen) :]]
    frame = pl.DataFrame(rows or [final_row(fresh, PRINTED)], infer_schema_length=None).head(len(rows))
    one = OneFaction(
        name=search.goal.names[0], frame=frame.with_columns(pl.col(pl.Float64).fill_nan(None)),
        tried=tried_rows(heats), hints=search.hints, turned=len(heats.turns),
        pairs=sum(len(arm) == 2 for arm in heats.arms.values()), missed=smallest_detectable_effect(heats),
        coarse=tuple(coarse_words(*pair) for pair in straddling(heats)),
    )  # fmt: skip
    return (fresh.sums[arm_key(PRINTED)], fresh.sums[arm_key(search.held)]), one


def both_games(search: ChangeSearch, plan: Plan, games: int) -> tuple[ArmSums, ArmSums]:
    """Play a game as printed and with the changes of a search. Return the sums of both."""
    search.expect((2 if search.held else 1) * whole_games(plan, games))
    before = search.sums(plan, PRINTED, games)
    return before, search.sums(plan, search.held, games) if search.held else before


def both_deviations(
    goal: Goal, plan: Plan, games: int, before: ArmSums, after: ArmSums, rate: float = LEFT_ALPHA
) -> BeforeAndAfter:
    """Return the deviations from a goal of the printed game (`before`) and of the game with changes (`after`).

    `rate` is the error rate of the limits for the game with changes.
    """
    both = deviations(goal, before, said=REST_ALPHA), deviations(goal, before, after, rate)
    return BeforeAndAfter(player_names(plan), *both, whole_games(plan, games), plan.seed)


def player_names(plan: Plan) -> str:
    """Return the names of the players of a plan."""
    return ", ".join(strategy.name for strategy in plan.strategies)


def runners_up(heats: Heats, arms: Sequence[Arm]) -> list[Arm]:
    """Return the best arm of each number, or pair of numbers, on the deals of the search. The best arm comes first."""
    best: dict[tuple[str, ...], Arm] = {}
    for gain in sorted(map(heats.gain, arms), key=rank_key):
        best.setdefault(tuple(turn.text for turn, _ in gain.arm), gain.arm)
    return list(best.values())


def compare_with_printed(heats: Heats, arm: Arm, rate: float = ALPHA, rest: float = ALPHA) -> dict[str, Any]:
    """Compare an arm with the printed game. Parameters and result are those of `compare_with_base`."""
    sums = heats.sums[arm_key(PRINTED)], heats.sums[arm_key(arm)]
    return compare_with_base(heats.plan, heats.faction, *sums, rate, rest)


def smallest_detectable_effect(heats: Heats) -> float | None:
    """Return the effect that the first round detects with 80 % power, for a number of median precision."""
    halves = [half for arm in heats.arms.values() if arm and math.isfinite(half := heats.gain(arm).half)]
    return POWER_OVER_LIMIT * median(halves) if halves else None


def hints_of(heats: Heats, numbers: Sequence[tuple[Turn, int]]) -> list[str]:
    """Return a hint for each number whose edge changes sign between two tried values: the fair value between them.

    Each number comes with its direction, 1 or -1. Only values in this direction count.
    """
    statements = []
    for turn, side in numbers:
        before, edge, gains = turn.present, heats.edge(), singles_of(heats, turn)
        for value in sorted(gains, reverse=side < 0):
            if (value - turn.present) * side <= 0:
                continue
            after = gains[value].off
            if edge * after < 0:
                between = before + (value - before) * edge / (edge - after)
                statements.append(f"{turn.name} at about {between:.1f} (between {before} and {value})")
                break
            before, edge = value, after
    return statements


def coarse_words(*neighbours: Gain) -> str:
    """Say that a number is too coarse to be fair: which edges two neighbouring values of it leave."""
    turns = {turn.name: turn for gain in neighbours for turn, _ in gain.arm}
    ((name, turn),) = turns.items()
    left = [
        f"{gain.arm[0][1] if gain.arm else turn.present} leaves {points(gain.off)}"
        for gain in sorted(neighbours, key=lambda gain: -gain.off)
    ]
    return f"{name} is too coarse: {left[0]} points and {left[1]}"


def tried_rows(heats: Heats) -> pl.DataFrame:
    """Return the table `OneFaction.tried`, the smallest edges first."""
    names, rows = ("edge", "edge_low", "edge_high", "worth", "low", "high"), []
    for arm in filter(None, heats.arms.values()):
        row = compare_with_printed(heats, arm)
        known = {name: row[name] if math.isfinite(row[name]) else None for name in names}
        rows.append({"change": arm_words(arm), "text": "; ".join(arm_changes(arm)), **known,
                     "games": heats.sums[arm_key(arm)].games})  # fmt: skip
    return pl.DataFrame(rows, infer_schema_length=None).sort(pl.col("edge").abs())


def final_row(fresh: Heats, arm: Arm, rate: float = ALPHA, rest: float = ALPHA) -> dict[str, Any]:
    """Return the row of `OneFaction.frame` on an arm, whose games on fresh deals are in `fresh`.

    The error rates `rate` and `rest` are those of `compare_with_base`.
    """
    row, gain, uses = compare_with_printed(fresh, arm, rate, rest), fresh.gain(arm), fresh.uses(arm)
    used, used_after = min(uses, key=lambda one: one[1] / max(one[0], 1e-9)) if uses else (None, None)
    state = state_of(row["edge_low"], row["edge_high"], fresh.goal.margin)
    near = state == "within" or abs(row["edge"]) <= fresh.goal.margin
    may_be = bool(near or row["edge_low"] <= 0 <= row["edge_high"])
    notes = [FEWER] if may_be and gain.fewer else []
    notes += [f"{SURPRISING}: {surprise_words(fresh.surprises(arm))}"] if gain.surprising else []
    notes += [REMOVES] if gain.removes else []
    return {
        "change": arm_words(arm), "text": "; ".join(arm_changes(arm)), "changes": arm_changes(arm), "numbers": len(arm),
        "state": state, "open": may_be, "used": used, "used_after": used_after, "note": "; ".join(notes),
        "seed": fresh.plan.seed, **row,
    }  # fmt: skip


def surprise_words(surprises: Sequence[tuple[Turn, int, float]]) -> str:
    """Explain what is surprising about a change: 'more of an effect should make it stronger, and it is too strong'.

    `surprises` is from `Heats.surprises`.
    """
    side = ("stronger", "too strong") if surprises[0][2] > 0 else ("weaker", "too weak")
    what = [
        f"{'more' if value > turn.present else 'less'} of {'a price' if turn.weakens > 0 else 'an effect'}"
        for turn, value, _ in surprises
    ]
    return f"{' and '.join(what)} should make it {side[0]}, and it is {side[1]}"
