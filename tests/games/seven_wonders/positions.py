"""A position of 7 Wonders, and what one may not say, for `tests/kit/test_kit_positions.py`."""

from typing import Any

from sim.games.seven_wonders.data.catalog import load_catalog

EXAMPLE: dict[str, Any] = {
    "age": 2,
    "cities": [
        {
            "wonder": "Gizah",
            "side": "A",
            "cards": ["Lumber Yard"],
            "stages_built": 0,
            "coins": 3,
            "conflict_tokens": [1, -1],
        },
        {"wonder": "Rhodos", "side": "B", "cards": ["Timber Yard", "Barracks"], "coins": 9},
        {"wonder": "Olympia", "side": "A", "stages_built": 3, "coins": 0},
    ],
}


def bought(player: int, price: int, good: str) -> dict[str, Any]:
    """A move that builds the Baths with a good of the left neighbour."""
    buy = [{"from": "left", "price": price, "resources": {good: 1}}]
    return {"p": player, "do": "build", "card": "Baths", "buy": buy}


WRONG: dict[str, tuple[tuple[str | int, ...], object, list[str]]] = {
    "no city": (("cities",), [], ["field cities"]),
    "two cities": (("cities",), EXAMPLE["cities"][:2], ["field cities"]),
    "cities that are no list": (("cities",), "none", ["field cities"]),
    "a fourth age": (("age",), 4, ["field age"]),
    "an age that is no number": (("age",), True, ["field age"]),
    "a field there is not": (("era",), 1, ["unknown field", "era"]),
    "a misspelt discard": (("discards",), ["Altr"], ["field discards.1"]),
    "a misspelt wonder": (("cities", 0, "wonder"), "Giza", ["did you mean 'Gizah'"]),
    "a third side": (("cities", 0, "side"), "C", ["cities.1.side"]),
    "a misspelt card": (("cities", 0, "cards"), ["Lumber Yrd"], ["did you mean 'Lumber Yard'"]),
    "a card twice": (("cities", 0, "cards"), ["Altar", "Altar"], ["cities.1.cards.2"]),
    "cards that are no list": (("cities", 0, "cards"), "Altar", ["cities.1.cards"]),
    "more cards than fit a city": (("cities", 0, "cards"), load_catalog().names[:40], ["cities.1.cards"]),
    "more stages than the board has": (("cities", 0, "stages_built"), 4, ["at most 3"]),
    "fewer stages than none": (("cities", 0, "stages_built"), -1, ["cities.1.stages_built"]),
    "negative coins": (("cities", 0, "coins"), -1, ["cities.1.coins"]),
    "half a coin": (("cities", 0, "coins"), 3.5, ["cities.1.coins"]),
    "more coins than can be counted": (("cities", 0, "coins"), 10**40, ["cities.1.coins"]),
    "a token there is not": (("cities", 0, "conflict_tokens"), [2], ["cities.1.conflict_tokens.1"]),
    "more tokens than conflicts": (("cities", 0, "conflict_tokens"), [-1] * 7, ["cities.1.conflict_tokens"]),
    "a misspelt field of a city": (("cities", 0, "stage"), 1, ["did you mean 'stages_built'"]),
    "a third move of a city": (("moves",), [{"p": 0, "do": "discard", "card": "Altar"}] * 3, ["field moves.3.p"]),
    "a second move without a seventh card": (
        ("moves",),
        [{"p": 0, "do": "discard", "card": "Altar"}] * 2,
        ["field moves.2.p: a city moves twice"],
    ),
    **{
        case: (("moves",), [move], [says])
        for case, move, says in (
            ("a name twice", {"p": 0, "do": "build", "card": "Lumber Yard"}, "has one already"),
            ("too dear a card", {"p": 0, "do": "build", "card": "Palace"}, "cannot be paid with 3 coins"),
            ("a stage too many", {"p": 2, "do": "wonder", "card": "Palace"}, "complete"),
            ("a free building without the power", {"p": 0, "do": "free_build", "card": "Palace"}, "no free building"),
            ("a player there is not", {"p": 3, "do": "build", "card": "Altar"}, "field moves.1.p"),
            ("a misspelt card of a move", {"p": 0, "do": "build", "card": "Altr"}, "did you mean 'Altar'"),
            ("a move without a card", {"p": 0, "do": "build"}, "field moves.1.card"),
            ("a misspelt move", {"p": 0, "do": "bild", "card": "Altar"}, "did you mean 'build'"),
            ("a field there is not in a move", {"p": 0, "do": "build", "card": "Altar", "cost": 0}, "unknown field"),
            ("a free discard", {"p": 0, "do": "discard", "card": "Altar", "free": True}, "only what is built"),
            ("goods that are not needed", bought(0, 2, "wood"), "not needed"),
            ("another price than the engine's", bought(1, 1, "stone"), "recorded 1, engine 2"),
        )
    },
}
