"""Numbers shared by kernels and data, named as in the rulebook.

Kernels refer to things by number. TOML files and messages refer to them by name. This module lists the numbers and the
names of things in the same order.
"""

from __future__ import annotations

MAX_SEATS = 4
ROUNDS = 5
NO_CARD = -1
NO_SEAT = -1
TABLE = MAX_SEATS
"""Owner of the zones that belong to no player, such as the common deck."""
VIRTUAL = 1
"""Owner of the virtual player's zones. Only the solo game has a virtual player. The other player is seat 0."""
BOARD = -2
"""Stands for the faction board among the sources of a production phase."""

# ---- Goods ----

GOODS = ("wood", "stone", "food", "gold", "worker", "raze", "defence", "vp", "card")
WOOD, STONE, FOOD, GOLD, WORKER, RAZE, DEFENCE, VP, CARD = range(9)
RESOURCES = 3
"""Number of resources: wood, stone and food. Gold can replace each of them."""
SUPPLY = 7
"""Number of goods that lie in a supply: all goods but victory points and cards."""

COLOURS = ("black", "purple", "blue", "brown", "gold", "red", "pink", "grey")
BLACK, PURPLE, BLUE, BROWN, GOLDEN, RED, PINK, GREY = range(8)

KINDS = ("production", "feature", "action")
PRODUCTION, FEATURE, ACTION = range(3)
ATTACK_CARD = 3
"""Kind of the attack cards of the solo game. Their targets are stored like the deal fields of other cards."""

EMPIRES = ("barbarians", "japanese", "romans", "egyptians")
BARBARIANS, JAPANESE, ROMANS, EGYPTIANS = range(4)

COMMON = -1
"""Value of `t.deck` for a common card. For a card of a faction the value is the faction."""
SOLO = -2
"""Value of `t.deck` for an attack card."""

# ---- Zones ----
#
# The zones of a seat are stored under its index. The top of a deck is the last entry of its zone.
# The table has DECK and DISCARD of the common cards, ROW and REMOVED.
# The virtual player has DECK of attack cards, ROW of revealed attack cards (the newest last), LOCATIONS and PILE.
# CONTROLLED and TRADES only list locations that lie in other seats' empires.

(
    HAND,
    DECK,
    DISCARD,
    LOCATIONS,  # in the order built
    DEALS,
    FOUNDATIONS,
    TUCKED,  # cards under Gates; `g.host` says under which Gate
    PACK,  # cards to choose from in the alternative lookout
    LOOKED,  # cards that the seat looks at, until it keeps some; also the card that it is razing
    MARKERS,  # cards that mark Trade Route deals, face down, in the order of TRADES
    ROW,
    REMOVED,
    PILE,
    CONTROLLED,  # locations controlled with Temple of Ra
    TRADES,  # other seats' locations with which there is a Trade Route deal
) = range(15)
ZONES = 15

# ---- Course of a game ----

PHASES = ("setup", "lookout", "production", "action", "cleanup", "attack", "end")
SETUP, LOOKOUT, PRODUCE, ACT, CLEANUP, ATTACK, END = range(7)

LOOKOUTS = ("standard", "alternative", "advanced")
STANDARD, ALTERNATIVE, ADVANCED = range(3)

# ---- Decisions, and the kinds of options in TURN ----

DECISIONS = (
    "turn", "take", "draw", "give_up", "pay", "pick", "branch", "keep", "exchange", "convert", "source",
    "lose",
)  # fmt: skip
(
    TURN,  # what to do next: `option_kind` is one of PASS to BANK (below)
    TAKE,  # `option_card`: card to take from the row or the pack in the lookout
    DRAW,  # deck to draw from, `option_value`: COMMON_DECK or FACTION_DECK
    GIVE_UP,  # what to discard for building `g.asked_card`: `option_card`, or a foundation (`option_kind` FOUNDATION)
    PAY,  # how to pay for `g.asked_card`: `option_value`, packed as in `payment.py`
    PICK,  # target of operation `g.asked` of `g.asked_card`: `option_card` of `option_seat`, or good `option_value`
    BRANCH,  # branch of an effect: `option_value` is the row of the code to continue at, -1 to skip the effect
    KEEP,  # `option_card`: card to keep among those that the seat looks at
    MORE_PAIRS,  # next pair of workers: `option_value` as with EXCHANGE, or STOP for no more pairs
    CONVERT,  # whether to turn a good (`g.asked_good`) into points: `option_value` is 1 for yes
    SOURCE,  # source that produces next: `option_card` is BOARD or a card
    LOSE,  # `option_card`: location that the virtual player's attack takes
) = range(12)

