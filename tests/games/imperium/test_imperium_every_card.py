"""Every ability of every card changes a rich position as the slow model of its operations says."""

import copy
from typing import Any

import numpy as np
import pytest

from sim.engine.effect_stack import push
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.payment import development_price
from sim.games.imperium.rules.plays import can_use, play_card, use_ability
from tests.games.imperium import naive_cards as naive
from tests.games.imperium.naive_cards import FACTS
from tests.games.imperium.playing import TAKES_LOWEST, may_play, play, resolve, scripted, turn, use
from tests.games.imperium.tables import IDS, NAMES, T, card, cards_in, found, position

SECTIONS = {
    "solstice": constants.SOLSTICE_PROGRAM,
    "react": constants.REACT_PROGRAM,
    "when": constants.WHEN_PROGRAM,
    "on_resolve": constants.RESOLVE_PROGRAM,
}
TABLE_ZONES = ("region", "uncivilised", "civilised", "main", "fame", "exile")
RICH: dict[str, Any] = {
    "hand": {
        0: ["OLM12", "OLM13", "OLM18", "UTO12", "UTO13", "ART9", "1FAM2", "1CIV3", "1REG11", "UNR1", "UNR2"],
        1: ["OLM19", "UTO15", "1UNC21", "1CIV13", "UNR3"],
    },
    "deck": {
        0: ["1TRI2", "1TRI8", "1CIV12", "2TRI1", "2FAM2", "2FAM7", "1TRI6", "2UNC21"],
        1: ["2CIV12", "2CIV13", "1TRI4"],
    },
    "discard": {0: ["ART10", "OLM20", "UTO14", "1REG2", "1CIV2", "UNR4", "UNR5"], 1: ["1UNC9"]},
    "play": {0: ["1REG4", "1REG5", "1REG10", "1UNC15", "1CIV6"], 1: ["2REG2", "2REG3", "2UNC14", "1UNC6"]},
    "history": {0: ["1FAM5"]},
    "nation": {0: ["SCY2", "SCY10", "SCY11"]},
    "development": {0: ["1CIV10", "EGY8", "EGY4"]},
    "regions": ["1REG6", "1REG7", "1REG8"],
    "uncivilised": ["1UNC4", "1UNC3"],
    "civilised": ["2CIV2", "2CIV3"],
    "main": ["1REG9", "2UNC22", "2CIV14", "2TRI9"],
    "fame": ["1FAM6", "1FAM7", "2FAM5"],
    "exile": ["2REG10", "2TRI8"],
}
GUESTS = {"1REG4": ["ART18"], "1REG5": ["ART19"]}
MARKET = ("2REG11", "1UNC12", "1CIV4", "1UNC19", "1TRI1")
TOLD_IN_SENTENCES = {
    "abandon_garrisoned",
    "active_quest_to",
    "avoid_attack",
    "copy_exhaust_of",
    "double_gained",
    "exile_impending_quest",
    "fame_look_extra",
    "flip",
    "garrison_quest_here",
    "gain_all_on_self",
    "ignore_state_icon_next_play",
    "nation_top_to_bottom",
    "place_on_self",
    "reduce_required_discard",
    "replace_self_with",
    "treat_icon_as",
}
"""Operations of a card or two, in test_imperium_keywords.py and test_imperium_nations.py; so is Shangri-la's."""


def operations(fact: dict[str, Any], section: str) -> Any:
    """Operations of a section; of a reaction with its cost."""
    if section == "react":
        for reaction in fact.get("react", ()):
            return [["cost", reaction["cost"], reaction["do"]]] if "cost" in reaction else reaction["do"]
    if section == "when":
        for passive in fact.get("passive", ()):
            if passive[0] == "when":
                return passive[2:]
    return fact.get(section, [])


def said(content: Any) -> set[str]:
    """First words of all lists in operations."""
    parts = content.values() if isinstance(content, dict) else content if isinstance(content, list) else ()
    first = {content[0]} if isinstance(content, list) and content and isinstance(content[0], str) else set()
    return first.union(*(said(part) for part in parts))


