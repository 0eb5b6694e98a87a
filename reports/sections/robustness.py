"""Does a finding hold? The same balance under each strategy, temperature, number of players, variant and run.

References
----------
Cochran, W. G. (1954). The combination of estimates from different experiments. Biometrics 10, 101-129.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.colors import TwoSlopeNorm
from numpy.typing import NDArray
from scipy import stats

from reports.sections.summary import MARGIN
from reports.shapes import Column, Listing, Picture, Section
from reports.show.figures import COLOURS, DIVERGING, FAINT, INK, NEUTRAL, STYLE, WIDTH, blank, figure_of
from reports.statistics.shrinkage import steady_error
from reports.statistics.winshare import ALPHA, Floats, blank_zero, family_probability, holm, known, t_quantile
from reports.words import capital, counted, plural, points, typeset
from sim.errors import UserError

if TYPE_CHECKING:
    from reports.data.load import Run
    from reports.sections.balance import Table

NAMED = 4
LINE, LONGEST = 78, 32
"""Letters in a line of a figure's key, and in a condition's name over a column; longer ones stand in a key."""
VERDICT_LETTER = 5.2
"""Points of width that a letter of a verdict takes."""
DOTS = 4
"""Up to so many conditions are drawn as dots with intervals; more as a map of colours."""
NUMBERED = ("number of players", "temperature")
"""Conditions that stand in the order of their numbers, others in that of the table."""
LEAST = 0.1
"""Part of a cell's variance that is left at least when the mean of its condition is taken out."""
SIGNS = {"strong": 1, "weak": -1}
COLUMNS = (
    Column("level", "row", "text"),
    Column("verdict", "verdict", "text", meaning="what holds over all conditions"),
    Column("lowest", "lowest", "edge", meaning="edge under the condition that favours it least"),
    Column("highest", "highest", "edge", meaning="edge under the condition that favours it most"),
    Column("strong", "strong", "count", meaning="conditions under which it is too strong"),
    Column("weak", "weak", "count", meaning="conditions under which it is too weak"),
    Column("fair", "fair", "count", meaning="conditions under which it is surely within 1 point"),
    Column("unknown", "not known", "count"),
    Column("p", "p", "p", meaning="chance of edges so different if all conditions were alike, all rows allowed for"),
    Column("note", "note", "text"),
)
DETAILS = (
    Column("level", "row", "text"),
    Column("condition", "condition", "text"),
    Column("edge", "edge", "edge", "edge_low", "edge_high"),
    Column("verdict", "verdict", "text"),
    Column("p", "p", "p"),
    Column("games", "games", "count"),
    Column("note", "note", "text"),
)
READING = (
    "Under each strategy a row is measured against the mean of that strategy, so that a strong player does not count "
    "as a strong position. Strong and weak allow for all rows and conditions at once; fair means that the whole "
    "interval lies within 1 point. A row flips where it is strong under one condition and weak under another, and "
    "depends where it is out of balance under some and fair under others."
)


@dataclass(frozen=True)
class Comparison:
    """One table seen under several conditions.

    Attributes
    ----------
    name
        Short name: "faction by strategy".
    noun, by
        What a row and a condition are called: "board", "strategy".
    edges
        From `edges_under`.
    rows
        From `verdicts`.
    """

    name: str
    noun: str
    by: str
    edges: pl.DataFrame
    rows: pl.DataFrame


