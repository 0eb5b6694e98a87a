"""Section on robustness: do findings hold, flip or depend on the strategy, number of players, variant or run?

Also says which findings hold for every plausible value of an open point of the rules, and compares pairs of factions
that differ in one attribute only, such as the two sides of a board.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from pydantic import Field

from reports.claims import Claim, Said, claiming, claims_on
from reports.data.cells import count_cells
from reports.data.load import Run, check_same_table
from reports.drawing import (
    COLOURS,
    FAINT,
    INK,
    NEUTRAL,
    STYLE,
    WIDTH,
    Axes,
    draw_cells,
    edge_texts,
    figure_of,
    label_cells,
    signed,
    styled,
    styled_axes,
)
from reports.formatting import (
    ROWS,
    capital,
    counted,
    lessons_words,
    listed,
    margin_words,
    percent,
    plural,
    points,
    some,
)
from reports.model import Column, Finding, Listing, Picture, Section, Table, limited, said_section
from reports.sections.core.shares import faction_note, share_tables
from reports.sections.core.summary import left_out_listing, with_limits
from reports.statistics.compare.robustness import (
    CANNOT_TELL,
    Robustness,
    between_runs,
    check_same_game,
    compare_pairs,
    compared_kinds,
    find_pairs,
    within_run,
)
from reports.statistics.core.balance import MARGIN
from reports.statistics.core.win_rate import ALPHA
from sim.data.catalog import validate_row
from sim.data.declarations import Entry
from sim.data.json_input import read_limited_text, read_object
from sim.errors import UserError
from sim.runs.store.manifest import DIGEST_PATTERN, Games, Manifest, Players

NAMED = 4
LINE, LONGEST = 78, 32
"""Maximum number of letters in a line of a legend, and in the name of a condition above a column.

