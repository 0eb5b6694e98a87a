"""Determinization: redeals everything that a seat cannot know, consistently with everything that it has seen.

A seat knows the cards of a hand that it has held. It does not know which of them have been laid face down since then.
Cards laid face down can only have been swapped with each other and with the rest of the hand. So each hand, together
with an interval between two turns in which the seat held it, defines a group of places. The cards of a group are
shuffled among its places.

All other places that the seat has not seen, such as hands that it has not held yet, share the cards that it has never
been shown. If a card was built from the discards, the seat counts as knowing from which hand the card came.

Cards are sorted before they are shuffled, so that the outcome does not depend on hidden information.
"""

from __future__ import annotations

from sim.compiler.kernel import Integers, Record, kernel
from sim.engine.determinize import sort_numbers
from sim.engine.rng import SEARCH, below, shuffle
from sim.games.seven_wonders.rules.constants import LAST_CARDS, NO_CARD
from sim.games.seven_wonders.rules.setup import FREE_CITY, first_holder
from sim.games.seven_wonders.rules.state import MAX_CITIES, MAX_DISCARDS, MAX_HAND, MOMENTS, NO_CITY
from sim.games.seven_wonders.rules.turns import next_with_last_card, seat_for

# Encoding of the places where a hidden card may be: in a hand, below a stage, among the discards, in the age's deck.
IN_HAND = 0
BELOW_STAGE = IN_HAND + MAX_CITIES * MAX_HAND
IN_DISCARDS = BELOW_STAGE + MAX_CITIES * 4
IN_DECK = IN_DISCARDS + MAX_DISCARDS
NO_PLACE = -1

UNKNOWN = -1
"""Placeholder for a card that the other player has drawn for the Free City and put into a hand.

A group has at most one such card. The seat knows all other cards of that hand.
"""


@kernel
def redeal(g: Record, t: Record, me: int) -> None:
    """Redeal what a seat does not know. Call this only between two steps.

    Other seats that have already chosen in this turn choose again. All draws use the stream SEARCH. The streams of
    chance and of the seats stay as they are, and so do the strategies in the seats. A caller that continues the game
    must replace these streams and strategies.
    """
    take_choices_back(g, me)
    for age in range(1, 4):
        redeal_age(g, t, me, age)
    blank_leftovers(g, t)


@kernel
def take_choices_back(g: Record, me: int) -> None:
    """Put the cards that other seats have chosen in this turn back into their hands."""
    for city in range(g.cities):
        seat = seat_for(g, city)
        if seat != me and g.choice_card[city] != NO_CARD:
            g.hand[seat, g.hand_size[seat]] = g.choice_card[city]
            g.hand_size[seat] += 1
            g.choice_card[city] = NO_CARD
            g.choice_action[city] = 0
            g.choice_bank[city] = 0
            g.choice_left[city] = 0
            g.choice_right[city] = 0


@kernel
def redeal_age(g: Record, t: Record, me: int, age: int) -> None:
    """Redeal the hidden cards of one age.

    No decision uses the option arrays between two steps, so they serve as lists. `option_price` holds the places of a
    group, and `option_action` its cards. `option_card` holds the places of cards that the seat has never been shown,
    and `option_left` the deck index from which such a card was drawn. `option_right` holds the number of such cards of
    each kind.
    """
    for card in range(t.cards):
        g.option_right[card] = 0
    count = 0
    if age <= g.age:
        for hand in range(g.players):
            count = redeal_hand(g, t, me, age, hand, count)
    count = add_undealt(g, t, me, age, count)
    if age == 3:
        change_guilds(g, t)
    deal_unseen(g, t, age, count)


# ---- Places and cards ----


