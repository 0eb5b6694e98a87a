"""Scoring: points by part, ranks and collapse; and all cards against a count written from the facts alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.engine.zones import put, take_out, take_top
from sim.games.imperium.rules.constants import (
    COLLAPSE,
    DECK,
    DEVELOPMENT,
    DISCARD_PILE,
    EXILE_PILE,
    GARRISON,
    HAND,
    HISTORY,
    MAIN_DECK_EMPTY,
    NATION,
    PLAY,
    POWER,
    SCORE_PARTS,
    SUNKEN,
    TABLE,
    UNREST_PILE,
    ZONE_NAMES,
)
from sim.games.imperium.rules.scoring import (
    FAME_PART,
    HISTORY_PART,
    OTHER_PART,
    POWER_PART,
    PROGRESS_PART,
    REGION_PART,
    TOTAL,
    UNREST_PART,
    VARIABLE_PART,
    card_points,
    count_of,
    rank_after_collapse,
    score_game,
    score_seat,
    variable_points,
)
from tests.games.imperium.tables import (
    ALL_FACTIONS,
    IDS,
    NAMES,
    T,
    card,
    cards_in,
    copies,
    dealt,
    found,
    position,
    tables_with,
)

FACTS = {row["id"]: row for row in json.loads((Path(__file__).parent / "data" / "points.json").read_text("utf-8"))}
NOT_SCORED = ("nation", "development")


def score(g: Any, seat: int = 0, t: Any = T) -> dict[str, int]:
    """Parts of a seat's score that are not 0, and the total."""
    score_seat(g, t, seat)
    parts = dict(zip((*SCORE_PARTS, "total"), g.score[seat].tolist(), strict=False))
    return {part: points for part, points in parts.items() if points or part == "total"}


def points(g: Any, name: str, zone: int = PLAY, seat: int = 0, t: Any = T) -> int:
    """Points of the card of a name in a zone."""
    return card_points(g, t, seat, found(g, seat, zone, name), zone)


# ---- The facts, counted a second time ----
#
# data/points.json holds what is printed on every card, gathered independently of the card files from the transcriptions
# that configs/games/imperium/shared.toml names.


class Pile:
    """A card of a seat as the facts have it: its row, the zone it lies in and the id of the card it lies under."""

    def __init__(self, row: int, zone: int, host: int) -> None:
        self.facts = FACTS[IDS[row]]
        self.zone = ZONE_NAMES[zone]
        self.host = IDS[host] if host >= 0 else None


def piles(g: Any, quest_is_scored: bool = False) -> list[list[Pile]]:
    """Scored cards of each seat."""
    return [
        [
            Pile(row, zone, int(g.host[row]))
            for zone, name in enumerate(ZONE_NAMES)
            if name not in NOT_SCORED
            for row in cards_in(g, seat, zone)
            if quest_is_scored or name != "garrisoned" or IDS[g.host[row]] != "ART2"
        ]
        for seat in range(g.players)
    ]


def regions(facts: Mapping[str, Any]) -> int:
    """Regions a card counts as."""
    return 2 if facts["name"] == "Grand Trunk Road" else int("region" in facts.get("suits", ()))


def counted(of: list[Any], own: list[Pile], others: list[list[Pile]], g: Any, seat: int, me: Pile) -> int:
    """How much there is of what a card counts."""
    kind, *what = of
    cards = own
    if "@in_play" in what:
        what.remove("@in_play")
        cards = [pile for pile in own if pile.zone == "in_play"]
    resources = dict(zip(("material", "population", "progress"), g.resource[seat].tolist(), strict=True))
    if kind == "resource":
        return resources[what[0]]
    if kind == "suit" and what[0] == "region":
        return sum(regions(pile.facts) for pile in cards)
    if kind == "suit":
        return sum(what[0] in pile.facts.get("suits", ()) for pile in cards)
    if kind == "icon":
        marks = [[*pile.facts.get("types", ()), *icons_of(pile.facts)] for pile in cards]
        return sum(mark.count(icon) for mark in marks for icon in what)
    if kind == "cards":
        zones = {"history": "history", "garrisoned_here": "garrisoned"}
        chosen = [pile for pile in cards if not what or pile.zone == zones[what[0]]]
        return sum(what != ["garrisoned_here"] or pile.host == me.facts["id"] for pile in chosen)
    if kind == "cards_with_vp_icon":
        return sum(pile.facts.get("vp", {}).get("icon") == what[0] for pile in cards)
    in_play = [pile.facts for pile in own if pile.zone == "in_play"]
    if kind == "pinned_in_play_not_region":
        return sum(facts.get("pinned", False) and "region" not in facts.get("suits", ()) for facts in in_play)
    if kind == "named_in_play":
        return sum(what[0] in facts["name"] for facts in in_play)
    if kind == "cards_in_exile_pile":
        return int(g.zone_size[TABLE, EXILE_PILE])
    if kind == "unrest_scored_by_other_players":
        return sum("unrest" in pile.facts.get("suits", ()) for other in others for pile in other)
    assert of == ["players_with_less", "progress"]
    return sum(int(g.resource[other, 2] < g.resource[seat, 2]) for other in range(g.players))


