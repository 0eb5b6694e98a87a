"""Describes the differences between two runs: gains and losses, how certain they are, and what shared deals save."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal

import numpy as np
import polars as pl

from reports.claims import Said, saying
from reports.data.load import only_one_player
from reports.drawing import (
    INK,
    NARROW,
    NEUTRAL,
    STRONG,
    WEAK,
    Axes,
    heading_beside,
    label_rows,
    styled,
    styled_axes,
    value_beside,
)
from reports.formatting import capital, count, counted, margin_words, number, plural, points, round_up, size, typeset
from reports.model import (
    Column,
    Finding,
    Listing,
    Picture,
    Results,
    Section,
    draws,
    prints,
    render_notebook,
    render_prompt,
    said_section,
    shows,
)
from reports.sections.core.opening import (
    Standings,
    Turned,
    change_claims,
    change_half_width,
    change_spread,
    compared_name,
    farthest_limit,
    has_own_rows,
    is_changed,
    opening,
    reach_words,
)
from reports.sections.pieces.pieces import AS_IN_THE_REPORT
from reports.statistics.compare.changes import Compared, of_changes
from reports.statistics.compare.paired import FEW_BLOCKS
from reports.statistics.core.balance import MARGIN
from reports.statistics.distributions import normal_ppf
from sim.game import is_game_file
from sim.players.judge_files import has_own_judge
from sim.runs.store.manifest import Manifest, PlayerEntry, changed_numbers

Row = dict[str, Any]
LEGEND, LEGEND_LINE = 36, 0.17
"""Maximum number of letters in a line of the legend, and the height of such a line in inches."""
ALWAYS = ("level", "change", "flag")
"""Columns that a narrow screen shows too."""
MAX_DRAWN = 16
"""Maximum number of picks (pieces that seats choose, one each period) in a figure. The table lists all of them."""
NAMED = 4
"""A sentence names at most this many rows with gains, and as many with losses."""
ORDINALS = ("first", "second")
TOGETHER = "Win rates add up: what one row gains, others lose."
PICKED = "Picks of one {period} are compared with others of the same {period}. "
ALONE = (
    "Games of one player are won or lost against the game, so a change may raise or lower all rows; "
    "edges are relative to the mean of each run."
)
OUT = (
    "A row is out of balance if its edge is confirmed to differ from 0 and the observed edge is at "
    "least the margin ({margin}); it is balanced if its edge is confirmed to lie within the margin. "
    "All statements on changes and on both runs hold at once in 19 of 20 comparisons, so their limits "
    "are wider than those in the tables."
)
NAMES = {
    "lineup": "line-up", "factions_dealt": "factions", "factions_fixed": "seats of the factions", "assign": "seating",
    "block_games": "games of a block", "games": "number of games", "deals": "games of the plan",
}  # fmt: skip
"""Words that sentences use for fields of the manifest. Other fields keep their names."""
PLAY = ("base", "temperature", "weights", "code")
"""Fields of a strategy in the manifest that determine its play."""

Same = Literal["", "run", "content", "some games", "plan"]
SAME_WORDS = {
    "run": "A run was compared with itself, so nothing differs.",
    "content": "Both folders hold the same run, so nothing differs.",
}


@dataclass(frozen=True)
class Comparison(Results):
    """Two runs of a game and their differences.

    Attributes
    ----------
    manifest_a, manifest_b
        `run.json` of each run, restricted to the games that are in both runs, if any are.
    title_a, title_b
        Titles: "as printed", "with pawnshop.vp=4".
    apart
        The differing fields because of which the runs share no deals: "seed, players"; empty if they share deals.
    tables
        Tables by name: faction, each attribute, seat, strategy.
    spreads
        By table: root mean square of the true edges in the first and in the second run; None if unknown.
    verdicts
        The first finding of each run's report.
    played
        `run.json` of each run as played.
    same
        Why there is nothing to compare: "run" (the two folders are one), "content" (the data files are equal), "some
        games" (the plans are equal, but only some games are in both runs), "plan" (the plans are equal). Empty if the
        runs can be compared.
    turned
        Values of the game, the players or the rules that differ between the runs.
    standings
        For each run, the state of each row. Rows that the verdict of the run does not judge are left out.
    margin
        Edges up to this fraction count as balanced.
    knowledge
        Sentences on what the players know of the printed game.
    rows
        Number of rows for which the limits of changes hold at once.
    """

    manifest_a: Manifest
    manifest_b: Manifest
    title_a: str
    title_b: str
    apart: str
    tables: dict[str, Compared]
    spreads: dict[str, tuple[float | None, float | None]]
    verdicts: tuple[Finding, Finding]
    played: tuple[Manifest, Manifest]
    same: Same = ""
    turned: tuple[Turned, ...] = ()
    standings: tuple[Standings, Standings] = field(default_factory=lambda: ({}, {}))
    margin: float = MARGIN
    knowledge: tuple[str, ...] = ()
    rows: int = 1

    @property
    def family(self) -> str:
        """The family of tests for which limits are corrected."""
        return f"{counted(self.rows, 'row')} of all tables, and the verdicts on both runs"

    @property
    def sections(self) -> tuple[Section, ...]:
        """The sections on the changes, and on the balance before and after."""
        return comparison_sections(self)

    def __repr__(self) -> str:
        return "\n".join(headlines(self))

    def _repr_html_(self) -> str | None:
        widest = {name: table.frame["change"].abs().drop_nulls().to_numpy() for name, table in self.tables.items()}
        moved = {f"change {name}": float(values.max(initial=0.0)) for name, values in widest.items()}
        changes = self.sections[0]
        ordered = sorted(changes.listings, key=lambda listing: -moved[listing.name])
        return replace(changes, listings=tuple(ordered))._repr_html_()


def without_changes(manifest: Manifest) -> Manifest:
    """Return a manifest in which the fields that hold the change are empty. Other sentences describe the change."""
    return manifest.model_copy(update={"changes": [], "settings": {}, "numbers": {}, "tables": ""})


def what_differs(a: Manifest, b: Manifest) -> list[str]:
    """List the differences between the plans of two runs: 'changes: none, then cards.toml#pawnshop.vp=4'."""
    said: list[str] = []
    for name in ("changes", "games", "players", "lineup", "factions_dealt", "assign", "seed", "variant"):
        first, second = getattr(a, name), getattr(b, name)
        if first != second:
            texts = (f"{value:,}" if name == "games" else setting_text(value) for value in (first, second))
            said.append(f"{NAMES.get(name, name)}: {', then '.join(texts)}")
    decks = [[deck.file for deck in manifest.decks] for manifest in (a, b)]
    if a.decks != b.decks:
        said.append(f"decks: {setting_text(decks[0])}, then {setting_text(decks[1])}")
    for name in sorted(set(a.settings) | set(b.settings)):
        first, second = a.settings.get(name), b.settings.get(name)
        if first != second:
            said.append(f"{name}: {setting_text(first)}, then {setting_text(second)}")
    play = {row.name: play_of(row) for row in a.strategies}
    played = [(row.name, play_of(row)) for row in b.strategies]
    said += [f"weights or code of {name}" for name, new in played if play.get(name, new) != new]
    said += changed_numbers(a.numbers, b.numbers) if a.changes == b.changes else []
    if not said and a.tables != b.tables:
        said.append("the game's tables")
    if a.sources != b.sources:
        same = is_game_file(a.game) and a.versions.get("empirelab") == b.versions.get("empirelab")
        said.append("the code of the game's file" if same else "the version of the engine or of a strategy")
    return said


def play_of(row: PlayerEntry) -> list[object]:
    """Return what determines a strategy's play.

    The code of a judge is left out if the judge was trained for each game: the games differ, so the judges do too.
    """
    own = has_own_judge(row.search)
    return [getattr(row, name) for name in PLAY if not (own and name == "code")]


def setting_text(value: Any) -> str:
    """Format a setting; an empty list is 'none'."""
    return (", ".join(map(str, value)) or "none") if isinstance(value, list) else str(value)


def comparison_sections(comparison: Comparison) -> tuple[Section, ...]:
    """Return two sections: "changes", with a table and a figure for each grouping, and "before and after"."""
    ordered = sorted(comparison.tables.values(), key=lambda table: not is_changed(table, comparison.turned))
    listings = map(compared_listing, ordered)
    drawn = [table for table in ordered if table.frame.height > 1 and table.frame["change"].count()]
    pictures = [compared_picture(table, comparison.title_a, comparison.title_b) for table in drawn]
    reading_words = (
        "change: win rate after minus before, in percentage points, with its 95 % interval. up or down: "
        "confirmed for all rows of all tables at once. "
    )
    if periods := sorted({table.picks for table in comparison.tables.values() if table.picks}):
        reading_words += f"{PICKED.format(period=periods[0])}{AS_IN_THE_REPORT} "
    reading_words += ALONE if only_one_player(comparison.manifest_b) else TOGETHER
    reading_words += f" {OUT.format(margin=margin_words(comparison.margin))}"
    said = changes_said(comparison)
    changes = said_section("changes", "What changed", said, listings, pictures, reading_words)
    return changes, before_and_after(comparison)


def headlines(comparison: Comparison) -> Iterator[str]:
    """Yield sentences on the changes, table by table, then on the comparison itself."""
    return (text for text, _ in changes_said(comparison))


def changes_said(comparison: Comparison) -> Iterator[Said]:
    """Yield the sentences of `headlines` with their claims."""
    if nothing := nothing_to_differ(comparison):
        yield nothing, ()
        return
    if stays := same_values_words(comparison):
        yield f"Nothing was changed, so nothing differs: {stays}.", ()
        return
    tables = [table for table in comparison.tables.values() if table.frame["low"].count()]
    if not tables:
        few = min(comparison.manifest_a.blocks, comparison.manifest_b.blocks) < 2
        luck = "one block of games cannot separate a change from luck; play more"
        why = luck if few else "no table has rows that can change in two blocks"
        yield f"These runs allow no conclusion on changes: {why}.", ()
    by_name = {table.name: table for table in tables}
    yield from opening(comparison.turned, by_name, *comparison.standings, comparison.margin, comparison.family)
    if comparison.turned:
        yield f"Changed: {'; '.join(map(str, comparison.turned))}.", ()
    # Tables with confirmed changes come first, tables of attributes last: attributes only summarise factions.
    for table in sorted(tables, key=lambda table: (not (table.frame["flag"] != "").any(), not has_own_rows(table))):
        if table.frame.height > 1:
            yield headline(table, comparison.family)
    yield from games_won_words(comparison)
    for text in (score_words(comparison), *comparison.knowledge, *design_words(comparison)):
        yield text, ()


def nothing_to_differ(comparison: Comparison) -> str:
    """Say that both runs have the same games; empty if the games differ."""
    if comparison.same != "some games":
        return SAME_WORDS.get(comparison.same, "")
    games = comparison.manifest_b.games
    them = "game that both runs have is the same" if games == 1 else "games that both runs have are the same"
    return (
        f"These runs have one plan: the {count(games)} {them}, so nothing can differ. "
        f"{in_one_only(comparison)} To see what luck alone does, run another seed."
    )


def in_one_only(comparison: Comparison) -> str:
    """Count the games that only one run has: '60 further games of the first run are left out.' Empty if none are."""
    games = comparison.manifest_b.games
    left_out = [(manifest.games - games, name) for manifest, name in zip(comparison.played, ORDINALS, strict=True)]
    said = [f"{counted(number, 'further game')} of the {name} run" for number, name in left_out if number]
    if not said:
        return ""
    return f"{' and '.join(said)} {'is' if sum(number for number, _ in left_out) == 1 else 'are'} left out."


def same_values_words(comparison: Comparison) -> str:
    """Name the requested changes if none of them changes a value; empty if anything differs between the runs."""
    other = what_differs(without_changes(comparison.manifest_a), without_changes(comparison.manifest_b))
    if other or comparison.apart or any(one.before != one.after for one in comparison.turned):
        return ""
    return "; ".join(f"{', '.join(filter(None, [one.row, one.field]))} is {one.before}" for one in comparison.turned)


def headline(table: Compared, family: str) -> Said:
    """Say what changed in a table: 'Rhodos A gains 1.2 ± 0.3 points; no other board moves by more than 0.4.'"""
    rows = [row for row in table.frame.to_dicts() if row["change"] is not None]
    surest = [row for row in rows if row["flag"]]
    others = [row for row in rows if not row["flag"]]
    who = f"no other {table.noun}" if surest else "none"
    rest = reach_words(others, table.noun, who + " changes by more than {} points")
    bound = farthest_limit(others)
    claims = change_claims(table, surest, family)
    claims += [] if bound is None else change_claims(table, others, family, bound)
    if not surest:
        return saying(f"No {table.noun} is shown to change{f'; {rest}' if rest else ''}.", claims)
    parts = []
    for verb, sign in (("gains", 1), ("loses", -1)):
        moved = [row for row in surest if row["change"] * sign > 0]
        if moved:
            first = f"{compared_name(table, moved[0])} {verb} {change_amount(moved[0])} points"
            named = [f"{compared_name(table, row)} {change_amount(row)}" for row in moved[1:NAMED]]
            more = [f"{len(moved) - NAMED} more"] if len(moved) > NAMED else []
            parts.append(", ".join([first, *named, *more]))
    return saying(capital(f"{'; '.join([*parts, rest] if rest else parts)}."), claims)


def change_amount(row: Row) -> str:
    """Format the size of a row's change, without a sign: '1.2 ± 0.3'."""
    digits = change_digits(row)
    return f"{size(abs(row['change']), digits)}{change_spread(row, digits)}"


