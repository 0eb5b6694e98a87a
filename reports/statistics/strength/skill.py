"""Skill curves: edges of factions on each rung of a ladder, where all seats have the same player, on the same deals.

A ladder is a series of runs, its rungs, from the least to the most skilled player; the last rung is the top. All seats
of a rung play alike, so a win rate is due to the faction and not to the player. Changes between rungs are paired by
deal (`statistics/compare/paired.py`). If one rung has fewer games, all games of the other rung still count.

A faction is underplayed if a player who looks ahead gains more with it than with other factions.

To find such factions, one player looks ahead and the other seats play its base, the same strategy without look-ahead.
The player who looks ahead takes every seat of every deal in turn. Games of the base alone are played on the same deals
and on further deals. All of these deals count, not only the common ones, since such different players hardly share the
luck of a deal. If a faction has an above-average gain, the base plays this faction worse than other factions.

Gains are compared both by odds and in points. A player who is equally better with all factions may multiply the odds of
each by the same factor, or add the same points to each. So nothing is flagged if the two scales disagree. Errors are by
a grouped jackknife (Shao and Tu 1995, ch. 2), and odds are made finite as by Anscombe (1956). `docs/statistics.md`
lists the sources.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import polars as pl
from scipy.special import expit

from reports.data.cells import count_cells
from reports.data.load import Run
from reports.statistics.compare.paired import changes_by_level
from reports.statistics.compare.robustness import edges_under
from reports.statistics.core.balance import MARGIN, balance_of
from reports.statistics.core.groupings import GroupedShares, grouped_shares, useful_attributes, with_column
from reports.statistics.core.jackknife import MIN_BLOCKS, jackknife
from reports.statistics.core.win_rate import ALPHA, MIN_WINS, Floats, known, one_family
from reports.statistics.distributions import t_ppf, t_sf
from sim.runs.store.verify import reading

MAY_DIFFER = ("lineup",)
"""Manifest fields in which the runs of different rungs may differ although they are on the same deals."""
SIDES = ("strong", "weak")
JUDGED = ("low", "high", "p")
"""Columns of a change that depend on its error."""

CourseName = Literal["holds", "flips", "fades", "open", "shows", "depends", "fair", "undecided"]
"""How a row's balance changes from the best rung without look-ahead to the top; see `course_of`."""


@dataclass(frozen=True)
class SkillCurve:
    """One table of a report, on every rung of a ladder.

    Attributes
    ----------
    name, noun
        As in `model.Table`.
    rungs
        Names of the rungs, the least skilled first.
    scripted
        The highest rung without look-ahead, leaving out the top rung. If all other rungs look ahead, the second-highest
        rung.
    curve
        One row per row of the table and rung: `level`, `rung`, `games`, `blocks`, `win_rate` with `low` and `high`,
        `fair`, `edge` with `edge_low` and `edge_high` (limits for all rows and rungs at once), `verdict` ("strong",
        "weak", "fair", "undecided" or "cannot tell").
    steps
        Change of each row from each rung (`below`) to the next (`rung`): `level`, `below`, `rung`, `blocks`, `change`,
        `low`, `high`, `p`, and the columns of `win_rate.one_family` (over all rows of `steps` and `whole`).
    whole
        Change of each row from the scripted rung to the top, with the same columns.
    courses
        One row per row of the table, sorted by the edge on the top rung, the largest first:
        `level`, and `course` as in `course_of`;
        `was` and `is`, the verdicts on the scripted rung and at the top;
        `edge_was`, the edge on the scripted rung; `edge` with `edge_low` and `edge_high`, the edge at the top;
        `change` with `low`, `high` and the columns of `win_rate.one_family`;
        `strong_at` and `weak_at`, the rungs with these verdicts, separated by commas.
    widths
        For each rung: `rung`, `games`, `mean_score`, `spread` with `spread_low` and `spread_high` (see
        `balance.balance_of`), `strong` and `weak` (numbers of rows with these verdicts).
    """

    name: str
    noun: str
    rungs: tuple[str, ...]
    scripted: str
    curve: pl.DataFrame
    steps: pl.DataFrame
    whole: pl.DataFrame
    courses: pl.DataFrame
    widths: pl.DataFrame

    @property
    def top(self) -> str:
        """The highest rung."""
        return self.rungs[-1]


