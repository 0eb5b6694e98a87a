"""Does a finding hold? The same balance under each strategy, temperature, number of players, variant and run.

References
----------
Cochran, W. G. (1954). The combination of estimates from different experiments. Biometrics 10, 101-129.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import stats

from reports.data.load import Run
from reports.shapes import Table
from reports.statistics.balance import MARGIN
from reports.statistics.shrinkage import steady_error
from reports.statistics.winshare import ALPHA, Floats, blank_zero, family_probability, holm, known, t_quantile
from sim.errors import UserError

NUMBERED = ("number of players", "temperature")
"""Conditions that stand in the order of their numbers, others in that of the table."""
LEAST = 0.1
"""Part of a cell's variance that is left at least when the mean of its condition is taken out."""


@dataclass(frozen=True)
class Robustness:
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
    margin
        Edges up to this one count as fair.
    """

    name: str
    noun: str
    by: str
    edges: pl.DataFrame
    rows: pl.DataFrame
    margin: float = MARGIN


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


def within_run(tables: Mapping[str, Table], manifest: dict[str, Any], margin: float = MARGIN) -> Iterator[Robustness]:
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
                alone = tables[name].margins[0 if condition == "level" else 1]
                totals = alone.select(pl.col("level").alias("condition"), pl.col("error").alias("total_error"))
                frame = frame.join(totals, on="condition", how="left", maintain_order="left")
            yield compare(f"{kind} by {by}", noun, by, frame, margin)


def between_runs(
    tables: Sequence[Mapping[str, Table]], manifests: Sequence[dict[str, Any]], margin: float = MARGIN
) -> Iterator[Robustness]:
    """Compare factions and seats under several runs, named by what differs between them."""
    names = run_names(manifests)
    for kind in (kind for kind in ("faction", "seat") if all(kind in table for table in tables)):
        frames = [
            table[kind].frame.with_columns(pl.lit(name).alias("condition"))
            for table, name in zip(tables, names, strict=True)
        ]
        shared = pl.concat([frame.select("condition", "level", "games", "blocks", "edge", "error") for frame in frames])
        yield compare(f"{kind} by run", tables[0][kind].noun, "run", shared, margin)


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


def compare(name: str, noun: str, by: str, frame: pl.DataFrame, margin: float = MARGIN) -> Robustness:
    """Judge every row under every condition, and over all of them; conditions with numbers stand in their order."""
    number = pl.col("condition").str.extract(r"^\D*(\d+\.?\d*)").cast(pl.Float64)
    ordered = frame.sort(number, maintain_order=True, nulls_last=True) if by in NUMBERED else frame
    edges = edges_under(ordered, margin)
    return Robustness(name, noun, by, edges, verdicts(edges), margin)


def edges_under(frame: pl.DataFrame, margin: float = MARGIN) -> pl.DataFrame:
    """Edges of all rows under all conditions, judged as one family.

    The test takes its variance under the null, as `winshare.score_test` does: with squares about 0 in place of about
    the edge, T^2 = edge^2 / (error^2 (B - 1) / B + edge^2 / B).

    Parameters
    ----------
    frame
        `condition`, `level`, `games`, `blocks`, `edge` and `error` of each cell. Where there is a column `total_error`,
        the standard error of the win share of the condition as a whole, a cell is measured against that share.
    margin
        Edges up to this one count as fair.

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
    judged = np.where((low >= -margin) & (high <= margin), "fair", judged)
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
