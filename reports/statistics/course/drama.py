"""Drama: each seat's chance to win after each round, when games are decided, comebacks, runaway leaders, kingmaking.

The chances come from a conditional logit model (McFadden 1974) for each round. Its features are the seat's score
relative to the other seats of the game, and strategy, faction and seat. The model is fitted on the even blocks and
applied to the odd blocks, so no model forecasts a game on which it was fitted. Drama and lead changes are those of
Browne and Maire (2010). `docs/statistics.md` lists the sources.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.statistics.core.jackknife import MIN_BLOCKS, Jackknifed, block_groups, jackknife, t_reach
from reports.statistics.core.win_rate import ALPHA, ROUNDING, Floats, family_probability, luck_interval
from reports.statistics.course.endings import block_ratio, sums_of_blocks
from sim.runs.histories import Histories

SURE = 0.9
"""A game counts as decided if the winner's chance is at least this."""
BEHIND = 0.5
"""A winner counts as having come back if their chance was once below this fraction of their fair share."""
LOST = 0.05
"""A seat counts as lost if its chance to win is below this."""
QUARTERS = (0.25, 0.5, 0.75)
"""Leads are measured after these fractions of a game of median length."""
LEAST_GAMES = 200
"""Minimum number of games for a fit. Rounds that fewer games reach are fitted together."""
RIDGE = 1.0
"""Penalty on squared coefficients of standardised features. It matters only where there are few games."""
PRECISE = 1e-4
"""A fit ends when no coefficient changes by more than this."""
NEWTON_STEPS = 30
GROUPS = 20
"""Maximum number of groups of blocks for the jackknife."""
BINS = (0.0, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 1.0)
"""Limits of the ranges into which forecasts are grouped. Each range is compared with the results."""
HALF = ALPHA / 2
"""Error rate of the sentences on leads, and error rate of the sentences that compare conditions."""
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Chances:
    """Forecasts for the games of the odd blocks.

    `games` are the indices of the games in the histories. `chance`, shape (games, rounds + 1, seats), has each seat's
    chance to win before the game and after each round; rounds after the end of a game hold the result. `fitted` are the
    coefficients of the model for the start of the game, then those for each group of rounds.
    """

    games: Integers
    chance: Floats
    fitted: tuple[Floats, ...] = ()


def fixed_features(histories: Histories) -> Floats:
    """Return the features that stay the same in a game: strategy, faction and seat; shape (games, seats, features)."""
    columns = []
    seats = np.broadcast_to(np.arange(histories.wins.shape[1]), histories.wins.shape)
    for codes in (histories.strategy, histories.faction, seats):
        levels = np.unique(codes)
        columns += [codes == level for level in levels[1:]]
    if not columns:
        return np.zeros((*histories.wins.shape, 0))
    found = np.stack(columns, axis=-1).astype(np.float64)
    return np.asarray(found - found.mean(axis=1, keepdims=True))


def fit_logit(features: Floats, wins: Floats, start: Floats | None = None) -> Floats:
    """Return the coefficients of a conditional logit model by Newton's method.

    Parameters
    ----------
    features
        Shape (games, seats, features).
    wins
        Each seat's share of the win, shape (games, seats).
    start
        Coefficients with which to begin; zeros by default.
    """
    beta = np.zeros(features.shape[2]) if start is None else start
    rows = features.reshape(-1, len(beta))
    for _ in range(NEWTON_STEPS):
        chance = chances_by(features, beta)
        weighted = features * chance[:, :, None]
        slope = (wins - chance).ravel() @ rows - RIDGE * beta
        mean = weighted.sum(axis=1)
        curve = weighted.reshape(rows.shape).T @ rows - mean.T @ mean
        step = np.linalg.solve(curve + RIDGE * np.eye(len(beta)), slope)
        beta = beta + step * min(1.0, 3.0 / max(float(np.abs(step).max(initial=0.0)), ROUNDING))
        if np.abs(step).max(initial=0.0) < PRECISE:
            break
    return beta


def chances_by(features: Floats, beta: Floats) -> Floats:
    """Return each seat's chance to win by a conditional logit with the coefficients `beta`, shape (games, seats)."""
    worth = features @ beta
    grown = np.exp(worth - worth.max(axis=1, keepdims=True))
    return np.asarray(grown / grown.sum(axis=1, keepdims=True))


