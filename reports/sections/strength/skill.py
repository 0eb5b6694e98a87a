"""Section on verdicts by skill: how edges change along a ladder of ever stronger players (rungs).

The scripted rung is the strongest one without look-ahead. Its verdicts are compared with those of the top rung.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import polars as pl

from reports.claims import Claim, Said, claiming
from reports.data.load import Ladder
from reports.drawing import COLOURS, FAINT, INK, NARROW, NEUTRAL, Axes, signed, styled, styled_axes
from reports.formatting import capital, counted, listed, margin_words, plural, points, size, some
from reports.model import Column, Listing, Picture, Section, limited, said_section
from reports.sections.compare.robustness import claims_under
from reports.sections.core.summary import SPREAD, with_limits
from reports.sections.strength.first_player import first_players_section
from reports.sections.strength.skill_share import skill_share_section
from reports.sections.strength.underplayed import BADGE, underplayed_of
from reports.statistics.core.balance import MARGIN
from reports.statistics.strength.skill import SIDES, SkillCurve, is_change, skill_curves

OUT = {"strong": "too strong", "weak": "too weak"}
KEPT = ("holds", "flips", "fades", "open", "shows", "depends")
"""Courses: what can become of the verdict on a row that is out of balance on some rung, in the order of sentences."""
COURSE_WORDS = {
    "holds": "confirmed", "flips": "reversed", "fades": "balanced", "open": "undecided", "shows": "only at the top",
    "depends": "only on lower rungs", "fair": "balanced throughout", "undecided": "undecided throughout",
}  # fmt: skip
VERDICT_WORDS = {**OUT, "fair": "balanced"}
"""Words for the verdict on a row, as tables show it. `COURSE_WORDS` has the words for courses."""
ROW_INCHES, PER_ROW, GAP = 1.7, 6, 1.2
"""Layout of small curves, which stand side by side in lines: the height of a line in inches, the number of curves in a
line, and the gap between two curves. The gap is in units of the distance between two rungs."""
READING = (
    "On a rung, all seats use the same player, and all rungs play the same deals, so a curve shows the "
    "position, not its player. Intervals and verdicts hold for all rows and rungs at once; changes "
    "between rungs are paired by deal and hold for all rows and steps. A report's verdict comes from "
    "scripted players. It holds if the top rung says the same, and flips if the top rung says the "
    "opposite."
)
CHANGE = Column(
    "change", "change", "edge", "family_low", "family_high",
    "change of the win rate on the same deals, points; interval for all rows and steps at once",
)  # fmt: skip
COURSES = (
    Column("level", "row", "text"),
    Column("course", "at the top", "text", meaning="what the top rung says of the scripted verdict"),
    Column("edge_was", "scripted", "edge", meaning="edge on the highest rung without look-ahead"),
    limited("edge", "top", "edge", "edge on the top rung; interval for all rows and rungs at once"),
    CHANGE,
    Column("p_holm", "p", "p", meaning="chance of so large a change by luck, corrected for all rows"),
    Column("strong_at", "strong with", "text"),
    Column("weak_at", "weak with", "text"),
)
STEPS = (
    Column("level", "row", "text"),
    Column("below", "from", "text"),
    Column("rung", "to", "text"),
    CHANGE,
    Column("p_holm", "p", "p", meaning="chance of so large a change by luck, corrected for all rows and steps"),
)
CURVE = (
    Column("level", "row", "text"),
    Column("rung", "with", "text"),
    Column("verdict", "verdict", "text"),
    Column("win_rate", "wins", "share", "low", "high"),
    limited("edge", "edge", "edge", "interval for all rows and rungs at once"),
    Column("games", "games", "count"),
    Column("blocks", "blocks", "count"),
)
WIDTHS = (
    Column("rung", "all seats", "text"),
    Column("games", "games", "count"),
    Column("mean_score", "score", "number", meaning="mean score of a seat"),
    SPREAD,
    Column("strong", "strong", "count", meaning="rows that are too strong"),
    Column("weak", "weak", "count", meaning="rows that are too weak"),
)


def ladder_sections(ladder: Ladder, margin: float = MARGIN) -> list[Section]:
    """Return the sections of a ladder: see `sections_by_skill`."""
    curves = skill_curves(ladder.rungs, margin)
    badges, underplayed = underplayed_of(ladder)
    return sections_by_skill(ladder, curves, badges, underplayed, margin)


def sections_by_skill(
    ladder: Ladder, curves: Mapping[str, SkillCurve], badges: Sequence[str], underplayed: Section, margin: float
) -> list[Section]:
    """Return the sections of a ladder: skill curves, underplayed factions, and the first player at every rung.

    If the players of the rungs met, a section on skill and luck comes last.
    """
    first = first_players_section(ladder.rungs, "rung")
    met = None if ladder.meeting is None else skill_share_section(ladder.meeting)
    return [skill_section(curves, badges, margin), underplayed, *filter(None, (first, met))]


def skill_section(curves: Mapping[str, SkillCurve], badges: Sequence[str], margin: float = MARGIN) -> Section:
    """Say which verdicts hold at the top of a ladder and which flip. `badges` names the underplayed factions."""
    title = "Verdicts by skill"
    if not curves:
        return Section("skill", title, ("Every seat holds the same, so there is nothing to compare.",))
    parts = (said for curve in curves.values() for said in course_sentences(curve, badges, margin))
    listings = [listing for curve in curves.values() for listing in curve_listings(curve)]
    pictures = []
    for curve in curves.values():
        text = f"Edge of each {curve.noun} from {curve.rungs[0]} to {curve.top}, with intervals."
        pictures.append(Picture(f"skill {curve.name}", partial(draw_curves, curve, margin), text))
    return said_section("skill", title, parts, listings, pictures, READING)


def course_sentences(curve: SkillCurve, badges: Sequence[str], margin: float) -> Iterator[Said]:
    """Count the verdicts that hold, describe each row that is out of balance on some rung, and name the other rows.

    Then state the largest changes, and the spread on each rung. `badges` names the underplayed factions.
    """
    rows = curve.courses.to_dicts()
    summed = summary_words(curve, rows)
    yield summed, summary_claims(curve, rows, summed, margin)
    for course in KEPT:
        for row in (row for row in rows if row["course"] == course):
            badge = f" {capital(BADGE)}." if row["level"] in badges else ""
            said = f"{curve_row_name(curve, row)}: {course_words(row, curve, margin)}{badge}"
            yield said, course_claims(curve, row, said, margin)
    fair = f"confirmed balanced (±{margin_words(margin)}) with {curve.top}, and not out of balance on any rung"
    for course, said in (("fair", fair), ("undecided", "no imbalance found on any rung")):
        if names := [row for row in rows if row["course"] == course]:
            sentence = f"{capital(said)}: {some([curve_row_name(curve, row) for row in names])}."
            levels = [row["level"] for row in names] if course == "fair" else []
            yield sentence, verdict_claims(curve, levels, [curve.top], sentence, margin)
    yield from movers(curve, rows)
    told = [f"{size(row['spread'], 1)} with {row['rung']}" for row in curve.widths.to_dicts() if row["spread"]]
    if len(told) > 1:
        yield f"Typical distance of {plural(curve.noun)} from the fair share, points: {', '.join(told)}.", ()


def family_of(curve: SkillCurve) -> str:
    """Name the family of tests for which the limits of the curves are corrected."""
    cells, steps = curve.curve["edge"].count(), curve.steps["change"].count() + curve.whole["change"].count()
    return f"{cells} cells and {steps} changes by {curve.noun}, and those of the other tables"


def verdict_claims(
    curve: SkillCurve, levels: Sequence[str], rungs: Sequence[str], said: str, margin: float
) -> tuple[Claim, ...]:
    """Claim the verdicts of the rows `levels` on the given rungs."""
    judged = pl.col("verdict").is_in([*SIDES, "fair"])
    cells = curve.curve.filter(pl.col("level").is_in(levels) & pl.col("rung").is_in(rungs) & judged)
    return claims_under(cells, margin, said, family_of(curve), lambda row: f"{row['level']} with {row['rung']}")


def summary_claims(curve: SkillCurve, rows: Sequence[Mapping[str, Any]], said: str, margin: float) -> tuple[Claim, ...]:
    """Claim the verdicts that `summary_words` counts."""
    was = [row["level"] for row in rows if row["was"] in SIDES]
    shows = [row["level"] for row in rows if row["course"] == "shows"]
    ends = verdict_claims(curve, was, [curve.scripted, curve.top], said, margin)
    return (*ends, *verdict_claims(curve, shows, [curve.top], said, margin))


def course_claims(curve: SkillCurve, row: Mapping[str, Any], said: str, margin: float) -> tuple[Claim, ...]:
    """Claim a row's verdicts on all rungs, and its change from the scripted rung to the top."""
    return (*verdict_claims(curve, [row["level"]], curve.rungs, said, margin), *skill_change_claims(curve, row, said))


