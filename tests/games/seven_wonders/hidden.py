"""What 7 Wonders supplies to the harness of hidden information: see `tests/kit/hidden.py`."""

from collections import Counter
from typing import Any

import numpy as np

from sim.games.seven_wonders.rules import constants
from sim.games.seven_wonders.rules.setup import FREE_CITY
from sim.games.seven_wonders.rules.state import left_of, right_of

CHANGED, POSITIONS = 1 / 3, 100
KINDS = (constants.PLAY, constants.PAYMENT, constants.FROM_DISCARD)
OPTIONS = ("option_count", "option_card", "option_action", "option_price", "option_left", "option_right")
DEALT = {
    *("hand", "hand_size", "deck", "discards", "stage_cards"),
    *("choice_card", "choice_action", "choice_bank", "choice_left", "choice_right"),
    *(*OPTIONS, "answer", "notes", "rng_words", "rng_drawn"),
}
LEFT_OVER = {*OPTIONS, "answer_drawn", "option_score", "notes", "rng_words"}


def hand_of(g: Any, seat: int) -> Counter[int]:
    """Cards that a seat holds; in which order others hold theirs nobody knows."""
    return Counter(g.hand[seat, : g.hand_size[seat]].tolist())


def seen(g: Any, t: Any, me: int) -> Any:
    """A seat's hand, its choice, what lies below its stages, and the discards that it has laid down or looked at."""
    known = (g.discard_seen[: g.discards_size] >> me & 1 != 0) | (g.discard_city[: g.discards_size] == me)
    return (
        g.hand[me, : g.hand_size[me]].tolist(),
        int(g.choice_card[me]),
        g.stage_cards[me, : g.stages_built[me]].tolist(),
        g.discards[: g.discards_size][known].tolist(),
    )


def cards_of(g: Any) -> Counter[int]:
    """All cards that have been dealt or lie in the decks of the ages to come."""
    cards = Counter(int(card) for city in range(g.cities) for card in g.city_cards[city, : g.city_size[city]])
    cards += Counter(int(card) for city in range(g.cities) for card in g.stage_cards[city, : g.stages_built[city]])
    cards += Counter(g.discards[: g.discards_size].tolist())
    cards += Counter(int(card) for card in g.choice_card[: g.cities] if card != constants.NO_CARD)
    cards += Counter(g.deck[g.age - 1, g.pile_next : g.deck_size[g.age - 1]].tolist())
    for age in range(int(g.age), 3):
        cards += Counter(g.deck[age, : g.deck_size[age]].tolist())
    for seat in range(g.players):
        cards += hand_of(g, seat)
    return cards


def pieces(g: Any, t: Any) -> Any:
    """All cards but guilds, and how many guilds: which of them are in the game nobody knows before it sees them."""
    cards = cards_of(g)
    guilds = {card for card in cards if t.card_guild[card] != 0}
    return {card: cards[card] for card in cards if card not in guilds}, sum(cards[card] for card in guilds)


# ---- Decisions ----


def scramble(g: Any, before: Any, t: Any, me: int, random: np.random.Generator) -> None:
    """Draw anew what the seat cannot see; the listed options stay."""
    for field in OPTIONS:
        g[field] = before[field]
    let_others_choose(g, t, me, random)
    scramble_left_overs(g, t, me, random)


def let_others_choose(g: Any, t: Any, me: int, random: np.random.Generator) -> None:
    """Let some others have made their secret choice of the turn already."""
    for seat in range(g.players):
        if seat != me and g.hand_size[seat] and random.integers(2):
            g.hand_size[seat] -= 1
            g.choice_card[seat] = g.hand[seat, g.hand_size[seat]]
            g.choice_action[seat] = random.choice(
                [constants.BUILD, constants.STAGE, constants.DISCARD, constants.FREE_BUILD]
            )
            for field in ("choice_bank", "choice_left", "choice_right"):
                g[field][seat] = random.integers(0, 3)
    if g.holder >= 0 and g.holder != me and random.integers(2):
        g.choice_card[FREE_CITY] = random.integers(0, t.cards)
        g.choice_action[FREE_CITY] = random.choice([constants.BUILD, constants.STAGE, constants.DISCARD])
        g.choice_left[FREE_CITY], g.choice_right[FREE_CITY] = random.integers(0, 3, 2)


def scramble_left_overs(g: Any, t: Any, me: int, random: np.random.Generator) -> None:
    """Draw anew how far random streams were drawn, and all leftovers of what others did or held before."""
    g.rng_drawn[:] = random.integers(0, 100, g.rng_drawn.shape)
    for seat in range(g.players):
        if seat != me:
            left_over = g.hand[seat, g.hand_size[seat] :]
            left_over[:] = random.integers(0, t.cards, left_over.shape)
            g.log.pieces[seat] = random.integers(0, 18, g.log.pieces[seat].shape)
    g.score[:] = random.integers(0, 60, g.score.shape)
    g.option_score[:] = random.random(g.option_score.shape)


# ---- Cheats ----


def sees_left_hand(g: Any, _t: Any, me: int, _decision: int, _option: int, _w: Any) -> float:
    return float(g.hand[left_of(g, me), 0])


def sees_right_hand(g: Any, _t: Any, me: int, _decision: int, _option: int, _w: Any) -> float:
    seat = right_of(g, me) % g.players
    return float(g.hand[seat, : g.hand_size[seat]].sum())


def sees_discards(g: Any, _t: Any, _me: int, _decision: int, _option: int, _w: Any) -> float:
    return float((g.discards[: g.discards_size] * np.arange(1, g.discards_size + 1)).sum())


def sees_what_was_dealt(g: Any, _t: Any, _me: int, _decision: int, _option: int, _w: Any) -> float:
    return float(g.deck[g.age - 1, 0])


def sees_the_last_deck(g: Any, _t: Any, _me: int, _decision: int, _option: int, _w: Any) -> float:
    return float((g.deck[2, :21] * np.arange(1, 22)).sum())


def sees_choices(g: Any, _t: Any, me: int, _decision: int, _option: int, _w: Any) -> float:
    return float(sum(g.choice_card[seat] for seat in range(g.players) if seat != me))


def sees_random_numbers(g: Any, _t: Any, _me: int, _decision: int, _option: int, _w: Any) -> float:
    return float(g.rng_words.sum())


def sees_below_stages(g: Any, _t: Any, me: int, _decision: int, _option: int, _w: Any) -> float:
    others = [seat for seat in range(g.players) if seat != me and g.stages_built[seat]]
    return float(sum(g.stage_cards[seat, 0] for seat in others))


CHEATS = (
    sees_left_hand,
    sees_right_hand,
    sees_discards,
    sees_what_was_dealt,
    sees_the_last_deck,
    sees_choices,
    sees_random_numbers,
    sees_below_stages,
)


def honest(g: Any, _t: Any, me: int, _decision: int, option: int, _w: Any) -> float:
    return float(g.hand[me, : g.hand_size[me]].sum() + g.coins.sum() + g.shields[1] + g.option_card[option])
