"""Arrays of Imperium and why nothing is written beyond them, for `tests/kit/test_kit_capacities.py`."""

from sim.games.imperium.state import DRAWN_FULL
from sim.record import OPTIONS_FULL, STACK_FULL, ZONE_FULL

SEATS = "an entry for each seat: at most 4, by the variants' numbers of players; the rest is fixed"
CARDS = "an entry for each card row: catalog._check_ids counts the rows; the rest is fixed"
FACTIONS = "an entry for each side of a nation: the files of the 16 nations, two sides each"
FIXED = "an entry for each market slot, resource, owner, zone or number of players: these are fixed"

STATE: dict[str, str | int] = {
    **dict.fromkeys(
        [
            "resource",
            "actions",
            "exhausts",
            "state",
            "nation_exhausted",
            "development_exhausted",
            "ignores_state",
            "passives",
            "king_used",
            "deck_heap",
            "empire_round",
            "cards_played",
            "unrest_taken",
            "turns_cut",
            "less_unrest",
        ],
        SEATS,
    ),
    **dict.fromkeys(["market", "market_tokens", "market_unrest", "zone_size"], FIXED),
    **dict.fromkeys(
        ["exhausted", "stored", "treated", "host", "knows_zone", "knows_place", "heap", "held", "put_back"], CARDS
    ),
    "unseen": "a place for each card at most: no card lies twice",
    "zone": ZONE_FULL,
    "frame": STACK_FULL,
    "frame: cards drawn": DRAWN_FULL,
    "pending": "a card of the play area each, and that is a zone",
    **dict.fromkeys(["option_kind", "option_card", "option_value", "option_seat"], OPTIONS_FULL),
}

TABLES: dict[str, str | int] = {
    **dict.fromkeys(
        [
            "nation",
            "box",
            "kind",
            "other_side",
            "name",
            "suits",
            "state",
            "pinned",
            "attack",
            "icons",
            "start",
            "min_players",
            "cost",
            "free_play",
            "unplayable",
            "no_garrison",
            "comes_last",
            "fixed_in_play",
            "region_weight",
            "program",
            "play_asks",
            "react_on",
            "react_to",
            "react_any_turn",
            "when",
            "when_to",
            "passives",
            "hand_size",
            "look_extra",
            "unrest_cost",
            "development_cost",
            "market_token",
            "no_history",
            "exile_suits",
            "shield",
            "shield_arg",
            "plays_free",
            "replaces_gain",
            "sinks_with",
            "discard_relief",
            "relief_of",
            "points_kind",
            "points_at",
            "points",
            "per",
            "cap",
            "of",
            "of_arg",
            "card_lesson",
        ],
        CARDS,
    ),
    "ignores": "compile._fill_ignored: at most 3 on one card",
    "code": "programs.written_once: at most 4,096 instructions",
    "code_end": "programs.written_once: at most 4,096 instructions",
    "code_lesson": "compile._fill_lessons: rows of the code alone",
    "selector": "arguments.read_selector: at most 96",
    **dict.fromkeys(
        [
            "faction_nation",
            "faction_power",
            "faction_has_history",
            "faction_sinks",
            "faction_develops",
            "faction_becomes_empire",
            "faction_starts_empire",
            "faction_exhausts",
        ],
        FACTIONS,
    ),
    "faction_hint": "a column for each field of catalog.Hints",
    **dict.fromkeys(["start_resource", "deck_size", "fame_removed"], FIXED),
}
