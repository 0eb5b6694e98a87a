"""What an effect lets a player choose among: cards in zones, conditions, counters, and whether costs can be paid."""

from __future__ import annotations

from sim.choosing import Players, choose
from sim.games.imperium.market import acquired_from_exile, has_tokens, is_of_suits
from sim.games.imperium.payment import can_develop_any, progress_needed, unrest_due
from sim.games.imperium.stack import count_in_play, is_in_zone, shows_state
from sim.games.imperium.state import (
    ABANDONED,
    ABANDONED_CARD,
    BARBARIAN,
    CARD,
    COURT,
    DECK,
    DEVELOPMENT,
    DISCARD,
    DRAWN,
    DRAWN_CARD,
    EXILE_PILE,
    EXILED_CARD,
    FERTILE,
    GARRISON,
    HAND,
    HISTORY,
    MATERIAL,
    NATION,
    NO_CARD,
    PICK,
    PLAY,
    POPULATION,
    PRODUCTION,
    PROGRESS,
    RETURNED,
    RIVER,
    SLOTS,
    TABLE,
    UNREST,
    UNREST_PILE,
    ZONES,
)
from sim.games.imperium.words import (
    ABANDON,
    ABANDON_GARRISONED,
    ABANDONED_CARDS,
    ABANDONED_LACKS,
    ACQUIRE,
    ALSO_EXILE,
    CARDS_GARRISONED,
    CARDS_IN_PLAY,
    CHOOSE,
    COST,
    COUNT_IN_PLAY_AT_LEAST,
    DEVELOP_CARD,
    DRAW,
    DRAW_FROM,
    DRAW_PER,
    END,
    EXILE_HAND,
    EXILE_MARKET,
    EXILE_QUEST,
    EXILED_WAS,
    FIND,
    FORBIDS_ALL,
    FORBIDS_NOTHING,
    GAIN_PER,
    GARRISON_HERE,
    GARRISON_SELF,
    GARRISONED_HERE_AT_LEAST,
    HAS_DRAWN,
    ICONS_IN_PLAY,
    IF_ABLE,
    IN_HISTORY,
    IN_PLAY,
    JUMP,
    MAY,
    NEXT,
    NO_ACTIVE_QUEST,
    NOTHING,
    ONLY_EXILE,
    OPERATION,
    PAY,
    PAY_ALL,
    PLAY_FROM_DISCARD,
    PLAY_PROGRAM,
    RECALL,
    RECALL_GARRISONED,
    REGIONS,
    REQUIRE,
    REQUIRE_PROGRAM,
    RESOURCE_AT_LEAST,
    RETURN_EXHAUST,
    RETURN_UNREST,
    SELF,
    SINK,
    SPEND_ACTION,
    STATE_IS,
    SWAP_EXILE,
    TAKE_UNREST,
    TO_HISTORY,
    TOKEN_SHIFT,
    TOP_DECK,
    A,
    B,
    C,
    D,
)
from sim.games.imperium.words import DISCARD as DISCARD_CARDS
from sim.jit import Record, kernel
from sim.kit.zones import place_in

HAND_BIT = 1 << HAND
TREATED_AS = 3
"""Production icons that another icon may be treated as."""


@kernel
def meant(g: Record, t: Record, root: int, own: int, selector: int, card: int) -> bool:
    """Tell whether a selector means a card; `own` is the card whose effect it is, `root` the frame it began with."""
    if selector >= 0:
        return bool(t.selector[selector, card] != 0)
    if selector == SELF:
        return card == own
    for place in range(g.frame[root, DRAWN]):
        if g.frame[root, DRAWN_CARD + place] == card:
            return True
    return False


@kernel
def offer(g: Record, card: int, zone: int, seat: int) -> None:
    """Add a card in a zone of a seat to the options."""
    option = g.option_count
    if option < g.option_card.shape[0]:
        g.option_card[option] = card
        g.option_value[option] = zone
        g.option_seat[option] = seat
        g.option_count = option + 1


