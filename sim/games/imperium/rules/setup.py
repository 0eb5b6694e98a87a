"""Set-up: factions, common cards, market, and the decks and areas of every player (rulebook: Setup)."""

from __future__ import annotations

from sim.compiler.kernel import Integers, Record, kernel
from sim.engine.rng import DEAL, below, shuffle
from sim.engine.state import begin_game
from sim.engine.zones import put, put_below, take_top
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.stack import note_passives


@kernel
def set_up(g: Record, t: Record, plan: Record) -> None:
    """Set up a new game, up to the first decision of the first player.

    All random numbers are from the deal stream. So all games of a block, which share one deal, have the same cards and
    nations. `plan.variant` is the box of the common cards: 0 Classics, 1 Legends. `plan.factions` has at least as many
    nations as there are players.
    """
    players = plan.players
    clear_table(g, players)
    g.commons = plan.variant
    deal_factions(g, t, plan.factions[: plan.faction_count], plan.factions_fixed)
    sort_commons(g, t)
    replace_tributaries(g, t)
    for seat in range(players):
        deal_nation(g, t, seat)
    make_fame_deck(g, t)
    make_main_deck(g, t)
    lay_market(g, t)
    hide_dealt_cards(g, t)
    g.first_seat = below(g, DEAL, players)
    g.turn_seat = g.first_seat
    g.phase = constants.START_TURN


# ---- Clearing the table ----


@kernel
def clear_table(g: Record, players: int) -> None:
    """Clear the table."""
    begin_game(g, players)
    g.turn_seat = constants.NO_SEAT
    g.solstice_seat = constants.NO_SEAT
    g.ending = constants.NOT_ENDING
    g.end_reason = constants.NOT_ENDING
    g.host[:] = constants.NO_CARD
    g.knows_zone[:] = constants.EVERYBODY
    g.knows_place[:] = constants.EVERYBODY
    g.market[:] = constants.NO_CARD
    g.market_unrest[:] = constants.NO_CARD
    g.state[:] = constants.BARBARIAN
    g.asking = constants.NO_CARD


# ---- Factions ----


@kernel
def deal_factions(g: Record, t: Record, factions: Integers, factions_fixed: int) -> None:
    """Give each seat a faction of a different nation: entry s of `factions` if `factions_fixed`, else a random one."""
    for seat in range(g.players):
        faction = int(factions[seat])
        if factions_fixed == 0:
            faction = int(factions[below(g, DEAL, factions.shape[0])])
            while nation_is_dealt(g, t, faction, seat):
                faction = int(factions[below(g, DEAL, factions.shape[0])])
        g.faction[seat] = faction


@kernel
def nation_is_dealt(g: Record, t: Record, faction: int, seats: int) -> bool:
    """Tell whether one of the first `seats` seats already plays this nation, with either side of its power card."""
    for seat in range(seats):
        if t.faction_nation[g.faction[seat]] == t.faction_nation[faction]:
            return True
    return False


# ---- Common cards ----


@kernel
def shuffle_zone(g: Record, owner: int, zone: int) -> None:
    """Shuffle a deck at set-up, with the deal stream."""
    shuffle(g, DEAL, g.zone[owner, zone], int(g.zone_size[owner, zone]))


@kernel
def sort_commons(g: Record, t: Record) -> None:
    """Sort the common cards of the box by suit, except cards marked for more players than sit at the table.

    King of Kings lies under the fame deck and is in no zone. `g.king_turned` tells which side is up.
    """
    for card in range(t.cards):
        if (
            t.start[card] == constants.START_COMMONS
            and t.box[card] & (1 << g.commons) != 0
            and t.kind[card] != constants.KING_OF_KINGS
        ):
            add_common(g, t, card)


@kernel
def add_common(g: Record, t: Record, card: int) -> None:
    """Put a common card into the pile of its suit, or out of the game if it is marked for more players."""
    put(g, constants.TABLE, zone_of_common(t, card) if t.min_players[card] <= g.players else constants.REMOVED, card)


