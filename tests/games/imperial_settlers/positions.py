"""A position of Imperial Settlers, and what one may not say, for `tests/kit/test_kit_positions.py`."""

from typing import Any

EXAMPLE: dict[str, Any] = {
    "round": 2,
    "phase": "action",
    "first": 0,
    "to_move": 0,
    "players": [
        {
            "faction": "egyptians",
            "vp": 3,
            "goods": {"wood": 1, "gold": 1, "worker": 2},
            "hand": ["Town", "COM048"],
            "locations": ["Caravan", {"card": "Castle", "used": 1, "goods": {"worker": 1}}, "Slaver"],
            "foundations": 1,
            "deck": ["Goldsmith", "Sphinx"],
            "discard": ["Oasis"],
        },
        {
            "faction": "japanese",
            "goods": {"worker": 1},
            "hand": ["Farm"],
            "locations": [{"card": "Gate", "tucked": 2, "samurai": True}, {"card": "Mill", "defence": True}],
            "deals": ["Casino", {"card": "Caravan", "of": 0}],
            "passed": True,
        },
    ],
    "decks": {"common": ["Baker", "Canteen", "Tavern"]},
    "discards": {"common": ["Statue"]},
    "moves": [
        {"p": 0, "do": "build", "card": "Town", "pay": {"wood": 1, "gold": 1}},
        {"p": 1, "do": "exchange", "for": ["wood"]},
        {"p": 0, "do": "activate", "location": "Castle", "draw": ["common"], "choices": {}},
    ],
}