def cases() -> list[tuple[str, str, str]]:
    """Abilities with the states in which they are tried: both only where the operations speak of the state."""
    found_cases = []
    for fact in FACTS:
        for section in ("play", "exhaust", *SECTIONS):
            ops = operations(fact, section)
            if ops and not said(ops) & TOLD_IN_SENTENCES and (fact["id"], section) != ("UTO3B", "exhaust"):
                both = constants.STATES if {"state", "if_state", "develop"} & said(ops) else constants.STATES[:1]
                states = [fact["state"]] if section == "play" and "state" in fact else both
                found_cases += [(fact["id"], section, state) for state in states]
    return found_cases


def rich_position(fact: dict[str, Any], section: str, state: str) -> Any:
    """Lay out the rich position with a card in its hand or in play, and with the cards that it asks for."""
    nation = FACTS[card(f"{fact['id'][:3]}1A")]["name"] if "nation" in fact else "Romans"
    side = fact["id"][-1] if fact["kind"] == "power" else "B"
    zones = copy.deepcopy(RICH)
    others: dict[str, Any] = {"play": [], "history": [], "discard": []}
    for condition in fact.get("require", ()):
        others["play" if condition[0] == "in_play" else "history"].append(condition[1].removeprefix("card:"))
    text = str(operations(fact, section))
    for name in ("Indian Elephants", "Arthashastra", "Guennuvar"):
        if f"'find', 'card:{name}'" in text:
            others["discard"].append(name)
    for name in ("City of Rome", "City of Camelot", "Scandinavia", "Palace of Poseidon", "Ynys Afallach (Avalon)"):
        if f"card:{name}" in text and name not in others["play"]:
            others["play"].append(name)
    if "Long Walls" in text:
        others["play"] += ["QIN2", "QIN3"]
    for name, listed in others.items():
        zones[name][0] += listed
    if fact["kind"] != "card" and "on_resolve" in fact:
        zones["fame"] = []
    else:
        zones["hand" if section == "play" else "play"][0].append(fact["id"])
    drop(zones, fact["id"], zones["hand" if section == "play" else "play"][0])
    hosts = {host: guests for host, guests in GUESTS.items() if host != fact["id"]}
    if "garrisoned_here_at_least" in text:
        hosts[fact["id"]] = ["1UNC22", "UTO16"]
    enemy = "Persians B" if nation != "Persians" else "Scythians B"
    g = position(
        nations=(f"{nation} {side}", enemy),
        power=False,
        unrest=6 if "pay_up_to" in text else 3,
        resources={0: (9, 9, 9), 1: (1, 4, 4)},
        market=[name if name != fact["id"] else None for name in MARKET],
        garrison={0: {host: [c for c in guests if c != fact["id"]] for host, guests in hosts.items()}},
        **zones,
    )
    g.state[0] = constants.STATES.index(state)
    for name in others["play"]:
        # They are there to be asked for, not to react.
        g.exhausted[found(g, 0, constants.PLAY, name)] = 1
    if "resource_at_least" in text:
        g.resource[0, 1] = 24
    g.market_tokens[1] = (1, 1, 0)
    g.market_tokens[2] = (0, 0, 2)
    g.exhausted[found(g, 0, constants.PLAY, "1REG5" if fact["id"] != "1REG5" else "1REG4")] = 1
    return g


def drop(zones: dict[str, Any], name: str, keep: Any) -> None:
    """Take a card out of all lists but the end of one."""
    for content in zones.values():
        for listed in content.values() if isinstance(content, dict) else [content]:
            while name in (listed[:-1] if listed is keep else listed):
                listed.remove(name)