Longer names go into the legend.
"""
VERDICT_LETTER = 5.2
"""Width of a letter of a verdict, in typographic points."""
DOTS = 4
"""Maximum number of conditions in a figure of dots with intervals. More conditions are drawn as a heat map."""
SIGNS = {"strong": 1, "weak": -1}
COUNTS = {
    "strong": ("strong", "conditions under which it is too strong"),
    "weak": ("weak", "conditions under which it is too weak"),
    "fair": ("fair", "conditions under which it is confirmed as balanced"),
    "unknown": ("undecided", "conditions under which it has too few games to decide"),
    "untold": ("cannot tell", "conditions whose win rate is too low or too high to judge"),
}
"""Columns that count conditions: the title and the meaning of each."""
P_MEANING = "chance of edges so different if all conditions were alike, corrected for all rows"
COLUMNS = (
    Column("level", "row", "text"),
    Column("verdict", "verdict", "text", meaning="verdict over all conditions"),
    Column("mean", "in common", "edge", meaning="edge by the odds ratio common to all conditions"),
    Column("lowest", "lowest", "edge", meaning="edge under its least favourable condition"),
    Column("lowest_under", "under", "text", meaning="its least favourable condition"),
    Column("highest", "highest", "edge", meaning="edge under its most favourable condition"),
    Column("highest_under", "under", "text", meaning="its most favourable condition"),
    *(Column(name, title, "count", meaning=meaning, further=True) for name, (title, meaning) in COUNTS.items()),
    Column("p", "p", "p", meaning=P_MEANING, further=True),
    Column("note", "note", "text"),
)
DETAILS = (
    Column("level", "row", "text"),
    Column("condition", "condition", "text"),
    Column("verdict", "verdict", "text"),
    limited("edge", "edge", "edge", "edge that these odds would have at the fair share, points"),
    Column("win_rate", "wins", "share"),
    Column(
        "mean_share", "against", "share", meaning="mean win rate of that strategy or temperature, else the fair share"
    ),
    Column("p", "p", "p"),
    Column("games", "games", "count"),
    Column("note", "note", "text"),
)


READING = (
    "Under each strategy, a row is measured against the mean of that strategy, so a strong player does "
    "not count as a strong position. The two are compared by odds (wins to losses), shown as the edge "
    "that a row with these odds would have at its fair share; so edges are comparable for players who "
    "win often and players who win rarely. If doubling or halving the odds would change a win rate by "
    "less than the margin, the condition is not judged. Strong and weak hold for all rows and "
    "conditions at once; fair means that the whole interval lies within the margin. A row flips if it "
    "is strong under one condition and weak under another, and depends if it is out of balance under "
    "some and fair under others."
)


def robustness_section(
    run: Run,
    others: Sequence[Run] = (),
    tables: Mapping[str, Table] | None = None,
    margin: float = MARGIN,
    rate: float = ALPHA,
) -> Section:
    """Say which findings on factions and seats hold under every condition, and which flip.

    Conditions are the strategies, temperatures, numbers of players and variants of the run, as far as they vary. If
    there are `others`, every run is a condition too.

    Raises
    ------
    UserError
        One of `others` is of another game or variant, or has other factions.
    """
    check_same_game(run, others)
    if tables is None:
        tables = share_tables(run, count_cells(run))[0]
    all_tables = [tables, *(share_tables(other, count_cells(other))[0] for other in others)] if others else []
    runs = len(compared_kinds(all_tables)) if others else 0
    compared = list(within_run(tables, run.manifest, margin, runs, rate))
    if others:
        manifests = [run.manifest, *(other.manifest for other in others)]
        compared += between_runs(all_tables, manifests, margin, len(compared), rate)
    title = "Robustness across conditions"
    if not compared:
        only = "This run has one strategy, one temperature and one number of players"
        return Section("robustness", title, (f"{only}, so there are no conditions to compare.",))
    cells = sum(comparison.edges["edge"].count() for comparison in compared)
    parts = (said for comparison in compared for said in condition_sentences(comparison, f"{cells} cells"))
    listings = [listing for comparison in compared for listing in condition_listings(comparison)]
    listings += [listing for table in tables.values() if (listing := left_out_listing(table)) is not None]
    return said_section("robustness", title, parts, listings, map(condition_picture, compared), READING)


def claims_under(
    cells: pl.DataFrame, margin: float, said: str, family: str, called: Callable[[Any], str]
) -> tuple[Claim, ...]:
    """Return a claim for each of `cells`, which are rows of a table, each under one condition.

    If the verdict is "fair", the claim is that the edge lies within the margin, else that it lies in its limits.
    `called` returns the name of a cell.
    """
    near = pl.when(pl.col("verdict") == "fair")
    limits = (near.then(-margin).otherwise("edge_low").alias("edge_low"),
              near.then(margin).otherwise("edge_high").alias("edge_high"))  # fmt: skip
    rows = cells.with_columns(limits).to_dicts()
    return claims_on("under a condition", rows, said, family, ("edge", "edge_low", "edge_high"), called)


def claimed_under(
    comparison: Robustness, family: str, said: str, levels: Sequence[str], words: Sequence[str] = tuple(SIGNS)
) -> Said:
    """Return a sentence with claims on the verdicts of the rows `levels` under each condition.

    Only the verdicts in `words` are claimed.
    """
    cells = comparison.edges.filter(pl.col("level").is_in(levels) & pl.col("verdict").is_in(words))
    called = "{level} under {condition}"
    return said, claims_under(cells, comparison.margin, said, family, lambda row: called.format(**row))


def condition_sentences(comparison: Robustness, family: str) -> Iterator[Said]:
    """Say which verdicts flip, hold or depend on the condition, and under which conditions nothing can be judged."""
    rows, by, margin = comparison.rows, comparison.by, margin_words(comparison.margin)
    claimed = partial(claimed_under, comparison, family)

    def levels_that(verdict: str) -> list[str]:
        return rows.filter(pl.col("verdict") == verdict)["level"].to_list()

    swing = pl.col("highest") - pl.col("lowest")
    flips = rows.filter(pl.col("verdict") == "flips").sort(swing, descending=True)["level"].to_list()
    for level in flips[:NAMED]:
        part = comparison.edges.filter(pl.col("level") == level, pl.col("edge").is_not_null()).sort("edge")
        ends = [(part.row(-1, named=True), "strong"), (part.row(0, named=True), "weak")]
        said = ", ".join(f"{word} for {row['condition']} ({edge_text(row)})" for row, word in ends)
        yield claimed(f"{level} flips: {said} points.", [level])
    if len(flips) > NAMED:
        more = counted(len(flips) - NAMED, comparison.noun)
        yield claimed(f"{more} more {'flips' if len(flips) == NAMED + 1 else 'flip'} by {by}.", flips[NAMED:])
    under = all_conditions(comparison)
    for verdict in SIGNS:
        if levels := levels_that(verdict):
            yield claimed(f"{listed(levels)} {'is' if len(levels) == 1 else 'are'} too {verdict} {under}.", levels)
    if depends := levels_that("depends"):
        verb = "depends" if len(depends) == 1 else "depend"
        split = f"out of balance under some, balanced (±{margin}) under others"
        yield claimed(f"{listed(depends)} {verb} on the {by}: {split}.", depends, [*SIGNS, "fair"])
    for verdict in SIGNS:
        if levels := levels_that(f"{verdict} under some"):
            verb = "is" if len(levels) == 1 else "are"
            some_only = f"under some {plural_of(by)}, undecided under the others"
            yield claimed(f"{some(levels)} {verb} too {verdict} {some_only}.", levels)
    yield from ((said, ()) for said in silent_words(comparison))
    fair = levels_that("fair")
    left = rows.filter(pl.col("verdict").str.contains("undecided|under some")).height
    counts = [f"{len(fair)} of {counted(rows.height, comparison.noun)} confirmed balanced (±{margin}) {under}"]
    counts += [f"{left} undecided under some of them"] if left else []
    yield claimed(f"{capital(comparison.noun)} by {by}: {', '.join(counts)}.", fair, ["fair"])


def silent_conditions(comparison: Robustness) -> pl.DataFrame:
    """Return the conditions under which rows cannot be judged: `condition`, and the mean of `mean_share` over them."""
    silent = comparison.edges.filter(pl.col("verdict") == CANNOT_TELL)
    return silent.group_by("condition", maintain_order=True).agg(pl.col("mean_share").mean())


def all_conditions(comparison: Robustness) -> str:
    """Name all conditions: 'under both strategies', 'under all 6 strategies that can be judged'."""
    silent = silent_conditions(comparison).height
    telling = comparison.edges["condition"].n_unique() - silent
    which = " that can be judged" if silent else ""
    if telling == 1:
        return f"under the one {comparison.by}{which}"
    many = "both" if telling == 2 else f"all {telling}" if telling else "all"
    return f"under {many} {plural_of(comparison.by)}{which}"


def silent_words(comparison: Robustness) -> Iterator[str]:
    """Say under which conditions nothing can be judged, and why."""
    silent = silent_conditions(comparison)
    if silent.height:
        named = [f"{row['condition']} (wins {percent(row['mean_share'])})" for row in silent.to_dicts()]
        rate, them = ("this win rate", "it does") if len(named) == 1 else ("these win rates", "they do")
        yield (
            f"{capital(listed(named))} cannot be judged: at {rate}, even doubling or halving the odds would change "
            f"the win rate by less than {margin_words(comparison.margin)}, so {them} not count here."
        )


def plural_of(by: str) -> str:
    """Return the plural of what varies between conditions: 'numbers of players', 'strategies'."""
    return by.replace("number ", "numbers ", 1) if by.startswith("number ") else plural(by)


def edge_text(row: dict[str, Any]) -> str:
    """Format an edge with half its interval: '+2.1 ± 0.8'."""
    half = "" if row["edge_low"] is None else f" ± {50 * (row['edge_high'] - row['edge_low']):.1f}"
    return f"{points(row['edge'])}{half}"


def condition_listings(comparison: Robustness) -> Iterator[Listing]:
    """Yield two tables: one with a line per row, and one with a line per row and condition."""
    title = f"{capital(comparison.noun)} by {comparison.by}"
    yield Listing(f"robustness {comparison.name}", f"{title}: what holds", comparison.rows, COLUMNS)
    yield Listing(f"edges {comparison.name}", f"{title}: all edges", comparison.edges, DETAILS, folded=True)


def condition_picture(comparison: Robustness) -> Picture:
    """Return a figure of dots if there are few conditions, or a heat map if there are many."""
    few = comparison.edges["condition"].n_unique() <= DOTS
    draw: Callable[..., Axes] = dots if few else colours
    flips = comparison.rows.filter(pl.col("verdict") == "flips").height
    said = f"{capital(comparison.noun)} edges under each {comparison.by}; {counted(flips, comparison.noun)} flip."
    return Picture(f"robustness {comparison.name}", partial(draw, comparison), said)


@styled
def colours(comparison: Robustness, ax: Axes | None = None) -> Axes:
    """Draw edges as a heat map: rows of the table down, conditions across. Confirmed edges are bold."""
    rows = comparison.rows["level"].to_list()
    columns = comparison.edges["condition"].unique(maintain_order=True).to_list()
    grid = comparison.edges.rename({"level": ROWS}).pivot(on="condition", index=ROWS, values="edge")
    place = {level: i for i, level in enumerate(grid[ROWS].to_list())}
    # Edges are missing where a condition has too little data.
    edges = 100 * grid.select(columns).to_numpy().astype(np.float64)[[place[level] for level in rows]]
    sure = comparison.edges.filter(pl.col("verdict").is_in(list(SIGNS)))
    bold = set(sure.select("level", "condition").rows())
    wide = max(2.9 + 0.66 * len(columns), WIDTH)
    below = 0.17 * len(columns) * (max(map(len, columns)) > LONGEST)
    title = f"Edge of each {comparison.noun} by {comparison.by}, points"
    ax = styled_axes(ax, wide, 1.7 + 0.32 * len(rows) + below, title)
    widest = max(float(np.nan_to_num(np.abs(edges)).max()), 1e-9)
    marked = np.array([[(row, column) in bold for column in columns] for row in rows])
    draw_cells(ax, edges, edge_texts(edges), marked, widest)
    heads = [f"{comparison.by} {number}" for number in range(1, len(columns) + 1)]
    if max(map(len, columns)) <= LONGEST:
        heads = columns
    else:
        plain = [name.removeprefix(head).strip() for head, name in zip(heads, columns, strict=True)]
        key = [textwrap.fill(f"{head}: {name}", LINE) for head, name in zip(heads, plain, strict=True)]
        ax.set_xlabel("\n".join(key), fontsize=8.5, loc="right", multialignment="left")
    label_cells(ax, heads, rows)
    beside_verdicts(ax, comparison.rows)
    return ax


@styled
def dots(comparison: Robustness, ax: Axes | None = None) -> Axes:
    """Draw edges with intervals: for every row one dot per condition. The band is the margin."""
    rows = comparison.rows["level"].to_list()
    conditions = comparison.edges["condition"].unique(maintain_order=True).to_list()
    marks = dict(zip(conditions, "osD^", strict=False))
    # Stack long names of conditions: side by side they would leave no room for the figure.
    names = [textwrap.fill(name, LINE) for name in conditions]
    across = len(names) if sum(map(len, names)) + 4 * len(names) <= LINE else 1
    lines = 1 if across > 1 else sum(name.count("\n") + 1 for name in names)
    title = f"Edge of each {comparison.noun} by {comparison.by}, points"
    own = ax is None
    step = 0.66 / max(len(conditions), 1)
    height = 1.4 + 0.16 * lines + (0.14 + 0.13 * len(conditions)) * len(rows)
    ax = styled_axes(ax, WIDTH, height)
    ax.axvspan(-100 * comparison.margin, 100 * comparison.margin, color=FAINT, alpha=0.55, lw=0)
    ax.axvline(0, color=INK, lw=1, ls=(0, (4, 3)))
    for row in comparison.edges.filter(pl.col("edge").is_not_null()).to_dicts():
        place = rows.index(row["level"]) + step * (conditions.index(row["condition"]) - (len(conditions) - 1) / 2)
        colour = COLOURS.get(row["verdict"], NEUTRAL)
        if row["edge_low"] is not None:
            ax.plot([100 * row["edge_low"], 100 * row["edge_high"]], [place] * 2, color=colour, lw=1.5)
        filled = colour if row["verdict"] in SIGNS else "white"
        ax.plot(100 * row["edge"], place, marks[row["condition"]], ms=5, mec=colour, mew=1.2, color=filled)
    for condition, name in zip(conditions, names, strict=True):
        ax.plot([], [], marks[condition], ms=5, color=NEUTRAL, label=name)
    key: Any = {"ncols": across, "frameon": False, "fontsize": 8.5, "handletextpad": 0.2, "columnspacing": 1.2}
    if own:
        # Use the figure's title as the heading of the legend: a separate title would overlap the legend.
        bold = {"weight": "bold", "size": STYLE["figure.titlesize"]}
        figure_of(ax).legend(title=title, title_fontproperties=bold, alignment="left", loc="outside upper left",
                             borderpad=0, borderaxespad=0.3, **key)  # fmt: skip
    else:
        ax.legend(loc="lower left", bbox_to_anchor=(0, 1), **key)
    ax.set_yticks(range(len(rows)), rows)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.grid(axis="x", color=FAINT, lw=0.8)
    said = f"edge in points; band: margin of {margin_words(comparison.margin)}\nbar: interval for all dots at once"
    ax.set_xlabel(said, fontsize=9, color=NEUTRAL)
    ax.xaxis.set_major_formatter(signed)
    beside_verdicts(ax, comparison.rows)
    return ax


def beside_verdicts(ax: Axes, rows: pl.DataFrame) -> None:
    """Write each row's verdict between its name and its edges."""
    longest = max(map(len, rows["verdict"].to_list()))
    ax.tick_params(axis="y", pad=12 + VERDICT_LETTER * longest)
    for place, row in enumerate(rows.to_dicts()):
        colour = COLOURS.get(row["verdict"].split()[0], INK if row["verdict"] == "flips" else NEUTRAL)
        weight = "bold" if row["verdict"] == "flips" else "normal"
        ax.annotate(row["verdict"], (0, place), xytext=(-VERDICT_LETTER * longest - 4, 0), va="center",
                    xycoords=ax.get_yaxis_transform(), textcoords="offset points", fontsize=9, color=colour,
                    fontweight=weight)  # fmt: skip


