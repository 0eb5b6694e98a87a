"""Arrays of Imperial Settlers and why nothing is written beyond them, for `tests/kit/test_kit_capacities.py`."""

from sim.engine.state import OPTIONS_FULL, STACK_FULL, ZONE_FULL

CARDS = "an entry for each card: catalog counts the rows; the rest is fixed"
FIXED = "an entry for each owner and zone, or good: these are fixed"

STATE: dict[str | int, str] = {
    "an entry for each seat: at most 4, by the variants' numbers of players; the rest is fixed": (
        "goods points passed colours features actions built deals_made razed_from_hand razed was_razed "
        "given_up activated exchanged drawn score_after"
    ),
    FIXED: "zone_size due",
    CARDS: (
        "owner holder used blocked defence samurai gained paid banked tucked ran host knows knows_deck heap came laid"
    ),
    "a place for each card at most: no card lies twice": "unseen",
    ZONE_FULL: "zone sources",
    STACK_FULL: "frame",
    OPTIONS_FULL: "option_kind option_card option_value option_seat",
}
TABLES: dict[str | int, str] = {
    CARDS: (
        "deck name kind colours cost cost_location raze raze_goods razeable deal deal_good points_end "
        "card_lesson program draws pay pay_any pay_hand pay_deal uses trigger feature_colours feature_decks "
        "feature_number feature_goods"
    ),
    FIXED: "move_lesson",
    "catalog: at most 4 tiers on a card": "end_tier",
    "programs.written_once: at most 2,048 instructions": "code",
    (
        "an entry for each faction: catalog counts them; the rest is fixed"
    ): "deck_first deck_size empire board stores samurai own_deck_razeable",
    "a column for each field of cards.Hints": "hint",
    "an entry for each title but one: these are fixed": "title_from",
}
