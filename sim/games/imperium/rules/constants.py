"""The names used in Imperium, and their numbers in kernels.

Zones, suits, icons, phases, decisions and end reasons come first. The elements of the code of card effects follow.
"""

from __future__ import annotations

from sim.engine.effect_stack import OWN_FRAME_FIELDS

PLAYERS = (2, 3, 4)
MAX_SEATS = 4

SETTINGS: dict[str, tuple[object, ...]] = {
    "break_through_fallback": ("progress", "material"),
    "king_of_kings_once_per_player": (False, True),
    "active_quest_is_scored": (False, True),
    "garrisoned_unrest_counts": (False, True),
    "sunken_unrest_counts": (False, True),
    "unpayable_cost_forbids_play": ("none", "payments", "all"),
    "empty_option_allowed": (False, True),
    "play_trigger_timing": ("after", "before"),
    "avoiding_loses_benefits": (False, True),
    "power_card_is_counted": (False, True),
    "tokens_on_cards_score": (False, True),
    "tokens_gained_when_card_leaves": (False, True),
    "tucked_unrest_is_taken": (False, True),
    "barbarian_may_develop": (False, True),
}
"""Every setting, with the values that kernels support."""

NO_CARD = -1
NO_SEAT = -1

# Zones of a seat.
HAND, DECK, DISCARD_PILE, PLAY, HISTORY, NATION, DEVELOPMENT, GARRISON, SUNKEN = range(9)
ZONES = 9
ZONE_NAMES = ("hand", "draw_deck", "discard", "in_play", "history", "nation", "development", "garrisoned", "sunken")

TABLE = MAX_SEATS
"""Owner of the zones on the table, which belong to no seat."""
REGION_DECK, UNCIVILISED_DECK, CIVILISED_DECK, MAIN_DECK, FAME_DECK, UNREST_PILE, EXILE_PILE, REMOVED = range(8)
TABLE_ZONE_NAMES = ("region", "uncivilised", "civilised", "main", "fame", "unrest", "exile", "removed")

# Heaps at set-up (see `knowledge.py`). Heaps of common cards have the numbers of their decks.
NATION_HEAPS, STARTING_HEAPS, SHOWN_HEAPS = 8, 12, 16
"""Numbers of the heaps of seat 0: its nation deck, its starting deck, and hand cards that all players knew. For seat
s, add s."""
FIRST_FREE_HEAP = 20
EVERYBODY = (1 << MAX_SEATS) - 1
"""The bits of all seats."""

SLOTS = 5
SLOT_DECKS = (REGION_DECK, UNCIVILISED_DECK, CIVILISED_DECK, MAIN_DECK, MAIN_DECK)
"""Deck that refills each slot of the market."""

EXHAUSTED_DECKS = {"nation": "nation deck", "development": "development area"}
"""Places where a reshuffle puts an exhaust token: their names in positions and in narrations."""

MATERIAL, POPULATION, PROGRESS = range(3)
RESOURCES = ("material", "population", "progress")

BARBARIAN, EMPIRE, NO_STATE = 0, 1, 2
STATES = ("barbarian", "empire")

# Suits, as bits of a mask.
REGION, UNCIVILISED, CIVILISED, TRIBUTARY, FAME, UNREST = 1, 2, 4, 8, 16, 32
SUITS = ("region", "uncivilised", "civilised", "tributary", "fame", "unrest")
"""Names of the suits: suit i has bit i."""
SUITS_TO_INNOVATE = REGION | UNCIVILISED | CIVILISED | TRIBUTARY
"""Suits for which one can break through."""
TUCKS_UNREST = UNCIVILISED | CIVILISED | TRIBUTARY
"""Suits whose cards have an unrest card under them in the market."""

PRODUCTION, FERTILE, RIVER = range(3)
ICONS = ("production", "fertile", "river")

# Kinds of special cards.
CARD, POWER, JOURNEY, COURT, KING_OF_KINGS = range(5)