def skill_curves(rungs: Mapping[str, Run], margin: float = MARGIN) -> dict[str, SkillCurve]:
    """Return the curves of factions, their attributes, seats and starting places.

    Parameters
    ----------
    rungs
        Runs by name of the rung, the least skilled first. All are on the same deals; each has one strategy in all
        seats.

    Raises
    ------
    UserError
        Two rungs do not share their deals.
    """
    shares: dict[str, dict[str, GroupedShares]] = {}
    for rung, run in rungs.items():
        with reading(run.folder):
            groups = [one for one in grouped_shares(run) if len(one.keys) == 1]
            shares[rung] = {one.name: one for one in groups if one.name != "strategy" and one.frame.height > 1}
    names = [name for name in next(iter(shares.values())) if all(name in of for of in shares.values())]
    of_table = {name: {rung: of[name] for rung, of in shares.items()} for name in names}
    return {name: curve_of(name, rungs, of, margin, 2 * len(names)) for name, of in of_table.items()}


def curve_of(
    name: str, rungs: Mapping[str, Run], shares: Mapping[str, GroupedShares], margin: float, families: int = 1
) -> SkillCurve:
    """Return the curve of one table.

    `families` is the number of families that share the error rate. Each table has two: its edges and its changes.
    """
    columns = ("level", "games", "blocks", "win_rate", "low", "high", "edge", "error", "null")
    frame = pl.concat([of.frame.select(pl.lit(rung).alias("rung"), *columns) for rung, of in shares.items()])
    judged = edges_under(frame.rename({"rung": "condition"}), margin, families)
    curve = frame.select("level", "rung", "games", "blocks", "win_rate", "low", "high", pl.col("null").alias("fair"))
    curve = curve.with_columns(judged[column] for column in ("edge", "edge_low", "edge_high", "verdict"))
    order, scripted = tuple(rungs), scripted_top(rungs)
    steps = pl.concat([change(name, rungs, curve, below, rung) for below, rung in pairwise(order)])
    whole = change(name, rungs, curve, scripted, order[-1])
    steps, whole = one_family([steps, whole], ("change", "low", "high", "p"), families=families)
    noun = next(iter(shares.values())).noun
    courses = courses_of(curve, whole, order, scripted)
    widths = pl.DataFrame([width_of(rung, rungs[rung], of.frame, curve) for rung, of in shares.items()])
    return SkillCurve(name, noun, order, scripted, curve, steps, whole, courses, widths)


def change(name: str, rungs: Mapping[str, Run], curve: pl.DataFrame, below: str, rung: str) -> pl.DataFrame:
    """Return the change of every row from `below` to `rung`; limits and p are null if it has few wins or few losses."""
    found = changes_by_level(rungs[below], rungs[rung], name, MAY_DIFFER, every=True)
    wins = pl.col("games") * pl.col("win_rate")
    few = pl.min_horizontal(wins, pl.col("games") - wins) < MIN_WINS
    short = curve.filter(pl.col("rung").is_in([below, rung]) & few)["level"].to_list()
    judged = [pl.when(pl.col("level").is_in(short)).then(None).otherwise(pl.col(one)).alias(one) for one in JUDGED]
    said = (pl.lit(below).alias("below"), pl.lit(rung).alias("rung"))
    return found.with_columns(judged).select("level", *said, pl.exclude("level"))


def width_of(rung: str, run: Run, frame: pl.DataFrame, curve: pl.DataFrame) -> dict[str, Any]:
    """Return the row of `SkillCurve.widths` for one rung; `frame` has the win rates on this rung."""
    balance = balance_of(frame)
    verdicts = curve.filter(pl.col("rung") == rung)["verdict"].to_list()
    scores = frame["games"].to_numpy() * frame["mean_score"].to_numpy()
    return {
        "rung": rung, "games": run.manifest.games, "mean_score": float(scores.sum() / frame["games"].sum()),
        "spread": balance.spread, "spread_low": balance.spread_low, "spread_high": balance.spread_high,
        **{side: verdicts.count(side) for side in SIDES},
    }  # fmt: skip


