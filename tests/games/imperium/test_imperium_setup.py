"""Set-up: what lies where before the first turn, for every nation, box and number of players."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.games.imperium.rules import constants
from sim.games.imperium.rules.state import new_games
from tests.games.imperium.tables import (
    ALL_FACTIONS,
    FACTIONS,
    IDS,
    NAMES,
    T,
    all_cards,
    card,
    cards_in,
    dealt,
    names,
)
from tests.kit.plans import deal

FACTS = {row["id"]: row for row in json.loads((Path(__file__).parent / "data" / "points.json").read_text("utf-8"))}
NATIONS = sorted({name[:-2] for name in FACTIONS})
PLAYERS = (2, 3, 4)
BOXES = (0, 1)
PLAIN = ("Romans B", "Greeks B", "Persians B", "Macedonians B")
"""Nations without unrest-pile cards, in the name of Legends tributaries."""


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


# ---- Shared ----


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("commons", BOXES)
def test_decks_have_the_sizes_of_the_rulebook_less_the_first_market(players: int, commons: int) -> None:
    small = {2: 6, 3: 7, 4: 8}[players]
    for block in range(10):
        g = dealt(players, commons, block=block)
        for deck in (constants.REGION_DECK, constants.UNCIVILISED_DECK, constants.CIVILISED_DECK):
            assert g.zone_size[constants.TABLE, deck] == small - 1
        assert g.zone_size[constants.TABLE, constants.FAME_DECK] == {2: 6, 3: 7, 4: 8}[players]
        assert g.zone_size[constants.TABLE, constants.EXILE_PILE] == 0


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("commons", BOXES)
def test_every_other_common_that_is_not_marked_for_more_players_is_in_the_main_deck(players: int, commons: int) -> None:
    box = ("1", "2")[commons]
    used = [
        row
        for row in FACTS.values()
        if row["id"][:4] in (f"{box}UNC", f"{box}CIV", f"{box}REG", f"{box}TRI") and row.get("players", 1) <= players
    ]
    for block in range(10):
        g = dealt(players, commons, block=block)
        assert g.zone_size[constants.TABLE, constants.MAIN_DECK] == len(used) - 3 * {2: 6, 3: 7, 4: 8}[players] - 2


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("commons", BOXES)
def test_every_card_of_the_box_and_of_the_nations_in_play_lies_in_one_place(players: int, commons: int) -> None:
    for block in range(20):
        g = dealt(players, commons, block=block)
        everything = all_cards(g)
        assert max(Counter(everything).values()) == 1
        box = [row for row in range(T.cards) if T.nation[row] < 0 and T.box[row] & (1 << commons)]
        expected = [row for row in box if T.kind[row] != constants.KING_OF_KINGS]
        for seat in range(players):
            expected += cards_of(g, seat)
        spares = sorted(set(everything) - set(expected))
        assert not set(expected) - set(everything)
        assert all(T.suits[row] & constants.TRIBUTARY and not T.box[row] & (1 << commons) for row in spares)


def test_the_commons_come_from_one_box_alone() -> None:
    for commons in BOXES:
        g = dealt(
            4,
            commons,
            nations=("Celts A", "Romans A", "Greeks A", "Vikings A")
            if commons == 0
            else ("Egyptians A", "Minoans A", "Olmecs A", "Qin A"),
        )
        assert all(T.box[row] & (1 << commons) for row in all_cards(g) if T.nation[row] < 0)


def test_cards_that_are_uncivilised_and_civilised_count_as_uncivilised() -> None:
    both = constants.UNCIVILISED | constants.CIVILISED
    assert any(T.suits[row] & both == both for row in range(T.cards) if T.nation[row] < 0)
    for block in range(30):
        g = dealt(4, block % 2, block=block)
        assert all(
            T.suits[row] & both == constants.CIVILISED for row in cards_in(g, constants.TABLE, constants.CIVILISED_DECK)
        )
        assert all(
            T.suits[row] & constants.UNCIVILISED for row in cards_in(g, constants.TABLE, constants.UNCIVILISED_DECK)
        )
        assert all(T.suits[row] & constants.REGION for row in cards_in(g, constants.TABLE, constants.REGION_DECK))


def test_king_of_kings_lies_below_the_fame_deck_with_side_a_up() -> None:
    g = dealt(4)
    assert all(T.kind[row] != constants.KING_OF_KINGS for row in all_cards(g))
    assert g.king_turned == 0
    assert not g.king_used.any()


@pytest.mark.parametrize("players", PLAYERS)
def test_fame_cards_taken_out_are_out_of_the_game(players: int) -> None:
    removed = {2: 2, 3: 1, 4: 0}[players]
    out = [
        row
        for block in range(5)
        for row in cards_in(dealt(players, block=block), constants.TABLE, constants.REMOVED)
        if "FAM" in IDS[row]
    ]
    assert len(out) == 5 * removed


# ---- Market and unrest ----


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("commons", BOXES)
def test_the_market_has_a_card_of_each_small_deck_and_two_of_the_main_deck(players: int, commons: int) -> None:
    main = set()
    for block in range(30):
        g = dealt(players, commons, block=block)
        region, uncivilised, civilised, *others = (int(T.suits[row]) for row in g.market)
        assert region & constants.REGION
        assert uncivilised & constants.UNCIVILISED
        assert civilised & constants.CIVILISED
        assert not civilised & constants.UNCIVILISED
        main.update(others)
    assert {constants.REGION, constants.UNCIVILISED, constants.CIVILISED, constants.TRIBUTARY} <= main
    assert len(constants.SLOT_DECKS) == 5


def test_unrest_lies_under_every_market_card_that_is_no_region() -> None:
    for block in range(40):
        g = dealt(3, block % 2, block=block)
        for row, below in zip(g.market, g.market_unrest, strict=True):
            if T.suits[row] & constants.REGION:
                assert below == constants.NO_CARD
            else:
                assert T.suits[row] & constants.TUCKS_UNREST
                assert T.suits[below] & constants.UNREST


def test_a_progress_lies_on_every_market_card_that_is_only_civilised() -> None:
    seen = Counter()
    for block in range(60):
        g = dealt(4, block % 2, block=block)
        for slot, row in enumerate(g.market):
            only = T.suits[row] & (constants.UNCIVILISED | constants.CIVILISED) == constants.CIVILISED
            assert g.market_tokens[slot].tolist() == [0, 0, int(only)]
            seen[int(T.suits[row]) & (constants.UNCIVILISED | constants.CIVILISED), slot] += 1
    assert seen[constants.CIVILISED, 3] > 0
    assert constants.PROGRESS == 2


@pytest.mark.parametrize(("players", "pile"), [(2, 8), (3, 10), (4, 12)])
def test_the_unrest_pile_has_the_common_unrest_less_what_lies_under_the_market(players: int, pile: int) -> None:
    for block in range(10):
        g = dealt(players, block=block, nations=PLAIN[:players])
        tucked = sum(row != constants.NO_CARD for row in g.market_unrest)
        assert 2 <= tucked <= 4
        assert g.zone_size[constants.TABLE, constants.UNREST_PILE] == pile - tucked


@pytest.mark.parametrize(
    ("nation", "more"),
    [
        ("Celts", {2: 0, 3: 2, 4: 5}),
        ("Vikings", {2: 0, 3: 1, 4: 2}),
        ("Arthurians", {2: 2, 3: 3, 4: 4}),
        ("Utopians", {2: 3, 3: 4, 4: 5}),
    ],
)
def test_nations_bring_their_own_unrest_marked_for_the_number_of_players(nation: str, more: dict[int, int]) -> None:
    for players in PLAYERS:
        g = dealt(players, nations=opponents(nation)[:players])
        tucked = sum(row != constants.NO_CARD for row in g.market_unrest)
        assert (
            g.zone_size[constants.TABLE, constants.UNREST_PILE] + tucked
            == {2: 8, 3: 10, 4: 12}[players] + more[players]
        )


@pytest.mark.parametrize("nation", NATIONS)
def test_unrest_of_a_nation_that_is_marked_for_more_players_is_out_of_the_game(nation: str) -> None:
    for players in PLAYERS:
        g = dealt(players, nations=opponents(nation)[:players])
        own = [row for row in cards_of(g, 0) if FACTS[IDS[row]]["start"] == "unrest_pile"]
        lies = set(cards_in(g, constants.TABLE, constants.UNREST_PILE)) | {int(row) for row in g.market_unrest}
        marked = [row for row in own if FACTS[IDS[row]].get("players", 1) > players]
        assert set(own) - lies == set(marked)
        assert set(marked) <= set(cards_in(g, constants.TABLE, constants.REMOVED))


# ---- Tributaries ----


def tributaries(g: Any) -> list[int]:
    """Rows of the tributaries that can come up in a game."""
    places = [*cards_in(g, constants.TABLE, constants.MAIN_DECK), *(int(row) for row in g.market)]
    return sorted(row for row in places if T.suits[row] & constants.TRIBUTARY)


@pytest.mark.parametrize("nation", NATIONS)
def test_no_tributary_has_the_name_of_a_nation_in_play(nation: str) -> None:
    for players in PLAYERS:
        factions = opponents(nation)[:players]
        for commons in BOXES:
            for seed in range(3):
                g = dealt(players, commons, seed=seed, nations=factions)
                assert not {NAMES[row] for row in tributaries(g)} & {name[:-2] for name in factions}


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("commons", BOXES)
def test_a_replaced_tributary_leaves_as_many_tributaries_as_there_were(players: int, commons: int) -> None:
    box = ("1", "2")[commons]
    wanted = sum(row["id"].startswith(f"{box}TRI") and row.get("players", 1) <= players for row in FACTS.values())
    for block in range(30):
        g = dealt(players, commons, block=block)
        assert len(tributaries(g)) == wanted
        assert all(FACTS[IDS[row]].get("players", 1) <= players for row in tributaries(g))


def test_any_other_tributary_of_the_other_box_may_come_in() -> None:
    came = set()
    for seed in range(150):
        g = dealt(2, 1, seed=seed, nations=("Celts A", "Vikings A"))
        spares = [NAMES[row] for row in tributaries(g) if T.box[row] == 1]
        assert len(spares) == 2
        came.update(spares)
        assert {card("2TRI9"), card("2TRI3")} <= set(cards_in(g, constants.TABLE, constants.REMOVED))
    expected = {row["name"] for row in FACTS.values() if row["id"].startswith("1TRI") and row.get("players", 1) <= 2}
    assert came == expected


def test_a_nation_in_play_keeps_its_tributary_of_the_other_box_out_too() -> None:
    for seed in range(100):
        g = dealt(2, 1, seed=seed, nations=("Celts A", "Egyptians A"))
        assert "Egyptians" not in {NAMES[row] for row in tributaries(g)}


# ---- Players ----


@pytest.mark.parametrize("nation", NATIONS)
@pytest.mark.parametrize("side", ["A", "B"])
def test_the_cards_of_every_nation_lie_where_they_start(nation: str, side: str) -> None:
    g = dealt(2, nations=(f"{nation} {side}", *opponents(nation)[1:2]))
    start = {row: FACTS[IDS[row]]["start"] for row in cards_of(g, 0)}
    deck = [row for row, place in start.items() if place == "deck"]
    assert sorted(cards_in(g, 0, constants.HAND) + cards_in(g, 0, constants.DECK)) == deck
    assert g.zone_size[0, constants.HAND] == 5
    nation_deck = [row for row, place in start.items() if place in ("nation", "accession")]
    assert sorted(cards_in(g, 0, constants.NATION)) == nation_deck
    assert cards_in(g, 0, constants.DEVELOPMENT) == [row for row, place in start.items() if place == "development"]
    assert cards_in(g, 0, constants.PLAY) == [row for row, place in start.items() if place == "in_play"]
    assert g.zone_size[0, constants.HISTORY] == g.zone_size[0, constants.GARRISON] == 0


@pytest.mark.parametrize("nation", NATIONS)
def test_the_accession_card_is_at_the_bottom_of_the_nation_deck(nation: str) -> None:
    accession = [row for row in FACTS.values() if row["start"] == "accession"]
    orders = set()
    for seed in range(8):
        g = dealt(2, seed=seed, nations=opponents(nation)[:2])
        pile = cards_in(g, 0, constants.NATION)
        own = [card(row["id"]) for row in accession if card(row["id"]) in cards_of(g, 0)]
        assert pile[:1] == own
        orders.add(tuple(pile[1:]))
    assert len(orders) > 1 or len(pile) < 3


@pytest.mark.parametrize("nation", NATIONS)
@pytest.mark.parametrize("side", ["A", "B"])
def test_only_the_side_of_the_power_card_that_is_played_lies_in_play(nation: str, side: str) -> None:
    g = dealt(2, nations=(f"{nation} {side}", *opponents(nation)[1:2]))
    powers = [
        row
        for row in all_cards(g)
        if T.kind[row] == constants.POWER and T.nation[row] == T.nation[g.zone[0, constants.PLAY, 0]]
    ]
    assert powers == [g.zone[0, constants.PLAY, 0]] == [T.faction_power[g.faction[0]]]
    assert IDS[powers[0]].endswith(f"1{side}")


@pytest.mark.parametrize("nation", NATIONS)
def test_players_start_with_the_resources_and_tokens_of_the_rulebook(nation: str) -> None:
    g = dealt(2, nations=opponents(nation)[:2])
    assert g.resource[0].tolist() == [3, 2, 1]
    assert g.actions[0] == 3
    assert g.exhausts[0] == (3 if nation == "Utopians" else 5)
    assert g.state[0] == (constants.EMPIRE if nation == "Atlanteans" else constants.BARBARIAN)


def test_king_arthurs_court_is_in_play_and_the_quests_are_in_the_development_area() -> None:
    g = dealt(2, nations=("Arthurians A", "Romans A"))
    assert [T.kind[row] for row in cards_in(g, 0, constants.PLAY)] == [constants.POWER, constants.COURT]
    assert "Graal" in names(g, 0, constants.DEVELOPMENT)
    assert names(g, 0, constants.NATION)[0] == "Gwaith Camlan"


def test_the_journey_of_the_utopians_shows_visions_and_nothing_else() -> None:
    g = dealt(2, nations=("Utopians B", "Romans A"))
    assert [IDS[row] for row in cards_in(g, 0, constants.PLAY)] == ["UTO1B", "UTO2A"]
    assert not {"UTO2B", "UTO3A", "UTO3B"} & {IDS[row] for row in all_cards(g)}
    assert g.zone_size[0, constants.NATION] == g.zone_size[0, constants.DEVELOPMENT] == 0


def test_atlanteans_have_no_nation_deck_but_developments() -> None:
    g = dealt(2, nations=("Atlanteans A", "Romans A"))
    assert g.zone_size[0, constants.NATION] == 0
    assert g.zone_size[0, constants.DEVELOPMENT] == 10


def test_vikings_have_harald_hardrada_below_their_nation_deck_and_no_developments() -> None:
    g = dealt(2, nations=("Vikings A", "Romans A"))
    assert names(g, 0, constants.NATION)[0] == "Harald Hardrada"
    assert g.zone_size[0, constants.DEVELOPMENT] == 0


# ---- Lots ----


def test_no_nation_is_dealt_twice() -> None:
    for block in range(60):
        g = dealt(4, block=block)
        assert len({int(T.faction_nation[g.faction[seat]]) for seat in range(4)}) == 4


def test_every_faction_of_the_pool_comes_up_about_as_often(scaled: Callable[[int, int], int]) -> None:
    deals = scaled(800, 200)
    counts = Counter(int(faction) for block in range(deals) for faction in dealt(2, block=block).faction[:2])
    expected = 2 * deals / len(FACTIONS)
    assert set(counts) == set(range(len(FACTIONS)))
    # 5 standard deviations of a count
    assert all(abs(count - expected) < 5 * expected**0.5 for count in counts.values())


def test_every_seat_starts_about_as_often(scaled: Callable[[int, int], int]) -> None:
    deals = scaled(400, 100)
    counts = Counter(int(dealt(4, block=block).first_seat) for block in range(deals))
    # 5 standard deviations of a count
    assert all(abs(counts[seat] - deals / 4) < 5 * (deals * 3 / 16) ** 0.5 for seat in range(4))


def test_games_of_one_block_have_the_same_deal_and_other_blocks_another() -> None:
    games: Any = new_games(3)
    for game in range(3):
        deal("imperium", games[game], T, ALL_FACTIONS, players=3, number=14 + game, block_games=2)
    laid = [
        (all_cards(g), g.zone_size.tolist(), [cards_in(g, 0, constants.HAND), g.market.tolist(), int(g.first_seat)])
        for g in games
    ]
    assert laid[0] == laid[1]
    assert laid[0] != laid[2]


def test_a_table_that_was_played_on_is_cleared_whole() -> None:
    g: Any = new_games(1)[0]
    for field in g.dtype.names:
        if g.dtype[field].base.kind in "iu" and not field.startswith(("keeps", "rng")):
            g[field] = 1
    fresh: Any = new_games(1)[0]
    deal("imperium", g, T, ALL_FACTIONS, players=2)
    deal("imperium", fresh, T, ALL_FACTIONS, players=2)
    assert all_cards(g) == all_cards(fresh)
    # What is read only up to a size, is set with the players, or is counted over many games need not be cleared.
    kept = {"zone", "frame", "log", "strategy", "pending", "decisions", "options_scored"}
    kept |= {"step_decisions", "answer", "answer_drawn", "answer_seat", "decisions_before", "seating", "unseen"}
    for field in g.dtype.names:
        if field not in kept and not field.startswith(("option_", "notes")):
            assert np.array_equal(g[field], fresh[field]), field
    assert g.end_reason == g.ending == constants.NOT_ENDING
    assert (g.host == constants.NO_CARD).all()


def test_cards_seen_are_cleared_only_if_they_are_kept() -> None:
    g: Any = new_games(1)[0]
    g.log.pieces[:] = 1
    deal("imperium", g, T, ALL_FACTIONS, players=2)
    assert g.log.pieces.all()
    g.log.keeps_pieces = 1
    deal("imperium", g, T, ALL_FACTIONS, players=2)
    assert not g.log.pieces.any()
