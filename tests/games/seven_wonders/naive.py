"""The rules of 7 Wonders a second time: longer, slower and obviously right, for the kernels to be compared with.

A city is described by the names of its cards, as a player would read them off the table; the effects of yellow cards
and guilds are written out from the rulebook instead of being read from `configs/`.
"""

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sim.engine.rng import start_streams
from sim.games.seven_wonders.data.catalog import Card, Catalog, Stage
from sim.games.seven_wonders.data.language import Discount, Produce, Science, Shields, VictoryPoints
from sim.games.seven_wonders.rules.building import place_card, place_stage
from sim.games.seven_wonders.rules.constants import NO_CARD
from sim.games.seven_wonders.rules.setup import clear_table, found_city
from sim.games.seven_wonders.rules.state import new_games
from sim.games.seven_wonders.rules.trade import begin_turn

RAW = ("wood", "stone", "clay", "ore")
MANUFACTURED = ("glass", "cloth", "papyrus")
CARD_IDS: dict[str, int] = {}
"""Cards looked up before; ids are the same whatever the settings."""


@dataclass
class City:
    """A city as it lies on the table; a card of two ages may be named with its age, such as "Loom 2"."""

    wonder: str = "Gizah A"
    cards: Sequence[str] = ()
    stages: int = 0
    coins: int = 3
    tokens: Sequence[int] = ()
    hand: Sequence[str] = field(default_factory=list)


# ---- Laying out ----


def card_id(catalog: Catalog, name: str) -> int:
    """Card of a name, of the earliest age unless the name ends in one."""
    if name not in CARD_IDS:
        named = (name[:-2], int(name[-1])) if name[-1].isdigit() else (name, min(ages_of(catalog, name)))
        CARD_IDS[name] = catalog.card_id(*named)
    return CARD_IDS[name]


def ages_of(catalog: Catalog, name: str) -> list[int]:
    return [card.age for card in catalog.cards if card.name == name]


def card_of(catalog: Catalog, name: str) -> Card:
    return catalog.cards[card_id(catalog, name)]


def load_position(
    catalog: Catalog, t: Any, cities: Sequence[City], *, age: int = 1, turn: int = 2, players: int | None = None
) -> Any:
    """Games of length 1 whose record has these cities, as a turn begins."""
    games = new_games(1)
    g: Any = games[0]
    start_streams(g, 0, 0, 0)
    clear_table(g, len(cities) if players is None else players)
    g.age, g.turn = age, turn
    for number, city in enumerate(cities):
        g.faction[number] = catalog.faction_names.index(city.wonder)
        found_city(g, t, number)
        for name in city.cards:
            place_card(g, t, number, card_id(catalog, name))
        for _ in range(city.stages):
            place_stage(g, t, number, NO_CARD)
        g.coins[number] = city.coins
        g.conflict_points[number] = sum(city.tokens)
        g.defeats[number] = sum(token < 0 for token in city.tokens)
        g.free_builds_left[number] = g.free_builds[number]
        g.discard_builds_due[number] = 0
        g.last_card_from_turn[number] = -1
        for place, name in enumerate(city.hand):
            g.hand[number, place] = card_id(catalog, name)
        g.hand_size[number] = len(city.hand)
        g.placed_card[number], g.placed_stage[number] = NO_CARD, 0
    begin_turn(g)
    return games


def stages_of(catalog: Catalog, city: City) -> list[Stage]:
    """Stages a city has built."""
    return catalog.wonders[catalog.faction_names.index(city.wonder)].stage[: city.stages]


def effects_of(catalog: Catalog, city: City) -> list[Any]:
    """Effects of all cards and stages of a city."""
    cards = [effect for name in city.cards for effect in card_of(catalog, name).effects]
    return cards + [effect for stage in stages_of(catalog, city) for effect in stage.effects]


# ---- Goods and trade ----


def own_sources(catalog: Catalog, city: City) -> list[tuple[str, ...]]:
    """What a city makes each turn: one entry for each good it gets, with the goods to choose from."""
    board = catalog.wonders[catalog.faction_names.index(city.wonder)].resource
    produce = [effect for effect in effects_of(catalog, city) if isinstance(effect, Produce)]
    return [(board,)] + [tuple(effect.produce) for effect in produce for _ in range(effect.amount)]


def sold_sources(catalog: Catalog, city: City, each_good: bool = False) -> list[tuple[str, ...]]:
    """What a neighbour can buy in a turn: the board's good and brown and grey cards."""
    board = catalog.wonders[catalog.faction_names.index(city.wonder)].resource
    sources = [(board,)]
    for card in (card_of(catalog, name) for name in city.cards):
        if card.colour in ("brown", "grey"):
            for effect in card.effects:
                assert isinstance(effect, Produce)
                sources += [tuple(effect.produce)] * effect.amount
    return [(good,) for source in sources for good in source] if each_good else sources


