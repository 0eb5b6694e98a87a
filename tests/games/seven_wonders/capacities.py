"""Arrays of 7 Wonders and why nothing is written beyond them, for `tests/kit/test_kit_capacities.py`."""

from sim.games.seven_wonders.rules.state import CITY_FULL

CITIES = "an entry for each city: at most 7, by the variants' numbers of players; the rest is fixed"
CARDS = "an entry for each card row or name: catalog._check_capacity counts the rows"
ITEMS = "an entry for each card and stage: catalog counts the rows, Wonder.stage holds at most 4"
FACTIONS = "an entry for each board side: catalog._check_capacity counts the rows"
FIXED = "an entry for each age, good, side, colour, symbol or number of players: the words of the files are fixed"
OPTIONS = "kinds of cards and none (list_discard_builds); 8 cards in 4 ways; 8 x 8 payments of at most 7 units"
DECKS = "catalog._check_deck: hand_size (at most 7) cards for each player (at most 7)"

STATE: dict[str, str | int] = {
    **dict.fromkeys(
        [
            "coins",
            "shields",
            "conflict_points",
            "defeats",
            "tokens",
            "points",
            "symbols",
            "symbol_choices",
            "colour_count",
            "city_size",
            "copies_guild",
            "stages_built",
            "free_builds",
            "free_builds_left",
            "plays_last_card",
            "last_card_from_turn",
            "discard_builds_due",
            "own_raw",
            "own_manufactured",
            "sold_raw",
            "sold_manufactured",
            "price",
            "spendable",
            "turn_price",
            "reach_raw",
            "reach_manufactured",
            "hand_size",
            "choice_card",
            "choice_action",
            "choice_bank",
            "choice_left",
            "choice_right",
            "income",
            "placed_card",
            "placed_stage",
            "score_after_age",
        ],
        CITIES,
    ),
    "owns": CARDS,
    "city_cards": CITY_FULL,
    "hand": "catalog: hand_size is at most 7, and the Free City's card makes 8",
    "deck": DECKS,
    "deck_size": FIXED,
    "discards": f"each card of the three decks, 147 at most, is laid there once; {DECKS}; a position has 150",
    "discard_moment": "as discards",
    "discard_city": "as discards",
    "discard_seen": "as discards",
    "stage_cards": "Wonder.stage holds at most 4; next_stage_item ends there",
    "stage_moment": "as stage_cards",
    **dict.fromkeys(["option_card", "option_action", "option_price", "option_left", "option_right"], OPTIONS),
}

TABLES: dict[str, str | int] = {
    **dict.fromkeys(["card_name", "card_age", "card_colour", "card_guild", "card_copies"], CARDS),
    "chain_from": "Card.chain_from holds at most 2",
    "chain_to": "catalog._check_chains: at most 4 made free by one name",
    **dict.fromkeys(["item_coins", "item_need", "item_need_raw", "item_need_manufactured", "item_effect_count"], ITEMS),
    "item_effects": f"{ITEMS}; Effects holds at most 4, none has more than 5 numbers",
    "later_need": FIXED,
    **dict.fromkeys(["faction_stages", "faction_resource", "faction_coins", "faction_wonder"], FACTIONS),
    "stages_in_need": f"{FACTIONS}; Wonder.stage holds at most 4; more than 4 units count as 4",
    "card_lesson": f"{CARDS}; HALVES numbers for each action of CardLesson",
    "colour_lesson": f"{FACTIONS}; a number for each age",
    "stage_lesson": f"{FACTIONS}; BoardLesson.stages holds at most 4, with a number for each age",
    **dict.fromkeys(["raw_lanes", "manufactured_lanes", "military_win_vp", "pass_direction"], FIXED),
}
