"""The operations that card effects are made of, as the numbers of the code table.

An instruction is a row of `t.code`: an operation, up to four arguments, and where to go on after it. Instructions that
hold others have these right behind them; `NEXT` is then the first instruction after the whole. A body that is run by
somebody else, or several times, ends with `END`.

Arguments named "selector" are rows of `t.selector`, which tells of every card whether it is meant; `SELF` and
`DRAWN_IT` stand for the card itself and for the cards drawn by the effect. "zones" are bits of zones of a seat.
"""

from __future__ import annotations

PLAYERS = (2, 3, 4)

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
"""Every setting with the values the kernels know."""

# Columns of an instruction.
OPERATION, A, B, C, D, NEXT = range(6)
CODE_COLUMNS = 6

ANYTHING = 0
"""Selector of all cards."""
REGIONS = 1
"""Selector of all regions; the suits are the selectors from 1 on, in the order of `state.SUITS`."""
NOTHING = -1
SELF = -2
DRAWN_IT = -3

# Flags.
UP_TO = 1
IF_ABLE = 2  # never reshuffles
REMEMBER = 4  # the cards drawn can be named afterwards
ALL_OF = -1
"""Count: as many as there are."""

ANY_SUIT = 63
"""Suits of an effect that means cards of any suit, or of none."""
ALSO_EXILE, ONLY_EXILE, PLAYS_IT = 1, 2, 4
TOKEN_SHIFT = 4
"""Flags of ACQUIRE from this bit on: resource + 1 that must lie on the market card, 0 for none."""

EACH_OTHER, WITH_REGION, IN_EMPIRE = range(3)
"""Whom one steals from."""

(
    # Control
    END,  # of the frame
    JUMP,  # to NEXT
    MAY,  # body
    CHOOSE,  # A options, each an OPTION
    OPTION,  # body, then JUMP behind the CHOOSE; NEXT: the next OPTION, or behind the CHOOSE
    COST,  # up to A-1 what is paid, from A on what is got; all or nothing
    IF,  # A condition, B, C its arguments; body
    REQUIRE,  # A condition, B, C; NEXT if it does not hold
    OTHERS,  # body for each other player; A: 1 if an attack
    ALL_PLAYERS,  # body for each player
    FOR_EACH,  # body as often as A (ABANDONED, DISCARDED, PAID or RETURNED of `state`) says
    # Resources
    GAIN,  # A resource, B number
    GAIN_PER,  # A resource, B number, C counter, D its argument
    PAY,  # A resource, B number
    PAY_UP_TO,  # A resource, B number
    PAY_ALL,  # A resource, B at least
    STEAL,  # A resource, B number, C whom, D unrest taken by who cannot give all
    PLACE_ON_MARKET,  # A resource, B number
    PLACE_ON_SELF,  # A resource, B number
    GAIN_ON_SELF,  # A resource
    DOUBLE_GAINED,  # A resource
    # Tokens
    GAIN_ACTION,  # A number
    SPEND_ACTION,  # A number
    RETURN_EXHAUST,  # A number
    # Cards
    DRAW,  # A number, B flags
    DRAW_PER,  # A number, C counter, D its argument
    DRAW_FROM,  # A selector, B zone, C number, D flags
    DISCARD,  # A selector, B number or ALL_OF for any number
    DISCARD_DRAWN,  # A number
    TOP_DECK,  # A selector, B zone, C number
    TO_HISTORY,  # A selector, B zones, C number or ALL_OF, D flags
    EXILE_MARKET,  # A number
    EXILE_HAND,  # A selector, B number
    EXILE_CARD,  # A selector, also SELF, wherever it is in play or the active quest
    SINK,  # A selector, also SELF, B zone, C number
    GARRISON_HERE,  # A selector, B number: hand cards under this card
    GARRISON_SELF,  # A selector of hosts; the host's play effect is resolved
    ABANDON,  # A selector, also SELF, B number, C flags, D selector of a card garrisoned there or NOTHING
    ABANDON_GARRISONED,  # A selector, B number, C selector of hosts
    RECALL,  # A selector, also SELF, B number
    RECALL_GARRISONED,  # A selector: cards garrisoned here
    FIND,  # A selector, B zones, C zone it goes to
    GIVE_CARD,  # A zones, B selector of gifts that bring an unrest, or NOTHING
    FREE_PLAY,  # A selector, B 1 to ignore the state icon
    PLAY_FROM_DISCARD,  # A selector, B action tokens
    TAKE_UNREST,  # A number
    RETURN_UNREST,  # A number or ALL_OF, B zones, C flags, D 1: those garrisoned here
    RETURN_SELF,
    # Market, fame, nation
    ACQUIRE,  # A suits, B times, C flags, D selector
    BREAK_THROUGH,  # A suits, B times, C flags, D selector the card must meet (ANYTHING, or variable cards)
    SWAP_EXILE,
    GAMBLE,  # A suits
    FAME_LOOK,  # A looked at, B taken
    FAME_TOP,
    DEVELOP_CARD,  # A 1: free
    NATION_LOOK,
    NATION_SHUFFLE,
    NATION_TO_DISCARD,  # A number
    NATION_TO_BOTTOM,
    NATION_SWAP,
    TRIGGER_SCORING,  # A end reason
    # Cards with rules of their own
    FLIP_SELF,
    REPLACE_SELF,  # A selector
    FLIP_STATE,  # A state
    ENTER_PLAY,  # instead of lying in the discard pile
    QUEST_TO,  # A zone
    GARRISON_QUEST,
    EXILE_QUEST,  # A selector
    IGNORE_STATE,  # A state icon
    COPY_EXHAUST,
    TREAT_ICON,  # A icon, B as which, C as how many
    AVOID_ATTACK,
) = range(72)

