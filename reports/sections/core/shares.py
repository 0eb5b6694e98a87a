"""Compute the tables of win rates and the verdict of a run.

Notes below tables of factions say how certain the game data is. A caution says what other sources know about extreme
edges. A section compares the means of all score parts and measures by faction, strategy, number of players and variant.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from pydantic import Field

from reports.data.cells import CellSums, count_cells
from reports.data.filter_sums import CompanySums
from reports.data.games import gather
from reports.data.load import Run, load_so_far
from reports.data.piece_counts import PLACE
from reports.formatting import capital, counted, listed, number, plural, points
from reports.model import Column, Finding, Listing, Report, Section, Table
from reports.sections.core.verdict import final_verdict, verdict
from reports.statistics.compare.filter_stats import Choices, choices_of
from reports.statistics.compare.robustness import with_players_left_out
from reports.statistics.core.balance import MARGIN
from reports.statistics.core.decisions import decided, undecided
from reports.statistics.core.fair_chance import with_fair_chance, without_fair_chance
from reports.statistics.core.groupings import (
    PLAYERS_IN_ORDER,
    START,
    GroupedShares,
    GroupSums,
    attribute_levels,
    bound_groups,
    finest_groups,
    grouped_shares,
)
from reports.statistics.core.win_rate import ALPHA, FIRST_SCREEN_ALPHA, hopeless_players
from reports.statistics.course.endings import GameEnds, count_endings, score_histogram, score_quantiles
from reports.statistics.distributions import normal_ppf, t_ppf
from sim.data.catalog import CONFIGS, Row, read_toml, validate_row
from sim.runs.store.manifest import Manifest
from sim.runs.store.verify import reading


def share_report(run: Run, margin: float = MARGIN) -> Report:
    """Compute the tables of win rates and the verdict of a run, reading its rows in batches.

    `reports.report.build_report` adds everything else.

    Raises UserError: a part is damaged, or the rows are inconsistent (wins that do not add up to the number of games,
    empty cells).
    """
    manifest = run.manifest
    with reading(run.folder):
        gather(run, GroupSums, CellSums, GameEnds)
        cells = count_cells(run)
        tables, omitted = share_tables(run, cells, margin, FIRST_SCREEN_ALPHA)
        histogram = score_histogram(run)
        endings = count_endings(run)
    findings = verdict(list(tables.values()), manifest, cells, margin)
    quantiles = score_quantiles(histogram)
    found = final_verdict(findings, tables, margin)
    return Report(run.folder, manifest, tables, omitted, findings, histogram, quantiles, endings, found)


def share_tables(
    run: Run, cells: pl.DataFrame, margin: float = MARGIN, rate: float = ALPHA
) -> tuple[dict[str, Table], tuple[str, ...]]:
    """Return the win rates of every grouping, in the order of the report, and sentences on omitted tables.

    Parameters
    ----------
    margin
        Edges up to this fraction count as balanced. The decision on each faction, attribute and seat depends on it.
    rate
        The probability that at least one row is wrongly flagged or wrongly decided.
    """
    tables = {}
    groups = {group.name: group for group in grouped_shares(run, rate)}
    strategies = groups["strategy"].frame
    hopeless = hopeless_players(strategies)["level"].to_list()
    bound = {name for group in bound_groups(cells, run.manifest) for name in group}
    for group in groups.values():
        crossed = cells_by_strategy(groups, group.name, run.manifest)
        left_out = with_players_left_out(group.frame, crossed, strategies, hopeless, group.tests)
        frame = without_fair_chance(undecided(left_out))
        shown = [level for level, key in zip(("level", "level2"), group.keys, strict=False) if key == "faction"]
        note = faction_note(group.frame[shown[0]], run.manifest) if shown else ""
        silent = silence(group.name, group.frame, group.noun)
        if len(group.keys) == 1 and group.name != "strategy" and not silent:
            kind = group.name if group.name in ("seat", "start") else "faction"
            frame = decided(frame, margin, run.manifest.games, kind in bound, rate)
            nested = finest_groups(run.manifest, frame["level"].to_list()) if group.name == "faction" else None
            frame = with_fair_chance(frame, margin, run.manifest.games, nested)
        tables[group.name] = Table(group.name, group.noun, frame, silent, group.margins, note, group.tests)
    return tables, tuple(omitted_tables(run.manifest, cells))


def cells_by_strategy(groups: Mapping[str, GroupedShares], name: str, manifest: Manifest) -> pl.DataFrame | None:
    """Return win rates of a table's levels under each strategy (`level`, `strategy`, ...); None if there are none.

    None for seats if tables have several sizes: seats that only large tables have would differ for that reason alone.
    """
    if name == "seat" and isinstance(manifest.players, list):
        return None
    names = {f"strategy x {name}": ("level2", "level"), f"{name} x strategy": ("level", "level2")}
    for crossed, (level, strategy) in names.items():
        if crossed in groups and name != "strategy":
            chosen = [pl.col(level).alias("level"), pl.col(strategy).alias("strategy")]
            return groups[crossed].frame.select(*chosen, pl.exclude("level", "level2"))
    return None


def omitted_tables(manifest: Manifest, cells: pl.DataFrame) -> Iterator[str]:
    """Yield a sentence for each attribute without a table: all factions share its level, or each has its own."""
    title = manifest.faction_title
    for name, levels in attribute_levels(manifest, cells).items():
        if len(set(levels)) == 1:
            yield f"No table by {name}: every {title} in this run has {levels[0]}."
        elif len(set(levels)) == len(levels):
            yield f"No table by {name}: it would repeat the one by {title}."


def silence(name: str, frame: pl.DataFrame, noun: str) -> str:
    """Say why a table cannot support any finding. Empty if it can support one."""
    if frame.height > 1:
        return ""
    only = frame["level"][0]
    by_construction = "so its win rate equals the fair share by construction"
    if name == "strategy":
        return f"Mirror match: {only} plays every seat, {by_construction}. This run says nothing about strategies."
    return f"Every seat plays {only}, {by_construction}. This run cannot compare {plural(noun)}."


MAX_LEVELS = 8
"""A table of means has a column for each level, and is left out if there are more levels than this."""
NAMED = 5
MEAN_OF = "mean of"
"""Title of the first column, which names the quantity of each row: the score, a score part or a measure."""
MIN_MEAN = 0.05
"""Means below this are too small to compare levels."""
READING = (
    "Means per seat, in games of these players. They describe play and say nothing about fairness; if "
    "a row is out of balance, a large difference here shows where to look."
)


def measures_section(tables: Mapping[str, Table], manifest: Manifest) -> Section | None:
    """Return the section on measures. None for a game without measures, or if no table has 2 to `MAX_LEVELS` levels."""
    if not manifest.measures:
        return None
    said, listings = [], []
    for name, noun, frame in level_tables(tables, manifest):
        if 2 <= frame.height <= MAX_LEVELS:
            measures = [measure for measure in manifest.measures if measure != manifest.starting_place]
            rows = side_by_side(frame, [*manifest.score_parts, *measures])
            levels = frame["level"].to_list()
            said += widest_differences(rows, levels, noun)
            columns = (Column(MEAN_OF, MEAN_OF, "text"), *(Column(level, level, "number") for level in levels))
            listings.append(Listing(f"measures {name}", f"What seats did, by {noun}", rows, columns))
    if not listings:
        return None
    return Section("measures", "What seats did", tuple(said), tuple(listings), (), READING)


def level_tables(tables: Mapping[str, Table], manifest: Manifest) -> Iterator[tuple[str, str, pl.DataFrame]]:
    """Yield the name, the noun and the frame of each table with one row per level: `level`, `games` and means."""
    for name in ("faction", "strategy"):
        if name in tables:
            yield name, tables[name].noun, tables[name].frame
    for name, noun in (("players", "number of players"), ("variant", "variant")):
        crossed = next((table for other, table in tables.items() if other in CONDITIONS[name]), None)
        if crossed is not None:
            whole = whole_levels(crossed.frame)
            order = manifest.variants if name == "variant" else []
            place = pl.col("level").replace_strict(order, range(len(order)), default=None, return_dtype=pl.Int64)
            number_of = pl.col("level").str.extract(r"^(\d+)").cast(pl.Int64)
            yield name, noun, whole.sort(place, number_of, nulls_last=True)


CONDITIONS = {name: (f"{name} x strategy", f"{name} x faction") for name in ("players", "variant")}
"""Number of players and variant have no tables of their own. By each: two crossed tables, either of which can be pooled
to the means at each number of players, or each variant."""


def whole_levels(frame: pl.DataFrame) -> pl.DataFrame:
    """Pool the cells of a crossed table by their first level. Returns `level`, `games` and the means over the cells."""
    means = [name for name in frame.columns if name.startswith("mean_") and frame[name].dtype.is_numeric()]
    games = pl.col("games")
    return frame.group_by("level", maintain_order=True).agg(
        games.sum(), *((pl.col(name) * games).sum() / games.sum() for name in means)
    )


def side_by_side(frame: pl.DataFrame, names: list[str]) -> pl.DataFrame:
    """Return a frame with a row for the score, and for each score part and measure that is not 0 everywhere.

    The column `MEAN_OF` names the score, part or measure. Every level has a column with the means at that level.
    """
    means = ["score", *names]
    columns = {row["level"]: [row[f"mean_{name}"] for name in means] for row in frame.to_dicts()}
    rows = pl.DataFrame({MEAN_OF: [name.replace("_", " ") for name in means], **columns})
    return rows.filter(pl.any_horizontal(pl.col(level) != 0 for level in columns))


def widest_differences(rows: pl.DataFrame, levels: list[str], noun: str) -> list[str]:
    """Name the parts and measures in which levels differ most, relative to the mean of the part or measure."""
    values = rows.select(levels).to_numpy().astype(np.float64)
    middle = np.abs(values).mean(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.where(middle >= MIN_MEAN, (values.max(axis=1) - values.min(axis=1)) / middle, 0.0)
    order = [int(place) for place in np.argsort(-spread, kind="stable")[:NAMED] if spread[place] > 0]
    if not order:
        return []
    parts = [
        f"{rows[MEAN_OF][place]} ({levels[int(values[place].argmax())]} {number(float(values[place].max()))}, "
        f"{levels[int(values[place].argmin())]} {number(float(values[place].min()))})"
        for place in order
    ]
    levels_of = plural(noun) if noun != "number of players" else "numbers of players"
    return [f"Largest observed differences between {levels_of}: {', '.join(parts)}."]


CONFIRMED = "confirmed"
SOURCES = {"single-source": "on data from a single source", "stand-in": "on stand-in data instead of printed values"}
"""By certainty of game data: the words for rows with such data."""
SAID = "Game data"
"""First words of the note on certainty."""
MOST_NAMED = 8
"""The note names uncertain factions if there are at most this many."""
EXTREME = 0.2
"""Edges beyond ± this fraction are extreme: a report says what other sources know about them."""


class KnownLevel(Row):
    """Known facts about a faction, or about a level of an attribute.

    Attributes
    ----------
    ahead
        Edge with players who look ahead, in points.
    changed
        What a later printing changed: "3 cards".
    """

    ahead: float | None = None
    changed: str = ""


class Known(Row):
    """Facts about a game's factions from other sources: `configs/known/<game>.toml`.

    Attributes
    ----------
    people
        What is known of games that people played.
    ahead
        The simulated games from which `KnownLevel.ahead` comes.
    reprint, source
        The printing that made the changes in `KnownLevel.changed`, and where that is documented.
    page
        Page of the documentation with more details.
    levels
        Factions, or levels of their attributes, by name.
    """

    people: str = ""
    ahead: str = ""
    reprint: str = ""
    source: str = ""
    page: str = ""
    levels: dict[str, KnownLevel] = Field(default_factory=dict)


def faction_note(levels: Iterable[object], manifest: Manifest) -> str:
    """Say which rows of a table rest on uncertain data: 'Game data: 8 of 32 boards rest on a single source (...).'

    Empty if the rows are not factions, or if all of them are confirmed.
    """
    certainty = {row.name: str(row.certainty) for row in manifest.factions}
    wanted = {level for level in levels if level is not None}
    if not wanted or not certainty.keys() >= wanted:
        return ""
    shown = [name for name in certainty if name in wanted]
    said = []
    for level in dict.fromkeys(certainty.values()):
        names = [name for name in shown if certainty[name] == level]
        if names and level not in ("", CONFIRMED):
            whole = f"{len(names)} of {counted(len(shown), manifest.faction_title)}"
            which = f" ({', '.join(names)})" if len(names) <= MOST_NAMED and len(names) < len(shown) else ""
            verb = "rests" if len(names) == 1 else "rest"
            said.append(f"{whole} {verb} {SOURCES.get(level, f'on data that is {level}')}{which}")
    return f"{SAID}: {'; '.join(said)}." if said else ""


def noted(sections: Iterable[Section], manifest: Manifest) -> tuple[Section, ...]:
    """Return copies of sections in which each table of factions has the note on certainty (`faction_note`)."""

    def with_note(listing: Listing) -> Listing:
        if SAID in listing.note:
            return listing
        texts = [listing.frame[column.name].cast(pl.String) for column in listing.shown if column.kind == "text"]
        said = next(filter(None, (faction_note(text.to_list(), manifest) for text in texts)), "")
        return replace(listing, note=f"{listing.note} {said}".strip()) if said else listing

    return tuple(replace(section, listings=tuple(map(with_note, section.listings))) for section in sections)


def extreme_factions(report: Report) -> list[dict[str, Any]]:
    """Return at most two factions of the verdict with extreme edges: the strongest, then the weakest."""
    rows = [row for row in report.verdict.rows if row["table"] == "faction" and abs(row["edge"]) > EXTREME]
    rows.sort(key=lambda row: -row["edge"])
    return [row for row in rows[:1] if row["edge"] > 0] + [row for row in rows[-1:] if row["edge"] < 0]


def extreme_words(report: Report, laddered: bool) -> tuple[str, Finding] | None:
    """If the headline names factions with extreme edges, say who played and what other sources say about them.

    Parameters
    ----------
    laddered
        Whether the report has the results of a ladder, which tell more about players who look ahead.

    Returns
    -------
    A sentence for the headline, and a caution. None if there are no such edges.
    """
    manifest = report.manifest
    rows = extreme_factions(report)
    if not rows:
        return None
    path = CONFIGS / "known" / f"{manifest.game}.toml"
    known = validate_row(path, read_toml(path), Known, manifest.game) if path.is_file() else Known()
    attributes = {row.name: [row.name, *map(str, row.attributes.values())] for row in manifest.factions}
    names = [name for row in rows for name in attributes[row["name"]] if name in known.levels]
    found = {name: known.levels[name] for name in names}
    why = shlex.join(["empirelab", "explain", str(report.folder), "--faction", rows[0]["name"]])
    rung, skill = rung_words(manifest.game, [row.name for row in manifest.strategies])
    said = " ".join(filter(None, [skill, *known_words(known, found, laddered, manifest.game)]))
    asked = f"Why {rows[0]['name']} wins so {'often' if rows[0]['edge'] > 0 else 'rarely'}: `{why}`."
    caution = Finding("", "caution", f"Edges of more than {100 * EXTREME:g} points: {said}", (asked,))
    return f"{rung}{look_ahead_words(found, laddered)}.", caution


def rung_words(game: str, names: list[str]) -> tuple[str, str]:
    """Return two texts: who played, and the rungs of the game's ladder (its list of players by strength).

    If all seats had the same player, and it is on the ladder, the first text gives its rung. Otherwise the first text
    only names the players, and the second text is empty.
    """
    path = CONFIGS / "ladder" / f"{game}.toml"
    rungs: list[str] = read_toml(path)["rungs"] if path.is_file() else []
    if len(names) == 1 and names[0] in rungs:
        skill = f"from weakest to strongest, the players are {listed(rungs)}."
        return f"{names[0]} is rung {rungs.index(names[0]) + 1} of {len(rungs)} on the ladder of skill", skill
    return f"The players are {listed(names)}", ""


def look_ahead_words(found: dict[str, KnownLevel], laddered: bool) -> str:
    """Give the edges with players who look ahead, or refer to the section on the ladder. Empty if none are known."""
    ahead = [f"{name} {points(level.ahead / 100, 0)}" for name, level in found.items() if level.ahead is not None]
    if laddered:
        return "; with look-ahead: see 'By skill'"
    return f"; with look-ahead, edges are {listed(ahead)} points" if ahead else ""


def known_words(known: Known, found: dict[str, KnownLevel], laddered: bool, game: str) -> Iterator[str]:
    """Yield what is known from players who look ahead, from games of people, and from later printings."""
    if not laddered and look_ahead_words(found, laddered):
        yield f"Look-ahead: {known.ahead}."
    elif not laddered:
        yield f"With look-ahead: not known; `empirelab ladder {game}` measures it."
    if known.people:
        yield f"People: {known.people}."
    changed = [f"for {name} {level.changed}" for name, level in found.items() if level.changed]
    if changed:
        yield f"{capital(known.reprint)} changed: {'; '.join(changed)} ({known.source})."
    if known.page:
        yield f"More: docs/{known.page}.md."


TABLED = 100
"""Quantiles of Student's t are tabulated up to this many degrees of freedom. Above, the page's script uses a series."""
DIGITS = 10
"""Sums of wins are rounded to this many decimals, so that three thirds make one win."""


def filter_data(run: Run | Path) -> dict[str, Any] | None:
    """Return the data with which a page filters games, for a run or a run's folder. None if there is no such data.

    The run in the folder need not be finished.
    """
    choices = choices_of(load_so_far(run) if isinstance(run, Path) else run)
    return None if choices is None else asked_data(choices)


def asked_data(choices: Choices) -> dict[str, Any]:
    """Return the filter data as the JSON object that the page's script reads."""
    levels = {name: [level(name, value) for value in own] for name, own in choices.levels.items()}
    return {
        "levels": levels,
        "titles": {name: capital(title) for name, title in choices.titles.items()},
        "tables": [
            table_data(sums, choices.every_company) | {"note": choices.notes.get(sums.question.rows, "")}
            for sums in choices.sums
        ],
        "quantiles": {
            "t": [round(float(t_ppf(1 - ALPHA / 2, freedom)), 12) for freedom in range(1, TABLED + 1)],
            "z": float(normal_ppf(1 - ALPHA / 2)),
        },
        "everyCompany": choices.every_company,
        "leftOut": choices.left_out,
        "plain": None,
    }


