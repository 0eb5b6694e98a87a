"""Victory points, conflicts and ranks: the kernels against the rulebook's examples and a naive count (`naive.py`)."""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sim.games.seven_wonders.rules import scoring
from sim.games.seven_wonders.rules.conflicts import resolve_conflicts
from sim.games.seven_wonders.rules.constants import NO_CARD
from sim.games.seven_wonders.rules.setup import clear_table
from sim.games.seven_wonders.rules.state import new_games
from tests.games.seven_wonders import naive
from tests.games.seven_wonders.naive import City
from tests.games.seven_wonders.playing import CATALOG, T, tables

GUILDS = [card.name for card in CATALOG.cards if card.guild]
NAMES = sorted(set(CATALOG.names) - set(GUILDS))


def scores(*cities: City, t: Any = T) -> Any:
    """Scores of the cities by part, shape (cities, 8)."""
    g = naive.load_position(CATALOG, t, cities, age=3)[0]
    for city in range(len(cities)):
        scoring.score_city(g, t, city)
    return g.score[: len(cities)]


def random_cities(random: np.random.Generator, count: int) -> list[City]:
    """Cities with any cards, stages, coins and tokens; each guild stands in one city at most."""
    wonders = random.choice(7, count, replace=False)
    owners = random.integers(0, 2 * count, len(GUILDS))
    cities = []
    for number, wonder in enumerate(wonders):
        name = f"{CATALOG.wonder_names[wonder]} {random.choice(['A', 'B'])}"
        cards = random.choice(NAMES, random.integers(0, 16), replace=False).tolist()
        cards += [guild for guild, owner in zip(GUILDS, owners, strict=True) if owner == number]
        stages = len(CATALOG.wonders[CATALOG.faction_names.index(name)].stage)
        tokens = random.choice([-1, 1, 3, 5], random.integers(0, 7)).tolist()
        coins = int(random.integers(0, 30))
        cities.append(City(name, cards, int(random.integers(0, stages + 1)), coins, tokens))
    return cities


def test_scores_of_random_cities_are_those_of_a_naive_count(scaled: Callable[..., int]) -> None:
    random = np.random.default_rng(0)
    for _ in range(scaled(120, 100, full_count=2400)):
        cities = random_cities(random, int(random.integers(3, 8)))
        for city, found in enumerate(scores(*cities).tolist()):
            expected = naive.score(CATALOG, cities, city)
            assert found == expected, (cities[city], scoring.SCORE_PARTS)


# ---- Science ----


def test_symbols_of_choice_are_used_in_the_best_of_all_ways() -> None:
    for tablets, gears, compasses, choices in itertools.product(range(5), range(5), range(5), range(4)):
        shown = ["tablet"] * tablets + ["gear"] * gears + ["compass"] * compasses
        assert scoring.science_points(T, tablets, gears, compasses, choices) == naive.science(shown, choices)


@pytest.mark.parametrize(
    ("symbols", "points"),
    # 9 + 4 + 1, and one set; 9 + 4 + 4, and two sets; squares alone
    [((3, 2, 1), 21), ((3, 2, 2), 31), ((4, 0, 0), 16), ((5, 0, 0), 25), ((6, 0, 0), 36), ((0, 0, 0), 0)],
)
def test_symbols_score_their_squares_and_seven_for_each_set(symbols: tuple[int, int, int], points: int) -> None:
    assert scoring.science_points(T, *symbols, 0) == points


def test_symbols_of_cards_babylon_and_the_scientists_count_together() -> None:
    city = City("Babylon A", ["Apothecary", "Workshop", "Scientists Guild"], stages=2)
    found = scores(city, City("Gizah A"), City("Rhodos A"))[0]
    # compass, gear and two of choice: one tablet makes a set, the other any square
    assert found[scoring.SCIENCE] == 4 + 1 + 1 + 7
    assert found[scoring.GUILD] == 0


# ---- Treasury ----


@pytest.mark.parametrize(("coins", "points"), [(0, 0), (2, 0), (3, 1), (14, 4), (15, 5)])
def test_three_coins_are_one_point_and_the_rest_is_worth_nothing(coins: int, points: int) -> None:
    assert scores(City(coins=coins), City("Rhodos A"), City("Babylon A"))[0, scoring.TREASURY] == points


# ---- Wonders ----


