"""Claims: statements of a report about true values. Each claim has limits and an error rate.

A claim is false if the truth lies outside its limits. "Too strong" has a lower limit above 0. "Within the margin" has
limits inside the margin. "No strategy gains more than 1.9 points" has an upper limit only. "20,000 more games would
decide" has the upper limit 20,000. Because all claims have this form, one harness (`tests/reports/claims.py`) can count
the false claims of every study in simulated worlds whose true values are known.
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
    says
        A short description of the claim, for the table in docs/statistics.md.
    estimated
        The quantity that claims of this kind estimate and set limits for; shares and edges are fractions.
    rate, per
        Maximum error rate, and its unit: "study" for the share of studies with at least one false claim, "claim" for
        the share of claims that are false.
    """

    says: str
    estimated: str
    rate: float = 0.05
    per: str = "study"


KINDS: dict[str, ClaimKind] = {
    "out of balance": ClaimKind("a row wins more or less than its fair share", "win rate minus fair share"),
    "within the margin": ClaimKind("a row is balanced: its edge lies within the margin", "win rate minus fair share"),
    "probably fair": ClaimKind(
        "an undecided row is probably fair, or probably not", "absolute edge minus the margin", rate=0.20, per="claim"
    ),
    "depends on players": ClaimKind(
        "a row lies outside the margin if one player is left out",
        "win rate minus fair share, without the games of one player",
    ),
    "more games": ClaimKind(
        "a number of additional games, or of games with each change, is enough to decide a row",
        "additional games, or games with each change",
        rate=0.30,
        per="claim",
    ),
    "games to flag": ClaimKind(
        "a run of that many games flags an edge of that size", "games of a run", rate=0.30, per="claim"
    ),
    "under a condition": ClaimKind(
        "a row is out of balance, or balanced, under one condition", "win rate minus fair share, under that condition"
    ),
    "adjusted strength": ClaimKind(
        "a row wins more or less, all else equal", "win rate minus the rate expected with all else equal"
    ),
    "lower places": ClaimKind(
        "the lower ranks of a row disagree with its wins", "win rate predicted from all ranks, minus the win rate"
    ),
    "pair": ClaimKind(
        "one of a pair, such as two sides, wins more than the other",
        "edge of the first minus edge of the second, in the order of the subject",
    ),
    "matchup": ClaimKind(
        "one finishes ahead of another more often than behind",
        "share of pairings in which the first finishes ahead; ties count half",
    ),
    "matchups beyond strength": ClaimKind(
        "opponents matter beyond strength, or by at most so much",
        "standard deviation of the shares ahead about those by strength alone, at even strength",
    ),
    "rock-paper-scissors": ClaimKind(
        "each of three finishes ahead of the next, and the last ahead of the first",
        "narrowest of the three shares ahead, minus one half",
    ),
    "skill": ClaimKind(
        "who plays explains a share of who finishes ahead of whom, or at most a share",
        "mean of (2p - 1)^2 over pairs, p the share of duels that one wins",
    ),
    "ending": ClaimKind(
        "a row wins more or less in games with one ending", "win rate minus fair share, in games with that ending"
    ),
    "circumstance": ClaimKind(
        "a circumstance that all seats share changes how often a row wins", "change of the win rate"
    ),
    "piece": ClaimKind(
        "a piece is more or less common among winners, or a pick wins more or less",
        "win rate with it minus that without",
    ),
    "result": ClaimKind(
        "a result is more or less frequent with one row, or than its exact odds",
        "share of games minus the expected share",
    ),
    "by skill": ClaimKind(
        "better players win more or less with a row",
        "change of the edge from rung to rung, or the gain from looking ahead",
    ),
    "underplayed": ClaimKind(
        "a player who looks ahead gains more or less with a row than on average",
        "gain of the row minus the average gain, in win rate",
    ),
    "alternative": ClaimKind(
        "another plausible rule or number changes the edge of a row", "edge with the alternative minus edge as played"
    ),
    "price alone": ClaimKind(
        "a faction, or the first player, is fair with a price, if the others pay none",
        "points or goods added to make it fair; negative if it pays",
    ),
    "price when all pay": ClaimKind(
        "a faction is fair with a price, if all others pay theirs", "points added if all pay; negative if it pays"
    ),
    "bid": ClaimKind("what a faction pays if the weakest pays nothing", "points that it pays: positive"),
    "bid by itself": ClaimKind(
        "the interval of a single bid includes the true bid", "points that it pays: positive", rate=0.07, per="claim"
    ),
    "left at a price": ClaimKind("the remaining edge at a value of goods", "win rate minus fair share, at that value"),
    "price by neighbour": ClaimKind(
        "a neighbour changes the price of a faction",
        "price beside it minus price with it further away, in points or goods added",
    ),
    "gain of an invader": ClaimKind(
        "an upper or lower limit of a strategy's gain against a mixture", "win rate minus that of the mixture"
    ),
    "one among others": ClaimKind("a strategy wins more than the fair share among players of another one", "win rate"),
    "wins explained": ClaimKind(
        "a faction wins more or less than its fair share, unadjusted or adjusted",
        "win rate minus fair share, or minus the mean of all",
    ),
    "points explained": ClaimKind(
        "a faction scores or does more or less than its opponents",
        "its mean minus that of the others, in points or counts",
    ),
    "leads explained": ClaimKind(
        "a faction leads more often, or wins more from a lead, than its opponents",
        "points ahead of the others; win rate minus theirs; for 'led' the share of games",
    ),
    "company explained": ClaimKind(
        "opponents change the win rate of a faction", "win rate with these opponents minus that without"
    ),
    "pieces explained": ClaimKind(
        "a faction plays a piece more or less often, or the piece is associated with winning",
        "share of games with it minus that of the others; for 'brings' win rate with it minus that without",
    ),
    "parts explained": ClaimKind(
        "a part of a faction raises or lowers its win rate",
        "win rate as printed minus that without the part; for 'as printed' the edge",
    ),
    "change": ClaimKind(
        "the effect of a change on a row, or an upper limit of it for all others", "win rate after minus before"
    ),
    "left after a change": ClaimKind(
        "the remaining edge with a change, or with a value of a number", "win rate minus fair share, after the change"
    ),
    "fair value": ClaimKind("the value of a number at which a row is fair", "value of the number"),
    "length of a game": ClaimKind("a change makes games longer or shorter", "rounds after minus before"),
    "edge among people": ClaimKind(
        "a faction or seat wins more or less among players of equal strength",
        "win rate minus the fair share, among players of equal strength",
    ),
    "strength of a player": ClaimKind(
        "a player is stronger or weaker than the average one", "log strength minus the mean of all players"
    ),
    "trend among people": ClaimKind(
        "a faction wins more or less as time goes on", "edge on the last day minus that on the first"
    ),
    "people and simulation": ClaimKind(
        "a faction wins more or less among people than in a simulation",
        "edge among players of equal strength minus the simulated or the predicted edge",
    ),
    "ranks of people and simulation": ClaimKind(
        "factions rank alike among people and in a simulation", "rank correlation of the true edges"
    ),
    "calibration to people": ClaimKind(
        "what a simulated edge predicts among people", "slope of people's true edges on simulated ones"
    ),
    "differs between arms": ClaimKind(
        "a row wins more or less in the second of two arms", "win rate in the second arm minus that in the first"
    ),
    "way": ClaimKind("seats that score in one way win more or less than their fair share", "win rate minus fair share"),
    "one way": ClaimKind("a faction wins in one way only", "share of its wins by that way"),
    "restricted": ClaimKind(
        "a player who never, or always, does something wins more or less than its equals", "win rate minus fair share"
    ),
    "runaway": ClaimKind(
        "a lead grows or shrinks in a stretch of a game", "points gained on the table for each point ahead of it"
    ),
    "drama": ClaimKind(
        "games of one condition are decided later, or have more comebacks, than those of the first",
        "difference of the shares",
    ),
    "no such difference": ClaimKind(
        "a row differs between two arms by less than the requested difference",
        "win rate in the second arm minus that in the first",
    ),
}
"""All kinds of claims by name. `docs/statistics.md` lists them with their measured error rates."""