FORMAT = "empirelab-sensitivity/1"
SHARED = (
    "All alternatives were played on the same deals and share their luck, so agreement between them is "
    "not additional evidence."
)


class Tried(Entry):
    """The content of the file that the command `sensitivity` writes for reports on the same games.

    Attributes
    ----------
    game, players, variant, games, settings, tables
        Fields of `run.json` of the games as played.
    strategies, factions
        Names of the strategies that met, and of the factions that could be dealt.
    changes
        Changes with which all of the games were played. They also show whether players did without learned bonuses.
    alternatives
        The number of alternative readings of rules, and values of game data, that were judged.
    unchanged
        Names of the alternatives that changed nothing in these games. `alternatives` does not count them.
    survives
        By table ("faction", "seat") and level: what becomes of the verdict under the alternatives. Only levels that are
        out of balance as played are listed.
    limits
        By table and the same levels: the edge as played, with limits that hold for all rows and alternatives.
    """

    format: str
    game: str
    players: Players | list[Players]
    variant: str
    strategies: list[str]
    factions: list[str]
    settings: dict[str, bool | int | float | str]
    tables: str = Field(pattern=DIGEST_PATTERN)
    games: Games
    changes: list[str] = Field(default=[])
    alternatives: int = Field(ge=1)
    unchanged: list[str]
    survives: dict[str, dict[str, str]]
    limits: dict[str, dict[str, tuple[float, float, float]]] = Field(default={})


