"""From a run to a report: which wonder, nation, seat or strategy wins more or less than its fair share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import lcm
from pathlib import Path
from typing import Any

import polars as pl

from reports.data.load import Run, level_names
from reports.data.moments import moments_of
from reports.sections.certainty import faction_note
from reports.sections.verdict import Finding, verdict
from reports.shapes import Section
from reports.statistics.winshare import win_shares
from reports.words import capital, counted, plural
from sim.errors import UserError

__all__ = ["Finding", "Report", "Table", "share_report", "verdict"]

TEMPERATURE = "strategy temperature"
"""The column of a strategy's temperature, kept apart from a score part of the same name."""
QUANTILES = (0.05, 0.25, 0.50, 0.75, 0.95)


@dataclass(frozen=True)
class Table:
    """Win shares of all levels of one grouping.

    Attributes
    ----------
    name
        Name in the CSV file: "faction", an attribute, "seat", "strategy", "strategy x faction", ...
    noun
        What one row is called in a sentence: "wonder side".
    frame
        `level`, `level2` (null but for crossed tables), the columns of `winshare.win_shares`, and
        `mean_<part>` for each score part and measure; best edge first.
    silence
        Why this table can hold no finding (a mirror match, one faction only); empty where it can.
    margins
        For a crossed table the same of either column alone: `level` and the columns of `winshare.win_shares`.
    note
        How sure the data of its rows is, where they are factions and some of them are not confirmed.
    """

    name: str
    noun: str
    frame: pl.DataFrame
    silence: str = ""
    margins: tuple[pl.DataFrame, ...] = ()
    note: str = ""

    @property
    def title(self) -> str:
        """The noun with a capital, as a heading."""
        return capital(self.noun)

    @property
    def crossed(self) -> bool:
        """Whether a row is a pair of levels."""
        return " x " in self.name

    def __repr__(self) -> str:
        """Show itself at a prompt."""
        return f"<Table {self.name!r}: {self.frame.height} rows>"

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        from reports.show.page import table_card  # noqa: PLC0415 - pages build on tables

        return table_card(self)


@dataclass(frozen=True)
class Report:
    """All that page, console and CSV show of one run.

    Attributes
    ----------
    folder, manifest
        Where the run lies and its `run.json`.
    tables
        By name, in the order in which they are shown.
    omitted
        Sentences on tables that would say nothing or the same again.
    findings
        The verdict, most important first.
    histogram
        `strategy`, `score`, `games`: how often each score was reached.
    quantiles
        `strategy` ("all" for the whole run), `games`, `mean`, `q05`, `q25`, `q50`, `q75`, `q95`.
    endings
        `end_reason`, `games`, `mean_rounds`.
    sections
        Further statistics, in the order in which they are shown.
    """

    folder: Path
    manifest: dict[str, Any]
    tables: dict[str, Table]
    omitted: tuple[str, ...]
    findings: tuple[Finding, ...]
    histogram: pl.DataFrame
    quantiles: pl.DataFrame
    endings: pl.DataFrame
    sections: tuple[Section, ...] = ()

    def section(self, name: str) -> Section:
        """Return the section of that name: `report.section("matchups")`.

        Raises
        ------
        UserError
            There is none; the message names those there are.
        """
        found = {section.name: section for section in self.sections}
        if name not in found:
            raise UserError("the report has no such section", found=name, allowed=list(found))
        return found[name]

    def __repr__(self) -> str:
        """Show itself at a prompt."""
        return "\n".join(finding.headline for finding in self.findings)

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        from reports.show.page import report_card  # noqa: PLC0415 - pages build on reports

        return report_card(self)


def share_report(run: Run) -> Report:
    """Compute the tables of win shares and the verdict of a run; `reports.report.build_report` adds everything else.

    The rows are read stretch by stretch and never held as a whole: 10^6 games of four take seconds and under 1 GB.

    Parameters
    ----------
    run
        From `load_run`.

    Raises
    ------
    UserError
        A part turns out to be damaged while it is read, or the rows contradict themselves (wins that do not add up to
        the number of games, empty cells).
    """
    manifest = run.manifest
    with reading(run.folder):
        cells = count_cells(run)
        tables, omitted = share_tables(run, cells)
        histogram = score_histogram(run.seats)
        endings = count_endings(run.seats)
    findings = verdict(list(tables.values()), manifest, cells)
    quantiles = score_quantiles(histogram)
    return Report(run.folder, manifest, tables, omitted, findings, histogram, quantiles, endings)


