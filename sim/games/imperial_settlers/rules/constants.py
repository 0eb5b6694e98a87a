"""Numbers shared by kernels and data, named as in the rulebook.

Kernels refer to things by number, TOML files and messages by name; this module lists both in the same order.
"""

from __future__ import annotations

MAX_SEATS = 4
ROUNDS = 5
NO_CARD = -1
NO_SEAT = -1
TABLE = MAX_SEATS
"""Owner of the zones of the table."""
VIRTUAL = 1
"""Owner of the virtual player's zones in the solo game, in which only seat 0 is a player."""
BOARD = -2
"""The faction board, as a source in a production phase."""

# ---- Goods ----

GOODS = ("wood", "stone", "food", "gold", "worker", "raze", "defence", "vp", "card")
WOOD, STONE, FOOD, GOLD, WORKER, RAZE, DEFENCE, VP, CARD = range(9)
RESOURCES = 3
"""Number of resources: wood, stone and food, which gold can replace."""
SUPPLY = 7
"""Number of goods that are kept in a supply: all but victory points and cards."""

COLOURS = ("black", "purple", "blue", "brown", "gold", "red", "pink", "grey")
BLACK, PURPLE, BLUE, BROWN, GOLDEN, RED, PINK, GREY = range(8)

KINDS = ("production", "feature", "action")
PRODUCTION, FEATURE, ACTION = range(3)
ATTACK_CARD = 3
"""Kind of the attack cards of the solo game: cards with a target in place of a deal field, stored in the same way."""

EMPIRES = ("barbarians", "japanese", "romans", "egyptians")
BARBARIANS, JAPANESE, ROMANS, EGYPTIANS = range(4)

COMMON = -1
"""Value of `t.deck` for a common card; for other cards it is their faction."""
SOLO = -2
"""Value of `t.deck` for an attack card."""

# ---- Zones ----
#
# Zones of a seat, stored under its index; the top of a deck is the last entry. Zones of the table: DECK and DISCARD of
# the common cards, ROW, REMOVED. Zones of the virtual player: DECK of attack cards, ROW of revealed attack cards (the
# newest last), LOCATIONS, PILE. CONTROLLED and TRADES list locations in other seats' empires.

(
    HAND,
    DECK,
    DISCARD,
    LOCATIONS,  # in the order built
    DEALS,
    FOUNDATIONS,
    TUCKED,  # under Gates; `g.host` says which one
    PACK,  # cards to choose from in the alternative lookout
    LOOKED,  # cards being looked at, until one is kept, and the card being razed
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
    TURN,  # `option_kind` is what to do, see below
    TAKE,  # card from the row or the pack (lookout)
    DRAW,  # `option_value`: COMMON_DECK or FACTION_DECK
    GIVE_UP,  # own location, or a foundation (`option_kind` FOUNDATION), to discard for building `g.asked_card`
    PAY,  # `option_value`: a payment for `g.asked_card`, packed as in `payment.py`
    PICK,  # `option_card`, of seat `option_seat`, or `option_value`, for the operation `g.asked` of `g.asked_card`
    BRANCH,  # `option_value`: the row of the code at which to continue, -1 to skip the effect
    KEEP,  # a card being looked at
    MORE_PAIRS,  # next pair of workers: `option_value` as with EXCHANGE, STOP for no more
    CONVERT,  # `option_value`: 1 to turn a good (`g.asked_good`) into points
    SOURCE,  # `option_card`: source that produces next: BOARD or a card
    LOSE,  # location for the virtual player's attack to take
) = range(12)

