"""Legions and battle regions (rulebook: Battle regions)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players, choose
from sim.engine.options import clear_options
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.log import CONQUERED, LEGION_MOVED, LEGION_PLACED, LOST_AGAIN, log_event
from sim.games.glory_of_rome.rules.options import offer_at


@kernel
def legions_in(g: Record, region: int) -> int:
    """Return the number of all players' legions in a region."""
    count = 0
    for seat in range(g.players):
        count += int(g.legions[region, seat])
    return count


@kernel
def has_legion_step(g: Record, seat: int) -> bool:
    """Tell whether a seat has a legion to place or to move."""
    if g.board_legions[seat] > 0:
        return True
    for region in range(g.legions.shape[0]):
        if g.legions[region, seat] > 0:
            return True
    return False


@kernel
def place_legion(g: Record, t: Record, seat: int, region: int) -> None:
    """Place a legion from the player board in a region."""
    g.board_legions[seat] -= 1
    g.legions[region, seat] += 1
    log_event(g, LEGION_PLACED, seat, region, constants.NO_CARD, 0, 0)
    look_at_region(g, t, region)


@kernel
def move_legion(g: Record, t: Record, seat: int, source: int, region: int) -> None:
    """Move a legion of a seat from one region to another."""
    g.legions[source, seat] -= 1
    g.legions[region, seat] += 1
    log_event(g, LEGION_MOVED, seat, source, constants.NO_CARD, region, 0)
    look_at_region(g, t, source)
    look_at_region(g, t, region)


@kernel
def look_at_region(g: Record, t: Record, region: int) -> None:
    """Update whether a region is conquered.

    A region is conquered while it has enough legions. With the setting `left_region` "stays conquered", it stays
    conquered even if legions leave.
    """
    if legions_in(g, region) >= t.shield[g.small, region]:
        if g.conquered[region] == 0:
            log_event(g, CONQUERED, constants.NO_SEAT, region, constants.NO_CARD, 0, 0)
        g.conquered[region] = 1
    elif t.left_region == 0:
        if g.conquered[region] != 0:
            log_event(g, LOST_AGAIN, constants.NO_SEAT, region, constants.NO_CARD, 0, 0)
        g.conquered[region] = 0


@kernel
def decide_legion(g: Record, t: Record, players: Players, seat: int) -> None:
    """Let a seat place a legion, or move one to another region."""
    clear_options(g)
    for region in range(g.legions.shape[0]):
        if g.board_legions[seat] > 0:
            offer_at(g, constants.PLACE_LEGION, constants.NO_CARD, 0, seat, region)
    for source in range(g.legions.shape[0]):
        if g.legions[source, seat] > 0:
            for region in range(g.legions.shape[0]):
                if region != source:
                    offer_at(g, constants.MOVE_LEGION, source, 0, seat, region)
    option = choose(g, t, players, seat, constants.ASK_LEGION)
    region = int(g.option_place[option])
    if g.option_kind[option] == constants.PLACE_LEGION:
        place_legion(g, t, seat, region)
    else:
        move_legion(g, t, seat, int(g.option_card[option]), region)


# ---- Ranking ----


@kernel
def place_in_region(g: Record, region: int, seat: int) -> int:
    """Return a seat's place in a region by number of legions, from 0; -1 without a legion there.

    Tied players share a place, and the next player has the place after it. The owner of the military medal wins ties.
    """
    own = g.legions[region, seat]
    if own == 0:
        return -1
    place = 0
    for other in range(g.players):
        if other != seat and legions_rank_before(g, region, other, seat) and is_first_of_its_kind(g, region, other):
            place += 1
    return place


@kernel
def legions_rank_before(g: Record, region: int, other: int, seat: int) -> bool:
    """Tell whether the seat `other` ranks before `seat` in a region."""
    theirs, own = g.legions[region, other], g.legions[region, seat]
    return bool(theirs > own or (theirs == own and g.medal[constants.MILITARY] == other))


@kernel
def is_first_of_its_kind(g: Record, region: int, seat: int) -> bool:
    """Tell whether a seat has the lowest index of the seats that share its place. So each place is counted once."""
    for other in range(seat):
        if g.legions[region, other] == g.legions[region, seat] and g.medal[constants.MILITARY] not in (other, seat):
            return False
    return True


@kernel
def is_tied(g: Record, region: int, seat: int) -> bool:
    """Tell whether a seat shares its place in a region."""
    if g.medal[constants.MILITARY] == seat:
        return False
    for other in range(g.players):
        if (
            other != seat
            and g.legions[region, other] == g.legions[region, seat]
            and g.medal[constants.MILITARY] != other
            and g.legions[region, seat] > 0
        ):
            return True
    return False


@kernel
def region_points(g: Record, t: Record, region: int, seat: int) -> int:
    """Return a seat's end glory for its place in a region.

    It is 0 if the region is not conquered. It is also 0 if the place is tied, unless the tied seats score
    (see `scores_alike`).
    """
    place = place_in_region(g, region, seat)
    if g.conquered[region] == 0 or place < 0:
        return 0
    if is_tied(g, region, seat) and not scores_alike(g, t, region, seat):
        return 0
    return int(t.region_points[g.small, region, place])


@kernel
def scores_alike(g: Record, t: Record, region: int, seat: int) -> bool:
    """Tell whether tied seats score in spite of the tie.

    They do with the setting `military_medal_with_three` "others score alike", if they have as many legions as the owner
    of the military medal, who ranks before them.
    """
    owner = g.medal[constants.MILITARY]
    return bool(t.military_medal_with_three != 0 and owner >= 0 and g.legions[region, owner] == g.legions[region, seat])


@kernel
def first_places(g: Record, seat: int) -> int:
    """Return the number of conquered regions in which a seat is first."""
    count = 0
    for region in range(g.legions.shape[0]):
        count += int(g.conquered[region] != 0 and place_in_region(g, region, seat) == 0)
    return count