def share_tables(run: Run, cells: pl.DataFrame) -> tuple[dict[str, Table], tuple[str, ...]]:
    """Win shares of every grouping, in the order of the report, and sentences on tables that are left out.

    Parameters
    ----------
    run
        From `load_run`.
    cells
        From `count_cells`.
    """
    manifest = run.manifest
    attributes, omitted = useful_attributes(manifest, cells)
    temperatures = comparable_temperatures(manifest, cells)
    columns = [attribute_column(manifest, name) for name in attributes]
    columns += [temperature_column(manifest, temperatures)] if temperatures else []
    seats, cells = run.seats.with_columns(columns), cells.with_columns(columns)
    # Kept below the factor at which sums of squares leave the whole numbers of a float (see block_moments).
    most_players = int(cells["players"].to_numpy().max())
    chosen = list(groupings(manifest, cells, attributes))
    alone = [(key,) for _, keys, _ in chosen for key in keys]
    wanted = list(dict.fromkeys([*(tuple(keys) for _, keys, _ in chosen), *alone]))
    moments = dict(zip(wanted, moments_of(seats, wanted, most_players), strict=True))
    shares = {keys: win_shares(summed, keys) for keys, summed in moments.items()}
    tables = {}
    for name, keys, noun in chosen:
        means = mean_columns(cells, keys, manifest)
        frame = tidy(shares[tuple(keys)].join(means, on=keys, how="left"), keys)
        margins = tuple(tidy(shares[(key,)], [key]) for key in keys) if len(keys) > 1 else ()
        shown = [level for level, key in zip(("level", "level2"), keys, strict=False) if key == "faction"]
        note = faction_note(frame[shown[0]], manifest) if shown else ""
        tables[name] = Table(name, noun, frame, silence(name, frame, noun), margins, note)
    return tables, omitted


@contextmanager
def reading(folder: Path) -> Iterator[None]:
    """Turn what polars says of damaged data into a message about the run."""
    try:
        yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        first_line = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UserError(f"the run's rows cannot be read ({first_line}); play the run again", file=folder) from error


def count_cells(run: Run) -> pl.DataFrame:
    """Sum the run per seat, faction, strategy, number of players and variant, and check that its wins add up.

    Returns
    -------
    `seat`, `faction`, `strategy`, `players`, `variant` (where the seats name it), `games` (seat-games), and sums of
    each score part and measure.
    """
    keys = ["seat", "faction", "strategy", "players"]
    keys += ["variant"] if "variant" in run.seats.collect_schema() else []
    sums = [*run.manifest["score_parts"], *run.manifest["measures"]]
    checked = [*keys, "block", "win", "score", "rank", *sums]
    refuse_odd_numbers(run, checked)
    unit = lcm(*range(1, 13))
    cells = (
        run.seats.group_by(keys)
        .agg(
            pl.len().cast(pl.Int64).alias("games"),
            (pl.col("win").cast(pl.Float64) * unit).round().sum().alias("wins"),
            pl.sum_horizontal([pl.col(name).null_count() for name in checked]).alias("empty"),
            *(pl.col(name).cast(pl.Int64).sum() for name in sums),
        )
        .collect(engine="streaming")
        .sort(keys)
    )
    if cells["empty"].sum() > 0 or sum(cells.select(keys).null_count().row(0)) > 0:
        raise UserError("the rows have empty cells; play the run again", file=run.folder)
    wins, games = cells["wins"].sum() / unit, run.manifest["games"]
    if not abs(wins - games) < 0.5:
        raise UserError(
            f"the wins add up to {wins:g}, but the run has {counted(games, 'game')}; play it again", file=run.folder
        )
    return cells.drop("wins", "empty")


def refuse_odd_numbers(run: Run, names: list[str]) -> None:
    """Raise UserError where a column holds values that are no numbers, which arithmetic would spread unseen."""
    schema = run.seats.collect_schema()
    doubtful = [name for name in dict.fromkeys([*names, "rounds"]) if schema[name].is_float()]
    if doubtful:
        counts = run.seats.select((~pl.col(name).is_finite()).sum() for name in doubtful).collect(engine="streaming")
        for name, odd in counts.to_dicts()[0].items():
            if odd:
                message = f"{counted(odd, 'row')} without a number in this column; play the run again"
                raise UserError(message, file=run.folder, field=name)


