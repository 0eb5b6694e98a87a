"""Counts cards and icons for effects, costs and conditions."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.zones import place_in
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.market import has_tokens

TREATED_AS = 3
"""A fertile or river icon that a card effect turns into production counts as this number of production icons."""


@kernel
def can_leave(t: Record, card: int) -> bool:
    """Tell whether a card in play can be abandoned or recalled. Pinned cards can, unless they are fixed in play."""
    return bool(t.kind[card] == constants.CARD and t.pinned[card] != 0 and t.fixed_in_play[card] == 0)


@kernel
def hosts(g: Record, t: Record, seat: int, host: int, selector: int) -> bool:
    """Tell whether a card that matches a selector is garrisoned under a host."""
    for place in range(g.zone_size[seat, constants.GARRISON]):
        card = g.zone[seat, constants.GARRISON, place]
        if g.host[card] == host and t.selector[selector, card] != 0:
            return True
    return False


@kernel
def count_of(g: Record, t: Record, seat: int, selector: int, zones: int) -> int:
    """Count a seat's cards that match a selector in some zones (bits). The selector cannot be `SELF`."""
    count = 0
    for zone in range(constants.ZONES):
        if zones & (1 << zone) != 0:
            for place in range(g.zone_size[seat, zone]):
                if t.selector[selector, g.zone[seat, zone, place]] != 0:
                    count += 1
    return count


@kernel
def regions_in(t: Record, selector: int, card: int) -> int:
    """Return the number of cards that a card matching `selector` counts as. As a region, it may count as several."""
    return int(t.region_weight[card]) if selector == constants.REGIONS else 1


@kernel
def count_pinned(g: Record, t: Record, own: int, seat: int, selector: int, garrisoned: int) -> int:
    """Count the cards that `offer_pinned` would offer. A region may count as several regions."""
    count = 0
    for place in range(g.zone_size[seat, constants.PLAY]):
        card = int(g.zone[seat, constants.PLAY, place])
        named = card == own if selector == constants.SELF else t.selector[selector, card] != 0
        if named and can_leave(t, card) and (garrisoned == constants.NOTHING or hosts(g, t, seat, card, garrisoned)):
            count += regions_in(t, selector, card)
    return count


@kernel
def count_garrisoned(g: Record, t: Record, seat: int, selector: int, host: int, host_selector: int) -> int:
    """Count the cards that match `selector` and are garrisoned under the card `host`.

    If `host` is NO_CARD, count those under all hosts that match `host_selector`.
    """
    count = 0
    for place in range(g.zone_size[seat, constants.GARRISON]):
        card = g.zone[seat, constants.GARRISON, place]
        under = g.host[card]
        fits = under == host if host != constants.NO_CARD else t.selector[host_selector, under] != 0
        if fits and t.selector[selector, card] != 0:
            count += 1
    return count


@kernel
def active_quest(g: Record, t: Record, seat: int) -> int:
    """Return the card garrisoned under King Arthur's Court; NO_CARD if there is none."""
    for place in range(g.zone_size[seat, constants.GARRISON]):
        card = int(g.zone[seat, constants.GARRISON, place])
        if t.kind[g.host[card]] == constants.COURT:
            return card
    return constants.NO_CARD


@kernel
def count_icons(g: Record, t: Record, seat: int, icon: int) -> int:
    """Count a region icon on a seat's cards in play.

    Fertile and river icons that an effect has turned into production this turn (`g.treated`) count as production.
    """
    count = 0
    for place in range(g.zone_size[seat, constants.PLAY]):
        card = g.zone[seat, constants.PLAY, place]
        count += t.icons[card, icon] - g.treated[card, icon]
        if icon == constants.PRODUCTION:
            count += TREATED_AS * (g.treated[card, constants.FERTILE] + g.treated[card, constants.RIVER])
    return int(count)


@kernel
def icons_counted(g: Record, t: Record, seat: int, counter: int, argument: int) -> int:
    """Return which of the icons fertile and river (bits) occur on the cards in play that a counter counts.

    The counter is `CARDS_IN_PLAY` with a selector as `argument`, or `ICONS_IN_PLAY` with an icon.
    """
    icons = 0
    for place in range(g.zone_size[seat, constants.PLAY]):
        card = g.zone[seat, constants.PLAY, place]
        if counter == constants.CARDS_IN_PLAY:
            counts = t.selector[argument, card] != 0
        else:
            treated = (
                argument == constants.PRODUCTION
                and g.treated[card, constants.FERTILE] + g.treated[card, constants.RIVER] > 0
            )
            counts = t.icons[card, argument] > 0 or treated
        if counts:
            icons |= icons_of(t, card)
    return icons


@kernel
def icons_of(t: Record, card: int) -> int:
    """Return which of the icons fertile and river (bits) a card has."""
    icons = 0
    for icon in range(constants.FERTILE, constants.RIVER + 1):
        if t.icons[card, icon] > 0:
            icons |= 1 << icon
    return icons


@kernel
def icons_in_play(g: Record, t: Record, seat: int, card: int) -> int:
    """Return the same bits as `icons_of` if a card is in play; otherwise return 0."""
    icons = icons_of(t, card)
    return icons if icons != 0 and place_in(g, seat, constants.PLAY, card) >= 0 else 0


@kernel
def others_in_hand(g: Record, seat: int, own: int) -> int:
    """Count a seat's hand cards other than the card `own`."""
    return int(g.zone_size[seat, constants.HAND] - (place_in(g, seat, constants.HAND, own) >= 0))


@kernel
def count_of_suit(g: Record, t: Record, seat: int, zones: int, suit: int) -> int:
    """Count a seat's cards of a suit in some zones."""
    count = 0
    for zone in range(constants.ZONES):
        if zones & (1 << zone) != 0:
            for place in range(g.zone_size[seat, zone]):
                if t.suits[g.zone[seat, zone, place]] & suit != 0:
                    count += 1
    return count


@kernel
def exhausted_besides(g: Record, seat: int, own: int) -> int:
    """Count a seat's cards in play with an exhaust token, other than the card `own`."""
    count = 0
    for place in range(g.zone_size[seat, constants.PLAY]):
        card = g.zone[seat, constants.PLAY, place]
        count += int(card != own and g.exhausted[card] != 0)
    return count


@kernel
def count_market(g: Record, exilable: bool) -> int:
    """Count the market cards. With `exilable`, count only those without tokens, because tokens protect from exile."""
    count = 0
    for slot in range(constants.SLOTS):
        count += int(g.market[slot] != constants.NO_CARD and not (exilable and has_tokens(g, slot)))
    return count
