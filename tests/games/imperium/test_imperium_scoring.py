"""Scoring: points by part, ranks and collapse; and all cards against a count written from the facts alone."""

from collections.abc import Callable, Mapping
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
    rank_after_collapse,
    score_game,
    score_seat,
)
from tests.games.imperium.cases import at, lay_out
from tests.games.imperium.tables import FACTS, IDS, NAMES, T, card, cards_in, copies, dealt, position, tables_with

NOT_SCORED = ("nation", "development")


def score(g: Any, seat: int = 0, t: Any = T) -> dict[str, int]:
    """Parts of a seat's score that are not 0, and the total."""
    score_seat(g, t, seat)
    parts = dict(zip((*SCORE_PARTS, "total"), g.score[seat].tolist(), strict=False))
    return {part: points for part, points in parts.items() if points or part == "total"}


# ---- The facts, counted a second time ----


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
    for game in range(scaled(20, 10, full_count=400)):
        g = dealt(2 + game % 3, seed=seed, block=game)
        scatter(g, random)
        for seat in range(g.players):
            assert score(g, seat, t)["total"] == naive_total(g, seat, quest_is_scored)


def test_every_card_with_points_is_scored_as_its_facts_say() -> None:
    g = position(2, ("Romans B", "Greeks B"), power=False, resources={0: (17, 11, 7), 1: (0, 0, 5)})
    for name, facts in FACTS.items():
        if "vp" in facts and facts["id"] not in ("FAM9A", "FAM9B"):
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


# ---- Parts ----

# fmt: off
GRAAL = at(nations="Arthurians A, Romans A", power=True, garrison={"King Arthur's Court": "Graal"})
SCORED: list[tuple[str, dict[str, Any], dict[str, int]]] = [
    ("each progress token is a point and other tokens are none", at(has=(9, 0, 4)), {"progress": 4}),
    *((f"cards are scored: {zone}", at(**{zone: "1REG1"}), {"history" if zone in ("history",
      "sunken") else "regions": 1})
      for zone in ("hand", "deck", "discard", "play", "history", "sunken")),
    *((f"cards score nothing: {zone}", at(nations="Celts A, Romans A", **{zone: "Chainmail, Unrest"}),
      {}) for zone in ("nation", "development")),
    ("garrisoned cards are scored", at(play="1REG4", garrison={"1REG4": "1REG1"}), {"regions": 1}),
    ("an active quest too", GRAAL, {"other": 8}),
    ("unless the setting says not", GRAAL | {"rules": {"active_quest_is_scored": False}}, {}),
    ("stored progress is not yet scored", at(play="1REG4", stored={"1REG4": 3}), {}),
    ("unless the setting says so", at(play="1REG4", stored={"1REG4": 3}, rules={"tokens_on_cards_score": True}),
     {"progress": 3}),
    ("unrest costs two points wherever it lies", at(hand="Unrest", history="Unrest", discard="Unrest, Unrest"),
     {"unrest": -8}),
    ("the power card and King Arthur's Court are one part", at(nations="Arthurians B, Romans A", power=True,
     hand="1CIV1, 1CIV2"),
     {"power": 6 + 2, "other": 4}),
    ("fame cards are a part", at(hand="1FAM1"), {"fame": 3}),
    ("whatever kind their points are", at(history="1FAM1"), {"fame": 7}),
    ("points of plain cards belong to history, regions or the rest by where they lie",
     at(history="1REG1, 1TRI1", play="1REG2", hand="1TRI2"), {"history": 1 + 3, "regions": 1, "other": 3}),
    ("the Mandate of Heaven costs two points", at(nations="Qin A, Romans A", hand="Mandate of Heaven"), {"other": -2}),
    ("unless it is in play", at(nations="Qin A, Romans A", play="Mandate of Heaven"), {}),
    *((f"resources are counted in full lots: {material}", at(nations="Carthaginians B, Romans A", power=True,
      has=(material, 0, 0)),
       {"power": points} if points else {}) for material, points in ((0, 0), (2, 0), (3, 1), (8, 2), (29, 9))),
    ("progress tokens are beyond the cap", at(nations="Minoans B, Romans A", power=True, has=(0, 0, 25)),
     {"progress": 25, "power": 10}),
]
# fmt: on


