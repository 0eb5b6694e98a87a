"""End of the game: victory points by part, and ranks after scoring or collapse (rulebook: Scoring, Collapse)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.ranking import rank_seats
from sim.games.imperium.rules import constants

(
    PROGRESS_PART,
    POWER_PART,
    FAME_PART,
    VARIABLE_PART,
    HISTORY_PART,
    REGION_PART,
    OTHER_PART,
    UNREST_PART,
) = range(len(constants.SCORE_PARTS))
"""Parts of the score; every point belongs to one of them.

- progress: progress tokens
- power: the power card, and cards that lie with it from the start
- unrest, fame: all cards of these suits
- variable: other cards with variable points
- history: other cards in the history or sunken
- regions: other regions
- other: all other cards
"""
TOTAL = len(constants.SCORE_PARTS)


# ---- Counting ----


@kernel
def is_scored(g: Record, t: Record, card: int, zone: int) -> bool:
    """Tell whether a card scores in a zone.

    Cards in the nation deck and the development area never score. The active quest scores if `t.quest_is_scored`.
    """
    if zone in (constants.NATION, constants.DEVELOPMENT):
        return False
    if zone != constants.GARRISON or t.quest_is_scored != 0 or g.host[card] == constants.NO_CARD:
        return True
    return bool(t.kind[g.host[card]] != constants.COURT)


@kernel
def weight_of(t: Record, card: int, selector: int) -> int:
    """Return the number of cards that a card counts as: 0 if the selector does not match, several for some regions."""
    if t.selector[selector, card] == 0:
        return 0
    return int(t.region_weight[card]) if selector == constants.REGIONS else 1


@kernel
def count_cards(g: Record, t: Record, seat: int, zone: int, selector: int) -> int:
    """Count how many scored cards in a zone match a selector."""
    count = 0
    for place in range(g.zone_size[seat, zone]):
        card = g.zone[seat, zone, place]
        weight = weight_of(t, card, selector)
        if weight != 0 and (t.kind[card] != constants.POWER or t.power_card_is_counted != 0):
            count += weight if is_scored(g, t, card, zone) else 0
    return count


@kernel
def count_scored_cards(g: Record, t: Record, seat: int, selector: int) -> int:
    """Count all scored cards of a seat that match a selector."""
    count = 0
    for zone in range(constants.ZONES):
        if zone not in (constants.NATION, constants.DEVELOPMENT):
            count += count_cards(g, t, seat, zone, selector)
    return count


@kernel
def score_garrisoned(g: Record, t: Record, seat: int, host: int, selector: int) -> int:
    """Count how many scored cards garrisoned under `host` match a selector."""
    count = 0
    for place in range(g.zone_size[seat, constants.GARRISON]):
        card = g.zone[seat, constants.GARRISON, place]
        if g.host[card] == host and is_scored(g, t, card, constants.GARRISON):
            count += weight_of(t, card, selector)
    return count


@kernel
def score_icons(g: Record, t: Record, seat: int, icons: int) -> int:
    """Count the region icons `icons` (bits) on all scored cards of a seat."""
    count = 0
    for zone in range(constants.ZONES):
        for place in range(g.zone_size[seat, zone]):
            card = g.zone[seat, zone, place]
            if is_scored(g, t, card, zone):
                for icon in range(len(constants.ICONS)):
                    if icons & (1 << icon) != 0:
                        count += int(t.icons[card, icon])
    return count


@kernel
def count_unrest_in(g: Record, t: Record, seat: int, zone: int) -> int:
    """Count the unrest in a zone of a seat."""
    count = 0
    for place in range(g.zone_size[seat, zone]):
        if t.suits[g.zone[seat, zone, place]] & constants.UNREST != 0:
            count += 1
    return count


@kernel
def scored_unrest(g: Record, t: Record, seat: int) -> int:
    """Count the unrest that a seat scores."""
    count = 0
    for zone in range(constants.ZONES):
        if zone not in (constants.NATION, constants.DEVELOPMENT):
            count += count_unrest_in(g, t, seat, zone)
    return count


@kernel
def collapse_unrest(g: Record, t: Record, seat: int) -> int:
    """Count the unrest that decides a collapse.

    Garrisoned and sunken cards count only if a setting says so, because the rulebook does not list them.
    """
    count = 0
    for zone in range(constants.ZONES):
        counts = zone not in (constants.NATION, constants.DEVELOPMENT)
        if zone == constants.GARRISON:
            counts = t.garrisoned_unrest_counts != 0
        if zone == constants.SUNKEN:
            counts = t.sunken_unrest_counts != 0
        if counts:
            count += count_unrest_in(g, t, seat, zone)
    return count


@kernel
def seats_with_less(g: Record, seat: int, resource: int) -> int:
    """Count the players who have less of a resource than a seat."""
    count = 0
    for other in range(g.players):
        if g.resource[other, resource] < g.resource[seat, resource]:
            count += 1
    return count


@kernel
def others_unrest(g: Record, t: Record, seat: int) -> int:
    """Count the unrest that the other players score."""
    count = 0
    for other in range(g.players):
        if other != seat:
            count += scored_unrest(g, t, other)
    return count


@kernel
def count_of(g: Record, t: Record, seat: int, card: int) -> int:
    """Count the things that earn points for one of the seat's cards with variable points."""
    of = t.of[card]
    what = int(t.of_arg[card, 0])
    if of in (constants.OF_RESOURCE, constants.OF_RESOURCE_AND_CARDS):
        return int(g.resource[seat, what])
    if of == constants.OF_RESOURCE_PLUS_CARDS:
        return int(g.resource[seat, what]) + count_scored_cards(g, t, seat, int(t.of_arg[card, 1]))
    if of == constants.OF_CARDS:
        return count_scored_cards(g, t, seat, what)
    if of == constants.OF_CARDS_IN_PLAY:
        return count_cards(g, t, seat, constants.PLAY, what)
    if of == constants.OF_CARDS_IN_HISTORY:
        return count_cards(g, t, seat, constants.HISTORY, what)
    if of == constants.OF_CARDS_SUNKEN:
        return count_cards(g, t, seat, constants.SUNKEN, what)
    if of == constants.OF_CARDS_GARRISONED_HERE:
        return score_garrisoned(g, t, seat, card, what)
    if of == constants.OF_ICONS:
        return score_icons(g, t, seat, what)
    if of == constants.OF_EXILE_PILE:
        return int(g.zone_size[constants.TABLE, constants.EXILE_PILE])
    if of == constants.OF_OTHERS_UNREST:
        return others_unrest(g, t, seat)
    return seats_with_less(g, seat, what) if of == constants.OF_PLAYERS_WITH_LESS else 0


