"""What must hold after every turn of random games, found by adding up what lies on the table.

That no card is made or lost, ranks and sums of points are among the laws of all games (`tests/kit/test_kit_laws.py`).
"""

from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import Any

import numpy as np
import pytest

from sim.compiler.kernel import kernel
from sim.games.seven_wonders.data.language import Discount, Produce, Science, Shields, VictoryPoints
from sim.games.seven_wonders.game import GAME
from sim.games.seven_wonders.rules import constants
from sim.games.seven_wonders.rules.log import ACTION, BANK, CARD, CITY, INCOME, KIND, TO_LEFT, TO_RIGHT
from sim.games.seven_wonders.rules.state import new_games
from sim.games.seven_wonders.rules.tables import MAX_CARDS
from sim.players.batch import Plan, plan_record
from sim.players.compile_players import players_of
from tests.games.seven_wonders.playing import CATALOG, play_turn
from tests.kit.plans import plan_for

start_game = GAME.kernels.start_game
AGE_OF = np.array([card.age for card in CATALOG.cards])
SWEEP = pytest.mark.sweep


@kernel
def start_all(games: Any, t: Any, plan: Any, first: int) -> None:
    for number in range(len(games)):
        start_game(games[number], t, plan, first + number)


compiled_turn = kernel(play_turn)


@kernel
def play_turn_of_all(games: Any, t: Any, players: Any) -> None:
    for number in range(len(games)):
        compiled_turn(games[number], t, players)


# ---- What every card and stage adds to its city ----

WIDTHS = {
    "colours": 7, "points": 8, "shields": 1, "symbols": 3, "choices": 1, "own_raw": 16, "own_manufactured": 8,
    "sold_raw": 16, "sold_manufactured": 8, "cheaper": 4,
}  # fmt: skip
ENDS = dict(zip(WIDTHS, accumulate(WIDTHS.values()), strict=True))
SLICES = {part: slice(ENDS[part] - width, ENDS[part]) for part, width in WIDTHS.items()}
WIDTH = sum(WIDTHS.values())


def subset_lanes(goods: list[str], raw: bool) -> np.ndarray:
    """1 for every set of goods of a class that has one of these."""
    names = constants.RAW_GOODS if raw else constants.RESOURCES[len(constants.RAW_GOODS) :]
    own = sum(1 << names.index(good) for good in goods if good in names)
    return np.array([int(subset & own > 0) for subset in range(1 << len(names))])


def vector_of(effects: list[Any], points_of: int) -> np.ndarray:
    """What effects add to a city, as one row of numbers in the order of `SLICES`."""
    row = np.zeros(WIDTH, np.int64)
    for effect in effects:
        match effect:
            case VictoryPoints():
                row[SLICES["points"]][points_of] += effect.vp
            case Shields():
                row[SLICES["shields"]] += effect.shields
            case Science():
                if effect.science == "choice":
                    row[SLICES["choices"]] += 1
                else:
                    row[SLICES["symbols"]][constants.SYMBOLS.index(effect.science)] += 1
            case Produce():
                for made in ("own", "sold") if effect.sellable else ("own",):
                    row[SLICES[f"{made}_raw"]] += effect.amount * subset_lanes(effect.produce, True)
                    row[SLICES[f"{made}_manufactured"]] += effect.amount * subset_lanes(effect.produce, False)
            case Discount():
                for side in effect.sides:
                    for goods in effect.discount:
                        place = 2 * ("left", "right").index(side) + ("raw", "manufactured").index(goods)
                        row[SLICES["cheaper"]][place] += 1
    return row


def card_vectors() -> np.ndarray:
    rows = np.zeros((MAX_CARDS, WIDTH), np.int64)
    for number, card in enumerate(CATALOG.cards):
        colour = constants.COLOURS.index(card.colour)
        rows[number] = vector_of(card.effects, colour)
        rows[number, SLICES["colours"]][colour] += 1
    return rows