def chances_by_round(histories: Histories, start: Sequence[Floats] = ()) -> Chances:
    """Fit the model on the even blocks, and return the chances after each round of the games in the odd blocks.

    `start` are coefficients of an earlier fit, with which to begin.
    """
    learns = histories.block % 2 == 0
    fixed = fixed_features(histories)
    judged = np.flatnonzero(~learns)
    most = int(histories.moments.max(initial=0))
    chance = np.repeat(histories.wins[judged][:, None, :], most + 1, axis=1)
    groups = groups_of_rounds(histories.moments[learns], most)
    starts = start if len(start) == len(groups) + 1 else [None] * (len(groups) + 1)
    fitted = [fit_logit(fixed[learns], histories.wins[learns], starts[0])]
    chance[:, 0] = chances_by(fixed[judged], fitted[0])
    for (first, behind), begin in zip(groups, starts[1:], strict=True):
        at = [(np.flatnonzero(histories.moments > moment), moment) for moment in range(first, behind)]
        game = np.concatenate([games for games, _ in at])
        moment = np.concatenate([np.full(len(games), number) for games, number in at])
        scores = histories.scores[game, moment].astype(np.float64)
        scores -= scores.mean(axis=1, keepdims=True)
        features = np.concatenate([scores[:, :, None], fixed[game]], axis=2)
        own = learns[game]
        features[:, :, 0] /= max(float(features[own][:, :, 0].std()), ROUNDING)
        fitted.append(fit_logit(features[own], histories.wins[game[own]], begin))
        place = np.searchsorted(judged, game[~own])
        chance[place, moment[~own] + 1] = chances_by(features[~own], fitted[-1])
    return Chances(judged, chance, tuple(fitted))


def without(histories: Histories, left_out: NDArray[np.bool_]) -> Histories:
    """Return the histories without the games that `left_out` marks."""
    return Histories(**{name: values[~left_out] for name, values in vars(histories).items()})


def groups_of_rounds(moments: Integers, most: int) -> list[tuple[int, int]]:
    """Return the ranges of rounds that are fitted together, each as its first round and the round after its last one.

    `moments` is the number of rounds of each game, `most` the number of rounds to divide. From the last round
    backwards, rounds are merged until a range has `LEAST_GAMES` games, counting a game once for each round.
    """
    reached = [int((moments > moment).sum()) for moment in range(most)]
    groups, behind = list[tuple[int, int]](), most
    while behind > 0:
        first = behind - 1
        while first > 0 and sum(reached[first:behind]) < LEAST_GAMES:
            first -= 1
        groups.append((first, behind))
        behind = first
    return groups[::-1]


def measures_by_game(histories: Histories, chances: Chances) -> dict[str, Floats]:
    """Return measures of every game for which there are forecasts, each of shape (games,).

    Returns
    -------
    `decided`: the fraction of the game that was played when the later winner's chance rose to `SURE` for good; 1 if it
    never did before the end;
    `open`: whether the chance never rose to `SURE` for good before the end;
    `comeback`: whether the winner's chance was once below `BEHIND` times the fair share;
    `drama`: the mean over rounds of the square root of the gap between the best chance and the winner's chance (Browne
    and Maire 2010);
    `favourites`: how often another seat became the favourite.
    """
    games, seats = chances.games, histories.wins.shape[1]
    wins, ends = histories.wins[games], histories.moments[games]
    of_winner = (chances.chance * (wins > 0)[:, None, :]).sum(axis=2)
    running = np.arange(chances.chance.shape[1])[None, :] <= ends[:, None]
    below = running & (of_winner < SURE)
    last = np.where(below.any(axis=1), below.shape[1] - 1 - below[:, ::-1].argmax(axis=1), -1)
    decided = (last + 1) / (ends + 1)
    best = chances.chance.max(axis=2)
    rounds = running.copy()
    rounds[:, 0] = False
    gap = np.where(rounds, np.sqrt(np.maximum(best - of_winner, 0.0)), 0.0)
    lowest = np.where(rounds, of_winner, 1.0).min(axis=1)
    favourite = chances.chance.argmax(axis=2)
    after = np.take_along_axis(favourite, np.minimum(np.arange(1, favourite.shape[1])[None, :], ends[:, None]), axis=1)
    changes = (np.diff(after, axis=1) != 0).sum(axis=1) if after.shape[1] else np.zeros(len(games))
    final = wins.argmax(axis=1)
    lead_at_end = after[:, -1] if after.shape[1] else favourite[:, 0]
    changes = changes + ((final != lead_at_end) & (wins[np.arange(len(games)), lead_at_end] == 0))
    return {
        "decided": decided,
        "open": (decided >= 1).astype(np.float64),
        "comeback": (lowest < BEHIND / seats).astype(np.float64),
        "drama": gap.sum(axis=1) / np.maximum(ends, 1),
        "favourites": changes.astype(np.float64),
    }