@kernel
def offer_from(g: Record, t: Record, root: int, own: int, seat: int, selector: int, zones: int) -> None:
    """Add a seat's cards that a selector means to the options; of unrest, which is all alike, one for each zone."""
    for zone in range(ZONES):
        if zones & (1 << zone) != 0:
            has_unrest = False
            for place in range(g.zone_size[seat, zone]):
                card = int(g.zone[seat, zone, place])
                if meant(g, t, root, own, selector, card):
                    is_unrest = t.suits[card] & UNREST != 0
                    if not (is_unrest and has_unrest):
                        offer(g, card, zone, seat)
                    has_unrest = has_unrest or is_unrest


@kernel
def can_leave(t: Record, card: int) -> bool:
    """Tell whether a card in play can be abandoned or recalled: only pinned cards can."""
    return bool(t.kind[card] == CARD and t.pinned[card] != 0 and t.fixed_in_play[card] == 0)


@kernel
def hosts(g: Record, t: Record, seat: int, host: int, selector: int) -> bool:
    """Tell whether a card that a selector means is garrisoned under a host."""
    for place in range(g.zone_size[seat, GARRISON]):
        card = g.zone[seat, GARRISON, place]
        if g.host[card] == host and t.selector[selector, card] != 0:
            return True
    return False


@kernel
def offer_pinned(g: Record, t: Record, own: int, seat: int, selector: int, garrisoned: int) -> None:
    """Add a seat's cards in play that can be abandoned or recalled to the options."""
    for place in range(g.zone_size[seat, PLAY]):
        card = int(g.zone[seat, PLAY, place])
        named = card == own if selector == SELF else t.selector[selector, card] != 0
        if named and can_leave(t, card) and (garrisoned == NOTHING or hosts(g, t, seat, card, garrisoned)):
            offer(g, card, PLAY, seat)


@kernel
def offer_garrisoned(g: Record, t: Record, seat: int, selector: int, host: int, host_selector: int) -> None:
    """Add garrisoned cards to the options: those under one host, or (host NO_CARD) under hosts a selector means."""
    for place in range(g.zone_size[seat, GARRISON]):
        card = int(g.zone[seat, GARRISON, place])
        under = int(g.host[card])
        fits = under == host if host != NO_CARD else t.selector[host_selector, under] != 0
        if fits and t.selector[selector, card] != 0:
            offer(g, card, GARRISON, seat)


@kernel
def ask_card(g: Record, t: Record, players: Players, seat: int, operation: int, optional: bool) -> int:
    """Let a seat choose one of the cards offered; return the option, or -1 for none."""
    if g.option_count == 0:
        return -1
    if optional:
        offer(g, NO_CARD, 0, seat)
    g.asked = operation
    option = choose(g, t, players, seat, PICK)
    return option if g.option_card[option] != NO_CARD else -1


@kernel
def count_of(g: Record, t: Record, seat: int, selector: int, zones: int) -> int:
    """Count a seat's cards in some zones that a selector (not `SELF`) means."""
    count = 0
    for zone in range(ZONES):
        if zones & (1 << zone) != 0:
            for place in range(g.zone_size[seat, zone]):
                if t.selector[selector, g.zone[seat, zone, place]] != 0:
                    count += 1
    return count


@kernel
def regions_in(t: Record, selector: int, card: int) -> int:
    """Return how many a card counts for when a selector means it: a region may stand for several regions."""
    return int(t.region_weight[card]) if selector == REGIONS else 1


@kernel
def count_pinned(g: Record, t: Record, own: int, seat: int, selector: int, garrisoned: int) -> int:
    """Count a seat's cards in play that could be abandoned or recalled."""
    count = 0
    for place in range(g.zone_size[seat, PLAY]):
        card = int(g.zone[seat, PLAY, place])
        named = card == own if selector == SELF else t.selector[selector, card] != 0
        if named and can_leave(t, card) and (garrisoned == NOTHING or hosts(g, t, seat, card, garrisoned)):
            count += regions_in(t, selector, card)
    return count


