"""What a seat knows stays when the rest is dealt anew; all that it cannot know may lie anywhere."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.games.glory_of_rome import words
from tests.games.glory_of_rome.hidden import cards_in
from tests.games.glory_of_rome.playing import (
    BIANKA,
    GABOR,
    HENRIK,
    Table,
    activate,
    card_number,
    choose,
    hand,
    listed,
    place,
    play,
    table,
)
from tests.kit.hidden import dealt_anew
from tests.kit.plans import plan_for
from tests.kit.steps import started

GAME = "glory_of_rome"
DEALS = 40
LIGHTHOUSE = {"Gallia": {"commercial": 2}}


def deals(position: Table, me: int) -> list[Any]:
    """Return the game dealt anew many times for a seat."""
    return [dealt_anew(position.plan.game, position.record, position.t, me, number)[0] for number in range(DEALS)]


def hands_thought(position: Table, me: int, owner: int) -> list[set[str]]:
    """Names of the cards in another hand, as a seat thinks possible."""
    names = position.plan.data.catalog.card_names
    return [{names[card] for card in cards_in(g, "hand", owner)} for g in deals(position, me)]


def test_the_own_cards_stay_and_other_hands_may_be_any() -> None:
    position = table(hands={BIANKA: ["Stola", "Compass"], HENRIK: ["Toga", "Spatha", "Bulla"]})
    for g in deals(position, BIANKA):
        assert cards_in(g, "hand", BIANKA) == cards_in(position.g, "hand", BIANKA)
    assert len({frozenset(cards) for cards in hands_thought(position, BIANKA, HENRIK)}) > DEALS // 2


def test_a_card_taken_from_the_discards_is_known_to_all() -> None:
    position = table(hands={BIANKA: ["Snake bracelets"], HENRIK: ["Toga"]}, discard=["Stola"])
    place(position, "intrigue")
    play(position, "Snake bracelets")
    assert hand(position, BIANKA) == ["Stola"]
    for me in (HENRIK, GABOR):
        assert all("Stola" in cards for cards in hands_thought(position, me, BIANKA))


def test_a_card_taken_by_custom_duty_is_known_to_the_two_and_to_nobody_else() -> None:
    position = table(
        words.INTRIGUE_PHASE,
        intrigue={"Gallia": [BIANKA]},
        own_intrigue=[words.CUSTOM_DUTY],
        hands={HENRIK: ["Toga"]},
        glory=[5, 5, 5, 5],
    )
    activate(position, words.CUSTOM_DUTY, "Gallia")
    assert hand(position, BIANKA) == ["Toga"]
    assert all("Toga" in cards for cards in hands_thought(position, HENRIK, BIANKA))
    assert not all("Toga" in cards for cards in hands_thought(position, GABOR, BIANKA))


def test_who_has_put_a_mission_under_the_deck_knows_that_it_lies_there() -> None:
    plan = plan_for(GAME, players=3, seed=4)
    position = Table(plan, started(plan, 0))
    given = []
    for seat in range(3):
        given.append(int(position.g.missions[seat, 0]))
        choose(position, words.PUT_UNDER, value=0)
    for me in range(3):
        found = [cards_in(g, "mission_deck") for g in deals(position, me)]
        under = 2 - me
        assert {cards[under] for cards in found} == {given[me]}
        assert len({cards[(under + 1) % 3] for cards in found}) > 5


def test_missions_of_others_and_events_to_come_may_be_any() -> None:
    plan = plan_for(GAME, players=2, seed=4)
    position = Table(plan, started(plan, 0))
    listed(position)
    dealt = deals(position, 0)
    assert len({tuple(cards_in(g, "missions", 1)) for g in dealt}) > DEALS // 2
    assert len({tuple(cards_in(g, "event_deck")) for g in dealt}) > DEALS // 2
    for g in dealt:
        assert cards_in(g, "missions", 0) == cards_in(position.g, "missions", 0)
        assert sorted(cards_in(g, "event_deck")) == sorted(cards_in(position.g, "event_deck"))


def test_a_diplomacy_token_is_hidden_until_it_is_answered() -> None:
    position = table(words.DIPLOMACY_PHASE, variant="spies", buildings=LIGHTHOUSE, denarii=[5, 0, 0, 0])
    choose(position, words.PUT_TOKEN, value=words.SPY)
    assert position.decision == words.ASK_ANSWER
    assert {int(g.token) for g in deals(position, HENRIK)} == {words.ALLIANCE, words.SPY}
    assert {int(g.token) for g in deals(position, BIANKA)} == {words.SPY}


def test_cards_in_the_deck_and_in_hands_are_the_same_ones() -> None:
    position = table(hands={BIANKA: ["Stola"], HENRIK: ["Toga", "Bulla"], GABOR: ["Compass"]})
    names = ("Toga", "Bulla", "Compass")
    everywhere = np.sort([*cards_in(position.g, "trade_deck"), *(card_number(position, name) for name in names)])
    for g in deals(position, BIANKA):
        found = [*cards_in(g, "trade_deck"), *cards_in(g, "hand", HENRIK), *cards_in(g, "hand", GABOR)]
        assert (np.sort(found) == everywhere).all()
