"""Redealing deals anew what a seat cannot know and keeps all it has seen; what holds in all games is in tests/kit."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from sim.engine.rng import SEARCH
from sim.games.seven_wonders.rules import constants
from sim.games.seven_wonders.rules.determinize import redeal
from sim.games.seven_wonders.rules.log import ACTION, AGE, CARD, CITY, KIND, TURN
from sim.games.seven_wonders.rules.setup import FREE_CITY
from sim.games.seven_wonders.rules.state import MOMENTS
from sim.games.seven_wonders.rules.turns import play_step
from sim.players.batch import Plan
from sim.players.compile_players import players_of
from tests.games.seven_wonders.hidden import cards_of, hand_of
from tests.games.seven_wonders.playing import CATALOG
from tests.kit.steps import eventful_plan, started

AGE_OF = np.array([card.age for card in CATALOG.cards])
GUILDS = frozenset(number for number, card in enumerate(CATALOG.cards) if card.guild)
PLAYERS = [2, 4, pytest.param(5, marks=pytest.mark.sweep), 7]


class Watcher:
    """Somebody who stands behind all players and remembers what they held and did.

    Moments are those of the record. `held` is the hand of a seat as a turn began, `used` and `built` the cards a city
    took from a hand, all of them and those that lie open now; `for_free_city` the seat that plays for the Free City.
    """

    def __init__(self) -> None:
        self.held: dict[tuple[int, int], Counter[int]] = {}
        self.used: dict[tuple[int, int], list[int]] = {}
        self.built: dict[tuple[int, int], list[int]] = {}
        self.for_free_city: dict[int, int] = {}

    def look(self, g: Any) -> None:
        """Look at a game before a step."""
        if g.phase == constants.START_TURN:
            for seat in range(g.players):
                self.held[int(g.moment), seat] = hand_of(g, seat)
            if g.holder >= 0:
                self.for_free_city[int(g.moment)] = int(g.holder)

    def see_step(self, before: Any, g: Any) -> None:
        """See what was carried out in a step."""
        for row in g.log.rows[before.log.row_count : g.log.row_count]:
            if row[KIND] == constants.LOG_CONFLICT:
                continue
            place = (
                MOMENTS * (int(row[AGE]) - 1) + int(row[TURN]) + int(row[KIND] == constants.LOG_LAST_CARD),
                int(row[CITY]),
            )
            card = int(row[CARD])
            if row[KIND] == constants.LOG_FROM_DISCARD:
                lay = before.discards[: before.discards_size].tolist().index(card)
                place = int(before.discard_moment[lay]), int(before.discard_city[lay])
            else:
                self.used.setdefault(place, []).append(card)
            if row[ACTION] in (constants.BUILD, constants.FREE_BUILD):
                self.built.setdefault(place, []).append(card)


def laid(g: Any, moment: int, city: int) -> list[int]:
    """Cards that lie face down since a city laid them there at a moment."""
    below = [int(g.stage_cards[city, s]) for s in range(g.stages_built[city]) if g.stage_moment[city, s] == moment]
    origins = zip(g.discard_moment[: g.discards_size], g.discard_city[: g.discards_size], strict=True)
    return below + [int(g.discards[place]) for place, origin in enumerate(origins) if origin == (moment, city)]


def steps_of(plan: Plan, games: int, every: int = 1) -> Iterator[tuple[Any, Watcher]]:
    """Games as steps begin (arrays of length 1), with what was seen of them so far."""
    t, team = plan.data.tables, players_of(plan)
    number = 0
    for game in range(games):
        table, watcher = started(plan, game, keeps_log=True), Watcher()
        while not table[0].finished:
            watcher.look(table[0])
            number += 1
            if number % every == 0 or table[0].phase in (constants.LAST_CARDS, constants.DISCARD_BUILDS):
                yield table, watcher
            before = table.copy()
            play_step(table[0], t, team)
            watcher.see_step(before[0], table[0])


def plan_with(players: int) -> Plan:
    """Players who build wonders or by lot, with boards the first of which decide after everybody's action."""
    return eventful_plan("seven_wonders", "standard" if players > 2 else "free-city", players)


def redealt(games: Any, t: Any, me: int, draws: int) -> Any:
    """A copy of a game, redealt with the random numbers after so many draws."""
    copy = games.copy()
    copy[0].rng_drawn[SEARCH] = 4 * draws
    redeal(copy[0], t, me)
    return copy


# ---- What is kept ----


