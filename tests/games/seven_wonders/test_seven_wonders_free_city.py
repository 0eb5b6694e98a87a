"""Two players and the Free City (rules digest, 12).

The three cities form a ring: seat 0 is the Free City's right neighbour, seat 1 its left one.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from sim.engine.result_rows import RANK, SEAT
from sim.games.seven_wonders.rules.building import list_plays
from sim.games.seven_wonders.rules.conflicts import resolve_conflicts
from sim.games.seven_wonders.rules.constants import ACTIONS, BUILD, DISCARD, NO_CARD, STAGE
from sim.games.seven_wonders.rules.scoring import TOTAL, score_game
from sim.games.seven_wonders.rules.setup import FREE_CITY, first_holder
from sim.games.seven_wonders.rules.state import STATE, left_of, right_of
from sim.games.seven_wonders.rules.trade import list_payments
from sim.games.seven_wonders.rules.turns import end_actions, prepare_last_card
from sim.players.compile_players import players_of
from tests.games.seven_wonders import naive
from tests.games.seven_wonders.naive import City
from tests.games.seven_wonders.playing import CATALOG, T, play_turn, tables, team_of
from tests.kit.plans import plan_for, rows_of
from tests.kit.steps import started

PLAIN = ["Gizah A", "Rhodos A", "Ephesos A"]


def table(*cities: City, holder: int = 0, age: int = 1, t: Any = T) -> Any:
    """A position: seat 0, seat 1, the Free City."""
    g = naive.load_position(CATALOG, t, cities, age=age, players=2)[0]
    g.holder = holder
    return g


def plays(g: Any, t: Any = T, city: int = FREE_CITY) -> set[tuple[str, str, int]]:
    """What a city may do with the holder's hand: card, action, price."""
    count = list_plays(g, t, city, g.holder)
    return {
        (CATALOG.cards[g.option_card[o]].name, ACTIONS[g.option_action[o]], int(g.option_price[o]))
        for o in range(count)
    }


def dearest(g: Any, t: Any, me: int, decision: int, option: int, w: Any) -> float:
    """Take what costs most; of free things build rather than discard."""
    return float(10 * g.option_price[option] - g.option_action[option])


def names(cards: Any) -> list[str]:
    return [CATALOG.cards[card].name for card in cards]


def built(g: Any, city: int) -> list[str]:
    """Names of the cards of a city."""
    return names(g.city_cards[city, : g.city_size[city]])


def play_with(g: Any, action: int, card: str, left: int = 0, right: int = 0, t: Any = T) -> None:
    """Play a turn in which the Free City does something with a card and pays its neighbours."""
    g.choice_card[FREE_CITY], g.choice_action[FREE_CITY] = naive.card_id(CATALOG, card), action
    g.choice_left[FREE_CITY], g.choice_right[FREE_CITY] = left, right
    g.deck_size[0] = 3
    play_turn(g, t, team_of(dearest))


def last_of_age(g: Any, t: Any = T) -> None:
    """Play the end of turn six, with a Tavern left in the pile."""
    g.turn = 6
    g.deck[0, :2], g.deck_size[0], g.pile_next = naive.card_id(CATALOG, "Tavern"), 2, 1
    g.deck_size[1] = 21
    end_actions(g, t)
    play_turn(g, t, team_of(dearest))


def turns(**options: Any) -> Iterator[Any]:
    """A whole game of two random players, seen as each turn begins and at the end."""
    plan = plan_for("seven_wonders", players=2, seed=12, **options)
    g, team = started(plan, 0)[0], players_of(plan)
    while not g.finished:
        yield g
        play_turn(g, plan.data.tables, team)
    yield g


# ---- Set-up ----