def level(column: str, value: Any) -> dict[str, Any]:
    """Return a value by which a page filters a column, and the name under which the page shows the value."""
    if column == START:
        return {"name": PLAYERS_IN_ORDER[value - 1], "value": value}
    written = {"seat": f"seat {value}", "players": f"{value} players"}
    name = f"place {value}" if column.startswith(PLACE) else written.get(column, str(value))
    return {"name": name, "value": value}


def table_data(sums: CompanySums, every_company: bool) -> dict[str, Any]:
    """Return the sums of a table as a JSON object for the page's script.

    In each of `CompanySums.groups`, the entries of `wins` and of `products` become flat lists. `blocks` becomes a list
    of numbers of blocks, in the order of `companies` (multisets of the strategies in a block). `every_company` tells
    whether the page lets readers choose any set of strategies.
    """
    groups = []
    for group in sums.groups:
        blocks = [0] * (1 + max(place for place, _ in group["blocks"]))
        for place, many in group["blocks"]:
            blocks[place] = many
        flat = {name: [rounded_sum(value) for entry in group[name] for value in entry] for name in ("wins", "products")}
        groups.append({"keys": group["keys"], "blocks": blocks, **flat})
    own = every_company and sums.question.rows != "strategy"
    asked = {"rows": sums.question.rows, "others": list(sums.question.others), "everyCompany": own}
    return {**asked, "companies": sums.companies, "groups": groups}


def rounded_sum(value: float) -> float:
    """Round a sum to `DIGITS` decimals. Return an int if the result is whole."""
    rounded = round(value, DIGITS)
    return int(rounded) if float(rounded).is_integer() else rounded
