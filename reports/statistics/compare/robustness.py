"""Robustness of findings: the balance of rows under each strategy, temperature, number of players, variant and run.

Under a strategy or temperature, a row is compared with the mean of that condition. The comparison is by odds, so that
weak and strong players are on the same scale: effects add up on the log scale whatever the share they start from
(McCullagh and Nelder 1989, ch. 4). The games of a strategy that hardly ever wins tell nothing of balance.

The module also compares pairs of factions that differ in one attribute only, such as the two sides of a board. And it
leaves out each player in turn (Tukey 1958).

Sources, in full in `docs/statistics.md`: Wilson (1927) and Rao and Scott (1981) for limits, Cochran (1954) for the
test whether conditions differ, Agresti (2013, ch. 6) for the common odds ratio over strata, Berger (1982) for claims
about all cases, of which each is tested at the full level.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.special import expit, logit

from reports.data.load import Run
from reports.formatting import listed, seeds_of
from reports.model import Table
from reports.statistics.core.balance import MARGIN
from reports.statistics.core.decisions import WITHOUT
from reports.statistics.core.shrinkage import BORROWED, steady_error
from reports.statistics.core.win_rate import (
    ALPHA,
    Floats,
    blank_zero,
    family_probability,
    holm,
    hopeless_players,
    known,
    t_quantile,
    two_sided_p,
    wilson_limits,
)
from reports.statistics.distributions import chi2_sf, find_root, t_ppf, t_sf
from sim.data.declarations import Faction
from sim.errors import UserError
from sim.runs.store.manifest import Manifest

NUMBERED = ("number of players", "temperature")
"""Conditions whose values are numbers. They are sorted by these numbers."""
CANNOT_TELL = "cannot tell"
"""Verdict under a condition in which no row could gain or lose as much as the margin."""
MAX_RATIO = 30.0
"""Bound of the search for log odds ratios."""
MIN_RATIO = 0.1
"""Minimum fraction of a cell's variance that is left after the mean of its condition is subtracted."""