def skill_change_claims(curve: SkillCurve, row: Mapping[str, Any], said: str) -> tuple[Claim, ...]:
    """Claim a row's change from the scripted rung to the top, if it is confirmed."""
    changed = [{**row, "level": f"{row['level']} from {curve.scripted} to {curve.top}"}] if is_change(row) else []
    _, moved = claiming(said, "by skill", changed, family_of(curve), "change")
    return moved


def curve_row_name(curve: SkillCurve, row: Mapping[str, Any]) -> str:
    """Name a row in a sentence: 'Rhodos B', 'first player', 'side A'."""
    level = str(row["level"])
    plain = level.isdecimal() or len(level) == 1
    return f"{curve.noun} {level}" if plain else level


def summary_words(curve: SkillCurve, rows: Sequence[Mapping[str, Any]]) -> str:
    """Count the verdicts of the scripted rung by what becomes of them at the top, and name those of the top alone."""
    was = [row["course"] for row in rows if row["was"] in SIDES]
    shows = [curve_row_name(curve, row) for row in rows if row["course"] == "shows"]
    more = f" Out of balance with {curve.top} only: {some(shows)}." if shows else ""
    if not was:
        return f"No imbalance found among {plural(curve.noun)} with {curve.scripted} in all seats.{more}"
    states = {"holds": "still out of balance", "flips": "reversed", "fades": "balanced", "open": "undecided"}
    numbers = [(was.count(word), state) for word, state in states.items()]
    counts = [f"{number} {'is' if number == 1 else 'are'} {state}" for number, state in numbers if number]
    verb = "is" if len(was) == 1 else "are"
    who = f"{counted(len(was), curve.noun)} {verb} out of balance with {curve.scripted} in all seats"
    these = f"It {counts[0].partition(' ')[2]}" if len(was) == 1 else f"Of these, {listed(counts)}"
    return f"{who}. {these} with {curve.top}.{more}"