# ---- Points ----


@kernel
def variable_points(g: Record, t: Record, seat: int, card: int) -> int:
    """Return the points of a card with variable points, up to the card's cap. The zone of the card does not matter."""
    per = max(int(t.per[card]), 1)
    units = count_of(g, t, seat, card) // per
    if t.of[card] == constants.OF_RESOURCE_AND_CARDS:
        units += count_scored_cards(g, t, seat, int(t.of_arg[card, 1])) // per
    return int(min(t.points[card] * units, t.cap[card]))


@kernel
def card_points(g: Record, t: Record, seat: int, card: int, zone: int) -> int:
    """Return the points that a card would score for a seat in a zone, with all other cards where they are.

    A card with variable points counts itself only if it is already in one of the seat's scored zones. A card in
    `GARRISON` scores through its host, `g.host`.
    """
    if t.points_kind[card] == constants.NO_POINTS or not is_scored(g, t, card, zone):
        return 0
    if t.points_kind[card] == constants.VARIABLE_POINTS:
        return variable_points(g, t, seat, card)
    return int(t.points_at[card, zone])


@kernel
def part_of(t: Record, card: int, zone: int) -> int:
    """Return the score part to which the points of a card in a zone belong."""
    if t.suits[card] & constants.UNREST != 0:
        return UNREST_PART
    if t.kind[card] != constants.CARD:
        return POWER_PART
    if t.suits[card] & constants.FAME != 0:
        return FAME_PART
    if t.points_kind[card] == constants.VARIABLE_POINTS:
        return VARIABLE_PART
    if zone in (constants.HISTORY, constants.SUNKEN):
        return HISTORY_PART
    return REGION_PART if t.suits[card] & constants.REGION != 0 else OTHER_PART


@kernel
def score_seat(g: Record, t: Record, seat: int) -> None:
    """Compute the score of one seat as if the game ended now."""
    g.score[seat] = 0
    g.score[seat, PROGRESS_PART] = g.resource[seat, constants.PROGRESS]
    total = g.resource[seat, constants.PROGRESS]
    for zone in range(constants.ZONES):
        for place in range(g.zone_size[seat, zone]):
            card = g.zone[seat, zone, place]
            if t.tokens_on_cards_score != 0 and zone == constants.PLAY and t.stores[card] == constants.PROGRESS:
                g.score[seat, PROGRESS_PART] += g.stored[card]
                total += g.stored[card]
            if t.points_kind[card] != constants.NO_POINTS:
                points = card_points(g, t, seat, card, zone)
                g.score[seat, part_of(t, card, zone)] += points
                total += points
    g.score[seat, TOTAL] = total


# ---- Ranks ----


@kernel
def score_game(g: Record, t: Record) -> None:
    """Score all seats and rank them: by unrest if `g.end_reason` is a collapse, else by points."""
    for seat in range(g.players):
        score_seat(g, t, seat)
    if g.end_reason == constants.COLLAPSE:
        rank_after_collapse(g, t)
    else:
        rank_by_points(g)


@kernel
def rank_by_points(g: Record) -> None:
    """Rank the seats by their points. Their scores must be up to date."""
    points = g.score[:, TOTAL]
    rank_seats(g, points, points)


@kernel
def rank_after_collapse(g: Record, t: Record) -> None:
    """Rank the seats after a collapse: by least unrest, then by points. Their scores must be up to date."""
    for seat in range(g.players):
        g.less_unrest[seat] = -collapse_unrest(g, t, seat)
    rank_seats(g, g.less_unrest, g.score[:, TOTAL])