def robustness_section(run: Run, others: Sequence[Run] = (), tables: Mapping[str, Table] | None = None) -> Section:
    """Which findings on factions and seats hold under every condition, and which flip.

    Conditions are the strategies, temperatures, numbers of players and variants of the run, as far as they vary, and,
    where other runs are given, all runs.

    Parameters
    ----------
    run
        From `load_run`.
    others
        Further runs of the same game with the same factions.
    tables
        Tables of the run's report, if they are at hand.

    Raises
    ------
    UserError
        A run of another game, of another variant, or with other factions.
    """
    from reports.sections.balance import count_cells, share_tables  # noqa: PLC0415 - a report may hold this section

    check_same_game(run, others)
    if tables is None:
        tables = share_tables(run, count_cells(run))[0]
    compared = list(within_run(tables, run.manifest))
    if others:
        all_tables = [tables, *(share_tables(other, count_cells(other))[0] for other in others)]
        compared += between_runs(all_tables, [run.manifest, *(other.manifest for other in others)])
    if not compared:
        only = "One strategy at one temperature and number of players plays one kind of position"
        return Section("robustness", "Does it hold?", (f"{only}: there are no conditions to compare.",))
    sentences = [said for comparison in compared for said in sentences_of(comparison)]
    listings = [listing for comparison in compared for listing in listings_of(comparison)]
    pictures = [picture_of(comparison) for comparison in compared]
    return Section("robustness", "Does it hold?", tuple(sentences), tuple(listings), tuple(pictures), READING)


def check_same_game(run: Run, others: Sequence[Run]) -> None:
    """Raise UserError unless all runs are of one game and variant, with the same factions."""
    for other in others:
        for field in ("game", "variant"):
            mine, theirs = run.manifest[field], other.manifest[field]
            if theirs != mine:
                raise UserError(
                    "runs of different games cannot be compared", file=other.folder, field=field, found=theirs,
                    allowed=[mine],
                )  # fmt: skip
        ours, theirs = ({row["name"] for row in one.manifest["factions"]} for one in (run, other))
        if ours != theirs:
            odd = sorted(ours ^ theirs)[0]
            message = f"the runs do not have the same factions ({odd!r} is in one of them only)"
            raise UserError(message, file=other.folder, field="factions")


def within_run(tables: Mapping[str, Table], manifest: dict[str, Any]) -> Iterator[Comparison]:
    """Compare factions and seats under the strategies, temperatures, player counts and variants of one run.

    Seats are not compared by strategy where the number of players varies.
    """
    title = manifest["faction_title"]
    # Table, which of its two columns is the condition, the row's noun, the condition's noun, whether to take its mean.
    wanted = (
        ("strategy x faction", "level", "faction", title, "strategy", True),
        ("seat x strategy", "level2", "seat", "seat", "strategy", True),
        ("temperature x faction", "level", "faction", title, "temperature", True),
        ("players x faction", "level", "faction", title, "number of players", False),
        ("players x seat", "level", "seat", "seat", "number of players", False),
        ("variant x faction", "level", "faction", title, "variant", False),
        ("variant x seat", "level", "seat", "seat", "variant", False),
    )
    # Against the mean of a strategy over tables of all sizes, seats that only larger tables have would stand out.
    several = isinstance(manifest["players"], list)
    for name, condition, kind, noun, by, centred in wanted:
        if name in tables and not (several and kind == "seat" and centred):
            row = "level2" if condition == "level" else "level"
            frame = tables[name].frame.rename({condition: "condition", row: "row"}).rename({"row": "level"})
            if centred:
                margin = tables[name].margins[0 if condition == "level" else 1]
                totals = margin.select(pl.col("level").alias("condition"), pl.col("error").alias("total_error"))
                frame = frame.join(totals, on="condition", how="left", maintain_order="left")
            yield compare(f"{kind} by {by}", noun, by, frame)


def between_runs(tables: Sequence[Mapping[str, Table]], manifests: Sequence[dict[str, Any]]) -> Iterator[Comparison]:
    """Compare factions and seats under several runs, named by what differs between them."""
    names = run_names(manifests)
    for kind in ("faction", "seat"):
        frames = [
            table[kind].frame.with_columns(pl.lit(name).alias("condition"))
            for table, name in zip(tables, names, strict=True)
        ]
        shared = pl.concat([frame.select("condition", "level", "games", "blocks", "edge", "error") for frame in frames])
        yield compare(f"{kind} by run", tables[0][kind].noun, "run", shared)