def snapshot(g: Any) -> naive.Position:
    """The position as the slow model has it: unrest only counted, in hands and discard piles."""
    p: naive.Position = {
        "players": int(g.players),
        "nation": [NAMES[T.faction_power[g.faction[seat]]] for seat in range(g.players)],
        "zones": {},
        "resources": [[int(n) for n in g.resource[seat]] for seat in range(g.players)],
        "actions": [int(n) for n in g.actions[: g.players]],
        "exhausts": [int(n) for n in g.exhausts[: g.players]],
        "state": [constants.STATES[g.state[seat]] for seat in range(g.players)],
        "exhausted": set(np.flatnonzero(g.exhausted).tolist()),
        "host": {
            row: int(g.host[row])
            for seat in range(g.players)
            for row in cards_in(g, seat, constants.GARRISON)
            if not T.suits[row] & constants.UNREST
        },
        "unrest": int(g.zone_size[constants.TABLE, constants.UNREST_PILE]),
        "market": [],
        "ending": bool(g.ending != constants.NOT_ENDING),
    }
    for seat in range(g.players):
        for number, name in enumerate(constants.ZONE_NAMES):
            rows = cards_in(g, seat, number)
            p["zones"][seat, name] = [row for row in rows if not T.suits[row] & constants.UNREST]
        for key, number in (("unrest_of", constants.HAND), ("unrest_discarded", constants.ZONE_NAMES.index("discard"))):
            rows = cards_in(g, seat, number)
            p.setdefault(key, []).append(sum(bool(T.suits[row] & constants.UNREST) for row in rows))
    for name in TABLE_ZONES:
        p["zones"][name] = cards_in(g, constants.TABLE, constants.TABLE_ZONE_NAMES.index(name))
    for slot in range(len(g.market)):
        row = None if g.market[slot] == constants.NO_CARD else int(g.market[slot])
        tokens = [int(n) for n in g.market_tokens[slot]]
        p["market"].append({"card": row, "tokens": tokens, "unrest": bool(g.market_unrest[slot] != constants.NO_CARD)})
    return p


def sorted_zones(p: naive.Position) -> dict[Any, Any]:
    """A position to compare, with cards by name and without the order of zones."""
    zones = {key: sorted(IDS[row] for row in rows) for key, rows in p["zones"].items()}
    return {key: value for key, value in p.items() if key != "zones"} | zones


CASES = cases()


@pytest.mark.parametrize("start", sorted({name[:3] for name, _, _ in CASES}))
def test_an_ability_does_what_the_slow_model_of_its_operations_does(start: str) -> None:
    for case in CASES:
        if case[0].startswith(start):
            compare_with_slow_model(*case)


def compare_with_slow_model(name: str, section: str, state: str) -> None:
    """Compare what an ability of a card makes of the rich position with what the slow model makes of it."""
    fact = FACTS[card(name)]
    g = rich_position(fact, section, state)
    before = snapshot(g)
    expected = copy.deepcopy(before)
    row = card(name)
    players = scripted(willing=TAKES_LOWEST)
    if section == "play":
        play_card(g, T, 0, row, constants.HAND, 1)
        if "unrest" in fact.get("suits", ()):
            naive.play_unrest(expected, 0)
        else:
            naive.play(expected, 0, row, "hand")
    else:
        effect = naive.new_effect(0, row)
        if section == "exhaust":
            assert can_use(g, T, 0, row)
            use_ability(g, T, 0, row)
            expected["exhausts"][0] -= 1
            expected["exhausted"].add(row)
        else:
            g.activating = 0
            push(g, int(T.program[row, SECTIONS[section]]), 0, row, -1)
        naive.run(expected, 0, operations(fact, section), effect)
    resolve(g, T, players)
    after = snapshot(g)
    assert sorted_zones(after) == sorted_zones(expected), (name, section, state)
    assert section == "play" or sorted_zones(after) != sorted_zones(before), (name, section, state)


# ---- Passives ----


def with_passive(word: str) -> list[Any]:
    """Cards with a passive, and what it says."""
    pairs = [(fact["id"], passive) for fact in FACTS for passive in fact.get("passive", ()) if passive[0] == word]
    return [pytest.param(name, passive, id=f"{name}-{place}") for place, (name, passive) in enumerate(pairs)]