def useful_attributes(manifest: dict[str, Any], cells: pl.DataFrame) -> tuple[list[str], tuple[str, ...]]:
    """Return the faction attributes worth a table, and a sentence on each of the others."""
    present = set(cells["faction"].cast(pl.String).to_list())
    factions = [row for row in manifest["factions"] if row["name"] in present]
    useful, omitted = [], []
    for name in manifest["faction_attributes"]:
        levels = {str(row["attributes"][name]) for row in factions}
        if len(levels) == 1:
            omitted.append(f"No table by {name}: every {manifest['faction_title']} in this run has {levels.pop()}.")
        elif len(levels) == len(factions):
            omitted.append(f"No table by {name}: it would repeat the one by {manifest['faction_title']}.")
        else:
            useful.append(name)
    return useful, tuple(omitted)


def attribute_column(manifest: dict[str, Any], attribute: str) -> pl.Expr:
    """Return an expression for the level of `attribute` that a row's faction has."""
    by_faction = {row["name"]: str(row["attributes"][attribute]) for row in manifest["factions"]}
    levels = pl.Enum(list(dict.fromkeys(by_faction.values())))
    names = pl.Series(list(by_faction), dtype=pl.Enum(level_names(manifest, "faction")))
    values = pl.Series(list(by_faction.values()), dtype=levels)
    return pl.col("faction").replace_strict(names, values).alias(attribute_key(attribute))


def attribute_key(attribute: str) -> str:
    """Return the column of an attribute, kept apart from a score part of the same name."""
    return f"attribute {attribute}"


def groupings(
    manifest: dict[str, Any], cells: pl.DataFrame, attributes: list[str]
) -> Iterator[tuple[str, list[str], str]]:
    """Yield name, columns and noun of every table of the report, in the order in which they are shown."""
    title = manifest["faction_title"]
    yield "faction", ["faction"], title
    for name in attributes:
        yield name, [attribute_key(name)], name
    yield "seat", ["seat"], "seat"
    yield "strategy", ["strategy"], "strategy"
    varied = {name for name in cells.columns if cells[name].drop_nulls().n_unique() > 1}
    pairs = [
        *(
            (f"strategy x {name}", ["strategy", attribute_key(name)], f"strategy with {name}")
            for name in attributes[:1]
        ),
        ("strategy x faction", ["strategy", "faction"], f"strategy with {title}"),
        ("seat x faction", ["seat", "faction"], f"seat with {title}"),
        ("seat x strategy", ["seat", "strategy"], "seat with strategy"),
        ("players x faction", ["players", "faction"], f"number of players with {title}"),
        ("players x seat", ["players", "seat"], "number of players with seat"),
        ("players x strategy", ["players", "strategy"], "number of players with strategy"),
        ("variant x faction", ["variant", "faction"], f"variant with {title}"),
        ("variant x seat", ["variant", "seat"], "variant with seat"),
        ("variant x strategy", ["variant", "strategy"], "variant with strategy"),
        ("temperature x faction", [TEMPERATURE, "faction"], f"temperature with {title}"),
    ]
    yield from (pair for pair in pairs if varied.issuperset(pair[1]))


def comparable_temperatures(manifest: dict[str, Any], cells: pl.DataFrame) -> dict[str, float]:
    """Temperature of each strategy that plays at several of them in this run; empty where none does.

    A strategy is told by its name before an `@`: `trade` and `trade@0.5` are one at two temperatures. The others are
    left out, so that temperatures differ in nothing but the temperature.
    """
    present = set(cells["strategy"].cast(pl.String).to_list())
    rows = [row for row in manifest["strategies"] if row["name"] in present and row.get("temperature") is not None]
    plain = {row["name"]: str(row["name"]).split("@", maxsplit=1)[0] for row in rows}
    played: dict[str, set[float]] = {}
    for row in rows:
        played.setdefault(plain[row["name"]], set()).add(float(row["temperature"]))
    # Only strategies that play at all of the temperatures: a weak one that plays at one would pass for skill.
    every = set().union(*(known for known in played.values() if len(known) > 1))
    return {row["name"]: float(row["temperature"]) for row in rows if every and played[plain[row["name"]]] == every}


def temperature_column(manifest: dict[str, Any], temperatures: dict[str, float]) -> pl.Expr:
    """Return an expression for the temperature of a row's strategy, as text; null where it is left out."""
    names = level_names(manifest, "strategy")
    levels = pl.Enum([f"{value:g}" for value in sorted(set(temperatures.values()))])
    values = [f"{temperatures[name]:g}" if name in temperatures else None for name in names]
    enum = pl.Series(names, dtype=pl.Enum(names))
    return pl.col("strategy").replace_strict(enum, pl.Series(values, dtype=levels)).alias(TEMPERATURE)