@kernel
def zone_of_common(t: Record, card: int) -> int:
    """Return the pile of a common card at set-up. A card both uncivilised and civilised counts as uncivilised."""
    suits = t.suits[card]
    if suits & constants.UNREST != 0:
        return constants.UNREST_PILE
    if suits & constants.FAME != 0:
        return constants.FAME_DECK
    if suits & constants.REGION != 0:
        return constants.REGION_DECK
    if suits & constants.UNCIVILISED != 0:
        return constants.UNCIVILISED_DECK
    return constants.CIVILISED_DECK if suits & constants.CIVILISED != 0 else constants.MAIN_DECK


@kernel
def names_nation_in_play(g: Record, t: Record, card: int) -> bool:
    """Tell whether a card has the name of a nation in play."""
    for seat in range(g.players):
        if t.name[card] == t.name[t.faction_power[g.faction[seat]]]:
            return True
    return False


@kernel
def replace_tributaries(g: Record, t: Record) -> None:
    """Replace every tributary that is named like a nation in play by a random one from the other box."""
    # The exile pile is empty before the game, so it can hold the spare tributaries in this step.
    for card in range(t.cards):
        if is_spare_tributary(g, t, card):
            put(g, constants.TABLE, constants.EXILE_PILE, card)
    shuffle_zone(g, constants.TABLE, constants.EXILE_PILE)
    for place in range(g.zone_size[constants.TABLE, constants.MAIN_DECK]):
        card = int(g.zone[constants.TABLE, constants.MAIN_DECK, place])
        if g.zone_size[constants.TABLE, constants.EXILE_PILE] > 0 and names_nation_in_play(g, t, card):
            put(g, constants.TABLE, constants.REMOVED, card)
            g.zone[constants.TABLE, constants.MAIN_DECK, place] = take_top(g, constants.TABLE, constants.EXILE_PILE)
    g.zone_size[constants.TABLE, constants.EXILE_PILE] = 0


@kernel
def is_spare_tributary(g: Record, t: Record, card: int) -> bool:
    """Tell whether a card is a tributary of the other box that may replace another.

    Such a card is not marked for more players, and does not have the name of a nation in play.
    """
    return (
        t.start[card] == constants.START_COMMONS
        and t.suits[card] & constants.TRIBUTARY != 0
        and t.box[card] & (1 << g.commons) == 0
        and t.min_players[card] <= g.players
        and not names_nation_in_play(g, t, card)
    )


@kernel
def make_fame_deck(g: Record, t: Record) -> None:
    """Shuffle the fame cards, and remove some from the top without showing them."""
    shuffle_zone(g, constants.TABLE, constants.FAME_DECK)
    for _ in range(min(t.fame_removed[g.players], g.zone_size[constants.TABLE, constants.FAME_DECK])):
        put(g, constants.TABLE, constants.REMOVED, take_top(g, constants.TABLE, constants.FAME_DECK))


@kernel
def make_main_deck(g: Record, t: Record) -> None:
    """Shuffle the small decks and cut them to size. The cut cards and the tributaries, shuffled, form the main deck."""
    for deck in range(constants.REGION_DECK, constants.MAIN_DECK):
        shuffle_zone(g, constants.TABLE, deck)
        while g.zone_size[constants.TABLE, deck] > t.deck_size[g.players]:
            put(g, constants.TABLE, constants.MAIN_DECK, take_top(g, constants.TABLE, deck))
    shuffle_zone(g, constants.TABLE, constants.MAIN_DECK)


@kernel
def lay_market(g: Record, t: Record) -> None:
    """Deal the first market cards, with unrest below them, and a progress token on cards that are only civilised."""
    for slot in range(constants.SLOTS):
        deck = constants.SLOT_DECKS[slot]
        if g.zone_size[constants.TABLE, deck] > 0:
            card = take_top(g, constants.TABLE, deck)
            g.market[slot] = card
            if t.suits[card] & constants.TUCKS_UNREST != 0 and g.zone_size[constants.TABLE, constants.UNREST_PILE] > 0:
                g.market_unrest[slot] = take_top(g, constants.TABLE, constants.UNREST_PILE)
            if t.suits[card] & (constants.UNCIVILISED | constants.CIVILISED) == constants.CIVILISED:
                g.market_tokens[slot, constants.PROGRESS] = 1


# ---- Players ----


