"""Lists the cards among which an effect lets a player choose, and asks the player."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players, choose
from sim.engine.options import offer
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.counting import can_leave, hosts


@kernel
def meant(g: Record, t: Record, root: int, own: int, selector: int, card: int) -> bool:
    """Tell whether a selector selects `card`.

    `own` is the card with the effect; `root` is the frame in which the effect began.
    """
    if selector >= 0:
        return bool(t.selector[selector, card] != 0)
    if selector == constants.SELF:
        return card == own
    for place in range(g.frame[root, constants.DRAWN]):
        if g.frame[root, constants.DRAWN_CARD + place] == card:
            return True
    return False


@kernel
def offer_from(g: Record, t: Record, root: int, own: int, seat: int, selector: int, zones: int) -> None:
    """Offer a seat's cards that match a selector. Unrest cards are all alike, so a zone offers only one of them."""
    for zone in range(constants.ZONES):
        if zones & (1 << zone) != 0:
            has_unrest = False
            for place in range(g.zone_size[seat, zone]):
                card = int(g.zone[seat, zone, place])
                if meant(g, t, root, own, selector, card):
                    is_unrest = t.suits[card] & constants.UNREST != 0
                    if not (is_unrest and has_unrest):
                        offer(g, 0, card, zone, seat)
                    has_unrest = has_unrest or is_unrest


@kernel
def offer_pinned(g: Record, t: Record, own: int, seat: int, selector: int, garrisoned: int) -> None:
    """Offer a seat's cards in play that match a selector and can be abandoned or recalled.

    Unless `garrisoned` is NOTHING, an offered card must also have a card in its garrison that matches this selector.
    """
    for place in range(g.zone_size[seat, constants.PLAY]):
        card = int(g.zone[seat, constants.PLAY, place])
        named = card == own if selector == constants.SELF else t.selector[selector, card] != 0
        if named and can_leave(t, card) and (garrisoned == constants.NOTHING or hosts(g, t, seat, card, garrisoned)):
            offer(g, 0, card, constants.PLAY, seat)


@kernel
def offer_garrisoned(g: Record, t: Record, seat: int, selector: int, host: int, host_selector: int) -> None:
    """Offer the cards that match `selector` and are garrisoned under the card `host`.

    If `host` is NO_CARD, offer those under all hosts that match `host_selector`.
    """
    for place in range(g.zone_size[seat, constants.GARRISON]):
        card = int(g.zone[seat, constants.GARRISON, place])
        under = int(g.host[card])
        fits = under == host if host != constants.NO_CARD else t.selector[host_selector, under] != 0
        if fits and t.selector[selector, card] != 0:
            offer(g, 0, card, constants.GARRISON, seat)


@kernel
def ask_card(g: Record, t: Record, players: Players, seat: int, operation: int, optional: bool) -> int:
    """Let a seat choose one of the offered cards; return the index of the option.

    `operation` is what the card is for. If `optional`, the seat may choose none. Return -1 if it does, or if no card is
    offered.
    """
    if g.option_count == 0:
        return -1
    if optional:
        offer(g, 0, constants.NO_CARD, 0, seat)
    g.asked = operation
    option = choose(g, t, players, seat, constants.PICK)
    return option if g.option_card[option] != constants.NO_CARD else -1