def scripted_top(rungs: Mapping[str, Run]) -> str:
    """Return the highest rung without look-ahead, leaving out the top rung.

    If all other rungs look ahead, return the second-highest rung.
    """
    below = list(rungs)[:-1]
    plain = [name for name in below if all(row.search is None for row in rungs[name].manifest.strategies)]
    return (plain or below)[-1]


def courses_of(curve: pl.DataFrame, whole: pl.DataFrame, rungs: Sequence[str], scripted: str) -> pl.DataFrame:
    """Return `SkillCurve.courses`: how the balance of each row changes from the rung `scripted` to the top."""
    changes = {str(row["level"]): row for row in whole.to_dicts()}
    rows = []
    for key, part in curve.group_by("level", maintain_order=True):
        level = str(key[0])
        at = {str(row["rung"]): row for row in part.to_dicts()}
        verdicts = {rung: str(at[rung]["verdict"]) if rung in at else "undecided" for rung in rungs}
        top, base = (at.get(rung, {}) for rung in (rungs[-1], scripted))
        change = changes.get(level, {})
        sides = {f"{side}_at": ", ".join(rung for rung, word in verdicts.items() if word == side) for side in SIDES}
        rows.append({
            "level": level, "course": course_of(list(verdicts.values()), verdicts[scripted], verdicts[rungs[-1]]),
            "was": verdicts[scripted], "is": verdicts[rungs[-1]], "edge_was": base.get("edge"),
            **{name: top.get(name) for name in ("edge", "edge_low", "edge_high")},
            **{name: change.get(name) for name in ("change", "low", "high", "p_holm", "family_low", "family_high")},
            "flag": change.get("flag") or "",
            **sides,
        })  # fmt: skip
    numbers = (
        "edge_was", "edge", "edge_low", "edge_high", "change", "low", "high", "p_holm", "family_low", "family_high",
    )  # fmt: skip
    frame = pl.DataFrame(rows, infer_schema_length=None, schema_overrides=dict.fromkeys(numbers, pl.Float64))
    return frame.sort(["edge", "level"], descending=[True, False], nulls_last=True)


def course_of(verdicts: Sequence[str], was: str, now: str) -> CourseName:
    """Classify how the balance of a row changes from the scripted rung to the top.

    Parameters
    ----------
    verdicts
        The row's verdicts on all rungs, in the order of the rungs.
    was, now
        Verdicts on the scripted rung and at the top.

    Returns
    -------
    "holds": out of balance to the same side on both;
    "flips": out of balance on both, but to the other side at the top;
    "fades": out of balance on the scripted rung, balanced at the top;
    "open": out of balance on the scripted rung, with too few games to tell at the top;
    "shows": out of balance at the top only;
    "depends": out of balance on neither of the two, but on other rungs;
    "fair": balanced at the top and out of balance nowhere;
    "undecided": none of these.
    """
    if was in SIDES and now in SIDES:
        return "holds" if was == now else "flips"
    if was in SIDES:
        return "fades" if now == "fair" else "open"
    if now in SIDES:
        return "shows"
    if any(word in SIDES for word in verdicts):
        return "depends"
    return "fair" if now == "fair" else "undecided"


def is_change(row: Mapping[str, Any]) -> bool:
    """Tell whether a change is significant after correction for all rows."""
    return bool(row["flag"])


BATCHES = 400
"""Maximum number of batches of blocks for the jackknife."""
SCALES = {"": ("beyond", "beyond_low", "beyond_high", "p"), "apart_": ("apart", "apart_low", "apart_high", "apart_p")}
"""The columns of each scale: the gain beyond the average, its two limits and p. The keys are prefixes of columns."""
HALF = 0.5
"""Half a win and half a loss are added, so that odds are finite (Anscombe 1956)."""


