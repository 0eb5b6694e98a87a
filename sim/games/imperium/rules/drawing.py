"""Drawing, reshuffling, the nation deck, development, and fame (docs/rules-imperium.md: Reshuffle)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players, choose
from sim.engine.effect_stack import push
from sim.engine.rng import CHANCE, shuffle
from sim.engine.zones import put, take_at, take_out, take_top
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.knowledge import (
    begin_heap,
    draw_unseen,
    forget_places,
    gain_unseen,
    look_at_card,
    rearrange,
)
from sim.games.imperium.rules.log import (
    ACCEDED,
    BECAME_EMPIRE,
    DECK_EXHAUSTED,
    DEVELOPED,
    DEVELOPED_ROUND,
    DREW,
    FLIPPED,
    GAINED_ROUND,
    KING_RESOLVED,
    RESHUFFLED,
    SCORING_TRIGGERED,
    TOOK_FAME,
    log_event,
    note_card,
)
from sim.games.imperium.rules.moving import lay, take_unrest
from sim.games.imperium.rules.payment import can_develop, development_price, may_develop, pay, progress_needed
from sim.games.imperium.rules.stack import fire


@kernel
def trigger_scoring(g: Record, reason: int) -> None:
    """Trigger scoring: the players finish this round and play another one. Later triggers have no effect."""
    if g.ending == constants.NOT_ENDING:
        g.ending = reason
        g.rounds_left = 2
        log_event(g, SCORING_TRIGGERED, -1, constants.NO_CARD, reason, 0)


@kernel
def draw(g: Record, t: Record, players: Players, seat: int, reshuffles: bool) -> int:
    """Draw one card into the hand; return the card, or NO_CARD if there is none to draw."""
    if g.zone_size[seat, constants.DECK] == 0:
        if reshuffles:
            reshuffle(g, t, players, seat)
        if g.zone_size[seat, constants.DECK] == 0:
            return constants.NO_CARD
    card = take_top(g, seat, constants.DECK)
    put(g, seat, constants.HAND, card)
    draw_unseen(g, seat, card)
    log_event(g, DREW, seat, card, 0, 0)
    if g.zone_size[seat, constants.DECK] == 0:
        fire(g, t, seat, constants.DECK_EMPTIES, constants.NO_CARD, 0, 0)
    return card


@kernel
def reshuffle(g: Record, t: Record, players: Players, seat: int) -> None:
    """Shuffle the discard pile to form the new draw deck.

    Before that, a barbarian seat advances in its nation deck, and an empire may develop. This costs an exhaust token,
    which goes to the nation deck or development area; it happens only if none is there yet.
    """
    if g.state[seat] == constants.BARBARIAN:
        if g.zone_size[seat, constants.NATION] > 0 and g.nation_exhausted[seat] == 0 and g.exhausts[seat] > 0:
            g.nation_exhausted[seat] = 1
            g.exhausts[seat] -= 1
            advance(g, t, seat)
            log_event(g, DECK_EXHAUSTED, seat, constants.NO_CARD, 0, 0)
    elif g.development_exhausted[seat] == 0 and g.exhausts[seat] > 0 and develop(g, t, players, seat, 0, True):
        g.development_exhausted[seat] = 1
        g.exhausts[seat] -= 1
        log_event(g, DECK_EXHAUSTED, seat, constants.NO_CARD, 1, 0)
    size = g.zone_size[seat, constants.DISCARD_PILE]
    for place in range(size):
        g.zone[seat, constants.DECK, place] = g.zone[seat, constants.DISCARD_PILE, place]
    shuffle(g, CHANCE, g.zone[seat, constants.DECK], size)
    g.zone_size[seat, constants.DECK] = size
    g.zone_size[seat, constants.DISCARD_PILE] = 0
    begin_heap(g, seat)
    log_event(g, RESHUFFLED, seat, constants.NO_CARD, size, 0)
    if size > 0:
        fire(g, t, seat, constants.YOU_RESHUFFLE, constants.NO_CARD, 0, 0)


@kernel
def advance(g: Record, t: Record, seat: int) -> None:
    """Put the top nation card on the discard pile. The accession card, the last one, makes the seat an empire."""
    if g.zone_size[seat, constants.NATION] == 0:
        return
    card = take_top(g, seat, constants.NATION)
    log_event(g, ACCEDED, seat, card, 0, 0)
    lay(g, t, seat, card, constants.DISCARD_PILE)
    if g.zone_size[seat, constants.NATION] == 0 and t.faction_becomes_empire[g.faction[seat]] != 0:
        become(g, seat, constants.EMPIRE)


@kernel
def become(g: Record, seat: int, state: int) -> None:
    """Change a seat's state: barbarian or empire."""
    if g.state[seat] != state:
        g.state[seat] = state
        if state == constants.EMPIRE:
            g.empire_round[seat] = g.rounds + 1
        log_event(g, BECAME_EMPIRE, seat, constants.NO_CARD, state, 0)


