"""Rows of the TOML files: cards, factions, attack cards, numbers of the rulebook.

`catalog` checks rows against each other. `compile` checks effects.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from sim.data.catalog import Certainty, Name, NoRepeats, Number, Positive, Row, fault
from sim.data.lessons import Learnt
from sim.games.imperial_settlers.rules.constants import ROUNDS, TITLES
from sim.games.imperial_settlers.rules.tables import MAX_TIERS

MAX_PAID = 12
"""Maximum number of resources and gold in one cost. With more, a decision might lack room for all ways to pay."""

Few = Annotated[int, Field(ge=0, le=MAX_PAID)]
One = Annotated[int, Field(ge=0, le=1)]
Weight = Annotated[float, Field(ge=-1, le=1)]
Mark = Annotated[int, Field(ge=0, le=999)]
PrintedNumber = Annotated[int, Field(ge=1, le=999)]
Operations = list[Any]
"""Operations as written in the file. They are checked when they are compiled."""

KindOfCard = Literal["production", "feature", "action"]
Colour = Literal["black", "purple", "blue", "brown", "gold", "red", "pink", "grey"]
Colours = Annotated[list[Colour], NoRepeats]
DeckName = Literal["common", "faction"]
Kept = Literal["wood", "stone", "food", "gold", "worker", "raze"]
"""Goods that can be kept in cleanup."""
Dealt = Literal["wood", "stone", "food", "gold", "worker", "raze", "vp", "card"]
Trigger = Literal["none", "build", "raze", "deal", "points", "exchange", "production", "store", "tuck", "bank"]


class Goods(Row):
    """Goods of a supply or a cost. The goods that `payable` names add up to at most `MAX_PAID`."""

    payable: ClassVar[tuple[str, ...]] = ()

    wood: Few = 0
    stone: Few = 0
    food: Few = 0
    gold: Few = 0
    worker: Few = 0
    raze: Few = 0

    @model_validator(mode="after")
    def _is_payable(self) -> Self:
        units = sum(getattr(self, name) for name in self.payable)
        if units > MAX_PAID:
            fault("cost too high", found=units, allowed=f"at most {MAX_PAID} resources and gold together")
        return self


class Cost(Goods):
    """Price of a location. `location` is 1 if the price includes giving up a location or a foundation."""

    payable = ("wood", "stone", "food", "gold")

    location: One = 0


class Payment(Goods):
    """Price of an activation: goods, resources of any kind, hand cards and deals of the player."""

    payable = ("wood", "stone", "food", "gold", "any")

    any: Few = 0
    hand: One = 0
    deal: One = 0


class RazeField(Goods):
    """Goods gained by razing a card."""

    vp: Few = 0
    card: Few = 0


class Board(Goods):
    """Goods that a faction board produces."""

    defence: Few = 0


class Action(Row):
    """The effect of activating a location, with the price of an activation and the uses per round."""

    pay: Payment = Payment()
    do: Operations
    uses: Annotated[int, Field(ge=1, le=2)] = 1


Tiers = Annotated[list[Annotated[list[Number], Field(min_length=2, max_length=2)]], Field(max_length=MAX_TIERS)]

FEATURE_FIELDS: dict[Trigger, tuple[str, ...]] = {
    "none": (),
    "build": ("do", "colours", "decks"),
    "raze": ("do",),
    "deal": ("do",),
    "points": ("do", "number"),
    "exchange": ("do", "number"),
    "production": ("number",),
    "store": ("goods",),
    "tuck": ("number", "end"),
    "bank": ("goods", "end"),
}
"""For each trigger, the fields that a feature with this trigger may have."""
BANKED = ("wood", "stone", "food", "gold")
"""Goods that may stay on a location until the end of the game."""


class Feature(Row):
    """A permanent ability, or an effect that a trigger causes."""

    on: Trigger
    do: Operations | None = None
    colours: Colours | None = None
    decks: Annotated[list[DeckName], NoRepeats] | None = None
    number: Number | None = None
    goods: Annotated[list[Kept], NoRepeats] | None = None
    end: Tiers | None = None

    @model_validator(mode="after")
    def _fields_belong_to_the_trigger(self) -> Feature:
        belong = FEATURE_FIELDS[self.on]
        for field in ("do", "colours", "decks", "number", "goods", "end"):
            given = getattr(self, field) is not None
            if given and field not in belong:
                found = getattr(self, field)
                fault(f"not for a feature on {self.on}", field=field, found=found, allowed=list(belong) or "no fields")
            if not given and field in belong and field not in ("colours", "decks"):
                fault("a feature lacks a field of its trigger", field="on", found=self.on, allowed=f"with {field}")
        if self.on == "build" and not (self.colours or self.decks):
            fault("a feature lacks a field of its trigger", field="on", found=self.on, allowed="with colours or decks")
        if self.on == "bank":
            for good in self.goods or ():
                if good not in BANKED:
                    fault("cannot be banked", field="goods", found=good, allowed=BANKED)
        return self

    @model_validator(mode="after")
    def _tiers_rise(self) -> Feature:
        reached = [tier[0] for tier in self.end or ()]
        if reached != sorted(set(reached)):
            fault("the numbers must rise", field="end", found=reached, allowed="each more than the last")
        return self


class CopyVariant(Row):
    """A copy of a card that has another cost, raze field or deal."""

    number: PrintedNumber
    cost: Cost | None = None
    raze: RazeField | None = None
    deal: Dealt | None = None


class Card(Row):
    """A card, with all its copies."""

    name: Name
    numbers: Annotated[list[PrintedNumber], Field(min_length=1), NoRepeats]
    kind: KindOfCard
    colours: Colours
    cost: Cost
    raze: RazeField = RazeField()
    deal: Dealt | None = None
    cannot_be_razed: bool = False
    production: Operations = Field(default_factory=list)
    action: Action | None = None
    feature: Feature | None = None
    bonus: Operations = Field(default_factory=list)
    points: Number | None = None  # if absent, the points that `Constants` gives for its deck
    variants: list[CopyVariant] = Field(default_factory=list)
    certainty: Certainty

    @model_validator(mode="after")
    def _does_what_its_kind_does(self) -> Card:
        for kind in ("production", "action", "feature"):
            if getattr(self, kind) and self.kind != kind:
                fault(f"only for cards of the kind {kind}", field=kind, found=f"a card of the kind {self.kind}")
        if self.kind == "action" and self.action is None:
            fault(
                "an action location needs the field action", field="kind", found=self.kind, allowed="pay and do in it"
            )
        return self

    @model_validator(mode="after")
    def _variants_are_copies(self) -> Card:
        seen: set[int] = set()
        for place, variant in enumerate(self.variants):
            if variant.number not in self.numbers or variant.number in seen:
                field = f"variants.{place + 1}.number"
                allowed = [number for number in self.numbers if number not in seen]
                fault("not the number of a copy", field=field, found=variant.number, allowed=allowed)
            seen.add(variant.number)
        return self


def fields_of_copies(card: Card, field: str) -> list[tuple[str, Any]]:
    """Return a field of a card and of its variants, each with the name that messages use for the field."""
    variants = [(f"variants.{place + 1}.{field}", variant) for place, variant in enumerate(card.variants)]
    return [(field, getattr(card, field)), *((name, getattr(variant, field)) for name, variant in variants)]


class CommonCard(Card):
    """A card of the common deck."""

    @model_validator(mode="after")
    def _has_no_deal_field(self) -> CommonCard:
        for field, deal in fields_of_copies(self, "deal"):
            if deal is not None:
                fault("a common card has no deal field", field=field, found=deal, allowed="no deal")
        return self


class FactionCard(Card):
    """A card of a faction's deck."""

    deal: Dealt


