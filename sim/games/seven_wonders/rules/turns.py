"""Course of the game: the simultaneous actions, the sixth turn, passing, ages, the end."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players, choose
from sim.engine.state import begin_step
from sim.games.seven_wonders.rules.building import (
    build_from_discards,
    collect,
    credit_income,
    discard,
    list_discard_builds,
    list_plays,
    pay,
    place_choice,
    take_from_hand,
)
from sim.games.seven_wonders.rules.conflicts import resolve_conflicts
from sim.games.seven_wonders.rules.constants import (
    BUILD,
    CHOOSING,
    DISCARD_BUILDS,
    END_TURN,
    FROM_DISCARD,
    LAST_CARDS,
    LOG_CONFLICT,
    LOG_FROM_DISCARD,
    LOG_LAST_CARD,
    LOG_PLAY,
    NO_CARD,
    PAYMENT,
    PLAY,
    STAGE,
    START_TURN,
)
from sim.games.seven_wonders.rules.log import (
    log_choice,
    log_income,
    log_tokens,
    note_action,
    note_from_discards,
    note_offers,
)
from sim.games.seven_wonders.rules.scoring import score_age, score_game
from sim.games.seven_wonders.rules.setup import FREE_CITY, draw_for_free_city, start_age
from sim.games.seven_wonders.rules.state import NO_CITY, left_of, turn_of_game
from sim.games.seven_wonders.rules.tables import stage_item
from sim.games.seven_wonders.rules.trade import begin_turn, list_payments, see_supplies


@kernel
def choose_play(g: Record, t: Record, players: Players, city: int, seat: int) -> None:
    """Let a seat choose a hand card, an action and a payment for a city (its own, or the Free City)."""
    g.city = city
    list_plays(g, t, city, seat)
    if g.log.keeps_pieces != 0:
        note_offers(g, t, seat)
    option = choose(g, t, players, seat, PLAY)
    card = g.option_card[option]
    action = g.option_action[option]
    price = g.option_price[option]
    g.choice_card[city] = card
    g.choice_action[city] = action
    g.choice_bank[city] = 0
    g.choice_left[city] = 0
    g.choice_right[city] = 0
    if price > 0 and (action in (BUILD, STAGE)):
        choose_payment(g, t, players, city, seat, item_paid_for(g, t, city, card, action))
    take_from_hand(g, seat, card)


@kernel
def item_paid_for(g: Record, t: Record, city: int, card: int, action: int) -> int:
    """Return the item whose cost an action pays: the card, or the next stage."""
    return card if action == BUILD else stage_item(g.faction[city], g.stages_built[city])


@kernel
def choose_payment(g: Record, t: Record, players: Players, city: int, seat: int, item: int) -> None:
    """Let a seat choose among the payments for an item."""
    list_payments(g, t, city, item)
    payment = choose(g, t, players, seat, PAYMENT)
    g.choice_bank[city] = t.item_coins[item]
    g.choice_left[city] = g.option_left[payment]
    g.choice_right[city] = g.option_right[payment]


@kernel
def play_step(g: Record, t: Record, players: Players) -> None:
    """Play one step. At most one city decides in it, on one card and its payment."""
    begin_step(g)
    if g.phase == START_TURN:
        begin_turn(g)
        g.phase = CHOOSING
    if g.phase == CHOOSING:
        choose_or_act(g, t, players)
    elif g.phase == END_TURN:
        end_turn(g, t)
    elif g.phase == DISCARD_BUILDS:
        build_discarded(g, t, players)
    else:
        play_last_card(g, t, players)


@kernel
def choose_or_act(g: Record, t: Record, players: Players) -> None:
    """Let the next city choose. Once all have chosen, carry out their choices."""
    city = next_to_choose(g)
    if city == NO_CITY:
        act(g, t, LOG_PLAY)
        g.rounds += 1
        end_actions(g, t)
        return
    seat = seat_for(g, city)
    # The Free City's coins count only during this choice: the other player must not see what the Free City has bought.
    bonus = spendable_sale(g, t, city)
    g.spendable[city] += bonus
    choose_play(g, t, players, city, seat)
    g.spendable[city] -= bonus


@kernel
def next_to_choose(g: Record) -> int:
    """Return the city that chooses next, the Free City before the seats; NO_CITY if all have chosen."""
    if g.holder >= 0 and g.choice_card[FREE_CITY] == NO_CARD:
        return FREE_CITY
    for seat in range(g.players):
        if g.choice_card[seat] == NO_CARD:
            return seat
    return NO_CITY


@kernel
def seat_for(g: Record, city: int) -> int:
    """Return the seat that decides for a city: the city's own, or the holder of the Free City."""
    return city if city < g.players else int(g.holder)