def run_names(manifests: Sequence[dict[str, Any]]) -> list[str]:
    """Name runs by what differs: '3 players, trade and science'; by their numbers where nothing does."""
    described = []
    for manifest in manifests:
        strategies = [row["name"] for row in manifest["strategies"]]
        players = manifest["players"]
        facts = {"players": f"{players if isinstance(players, int) else ' or '.join(map(str, players))} players"}
        facts["strategies"] = ", ".join(strategies[:3]) + (f" and {len(strategies) - 3} more" if strategies[3:] else "")
        settings = {
            k: v for k, v in manifest["settings"].items() if k not in ("players", "games", "workers", "strategies")
        }
        facts |= {f"setting {name}": f"{name} {value}" for name, value in settings.items()}
        facts["seed"] = f"seed {manifest['seed']}"
        described.append(facts)
    every = dict.fromkeys(name for facts in described for name in facts)
    differ = [name for name in every if len({facts.get(name, "") for facts in described}) > 1]
    # A seed tells runs apart only where nothing else does.
    differ = [name for name in differ if name not in ("seed", "setting seed")] or [
        name for name in differ if name == "seed"
    ]
    names = [", ".join(facts[name] for name in differ if name in facts) for facts in described]
    return [name if name and names.count(name) == 1 else f"run {i + 1} {name}".strip() for i, name in enumerate(names)]


def compare(name: str, noun: str, by: str, frame: pl.DataFrame) -> Comparison:
    """Judge every row under every condition, and over all of them; conditions with numbers stand in their order."""
    number = pl.col("condition").str.extract(r"^\D*(\d+\.?\d*)").cast(pl.Float64)
    edges = edges_under(frame.sort(number, maintain_order=True, nulls_last=True) if by in NUMBERED else frame)
    return Comparison(name, noun, by, edges, verdicts(edges))


def edges_under(frame: pl.DataFrame) -> pl.DataFrame:
    """Edges of all rows under all conditions, judged as one family.

    The test takes its variance under the null, as `winshare.score_test` does: with squares about 0 in place of about
    the edge, T^2 = edge^2 / (error^2 (B - 1) / B + edge^2 / B).

    Parameters
    ----------
    frame
        `condition`, `level`, `games`, `blocks`, `edge` and `error` of each cell. Where there is a column `total_error`,
        the standard error of the win share of the condition as a whole, a cell is measured against that share.

    Returns
    -------
    `level`, `condition`, `games`, `blocks`, `edge`, `error`, `edge_low`, `edge_high` (all cells at once), `p` (Holm),
    `verdict` ("strong", "weak", "fair" or "not known") and `note`, in the order of the frame.
    """
    games, blocks, edge, own = (
        frame[name].cast(pl.Float64).fill_null(0.0).to_numpy() for name in ("games", "blocks", "edge", "error")
    )
    # Blocks of a group are nearly of one size, so that sum(N^2) / sum(N)^2 is about 1 / B.
    error = steady_error(own, blocks, games, games**2 / blocks)
    if "total_error" in frame.columns:
        condition = frame["condition"].rank("dense").to_numpy().astype(np.int64) - 1
        total = frame["total_error"].cast(pl.Float64).fill_null(0.0).to_numpy()
        own = centred_error(own, games, condition, total)
        error = centred_error(error, games, condition, total)
        edge = edge - condition_means(edge, games, condition)
    reach = family_reach(blocks, len(edge)) * blank_zero(error)
    low, high = np.maximum(edge - reach, -1), np.minimum(edge + reach, 1)
    p = holm(null_test(edge, own, blocks))
    # Holm's later steps are milder than the limits: a word that the interval beside it contradicts is not given.
    sure = (p < ALPHA) & ((low > 0) | (high < 0))
    judged = np.where(sure, np.where(edge > 0, "strong", "weak"), "not known")
    judged = np.where((low >= -MARGIN) & (high <= MARGIN), "fair", judged)
    note = np.where(blocks < 2, "one block", np.where((error > 0) & np.isfinite(p), "", "no variation"))
    columns = {"edge": edge, "error": blank_zero(error), "edge_low": low, "edge_high": high, "p": p}
    return frame.select("level", "condition", "games", "blocks").with_columns(
        *known(columns), pl.Series("verdict", judged.astype(str)), pl.Series("note", note.astype(str))
    )


