"""Activating intrigue (rulebook: Intrigue phase, step 2)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.glory import gain_denarii, gain_glory, lose_glory, spaces_behind
from sim.games.glory_of_rome.rules.hands import lose_random_card, room
from sim.games.glory_of_rome.rules.log import ACTIVATED, LEGION_REMOVED, log_event
from sim.games.glory_of_rome.rules.options import offer_at
from sim.games.glory_of_rome.rules.pantheon import has_loose_piece, remove_piece
from sim.games.glory_of_rome.rules.regions import look_at_region, move_legion
from sim.games.glory_of_rome.rules.senate import place_vote, remove_vote

REPLACED = 3
"""Number added to the index of the region, in the `option_value` of a Defection that replaces the legion."""


@kernel
def bonus_is_covered(g: Record, seat: int, bonus: int) -> bool:
    """Tell whether a bonus is unavailable: a discord token covers its space, or the track has no space for it."""
    for space in range(g.track_length[seat]):
        if g.track[seat, space] == bonus:
            return bool(space >= g.track_length[seat] - g.discord[seat])
    return True


@kernel
def intrigue_is_played(g: Record) -> bool:
    """Tell whether intrigue is used. It is not used in the variants Truce and Imperial."""
    return bool(g.variant & (constants.TRUCE | constants.IMPERIAL) == 0)


@kernel
def can_pass_discord(g: Record, seat: int, target: int) -> bool:
    """Tell whether a seat has a discord token to pass on and the target has a free space for it."""
    return bool(g.discord[seat] > 0 and g.discord[target] < g.track_length[target])


@kernel
def target_in(g: Record, seat: int, province: int) -> int:
    """Return the player whom a seat can attack with intrigue in a province; NO_SEAT if there is none.

    It is the player in front of whom the province lies.
    """
    if g.intrigue[province, seat] == 0:
        return constants.NO_SEAT
    for place in range(g.board.shape[0]):
        if g.board[place] == province:
            target = int(g.seat_at[place])
            return constants.NO_SEAT if target in (seat, constants.NO_SEAT) else target
    return constants.NO_SEAT


@kernel
def offer_intrigue(g: Record, t: Record, seat: int) -> None:
    """Offer all intrigue that a seat can activate."""
    if not intrigue_is_played(g):
        return
    for province in range(g.intrigue.shape[0]):
        target = target_in(g, seat, province)
        if target != constants.NO_SEAT and can_pass_discord(g, seat, target):
            offer_glory_and_pieces(g, t, province, target)
            own = int(g.own_intrigue[seat])
            if own == constants.DEFECTION:
                offer_defection(g, seat, province, target)
            elif own == constants.DECEPTION:
                offer_deception(g, t, province, target)
            elif own in (constants.RE_VOTE, constants.INVALID_VOTE):
                offer_votes(g, seat, own, province, target)
            elif own in (constants.SOLD, constants.CUSTOM_DUTY) and can_lose_card(g, t, seat, own, target):
                offer_at(g, constants.ACTIVATE, own, 0, target, province)


@kernel
def can_be_slandered(g: Record, t: Record, target: int) -> bool:
    """Tell whether a seat's marker can move back."""
    return spaces_behind(g, t, target) > 0


@kernel
def offer_glory_and_pieces(g: Record, t: Record, province: int, target: int) -> None:
    """Offer the effects Slander and Demolition."""
    if can_be_slandered(g, t, target):
        offer_at(g, constants.ACTIVATE, constants.SLANDER, 0, target, province)
    for level in range(2):
        if has_loose_piece(g, t, target, level):
            offer_at(g, constants.ACTIVATE, constants.DEMOLITION, level, target, province)


@kernel
def offer_defection(g: Record, seat: int, province: int, target: int) -> None:
    """Offer to remove or replace a legion of the target."""
    for region in range(g.legions.shape[0]):
        if g.legions[region, target] > 0:
            offer_at(g, constants.ACTIVATE, constants.DEFECTION, region, target, province)
            if g.board_legions[seat] > 0:
                offer_at(g, constants.ACTIVATE, constants.DEFECTION, region + REPLACED, target, province)


@kernel
def offer_deception(g: Record, t: Record, province: int, target: int) -> None:
    """Offer to move two of the target's legions to another region.

    With the setting `single_legion_deception`, the target's only legion can be moved, too.
    """
    regions = g.legions.shape[0]
    for to in range(regions):
        for one in range(regions):
            if one == to or g.legions[one, target] == 0:
                continue
            for two in range(one, regions):
                if two != to and g.legions[two, target] > int(two == one):
                    offer_at(g, constants.ACTIVATE, constants.DECEPTION, one + 4 * two + 16 * to, target, province)
            if t.single_legion_deception != 0 and legions_placed(g, target) == 1:
                offer_at(
                    g,
                    constants.ACTIVATE,
                    constants.DECEPTION,
                    one + 4 * constants.NO_SECOND + 16 * to,
                    target,
                    province,
                )


