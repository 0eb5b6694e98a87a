"""Arrays of The Glory of Rome and why nothing is written beyond them, for `tests/kit/test_kit_capacities.py`."""

from sim.engine.state import OPTIONS_FULL

FIXED = "an entry for each province, region, type, level, metal, place or task of constants.py: these are fixed"
CARDS = "an entry for each card: checks.check_cards counts the rows of all kinds; the rest is fixed"
SPACES = "models.Character takes 7 spaces, and the setting track_spaces adds one"
MILESTONES = "models.Milestones takes 4 spaces"

STATE: dict[str | int, str] = {
    "an entry for each seat: at most 4, by the variants' numbers of players; the rest is fixed": (
        "place glory denarii followers followers_left board_legions board_votes intrigue_left own_intrigue "
        "track_length discord anchor set_limit hand_size mission_count majorities activations suffered "
        "double_taxes taxes cards_drawn cards_played bonuses_used treaties fulfilled achievements tasks "
        "intrigue activated placed bonus_used legions pantheon_own pantheon_common sets followers_placed "
        "tiles_built gone strangers blurred taker"
    ),
    FIXED: "seat_at board building tiles medal common conquered",
    "senate.place_vote: the sixth vote pushes out the lowest one at once": "senate",
    MILESTONES: "marker reached",
    SPACES: "track",
    "models.Constants takes a limit of 8, and hands.room is asked before each card": "hand fresh",
    "checks.check_decks allows 48 copies in all": "missions",
    (
        "a place for each copy: checks.check_cards allows 160 of a kind, and no card lies twice"
    ): "trade_deck discard mission_deck event_deck",
    "the copies of one kind at most: checks.check_cards allows 160 of them": "pool",
    CARDS: "known seen doubtful moved",
    "an entry for each seat and round: models.Constants takes 9 rounds": "score_after",
    OPTIONS_FULL: "option_kind option_card option_value option_seat option_place",
}
TABLES: dict[str | int, str] = {
    (
        "an entry for each character: checks.check_characters counts them"
    ): "legions votes denarii glory discord anchor own_intrigue track_length",
    SPACES: "track",
    CARDS: (
        "kind copies star removed_in type when effect condition count number points reward_denarii "
        "reward_glory direction arrows negative"
    ),
    FIXED: (
        "price building_glory tiles shield region_points senate_values set_points pantheon_points "
        "pantheon_own pantheon_common follower_lesson tile_lesson"
    ),
    "an entry for each population: models.Penalty takes 1 to 16, and 15 tiles fit a province": "penalty",
    "models.Economic takes 9 rounds": "economic",
    MILESTONES: "milestones",
}