@dataclass(frozen=True)
class Claim:
    """A statement about a true value, with limits.

    Attributes
    ----------
    kind
        A key of `KINDS`.
    subject
        The subject: "Rhodos B", "seat 2", "Rhodos B beside Gizah A".
    estimate
        Estimate of the quantity `ClaimKind.estimated`, or None.
    low, high
        Limits of the true value; None means no limit on that side.
    family
        The family of tests for which the limits are corrected: "27 rows of boards, wonders, sides and seats". It is
        "one row" if the limits are those of a single test.
    said
        The sentence that readers see.
    """

    kind: str
    subject: str
    estimate: float | None
    low: float | None
    high: float | None
    family: str
    said: str

    def __post_init__(self) -> None:
        """Raise ValueError for an unknown kind, and for a claim that cannot be false or has infinite limits."""
        if self.kind not in KINDS:
            raise ValueError(f"unknown kind of claim: {self.kind!r}")
        if self.low is None and self.high is None:
            raise ValueError(f"a claim without limits cannot be false, so it claims nothing: {self.said!r}")
        if any(value is not None and not math.isfinite(value) for value in (self.estimate, self.low, self.high)):
            raise ValueError(f"limits of a claim are finite numbers or None: {self!r}")

    def false_of(self, truth: float) -> bool:
        """Tell whether the claim is false, given the true value."""
        return (self.low is not None and truth < self.low) or (self.high is not None and truth > self.high)