def read_sensitivity(path: Path, manifest: Manifest) -> Tried:
    """Read the file of a sensitivity study for the report of a run.

    Raises UserError: the file cannot be read, or it does not come from a sensitivity study. Or the study and the run
    differ in the game, the variant, the number of players, the strategies, the factions, the settings or the data.
    """
    content = read_object(path, read_limited_text(path), None)
    if content.get("format") != FORMAT:
        message, found = "this file was not written by `empirelab sensitivity`", content.get("format", "none")
        raise UserError(message, file=path, field="format", found=found, allowed=FORMAT)
    tried = validate_row(path, content, Tried, None)
    # These are the names that `what_was_played` uses.
    facts = {
        "game": tried.game,
        "variant": tried.variant,
        "players": tried.players,
        "strategies": sorted(tried.strategies),
        "factions": sorted(tried.factions),
        **{f"settings.{name}": value for name, value in tried.settings.items()},
        "tables": tried.tables,
    }
    check_same_table(path, facts, manifest)
    return tried


def sensitivity_finding(tried: Tried, rows: Sequence[Mapping[str, Any]]) -> Finding:
    """Say in a report's verdict whether its rows (`model.Verdict.rows`) hold under all alternatives."""
    games = counted(tried.games, "game")
    noun = "value" if tried.alternatives == 1 else "values"
    what = f"{tried.alternatives} plausible {noun} for what no source settles, {games} each"
    if not rows:
        return Finding("", "caution", f"The headline names no imbalance. Alternatives tried: {what}.")
    said = [f"{row['name']}: {fate_tried(tried, row['table'], str(row['name']))}" for row in rows]
    told = any(tried.survives.get(row["table"], {}).get(str(row["name"])) for row in rows)
    said += [*([SHARED] if told else []), *lessons_words(tried.changes)]
    whole = f"Uncertain rules and data were varied: {what}. {' '.join(said)}"
    known = [(str(row["name"]), tried.limits.get(row["table"], {}).get(str(row["name"]))) for row in rows]
    family, kind = f"all rows and {tried.alternatives} alternatives", "under a condition"
    claims = [Claim(kind, f"{name} as played", *limits, family, whole) for name, limits in known if limits]
    return Finding("", "caution", whole, claims=tuple(claims))


