"""The time left, and the worth of tokens, drawn cards and unrest until the end."""

from __future__ import annotations

import math

from sim.compiler.kernel import Record, kernel
from sim.engine.seating import seat_after
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.scoring import card_points
from strategies.imperium.weights import (
    H_CYCLE,
    H_DEVELOP,
    H_FAME,
    H_MATERIAL,
    N_ACCESSION,
    N_ACTION,
    N_ADVANCE,
    N_AS_BARBARIAN,
    N_DRAW,
    N_FAME,
    N_HORIZON,
    N_LEAD,
    N_PLAYS,
    N_STAYS,
    N_STAYS_LATER,
    N_TURNS,
    N_UNREST,
    N_UNREST_GIVEN,
    N_WORTH,
    P_ACTION,
    P_ADVANCE,
    P_ATTACK,
    P_COLLAPSE,
    P_CYCLE,
    P_DEVELOP,
    P_DRAW,
    P_FAME,
    P_HINT,
    P_MATERIAL,
    P_PLENTY,
    P_POPULATION,
    P_PROGRESS,
    P_RUSH,
    P_UNREST,
)

DRAWN_A_TURN = 5.5
"""Number of cards that pass through a player's hand per turn."""
HALF_HORIZON = 1.5
"""Number of turns before the end at which future gains are worth half as much as early in the game."""
PLAYED_OF_DRAWN = 0.7
MAIN_DECK_PACE = 0.5
FAME_DECK_PACE = 0.16
"""Numbers of cards that leave the main deck and the fame deck in one player's turn."""
TURNS_UNTIL_PLAYED = 1.0
"""Number of turns between gaining a pinned card and playing it."""
LONG_STAY = 8.0
"""With this many turns left, a card in play is expected to stay for half of them.

Many cards leave for glory or by their own effect.
"""
MOST_TURNS = 22.0
NEAR_COLLAPSE = 6
"""A collapse is in sight if the unrest pile has at most this many cards."""
POINTS_OF_FAME = 7.0
POINTS_OF_COMMON = 1.6
"""Mean points of a fame card, and of any other common card."""
LONG_GAME = 25
"""Number of rounds after which even a player who is behind no longer delays the end."""
MOST_AHEAD = 20.0
"""Lead or deficit in points beyond which the worth of ending the game stays the same."""
JOURNEY_POPULATION = 0.7
"""Minimum worth of population during a journey, because the end of the journey costs much population."""


@kernel
def cards_that_cycle(g: Record, seat: int) -> float:
    """Return the number of cards in a seat's hand, draw deck and discard pile (the deck's cycle)."""
    return float(
        g.zone_size[seat, constants.HAND]
        + g.zone_size[seat, constants.DECK]
        + g.zone_size[seat, constants.DISCARD_PILE]
    )


@kernel
def turns_a_cycle(g: Record, seat: int) -> float:
    """Return the number of turns from one reshuffle of a seat's deck to the next."""
    return max(1.2, cards_that_cycle(g, seat) / DRAWN_A_TURN)


@kernel
def rounds_to_end(g: Record, t: Record) -> float:
    """Estimate the number of rounds left in the game from the sizes of decks, which are public."""
    rounds = min(MOST_TURNS, float(t.round_limit - g.rounds))
    for seat in range(g.players):
        faction = g.faction[seat]
        left = g.zone_size[seat, constants.NATION]
        if t.faction_develops[faction] != 0:
            left += g.zone_size[seat, constants.DEVELOPMENT]
        if left > 0:
            rounds = min(rounds, left * turns_a_cycle(g, seat) + 1.5)
    main = g.zone_size[constants.TABLE, constants.MAIN_DECK] / (MAIN_DECK_PACE * g.players) + 1.5
    fame = (g.zone_size[constants.TABLE, constants.FAME_DECK] + 1.0) / (FAME_DECK_PACE * g.players) + 1.5
    if g.king_turned != 0:
        fame = MOST_TURNS
    return float(max(2.0, min(rounds, main, fame)))


@kernel
def turns_left(g: Record, t: Record, me: int) -> float:
    """Return the number of the seat's remaining turns, including the current one."""
    if g.ending == constants.NOT_ENDING:
        return rounds_to_end(g, t)
    turns = float(g.rounds_left)
    if g.turn_seat == constants.NO_SEAT:
        return turns - 1.0
    mine = (me - g.first_seat + g.players) % g.players
    now = (g.turn_seat - g.first_seat + g.players) % g.players
    return turns - 1.0 if now > mine else turns


