"""Arrays of History of the World and why nothing is written beyond them, for `tests/kit/test_kit_capacities.py`."""

from sim.engine.state import OPTIONS_FULL

LANDS = "an entry for each land: checks.check_map counts them; the rest is fixed"
BODIES = "an entry for each sea, ocean or barren area: checks.check_map counts them; the rest is fixed"
CARDS = "an entry for each card: checks.check_capacity counts empires and events; the rest is fixed"
FIXED = "an entry for each kind of piece, side of a battle, or source of effects: these are fixed"

STATE: dict[str | int, str] = {
    "an entry for each seat: at most 6, by the variants' numbers of players; the rest is fixed": (
        "points part supply draft_order empire event called start_score conquests battles sieges forts_built "
        "monuments_built destroyed armies_lost"
    ),
    "an entry for each seat and epoch: at most 6, and 8 by models.Region": "score_after",
    FIXED: "pieces bonus rerolls in_force rerolls_left aside icons_needed",
    "an entry for each die: models.Constants takes 2 at most": "attack_die defence_die",
    LANDS: "army active placed_by capital city monument fort named reach standing target_land log.lands",
    "an entry for each region and seat: checks.check_map counts them; at most 6": "counted",
    "an entry for each region: checks.check_map counts them": "token",
    BODIES: "disc disc_aside reached carrier",
    (
        "an entry for each epoch and card: models.Region takes 8 epochs, checks.check_cards counts the cards"
    ): "event_stack empire_stack",
    CARDS: "holds drafted seen",
    "a place for each card at most: no card lies twice": "pool pool_place",
    "an entry for each kind of roll: log.roll_kind puts all high bonuses into one": "log.rolls",
    OPTIONS_FULL: "option_kind option_card option_value option_seat option_land",
}
TABLES: dict[str | int, str] = {
    LANDS: "region terrain resource",
    "checks.check_map: at most 16 for each land, both ways counted": "borders stepping_stones coasts",
    "an entry for each body and land: a land touches a body once, models.Land takes no name twice": "shores",
    BODIES: "body_kind body_borders",
    "an entry for each epoch and region: 8 by models.Region, checks.check_map counts the regions": "presence",
    CARDS: "kind epoch order armies capital marauder card_lesson",
    "an entry for each epoch and land: 8 by models.LandLesson, checks.check_map counts the lands": "land_lesson",
    "models.Card: at most 4 start lands": "start",
    "models.Card: at most 6 fleets and caravans": "discs",
    "models.check_effect: at most 4 operations": "effect",
    FIXED: "supply",
}