def fate_tried(tried: Tried, table: str, level: str) -> str:
    """Say whether the verdict on a row holds under all alternatives, or that the row was not judged."""
    games = counted(tried.games, "game")
    if table not in tried.survives:
        return f"not judged in that run of {games}."
    if limits := tried.limits.get(table, {}).get(level):
        return f"{with_limits(*limits, '+')} in that run; {tried.survives[table][level]}"
    return tried.survives[table].get(level, f"no imbalance found in that run of {games}.")


MOST_PAIRS = 5


SIDES_READING = (
    "Each row compares two factions that differ in one respect only. They never meet at a table, so each is "
    "compared with the others at its own tables. The difference of their edges has an interval by block. 'which "
    "wins more' is corrected for all pairs. It does not judge the pair itself: both may be strong."
)


def sides_section(tables: Mapping[str, Table], manifest: Manifest, rate: float = ALPHA) -> Section | None:
    """Compare the two factions of each pair, such as side A with side B of every nation. None if there are no pairs.

    The manifest names two attributes: factions of a pair differ in `paired_attribute` and agree in `exclusive`.
    """
    paired, alike = manifest.paired_attribute, manifest.exclusive
    if not paired or not alike or "faction" not in tables:
        return None
    rows = find_pairs(tables["faction"].frame, manifest.factions, paired, alike)
    if not rows:
        return None
    frame = compare_pairs(pl.DataFrame(rows, infer_schema_length=None), rate)
    title = f"Pairs of one {alike}"
    columns = (
        Column("pair", alike, "text"),
        Column("flag", "which wins more", "flag", meaning="corrected for all pairs; empty if not confirmed"),
        Column("first", "first", "text"),
        Column("second", "second", "text"),
        limited(
            "difference", "first minus second", "edge", "difference of their edges, each at its own tables, points"
        ),
        Column("first_share", "wins of first", "share", further=True),
        Column("second_share", "wins of second", "share", further=True),
        Column("score_difference", "score", "number", meaning="difference of the mean scores"),
        Column("p", "p", "p", meaning="corrected for the number of pairs (Holm)", further=True),
        Column("games", "games", "count", meaning="seat-games of both", further=True),
    )
    note = faction_note([*frame["first_faction"], *frame["second_faction"]], manifest)
    listing = Listing("sides", f"Win rate within each {alike}, by {paired}", frame, columns, note=note)
    return said_section("sides", title, side_sentences(frame, paired, alike), [listing], reading=SIDES_READING)


