"""A game dealt anew for a seat: all that it has seen stays, the rest is as it could just as well be."""

from typing import Any

import numpy as np

from sim.engine.zones import put, take_out, take_top
from sim.game import load_game
from sim.games.imperial_settlers.rules.constants import (
    COMMON,
    DECK,
    DISCARD,
    FOUNDATIONS,
    HAND,
    MARKERS,
    TABLE,
    TUCKED,
    VIRTUAL,
)
from sim.games.imperial_settlers.rules.knowledge import begin_heap, lay_marker, lay_unseen, shuffle_back
from tests.kit.hidden import cards_in, dealt_anew
from tests.kit.plans import plan_for
from tests.kit.steps import started

GAME = "imperial_settlers"
T: Any = plan_for(GAME).data.tables
DEALS = 40
"""How often a position is dealt anew to see what a seat thinks possible."""
JAPANESE = 1


def begun(players: int = 2) -> np.ndarray:
    """Return a game in which the decks lie there and nothing else, seat 0 Barbarians, seat 1 Japanese, in an array."""
    options = {"factions": ["Barbarians", "Japanese", "Romans", "Egyptians"][:players], "assign": "fixed"}
    return started(plan_for(GAME, "standard", players, **options), 3)


def drawn(g: Any, seat: int, owner: int, number: int, seen: int = 0) -> list[int]:
    """Draw cards of a deck to a hand; `seen` are bits of the seats that see them besides. Return them."""
    cards = [take_top(g, owner, DECK) for _ in range(number)]
    for card in cards:
        put(g, seat, HAND, card)
        g.knows[card] = seen | (1 << seat)
        g.knows_deck[card] = 0
        g.came[card] = g.clock
    return cards


def deals(table: np.ndarray, me: int, count: int = DEALS) -> list[Any]:
    """A position dealt anew for a seat, several times over."""
    return [dealt_anew(load_game(GAME), table, T, me, number)[0] for number in range(count)]


def thought_possible(table: np.ndarray, me: int, owner: int, zone: int) -> list[set[int]]:
    """Cards that a seat thinks possible at each place of a zone."""
    return [set(place) for place in zip(*(cards_in(g, owner, zone) for g in deals(table, me)), strict=True)]


def founded(g: Any, seat: int, card: int) -> None:
    """Lay a hand card face down as a foundation."""
    take_out(g, seat, HAND, card)
    put(g, seat, FOUNDATIONS, card)
    lay_unseen(g, T, seat, card)


# ---- Hands and decks ----


def test_a_hand_may_hold_any_unseen_card_of_its_back() -> None:
    table = begun()
    g: Any = table[0]
    common, own = drawn(g, 1, TABLE, 2), drawn(g, 1, 1, 2)
    possible = thought_possible(table, 0, 1, HAND)
    for place in (0, 1):
        assert {int(T.deck[card]) for card in possible[place]} == {COMMON}
        assert len(possible[place]) > DEALS // 3
    for place in (2, 3):
        assert {int(T.deck[card]) for card in possible[place]} == {JAPANESE}
        assert len(possible[place]) > DEALS // 4
    assert thought_possible(table, 1, 1, HAND) == [{card} for card in common + own]


def test_nobody_knows_the_order_of_a_deck_not_even_of_the_own_one() -> None:
    table = begun()
    for me in (0, 1):
        for owner in (0, 1, TABLE):
            assert min(len(place) for place in thought_possible(table, me, owner, DECK)) > 10


def test_what_was_taken_before_all_eyes_stays_in_the_hand() -> None:
    table = begun()
    (card,) = drawn(table[0], 1, TABLE, 1, seen=15)
    drawn(table[0], 1, TABLE, 1)
    possible = thought_possible(table, 0, 1, HAND)
    assert possible[0] == {card}
    assert card not in possible[1]


def test_a_card_that_was_passed_on_is_known_to_who_passed_it() -> None:
    table = begun(3)
    (card,) = drawn(table[0], 1, TABLE, 1, seen=1 << 0)
    assert thought_possible(table, 0, 1, HAND) == [{card}]
    assert len(thought_possible(table, 2, 1, HAND)[0]) > 10


def test_the_attack_cards_to_come_are_unknown_and_those_revealed_are_not() -> None:
    table = started(plan_for(GAME, "solo", 1), 0)
    assert min(len(place) for place in thought_possible(table, 0, VIRTUAL, DECK)) > 5
    every = set(cards_in(table[0], VIRTUAL, DECK))
    assert set.union(*thought_possible(table, 0, VIRTUAL, DECK)) == every


# ---- Decks shuffled anew ----