# Decisions of a strategy. `g.asked` says what the decision is about; mostly it is an operation of this module.
# `g.asking` is the card that causes the decision.
TURN = 0
"""What to do next in one's own turn: `option_kind` is one of `PLAY_CARD` to `END_TURN`, `option_card` the card."""
PICK = 1
"""A card to which `g.asked` applies: `option_card` in zone `option_value` of seat `option_seat`, or `NO_CARD`."""
MARKET = 2
"""A card to gain: `option_kind` is one of `FROM_MARKET` to `FROM_EXILE`, `option_value` the slot or the suits."""
ALTERNATIVE = 3
"""One of several instructions to follow: `option_value` is its first row in `t.code`."""
WHETHER = 4
"""Whether to follow an optional instruction, which starts at row `g.asked_at` of `t.code`: `option_value` is 0 for no,
1 for yes."""
PAYMENT = 5
"""How much progress (`option_value`) replaces `g.asked_resource` in a payment of `g.asked_amount`."""
DEVELOP = 6
"""A card of the development area to develop (`option_card`), or none."""
PROTECT = 7
"""A card with which to avoid the attack of card `g.asking` (`option_card`), or none."""
INNOVATE_SUIT = 8
"""The suit for which to break through: `option_value`."""
AMOUNT = 9
"""A number: `option_value`."""
DECISIONS = ("turn", "pick", "market", "option", "may", "payment", "develop", "protect", "innovate", "amount")

# Lessons of a card (`t.card_lesson`) are learned bonuses: for playing, using, gaining and developing the card, for
# putting it into history (or sinking it) or into a garrison, and for discarding it.
TO_PLAY, TO_USE, TO_GAIN, TO_DEVELOP, TO_RETIRE, TO_GARRISON, TO_DISCARD = range(7)
LESSONS = 7
ACTING = 2
"""Number of lessons that depend on the actions left: those of playing and using."""
ACTIONS_TOLD_APART = 4
"""Number of cases for which the lessons of playing and using differ: 0, 1, 2, and 3 or more actions left."""
EARLY_ROUNDS = 7
"""The late lessons apply once this number of rounds (`g.rounds`) is completed."""

# Phases of a game.
START_TURN, ACTIVATE, CLEANING_UP, DISCARDING, FILL_HAND, START_SOLSTICE, SOLSTICE, END_ROUND, BEFORE_SCORING = range(9)

# What can be done in a turn.
PLAY_CARD, EXHAUST_CARD, INNOVATE, REVOLT, END_TURN = range(5)

# Sources from which a card is gained.
FROM_MARKET, FROM_DECK, FROM_MAIN, FROM_EXILE = range(4)

# Effects that are being resolved, in frames (`sim.engine.effect_stack`).
FINISH_PLAY, FIRE, ATTACKED = -1, -2, -3
"""Steps of the engine between effects: finish playing a card, let an event trigger abilities, resolve an attack."""
OPTIONAL = -2
"""Value of `FRAME_LEFT` (repeats left) for an instruction that the player may decline by choosing no card."""
EXCEPT_PROGRESS = 4
"""First bit in `SHIELDED` for seats that gain progress by an attack but are not affected otherwise."""
# Fields that an effect stores in the frame in which it began.
(
    SHIELDED,  # bits of the seats that an attack does not affect
    ABANDONED,  # number of cards abandoned
    ABANDONED_CARD,  # the card that was abandoned last
    RETURNED,  # number of unrest cards returned
    DISCARDED,
    PAID,
    EXILED_CARD,
    AMOUNT_GAINED,  # amount that a reaction to a gain may double
    ICONS_USED,  # bits of the region icons on cards removed from play
    DRAWN,  # number of cards drawn; the cards follow
    DRAWN_CARD,
) = range(OWN_FRAME_FIELDS, OWN_FRAME_FIELDS + 11)
DRAWN_CARDS = 4
FRAME_FIELDS = DRAWN_CARD + DRAWN_CARDS

SCORE_PARTS = ("progress", "power", "fame", "variable", "history", "regions", "other", "unrest")

# End reasons of a game.
(
    MAIN_DECK_EMPTY,
    LAST_DEVELOPMENT,
    KING_OF_KINGS_TURNED,
    HARALD_HARDRADA,
    GRAAL,
    SHANGRI_LA,
    COLLAPSE,
    ROUND_LIMIT,
) = range(8)
END_REASONS = (
    "main deck",
    "last development",
    "King of Kings",
    "Harald Hardrada",
    "Graal",
    "Shangri-la",
    "collapse",
    "round limit",
)
NOT_ENDING = -1

