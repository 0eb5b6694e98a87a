"""Arrays of 7 Wonders and why nothing is written beyond them, for `tests/kit/test_kit_capacities.py`."""

from sim.games.seven_wonders.rules.state import CITY_FULL

CARDS = "an entry for each card row or name: catalog._check_capacity counts the rows"
FIXED = "an entry for each age, good, side, colour, symbol or number of players: the words of the files are fixed"

STATE: dict[str | int, str] = {
    "an entry for each city: at most 7, by the variants' numbers of players; the rest is fixed": (
        "coins shields conflict_points defeats tokens points symbols symbol_choices colour_count city_size "
        "copies_guild stages_built free_builds free_builds_left plays_last_card last_card_from_turn "
        "discard_builds_due own_raw own_manufactured sold_raw sold_manufactured price spendable turn_price "
        "reach_raw reach_manufactured hand_size choice_card choice_action choice_bank choice_left "
        "choice_right income placed_card placed_stage score_after_age"
    ),
    CARDS: "owns",
    CITY_FULL: "city_cards",
    "catalog: hand_size is at most 7, and the Free City's card makes 8": "hand",
    "catalog._check_deck: hand_size (at most 7) cards for each player (at most 7)": "deck",
    FIXED: "deck_size",
    (
        "each card of the three decks, 147 at most, is laid there once; catalog._check_deck: hand_size (at "
        "most 7) cards for each player (at most 7); a position has 150"
    ): "discards",
    "as discards": "discard_moment discard_city discard_seen",
    "Wonder.stage holds at most 4; next_stage_item ends there": "stage_cards",
    "as stage_cards": "stage_moment",
    (
        "kinds of cards and none (list_discard_builds); 8 cards in 4 ways; 8 x 8 payments of at most 7 units"
    ): "option_card option_action option_price option_left option_right",
}
TABLES: dict[str | int, str] = {
    CARDS: "card_name card_age card_colour card_guild card_copies",
    "Card.chain_from holds at most 2": "chain_from",
    "catalog._check_chains: at most 4 made free by one name": "chain_to",
    (
        "an entry for each card and stage: catalog counts the rows, Wonder.stage holds at most 4"
    ): "item_coins item_need item_need_raw item_need_manufactured item_effect_count",
    (
        "an entry for each card and stage: catalog counts the rows, Wonder.stage holds at most 4; Effects "
        "holds at most 4, none has more than 5 numbers"
    ): "item_effects",
    FIXED: "later_need raw_lanes manufactured_lanes military_win_vp pass_direction",
    (
        "an entry for each board side: catalog._check_capacity counts the rows"
    ): "faction_stages faction_resource faction_coins faction_wonder",
    (
        "an entry for each board side: catalog._check_capacity counts the rows; Wonder.stage holds at most 4; "
        "more than 4 units count as 4"
    ): "stages_in_need",
    (
        "an entry for each card row or name: catalog._check_capacity counts the rows; HALVES numbers for each "
        "action of CardLesson"
    ): "card_lesson",
    "an entry for each board side: catalog._check_capacity counts the rows; a number for each age": "colour_lesson",
    (
        "an entry for each board side: catalog._check_capacity counts the rows; BoardLesson.stages holds at "
        "most 4, with a number for each age"
    ): "stage_lesson",
}