@kernel
def count_garrisoned(g: Record, t: Record, seat: int, selector: int, host: int, host_selector: int) -> int:
    """Count garrisoned cards under one host, or (host NO_CARD) under hosts that a selector means."""
    count = 0
    for place in range(g.zone_size[seat, GARRISON]):
        card = g.zone[seat, GARRISON, place]
        under = g.host[card]
        fits = under == host if host != NO_CARD else t.selector[host_selector, under] != 0
        if fits and t.selector[selector, card] != 0:
            count += 1
    return count


@kernel
def active_quest(g: Record, t: Record, seat: int) -> int:
    """Card garrisoned under King Arthur's Court, NO_CARD if there is none."""
    for place in range(g.zone_size[seat, GARRISON]):
        card = int(g.zone[seat, GARRISON, place])
        if t.kind[g.host[card]] == COURT:
            return card
    return NO_CARD


@kernel
def holds(g: Record, t: Record, root: int, seat: int, own: int, at: int) -> bool:
    """Tell whether the condition of an instruction holds for a seat."""
    condition = t.code[at, A]
    first = int(t.code[at, B])
    second = t.code[at, C]
    if condition == STATE_IS:
        return bool(g.state[seat] == first)
    if condition == IN_PLAY:
        return is_in_zone(g, t, seat, PLAY, first)
    if condition == IN_HISTORY:
        return is_in_zone(g, t, seat, HISTORY, first)
    if condition == COUNT_IN_PLAY_AT_LEAST:
        return bool(count_in_play(g, t, seat, first) >= second)
    if condition == NO_ACTIVE_QUEST:
        return active_quest(g, t, seat) == NO_CARD
    if condition == RESOURCE_AT_LEAST:
        return bool(g.resource[seat, first] >= second)
    if condition == GARRISONED_HERE_AT_LEAST:
        return bool(count_garrisoned(g, t, seat, first, own, NOTHING) >= second)
    return effect_holds(g, t, root, condition, first)


@kernel
def effect_holds(g: Record, t: Record, root: int, condition: int, selector: int) -> bool:
    """Tell whether a condition on what the effect has done so far holds."""
    if condition == ABANDONED_LACKS:
        return bool(g.frame[root, ABANDONED] > 0 and t.selector[selector, g.frame[root, ABANDONED_CARD]] == 0)
    if condition == EXILED_WAS:
        card = g.frame[root, EXILED_CARD] - 1
        return bool(card >= 0 and t.selector[selector, card] != 0)
    return bool(condition == HAS_DRAWN and g.frame[root, DRAWN] > 0)


@kernel
def counted(g: Record, t: Record, root: int, seat: int, counter: int, argument: int) -> int:
    """Count what an effect gives something for."""
    if counter == CARDS_IN_PLAY:
        return count_in_play(g, t, seat, argument)
    if counter == ICONS_IN_PLAY:
        return count_icons(g, t, seat, argument)
    if counter == CARDS_GARRISONED:
        return count_of(g, t, seat, argument, 1 << GARRISON)
    return int(g.frame[root, ABANDONED if counter == ABANDONED_CARDS else RETURNED])


@kernel
def count_icons(g: Record, t: Record, seat: int, icon: int) -> int:
    """Count a region icon on a seat's cards in play; this turn some icons may count as others instead."""
    count = 0
    for place in range(g.zone_size[seat, PLAY]):
        card = g.zone[seat, PLAY, place]
        count += t.icons[card, icon] - g.treated[card, icon]
        if icon == PRODUCTION:
            count += TREATED_AS * (g.treated[card, FERTILE] + g.treated[card, RIVER])
    return int(count)


