"""End of the game: victory points by part, and ranks."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.ranking import rank_seats
from sim.games.seven_wonders.rules.constants import NO_CARD, PURPLE, SCIENCE_CHOICE, VP, VP_PER, WONDER_POINTS
from sim.games.seven_wonders.rules.effects import count_things, counts_itself
from sim.games.seven_wonders.rules.state import left_of, right_of
from sim.games.seven_wonders.rules.tables import stage_item

SCORE_PARTS = ("military", "treasury", "wonder", "blue", "science", "yellow", "guild")
"""The parts of a score, in the order in which the rulebook counts them."""
CHECKPOINTS = ("score_age_1", "score_age_2")
"""Columns of the scores after the conflicts of Ages I and II."""
MILITARY, TREASURY, WONDER, CIVILIAN, SCIENCE, COMMERCE, GUILD = range(7)
TOTAL = 7

PART_OF_COLOUR = (COMMERCE, COMMERCE, CIVILIAN, SCIENCE, COMMERCE, MILITARY, GUILD)
"""Score part to which the points of a card belong, by its colour as numbered in `constants.COLOURS`.

Points on a brown or grey card exist only in changed tables. They count with commerce.
"""
COLOUR_COUNT = len(PART_OF_COLOUR)


@kernel
def symbol_points(t: Record, tablets: int, gears: int, compasses: int) -> int:
    """Return the points of science: the square of the number of each symbol, and a bonus for every set of three."""
    sets = min(tablets, gears, compasses)
    return tablets * tablets + gears * gears + compasses * compasses + t.science_set_vp * sets


@kernel
def science_points(t: Record, tablets: int, gears: int, compasses: int, choices: int) -> int:
    """Return the points of science, with the symbols of choice used in the best way."""
    best = 0
    for to_tablets in range(choices + 1):
        for to_gears in range(choices + 1 - to_tablets):
            to_compasses = choices - to_tablets - to_gears
            points = symbol_points(t, tablets + to_tablets, gears + to_gears, compasses + to_compasses)
            best = max(best, points)
    return best


@kernel
def science_of(g: Record, t: Record, city: int, more_choices: int) -> int:
    """Return a city's points of science, with `more_choices` additional symbols of choice."""
    symbols = g.symbols[city]
    return science_points(t, symbols[0], symbols[1], symbols[2], g.symbol_choices[city] + more_choices)


@kernel
def counted_points(g: Record, t: Record, city: int, item: int) -> int:
    """Return the points that a card or stage (`item`) scores for the things that it counts, as they are now."""
    points = 0
    for row in range(t.item_effect_count[item]):
        effect = t.item_effects[item, row]
        if effect[0] == VP_PER:
            points += effect[1] * count_things(g, city, effect[2], effect[3], effect[4])
    return points


@kernel
def copied_guild_points(g: Record, t: Record, city: int, card: int) -> int:
    """Return a city's points from copying this guild, including those for an additional symbol or purple card."""
    points = 0
    for row in range(t.item_effect_count[card]):
        effect = t.item_effects[card, row]
        if effect[0] == VP_PER:
            things = count_things(g, city, effect[2], effect[3], effect[4])
            if t.copied_guild_counts_itself != 0:
                things += counts_itself(t, card, effect[2], effect[3], effect[4])
            points += effect[1] * things
        elif effect[0] == VP:
            points += effect[1]
        elif effect[0] == SCIENCE_CHOICE and t.copied_scientists_gives_symbol != 0:
            points += science_of(g, t, city, 1) - science_of(g, t, city, 0)
    if t.copied_guild_counts_itself != 0:
        points += points_for_one_more(g, t, city, card)
    return points


@kernel
def points_for_one_more(g: Record, t: Record, city: int, card: int) -> int:
    """Return how many points a city's own guilds would gain if `card` were added to the city."""
    points = 0
    for place in range(g.city_size[city]):
        own = g.city_cards[city, place]
        if t.card_colour[own] == PURPLE:
            for row in range(t.item_effect_count[own]):
                effect = t.item_effects[own, row]
                if effect[0] == VP_PER:
                    points += effect[1] * counts_itself(t, card, effect[2], effect[3], effect[4])
    return points


@kernel
def guild_to_copy(g: Record, t: Record, city: int) -> int:
    """Return the neighbours' guild that is worth most to a city that can copy one; NO_CARD if there is none."""
    best = NO_CARD
    best_points = -1
    for side in range(2):
        if g.copies_guild[city] & (1 << (2 * side)) == 0:
            continue
        neighbour = left_of(g, city) if side == 0 else right_of(g, city)
        for place in range(g.city_size[neighbour]):
            card = g.city_cards[neighbour, place]
            if t.card_colour[card] == PURPLE:
                points = copied_guild_points(g, t, city, card)
                if points > best_points:
                    best = card
                    best_points = points
    return best


@kernel
def wonder_points(g: Record, t: Record, city: int) -> int:
    """Return the points of the stages built, including those of stages that count things and of a copied guild."""
    points = g.points[city, WONDER_POINTS]
    for stage in range(g.stages_built[city]):
        points += counted_points(g, t, city, stage_item(g.faction[city], stage))
    if g.copies_guild[city] != 0:
        guild = guild_to_copy(g, t, city)
        if guild != NO_CARD:
            points += copied_guild_points(g, t, city, guild)
    return points


@kernel
def score_cards(g: Record, t: Record, city: int) -> None:
    """Add the printed and counted points of a city's cards to the score parts of their colours."""
    score = g.score[city]
    for colour in range(COLOUR_COUNT):
        score[PART_OF_COLOUR[colour]] += g.points[city, colour]
    for place in range(g.city_size[city]):
        card = g.city_cards[city, place]
        score[PART_OF_COLOUR[t.card_colour[card]]] += counted_points(g, t, city, card)


@kernel
def score_city(g: Record, t: Record, city: int) -> None:
    """Compute the score of one city as if the game ended now."""
    score = g.score[city]
    score[MILITARY] = g.conflict_points[city]
    score[TREASURY] = g.coins[city] // t.coins_per_vp
    score[WONDER] = wonder_points(g, t, city)
    score[CIVILIAN] = 0
    score[SCIENCE] = science_of(g, t, city, 0)
    score[COMMERCE] = 0
    score[GUILD] = 0
    score_cards(g, t, city)
    total = 0
    for part in range(TOTAL):
        total += score[part]
    score[TOTAL] = total


@kernel
def score_age(g: Record, t: Record) -> None:
    """Record the total of every seat as if the game ended with this age, without affecting what players see or draw."""
    for seat in range(g.players):
        score_city(g, t, seat)
        g.score_after_age[seat, g.age - 1] = g.score[seat, TOTAL]
        g.score[seat] = 0


@kernel
def score_game(g: Record, t: Record) -> None:
    """Score all cities and rank the seats."""
    for city in range(g.cities):
        score_city(g, t, city)
    rank_by_points(g)


@kernel
def rank_by_points(g: Record) -> None:
    """Rank the seats by points and, in a tie, by coins. Seats that still tie share a rank."""
    rank_seats(g, g.score[:, TOTAL], g.coins)