def condition_means(values: Floats, games: Floats, condition: NDArray[np.int64]) -> Floats:
    """Mean of each cell's condition over its games."""
    return np.asarray((np.bincount(condition, games * values) / np.bincount(condition, games))[condition])


def centred_error(error: Floats, games: Floats, condition: NDArray[np.int64], total: Floats) -> Floats:
    """Standard errors of cells less the mean of their condition.

    Var(x_i - m) = v_i + v_m - 2 Cov(x_i, m), where m = sum(w_j x_j) and w_j is a cell's part of the condition's games.
    Cells of a condition meet in the same blocks: against each other if several players share a strategy, with the same
    luck if one player moves from seat to seat. How much they have in common altogether shows in v_m, which differs from
    sum(w_j^2 v_j); each cell is given its part by games. So Var = (1 - 2 w_i) v_i + 2 sum(w_j^2 v_j) - v_m.

    Parameters
    ----------
    error
        sqrt(v_i), shape (cells,), as are all others.
    games, condition
        Seat-games of each cell, and the number of its condition.
    total
        sqrt(v_m) of the cell's condition.
    """
    part = games / np.bincount(condition, games)[condition]
    apart = np.bincount(condition, part**2 * error**2)[condition]
    variance = (1 - 2 * part) * error**2 + 2 * apart - total**2
    # Kept above 0 in conditions of very few blocks, where the two estimates of the total disagree.
    return np.asarray(np.sqrt(np.maximum(variance, LEAST * (1 - part) ** 2 * error**2)))


def family_reach(blocks: Floats, cells: int) -> Floats:
    """How many standard errors the limits of all cells at once reach to either side.

    The null test turned round: with t the quantile of `winshare.family_probability`, T <= t leaves edges within
    t sqrt((B - 1) / B / (1 - t^2 / B)) standard errors of the one seen. Infinite where B <= t^2, as so few blocks rule
    out nothing; NaN for a single block.
    """
    t = t_quantile(blocks, family_probability(cells))
    few = t**2 >= blocks
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(few, np.inf, t * np.sqrt((blocks - 1) / np.where(few, np.nan, blocks - t**2)))


def null_test(edge: Floats, error: Floats, blocks: Floats) -> Floats:
    """Two-sided p-value of an edge with the variance it would have if there were none; NaN for one block."""
    squares = error**2 * (blocks - 1) / blocks + edge**2 / blocks
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(edge) / np.sqrt(squares)
    p = 2 * stats.t.sf(t, np.maximum(blocks - 1, 1))
    return np.where((blocks > 1) & (squares > 0), np.minimum(p, 1.0), np.nan)


def verdicts(edges: pl.DataFrame) -> pl.DataFrame:
    """What holds for each row over all conditions.

    Differences between conditions are tested by Cochran's (1954) Q, the squares about the weighted mean, against
    chi-square with one degree of freedom less than conditions, corrected over the rows (Holm). Conditions count as
    independent; runs on the same deals go together, which makes the test too careful rather than too bold.

    Returns
    -------
    Per row, widest mean edge first: `level`, `verdict` ("strong", "weak" or "fair" where that is so under all
    conditions; "flips"; "depends"; "strong where known", ...; "not known"), `mean`, `lowest`, `highest`, `strong`,
    `weak`, `fair`, `unknown` (numbers of conditions), `q`, `freedom`, `p` and `note`.
    """
    conditions = edges["condition"].n_unique()
    parts = edges.group_by("level", maintain_order=True)
    rows = [verdict_of(str(key[0]), part, conditions) for key, part in parts]
    frame = pl.DataFrame(rows, infer_schema_length=None)
    p = holm(frame["p"].cast(pl.Float64).fill_null(np.nan).to_numpy())
    return frame.with_columns(*known({"p": p})).sort(["mean", "level"], descending=[True, False])