@kernel
def develop(g: Record, t: Record, players: Players, seat: int, free: int, optional: bool) -> bool:
    """Let a seat pay for a card of its development area and discard that card; tell whether it did.

    With `free` 1, the card costs nothing. In a reshuffle (`optional`) the seat may decline. An effect, however, must be
    carried out as far as possible, so the seat then has to develop one of the cards that it can pay for.
    """
    if not may_develop(g, t, seat):
        return False
    count = 0
    for place in range(g.zone_size[seat, constants.DEVELOPMENT]):
        card = g.zone[seat, constants.DEVELOPMENT, place]
        if can_develop(g, t, seat, card, free):
            g.option_card[count] = card
            count += 1
    if count == 0:
        return False
    if optional:
        g.option_card[count] = constants.NO_CARD
        count += 1
    g.option_count = count
    g.asked = constants.DEVELOP_CARD
    card = int(g.option_card[choose(g, t, players, seat, constants.DEVELOP)])
    if card == constants.NO_CARD:
        return False
    if free == 0:
        pay_development(g, t, players, seat, card)
    take_out(g, seat, constants.DEVELOPMENT, card)
    log_event(g, DEVELOPED, seat, card, free, 0)
    note_card(g, seat, card, DEVELOPED_ROUND)
    lay(g, t, seat, card, constants.DISCARD_PILE)
    if g.zone_size[seat, constants.DEVELOPMENT] == 0:
        trigger_scoring(g, constants.LAST_DEVELOPMENT)
    return True


@kernel
def pay_development(g: Record, t: Record, players: Players, seat: int, card: int) -> None:
    """Pay the cost of a development card: progress first, because nothing can replace it, and unrest last."""
    material = development_price(g, t, seat, card, constants.MATERIAL)
    population = development_price(g, t, seat, card, constants.POPULATION)
    progress = development_price(g, t, seat, card, constants.PROGRESS)
    if progress > 0:
        pay(g, t, players, seat, constants.PROGRESS, progress, 0)
    if material > 0:
        pay(g, t, players, seat, constants.MATERIAL, material, progress_needed(g, seat, 0, population, 0))
    if population > 0 and pay(g, t, players, seat, constants.POPULATION, population, 0) > 0:
        fire(g, t, seat, constants.YOU_PAY, constants.NO_CARD, constants.POPULATION, 0)
    for _ in range(t.unrest_to_develop[card]):
        take_unrest(g, t, seat)


@kernel
def fame_extra(g: Record, t: Record, seat: int) -> int:
    """Return how many more fame cards a seat looks at than an effect says."""
    extra = 0
    for place in range(g.zone_size[seat, constants.PLAY]):
        extra += t.look_extra[g.zone[seat, constants.PLAY, place]]
    return int(extra)


@kernel
def look_at_fame(g: Record, t: Record, players: Players, seat: int, looked_at: int, taken: int) -> None:
    """Look at the top fame cards, take `taken` of them into the hand and put the others back in any order."""
    if g.zone_size[constants.TABLE, constants.FAME_DECK] == 0:
        resolve_king_of_kings(g, t, seat)
        return
    fire(g, t, seat, constants.YOU_LOOK_AT_FAME, constants.NO_CARD, 0, 0)
    seen = min(looked_at + fame_extra(g, t, seat), g.zone_size[constants.TABLE, constants.FAME_DECK])
    for place in range(
        g.zone_size[constants.TABLE, constants.FAME_DECK] - seen, g.zone_size[constants.TABLE, constants.FAME_DECK]
    ):
        if seen > 1:
            rearrange(g, seat, int(g.zone[constants.TABLE, constants.FAME_DECK, place]))
        else:
            look_at_card(g, seat, int(g.zone[constants.TABLE, constants.FAME_DECK, place]))
    while taken > 0 and seen > 0:
        take_fame(g, seat, choose_fame(g, t, players, seat, seen, constants.FAME_LOOK))
        seen -= 1
        taken -= 1
    # The player chooses the lowest card first. Each further card goes on top of those chosen before.
    for left in range(seen, 1, -1):
        place = choose_fame(g, t, players, seat, left, constants.FAME_ORDER)
        card = take_at(g, constants.TABLE, constants.FAME_DECK, place)
        put(g, constants.TABLE, constants.FAME_DECK, card)
        rotate_below(g, left)