def block_mean(values: Floats, blocks: Integers) -> tuple[float, float, float]:
    """Return a mean over rows with its 95 % limits, by blocks; the limits are NaN if there is one block."""
    _, place = np.unique(blocks, return_inverse=True)
    sums = sums_of_blocks(np.bincount(place, values), np.bincount(place))
    mean, error, count = block_ratio(sums)
    low, high = luck_interval(*(np.array([value]) for value in (mean, error, count, sums.largest / sums.n * count)))
    return mean, float(low[0]), float(high[0])


MEASURES = {"decided": True, "open": True, "comeback": True, "drama": False, "favourites": False}
"""Measures of a game, and whether the measure lies between 0 and 1."""


def mean_measures(histories: Histories, chances: Chances) -> Floats:
    """Return the means of `MEASURES` over the games for which there are forecasts."""
    return np.array([values.mean() for values in measures_by_game(histories, chances).values()])


def jackknifed_measures(histories: Histories, chances: Chances) -> Jackknifed:
    """Return the means of `MEASURES` with errors that include the luck of fitting the model.

    Groups of blocks, each with even and odd blocks, are left out in turn. The model is refitted each time.
    """
    group, groups = block_groups(histories.block, GROUPS, together=2)
    rests = [without(histories, group == number) for number in range(groups)]
    others = np.array([mean_measures(rest, chances_by_round(rest, chances.fitted)) for rest in rests])
    return jackknife(mean_measures(histories, chances), others)


def measures_frame(names: Sequence[str], all_histories: Sequence[Histories], found: Sequence[Chances]) -> pl.DataFrame:
    """Return a row for each condition, with the means of `MEASURES`.

    Returns
    -------
    `condition`; `games`, the number of games for which there are forecasts; each measure with `_error`, `_low` and
    `_high`; and `groups`, the number of groups of the jackknife.
    """
    rows = []
    for name, histories, chances in zip(names, all_histories, found, strict=True):
        row: dict[str, object] = {"condition": name, "games": len(chances.games)}
        spread = jackknifed_measures(histories, chances)
        means = mean_measures(histories, chances).tolist()
        for (measure, is_share), mean, error in zip(MEASURES.items(), means, spread.error.tolist(), strict=True):
            low, high = limits_of_mean(mean, error, spread.groups, len(chances.games) if is_share else None)
            row |= {measure: mean, f"{measure}_error": error, f"{measure}_low": low, f"{measure}_high": high}
        rows.append(row | {"groups": spread.groups})
    return pl.DataFrame(rows)


def limits_of_mean(mean: float, error: float, groups: int, games: int | None) -> tuple[float, float]:
    """Return 95 % limits of a jackknifed mean.

    `games` is the number of games if the mean is a share, else None. If nothing varies, each of these games is a trial.
    """
    if games is not None:
        trials = groups if error > ROUNDING else games
        low, high = luck_interval(*(np.array([float(value)]) for value in (mean, error, trials, 1.0)))
        return float(low[0]), float(high[0])
    reach = t_reach(groups, 1 - ALPHA / 2) * error
    return mean - reach, mean + reach


COMPARED = ("decided", "comeback")
"""Measures by which conditions are compared."""


def condition_differences(frame: pl.DataFrame, rate: float = HALF) -> pl.DataFrame:
    """Compare every condition with the first condition, by the measures of `COMPARED`.

    Limits hold for all rows at once (Sidak). Conditions count as independent. If they share deals, the limits are
    conservative.

    Returns
    -------
    `condition`, `measure`, `difference`, `family_low`, `family_high`, `flag` ("more", "less" or "").
    """
    base, *others = frame.to_dicts()
    rows = []
    level = family_probability(max(1, len(others) * len(COMPARED)), rate)
    for row in others:
        for measure in COMPARED:
            error = float(np.hypot(base[f"{measure}_error"], row[f"{measure}_error"]))
            reach = t_reach(min(base["groups"], row["groups"]), level) * error
            gap = row[measure] - base[measure]
            flag = "" if not error or abs(gap) <= reach else "more" if gap > 0 else "less"
            rows.append({"condition": row["condition"], "measure": measure, "difference": gap,
                         "family_low": gap - reach, "family_high": gap + reach, "flag": flag})  # fmt: skip
    schema = dict.fromkeys(("condition", "measure"), pl.String) | dict.fromkeys(
        ("difference", "family_low", "family_high"), pl.Float64
    )
    return pl.DataFrame(rows, schema=schema | {"flag": pl.String})


