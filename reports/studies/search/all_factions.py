"""Finds a small set of printed changes that brings all targets within a margin: fair shares for all, or a target file.

The search is greedy. The target that is farthest off gets its best change, or pair of changes, from a race on the same
deals; then the game is played again with all changes so far, since each change moves the other targets too. At the end
the search drops changes that are not needed. The reported figures are from the deals of another seed, which had no part
in the choice, and from a sample with the game's best players.

References
----------
Glasserman, P. and Yao, D. D. (1992). Some guidelines and guarantees for common random numbers. Management Science 38.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from reports.formatting import points
from reports.statistics.core.win_rate import ALPHA
from reports.studies.parts.intervene import changed_plan, without_lessons
from reports.studies.parts.parts import parts_of
from reports.studies.search.block_sums import ArmSums, Watched, compile_players_of, play_sums
from reports.studies.search.checkpoint import SumStore
from reports.studies.search.goals import Deviations, Goal, deviations, fair_goal
from reports.studies.search.one_faction import race_cost
from reports.studies.search.space import (
    Arm,
    Loaded,
    Turn,
    arm_changes,
    arm_words,
    from_printed,
    numbers_of_parts,
    standing_at,
    with_arm,
)
from reports.studies.search.successive_halving import (
    LAST_ROUND_SIZE,
    MIN_EFFECT_SHARE,
    PRINTED,
    Gain,
    Heats,
    Progress,
    Say,
    SearchRequest,
    check_race_games,
    first_arms,
    first_rounds,
    is_near,
    last_round,
    pair_round,
    whole_games,
    with_fresh_deals,
)
from sim.players.batch import Plan
from sim.runs.run import time_words

SAMPLE_ALPHA = ALPHA / 4
"""Error rate of each of four samples: as printed, with the changes, with the best players, and factions without a
target."""
MAX_VISITS = 2
"""Most changes made for one target."""


@dataclass(frozen=True)
class Step:
    """One step of the search.

    Attributes
    ----------
    name, off
        The target that was farthest off, and its deviation.
    gain
        The change made for it, and its effect on the deals of the search.
    outcome
        "kept", "needless" if all targets are as near without it, "harmful" if other targets moved away as far,
        "replaced" if a later step changed the same number.
    """

    name: str
    off: float
    gain: Gain
    outcome: str = "kept"


@dataclass(frozen=True)
class BeforeAndAfter:
    """The printed and the changed game on the same deals: players, deviations of both, games of each, and the seed."""

    players: str
    before: Deviations
    after: Deviations
    games: int
    seed: int


@dataclass(frozen=True)
class ChangeSet:
    """Result of a search for a set of changes.

    Attributes
    ----------
    goal
        The targets.
    arm
        The changes, from the printed values.
    owners
        For each change the name of its faction.
    steps
        Steps of the search.
    stuck
        By name of a target, why the search gave it up.
    searched
        Deviations of the changed game on the deals of the search.
    fresh
        Both games on fresh deals, with the same players.
    top
        The same with the best players of the game's ladder; None if not requested.
    others
        Factions without a target, on the same fresh deals, compared with their fair shares; None if there are none or
        the goal is not fairness.
    plan
        The printed game.
    arms, played
        Arms that the search played, and their games.
    """

    goal: Goal
    arm: Arm
    owners: tuple[str, ...]
    steps: tuple[Step, ...]
    stuck: dict[str, str]
    searched: Deviations
    fresh: BeforeAndAfter
    top: BeforeAndAfter | None
    plan: Plan
    arms: int
    played: int
    others: tuple[Goal, BeforeAndAfter] | None = None


@dataclass
class ChangeSearch(SearchRequest):
    """A running search: the changes made, the steps so far, the targets it gave up, and the number of arms it played.

    `off` counts the targets that are confirmed off and not given up.
    """

    held: Arm = PRINTED
    steps: list[Step] = field(default_factory=list)
    stuck: dict[str, str] = field(default_factory=dict)
    printed: dict[str, tuple[Turn, int]] = field(default_factory=dict)
    arms: int = 0
    off: int = 0

    def evaluate(self, held: Arm) -> Deviations:
        """Play the game with some changes on the deals of the search and return its deviations."""
        self.arms += 1
        return deviations(self.goal, self.sums(self.plan, held, self.games))

    def sums(self, plan: Plan, held: Arm, games: int) -> ArmSums:
        """Play a game with some changes."""
        arm = changed_plan(plan, arm_changes(held)) if held else plan
        watched = Watched(self.goal.factions[0][0], (), self.goal.pairs)
        return play_sums(
            arm, watched, 0, whole_games(plan, games), jobs=self.jobs, progress=self.count, store=self.store
        )

    def so_far(self) -> str:
        """Say what an interrupted search has found."""
        if not self.held:
            return "no change was found yet"
        return f"found so far, not confirmed on fresh deals: {'; '.join(arm_words((one,)) for one in self.held)}"


def change_set(
    plan: Plan,
    goal: Goal,
    games: int,
    top: tuple[Plan, int] | None = None,
    *,
    measure: Callable[[Plan], float] | None = None,
    jobs: int = -1,
    say: Say = lambda text: None,
    progress: Progress = lambda games: None,
    expect: Progress = lambda games: None,
    store: SumStore | None = None,
) -> ChangeSet:
    """Search a small set of printed changes that brings all targets within the margin.

    Parameters
    ----------
    plan
        Who meets and what is dealt, as printed.
    goal
        The targets and the margin.
    games
        Games of each set, and of the last round of each race.
    top
        The same plan with the best players, and their games of each arm; None to leave them out.
    measure
        Returns the seconds that a game of a plan takes here, for a forecast; None for no forecast.

    Raises
    ------
    UserError
        The games are too few for any interval.
    KeyboardInterrupt
        It was interrupted; the error says what was found so far.
    """
    check_race_games(plan, games)
    rows = rows_of_factions(plan)
    plan, top = without_lessons(plan, rows), None if top is None else (without_lessons(top[0], rows), top[1])
    compile_players_of([plan], say)
    search = ChangeSearch(plan, goal, games, jobs, say, progress, expect, store)
    try:
        return run_search(search, top, measure)
    except KeyboardInterrupt as error:
        raise KeyboardInterrupt(search.so_far()) from error


def rows_of_factions(plan: Plan) -> list[str]:
    """Return the rows of all factions as `FILE#ROW`."""
    if plan.game.faction_place is None:
        return []
    return ["#".join(plan.game.faction_place(plan.data, number)) for number in plan.factions]


def run_search(
    search: ChangeSearch, top: tuple[Plan, int] | None, measure: Callable[[Plan], float] | None
) -> ChangeSet:
    """Run a search; see `change_set`."""
    plan, goal, games, say = search.plan, search.goal, search.games, search.say
    now = search.evaluate(PRINTED)
    place = farthest_off(search, now)
    if place is not None and measure is not None:
        say(f"this search takes {time_words(search_seconds(search, place, top, measure))}")
    while place is not None:
        now = take_step(search, place, now)
        place = farthest_off(search, now)
    searched, played = drop_needless(search, now), search.played
    say("both games on fresh deals")
    search.expect(2 * search.full)
    anew = with_fresh_deals(plan)
    sums = both_games(search, anew, games)
    rest = [number for number in plan.factions if number not in goal.shares]
    others = None
    if goal.fair and rest:
        of_rest = fair_goal(plan, goal.margin, rest)
        others = of_rest, both_deviations(of_rest, anew, games, *sums)
    best = None
    if top is not None:
        best_plan, best_games = top
        compile_players_of([best_plan], say)
        say(f"both games with {player_names(best_plan)} in all seats, {whole_games(best_plan, best_games)} games each")
        search.expect(2 * whole_games(best_plan, best_games))
        best_anew = with_fresh_deals(best_plan)
        best = both_deviations(goal, best_anew, best_games, *both_games(search, best_anew, best_games))
    factions = [search.printed[turn.text][1] for turn, _ in search.held]
    return ChangeSet(
        goal=goal, arm=search.held, owners=tuple(plan.data.factions[number].name for number in factions),
        steps=tuple(search.steps), stuck=search.stuck, searched=searched,
        fresh=both_deviations(goal, anew, games, *sums), top=best, plan=plan, arms=search.arms, played=played,
        others=others,
    )  # fmt: skip


def search_seconds(
    search: ChangeSearch, place: int, top: tuple[Plan, int] | None, measure: Callable[[Plan], float]
) -> float:
    """Return about how long a search takes if each target that is off needs as long a race as the first."""
    faction = search.goal.factions[place][0]
    began = time.perf_counter()
    heats = Heats(search, place, faction, turns_for(search, faction), Loaded(search.plan.game, search.plan.data))
    first_arms(heats)
    one = race_cost(heats, 0.0, time.perf_counter() - began, measure).seconds(search, quick=True, late=True)
    last = 0.0 if top is None else 2 * whole_games(*top) * measure(top[0])
    return search.off * len(search.goal.factions[place]) * one + last


def both_games(search: ChangeSearch, plan: Plan, games: int) -> tuple[ArmSums, ArmSums]:
    """Play a game as printed and with the changes of a search."""
    before = search.sums(plan, PRINTED, games)
    return before, search.sums(plan, search.held, games) if search.held else before


def both_deviations(goal: Goal, plan: Plan, games: int, before: ArmSums, after: ArmSums) -> BeforeAndAfter:
    """Return the deviations of a game from a goal, as printed and with changes."""
    both = deviations(goal, before, said=SAMPLE_ALPHA), deviations(goal, before, after, SAMPLE_ALPHA)
    return BeforeAndAfter(player_names(plan), *both, whole_games(plan, games), plan.seed)


def player_names(plan: Plan) -> str:
    """Return the names of the players of a plan."""
    return ", ".join(strategy.name for strategy in plan.strategies)


def farthest_off(search: ChangeSearch, now: Deviations) -> int | None:
    """Return the target to work on next: the farthest that is confirmed off and not given up, or None."""
    goal = search.goal
    open_places = [
        place for place in np.flatnonzero(now.sure(goal.margin)).tolist() if goal.names[place] not in search.stuck
    ]
    for place in list(open_places):
        name = goal.names[place]
        if sum(step.name == name and step.outcome != "harmful" for step in search.steps) >= MAX_VISITS:
            search.stuck[name] = f"{MAX_VISITS} steps of the search were not enough"
            open_places.remove(place)
    search.off = len(open_places)
    return max(open_places, key=lambda place: abs(now.off[place]), default=None)


def take_step(search: ChangeSearch, place: int, now: Deviations) -> Deviations:
    """Make the change that helps one target most, if any does; return the deviations of the game after it.

    If that change moves other targets away as far, as with a card that two sides share, the change that leaves the
    smallest total excess replaces it.
    """
    goal, name, off = search.goal, search.goal.names[place], float(now.off[place])
    more = f", the first of {search.off} that are confirmed off" if search.off > 1 else ""
    search.say(f"{name} is farthest off ({points(off)} points){more}: trying its numbers")
    raced = race_for(search, place)
    gain, nearest = best_gain(search, raced)
    if gain is None:
        search.stuck[name] = nearest
        return now
    then = search.evaluate(with_gain(search, gain))
    if then.excess(goal.margin) >= now.excess(goal.margin):
        search.steps.append(Step(name, off, gain, "harmful"))
        search.say(f"{arm_words(gain.arm)} moves others out of balance as far: looking for a change that helps all")
        harmful, gain = gain, last_round(raced, together=True)
        then = now if gain is None or gain.arm == harmful.arm else search.evaluate(with_gain(search, gain))
        if gain is None or then.excess(goal.margin) >= now.excess(goal.margin):
            search.stuck[name] = (
                f"the change that helps it most ({arm_words(harmful.arm)}) moves others out of balance as far"
            )
            return now
    held = with_gain(search, gain)
    turned = {turn.text for turn, _ in gain.arm}
    search.steps = [
        replace(step, outcome="replaced")
        if step.outcome == "kept" and {turn.text for turn, _ in step.gain.arm} <= turned
        else step
        for step in search.steps
    ]
    search.held = held
    search.steps.append(Step(name, off, gain))
    search.say(f"{arm_words(gain.arm)}: {points(float(then.off[place]))} points are left")
    return then


def with_gain(search: ChangeSearch, gain: Gain) -> Arm:
    """Return the changes already made together with a new one."""
    return from_printed({text: turn for text, (turn, _) in search.printed.items()}, with_arm(search.held, gain.arm))


def race_for(search: ChangeSearch, place: int) -> list[tuple[Heats, list[Arm]]]:
    """Play the first two rounds of the numbers that may help one target."""
    raced: list[tuple[Heats, list[Arm]]] = []
    loaded = Loaded(search.plan.game, search.plan.data)
    for faction in search.goal.factions[place]:
        heats = Heats(search, place, faction, turns_for(search, faction), loaded, search.held)
        heats.play(PRINTED, search.full)
        raced.append((heats, first_rounds(heats, (LAST_ROUND_SIZE + 1) * search.full, search.off - 1)[1]))
    return raced


def best_gain(search: ChangeSearch, raced: list[tuple[Heats, list[Arm]]]) -> tuple[Gain | None, str]:
    """Choose among the raced numbers, and try pairs of them if no single one is enough.

    Returns
    -------
    The smallest change that brings the target within the margin, else the one that leaves least if it removes a quarter
    of the deviation; and the reason if there is none.
    """
    goal = search.goal
    best = last_round(raced, goal.together)
    if best is None or not is_near(best, goal.margin) or (goal.together and best.moved > 0):
        for heats, arms in raced:
            arms.extend(pair_round(heats, arms, LAST_ROUND_SIZE, search.off))
        best = last_round(raced, goal.together)
    search.arms += sum(len(heats.arms) for heats, _ in raced)
    if best is None:
        return None, "no printed number of it takes away a part of that"
    if not goal.together and abs(best.off) > (1 - MIN_EFFECT_SHARE) * abs(raced[0][0].edge()):
        return None, f"no printed change takes away a quarter of that; nearest is {arm_words(best.arm)}"
    return best, ""


def turns_for(search: ChangeSearch, faction: int) -> list[Turn]:
    """Return the numbers of a faction with full names and their current values."""
    plan, name = search.plan, search.plan.data.factions[faction].name
    turns = numbers_of_parts(plan.game, plan.data, parts_of(plan.game, plan.data, faction))
    turns = [replace(turn, name=f"{name}, {turn.name}") for turn in turns]
    for turn in turns:
        search.printed.setdefault(turn.text, (turn, faction))
    return standing_at(turns, search.held)


def drop_needless(search: ChangeSearch, now: Deviations) -> Deviations:
    """Play the game without each change of the set and drop those that are not needed; return the final deviations."""
    for change in search.held if len(search.held) > 1 else ():
        without = tuple(one for one in search.held if one != change)
        then = search.evaluate(without)
        if is_as_good(then, now, search.goal.margin):
            search.held, now = without, then
            search.say(f"{arm_words((change,))} is not needed")
            left = {turn.text for turn, _ in without}
            search.steps = [
                replace(step, outcome="needless")
                if step.outcome == "kept" and not any(turn.text in left for turn, _ in step.gain.arm)
                else step
                for step in search.steps
            ]
    return now


def is_as_good(then: Deviations, now: Deviations, margin: float) -> bool:
    """Whether no target is newly beyond the margin or newly sure to be off."""
    beyond = (np.abs(then.off) > margin) & ~(np.abs(now.off) > margin)
    return not beyond.any() and not (then.sure(margin) & ~now.sure(margin)).any()