def verdict_of(level: str, part: pl.DataFrame, conditions: int) -> dict[str, Any]:
    """Count what one row is under all conditions, missing ones included, and test whether they differ."""
    said = part["verdict"].to_list()
    counts = {word: said.count(word) for word in ("strong", "weak", "fair")}
    tested = part.filter(pl.col("error") > 0)
    edge, weight = tested["edge"].to_numpy(), 1 / tested["error"].to_numpy() ** 2
    freedom = len(edge) - 1
    mean = float((weight * edge).sum() / weight.sum()) if len(edge) else float(part["edge"].to_numpy().mean())
    q = float((weight * (edge - mean) ** 2).sum()) if freedom > 0 else None
    return {
        "level": level, "verdict": over_all(counts, conditions), "mean": mean,
        "lowest": part["edge"].min(), "highest": part["edge"].max(),
        **counts, "unknown": conditions - sum(counts.values()),
        "q": q, "freedom": max(freedom, 0), "p": None if q is None else float(stats.chi2.sf(q, freedom)),
        "note": "seen under one condition" if q is None else "",
    }  # fmt: skip


def over_all(counts: dict[str, int], conditions: int) -> str:
    """One word for what a row is under all conditions."""
    words = [word for word, many in counts.items() if many]
    if len(words) == 1:
        return words[0] if counts[words[0]] == conditions else f"{words[0]} where known"
    if counts["strong"] and counts["weak"]:
        return "flips"
    return "depends" if words else "not known"


def sentences_of(comparison: Comparison) -> Iterator[str]:
    """Say what flips, what holds under all conditions and what depends, the gravest first."""
    rows, by = comparison.rows, comparison.by
    conditions = comparison.edges["condition"].n_unique()
    under = f"under {'both' if conditions == 2 else f'all {conditions}'} {plural_of(by)}"
    swing = pl.col("highest") - pl.col("lowest")
    flips = rows.filter(pl.col("verdict") == "flips").sort(swing, descending=True)["level"].to_list()
    for level in flips[:NAMED]:
        part = comparison.edges.filter(pl.col("level") == level).sort("edge")
        ends = [(part.row(-1, named=True), "strong"), (part.row(0, named=True), "weak")]
        said = ", ".join(f"{word} for {row['condition']} ({edge_text(row)})" for row, word in ends)
        yield f"{level} flips: {said} points."
    if len(flips) > NAMED:
        more = counted(len(flips) - NAMED, comparison.noun)
        yield f"{more} more {'flips' if len(flips) == NAMED + 1 else 'flip'} by {by}."
    for verdict, word in (("strong", "too strong"), ("weak", "too weak")):
        levels = rows.filter(pl.col("verdict") == verdict)["level"].to_list()
        if levels:
            yield f"{joined(levels)} {'is' if len(levels) == 1 else 'are'} {word} {under}."
    fair = rows.filter(pl.col("verdict") == "fair").height
    depends = rows.filter(pl.col("verdict") == "depends")["level"].to_list()
    if depends:
        verb = "depends" if len(depends) == 1 else "depend"
        yield f"{joined(depends)} {verb} on the {by}: out of balance under some, within 1 point under others."
    for verdict, word in (("strong where known", "too strong"), ("weak where known", "too weak")):
        levels = rows.filter(pl.col("verdict") == verdict)["level"].to_list()
        if levels:
            shown = joined(levels if len(levels) <= NAMED + 1 else [*levels[:NAMED], f"{len(levels) - NAMED} more"])
            verb = "is" if len(levels) == 1 else "are"
            yield f"{shown} {verb} {word} under some {plural_of(by)}, with too few games to say under the others."
    left = rows.filter(pl.col("verdict").str.contains("known")).height
    counts = [f"{fair} of {counted(rows.height, comparison.noun)} surely within 1 point {under}"]
    counts += [f"{left} with too few games to say for each of them"] if left else []
    yield f"{capital(comparison.noun)} by {by}: {', '.join(counts)}."


