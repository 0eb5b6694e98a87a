"""Arrays of The Glory of Rome and why nothing is written beyond them, for `tests/kit/test_kit_capacities.py`."""

from sim.engine.state import OPTIONS_FULL

SEATS = "an entry for each seat: at most 4, by the variants' numbers of players; the rest is fixed"
FIXED = "an entry for each province, region, type, level, metal, place or task of words.py: these are fixed"
CARDS = "an entry for each card: checks.check_cards counts the rows of all kinds; the rest is fixed"
COPIES = "a place for each copy: checks.check_cards allows 160 of a kind, and no card lies twice"
CHARACTERS = "an entry for each character: checks.check_characters counts them"
SPACES = "rows.Character takes 7 spaces, and the setting track_spaces adds one"
MILESTONES = "rows.Milestones takes 4 spaces"

STATE: dict[str, str | int] = {
    **dict.fromkeys(
        [
            "place",
            "glory",
            "denarii",
            "followers",
            "followers_left",
            "board_legions",
            "board_votes",
            "intrigue_left",
            "own_intrigue",
            "track_length",
            "discord",
            "anchor",
            "set_limit",
            "hand_size",
            "mission_count",
            "majorities",
            "activations",
            "suffered",
            "double_taxes",
            "taxes",
            "cards_drawn",
            "cards_played",
            "bonuses_used",
            "treaties",
            "fulfilled",
            "achievements",
            "tasks",
            "intrigue",
            "activated",
            "placed",
            "bonus_used",
            "legions",
            "pantheon_own",
            "pantheon_common",
            "sets",
            "followers_placed",
            "tiles_built",
            "gone",
            "strangers",
            "blurred",
            "taker",
        ],
        SEATS,
    ),
    **dict.fromkeys(["seat_at", "board", "building", "tiles", "medal", "common", "conquered"], FIXED),
    "senate": "senate.place_vote: the sixth vote pushes out the lowest one at once",
    "marker": MILESTONES,
    "reached": MILESTONES,
    "track": SPACES,
    **dict.fromkeys(["hand", "fresh"], "rows.Constants takes a limit of 8, and hands.room is asked before each card"),
    "missions": "checks.check_decks allows 48 copies in all",
    **dict.fromkeys(["trade_deck", "discard", "mission_deck", "event_deck"], COPIES),
    "pool": "the copies of one kind at most: checks.check_cards allows 160 of them",
    **dict.fromkeys(["known", "seen", "doubtful", "moved"], CARDS),
    "score_after": "an entry for each seat and round: rows.Constants takes 9 rounds",
    **dict.fromkeys(["option_kind", "option_card", "option_value", "option_seat", "option_place"], OPTIONS_FULL),
}

TABLES: dict[str, str | int] = {
    **dict.fromkeys(["legions", "votes", "denarii", "glory", "discord", "anchor", "own_intrigue"], CHARACTERS),
    "track_length": CHARACTERS,
    "track": SPACES,
    **dict.fromkeys(
        [
            "kind",
            "copies",
            "star",
            "removed_in",
            "type",
            "when",
            "effect",
            "condition",
            "count",
            "number",
            "points",
            "reward_denarii",
            "reward_glory",
            "direction",
            "arrows",
            "negative",
        ],
        CARDS,
    ),
    **dict.fromkeys(
        [
            "price",
            "building_glory",
            "tiles",
            "shield",
            "region_points",
            "senate_values",
            "set_points",
            "pantheon_points",
            "pantheon_own",
            "pantheon_common",
            "follower_lesson",
            "tile_lesson",
        ],
        FIXED,
    ),
    "penalty": "an entry for each population: rows.Penalty takes 1 to 16, and 15 tiles fit a province",
    "economic": "rows.Economic takes 9 rounds",
    "milestones": MILESTONES,
}