@kernel
def look_ahead(g: Record, t: Record, me: int, w: Record) -> None:
    """Cache, once per decision, the turns left and the worth of tokens, cards and unrest until the end."""
    if not math.isnan(g.notes[N_TURNS]):
        return
    turns = turns_left(g, t, me)
    hint = w.weight[P_HINT]
    faction = g.faction[me]
    horizon = turns / (turns + HALF_HORIZON)
    plenty = w.weight[P_PLENTY]
    for resource in range(2):
        worth = w.weight[P_MATERIAL if resource == constants.MATERIAL else P_POPULATION]
        worth *= horizon * plenty / (plenty + g.resource[me, resource])
        g.notes[N_WORTH + resource] = worth + 0.15 * hint * max(0.0, t.faction_hint[faction, H_MATERIAL + resource])
    g.notes[N_WORTH + constants.PROGRESS] = 1.0 + w.weight[P_PROGRESS] * horizon
    if t.faction_becomes_empire[faction] == 0 and on_a_journey(g, t, me):
        g.notes[N_WORTH + constants.POPULATION] = max(g.notes[N_WORTH + constants.POPULATION], JOURNEY_POPULATION)
    g.notes[N_HORIZON] = horizon
    note_cards(g, t, me, turns, horizon, w)
    note_turns(g, t, me, turns)


@kernel
def note_turns(g: Record, t: Record, me: int, turns: float) -> None:
    """Cache the turns left, the share of them that the seat plays as a barbarian, and how long cards stay in play."""
    as_barbarian = 1.0
    if t.faction_becomes_empire[g.faction[me]] != 0 or g.state[me] == constants.EMPIRE:
        as_barbarian = min(1.0, g.notes[N_ACCESSION] / (turns + 0.01))
    g.notes[N_AS_BARBARIAN] = as_barbarian
    g.notes[N_STAYS] = turns_in_play(turns)
    g.notes[N_STAYS_LATER] = turns_in_play(max(0.0, turns - TURNS_UNTIL_PLAYED))
    g.notes[N_TURNS] = turns


@kernel
def turns_in_play(turns: float) -> float:
    """Return for how many of the next `turns` turns a card is expected to stay in play."""
    return turns * LONG_STAY / (LONG_STAY + turns)


@kernel
def on_a_journey(g: Record, t: Record, me: int) -> bool:
    """Tell whether the seat has a journey in play. The steps of a journey cost all progress."""
    for place in range(g.zone_size[me, constants.PLAY]):
        if t.kind[g.zone[me, constants.PLAY, place]] == constants.JOURNEY:
            return True
    return False


@kernel
def note_cards(g: Record, t: Record, me: int, turns: float, horizon: float, w: Record) -> None:
    """Cache the worth of drawing a card, of an action, and of the next nation or development card."""
    hint = w.weight[P_HINT]
    faction = g.faction[me]
    cycling = cards_that_cycle(g, me)
    advance = 0.0
    accession = 0.0
    if g.state[me] != constants.EMPIRE:
        accession = g.zone_size[me, constants.NATION] * turns_a_cycle(g, me)
        if g.zone_size[me, constants.NATION] > 0:
            advance = w.weight[P_ADVANCE] * (1.0 + hint * t.faction_hint[faction, H_CYCLE])
    elif g.zone_size[me, constants.DEVELOPMENT] > 0 and t.faction_develops[faction] != 0:
        advance = w.weight[P_DEVELOP] * (1.0 + hint * t.faction_hint[faction, H_DEVELOP])
    if (
        t.faction_becomes_empire[faction] == 0
        and g.zone_size[me, constants.NATION] + g.zone_size[me, constants.DEVELOPMENT] == 0
    ):
        # An empty deck brings nothing. During a journey (of the Utopians), an empty deck brings an unrest card.
        advance = -harm_of_unrest(g, t, me, w) if on_a_journey(g, t, me) else 0.0
    advance *= horizon
    g.notes[N_ADVANCE] = advance
    g.notes[N_ACCESSION] = accession
    cycle = w.weight[P_CYCLE] * advance / max(cycling, 6.0)
    acting = 1.0 if g.actions[me] > 0 or g.turn_seat != me else 0.5
    g.notes[N_DRAW] = w.weight[P_DRAW] * horizon * acting + cycle
    g.notes[N_ACTION] = w.weight[P_ACTION] if g.zone_size[me, constants.HAND] > g.actions[me] else 0.2
    g.notes[N_PLAYS] = max(0.0, turns - 0.7) * DRAWN_A_TURN * PLAYED_OF_DRAWN / max(cycling + 1.0, 8.0)
    g.notes[N_FAME] = POINTS_OF_FAME + w.weight[P_FAME] * (1.0 + hint * t.faction_hint[faction, H_FAME])


@kernel
def harm_of_unrest(g: Record, t: Record, me: int, w: Record) -> float:
    """Return the harm of an unrest card to its owner, computed once per decision."""
    if math.isnan(g.notes[N_UNREST]):
        note_unrest(g, t, me, w)
    return float(g.notes[N_UNREST])