# What players are asked for outside effects; numbers behind those of the operations.
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

# Counters of GAIN_PER and DRAW_PER, with their argument.
(
    CARDS_IN_PLAY,  # selector
    ICONS_IN_PLAY,  # region icon
    CARDS_GARRISONED,  # selector
    ABANDONED_CARDS,  # selector
    RETURNED_UNREST,
) = range(5)

# What reactions and "when" passives wait for, with their argument.
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
    ANOTHER_ATTACKS,
    YOU_GAIN_FROM_ICON,  # region icon
    DISCARD_REQUIRED,  # selector
) = range(16)

# Programs of a card: where each starts in `t.code`, 0 for none.
(
    PLAY_PROGRAM,
    EXHAUST_PROGRAM,
    SOLSTICE_PROGRAM,
    REACT_PROGRAM,
    WHEN_PROGRAM,
    GAIN_PROGRAM,  # instead of lying in the discard pile, or when it comes there
    ENTER_PROGRAM,  # when it enters play
    RESOLVE_PROGRAM,  # King of Kings
    SCORING_PROGRAM,  # before scoring
    REQUIRE_PROGRAM,  # REQUIREs that must hold for it to be played
    REPLACE_GAIN_PROGRAM,  # instead of gaining `t.replaces_gain`
) = range(11)
PROGRAMS = 11

# Where a card lies at the start of the game.
START_DECK, START_NATION, START_ACCESSION, START_DEVELOPMENT, START_IN_PLAY, START_UNREST_PILE, START_COMMONS = range(7)

# How a card in play keeps an attack away.
NO_SHIELD, SHIELD_BY_EXHAUST, SHIELD_BY_RECALL, SHIELD_BY_PAYING, SHIELD_ALWAYS = range(5)

# What variable points count, with their arguments.
(
    OF_RESOURCE,  # resource
    OF_CARDS,  # selector: all scored cards that meet it
    OF_CARDS_IN_PLAY,  # selector
    OF_CARDS_IN_HISTORY,  # selector
    OF_CARDS_GARRISONED_HERE,  # selector
    OF_ICONS,  # bits of region icons, on all scored cards
    OF_EXILE_PILE,
    OF_OTHERS_UNREST,
    OF_PLAYERS_WITH_LESS,  # resource
    OF_RESOURCE_AND_CARDS,  # resource, selector: each floored by itself
) = range(10)

FORBIDS_NOTHING, FORBIDS_PAYMENTS, FORBIDS_ALL = range(3)
"""Costs that keep a card from being played when they cannot be met."""

# Kinds of victory points.
NO_POINTS, FIXED_POINTS, CONDITIONAL_POINTS, VARIABLE_POINTS = range(4)