@kernel
def icons_counted(g: Record, t: Record, seat: int, counter: int, argument: int) -> int:
    """Fertile and river icons, as bits, on the cards in play that a counter counts, whatever it counts on them."""
    icons = 0
    for place in range(g.zone_size[seat, PLAY]):
        card = g.zone[seat, PLAY, place]
        if counter == CARDS_IN_PLAY:
            counts = t.selector[argument, card] != 0
        else:
            treated = argument == PRODUCTION and g.treated[card, FERTILE] + g.treated[card, RIVER] > 0
            counts = t.icons[card, argument] > 0 or treated
        if counts:
            for icon in range(FERTILE, RIVER + 1):
                if t.icons[card, icon] > 0:
                    icons |= 1 << icon
    return icons


@kernel
def relief(g: Record, t: Record, seat: int, selector: int) -> int:
    """Cards of a required discard that other means can stand in for."""
    count = 0
    for place in range(g.zone_size[seat, PLAY]):
        card = int(g.zone[seat, PLAY, place])
        if t.discard_relief[card] != 0 and t.relief_of[card] == selector:
            if t.discard_relief[card] == 1:
                count += int(can_react(g, seat, card))
            else:
                count += count_garrisoned(g, t, seat, 0, card, NOTHING)
    return count


@kernel
def can_react(g: Record, seat: int, card: int) -> bool:
    """Tell whether a seat may use an exhaust ability of a card in its own turn."""
    return bool(g.activating != 0 and g.turn_seat == seat and g.exhausted[card] == 0 and g.exhausts[seat] > 0)


@kernel
def payable(g: Record, t: Record, root: int, seat: int, own: int, at: int, end: int) -> bool:
    """Tell whether all that stands from `at` to `end` - 1 can be paid by a seat."""
    material = 0
    population = 0
    progress = 0
    actions = 0
    from_hand = 0
    for place in range(at, end):
        operation = t.code[place, OPERATION]
        first = int(t.code[place, A])
        amount = int(t.code[place, B])
        if operation == PAY:
            if first == MATERIAL:
                material += unrest_due(g, t, seat, own, 0, amount)
            elif first == POPULATION:
                population += amount
            else:
                progress += amount
        elif operation == SPEND_ACTION:
            actions += first
        elif operation == TOP_DECK and amount == HAND:
            from_hand += int(t.code[place, C])
        elif not cost_is_there(g, t, root, seat, own, place):
            return False
        elif operation == DISCARD_CARDS and first == 0:
            from_hand += unrest_due(g, t, seat, own, 1, amount)
    if actions > g.actions[seat] or from_hand > others_in_hand(g, seat, own):
        return False
    return bool(progress_needed(g, seat, material, population, progress) <= g.resource[seat, PROGRESS])


@kernel
def others_in_hand(g: Record, seat: int, own: int) -> int:
    """Count the hand cards of a seat besides the card that is to be played."""
    return int(g.zone_size[seat, HAND] - (place_in(g, seat, HAND, own) >= 0))


@kernel
def cost_is_there(g: Record, t: Record, root: int, seat: int, own: int, at: int) -> bool:
    """Tell whether what one instruction of a cost takes is there."""
    operation = t.code[at, OPERATION]
    first = int(t.code[at, A])
    second = int(t.code[at, B])
    third = int(t.code[at, C])
    if operation == DISCARD_CARDS:
        if first < 0 or second < 0:
            return True
        wanted = unrest_due(g, t, seat, own, 1, second)
        return count_of(g, t, seat, first, HAND_BIT) + relief(g, t, seat, first) >= wanted
    if operation == TO_HISTORY:
        return first < 0 or count_of(g, t, seat, first, second) >= third
    if operation == TOP_DECK:
        return first < 0 or count_of(g, t, seat, first, 1 << second) >= third
    if operation == ABANDON:
        return count_pinned(g, t, own, seat, first, int(t.code[at, D])) >= second
    if operation == RECALL:
        return count_pinned(g, t, own, seat, first, NOTHING) >= second
    if operation == ABANDON_GARRISONED:
        return count_garrisoned(g, t, seat, first, NO_CARD, third) >= second
    if operation == RECALL_GARRISONED:
        return count_garrisoned(g, t, seat, first, own, NOTHING) > 0
    if operation == SINK:
        return first < 0 or count_of(g, t, seat, first, 1 << second) >= third
    return rest_is_there(g, t, seat, own, at, operation, first, second)