@kernel
def gain_by_unrest_given(g: Record, t: Record, me: int, w: Record) -> float:
    """Return the worth of making every other player take an unrest card, computed once per decision."""
    if math.isnan(g.notes[N_UNREST]):
        note_unrest(g, t, me, w)
    return float(g.notes[N_UNREST_GIVEN])


@kernel
def note_unrest(g: Record, t: Record, me: int, w: Record) -> None:
    """Cache the harm of an unrest card.

    It is higher close to a collapse that the seat would lose, and lower if the seat would win it.
    """
    harm = 2.0 + (w.weight[P_UNREST] - 2.0) * g.notes[N_HORIZON]
    given = harm
    pile = g.zone_size[constants.TABLE, constants.UNREST_PILE]
    if pile <= NEAR_COLLAPSE:
        margin = unrest_margin(g, t, me)
        danger = w.weight[P_COLLAPSE] / (1.0 + pile)
        if margin > 1:
            # The last unrest card ends the game, and the player with the least unrest wins.
            harm -= danger * min(1.0, 0.34 * (margin - 1)) if pile <= 1 else 0.0
            given += danger
        else:
            harm += danger * (1.0 - 0.3 * max(margin, -4))
            given += 0.5 * danger if margin == 1 else 0.0
    g.notes[N_UNREST] = harm
    g.notes[N_UNREST_GIVEN] = given * w.weight[P_ATTACK]


@kernel
def unrest_of(g: Record, t: Record, seat: int) -> int:
    """Count a seat's unrest cards.

    All players can know the number, because unrest is taken, given and returned in public.
    """
    count = 0
    for zone in range(constants.ZONES):
        if zone not in (constants.NATION, constants.DEVELOPMENT):
            for place in range(g.zone_size[seat, zone]):
                count += int(t.suits[g.zone[seat, zone, place]] & constants.UNREST != 0)
    return count


@kernel
def unrest_margin(g: Record, t: Record, me: int) -> int:
    """Return how many fewer unrest cards this seat has than the opponent with the fewest."""
    least = 99
    other = me
    for _ in range(g.players - 1):
        other = seat_after(g, other)
        least = min(least, unrest_of(g, t, other))
    return least - unrest_of(g, t, me)


@kernel
def open_points(g: Record, t: Record, seat: int, own: bool) -> float:
    """Estimate a seat's present points.

    Cards that are hidden from the deciding seat count with the mean of their kind. If `own` is set, `seat` is the
    deciding seat itself, and no cards are hidden.
    """
    points = float(g.resource[seat, constants.PROGRESS])
    fame = commons = 0
    for zone in range(constants.ZONES):
        for place in range(g.zone_size[seat, zone]):
            card = int(g.zone[seat, zone, place])
            hidden = not own and zone in (constants.HAND, constants.DECK)
            if hidden and t.suits[card] & constants.FAME != 0:
                fame += 1
            elif hidden and t.start[card] == constants.START_COMMONS and t.suits[card] & constants.UNREST == 0:
                commons += 1
            else:
                points += card_points(g, t, seat, card, zone)
    # Count cards before multiplying. A running sum of fractions would depend, by rounding, on the order of hidden
    # cards.
    return points + fame * POINTS_OF_FAME + commons * POINTS_OF_COMMON


@kernel
def printed_points(t: Record, card: int, zone: int) -> float:
    """Return the printed points of a card in a zone; 3 for a card with variable points."""
    if t.points_kind[card] == constants.VARIABLE_POINTS:
        return 3.0
    return float(t.points_at[card, zone])


@kernel
def lead(g: Record, t: Record, me: int) -> float:
    """Return the estimated lead in points over the best opponent."""
    if math.isnan(g.notes[N_LEAD]):
        best = -99.0
        other = me
        for _ in range(g.players - 1):
            other = seat_after(g, other)
            best = max(best, open_points(g, t, other, False))
        g.notes[N_LEAD] = open_points(g, t, me, True) - best
    return float(g.notes[N_LEAD])


@kernel
def worth_of_ending(g: Record, t: Record, me: int, w: Record) -> float:
    """Return the worth of triggering the end of the game: positive if the seat leads, negative if it is behind."""
    if g.ending != constants.NOT_ENDING:
        return 0.0
    # A player who is behind delays the end, but not forever.
    least = -MOST_AHEAD if g.rounds < LONG_GAME else 0.0
    return float(w.weight[P_RUSH] * max(least, min(MOST_AHEAD, lead(g, t, me))))


@kernel
def worth_of_last_card(g: Record, t: Record, me: int, w: Record) -> float:
    """Return the worth of ending the game by taking the last card of the main deck; 0 if more cards are left."""
    return worth_of_ending(g, t, me, w) if g.zone_size[constants.TABLE, constants.MAIN_DECK] <= 1 else 0.0
