"""Findings that a ladder adds to a report: who judged, and what its top rung makes of the report's verdict.

The top rung plays all seats. A row that is out of balance in the report is then out of balance to the same side, to the
other side, balanced or undecided. Undecided says that there are too few games to tell, not that the row is balanced.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import polars as pl

from reports.claims import Claim, Said, saying
from reports.data.load import Ladder
from reports.formatting import capital, counted, listed, margin_words, plural, size
from reports.model import Finding, Section
from reports.sections.core.summary import with_limits
from reports.sections.strength.skill import (
    OUT,
    at_top,
    skill_change_claims,
    summary_claims,
    summary_words,
    verdict_claims,
)
from reports.sections.strength.skill_share import stronger_words
from reports.sections.strength.underplayed import BADGE
from reports.statistics.strength.skill import SIDES, SkillCurve, is_change
from sim.runs.store.manifest import Manifest

FATES = {
    "same": "Same side there",
    "other": "Other side there",
    "balanced": "Balanced there (±{margin})",
    "undecided": "Undecided there (too few games to tell)",
    "unjudged": "Not judged there",
}
"""What the top rung can make of a row that is out of balance in a report, with words that introduce such rows."""


class Judged(NamedTuple):
    """A row of a report's verdict, with its curve and its course if the ladder judges it.

    Attributes
    ----------
    row
        Has `label`, `noun`, `table`, `name` and `edge`.
    course
        The row of `SkillCurve.courses`.
    """

    row: Mapping[str, Any]
    curve: SkillCurve | None
    course: Mapping[str, Any] | None

    @property
    def fate(self) -> str:
        """What the top rung makes of the row: a key of `FATES`."""
        if self.course is None:
            return "unjudged"
        if self.course["is"] in SIDES:
            return "same" if (self.course["is"] == "strong") == (self.row["edge"] > 0) else "other"
        return "balanced" if self.course["is"] == "fair" else "undecided"

    @property
    def contradicted(self) -> bool:
        """Whether the ladder's best scripted player puts the row out of balance to the other side."""
        was = None if self.course is None else self.course["was"]
        return was in SIDES and (was == "strong") != (self.row["edge"] > 0)

    def claims(self, said: str, margin: float) -> Iterator[Claim]:
        """Yield the claims of a sentence that tells the fate, and the contradiction if there is one."""
        if self.curve is not None and self.course is not None:
            rungs = [self.curve.top, self.curve.scripted] if self.contradicted else [self.curve.top]
            yield from verdict_claims(self.curve, [self.course["level"]], rungs, said, margin)


def judge_rows(curves: Mapping[str, SkillCurve], rows: Sequence[Mapping[str, Any]]) -> list[Judged]:
    """Return what a ladder makes of rows of a report's verdict.

    `rows` are described in `Judged`. Rows that the ladder did not deal, and rows of tables without curves, are not
    judged.
    """
    found = []
    for row in rows:
        curve = curves.get(row["table"])
        courses = [] if curve is None else curve.courses.filter(pl.col("level") == row["name"]).to_dicts()
        dealt = courses and courses[0]["edge"] is not None
        found.append(Judged(row, curve, courses[0]) if dealt else Judged(row, None, None))
    return found


def is_top_rung(run: Manifest, ladder: Ladder) -> bool:
    """Tell whether the player of the top rung plays all seats of a run, which a ladder then cannot confirm."""
    return [row.name for row in run.strategies] == [list(ladder.rungs)[-1]]


def top_rung_words(ladder: Ladder) -> str:
    """Name the player of the top rung: 'expert+8 (look-ahead)'."""
    name, run = list(ladder.rungs.items())[-1]
    ahead = all(row.search is not None for row in run.manifest.strategies)
    return f"{name} (look-ahead)" if ahead else name


def ladder_finding(ladder: Ladder, played: Manifest, judged: Sequence[Judged], margin: float) -> Finding:
    """Return a caution for a report: what the top of a ladder makes of the rows that are out of balance.

    Parameters
    ----------
    played
        Manifest of the report's run.
    judged
        The rows of the report's verdict.
    """
    top, run = list(ladder.rungs.items())[-1]
    if not judged:
        return Finding("", "caution", "By skill: no row is out of balance here, so the ladder has none to judge.")
    if is_top_rung(played, ladder):
        whole = f"By skill: {top}, the top rung, plays this run itself, so the ladder cannot confirm it."
        return Finding("", "caution", whole)
    nouns = {str(one.row["noun"]) for one in judged}
    noun = nouns.pop() if len(nouns) == 1 else "row"
    rows = f"the {counted(len(judged), noun)}" if len(judged) > 1 else f"the only {noun}"
    who = f"{top} in all seats ({counted(run.manifest.games, 'game')})"
    whole = " ".join([f"By skill: {rows} out of balance here, with {who}.", *fate_sentences(judged, margin)])
    claims = [claim for one in judged for claim in one.claims(whole, margin)]
    for one in judged:
        if one.curve is not None and one.course is not None:
            claims.extend(skill_change_claims(one.curve, one.course, whole))
    return Finding("", "caution", whole, claims=tuple(claims))


