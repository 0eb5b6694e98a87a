"""The worth of placing a follower on each action space, and of the extra place that a new tile gives."""

from __future__ import annotations

import math

from sim.compiler.kernel import Record, kernel
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.conditions import province_before
from sim.games.glory_of_rome.rules.followers import action_is_possible, has_bonus
from sim.games.glory_of_rome.rules.intrigue import intrigue_is_played
from sim.games.glory_of_rome.rules.pantheon import NO_PIECE, next_piece
from strategies.glory_of_rome.card_worth import commercial_worth, note_hand
from strategies.glory_of_rome.outlook import glory_worth, place_before_turn, place_to_come
from strategies.glory_of_rome.terms.legion_worth import military_worth, second_military_worth
from strategies.glory_of_rome.terms.vote_worth import political_worth, second_political_worth
from strategies.glory_of_rome.weights import (
    KINDS,
    N_ACTION,
    N_ACTIONS,
    N_BONUS,
    N_COUNT,
    N_DENARIUS,
    N_FLOOR,
    N_HURT,
    N_LEFT,
    N_PLAY,
    P_COLOSSEUM,
    P_COMMERCIAL,
    P_DISCORD,
    P_ECONOMIC,
    P_INTRIGUE,
    P_LAST,
    P_METAL,
    P_MILITARY,
    P_PANTHEON,
    P_POLITICAL,
    P_PULLED,
    P_RELIGIOUS,
)

LATER_TARGET = 0.3
"""Chance that some opponent will later be in a given province, if no player will be there in the next round."""
LATER_BONUS = 3.0
"""Maximum number of rounds for which the bonus on an uncovered space of the discord track counts."""


@kernel
def action_worth(g: Record, t: Record, me: int, place: int, w: Record) -> float:
    """Return the worth of a follower on an action space, not counting the bonus. It is computed once per decision."""
    if math.isnan(g.notes[N_ACTION + place]):
        g.notes[N_ACTION + place] = worth_of_place(g, t, me, place, w)
    return float(g.notes[N_ACTION + place])


@kernel
def worth_of_place(g: Record, t: Record, me: int, place: int, w: Record) -> float:
    """Compute the worth of a follower on an action space, not counting the bonus."""
    if place == constants.MILITARY:
        return float(w.weight[P_MILITARY] * military_worth(g, t, me, w))
    if place == constants.POLITICAL:
        return float(w.weight[P_POLITICAL] * political_worth(g, t, me, w))
    if place == constants.COMMERCIAL:
        return float(w.weight[P_COMMERCIAL] * commercial_worth(g, t, me, 1, w))
    if place == constants.RELIGIOUS:
        return float(w.weight[P_RELIGIOUS] * religious_worth(g, t, me, w))
    if place == constants.INTRIGUE_SPACE:
        return float(w.weight[P_INTRIGUE] * intrigue_worth(g, me, w))
    note_hand(g, t, me, w)
    if place == constants.COLOSSEUM:
        glory = glory_worth(g, me, int(t.colosseum_glory), w)
        share = w.weight[P_COLOSSEUM] if g.notes[N_LEFT] > 0.0 else w.weight[P_LAST]
        return float(share * glory + g.notes[N_PLAY + constants.FOLLOWER_COLOSSEUM])
    denarii = int(t.economic[g.round_number - 1])
    if g.medal[constants.ECONOMIC] == me:
        denarii += int(t.economic_medal_denarii)
    worth = denarii * g.notes[N_DENARIUS]
    if g.notes[N_LEFT] > 0.0:
        worth *= w.weight[P_ECONOMIC]
    return float(worth + g.notes[N_PLAY + constants.FOLLOWER_ECONOMIC])


@kernel
def bonus_worth(g: Record, t: Record, me: int, kind: int, w: Record) -> float:
    """Return the worth of the second action that a bonus allows. It is computed once per decision."""
    if math.isnan(g.notes[N_BONUS + kind]):
        if kind == constants.MILITARY:
            g.notes[N_BONUS + kind] = w.weight[P_MILITARY] * second_military_worth(g, t, me, w)
        elif kind == constants.POLITICAL:
            g.notes[N_BONUS + kind] = w.weight[P_POLITICAL] * second_political_worth(g, t, me, w)
        else:
            g.notes[N_BONUS + kind] = w.weight[P_COMMERCIAL] * commercial_worth(g, t, me, 2, w)
    return float(g.notes[N_BONUS + kind])


