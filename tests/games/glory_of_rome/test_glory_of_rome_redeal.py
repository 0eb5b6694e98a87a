"""What a seat knows stays when the rest is dealt anew; all that it cannot know may lie anywhere."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from sim.games.glory_of_rome.rules import constants
from tests.games.glory_of_rome.hidden import cards_in
from tests.games.glory_of_rome.playing import BIANKA, GABOR, HENRIK, ZITA, Table, against_henrik, card_number, table
from tests.kit.hidden import dealt_anew, decisions_of
from tests.kit.plans import plan_for
from tests.kit.steps import started

GAME = "glory_of_rome"
DEALS = 40
CHARACTERS = ["Livia Drusilla", "Fulvia", "Junia Secunda", "Gaius Octavius"]
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
    position.place("intrigue")
    position.play("Snake bracelets")
    assert position.hand(BIANKA) == ["Stola"]
    for me in (HENRIK, GABOR):
        assert all("Stola" in cards for cards in hands_thought(position, me, BIANKA))


def test_a_card_taken_by_custom_duty_is_known_to_the_two_and_to_nobody_else() -> None:
    position = against_henrik(own_intrigue=[constants.CUSTOM_DUTY], hands={HENRIK: ["Toga"]}, glory=[5, 5, 5, 5])
    position.activate(constants.CUSTOM_DUTY, "Gallia")
    assert position.hand(BIANKA) == ["Toga"]
    assert all("Toga" in cards for cards in hands_thought(position, HENRIK, BIANKA))
    assert not all("Toga" in cards for cards in hands_thought(position, GABOR, BIANKA))


def test_who_has_put_a_mission_under_the_deck_knows_that_it_lies_there() -> None:
    plan = plan_for(GAME, players=3, seed=4)
    position = Table(plan, started(plan, 0))
    given = []
    for seat in range(3):
        given.append(int(position.g.missions[seat, 0]))
        position.choose(constants.PUT_UNDER, value=0)
    for me in range(3):
        found = [cards_in(g, "mission_deck") for g in deals(position, me)]
        under = 2 - me
        assert {cards[under] for cards in found} == {given[me]}
        assert len({cards[(under + 1) % 3] for cards in found}) > 5


def test_missions_of_others_and_events_to_come_may_be_any() -> None:
    plan = plan_for(GAME, players=2, seed=4)
    position = Table(plan, started(plan, 0))
    position.listed()
    dealt = deals(position, 0)
    assert len({tuple(cards_in(g, "missions", 1)) for g in dealt}) > DEALS // 2
    assert len({tuple(cards_in(g, "event_deck")) for g in dealt}) > DEALS // 2
    for g in dealt:
        assert cards_in(g, "missions", 0) == cards_in(position.g, "missions", 0)
        assert sorted(cards_in(g, "event_deck")) == sorted(cards_in(position.g, "event_deck"))


def test_a_diplomacy_token_is_hidden_until_it_is_answered() -> None:
    position = table(constants.DIPLOMACY_PHASE, variant="spies", buildings=LIGHTHOUSE, denarii=[5, 0, 0, 0])
    position.choose(constants.PUT_TOKEN, value=constants.SPY)
    assert position.decision == constants.ASK_ANSWER
    assert {int(g.token) for g in deals(position, HENRIK)} == {constants.ALLIANCE, constants.SPY}
    assert {int(g.token) for g in deals(position, BIANKA)} == {constants.SPY}


def test_cards_in_the_deck_and_in_hands_are_the_same_ones() -> None:
    position = table(hands={BIANKA: ["Stola"], HENRIK: ["Toga", "Bulla"], GABOR: ["Compass"]})
    names = ("Toga", "Bulla", "Compass")
    everywhere = np.sort([*cards_in(position.g, "trade_deck"), *(card_number(position, name) for name in names)])
    for g in deals(position, BIANKA):
        found = [*cards_in(g, "trade_deck"), *cards_in(g, "hand", HENRIK), *cards_in(g, "hand", GABOR)]
        assert (np.sort(found) == everywhere).all()


# ---- Cards taken unseen ----

DEFT: dict[str, Any] = {"own_intrigue": [constants.CUSTOM_DUTY], "discord": [3, 0, 0, 0]}
MANY_BRACELETS = ["trade.toml#snake bracelets.copies=14", "rules.toml#box.trade_cards=51"]
HENRIKS = ["Toga", "Spatha", "Bulla"]


def duty(known: Sequence[str], hands: Mapping[int, list[str]], known_of: int = HENRIK) -> Table:
    """Return an intrigue phase in which Bianka can take a card of Henrik's; all others know some of a hand."""
    position = against_henrik(hands=hands, glory=[5, 5, 5, 5], **DEFT)
    for me in range(4):
        for name in known:
            if me != known_of:
                position.g.seen[me, known_of, card_number(position, name)] += 1
    return position


def take(position: Table, name: str) -> None:
    """Let Bianka take this card of Henrik's: he holds his hand so that the lot falls on it."""
    before = position.record.copy()
    for _ in range(position.g.hand_size[HENRIK]):
        position.activate(constants.CUSTOM_DUTY, "Gallia")
        if name in position.hand(BIANKA):
            return
        size = int(before[0].hand_size[HENRIK])
        before[0].hand[HENRIK, :size] = np.roll(before[0].hand[HENRIK, :size], 1)
        position.record[:] = before
    raise AssertionError(name)