# ---- The code of effects ----

# An instruction is a row of `t.code`: an operation, up to four arguments, and the row at which to continue.
# Some instructions contain other instructions, their body. The body is in the rows directly after the instruction, and
# `NEXT` is the first row after the body. A body that another seat executes, or that is executed several times, ends
# with `END`.
#
# An argument named "selector" is a row of `t.selector`, which says for every card whether it matches. The selectors
# `SELF` and `DRAWN_IT` stand for the card itself and for the cards drawn by the effect. Arguments named "zones" are
# zones of a seat, as bits.

# Columns of an instruction.
OPERATION, A, B, C, D, NEXT = range(6)
CODE_COLUMNS = 6

ANYTHING = 0
"""Selector of all cards."""
REGIONS = 1
"""Selector of all regions. The suits are the selectors from 1 on, in the order of `SUITS`."""
NOTHING = -1
SELF = -2
DRAWN_IT = -3

# Flags.
UP_TO = 1
IF_ABLE = 2  # never causes a reshuffle
REMEMBER = 4  # later operations can refer to the cards drawn
ALL_OF = -1
"""Used in place of a number. It means: as many as there are."""

ANY_SUIT = 63
"""Suits of an effect that applies to all cards, even to those without a suit."""
ALSO_EXILE, ONLY_EXILE, PLAYS_IT = 1, 2, 4
TOKEN_SHIFT = 4
"""From this bit on, the flags of ACQUIRE hold a number: 0, or 1 + the resource that must lie on the market card."""

EACH_OTHER, WITH_REGION, IN_EMPIRE = range(3)
"""Whom a seat steals from: each other player, only those with a region in play, or only empires."""

(
    # Control
    END,  # of the frame
    JUMP,  # to NEXT
    MAY,  # body
    CHOOSE,  # A: number of options, each an OPTION
    OPTION,  # body, then JUMP to after the CHOOSE; NEXT: the next OPTION, or after the CHOOSE
    COST,  # rows up to A - 1: the price; rows from A on: what it buys; all or nothing
    IF,  # A: condition, B and C: its arguments; body
    REQUIRE,  # A: condition, B and C: its arguments; NEXT if it does not hold
    OTHERS,  # body, for each other player; A: 1 if an attack
    ALL_PLAYERS,  # body, for each player
    FOR_EACH,  # body, as often as the field A of the frame says (ABANDONED, DISCARDED, PAID or RETURNED)
    # Resources
    GAIN,  # A: resource, B: number
    GAIN_PER,  # A: resource, B: number, C: counter, D: its argument
    PAY,  # A: resource, B: number
    PAY_UP_TO,  # A: resource, B: number
    PAY_ALL,  # A: resource, B: minimum
    STEAL,  # A: resource, B: number, C: from whom, D: unrest taken by victims that cannot give all
    PLACE_ON_MARKET,  # A: resource, B: number
    PLACE_ON_SELF,  # A: resource, B: number
    GAIN_ON_SELF,  # A: resource
    MOVE_TO_SELF,  # A: resource, B: number of the player's own tokens
    PAY_ALL_ON_SELF,  # A: resource, B: minimum
    DOUBLE_GAINED,  # A: resource
    # Tokens
    GAIN_ACTION,  # A: number
    SPEND_ACTION,  # A: number
    RETURN_EXHAUST,  # A: number
    # Cards
    DRAW,  # A: number, B: flags
    DRAW_PER,  # A: number, C: counter, D: its argument
    DRAW_FROM,  # A: selector, B: zone, C: number, D: flags
    DISCARD,  # A: selector, B: number or ALL_OF for any number
    DISCARD_DRAWN,  # A: number
    TOP_DECK,  # A: selector, B: zone, C: number
    TO_HISTORY,  # A: selector, B: zones, C: number or ALL_OF, D: flags
    EXILE_MARKET,  # A: number
    EXILE_HAND,  # A: selector, B: number
    EXILE_CARD,  # A: selector of the active quest or a card in play, or SELF for this card in play
    SINK,  # A: selector or SELF, B: zone, C: number
    GARRISON_HERE,  # A: selector of hand cards, B: number
    GARRISON_SELF,  # A: selector of hosts; the host's play effect is resolved
    ABANDON,  # A: selector or SELF, B: number, C: flags, D: selector of a card garrisoned there or NOTHING
    ABANDON_GARRISONED,  # A: selector, B: number, C: selector of hosts
    RECALL,  # A: selector or SELF, B: number
    RECALL_GARRISONED,  # A: selector of cards garrisoned under this card
    FIND,  # A: selector, B: zones, C: zone to which the card goes
    GIVE_CARD,  # A: zones, B: selector of gifts that come with an unrest card, or NOTHING
    FREE_PLAY,  # A: selector, B: 1 to ignore the state icon
    PLAY_FROM_DISCARD,  # A: selector, B: action tokens
    TAKE_UNREST,  # A: number
    RETURN_UNREST,  # A: number or ALL_OF, B: zones, C: flags, D: 1 for those garrisoned here
    RETURN_SELF,
    # Market, fame, nation
    ACQUIRE,  # A: suits, B: times, C: flags, D: selector
    BREAK_THROUGH,  # A: suits, B: times, C: flags, D: selector that the card must match (ANYTHING for no limit)
    SWAP_EXILE,
    GAIN_ON_MARKET,  # all tokens of one market card
    GAMBLE,  # A: suits
    FAME_LOOK,  # A: number looked at, B: number taken
    FAME_TOP,
    DEVELOP_CARD,  # A: 1 if free
    NATION_LOOK,  # A: number
    NATION_SHUFFLE,
    NATION_TO_DISCARD,  # A: number
    NATION_TO_BOTTOM,  # A: number of top cards, one of which goes to the bottom
    NATION_SWAP,
    TRIGGER_SCORING,  # A: end reason
    # Cards with special rules
    FLIP_SELF,
    REPLACE_SELF,  # A: selector
    FLIP_STATE,  # A: state
    ENTER_PLAY,  # of this card, instead of going to the discard pile
    QUEST_TO,  # A: zone
    GARRISON_QUEST,
    EXILE_QUEST,  # A: selector
    IGNORE_STATE,  # A: state icon
    COPY_EXHAUST,
    TREAT_ICON,  # A: icon, B: icon that it counts as, C: how many
    AVOID_ATTACK,
) = range(75)