# ---- The Pantheon ----


@kernel
def religious_worth(g: Record, t: Record, me: int, w: Record) -> float:
    """Return the worth of placing a Pantheon piece on the better of the two levels."""
    return max(piece_worth(g, t, me, constants.BASE, w), piece_worth(g, t, me, constants.ROOF, w))


@kernel
def piece_worth(g: Record, t: Record, me: int, level: int, w: Record) -> float:
    """Return the worth of the next piece on a level of the Pantheon.

    It includes a share of the gain from finishing the level.
    """
    piece = next_piece(g, t, me, level)
    if piece == NO_PIECE:
        return 0.0
    worth = g.notes[N_COUNT + constants.COUNT_PANTHEON]
    pulled = pieces_pulled(g, me, w)
    if piece != constants.OWN:
        # The finished base lets the player begin the roof, and protects the pieces of the base.
        opens = w.weight[P_PANTHEON] if level == constants.BASE and g.notes[N_LEFT] > 0.0 else 0.0
        return float(worth + t.pantheon_points[piece] + opens + min(pulled, float(t.pantheon_own[level])))
    missing = int(t.pantheon_own[level] - g.pantheon_own[me, level])
    # Demolition removes the older pieces first, and this piece only after them.
    worth -= min(1.0, max(0.0, pulled - g.pantheon_own[me, level]))
    if g.notes[N_LEFT] == 0.0:
        places = int(g.building[province_before(g, me), constants.RELIGIOUS] - g.placed[me, constants.RELIGIOUS])
        if min(places, int(g.followers_left[me])) <= missing:
            return float(worth + t.pantheon_points[constants.OWN])
    metal = metal_to_come(g, t, me, level, missing)
    if metal == constants.OWN:
        return float(worth + t.pantheon_points[constants.OWN])
    share = w.weight[P_METAL] * t.pantheon_points[metal] / (missing + 1.0)
    return float(worth + t.pantheon_points[constants.OWN] + share)


@kernel
def pieces_pulled(g: Record, me: int, w: Record) -> float:
    """Return how many of the seat's pieces on unfinished levels others will probably remove in the next round."""
    if g.notes[N_LEFT] == 0.0 or not intrigue_is_played(g):
        return 0.0
    province = int(g.board[place_before_turn(g, int(g.place[me]))])
    free = int(g.track_length[me] - g.discord[me])
    tokens = 0
    for seat in range(g.players):
        if seat != me:
            tokens += min(int(g.intrigue[province, seat]), int(g.discord[seat]))
    return float(w.weight[P_PULLED] * min(tokens, free))


@kernel
def metal_to_come(g: Record, t: Record, me: int, level: int, missing: int) -> int:
    """Return the metal of the best common piece of a level that will be left for the seat; OWN if none will be left.

    `missing` is the number of own pieces that the seat still has to place there. Players who lack fewer take a common
    piece first.
    """
    before = 0
    for seat in range(g.players):
        begun = g.pantheon_common[seat, level] == 0 and g.pantheon_own[seat, level] > 0
        if seat != me and begun and int(t.pantheon_own[level] - g.pantheon_own[seat, level]) < missing:
            before += 1
    for metal in range(constants.GOLD, constants.BRONZE + 1):
        before -= int(g.common[level, metal])
        if before < 0:
            return metal
    return constants.OWN


# ---- Intrigue ----


@kernel
def intrigue_worth(g: Record, me: int, w: Record) -> float:
    """Return the worth of placing an intrigue token: harm to another seat later, and a chance to pass on discord."""
    tokens = 0
    for province in range(g.intrigue.shape[0]):
        tokens += int(g.intrigue[province, me])
    if g.notes[N_LEFT] == 0.0 or tokens >= g.discord[me]:
        return 0.0
    chance = min(1.0, 0.5 * g.notes[N_LEFT])
    target = int(g.seat_at[place_to_come(g, int(g.place[me]))])
    if target == constants.NO_SEAT:
        chance *= chance_later(g)
        for seat in range(g.players):
            if seat != me and (target == constants.NO_SEAT or g.notes[N_HURT + seat] > g.notes[N_HURT + target]):
                target = seat
    elif g.discord[target] + g.intrigue[province_before(g, me), me] >= g.track_length[target]:
        return 0.0
    harm = g.notes[N_HURT + target] + receiving_worth(g, target, w)
    return float(chance * (harm + 0.6 * passing_worth(g, me, w)))