def board_vectors() -> np.ndarray:
    """Board and stages by faction and number of stages built."""
    rows = np.zeros((len(CATALOG.wonders), 5, WIDTH), np.int64)
    for number, wonder in enumerate(CATALOG.wonders):
        row = vector_of([Produce(produce=[wonder.resource])], 7)
        for built in range(len(wonder.stage) + 1):
            rows[number, built] = row
            if built < len(wonder.stage):
                row = row + vector_of(wonder.stage[built].effects, 7)
    return rows


OF_CARDS = card_vectors()
OF_BOARDS = board_vectors()
NAME_OF = np.zeros((MAX_CARDS, MAX_CARDS), np.int64)
NAME_OF[range(len(CATALOG.cards)), [CATALOG.names.index(card.name) for card in CATALOG.cards]] = 1


def packed(lanes: np.ndarray) -> np.ndarray:
    """Lanes of at most 7 packed into 64 bits, the last axis being the lanes."""
    shifts = np.arange(lanes.shape[-1], dtype=np.uint64) * np.uint64(4)
    return (np.minimum(lanes, 7).astype(np.uint64) << shifts).sum(axis=-1, dtype=np.uint64)


# ---- Adding up ----


def count_cards(cards: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Copies of every card in the first `sizes` places of rows, shape (*rows, cards)."""
    rows = sizes.size
    flat = cards.reshape(rows, -1)
    there = np.arange(flat.shape[1]) < sizes.reshape(rows, 1)
    place = (np.arange(rows)[:, None] * MAX_CARDS + flat)[there]
    return np.bincount(place, minlength=rows * MAX_CARDS).reshape(*sizes.shape, MAX_CARDS)


def check_hands(games: np.ndarray) -> None:
    """All hands are of one size; who plays for the Free City holds one card more."""
    players = int(games["players"][0])
    sizes = games["hand_size"][:, :players].copy()
    playing = games["finished"] == 0
    if players == 2:
        sizes[playing, games["holder"][playing]] -= 1
    assert (sizes[playing] == (8 - games["turn"][playing])[:, None]).all()
    assert not games["hand_size"][~playing].any()


def check_cities(games: np.ndarray) -> None:
    """What the record keeps of a city is what its cards, board and stages add up to."""
    cities = int(games["cities"][0])
    cards = count_cards(games["city_cards"], games["city_size"])[:, :cities]
    names = cards @ NAME_OF
    assert names.max() <= 1, "a name twice in one city"
    assert (games["owns"][:, :cities] == names).all()
    sums = cards @ OF_CARDS + OF_BOARDS[games["faction"][:, :cities], games["stages_built"][:, :cities]]
    for kept, part in (("colour_count", "colours"), ("points", "points"), ("symbols", "symbols")):
        assert (games[kept][:, :cities] == sums[..., SLICES[part]]).all(), part
    for kept, part in (("shields", "shields"), ("symbol_choices", "choices")):
        assert (games[kept][:, :cities, None] == sums[..., SLICES[part]]).all(), part
    for supply in ("own_raw", "own_manufactured", "sold_raw", "sold_manufactured"):
        assert (games[supply][:, :cities] == packed(sums[..., SLICES[supply]])).all(), supply
    prices = np.where(sums[..., SLICES["cheaper"]] > 0, 1, 2)
    assert (games["price"][:, :cities].reshape(prices.shape) == prices).all()


def check_coins(games: np.ndarray) -> None:
    """Nobody owes coins, and nothing is on its way between turns."""
    assert games["coins"].min() >= 0
    assert not games["income"].any()
    assert (games["choice_card"] == constants.NO_CARD).all()
    assert not games["discard_builds_due"].any()


def check_tokens(games: np.ndarray) -> None:
    """Whoever wins a conflict has a neighbour who loses it, and shields at the end of the age decide."""
    cities = int(games["cities"][0])
    tokens = games["tokens"][:, :cities]
    assert (games["conflict_points"][:, :cities] == tokens.sum(axis=(2, 3))).all()
    assert (games["defeats"][:, :cities] == (tokens == -1).sum(axis=(2, 3))).all()
    fought = int(games["age"][0]) - 1 + int(games["finished"][0])
    assert not tokens[:, :, fought:].any()
    for age in range(fought):
        with_right, of_right = tokens[:, :, age, 1], np.roll(tokens[:, :, age, 0], -1, axis=1)
        victory = (1, 3, 5)[age]
        assert np.isin(with_right, (victory, -1, 0)).all()
        assert (of_right == np.where(with_right == victory, -1, np.where(with_right == -1, victory, 0))).all()
    if fought and (games["finished"][0] or games["turn"][0] == 1):
        lead = np.sign(games["shields"][:, :cities] - np.roll(games["shields"][:, :cities], -1, axis=1))
        victory = (1, 3, 5)[fought - 1]
        assert (tokens[:, :, fought - 1, 1] == np.where(lead > 0, victory, lead)).all()


# ---- The games ----


def turns_of(plan: Plan, first: int, count: int, keeps_log: bool = False) -> Iterator[np.ndarray]:
    """Play games turn by turn; yield all records before the first turn and after each."""
    t, players = plan.data.tables, players_of(plan)
    games = new_games(count)
    games["log"]["keeps_rows"] = keeps_log
    start_all(games, t, plan_record(plan), first)
    yield games
    for _ in range(18):
        play_turn_of_all(games, t, players)
        yield games


@pytest.mark.parametrize("players", [2, 3, pytest.param(4, marks=SWEEP), 5, pytest.param(6, marks=SWEEP), 7])
def test_the_laws_of_the_table_hold_after_every_turn_of_random_games(players: int, scaled: Callable[..., int]) -> None:
    plan = plan_for("seven_wonders", players=players, seed=players)
    sides = set()
    whole, stretch = scaled(40, 6, full_count=1680), scaled(40, 6)
    for first in range(0, whole, stretch):
        for turn, games in enumerate(turns_of(plan, first, stretch)):
            if turn == 0:
                assert (games["deck_size"].sum(axis=1) == 3 * 7 * max(players, 3)).all()
                sides |= set(games["faction"][:, : max(players, 3)].ravel().tolist())
                for wonders in games["faction"][:, : max(players, 3)] // 2:
                    assert len(set(wonders.tolist())) == max(players, 3), "a wonder twice at one table"
            assert (games["rounds"] == turn).all()
            check_hands(games)
            check_cities(games)
            check_coins(games)
            check_tokens(games)
    assert len(sides) == 14 or whole < 20


@pytest.mark.parametrize("players", [3, 5, 7])
def test_the_decks_hold_the_cards_printed_for_the_players_and_some_of_the_guilds(players: int) -> None:
    games = next(turns_of(plan_for("seven_wonders", players=players), 0, 60))
    decks = count_cards(games["deck"], games["deck_size"])
    guilds = np.array([card.guild for card in CATALOG.cards])
    printed = np.array([sum(mark <= players for mark in card.copies) for card in CATALOG.cards])
    for age in (1, 2, 3):
        plain = (age == AGE_OF) & ~guilds
        assert (decks[:, age - 1, : len(plain)][:, plain] == printed[plain]).all()
        assert not decks[:, age - 1, : len(plain)][:, (age != AGE_OF)].any()
    drawn = decks[:, 2, : len(guilds)][:, guilds]
    assert drawn.max() == 1
    assert (drawn.sum(axis=1) == players + 2).all()
    assert drawn.any(axis=0).all(), "a guild that is never drawn"


def test_hands_go_to_the_left_in_ages_one_and_three_and_to_the_right_in_age_two() -> None:
    before = np.zeros(0)
    for games in turns_of(plan_for("seven_wonders", players=4), 0, 3):
        hands = count_cards(games["hand"], games["hand_size"])[:, :4]
        if not games["finished"][0] and games["turn"][0] > 1:
            # The left neighbour of seat s is seat s - 1; what seat s holds now, its giver has held.
            to_left = games["age"][0] != 2
            assert (hands <= np.roll(before, -1 if to_left else 1, axis=1)).all()
            assert not (hands <= np.roll(before, 1 if to_left else -1, axis=1)).all()
        before = hands


# ---- Coins ----


def coins_brought(g: Any, city: int, action: int, card: int) -> int:
    """Coins from the bank for an action, by the rulebook; counted when all cards of the turn lie on the table."""
    left, right = (city - 1) % g.cities, (city + 1) % g.cities

    def coloured(colour: str, *cities: int) -> int:
        lying = [CATALOG.cards[number] for one in cities for number in g.city_cards[one, : g.city_size[one]]]
        return sum(other.colour == colour for other in lying)

    if action == constants.DISCARD:
        return 3
    if action == constants.STAGE:
        wonder = CATALOG.faction_names[g.faction[city]]
        stages = {"Ephesos A": (0, 9, 0), "Ephesos B": (4, 4, 4), "Rhodos B": (3, 4)}
        return stages.get(wonder, (0, 0, 0, 0))[g.stages_built[city] - 1]
    match CATALOG.cards[card].name:
        case "Tavern":
            return 5
        case "Vineyard":
            return coloured("brown", left, city, right)
        case "Bazar":
            return 2 * coloured("grey", left, city, right)
        case "Haven":
            return coloured("brown", city)
        case "Chamber of Commerce":
            return 2 * coloured("grey", city)
        case "Lighthouse":
            return coloured("yellow", city)
        case "Arena":
            return 3 * int(g.stages_built[city])
    return 0


def price_printed(g: Any, city: int, action: int, card: int) -> int:
    """Coins for the bank that a card or stage prints."""
    if action == constants.BUILD:
        return CATALOG.cards[card].cost.coins
    if action == constants.STAGE:
        return CATALOG.wonders[g.faction[city]].stage[g.stages_built[city] - 1].cost.coins
    return 0


@pytest.mark.parametrize("players", [2, 3, 7])
def test_coins_come_from_the_bank_and_the_neighbours_and_go_there(players: int, scaled: Callable[..., int]) -> None:
    plan = plan_for("seven_wonders", players=players, seed=50 + players)
    before: np.ndarray = np.zeros(0)
    logged: np.ndarray = np.zeros(0)
    simple = 0
    count = scaled(40, 5, full_count=300)
    for turn, games in enumerate(turns_of(plan, 0, count, keeps_log=True)):
        if turn:
            for number, g in enumerate(games):
                rows = g.log.rows[logged[number] : g.log.row_count]
                simple += check_turn(g, rows[rows[:, KIND] != constants.LOG_CONFLICT], before[number])
        before, logged = games["coins"].copy(), games["log"]["row_count"].copy()
    assert simple > 10 * count


def check_turn(g: Any, rows: np.ndarray, before: np.ndarray) -> bool:
    """Check the coins of one turn of one game; tell whether nobody played an extra card, so that counts are sure."""
    cities = int(g.cities)
    paid = rows[:, BANK] + rows[:, TO_LEFT] + rows[:, TO_RIGHT]
    for city in range(cities):
        own = rows[:, CITY] == city
        assert g.coins[city] == before[city] + rows[own, INCOME].sum() - paid[own].sum()
    if not (rows[:, KIND] == constants.LOG_PLAY).all():
        return False
    assert rows[:, CITY].tolist() == list(range(cities))
    for city, row in enumerate(rows):
        assert paid[city] <= before[city], "coins of this turn were spent"
        if row[ACTION] in (constants.DISCARD, constants.FREE_BUILD):
            assert paid[city] == 0
        traded = rows[city - 1, TO_RIGHT] + rows[(city + 1) % cities, TO_LEFT]
        assert row[INCOME] == traded + coins_brought(g, city, row[ACTION], row[CARD])
        assert row[BANK] in (0, price_printed(g, city, row[ACTION], row[CARD]))
    return True
