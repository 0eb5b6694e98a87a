"""Scoring: points by part, ranks and collapse; and all cards against a count written from the facts alone."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from sim.engine.zones import put, take_out, take_top
from sim.games.imperium.rules import constants, scoring
from sim.games.imperium.rules.constants import DISCARD_PILE, GARRISON, PLAY, TABLE
from tests.games.imperium.cases import at, lay_out
from tests.games.imperium.tables import FACTS, IDS, T, card, cards_in, dealt, position, tables_with

NOT_SCORED = ("nation", "development")


def score(g: Any, seat: int = 0, t: Any = T) -> dict[str, int]:
    """Parts of a seat's score that are not 0, and the total."""
    scoring.score_seat(g, t, seat)
    parts = dict(zip((*constants.SCORE_PARTS, "total"), g.score[seat].tolist(), strict=False))
    return {part: points for part, points in parts.items() if points or part == "total"}


# ---- The facts, counted a second time ----


class Pile:
    """A card of a seat as the facts have it: its row, the zone it lies in and the id of the card it lies under."""

    def __init__(self, row: int, zone: int, host: int) -> None:
        self.facts = FACTS[IDS[row]]
        self.zone = constants.ZONE_NAMES[zone]
        self.host = IDS[host] if host >= 0 else None


def piles(g: Any, quest_is_scored: bool = False) -> list[list[Pile]]:
    """Scored cards of each seat."""
    return [
        [
            Pile(row, zone, int(g.host[row]))
            for zone, name in enumerate(constants.ZONE_NAMES)
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
        return int(g.zone_size[TABLE, constants.EXILE_PILE])
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


SHARES = {
    "hand": 0.1, "draw_deck": 0.1, "discard": 0.1, "in_play": 0.4, "history": 0.1, "nation": 0.05, "development": 0.05,
    "sunken": 0.1,
}  # fmt: skip
"""Share of a seat's cards that is thrown into each zone."""


def scatter(g: Any, random: np.random.Generator) -> None:
    """Throw all cards of a game about: any of them to any seat and zone, garrisons under cards in play."""
    g.zone_size[:] = 0
    power = {int(T.faction_power[g.faction[seat]]) for seat in range(g.players)}
    rows = [row for row in range(T.cards) if T.kind[row] != constants.POWER or row in power]
    zones = [constants.ZONE_NAMES.index(name) for name in SHARES]
    for row in random.permutation(rows)[: int(random.integers(20, 60 * g.players))]:
        owner = int(random.choice([*range(g.players), TABLE], p=[0.9 / g.players] * g.players + [0.1]))
        zone = int(random.choice(zones, p=list(SHARES.values())))
        put(g, owner, constants.EXILE_PILE if owner == TABLE else zone, row)
    for seat in range(g.players):
        g.resource[seat] = random.integers(0, 30, 3)
        for row in cards_in(g, seat, DISCARD_PILE)[::2]:
            if g.zone_size[seat, PLAY] > 0:
                take_out(g, seat, DISCARD_PILE, row)
                put(g, seat, GARRISON, row)
                g.host[row] = int(random.choice(cards_in(g, seat, PLAY)))


@pytest.mark.parametrize("quest_is_scored", [False, True])
def test_scores_of_random_piles_are_those_of_a_naive_count(quest_is_scored: bool, scaled: Callable[..., int]) -> None:
    t = tables_with(active_quest_is_scored=quest_is_scored)
    random = np.random.default_rng(int(quest_is_scored))
    for game in range(scaled(24, 10, full_count=1200)):
        g = dealt(2 + game % 3, block=game)
        scatter(g, random)
        scoring.score_game(g, t)
        for seat in range(g.players):
            assert g.score[seat, scoring.TOTAL] == naive_total(g, seat, quest_is_scored)
            assert g.score[seat, : scoring.TOTAL].sum() == g.score[seat, scoring.TOTAL]
            assert not g.score[seat, scoring.TOTAL + 1 :].any()


def test_every_card_with_points_is_scored_as_its_facts_say() -> None:
    g = position(2, ("Romans B", "Greeks B"), power=False, resources={0: (17, 11, 7), 1: (0, 0, 5)})
    for name, facts in FACTS.items():
        if "vp" in facts and name not in ("FAM9A", "FAM9B"):
            for zone, zone_name in enumerate(constants.ZONE_NAMES):
                if zone_name not in (*NOT_SCORED, "garrisoned"):
                    put(g, 0, zone, card(name))
                    assert score(g)["total"] == naive_total(g, 0), (name, zone_name)
                    take_top(g, 0, zone)


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
    ("variable cards are a part of their own in every zone", at(history="1TRI3", hand="1CIV1, 1CIV2"),
     {"variable": 2, "other": 4}),
]
# fmt: on


@pytest.mark.parametrize(("laid", "parts"), [pytest.param(*row[1:], id=row[0]) for row in SCORED])
def test_parts_of_a_score(laid: dict[str, Any], parts: dict[str, int]) -> None:
    g, t = lay_out(laid)
    assert score(g, t=t) == {**parts, "total": sum(parts.values())}


# ---- Ranks ----

# fmt: off
LEAST = at(has=(0, 0, 40), has1=(0, 0, 1), has2=(0, 0, 20), hand="Unrest, Unrest", hand2="Unrest")
LEVEL = at(has=(0, 0, 3), has1=(0, 0, 4), has2=(0, 0, 3), hand="Unrest", hand1="Unrest", hand2="Unrest")
POINTS = at(has=(0, 0, 5), has1=(0, 0, 9), has2=(9, 9, 9))
UNDER = at(play="1REG4", garrison={"1REG4": "Unrest"})
RANKED: list[tuple[str, dict[str, Any], list[int]]] = [
    ("most points win and equal points share a rank", POINTS | {"end_reason": constants.MAIN_DECK_EMPTY}, [3, 1, 1]),
    ("after a collapse the least unrest wins whatever the points", LEAST, [3, 1, 2]),
    ("points decide between players with equal unrest", LEVEL, [2, 1, 2]),
    *((f"unrest counts: {zone}", at(**{zone: "Unrest"}), [3, 1, 1]) for zone in ("hand", "deck", "discard", "play",
      "history")),
    *((f"unrest does not count: {zone}", at(**{zone: "Unrest"}), [1, 1, 1]) for zone in ("nation", "development")),
]
# fmt: on


@pytest.mark.parametrize(("laid", "expected"), [pytest.param(*row[1:], id=row[0]) for row in RANKED])
def test_ranks(laid: dict[str, Any], expected: list[int]) -> None:
    g, t = lay_out({"players": 3, "unrest": 0, "end_reason": constants.COLLAPSE} | laid)
    scoring.score_game(g, t)
    assert g.rank[:3].tolist() == expected


@pytest.mark.parametrize("laid", [UNDER, at(sunken="Unrest")])
@pytest.mark.parametrize(("counts", "expected"), [(True, [3, 1, 1]), (False, [1, 1, 1])])
def test_garrisoned_and_sunken_unrest_counts_in_a_collapse_as_the_setting_says(
    laid: dict[str, Any], counts: bool, expected: list[int]
) -> None:
    rules = dict.fromkeys(("garrisoned_unrest_counts", "sunken_unrest_counts"), counts)
    g, t = lay_out(laid | {"players": 3, "unrest": 0, "rules": rules})
    scoring.rank_after_collapse(g, t)  # Nobody is scored, so that unrest alone decides.
    assert g.rank[:3].tolist() == expected
