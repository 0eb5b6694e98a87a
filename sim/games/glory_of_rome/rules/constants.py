"""Numbers shared by kernels and data, named as in the rulebook.

Kernels refer to things by number; TOML files and messages use names. This module lists names and numbers in the same
order.
"""

from __future__ import annotations

MAX_SEATS = 4
NO_SEAT = -1
NO_CARD = -1

ROUNDS = 9

# ---- The board ----

PROVINCES = ("Africa", "Gallia", "Hispania", "Italia")
REGIONS = ("Epirus", "Macedonia", "Thrace")

BUILDINGS = ("military", "political", "commercial", "religious", "economic")
MILITARY, POLITICAL, COMMERCIAL, RELIGIOUS, ECONOMIC = range(5)
"""Types of buildings. Medals have the same types. The first three types have bonus tokens."""
LEVELS = 3
BONUSES = 3
PLACES = (*BUILDINGS, "Colosseum", "intrigue")
COLOSSEUM, INTRIGUE_SPACE = 5, 6
"""The two places for a follower that are not buildings."""

TABLES_TOLD_APART = ("2", "3 or 4")
"""Numbers of players for which there are learned bonuses. In one-player games there are none."""
FOLLOWERS_TOLD_APART = 5
"""Learned bonuses for placing a follower distinguish this many cases: 1, 2, 3, 4, or more followers left."""

SENATE_SIZE = 5
INTRIGUE_SPACES = 3
GLORY_SPACES = 30
"""Number of spaces on the glory track. After the last space a marker continues from space 1 with its +30 side up."""
NO_BONUS = -1
"""Stands for a space of a discord track that has no bonus."""
OUT_OF_THE_GAME = -2
"""Entry of `g.medal` for a medal that is out of the game, in place of its owner."""

# ---- The Pantheon ----

PANTHEON_LEVELS = ("base", "roof")
BASE, ROOF = range(2)
METALS = ("own", "gold", "silver", "bronze")
OWN, GOLD, SILVER, BRONZE = range(4)
"""Pieces of the Pantheon. In `g.pantheon_common`, 0 means that no common piece has been placed yet."""

# ---- Characters and intrigue ----

CHARACTERS = (
    "Marcus Antonius", "Aemilius Lepidus", "Fulvia", "Gaius Octavius", "Junia Secunda", "Livia Drusilla",
)  # fmt: skip

INTRIGUES = (
    "Slander", "Demolition", "Defection", "Deception", "Re-vote", "Invalid vote", "Sold", "Custom duty",
)  # fmt: skip
SLANDER, DEMOLITION, DEFECTION, DECEPTION, RE_VOTE, INVALID_VOTE, SOLD, CUSTOM_DUTY = range(8)
"""Intrigue effects. Every character has the first two and one of the others."""

# ---- Cards: trade cards, missions and events are rows of one table ----

CARD_KINDS = ("trade", "mission", "event")
TRADE, MISSION, EVENT = range(3)

TRADE_TYPES = ("tools", "weapons", "textiles", "jewels", "chest")
TOOLS, WEAPONS, TEXTILES, JEWELS, CHEST = range(5)

CONDITIONS_OF_PLAY = (
    "never", "activate_intrigue", "intrigue_in_own_province", "build", "follower", "follower_colosseum",
    "follower_economic", "double_tax",
)  # fmt: skip
(
    NEVER,
    ACTIVATE_INTRIGUE,
    INTRIGUE_IN_OWN_PROVINCE,
    BUILD,
    FOLLOWER,
    FOLLOWER_COLOSSEUM,
    FOLLOWER_ECONOMIC,
    DOUBLE_TAX,
) = range(8)
"""When a trade card can be played."""

TRADE_EFFECTS = (
    "draw", "denarii", "glory", "recruit_legions", "recruit_votes", "take_discard", "remove_anchor", "missions",
    "sets",
)  # fmt: skip
(
    DRAW,  # number of trade cards
    DENARII,
    GLORY,
    RECRUIT_LEGIONS,  # added to the player board
    RECRUIT_VOTES,
    TAKE_DISCARD,  # this many cards from the top of the discard pile
    REMOVE_ANCHOR,  # 1: the anchor card leaves the game
    MISSIONS,  # this many mission cards from their deck
    SETS,  # how many more sets may be laid down than before
) = range(9)

