"""Placing followers and carrying out their actions (rulebook: Action phase)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.options import offer
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.conditions import province_before
from sim.games.glory_of_rome.rules.glory import gain_denarii, gain_glory
from sim.games.glory_of_rome.rules.hands import draw_cards, room
from sim.games.glory_of_rome.rules.intrigue import bonus_is_covered, intrigue_is_played
from sim.games.glory_of_rome.rules.log import FOLLOWER_PLACED, INTRIGUE_PLACED, log_event
from sim.games.glory_of_rome.rules.pantheon import can_place_piece
from sim.games.glory_of_rome.rules.regions import has_legion_step
from sim.games.glory_of_rome.rules.senate import place_vote
from sim.games.glory_of_rome.rules.trading import votes_after_recruiting


@kernel
def has_bonus(g: Record, seat: int, bonus: int) -> bool:
    """Tell whether a seat can use a bonus. A bonus can be used once per round, if no discord token covers it."""
    return bool(g.bonus_used[seat, bonus] == 0 and not bonus_is_covered(g, seat, bonus))


@kernel
def has_capacity(g: Record, seat: int, kind: int) -> bool:
    """Tell whether a building in the province in front of a seat can take another follower: it takes one per level."""
    return bool(g.placed[seat, kind] < g.building[province_before(g, seat), kind])


@kernel
def free_intrigue_space(g: Record, province: int) -> bool:
    """Tell whether an intrigue space of a province is free. Activated tokens also occupy spaces."""
    taken = 0
    for seat in range(g.players):
        taken += int(g.intrigue[province, seat]) + int(g.activated[province, seat])
    return taken < constants.INTRIGUE_SPACES


@kernel
def cards_to_draw(g: Record) -> int:
    """Return the number of trade cards in the deck and the discard pile."""
    return int(g.trade_size + g.discard_size)


@kernel
def action_is_possible(g: Record, t: Record, seat: int, kind: int) -> bool:
    """Tell whether a building's action can be carried out. Room in the hand does not matter here."""
    if kind == constants.MILITARY:
        return has_legion_step(g, seat)
    if kind == constants.POLITICAL:
        return bool(g.board_votes[seat] > 0)
    if kind == constants.COMMERCIAL:
        return cards_to_draw(g) > 0
    if kind == constants.RELIGIOUS:
        return can_place_piece(g, t, seat)
    return True


@kernel
def bonus_is_possible(g: Record, seat: int, kind: int) -> bool:
    """Tell whether an action that is possible once can also be carried out twice."""
    if kind == constants.POLITICAL:
        return can_vote(g, seat, int(g.board_votes[seat]), 2)
    if kind == constants.COMMERCIAL:
        return cards_to_draw(g) > 1
    return True


@kernel
def can_vote(g: Record, seat: int, votes: int, times: int) -> bool:
    """Tell whether a seat with `votes` votes on its board can place `times` votes (one or two)."""
    # If the first vote pushes one of the seat's votes out of the column, that vote can be the second one.
    pushed_out = g.senate_size == constants.SENATE_SIZE and g.senate[0] == seat
    return bool(votes >= times or (votes > 0 and pushed_out))


@kernel
def can_act(g: Record, t: Record, seat: int, kind: int, times: int) -> bool:
    """Tell whether a building's action can be carried out `times` times. Trade cards may recruit votes for it first."""
    if kind == constants.POLITICAL:
        return can_vote(g, seat, int(g.board_votes[seat]), times) or can_vote(
            g, seat, votes_after_recruiting(g, t, seat), times
        )
    return action_is_possible(g, t, seat, kind) and (times == 1 or bonus_is_possible(g, seat, kind))


@kernel
def offer_places(g: Record, t: Record, seat: int) -> None:
    """Offer the places for a seat's next follower, without and (if possible) with the bonus."""
    for kind in range(g.building.shape[1]):
        if has_capacity(g, seat, kind) and can_act(g, t, seat, kind, 1):
            offer(g, constants.PLACE_FOLLOWER, kind, 0, seat)
            if kind < constants.BONUSES and has_bonus(g, seat, kind) and can_act(g, t, seat, kind, 2):
                offer(g, constants.PLACE_FOLLOWER, kind, 1, seat)
    offer(g, constants.PLACE_FOLLOWER, constants.COLOSSEUM, 0, seat)
    if intrigue_is_played(g) and g.intrigue_left[seat] > 0 and free_intrigue_space(g, province_before(g, seat)):
        offer(g, constants.PLACE_FOLLOWER, constants.INTRIGUE_SPACE, 0, seat)


@kernel
def room_needed(g: Record) -> int:
    """Return the number of trade cards that the current action adds to the hand."""
    if g.act_kind == constants.ACTIVATE:
        return int(g.act_card == constants.CUSTOM_DUTY)
    draws = g.act_kind in (constants.PLACE_FOLLOWER, constants.FREE_ACTION) and g.act_card == constants.COMMERCIAL
    return 1 + int(g.act_value) if draws else 0


@kernel
def has_room_for_draws(g: Record, t: Record, seat: int) -> bool:
    """Tell whether the hand has room for the cards that the current action draws.

    With the setting `draw_beyond_limit` "lost" the answer is always yes: cards without room are not drawn.
    """
    needed = room_needed(g)
    return bool(needed == 0 or t.draw_beyond_limit != 0 or room(g, t, seat) >= needed)


@kernel
def put_follower(g: Record, seat: int, place: int, with_bonus: int) -> None:
    """Put a follower on a place. If the bonus is used, the bonus token lies under it."""
    g.followers_left[seat] -= 1
    g.placed[seat, place] += 1
    g.followers_placed[seat, place] += 1
    log_event(g, FOLLOWER_PLACED, seat, place, constants.NO_CARD, with_bonus, 0)
    if with_bonus != 0:
        g.bonus_used[seat, place] = 1
        g.bonuses_used[seat] += 1


@kernel
def act_at(g: Record, t: Record, seat: int, place: int, times: int, owns_medal: bool) -> None:
    """Carry out the action of a place that needs no choice. Votes are placed and cards are drawn `times` times.

    `owns_medal` adds the denarii that the economic medal brings to the economic action.
    """
    if place == constants.POLITICAL:
        for _ in range(times):
            place_vote(g, t, seat)
    elif place == constants.COMMERCIAL:
        draw_cards(g, t, seat, times, constants.NEVER)
    elif place == constants.ECONOMIC:
        denarii = int(t.economic[g.round_number - 1])
        gain_denarii(g, seat, denarii + int(t.economic_medal_denarii) * int(owns_medal))
    elif place == constants.COLOSSEUM:
        gain_glory(g, t, seat, int(t.colosseum_glory))
    elif place == constants.INTRIGUE_SPACE:
        province = province_before(g, seat)
        g.intrigue_left[seat] -= 1
        g.intrigue[province, seat] += 1
        log_event(g, INTRIGUE_PLACED, seat, 0, constants.NO_CARD, province, 0)


@kernel
def take_back(g: Record) -> None:
    """Give followers, bonus tokens and activated intrigue back to their owners at the end of the phase."""
    for seat in range(g.players):
        g.followers_left[seat] = g.followers[seat]
        for province in range(g.activated.shape[0]):
            g.intrigue_left[seat] += g.activated[province, seat]
    g.activated[:] = 0
    g.placed[:] = 0
    g.bonus_used[:] = 0