def amount_words(row: Row) -> str:
    """Format the change of a row: '+1.2 ± 0.3 points'."""
    digits = change_digits(row)
    return f"{points(row['change'], digits)}{change_spread(row, digits)} points"


def change_digits(row: Row) -> int:
    """Return the number of decimals of a change in percentage points: one, or two if one decimal would mislead.

    It would if a confirmed change read '0.5 ± 0.5', as if it might be 0, or if half the interval is below 0.1 points.
    """
    half = change_half_width(row)
    if half is None:
        return 1
    touching = bool(row["flag"]) and round(100 * abs(row["change"]), 1) <= round(100 * half, 1)
    return 2 if half < 0.001 or touching else 1


def games_won_words(comparison: Comparison) -> Iterator[Said]:
    """State how many more solo games the second run won. Yields nothing for other games, or if no deals are shared."""
    if comparison.apart or not only_one_player(comparison.manifest_b):
        return  # runs that share no deals are compared by their edges, which are relative to each run's mean
    rows = comparison.tables["strategy"].frame.drop_nulls(["change", "error"])
    if rows.height:
        # Each game has a single player, so no two rows have a game in common.
        part = rows["games"].to_numpy() / rows["games"].sum()
        change = float(part @ rows["change"].to_numpy())
        reach = float(normal_ppf(of_changes(comparison.rows)))
        half = reach * float(np.sqrt((part**2 * rows["error"].to_numpy() ** 2).sum()))
        verb = "more" if change > 0 else "fewer"
        said = f"In the second run, {size(abs(change), 1)} ± {size(half, 1)} points {verb} of all games are won."
        row = {"level": "all games", "change": change, "family_low": change - half, "family_high": change + half}
        yield saying(said, change_claims(comparison.tables["strategy"], [row], comparison.family))