Said = tuple[str, tuple[Claim, ...]]
"""A sentence and its claims. A sentence that only describes the data has no claims."""


def sentences(claims: Iterable[Claim]) -> tuple[str, ...]:
    """Return the sentences (`Claim.said`) of claims, each once, in the order of the claims."""
    return tuple(dict.fromkeys(claim.said for claim in claims))


def level_of(row: Mapping[str, Any]) -> str:
    """Return the name of a row: its `level`. This is for tables that are not crossed."""
    return str(row["level"])


def claims_on(
    kind: str,
    rows: Iterable[Mapping[str, Any]],
    said: str,
    family: str,
    columns: tuple[str, str, str] = ("edge", "family_low", "family_high"),
    called: Callable[[Any], str] = level_of,
) -> tuple[Claim, ...]:
    """Return a claim for each of the rows that a sentence names. A row without any limit gives no claim.

    Parameters
    ----------
    kind, said, family
        As in `Claim`.
    rows
        Rows of a table.
    columns
        The columns of the estimate and its limits.
    called
        Function that returns the name of a row.
    """
    estimate, low, high = columns
    known = [row for row in rows if row.get(low) is not None or row.get(high) is not None]
    return tuple(
        Claim(kind, called(row), row.get(estimate), row.get(low), row.get(high), family, said) for row in known
    )


def claiming(
    said: str,
    kind: str,
    rows: Iterable[Mapping[str, Any]],
    family: str,
    value: str = "edge",
    prefix: str = "",
    called: Callable[[Any], str] = level_of,
) -> Said:
    """Return a sentence with a claim for each row that it names: see `claims_on`.

    Estimates are in the column `value`, their limits in the columns `<prefix>family_low` and `<prefix>family_high`.
    """
    return said, claims_on(kind, rows, said, family, (value, f"{prefix}family_low", f"{prefix}family_high"), called)


def saying(said: str, claims: Iterable[Claim]) -> Said:
    """Return a sentence with copies of claims that have this sentence as `said`."""
    return said, tuple(replace(claim, said=said) for claim in claims)


def unclaimed(texts: Iterable[str]) -> list[Said]:
    """Return texts as sentences that make no claims."""
    return [(text, ()) for text in texts]


def split_claims(parts: Iterable[Said]) -> tuple[tuple[str, ...], tuple[Claim, ...]]:
    """Split sentences and claims into two tuples."""
    found = list(parts)
    return tuple(said for said, _ in found), tuple(claim for _, claims in found for claim in claims)


def claim_rows(claims: Iterable[Claim]) -> list[dict[str, Any]]:
    """Return claims as dicts, ready for JSON."""
    return [asdict(claim) for claim in claims]
