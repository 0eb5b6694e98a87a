"""Rows of the TOML files: regions, lands, bodies, empires, events and the numbers of the rulebook."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field, model_validator

from sim.data.catalog import Certainty, Name, Names, Number, Positive, Row, Sourced, fault
from sim.data.lessons import Learnt
from sim.games.history_of_the_world.rules.constants import OPERATIONS
from sim.games.history_of_the_world.rules.tables import MAX_DISCS, MAX_EPOCHS, MAX_OPERATIONS, MAX_STARTS

MAX_EFFECT_NUMBER = 9
WIDTH, HEIGHT = 100, 60
"""Size of the schematic map."""

Terrain = Literal["none", "mountain", "forest"]
BodyKind = Literal["sea", "ocean", "barren"]
EventKind = Literal["enhancement", "kingdom"]

# ---- Effects ----

WITHOUT_NUMBER = (
    "spares_forts", "ignores_terrain", "ignores_maritime", "wins_ties", "spares_structures", "fights_again",
)  # fmt: skip
"""Operations without a number. All other operations have one."""


def check_effect(operations: list[Any]) -> list[Any]:
    """Validate the operations of a card, such as `[["forts", 2], ["ignores_terrain"]]`."""
    if len(operations) > MAX_OPERATIONS:
        fault("too many operations", found=len(operations), allowed=f"at most {MAX_OPERATIONS}")
    for number, operation in enumerate(operations, start=1):
        if not isinstance(operation, list) or not operation or not isinstance(operation[0], str):
            fault(
                "not a valid operation", field=str(number), found=operation, allowed="a list that begins with its name"
            )
        name, *numbers = operation
        if name not in OPERATIONS[1:]:
            fault("unknown operation", field=str(number), found=name, allowed=OPERATIONS[1:])
        if name in WITHOUT_NUMBER and numbers:
            fault(f"{name} has no number", field=str(number), found=operation, allowed=f'["{name}"]')
        is_number = len(numbers) == 1 and type(numbers[0]) is int and 1 <= numbers[0] <= MAX_EFFECT_NUMBER
        if name not in WITHOUT_NUMBER and not is_number:
            allowed = f'["{name}", n], n from 1 to {MAX_EFFECT_NUMBER}'
            fault(f"{name} has one number", field=str(number), found=operation, allowed=allowed)
    return operations


Effect = Annotated[list[Any], AfterValidator(check_effect)]


# ---- Learned bonuses ----

LearntByEpoch = Annotated[list[Learnt], Field(min_length=1, max_length=MAX_EPOCHS)]


class CardLesson(Row):
    """Learned bonus for keeping a card in a draft, in hundredths of a win."""

    name: Name
    points: Learnt


class LandLesson(Row):
    """Learned bonus for conquering a land, in points per army, by epoch."""

    name: Name
    points: LearntByEpoch


# ---- The map ----


class OfTheMap(Sourced):
    """The base class of regions and bodies. `known` may also name `lands`: this fact is stored in the rows of lands."""

    known_elsewhere: ClassVar[tuple[str, ...]] = ("lands",)


class Region(OfTheMap):
    """A region. `tokens` has the presence value of its token for each epoch, or 0 if no token is placed."""

    name: Name
    tokens: Annotated[list[Number], Field(min_length=1, max_length=MAX_EPOCHS)]


class Land(Sourced):
    """A land. If one of two lands lists the other in `borders` or `stepping_stones`, both are neighbours."""

    name: Name
    region: Name
    x: Annotated[int, Field(ge=0, le=WIDTH)]
    y: Annotated[int, Field(ge=0, le=HEIGHT)]
    terrain: Terrain = "none"
    resource: bool = False
    borders: Names = Field(default_factory=list)
    stepping_stones: Names = Field(default_factory=list)
    bodies: Names = Field(default_factory=list)


class Body(OfTheMap):
    """A sea, an ocean or a barren area. If one of two bodies lists the other in `borders`, both are neighbours."""

    name: Name
    kind: BodyKind
    x: Annotated[int, Field(ge=0, le=WIDTH)]
    y: Annotated[int, Field(ge=0, le=HEIGHT)]
    borders: Names = Field(default_factory=list)


# ---- Cards ----


def check_discs(card: Any) -> Any:
    """Check that a card does not have too many fleets and caravans, and return the card."""
    discs = len(card.fleets) + len(card.caravans)
    if discs > MAX_DISCS:
        fault("too many fleets and caravans", field="fleets", found=discs, allowed=f"at most {MAX_DISCS}")
    return card


class Card(Sourced):
    """The fields that empires and events share. Enhancements have no fields for founding, such as `start_lands`."""

    name: Name
    epoch: Annotated[int, Field(ge=1, le=MAX_EPOCHS)]
    start_lands: Annotated[Names, Field(max_length=MAX_STARTS)] = Field(default_factory=list)
    armies: Number = 0
    capital: bool = False
    marauder: bool = False
    fleets: Annotated[Names, Field(max_length=MAX_DISCS)] = Field(default_factory=list)
    caravans: Annotated[Names, Field(max_length=MAX_DISCS)] = Field(default_factory=list)
    effect: Effect = Field(default_factory=list)

    _discs_fit = model_validator(mode="after")(check_discs)

    def check_founding(self) -> None:
        """Validate that the card has at least one start land, and at least one army for each start land."""
        if not self.start_lands:
            fault("no start land", field="start_lands", found=self.start_lands, allowed="one land or more")
        if self.armies < len(self.start_lands):
            allowed = f"{len(self.start_lands)} or more, one for each start land"
            fault("too few armies", field="armies", found=self.armies, allowed=allowed)


class Empire(Card):
    """An empire card. `armies` is the printed number, including the armies in the start lands."""

    order: Positive
    ability: Name | None = None

    @model_validator(mode="after")
    def _can_be_founded(self) -> Empire:
        self.check_founding()
        if self.marauder and self.capital:
            fault("marauders have no capital", field="capital", found=self.capital, allowed="false")
        return self


class Event(Card):
    """An event card: an enhancement or a kingdom."""

    kind: EventKind
    city: bool = False

    @model_validator(mode="after")
    def _has_the_fields_of_its_kind(self) -> Event:
        if self.kind == "enhancement":
            for field in ("start_lands", "armies", "capital", "city", "marauder", "fleets", "caravans"):
                if getattr(self, field):
                    fault("only a kingdom has this", field=field, found=getattr(self, field), allowed="none")
            if "effect" not in self.model_fields_set:
                # An empty list is allowed, because a change that removes the effect writes an empty list.
                fault("an enhancement has an effect", field="effect", found=self.effect, allowed="an operation")
            return self
        self.check_founding()
        if self.effect:
            fault("only an enhancement has this", field="effect", found=self.effect, allowed="none")
        if self.capital and self.city:
            fault("a capital or a city, not both", field="city", found=self.city, allowed="false")
        return self


class Constants(Row):
    """Numbers of the rulebook."""

    certainty: Certainty
    army_limit: Positive
    capital_city: Number
    monument: Number
    fort: Number
    attack_dice: Annotated[int, Field(ge=1, le=2)]
    defence_dice: Annotated[int, Field(ge=1, le=2)]
    fort_dice: Annotated[int, Field(ge=1, le=2)]
    terrain_bonus: Annotated[int, Field(ge=0, le=6)]
    maritime_rerolls: Annotated[int, Field(ge=0, le=2)]
    siege_steps: Annotated[int, Field(ge=0, le=6)]
    points_capital: Number
    points_city: Number
    points_monument: Number
    points_destroyed: Number
    icons_per_monument: Positive
    fort_price: Positive
    dominance_armies: Positive
    dominance_times: Number
    control_armies: Positive
    control_times: Number
    track_spaces: Annotated[int, Field(ge=10, le=1000)]