@kernel
def rest_is_there(g: Record, t: Record, seat: int, own: int, at: int, operation: int, first: int, second: int) -> bool:
    """Tell the same of the rarer instructions of costs."""
    if operation == RETURN_UNREST:
        return bool(first < 0 or count_of_suit(g, t, seat, second, UNREST) >= first)
    if operation == PAY_ALL:
        return bool(g.resource[seat, first] >= second)
    if operation == TAKE_UNREST:
        return bool(g.zone_size[TABLE, UNREST_PILE] >= first)
    if operation == GARRISON_HERE:
        return can_garrison(g, t, seat, first) and g.zone_size[seat, HAND] >= second
    if operation in (FIND, EXILE_HAND):
        return count_of(g, t, seat, first, second if operation == FIND else HAND_BIT) > 0
    return True


@kernel
def can_garrison(g: Record, t: Record, seat: int, selector: int) -> bool:
    """Tell whether a seat has a hand card that a selector means and that may be garrisoned."""
    for place in range(g.zone_size[seat, HAND]):
        card = g.zone[seat, HAND, place]
        if t.selector[selector, card] != 0 and t.no_garrison[card] == 0:
            return True
    return False


@kernel
def count_of_suit(g: Record, t: Record, seat: int, zones: int, suit: int) -> int:
    """Count a seat's cards of a suit in some zones."""
    count = 0
    for zone in range(ZONES):
        if zones & (1 << zone) != 0:
            for place in range(g.zone_size[seat, zone]):
                if t.suits[g.zone[seat, zone, place]] & suit != 0:
                    count += 1
    return count


@kernel
def can_do(g: Record, t: Record, root: int, seat: int, own: int, at: int) -> bool:
    """Tell whether a seat can follow instructions: a cost they begin with can be paid, a condition holds."""
    operation = t.code[at, OPERATION]
    while operation in (MAY, REQUIRE):
        if operation == REQUIRE and not holds(g, t, root, seat, own, at):
            return False
        at += 1
        operation = t.code[at, OPERATION]
    if operation == COST:
        return payable(g, t, root, seat, own, at + 1, int(t.code[at, A]))
    if operation == CHOOSE:
        return any_option(g, t, root, seat, own, at)
    if operation in (PAY, DISCARD_CARDS, TOP_DECK, SPEND_ACTION):
        return payable(g, t, root, seat, own, at, at + 1)
    return bool(operation != PLAY_FROM_DISCARD or g.actions[seat] >= t.code[at, B])


@kernel
def any_option(g: Record, t: Record, root: int, seat: int, own: int, at: int) -> bool:
    """Tell whether one of the options of a CHOOSE is open to a seat."""
    option = at + 1
    for _ in range(t.code[at, A]):
        if option_is_open(g, t, root, seat, own, option + 1):
            return True
        option = int(t.code[option, NEXT])
    return False


@kernel
def option_is_open(g: Record, t: Record, root: int, seat: int, own: int, at: int) -> bool:
    """Tell whether an option may be chosen: its condition holds, its cost can be paid, and something of it happens."""
    operation = t.code[at, OPERATION]
    while operation == REQUIRE:
        if not holds(g, t, root, seat, own, at):
            return False
        at += 1
        operation = t.code[at, OPERATION]
    if operation == COST:
        return payable(g, t, root, seat, own, at + 1, int(t.code[at, A]))
    if operation == PAY:
        return payable(g, t, root, seat, own, at, at + 1)
    if t.empty_option_allowed != 0:
        return True
    while t.code[at, OPERATION] != JUMP and t.code[at, OPERATION] != END:
        if can_act(g, t, root, seat, own, at):
            return True
        at = int(t.code[at, NEXT])
    return False