class Hints(Row):
    """A faction's hints for scripted players: 1 for what it wants most, -1 for what it avoids."""

    production: Weight = 0  # production locations; the next two fields are for the other kinds of locations
    actions: Weight = 0
    features: Weight = 0
    faction_cards: Weight = 0
    commons: Weight = 0
    deals: Weight = 0
    razing: Weight = 0
    protection: Weight = 0
    cards: Weight = 0
    wood: Weight = 0
    stone: Weight = 0
    food: Weight = 0
    gold: Weight = 0
    worker: Weight = 0
    raze: Weight = 0


HINTS: tuple[str, ...] = tuple(Hints.model_fields)
"""Columns of `t.hint`."""


LearntByRound = Annotated[list[Learnt], Field(min_length=ROUNDS, max_length=ROUNDS)]
LessonByRound = Annotated[LearntByRound, Field(default_factory=lambda: [0.0] * ROUNDS)]
Move = Literal["pass", "build", "deal", "raze", "raze_location", "use", "exchange", "defend", "samurai", "tuck", "bank"]


class CardLesson(Row):
    """Learned bonuses of a card, in points, by what a player does with the card and by round."""

    name: Name
    build: LessonByRound
    deal: LessonByRound
    raze: LessonByRound  # a card from the hand
    raze_location: LessonByRound  # a location of another seat
    use: LessonByRound
    take: LessonByRound  # take the card in the lookout
    give_up: LessonByRound  # give the card up to build another location