@kernel
def legions_placed(g: Record, seat: int) -> int:
    """Return the number of a seat's legions in regions."""
    count = 0
    for region in range(g.legions.shape[0]):
        count += int(g.legions[region, seat])
    return count


@kernel
def offer_votes(g: Record, seat: int, effect: int, province: int, target: int) -> None:
    """Offer to remove one of the target's votes. For a Re-vote, the seat needs a vote of its own to put on top."""
    if effect == constants.RE_VOTE and g.board_votes[seat] == 0:
        return
    for place in range(g.senate_size):
        if g.senate[place] == target:
            offer_at(g, constants.ACTIVATE, effect, place, target, province)


@kernel
def can_lose_card(g: Record, t: Record, seat: int, effect: int, target: int) -> bool:
    """Tell whether a target can lose a trade card.

    With the setting `no_trade_cards` "target without effect", a target that has only an anchor card counts, too. With
    `draw_beyond_limit` "lost", a taker without room for the card cannot take it. Otherwise the taker makes room first.
    """
    if effect == constants.CUSTOM_DUTY and t.draw_beyond_limit != 0 and room(g, t, seat) <= 0:
        return False
    return bool(g.hand_size[target] > 0 or (t.no_trade_cards != 0 and g.anchor[target] != 0))


# ---- Carrying out intrigue ----


@kernel
def is_still_possible(g: Record, t: Record, seat: int, effect: int, target: int) -> bool:
    """Tell whether an effect is still possible after the target has responded with trade cards."""
    if effect == constants.SLANDER:
        return can_be_slandered(g, t, target)
    if effect in (constants.SOLD, constants.CUSTOM_DUTY):
        return can_lose_card(g, t, seat, effect, target)
    return True


@kernel
def activate(g: Record, t: Record, seat: int, province: int, effect: int, value: int, target: int) -> None:
    """Pass a discord token to the target, flip the intrigue token, and carry out the effect if it is still possible."""
    log_event(g, ACTIVATED, seat, effect, constants.NO_CARD, province, target)
    g.discord[seat] -= 1
    g.discord[target] += 1
    g.intrigue[province, seat] -= 1
    g.activated[province, seat] += 1
    g.activations[seat] += 1
    g.suffered[target] += 1
    if is_still_possible(g, t, seat, effect, target):
        carry_out_intrigue(g, t, seat, effect, value, target)


@kernel
def carry_out_intrigue(g: Record, t: Record, seat: int, effect: int, value: int, target: int) -> None:
    """Carry out one of the eight intrigue effects on its target."""
    if effect == constants.SLANDER:
        lose_glory(g, t, target, int(t.slander_glory))
    elif effect == constants.DEMOLITION:
        remove_piece(g, target, value)
    elif effect == constants.DEFECTION:
        defect(g, t, seat, target, value % REPLACED, value >= REPLACED)
    elif effect == constants.DECEPTION:
        deceive(g, t, target, value % 4, value // 4 % 4, value // 16)
    elif effect == constants.RE_VOTE:
        remove_vote(g, value)
        place_vote(g, t, seat)
    elif effect == constants.INVALID_VOTE:
        remove_vote(g, value)
        gain_glory(g, t, seat, int(t.invalid_vote_glory))
    elif effect == constants.SOLD:
        if g.hand_size[target] > 0:
            lose_random_card(g, target, constants.NO_SEAT)
        gain_denarii(g, seat, int(t.sold_denarii))
    elif g.hand_size[target] > 0:
        lose_random_card(g, target, seat)


@kernel
def defect(g: Record, t: Record, seat: int, target: int, region: int, replaced: bool) -> None:
    """Put one of the target's legions back on its board. If `replaced`, put one of the seat's own in its place."""
    g.legions[region, target] -= 1
    g.board_legions[target] += 1
    if replaced:
        g.legions[region, seat] += 1
        g.board_legions[seat] -= 1
    log_event(g, LEGION_REMOVED, target, region, constants.NO_CARD, seat if replaced else constants.NO_SEAT, 0)
    look_at_region(g, t, region)


@kernel
def deceive(g: Record, t: Record, target: int, one: int, two: int, to: int) -> None:
    """Move two of the target's legions, or its only one, to another region."""
    move_legion(g, t, target, one, to)
    if two != constants.NO_SECOND:
        move_legion(g, t, target, two, to)
