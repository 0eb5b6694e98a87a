"""What 7 Wonders supplies to the tests of features: a slow count by the rows of the files."""

from __future__ import annotations

from collections import Counter
from typing import Any

from sim.game import Data
from sim.games.seven_wonders.rules.constants import MANUFACTURED_GOODS, RAW_GOODS, RESOURCES, SYMBOLS
from sim.games.seven_wonders.rules.scoring import SCORE_PARTS, TOTAL, science_points, score_game


def expected(data: Data, g: Any, t: Any, seat: int) -> dict[str, float]:
    """All features of a seat that are not zero, by name."""
    cards, wonder = data.catalog.cards, data.catalog.wonders[g.faction[seat]]
    built = [cards[card] for card in g.city_cards[seat, : g.city_size[seat]].tolist()]
    hand = g.hand[seat, : g.hand_size[seat]].tolist()
    coins, stages = int(g.coins[seat]), int(g.stages_built[seat])
    found: Counter[str] = Counter()
    found.update(f"{card.colour} cards" for card in built)
    found.update({f"built: {card.name}" for card in built})
    found.update(f"in hand: {data.pieces[card]}" for card in hand)
    payable = [card for card in hand if is_payable(cards[card], built, coins, g, seat)]
    found.update(f"payable in hand: {data.pieces[card]}" for card in payable)
    found[f"board: {data.factions[g.faction[seat]].name}, {stages} stages"] = 1
    found[f"turn {int(g.turn)}"] = 1
    found.update(neighbours(g, seat))
    found.update(points(g, t, seat))
    for place, good in enumerate(RESOURCES):
        found[f"makes {good}"] = most_of(good, g.own_raw[seat] if place < 4 else g.own_manufactured[seat])
        found[f"sells {good}"] = most_of(good, g.sold_raw[seat] if place < 4 else g.sold_manufactured[seat])
    found["coins"] = min(coins, 40)
    found["fewer coins than at the start"] = int(coins < data.catalog.constants.start_coins)
    found["shields"], found["defeats"] = int(g.shields[seat]), int(g.defeats[seat])
    found["points of conflicts"] = int(g.conflict_points[seat])
    found["stages built"], found["stages to build"] = stages, len(wonder.stage) - stages
    for side, name in enumerate(("left", "right")):
        for goods, kind in enumerate(("raw", "manufactured")):
            found[f"discount {name}, {kind}"] = data.catalog.constants.trade_price - int(g.price[seat, side, goods])
    found["free buildings left"], found["free buildings of an age"] = g.free_builds_left[seat], g.free_builds[seat]
    found["plays the last card"], found["copies a guild"] = g.plays_last_card[seat], int(g.copies_guild[seat] > 0)
    if stages < len(wonder.stage):
        found["goods missing for the next stage"] = missing(wonder.stage[stages].cost, g, seat)
    found["cards payable with own goods"] = len(payable)
    return {name: float(number) for name, number in found.items() if number != 0}


def neighbours(g: Any, seat: int) -> dict[str, int]:
    """How the shields of a city compare with those on both sides."""
    found: dict[str, int] = {}
    for name, step in (("left", -1), ("right", 1)):
        lead = int(g.shields[seat] - g.shields[(seat + step) % g.cities])
        found |= {f"stronger than the {name}": int(lead > 0), f"weaker than the {name}": int(lead < 0)}
        found[f"lead over the {name}"] = max(-3, min(3, lead))
    return found


def points(g: Any, t: Any, seat: int) -> dict[str, int]:
    """The points of a copy that is scored, and what one more symbol would bring."""
    copy = g.copy()
    score_game(copy, t)
    own, choices = [int(number) for number in g.symbols[seat]], int(g.symbol_choices[seat])
    now = science_points(t, own[0], own[1], own[2], choices)
    found = {f"points: {part}": int(copy.score[seat, place]) for place, part in enumerate(SCORE_PARTS[:TOTAL])}
    found["symbols of choice"] = choices
    for place, symbol in enumerate(SYMBOLS):
        more = [number + (place == other) for other, number in enumerate(own)]
        plural = {"compass": "compasses"}.get(symbol, f"{symbol}s")
        found |= {
            plural: own[place],
            f"points of one more {symbol}": science_points(t, more[0], more[1], more[2], choices) - now,
        }
    return found


def most_of(good: str, lanes: Any) -> int:
    """How many units of a good a packed supply can give: the lane of the set with this good alone."""
    goods = RAW_GOODS if good in RAW_GOODS else MANUFACTURED_GOODS
    return int(lanes) >> 4 * (1 << goods.index(good)) & 15


def missing(cost: Any, g: Any, seat: int) -> int:
    """Units of a cost that a city's own goods cannot give, by Hall's theorem: the largest gap of any set of goods."""
    total = 0
    for goods, lanes in ((RAW_GOODS, g.own_raw[seat]), (MANUFACTURED_GOODS, g.own_manufactured[seat])):
        units = cost.units(goods)
        gaps = [
            sum(count for place, count in enumerate(units) if subset >> place & 1) - (int(lanes) >> 4 * subset & 15)
            for subset in range(1 << len(goods))
        ]
        total += max(0, *gaps)
    return total


def is_payable(card: Any, built: list[Any], coins: int, g: Any, seat: int) -> bool:
    """Whether a city can build a card by itself: by a chain, or with its own goods and coins."""
    names = {each.name for each in built}
    if card.name in names:
        return False
    if names & set(card.chain_from):
        return True
    return bool(card.cost.coins <= coins and missing(card.cost, g, seat) == 0)
