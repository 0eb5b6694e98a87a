"""The names used in 7 Wonders, and their numbers in kernels."""

from __future__ import annotations

from typing import Literal, get_args

RawGood = Literal["wood", "stone", "clay", "ore"]
ManufacturedGood = Literal["glass", "cloth", "papyrus"]
Resource = Literal["wood", "stone", "clay", "ore", "glass", "cloth", "papyrus"]
Colour = Literal["brown", "grey", "blue", "green", "yellow", "red", "purple"]
Symbol = Literal["tablet", "gear", "compass"]
GoodsClass = Literal["raw", "manufactured"]
Side = Literal["left", "right"]
City = Literal["left", "self", "right"]
Counted = Literal[
    "brown cards",
    "grey cards",
    "blue cards",
    "green cards",
    "yellow cards",
    "red cards",
    "purple cards",
    "wonder stages",
    "defeat tokens",
]

RAW_GOODS: tuple[str, ...] = get_args(RawGood)
MANUFACTURED_GOODS: tuple[str, ...] = get_args(ManufacturedGood)
RESOURCES: tuple[str, ...] = get_args(Resource)
COLOURS: tuple[str, ...] = get_args(Colour)
BROWN, GREY, BLUE, GREEN, YELLOW, RED, PURPLE = range(len(COLOURS))
SYMBOLS: tuple[str, ...] = get_args(Symbol)
CLASSES: tuple[str, ...] = get_args(GoodsClass)
SIDES: tuple[str, ...] = get_args(Side)
CITIES: tuple[str, ...] = get_args(City)

AGES = (1, 2, 3)
PLAYERS = (3, 4, 5, 6, 7)

SETTINGS: dict[str, tuple[object, ...]] = {
    "choice_card_sells": ("one-good", "each-good"),
    "instant_income_counts_same_turn": (False, True),
    "last_card_spends_turn_income": (False, True),
    "last_card_in_turn_built": (False, True),
    "last_card_before_discard_build": (False, True),
    "free_build_same_age": (False, True),
    "discounts_add_up": (False, True),
    "discount_on_own_purchase": (False, True),
    "discard_build_checks_names": (False, True),
    "coins_per_counts_itself": (False, True),
    "copied_scientists_gives_symbol": (False, True),
    "copied_guild_counts_itself": (False, True),
    "free_city_sales_spendable": (False, True),
    "free_city_first_holder": ("left", "right"),
    "free_city_uses_wonder_powers": (False, True),
}
"""Every setting with the values that kernels support. The tables hold the index of the value."""

# ---- Operations: the first number of an effect in `item_effects`; the texts say what its other numbers are ----

PRODUCE = 1
"""Produces goods. The numbers are bits of `RESOURCES` to choose from, the units, and 1 if neighbours may buy them."""
VP = 2
"""Brings victory points. The number says how many."""
SHIELDS = 3
"""Brings shields. The number says how many."""
COINS = 4
"""Brings coins, once. The number says how many."""
SCIENCE = 5
"""Brings a science symbol. The number is its index in `SYMBOLS`."""
SCIENCE_CHOICE = 6
"""Brings a science symbol that is chosen at the end of the game. There are no numbers."""
DISCOUNT = 7
"""Makes goods cheaper. The numbers are bits of `SIDES`, bits of `CLASSES`, and the price of a good in coins."""
COINS_PER = 8
"""Brings coins, once, for counted things. The numbers are the coins for each thing, the kind of thing, bits of
`COLOURS`, and bits of `CITIES`."""
VP_PER = 9
"""Brings victory points, at the end of the game, for counted things. The numbers are the points for each thing, and
then the same as for `COINS_PER`."""
BUILD_FROM_DISCARD = 10
"""Lets the city build a discarded card for free. There are no numbers."""
FREE_BUILD_PER_AGE = 11
"""Lets the city build structures for free. The number says how many in each age."""
PLAY_LAST_CARD = 12
"""Lets the city play the last card of each age. There are no numbers."""
COPY_GUILD = 13
"""Lets the city copy a guild at the end of the game. The number has the bits of the `CITIES` that may own the guild."""

# Kinds of things that COINS_PER and VP_PER count.
PER_CARDS = 0
PER_WONDER_STAGES = 1
PER_DEFEAT_TOKENS = 2

NO_CARD = -1

# Phases: what the next step of a game does.
START_TURN = 0
"""Determines what each city can spend and reach. CHOOSING follows in the same step."""
CHOOSING = 1
"""Lets the next city choose. Once all have chosen, carries out the choices."""
LAST_CARDS = 2
"""Lets the next city with the power of Babylon B play its seventh card."""
DISCARD_BUILDS = 3
"""Lets the next city with the power of Halikarnassos build a discarded card."""
END_TURN = 4
"""Passes the hands, or ends the age."""

# Decisions of a strategy.
DECISIONS = ("play", "payment", "from_discard")
PLAY = 0
"""A card from the hand, and what to do with it. The seventh card and the Free City's card are chosen in the same
way."""
PAYMENT = 1
"""How many coins go to the left and how many to the right neighbour."""
FROM_DISCARD = 2
"""A card from the discard pile to build for free, or none."""

# Actions with a card.
BUILD = 0
STAGE = 1
DISCARD = 2
FREE_BUILD = 3
NOTHING = 4
ACTIONS = ("build", "wonder", "discard", "free_build", "nothing")
ACTIONS_LEARNT = 3
"""Number of actions with learned bonuses of their own: the first three. Building a card for free counts as BUILD."""
HALVES = 2
"""Number of parts of an age with learned bonuses of their own."""

# Supplies that can meet a need: indices into `reach_raw` and `reach_manufactured`.
OWN = 0
WITH_LEFT = 1
WITH_RIGHT = 2
WITH_BOTH = 3

LEFT = 0
RIGHT = 1
RAW = 0
MANUFACTURED = 1

WONDER_POINTS = 7
"""Index of the wonder's points in `points`. The indices before it belong to the seven colours."""

# Kinds of log rows.
LOG_PLAY = 1
LOG_LAST_CARD = 2
LOG_FROM_DISCARD = 3
LOG_CONFLICT = 4