# ---- Runaway leaders ----


def lead_slopes(names: Sequence[str], all_histories: Sequence[Histories]) -> pl.DataFrame:
    """Return how leads grow: how many points a seat gains for each point of its lead.

    The lead of a seat is measured after a quarter, half and three quarters of a game of median length. The points that
    the seat gains from then to the next of these rounds, or to the end, are regressed on its lead. Both are relative to
    the mean of all seats of the game. Strategy, faction and seat are held fixed (Frisch and Waugh 1933). Errors are by
    a jackknife over blocks. A stretch of rounds is left out if it has fewer than `MIN_BLOCKS` blocks.

    Returns
    -------
    `condition`; `after` and `until`, the rounds at which the stretch begins and ends (`until` is null for the end of
    the game); `games`; `slope` with 95 % limits `low` and `high`, and limits `family_low` and `family_high` for all
    rows at once; `flag` ("grows", "shrinks" or "").
    """
    rows = []
    for name, histories in zip(names, all_histories, strict=True):
        length = float(np.median(histories.moments)) + 1
        stops = sorted({round(part * length) for part in QUARTERS} & set(range(1, round(length))))
        fixed = fixed_features(histories)
        for after, until in zip(stops, [*stops[1:], None], strict=True):
            running = np.flatnonzero(histories.moments >= after)
            if len(np.unique(histories.block[running])) < MIN_BLOCKS:
                continue
            then = histories.scores[running, after - 1].astype(np.float64)
            later = histories.scores[running, -1 if until is None else min(until - 1, histories.scores.shape[1] - 1)]
            slope, error, blocks = lead_slope(then, later - then, fixed[running], histories.block[running])
            stretch = {"condition": name, "after": after, "until": until, "games": len(running)}
            rows.append((stretch, slope, error, blocks))
    names_of = ("slope", "low", "high", "family_low", "family_high")
    schema = {"condition": pl.String, "after": pl.Int64, "until": pl.Int64, "games": pl.Int64}
    level = family_probability(max(1, len(rows)), HALF)
    found = []
    for stretch, slope, error, blocks in rows:
        single, every = (t_reach(blocks, q) * error for q in (1 - ALPHA / 2, level))
        flag = "" if not error or abs(slope) <= every else "grows" if slope > 0 else "shrinks"
        values = (slope, slope - single, slope + single, slope - every, slope + every)
        found.append(stretch | dict(zip(names_of, values, strict=True)) | {"flag": flag})
    return pl.DataFrame(found, schema=schema | dict.fromkeys(names_of, pl.Float64) | {"flag": pl.String})


def lead_slope(x: Floats, y: Floats, fixed: Floats, blocks: Integers) -> tuple[float, float, int]:
    """Return the slope of y on x, both relative to the mean of the game's seats, with the features `fixed` held fixed.

    Returns the slope, its error, and the number of blocks.

    Parameters
    ----------
    x, y
        Shape (games, seats).
    fixed
        Shape (games, seats, features).
    """
    x, y = (values - values.mean(axis=1, keepdims=True) for values in (x, y))
    design = fixed.reshape(-1, fixed.shape[2])
    if design.shape[1]:
        rest = [values.ravel() - design @ np.linalg.lstsq(design, values.ravel(), rcond=None)[0] for values in (x, y)]
        x, y = (values.reshape(x.shape) for values in rest)
    square = float((x**2).sum())
    place, count = block_groups(blocks, len(blocks))
    if square < ROUNDING:
        return 0.0, 0.0, count
    products, squares = (np.bincount(place, (x * values).sum(axis=1)) for values in (y, x))
    slope = float(products.sum()) / square
    # Leave out one block at a time. This allows for blocks with wide leads, which pull the slope towards themselves.
    others = (products.sum() - products) / np.maximum(square - squares, ROUNDING)
    return slope, float(jackknife(np.array([slope]), others[:, None]).error[0]), count


# ---- Rounds, forecasts and kingmaking ----