@kernel
def spendable_sale(g: Record, t: Record, city: int) -> int:
    """Return the coins from the Free City's choice that a city may spend in the same turn.

    Only the holder of the Free City may spend any.
    """
    return paid_by_free_city(g, city) if t.free_city_sales_spendable != 0 and city == g.holder else 0


@kernel
def paid_by_free_city(g: Record, seat: int) -> int:
    """Return the coins that the Free City's choice this turn pays to a seat."""
    return g.choice_left[FREE_CITY] if left_of(g, FREE_CITY) == seat else g.choice_right[FREE_CITY]


@kernel
def act(g: Record, t: Record, kind: int) -> None:
    """Carry out all choices simultaneously: all cities pay, everything is placed, then effects are counted."""
    for city in range(g.cities):
        if g.choice_card[city] != NO_CARD:
            if g.log.keeps_rows != 0:
                log_choice(g, t, city, kind)
            if g.log.keeps_pieces != 0:
                note_action(g, t, city)
            pay(g, city)
    for city in range(g.cities):
        if g.choice_card[city] != NO_CARD:
            place_choice(g, t, city)
    for city in range(g.cities):
        if g.choice_card[city] != NO_CARD:
            collect(g, t, city)
    if g.log.keeps_rows != 0:
        log_income(g)
    credit_income(g)
    for city in range(g.cities):
        g.choice_card[city] = NO_CARD


@kernel
def end_actions(g: Record, t: Record) -> None:
    """Begin the phase after the simultaneous actions. After an age's last turn, first discard the remaining cards."""
    if g.turn == t.turns_per_age:
        discard_last_cards(g, t)
    if g.turn == t.turns_per_age and t.last_card_before_discard_build != 0:
        g.phase = LAST_CARDS
    else:
        begin_discard_build(g, t)


@kernel
def end_turn(g: Record, t: Record) -> None:
    """Pass the hands, or end the age."""
    g.phase = START_TURN
    if g.turn == t.turns_per_age:
        end_age(g, t)
    else:
        pass_hands(g, t)
        g.turn += 1
    clear_placed(g)


@kernel
def clear_placed(g: Record) -> None:
    """Clear the record of what was placed, before another turn or another card of the same city."""
    for city in range(g.cities):
        g.placed_card[city] = NO_CARD
        g.placed_stage[city] = 0


@kernel
def may_play_last_card(g: Record, t: Record, city: int) -> bool:
    """Tell whether a city may play its seventh card instead of discarding it."""
    if g.plays_last_card[city] == 0:
        return False
    if city >= g.players and t.free_city_uses_wonder_powers == 0:
        return False
    return t.last_card_in_turn_built != 0 or g.last_card_from_turn[city] != turn_of_game(g, t)


@kernel
def discard_last_cards(g: Record, t: Record) -> None:
    """Discard the hands left after the last turn, and the rest of the Free City's pile. These cards bring no coins."""
    g.moment += 1
    for seat in range(g.players):
        if not may_play_last_card(g, t, seat):
            discard_hand(g, seat)
    if g.holder >= 0 and not may_play_last_card(g, t, FREE_CITY):
        discard_pile_rest(g)


@kernel
def discard_hand(g: Record, seat: int) -> None:
    """Discard the hand of a seat."""
    for place in range(g.hand_size[seat]):
        discard(g, seat, g.hand[seat, place])
    g.hand_size[seat] = 0


@kernel
def discard_pile_rest(g: Record) -> None:
    """Discard the rest of the Free City's pile."""
    while g.pile_next < g.deck_size[g.age - 1]:
        discard(g, NO_CITY, g.deck[g.age - 1, g.pile_next])
        g.pile_next += 1


@kernel
def next_with_last_card(g: Record, t: Record) -> int:
    """Return the first city that may still play a seventh card after the last turn; NO_CITY if there is none."""
    for city in range(g.cities):
        if may_play_last_card(g, t, city) and has_last_card(g, city):
            return city
    return NO_CITY


@kernel
def has_last_card(g: Record, city: int) -> bool:
    """Tell whether a city has a card left. The Free City's card is in its pile, or its holder has drawn it."""
    if city >= g.players and g.pile_next < g.deck_size[g.age - 1]:
        return True
    return bool(g.hand_size[seat_for(g, city)] > 0)


