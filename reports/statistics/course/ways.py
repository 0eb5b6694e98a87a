"""Ways to win: clusters of how seats scored and acted, how often each way wins, and which factions have only one way.

Clusters are found among the winners of the even blocks. Win rates are those of all seats of the odd blocks. Clusters
start from k-means++ (Arthur and Vassilvitskii 2007). They count if they are found again (prediction strength:
Tibshirani and Walther 2005) and if a single normal cloud would not give them (Liu, Hayes, Nobel and Marron 2008). Each
group of columns is divided by its first singular value (Escofier and Pages 1994). The effective number of ways is exp
of the entropy (Hill 1973). `docs/statistics.md` lists the sources.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from warnings import catch_warnings, simplefilter

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.cluster.vq import kmeans2, vq

from reports.data.load import Run, check_company, level_names, player_counts
from reports.data.moments import SUMS, add_block, moments_frame
from reports.formatting import listed
from reports.statistics.core.jackknife import MIN_BLOCKS, block_groups, jackknife
from reports.statistics.core.win_rate import ALPHA, ROUNDING, Floats, exact_limits, known, win_rates
from reports.statistics.course.endings import block_ratio, condition_columns, sums_of_blocks

MOST_ROWS = 400_000
"""Maximum number of seats that are read. They are the first seats of a run."""
MOST_LEARNT = 5_000
"""Maximum number of winners to which the clusters are fitted."""
MOST_WAYS = 8
STRONG = 0.8
"""Minimum prediction strength with which clusters count as found again (Tibshirani and Walther 2005)."""
SMALLEST = 0.02
"""Minimum fraction of the winners that the smallest cluster must have."""
SPLITS, STARTS, CLOUDS, GROUPS = 5, 8, 20, 20
"""Numbers of splits for the prediction strength, starts of each fit, normal clouds, and jackknife groups of blocks."""
LEAST_WINNERS = 200
TOO_FEW = (
    f"Too few games to group their winners: one half of the deals forms the groups, the other judges them. At least "
    f"{2 * LEAST_WINNERS} are needed, of {2 * MIN_BLOCKS} deals or more."
)
ONE_NUMBER = (
    "Seats differ in one number only, so their ways to win cannot be grouped. A game in a Python file can record more: "
    "several `score_parts`, or `measures`."
)
WIN_RATE, ONE_WAY_RATE = 0.6 * ALPHA, 0.4 * ALPHA
"""Error rates: of the sentences on how often ways win, and of the sentences on factions with only one way."""
ONLY = 0.8
"""A faction has only one way if this way certainly brings more than this fraction of its wins."""
NAMED_SECOND = 0.7
"""A way is named after two columns if its excess in the second is at least this fraction of that in the first."""
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Profiles:
    """How the seats of a run scored and what they did.

    Attributes
    ----------
    values
        Points from score parts, and other measures; shape (seats, columns).
    features
        The same values, scaled for clustering; shape (seats, columns).
    columns, parts
        Names of the columns, score parts first; and the number of score parts.
    block, won, fair, faction
        For each seat: block, share of the win, 1 / players, and index of the faction (0 without factions).
    """

    values: Floats
    features: Floats
    columns: tuple[str, ...]
    parts: int
    block: Integers
    won: Floats
    fair: Floats
    faction: Integers


@dataclass(frozen=True)
class Ways:
    """The ways to win in a run.

    Attributes
    ----------
    names
        Name of each way, after the columns in which its winners stand out.
    strength
        Prediction strength with 1, 2, ... ways. The run gets the largest number of ways with a strength of at least
        `STRONG`, if no way is too rare.
    apart
        Whether winners are closer to the centres of their clusters than points of one normal cloud of the same shape
        would be.
    frame
        A row for each way, the most frequent among wins first: `way`, the columns of `win_rates`, `share` (of all
        wins), and `verdict` ("wins more", "wins less" or "").
    means
        `way`, and for each column its mean over the winners of that way. The last row, `all`, has the means over all
        winners.
    effective
        Effective number of ways with 95 % limits.
    factions
        `faction`, `wins`, `ways` (effective number), `main` (its most frequent way), `share` (the fraction of its wins
        that are by its main way) with 95 % limits `low` and `high`, `family_low`, and `only` ("only one" or ""). Empty
        without factions.
    shares
        `faction`, and for each way the share of the faction's wins that are by that way.
    games
        Number of games from which win rates are computed.
    """

    names: tuple[str, ...]
    strength: tuple[float, ...]
    apart: bool
    frame: pl.DataFrame
    means: pl.DataFrame
    effective: tuple[float, float, float]
    factions: pl.DataFrame
    shares: pl.DataFrame
    games: int


def profiles_of(run: Run) -> Profiles:
    """Read the score parts and measures of the seats of a run; games of one player are left out.

    A score part becomes the signed root of its share of the score (Hellinger). A measure becomes a standard score. The
    means of seats with the same number of players and variant are subtracted. The columns of score parts are together
    divided by their first singular value, and so are those of measures (Escofier and Pages 1994).
    """
    manifest = run.manifest
    shared = {*manifest.checkpoints, *manifest.event_rounds, manifest.starting_place,
              *(one.measure for one in manifest.circumstances)}  # fmt: skip
    names = [*manifest.score_parts, *(name for name in manifest.measures if name not in shared)]
    schema = run.seats.collect_schema().names()
    conditions = condition_columns(schema)
    code = pl.col("faction").to_physical() if "faction" in schema else pl.lit(0)
    seats = run.seats.filter(pl.col("players") > 1).head(MOST_ROWS).select(
        "block", pl.col("win").cast(pl.Float64), *conditions, *(pl.col(name).cast(pl.Float64) for name in names),
        code.cast(pl.Int64).alias("code"),
    ).collect()  # fmt: skip
    parts = len(manifest.score_parts)
    values = seats.select(names).to_numpy()
    size = np.abs(values[:, :parts]).sum(axis=1, keepdims=True)
    shares = values[:, :parts] / np.maximum(size, 1.0)
    features = np.hstack([np.sign(shares) * np.sqrt(np.abs(shares)), values[:, parts:]])
    group = seats.select(pl.struct(conditions).rank("dense")).to_series().to_numpy().astype(np.int64)
    for condition in np.unique(group):
        own = group == condition
        features[own] -= features[own].mean(axis=0)
    spread = features.std(axis=0)
    features[:, parts:] /= np.maximum(spread[parts:], ROUNDING)
    varies = spread > 1e-9
    columns = tuple(name for name, own in zip(names, varies, strict=True) if own)
    kept = int(varies[:parts].sum())
    features, values = features[:, varies], values[:, varies]
    for some in (slice(0, kept), slice(kept, None)):
        if features[:, some].shape[1]:
            square = features[:, some].T @ features[:, some] / max(len(features), 1)
            features[:, some] /= np.sqrt(float(np.linalg.eigvalsh(square)[-1]))
    fair = 1 / seats["players"].cast(pl.Float64).to_numpy()
    return Profiles(values, features, columns, kept, seats["block"].cast(pl.Int64).to_numpy(), seats["win"].to_numpy(),
                    fair, seats["code"].to_numpy())  # fmt: skip


def fit_clusters(features: Floats, ways: int, rng: np.random.Generator) -> tuple[Floats, float]:
    """Return the centres of the best of several k-means++ fits, and the sum of squared distances to these centres.

    If there are fewer distinct points than centres, the points are the centres, with the last point repeated.
    """
    best: tuple[Floats, float] | None = None
    apart = np.unique(features, axis=0)
    if len(apart) < ways:
        return apart[np.minimum(np.arange(ways), len(apart) - 1)], 0.0
    for _ in range(STARTS if ways > 1 else 1):
        if ways == 1:
            centres = features.mean(axis=0, keepdims=True)
        else:
            with catch_warnings():
                simplefilter("ignore", UserWarning)  # an empty cluster does no harm: fits from other starts have none
                centres, _ = kmeans2(features, ways, minit="++", rng=rng, iter=30, missing="warn")
        inside = float((vq(features, centres)[1] ** 2).sum())
        if best is None or inside < best[1]:
            best = (centres, inside)
    assert best is not None, "there is at least one start"
    return best


def prediction_strength(features: Floats, blocks: Integers, ways: int, rng: np.random.Generator) -> float:
    """Return how well the clusters of one half of the blocks are found again in the other half; 1 for a single cluster.

    For each cluster of the second half, take the share of its pairs of points that the centres of the first half put
    into one cluster. The result is the smallest of these shares, averaged over splits (Tibshirani and Walther 2005).
    """
    if ways == 1:
        return 1.0
    found = []
    numbers = np.unique(blocks)
    for _ in range(SPLITS):
        first = np.isin(blocks, rng.permutation(numbers)[: len(numbers) // 2])
        centres, _ = fit_clusters(features[first], ways, rng)
        own, _ = fit_clusters(features[~first], ways, rng)
        predicted, label = vq(features[~first], centres)[0], vq(features[~first], own)[0]
        table = np.zeros((ways, ways))
        np.add.at(table, (label, predicted), 1)
        sizes = table.sum(axis=1)
        pairs = (table * (table - 1)).sum(axis=1) / np.maximum(sizes * (sizes - 1), 1)
        found.append(float(np.where(sizes > 1, pairs, 0.0).min()))
    return float(np.mean(found))


def is_apart(features: Floats, ways: int, inside: float, rng: np.random.Generator) -> bool:
    """Tell whether points are closer to their centres than the points of several normal clouds are to theirs.

    Each cloud has the same mean and covariance as the points. The points must be closer than those of every cloud.
    """
    if ways == 1:
        return False
    covariance = np.cov(features.T).reshape(features.shape[1], -1)
    clouds = (rng.multivariate_normal(features.mean(axis=0), covariance, len(features), method="eigh")
              for _ in range(CLOUDS))  # fmt: skip
    return all(fit_clusters(cloud, ways, rng)[1] > inside for cloud in clouds)


def ways_of(run: Run, seed: int = 1) -> Ways | str:
    """Find the ways to win in a run; return a sentence instead if the run does not suffice.

    Raises
    ------
    UserError
        Every game of the run has one player.
    """
    check_company(max(player_counts(run.manifest)), "ways are compared by how often they win")
    profiles = profiles_of(run)
    learns = (profiles.block % 2 == 0) & (profiles.won > 0)
    learnt = np.flatnonzero(learns)[:MOST_LEARNT]
    if len(learnt) < LEAST_WINNERS or len(np.unique(profiles.block[profiles.block % 2 == 1])) < MIN_BLOCKS:
        return TOO_FEW
    if len(profiles.columns) < 2:
        return ONE_NUMBER
    rng = np.random.default_rng(seed)
    features, blocks = profiles.features[learnt], profiles.block[learnt]
    strength, fits = [1.0], {1: fit_clusters(features, 1, rng)}
    for number in range(2, MOST_WAYS + 1):
        fits[number] = fit_clusters(features, number, rng)
        strength.append(prediction_strength(features, blocks, number, rng))
    sizes = {number: np.bincount(vq(features, fit[0])[0], minlength=number) for number, fit in fits.items()}
    chosen = max(number for number in fits
                 if strength[number - 1] >= STRONG and sizes[number].min() >= SMALLEST * len(features))  # fmt: skip
    centres, inside = fits[chosen]
    apart = is_apart(features, chosen, inside, rng)
    names = way_names(profiles, learnt, centres)
    judged = profiles.block % 2 == 1
    way = vq(profiles.features[judged], centres)[0]
    levels = level_names(run.manifest, "faction") if run.manifest.factions else []
    return judged_ways(levels, profiles, judged, way, names, tuple(strength), apart)


def way_names(profiles: Profiles, learnt: Integers, centres: Floats) -> tuple[str, ...]:
    """Name each way by the columns in which its winners most exceed the mean of all winners.

    If several ways would have the same name, each also gets a column that distinguishes it from the others.
    """
    if len(centres) == 1:
        return ("one way",)
    values = profiles.values[learnt]
    label = vq(profiles.features[learnt], centres)[0]
    spread = np.maximum(values.std(axis=0), ROUNDING)
    means = np.array([values[label == number].mean(axis=0) for number in range(len(centres))])
    excess = (means - values.mean(axis=0)) / spread
    # A score part says more about a way than the measures that lead to its points. So measures count for less.
    excess *= np.where(np.arange(excess.shape[1]) < profiles.parts, 1.0, 0.8)
    words = [column.replace("_", " ") for column in profiles.columns]
    chosen = []
    for own in excess:
        first, *rest = np.argsort(-own, kind="stable")[:2]
        chosen.append([first, *(at for at in rest if own[at] >= NAMED_SECOND * own[first] > 0)])
    names = [f"more {listed([words[at] for at in columns])}" for columns in chosen]
    told_apart = list(names)
    for number, name in enumerate(names):
        others = [at for at, other in enumerate(names) if other == name and at != number]
        if others:
            gap = excess[number] - excess[others].mean(axis=0)
            gap[chosen[number]] = 0.0
            most = int(np.abs(gap).argmax())
            told_apart[number] = f"{name}, {'more' if gap[most] > 0 else 'less'} {words[most]}"
    return tuple(name if told_apart.count(name) == 1 else f"{name} ({number + 1})"
                 for number, name in enumerate(told_apart))  # fmt: skip


def judged_ways(
    levels: Sequence[str], profiles: Profiles, judged: NDArray[np.bool_], way: Integers, names: Sequence[str],
    strength: tuple[float, ...] = (), apart: bool = True,
) -> Ways:  # fmt: skip
    """Return how often each way to win wins, over the seats that `judged` marks.

    `way` is the way of each of these seats; `levels` are the names of the factions.
    """
    block, won, fair, faction = (getattr(profiles, one)[judged] for one in ("block", "won", "fair", "faction"))
    count = len(names)
    wins = np.bincount(way, won, count)
    rates = way_rates(way, block, won, fair, count)
    order = np.argsort(-wins, kind="stable")
    frame = rates.with_columns(
        pl.Series("way", list(names)), pl.Series("share", wins / wins.sum()),
        pl.col("flag").replace_strict({"strong": "wins more", "weak": "wins less", "": ""}).alias("verdict"),
    )[order.tolist()]  # fmt: skip
    values = profiles.values[judged]
    weight = won[:, None] * values
    means = [weight[way == at].sum(axis=0) / max(wins[at], ROUNDING) for at in order]
    means.append(weight.sum(axis=0) / won.sum())
    table = pl.DataFrame({"way": [*(names[at] for at in order), "all"]}).hstack(
        pl.DataFrame(np.array(means), list(profiles.columns), orient="row")
    )
    factions, shares = faction_ways(levels, way, block, won, faction, names)
    games = round(float(won.sum()))
    effective = effective_number_of_ways(way, block, won, count)
    return Ways(tuple(names), strength, apart, frame, table, effective, factions, shares, games)


def way_rates(way: Integers, block: Integers, won: Floats, fair: Floats, count: int) -> pl.DataFrame:
    """Return the win rates of the seats that take each way, by blocks.

    The columns are `number` (the index of the way) and those of `win_rates`.
    """
    _, place = np.unique(block, return_inverse=True)
    cell = place * count + way
    sums = [np.bincount(cell, values, (place.max() + 1) * count).reshape(-1, count)
            for values in (np.ones(len(way)), won, fair)]  # fmt: skip
    totals = np.zeros((count, len(SUMS)))
    for number in range(count):
        for n, w, e in zip(*(values[:, number] for values in sums), strict=True):
            if n:
                add_block(totals[number], n, w, e, 0.0, 0.0, 0.0)
    return win_rates(moments_frame({"number": np.arange(count)}, totals), ["number"], WIN_RATE)


def effective_number_of_ways(way: Integers, block: Integers, won: Floats, count: int) -> tuple[float, float, float]:
    """Return exp of the entropy of the shares of wins by way, with 95 % limits by a jackknife over groups of blocks."""
    place, groups = block_groups(block, GROUPS)
    wins = np.zeros((groups, count))
    np.add.at(wins, (place, way), won)
    whole = diversity(wins.sum(axis=0))
    others = np.array([[diversity(wins.sum(axis=0) - own)] for own in wins])
    (reach,) = jackknife(np.array([whole]), others).reach().tolist()
    return whole, max(1.0, whole - reach), min(float(count), whole + reach)


def diversity(wins: Floats) -> float:
    """Return the effective number of ways: exp of Shannon's entropy of the shares of wins (Hill 1973)."""
    share = wins[wins > 0] / wins.sum()
    return float(np.exp(-(share * np.log(share)).sum()))