@dataclass(frozen=True)
class Underplayed:
    """How much a player gains by looking ahead, for each faction.

    Attributes
    ----------
    searcher, base
        Names of the player who looks ahead and of the player who does not.
    blocks
        Number of deals that the searcher played.
    gain, gain_low, gain_high
        Win rate of the searcher minus that of the base, each over the games of all factions together, with 95 % limits;
        NaN if unknown.
    frame
        One row per faction, the most underplayed first:
        `level`, and `games` of the searcher;
        `base_share` and `share`, the win rates of base and searcher;
        `gain` with `gain_low` and `gain_high`;
        `expected`, the win rate that the average gain in odds would bring;
        `beyond` = share - expected, with `beyond_low`, `beyond_high`, `p` and `p_holm`;
        `apart` = gain - average gain in points, with `apart_low`, `apart_high`, `apart_p` and `apart_p_holm`;
        limits that hold for all rows of all tables, `family_low`, `family_high`, `apart_family_low` and
        `apart_family_high`;
        `flag` ("underplayed" or "overplayed" if both scales agree, else "");
        `note`.
    """

    searcher: str
    base: str
    noun: str
    blocks: int
    gain: float
    gain_low: float
    gain_high: float
    frame: pl.DataFrame

    @property
    def levels(self) -> list[str]:
        """Factions that are flagged as underplayed."""
        return list(self.frame.filter(pl.col("flag") == "underplayed")["level"])


def underplayed(alone: Run, mixed: Run, searcher: str) -> list[Underplayed]:
    """Compare how much a player gains by looking ahead, for each faction and for each level of an attribute.

    Parameters
    ----------
    alone
        Run with the base in all seats, on the deals of `mixed` and on further deals.
    mixed
        Run in which one seat looks ahead and the base plays the other seats. Each seat looks ahead in turn.

    Returns
    -------
    One result for each table of which at least two levels are dealt. The list is empty in a game without factions.
    """
    manifest = mixed.manifest
    if not manifest.factions:
        return []
    blocks = min(alone.manifest.blocks, manifest.blocks)
    base = next(row.name for row in manifest.strategies if row.name != searcher)
    tables = {"faction": manifest.faction_title}
    tables |= {name: name for name in useful_attributes(manifest, count_cells(mixed))}
    found = []
    for table, noun in tables.items():
        names = levels_of(mixed, table)
        if len(names) > 1:
            batches = min(blocks, BATCHES)
            seats, key = with_column(mixed, table)
            own = seats.filter(pl.col("strategy").cast(pl.String) == searcher)
            first = sums_by_batch(with_column(alone, table)[0], key, names, batches)
            second = sums_by_batch(own, key, names, batches)
            found.append(compare_gains(first, second, names, (searcher, base, noun), blocks))
    return judge_gains(found)


def judge_gains(found: list[Underplayed]) -> list[Underplayed]:
    """Add limits and flags to all tables. All rows are one family on each scale; a flag needs both scales to agree."""
    frames = [one.frame for one in found]
    for prefix, columns in SCALES.items():
        judged = one_family(frames, columns, max(2, *(min(one.blocks, BATCHES) for one in found))) if found else []
        names = ("p_holm", "family_low", "family_high", "flag")
        frames = [frame.with_columns(one[name].alias(f"{prefix}{name}") for name in names)
                  for frame, one in zip(frames, judged, strict=True)]  # fmt: skip
    flags = pl.when(pl.col("flag") == pl.col("apart_flag")).then("flag").otherwise(pl.lit(""))
    flags = flags.replace({"strong": "underplayed", "weak": "overplayed"}).alias("flag")
    return [replace(one, frame=frame.with_columns(flags)) for one, frame in zip(found, frames, strict=True)]


def levels_of(run: Run, table: str) -> list[str]:
    """Return the factions that were dealt in a run, or the levels of an attribute of these factions."""
    rows = [row for row in run.manifest.factions if row.name in run.manifest.factions_dealt]
    return list(dict.fromkeys(row.name if table == "faction" else str(row.attributes[table]) for row in rows))