def score_words(comparison: Comparison) -> str:
    """State the mean score of a seat in each run."""
    table = comparison.tables.get("seat") or comparison.tables["strategy"]
    seats = table.frame.drop_nulls("score_change")
    if not seats.height:
        return "The mean score cannot be compared."
    weights = seats["games"].to_numpy()
    a, b = (float(np.average(seats[name].to_numpy(), weights=weights)) for name in ("score_a", "score_b"))
    return f"The mean score of a seat is {number(a)} in the first run and {number(b)} in the second."


def design_words(comparison: Comparison) -> Iterator[str]:
    """Say how the plans differ, whether the runs share their deals, and how many games shared deals save."""
    a, b = comparison.manifest_a, comparison.manifest_b
    different = what_differs(a, b)
    other = different if not comparison.turned else what_differs(without_changes(a), without_changes(b))
    if other:
        yield f"What {'else ' if comparison.turned else ''}differs between the runs: {'; '.join(other)}."
    elif different:
        pass  # the change itself is stated elsewhere
    elif comparison.apart:
        yield "The runs have one plan and no game in common, so they differ only by luck."
    else:
        yield "The two runs have the same plan and play the same games, so nothing differs."
    if comparison.apart:
        yield (
            f"The runs do not share their deals (different {comparison.apart}), so they are compared as independent "
            "runs, each with its own luck."
        )
        return
    if left_out := in_one_only(comparison):
        yield f"Only rows of both runs are compared: {left_out}"
    games = counted(b.games, "game")
    saving = typical_saving(comparison)
    if saving is None:
        yield f"Both runs play the same {games} on the same deals."
        return
    least, middle, name = saving
    text = f"Both runs play the same {games} on the same deals, which is worth {middle:.1f} times as many games: "
    needed = count(round_up(middle * b.games))
    text += f"runs on different deals would need about {needed} games each for equally narrow intervals"
    yield f"{text} ({least:.1f} times for the {name} that gains least)."