def course_words(row: Mapping[str, Any], curve: SkillCurve, margin: float) -> str:
    """Say how a row's verdict changes from the scripted rung to the top."""
    edge, now = f"{points(row['edge_was'])} points", f"{at_top(row)} with {curve.top}"
    scripted = f"with {curve.scripted} ({edge})"
    was, top = f"{OUT.get(row['was'])} {scripted}", f"{OUT.get(row['is'])} at the top rung ({now})"
    near = f"balanced (±{margin_words(margin)}) with {curve.top}"
    sides = ", ".join(f"{OUT[side]} with {row[f'{side}_at']}" for side in SIDES if row[f"{side}_at"])
    said = {
        "holds": f"the verdict holds at the top rung: {OUT.get(row['is'])}, {now}; {edge} with {curve.scripted}.",
        "flips": f"the verdict flips: {was}, {top}.",
        "fades": f"the verdict disappears at the top rung: {was}, {near}.",
        "open": f"{was}; undecided at the top rung: {now}.",
        "shows": f"{top}, not confirmed {scripted}.",
        "depends": f"depends on players: {sides}, not confirmed with {curve.scripted} or {curve.top}.",
    }[str(row["course"])]
    return f"{said}{course_change_words(row, curve)}{elsewhere(row, curve)}"


