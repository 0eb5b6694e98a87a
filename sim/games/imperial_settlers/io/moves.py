"""The JSON format of the moves in a position (`docs/records.md`): their keys and values."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from sim.data.catalog import Name, Row, fault
from sim.games.imperial_settlers.rules.constants import MAX_SEATS
from sim.games.shared.position_files import MAX_NAMES, MoveRow

MAX_GOODS = 999

Number = Annotated[int, Field(ge=0, le=MAX_GOODS)]
Seat = Annotated[int, Field(ge=0, lt=MAX_SEATS)]
NamesOrNone = Annotated[list[Name], Field(max_length=MAX_NAMES)] | None
DeckName = Literal["common", "faction"]
GoodGained = Literal["wood", "stone", "food", "gold", "worker", "raze", "vp", "card"]
VIRTUAL_NAME = "virtual"
"""Name of the virtual player of the solo game, given in place of a seat."""
FOUNDATION_NAME = "foundation"
DEALS_NAME = "deals"
"""Key of `choices` under which the decisions of deals are given."""
SLAVER = "Slaver"
"""Name of the location whose decisions are always given in `choices`."""


def _seat_or_virtual(target: Any) -> Any:
    """Validate the target of a move."""
    seat = isinstance(target, int) and not isinstance(target, bool) and 0 <= target < MAX_SEATS
    if not seat and target != VIRTUAL_NAME:
        allowed = f'0 to {MAX_SEATS - 1}, or "{VIRTUAL_NAME}"'
        fault("neither a seat nor the virtual player", found=target, allowed=allowed)
    return target


Target = Annotated[Any, AfterValidator(_seat_or_virtual)]


class PositionGoods(Row):
    """Goods of a supply, of a payment, or on a location. Goods that are not given are 0."""

    wood: Number = 0
    stone: Number = 0
    food: Number = 0
    gold: Number = 0
    worker: Number = 0
    raze: Number = 0
    defence: Number = 0


class Decisions(Row):
    """The answers for one card. `docs/records.md` has a table of them."""

    pay: PositionGoods | None = None
    draw: Annotated[list[DeckName], Field(max_length=MAX_NAMES)] | None = None
    take: GoodGained | None = None
    keep: Name | None = None
    at: Name | None = None
    target: Target | None = None
    deal: Name | None = None
    card: Name | None = None
    gives: Name | None = None
    build: NewLocation | None = None
    samurai: NamesOrNone = None
    convert: PositionGoods | None = None


class NewLocation(Decisions):
    """A location that the effect of another location builds. It has answers of its own. `card` or `deal` names it."""


EFFECTS = (*Decisions.model_fields, "choices")
KEYS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "begin": ((), ()),
    "take": (("p", "card"), ()),
    "random": (("card",), ()),
    "produce": (("p",), ("choices",)),
    "build": (("p", "card"), ("discard", *EFFECTS)),
    "deal": (("p", "card"), EFFECTS),
    "raze": (("p",), EFFECTS),
    "activate": (("p", "location"), ("times", "each", "owner", *EFFECTS)),
    "exchange": (("p", "for"), ()),
    "pass": (("p",), ()),
    "defend": (("p", "location"), ()),
    "samurai": (("p", "location"), ()),
    "tuck": (("p", "cards"), ("location",)),
    "bank": (("p", "goods"), ("location",)),
    "cleanup": ((), ()),
    "attack": ((), ("loses",)),
}
"""Required and optional keys of a move, by its kind (`do`)."""


def _names(value: Any) -> Any:
    """Validate one name, or a list of at most two names."""
    names = value if isinstance(value, list) else [value]
    if value is not None and (len(names) > 2 or not all(isinstance(name, str) and name for name in names)):
        fault("neither a name nor a list of two names", found=value, allowed='"Mill", or ["Mill", "Baker"]')
    return value


class PositionMove(MoveRow, Decisions):
    """A move. Its keys depend on its kind."""

    keys = KEYS

    do: Literal[
        "begin", "take", "random", "produce", "build", "deal", "raze", "activate", "exchange", "pass", "defend",
        "samurai", "tuck", "bank", "cleanup", "attack",
    ]  # fmt: skip
    p: Seat | None = None
    discard: Name | None = None
    location: Name | None = None
    times: Annotated[int, Field(ge=1, le=2)] | None = None
    each: Annotated[list[Decisions], Field(max_length=2)] | None = None
    owner: Target | None = None
    wanted: Annotated[
        list[Literal["wood", "stone", "food", "common", "faction"]] | None,
        Field(alias="for", min_length=1, max_length=MAX_NAMES),
    ] = None
    cards: Annotated[list[Name], Field(min_length=1, max_length=MAX_NAMES)] | None = None
    goods: PositionGoods | None = None
    loses: Annotated[Any, AfterValidator(_names)] = None
    choices: Annotated[dict[Name, Decisions], Field(default_factory=dict, max_length=MAX_NAMES)]

    @model_validator(mode="after")
    def _fits_what_it_does(self) -> PositionMove:
        if self.do == "raze" and (self.card is None) == (self.at is None):
            fault("what is razed?", field="card", found="nothing", allowed="card from the hand; or target and at")
        if self.each is not None and len(self.each) > (self.times or 1):
            fault("more uses than times says", field="each", found=len(self.each), allowed=f"{self.times or 1} at most")
        return self