def test_there_are_three_cities_in_a_ring_with_three_coins_each() -> None:
    g = next(turns())
    assert (g.players, g.cities) == (2, 3)
    assert g.coins[:3].tolist() == [3, 3, 3]
    assert len({faction // 2 for faction in g.faction[:3].tolist()}) == 3
    assert (left_of(g, FREE_CITY), right_of(g, FREE_CITY)) == (1, 0)
    assert (left_of(g, 0), right_of(g, 1)) == (FREE_CITY, FREE_CITY)


def test_the_cards_are_those_of_three_players() -> None:
    g = next(turns())
    printed = Counter(
        number for number, card in enumerate(CATALOG.cards) if card.age == 1 for mark in card.copies if mark <= 3
    )
    assert Counter(g.deck[0, : g.deck_size[0]].tolist()) == printed
    assert g.deck_size.tolist() == [21, 21, 21]
    assert sum(CATALOG.cards[card].guild for card in g.deck[2, :21]) == 5


def test_each_player_gets_seven_cards_seven_are_the_pile_and_the_holder_draws_its_top() -> None:
    g = next(turns())
    assert g.hand_size[:3].tolist() == [7, 8, 0]
    assert g.hand[1, 7] == g.deck[0, 14]
    assert g.deck_size[0] - g.pile_next == 6


# ---- The holder ----


@pytest.mark.parametrize(("setting", "by_age"), [("left", [1, 0, 1]), ("right", [0, 1, 0])])
def test_the_player_left_of_the_free_city_begins_ages_one_and_three_unless_the_setting_says_right(
    setting: str, by_age: list[int]
) -> None:
    t = tables(free_city_first_holder=setting)
    for age, holder in zip((1, 2, 3), by_age, strict=True):
        assert first_holder(t, age) == holder


def test_the_players_take_turns_in_playing_for_the_free_city_and_hands_change_sides() -> None:
    holders: list[int] = []
    before: list[Counter[int]] = []
    used = 0
    for g in turns(assign="fixed", factions=PLAIN):
        hands = [Counter(g.hand[seat, : g.hand_size[seat]].tolist()) for seat in (0, 1)]
        now_used = int(g.city_size[:3].sum() + g.stages_built[:3].sum() + g.discards_size)
        if not g.finished:
            holders.append(int(g.holder))
            # The holder holds one card more, and the pile one less every turn.
            held = 8 - int(g.turn)
            assert (hands[g.holder].total(), hands[1 - g.holder].total()) == (held + 1, held)
            assert g.deck_size[g.age - 1] - g.pile_next == 7 - g.turn
            if g.turn > 1:
                # Each hand is what the other side has left, and the card the new holder draws.
                drawn = Counter([int(g.deck[g.age - 1, g.pile_next - 1])])
                for seat in (0, 1):
                    assert hands[seat] - (drawn if seat == g.holder else Counter()) <= before[1 - seat]
                # Every turn each of the three cities uses one card.
                assert now_used == used + 3
        before, used = hands, now_used
    assert holders == [1, 0] * 3 + [0, 1] * 3 + [1, 0] * 3


def test_in_turn_six_the_last_card_of_the_pile_is_discarded_with_both_seventh_cards() -> None:
    seen = 0
    for g in turns(assign="fixed", factions=PLAIN):
        if not g.finished and g.turn == 6:
            last = g.deck[g.age - 1, g.pile_next : g.deck_size[g.age - 1]].tolist()
            assert len(last) == 1
            copy = np.array([g], STATE)[0]
            old = Counter(copy.discards[: copy.discards_size].tolist())
            play_turn(copy, T, team_of(dearest))
            new = Counter(copy.discards[: copy.discards_size].tolist()) - old
            assert new >= Counter(last)
            assert 3 <= sum(new.values()) <= 6
            seen += 1
    assert seen == 3


def test_cards_left_over_bring_no_coins() -> None:
    g = table(City("Gizah A", hand=["Altar"]), City("Rhodos A", hand=["Theater"]), City("Ephesos A"))
    last_of_age(g)
    assert sorted(names(g.discards[: g.discards_size])) == ["Altar", "Tavern", "Theater"]
    assert g.coins[:3].tolist() == [3, 3, 3]


# ---- What the Free City may do ----


@pytest.mark.parametrize(
    ("age", "hand", "city", "may"),
    [
        # A card that is free by a chain must be built that way. The first stage costs two stone, which Gizah makes.
        (
            *(2, ["Aqueduct", "Pawnshop"], City("Gizah A", ["Baths", "Stone Pit"])),
            {("Aqueduct", "build", 0), ("Pawnshop", "build", 0), ("Pawnshop", "wonder", 0)},
        ),
        # It discards only what it can neither build nor put below a stage: without glass, wood and coins all but one.
        (
            *(1, ["Altar", "Workshop", "Stockade"], City("Ephesos A", coins=0)),
            {("Altar", "build", 0), ("Workshop", "discard", 0), ("Stockade", "discard", 0)},
        ),
        (1, ["Workshop"], City("Gizah A", ["Stone Pit"], coins=0), {("Workshop", "wonder", 0)}),
        # A name it has already goes below a stage or is discarded.
        (1, ["Altar"], City("Ephesos A", ["Altar"], coins=0), {("Altar", "discard", 0)}),
        (1, ["Altar"], City("Gizah A", ["Altar", "Stone Pit"], coins=0), {("Altar", "wonder", 0)}),
    ],
)
def test_the_free_city_may_discard_only_a_card_that_it_cannot_use(
    age: int, hand: list[str], city: City, may: set[tuple[str, str, int]]
) -> None:
    assert plays(table(City("Rhodos A", hand=hand), City("Babylon A"), city, age=age)) == may


def test_a_player_with_the_same_chain_is_free_to_do_otherwise() -> None:
    own = City("Gizah A", ["Baths", "Stone Pit"], hand=["Aqueduct"])
    g = table(own, City("Babylon A"), City("Rhodos A"), age=2)
    assert plays(g, city=0) == {("Aqueduct", "build", 0), ("Aqueduct", "wonder", 0), ("Aqueduct", "discard", 0)}


def test_it_gets_three_coins_for_a_discard() -> None:
    g = table(
        City("Rhodos A", hand=["Altar"]), City("Babylon A", hand=["Theater", "Baths"]), City("Ephesos A", coins=0)
    )
    play_with(g, DISCARD, "Workshop")
    assert g.coins[FREE_CITY] == 3
    assert names(g.discards[: g.discards_size]) == ["Workshop"]


# ---- Trade ----


def test_the_holder_chooses_the_seller_even_when_one_is_cheaper() -> None:
    free_city = City("Ephesos A", ["East Trading Post"], coins=2)
    g = table(City("Rhodos A", ["Stone Pit"], hand=["Baths"]), City("Gizah A"), free_city)
    count = list_payments(g, T, FREE_CITY, naive.card_id(CATALOG, "Baths"))
    # 2 to the left neighbour (seat 1) or 1 to the right one (seat 0), whose raw goods are cheap
    ways = zip(g.option_left[:count].tolist(), g.option_right[:count].tolist(), strict=True)
    assert sorted(ways) == [(0, 1), (2, 0)]
    assert plays(g) == {("Baths", "build", 1)}


def test_both_players_may_buy_the_same_good_of_the_free_city_and_it_is_paid_twice() -> None:
    hand = ["Baths", "Altar"]
    g = table(City("Rhodos A", hand=hand), City("Babylon A", hand=hand), City("Gizah A", coins=0))
    count = list_payments(g, T, 0, naive.card_id(CATALOG, "Baths"))
    assert (g.option_left[:count].tolist(), g.option_right[:count].tolist()) == ([2], [0])
    play_with(g, BUILD, "Theater")
    assert g.coins[:3].tolist() == [1, 1, 4]
    assert [built(g, seat) for seat in (0, 1)] == [["Baths"], ["Baths"]]


@pytest.mark.parametrize(
    ("seat", "spendable", "spent", "coins"), [(0, False, [], 5), (0, True, ["Tree Farm"], 1), (1, True, [], 5)]
)
def test_only_the_holder_spends_what_the_free_city_pays_in_the_same_turn_if_the_setting_says_so(
    seat: int, spendable: bool, spent: list[str], coins: int
) -> None:
    t = tables(free_city_sales_spendable=spendable)
    paid = City("Gizah A", hand=["Tree Farm", "Workshop"], coins=0)
    other = City("Rhodos A", hand=["Altar", "Theater"])
    g = table(*((paid, other) if seat == 0 else (other, paid)), City("Ephesos A", coins=2), t=t)
    play_with(g, BUILD, "Baths", *((0, 2) if seat == 0 else (2, 0)), t=t)
    assert (built(g, seat), g.coins[seat], g.coins[FREE_CITY]) == (spent, coins, 0)


@pytest.mark.parametrize(("spendable", "left"), [(True, 0), (False, -2)])
def test_what_the_free_city_pays_its_holder_counts_for_what_is_left_for_a_last_card(spendable: bool, left: int) -> None:
    t = tables(free_city_sales_spendable=spendable, last_card_spends_turn_income=False)
    g = table(City("Babylon B", coins=1), City("Rhodos A"), City("Ephesos A"), t=t)
    g.spendable[0], g.choice_right[FREE_CITY] = 1, 2
    g.choice_left[0] = 3  # a payment that only the coins of the sale allow
    prepare_last_card(g, t, 0)
    assert g.spendable[0] == left


# ---- Powers of its wonder ----


@pytest.mark.parametrize("uses", [True, False])
def test_it_uses_olympias_free_building_only_if_the_setting_says_so(uses: bool) -> None:
    t = tables(free_city_uses_wonder_powers=uses)
    g = table(City("Rhodos A", hand=["Workshop"]), City("Babylon A"), City("Olympia A", stages=2, coins=0), t=t)
    free_build = ("Workshop", "free_build", 0)
    assert plays(g, t) == ({free_build} if uses else {("Workshop", "discard", 0)})


@pytest.mark.parametrize("uses", [True, False])
@pytest.mark.parametrize(
    ("wonder", "due", "built_by_it", "coins"), [("Babylon B", 0, "Tavern", 5), ("Halikarnassos A", 1, "Theater", 0)]
)
def test_it_plays_a_last_card_and_builds_from_the_discards_only_if_the_setting_says_so(
    uses: bool, wonder: str, due: int, built_by_it: str, coins: int
) -> None:
    t = tables(free_city_uses_wonder_powers=uses)
    g = table(City("Rhodos A"), City("Gizah A"), City(wonder, stages=2, coins=0), t=t)
    g.discards[0], g.discards_size = naive.card_id(CATALOG, "Theater"), 1
    g.discard_builds_due[FREE_CITY] = due
    last_of_age(g, t)
    assert built(g, FREE_CITY) == ([built_by_it] if uses else [])
    assert g.coins[FREE_CITY] == (coins if uses else 0)
    assert g.discards_size == (1 if uses else 2)
    assert g.discard_builds_due[FREE_CITY] == 0


# ---- The end ----


def test_the_free_city_fights_in_the_conflicts() -> None:
    g = table(City("Rhodos A", ["Barracks"]), City("Gizah A"), City("Ephesos A", ["Walls"]), age=2)
    resolve_conflicts(g, T)
    assert g.tokens[:3, 1].tolist() == [[-1, 3], [-1, -1], [3, 3]]


def test_the_free_city_does_not_win_and_has_no_rank() -> None:
    g = table(City("Rhodos A", ["Altar"]), City("Babylon A"), City("Gizah B", ["Palace"], stages=4), age=3)
    g.rank[:] = 0
    score_game(g, T)
    assert g.score[FREE_CITY, TOTAL] > g.score[:2, TOTAL].max()
    assert g.rank[:3].tolist() == [1, 2, 0]


def test_results_have_no_row_for_the_free_city() -> None:
    rows = rows_of(plan_for("seven_wonders", players=2), 0, 6)
    assert rows[:, :, SEAT].tolist() == [[0, 1]] * 6
    assert set(rows[:, :, RANK].ravel().tolist()) == {1, 2}


def test_guilds_count_the_free_city_as_a_neighbour() -> None:
    g = table(City("Rhodos A", ["Magistrates Guild"]), City("Babylon A"), City("Gizah A", ["Altar", "Baths"]), age=3)
    score_game(g, T)
    assert g.score[0, 6] == 2


def test_a_stage_of_the_free_city_costs_what_its_board_says() -> None:
    priced = City("Rhodos A", ["Stone Pit"], hand=["Workshop"]), City("Babylon A"), City("Gizah A", coins=2)
    assert plays(table(*priced)) == {("Workshop", "wonder", 2)}
    hand = ["Altar", "Theater"]
    g = table(City("Rhodos A", ["Stone Pit"], hand=hand), City("Babylon A", hand=hand), City("Gizah A", coins=2))
    play_with(g, STAGE, "Workshop", right=2)
    assert g.stages_built[FREE_CITY] == 1
    assert names(g.stage_cards[FREE_CITY, :1]) == ["Workshop"]
    assert g.coins[[0, 2]].tolist() == [5, 0]
    assert g.choice_card[FREE_CITY] == NO_CARD
