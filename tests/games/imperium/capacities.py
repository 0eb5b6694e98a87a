"""Arrays of Imperium and why nothing is written beyond them, for `tests/kit/test_kit_capacities.py`."""

from sim.engine.state import OPTIONS_FULL, STACK_FULL, ZONE_FULL
from sim.games.imperium.rules.state import DRAWN_FULL

CARDS = "an entry for each card row: catalog._check_ids counts the rows; the rest is fixed"
FIXED = "an entry for each market slot, resource, owner, zone or number of players: these are fixed"

STATE: dict[str | int, str] = {
    "an entry for each seat: at most 4, by the variants' numbers of players; the rest is fixed": (
        "resource actions exhausts state nation_exhausted development_exhausted ignores_state passives "
        "king_used deck_heap empire_round cards_played unrest_taken turns_cut less_unrest"
    ),
    FIXED: "market market_tokens market_unrest zone_size",
    CARDS: "exhausted stored treated host knows_zone knows_place heap held put_back",
    "a place for each card at most: no card lies twice": "unseen",
    ZONE_FULL: "zone",
    STACK_FULL: "frame",
    DRAWN_FULL: "frame",
    "a card of the play area each, and that is a zone": "pending",
    OPTIONS_FULL: "option_kind option_card option_value option_seat",
}
TABLES: dict[str | int, str] = {
    CARDS: (
        "nation box kind other_side name suits state pinned attack icons start min_players cost "
        "unrest_to_develop stores free_play unplayable no_garrison comes_last fixed_in_play region_weight "
        "program play_asks react_on react_to "
        "react_any_turn when when_to passives hand_size look_extra unrest_cost development_cost market_token "
        "exile_suits shield shield_arg plays_free replaces_gain sinks_with discard_relief "
        "relief_of points_kind points_at points per cap of of_arg card_lesson acting_lesson lesson_at "
        "effect_lesson"
    ),
    "compile._fill_ignored: at most 3 on one card": "ignores",
    "programs.written_once: at most 4,096 instructions": "code code_end",
    "arguments.read_selector: at most 96": "selector",
    "an entry for each side of a nation: the files of the 16 nations, two sides each": (
        "faction_nation faction_power faction_has_history faction_sinks faction_develops "
        "faction_becomes_empire faction_starts_empire faction_exhausts"
    ),
    "a column for each field of catalog.Hints": "faction_hint",
    FIXED: "start_resource deck_size fame_removed",
}