(
    PASS,
    BUILD,
    DEAL,
    RAZE_HAND,
    RAZE_LOCATION,  # location `option_card` of `option_seat`
    ACTIVATE,  # location `option_card`, used `option_value` times (1 or 2) in this action
    EXCHANGE,  # first pair of workers: `option_value` is WOOD, STONE, FOOD, COMMON_DECK or FACTION_DECK
    DEFEND,  # defence token onto `option_card`; this kind and those below are free steps
    SAMURAI,  # samurai onto `option_card`
    TUCK,  # hand card `option_card` under the Gate `option_value`
    BANK,  # resource `option_value` onto the Shrine `option_card`
) = range(11)
MOVES = (
    "pass", "build", "deal", "raze", "raze_location", "use", "exchange", "defend", "samurai", "tuck", "bank",
)  # fmt: skip
"""Names of these kinds of options in lessons of moves."""
# Lessons of a card (`t.card_lesson`) are learned bonuses: for the actions with the card, in the order of their kinds
# from BUILD on; for taking the card in the lookout; and for giving the card up to build another one.
LEARNT_OF_TAKING, LEARNT_OF_GIVING_UP = 5, 6
LESSONS = 7
FOUNDATION = 20
"""`option_kind` of the option to give up a foundation."""
STOP = -1
COMMON_DECK, FACTION_DECK, ANY_DECK = 10, 11, 12
DRAW_DECKS = ("common", "faction", "any")
"""Names of COMMON_DECK, FACTION_DECK and ANY_DECK."""

# ---- Programs of a card, and their operations ----

PROGRAMS = ("production", "bonus", "action", "feature")
PRODUCES, BONUS, ACTS, FEATURES = range(4)
NO_PROGRAM = -1

OPERATION, A, B, C, D, NEXT = range(6)
CODE_COLUMNS = 6

OPERATIONS = (
    "end", "choose", "may", "branch", "gain", "gain_per_colour", "gain_per_samurai", "draw", "look", "run_production",
    "gain_deal_good", "build_from_hand", "build_deal", "trade_deal", "discard_deal", "take_deal", "take_resource",
    "copy_raze_good", "raze_either", "raze_own", "raze_location", "remove_location", "reset_action", "block_action",
    "control_location", "found_from_hand", "opponent_discards", "place_samurai", "swap",
)  # fmt: skip
(
    OP_END,
    OP_CHOOSE,  # A: number of branches that follow; the seat chooses one that can be done
    OP_MAY,  # as OP_CHOOSE, but the seat may choose none
    OP_BRANCH,  # its operations follow; NEXT: the next branch, D: the end of the choice
    GAIN,  # A: good, B: number
    GAIN_PER_COLOUR,  # A: good, B: number for each location of colour C, D: maximum number
    GAIN_PER_SAMURAI,  # A: good, B: number for each samurai, C: maximum number
    DRAW_CARDS,  # A: deck, B: number of cards
    LOOK,  # A: deck, B: cards looked at, C: cards kept, D: REST_DISCARDED or REST_SHUFFLED
    RUN_PRODUCTION,  # lets a production location of the seat produce; A: 1 to exclude the card itself
    GAIN_DEAL_GOOD,  # gains the good of one of the seat's deals
    BUILD_FROM_HAND,  # builds a hand card with the location cost waived; A: decks of the card, bits of DECK_BITS
    BUILD_DEAL,  # builds one of the seat's deals as a location, with the location cost waived
    TRADE_DEAL,  # makes a deal with an opponent's faction location
    DISCARD_DEAL,  # discards an opponent's deal; A: 1 if the seat gains the deal's good
    TAKE_DEAL,  # takes an opponent's deal
    TAKE_RESOURCE,  # takes a good from an opponent's supply; A: goods (bits)
    COPY_RAZE_GOOD,  # gains one good of the raze field of an opponent's location
    RAZE_EITHER,  # razes a hand card for A tokens, or an opponent's location for B; C: points in place of a good
    RAZE_OWN,  # razes a location of the seat; A: its decks, bits of DECK_BITS
    RAZE_OPPONENT,  # razes an opponent's location, whatever protects the location
    REMOVE_LOCATION,  # takes an opponent's location out of the game
    RESET_ACTION,  # makes another action location of the seat usable again
    BLOCK_ACTION,  # forbids using an opponent's action location this round
    CONTROL_LOCATION,  # lets an opponent's location work for the seat this round
    FOUND_FROM_HAND,  # turns a hand card into a foundation; A: decks of the card, bits of DECK_BITS
    OPPONENT_DISCARDS,  # an opponent discards a hand card
    PLACE_SAMURAI,  # places A samurai from the general supply
    SWAP,  # pays B of good A for D of good C
) = range(29)
PAY_WITH_CARD, PAY_WITH_DEAL = 40, 41
"""Values of `g.asked` when a seat pays for the use of an action location with a hand card or with one of its deals."""
REST_DISCARDED, REST_SHUFFLED = 0, 1
RESTS = ("discarded", "shuffled")
DECK_BITS = ("common", "faction")
OF_COMMON, OF_FACTION = 1, 2