@kernel
def play_last_card(g: Record, t: Record, players: Players) -> None:
    """Let the next city with the power of Babylon B play its seventh card."""
    city = next_with_last_card(g, t)
    if city == NO_CITY:
        if t.last_card_before_discard_build != 0:
            begin_discard_build(g, t)
        else:
            g.phase = END_TURN
        return
    seat = seat_for(g, city)
    if g.hand_size[seat] == 0:
        draw_for_free_city(g)
        return
    prepare_last_card(g, t, city)
    choose_play(g, t, players, city, seat)
    discard_hand(g, seat)
    if city >= g.players:
        discard_pile_rest(g)
    act(g, t, LOG_LAST_CARD)


@kernel
def prepare_last_card(g: Record, t: Record, city: int) -> None:
    """Determine what a city can reach and spend for its seventh card.

    A setting decides whether the city may spend coins that it has received in this turn.
    """
    for other in range(g.cities):
        see_supplies(g, other)
    if t.last_card_spends_turn_income != 0:
        g.spendable[city] = g.coins[city]
    else:
        paid = g.choice_bank[city] + g.choice_left[city] + g.choice_right[city]
        g.spendable[city] += spendable_sale(g, t, city) - paid


@kernel
def begin_discard_build(g: Record, t: Record) -> None:
    """Show the discards to the seat that builds one of them next. If there is no such seat, move on."""
    if g.holder >= 0 and t.free_city_uses_wonder_powers == 0:
        g.discard_builds_due[FREE_CITY] = 0
    city = next_to_build_discarded(g)
    if city != NO_CITY:
        g.phase = DISCARD_BUILDS
        for place in range(g.discards_size):
            g.discard_seen[place] |= 1 << seat_for(g, city)
    elif g.turn == t.turns_per_age and t.last_card_before_discard_build == 0:
        g.phase = LAST_CARDS
    else:
        g.phase = END_TURN


@kernel
def next_to_build_discarded(g: Record) -> int:
    """Return the next city that may build a discarded card; NO_CITY if there is none."""
    for city in range(g.cities):
        if g.discard_builds_due[city] > 0:
            return city
    return NO_CITY


@kernel
def build_discarded(g: Record, t: Record, players: Players) -> None:
    """Let the next city with the power of Halikarnassos build one discarded card for free."""
    city = next_to_build_discarded(g)
    g.discard_builds_due[city] -= 1
    g.city = city
    list_discard_builds(g, t, city)
    option = choose(g, t, players, seat_for(g, city), FROM_DISCARD)
    take_discarded(g, t, city, g.option_card[option])
    begin_discard_build(g, t)


@kernel
def take_discarded(g: Record, t: Record, city: int, card: int) -> None:
    """Carry out a free building from the discard pile, if one was chosen."""
    g.choice_card[city] = NO_CARD
    if card == NO_CARD:
        return
    build_from_discards(g, t, city, card)
    if g.log.keeps_rows != 0:
        g.choice_card[city] = card
        log_choice(g, t, city, LOG_FROM_DISCARD)
        log_income(g)
        g.choice_card[city] = NO_CARD
    if g.log.keeps_pieces != 0:
        note_from_discards(g, t, city, card)
    credit_income(g)


@kernel
def pass_hands(g: Record, t: Record) -> None:
    """Pass the hands left or right. If there is a Free City, also change its holder."""
    step = t.pass_direction[g.age]
    count = g.players
    # Move hands one place along the ring; seat 0's hand is kept in the option buffer for the time being.
    held = g.hand_size[0]
    for place in range(held):
        g.option_card[place] = g.hand[0, place]
    seat = 0
    for _ in range(count - 1):
        giver = (seat - step + count) % count
        g.hand_size[seat] = g.hand_size[giver]
        for place in range(g.hand_size[giver]):
            g.hand[seat, place] = g.hand[giver, place]
        seat = giver
    g.hand_size[seat] = held
    for place in range(held):
        g.hand[seat, place] = g.option_card[place]
    g.moment += 1
    if g.holder >= 0:
        g.holder = 1 - g.holder
        draw_for_free_city(g)


@kernel
def end_age(g: Record, t: Record) -> None:
    """Resolve the conflicts. Then deal the next age or end the game."""
    resolve_conflicts(g, t)
    if g.log.keeps_rows != 0:
        for city in range(g.cities):
            log_tokens(g, city, LOG_CONFLICT)
    if g.age == 3:
        g.finished = 1
        score_game(g, t)
    else:
        score_age(g, t)
        start_age(g, t, g.age + 1)