LOCATIONS = ("players", 0, "locations")
WRONG: dict[str, tuple[tuple[str | int, ...], object, list[str]]] = {
    "a misspelt faction": (("players", 1, "faction"), "japnese", ["players.2.faction", "'japnese'", "'japanese'"]),
    "a faction twice": (("players", 1), {"faction": "egyptians"}, ["players.2.faction", "no faction is played twice"]),
    "five players": (("players",), [{"faction": "romans"}] * 5, ["players", "wrong number of entries", "at most 4"]),
    "no players": (("players",), [], ["players", "wrong number of entries"]),
    "negative goods": (("players", 0, "goods"), {"wood": -1}, ["players.1.goods.wood", "found: -1"]),
    "goods that are no numbers": (("players", 0, "goods"), {"wood": "many"}, ["players.1.goods.wood", "'many'"]),
    "an unknown good": (("players", 0, "goods"), {"iron": 1}, ["players.1.goods.iron", "unknown field", "wood"]),
    "negative points": (("players", 0, "vp"), -3, ["players.1.vp", "found: -3"]),
    "an unknown key of a player": (("players", 0, "hnad"), [], ["players.1.hnad", "unknown field", "'hand'"]),
    "an unknown key": (("rounds",), 2, ["rounds", "unknown field", "'round'"]),
    "a round too many": (("round",), 6, ["round", "found: 6"]),
    "an unknown phase": (("phase",), "building", ["phase", "'building'", "cleanup"]),
    "the attack phase of several players": (("phase",), "attack", ["phase", "the solo game"]),
    "a first player who is not there": (("first",), 2, ["first", "no such seat", "found: 2", "0 to 1"]),
    "a seat to move that is not there": (("to_move",), 3, ["to_move", "no such seat", "found: 3"]),
    "a seat of a move that is not there": (("moves",), [{"p": 2, "do": "pass"}], ["moves.1.p", "no such seat"]),
    "a misspelt card": (("players", 0, "hand"), ["Twon"], ["players.1.hand.1", "no such card", "did you mean 'Town'?"]),
    "a name like no other": (("players", 0, "hand"), ["Xyzzy"], ["players.1.hand.1", "no such card", "the code of a"]),
    "a card of another faction": (
        ("players", 0, "hand"),
        ["Idol"],
        ["players.1.hand.1", "a card of the Barbarians does not lie here", "'Idol'", "a card of the Egyptians"],
    ),
    "a card twice": (
        ("players", 0, "hand"),
        ["Mill"],
        ["players.2.locations.2.card", "lies elsewhere already", "'Mill'", "players.1.hand.1"],
    ),
    "a name used up": (
        ("players", 0, "hand"),
        ["Castle", "Castle"],
        ["players.1.locations.2.card", "all 2 cards lie elsewhere", "players.1.hand.1"],
    ),
    "a code named twice": (("discards", "common"), ["COM048"], ["discards.common.1", "lies elsewhere already"]),
    "a faction card in the common deck": (
        ("decks", "common"),
        ["Pyramid"],
        ["decks.common.1", "a card of the Egyptians does not lie here", "a common card"],
    ),
    "a common card in a faction's deck": (
        ("players", 0, "deck"),
        ["Baker"],
        ["players.1.deck.1", "a common card does not lie here", "a card of the Egyptians"],
    ),
    "a common card as a deal": (("players", 0, "deals"), ["Town"], ["players.1.deals.1.card", "does not lie here"]),
    "a deck that is no list": (("decks",), {"common": 60}, ["decks.common", "found: 60", "a valid list"]),
    "a deal with an own location": (
        ("players", 0, "deals"),
        [{"card": "Caravan", "of": 0}],
        ["players.1.deals.1.of", "not an opponent", "found: 0"],
    ),
    "a deal with a location that is not there": (
        ("players", 0, "deals"),
        [{"card": "Farm", "of": 1}],
        ["players.1.deals.1.card", "no such location of that seat", "Gate"],
    ),
    "a deal with a common location": (
        ("players", 0, "deals"),
        [{"card": "Mill", "of": 1}],
        ["players.1.deals.1.card", "with each faction location"],
    ),
    "a location used that cannot be": (
        LOCATIONS,
        ["Caravan", {"card": "Monument", "used": 1}],
        ["players.1.locations.2.used", "only an action location"],
    ),
    "cards under a location that is no Gate": (
        LOCATIONS,
        ["Caravan", {"card": "Monument", "tucked": 1}],
        ["players.1.locations.2.tucked", "only a Gate"],
    ),
    "goods banked elsewhere than on a Shrine": (
        LOCATIONS,
        ["Caravan", {"card": "Monument", "banked": {"wood": 1}}],
        ["players.1.locations.2.banked", "only a Shrine"],
    ),
    "a location controlled by its owner": (
        LOCATIONS,
        [{"card": "Caravan", "controlled_by": 0}],
        ["players.1.locations.1.controlled_by", "not an opponent"],
    ),
    "a row outside of a lookout phase": (("row",), ["Monument"], ["row", "in the lookout phase only"]),
    "a solo game of two": (("solo",), {"pile": 1}, ["players", "the solo game has one player"]),
    "an unknown move": (("moves",), [{"p": 0, "do": "buld", "card": "Town"}], ["moves.1.do", "did you mean 'build'?"]),
    "a move without its card": (("moves",), [{"p": 0, "do": "build"}], ["moves.1.card", "needs this field"]),
    "a key that a move has not": (
        ("moves",),
        [{"p": 0, "do": "pass", "card": "Town"}],
        ["moves.1.card", "not a key of the move pass"],
    ),
    "a misspelt card in a move": (
        ("moves",),
        [{"p": 0, "do": "build", "card": "Twon"}],
        ["moves.1.card", "no such card", "did you mean 'Town'?"],
    ),
    "a misspelt name among choices": (
        ("moves",),
        [{"p": 0, "do": "build", "card": "Town", "choices": {"Slavr": {"pay": {"gold": 1}}}}],
        ["moves.1.choices.Slavr", "no such card", "did you mean 'Slaver'?"],
    ),
    "a target that is no seat": (
        ("moves",),
        [{"p": 0, "do": "raze", "target": "left", "at": "Mill"}],
        ["moves.1.target", "neither a seat nor the virtual player", "'left'"],
    ),
}
