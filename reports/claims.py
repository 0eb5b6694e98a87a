"""Claims: what a study says about the truth, as an object with limits and an error rate before it is a sentence.

A claim is false where the truth lies outside its limits. That holds for every kind: "too strong" is a claim whose lower
limit lies above 0, "within the margin" one whose limits lie inside the margin, "no strategy gains more than 1.9 points"
one with an upper limit only, "20,000 more games would decide" one whose upper limit is that number of games. So one
harness (`tests/reports/claims.py`) counts false claims of every study in worlds whose truth is known.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
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
    "depends on players": ClaimKind(0.05, "study", "with a player left out a row lies outside the margin"),
    "more games": ClaimKind(0.30, "claim", "so many more games decide a row"),
    "games to flag": ClaimKind(0.30, "claim", "a run of so many games flags an edge of that size"),
    "under a condition": ClaimKind(0.05, "study", "a row is out of balance, or balanced, under one condition"),
    "adjusted strength": ClaimKind(0.05, "study", "a row wins more or less with all else equal"),
    "lower places": ClaimKind(0.05, "study", "lower places promise other wins than a row has"),
    "pair": ClaimKind(0.05, "study", "one of a pair, such as two sides, wins more than the other"),
    "matchup": ClaimKind(0.05, "study", "one finishes ahead of another more often than behind"),
    "ending": ClaimKind(0.05, "study", "a row wins more or less where games end in one way"),
    "circumstance": ClaimKind(0.05, "study", "what befalls all seats changes how often a row wins"),
    "piece": ClaimKind(0.05, "study", "winners have a piece, or what takes one wins, more or less often"),
    "result": ClaimKind(0.05, "study", "a result is more or less frequent with one row, or than its odds"),
    "by skill": ClaimKind(0.05, "study", "better players win more or less with a row"),
    "underplayed": ClaimKind(0.05, "study", "a player who looks ahead gains more or less with a row than on average"),
    "alternative": ClaimKind(0.05, "study", "another plausible rule or number moves a row"),
    "price alone": ClaimKind(0.05, "study", "a faction is fair with a price, the others paying none"),
    "price when all pay": ClaimKind(0.05, "study", "a faction is fair with a price, all others paying theirs"),
    "bid": ClaimKind(0.05, "study", "what a faction pays when the weakest pays nothing"),
    "bid by itself": ClaimKind(0.07, "claim", "an interval of one bid (it holds the bid in 93 to 97 %)"),
    "left at a price": ClaimKind(0.05, "study", "an edge that is left at a value of goods"),
    "price by neighbour": ClaimKind(0.05, "study", "a neighbour changes what a faction has to pay"),
    "gain of an invader": ClaimKind(0.05, "study", "what a strategy gains, at most or at least, against a mixture"),
    "one among others": ClaimKind(0.05, "study", "a strategy wins more than its share among players of another"),
    "wins explained": ClaimKind(0.05, "study", "a faction wins more or less than is fair, as played or adjusted"),
    "points explained": ClaimKind(0.05, "study", "a faction scores or does more or less than those beside it"),
    "leads explained": ClaimKind(0.05, "study", "a faction is ahead, or makes more of a lead, than those beside it"),
    "company explained": ClaimKind(0.05, "study", "who else is at the table changes what a faction wins"),
    "pieces explained": ClaimKind(0.05, "study", "a faction plays a piece more or less often, or wins with it"),
    "parts explained": ClaimKind(0.05, "study", "a part of a faction is worth wins"),
    "change": ClaimKind(0.05, "study", "how far a change moves a row, or that it moves no other farther"),
    "differs between arms": ClaimKind(0.05, "study", "a row wins more, or less, in the second of two arms"),
    "no such difference": ClaimKind(0.05, "study", "a row differs between two arms by less than was asked"),
    "left after a change": ClaimKind(0.05, "study", "the edge that is left with a change, or with a value of a number"),
    "fair value": ClaimKind(0.05, "study", "the value of a number at which a row is fair"),
    "length of a game": ClaimKind(0.05, "study", "a change makes games longer or shorter"),
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


Said = tuple[str, tuple[Claim, ...]]
"""A sentence, and what it claims: nothing where it only says what was seen."""


def sentences(claims: Iterable[Claim]) -> tuple[str, ...]:
    """Return the sentences of claims, each once, in their order."""
    return tuple(dict.fromkeys(claim.said for claim in claims))


def claims_on(
    kind: str,
    rows: Iterable[Mapping[str, Any]],
    said: str,
    family: str,
    columns: tuple[str, str, str] = ("edge", "family_low", "family_high"),
    called: Callable[[Any], str] = lambda row: str(row["level"]),
) -> tuple[Claim, ...]:
    """Return one claim for each row that a sentence names, as far as its limits are known.

    Parameters
    ----------
    kind, said, family
        As in `Claim`.
    rows
        Rows of a table.
    columns
        Where they have the estimate and its limits.
    called
        Names a row.
    """
    estimate, low, high = columns
    known = [row for row in rows if row.get(low) is not None or row.get(high) is not None]
    return tuple(
        Claim(kind, called(row), row.get(estimate), row.get(low), row.get(high), family, said) for row in known
    )


def saying(said: str, claims: Iterable[Claim]) -> Said:
    """Return a sentence with what it claims."""
    return said, tuple(replace(claim, said=said) for claim in claims)


def plain(texts: Iterable[str]) -> list[Said]:
    """Return sentences that claim nothing."""
    return [(text, ()) for text in texts]


def told(parts: Iterable[Said]) -> tuple[tuple[str, ...], tuple[Claim, ...]]:
    """Take sentences and their claims apart."""
    found = list(parts)
    return tuple(said for said, _ in found), tuple(claim for _, claims in found for claim in claims)


def claim_rows(claims: Iterable[Claim]) -> list[dict[str, Any]]:
    """Return claims as JSON holds them."""
    return [asdict(claim) for claim in claims]