@kernel
def deal_nation(g: Record, t: Record, seat: int) -> None:
    """Give a player the nation's cards, the first resources and tokens, and the first hand."""
    faction = g.faction[seat]
    for card in range(t.cards):
        if t.nation[card] == t.faction_nation[faction]:
            place_nation_card(g, t, seat, card)
    make_nation_deck(g, t, seat)
    shuffle_zone(g, seat, constants.DECK)
    for _ in range(min(t.hand, g.zone_size[seat, constants.DECK])):
        put(g, seat, constants.HAND, take_top(g, seat, constants.DECK))
    for resource in range(3):
        g.resource[seat, resource] = t.start_resource[resource]
    g.actions[seat] = t.actions
    g.exhausts[seat] = t.faction_exhausts[faction]
    g.state[seat] = constants.EMPIRE if t.faction_starts_empire[faction] != 0 else constants.BARBARIAN


@kernel
def place_nation_card(g: Record, t: Record, seat: int, card: int) -> None:
    """Put a card of a player's nation into its starting zone. `make_nation_deck` places the accession card."""
    start = t.start[card]
    if start == constants.START_DECK:
        put(g, seat, constants.DECK, card)
    elif start == constants.START_NATION:
        put(g, seat, constants.NATION, card)
    elif start == constants.START_DEVELOPMENT:
        put(g, seat, constants.DEVELOPMENT, card)
    elif start == constants.START_UNREST_PILE:
        add_common(g, t, card)
    elif start == constants.START_IN_PLAY and starts_face_up(g, t, seat, card):
        put(g, seat, constants.PLAY, card)
        note_passives(g, t, seat, card)


@kernel
def starts_face_up(g: Record, t: Record, seat: int, card: int) -> bool:
    """Tell whether a face that starts in play is the one shown: the chosen power, or the first face of a journey."""
    if t.kind[card] == constants.POWER:
        return bool(card == t.faction_power[g.faction[seat]])
    if t.kind[card] == constants.JOURNEY:
        # The card table lists the faces of a journey in the order of travel, so the first one is already in play.
        for place in range(g.zone_size[seat, constants.PLAY]):
            if t.kind[g.zone[seat, constants.PLAY, place]] == constants.JOURNEY:
                return False
    return True


@kernel
def make_nation_deck(g: Record, t: Record, seat: int) -> None:
    """Shuffle the nation cards, and put the accession card below them if the nation has one."""
    shuffle_zone(g, seat, constants.NATION)
    for card in range(t.cards):
        if t.start[card] == constants.START_ACCESSION and t.nation[card] == t.faction_nation[g.faction[seat]]:
            put_below(g, seat, constants.NATION, card)


# ---- Cards that no player has seen ----


@kernel
def hide_dealt_cards(g: Record, t: Record) -> None:
    """Record that no player knows the cards dealt face down, and put them into heaps. Owners know their draw decks."""
    for zone in range(constants.REGION_DECK, constants.UNREST_PILE):
        for place in range(g.zone_size[constants.TABLE, zone]):
            card = int(g.zone[constants.TABLE, zone, place])
            hide_dealt(g, card, zone_of_common(t, card), 0)
    for place in range(g.zone_size[constants.TABLE, constants.REMOVED]):
        card = int(g.zone[constants.TABLE, constants.REMOVED, place])
        # All players have seen the cards marked for more players, and the replaced tributaries.
        if zone_of_common(t, card) == constants.FAME_DECK and t.min_players[card] <= g.players:
            hide_dealt(g, card, constants.FAME_DECK, 0)
    g.heaps = constants.FIRST_FREE_HEAP
    for seat in range(g.players):
        g.deck_heap[seat] = constants.STARTING_HEAPS + seat
        for zone in (constants.HAND, constants.DECK):
            for place in range(g.zone_size[seat, zone]):
                hide_dealt(g, int(g.zone[seat, zone, place]), constants.STARTING_HEAPS + seat, 1 << seat)
        for place in range(g.zone_size[seat, constants.NATION]):
            card = int(g.zone[seat, constants.NATION, place])
            if t.start[card] != constants.START_ACCESSION:
                hide_dealt(g, card, constants.NATION_HEAPS + seat, 0)


@kernel
def hide_dealt(g: Record, card: int, heap: int, seats: int) -> None:
    """Add a card to a heap at set-up. Only `seats` (bits) know the zone of the card, and no seat knows its place."""
    g.heap[card] = heap
    g.knows_zone[card] = seats
    g.knows_place[card] = 0