def plural_of(by: str) -> str:
    """Plural of a condition: 'numbers of players', 'strategies'."""
    return by.replace("number ", "numbers ", 1) if by.startswith("number ") else plural(by)


def joined(levels: Sequence[str]) -> str:
    """'A', 'A and B', 'A, B and C'."""
    return levels[0] if len(levels) == 1 else f"{', '.join(levels[:-1])} and {levels[-1]}"


def edge_text(row: dict[str, Any]) -> str:
    """An edge with half its interval: '+2.1 ± 0.8'."""
    half = "" if row["edge_low"] is None else f" ± {50 * (row['edge_high'] - row['edge_low']):.1f}"
    return f"{points(row['edge'])}{half}"


def listings_of(comparison: Comparison) -> Iterator[Listing]:
    """One line per row, and one per row and condition."""
    title = f"{capital(comparison.noun)} by {comparison.by}"
    yield Listing(f"robustness {comparison.name}", f"{title}: what holds", comparison.rows, COLUMNS)
    yield Listing(f"edges {comparison.name}", f"{title}: all edges", comparison.edges, DETAILS, folded=True)


def picture_of(comparison: Comparison) -> Picture:
    """Dots with intervals for few conditions, a map of colours for many."""
    few = comparison.edges["condition"].n_unique() <= DOTS
    draw: Callable[..., Axes] = dots if few else colours
    flips = comparison.rows.filter(pl.col("verdict") == "flips").height
    said = f"{capital(comparison.noun)} edges under each {comparison.by}; {counted(flips, comparison.noun)} flip."
    return Picture(f"robustness {comparison.name}", lambda ax=None: draw(comparison, ax), said)


def colours(comparison: Comparison, ax: Axes | None = None) -> Axes:
    """Edges of rows (down) under conditions (across) as colours; bold where sure, a frame where a row flips."""
    rows, across = comparison.rows["level"].to_list(), comparison.edges["condition"].unique(maintain_order=True)
    grid = comparison.edges.pivot(on="condition", index="level", values="edge")
    place = {level: i for i, level in enumerate(grid["level"].to_list())}
    edges = 100 * grid.select(across.to_list()).to_numpy().astype(np.float64)[[place[level] for level in rows]]
    columns = [across[int(i)] for i in np.arange(len(across))]
    sure = comparison.edges.filter(pl.col("verdict").is_in(list(SIGNS)))
    bold = set(sure.select("level", "condition").rows())
    with mpl.rc_context(STYLE):
        if ax is None:
            wide = max(2.9 + 0.66 * len(columns), WIDTH)
            below = 0.17 * len(columns) * (max(map(len, columns)) > LONGEST)
            _, ax = blank(
                wide, 1.7 + 0.32 * len(rows) + below, f"Edge of each {comparison.noun} by {comparison.by}, points"
            )
        widest = max(float(np.nanmax(np.abs(edges))), 1e-9)
        ax.imshow(edges, cmap=DIVERGING, norm=TwoSlopeNorm(0, -widest, widest), aspect="auto")
        for (y, x), edge in np.ndenumerate(edges):
            text = "·" if np.isnan(edge) else typeset(points(edge / 100))
            weight = "bold" if (rows[y], columns[x]) in bold else "normal"
            ink = "white" if abs(edge) > 0.72 * widest else INK
            ax.text(x, y, text, ha="center", va="center", fontsize=8.5, fontweight=weight, color=ink)
        heads = [f"{comparison.by} {number}" for number in range(1, len(columns) + 1)]
        if max(map(len, columns)) <= LONGEST:
            heads = columns
        else:
            plain = [name.removeprefix(head).strip() for head, name in zip(heads, columns, strict=True)]
            key = [textwrap.fill(f"{head}: {name}", LINE) for head, name in zip(heads, plain, strict=True)]
            ax.set_xlabel("\n".join(key), fontsize=8.5, loc="right", multialignment="left")
        ax.set_xticks(range(len(columns)), heads, rotation=35, ha="left", rotation_mode="anchor")
        ax.xaxis.tick_top()
        ax.set_yticks(range(len(rows)), rows)
        ax.spines[:].set_visible(False)
        ax.vlines(np.arange(len(columns) - 1) + 0.5, -0.5, len(rows) - 0.5, "white", lw=1.5)
        ax.hlines(np.arange(len(rows) - 1) + 0.5, -0.5, len(columns) - 0.5, "white", lw=1.5)
        beside_verdicts(ax, comparison.rows)
    return ax


