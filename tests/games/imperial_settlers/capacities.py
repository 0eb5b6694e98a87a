"""Arrays of Imperial Settlers and why nothing is written beyond them, for `tests/kit/test_kit_capacities.py`."""

from sim.engine.state import OPTIONS_FULL, STACK_FULL, ZONE_FULL

SEATS = "an entry for each seat: at most 4, by the variants' numbers of players; the rest is fixed"
CARDS = "an entry for each card: catalog counts the rows; the rest is fixed"
FACTIONS = "an entry for each faction: catalog counts them; the rest is fixed"
FIXED = "an entry for each owner and zone, or good: these are fixed"

STATE: dict[str, str | int] = {
    **dict.fromkeys(
        [
            "goods",
            "points",
            "passed",
            "colours",
            "features",
            "actions",
            "built",
            "deals_made",
            "razed_from_hand",
            "razed",
            "was_razed",
            "given_up",
            "activated",
            "exchanged",
            "drawn",
            "score_after",
        ],
        SEATS,
    ),
    **dict.fromkeys(["zone_size", "due"], FIXED),
    **dict.fromkeys(
        [
            "owner",
            "holder",
            "used",
            "blocked",
            "defence",
            "samurai",
            "gained",
            "paid",
            "banked",
            "tucked",
            "ran",
            "host",
            "knows",
            "knows_deck",
            "heap",
            "came",
            "laid",
        ],
        CARDS,
    ),
    **dict.fromkeys(["unseen"], "a place for each card at most: no card lies twice"),
    **dict.fromkeys(["zone", "sources"], ZONE_FULL),
    "frame": STACK_FULL,
    **dict.fromkeys(["option_kind", "option_card", "option_value", "option_seat"], OPTIONS_FULL),
}

TABLES: dict[str, str | int] = {
    **dict.fromkeys(
        [
            "deck",
            "name",
            "kind",
            "colours",
            "cost",
            "cost_location",
            "raze",
            "raze_goods",
            "razeable",
            "deal",
            "deal_good",
            "points_end",
            "card_lesson",
            "program",
            "draws",
            "pay",
            "pay_any",
            "pay_hand",
            "pay_deal",
            "uses",
            "trigger",
            "feature_colours",
            "feature_decks",
            "feature_number",
            "feature_goods",
        ],
        CARDS,
    ),
    "move_lesson": FIXED,
    "end_tier": "catalog: at most 4 tiers on a card",
    "code": "programs.written_once: at most 2,048 instructions",
    **dict.fromkeys(
        ["deck_first", "deck_size", "empire", "board", "stores", "samurai", "own_deck_razeable"],
        FACTIONS,
    ),
    "hint": "a column for each field of cards.Hints",
    "title_from": "an entry for each title but one: these are fixed",
}