@pytest.mark.parametrize(("laid", "parts"), [pytest.param(*row[1:], id=row[0]) for row in SCORED])
def test_parts_of_a_score(laid: dict[str, Any], parts: dict[str, int]) -> None:
    g, t = lay_out(laid)
    assert score(g, t=t) == {**parts, "total": sum(parts.values())}


def test_part_names_are_in_the_order_of_the_columns() -> None:
    parts = (PROGRESS_PART, POWER_PART, FAME_PART, VARIABLE_PART, HISTORY_PART, REGION_PART, OTHER_PART, UNREST_PART)
    assert parts == tuple(range(len(SCORE_PARTS)))
    assert (SCORE_PARTS[PROGRESS_PART], SCORE_PARTS[UNREST_PART]) == ("progress", "unrest")
    assert len(SCORE_PARTS) == TOTAL


def test_variable_cards_are_a_part_of_their_own_in_every_zone() -> None:
    g = position(power=False, history={0: ["1TRI3"]}, hand={0: ["1CIV1", "1CIV2"]})
    assert score(g)["variable"] == 2


# ---- Ranks ----

# fmt: off
COUNTS = ("garrisoned_unrest_counts", "sunken_unrest_counts")
LEAST = at(has=(0, 0, 40), has1=(0, 0, 1), has2=(0, 0, 20), hand="Unrest, Unrest", hand2="Unrest")
LEVEL = at(has=(0, 0, 3), has1=(0, 0, 4), has2=(0, 0, 3), hand="Unrest", hand1="Unrest", hand2="Unrest")
UNDER = at(play="1REG4", garrison={"1REG4": "Unrest"})
COLLAPSED: list[tuple[str, dict[str, Any], list[int]]] = [
    ("the least unrest wins whatever the points", LEAST, [3, 1, 2]),
    ("points decide between players with equal unrest", LEVEL, [2, 1, 2]),
    *((f"unrest counts: {zone}", at(**{zone: "Unrest"}), [3, 1, 1]) for zone in ("hand", "deck", "discard", "play",
      "history")),
    *((f"unrest does not count: {zone}", at(**{zone: "Unrest"}), [1, 1, 1]) for zone in ("nation", "development")),
]
# fmt: on


def ranks(g: Any) -> list[int]:
    score_game(g, T)
    return [int(rank) for rank in g.rank[: g.players]]


def test_most_points_win_and_equal_points_share_a_rank() -> None:
    g = position(4, power=False, resources={0: (0, 0, 5), 1: (0, 0, 9), 2: (9, 9, 9), 3: (0, 0, 1)})
    g.end_reason = MAIN_DECK_EMPTY
    assert ranks(g) == [3, 1, 1, 4]


@pytest.mark.parametrize(("laid", "expected"), [pytest.param(*row[1:], id=row[0]) for row in COLLAPSED])
def test_ranks_after_a_collapse(laid: dict[str, Any], expected: list[int]) -> None:
    g, _ = lay_out(laid | {"players": 3, "unrest": 0, "end_reason": COLLAPSE})
    assert ranks(g) == expected


@pytest.mark.parametrize("laid", [UNDER, at(sunken="Unrest")])
@pytest.mark.parametrize(("counts", "expected"), [(True, [3, 1, 1]), (False, [1, 1, 1])])
def test_garrisoned_and_sunken_unrest_counts_in_a_collapse_as_the_setting_says(
    laid: dict[str, Any], counts: bool, expected: list[int]
) -> None:
    rules = dict.fromkeys(COUNTS, counts)
    g, t = lay_out(laid | {"players": 3, "unrest": 0, "rules": rules})
    rank_after_collapse(g, t)  # Nobody is scored, so that unrest alone decides.
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