def at_top(row: Mapping[str, Any]) -> str:
    """Format a row's edge on the top rung, with limits."""
    return "never dealt" if row["edge"] is None else with_limits(row["edge"], row["edge_low"], row["edge_high"], "+")


def course_change_words(row: Mapping[str, Any], curve: SkillCurve) -> str:
    """Say by how much a row gains or loses from the scripted rung to the top. Empty if the change is not confirmed."""
    if not is_change(row):
        return ""
    verb = "gains" if row["change"] > 0 else "loses"
    ends = sorted(abs(100 * row[end]) for end in ("family_low", "family_high"))
    change = size(abs(row["change"]), 1)
    return f" From {curve.scripted} to {curve.top} it {verb} {change} points ({ends[0]:.1f} to {ends[1]:.1f})."


def elsewhere(row: Mapping[str, Any], curve: SkillCurve) -> str:
    """Name the other rungs on which a row is out of balance, besides those already named. Empty if there are none."""
    if row["course"] == "depends":
        return ""
    named = [curve.scripted, curve.top] if row["was"] in SIDES else [curve.top]
    others = {side: [rung for rung in row[f"{side}_at"].split(", ") if rung and rung not in named] for side in SIDES}
    said = [f"{OUT[side]} with {listed(rungs)}" for side, rungs in others.items() if rungs]
    return f" On other rungs: {' and '.join(said)}." if said else ""


def movers(curve: SkillCurve, rows: Sequence[Mapping[str, Any]]) -> Iterator[Said]:
    """Name the rows that rise or fall from the scripted rung to the top, and the largest change by one rung."""
    moved = sorted((row for row in rows if is_change(row)), key=lambda row: -row["change"])
    parts, way = [], f"from {curve.scripted} to {curve.top}"
    for verb, chosen in (("rise", [row for row in moved if row["change"] > 0]),
                         ("fall", [row for row in reversed(moved) if row["change"] < 0])):  # fmt: skip
        if chosen:
            names = [f"{curve_row_name(curve, row)} ({points(row['change'])})" for row in chosen]
            parts.append(f"{capital(plural(curve.noun))} that {verb} {way}: {some(names)}.")
    said = " ".join(parts) or f"{capital(way)} no {curve.noun} is shown to rise or fall."
    yield claiming(said, "by skill", moved, family_of(curve), "change")
    sure = curve.steps.filter(pl.col("flag") != "").sort(pl.col("change").abs(), descending=True)
    for row in sure.head(1).to_dicts():
        verb = "gains" if row["change"] > 0 else "loses"
        said = (
            f"The largest confirmed step is that of {curve_row_name(curve, row)}, which {verb} "
            f"{size(abs(row['change']), 1)} points from {row['below']} to {row['rung']}."
        )
        yield claiming(said, "by skill", [row], family_of(curve), "change")


def curve_listings(curve: SkillCurve) -> list[Listing]:
    """Return four tables: courses by row, rungs, changes between neighbouring rungs, and edges by row and rung."""
    noun = curve.noun
    courses = curve.courses.with_columns(pl.col("course").cast(pl.String).replace(COURSE_WORDS))
    verdicts = curve.curve.with_columns(pl.col("verdict").cast(pl.String).replace(VERDICT_WORDS))
    return [
        Listing(f"skill {curve.name}", f"{capital(noun)} from {curve.scripted} to {curve.top}", courses, COURSES),
        Listing(f"rungs {curve.name}", f"Rungs by {noun}", curve.widths, WIDTHS),
        Listing(f"steps {curve.name}", f"{capital(noun)} step by step", curve.steps, STEPS, folded=True),
        Listing(f"curve {curve.name}", f"{capital(noun)} on every rung", verdicts, CURVE, folded=True),
    ]