# Values of `g.asked` for decisions that are not about an operation. They come after the numbers of the operations.
CLEAN_UP, SOLSTICE_ORDER, FAME_ORDER, REVOLT_WITH, EXHAUST_TO_REACT = range(100, 105)

# Conditions of IF and REQUIRE, with their arguments.
(
    STATE_IS,  # state
    IN_PLAY,  # selector
    IN_HISTORY,  # selector
    COUNT_IN_PLAY_AT_LEAST,  # selector, number
    NO_ACTIVE_QUEST,
    RESOURCE_AT_LEAST,  # resource, number
    GARRISONED_HERE_AT_LEAST,  # selector, number
    ABANDONED_LACKS,  # selector
    EXILED_WAS,  # selector
    HAS_DRAWN,
) = range(10)

# Counters for GAIN_PER and DRAW_PER, with their argument.
(
    CARDS_IN_PLAY,  # selector
    ICONS_IN_PLAY,  # region icon
    CARDS_GARRISONED,  # selector
    ABANDONED_CARDS,  # selector
    RETURNED_UNREST,
    CARDS_IN_DEVELOPMENT,  # selector
) = range(6)

# Triggers of reactions and of "when" passives, with their argument.
(
    NEVER,
    YOU_PLAY,  # selector
    YOU_PLAY_FROM_DISCARD,  # selector
    YOU_ACQUIRE,  # selector
    YOU_ACQUIRE_OR_BREAK_THROUGH,  # selector
    YOU_ACQUIRE_FROM_EXILE,  # selector
    YOU_GAIN_MARKET_TOKEN,  # resource
    YOU_RETURN_UNREST,
    YOU_TAKE_UNREST,
    YOU_PAY,  # resource
    YOU_LOOK_AT_FAME,
    CARD_IS_SUNK,
    DECK_EMPTIES,
    YOU_RESHUFFLE,
    ANOTHER_ATTACKS,
    YOU_GAIN_FROM_ICON,  # region icon
    DISCARD_REQUIRED,  # selector
) = range(17)

