"""Arrays of History of the World and why nothing is written beyond them, for `tests/kit/test_kit_capacities.py`."""

from sim.engine.state import OPTIONS_FULL

SEATS = "an entry for each seat: at most 6, by the variants' numbers of players; the rest is fixed"
LANDS = "an entry for each land: checks.check_map counts them; the rest is fixed"
BODIES = "an entry for each sea, ocean or barren area: checks.check_map counts them; the rest is fixed"
CARDS = "an entry for each card: checks.check_capacity counts empires and events; the rest is fixed"
STACKS = "an entry for each epoch and card: rows.Region takes 8 epochs, checks.check_cards counts the cards"
FIXED = "an entry for each kind of piece, side of a battle, or source of effects: these are fixed"
DICE = "an entry for each die: rows.Constants takes 2 at most"
NEIGHBOURS = "checks.check_map: at most 16 for each land, both ways counted"

STATE: dict[str, str | int] = {
    **dict.fromkeys(
        [
            "points",
            "part",
            "supply",
            "draft_order",
            "empire",
            "event",
            "called",
            "start_score",
            "conquests",
            "battles",
            "sieges",
            "forts_built",
            "monuments_built",
            "destroyed",
            "armies_lost",
        ],
        SEATS,
    ),
    "score_after": "an entry for each seat and epoch: at most 6, and 8 by rows.Region",
    **dict.fromkeys(["pieces", "bonus", "rerolls", "in_force", "rerolls_left", "aside", "icons_needed"], FIXED),
    **dict.fromkeys(["attack_die", "defence_die"], DICE),
    **dict.fromkeys(
        [
            "army",
            "active",
            "placed_by",
            "capital",
            "city",
            "monument",
            "fort",
            "named",
            "reach",
            "standing",
            "target_land",
        ],
        LANDS,
    ),
    "counted": "an entry for each region and seat: checks.check_map counts them; at most 6",
    "token": "an entry for each region: checks.check_map counts them",
    **dict.fromkeys(["disc", "disc_aside", "reached", "carrier"], BODIES),
    **dict.fromkeys(["event_stack", "empire_stack"], STACKS),
    **dict.fromkeys(["holds", "drafted", "seen"], CARDS),
    **dict.fromkeys(["pool", "pool_place"], "a place for each card at most: no card lies twice"),
    "log.lands": LANDS,
    "log.rolls": "an entry for each kind of roll: log.roll_kind puts all high bonuses into one",
    **dict.fromkeys(["option_kind", "option_card", "option_value", "option_seat", "option_land"], OPTIONS_FULL),
}

TABLES: dict[str, str | int] = {
    **dict.fromkeys(["region", "terrain", "resource"], LANDS),
    **dict.fromkeys(["borders", "stepping_stones", "coasts"], NEIGHBOURS),
    "shores": "an entry for each body and land: a land touches a body once, rows.Land takes no name twice",
    **dict.fromkeys(["body_kind", "body_borders"], BODIES),
    "presence": "an entry for each epoch and region: 8 by rows.Region, checks.check_map counts the regions",
    **dict.fromkeys(["kind", "epoch", "order", "armies", "capital", "marauder", "card_lesson"], CARDS),
    "land_lesson": "an entry for each epoch and land: 8 by rows.LandLesson, checks.check_map counts the lands",
    "start": "rows.Card: at most 4 start lands",
    "discs": "rows.Card: at most 6 fleets and caravans",
    "effect": "rows.check_effect: at most 4 operations",
    "supply": FIXED,
}