@kernel
def can_act(g: Record, t: Record, root: int, seat: int, own: int, at: int) -> bool:
    """Tell whether an instruction would do anything."""
    operation = t.code[at, OPERATION]
    first = int(t.code[at, A])
    second = int(t.code[at, B])
    if operation == DISCARD_CARDS:
        return first < 0 or count_of(g, t, seat, first, HAND_BIT) > 0
    if operation == RETURN_UNREST:
        if t.code[at, D] != 0:
            return count_garrisoned(g, t, seat, 0, own, NOTHING) > 0
        return count_of_suit(g, t, seat, second, UNREST) > 0
    if operation == TO_HISTORY:
        return first < 0 or count_of(g, t, seat, first, second) > 0
    if operation in (TOP_DECK, DRAW_FROM):
        return first < 0 or count_of(g, t, seat, first, 1 << second) > 0
    if operation in (RECALL, ABANDON):
        return count_pinned(g, t, own, seat, first, NOTHING) > 0
    if operation == RECALL_GARRISONED:
        return count_garrisoned(g, t, seat, first, own, NOTHING) > 0
    if operation == COST:
        return payable(g, t, root, seat, own, at + 1, int(t.code[at, A]))
    if operation == MAY:
        return can_act(g, t, root, seat, own, at + 1)
    return can_act_otherwise(g, t, root, seat, own, at, operation, first, second)


@kernel
def can_act_otherwise(
    g: Record, t: Record, root: int, seat: int, own: int, at: int, operation: int, first: int, second: int
) -> bool:
    """Tell the same of the instructions that seldom stand in options, or seldom do nothing."""
    if operation == GAIN_PER:
        return counted(g, t, root, seat, int(t.code[at, C]), int(t.code[at, D])) > 0
    if operation == DRAW:
        return can_draw(g, seat, second & IF_ABLE == 0)
    if operation == DRAW_PER:
        return counted(g, t, root, seat, int(t.code[at, C]), int(t.code[at, D])) > 0 and can_draw(g, seat, True)
    if operation == DEVELOP_CARD:
        return can_develop_any(g, t, seat, first)
    if operation == ACQUIRE:
        return can_acquire(g, t, seat, at)
    if operation == GARRISON_HERE:
        return can_garrison(g, t, seat, first)
    if operation in (FIND, GARRISON_SELF, EXILE_QUEST):
        zones = second if operation == FIND else 1 << (PLAY if operation == GARRISON_SELF else DEVELOPMENT)
        return count_of(g, t, seat, first, zones) > 0
    if operation == RETURN_EXHAUST:
        return exhausted_besides(g, seat, own) > 0
    if operation == EXILE_MARKET:
        return count_market(g, True) > 0
    return bool(operation != SWAP_EXILE or (count_market(g, False) > 0 and g.zone_size[TABLE, EXILE_PILE] > 0))


@kernel
def can_draw(g: Record, seat: int, reshuffles: bool) -> bool:
    """Tell whether a seat has a card to draw, after a reshuffle if need be; a development cannot be reckoned with."""
    if g.zone_size[seat, DECK] > 0 or not reshuffles:
        return bool(g.zone_size[seat, DECK] > 0)
    advances = g.state[seat] == BARBARIAN and g.nation_exhausted[seat] == 0 and g.exhausts[seat] > 0
    return bool(g.zone_size[seat, DISCARD] > 0 or (advances and g.zone_size[seat, NATION] > 0))