def typical_saving(comparison: Comparison) -> tuple[float, float, str] | None:
    """Return the smallest and the median saving of a table's rows, and the noun for a row.

    A saving is the number of games needed with different deals, divided by the number with shared deals. The table is
    the first one with known savings. None if there is no such table.
    """
    for table in comparison.tables.values():
        savings = table.frame.filter(pl.col("blocks") >= FEW_BLOCKS)["saving"].drop_nulls().to_numpy()
        if table.frame.height > 1 and len(savings):
            return float(savings.min()), float(np.median(savings)), table.noun
    return None


def compared_listing(table: Compared) -> Listing:
    """Return the table of the changes by one grouping."""
    columns = (
        Column("level", table.noun, "text"),
        *([Column("period", table.picks, "count")] if table.picks else []),
        Column("change", "change", "edge", "low", "high", "win rate after minus before, points"),
        Column("flag", "flag", "flag", meaning="up or down if limits for all rows of all tables exclude 0"),
        Column("edge_a", "edge before", "edge", meaning="edge in the first run, points"),
        Column("edge_b", "edge after", "edge", meaning="edge in the second run, points"),
        Column("score_change", "score change", "number", "score_low", "score_high", "change of the mean score"),
        Column("p_family", "by luck", "p", meaning="chance of so large a change by luck in any row of any table"),
        Column("saving", "saved", "number", meaning="how many times the games that different deals would need"),
        Column("games", "games", "count", meaning="seat-games of the second run"),
    )
    shown = [one for one in columns if one.name != "saving" or table.frame["saving"].count()]
    shown = [replace(one, further=one.name not in ALWAYS) for one in shown]
    return Listing(f"change {table.name}", f"Change by {table.noun}", table.frame, tuple(shown))