def check_hand(g: Any, t: Any, me: int, watcher: Watcher, age: int, hand: int) -> int:
    """Check a redealt hand: what a seat passed on in it is there, open, or face down since; return stretches checked.

    A card more may be there where the other player has drawn for the Free City since.
    """
    passed: Counter[int] | None = None
    after: Counter[int] = Counter()
    drawn = stretches = 0
    last = int(g.turn) if age == g.age else 6
    for turn in range(1, last + 1):
        moment, holder = MOMENTS * (age - 1) + turn, (hand + int(t.pass_direction[age]) * (turn - 1)) % int(g.players)
        for_free_city = watcher.for_free_city.get(moment) == holder
        drawn += for_free_city
        if holder == me:
            if passed is not None:
                check_stretch(passed, after + watcher.held[moment, me], drawn)
                stretches += 1
            used = Counter(watcher.used.get((moment, me), []))
            if for_free_city:
                used += Counter(watcher.used.get((moment, FREE_CITY), []))
            passed, after, drawn = watcher.held[moment, me] - used, Counter(), 0
            continue
        for place in [(moment, holder), *[(moment, FREE_CITY)] * for_free_city, *[(moment + 1, holder)] * (turn == 6)]:
            after += Counter(watcher.built.get(place, []) + laid(g, *place))
    if passed is None or holder == me:
        return stretches
    if age == g.age and not (g.phase == constants.LAST_CARDS and g.players == 2):
        after += hand_of(g, holder)
    elif age == g.age:
        return stretches
    check_stretch(passed, after, drawn)
    return stretches + 1


def check_stretch(passed: Counter[int], after: Counter[int], drawn: int) -> None:
    assert not passed - after, "cards the seat has seen are gone"
    assert (after - passed).total() == drawn


@pytest.mark.parametrize("players", PLAYERS)
def test_what_a_seat_has_seen_of_hands_it_held_is_so_in_every_redeal(players: int, scaled: Callable[..., int]) -> None:
    plan = plan_with(players)
    t = plan.data.tables
    stretches = 0
    for number, (games, watcher) in enumerate(steps_of(plan, scaled(1, 1, 4), scaled(2, 5))):
        me = number % players
        g = redealt(games, t, me, number)[0]
        for age in range(1, int(g.age) + 1):
            stretches += sum(check_hand(g, t, me, watcher, age, hand) for hand in range(players))
    assert stretches > 60


@pytest.mark.parametrize("players", PLAYERS)
def test_the_cards_stay_the_same_but_for_guilds_that_the_seat_has_not_seen(
    players: int, scaled: Callable[..., int]
) -> None:
    plan = plan_with(players)
    t = plan.data.tables
    guilds = set()
    for number, (games, _) in enumerate(steps_of(plan, scaled(2, 2, 6), scaled(4, 5))):
        before, copy = cards_of(games[0]), redealt(games, t, number % players, number)[0]
        after = cards_of(copy)
        for card in before.keys() | after.keys():
            assert card in GUILDS or before[card] == after[card]
        dealt = [card for card in after.elements() if card in GUILDS]
        assert len(dealt) == len(set(dealt)) == sum(before[card] for card in GUILDS)
        guilds |= set(dealt)
        for seat in range(players):
            assert all(AGE_OF[card] == copy.age for card in hand_of(copy, seat))
    assert guilds == GUILDS


# ---- What is dealt anew ----


@pytest.mark.parametrize("players", [2, 4])
def test_hands_that_a_seat_has_not_held_and_decks_to_come_are_dealt_anew(players: int) -> None:
    plan = plan_with(players)
    t = plan.data.tables
    games, _ = next(steps_of(plan, 1))
    hands, decks = set(), set()
    for draws in range(50):
        g = redealt(games, t, 0, draws)[0]
        hands.add(tuple(sorted(hand_of(g, 1).elements())))
        decks.add(tuple(g.deck[2].tolist()))
    assert len(hands) > 45
    assert len(decks) == 50


def test_others_who_have_chosen_choose_again() -> None:
    plan = plan_with(4)
    taken_back = 0
    for games, _ in steps_of(plan, 1):
        g, copy = games[0], redealt(games, plan.data.tables, 3, 0)[0]
        chosen = [seat for seat in range(3) if g.choice_card[seat] != constants.NO_CARD]
        assert (copy.choice_card[:3] == constants.NO_CARD).all()
        assert copy.hand_size[:3].tolist() == [g.hand_size[seat] + (seat in chosen) for seat in range(3)]
        taken_back += len(chosen)
    assert taken_back == 18 * (1 + 2 + 3 + 3)


def test_somebody_looks_at_the_discards_in_the_games_that_are_dealt_anew() -> None:
    steps = steps_of(plan_with(4), 3)
    assert any(table[0].discard_seen[: table[0].discards_size].any() for table, _ in steps)