@dataclass(frozen=True)
class Robustness:
    """The verdicts on the rows of one table under several conditions.

    Attributes
    ----------
    name
        Short name, such as "faction by strategy".
    noun, by
        Nouns of a row and of a condition, such as "board" and "strategy".
    edges
        From `edges_under`.
    rows
        From `verdicts`.
    margin
        Edges up to this count as balanced.
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
            mine, theirs = getattr(run.manifest, field), getattr(other.manifest, field)
            if theirs != mine:
                raise UserError(
                    "runs of different games cannot be compared", file=other.folder, field=field, found=theirs,
                    allowed=[mine],
                )  # fmt: skip
        ours, theirs = ({row.name for row in one.manifest.factions} for one in (run, other))
        if ours != theirs:
            odd = sorted(ours ^ theirs)[0]
            message = f"the runs do not have the same factions ({odd!r} is in one of them only)"
            raise UserError(message, file=other.folder, field="factions")


def within_run(
    tables: Mapping[str, Table],
    manifest: Manifest,
    margin: float = MARGIN,
    others: int = 0,
    rate: float = ALPHA,
) -> Iterator[Robustness]:
    """Compare factions and seats under the strategies, temperatures, numbers of players and variants of one run.

    Seats are not compared by strategy if the number of players varies. The error rate is divided among these
    comparisons and `others` further ones.
    """
    hopeless = hopeless_players(tables["strategy"].frame)["level"].to_list() if "strategy" in tables else []
    title = manifest.faction_title
    # Table; its column with the condition; kind and noun of rows; noun of the condition; whether rows are compared with
    # the mean of their condition.
    wanted = (
        ("strategy x faction", "level", "faction", title, "strategy", True),
        ("seat x strategy", "level2", "seat", "seat", "strategy", True),
        ("temperature x faction", "level", "faction", title, "temperature", True),
        ("players x faction", "level", "faction", title, "number of players", False),
        ("players x seat", "level", "seat", "seat", "number of players", False),
        ("variant x faction", "level", "faction", title, "variant", False),
        ("variant x seat", "level", "seat", "seat", "variant", False),
    )
    # Skip seats by strategy if table sizes vary. Seats that exist only at larger tables would seem weak against the
    # mean of a strategy over all sizes.
    several = isinstance(manifest.players, list)
    there = [one for one in wanted if one[0] in tables and not (several and one[2] == "seat" and one[5])]
    families = len(there) + others
    for name, condition, kind, noun, by, centred in there:
        row = "level2" if condition == "level" else "level"
        frame = tables[name].frame.rename({condition: "condition", row: "row"}).rename({"row": "level"})
        if centred:
            whole = tables[name].margins[0 if condition == "level" else 1]
            totals = whole.select(pl.col("level").alias("condition"), pl.col("error").alias("total_error"))
            frame = frame.join(totals, on="condition", how="left", maintain_order="left")
        if by == "strategy":
            frame = frame.with_columns(averaged=~pl.col("condition").is_in(hopeless))
        yield compare_conditions(f"{kind} by {by}", noun, by, frame, margin, families, rate)


def between_runs(
    tables: Sequence[Mapping[str, Table]],
    manifests: Sequence[Manifest],
    margin: float = MARGIN,
    others: int = 0,
    rate: float = ALPHA,
) -> Iterator[Robustness]:
    """Compare factions and seats between runs; each run is a condition, named by what differs from other runs.

    The error rate is divided as in `within_run`.
    """
    names = run_names(manifests)
    kinds = compared_kinds(tables)
    for kind in kinds:
        frames = [
            table[kind].frame.with_columns(pl.lit(name).alias("condition"))
            for table, name in zip(tables, names, strict=True)
        ]
        columns = ("condition", "level", "games", "blocks", "edge", "error", "null")
        shared = pl.concat([frame.select(columns) for frame in frames])
        yield compare_conditions(
            f"{kind} by run", tables[0][kind].noun, "run", shared, margin, len(kinds) + others, rate
        )


def compared_kinds(tables: Sequence[Mapping[str, Table]]) -> list[str]:
    """Return those of "faction" and "seat" for which all runs have a table."""
    return [kind for kind in ("faction", "seat") if all(kind in table for table in tables)]


def run_names(manifests: Sequence[Manifest]) -> list[str]:
    """Name runs by their differences, such as '3 players, trade and science', or by number if nothing differs."""
    described = []
    for manifest in manifests:
        strategies = [row.name for row in manifest.strategies]
        players = manifest.players
        facts = {"players": f"{players if isinstance(players, int) else listed(players, 'or')} players"}
        facts["strategies"] = ", ".join(strategies[:3]) + (f" and {len(strategies) - 3} more" if strategies[3:] else "")
        settings = {
            k: v for k, v in manifest.settings.items() if k not in ("players", "games", "workers", "strategies")
        }
        facts |= {f"setting {name}": f"{name} {value}" for name, value in settings.items()}
        facts["seed"] = seeds_of(manifest)
        described.append(facts)
    every = dict.fromkeys(name for facts in described for name in facts)
    differ = [name for name in every if len({facts.get(name, "") for facts in described}) > 1]
    # The seed names a run only if nothing else differs.
    differ = [name for name in differ if name not in ("seed", "setting seed")] or [
        name for name in differ if name == "seed"
    ]
    names = [", ".join(facts[name] for name in differ if name in facts) for facts in described]
    return [name if name and names.count(name) == 1 else f"run {i + 1} {name}".strip() for i, name in enumerate(names)]


def compare_conditions(
    name: str,
    noun: str,
    by: str,
    frame: pl.DataFrame,
    margin: float = MARGIN,
    families: int = 1,
    rate: float = ALPHA,
) -> Robustness:
    """Judge every row under every condition and over all conditions; `families` comparisons share the error rate."""
    number = pl.col("condition").str.extract(r"^\D*(\d+\.?\d*)").cast(pl.Float64)
    ordered = frame.sort(number, maintain_order=True, nulls_last=True) if by in NUMBERED else frame
    edges = edges_under(ordered, margin, families, rate)
    return Robustness(name, noun, by, edges, verdicts(edges), margin)


def can_tell(share: Floats, margin: float = MARGIN) -> NDArray[np.bool_]:
    """Tell whether edges as wide as the margin are possible in both directions if the mean win rate is `share`.

    They are possible if doubled odds would raise the share by at least the margin, and halved odds would lower it by as
    much. For a player who wins 1 % of games, doubled and halved odds give 2 % and 0.5 %, so an interval within 1 point
    says nothing. For a margin of 1 point the share must lie between 2.04 and 97.96 %.
    """
    twice, half = 2 * share / (1 + share), share / (2 - share)
    return np.minimum(twice - share, share - half) >= margin


def edge_at_fair_share(share: Floats, mean: Floats, fair: Floats) -> Floats:
    """Translate the odds ratio of a share and a mean to an edge at the fair share.

    It is expit(logit(share) - logit(mean) + logit(fair)) - fair. If the mean is the fair share, it is the edge itself.
    """
    with np.errstate(divide="ignore"):
        return np.asarray(expit(logit(share) - logit(mean) + logit(fair)) - fair)


def edges_under(frame: pl.DataFrame, margin: float = MARGIN, families: int = 1, rate: float = ALPHA) -> pl.DataFrame:
    """Return the edges of all rows under all conditions; all cells are judged as one family.

    A cell's share x is compared with m, which is the mean of its condition or the fair share. Their odds ratio is
    expressed as the edge that it would give at the fair share (`edge_at_fair_share`), so that edges of good and bad
    players are comparable. Let n be the effective number of independent games. The test takes its variance at m (Rao
    and Scott 1981). Limits are the shares q with |x - q| = t sqrt(q (1 - q) / n) (Wilson 1927).

    Parameters
    ----------
    frame
        `condition`, `level`, `games`, `blocks`, `edge`, `error` and `null` (the fair share) of each cell. If there is a
        column `total_error`, the standard error of the condition's win rate, a cell is compared with that win rate. A
        column `averaged` selects the conditions that count in means; by default all count.
    margin
        Edges up to this count as balanced.
    rate
        Chance that any verdict of these families is wrong.

    Returns
    -------
    One row per cell, in the order of the frame:
    `level`, `condition`, `games` and `blocks`;
    `win_rate`, `mean_share` (m) and `fair`;
    `edge` and `error`, with limits `edge_low` and `edge_high` for all cells at once;
    `p` (Holm);
    `verdict`: "strong", "weak", "fair" or "undecided"; "cannot tell", with no edge, where `can_tell` says that no edge
    could be found;
    `averaged` and `note`.
    """
    games, blocks, edge, own, fair = (
        frame[name].cast(pl.Float64).fill_null(0.0).to_numpy() for name in ("games", "blocks", "edge", "error", "null")
    )
    condition = frame["condition"].rank("dense").to_numpy().astype(np.int64) - 1
    seen, against = np.clip(fair + edge, 0, 1), fair
    if "total_error" in frame.columns:
        against = np.clip(fair + condition_means(edge, games, condition), 0, 1)
    telling = can_tell(condition_means(against, games, condition), margin) & (against > 0) & (against < 1)
    share, mean = np.where(telling, seen, np.nan), np.where(telling, against, np.nan)
    error = null_error(share, mean, own, games, blocks)
    if "total_error" in frame.columns:
        total = frame["total_error"].cast(pl.Float64).fill_null(0.0).to_numpy()
        error = centred_error(error, games, condition, total)
    pull = (family_reach(blocks, families * int(telling.sum()), rate) * blank_zero(error)) ** 2 / (mean * (1 - mean))
    low, high = (edge_at_fair_share(limit, mean, fair) for limit in wilson_limits(share, pull))
    p = np.minimum(families * holm(null_test(share - mean, error, blocks)), 1.0)
    found = edge_at_fair_share(share, mean, fair)
    slope = fair * (1 - fair) / (mean * (1 - mean))
    note = np.where(blocks < 2, "one block", np.where((error > 0) & np.isfinite(p), "", "no variation"))
    columns = {
        "win_rate": seen, "mean_share": against, "fair": fair, "edge": found, "error": slope * blank_zero(error),
        "edge_low": low, "edge_high": high, "p": p,
    }  # fmt: skip
    averaged = frame["averaged"] if "averaged" in frame.columns else pl.Series([True] * frame.height)
    return frame.select("level", "condition", "games", "blocks").with_columns(
        *known(columns),
        pl.Series(
            "verdict", np.where(telling, edge_verdicts(found, low, high, p, margin, rate), CANNOT_TELL).astype(str)
        ),
        averaged.alias("averaged"),
        pl.Series("note", np.where(telling, note, "hardly ever won or lost").astype(str)),
    )


def edge_verdicts(edge: Floats, low: Floats, high: Floats, p: Floats, margin: float, rate: float) -> NDArray[np.str_]:
    """Return 'strong', 'weak', 'fair' or 'undecided' for each edge, from its limits and corrected p-value."""
    # Holm's later steps are less strict than the limits, so the limits must exclude 0, too.
    sure = (p < rate) & ((low > 0) | (high < 0))
    words = np.where(sure, np.where(edge > 0, "strong", "weak"), "undecided")
    return np.where((low >= -margin) & (high <= margin), "fair", words)


def null_error(share: Floats, mean: Floats, error: Floats, games: Floats, blocks: Floats) -> Floats:
    """Return the standard errors that shares would have at the mean of their condition.

    The design effect, error^2 / (share (1 - share) / games), is kept while the share is set to the mean (Rao and Scott
    1981). Small cells borrow from the others: the design effect of a cell is averaged with that of all cells, which
    counts as `BORROWED` blocks, as in `shrinkage.steady_error`. The result has shape (cells,); it is NaN if no cell
    varies.
    """
    freedom = np.maximum(blocks - 1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        own = np.where(freedom > 0, error**2 * games / (share * (1 - share)), np.nan)
    seen = np.isfinite(own)
    if not (own[seen] > 0).any():
        return np.full(share.shape, np.nan)
    whole = float((freedom * own)[seen].sum() / freedom[seen].sum())
    own, freedom = np.where(seen, own, 0.0), np.where(seen, freedom, 0.0)
    effect = (BORROWED * whole + freedom * own) / (BORROWED + freedom)
    return np.asarray(np.sqrt(effect * mean * (1 - mean) / games))


def condition_means(values: Floats, games: Floats, condition: NDArray[np.int64]) -> Floats:
    """Return for each cell the mean of its condition, weighted by games."""
    return np.asarray((np.bincount(condition, games * values) / np.bincount(condition, games))[condition])


def centred_error(error: Floats, games: Floats, condition: NDArray[np.int64], total: Floats) -> Floats:
    """Return the standard error of each cell's difference from the mean of its condition.

    Let x_i be the share of cell i, v_i its variance, and w_i the part of the condition's games that cell i has. The
    mean of the condition is m = sum(w_j x_j), with variance v_m. Then Var(x_i - m) = v_i + v_m - 2 Cov(x_i, m). Cells
    of a condition are correlated, since they share blocks. The total covariance, v_m - sum(w_j^2 v_j), is divided among
    the cells in proportion to games. So Var = (1 - 2 w_i) v_i + 2 sum(w_j^2 v_j) - v_m.

    Parameters
    ----------
    error
        sqrt(v_i), shape (cells,). All other arrays have this shape, too.
    games, condition
        Seat-games of each cell, and the index of its condition.
    total
        sqrt(v_m) of the cell's condition.
    """
    part = games / np.bincount(condition, games)[condition]
    apart = np.bincount(condition, part**2 * error**2)[condition]
    variance = (1 - 2 * part) * error**2 + 2 * apart - total**2
    # Keep the variance positive in conditions of very few blocks, where v_m and the v_j may disagree.
    variance = np.maximum(variance, MIN_RATIO * (1 - part) ** 2 * error**2)
    # If a condition has one cell only, the cell equals the mean by construction.
    return np.asarray(np.sqrt(np.where(part < 1, variance, 0.0)))


def family_reach(blocks: Floats, cells: int, rate: float = ALPHA) -> Floats:
    """Return the half width, in standard errors, of limits that hold for all cells.

    This inverts the test of `null_test`. Let T be its statistic, t the quantile of `win_rate.family_probability`, and B
    the number of blocks. T <= t holds within t sqrt((B - 1) / B / (1 - t^2 / B)) standard errors. The result is
    infinite if B <= t^2, and NaN for a single block.
    """
    t = t_quantile(blocks, family_probability(cells, rate))
    few = t**2 >= blocks
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(few, np.inf, t * np.sqrt((blocks - 1) / np.where(few, np.nan, blocks - t**2)))


def null_test(edge: Floats, error: Floats, blocks: Floats) -> Floats:
    """Return the two-sided p-value of an edge with its variance under the null; NaN for one block."""
    squares = error**2 * (blocks - 1) / blocks + edge**2 / blocks
    p = two_sided_p(edge, np.sqrt(squares), blocks)
    return np.where(blocks > 1, np.minimum(p, 1.0), np.nan)


def verdicts(edges: pl.DataFrame) -> pl.DataFrame:
    """Return the verdict on each row over all conditions that have enough data.

    Cochran's (1954) Q about the common odds ratio tests whether conditions differ. Q is compared with chi-square with
    one degree of freedom less than there are conditions; p-values are corrected over the rows (Holm). Conditions count
    as independent. For runs on the same deals the test is conservative.

    Returns
    -------
    One row per level, largest mean edge first:
    `level`;
    `verdict`: "strong", "weak" or "fair" if that is the verdict under all conditions; "strong under some" (or "weak
    under some", "fair under some") if all other conditions are undecided; "flips" if strong under some and weak under
    others; "depends" for other mixtures; "undecided"; "cannot tell" if no condition tells anything;
    `mean`, the edge of the common odds ratio, see `common_edge`;
    `lowest` and `highest` edge, with the conditions `lowest_under` and `highest_under`;
    `strong`, `weak`, `fair`, `unknown` and `untold`, the numbers of conditions with each verdict (`untold` counts those
    that cannot tell);
    `q`, `freedom`, `p` and `note`.
    """
    silent = edges.filter(pl.col("verdict") == CANNOT_TELL)["condition"].n_unique()
    told = edges["condition"].n_unique() - silent
    parts = edges.group_by("level", maintain_order=True)
    rows = [verdict_of(str(key[0]), part.filter(pl.col("verdict") != CANNOT_TELL), told, silent) for key, part in parts]
    # Set the types: Polars cannot infer the type of a column in which all values are None.
    frame = pl.DataFrame(rows, infer_schema_length=None).with_columns(
        pl.col("mean", "lowest", "highest", "q", "p").cast(pl.Float64),
        pl.col("lowest_under", "highest_under").cast(pl.String),
    )
    p = holm(frame["p"].fill_null(np.nan).to_numpy())
    return frame.with_columns(*known({"p": p})).sort(["mean", "level"], descending=[True, False], nulls_last=True)


def verdict_of(level: str, part: pl.DataFrame, conditions: int, silent: int) -> dict[str, Any]:
    """Return a row of `verdicts` from the cells `part` of a level; the rest of the `conditions` counts as unknown."""
    said = part["verdict"].to_list()
    counts = {word: said.count(word) for word in ("strong", "weak", "fair")}
    tested = part.filter(pl.col("error") > 0)
    averaged = tested.filter("averaged")
    mean, _ = common_edge(averaged if averaged.height else tested)
    freedom = tested.height - 1
    q = common_edge(tested)[1] if freedom > 0 else None
    ordered = part.sort("edge")
    ends = [ordered.row(place, named=True) for place in (0, -1)] if part.height else [dict.fromkeys(part.columns)] * 2
    return {
        "level": level, "verdict": over_all(counts, conditions),
        "mean": mean if tested.height or not part.height else float(part["edge"].to_numpy().mean()),
        "lowest": ends[0]["edge"], "lowest_under": ends[0]["condition"],
        "highest": ends[1]["edge"], "highest_under": ends[1]["condition"],
        **counts, "unknown": conditions - sum(counts.values()), "untold": silent,
        "q": q, "freedom": max(freedom, 0), "p": None if q is None else float(chi2_sf(q, freedom)),
        "note": "observed under one condition" if q is None else "",
    }  # fmt: skip


def common_edge(cells: pl.DataFrame) -> tuple[float | None, float | None]:
    """Return the edge that the common odds ratio of a row's cells gives, and the dispersion Q of the cells.

    Let x be the share of a cell, n its effective number of independent games, and m the mean of its condition. The
    common log odds ratio d solves sum(n (x - expit(logit m + d))) = 0; it is the maximum likelihood estimate (Agresti
    2013). Means of edges weighted by precision would be drawn towards conditions in which hardly anybody wins, because
    errors are small there.

    Parameters
    ----------
    cells
        Rows of `edges_under`, each with an error above 0.

    Returns
    -------
    The edge at the mean fair share, and Q = sum(n (x - p)^2 / (p (1 - p))), where p is the fitted share. None without
    cells.
    """
    if not cells.height:
        return None, None
    share, mean, fair, error = (cells[name].to_numpy() for name in ("win_rate", "mean_share", "fair", "error"))
    games = (fair * (1 - fair)) ** 2 / (mean * (1 - mean) * error**2)

    def surplus(ratio: float) -> float:
        return float((games * (share - expit(logit(mean) + ratio))).sum())

    never, always = surplus(-MAX_RATIO) <= 0, surplus(MAX_RATIO) >= 0
    ratio = -MAX_RATIO if never else MAX_RATIO if always else find_root(surplus, -MAX_RATIO, MAX_RATIO)
    promised, middle = expit(logit(mean) + ratio), float((games * fair).sum() / games.sum())
    squares = games * (share - promised) ** 2 / (promised * (1 - promised))
    return float(expit(logit(middle) + ratio)) - middle, float(squares.sum())


def over_all(counts: dict[str, int], conditions: int) -> str:
    """Return the verdict on a row over all conditions that have enough data, from the counts of its verdicts."""
    if not conditions:
        return CANNOT_TELL
    words = [word for word, many in counts.items() if many]
    if len(words) == 1:
        return words[0] if counts[words[0]] == conditions else f"{words[0]} under some"
    if counts["strong"] and counts["weak"]:
        return "flips"
    return "depends" if words else "undecided"


FIRST, SECOND = "first wins more", "second wins more"
"""Flags of a pair. The word "weak" would read as a verdict on a faction."""


def find_pairs(frame: pl.DataFrame, factions: Sequence[Faction], paired: str, alike: str) -> list[dict[str, Any]]:
    """Return a row for every two factions that differ in the attribute `paired` and agree in the attribute `alike`."""
    shares = {row["level"]: row for row in frame.to_dicts()}
    groups: dict[str, list[Faction]] = {}
    for faction in factions:
        if faction.name in shares and {paired, alike} <= faction.attributes.keys():
            groups.setdefault(str(faction.attributes[alike]), []).append(faction)
    found = []
    for name, members in groups.items():
        for one, two in combinations(members, 2):
            values = [str(faction.attributes[paired]) for faction in (one, two)]
            if values[0] != values[1]:
                first, second = shares[one.name], shares[two.name]
                row = {"pair": name, "first": values[0], "second": values[1]}
                for place, share in (("first", first), ("second", second)):
                    row |= {f"{place}_{key}": share[key] for key in ("edge", "error", "blocks", "mean_score")}
                    row |= {f"{place}_share": share["win_rate"], f"{place}_faction": share["level"]}
                found.append(row | {"games": first["games"] + second["games"]})
    return found


def compare_pairs(frame: pl.DataFrame, rate: float = ALPHA) -> pl.DataFrame:
    """Add the difference of each pair with its own limits, limits for all pairs, and a test.

    The two factions of a pair share no block, so their variances add up. Degrees of freedom are by Satterthwaite. The
    test takes both variances about the mean edge of the pair, as a score test does (see `win_rate.score_test`).

    Returns
    -------
    The frame with `difference`, `difference_low`, `difference_high`, `family_low`, `family_high`, `score_difference`,
    `p` (Holm), `flag` and `note`, largest difference first.
    """
    numbers = frame.with_columns(pl.col("^(first|second)_(edge|error|blocks)$").cast(pl.Float64).fill_null(np.nan))
    edge, error, blocks = (
        np.stack([numbers[f"first_{name}"].to_numpy(), numbers[f"second_{name}"].to_numpy()])
        for name in ("edge", "error", "blocks")
    )
    difference, variance = edge[0] - edge[1], error**2
    with np.errstate(divide="ignore", invalid="ignore"):
        total = blank_zero(np.sqrt(variance.sum(axis=0)))
        freedom = total**4 / (variance**2 / (blocks - 1)).sum(axis=0)
        middle = (edge * blocks).sum(axis=0) / blocks.sum(axis=0)
        null = (variance * (blocks - 1) / blocks + (edge - middle) ** 2 / blocks).sum(axis=0)
        p = holm(np.where(np.isfinite(total), 2 * t_sf(np.abs(difference) / np.sqrt(null), freedom), np.nan))
        own, family = (
            t_ppf(level, freedom) * total for level in (1 - ALPHA / 2, family_probability(frame.height, rate))
        )
    sure = (p < rate) & (np.abs(difference) > family)
    flag = np.where(sure, np.where(difference > 0, FIRST, SECOND), "")
    note = np.where(np.isfinite(total), "", "too few blocks")
    limits = {"difference_low": difference - own, "difference_high": difference + own}
    limits |= {"family_low": difference - family, "family_high": difference + family}
    scores = pl.col("first_mean_score") - pl.col("second_mean_score")
    return frame.with_columns(
        *known({"difference": difference, **limits, "p": p}),
        scores.alias("score_difference"),
        pl.Series("flag", flag.astype(str)),
        pl.Series("note", note.astype(str)),
    ).sort("difference", "pair", descending=[True, False])


# ---- Each player left out in turn ----


NUMBERS = ("kept_edge", "kept_low", "kept_high", *WITHOUT)
NAMES = ("without_low_player", "without_high_player")


def with_players_left_out(
    frame: pl.DataFrame, cells: pl.DataFrame | None, strategies: pl.DataFrame, hopeless: Sequence[str], tests: float
) -> pl.DataFrame:
    """Add to each row its edge without hopeless players, and the range of its edge if each other player is left out.

    Leaving out a strategy drops those seat-games of the row that the strategy played. The other seat-games remain, at
    the same tables. Each is compared with the mean of its own strategy: edge = sum_s g_s (x_s - m_s) / sum_s g_s over
    the remaining strategies s. Here g_s and x_s are the seat-games and win rate of the row under s, and m_s is the win
    rate of s. The strategy that is left out still sits at the tables as an opponent.

    Parameters
    ----------
    frame
        Rows of a table of win rates, with `level`, `blocks` and `error`.
    cells
        The table crossed with the strategies: `level`, `strategy`, `games`, `blocks`, `edge`, `error`. None if there is
        no such table.
    strategies
        Win rates by strategy: `level` and `error`.
    hopeless
        Strategies that are always left out.
    tests
        Number of tests that share the error rate, the same as for the limits over all players.

    Returns
    -------
    The frame with:
    `kept_edge`, `kept_low` and `kept_high`: the edge over all strategies that are not hopeless, with limits that hold
    for all rows at once;
    `without_low` and `without_high`: the lowest and the highest edge with one of these strategies left out;
    `without_low_player` and `without_high_player`: the strategies whose omission gives those two edges (empty if only
    one strategy is not hopeless);
    `without_low_limit` and `without_high_limit`: the lowest lower limit and the highest upper limit of all these edges,
    and of `kept_edge`. A claim is made for every omission only if it holds for the whole range between these two
    (Berger 1982);
    `without_low_upper` and `without_high_lower`: the upper limit of the lowest edge and the lower limit of the highest
    edge. The true edges certainly range from at most the first to at least the second.
    All are null without `cells`.
    """
    empty = [pl.lit(None, pl.Float64).alias(name) for name in NUMBERS]
    empty += [pl.lit(None, pl.String).alias(name) for name in NAMES]
    if cells is None:
        return frame.with_columns(empty)
    levels = frame["level"].to_list()
    names = [name for name in strategies["level"].to_list() if name not in hopeless]
    games, edge, error, _ = grids(cells, strategies, levels, names)
    parts = [list(range(len(names)))]
    parts += [[other for other in parts[0] if other != one] for one in parts[0]] if len(names) > 1 else []
    t = t_quantile(frame["blocks"].cast(pl.Float64).to_numpy(), family_probability(tests))
    wider = shared_luck(frame, *grids(cells, strategies, levels, strategies["level"].to_list()))
    found, low, high = (np.empty((len(parts), len(levels))) for _ in range(3))
    for place, part in enumerate(parts):
        found[place], spread = mean_over(games[:, part], edge[:, part], error[:, part])
        with np.errstate(invalid="ignore"):  # rows that occur in only one block have no limits
            low[place], high[place] = found[place] - t * wider * spread, found[place] + t * wider * spread
    one_less, upper, lower = (ends[1:] if len(parts) > 1 else ends for ends in (found, high, low))
    ends = {"without_low": one_less.argmin(axis=0), "without_high": one_less.argmax(axis=0)}
    values = {
        "kept_edge": found[0], "kept_low": low[0], "kept_high": high[0],
        **{name: np.take_along_axis(one_less, place[None], axis=0)[0] for name, place in ends.items()},
        "without_low_limit": low.min(axis=0), "without_high_limit": high.max(axis=0),
        "without_low_upper": np.take_along_axis(upper, ends["without_low"][None], axis=0)[0],
        "without_high_lower": np.take_along_axis(lower, ends["without_high"][None], axis=0)[0],
    }  # fmt: skip
    who = [*names] if len(parts) > 1 else [""]
    players = [pl.Series(f"{name}_player", [who[i] for i in place], dtype=pl.String) for name, place in ends.items()]
    return frame.with_columns(*known(values), *players)


def grids(
    cells: pl.DataFrame, strategies: pl.DataFrame, levels: list[str], names: list[str]
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return seat-games, edges against the strategy's mean, their errors, and blocks; shape (levels, strategies)."""
    facts = ("games", "blocks", "edge", "error")
    games, blocks, edge, own = (cells[name].cast(pl.Float64).fill_null(0.0).to_numpy() for name in facts)
    joined = cells.join(
        strategies.select(pl.col("level").alias("strategy"), pl.col("error").alias("total")), on="strategy",
        how="left", maintain_order="left",
    )  # fmt: skip
    total = joined["total"].cast(pl.Float64).fill_null(0.0).to_numpy()
    condition = cells["strategy"].rank("dense").to_numpy().astype(np.int64) - 1
    error = centred_error(steady_error(own, blocks, games, games**2 / blocks), games, condition, total)
    edge = edge - condition_means(edge, games, condition)
    row: NDArray[np.int64] = cells["level"].replace_strict(levels, range(len(levels)), default=-1).to_numpy()
    column = cells["strategy"].replace_strict(names, range(len(names)), default=-1).to_numpy()
    inside = (row >= 0) & (column >= 0)
    found = []
    for values in (games, edge, error, blocks):
        grid = np.zeros((len(levels), len(names)))
        grid[row[inside], column[inside]] = values[inside]
        found.append(grid)
    return found[0], found[1], found[2], found[3]


def shared_luck(frame: pl.DataFrame, games: Floats, edge: Floats, error: Floats, blocks: Floats) -> Floats:
    """Return the factor by which the errors of rows grow because their cells share blocks; shape (levels,), at least 1.

    A faction has one strategy in a block. A seat has all strategies of the block in turn, on the same deal, so its
    cells share luck. The error of the whole row shows that luck. Arguments other than `frame` are from `grids`, for all
    strategies.
    """
    whole = frame["error"].cast(pl.Float64).fill_null(np.nan).to_numpy()
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = whole / mean_over(games, edge, error)[1]
    shared = blocks.sum(axis=1) > frame["blocks"].to_numpy()
    return np.where(shared & (ratio > 1), ratio, 1.0)


def mean_over(games: Floats, edge: Floats, error: Floats) -> tuple[Floats, Floats]:
    """Return the mean edge of each row over strategies, weighted by seat-games, and its standard error.

    The errors under different strategies count as independent; `shared_luck` corrects for the blocks that they share.
    NaN for a row without games.
    """
    total = games.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = games / total[:, None]
    return (weight * edge).sum(axis=1), np.sqrt((weight**2 * error**2).sum(axis=1))