LESSONS: tuple[str, ...] = tuple(name for name in CardLesson.model_fields if name != "name")
"""Columns of `t.card_lesson`: the moves BUILD to ACTIVATE, then LEARNT_OF_TAKING and LEARNT_OF_GIVING_UP."""


class MoveLesson(Row):
    """Learned bonuses of a kind of move, whatever the card, in points by round."""

    move: Move
    points: LearntByRound


class FactionRow(Row):
    """A faction: its board, and what is special about it."""

    name: Name
    code: Annotated[str, Field(pattern="^[A-Z]+$")]
    board: Board
    stores: Annotated[list[Kept], NoRepeats]
    samurai: bool = False  # workers may guard its faction locations
    cards_can_be_razed: bool = False
    certainty: Certainty
    hints: Hints


class Deck(Row):
    """A user's deck for one of the empires. Each name of a card stands for all copies of the card."""

    name: Name
    empire: Literal["barbarians", "japanese", "romans", "egyptians"]
    cards: Annotated[list[Name], Field(min_length=1), NoRepeats]
    hints: Hints | None = None  # if absent, the hints of the empire
    certainty: Certainty


class Attack(Row):
    """Attack cards of the virtual player: all copies with the same target."""

    target: Dealt
    copies: Positive
    certainty: Certainty

    @property
    def name(self) -> str:
        """The name of these cards."""
        return f"Attack card: {self.target}"


DECK_COPIES = (1, 2, 3)
"""The numbers of copies that a card of a faction's deck may have."""


class Constants(Row):
    """Numbers of the rulebook."""

    certainty: Certainty
    start_common: Few
    start_faction: Few
    raze_cost_hand: Few
    raze_cost_location: Few
    deal_cost: Few
    foundation_wood: Few
    pair: Positive
    common_points: Number
    faction_points: Number
    deck_names: Annotated[list[Number], Field(min_length=len(DECK_COPIES), max_length=len(DECK_COPIES))]
    title_from: Annotated[list[Mark], Field(min_length=len(TITLES), max_length=len(TITLES))]
    action_limit: Annotated[int, Field(ge=1, le=500)]

    @model_validator(mode="after")
    def _titles_rise(self) -> Constants:
        if self.title_from != sorted(set(self.title_from)) or self.title_from[0] != 0:
            fault("titles must rise from 0", field="title_from", found=self.title_from, allowed="0, then each more")
        return self