def in_play(name: str, **zones: Any) -> Any:
    """Lay out a card in play and little else."""
    return position(power=False, **{"play": {0: [name]}, **zones})


@pytest.mark.parametrize(("name", "passive"), with_passive("hand_size"))
def test_a_card_raises_the_hand_size(name: str, passive: list[Any]) -> None:
    g = in_play(name, deck={0: [f"UNR{number}" for number in range(1, 9)]}, unrest=2)
    turn(g)
    assert g.zone_size[0, constants.HAND] == 5 + passive[1]


@pytest.mark.parametrize(("name", "passive"), with_passive("ignore_state_icon"))
def test_a_card_lets_a_state_icon_be_ignored(name: str, passive: list[Any]) -> None:
    _, what, state = passive
    meant = {"card:Conquer": "ROM17", "card:Advance": "ROM16", "attack": "CEL18"}[what]
    assert FACTS[card(meant)]["state"] == state
    g = in_play(name, hand={0: [meant, "GRE19"]}, resources={0: (9, 9, 9)}, empire=[0])
    assert may_play(g, meant)
    assert not may_play(g, "GRE19")


@pytest.mark.parametrize(("name", "passive"), with_passive("unrest_play_cost"))
def test_a_card_makes_unrest_cheaper_to_play(name: str, passive: list[Any]) -> None:
    _, kinds, change, _ = passive
    g = in_play(name, hand={0: ["Unrest"]}, resources={0: (3 + change, 0, 0)})
    play(g, "Unrest")
    assert list(g.resource[0]) == [0, 0, 0]
    for others_held, expected in ((2 + change, "cards" in kinds), (2, True)):
        g = in_play(name, hand={0: ["Unrest", "Glory", "Prosperity"][: 1 + others_held]})
        assert may_play(g, "Unrest") == expected


@pytest.mark.parametrize(("name", "passive"), with_passive("development_cost"))
def test_a_card_makes_development_cheaper(name: str, passive: list[Any]) -> None:
    _, resource, change, _ = passive
    column = naive.RESOURCES.index(resource)
    for other in range(T.cards):
        price = int(T.cost[other, column])
        if price > 0:
            assert development_price(in_play(name), T, 0, other, column) == max(0, price + change)
            break
    g = position(power=False)
    assert development_price(g, T, 0, other, column) == price


@pytest.mark.parametrize(("name", "passive"), with_passive("may_acquire_from_exile"))
def test_a_card_lets_exiled_cards_be_acquired(name: str, passive: list[Any]) -> None:
    exile = {"region": "Coast", "tributary": "Armenians"}
    for suit, found_there in exile.items():
        g = in_play(name, hand={0: ["ROM17"]}, resources={0: (0, 2, 0)}, exile=[found_there])
        play(g, "Conquer")
        assert (card(found_there) in cards_in(g, 0, constants.HAND)) == (suit in passive[1])


@pytest.mark.parametrize(("name", "region"), [("1UNC10", "1REG4"), ("PER5", "1REG4"), ("2UNC12", "1REG5")])
def test_a_card_lets_an_icon_count_as_three_production(name: str, region: str) -> None:
    g = position(power=False, play={0: [name, region]}, hand={0: ["SCY14"]})
    use(g, name)
    play(g, "SCY14")
    assert list(g.resource[0]) == [4, 0, 0]


def test_every_ability_is_compared_or_told_in_a_sentence() -> None:
    told = [
        (fact["id"], section)
        for fact in FACTS
        for section in ("play", "exhaust", *SECTIONS)
        if said(operations(fact, section)) & TOLD_IN_SENTENCES
    ]
    assert {name for name, _ in told} == {
        *("CAR1A", "PER5", "ROM1A", "SCY20", "VIK1A", "VIK1B", "VIK4", "ART2", "ART5", "ART16", "ART23", "MIN16"),
        *("OLM3", "QIN1A", "UTO2A", "UTO2B", "UTO3A", "FAM9A", "1UNC10", "1UNC14", "2UNC12", "2REG12", "2TRI2"),
    }
