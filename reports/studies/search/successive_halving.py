"""Heats of a race: values of printed numbers on the same deals, few games for many and more for the best.

A heat knows one thing that is wanted, such as the fair share of a faction, and which numbers may bring it nearer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

from reports.formatting import count, counted, round_up
from reports.studies.parts.explain_parts import LEAST_BLOCKS, usage
from reports.studies.parts.parts import Part, kin_of
from reports.studies.search.block_sums import ArmSums, HeldSums, OtherArm, Watched, play_sums, told_by_rows
from reports.studies.search.checkpoint import SumStore
from reports.studies.search.goals import Goal, offs
from reports.studies.search.space import LARGE, Arm, Loaded, Turn, first_values, fits, steps_of_arm, texts_of, with_arm
from sim.game import Data
from sim.players.batch import Plan

FIRST, SECOND = 8, 3
"""Parts of the games of the last heat that the first and the second play."""
HOPE = 0.25
"""A number goes on if its changes may take away so much of the edge."""
GO_ON = 10
"""Numbers that the second heat plays at most."""
STEPS = 4
"""Steps of a number that the second heat plays."""
PAIRED, PAIR_VALUES = 4, 2
"""Numbers that are tried in pairs, those that help most, and values of each pair that are played."""
UNUSED = 0.5
"""A change that leaves less than this part of those who had a component works by its not being had."""
LAST = 3
"""Changes that a race plays on to all games, the best ones, before it takes one."""
PRINTED: Arm = ()

Key = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Gain:
    """What an arm does to the thing wanted.

    Attributes
    ----------
    arm
        What it changes.
    off
        How far off it is then, from what is wanted.
    worth, half
        What the arm takes away, and half the 95 % interval of that; infinite where the blocks are too few.
    excess, moved
        By how much all that is wanted is beyond the margin then, together; and all of that which the arm moves.
    sure
        Whether its interval, one of all that is wanted at once, lies within the margin.
    fewer
        Whether less than half as many seats as before have a component that the arm changes.
    surprising
        Whether it makes stronger what is too strong, by what kind of number it turns, or the reverse.
    """

    arm: Arm
    off: float
    worth: float
    half: float
    excess: float
    moved: float
    sure: bool
    fewer: bool
    surprising: bool


class Heats:
    """Arms on the same deals, each played as far as it was asked for.

    Parameters
    ----------
    plan
        The printed game.
    goal, place
        What is wanted, and the place in it of what these heats are about.
    faction
        Whose numbers are turned.
    turns
        Its numbers.
    loaded
        The game's tables with changes.
    held
        Changes that stand already; an arm that changes one of their numbers takes its place.
    store
        Where sums are kept, see `play_sums`.
    printed
        What the printed game comes to, where what stands already are numbers of the same faction.
    expect
        Told how many games are still to come at most, as far as that can be foreseen.
    """

    def __init__(
        self,
        plan: Plan,
        goal: Goal,
        place: int,
        faction: int,
        turns: Sequence[Turn],
        loaded: Loaded,
        jobs: int,
        progress: Callable[[int], None],
        held: Arm = PRINTED,
        store: SumStore | None = None,
        printed: ArmSums | None = None,
        expect: Callable[[int], None] = lambda games: None,
    ) -> None:
        self.plan, self.goal, self.place, self.faction, self.held = plan, goal, place, faction, held
        self.printed, self.expect = printed, expect
        self.turns, self.loaded, self.jobs, self.progress, self.store = list(turns), loaded, jobs, progress, store
        self.watched = list({turn.part.name: turn.part for turn in turns if told_by_rows(turn.part)}.values())
        self.sums = HeldSums()
        self.arms: dict[Key, Arm] = {}

    def play(self, arm: Arm, games: int) -> ArmSums:
        """Play an arm on to so many games."""
        key = key_of(arm)
        before = self.sums.get(key)
        done = 0 if before is None else before.games
        if done < games:
            plan = self.changed(arm)
            watched = Watched(self.faction, self.parts_watched(arm), self.goal.pairs)
            printed = self.sums.get(key_of(PRINTED)) if arm else self.printed
            more = play_sums(
                plan, watched, done, games - done, jobs=self.jobs, progress=self.progress, store=self.store,
                beside=None if printed is None else OtherArm(printed, kin_of(plan.game, plan.data, self.faction)),
            )  # fmt: skip
            self.sums[key] = more if before is None else before.joined(more)
            self.arms[key] = arm
        return self.sums[key]

    def tables(self, arm: Arm) -> Data | None:
        """The game's tables with an arm and what stands already; None where it cannot be played so."""
        return self.loaded.tables(texts_of(with_arm(self.held, arm)))

    def changed(self, arm: Arm) -> Plan:
        """The plan of an arm, which the game takes."""
        data, texts = self.tables(arm), texts_of(with_arm(self.held, arm))
        assert data is not None, "arms are made of values that fit"
        return replace(self.plan, data=data, changes=(*self.plan.changes, *texts))

    def parts_watched(self, arm: Arm) -> tuple[Part, ...]:
        """Parts of which is counted who has them: those that an arm changes, all in the printed game."""
        named = {turn.part.name for turn, _ in arm}
        return tuple(part for part in self.watched if not arm or part.name in named)

    def gain(self, arm: Arm) -> Gain:
        """Say what an arm does, beside the printed game, on the games that it has played."""
        base, after = self.sums[key_of(PRINTED)], self.sums[key_of(arm)]
        found = offs(self.goal, base, after)
        place = self.place
        half = float(found.change_high[place] - found.change[place])
        few = len(base.wins) < LEAST_BLOCKS or math.isnan(half)
        signed = self.edge() * self.weight()
        return Gain(
            arm=arm, off=float(found.off[place]), worth=float(-found.change[place]), half=math.inf if few else half,
            excess=found.excess(self.goal.margin), moved=found.excess(self.goal.margin, moved=True),
            sure=found.states(self.goal.margin)[place] == "within",
            fewer=self.is_had_less(arm), surprising=any(turn.surprises(value, signed) for turn, value in arm),
        )  # fmt: skip

    def edge(self) -> float:
        """How far off the printed game is, with what stands already."""
        return float(offs(self.goal, self.sums[key_of(PRINTED)]).off[self.place])

    def weight(self) -> int:
        """1 where the faction is too strong if the thing wanted is too high, -1 where it is the other of a pair."""
        return 1 if self.goal.factions[self.place][0] == self.faction else -1

    def uses(self, arm: Arm) -> list[tuple[float, float]]:
        """Shares of the faction's seats that have what an arm changes, before and after; of parts that rows tell."""
        parts = self.parts_watched(arm) if arm else ()
        base, after = self.sums[key_of(PRINTED)], self.sums[key_of(arm)]
        return [(usage(base, self.watched.index(part)), usage(after, number)) for number, part in enumerate(parts)]

    def is_had_less(self, arm: Arm) -> bool:
        """Whether less than half as many seats as before have one of the components that an arm changes."""
        return any(after < UNUSED * before for before, after in self.uses(arm))


