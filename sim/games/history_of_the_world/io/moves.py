"""The JSON format of the moves in a position (`docs/records.md`): their keys and values."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from sim.data.catalog import Name, Row, fault
from sim.games.shared.position_files import MAX_NAMES, MoveRow, NameList

Face = Annotated[int, Field(ge=1, le=6)]
Landing = Annotated[list[Literal["gain", "lose"]], Field(default_factory=list, max_length=MAX_NAMES)]
Side = Literal["attacker", "defender"]

KEYS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "kingdom": (("event",), ()),
    "found": ((), ()),
    "conquer": (("land",), ("way", "battles", "landing")),
    "fort": (("land",), ()),
    "event": (("event",), ("lands", "landing")),
    "monuments": ((), ("lands",)),
    "ability": ((), ("lands", "battles", "landing")),
    "inactivate": ((), ()),
    "score": ((), ("landing",)),
}
"""Required and optional keys of a move, by its kind (`do`)."""


class PositionReroll(Row):
    """A side re-rolls a die, or passes."""

    by: Side
    shown: Annotated[Face | None, Field(alias="from")] = None
    to: Face | None = None
    passes: Annotated[bool, Field(alias="pass")] = False

    @model_validator(mode="after")
    def _is_one_of_both(self) -> PositionReroll:
        for field, value in (("from", self.shown), ("to", self.to)):
            if self.passes and value is not None:
                fault("who passes re-rolls no die", field=field, found=value, allowed="nothing")
            if not self.passes and value is None:
                fault("what is re-rolled?", field=field, found="nothing", allowed='from and to, or "pass": true')
        return self


class PositionBattle(Row):
    """One roll of a battle."""

    attacker: Annotated[list[Face], Field(max_length=MAX_NAMES)]
    defender: Annotated[list[Face], Field(max_length=MAX_NAMES)]
    rerolls: Annotated[list[PositionReroll], Field(default_factory=list, max_length=MAX_NAMES)]
    then: Literal["siege", "siege token", "retreat"] | None = None


class PositionMove(MoveRow):
    """A move. Its keys depend on its kind."""

    keys = KEYS

    do: Literal["kingdom", "found", "conquer", "fort", "event", "monuments", "ability", "inactivate", "score"]
    event: Name | None = None
    land: Name | None = None
    lands: NameList
    way: Literal["border", "stepping_stones", "caravan", "fleet"] | None = None
    battles: Annotated[list[PositionBattle], Field(default_factory=list, max_length=MAX_NAMES)]
    landing: Landing
