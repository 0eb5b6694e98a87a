"""The worth of trade cards: as parts of sets, for their effects, and as denarii."""

from __future__ import annotations

import math

from sim.compiler.kernel import Record, kernel
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.hands import SET_SIZE, room, sets_laid
from sim.games.glory_of_rome.rules.trading import can_take_effect
from strategies.glory_of_rome.outlook import glory_worth
from strategies.glory_of_rome.weights import (
    CARD_GLORY,
    CARD_ROUND,
    N_CARD,
    N_COUNT,
    N_DENARIUS,
    N_HANDS,
    N_LEAST,
    N_LEFT,
    N_PLAY,
    P_HOLD,
    P_KEEP,
    P_WILD,
)

SHARES = (0.0, 0.1, 0.2, 0.33)
"""Share of a set's points that counts for one hand card, indexed by the number of the set's cards in hand, 0 to 3."""
SHARES_NOW = (0.0, 0.0, 0.02, 0.33)
"""Like `SHARES`, but for the last round."""
AT_LEAST = 0.05
"""Minimum gain for which a card is played."""
FOR_EVER = -50.0
EXTRA_SET = 3.0
"""Worth of being allowed one more set, to a seat that has nearly reached its limit of sets."""


@kernel
def effect_worth(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Return the worth of a trade card's effect when the card is played."""
    effect = t.effect[card]
    worth = effect[constants.DENARII] * g.notes[N_DENARIUS] + w.prepared[CARD_ROUND + card] * g.notes[N_LEFT]
    worth += w.prepared[CARD_GLORY + card] - effect[constants.GLORY]
    if effect[constants.GLORY] > 0:
        worth += glory_worth(g, me, int(effect[constants.GLORY]), w)
    worth += g.notes[N_CARD] * effect[constants.DRAW]
    if effect[constants.TAKE_DISCARD] > 0 and g.discard_size > 0:
        worth += taken_worth(g, t, me, int(g.discard[g.discard_size - 1]), w)
    if effect[constants.SETS] > 0 and sets_laid(g, me) >= g.set_limit[me] - 1:
        worth += EXTRA_SET * min(1.0, 0.4 + 0.3 * g.notes[N_LEFT])
    return float(worth)


@kernel
def taken_worth(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Return the worth of the top card of the discard pile.

    A card whose own effect takes from the discard pile counts only as part of a set.
    """
    if t.effect[card, constants.TAKE_DISCARD] > 0:
        return set_share(g, t, me, card, w)
    return float(max(set_share(g, t, me, card, w), g.notes[N_CARD]))


@kernel
def is_wild(g: Record, t: Record, me: int, card: int) -> bool:
    """Tell whether a card may replace any other card in a set: a chest or, with the commercial medal, jewels."""
    return bool(
        t.type[card] == constants.CHEST or (t.type[card] == constants.JEWELS and g.medal[constants.COMMERCIAL] == me)
    )


@kernel
def set_share(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Return the worth of a hand card as part of a set; 0 if no more sets can be laid down."""
    over = g.notes[N_LEFT] == 0.0 and g.phase == constants.INCOME_PHASE
    if over or sets_laid(g, me) >= g.set_limit[me]:
        return 0.0
    kind = int(t.type[card])
    same, wild = 0, 0
    for place in range(g.hand_size[me]):
        other = int(g.hand[me, place])
        same += int(t.type[other] == kind)
        wild += int(t.type[other] != kind and is_wild(g, t, me, other))
    if kind == constants.CHEST:
        return float(w.weight[P_WILD] * min(1.0, 0.2 + 0.4 * g.notes[N_LEFT]))
    there = min(SET_SIZE, same + wild)
    share = SHARES[there] if g.notes[N_LEFT] > 0.0 else SHARES_NOW[there]
    return float(w.weight[P_KEEP] * share * (t.set_points[kind] + g.notes[N_COUNT + constants.COUNT_SETS]))


@kernel
def keep_worth(g: Record, t: Record, me: int, card: int, effect: float, w: Record) -> float:
    """Return the worth of keeping a card: for a set, or for its effect if the card can still be played."""
    worth = set_share(g, t, me, card, w)
    if t.when[card] == constants.BUILD and g.phase == constants.BUILD_PHASE:
        # The card can still be played when the next tile is built.
        worth = max(worth, effect)
    elif t.when[card] != constants.NEVER:
        waiting = 1.0 if g.notes[N_LEFT] > 0.0 else 0.25
        worth = max(worth, w.weight[P_HOLD] * waiting * effect)
    return float(worth + g.notes[N_COUNT + constants.COUNT_TRADE_CARDS])


@kernel
def note_hand(g: Record, t: Record, me: int, w: Record) -> None:
    """Cache once per decision the worth of the least valuable hand card, and the best gains from playing a card.

    For each condition under which cards can be played, it caches the best gain from a card with this condition.
    """
    if not math.isnan(g.notes[N_HANDS]):
        return
    g.notes[N_HANDS] = 1.0
    g.notes[N_LEAST] = 0.0
    for when in range(len(constants.CONDITIONS_OF_PLAY)):
        g.notes[N_PLAY + when] = 0.0
    for place in range(g.hand_size[me]):
        card = int(g.hand[me, place])
        effect = effect_worth(g, t, me, card, w)
        kept = keep_worth(g, t, me, card, effect, w)
        if place == 0 or kept < g.notes[N_LEAST]:
            g.notes[N_LEAST] = kept
        when = int(t.when[card])
        if when != constants.NEVER and effect > kept and can_take_effect(g, t, me, card):
            g.notes[N_PLAY + when] = max(g.notes[N_PLAY + when], effect - kept)


@kernel
def play_worth(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Return the worth of playing a card now: its effect minus its worth as part of a set.

    The worth is very low for a card that draws more cards than the deck has. It is also very low for a card that takes
    from the discard pile if the card on top there does the same. Such cards could be played in an endless loop.
    """
    if (
        t.effect[card, constants.TAKE_DISCARD] > 0
        and t.effect[g.discard[g.discard_size - 1], constants.TAKE_DISCARD] > 0
    ):
        return FOR_EVER
    if t.effect[card, constants.DRAW] > g.trade_size:
        return FOR_EVER
    effect = effect_worth(g, t, me, card, w)
    kept = set_share(g, t, me, card, w) + g.notes[N_COUNT + constants.COUNT_TRADE_CARDS]
    return float(effect - kept - AT_LEAST)


@kernel
def commercial_worth(g: Record, t: Record, me: int, number: int, w: Record) -> float:
    """Return the worth of the trade card that is drawn as number `number` (from 1) in an action.

    If the hand has no room for `number` cards, another card must be sold.
    """
    note_hand(g, t, me, w)
    worth = g.notes[N_CARD]
    if room(g, t, me) < number:
        worth -= max(0.0, g.notes[N_LEAST] - g.notes[N_DENARIUS])
    return float(worth)


@kernel
def set_worth(g: Record, t: Record, me: int, kind: int, places: int, w: Record) -> float:
    """Return the worth of laying down a set, minus the worth of keeping its cards in hand."""
    worth = float(t.set_points[kind]) + g.notes[N_COUNT + constants.COUNT_SETS]
    for place in range(g.hand_size[me]):
        if (places >> place) & 1 != 0:
            card = int(g.hand[me, place])
            worth -= keep_worth(g, t, me, card, effect_worth(g, t, me, card, w), w)
    return float(worth)


@kernel
def sale_worth(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Return the worth of selling a card."""
    kept = keep_worth(g, t, me, card, effect_worth(g, t, me, card, w), w)
    return float(t.card_price * g.notes[N_DENARIUS] - kept)