@styled
def draw_curves(curve: SkillCurve, margin: float, ax: Axes | None = None) -> Axes:
    """Draw a small curve for each row, rung by rung, with intervals. The band is the margin."""
    levels, wide = curve.courses["level"].to_list(), len(curve.rungs) + GAP
    lines = -(-len(levels) // PER_ROW)
    low, high = (curve.curve[name].drop_nulls().to_list() for name in ("edge_low", "edge_high"))
    lowest, highest = 100 * min([-margin, *low]), 100 * max([margin, *high])
    step = 1.32 * (highest - lowest)
    title = f"Edge of each {curve.noun} by player, points"
    ax = styled_axes(ax, NARROW, 1.0 + ROW_INCHES * lines, title)
    for line in range(lines):
        ax.axhspan(-line * step - 100 * margin, -line * step + 100 * margin, color=FAINT, alpha=0.55, lw=0)
        ax.axhline(-line * step, color=INK, lw=0.8, ls=(0, (4, 3)))
    for number, level in enumerate(levels):
        left, zero = number % PER_ROW * wide, -(number // PER_ROW) * step
        draw_row(ax, curve, level, left, zero)
        ax.text(left + (len(curve.rungs) - 1) / 2, zero + highest + 0.02 * step, level.replace(" ", "\n", 1),
                ha="center", va="bottom", fontsize=8)  # fmt: skip
    ticks = [(value - line * step, signed(value)) for line in range(lines) for value in nice_ticks(lowest, highest)]
    ax.set_yticks([place for place, _ in ticks], [text for _, text in ticks], fontsize=8)
    ax.set_xticks([])
    ax.set_xlim(-0.8, min(len(levels), PER_ROW) * wide - 0.4)
    ax.set_ylim(-(lines - 1) * step + 1.04 * lowest, highest + 0.2 * step)
    ax.spines["bottom"].set_visible(False)
    said = f"orange: too strong, blue: too weak; band: margin of {margin_words(margin)}"
    ax.set_xlabel(f"left to right: {', '.join(curve.rungs)}\n{said}", fontsize=8.5, color=NEUTRAL)
    return ax


def draw_row(ax: Axes, curve: SkillCurve, level: str, left: float, zero: float) -> None:
    """Draw the curve of one row. Its first rung is at `left`, its fair share at height `zero`."""
    at = {str(row["rung"]): row for row in curve.curve.filter(pl.col("level") == level).to_dicts()}
    known = [(left + number, at[rung]) for number, rung in enumerate(curve.rungs) if rung in at]
    known = [(x, row) for x, row in known if row["edge"] is not None]
    ax.plot([x for x, _ in known], [zero + 100 * row["edge"] for _, row in known], color=NEUTRAL, lw=1.2)
    for x, row in known:
        colour = COLOURS.get(row["verdict"], NEUTRAL)
        if row["edge_low"] is not None:
            ends = [zero + 100 * row[end] for end in ("edge_low", "edge_high")]
            ax.plot([x, x], ends, color=colour, lw=1.6, alpha=0.6, solid_capstyle="butt")
        ax.plot(x, zero + 100 * row["edge"], "o", ms=4, color=colour, mec="white", mew=0.5)


def nice_ticks(low: float, high: float) -> list[float]:
    """Return a few round numbers between two values, including 0."""
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100) if (high - low) / step <= 6)
    return [float(step * number) for number in range(int(low // step) + 1, int(high // step) + 1)]
