"""Claims: what a study says about the truth, as an object with limits and an error rate before it is a sentence.

A claim is false where the truth lies outside its limits. That holds for every kind: "too strong" is a claim whose lower
limit lies above 0, "within the margin" one whose limits lie inside the margin, "no strategy gains more than 1.9 points"
one with an upper limit only, "20,000 more games would decide" one whose upper limit is that number of games. So one
harness (`tests/reports/claims.py`) counts false claims of every study in worlds whose truth is known.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class ClaimKind:
    """A kind of claim.

    Attributes
    ----------
    rate
        How often a study that makes claims of this kind makes a false one, at most.
    per
        What the rate counts: "study" for studies with any false claim, "claim" for single claims.
    says
        What a claim of this kind says, in a few words, for the table in docs/statistics.md.
    """

    rate: float
    per: str
    says: str


KINDS: dict[str, ClaimKind] = {
    "out of balance": ClaimKind(0.05, "study", "a row wins more or less than its fair share"),
    "within the margin": ClaimKind(0.05, "study", "a row is balanced: its edge lies within the margin"),
}
"""Every kind of claim; `docs/statistics.md` lists them with the rates that were measured."""


@dataclass(frozen=True)
class Claim:
    """One statement about the truth.

    Attributes
    ----------
    kind
        A key of `KINDS`.
    subject
        What it is about: "Rhodos B", "seat 2", "Rhodos B beside Gizah A".
    estimate
        The best guess; a fraction for shares and edges, else in the unit of the sentence. None where there is none.
    low, high
        Limits. The claim is false where the truth lies outside; None is no limit on that side.
    family
        What the limits were corrected for: "27 rows of boards, wonders, sides and seats"; "one row" for none.
    said
        The sentence, as readers see it.
    """

    kind: str
    subject: str
    estimate: float | None
    low: float | None
    high: float | None
    family: str
    said: str

    def __post_init__(self) -> None:
        """Refuse a kind without an error rate, and limits that no truth can break."""
        if self.kind not in KINDS:
            raise ValueError(f"unknown kind of claim: {self.kind!r}")
        if self.low is None and self.high is None:
            raise ValueError(f"a claim without limits cannot be false, so it claims nothing: {self.said!r}")
        if any(value is not None and not math.isfinite(value) for value in (self.estimate, self.low, self.high)):
            raise ValueError(f"limits of a claim are finite numbers or None: {self!r}")

    def false_of(self, truth: float) -> bool:
        """Whether the claim is false where this is the truth."""
        return (self.low is not None and truth < self.low) or (self.high is not None and truth > self.high)


def sentences(claims: Iterable[Claim]) -> tuple[str, ...]:
    """Return the sentences of claims, each once, in their order."""
    return tuple(dict.fromkeys(claim.said for claim in claims))


def claim_rows(claims: Iterable[Claim]) -> list[dict[str, Any]]:
    """Return claims as JSON holds them."""
    return [asdict(claim) for claim in claims]
