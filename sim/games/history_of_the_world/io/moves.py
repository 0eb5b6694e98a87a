"""Moves as the JSON of a position has them (`docs/records.md`): which keys each has, and what may stand there."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from sim.data.catalog import Name, Row, fault

MOST_NAMES = 128
"""Entries of a list at most."""

Face = Annotated[int, Field(ge=1, le=6)]
Names = Annotated[list[Name], Field(default_factory=list, max_length=MOST_NAMES)]
Landing = Annotated[list[Literal["gain", "lose"]], Field(default_factory=list, max_length=MOST_NAMES)]
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
"""Keys that a move must have, and those it may have besides, by what it does."""


class PositionReroll(Row):
    """A re-roll of a die, or that a side passes."""

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

    attacker: Annotated[list[Face], Field(max_length=MOST_NAMES)]
    defender: Annotated[list[Face], Field(max_length=MOST_NAMES)]
    rerolls: Annotated[list[PositionReroll], Field(default_factory=list, max_length=MOST_NAMES)]
    then: Literal["siege", "siege token", "retreat"] | None = None


class PositionMove(Row):
    """A move; which keys it has depends on what it does."""

    do: Literal["kingdom", "found", "conquer", "fort", "event", "monuments", "ability", "inactivate", "score"]
    event: Name | None = None
    land: Name | None = None
    lands: Names
    way: Literal["border", "stepping_stones", "caravan", "fleet"] | None = None
    battles: Annotated[list[PositionBattle], Field(default_factory=list, max_length=MOST_NAMES)]
    landing: Landing

    @model_validator(mode="after")
    def _has_the_keys_of_what_it_does(self) -> PositionMove:
        needed, more = KEYS[self.do]
        allowed = ("do", *needed, *more)
        for key in type(self).model_fields:
            if key in self.model_fields_set and key not in allowed:
                fault(f"not a key of the move {self.do}", field=key, found=key, allowed=allowed)
        for key in needed:
            value: Any = getattr(self, key)
            if value is None:
                fault(f"the move {self.do} needs this field", field=key, found="nothing", allowed=allowed)
        return self