def side_sentences(frame: pl.DataFrame, paired: str, alike: str) -> list[Said]:
    """Name the pairs in which one faction certainly wins more than the other, the largest difference first."""
    sure = frame.filter(pl.col("flag") != "").sort(pl.col("difference").abs(), descending=True).to_dicts()
    if not sure:
        return [(f"No {alike} is shown to have a {paired} that wins more than the other.", ())]
    family = counted(frame.height, "pair")

    def claimed(rows: list[dict[str, Any]], sentence: str) -> Said:
        called = "{pair}: {first} minus {second}"
        return claiming(sentence, "pair", rows, family, "difference", called=lambda row: called.format(**row))

    sure = [row if row["difference"] > 0 else swapped(row) for row in sure]
    said = [claimed(sure, f"In {len(sure)} of {family} of one {alike}, one {paired} wins more than the other.")]
    for row in sure[:MOST_PAIRS]:
        apart = with_limits(row["difference"], row["family_low"], row["family_high"], "+")
        pair = f"{row['pair']}: {paired} {row['first']} wins more than {row['second']}"
        said.append(claimed([row], f"{pair}, {apart}."))
    if len(sure) > MOST_PAIRS:
        said.append((f"{capital(counted(len(sure) - MOST_PAIRS, 'more pair'))} in the table.", ()))
    values = list(dict.fromkeys([*frame["first"], *frame["second"]]))
    if len(values) == 2 and (frame["first"] == frame["first"][0]).all():
        ahead = frame.filter(pl.col("difference") > 0).height
        said.append((f"{capital(paired)} {values[0]} has the higher observed win rate in {ahead} of {family}.", ()))
    return said


def swapped(row: dict[str, Any]) -> dict[str, Any]:
    """Return the row of a pair with its two factions swapped."""
    ends = {"difference": -row["difference"], "family_low": -row["family_high"], "family_high": -row["family_low"]}
    return row | ends | {"first": row["second"], "second": row["first"]}