@kernel
def chance_later(g: Record) -> float:
    """Return the chance that some opponent will later be in a province in which no player will be in the next round.

    In the Clockwork variant, the chance is 1 as long as more than one round is left, and 0 after that.
    """
    if g.variant & constants.CLOCKWORK != 0:
        return 1.0 if g.notes[N_LEFT] > 1.0 else 0.0
    return LATER_TARGET


@kernel
def bonus_at(g: Record, seat: int, space: int) -> int:
    """Return the bonus on a space of a discord track; NO_BONUS outside the track."""
    if 0 <= space < g.track_length[seat]:
        return int(g.track[seat, space])
    return constants.NO_BONUS


@kernel
def passing_worth(g: Record, me: int, w: Record) -> float:
    """Return the worth of having one discord token fewer: this may uncover a bonus."""
    worth = -g.notes[N_COUNT + constants.COUNT_DISCORD]
    if bonus_at(g, me, int(g.track_length[me] - g.discord[me])) != constants.NO_BONUS:
        worth += w.weight[P_DISCORD] * min(LATER_BONUS, g.notes[N_LEFT] + 1.0)
    return float(worth)


@kernel
def receiving_worth(g: Record, target: int, w: Record) -> float:
    """Return the worth of giving another seat one more discord token: this may cover one of its bonuses."""
    if bonus_at(g, target, int(g.track_length[target] - g.discord[target] - 1)) == constants.NO_BONUS:
        return 0.0
    return float(g.notes[N_HURT + target] * w.weight[P_DISCORD] * min(LATER_BONUS, g.notes[N_LEFT] + 1.0))


# ---- Places in the province ----


@kernel
def note_actions(g: Record, t: Record, me: int, w: Record) -> None:
    """Cache once per decision the worth of the least valuable action that the seat will still take this round."""
    if not math.isnan(g.notes[N_ACTIONS]):
        return
    g.notes[N_ACTIONS] = 1.0
    province = province_before(g, me)
    followers = int(g.followers_left[me])
    floor = action_worth(g, t, me, constants.COLOSSEUM, w)
    if intrigue_is_played(g) and g.intrigue_left[me] > 0:
        floor = max(floor, action_worth(g, t, me, constants.INTRIGUE_SPACE, w))
    # Fill the best places with one follower each, and cache the worth of the last place filled. If followers remain,
    # cache the worth of a space that always has room: the Colosseum or the intrigue space.
    best = floor
    taken = 0
    limit = 1.0e9
    while taken < followers:
        best, count = floor, 0
        for kind in range(KINDS):
            places = int(g.building[province, kind] - g.placed[me, kind])
            if places > 0:
                first = first_worth(g, t, me, kind, w)
                if best < first < limit:
                    best, count = first, 1
                again = action_worth(g, t, me, kind, w)
                if places > 1 and best < again < limit:
                    best, count = again, places - 1
        if count == 0:
            break
        taken += count
        limit = best
    g.notes[N_FLOOR] = best if taken >= followers else floor


@kernel
def first_worth(g: Record, t: Record, me: int, kind: int, w: Record) -> float:
    """Return the worth of the first follower on a building, including the bonus if the seat has it."""
    if not action_is_possible(g, t, me, kind):
        return 0.0
    worth = action_worth(g, t, me, kind, w)
    if kind < constants.BONUSES and has_bonus(g, me, kind):
        worth += bonus_worth(g, t, me, kind, w)
    return worth


@kernel
def place_for_follower_worth(g: Record, t: Record, me: int, kind: int, level: int, w: Record) -> float:
    """Return how much more a follower is worth on a new tile than on the least valuable place that it could take."""
    note_actions(g, t, me, w)
    if g.followers_left[me] < level or not action_is_possible(g, t, me, kind):
        return 0.0
    worth = first_worth(g, t, me, kind, w) if level == 1 else action_worth(g, t, me, kind, w)
    return max(0.0, worth - float(g.notes[N_FLOOR]))
