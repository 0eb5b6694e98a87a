"""Numbers shared by kernels and data, named as in the rulebook.

Kernels refer to things by number; TOML files and messages use names. This module lists names and numbers in the same
order.
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
"""Ways in which a conquest can be made. A chain of discs that includes a sea or an ocean counts as FLEET."""

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
    # A is the number that follows the name of an operation.
    ICONS_PER_MONUMENT,  # a monument needs only A icons
    FORTS_PER_ICON,  # up to A forts for each resource icon in lands with an active army
    FORTS,  # up to A forts in lands with an active army
    BATTLE_BONUS,  # adds A to the attacker's highest die until the end of the turn
    ATTACKER_REROLLS,  # the attacker may re-roll A dice in each roll until the end of the turn
    ARMIES,  # A more armies on the card
    SWAP_ARMIES,  # in exactly A lands, own armies from the supply replace those of opponents
    DESTROY,  # destroys one structure in each of exactly A lands, without a battle
    POINTS,  # A points immediately
    SIEGE_TOKENS,  # A siege tokens on the card
    SPARES_FORTS,  # conquests leave forts standing
    IGNORES_TERRAIN,  # terrain gives defenders no bonus until the end of the turn
    IGNORES_MARITIME,  # attacks by fleet give defenders no re-roll until the end of the turn
    WINS_TIES,  # a tie is a win until the end of the turn
    CITIES,  # cities in up to A lands with an active army and without a capital or city
    DISCS,  # up to A more fleets or caravans, in bodies next to an active army
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
"""Phases of the game. TOKENS: an epoch begins. CLASSIC: the draft in the classic card selection. CALL: the next
empire is called."""

STEPS = ("found", "conquest", "inactivate", "score", "done")
FOUND, CONQUEST, INACTIVATE, SCORE, DONE = range(5)
"""Steps of a turn, as named in positions. INACTIVATE comes after the monuments have been built."""

DECISIONS = (
    "keep_event", "keep_empire", "give", "begin", "act", "way", "reroll", "after_loss", "site", "place",
    "target", "landing",
)  # fmt: skip
(
    # The comments say what an option of each decision stands for.
    KEEP_EVENT,  # card `option_card` of the event stack that the seat looks at
    KEEP_EMPIRE,  # card `option_card` of the empire stack
    GIVE,  # classic: the top card goes to seat `option_seat`
    BEGIN,  # before founding: kingdom or enhancement `option_card` to play, or NO_CARD to found the empire
    ACT,  # after founding; see `option_kind` below
    CHOOSE_WAY,  # `option_value`: the way of the conquest, if several ways reach the land
    REROLL,  # `option_value`: the own die to re-roll, 0 or 1; -1 to pass
    AFTER_LOSS,  # `option_kind`: SIEGE, SIEGE_TOKEN or RETREAT
    SITE,  # land `option_land` of the next monument
    PLACE,  # where an effect builds: land of a fort or city, body (`option_value`) of a disc; NO_LAND to stop
    TARGET,  # land that an effect acts on
    LANDING,  # `option_value`: +1 or -1 point, because the marker would stop on an occupied space
) = range(12)

STOP, CONQUER, BUILD_FORT, PLAY_EVENT, USE_ABILITY, FIGHT_AGAIN = range(6)
"""Kinds of options in ACT. STOP: go on to the next step. CONQUER: attack or enter `option_land`. BUILD_FORT: build a
fort in `option_land`. PLAY_EVENT: play the enhancement `option_card`. USE_ABILITY: use the ability of the empire.
FIGHT_AGAIN: let the army that has just won attack `option_land`."""
SIEGE, SIEGE_TOKEN, RETREAT = range(3)

NO_BATTLE, TO_ROLL, LOST_ROLL = range(3)
"""Values of `g.battle`. TO_ROLL: the dice must be rolled. LOST_ROLL: the attacker lost and chooses siege or retreat."""

RESULTS = ("occupied", "won", "tie", "retreated")
OCCUPIED, WON, TIED, RETREATED = range(4)

# ---- Counts of a game, for lands and rolls rather than seats or cards ----

COUNTED_OF_LANDS = ("held", "fought", "scored", "points")
LAND_COUNTS = len(COUNTED_OF_LANDS)
HELD, FOUGHT, TIMES_SCORED, LAND_TENTHS = range(LAND_COUNTS)
"""Counts for each land and epoch. HELD: 1 if an army is there when the epoch ends. FOUGHT: number of battles.
TIMES_SCORED: how often the land counted towards the points of its region. LAND_TENTHS: the land's share of the points
of its region, plus the points of its structures, in tenths of points."""

MOST_PLUS = 5
"""All rolls with at least this bonus on the attacker's highest die (siege and effects together) count as one kind."""

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
"""Every setting with its values. In the tables a setting is the index of its value."""

# ---- Results ----

SCORE_PARTS = ("start", "regions", "structures", "marauders", "effects", "landing")
START, REGIONS, STRUCTURES, MARAUDERS, EFFECTS, LANDED, TOTAL = range(7)
END_REASONS = ("last epoch",)
