"""A position of History of the World, and what one may not say, for `tests/kit/test_kit_positions.py`."""

from typing import Any

EXAMPLE: dict[str, Any] = {
    "map": {
        "regions": {"Isles": {"tokens": {"1": 3}}},
        "lands": {
            "Thule": {"region": "Isles", "resource": True, "bodies": ["Cold Sea"]},
            "Skerry": {"region": "Isles", "terrain": "forest", "bodies": ["Cold Sea"]},
        },
        "bodies": {"Cold Sea": {"kind": "sea"}},
    },
    "players": [{"name": "blue", "score": 4}, {"name": "red", "score": 9}, {"name": "gold", "score": 2}],
    "lands": {
        "Thule": {"army": "blue", "active": True, "structures": ["capital"]},
        "Skerry": {"army": "red"},
    },
    "turn": {"player": "blue", "armies": 1, "fleets": ["Cold Sea"]},
    "moves": [
        {
            "do": "conquer",
            "land": "Skerry",
            "battles": [
                {"attacker": [6, 2], "defender": [3], "rerolls": [{"by": "defender", "from": 3, "to": 4}]},
            ],
        }
    ],
}
"""The example of docs/records.md."""

BATTLE = ("moves", 0, "battles", 0)

WRONG: dict[str, tuple[tuple[str | int, ...], object, list[str]]] = {
    "a key there is not": (("round",), 1, ["unknown field", "round"]),
    "a data set there is not": (("data",), "edition-2018", ["field data", "reconstruction-2018"]),
    "an epoch there is not": (("epoch",), 6, ["field epoch", "1 to 5"]),
    "an epoch that is no number": (("epoch",), "I", ["field epoch"]),
    "a region that is not on the map": (("map", "lands", "Thule", "region"), "Isle", ["did you mean 'Isles'"]),
    "a border to nowhere": (("map", "lands", "Thule", "borders"), ["Skery"], ["field map.lands.Thule.borders.1"]),
    "a land joined to itself": (("map", "lands", "Thule", "stepping_stones"), ["Thule"], ["not joined to itself"]),
    "a body that is not on the map": (("map", "lands", "Thule", "bodies"), ["Warm Sea"], ["no such body"]),
    "a terrain there is not": (("map", "lands", "Thule", "terrain"), "desert", ["mountain", "forest"]),
    "a kind of body there is not": (("map", "bodies", "Cold Sea", "kind"), "lake", ["sea", "barren"]),
    "a token of no epoch": (("map", "regions", "Isles", "tokens"), {"6": 1}, ["no such epoch"]),
    "a land without a region": (("map", "lands", "Thule"), {}, ["map.lands.Thule.region", "missing"]),
    "an empire twice": (("empires",), [{"empire": "Huns"}] * 2, ["field empires.2", "stands twice"]),
    "a start land there is not": (
        ("empires",), [{"empire": "Huns", "start_lands": ["Thul"]}], ["empires.1.start_lands.1"],
    ),
    "two fleets in one sea": (
        ("turn", "fleets"),
        ["Cold Sea", "Cold Sea"],
        ["field turn.fleets: named twice", "'Cold Sea'"],
    ),
    "two fleets of a card in one sea": (
        ("empires",),
        [{"empire": "Huns", "fleets": ["Cold Sea", "Cold Sea"]}],
        ["field empires.1.fleets: named twice"],
    ),
    "more effects than a card has room for": (
        ("events",),
        [
            {
                "event": "War",
                "kind": "kingdom",
                "ability": {"swap": 1, "forts": 1, "armies": 1},
                "effect": {"destroy": 1, "battle_bonus": 2},
            }
        ],
        ["field events.1.effect: too many effects (found: 5)", "at most 4, those of ability included"],
    ),
    "more operations of an empire than it has room for": (
        ("empires",),
        [{"empire": "Huns", "ability": {"swap": 1, "forts": 1, "armies": 1, "destroy": 1, "battle_bonus": 2}}],
        ["field empires.1.ability: wrong number of entries (found: 5); allowed: at most 4"],
    ),
    "a fleet on land": (("empires",), [{"empire": "Huns", "fleets": ["Thule"]}], ["empires.1.fleets.1", "Cold Sea"]),
    "an effect there is not": (
        ("events",), [{"event": "Calm", "kind": "enhancement", "effect": {"fort": 1}}], ["events.1.effect", "forts"],
    ),
    "a kind of event there is not": (("events",), [{"event": "Calm", "kind": "calm"}], ["events.1.kind"]),
    "an enhancement with armies": (
        ("events",), [{"event": "Calm", "kind": "enhancement", "armies": 3}], ["only a kingdom has this"],
    ),
    "a player without a name": (("players", 0), {"score": 3}, ["field players.1.name", "missing"]),
    "two players of a name": (("players", 1, "name"), "blue", ["two players of this name"]),
    "a player too many": (("players",), [{"name": str(each)} for each in range(7)], ["field players", "at most 6"]),
    "a score below none": (("players", 0, "score"), -1, ["field players.1.score"]),
    "an empire that is no card": (("players", 0, "empire"), "Sumerian", ["did you mean 'Sumerians'"]),
    "an empire that two have": (
        ("players",), [{"name": each, "empire": "Greeks"} for each in ("blue", "red")], ["players.2.empire"],
    ),
    "an event that is no card": (("players", 0, "events"), ["Weapons"], ["players.1.events.1", "no such event"]),
    "an event that two hold": (
        ("players",), [{"name": each, "events": ["Weaponry"]} for each in ("blue", "red")], ["is held already"],
    ),
    "an event of a later epoch": (
        ("players", 0, "events"), [{"event": "Weaponry", "drafted": 2}], ["players.1.events.1.drafted"],
    ),
    "an army of nobody": (("lands", "Skerry", "army"), "green", ["field lands.Skerry.army", "no such player"]),
    "a land there is not": (("lands", "Skery"), {}, ["did you mean 'Skerry'"]),
    "a structure there is not": (("lands", "Skerry", "structures"), ["fort"], ["capital", "monument"]),
    "a capital and a city": (("lands", "Skerry", "structures"), ["capital", "city"], ["not both"]),
    "an active land without an army": (("lands", "Skerry"), {"active": True}, ["lands.Skerry.active"]),
    "a turn of nobody": (("turn", "player"), "green", ["field turn.player", "no such player"]),
    "a step there is not": (("turn", "step"), "fight", ["conquest"]),
    "a kingdom at another step": (("turn",), {"player": "blue", "kingdom": "Phoenicians", "step": "score"}, ["turn"]),
    "a kingdom that is none": (("turn",), {"player": "blue", "kingdom": "Weaponry"}, ["turn.kingdom", "no kingdom"]),
    "a fleet in no water": (("turn", "fleets"), ["Warm Sea"], ["field turn.fleets.1", "Cold Sea"]),
    "a caravan at sea": (("turn", "caravans"), ["Cold Sea"], ["caravans.1: caravans stand in barren", "allowed: none"]),
    "a move there is not": (("moves", 0, "do"), "conker", ["did you mean 'conquer'"]),
    "a move without its land": (("moves",), [{"do": "fort"}], ["field moves.1.land"]),
    "a key of another move": (("moves",), [{"do": "found", "land": "Thule"}], ["not a key of the move found"]),
    "a land of a move there is not": (("moves", 0, "land"), "Skery", ["field moves.1.land"]),
    "a way there is not": (("moves", 0, "way"), "ship", ["moves.1.way", "fleet"]),
    "a seven": ((*BATTLE, "attacker"), [7, 2], ["moves.1.battles.1.attacker.1"]),
    "a re-roll by nobody": ((*BATTLE, "rerolls"), [{"from": 3, "to": 4}], ["rerolls.1.by", "missing"]),
    "a re-roll of nothing": ((*BATTLE, "rerolls"), [{"by": "defender", "to": 4}], ["rerolls.1.from"]),
    "a pass with a die": (
        (*BATTLE, "rerolls"), [{"by": "defender", "pass": True, "from": 3, "to": 4}], ["rerolls.1.from"],
    ),
    "something else than a siege": ((*BATTLE, "then"), "wait", ["battles.1.then", "siege token"]),
    "odds by a policy there is not": (("odds",), {"policy": "best"}, ["odds.policy", "survive"]),
    "a set-up for two": (("setup",), {"players": 2, "drawn": ["a", "b"]}, ["setup.players"]),
    "a set-up with a marker too few": (("setup",), {"players": 3, "drawn": ["a", "b"]}, ["field setup.drawn"]),
    "a card for nobody": (("classic",), {"stack": "events", "gives": ["green"]}, ["field classic.gives.1"]),
}  # fmt: skip