def price_of(catalog: Catalog, city: City, good: str, side: str, add_up: bool = False) -> int:
    """Coins for one good from one side: 2, or 1 with a trading post, the Marketplace or Olympia's stage."""
    goods = "raw" if good in RAW else "manufactured"
    discounts = [
        effect
        for effect in effects_of(catalog, city)
        if isinstance(effect, Discount) and goods in effect.discount and side in effect.sides
    ]
    return max(2 - len(discounts), 0) if add_up else 1 if discounts else 2


def splits(
    units: Sequence[str],
    own: Sequence[tuple[str, ...]],
    left: Sequence[tuple[str, ...]],
    right: Sequence[tuple[str, ...]],
    prices: Mapping[tuple[str, str], int],
) -> set[tuple[int, int]]:
    """Coins to the left and right neighbour in every way to get each unit from a source that is not used yet.

    `prices` are those of a good from a side; the result is empty if the goods cannot be had. Sources that are
    alike are tried once.
    """
    sources = Counter([*(("own", goods) for goods in own), *(("left", goods) for goods in left)])
    sources += Counter(("right", goods) for goods in right)
    kinds = list(sources)
    reached = {(tuple(sources[kind] for kind in kinds), 0, 0)}
    for good in units:
        further = set()
        for unused, to_left, to_right in reached:
            for number, (side, goods) in enumerate(kinds):
                if unused[number] > 0 and good in goods:
                    more_left = prices[good, "left"] if side == "left" else 0
                    more_right = prices[good, "right"] if side == "right" else 0
                    still = (*unused[:number], unused[number] - 1, *unused[number + 1 :])
                    further.add((still, to_left + more_left, to_right + more_right))
        reached = further
    return {(to_left, to_right) for _, to_left, to_right in reached}