def icons_of(facts: Mapping[str, Any]) -> list[str]:
    """Region icons of a card, each as often as it is printed."""
    return [icon for icon, count in facts.get("icons", {}).items() for _ in range(count)]


def naive_points(me: Pile, own: list[Pile], others: list[list[Pile]], g: Any, seat: int) -> int:
    """Points of one card."""
    vp = me.facts.get("vp")
    if vp is None:
        return 0
    if vp["icon"] == "variable":
        amounts = vp["of"][1:] if vp["of"][0] == "sum_each_floored" else [vp["of"]]
        units = sum(counted(list(of), own, others, g, seat, me) // vp["per"] for of in amounts)
        return int(min(10, vp["points"] * units))
    if "value" in vp:
        return int(vp["value"])
    where = vp["by_zone"]
    if "not_in_play" in where:
        return int(where["otherwise" if me.zone == "in_play" else "not_in_play"])
    return int(where.get(me.zone, where["otherwise"]))


def naive_total(g: Any, seat: int, quest_is_scored: bool = False) -> int:
    """Victory points of a seat."""
    everybody = piles(g, quest_is_scored)
    others = [cards for other, cards in enumerate(everybody) if other != seat]
    own = everybody[seat]
    return int(g.resource[seat, 2]) + sum(naive_points(me, own, others, g, seat) for me in own)


def scatter(g: Any, random: np.random.Generator) -> None:
    """Throw all cards of a game about: any of them to any seat and zone, garrisons under cards in play."""
    g.zone_size[:] = 0
    power = {int(T.faction_power[g.faction[seat]]) for seat in range(g.players)}
    rows = [row for row in range(T.cards) if T.kind[row] != POWER or row in power]
    for row in random.permutation(rows)[: int(random.integers(20, 60 * g.players))]:
        owner = int(random.choice([*range(g.players), TABLE], p=[0.9 / g.players] * g.players + [0.1]))
        zone = (
            EXILE_PILE
            if owner == TABLE
            else int(
                random.choice(
                    [HAND, DECK, DISCARD_PILE, PLAY, HISTORY, NATION, DEVELOPMENT, SUNKEN],
                    p=[0.1, 0.1, 0.1, 0.4, 0.1, 0.05, 0.05, 0.1],
                )
            )
        )
        put(g, owner, zone, row)
    for seat in range(g.players):
        g.resource[seat] = random.integers(0, 30, 3)
        for row in cards_in(g, seat, DISCARD_PILE)[::2]:
            if g.zone_size[seat, PLAY] > 0:
                take_out(g, seat, DISCARD_PILE, row)
                put(g, seat, GARRISON, row)
                g.host[row] = int(random.choice(cards_in(g, seat, PLAY)))


@pytest.mark.parametrize("quest_is_scored", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_scores_of_random_piles_are_those_of_a_naive_count(
    seed: int, quest_is_scored: bool, scaled: Callable[..., int]
) -> None:
    t = tables_with(active_quest_is_scored=quest_is_scored)
    random = np.random.default_rng(seed)
    for game in range(scaled(40, 20, full_count=400)):
        g = dealt(2 + game % 3, seed=seed, block=game)
        scatter(g, random)
        for seat in range(g.players):
            assert score(g, seat, t)["total"] == naive_total(g, seat, quest_is_scored)


def test_every_card_with_points_is_scored_as_its_facts_say() -> None:
    for name, facts in FACTS.items():
        if "vp" in facts and facts["id"] not in ("FAM9A", "FAM9B"):
            g = position(2, ("Romans B", "Greeks B"), power=False, resources={0: (17, 11, 7), 1: (0, 0, 5)})
            for zone in (HAND, DECK, DISCARD_PILE, PLAY, HISTORY, SUNKEN):
                put(g, 0, zone, card(name))
                assert score(g)["total"] == naive_total(g, 0), (name, ZONE_NAMES[zone])
                take_top(g, 0, zone)


def test_the_parts_add_up_to_the_total() -> None:
    random = np.random.default_rng(5)
    for game in range(20):
        g = dealt(4, seed=3, block=game)
        scatter(g, random)
        score_game(g, T)
        for seat in range(4):
            assert g.score[seat, :TOTAL].sum() == g.score[seat, TOTAL]
            assert not g.score[seat, TOTAL + 1 :].any()


# ---- What is scored ----


def test_each_progress_token_is_a_point_and_other_tokens_are_none() -> None:
    assert score(position(resources={0: (9, 0, 4)}, power=False)) == {"progress": 4, "total": 4}


@pytest.mark.parametrize("zone", ["hand", "deck", "discard", "play", "history", "sunken"])
def test_cards_are_scored_in_hand_decks_play_area_and_history(zone: str) -> None:
    g = position(power=False, **{zone: {0: ["1REG1"]}})
    assert score(g)["total"] == 1


@pytest.mark.parametrize("zone", ["nation", "development"])
def test_cards_in_the_nation_deck_and_the_development_area_score_nothing(zone: str) -> None:
    g = position(nations=("Celts A", "Romans A"), power=False, **{zone: {0: ["Chainmail", "Unrest"]}})
    assert score(g) == {"total": 0}


def test_garrisoned_cards_are_scored_and_an_active_quest_as_the_setting_says() -> None:
    g = position(power=False, play={0: ["1REG4"]}, garrison={0: {"1REG4": ["1REG1"]}})
    assert score(g)["total"] == 1
    g = position(nations=("Arthurians A", "Romans A"), garrison={0: {"King Arthur's Court": ["Graal"]}})
    assert score(g)["total"] == 8
    assert score(g, t=tables_with(active_quest_is_scored=False)) == {"total": 0}


def test_stored_progress_on_a_card_is_not_yet_scored() -> None:
    g = position(power=False, play={0: ["1REG4"]})
    g.stored[card("1REG4")] = 3
    assert score(g)["total"] == 0
    assert score(g, t=tables_with(tokens_on_cards_score=True))["progress"] == 3


# ---- Parts ----


def test_unrest_costs_two_points_wherever_it_lies() -> None:
    g = position(power=False, hand={0: ["Unrest"]}, history={0: ["Unrest"]}, discard={0: ["Unrest", "Unrest"]})
    assert score(g) == {"unrest": -8, "total": -8}


def test_the_power_card_and_king_arthurs_court_are_one_part() -> None:
    g = position(nations=("Arthurians B", "Romans A"), hand={0: ["1CIV1", "1CIV2"]})
    assert score(g)["power"] == 6 + 2


def test_fame_cards_are_a_part_whatever_kind_their_points_are() -> None:
    assert score(position(power=False, hand={0: ["1FAM1"]})) == {"fame": 3, "total": 3}
    assert score(position(power=False, history={0: ["1FAM1"]})) == {"fame": 7, "total": 7}


def test_points_of_plain_cards_belong_to_history_regions_or_the_rest_by_where_they_lie() -> None:
    g = position(power=False, history={0: ["1REG1", "1TRI1"]}, play={0: ["1REG2"]}, hand={0: ["1TRI2"]})
    assert score(g) == {"history": 1 + 3, "regions": 1, "other": 3, "total": 8}


def test_variable_cards_are_a_part_of_their_own_in_every_zone() -> None:
    g = position(power=False, history={0: ["1TRI3"]}, hand={0: ["1CIV1", "1CIV2"]})
    score_seat(g, T, 0)
    assert g.score[0, VARIABLE_PART] == 2


def test_part_names_are_in_the_order_of_the_columns() -> None:
    parts = (PROGRESS_PART, POWER_PART, FAME_PART, VARIABLE_PART, HISTORY_PART, REGION_PART, OTHER_PART, UNREST_PART)
    assert parts == tuple(range(len(SCORE_PARTS)))
    assert (SCORE_PARTS[PROGRESS_PART], SCORE_PARTS[UNREST_PART]) == ("progress", "unrest")
    assert len(SCORE_PARTS) == TOTAL


# ---- Conditional points ----


def test_a_fame_card_can_be_worth_more_in_history_and_most_garrisoned() -> None:
    g = position(power=False, hand={0: ["2FAM5"]}, play={0: ["1REG4"]})
    row = card("2FAM5")
    assert card_points(g, T, 0, row, HISTORY) == 8
    assert card_points(g, T, 0, row, GARRISON) == 12
    assert card_points(g, T, 0, row, HAND) == card_points(g, T, 0, row, PLAY) == 3


def test_the_mandate_of_heaven_costs_two_points_unless_it_is_in_play() -> None:
    g = position(nations=("Qin A", "Romans A"), power=False, hand={0: ["Mandate of Heaven"]})
    assert score(g)["total"] == -2
    g = position(nations=("Qin A", "Romans A"), power=False, play={0: ["Mandate of Heaven"]})
    assert score(g)["total"] == 0


# ---- Variable points: each thing that can be counted ----


def test_resources_are_counted_in_full_lots() -> None:
    for material, expected in ((0, 0), (2, 0), (3, 1), (8, 2), (29, 9)):
        g = position(nations=("Carthaginians B", "Romans A"), resources={0: (material, 0, 0)})
        assert score(g)["total"] == expected


def test_a_variable_card_is_worth_ten_points_at_most_after_multiplying() -> None:
    many = [f"1UNC{number}" for number in range(1, 9)]
    g = position(nations=("Celts B", "Romans A"), hand={0: many})
    assert points(g, "CEL1B") == 10
    g = position(nations=("Celts B", "Romans A"), hand={0: many[:4]})
    assert points(g, "CEL1B") == 8


def test_progress_tokens_are_beyond_the_cap() -> None:
    g = position(nations=("Minoans B", "Romans A"), resources={0: (0, 0, 25)})
    assert score(g) == {"progress": 25, "power": 10, "total": 35}


def test_cards_of_a_suit_are_counted_in_every_scored_zone() -> None:
    g = position(
        nations=("Persians B", "Romans A"),
        hand={0: ["1TRI1"]},
        history={0: ["1TRI2"]},
        play={0: ["1REG4"]},
        garrison={0: {"1REG4": ["1TRI4"]}},
    )
    assert points(g, "PER1B") == 3


def test_the_grand_trunk_road_counts_as_two_regions_but_as_one_card() -> None:
    g = position(nations=("Mauryans A", "Macedonians B"), play={0: ["Grand Trunk Road"]}, history={0: ["1REG1"]})
    assert points(g, "MAU1A") == 2
    assert variable_points(g, T, 0, card("MAC1B")) == 3
    assert count_of(g, T, 0, card("GRE1B")) == 3
    assert count_of(g, T, 0, card("MAU1B")) == 1


def test_cards_in_history_are_counted_there_alone() -> None:
    g = position(nations=("Mauryans B", "Romans A"), history={0: ["1REG1", "Unrest"]}, sunken={0: ["1REG2"]})
    assert points(g, "MAU1B") == 4


def test_cards_garrisoned_under_the_card_itself_are_counted() -> None:
    g = position(
        nations=("Vikings A", "Romans A"),
        play={0: ["VIK8", "1REG4"]},
        garrison={0: {"VIK8": ["1REG1", "Unrest"], "1REG4": ["1REG2"]}},
    )
    assert points(g, "VIK8") == 2


def test_region_icons_count_as_often_as_they_are_printed() -> None:
    g = position(power=False, hand={0: ["1UNC10", "1UNC11", "1UNC12", "2REG5", "2REG11"]})
    fertile, river = 1, 3
    assert points(g, "1UNC10", HAND) == 2 * fertile
    assert points(g, "1UNC11", HAND) == fertile + river
    assert points(g, "1UNC12", HAND) == 2 * river


def test_cities_and_metropolises_are_counted_together() -> None:
    g = position(nations=("Greeks A", "Romans A"), power=False, hand={0: ["1CIV12", "GRE5", "2TRI6"]})
    assert points(g, "1CIV12", HAND) == 4


def test_the_exile_pile_is_counted() -> None:
    g = position(
        nations=("Utopians A", "Romans A"),
        play={0: ["Monastery"]},
        exile=[f"1UNC{number}" for number in range(1, 10)],
    )
    assert points(g, "Monastery") == 2


def test_unrest_that_others_score_is_counted() -> None:
    g = position(
        3,
        power=False,
        hand={0: ["1FAM3", "Unrest"], 1: ["Unrest", "Unrest"]},
        history={2: ["Unrest"]},
        nation={2: ["Unrest"]},
        play={1: ["1REG4"]},
        garrison={1: {"1REG4": ["Unrest"]}},
    )
    assert points(g, "1FAM3", HAND) == 4


def test_players_with_less_progress_are_counted_and_equal_ones_are_not() -> None:
    g = position(
        4,
        power=False,
        hand={0: ["2REG7"]},
        resources={0: (0, 0, 4), 1: (9, 9, 3), 2: (0, 0, 4), 3: (0, 0, 0)},
    )
    assert points(g, "2REG7", HAND) == 4


def test_points_of_a_card_elsewhere_can_be_asked_without_moving_it() -> None:
    g = position(power=False, hand={0: ["1FAM1"]})
    row = card("1FAM1")
    assert [card_points(g, T, 0, row, zone) for zone in (HAND, HISTORY, NATION, DEVELOPMENT)] == [3, 7, 0, 0]


# ---- Ranks ----


def ranks(g: Any) -> list[int]:
    score_game(g, T)
    return [int(rank) for rank in g.rank[: g.players]]


def test_most_points_win_and_equal_points_share_a_rank() -> None:
    g = position(4, power=False, resources={0: (0, 0, 5), 1: (0, 0, 9), 2: (9, 9, 9), 3: (0, 0, 1)})
    g.end_reason = MAIN_DECK_EMPTY
    assert ranks(g) == [3, 1, 1, 4]


def collapsed(**laid: Any) -> Any:
    g = position(3, power=False, unrest=0, **laid)
    g.end_reason = COLLAPSE
    return g


def test_after_a_collapse_the_least_unrest_wins_whatever_the_points() -> None:
    g = collapsed(
        resources={0: (0, 0, 40), 1: (0, 0, 1), 2: (0, 0, 20)},
        hand={0: ["Unrest", "Unrest"], 2: ["Unrest"]},
    )
    assert ranks(g) == [3, 1, 2]
    assert g.score[0, TOTAL] == 36


def test_after_a_collapse_points_decide_between_players_with_equal_unrest() -> None:
    g = collapsed(
        resources={0: (0, 0, 3), 1: (0, 0, 4), 2: (0, 0, 3)}, hand={0: ["Unrest"], 1: ["Unrest"], 2: ["Unrest"]}
    )
    assert ranks(g) == [2, 1, 2]


@pytest.mark.parametrize("zone", ["hand", "deck", "discard", "play", "history"])
def test_unrest_counts_in_a_collapse_in_every_zone_the_rulebook_names(zone: str) -> None:
    g = collapsed(**{zone: {0: ["Unrest"]}})
    assert ranks(g) == [3, 1, 1]


@pytest.mark.parametrize("zone", ["nation", "development"])
def test_unrest_that_is_not_scored_does_not_count_in_a_collapse(zone: str) -> None:
    assert ranks(collapsed(**{zone: {0: ["Unrest"]}})) == [1, 1, 1]


@pytest.mark.parametrize(("setting", "expected"), [(True, [3, 1, 1]), (False, [1, 1, 1])])
def test_garrisoned_and_sunken_unrest_counts_in_a_collapse_as_the_setting_says(
    setting: bool, expected: list[int]
) -> None:
    t = tables_with(garrisoned_unrest_counts=setting, sunken_unrest_counts=setting)
    # Nobody is scored, so that unrest alone decides.
    garrisoned = collapsed(play={0: ["1REG4"]}, garrison={0: {"1REG4": ["Unrest"]}})
    sunken = collapsed(sunken={0: ["Unrest"]})
    for g in (garrisoned, sunken):
        rank_after_collapse(g, t)
        assert [int(rank) for rank in g.rank[:3]] == expected


# ---- The helpers ----


def test_a_position_holds_what_it_was_given_and_no_card_twice() -> None:
    g = position(
        nations=("Celts A", "Romans B"),
        hand={0: ["Advance", "Unrest"], 1: ["Advance"]},
        market=["Coast", None, "1CIV1"],
        unrest=3,
        main=["1REG5"],
        empire=[1],
    )
    assert [IDS[row][:3] for seat in (0, 1) for row in cards_in(g, seat, HAND)] == ["CEL", "CEL", "ROM"]
    assert NAMES[g.market[0]] == "Coast"
    assert (g.market_unrest[0], g.market[1]) == (-1, -1)
    assert g.market_unrest[2] in copies("Unrest")
    assert g.zone_size[TABLE, UNREST_PILE] == 3
    assert [int(side) for side in g.state[:2]] == [0, 1]
    assert [IDS[row] for row in cards_in(g, 1, PLAY)] == ["ROM1B"]


def test_the_names_of_all_factions_are_known() -> None:
    assert len(ALL_FACTIONS) == T.factions == 32