def fate_sentences(judged: Sequence[Judged], margin: float) -> list[str]:
    """Name the rows by what they are at the top rung, and warn of those that the scripted rung contradicts."""
    names: dict[str, list[str]] = {fate: [] for fate in FATES}
    for one in judged:
        names[one.fate].append(words_at_top(one))
    said = [] if names["same"] else ["Same side there: none."]
    told = [(FATES[fate].format(margin=margin_words(margin)), those) for fate, those in names.items() if those]
    said += [f"{words}: {listed(those)}." for words, those in told]
    turned = [(str(one.row["label"]), one.curve.scripted) for one in judged if one.contradicted and one.curve]
    if turned:
        them, scripted = "it" if len(turned) == 1 else "them", turned[0][1]
        who = listed([name for name, _ in turned])
        said.append(f"A change that corrects {who} here may make {them} worse with {scripted} in all seats.")
    return said


def words_at_top(one: Judged) -> str:
    """Name a row with its edge at the top rung, a confirmed change, and a contradiction on the way."""
    if one.curve is None or one.course is None:
        return str(one.row["label"])
    said = [at_top(one.course)]
    if is_change(one.course):
        moved = with_limits(one.course["change"], one.course["family_low"], one.course["family_high"], "+")
        said.append(f"change from {one.curve.scripted}: {moved}")
    if one.contradicted:
        said.append(f"{OUT[one.course['was']]} with {one.curve.scripted} in all seats")
    return f"{one.row['label']} ({'; '.join(said)})"


def underplayed_finding(finding: Finding, badges: Sequence[str], claims: Sequence[Claim]) -> Finding:
    """Return a copy of the ladder's finding that also names the underplayed factions, `badges`, with their claims."""
    if not badges:
        return finding
    whole = f"{finding.headline} {capital(BADGE)}: {listed(badges)}."
    said = [replace(claim, said=whole) for claim in (*finding.claims, *claims)]
    return replace(finding, headline=whole, claims=tuple(said))


def headline_at_top(head: Finding, players: str, top: str, judged: Sequence[Judged], margin: float) -> Finding:
    """Return a copy of a report's first finding that also says what a ladder's top rung makes of the rows it names.

    Parameters
    ----------
    players
        Who played, as the headline says it (`verdict.players_words`). The new words follow it.
    top
        Who plays the top rung, from `top_rung_words`.
    judged
        The rows that the headline names.
    """
    ends = {"same": "stays {side}", "other": "is {other}", "balanced": "is balanced", "undecided": "is undecided",
            "unjudged": "is not judged"}  # fmt: skip
    parts = []
    for one in judged:
        side, other = (OUT["strong"], OUT["weak"]) if one.row["edge"] > 0 else (OUT["weak"], OUT["strong"])
        found = "also" if one.fate == "other" else other
        also = f" ({found} with {one.curve.scripted})" if one.contradicted and one.curve is not None else ""
        parts.append(f"{one.row['label']} {ends[one.fate].format(side=side, other=other)}{also}")
    told = [claim.said for claim in head.claims if f"{players}." in claim.said]
    if not told or not parts:
        return head
    before, after = f"{players}.", f"{players}; with {top} in all seats, {listed(parts)}."
    kept = [replace(claim, said=claim.said.replace(before, after, 1)) for claim in head.claims]
    more = [claim for one in judged for claim in one.claims(told[0].replace(before, after, 1), margin)]
    return replace(head, headline=head.headline.replace(before, after, 1), claims=(*kept, *more))


def judges_finding(
    manifest: Manifest, ladder: Ladder, curves: Mapping[str, SkillCurve], gained: Section, margin: float
) -> Finding | None:
    """Say which players played a run, how strong the ladder's players are, and which verdicts change with better ones.

    None if the ladder gives no curves.

    Parameters
    ----------
    gained
        The section on underplayed factions. Its first sentence states the gain in win rate from looking ahead.
    """
    if not curves:
        return None
    curve = curves.get("faction") or next(iter(curves.values()))
    rows = curve.courses.to_dicts()
    names = listed([row.name for row in manifest.strategies])
    strong, compared = strength_words(ladder, curve, gained)
    ends = {row["rung"]: row["spread"] for row in curve.widths.to_dicts() if row["spread"]}
    spread = (
        f"The typical distance of {plural(curve.noun)} from the fair share is {size(ends[curve.scripted], 1)} points "
        f"with {curve.scripted} and {size(ends[curve.top], 1)} with {curve.top}."
        if {curve.scripted, curve.top} <= ends.keys()
        else ""
    )
    changes = f"What better players change: {summary_words(curve, rows)}"
    whole = " ".join(filter(None, (f"Who judged: {names}.", strong and f"Strength: {strong}", changes, spread)))
    _, gains = saying(whole, compared)
    return Finding("", "caution", whole, claims=(*gains, *summary_claims(curve, rows, whole, margin)))


def strength_words(ladder: Ladder, curve: SkillCurve, gained: Section) -> Said:
    """Say what looking ahead gains at mixed tables, or else how often the top player is ahead of the scripted one.

    `gained` is the section on underplayed factions. If its mixed tables show no gain, the tables where all rungs meet
    are used. Empty if the ladder has neither kind of tables.
    """
    shown = () if ladder.mixed is None else tuple(claim for claim in gained.claims if claim.kind == "by skill")
    if shown or (ladder.mixed is not None and ladder.meeting is None):
        return gained.sentences[0], shown
    return ("", ()) if ladder.meeting is None else stronger_words(ladder.meeting, curve.top, curve.scripted)
