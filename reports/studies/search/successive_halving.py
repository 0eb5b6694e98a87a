"""Successive halving over printed numbers: many values play few games each, and the best of them play more.

All values are played on the same deals. They serve one goal, such as the fair share of a faction.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product, zip_longest

import numpy as np

from reports.formatting import count, counted, round_up
from reports.studies.parts.explain_parts import MIN_BLOCKS, use_share
from reports.studies.parts.parts import Part, relatives
from reports.studies.search.block_sums import (
    ArmSums,
    PackedSums,
    ReferenceArm,
    Watched,
    concat_sums,
    play_sums,
    shows_in_rows,
)
from reports.studies.search.checkpoint import SumStore
from reports.studies.search.goals import Goal, deviations
from reports.studies.search.space import (
    LARGE_STEP,
    Arm,
    Loaded,
    Turn,
    arm_changes,
    arm_words,
    first_values,
    fits_game,
    steps_of_arm,
    with_arm,
)
from sim.data.changes import with_later
from sim.errors import UserError
from sim.game import Data
from sim.players.batch import Plan
from sim.runs.store.manifest import MAX_SEED

FIRST_ROUND, SECOND_ROUND = 8, 3
"""The first round plays an eighth of the games of the last round, and the second round plays a third."""
MIN_EFFECT_SHARE = 0.25
"""A number stays in the search if a change of it may remove at least this share of the edge."""
SECOND_ROUND_SIZE = 10
"""Maximum number of numbers in the second round."""
SECOND_ROUND_STEPS = 4
"""Number of values of each number in the second round."""
PAIRED, PAIR_VALUES = 4, 2
"""The best `PAIRED` numbers are combined in pairs, and `PAIR_VALUES` values of each pair are played."""
CORRECTED = 8
"""Maximum number of pairs of a number that is too coarse and another number that corrects it."""
MIN_USE_SHARE = 0.5
"""A change that leaves a part with less than this share of its users helps only because fewer seats have the part."""
LAST_ROUND_SIZE = 3
"""Number of changes that play all games before one of them is chosen."""
PRINTED: Arm = ()

Key = tuple[tuple[str, int], ...]
Say = Callable[[str], None]
Progress = Callable[[int], None]


@dataclass
class SearchRequest:
    """What a search plays, how many games it plays, and where it reports progress.

    `plan` is the printed game, and `goal` has the targets to reach. Each arm plays `games` games in the last round.
    `played` counts the games finished so far. `progress` takes the number of games just finished, and `expect` the
    largest number of games still to come, as far as it is known. `store` keeps sums, see `play_sums`.
    """

    plan: Plan
    goal: Goal
    games: int
    jobs: int = -1
    say: Say = lambda text: None
    progress: Progress = lambda games: None
    expect: Progress = lambda games: None
    store: SumStore | None = None
    played: int = 0

    @property
    def full(self) -> int:
        """Number of games in the last round, in whole blocks."""
        return whole_games(self.plan, self.games)

    def round_games(self, divisor: int) -> int:
        """Return the number of games of a round: `games` divided by `divisor`, but at least enough for intervals."""
        return whole_games(self.plan, max(self.games // divisor, MIN_BLOCKS * self.plan.block_games))

    def count(self, games: int) -> None:
        """Count finished games and report them."""
        self.played += games
        self.progress(games)


def with_fresh_deals(plan: Plan) -> Plan:
    """Return a plan with the deals of the next seed."""
    return replace(plan, seed=next_seed(plan.seed))


def next_seed(seed: int, further: int = 1) -> int:
    """Return the seed that is `further` seeds after a seed. After the largest seed comes 0."""
    return (seed + further) % (MAX_SEED + 1)


@dataclass(frozen=True)
class Gain:
    """The effect of an arm on the goal.

    Attributes
    ----------
    off
        The deviation from the target that remains.
    worth, half
        How much of the deviation the arm removes, and half the 95 % interval of this amount. `half` is infinite if
        there are too few blocks.
    excess, moved
        How far all targets together lie beyond the margin, and how much of that is in targets that the arm moves.
    sure
        Whether the simultaneous interval of `off` lies within the margin.
    near
        Whether the deviation lies within the margin. For one faction, also whether its interval contains 0.
    fewer
        Whether fewer than half as many seats as before have a changed part.
    removes
        Whether the arm removes an effect.
    surprising
        Whether the kind of number suggests that the change makes a strong faction stronger, or a weak one weaker.
    """

    arm: Arm
    off: float
    worth: float
    half: float
    excess: float
    moved: float
    sure: bool
    near: bool
    fewer: bool
    removes: bool
    surprising: bool


class Heats:
    """The arms of one step of a search, with the sums of the games that each has played so far.

    The step is about one target, with the index `place`. Its arms change numbers (`turns`) of one faction.

    `held` are the changes of earlier steps. All arms include them. If an arm changes one of these numbers again, its
    change replaces the earlier one. Here, "the printed game" is the game with only the changes `held`.

    `printed` has sums of the game without any changes, or None. It is given only if the changes are all to this
    faction, because games without the faction are then the same and can be reused.

    Some arms are pairs of numbers in which the second one corrects the first. `corrected` has for each such arm how far
    the target is off if only the first number is changed.
    """

    def __init__(
        self,
        search: SearchRequest,
        place: int,
        faction: int,
        turns: Sequence[Turn],
        loaded: Loaded,
        held: Arm = PRINTED,
        printed: ArmSums | None = None,
    ) -> None:
        self.search, self.plan, self.goal = search, search.plan, search.goal
        self.place, self.faction, self.turns, self.loaded = place, faction, list(turns), loaded
        self.held, self.printed = held, printed
        self.watched = list({turn.part.name: turn.part for turn in turns if shows_in_rows(turn.part)}.values())
        self.sums = PackedSums()
        self.arms: dict[Key, Arm] = {}
        self.corrected: dict[Key, float] = {}

    def on_fresh_deals(self) -> Heats:
        """Return new `Heats` for the same numbers, without sums or changes `held`, on the deals of the next seed."""
        search = replace(self.search, plan=with_fresh_deals(self.plan))
        fresh = Heats(search, self.place, self.faction, self.turns, self.loaded)
        fresh.corrected = self.corrected
        return fresh

    def play(self, arm: Arm, games: int) -> ArmSums:
        """Play an arm until it has `games` games, and return its sums."""
        key = arm_key(arm)
        before = self.sums.get(key)
        result = 0 if before is None else before.games
        if result < games:
            plan = self.changed(arm)
            watched = Watched(self.faction, self.parts_watched(arm), self.goal.pairs)
            printed, factions = self.printed, relatives(plan.game, plan.data, self.faction)
            if arm:
                printed = self.sums.get(arm_key(PRINTED))
            more = play_sums(
                plan, watched, result, games - result, jobs=self.search.jobs, progress=self.search.count,
                store=self.search.store,
                reference=None if printed is None else ReferenceArm(printed, factions),
            )  # fmt: skip
            self.sums[key] = more if before is None else concat_sums([before, more])
            self.arms[key] = arm
        return self.sums[key]

    def play_all(self, arms: Sequence[Arm], games: int) -> list[Arm]:
        """Play the printed game and some arms until each has `games` games. Return the arms that can be played."""
        self.play(PRINTED, games)
        return [arm for arm in arms if self.can_be_played(arm, games)]

    def can_be_played(self, arm: Arm, games: int) -> bool:
        """Play an arm until it has `games` games. Tell whether its games can be played to the end.

        A game in plain Python does not say which values make sense. If nobody can move, for example, it never ends.
        An error of any other game is raised, because it is a bug of this program.
        """
        try:
            self.play(arm, games)
        except UserError as error:
            if self.plan.game.plain is None:
                raise
            self.search.say(f"left out: {arm_words(arm)} ({error})")
            return False
        return True

    def tables(self, arm: Arm) -> Data | None:
        """Return the game's tables with the changes of an arm and those of earlier steps (`held`).

        None if the game does not accept them.
        """
        return self.loaded.tables(arm_changes(with_arm(self.held, arm)))

    def changed(self, arm: Arm) -> Plan:
        """Return the plan of the game with the changes of an arm. The game must accept the arm."""
        data, texts = self.tables(arm), arm_changes(with_arm(self.held, arm))
        assert data is not None, "arms are made of values that fit"
        return replace(self.plan, data=data, changes=with_later(self.plan.changes, texts))

    def parts_watched(self, arm: Arm) -> tuple[Part, ...]:
        """Return the parts whose use is counted: those that an arm changes, or all in the printed game."""
        named = {turn.part.name for turn, _ in arm}
        return tuple(part for part in self.watched if not arm or part.name in named)

    def gain(self, arm: Arm) -> Gain:
        """Return the effect of an arm compared with the printed game, from the games played so far."""
        base, after = self.sums[arm_key(PRINTED)], self.sums[arm_key(arm)]
        result = deviations(self.goal, base, after)
        place = self.place
        half = float(result.change_high[place] - result.change[place])
        few = len(base.wins) < MIN_BLOCKS or math.isnan(half)
        off, margin = float(result.off[place]), self.goal.margin
        maybe = self.goal.one and result.low[place] <= 0 <= result.high[place]
        return Gain(
            arm=arm, off=off, worth=float(-result.change[place]), half=math.inf if few else half,
            excess=result.excess(margin), moved=result.excess(margin, moved=True),
            sure=result.states(margin)[place] == "within", near=bool(abs(off) <= margin or maybe),
            fewer=any(after < MIN_USE_SHARE * before for before, after in self.uses(arm)),
            removes=any(turn.is_removed(value) for turn, value in arm), surprising=bool(self.surprises(arm)),
        )  # fmt: skip

    def surprises(self, arm: Arm) -> list[tuple[Turn, int, float]]:
        """Return the numbers that an arm changes in a surprising direction: number, value, and the edge to reduce."""
        edges = [self.edge()] * len(arm)
        if arm_key(arm) in self.corrected:
            edges[1] = self.corrected[arm_key(arm)]
        # For the second faction of a pair, a value above the target means that it is too weak.
        weight = 1 if self.goal.factions[self.place][0] == self.faction else -1
        return [
            (turn, value, edge)
            for (turn, value), edge in zip(arm, edges, strict=True)
            if turn.surprises(value, edge * weight)
        ]

    def edge(self) -> float:
        """Return the deviation from the target with the changes already made."""
        return float(deviations(self.goal, self.sums[arm_key(PRINTED)]).off[self.place])

    def uses(self, arm: Arm) -> list[tuple[float, float]]:
        """Return for each changed part the share of the faction's seats that have it, before and after the change.

        Parts whose use is not recorded are left out.
        """
        parts = self.parts_watched(arm) if arm else ()
        base, after = self.sums[arm_key(PRINTED)], self.sums[arm_key(arm)]
        return [
            (use_share(base, self.watched.index(part)), use_share(after, number)) for number, part in enumerate(parts)
        ]


def arm_key(arm: Arm) -> Key:
    """Return the numbers and values of an arm as a key for dictionaries."""
    return tuple((turn.text, value) for turn, value in arm)


def whole_games(plan: Plan, games: int) -> int:
    """Round games down to whole blocks, at least one."""
    return max(games // plan.block_games, 1) * plan.block_games


def first_arms(heats: Heats) -> list[Arm]:
    """Return the arms of the first round: each number changed by a small and by a larger step in both directions."""
    return [((turn, value),) for turn in heats.turns for value in first_values(heats.loaded, turn, heats.held)]


def promising(heats: Heats, arms: Sequence[Arm]) -> list[tuple[Turn, int]]:
    """Return the numbers that may reduce the edge enough, each with the direction that helps (1 or -1), best first."""
    edge = heats.edge()
    sign = 1 if edge > 0 else -1
    best: dict[str, tuple[float, Turn, int]] = {}
    for arm in arms:
        ((turn, value),) = arm
        gain = heats.gain(arm)
        half = 0.0 if math.isinf(gain.half) else gain.half
        helps = sign * gain.worth
        if helps > best.get(turn.text, (0.0,))[0] and helps + half >= MIN_EFFECT_SHARE * abs(edge):
            best[turn.text] = helps, turn, 1 if value > turn.present else -1
    ordered = sorted(best.values(), key=lambda one: -one[0])[:SECOND_ROUND_SIZE]
    return [(turn, side) for _, turn, side in ordered]


def second_arms(heats: Heats, numbers: Sequence[tuple[Turn, int]]) -> list[Arm]:
    """Return the arms of the second round: several steps of each remaining number in the direction that helps."""
    arms: list[Arm] = []
    for turn, side in numbers:
        values = [turn.present + side * size for size in range(1, max(SECOND_ROUND_STEPS, LARGE_STEP) + 1)]
        arms += [((turn, value),) for value in values if fits_game(heats.loaded, turn, value, heats.held)]
    return arms


def pair_arms(heats: Heats, singles: Sequence[Arm]) -> list[Arm]:
    """Return arms that change two of the most helpful numbers, with a total effect that should reach the margin.

    For each pair of numbers, these are the few pairs of values that are expected to come nearest to the target. If
    several should lie within the margin, those with the fewest steps come first.
    """
    edge, margin = heats.edge(), heats.goal.margin
    sign = 1 if edge > 0 else -1
    gains = [gain for arm in singles if sign * (gain := heats.gain(arm)).worth > 0]
    most: dict[str, float] = {}
    for gain in gains:
        text = gain.arm[0][0].text
        most[text] = max(most.get(text, 0.0), sign * gain.worth)
    best = sorted(most, key=lambda text: -most[text])[:PAIRED]
    arms: list[Arm] = []
    for one, other in combinations(best, 2):
        own = ([gain for gain in gains if gain.arm[0][0].text == text] for text in (one, other))
        pairs = [(edge - a.worth - b.worth, (*a.arm, *b.arm)) for a, b in product(*own)]
        pairs.sort(key=lambda pair: (
            abs(pair[0]) > margin, steps_of_arm(pair[1]) if abs(pair[0]) <= margin else 0, abs(pair[0])
        ))  # fmt: skip
        arms += [arm for _, arm in pairs[: 2 * PAIR_VALUES] if heats.tables(arm) is not None][:PAIR_VALUES]
    return arms


def straddling(heats: Heats) -> list[tuple[Gain, Gain]]:
    """Return pairs of neighbouring values of a number that leave deviations of opposite signs.

    Neither deviation is near enough to the target. Nothing between the two values can be printed. In each pair, the
    better value comes first. Pairs are sorted by their better value, the best first.
    """
    found = []
    for turn in heats.turns:
        gains = {turn.present: heats.gain(PRINTED), **singles_of(heats, turn)}
        pairs = [(gain, gains[value + 1]) for value, gain in gains.items() if value + 1 in gains]
        found += [sorted(pair, key=lambda gain: abs(gain.off)) for pair in pairs
                  if pair[0].off * pair[1].off < 0 and not (pair[0].near or pair[1].near)]  # fmt: skip
    return sorted(((near, far) for near, far in found), key=lambda pair: abs(pair[0].off))


def singles_of(heats: Heats, turn: Turn) -> dict[int, Gain]:
    """Return the gains of the arms that change only this number, by value."""
    singles = [arm for arm in heats.arms.values() if len(arm) == 1 and arm[0][0].text == turn.text]
    return {arm[0][1]: heats.gain(arm) for arm in singles}


def correcting_arms(heats: Heats) -> list[Arm]:
    """Return pairs: a number whose values straddle the target, and a number that removes the deviation that is left.

    Alone, the second number may act in the wrong direction. Then the first round has dropped it.
    """
    found = [[] if gain.arm == PRINTED else corrections(heats, gain) for pair in straddling(heats)[:1] for gain in pair]
    arms = [arm for both in zip_longest(*found) for arm in both if arm is not None][:CORRECTED]
    for arm in arms:
        heats.corrected[arm_key(arm)] = heats.gain(arm[:1]).off
    return arms


def corrections(heats: Heats, first: Gain) -> list[Arm]:
    """Return pairs of `first` and a change that reduces the deviation left by `first`, the clearest effects first."""
    found: list[tuple[float, list[Arm]]] = []
    left, ((own, _),) = first.off, first.arm
    sign = 1 if left > 0 else -1
    for turn, side in product((turn for turn in heats.turns if turn.text != own.text), (-1, 1)):
        gains = {side * (value - turn.present): gain for value, gain in singles_of(heats, turn).items()}
        sizes = sorted(size for size in gains if size > 0)
        best = max((gains[size] for size in sizes), key=lambda gain: sign * gain.worth, default=None)
        if best is None or sign * best.worth <= 0 or sign * best.worth + best.half < MIN_EFFECT_SHARE * abs(left):
            continue
        worths = [0.0, *(gains[size].worth for size in sizes)]
        rest = {size: abs(left - float(np.interp(size, [0, *sizes], worths)))
                for size in range(1, SECOND_ROUND_STEPS + 1)}  # fmt: skip
        pairs: list[Arm] = [
            (*first.arm, (turn, turn.present + side * size)) for size in sorted(rest, key=rest.__getitem__)
        ]
        fits = [arm for arm in pairs if turn.takes(arm[1][1]) and heats.tables(arm) is not None]
        found.append((sign * best.worth / max(best.half, 1e-9), fits[:PAIR_VALUES]))
    return [arm for _, arms in sorted(found, key=lambda one: -one[0]) for arm in arms]


def rank_key(gain: Gain, together: bool = False) -> tuple[object, ...]:
    """Return a sort key that puts the best change first.

    Changes that bring the target near enough come first. They are ranked by these criteria in turn: changed parts stay
    in use, no effect is removed, the direction is as expected, few numbers are changed, the result is confirmed within
    the margin, few steps are needed. All other changes follow, ranked by the deviation that remains. With `together`, a
    change is near enough if no target that it moves is beyond the margin, and the others are ranked by the excess over
    all targets.
    """
    if together and gain.moved > 0:
        return (True, gain.excess)
    if not together and not gain.near:
        return (True, abs(gain.off))
    small = steps_of_arm(gain.arm) if gain.sure else 0
    left = gain.excess if gain.sure else abs(gain.off)
    return (False, gain.fewer, gain.removes, gain.surprising, len(gain.arm), not gain.sure, small, left)


def last_round(raced: Sequence[tuple[Heats, Sequence[Arm]]], together: bool = False) -> Gain | None:
    """Play the best changes for all games, and return the best of them. None if none can be played.

    Changes that were chosen on few games look too good on these games. With `together`, changes are judged by all
    targets, see `rank_key`. Then only changes that help the target of this step take part, because a change without any
    effect could rank first among all.
    """
    gains = [(heats, heats.gain(arm)) for heats, arms in raced for arm in arms]
    if together:
        gains = [(heats, gain) for heats, gain in gains if gain.worth * heats.edge() > 0]
    gains.sort(key=lambda one: rank_key(one[1], together))
    replayed = []
    for heats, gain in gains[:LAST_ROUND_SIZE]:
        if heats.can_be_played(gain.arm, heats.search.full):
            replayed.append(heats.gain(gain.arm))
    return min(replayed, key=lambda gain: rank_key(gain, together), default=None)


def first_rounds(heats: Heats, after: int = 0, others: int = 0) -> tuple[list[tuple[Turn, int]], list[Arm]]:
    """Play the first two rounds. Return the remaining numbers with their directions, and the arms of the second round.

    Parameters
    ----------
    after
        Number of games that the best arms play after these rounds.
    others
        Number of steps after this one. The forecast assumes that none takes longer than this step.
    """
    search, first = heats.search, first_arms(heats)
    each, again = search.round_games(FIRST_ROUND), search.round_games(SECOND_ROUND)
    most = each * len(first) + again * (1 + SECOND_ROUND_STEPS * min(len(heats.turns), SECOND_ROUND_SIZE)) + after
    size = f"{counted(len(heats.turns), 'number')}, {counted(len(first), 'value')} in the first round"
    search.say(f"{size}: up to {count(round_up(most))} games until the best are known")
    search.expect(most * (1 + others))
    first = heats.play_all(first, each)
    numbers = promising(heats, first)
    second = second_arms(heats, numbers)
    remaining = f"{len(numbers)} of {counted(len(heats.turns), 'number')} stay in the search"
    search.say(f"{remaining}, with {counted(len(second), 'value')}")
    search.expect(again * (1 + len(second)) + after + most * others)
    return numbers, heats.play_all(second, again)


def pair_round(heats: Heats, singles: Sequence[Arm], after: int, races: int = 1) -> list[Arm]:
    """Play arms that change two numbers, and return them: pairs of helpful changes, and corrections of coarse numbers.

    Parameters
    ----------
    after
        Number of arms that play all games after this round.
    races
        Number of steps still to come, including this one. The forecast assumes that none takes longer than this step.
    """
    search, pairs = heats.search, pair_arms(heats, singles)
    known = {frozenset(arm_key(arm)) for arm in pairs}
    pairs += [arm for arm in correcting_arms(heats) if frozenset(arm_key(arm)) not in known]
    each = search.round_games(SECOND_ROUND)
    most = len(pairs) * each + after * search.full
    size = f"{counted(len(pairs), 'pair')} of changes, up to {count(round_up(most))} games"
    search.say(f"no single change is enough: {size}")
    search.expect(most * races)
    return heats.play_all(pairs, each)