def both_hands(position: Table, me: int, number: int = DEALS) -> list[tuple[list[str], list[str]]]:
    """Names of the cards in Henrik's and Bianka's hands, in many deals."""
    names = position.plan.data.catalog.card_names
    dealt = [dealt_anew(position.plan.game, position.record, position.t, me, deal)[0] for deal in range(number)]
    one, other = ([[names[card] for card in cards_in(g, "hand", owner)] for g in dealt] for owner in (HENRIK, BIANKA))
    return list(zip(one, other, strict=True))


@pytest.mark.parametrize("taken", HENRIKS)
def test_who_looks_on_knows_that_a_card_lies_in_one_of_the_two_hands(taken: str) -> None:
    position = duty(["Toga"], {HENRIK: HENRIKS})
    take(position, taken)
    dealt = both_hands(position, GABOR, 250)
    assert all("Toga" in henriks + biankas for henriks, biankas in dealt)
    # Each of the three went with the same chance; the second Toga of the game is seldom dealt to Bianka.
    assert 0.26 < sum("Toga" in biankas for _, biankas in dealt) / len(dealt) < 0.44


def test_of_two_known_cards_one_at_most_has_gone() -> None:
    position = duty(["Toga", "Spatha"], {HENRIK: HENRIKS})
    take(position, "Toga")
    dealt = both_hands(position, ZITA, 200)
    assert all({"Toga", "Spatha"} & set(henriks) for henriks, _ in dealt)
    assert all({"Toga", "Spatha"} <= set(henriks + biankas) for henriks, biankas in dealt)
    assert {"Toga" in henriks for henriks, _ in dealt} == {"Spatha" in henriks for henriks, _ in dealt} == {True, False}


def test_with_no_other_card_there_one_of_those_known_must_have_gone() -> None:
    position = duty(["Toga", "Spatha"], {HENRIK: HENRIKS[:2]})
    take(position, "Toga")
    dealt = both_hands(position, ZITA)
    assert {(*henriks, *biankas) for henriks, biankas in dealt} == {("Toga", "Spatha"), ("Spatha", "Toga")}


def test_what_was_known_of_the_takers_hand_stays() -> None:
    position = duty(["Stola"], {BIANKA: ["Stola", "Cameo"], HENRIK: ["Toga"]}, known_of=BIANKA)
    take(position, "Toga")
    assert all("Stola" in cards for cards in hands_thought(position, GABOR, BIANKA))


def test_a_card_that_is_shown_after_it_was_taken_says_which_ones_stayed() -> None:
    position = duty(HENRIKS, {HENRIK: HENRIKS})
    take(position, "Toga")
    position.choose(constants.SELL, value=0)
    # Bianka held nothing else: what she has sold is what she took.
    assert all(cards == {"Spatha", "Bulla"} for cards in hands_thought(position, GABOR, HENRIK))


def test_the_two_still_know_each_others_cards() -> None:
    position = duty(HENRIKS, {HENRIK: HENRIKS})
    take(position, "Spatha")
    assert all(cards == {"Toga", "Bulla"} for cards in hands_thought(position, BIANKA, HENRIK))
    assert all("Spatha" in cards for cards in hands_thought(position, HENRIK, BIANKA))


def holds(known: Any, g: Any, me: int) -> bool:
    """Tell whether what a seat knows by one record is so in another."""
    for owner in range(g.players):
        own = Counter(cards_in(g, "hand", owner))
        certain, doubtful = (
            Counter({card: int(number) for card, number in enumerate(known[field][me, owner]) if number})
            for field in ("seen", "doubtful")
        )
        if certain - own:
            return False
        if doubtful:
            takers = Counter(cards_in(g, "hand", int(known.taker[owner])))
            gone, number = doubtful - (own - certain), int(known.gone[me, owner])
            must = number - int(known.strangers[me, owner])
            if gone - takers or gone.total() > number or (doubtful & takers).total() < must:
                return False
    return True


def in_hands_and_deck(g: Any) -> Counter[int]:
    """Trade cards in all hands and the deck."""
    hands = [card for seat in range(g.players) for card in cards_in(g, "hand", seat)]
    return Counter(hands + cards_in(g, "trade_deck"))


def test_what_seats_know_is_true_and_holds_in_every_deal(scaled: Callable[..., int]) -> None:
    # With many cards that are taken from the discards, much is known of hands that cards are taken from.
    plan = plan_for(
        GAME, players=4, seed=3, factions=CHARACTERS, strategies=["intriguer", "random"], changes=MANY_BRACELETS
    )
    doubts = 0
    for position, _, _ in decisions_of(plan, scaled(6, 6, 40), 3, 240):
        g: Any = position[0]
        assert all(holds(g, g, me) for me in range(4))
        for me in np.flatnonzero(g.doubtful.any(axis=(1, 2))).tolist():
            doubts += 1
            for deal in range(2):
                dealt = dealt_anew(plan.game, position, plan.data.tables, me, deal)[0]
                assert holds(g, dealt, me)
                assert cards_in(dealt, "hand", me) == cards_in(g, "hand", me)
                assert in_hands_and_deck(dealt) == in_hands_and_deck(g)
    assert doubts > 50