def rounds_frame(name: str, histories: Histories, chances: Chances) -> pl.DataFrame:
    """Return how the chances to win develop: a row for the start of the game, and one for each round that was played.

    The columns are `condition`, `after` (number of rounds played), `games` (not ended before), `winner`, `favourite`
    and `decided`. `winner` is the mean chance of the later winner, `favourite` that of the seat with the best chance.
    `decided` is the share of all games, including those that have ended, in which the winner's chance is at least
    `SURE` from then on.
    """
    games = chances.games
    wins, ends = histories.wins[games], histories.moments[games]
    of_winner = (chances.chance * (wins > 0)[:, None, :]).sum(axis=2)
    rows = []
    for moment in range(chances.chance.shape[1]):
        running = ends >= moment
        if not running.any():  # only games of the other half of the deals lasted so long
            break
        later = (of_winner[:, moment:] < SURE) & (np.arange(moment, of_winner.shape[1])[None, :] <= ends[:, None])
        rows.append({
            "condition": name, "after": moment, "games": int(running.sum()),
            "winner": float(of_winner[running, moment].mean()),
            "favourite": float(chances.chance[running, moment].max(axis=1).mean()),
            "decided": float((~later.any(axis=1)).mean()),
        })  # fmt: skip
    return pl.DataFrame(rows)


def reliability(all_histories: Sequence[Histories], found: Sequence[Chances]) -> pl.DataFrame:
    """Compare forecasts with results, by range of forecasts.

    The columns are `forecast` (the range), `seats`, `mean` (the mean forecast), and `won`, the share that won, with
    `low` and `high`.
    """
    parts = []
    for number, (histories, chances) in enumerate(zip(all_histories, found, strict=True)):
        ends = histories.moments[chances.games]
        rounds = np.arange(1, chances.chance.shape[1])
        inside = (rounds[None, :] <= ends[:, None])[:, :, None] & np.ones(chances.chance.shape[2], bool)
        wins = np.broadcast_to(histories.wins[chances.games][:, None, :], inside.shape)
        block = np.broadcast_to(histories.block[chances.games][:, None, None], inside.shape) + (number << 40)
        parts.append([values[inside] for values in (chances.chance[:, 1:], wins, block)])
    chance, won, block = (np.concatenate(values) for values in zip(*parts, strict=True))
    place = np.clip(np.searchsorted(BINS, chance, side="right") - 1, 0, len(BINS) - 2)
    rows = []
    for number, (low, high) in enumerate(itertools.pairwise(BINS)):
        own = place == number
        if own.any():
            share, least, most = block_mean(won[own], block[own])
            rows.append({"forecast": f"{100 * low:g} to {100 * high:g} %", "seats": int(own.sum()),
                         "mean": float(chance[own].mean()), "won": share, "low": least, "high": most})  # fmt: skip
    return pl.DataFrame(rows).with_columns(pl.selectors.float().fill_nan(None))


def lost_seats(histories: Histories, chances: Chances, most: int) -> list[tuple[int, int, int]]:
    """Return seats that can hardly win after three quarters of their game: index of the game, rounds played, seat.

    A game has at most one lost seat: the seat with the lowest chance, if this is below `LOST`. The first `most` of
    these seats are returned.
    """
    found = []
    for place, game in enumerate(chances.games.tolist()):
        moment = round(QUARTERS[-1] * (int(histories.moments[game]) + 1))
        if 1 <= moment <= histories.moments[game]:
            now = chances.chance[place, moment]
            if now.min() < LOST:
                found.append((game, moment, int(now.argmin())))
        if len(found) == most:
            break
    return found


def kingmaking(
    wins: Floats, lost: Sequence[tuple[int, int, int]], blocks: Integers
) -> dict[str, tuple[float, float, float]]:
    """Return how often the winner changes if a game is replayed from one round on, as means with limits.

    Parameters
    ----------
    wins
        From `replay_with_other_choices`, shape (games, 1 + 2 tries, seats): the game itself, the replays with random
        choices, and the replays with different luck.
    lost
        Game, rounds and seat of each replayed game. A win of the lost seat itself is not kingmaking and counts as no
        change.
    blocks
        Block of each replayed game, since games of one deal are not independent.

    Returns
    -------
    "Another opponent" is neither the lost seat nor the winner of the game itself.
    `choices`: of the replays in which the lost seat chooses at random, the share that another opponent wins;
    `any`: the share of games in which another opponent wins at least one of these replays;
    `luck`: of the replays with different luck, the share that another opponent wins.
    """
    tries = wins.shape[1] // 2
    seats = np.array([seat for _, _, seat in lost])
    itself = np.take_along_axis(wins, seats[:, None, None], axis=2)[:, :, 0]
    changed = (np.abs(wins[:, 1:] - wins[:, :1]).sum(axis=2) / 2) * (itself[:, 1:] == 0)
    choices, luck = changed[:, :tries], changed[:, tries:]
    return {
        "choices": block_mean(choices.mean(axis=1), blocks),
        "any": block_mean((choices > 0).any(axis=1).astype(np.float64), blocks),
        "luck": block_mean(luck.mean(axis=1), blocks),
    }