def sums_by_batch(seats: pl.LazyFrame, key: str, names: list[str], batches: int) -> Floats:
    """Return the seat-games and wins of each level in each batch of blocks, shape (batches, levels, 2).

    A deal is in the same batch in every run, so that leaving out a batch removes the luck of its deals from both runs.
    """
    batch = (pl.col("block").cast(pl.Int64) % batches).alias("batch")
    summed = (
        seats.group_by(batch, pl.col(key).cast(pl.String))
        .agg(games=pl.len().cast(pl.Float64), wins=pl.col("win").cast(pl.Float64).sum())
        .collect()
    )
    found = np.zeros((batches, len(names), 2))
    place = summed[key].replace_strict(names, list(range(len(names))), return_dtype=pl.Int64).to_numpy()
    found[summed["batch"].to_numpy(), place] = summed.select("games", "wins").to_numpy()
    return found


def compare_gains(
    first: Floats, second: Floats, names: list[str], said: tuple[str, str, str], blocks: int
) -> Underplayed:
    """Compare the gains of all factions, with jackknife errors over batches.

    Parameters
    ----------
    first, second
        Sums of the base alone, and of the player who looks ahead, from `sums_by_batch`.
    said
        Names of the player who looks ahead and of the base, and the word for a faction.
    """
    whole = gain_figures(first.sum(axis=0), second.sum(axis=0))
    left = gain_figures(first.sum(axis=0) - first, second.sum(axis=0) - second)
    half = np.where(blocks < MIN_BLOCKS, np.nan, jackknife(whole, left.swapaxes(0, 1)).reach())
    gain, spread = float(whole[2, -1]), float(half[2, -1])
    games, wins = second.sum(axis=0).T
    few = np.minimum(wins, games - wins) < MIN_WINS
    whole, half = whole[:, :-1], np.where(few | ~(half[:, :-1] > 0), np.nan, half[:, :-1])
    columns = dict(zip(("base_share", "share", "gain", "expected", "beyond", "apart"), whole, strict=True))
    for place, name in ((2, "gain"), (4, "beyond"), (5, "apart")):
        columns |= {f"{name}_low": whole[place] - half[place], f"{name}_high": whole[place] + half[place]}
    freedom = max(len(first) - 1, 1)
    reach = float(t_ppf(1 - ALPHA / 2, freedom))
    p, apart_p = (2 * t_sf(np.abs(whole[place]) / half[place] * reach, freedom) for place in (4, 5))
    note = np.where(blocks < MIN_BLOCKS, "too few deals", np.where(few, "too few wins", ""))
    frame = pl.DataFrame({"level": names, "games": games.astype(np.int64)}).with_columns(
        *known(columns | {"p": p, "apart_p": apart_p}), pl.Series("note", note.astype(str), dtype=pl.String)
    )
    frame = frame.sort(["beyond", "level"], descending=[True, False], nulls_last=True)
    return Underplayed(*said, blocks, gain, gain - spread, gain + spread, frame)


def gain_figures(first: Floats, second: Floats) -> Floats:
    """Return the shares and gains of each faction, followed by those of all factions together.

    Parameters
    ----------
    first, second
        Seat-games and wins: of the base alone, and of the player who looks ahead; shape (..., factions, 2).

    Returns
    -------
    Six figures, shape (6, ..., factions + 1): share of the base, share of the player who looks ahead, gain, expected
    share, share minus expected share, and gain minus mean gain.

    Shares are computed with half a win and half a loss added. Looking ahead multiplies the odds of each faction by a
    factor. The expected odds of a faction are its odds with the base times the geometric mean of these factors. Means
    over factions are weighted by the games of the player who looks ahead.
    """
    logits, shares = [], []
    for sums in (first, second):
        games, wins = np.moveaxis(np.concatenate([sums, sums.sum(axis=-2, keepdims=True)], axis=-2), -1, 0)
        logits.append(np.log((wins + HALF) / (games - wins + HALF)))
        shares.append((wins + HALF) / (games + 2 * HALF))
    weight = second[..., 0] / np.maximum(second[..., 0].sum(axis=-1, keepdims=True), 1)
    factor = (weight * (logits[1] - logits[0])[..., :-1]).sum(axis=-1, keepdims=True)
    expected = expit(logits[0] + factor)
    gain = shares[1] - shares[0]
    mean = (weight * gain[..., :-1]).sum(axis=-1, keepdims=True)
    return np.stack([shares[0], shares[1], gain, expected, shares[1] - expected, gain - mean])