prints(Compared)(lambda table: render_prompt(compared_listing(table)) or "")
shows(Compared)(lambda table: render_notebook(compared_listing(table)) or "")


def before_and_after(comparison: Comparison) -> Section:
    """Return the section with the spread of every table and the verdict on each run."""
    kinds = {"table": pl.String, "before": pl.Float64, "after": pl.Float64}
    spreads = [(comparison.tables[name].noun, *ends) for name, ends in comparison.spreads.items()]
    change, few = pl.col("after") - pl.col("before"), pl.lit("too few rows or blocks")
    frame = pl.DataFrame(spreads, schema=kinds, orient="row").with_columns(
        change.alias("change"), pl.when(change.is_null()).then(few).otherwise(pl.lit("")).alias("note")
    )
    columns = (
        Column("table", "table", "text"),
        Column("before", "spread before", "size"),
        Column("after", "spread after", "size"),
        Column("change", "change", "edge"),
    )
    parts: list[Said] = []
    before, after = comparison.spreads.get("faction", (None, None))
    if before is not None and after is not None:
        whose = f"Typical distance of {plural(comparison.tables['faction'].noun)} from their fair share, as observed"
        parts.append((f"{whose}: {size(before, 1)} points before, {size(after, 1)} after.", ()))
    titles = (f"First run ({comparison.title_a})", f"Second run ({comparison.title_b})")
    for title, when, found in zip(titles, ("before", "after"), comparison.verdicts, strict=True):
        family = comparison.family
        claims = [replace(claim, subject=f"{claim.subject}, {when}", family=family) for claim in found.claims]
        parts.append(saying(f"{title}: {found.headline}", claims))
    listing = Listing("spread", "Spread before and after", frame, columns)
    explained = "Spread: typical distance of a row from its fair share, in points, corrected for luck."
    return said_section("before and after", "Balance before and after", parts, [listing], reading=explained)


