"""Scores the activation of intrigue tokens."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.intrigue import REPLACED
from sim.games.glory_of_rome.rules.senate import votes_on_top
from strategies.glory_of_rome.card_worth import note_hand
from strategies.glory_of_rome.outlook import glory_worth
from strategies.glory_of_rome.terms.actions import passing_worth, receiving_worth
from strategies.glory_of_rome.terms.legion_worth import loss_of, note_legions, standing
from strategies.glory_of_rome.terms.vote_worth import chain_worth, political_worth, share_that_stays
from strategies.glory_of_rome.weights import (
    N_CARD,
    N_DENARIUS,
    N_GAIN,
    N_HURT,
    N_LEFT,
    N_PLAY,
    P_INTRIGUE,
    P_METAL,
    P_REGION,
)

KEPT_TOKEN = 0.15
"""Worth of keeping a token for later, per remaining round; at most two rounds count."""


@kernel
def score_activation(g: Record, t: Record, me: int, option: int, w: Record) -> float:
    """Score activating an intrigue token. Activating none scores 0."""
    effect, value = int(g.option_card[option]), int(g.option_value[option])
    target = int(g.option_seat[option])
    note_hand(g, t, me, w)
    worth = passing_worth(g, me, w) + receiving_worth(g, target, w) + g.notes[N_PLAY + constants.ACTIVATE_INTRIGUE]
    worth -= KEPT_TOKEN * min(2.0, g.notes[N_LEFT])
    return float(worth + w.weight[P_INTRIGUE] * effect_on(g, t, me, effect, value, target, w))


@kernel
def effect_on(g: Record, t: Record, me: int, effect: int, value: int, target: int, w: Record) -> float:
    """Return the worth to this seat of applying one of the eight intrigue effects to a target."""
    harm = float(g.notes[N_HURT + target])
    if effect == constants.SLANDER:
        return harm * near_milestone(g, target)
    if effect == constants.DEMOLITION:
        own = int(t.pantheon_own[value])
        metal = t.pantheon_points[constants.GOLD if g.common[value, constants.GOLD] > 0 else constants.BRONZE]
        return float(harm * (1.0 + w.weight[P_METAL] * metal / (own + 1.0)))
    if effect == constants.DEFECTION:
        note_legions(g, t, me, w)
        region = value % REPLACED
        worth = loss_of(g, t, region, target, w)
        return float(worth + g.notes[N_GAIN + region] if value >= REPLACED else worth)
    if effect == constants.DECEPTION:
        return deception_worth(g, t, value, target, w)
    if effect == constants.RE_VOTE:
        return vote_lost(g, t, value, target, w) + political_worth(g, t, me, w)
    if effect == constants.INVALID_VOTE:
        return vote_lost(g, t, value, target, w) + glory_worth(g, me, int(t.invalid_vote_glory), w)
    if effect == constants.SOLD:
        return float(harm * g.notes[N_CARD] + t.sold_denarii * g.notes[N_DENARIUS])
    return float((1.0 + harm) * g.notes[N_CARD])


@kernel
def near_milestone(g: Record, target: int) -> float:
    """Return the worth of a point of glory to another seat: more near a milestone while rounds remain."""
    for milestone in range(g.marker.shape[0]):
        gap = int(g.marker[milestone] - g.glory[target])
        if g.reached[target, milestone] == 0 and 0 < gap <= 3:
            return float(1.0 + 0.2 * g.notes[N_LEFT])
    return 1.0


@kernel
def vote_lost(g: Record, t: Record, place: int, target: int, w: Record) -> float:
    """Return the worth to this seat of the target losing its vote at a place in the senate column."""
    lost = share_that_stays(g, w) * t.senate_values[place]
    if place >= g.senate_size - votes_on_top(g, target):
        lost += 0.5 * chain_worth(g, t, target, votes_on_top(g, target), w)
    return float(lost * g.notes[N_HURT + target])


@kernel
def deception_worth(g: Record, t: Record, value: int, target: int, w: Record) -> float:
    """Return the worth to this seat of moving one or two of the target's legions to another region."""
    one, two, to = value % 4, value // 4 % 4, value // 16
    lost = 0.0
    for region in range(g.legions.shape[0]):
        own = int(g.legions[region, target])
        then = own - int(one == region) - int(two == region)
        if to == region:
            then += 1 + int(two != constants.NO_SECOND)
        if then != own:
            lost += standing(g, t, region, target, target, own, w) - standing(g, t, region, target, target, then, w)
    return float(w.weight[P_REGION] * lost * g.notes[N_HURT + target])