# Passive abilities of cards in play are bits of `t.passives`. The bits of triggers come first: bit i is trigger i.
(
    REPLACES_GAIN,
    PLAYS_FREE,
    IGNORES_ICON,
    LOWERS_DISCARD,
    CHANGES_UNREST_COST,
    CHANGES_DEVELOPMENT_COST,
    CHANGES_HAND_SIZE,
    ADDS_TO_DISCARD,
) = range(17, 25)

# Programs of a card: `t.program` holds the row of `t.code` at which each starts, 0 for none.
(
    PLAY_PROGRAM,
    EXHAUST_PROGRAM,
    SOLSTICE_PROGRAM,
    REACT_PROGRAM,
    WHEN_PROGRAM,
    GAIN_PROGRAM,  # when the card goes to the discard pile, or instead
    ENTER_PROGRAM,  # when the card enters play
    RESOLVE_PROGRAM,  # King of Kings
    SCORING_PROGRAM,  # before scoring
    REQUIRE_PROGRAM,  # REQUIREs that must hold for the card to be played
    REPLACE_GAIN_PROGRAM,  # instead of gaining `t.replaces_gain`
    HISTORY_PROGRAM,  # in addition to discarding a card that would go into the history
) = range(12)
PROGRAMS = 12

# Places of a card at the start of the game.
START_DECK, START_NATION, START_ACCESSION, START_DEVELOPMENT, START_IN_PLAY, START_UNREST_PILE, START_COMMONS = range(7)

# Ways in which a card in play can avoid an attack.
NO_SHIELD, SHIELD_BY_EXHAUST, SHIELD_BY_RECALL, SHIELD_BY_PAYING, SHIELD_ALWAYS = range(5)

# Things that variable points count, with their arguments.
(
    OF_RESOURCE,  # resource
    OF_CARDS,  # selector: all scored cards that match it
    OF_CARDS_IN_PLAY,  # selector
    OF_CARDS_IN_HISTORY,  # selector
    OF_CARDS_GARRISONED_HERE,  # selector
    OF_ICONS,  # bits of region icons, on all scored cards
    OF_EXILE_PILE,
    OF_OTHERS_UNREST,
    OF_PLAYERS_WITH_LESS,  # resource
    OF_RESOURCE_AND_CARDS,  # resource, selector: rounded down separately
    OF_RESOURCE_PLUS_CARDS,  # resource, selector: rounded down together
    OF_CARDS_SUNKEN,  # selector
) = range(12)

FORBIDS_NOTHING, FORBIDS_PAYMENTS, FORBIDS_ALL = range(3)
"""Values of `t.unpayable_forbids`: which costs forbid a player who cannot pay them to play the card."""

# Kinds of victory points.
NO_POINTS, FIXED_POINTS, CONDITIONAL_POINTS, VARIABLE_POINTS = range(4)

# ---- Numbers ----

NUMBER_WORDS = {
    "vp_for.points": ("points for what is counted",),
    "vp_for.per": ("count needed for these points",),
    "vp_for.cap": ("most points for what is counted",),
    "fame_look_take": ("fame cards looked at", "fame cards taken"),
    "fame_look_extra": ("further fame cards looked at",),
    "exile_market": ("cards exiled from the market",),
    "exile_hand": ("cards exiled from hand, {}",),
    "garrison_here": ("cards garrisoned here, {}",),
    "top_deck": ("cards put on the draw deck, {}",),
    "to_history": ("cards put into history, {}",),
    "return_exhaust": ("exhaust tokens returned",),
    "gain_action": ("actions gained",),
    "spend_action": ("actions spent",),
    "take_unrest": ("unrest taken",),
    "unrest_to_develop": ("unrest taken for developing it",),
    "nation_top_to_discard": ("nation cards discarded",),
    "nation_look": ("nation cards looked at",),
    "nation_top_to_bottom": ("nation cards of which one goes below",),
    "place_on_market": ("{} placed on the market",),
    "move_to_self": ("{} moved to the card",),
    "market_token_replaced_by": ("{} in place of a market token",),
    "unrest_play_cost": ("price of playing unrest",),
    "counts_as": ("counts as so many, {}",),
    "treat_icon_as": ("icons treated so, {}",),
}
"""Words for the numbers on cards (see `number_words` of `sim.game.GameSpec`)."""
