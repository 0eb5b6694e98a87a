"""Numbers shared by kernels and data, named as in the rulebook.

Kernels refer to things by number, TOML files and messages by name; this module lists both in the same order.
"""

from __future__ import annotations

MAX_SEATS = 6
NO_SEAT = -1
ALL_SEATS = (1 << MAX_SEATS) - 1
"""Value of `g.seen` for a face-up card."""
NO_CARD = -1
NO_LAND = -1
NOWHERE = -1

DATA_SETS = ("reconstruction-2018", "edition-1993")

# ---- The map ----

TERRAINS = ("none", "mountain", "forest")
BODY_KINDS = ("sea", "ocean", "barren")
SEA, OCEAN, BARREN = range(3)

WAYS = ("border", "stepping_stones", "caravan", "fleet")
BORDER, STEPPING_STONES, CARAVAN, FLEET = range(4)
"""Ways in which a conquest can be made; a chain that includes any sea or ocean is FLEET."""

# ---- Cards: empires and events are rows of one table ----

CARD_KINDS = ("empire", "enhancement", "kingdom")
EMPIRE, ENHANCEMENT, KINGDOM = range(3)

OPERATIONS = (
    "none", "icons_per_monument", "forts_per_icon", "forts", "battle_bonus", "attacker_rerolls", "armies", "swap",
    "destroy", "points", "siege_tokens", "spares_forts", "ignores_terrain", "ignores_maritime", "wins_ties", "cities",
    "discs", "spares_structures", "fights_again",
)  # fmt: skip
(
    NOTHING,
    ICONS_PER_MONUMENT,  # A icons instead of two
    FORTS_PER_ICON,  # A forts per resource icon in the lands of the active empire, after the monuments
    FORTS,  # up to A forts in lands with an active army
    BATTLE_BONUS,  # A on the attacker's highest die until the end of the turn
    ATTACKER_REROLLS,  # A dice per battle until the end of the turn
    ARMIES,  # A more armies on the card
    SWAP_ARMIES,  # opponents' armies in exactly A lands for one's own from the supply
    DESTROY,  # one structure in exactly A lands, without a battle
    POINTS,  # A points immediately
    SIEGE_TOKENS,  # A siege tokens on the card
    SPARES_FORTS,  # conquests leave forts standing
    IGNORES_TERRAIN,  # terrain gives defenders no bonus until the end of the turn
    IGNORES_MARITIME,  # fleets give defenders no re-roll until the end of the turn
    WINS_TIES,  # a tie is a win until the end of the turn
    CITIES,  # cities in up to A lands with an active army and without a capital or city
    DISCS,  # one more fleet or caravan, in a body that an active army touches
    SPARES_STRUCTURES,  # conquests destroy nothing
    FIGHTS_AGAIN,  # an army that has won a battle may attack a neighbouring land, until the end of the turn
) = range(19)
OPERATION, A, B = range(3)

# ---- Pieces ----

PIECES = ("capital_city", "monument", "fort")
CAPITAL_CITY, MONUMENT, FORT = range(3)
"""Pieces that are limited by the common supply."""

# ---- Course of a game ----

PHASES = ("tokens", "draft", "classic", "call", "turn", "end")
TOKENS, DRAFT, CLASSIC, CALL, TURN, END = range(6)
"""TOKENS: an epoch begins. CLASSIC: the draft in the classic card selection. CALL: the next empire is called."""

STEPS = ("found", "conquest", "inactivate", "score", "done")
FOUND, CONQUEST, INACTIVATE, SCORE, DONE = range(5)
"""Steps of a turn, as named in positions; INACTIVATE: monuments have been built."""

DECISIONS = (
    "keep_event", "keep_empire", "give", "begin", "act", "way", "reroll", "after_loss", "site", "place",
    "target", "landing",
)  # fmt: skip
(
    KEEP_EVENT,  # card `option_card` of the event stack that the seat looks at
    KEEP_EMPIRE,  # card `option_card` of the empire stack
    GIVE,  # classic: the top card goes to seat `option_seat`
    BEGIN,  # before founding: kingdom or enhancement `option_card` to play, or NO_CARD to found the empire
    ACT,  # after founding; see `option_kind` below
    CHOOSE_WAY,  # `option_value`: the way of the conquest, if several ways reach the land
    REROLL,  # `option_value`: 0, 1: which of one's own dice is re-rolled; -1: pass
    AFTER_LOSS,  # `option_kind`: SIEGE, SIEGE_TOKEN or RETREAT
    SITE,  # land `option_land` of the next monument
    PLACE,  # land for a fort or city, or body (`option_value`) for a disc, by an effect; NO_LAND to stop
    TARGET,  # land that an effect acts on
    LANDING,  # `option_value`: +1 or -1 point, because the marker would stop on an occupied space
) = range(12)

STOP, CONQUER, BUILD_FORT, PLAY_EVENT, USE_ABILITY, FIGHT_AGAIN = range(6)
"""Kinds of options in ACT: continue to the next step; conquer `option_land`; build a fort there; play the enhancement
`option_card`; use the ability of the empire; let the army that has just won fight again, in `option_land`."""
SIEGE, SIEGE_TOKEN, RETREAT = range(3)

NO_BATTLE, TO_ROLL, LOST_ROLL = range(3)
"""Values of `g.battle`. TO_ROLL: dice are to be rolled; LOST_ROLL: the attacker lost and chooses siege or retreat."""

RESULTS = ("occupied", "won", "tie", "retreated")
OCCUPIED, WON, TIED, RETREATED = range(4)

# ---- Counts of a game, for lands and rolls rather than seats or cards ----

COUNTED_OF_LANDS = ("held", "fought", "scored", "points")
LAND_COUNTS = len(COUNTED_OF_LANDS)
HELD, FOUGHT, TIMES_SCORED, LAND_TENTHS = range(LAND_COUNTS)
"""For each land and epoch: 1 if an army is there at the end; the number of battles; how often it counted for a region's
points; tenths of points that it brought in this way and by its structures."""

MOST_PLUS = 5
"""Bonus on the attacker's highest die (siege and effects together) from which on all rolls count as one kind."""

# ---- Settings: open points of the rulebook with the values that kernels support ----

SETTINGS: dict[str, tuple[bool | str, ...]] = {
    "data": DATA_SETS,
    "tokens_alone_besiege": (False, True),
    "enhancements": ("between conquests", "between phases"),
    "ramparts_count_inactive": (False, True),
    "siege_tokens_build_forts": (False, True),
    "landing_below_one": (False, True),
    "ability_forts": ("after monuments", "conquest"),
    "classic_holder_may_draw": (False, True),
}
"""Every setting with its values; in the tables a setting is the index of its value."""

# ---- Results ----

SCORE_PARTS = ("start", "regions", "structures", "marauders", "effects", "landing")
START, REGIONS, STRUCTURES, MARAUDERS, EFFECTS, LANDED, TOTAL = range(7)
END_REASONS = ("last epoch",)