(
    PASS,
    BUILD,
    DEAL,
    RAZE_HAND,
    RAZE_LOCATION,  # location `option_card` of `option_seat`
    ACTIVATE,  # location `option_card`, `option_value` times in this action: 1 or 2
    EXCHANGE,  # first pair of workers: `option_value` is WOOD, STONE, FOOD, COMMON_DECK or FACTION_DECK
    DEFEND,  # free steps, from here on: defence token onto `option_card`
    SAMURAI,  # samurai onto `option_card`
    TUCK,  # hand card `option_card` under the Gate `option_value`
    BANK,  # resource `option_value` onto the Shrine `option_card`
) = range(11)
MOVES = (
    "pass", "build", "deal", "raze", "raze_location", "use", "exchange", "defend", "samurai", "tuck", "bank",
)  # fmt: skip
"""Names of these kinds in lessons of moves."""
# Lessons of cards (`t.card_lesson`): for the actions with a card, in the order of their kinds from BUILD on; for taking
# it in the lookout; and for giving it up to build another card.
LEARNT_OF_TAKING, LEARNT_OF_GIVING_UP = 5, 6
LESSONS = 7
FOUNDATION = 20
"""Kind of the option to give up a foundation."""
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
    OP_CHOOSE,  # A branches follow; one that can be done is chosen
    OP_MAY,  # the same, or none of them is chosen
    OP_BRANCH,  # a branch: its operations follow, NEXT is the start of the next branch; D: the end of the choice
    GAIN,  # good A, B times
    GAIN_PER_COLOUR,  # good A, B for each location of colour C, at most D goods
    GAIN_PER_SAMURAI,  # good A, B for each samurai, at most C goods
    DRAW_CARDS,  # deck A, B cards
    LOOK,  # at B cards of deck A, keep C, the rest: D is REST_DISCARDED or REST_SHUFFLED
    RUN_PRODUCTION,  # of one of the seat's production locations; A 1: other than this one
    GAIN_DEAL_GOOD,  # the good of one's own deal
    BUILD_FROM_HAND,  # a card, with its location cost waived; A: bits of DECK_BITS
    BUILD_DEAL,  # one's own deal as a location, with its location cost waived
    TRADE_DEAL,  # a deal with an opponent's faction location
    DISCARD_DEAL,  # of an opponent; A 1: gain its good
    TAKE_DEAL,  # of an opponent
    TAKE_RESOURCE,  # of an opponent's supply; A: bits of goods
    COPY_RAZE_GOOD,  # one good of the raze field of an opponent's location
    RAZE_EITHER,  # a hand card for A raze tokens or an opponent's location for B; each good gained may be C points
    RAZE_OWN,  # one's own location; A: bits of DECK_BITS
    RAZE_OPPONENT,  # an opponent's location, whatever protects it
    REMOVE_LOCATION,  # an opponent's location, out of the game
    RESET_ACTION,  # another of one's own action locations can be used again
    BLOCK_ACTION,  # an opponent's action location cannot be used this round
    CONTROL_LOCATION,  # of an opponent, for this round
    FOUND_FROM_HAND,  # a hand card becomes a foundation; A: bits of DECK_BITS
    OPPONENT_DISCARDS,  # a hand card
    PLACE_SAMURAI,  # A of them, from the general supply
    SWAP,  # B of good A for D of good C
) = range(29)
PAY_WITH_CARD, PAY_WITH_DEAL = 40, 41
"""Values of `g.asked` when the use of an action location is paid for with a hand card or with one's own deal."""
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
    ON_BUILD,  # of a card with a colour of `t.feature_colours`, or of `t.feature_decks`
    ON_RAZE,
    ON_DEAL,
    ON_POINTS,  # of at least `t.feature_number`: adds as many as its program says
    ON_EXCHANGE,  # of an opponent, at most `t.feature_number` times a round
    ON_PRODUCTION,  # goods of own deals may be turned into points: `t.feature_number` each
    STORES,  # goods of `t.feature_goods` are kept in cleanup
    TUCKS,  # hand cards, `t.feature_number` points each
    BANKS,  # goods of `t.feature_goods`
) = range(10)

# ---- Frames of effects (`sim.engine.effect_stack`) ----

FRAME_FIELDS = 6
# Steps of the engine between effects:
STEP_TRIGGERS, STEP_USE = range(-2, -4, -1)
"""Trigger features in response to an event (FRAME_VALUE: the trigger; FRAME_CARD: the card concerned), and use an
action location once more."""

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
"""Every setting with its values; in the tables a setting is the index of its value."""

# ---- Results ----

SCORE_PARTS = ("track", "common_locations", "faction_locations", "banked")
TRACK, COMMON_LOCATIONS, FACTION_LOCATIONS, BANKED, TOTAL = range(5)

TITLES = ("commoner", "servant", "squire", "knight", "castellan", "king", "emperor")
"""Titles of the solo game: for fewer than 30 points, for 30 and more, and so on in steps of ten."""
END_REASONS = ("five rounds", "solo lost", *(f"solo {title}" for title in TITLES))
FIVE_ROUNDS, SOLO_LOST, SOLO_WON = 0, 1, 2
"""End reasons; SOLO_WON is the first of the titles."""