COUNTS = (
    "none", "denarii", "glory", "legions", "votes", "sets", "medals", "pantheon", "discord", "followers",
    "trade_cards", "population", "first_places",
)  # fmt: skip
(
    COUNT_NONE,
    COUNT_DENARII,
    COUNT_GLORY,
    COUNT_LEGIONS,  # in regions
    COUNT_VOTES,  # in the column
    COUNT_SETS,
    COUNT_MEDALS,
    COUNT_PANTHEON,  # pieces placed
    COUNT_DISCORD,
    COUNT_FOLLOWERS,
    COUNT_TRADE_CARDS,  # in hand, without the anchor card
    COUNT_POPULATION,  # of the province in front of the seat
    COUNT_FIRST_PLACES,  # in conquered regions
) = range(13)

CONDITIONS = ("always", "most", "least", "at_least", "medal", "per")
ALWAYS, MOST, LEAST, AT_LEAST, MEDAL, PER = range(6)
"""Conditions of missions and events. All but ALWAYS and MEDAL refer to a count; MEDAL refers to a type of building. PER
is not a condition: it marks a mission that brings its points for each counted thing."""

DIRECTIONS = ("clockwise", "counter-clockwise")
CLOCKWISE, COUNTER_CLOCKWISE = range(2)

# ---- Variants: bits of a variant's number ----

VARIANTS = ("Spies and Alliances", "Truce", "Clockwork", "Heroes", "Hard Times", "Imperial")
SPIES_AND_ALLIANCES, TRUCE, CLOCKWORK, HEROES, HARD_TIMES, IMPERIAL = (1 << bit for bit in range(6))

VARIANT_BITS = (*range(IMPERIAL), *(IMPERIAL + CLOCKWORK * chosen for chosen in range(8)))
"""Bits of each declared variant, by index: all combinations for 2 to 4 players, then the Imperial variant with all
combinations of Clockwork, Heroes and Hard Times."""

DIPLOMACY_TOKENS = ("alliance", "spy")
ALLIANCE, SPY = range(2)

# ---- Course of a game ----

PHASES = ("event", "diplomacy", "intrigue", "build", "action", "income", "over", "set-up")
EVENT_PHASE, DIPLOMACY_PHASE, INTRIGUE_PHASE, BUILD_PHASE, ACTION_PHASE, INCOME_PHASE, OVER, SET_UP = range(8)
"""Phases of the game. SET_UP: missions are dealt, and each player puts one under the deck."""

STAGES = (
    "turn_begins", "turn", "window", "respond", "carry_out", "legions", "level", "treaty_answer", "treaty_raise",
    "treaty_last_answer", "spy", "turn_over",
)  # fmt: skip
(
    TURN_BEGINS,  # the owner of the religious medal may pay for glory first
    TURN,
    WINDOW,  # trade cards can be played before the action that was begun
    RESPOND,  # the target of an intrigue plays trade cards
    CARRY_OUT,
    LEGIONS,  # legions still have steps to make
    CHOOSE_LEVEL,  # of the Pantheon
    TREATY_ANSWER,
    TREATY_RAISE,
    TREATY_LAST_ANSWER,
    SPY_CHOICE,
    TURN_OVER,
) = range(12)
"""Stages of a turn. In each of them at most one decision is made."""

DECISIONS = (
    "keep_missions", "diplomacy", "intrigue", "build", "follower", "tax", "window", "respond", "legion", "level",
    "answer", "raise", "last_answer", "spy", "pay",
)  # fmt: skip
(
    # The comments list the kinds of options that each decision offers.
    ASK_MISSIONS,  # PUT_UNDER
    ASK_DIPLOMACY,  # PASS, PUT_TOKEN
    ASK_INTRIGUE,  # PASS, ACTIVATE, or a free action of one's own turn
    ASK_BUILD,  # PASS, PLACE_TILE, or a free action
    ASK_FOLLOWER,  # PLACE_FOLLOWER, or a free action
    ASK_TAX,  # TAKE_TAX, or a free action
    ASK_WINDOW,  # GO_ON with the action that was begun, PLAY, or a free action
    ASK_RESPOND,  # by the target of an intrigue: GO_ON, PLAY, PAY_FOR_GLORY
    ASK_LEGION,  # PLACE_LEGION, MOVE_LEGION
    ASK_LEVEL,  # PLACE_PIECE
    ASK_ANSWER,  # ACCEPT, REFUSE, ASK_MORE
    ASK_RAISE,  # ACCEPT: offer the demanded amount, or REFUSE: keep the offer as it is
    ASK_LAST_ANSWER,  # ACCEPT, REFUSE
    ASK_SPY,  # TAKE_GLORY, FREE_ACTION
    ASK_PAY,  # PAY_FOR_GLORY: `option_value` times (0 allowed), before another seat's turn
) = range(15)