@kernel
def can_acquire(g: Record, t: Record, seat: int, at: int) -> bool:
    """Tell whether there is a card that an ACQUIRE lets a seat take."""
    suits = int(t.code[at, A])
    flags = int(t.code[at, C])
    selector = int(t.code[at, D])
    token = (flags >> TOKEN_SHIFT) - 1
    if flags & ONLY_EXILE == 0:
        for slot in range(SLOTS):
            card = int(g.market[slot])
            fits = card != NO_CARD and is_of_suits(t, card, suits) and t.selector[selector, card] != 0
            if fits and (token < 0 or g.market_tokens[slot, token] > 0):
                return True
    exiled = acquired_from_exile(g, t, seat, suits, token, flags & (ALSO_EXILE | ONLY_EXILE) != 0)
    for place in range(g.zone_size[TABLE, EXILE_PILE]):
        card = int(g.zone[TABLE, EXILE_PILE, place])
        if is_of_suits(t, card, exiled) and t.selector[selector, card] != 0:
            return True
    return False


@kernel
def exhausted_besides(g: Record, seat: int, own: int) -> int:
    """Count a seat's cards in play with an exhaust token, but for one."""
    count = 0
    for place in range(g.zone_size[seat, PLAY]):
        card = g.zone[seat, PLAY, place]
        count += int(card != own and g.exhausted[card] != 0)
    return count


@kernel
def count_market(g: Record, exilable: bool) -> int:
    """Count the market cards, or those without tokens, which can be exiled."""
    count = 0
    for slot in range(SLOTS):
        count += int(g.market[slot] != NO_CARD and not (exilable and has_tokens(g, slot)))
    return count


@kernel
def meets_requirements(g: Record, t: Record, seat: int, card: int) -> bool:
    """Tell whether what a card requires to be played holds."""
    at = int(t.program[card, REQUIRE_PROGRAM])
    if at != 0:
        while t.code[at, OPERATION] == REQUIRE:
            if not holds(g, t, 0, seat, card, at):
                return False
            at += 1
    return True


@kernel
def can_play(g: Record, t: Record, seat: int, card: int) -> bool:
    """Tell whether a seat may play a card, as far as the card and the state card go."""
    return bool(
        t.unplayable[card] == 0 and shows_state(g, t, seat, card) and meets_requirements(g, t, seat, card)
    ) and can_pay_for_effect(g, t, seat, card)


@kernel
def can_pay_for_effect(g: Record, t: Record, seat: int, card: int) -> bool:
    """Tell whether a seat can make the payments without which a card may not be played (rulebook: Pay)."""
    at = int(t.program[card, PLAY_PROGRAM])
    if at == 0:
        return True
    if t.unpayable_forbids == FORBIDS_NOTHING and t.suits[card] & UNREST == 0:
        return True
    while t.code[at, OPERATION] != END:
        operation = t.code[at, OPERATION]
        if operation == PAY and not payable(g, t, 0, seat, card, at, at + 1):
            return False
        if operation == COST and forbids(t, at) and not can_do(g, t, 0, seat, card, at):
            return False
        if operation == CHOOSE and forbids(t, at) and not any_option(g, t, 0, seat, card, at):
            return False
        at = int(t.code[at, NEXT])
    return True


@kernel
def forbids(t: Record, at: int) -> bool:
    """Tell whether a cost that cannot be met, or a choice among costs, keeps a card from being played."""
    return bool(t.unpayable_forbids == FORBIDS_ALL or takes_payment(t, at))


@kernel
def takes_payment(t: Record, at: int) -> bool:
    """Tell whether a cost asks for a resource, or an option of a choice does."""
    end = t.code[at, A] if t.code[at, OPERATION] == COST else t.code[at, NEXT]
    for place in range(at + 1, end):
        if t.code[place, OPERATION] == PAY:
            return True
    return False


@kernel
def is_free_play(g: Record, t: Record, seat: int, card: int) -> bool:
    """Tell whether playing a card costs a seat no action."""
    if t.free_play[card] != 0:
        return True
    for place in range(g.zone_size[seat, PLAY]):
        selector = t.plays_free[g.zone[seat, PLAY, place]]
        if selector >= 0 and t.selector[selector, card] != 0:
            return True
    return False