@kernel
def rotate_below(g: Record, count: int) -> None:
    """Move the top fame card below the `count` - 1 cards under it."""
    size = g.zone_size[constants.TABLE, constants.FAME_DECK]
    card = g.zone[constants.TABLE, constants.FAME_DECK, size - 1]
    for place in range(size - 1, size - count, -1):
        g.zone[constants.TABLE, constants.FAME_DECK, place] = g.zone[constants.TABLE, constants.FAME_DECK, place - 1]
    g.zone[constants.TABLE, constants.FAME_DECK, size - count] = card


@kernel
def choose_fame(g: Record, t: Record, players: Players, seat: int, seen: int, operation: int) -> int:
    """Let a seat choose one of the top `seen` fame cards; return its index in the fame deck.

    `operation` says what for: to take the card, or to put it below the others.
    """
    size = g.zone_size[constants.TABLE, constants.FAME_DECK]
    if seen == 1:
        return int(size - 1)
    for place in range(seen):
        g.option_card[place] = g.zone[constants.TABLE, constants.FAME_DECK, size - 1 - place]
        g.option_value[place] = size - 1 - place
        g.option_seat[place] = constants.TABLE
    g.option_count = seen
    g.asked = operation
    return int(g.option_value[choose(g, t, players, seat, constants.PICK)])


@kernel
def take_fame(g: Record, seat: int, place: int) -> None:
    """Move the fame card at an index of the fame deck to the hand."""
    card = take_at(g, constants.TABLE, constants.FAME_DECK, place)
    put(g, seat, constants.HAND, card)
    gain_unseen(g, seat, card)
    log_event(g, TOOK_FAME, seat, card, 0, 0)
    note_card(g, seat, card, GAINED_ROUND)


@kernel
def take_top_fame(g: Record, t: Record, seat: int) -> None:
    """Move the top fame card to the hand. If only King of Kings is left, resolve that card instead."""
    size = g.zone_size[constants.TABLE, constants.FAME_DECK]
    if size == 0:
        resolve_king_of_kings(g, t, seat)
    else:
        take_fame(g, seat, size - 1)


@kernel
def resolve_king_of_kings(g: Record, t: Record, seat: int) -> None:
    """Resolve the upper side of King of Kings for a player who reaches it.

    Each side works only once per game. With the setting `king_of_kings_once_per_player`, the card works once for each
    player.
    """
    side_a = t.king_of_kings
    # By default, entry 0 of `king_used` has a bit for each side, and the bits count for all seats. With
    # `king_of_kings_once_per_player`, each seat has an entry with one bit for both sides.
    account = seat if t.king_once_per_player != 0 else 0
    used = 1 if t.king_once_per_player != 0 else 1 << g.king_turned
    if g.king_used[account] & used != 0:
        return
    g.king_used[account] |= used
    card = side_a if g.king_turned == 0 else int(t.other_side[side_a])
    log_event(g, KING_RESOLVED, seat, card, 0, 0)
    push(g, t.program[card, constants.RESOLVE_PROGRAM], seat, card, -1)


@kernel
def turn_king_of_kings(g: Record) -> None:
    """Turn King of Kings to side B. This triggers scoring."""
    if g.king_turned == 0:
        g.king_turned = 1
        log_event(g, FLIPPED, -1, constants.NO_CARD, 0, 0)
        trigger_scoring(g, constants.KING_OF_KINGS_TURNED)


@kernel
def shuffle_nation(g: Record, seat: int) -> None:
    """Shuffle a nation deck. The accession card stays at the bottom."""
    forget_places(g, seat, constants.NATION, 1)
    if g.zone_size[seat, constants.NATION] > 2:
        shuffle(g, CHANCE, g.zone[seat, constants.NATION, 1:], g.zone_size[seat, constants.NATION] - 1)