OPTIONS = (
    "pass", "sell", "discard", "set", "pay_for_glory", "put_under", "put_token", "accept", "refuse", "ask_more",
    "take_glory", "free_action", "activate", "place_tile", "place_follower", "take_tax", "go_on", "play",
    "place_legion", "move_legion", "place_piece",
)  # fmt: skip
(
    # The comments say what the fields of an option mean.
    PASS,
    SELL,  # card `option_card` at index `option_value` of the hand
    DISCARD,  # as for SELL
    LAY_SET,  # of type `option_card`; `option_value`: bits of hand indices
    PAY_FOR_GLORY,  # `option_value` times
    PUT_UNDER,  # mission `option_card` under its deck
    PUT_TOKEN,  # on building `option_card` in province `option_place`; `option_value`: token + 2 * denarii
    ACCEPT,  # `option_value` denarii
    REFUSE,
    ASK_MORE,  # for `option_value` denarii
    TAKE_GLORY,
    FREE_ACTION,
    ACTIVATE,  # effect `option_card` in province `option_place` against `option_seat`; `option_value` see below
    PLACE_TILE,  # of type `option_card` and level `option_value`
    PLACE_FOLLOWER,  # on `option_card` of PLACES; `option_value` 1 with the bonus
    TAKE_TAX,  # `option_value` 1: doubled
    GO_ON,
    PLAY,  # card `option_card` at index `option_value` of the hand
    PLACE_LEGION,  # in region `option_place`
    MOVE_LEGION,  # from region `option_card` to `option_place`
    PLACE_PIECE,  # on level `option_card` of the Pantheon
) = range(21)
"""Kinds of options.

`option_value` of ACTIVATE says how the effect is carried out. Demolition: the level. Defection: the region, plus 3 if
the legion is replaced. Deception: the first source region + 4 * the second (NO_SECOND if there is none) + 16 * the
region to move to. Re-vote and Invalid vote: the index in the column, from 0. For all other effects it is 0.
"""
NO_SECOND = 3
OFFERS = (0, 1, 2, 3, 5)
"""Denarii that scripted players may offer with a diplomacy token. A demand may be up to MOST_ASKED higher."""
MOST_ASKED = 3

# ---- Settings: open points of the rulebook with the values that kernels support ----

SETTINGS: dict[str, tuple[bool | str, ...]] = {
    "first_round": ("no activation", "no event"),
    "character_numbers": ("legions first", "denarii first"),
    "intrigue_owners": ("as listed", "shifted by 1", "shifted by 2", "shifted by 3", "shifted by 4", "shifted by 5"),
    "senate_order": ("ascending", "as in the picture"),
    "track_order": ("as listed", "turned by 1", "turned by 2"),
    "track_spaces": ("as listed", "one space more"),
    "denarii_break_ties": ("remainder", "all"),
    "military_medal_with_three": ("others tie", "others score alike"),
    "glory_floor": ("space 1", "1 glory"),
    "follower_won_in_action": ("this round", "next round"),
    "mixed_conditions": ("both can be played", "one condition"),
    "single_legion_deception": ("not possible", "possible"),
    "draw_beyond_limit": ("refused", "lost"),
    "no_trade_cards": ("no target", "target without effect"),
    "left_region": ("must hold the number", "stays conquered"),
    "roof_first": ("not allowed", "allowed"),
    "sets_of_chests": ("not allowed", "allowed"),
    "diplomacy_pass": ("allowed", "not allowed"),
    "imperial_negative_events": ("apply", "do nothing"),
    "star_trade_cards": ("removed", "kept"),
}
"""Every setting with its values. In the tables a setting is the index of its value."""

# ---- Results ----

SCORE_PARTS = ("track", "military", "politics", "commerce", "religion", "missions", "denarii")
PART_TRACK, PART_MILITARY, PART_POLITICS, PART_COMMERCE, PART_RELIGION, PART_MISSIONS, PART_DENARII, TOTAL = range(8)

ACHIEVEMENTS = (
    "glory_100", "jewel_sets_2", "sets_of_one_type_3", "golden_pantheon", "no_discord", "five_medals", "track_61",
    "first_in_three_regions", "senate_12", "missions_4", "author_113",
)  # fmt: skip

TASKS = ("glory", "medals", "regions", "votes", "sets", "pantheon", "missions")
TITLES = ("Praetor", "Imperator", "Son of Jupiter")
"""Titles of the Imperial variant, for 4, 6 and 7 completed tasks."""

END_REASONS = ("last round", "no title", *TITLES)
ENDED, UNTITLED = range(2)
