"""A position of Imperium, and what one may not say, for `tests/kit/test_kit_positions.py`."""

from typing import Any

EXAMPLE: dict[str, Any] = {
    "commons": "classics",
    "players": [
        {
            "nation": "Celts",
            "side": "A",
            "resources": {"material": 4, "population": 1, "progress": 3},
            "zones": {
                "hand": ["Advance", "Conquer", "Celtic Innovation", "Unrest"],
                "draw_deck": ["Boats", "Unrest"],
                "in_play": ["Celtica"],
                "garrisoned": {"Celtica": ["Cattle Raid"]},
                "development": ["Chariots", "Chainmail"],
            },
        },
        {
            "nation": "Romans",
            "side": "B",
            "state": "empire",
            "resources": {"progress": 1},
            "zones": {"hand": ["Advance"]},
        },
    ],
    "market": ["Oasis", {"card": "City", "tokens": {"progress": 2}}, None],
    "decks": {"unrest": 4},
}

WRONG: dict[str, tuple[tuple[str | int, ...], object, list[str]]] = {
    "a misspelt nation": (("players", 1, "nation"), "Romnas", ["players.2.nation", "'Romnas'", "'Romans'"]),
    "an unknown side": (("players", 0, "side"), "C", ["players.1.side", "'C'", "A, B"]),
    "a misspelt card": (
        ("players", 0, "zones", "hand"),
        ["Celtic Gild"],
        ["players.1.zones.hand.1", "no such card", "did you mean 'Celtic Gold'?"],
    ),
    "a name like no other": (("exile",), ["Xyzzy"], ["exile.1", "no such card", "the name or id of a card"]),
    "a card named twice": (
        ("players", 0, "zones", "hand"),
        ["Druids", "Druids"],
        ["players.1.zones.hand.2", "lies elsewhere already", "'Druids'", "players.1.zones.hand.1"],
    ),
    "an id named twice": (("exile",), ["CEL21"], ["exile.1", "lies elsewhere already", "players.1.zones.in_play.1"]),
    "a name used up": (
        ("players", 0, "zones", "hand"),
        ["City"] * 4,
        ["players.1.zones.hand", "all ", "cards of this name lie elsewhere", "'City'"],
    ),
    "a card of a nation that is not there": (
        ("players", 0, "zones", "hand"),
        ["Hannibal"],
        ["players.1.zones.hand.1", "a card of the Carthaginians, who do not play"],
    ),
    "a card of the other box": (("market",), ["2UNC1"], ["market.1.card", "the other box", "Classics"]),
    "King of Kings in a hand": (
        ("players", 0, "zones", "hand"),
        ["King of Kings"],
        ["players.1.zones.hand.1", "not a card that lies here", "king_of_kings"],
    ),
    "a card in play that does not stay": (
        ("players", 0, "zones", "in_play"),
        ["Celtica", "Advance"],
        ["players.1.zones.in_play.2", "does not stay in play", "'Advance'"],
    ),
    "no development card": (
        ("players", 0, "zones", "development"),
        ["Glory"],
        ["players.1.zones.development.1", "not a development card of the Celts", "Chariots"],
    ),
    "a sunken card without a sunken pile": (
        ("players", 0, "zones", "sunken"),
        ["Boudicca"],
        ["players.1.zones.sunken.1", "the Celts have no sunken cards"],
    ),
    "a history without one": (
        ("players", 1),
        {"nation": "Vikings", "side": "A", "zones": {"history": ["Hills"]}},
        ["players.2.zones.history.1", "the Vikings have no history"],
    ),
    "a card that is never garrisoned": (
        ("players", 0, "zones", "garrisoned", "Celtica"),
        ["Glory"],
        ["players.1.zones.garrisoned.Celtica.1", "never garrisoned", "'Glory'"],
    ),
    "a host that is not in play": (
        ("players", 0, "zones", "garrisoned"),
        {"Belgica": ["Druids"]},
        ["players.1.zones.garrisoned.Belgica", "no such card in play", "Celtica"],
    ),
    "an unknown zone": (("players", 0, "zones", "hnad"), [], ["players.1.zones.hnad", "unknown field", "'hand'"]),
    "negative resources": (
        ("players", 0, "resources", "material"),
        -1,
        ["players.1.resources.material", "found: -1", "greater than or equal to 0"],
    ),
    "resources that are no numbers": (
        ("players", 0, "resources", "material"),
        "many",
        ["players.1.resources.material", "found: 'many'"],
    ),
    "a state a nation never has": (
        ("players", 1),
        {"nation": "Vikings", "side": "A", "state": "empire"},
        ["players.2.state", "'empire'", "barbarian"],
    ),
    "a nation twice": (("players", 1), {"nation": "Celts", "side": "B"}, ["players.2.nation", "'Celts'"]),
    "one player": (("players",), [{"nation": "Celts", "side": "B"}], ["players", "wrong number of entries"]),
    "unrest in the market": (("market",), ["Unrest"], ["market.1.card", "not a card of the market"]),
    "King of Kings in exile": (("exile",), ["King of Kings"], ["exile.1", "lies under the fame deck"]),
    "King of Kings among fame cards": (("decks", "fame"), ["FAM9A"], ["decks.fame.1", "not a card of this deck"]),
    "a power card named once more": (("players", 0, "zones", "hand"), ["CEL1A"], ["zones.hand.1", "always in play"]),
    "unrest below a region": (
        ("market",),
        [{"card": "Oasis", "unrest": True}],
        ["market.1.unrest", "no unrest lies below a region"],
    ),
    "too many market cards": (("market",), [None] * 6, ["market", "wrong number of entries", "at most 5"]),
    "a card in the wrong deck": (("decks", "region"), ["Druids"], ["decks.region.1", "not a card of this deck"]),
    "more unrest than there is": (("decks", "unrest"), 90, ["decks.unrest", "more unrest than there is", "at most"]),
    "six exhaust tokens on the state card": (
        ("players", 0, "exhausts"),
        6,
        ["players.1.exhausts", "the Celts have 5 exhaust tokens", "found: 6", "at most 5"],
    ),
    "more exhaust tokens than there are, in two places": (
        ("players", 0),
        {"nation": "Celts", "side": "A", "exhausts": 5, "zones": {"in_play": ["CEL4"]}, "exhausted": ["CEL4"]},
        ["players.1.exhausts", "found: 6", "at most 5"],
    ),
    "an exhausted card without an ability": (
        ("players", 0, "exhausted"),
        ["Celtica"],
        ["players.1.exhausted.1", "has no exhaust ability", "'Celtica'"],
    ),
    "an exhausted nation deck of a nation without one": (
        ("players", 1),
        {"nation": "Atlanteans", "side": "A", "exhausted": ["nation"]},
        ["players.2.exhausted.1", "the Atlanteans have no nation deck", "'nation'"],
    ),
    "an exhausted development area of a nation without one": (
        ("players", 1),
        {"nation": "Vikings", "side": "A", "exhausted": ["development"]},
        ["players.2.exhausted.1", "the Vikings never develop", "'development'"],
    ),
    "two exhaust tokens on a nation deck": (
        ("players", 0, "exhausted"),
        ["nation", "nation"],
        ["players.1.exhausted.2", "it bears an exhaust token already"],
    ),
    "a card drawn by nobody": (("moves",), [{"p": 2, "do": "draw"}], ["moves.1.p", "no such player", "found: 2"]),
    "another move than drawing": (("moves",), [{"p": 0, "do": "play"}], ["moves.1.do", "'play'", "draw"]),
    "a development as barbarians draw": (
        ("moves",),
        [{"p": 0, "do": "draw"}, {"p": 0, "do": "draw", "develop": "Chariots"}],
        ["moves.2.develop", "no card that can be developed now", "'Chariots'"],
    ),
    "an empire of Utopians before the gates": (
        ("players", 1),
        {"nation": "Utopians", "side": "A", "state": "empire"},
        ["players.2.state", "the Utopians are barbarians", "'empire'", "Gates"],
    ),
    "barbarian Utopians beyond the gates": (
        ("players", 1),
        {"nation": "Utopians", "side": "A", "state": "barbarian", "zones": {"in_play": ["UTO3A"]}},
        ["players.2.state", "the Utopians are an empire", "'barbarian'"],
    ),
    "an empire with a nation deck": (
        ("players", 1),
        {"nation": "Romans", "side": "B", "state": "empire", "zones": {"nation": ["ROM9"]}},
        ["players.2.zones.nation", "the Romans become an empire with the last card", "found: 1"],
    ),
    "an accession card that is not at the bottom": (
        ("players", 1),
        {"nation": "Romans", "side": "B", "zones": {"nation": ["ROM9", "ROM2"]}},
        ["players.2.zones.nation.2", "always the lowest of a nation deck"],
    ),
    "a court with a card that is no quest": (
        ("players", 1),
        {"nation": "Arthurians", "side": "A", "zones": {"garrisoned": {"King Arthur's Court": ["Glory"]}}},
        ["players.2.zones.garrisoned.King Arthur's Court.1", "not a quest", "'Glory'"],
    ),
    "two active quests": (
        ("players", 1),
        {"nation": "Arthurians", "side": "A", "zones": {"garrisoned": {"King Arthur's Court": ["ART4", "ART5"]}}},
        ["players.2.zones.garrisoned.King Arthur's Court.2", "one quest is active at most"],
    ),
    "an exhausted card that is not in play": (
        ("players", 0, "exhausted"),
        ["Druids"],
        ["players.1.exhausted.1", "no such card in play", "Celtica"],
    ),
    "a card garrisoned under a power card": (
        ("players", 0, "zones", "garrisoned"),
        {"CEL1A": ["Cattle Raid"]},
        ["players.1.zones.garrisoned.CEL1A.1", "this host garrisons no cards", "Celtica"],
    ),
    "a card garrisoned under one that takes none": (
        ("players", 0, "zones"),
        {"in_play": ["Cauldron of Cerridwen"], "garrisoned": {"Cauldron of Cerridwen": ["Cattle Raid"]}},
        ["zones.garrisoned.Cauldron of Cerridwen.1", "this host garrisons no cards", "no card in play does"],
    ),
    "a tributary of a nation that plays": (
        ("players", 1),
        {"nation": "Egyptians", "side": "A", "zones": {"hand": ["1TRI3"]}},
        ["players.2.zones.hand.1", "a tributary with the name of a nation that plays"],
    ),
    "a tributary of the other box that replaces none": (
        ("players", 1),
        {"nation": "Vikings", "side": "A", "zones": {"hand": ["Etruscans"]}},
        ["players.2.zones.hand.1", "a tributary of the other box", "none of the box names a nation that plays"],
    ),
    "barbarians with their accession card": (
        ("players", 1),
        {"nation": "Romans", "side": "B", "state": "barbarian", "zones": {"discard": ["ROM2"]}},
        ["players.2.state", "have become an empire", "players.2.zones.discard.1"],
    ),
    "the last quest before the others": (
        ("players", 1),
        {
            "nation": "Arthurians",
            "side": "A",
            "zones": {"development": ["ART4"], "garrisoned": {"King Arthur's Court": ["Graal"]}},
        },
        ["players.2.zones.garrisoned.King Arthur's Court.1", "when no other impends"],
    ),
    "more regions than their deck has": (
        ("decks", "region"),
        [f"1REG{number}" for number in range(2, 9)],
        ["decks.region", "more cards than this deck has", "found: 7", "at most 6 with 2 players"],
    ),
}