def compared_picture(table: Compared, title_a: str, title_b: str) -> Picture:
    """Return the figure of the changes by one grouping."""
    rows = table.frame.filter(pl.col("flag") != "").to_dicts()
    moved = ", ".join(f"{row['level']} {amount_words(row)}" for row in rows) or "none confirmed"
    text = f"Edge of each {table.noun} before and after. Changed: {moved}."
    return Picture(f"change {table.name}", partial(arrows, table, title_a, title_b), text)


@draws(Compared)
def compared_table_picture(table: Compared, ax: Axes | None = None) -> Axes:
    """Draw the edges of a table before and after the change."""
    return arrows(table, "before", "after", ax)


@styled
def arrows(table: Compared, title_a: str, title_b: str, ax: Axes | None = None) -> Axes:
    """Draw the edge of every level in both runs, joined by a line. The highest edge in the first run is on top.

    An open dot marks the edge in the first run. A filled dot marks the edge in the second run, with the interval of the
    change. Confirmed gains are orange, confirmed losses are blue.
    """
    from matplotlib.lines import Line2D

    frame = table.frame.drop_nulls("change")
    if table.picks:  # confirmed changes before others, and large changes before small ones
        frame = frame.sort(pl.col("flag") == "", pl.col("change").abs(), descending=[False, True]).head(MAX_DRAWN)
    rows = frame.sort("edge_a", descending=True).to_dicts()
    labels = [textwrap.wrap(text, LEGEND) for text in (title_a, f"{title_b}, with ± of the change")]
    beside_each_other = sum(map(len, labels)) == 2 and sum(len(lines[0]) for lines in labels) < LEGEND
    lines = 1 if beside_each_other else sum(map(len, labels))
    ax = styled_axes(ax, NARROW, 1.3 + LEGEND_LINE * lines + 0.30 * len(rows))
    for place, row in enumerate(rows):
        draw_arrow(ax, place, row)
    ax.axvline(0, color=NEUTRAL, lw=1, ls=(0, (4, 3)), zorder=0)
    label_rows(ax, [row["level"] for row in rows])
    ax.margins(x=0.06)
    ax.set_xlabel("edge: win rate minus fair share, percentage points")
    heading_beside(ax, "change, points")
    known = table.frame["change"].count()
    cut = f": the {len(rows)} of {known} that changed most" if len(rows) < known else ""
    ax.set_title(f"Change by {table.noun}{cut}", loc="left", pad=10 + 72 * LEGEND_LINE * lines)
    handles = [
        Line2D([], [], marker="o", ls="", ms=5.5, mfc=fill, mec=INK, label="\n".join(label))
        for fill, label in zip(("white", INK), labels, strict=True)
    ]
    ax.legend(handles=handles, loc="lower left", bbox_to_anchor=(-0.01, 1.0), ncols=1 + beside_each_other,
              frameon=False, fontsize=8.5, borderaxespad=0.2, handletextpad=0.3, labelspacing=0.2)  # fmt: skip
    return ax


def draw_arrow(ax: Axes, place: int, row: Row) -> None:
    """Draw one level: two dots, the line between them, and the change as text at the right."""
    colour = {"up": STRONG, "down": WEAK, "": NEUTRAL}[row["flag"]]
    start = 100 * row["edge_a"]
    end = start + 100 * row["change"]
    if row["family_low"] is not None:
        ends = [start + 100 * row["family_low"], start + 100 * row["family_high"]]
        ax.plot(ends, [place, place], color=colour, lw=5, alpha=0.28, solid_capstyle="butt", zorder=1)
    ax.plot([start, end], [place, place], color=colour, lw=2, zorder=2)
    ax.plot(start, place, "o", ms=6, mec=colour, mew=1.4, mfc="white", zorder=3)
    ax.plot(end, place, "o", ms=6, mec=colour, mew=1.4, mfc=colour, zorder=4)
    value_beside(ax, place, typeset(amount_words(row).removesuffix(" points")), colour)