def key_of(arm: Arm) -> Key:
    """Numbers and values of an arm."""
    return tuple((turn.text, value) for turn, value in arm)


def whole(plan: Plan, games: int) -> int:
    """A whole number of blocks."""
    return max(games // plan.block_games, 1) * plan.block_games


def play_heat(heats: Heats, arms: Sequence[Arm], games: int) -> None:
    """Play the printed values and those of a heat on to so many games."""
    heats.play(PRINTED, games)
    for arm in arms:
        heats.play(arm, games)


def first_arms(heats: Heats) -> list[Arm]:
    """Every number by one small and one larger step to either side."""
    return [((turn, value),) for turn in heats.turns for value in first_values(heats.loaded, turn, heats.held)]


def going_on(heats: Heats, arms: Sequence[Arm]) -> list[tuple[Turn, int]]:
    """Numbers, each with the direction that helps, which may take away enough of the edge; those that help most."""
    edge = heats.edge()
    sign = 1 if edge > 0 else -1
    best: dict[str, tuple[float, Turn, int]] = {}
    for arm in arms:
        ((turn, value),) = arm
        gain = heats.gain(arm)
        half = 0.0 if math.isinf(gain.half) else gain.half
        helps = sign * gain.worth
        if helps > best.get(turn.text, (0.0,))[0] and helps + half >= HOPE * abs(edge):
            best[turn.text] = helps, turn, 1 if value > turn.present else -1
    ordered = sorted(best.values(), key=lambda one: -one[0])[:GO_ON]
    return [(turn, side) for _, turn, side in ordered]


def second_arms(heats: Heats, kept: Sequence[tuple[Turn, int]]) -> list[Arm]:
    """Steps of the numbers that go on, to the side that helps."""
    found: list[Arm] = []
    for turn, side in kept:
        values = [turn.present + side * size for size in range(1, max(STEPS, LARGE) + 1)]
        found += [((turn, value),) for value in values if fits(heats.loaded, turn, value, heats.held)]
    return found


def pair_arms(heats: Heats, singles: Sequence[Arm]) -> list[Arm]:
    """Pairs of the numbers that help most, at values that together should bring the edge within the margin.

    What two changes take away is taken as the sum of what each does; the pairs are then played.
    """
    edge, margin = heats.edge(), heats.goal.margin
    sign = 1 if edge > 0 else -1
    gains = [gain for arm in singles if sign * (gain := heats.gain(arm)).worth > 0]
    most: dict[str, float] = {}
    for gain in gains:
        text = gain.arm[0][0].text
        most[text] = max(most.get(text, 0.0), sign * gain.worth)
    promising = sorted(most, key=lambda text: -most[text])[:PAIRED]
    found: list[Arm] = []
    for one, other in combinations(promising, 2):
        own = ([gain for gain in gains if gain.arm[0][0].text == text] for text in (one, other))
        pairs = [(edge - a.worth - b.worth, (*a.arm, *b.arm)) for a, b in product(*own)]
        pairs.sort(key=lambda pair: (
            abs(pair[0]) > margin, steps_of_arm(pair[1]) if abs(pair[0]) <= margin else 0, abs(pair[0])
        ))  # fmt: skip
        found += [arm for _, arm in pairs[: 2 * PAIR_VALUES] if heats.tables(arm) is not None][:PAIR_VALUES]
    return found


def is_near(gain: Gain, margin: float) -> bool:
    """Whether a change brings the thing wanted within the margin, and not only by a component's not being had."""
    return abs(gain.off) <= margin and not gain.fewer


def order_of(gain: Gain, margin: float, together: bool = False) -> tuple[object, ...]:
    """Best change first.

    One that is near enough before others, and among these: one that is so by what is had, in the direction one
    expects, of few numbers, surely within the margin, by few steps; then the one that leaves least. Together: near
    enough is what leaves nothing beyond the margin of all that it moves, and of others the one that leaves least of
    all that is wanted.
    """
    if together and gain.moved > 0:
        return (True, gain.excess)
    if not together and abs(gain.off) > margin:
        return (True, abs(gain.off))
    small = steps_of_arm(gain.arm) if gain.sure else 0
    left = gain.excess if gain.sure else abs(gain.off)
    return (False, gain.fewer, gain.surprising, len(gain.arm), not gain.sure, small, left)


def last_heat(raced: Sequence[tuple[Heats, Sequence[Arm]]], games: int, together: bool = False) -> Gain | None:
    """Play the best changes on to all games, as luck flatters the best of few games; return the best of them.

    `together` judges them by all that is wanted, see `order_of`: then only those count that help what was raced, since
    one that moves nothing leaves nothing of what it moves.
    """
    found = [(heats, heats.gain(arm)) for heats, arms in raced for arm in arms]
    if together:
        found = [(heats, gain) for heats, gain in found if gain.worth * heats.edge() > 0]
    found.sort(key=lambda one: order_of(one[1], one[0].goal.margin, together))
    again = []
    for heats, gain in found[:LAST]:
        heats.play(gain.arm, whole(heats.plan, games))
        again.append((heats.gain(gain.arm), heats.goal.margin, together))
    return min(again, key=lambda one: order_of(*one), default=(None, 0.0, False))[0]


def of_heat(plan: Plan, games: int, part: int) -> int:
    """Games of a heat that plays a part of those of the last one."""
    return whole(plan, max(games // part, LEAST_BLOCKS * plan.block_games))


def single_heats(
    heats: Heats, games: int, say: Callable[[str], None], after: int = 0, others: int = 0
) -> tuple[list[tuple[Turn, int]], list[Arm]]:
    """Play the first two heats; return the numbers that went on, with their directions, and what the second played.

    Parameters
    ----------
    after
        Games that the best of them play after these heats.
    others
        Races that are still to come, taken to be as long as this one can be.
    """
    first = first_arms(heats)
    each, again = (of_heat(heats.plan, games, part) for part in (FIRST, SECOND))
    most = each * len(first) + again * (1 + STEPS * min(len(heats.turns), GO_ON)) + after
    tried = f"{counted(len(heats.turns), 'number')}, {counted(len(first), 'value')} in the first heat"
    say(f"{tried}: up to {count(round_up(most))} games until the best are known")
    heats.expect(most * (1 + others))
    play_heat(heats, first, each)
    kept = going_on(heats, first)
    second = second_arms(heats, kept)
    say(f"{len(kept)} of {counted(len(heats.turns), 'number')} go on, with {counted(len(second), 'value')}")
    heats.expect(again * (1 + len(second)) + after + most * others)
    play_heat(heats, second, again)
    return kept, second