@kernel
def card_in_hand_at(g: Record, age: int, place: int) -> int:
    """Return the card at a place (an encoded position, see `IN_HAND` to `IN_DECK`). `age` selects the deck."""
    if place >= IN_DECK:
        return int(g.deck[age - 1, place - IN_DECK])
    if place >= IN_DISCARDS:
        return int(g.discards[place - IN_DISCARDS])
    if place >= BELOW_STAGE:
        return int(g.stage_cards[(place - BELOW_STAGE) // 4, (place - BELOW_STAGE) % 4])
    return int(g.hand[place // MAX_HAND, place % MAX_HAND])


@kernel
def put_at(g: Record, age: int, place: int, card: int) -> None:
    """Put a card at a place, encoded as in `card_in_hand_at`. `age` selects the deck."""
    if place >= IN_DECK:
        g.deck[age - 1, place - IN_DECK] = card
    elif place >= IN_DISCARDS:
        g.discards[place - IN_DISCARDS] = card
    elif place >= BELOW_STAGE:
        g.stage_cards[(place - BELOW_STAGE) // 4, (place - BELOW_STAGE) % 4] = card
    else:
        g.hand[place // MAX_HAND, place % MAX_HAND] = card


@kernel
def add_laid(g: Record, me: int, moment: int, city: int, places: int) -> int:
    """Add to a group the places where a city laid cards face down at `moment`. Return the group's new size.

    `places` is its present size. Discards that the seat `me` has seen are left out.
    """
    if city != NO_CITY:
        for stage in range(g.stages_built[city]):
            if g.stage_moment[city, stage] == moment:
                g.option_price[places] = BELOW_STAGE + city * 4 + stage
                places += 1
    for place in range(g.discards_size):
        known = g.discard_seen[place] & (1 << me) != 0
        if g.discard_moment[place] == moment and g.discard_city[place] == city and not known:
            g.option_price[places] = IN_DISCARDS + place
            places += 1
    return places


@kernel
def add_hand(g: Record, seat: int, places: int) -> int:
    """Add the places in a seat's hand to a group of `places` places. Return the group's new size."""
    for place in range(g.hand_size[seat]):
        g.option_price[places] = IN_HAND + seat * MAX_HAND + place
        places += 1
    return places


# ---- Hands ----


@kernel
def holder_of_hand(g: Record, t: Record, age: int, hand: int, turn: int) -> int:
    """Return the seat that holds, in a given turn, the hand that was dealt to seat `hand`."""
    return (hand + (t.pass_direction[age] + g.players) * (turn - 1)) % g.players


@kernel
def holder_of_free_city(g: Record, t: Record, age: int, turn: int) -> int:
    """Return the seat that plays for the Free City in a turn; -1 if there is no Free City."""
    if g.players > 2:
        return -1
    first = first_holder(t, age)
    return first if turn % 2 == 1 else 1 - first


@kernel
def redeal_hand(g: Record, t: Record, me: int, age: int, hand: int, count: int) -> int:
    """Redeal what a seat does not know about a hand and about cards laid face down from it.

    `count` is the number of unseen cards so far. The function returns the new number.
    """
    held = False
    places = 0
    drawn_from = NO_PLACE
    last = g.turn if age == g.age else t.turns_per_age
    for turn in range(1, last + 1):
        moment = MOMENTS * (age - 1) + turn
        holder = holder_of_hand(g, t, age, hand, turn)
        for_free_city = holder == holder_of_free_city(g, t, age, turn)
        if holder == me:
            count = deal_group(g, age, held, places, drawn_from, count)
            held = True
            places = 0
            drawn_from = NO_PLACE
            continue
        places = add_laid(g, me, moment, holder, places)
        if for_free_city:
            places = add_laid(g, me, moment, FREE_CITY, places)
            drawn_from = IN_DECK + g.players * t.hand_size + turn - 1
            if not held:
                put_at(g, age, drawn_from, NO_CARD)
        if turn == t.turns_per_age:
            places = add_laid(g, me, moment + 1, holder, places)
    holder = holder_of_hand(g, t, age, hand, last)
    if age == g.age and holder != me and not holds_last_of_pile(g, t, holder):
        places = add_hand(g, holder, places)
    return deal_group(g, age, held, places, drawn_from, count)


@kernel
def holds_last_of_pile(g: Record, t: Record, seat: int) -> bool:
    """Tell whether a seat has drawn the seventh card of the Free City and must play it."""
    last_card = g.phase == LAST_CARDS and g.holder == seat and g.hand_size[seat] > 0
    return last_card and next_with_last_card(g, t) == FREE_CITY


@kernel
def deal_group(g: Record, age: int, held: bool, places: int, drawn_from: int, count: int) -> int:
    """Shuffle the cards of a group of `places` places, if the seat has `held` the group's hand.

    Otherwise add the cards to the unseen cards. A card drawn for the Free City (from the place `drawn_from`) is always
    added to them. `count` is the number of unseen cards so far. The function returns the new number.
    """
    cards = g.option_action
    for entry in range(places):
        cards[entry] = card_in_hand_at(g, age, g.option_price[entry])
    if not held:
        for entry in range(places):
            count = add_unseen(g, g.option_price[entry], cards[entry], NO_PLACE, count)
        return count
    drawn = card_in_hand_at(g, age, drawn_from) if drawn_from != NO_PLACE else NO_CARD
    for entry in range(places):
        if cards[entry] == drawn:
            cards[entry] = UNKNOWN
            break
    sort_numbers(cards, places)
    shuffle(g, SEARCH, cards, places)
    for entry in range(places):
        if cards[entry] == UNKNOWN:
            count = add_unseen(g, g.option_price[entry], drawn, drawn_from, count)
        else:
            put_at(g, age, g.option_price[entry], cards[entry])
    return count


# ---- Cards that the seat has never seen ----


@kernel
def add_unseen(g: Record, place: int, card: int, drawn_from: int, count: int) -> int:
    """Add a place and its card to the unseen ones, of which there are `count`. Return the new number.

    `drawn_from` is the place in the deck from which the card was drawn for the Free City, or NO_PLACE.
    """
    g.option_card[count] = place
    g.option_left[count] = drawn_from
    g.option_right[card] += 1
    return count + 1


@kernel
def add_undealt(g: Record, t: Record, me: int, age: int, count: int) -> int:
    """Add the cards in the deck to the unseen cards, and the cards left in the Free City's pile after the last turn."""
    places = 0
    if g.players == 2 and age <= g.age:
        moment = MOMENTS * (age - 1) + t.turns_per_age + 1
        places = add_laid(g, me, moment, NO_CITY, places)
        holder = holder_of_free_city(g, t, age, t.turns_per_age)
        if holder != me:
            places = add_laid(g, me, moment, FREE_CITY, places)
            if age == g.age and holds_last_of_pile(g, t, holder):
                places = add_hand(g, holder, places)
    for place in range(first_undealt(g, t, age), g.deck_size[age - 1]):
        g.option_price[places] = IN_DECK + place
        places += 1
    return deal_group(g, age, False, places, NO_PLACE, count)


@kernel
def first_undealt(g: Record, t: Record, age: int) -> int:
    """Return the index of the first card that is still in an age's deck."""
    if age > g.age:
        return 0
    if age == g.age:
        return int(g.pile_next)
    return int(g.deck_size[age - 1]) if g.players == 2 else int(g.players * t.hand_size)


@kernel
def change_guilds(g: Record, t: Record) -> None:
    """Redraw which guilds are among the unseen cards. Guilds that the seat knows to be elsewhere are left out."""
    elsewhere = g.option_action
    mark_cards(g, t, elsewhere)
    wanted = 0
    left = 0
    for card in range(t.cards):
        if t.card_guild[card] != 0:
            wanted += g.option_right[card]
            if g.option_right[card] != 0:
                elsewhere[card] = 0
            left += 1 - elsewhere[card]
    for card in range(t.cards):
        if t.card_guild[card] != 0 and elsewhere[card] == 0:
            # Selection sampling, as in `draw_guilds`.
            g.option_right[card] = 1 if below(g, SEARCH, left) < wanted else 0
            wanted -= g.option_right[card]
            left -= 1


@kernel
def mark_cards(g: Record, t: Record, marks: Integers) -> None:
    """Set a mark for each kind of card: 1 if such a card is anywhere but in a deck, otherwise 0."""
    for card in range(t.cards):
        marks[card] = 0
    for city in range(g.cities):
        for place in range(g.city_size[city]):
            marks[g.city_cards[city, place]] = 1
        for stage in range(g.stages_built[city]):
            marks[g.stage_cards[city, stage]] = 1
        if g.choice_card[city] != NO_CARD:
            marks[g.choice_card[city]] = 1
        for place in range(g.hand_size[city]):
            marks[g.hand[city, place]] = 1
    for place in range(g.discards_size):
        marks[g.discards[place]] = 1


@kernel
def deal_unseen(g: Record, t: Record, age: int, count: int) -> None:
    """Shuffle the unseen cards and put them in their places."""
    cards = g.option_action
    size = 0
    for card in range(t.cards):
        for _ in range(g.option_right[card]):
            cards[size] = card
            size += 1
    shuffle(g, SEARCH, cards, count)
    for entry in range(count):
        put_at(g, age, g.option_card[entry], cards[entry])
        if g.option_left[entry] != NO_PLACE:
            put_at(g, age, g.option_left[entry], cards[entry])


@kernel
def blank_leftovers(g: Record, t: Record) -> None:
    """Erase what could reveal hidden cards: traces of cards that have left decks and hands, and old answers."""
    for seat in range(g.players):
        g.hand[seat, g.hand_size[seat] :] = NO_CARD
    g.discards[g.discards_size :] = NO_CARD
    for age in range(1, g.age + 1):
        dealt = g.players * t.hand_size
        undealt = first_undealt(g, t, age)
        g.deck[age - 1, :dealt] = NO_CARD
        # Cards drawn into hands from the Free City's pile stay in the deck, because a redeal reads them there.
        g.deck[age - 1, min(dealt + t.turns_per_age, undealt) : undealt] = NO_CARD
    g.option_count = 0
    g.answer[:] = 0