def faction_ways(
    levels: Sequence[str], way: Integers, block: Integers, won: Floats, faction: Integers, names: Sequence[str]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return in which ways each faction wins, and which factions have only one way; see `Ways`.

    Limits are exact for an effective number of independent wins, which follows from the differences between blocks
    (Korn and Graubard 1998).
    """
    wins = np.zeros((max(len(levels), 1), len(names)))
    np.add.at(wins, (faction, way), won)
    met = [at for at in range(len(levels)) if wins[at].sum() > 0]
    total = wins[met].sum(axis=1)
    main = wins[met].argmax(axis=1) if met else np.zeros(0, np.int64)
    share = wins[met, main] / total if met else np.zeros(0)
    trials = np.array([independent_wins(way[own] == best, block[own], won[own])
                       for at, best in zip(met, main, strict=True) for own in [faction == at]])  # fmt: skip
    low, high = exact_limits(share, trials)
    # The most frequent way is picked after the fact, so every way of every faction counts as a test.
    family_low, _ = exact_limits(share, trials, ONE_WAY_RATE / max(1, len(met) * len(names)))
    only = np.where((family_low > ONLY) & (len(names) > 1), "only one", "")
    factions = pl.DataFrame({
        "faction": [levels[at] for at in met], "wins": np.rint(total).astype(np.int64),
        "ways": [diversity(wins[at]) for at in met], "main": [names[at] for at in main],
    }, schema_overrides={"faction": pl.String, "main": pl.String, "ways": pl.Float64}).with_columns(
        *known({"share": share, "low": low, "high": high, "family_low": family_low}),
        pl.Series("only", only.astype(str), dtype=pl.String),
    ).sort("ways")  # fmt: skip
    parts = wins[met] / total[:, None] if met else np.zeros((0, len(names)))
    shares = pl.DataFrame({"faction": [levels[at] for at in met]}, schema={"faction": pl.String}).hstack(
        pl.DataFrame(parts, list(names), orient="row")
    )
    return factions, shares


def independent_wins(by_it: NDArray[np.bool_], block: Integers, won: Floats) -> float:
    """Return how many independent wins give the share of one way (the seats `by_it`) as precisely as these blocks."""
    _, place = np.unique(block[won > 0], return_inverse=True)
    total = np.bincount(place, won[won > 0])
    part = np.bincount(place, (won * by_it)[won > 0])
    share, error, blocks = block_ratio(sums_of_blocks(part, total))
    return blocks if not error > ROUNDING else min(share * (1 - share) / error**2, float(total.sum()))
