"""Set-up: what lies where before the first turn, for every nation, box and number of players."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from sim.games.imperium.rules import constants
from sim.games.imperium.rules.state import new_games
from tests.games.imperium.tables import ALL_FACTIONS, FACTIONS, FACTS, IDS, NAMES, T, all_cards, cards_in, dealt
from tests.kit.plans import deal

NATIONS = sorted({name[:-2] for name in FACTIONS})
SMALL_DECK, UNREST = {2: 6, 3: 7, 4: 8}, {2: 8, 3: 10, 4: 12}
PLAIN = ("Romans B", "Greeks B", "Persians B", "Macedonians B")
"""Nations without unrest-pile cards, in the name of Legends tributaries."""
REGION, UNCIVILISED, CIVILISED = constants.REGION, constants.UNCIVILISED, constants.CIVILISED

TABLES = [(players, box) for players in (2, 3, 4) for box in (0, 1)]

every_table = pytest.mark.parametrize(("players", "commons"), TABLES)
every_nation = pytest.mark.parametrize("nation", NATIONS)


@cache
def games(players: int, commons: int) -> list[Any]:
    """Twenty games as set up, only to be looked at."""
    return [dealt(players, commons, block=block) for block in range(20)]


def all_games() -> list[Any]:
    """The games of all tables."""
    return [g for table in TABLES for g in games(*table)]


def on_table(g: Any, zone: int) -> list[int]:
    return cards_in(g, constants.TABLE, zone)


def size(g: Any, zone: int) -> int:
    return int(g.zone_size[constants.TABLE, zone])


def opponents(nation: str) -> list[str]:
    """Factions for a whole table with a nation in seat 0, none of the others with cards for the unrest pile."""
    return [f"{nation} A", *(name for name in PLAIN if name[:-2] != nation)][:4]


def cards_of(g: Any, seat: int) -> list[int]:
    """Physical cards of a nation in play: its rows without the sides that lie below."""
    number = T.faction_nation[g.faction[seat]]
    rows = [row for row in range(T.cards) if T.nation[row] == number]
    hidden = {row for row in rows if T.kind[row] == constants.POWER and row != T.faction_power[g.faction[seat]]}
    journey = [row for row in rows if T.kind[row] == constants.JOURNEY and T.suits[row] == 0]
    return sorted(set(rows) - hidden - set(journey[1:]))


def commons_of(box: int, players: int, *kinds: str) -> list[Any]:
    """Facts of the commons of some kinds that are not marked for more players."""
    starts = tuple(f"{box + 1}{kind}" for kind in kinds)
    return [row for row in FACTS.values() if row["id"].startswith(starts) and row.get("players", 1) <= players]


# ---- Shared ----


@every_table
def test_decks_have_the_sizes_of_the_rulebook_less_the_first_market(players: int, commons: int) -> None:
    main = len(commons_of(commons, players, "UNC", "CIV", "REG", "TRI")) - 3 * SMALL_DECK[players] - 2
    for g in games(players, commons):
        small = [
            size(g, deck) for deck in (constants.REGION_DECK, constants.UNCIVILISED_DECK, constants.CIVILISED_DECK)
        ]
        assert small == [SMALL_DECK[players] - 1] * 3
        assert (size(g, constants.FAME_DECK), size(g, constants.EXILE_PILE)) == (SMALL_DECK[players], 0)
        # Every other common that is not marked for more players.
        assert size(g, constants.MAIN_DECK) == main
        assert sum("FAM" in IDS[row] for row in on_table(g, constants.REMOVED)) == 4 - players


@every_table
def test_every_card_of_the_box_and_of_the_nations_in_play_lies_in_one_place(players: int, commons: int) -> None:
    box = {row for row in range(T.cards) if T.nation[row] < 0 and T.box[row] & (1 << commons)}
    for g in games(players, commons):
        everything = all_cards(g)
        assert max(Counter(everything).values()) == 1
        expected = {row for row in box if T.kind[row] != constants.KING_OF_KINGS}
        expected.update(*(cards_of(g, seat) for seat in range(players)))
        assert expected <= set(everything)
        spares = set(everything) - expected
        assert all(T.suits[row] & constants.TRIBUTARY and not T.box[row] & (1 << commons) for row in spares)


def test_king_of_kings_is_no_card_of_the_fame_deck_and_shows_side_a() -> None:
    for g in all_games():
        assert all(T.kind[row] != constants.KING_OF_KINGS for row in all_cards(g))
        assert (g.king_turned, g.king_used.any()) == (0, False)


def test_cards_that_are_uncivilised_and_civilised_count_as_uncivilised() -> None:
    both = UNCIVILISED | CIVILISED
    assert any(T.suits[row] & both == both for row in range(T.cards) if T.nation[row] < 0)
    for g in all_games():
        assert all(T.suits[row] & both == CIVILISED for row in on_table(g, constants.CIVILISED_DECK))
        assert all(T.suits[row] & UNCIVILISED for row in on_table(g, constants.UNCIVILISED_DECK))
        assert all(T.suits[row] & REGION for row in on_table(g, constants.REGION_DECK))


# ---- Market and unrest ----


@every_table
def test_the_market_has_a_card_of_each_small_deck_and_two_of_the_main_deck(players: int, commons: int) -> None:
    main = set()
    for g in games(players, commons):
        region, uncivilised, civilised, *others = (int(T.suits[row]) for row in g.market)
        assert region & REGION
        assert uncivilised & UNCIVILISED
        assert civilised & (UNCIVILISED | CIVILISED) == CIVILISED
        main.update(others)
    assert {REGION, UNCIVILISED, CIVILISED, constants.TRIBUTARY} <= main


def test_unrest_lies_under_every_market_card_that_is_no_region() -> None:
    for g in all_games():
        for row, below in zip(g.market, g.market_unrest, strict=True):
            if T.suits[row] & REGION:
                assert below == constants.NO_CARD
            else:
                assert T.suits[row] & constants.TUCKS_UNREST
                assert T.suits[below] & constants.UNREST


def test_a_progress_lies_on_every_market_card_that_is_only_civilised() -> None:
    seen = set()
    for g in all_games():
        for slot, row in enumerate(g.market):
            only = T.suits[row] & (UNCIVILISED | CIVILISED) == CIVILISED
            assert g.market_tokens[slot].tolist() == [0, 0, int(only)]
            seen.add((bool(only), slot))
    assert (True, 3) in seen


@pytest.mark.parametrize("players", UNREST)
def test_the_unrest_pile_has_the_common_unrest_less_what_lies_under_the_market(players: int) -> None:
    for block in range(10):
        g = dealt(players, block=block, nations=PLAIN[:players])
        tucked = sum(row != constants.NO_CARD for row in g.market_unrest)
        assert 2 <= tucked <= 4
        assert size(g, constants.UNREST_PILE) == UNREST[players] - tucked


MORE_UNREST = {"Celts": (0, 2, 5), "Vikings": (0, 1, 2), "Arthurians": (2, 3, 4), "Utopians": (3, 4, 5)}


@every_nation
def test_nations_bring_their_own_unrest_marked_for_the_number_of_players(nation: str) -> None:
    for (players, common), more in zip(UNREST.items(), MORE_UNREST.get(nation, [None] * 3), strict=True):
        g = dealt(players, nations=opponents(nation)[:players])
        own = {row for row in cards_of(g, 0) if FACTS[IDS[row]]["start"] == "unrest_pile"}
        lies = {*on_table(g, constants.UNREST_PILE), *(int(row) for row in g.market_unrest)} - {constants.NO_CARD}
        marked = {row for row in own if FACTS[IDS[row]].get("players", 1) > players}
        assert own - lies == marked
        assert marked <= set(on_table(g, constants.REMOVED))
        assert len(lies) == common + (len(own - marked) if more is None else more)


# ---- Tributaries ----


def tributaries(g: Any) -> list[int]:
    """Rows of the tributaries that can come up in a game."""
    places = [*on_table(g, constants.MAIN_DECK), *(int(row) for row in g.market)]
    return sorted(row for row in places if T.suits[row] & constants.TRIBUTARY)


@every_nation
def test_no_tributary_has_the_name_of_a_nation_in_play(nation: str) -> None:
    for players in UNREST:
        factions = opponents(nation)[:players]
        for commons, seed in ((0, 1), (1, 1), (1, 2), (1, 3)):
            g = dealt(players, commons, seed=seed, nations=factions)
            assert not {NAMES[row] for row in tributaries(g)} & {name[:-2] for name in factions}


@every_table
def test_a_replaced_tributary_leaves_as_many_tributaries_as_there_were(players: int, commons: int) -> None:
    wanted = len(commons_of(commons, players, "TRI"))
    for g in games(players, commons):
        assert len(tributaries(g)) == wanted
        assert all(FACTS[IDS[row]].get("players", 1) <= players for row in tributaries(g))


@pytest.mark.parametrize(("other", "out"), [("Vikings A", set()), ("Egyptians A", {"Egyptians"})])
def test_any_tributary_of_the_other_box_may_come_in_but_those_of_nations_in_play(other: str, out: set[str]) -> None:
    came = set()
    for seed in range(100):
        g = dealt(2, 1, seed=seed, nations=("Celts A", other))
        spares = {NAMES[row] for row in tributaries(g) if T.box[row] == 1}
        assert len(spares) == sum(row["name"] in ("Celts", other[:-2]) for row in commons_of(1, 2, "TRI"))
        came |= spares
    assert came == {row["name"] for row in commons_of(0, 2, "TRI")} - out


# ---- Players ----


@every_nation
@pytest.mark.parametrize("side", ["A", "B"])
def test_the_cards_of_every_nation_lie_where_they_start(nation: str, side: str) -> None:
    g = dealt(2, nations=(f"{nation} {side}", *opponents(nation)[1:2]))
    start = {row: FACTS[IDS[row]]["start"] for row in cards_of(g, 0)}

    def starting(*places: str) -> list[int]:
        return [row for row, place in start.items() if place in places]

    assert sorted(cards_in(g, 0, constants.HAND) + cards_in(g, 0, constants.DECK)) == starting("deck")
    assert g.zone_size[0, constants.HAND] == 5
    assert sorted(cards_in(g, 0, constants.NATION)) == starting("nation", "accession")
    assert (g.zone_size[0, constants.NATION] == 0) == (nation in ("Atlanteans", "Utopians"))
    assert cards_in(g, 0, constants.DEVELOPMENT) == starting("development")
    assert cards_in(g, 0, constants.PLAY) == starting("in_play")
    assert g.zone_size[0, constants.HISTORY] == g.zone_size[0, constants.GARRISON] == 0
    # Only the side of the power card that is played lies there.
    power = g.zone[0, constants.PLAY, 0]
    powers = [row for row in all_cards(g) if T.kind[row] == constants.POWER and T.nation[row] == T.nation[power]]
    assert powers == [power] == [T.faction_power[g.faction[0]]]
    assert IDS[powers[0]].endswith(f"1{side}")
    assert (g.resource[0].tolist(), g.actions[0]) == ([3, 2, 1], 3)
    assert g.exhausts[0] == (3 if nation == "Utopians" else 5)
    assert g.state[0] == (constants.EMPIRE if nation == "Atlanteans" else constants.BARBARIAN)


@every_nation
def test_the_accession_card_is_at_the_bottom_of_the_nation_deck(nation: str) -> None:
    orders = set()
    for seed in range(4):
        g = dealt(2, seed=seed, nations=opponents(nation)[:2])
        pile = cards_in(g, 0, constants.NATION)
        assert pile[:1] == [row for row in cards_of(g, 0) if FACTS[IDS[row]]["start"] == "accession"]
        orders.add(tuple(pile[1:]))
    assert len(orders) > 1 or len(pile) < 3


# ---- Lots ----


def test_factions_and_first_seats_come_up_about_as_often(scaled: Callable[[int, int], int]) -> None:
    deals = scaled(400, 100)
    pairs, seats = Counter[int](), Counter[int]()
    for block in range(deals):
        g = dealt(4, block=block)
        assert len({int(T.faction_nation[faction]) for faction in g.faction[:4]}) == 4
        pairs.update(int(faction) for faction in g.faction[:4])
        seats[int(g.first_seat)] += 1
    assert set(pairs) == set(range(len(FACTIONS)))
    # 5 standard deviations of a count
    expected = 4 * deals / len(FACTIONS)
    assert all(abs(count - expected) < 5 * expected**0.5 for count in pairs.values())
    assert all(abs(seats[seat] - deals / 4) < 5 * (deals * 3 / 16) ** 0.5 for seat in range(4))


def test_games_of_one_block_have_the_same_deal_and_other_blocks_another() -> None:
    laid = []
    for number in (14, 15, 16):
        g: Any = new_games(1)[0]
        deal("imperium", g, T, ALL_FACTIONS, players=3, number=number, block_games=2)
        laid.append((g.zone.tolist(), g.market.tolist(), int(g.first_seat)))
    assert laid[0] == laid[1]
    assert laid[0] != laid[2]


def test_cards_seen_are_cleared_only_if_they_are_kept() -> None:
    g: Any = new_games(1)[0]
    g.log.pieces[:] = 1
    deal("imperium", g, T, ALL_FACTIONS, players=2)
    assert g.log.pieces.all()
    g.log.keeps_pieces = 1
    deal("imperium", g, T, ALL_FACTIONS, players=2)
    assert not g.log.pieces.any()