def unbeaten(payments: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Payments that no other beats: no other gives nobody more and somebody less."""
    return {
        one
        for one in payments
        if not any(other != one and other[0] <= one[0] and other[1] <= one[1] for other in payments)
    }


def all_payments(
    catalog: Catalog, cities: Sequence[City], city: int, cost: Any, *, each_good: bool = False, add_up: bool = False
) -> set[tuple[int, int]]:
    """Coins to the left and right neighbour in every way to get the goods of a cost."""
    left, right = cities[city - 1], cities[(city + 1) % len(cities)]
    prices = {
        (good, side): price_of(catalog, cities[city], good, side, add_up)
        for good in (*RAW, *MANUFACTURED)
        for side in ("left", "right")
    }
    reached = {(0, 0)}
    for goods in (RAW, MANUFACTURED):
        units = [good for good in goods for _ in range(getattr(cost, good))]
        more = splits(
            units,
            [source for source in own_sources(catalog, cities[city]) if source[0] in goods],
            [source for source in sold_sources(catalog, left, each_good) if source[0] in goods],
            [source for source in sold_sources(catalog, right, each_good) if source[0] in goods],
            prices,
        )
        reached = {(one[0] + two[0], one[1] + two[1]) for one in reached for two in more}
    return reached


def unmet(units: Sequence[str], sources: Sequence[tuple[str, ...]]) -> int:
    """Units that stay unmet when the sources are used as well as they can be (tries every assignment)."""
    reached = {(frozenset[int](), 0)}
    for good in units:
        further = {(used, missing + 1) for used, missing in reached}
        for used, missing in reached:
            for number, goods in enumerate(sources):
                if number not in used and good in goods:
                    further.add((used | {number}, missing))
        reached = further
    return min(missing for _, missing in reached)


# ---- Scoring ----


def science(symbols: Sequence[str], choices: int) -> int:
    """Points of symbols, those of choice as any of the three: the best of all ways."""
    best = 0
    for chosen in itertools.product(("tablet", "gear", "compass"), repeat=choices):
        shown = [*symbols, *chosen]
        counts = [shown.count(symbol) for symbol in ("tablet", "gear", "compass")]
        best = max(best, sum(count**2 for count in counts) + 7 * min(counts))
    return best


def coloured(catalog: Catalog, city: City, *colours: str) -> int:
    """Cards of some colours in a city."""
    return sum(card_of(catalog, name).colour in colours for name in city.cards)


def guild_points(catalog: Catalog, guild: str, own: City, left: City, right: City) -> int:
    """Points of a guild card as the rulebook tells them; the Scientists' symbol counts with science."""
    both = (left, right)
    match guild:
        case "Workers Guild":
            return sum(coloured(catalog, city, "brown") for city in both)
        case "Craftsmens Guild":
            return sum(2 * coloured(catalog, city, "grey") for city in both)
        case "Traders Guild":
            return sum(coloured(catalog, city, "yellow") for city in both)
        case "Philosophers Guild":
            return sum(coloured(catalog, city, "green") for city in both)
        case "Spies Guild":
            return sum(coloured(catalog, city, "red") for city in both)
        case "Magistrates Guild":
            return sum(coloured(catalog, city, "blue") for city in both)
        case "Strategists Guild":
            return sum(token == -1 for city in both for token in city.tokens)
        case "Builders Guild":
            return left.stages + own.stages + right.stages
        case "Shipowners Guild":
            return coloured(catalog, own, "brown", "grey", "purple")
        case "Scientists Guild":
            return 0
    raise ValueError(guild)


def symbols_of(catalog: Catalog, city: City) -> tuple[list[str], int]:
    """Symbols of a city, and how many are to be chosen."""
    shown = [effect.science for effect in effects_of(catalog, city) if isinstance(effect, Science)]
    return [symbol for symbol in shown if symbol != "choice"], shown.count("choice")


def yellow_points(catalog: Catalog, city: City) -> int:
    """Points of the yellow cards of Age III."""
    points = {
        "Haven": coloured(catalog, city, "brown"),
        "Lighthouse": coloured(catalog, city, "yellow"),
        "Chamber of Commerce": 2 * coloured(catalog, city, "grey"),
        "Arena": city.stages,
    }
    return sum(points.get(name, 0) for name in city.cards)


def printed_points(effects: Sequence[Any]) -> int:
    return sum(effect.vp for effect in effects if isinstance(effect, VictoryPoints))


def copied_points(catalog: Catalog, own: City, left: City, right: City) -> int:
    """Points of the best guild of a neighbour as if it stood in the own city (Olympia B), a purple card more."""
    symbols, choices = symbols_of(catalog, own)
    best = 0
    for guild in (name for city in (left, right) for name in city.cards if name.endswith("Guild")):
        points = guild_points(catalog, guild, own, left, right)
        if guild == "Shipowners Guild":
            points += 1
        if guild == "Scientists Guild":
            points = science(symbols, choices + 1) - science(symbols, choices)
        if "Shipowners Guild" in own.cards:
            points += 1
        best = max(best, points)
    return best


def score(catalog: Catalog, cities: Sequence[City], city: int) -> list[int]:
    """Score of a city by part, in the rulebook's order, and the total."""
    own, left, right = cities[city], cities[city - 1], cities[(city + 1) % len(cities)]
    wonder = printed_points([effect for stage in stages_of(catalog, own) for effect in stage.effects])
    if own.wonder == "Olympia B" and own.stages == 3:
        wonder += copied_points(catalog, own, left, right)
    blue = [effect for name in own.cards for effect in card_of(catalog, name).effects if coloured_blue(catalog, name)]
    guilds = [name for name in own.cards if name.endswith("Guild")]
    parts = [
        sum(own.tokens),
        own.coins // 3,
        wonder,
        printed_points(blue),
        science(*symbols_of(catalog, own)),
        yellow_points(catalog, own),
        sum(guild_points(catalog, guild, own, left, right) for guild in guilds),
    ]
    return [*parts, sum(parts)]


def coloured_blue(catalog: Catalog, name: str) -> bool:
    return card_of(catalog, name).colour == "blue"


def shields(catalog: Catalog, city: City) -> int:
    return sum(effect.shields for effect in effects_of(catalog, city) if isinstance(effect, Shields))


def conflict_tokens(strengths: Sequence[int], age: int) -> list[list[int]]:
    """Tokens of each city after the conflicts of an age, those with the left neighbour first; 0 is none."""
    victory = {1: 1, 2: 3, 3: 5}[age]

    def token(mine: int, theirs: int) -> int:
        return victory if mine > theirs else -1 if mine < theirs else 0

    return [
        [token(mine, strengths[city - 1]), token(mine, strengths[(city + 1) % len(strengths)])]
        for city, mine in enumerate(strengths)
    ]


def ranks(totals: Sequence[int], coins: Sequence[int]) -> list[int]:
    """Rank of each seat: points, then coins, then shared."""
    order = sorted(zip(totals, coins, strict=True), reverse=True)
    return [order.index(pair) + 1 for pair in zip(totals, coins, strict=True)]