def dots(comparison: Comparison, ax: Axes | None = None) -> Axes:
    """Edges with intervals, one dot per condition below each other; the band spans one point to either side."""
    rows = comparison.rows["level"].to_list()
    conditions = comparison.edges["condition"].unique(maintain_order=True).to_list()
    marks = dict(zip(conditions, "osD^", strict=False))
    # Long names of conditions stand below each other: beside each other they would leave no room for the figure.
    names = [textwrap.fill(name, LINE) for name in conditions]
    across = len(names) if sum(map(len, names)) + 4 * len(names) <= LINE else 1
    lines = 1 if across > 1 else sum(name.count("\n") + 1 for name in names)
    title = f"Edge of each {comparison.noun} by {comparison.by}, points"
    own = ax is None
    step = 0.66 / max(len(conditions), 1)
    with mpl.rc_context(STYLE):
        if ax is None:
            height = 1.4 + 0.16 * lines + (0.14 + 0.13 * len(conditions)) * len(rows)
            _, ax = blank(WIDTH, height)
        ax.axvspan(-100 * MARGIN, 100 * MARGIN, color=FAINT, alpha=0.55, lw=0)
        ax.axvline(0, color=INK, lw=1, ls=(0, (4, 3)))
        for row in comparison.edges.to_dicts():
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
            # The key's heading is the figure's title: a title of its own would lie over it.
            bold = {"weight": "bold", "size": STYLE["figure.titlesize"]}
            figure_of(ax).legend(title=title, title_fontproperties=bold, alignment="left", loc="outside upper left",
                                 borderpad=0, borderaxespad=0.3, **key)  # fmt: skip
        else:
            ax.legend(loc="lower left", bbox_to_anchor=(0, 1), **key)
        ax.set_yticks(range(len(rows)), rows)
        ax.set_ylim(len(rows) - 0.5, -0.5)
        ax.grid(axis="x", color=FAINT, lw=0.8)
        ax.set_xlabel(
            "edge in points; band: within 1 point\nbar: interval that holds for all dots at once",
            fontsize=9,
            color=NEUTRAL,
        )
        ax.xaxis.set_major_formatter(lambda value, _: typeset(f"{value:+g}") if value else "0")
        beside_verdicts(ax, comparison.rows)
    return ax


def beside_verdicts(ax: Axes, rows: pl.DataFrame) -> None:
    """Write each row's verdict between its name and its edges, where a narrow screen shows it first."""
    longest = max(map(len, rows["verdict"].to_list()))
    ax.tick_params(axis="y", pad=12 + VERDICT_LETTER * longest)
    for place, row in enumerate(rows.to_dicts()):
        colour = COLOURS.get(row["verdict"].split()[0], INK if row["verdict"] == "flips" else NEUTRAL)
        weight = "bold" if row["verdict"] == "flips" else "normal"
        ax.annotate(row["verdict"], (0, place), xytext=(-VERDICT_LETTER * longest - 4, 0), va="center",
                    xycoords=ax.get_yaxis_transform(), textcoords="offset points", fontsize=9, color=colour,
                    fontweight=weight)  # fmt: skip