def mean_columns(cells: pl.DataFrame, keys: list[str], manifest: dict[str, Any]) -> pl.DataFrame:
    """Mean score parts and measures per group, from the cells: `keys`, `mean_<part>`, ..."""
    names = [*manifest["score_parts"], *manifest["measures"]]
    means = [(pl.col(name).sum() / pl.col("games").sum()).alias(f"mean_{name}") for name in names]
    return cells.group_by(keys).agg(means)


def tidy(frame: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """Rename the group's columns to `level` and `level2`, as text, and put the best edge first."""
    levels = [level_text(name).alias(f"level{'2' * place}") for place, name in enumerate(keys)]
    levels += [pl.lit(None, pl.String).alias("level2")] if len(keys) == 1 else []
    ordered = frame.sort(["edge", *keys], descending=[True] + [False] * len(keys))
    return ordered.select(*levels, pl.exclude(keys))


def level_text(name: str) -> pl.Expr:
    """Return an expression for a level as it is written: 'seat 0', '4 players', 'temperature 0.5', else its name."""
    written = {"seat": "seat {}", "players": "{} players", TEMPERATURE: "temperature {}"}
    return pl.format(written.get(name, "{}"), pl.col(name).cast(pl.String))


def silence(name: str, frame: pl.DataFrame, noun: str) -> str:
    """Say why a table can hold no finding; empty where it can."""
    if frame.height > 1:
        return ""
    only = frame["level"][0]
    by_construction = "Its win share is the fair share by construction, whatever its strength"
    if name == "strategy":
        return f"A mirror match: {only} plays every seat. {by_construction}: this run says nothing about strategies."
    return f"Every seat plays {only}. {by_construction}: this run cannot compare {plural(noun)}."


def score_histogram(seats: pl.LazyFrame) -> pl.DataFrame:
    """How often each strategy reached each score: `strategy` (text), `score`, `games`."""
    counted = seats.group_by("strategy", "score").agg(pl.len().cast(pl.Int64).alias("games"))
    ordered = counted.collect(engine="streaming").sort("strategy", "score")
    return ordered.with_columns(pl.col("strategy").cast(pl.String), pl.col("score").cast(pl.Int64))


def score_quantiles(histogram: pl.DataFrame) -> pl.DataFrame:
    """Exact quantiles of the score: the lowest score that at least this share of games does not exceed.

    Returns
    -------
    `strategy`, `games`, `mean`, `q05`, `q25`, `q50`, `q75`, `q95`; first "all" (`strategy` is null there), then each
    strategy in the run's order.
    """
    whole = histogram.with_columns(pl.lit(None, pl.String).alias("strategy"))
    both = pl.concat([whole.select(histogram.columns), histogram])
    counted = both.group_by("strategy", "score", maintain_order=True).agg(pl.col("games").sum())
    counted = counted.sort("score", maintain_order=True)
    reached = pl.col("games").cum_sum() / pl.col("games").sum()
    quantiles = [pl.col("score").filter(reached >= q).first().alias(f"q{round(100 * q):02d}") for q in QUANTILES]
    mean = (pl.col("score") * pl.col("games")).sum() / pl.col("games").sum()
    result = counted.group_by("strategy").agg(pl.col("games").sum().alias("total"), mean.alias("mean"), *quantiles)
    order = pl.DataFrame({"strategy": both["strategy"].unique(maintain_order=True)})
    return order.join(result, on="strategy", how="left", nulls_equal=True).rename({"total": "games"})


def count_endings(seats: pl.LazyFrame) -> pl.DataFrame:
    """How games ended: `end_reason` (text), `games`, `mean_rounds`, most frequent first."""
    # One row per game: the rows of a game agree on both columns.
    first = seats.group_by("end_reason", "rounds", "players").agg(pl.len().cast(pl.Int64).alias("seats"))
    cells = first.collect(engine="streaming").with_columns((pl.col("seats") / pl.col("players")).alias("games"))
    rounds = (pl.col("rounds") * pl.col("games")).sum() / pl.col("games").sum()
    ended = cells.group_by(pl.col("end_reason").cast(pl.String)).agg(
        rounds.alias("mean_rounds"), pl.col("games").sum().round().cast(pl.Int64)
    )
    return ended.select("end_reason", "games", "mean_rounds").sort(["games", "end_reason"], descending=[True, False])