STAGES = {
    "Gizah A": [3, 8, 15], "Gizah B": [3, 8, 13, 20], "Rhodos A": [3, 3, 10], "Rhodos B": [3, 7],
    "Ephesos A": [3, 3, 10], "Ephesos B": [2, 5, 10], "Babylon A": [3, 3, 10], "Babylon B": [3, 3, 3],
    "Alexandria A": [3, 3, 10], "Alexandria B": [0, 0, 7], "Olympia A": [3, 3, 10], "Olympia B": [0, 5, 5],
    "Halikarnassos A": [3, 3, 10], "Halikarnassos B": [2, 3, 3],
}  # fmt: skip
"""Points of a wonder with one, two or all stages."""


@pytest.mark.parametrize("wonder", STAGES)
def test_stages_score_what_the_board_prints(wonder: str) -> None:
    others = [name for name in ("Gizah A", "Rhodos A", "Babylon A") if name[:-2] != wonder[:-2]]
    for stages, expected in enumerate(STAGES[wonder], start=1):
        assert scores(City(wonder, stages=stages), City(others[0]), City(others[1]))[0, scoring.WONDER] == expected


# ---- Guilds ----

LEFT = City("Babylon A", ["Lumber Yard", "Loom", "Baths", "Apothecary", "Tavern", "Barracks"], 2, tokens=[-1, 3])
RIGHT = City("Rhodos A", ["Sawmill", "Mine", "Press", "Altar", "Library", "Workshop", "Forum"], 1, tokens=[-1, -1])


OF_GUILDS = {
    "Workers Guild": 1 + 2, "Craftsmens Guild": 2 * (1 + 1), "Traders Guild": 1 + 1, "Philosophers Guild": 1 + 2,
    "Spies Guild": 1 + 0, "Magistrates Guild": 1 + 1, "Strategists Guild": 1 + 2, "Builders Guild": 2 + 3 + 1,
    "Shipowners Guild": 2 + 1 + 1,  # two brown, one grey, itself
    "Scientists Guild": 0,
}  # fmt: skip


@pytest.mark.parametrize("guild", GUILDS)
def test_each_guild_counts_what_its_card_says(guild: str) -> None:
    own = City("Gizah A", ["Stone Pit", "Ore Vein", "Glassworks", guild], stages=3)
    found = scores(own, RIGHT, LEFT)[0, scoring.GUILD]
    assert found == OF_GUILDS[guild] == naive.guild_points(CATALOG, guild, own, LEFT, RIGHT)


COUNTS_THE_OWN_CITY = ("Builders Guild", "Shipowners Guild", "Scientists Guild")


@pytest.mark.parametrize("guild", [guild for guild in GUILDS if guild not in COUNTS_THE_OWN_CITY])
def test_a_guild_of_the_neighbours_never_counts_the_own_city(guild: str) -> None:
    own = City("Gizah A", ["Stone Pit", "Loom", "Baths", "Apothecary", "Tavern", "Barracks", guild], tokens=[-1])
    assert scores(own, City("Rhodos A"), City("Babylon A"))[0, scoring.GUILD] == 0


# ---- The copied guild (Olympia B) ----


def test_olympia_b_copies_the_best_guild_of_a_neighbour_and_the_owner_keeps_his_points() -> None:
    left = City("Babylon A", ["Workers Guild"], 0)
    right = City("Rhodos A", ["Spies Guild", "Sawmill", "Stockade", "Walls", "Circus"], 0)
    found = scores(City("Olympia B", ["Barracks"], stages=3), right, left)
    # Workers would bring one brown card on the right, Spies bring its three red cards.
    assert found[0, scoring.WONDER] == 5 + 3
    assert found[1, scoring.GUILD] == 1
    assert found[2, scoring.GUILD] == 1


def test_olympia_b_copies_nothing_where_the_neighbours_have_no_guild() -> None:
    far = City("Gizah A", ["Builders Guild"])
    cities = [City("Olympia B", ["Workers Guild"], stages=3), City("Rhodos A"), far, City("Babylon A")]
    assert scoring.guild_to_copy(naive.load_position(CATALOG, T, cities, age=3)[0], T, 0) == NO_CARD
    assert scores(*cities)[0, scoring.WONDER] == 5