# ---- Features ----

TRIGGERS = (
    "none", "build", "raze", "deal", "points", "exchange", "production", "store", "tuck", "bank",
)  # fmt: skip
(
    NO_TRIGGER,
    ON_BUILD,  # of a card with a colour of `t.feature_colours`, or from `t.feature_decks`
    ON_RAZE,
    ON_DEAL,
    ON_POINTS,  # a gain of at least `t.feature_number` points: the program adds points
    ON_EXCHANGE,  # by an opponent, at most `t.feature_number` times a round
    ON_PRODUCTION,  # a good from one of the seat's deals may be turned into `t.feature_number` points
    STORES,  # not a trigger: goods of `t.feature_goods` are kept in cleanup
    TUCKS,  # not a trigger: hand cards may go under the card, for `t.feature_number` points each
    BANKS,  # not a trigger: goods of `t.feature_goods` may be stored on the card
) = range(10)

# ---- Frames of effects (`sim.engine.effect_stack`) ----

FRAME_FIELDS = 6
# Steps of the engine between effects.
STEP_TRIGGERS, STEP_USE = range(-2, -4, -1)
"""STEP_TRIGGERS lets an event trigger features (FRAME_VALUE: the trigger; FRAME_CARD: the card concerned). STEP_USE
uses an action location once more."""

# ---- Settings: open points of the rulebook with the values that kernels support ----

SETTINGS: dict[str, tuple[bool | str, ...]] = {
    "draw_one_by_one": (False, True),
    "reshuffle": ("common", "all"),
    "build_order": ("effects first", "triggers first"),
    "free_step_before_pass": (False, True),
    "banked_when_lost": ("lost", "supply"),
    "wood_for_razed_faction_location": (False, True),
    "foundations_score": (False, True),
    "gold_breaks_ties": (False, True),
    "attack_in_last_round": (False, True),
    "solo_faction_attack": ("replaces", "follows"),
    "trade_ends_with_location": (False, True),
    "trade_fires_deal_features": (False, True),
    "points_and_cards_convert": (False, True),
    "reset_uses": ("all", "one"),
    "removal_targets": ("any", "common"),
    "raze_effects_need_field": (False, True),
    "controlled_scores_for": ("owner", "holder"),
    "pack_needs_razeable": (False, True),
    "shrine_takes_gold": (False, True),
    "blocked_for": ("round", "one use"),
    "farmers_chain": (False, True),
    "raze_from_hand_fires": (False, True),
    "desert_needs_card": (False, True),
    "build_fires_all_colours": (False, True),
    "taken_deal_gives_good": (False, True),
    "desert_chooser": ("opponent", "player"),
    "sanctuary_takes": ("common", "any"),
}
"""Every setting with its values. In the tables, a setting is the index of its value."""

# ---- Results ----

SCORE_PARTS = ("track", "common_locations", "faction_locations", "banked")
TRACK, COMMON_LOCATIONS, FACTION_LOCATIONS, BANKED, TOTAL = range(5)

TITLES = ("commoner", "servant", "squire", "knight", "castellan", "king", "emperor")
"""Titles of the solo game, lowest first. `title_from` in rules.toml has the points from which each title is won."""
END_REASONS = ("five rounds", "solo lost", *(f"solo {title}" for title in TITLES))
FIVE_ROUNDS, SOLO_LOST, SOLO_WON = 0, 1, 2
"""End reasons of a game. SOLO_WON stands for the lowest title; higher titles follow."""
