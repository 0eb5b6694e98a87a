"""The JSON format of the moves in a position (`docs/records.md`): their keys and values."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from sim.data.catalog import Name, Row, fault
from sim.games.glory_of_rome.data.language import Building, TradeType
from sim.games.glory_of_rome.data.models import Region
from sim.games.glory_of_rome.rules.constants import BUILDINGS, LEVELS, MAX_SEATS, PANTHEON_LEVELS, TRADE_TYPES
from sim.games.shared.position_files import MAX_NAMES, MoveRow

MAX_DENARII = 999

Number = Annotated[int, Field(ge=0, le=MAX_DENARII)]
Seat = Annotated[int, Field(ge=0, lt=MAX_SEATS)]
Names = Annotated[list[Name], Field(max_length=MAX_NAMES)]
Province = Literal["Africa", "Gallia", "Hispania", "Italia"]
TileOrTradeType = Literal[Building, TradeType]
FollowerPlace = Literal["military", "political", "commercial", "religious", "economic", "Colosseum", "intrigue"]
Intrigue = Literal[
    "Slander", "Demolition", "Defection", "Deception", "Re-vote", "Invalid vote", "Sold", "Custom duty"
]  # fmt: skip
TYPES_OF = {"build": BUILDINGS, "set": TRADE_TYPES}
"""Allowed values of `type`, by kind of move."""


def _level(value: Any) -> Any:
    """Validate a level: a whole number (for a building), or the name of a level of the Pantheon."""
    number = isinstance(value, int) and not isinstance(value, bool)
    if value is not None and not number and value not in PANTHEON_LEVELS:
        fault("no such level", found=value, allowed=f"1 to {LEVELS}, or {' or '.join(PANTHEON_LEVELS)}")
    return value


Level = Annotated[Any, AfterValidator(_level)]
KEYS = {
    "event": (("event",), ()),
    "diplomacy": (
        ("p", "province", "building", "token", "offer", "accepted"),
        ("choice", "bonus", "legions", "level", "before"),
    ),
    "activate": (
        ("p", "province", "effect"),
        ("level", "region", "replace", "from", "to", "vote", "card", "before", "answer"),
    ),
    "build": (("p", "type", "level"), ("before",)),
    "pass": (("p",), ()),
    "follower": (("p", "on"), ("bonus", "legions", "level", "before")),
    "tax": (("p",), ("double", "before")),
    "sell": (("p", "card"), ()),
    "discard": (("p", "card"), ()),
    "set": (("p", "cards", "type"), ()),
    "pay": (("p", "times"), ()),
}
"""Required and optional keys of a move, by its kind (`do`)."""


class PositionStep(Row):
    """A step with trade cards that comes before the effect of the move itself."""

    play: Name | None = None
    sell: Name | None = None
    discard: Name | None = None
    laid: Annotated[Names | None, Field(alias="set")] = None
    type: TradeType | None = None

    @property
    def done(self) -> dict[str, list[str]]:
        """Cards of the step, keyed by what is done with them."""
        cards = {"play": self.play, "sell": self.sell, "discard": self.discard, "set": self.laid}
        return {do: [names] if isinstance(names, str) else names for do, names in cards.items() if names is not None}

    @model_validator(mode="after")
    def _is_one_thing(self) -> PositionStep:
        if len(self.done) != 1:
            fault("not one thing to do", found=list(self.done), allowed="one of play, sell, discard, set")
        if (self.type is None) == (self.laid is not None):
            found = "nothing" if self.type is None else self.type
            fault("the type belongs to a set", field="type", found=found, allowed="set with type, or neither")
        return self


class PositionLegion(Row):
    """A legion's step: from the player board or from another region."""

    source: Annotated[Region | None, Field(alias="from")] = None
    to: Region


Steps = Annotated[list[PositionStep], Field(default_factory=list, max_length=MAX_NAMES)]


class PositionMove(MoveRow):
    """A move. Its keys depend on its kind."""

    keys = KEYS
    checks_keys_sorted = True

    do: Literal[
        "event", "diplomacy", "activate", "build", "pass", "follower", "tax", "sell", "discard", "set", "pay"
    ]  # fmt: skip
    p: Seat | None = None
    event: Name | None = None
    province: Province | None = None
    building: Building | None = None
    token: Literal["alliance", "spy"] | None = None
    offer: int | None = None
    accepted: bool | None = None
    choice: Literal["glory", "action"] | None = None
    effect: Intrigue | None = None
    level: Level = None
    region: Region | None = None
    replace: bool = False
    sources: Annotated[list[Region] | None, Field(alias="from", min_length=1, max_length=MAX_NAMES)] = None
    to: Region | None = None
    vote: int | None = None
    on: FollowerPlace | None = None
    bonus: bool = False
    legions: Annotated[list[PositionLegion], Field(default_factory=list, max_length=MAX_NAMES)]
    type: TileOrTradeType | None = None
    double: bool = False
    card: Name | None = None
    cards: Names | None = None
    times: int | None = None
    before: Steps
    answer: Steps

    @model_validator(mode="after")
    def _has_the_words_of_what_it_does(self) -> PositionMove:
        if self.level is not None and (self.level in PANTHEON_LEVELS) == (self.do == "build"):
            allowed = f"1 to {LEVELS}" if self.do == "build" else PANTHEON_LEVELS
            fault("no such level", field="level", found=self.level, allowed=allowed)
        types = TYPES_OF.get(self.do, ())
        if self.type is not None and self.type not in types:
            fault("unknown type", field="type", found=self.type, allowed=types)
        return self
