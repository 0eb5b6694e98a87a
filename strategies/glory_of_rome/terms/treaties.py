"""Scores treaties of the variants Spies and Alliances: tokens, prices and answers."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.treaties import TOKENS, level_of_treaty
from strategies.glory_of_rome.outlook import glory_worth
from strategies.glory_of_rome.terms.actions import action_worth
from strategies.glory_of_rome.weights import N_DENARIUS, N_HURT, P_TRUST

ACCEPTED = 0.2
"""Minimum gain at which the other seat is expected to accept a treaty."""
REFUSED = 0.9
"""Probability that the other seat acts as expected: it accepts a gain of at least `ACCEPTED`, and refuses any other."""


@kernel
def score_treaty(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Score an option in a treaty by its expected gain."""
    kind = int(g.option_kind[option])
    if kind == constants.PUT_TOKEN:
        return token_worth(g, t, me, option, w)
    if kind == constants.TAKE_GLORY:
        return glory_worth(g, me, level_of_treaty(g), w)
    if kind == constants.FREE_ACTION:
        return action_worth(g, t, me, int(g.act_card), w)
    price = int(g.option_value[option])
    if decision == constants.ASK_RAISE:
        return raise_worth(g, me, kind, price, w)
    if kind == constants.REFUSE:
        return 0.0
    worth = answer_worth(g, int(g.turn_seat), price, w)
    if kind == constants.ASK_MORE:
        # The token's owner may decline to raise the offer. Then this seat has to accept or refuse the last offer.
        return worth - 1.2 * (price - int(g.offered)) if worth > 0.0 else worth + 0.1
    return worth


@kernel
def harm_of(g: Record, seat: int) -> float:
    """Return the share of another seat's gain that counts as a loss for this seat: all of it in two-player games."""
    return float(max(g.notes[N_HURT + seat], 1.0 / (g.players - 1)))


@kernel
def gain_of_level(level: int, harm: float, trust: float) -> float:
    """Return the points from accepting a token on a building of this level, not counting denarii.

    They are the points that an alliance probably brings this seat (`trust` per level), minus the harm from the other
    seat's gain: one point per level, of which the share `harm` counts.
    """
    return level * (trust - harm)


@kernel
def answer_worth(g: Record, other: int, price: int, w: Record) -> float:
    """Return the worth of accepting a token of the seat `other` with `price` denarii on it."""
    harm = harm_of(g, other)
    level = level_of_treaty(g)
    denarii = price * g.notes[N_DENARIUS] * (1.0 + harm)
    return float(denarii + gain_of_level(level, harm, float(w.weight[P_TRUST])))


@kernel
def token_worth(g: Record, t: Record, me: int, option: int, w: Record) -> float:
    """Return the worth of putting a token with denarii on a building."""
    target, place, kind = int(g.option_seat[option]), int(g.option_place[option]), int(g.option_card[option])
    token, price = int(g.option_value[option]) % TOKENS, int(g.option_value[option]) // TOKENS
    level = int(g.building[place, kind])
    harm = harm_of(g, target)
    paid = price * g.notes[N_DENARIUS]
    gain = glory_worth(g, me, level, w)
    if token == constants.SPY:
        gain = max(gain, action_worth(g, t, me, kind, w))
    else:
        gain -= harm * level
    accepted = gain - paid * (1.0 + harm)
    refused = -paid if token == constants.SPY else 0.0
    # Estimate the other seat's gain in the same way as this seat's gain.
    theirs = paid * (1.0 + harm) + gain_of_level(level, harm, float(w.weight[P_TRUST]))
    chance = REFUSED if theirs >= ACCEPTED else 1.0 - REFUSED
    return float(chance * accepted + (1.0 - chance) * refused)


@kernel
def raise_worth(g: Record, me: int, kind: int, price: int, w: Record) -> float:
    """Return the worth of raising the offer to the price that the other seat asks. Declining is worth 0."""
    if kind == constants.REFUSE:
        return 0.0
    harm = harm_of(g, int(g.act_seat))
    level = level_of_treaty(g)
    gain = glory_worth(g, me, level, w) - (harm * level if g.token == constants.ALLIANCE else 0.0)
    return float(gain - price * g.notes[N_DENARIUS] * (1.0 + harm))