@pytest.mark.parametrize(
    ("own", "neighbours", "setting", "on", "off"),
    [
        # A copied Scientists Guild gives a symbol.
        (["Apothecary", "Workshop"], ["Scientists Guild"], "copied_scientists_gives_symbol", 1 + 7, 0),
        # A copied Shipowners Guild counts itself.
        (["Loom", "Stone Pit"], ["Shipowners Guild"], "copied_guild_counts_itself", 3, 2),
        # A copied guild is one more purple card for the own Shipowners Guild: one red card, and the copy itself.
        (["Shipowners Guild", "Loom"], ["Spies Guild", "Stockade"], "copied_guild_counts_itself", 1 + 1, 1),
    ],
)
def test_settings_of_a_copied_guild(own: list[str], neighbours: list[str], setting: str, on: int, off: int) -> None:
    for value, points in ((True, on), (False, off)):
        cities = [City("Olympia B", own, stages=3), City("Rhodos A", neighbours), City("Babylon A")]
        assert scores(*cities, t=tables(**{setting: value}))[0, scoring.WONDER] == 5 + points


# ---- Conflicts ----


def fight(strengths: list[int], age: int) -> Any:
    g: Any = new_games(1)[0]
    clear_table(g, len(strengths))
    g.age = age
    g.shields[: len(strengths)] = strengths
    resolve_conflicts(g, T)
    return g


def test_alexandria_loses_to_rhodos_and_wins_against_ephesos() -> None:
    # Alexandria 3 shields, left Rhodes 5, right Ephesus 2, Age II
    g = fight([3, 2, 5], 2)
    assert g.tokens[0, 1].tolist() == [-1, 3]
    assert g.conflict_points[0] == 2
    assert g.defeats[0] == 1


@pytest.mark.parametrize("age", [1, 2, 3])
def test_conflict_tokens_of_random_tables_are_those_of_a_naive_comparison(age: int) -> None:
    random = np.random.default_rng(age)
    for players in [3, 4, 5, 6, 7] * 6:
        strengths = random.integers(0, 5, players).tolist()
        g = fight(strengths, age)
        expected = naive.conflict_tokens(strengths, age)
        assert g.tokens[:players, age - 1].tolist() == expected
        assert g.conflict_points[:players].tolist() == [sum(tokens) for tokens in expected]
        assert g.defeats[:players].tolist() == [tokens.count(-1) for tokens in expected]


@pytest.mark.parametrize(("tokens", "points"), [([1, 3, 5, -1, -1, -1], 6), ([-1] * 6, -6)])
def test_tokens_sum_up_and_military_points_can_be_negative(tokens: list[int], points: int) -> None:
    found = scores(City(tokens=tokens, coins=0), City("Rhodos A"), City("Babylon A"))[0]
    assert (found[scoring.MILITARY], found[scoring.TOTAL]) == (points, points)


# ---- Ranks ----


def ranked(points: list[int], coins: list[int]) -> list[int]:
    g: Any = new_games(1)[0]
    g.players = len(points)
    g.score[: len(points), scoring.TOTAL] = points
    g.coins[: len(points)] = coins
    scoring.rank_by_points(g)
    return g.rank[: len(points)].tolist()


@pytest.mark.parametrize(
    ("points", "coins", "ranks"),
    [
        ([50, 40, 60], [0, 9, 0], [2, 3, 1]),  # most points win, whatever the coins
        ([50, 50, 40], [3, 4, 9], [2, 1, 3]),  # a tie goes to who has more coins
        ([50, 50, 40], [4, 4, 9], [1, 1, 3]),  # still tied: both win, nobody is second
        ([50, 50, 50], [4, 4, 4], [1, 1, 1]),
        ([60, 50, 50, 50], [0, 2, 2, 1], [1, 2, 2, 4]),
        ([-3, -6], [0, 0], [1, 2]),
    ],
)
def test_points_rank_then_coins_then_the_rank_is_shared(points: list[int], coins: list[int], ranks: list[int]) -> None:
    assert ranked(points, coins) == ranks == naive.ranks(points, coins)


def test_coins_break_a_tie_although_they_already_were_worth_points() -> None:
    # Babylon: 2 points of the Altar and 5 coins. Rhodos: 3 stage points and 0 coins.
    g = naive.load_position(
        CATALOG, T, [City("Babylon A", ["Altar"], coins=5), City("Rhodos A", stages=1, coins=0), City(coins=0)], age=3
    )[0]
    scoring.score_game(g, T)
    assert g.score[:3, scoring.TOTAL].tolist() == [3, 3, 0]
    assert g.rank[:3].tolist() == [1, 2, 3]