def test_a_card_drawn_before_a_shuffle_is_none_of_those_shuffled() -> None:
    table = begun()
    g: Any = table[0]
    (before,) = drawn(g, 1, TABLE, 1)
    rest = cards_in(g, TABLE, DECK)
    g.zone_size[TABLE, DECK] = 0
    for card in rest[:40]:
        put(g, TABLE, DECK, card)
    for card in rest[40:]:
        put(g, TABLE, DISCARD, card)
        g.knows[card] = 15
    begin_heap(g, TABLE)
    (after,) = drawn(g, 1, TABLE, 1)
    assert after in rest[:40]
    # All others lie open or were shuffled: the first card is known by what it cannot be.
    hands = [cards_in(other, 1, HAND) for other in deals(table, 0)]
    others = {card for hand in hands for card in hand if card != before}
    assert all(before in hand for hand in hands)
    assert others <= set(rest[:40])
    assert len(others) > 10


# ---- Cards laid face down from a hand ----


def test_a_card_laid_face_down_may_be_any_of_its_back_that_was_in_the_hand() -> None:
    table = begun()
    g: Any = table[0]
    (shown,) = drawn(g, 1, TABLE, 1, seen=15)
    (hidden,) = drawn(g, 1, TABLE, 1)
    own = drawn(g, 1, 1, 1, seen=15)
    founded(g, 1, hidden)
    possible = thought_possible(table, 0, 1, FOUNDATIONS)[0]
    assert shown in possible
    assert {int(T.deck[card]) for card in possible} == {COMMON}
    assert thought_possible(table, 1, 1, FOUNDATIONS) == [{hidden}]
    # A card of another back is still known to be in the hand.
    assert thought_possible(table, 0, 1, HAND)[1] == set(own)
    for other in deals(table, 0):
        assert shown in cards_in(other, 1, HAND) + cards_in(other, 1, FOUNDATIONS)


def test_a_card_taken_later_was_not_laid_down_before() -> None:
    table = begun()
    g: Any = table[0]
    first = drawn(g, 1, TABLE, 2)
    founded(g, 1, first[0])
    (shown,) = drawn(g, 1, TABLE, 1, seen=15)
    founded(g, 1, first[1])
    one, two = thought_possible(table, 0, 1, FOUNDATIONS)
    assert shown not in one
    assert shown in two


def test_the_only_card_of_its_back_is_known_where_it_is_laid() -> None:
    table = begun()
    (shown,) = drawn(table[0], 1, TABLE, 1, seen=15)
    founded(table[0], 1, shown)
    assert thought_possible(table, 0, 1, FOUNDATIONS) == [{shown}]


def test_cards_under_two_gates_keep_to_their_gates() -> None:
    table = begun()
    g: Any = table[0]
    cards = drawn(g, 1, 1, 5)
    for card, gate in ((cards[0], 3), (cards[1], 4)):
        take_out(g, 1, HAND, card)
        put(g, 1, TUCKED, card)
        lay_unseen(g, T, 1, card)
        g.host[card] = gate
    for other in deals(table, 0):
        assert [int(other.host[card]) for card in cards_in(other, 1, TUCKED)] == [3, 4]


# ---- Own decks ----


def test_a_card_shuffled_back_lies_in_the_deck_or_marks_a_later_deal() -> None:
    table = begun()
    g: Any = table[0]
    for looks in (False, True):
        marker = take_top(g, 1, DECK)
        put(g, 1, MARKERS, marker)
        lay_marker(g, marker)
        if not looks:
            looked_at = take_top(g, 1, DECK)
            put(g, 1, DECK, looked_at)
            # It lies below the next marker, so that this need not be it.
            g.zone[1, DECK, 0], g.zone[1, DECK, g.zone_size[1, DECK] - 1] = looked_at, g.zone[1, DECK, 0]
            shuffle_back(g, 1, looked_at)
    first, second = thought_possible(table, 1, 1, MARKERS)
    assert looked_at not in first
    assert len(first) > 10
    everywhere = deals(table, 1, 150)
    assert any(cards_in(other, 1, MARKERS)[1] == looked_at for other in everywhere)
    assert all(looked_at in cards_in(other, 1, DECK) + cards_in(other, 1, MARKERS)[1:] for other in everywhere)
    # Others have not seen it.
    assert len(second) > 10
    assert any(looked_at in cards_in(other, 1, MARKERS)[:1] for other in deals(table, 0, 150))


# ---- Lots to come ----


def test_lots_to_come_are_drawn_anew() -> None:
    drawn_from = np.array([other.rng_game for other in deals(begun(), 0, 5)])
    assert [len(set(drawn_from[:, stream].tolist())) for stream in (1, 2, 3)] == [5, 5, 5]
