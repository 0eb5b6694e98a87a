"""Skill curves: edges of factions by rung of a ladder, where all seats have the same player, on the same deals.

As all seats of a rung play alike, a win rate is due to the faction and not to the player. Changes between rungs are
paired by deal (`statistics/compare/paired.py`); if one rung has fewer games, all games of the other still count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import polars as pl

from reports.data.cells import count_cells
from reports.data.load import Run
from reports.statistics.compare.paired import changes_by_level
from reports.statistics.compare.robustness import edges_under
from reports.statistics.core.balance import MARGIN, balance_of
from reports.statistics.core.groupings import GroupedShares, grouped_shares
from reports.statistics.core.win_rate import MIN_WINS, one_family
from sim.runs.store.manifest import Manifest
from sim.runs.store.verify import reading

MAY_DIFFER = ("lineup",)
"""Fields of runs on the same deals that may differ between rungs."""
SIDES = ("strong", "weak")
JUDGED = ("low", "high", "p")
"""Columns of a change that rest on its error."""

CourseName = Literal["holds", "flips", "fades", "open", "shows", "depends", "fair", "undecided"]
"""Course of a row from the best scripted rung to the top, see `course_of`."""


@dataclass(frozen=True)
class SkillCurve:
    """One table of a report on every rung.

    Attributes
    ----------
    name, noun
        As in `model.Table`.
    rungs
        Names of the rungs, the least skilled first.
    scripted
        The highest rung that does not look ahead; the last but one where none does.
    curve
        Per row and rung: `level`, `rung`, `games`, `blocks`, `win_rate` with `low` and `high`, `fair`, `edge` with
        `edge_low` and `edge_high` (all rows and rungs at once), `verdict` ("strong", "weak", "fair", "undecided",
        "cannot tell").
    steps
        Change from each rung to the next: `level`, `below`, `rung`, `change`, `low`, `high`, `p`, `p_holm` (over all
        rows and steps).
    whole
        The same from the scripted rung to the top: `level`, `change`, `low`, `high`, `p`, `p_holm` (over all rows).
    courses
        Per row, the strongest at the top first: `level`, `course`, `was` and `is` (verdicts of the scripted rung and
        of the top), `edge_was`, `edge` with `edge_low` and `edge_high` at the top, `change` with `low` and `high`
        and `p_holm`, `strong_at` and `weak_at` (rungs, with commas).
    widths
        Per rung: `rung`, `games`, `mean_score`, `spread` with `spread_low` and `spread_high` (see
        `balance.balance_of`), `strong` and `weak` (rows that are so).
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
        Runs on the same deals, each with one strategy in all seats, by name; the least skilled first.

    Raises
    ------
    UserError
        Two rungs do not share their deals.
    """
    shares: dict[str, dict[str, GroupedShares]] = {}
    for rung, run in rungs.items():
        with reading(run.folder):
            groups = [one for one in grouped_shares(run, count_cells(run)) if len(one.keys) == 1]
            shares[rung] = {one.name: one for one in groups if one.name != "strategy" and one.frame.height > 1}
    names = [name for name in next(iter(shares.values())) if all(name in of for of in shares.values())]
    of_table = {name: {rung: of[name] for rung, of in shares.items()} for name in names}
    return {name: curve_of(name, rungs, of, margin, 2 * len(names)) for name, of in of_table.items()}


def curve_of(
    name: str, rungs: Mapping[str, Run], shares: Mapping[str, GroupedShares], margin: float, families: int = 1
) -> SkillCurve:
    """Return the curve of one table; `families` share the error rate: the edges and the changes of each table."""
    columns = ("level", "games", "blocks", "win_rate", "low", "high", "edge", "error", "null")
    frame = pl.concat([of.frame.select(pl.lit(rung).alias("rung"), *columns) for rung, of in shares.items()])
    judged = edges_under(frame.rename({"rung": "condition"}), margin, families)
    curve = frame.select("level", "rung", "games", "blocks", "win_rate", "low", "high", pl.col("null").alias("fair"))
    curve = curve.with_columns(judged[column] for column in ("edge", "edge_low", "edge_high", "verdict"))
    order, scripted = tuple(rungs), scripted_top(rungs)
    steps = pl.concat([change(name, rungs, curve, below, rung) for below, rung in pairwise(order)])
    whole = change(name, rungs, curve, scripted, order[-1])
    steps, whole = corrected([steps, whole], families)
    noun = next(iter(shares.values())).noun
    courses = courses_of(curve, whole, order, scripted)
    widths = pl.DataFrame([width_of(rung, rungs[rung], of.frame, curve) for rung, of in shares.items()])
    return SkillCurve(name, noun, order, scripted, curve, steps, whole, courses, widths)


def change(name: str, rungs: Mapping[str, Run], curve: pl.DataFrame, below: str, rung: str) -> pl.DataFrame:
    """Return the change between two rungs of every row; limits and p are null for rows with too few wins or losses."""
    found = changes_by_level(rungs[below], rungs[rung], name, MAY_DIFFER, every=True)
    wins = pl.col("games") * pl.col("win_rate")
    few = pl.min_horizontal(wins, pl.col("games") - wins) < MIN_WINS
    short = curve.filter(pl.col("rung").is_in([below, rung]) & few)["level"].to_list()
    judged = [pl.when(pl.col("level").is_in(short)).then(None).otherwise(pl.col(one)).alias(one) for one in JUDGED]
    said = (pl.lit(below).alias("below"), pl.lit(rung).alias("rung"))
    return found.with_columns(judged).select("level", *said, pl.exclude("level"))


def width_of(rung: str, run: Run, frame: pl.DataFrame, curve: pl.DataFrame) -> dict[str, Any]:
    """Return the spread of a table on a rung, and the mean score of its players."""
    balance = balance_of(frame)
    verdicts = curve.filter(pl.col("rung") == rung)["verdict"].to_list()
    scores = frame["games"].to_numpy() * frame["mean_score"].to_numpy()
    return {
        "rung": rung, "games": run.manifest.games, "mean_score": float(scores.sum() / frame["games"].sum()),
        "spread": balance.spread, "spread_low": balance.spread_low, "spread_high": balance.spread_high,
        **{side: verdicts.count(side) for side in SIDES},
    }  # fmt: skip


def corrected(frames: list[pl.DataFrame], families: int) -> list[pl.DataFrame]:
    """Judge changes as one of `families`: `p_holm`, `family_low` and `family_high`, `flag`."""
    return one_family(frames, ("change", "low", "high", "p"), families=families)


def scripted_top(rungs: Mapping[str, Run]) -> str:
    """Return the highest rung that does not look ahead and is not the top; the last but one where all do."""
    below = list(rungs)[:-1]
    plain = [name for name in below if not looks_ahead(rungs[name].manifest)]
    return (plain or below)[-1]


def looks_ahead(manifest: Manifest) -> bool:
    """Whether a strategy of a run looks ahead."""
    return any(row.search is not None for row in manifest.strategies)


def courses_of(curve: pl.DataFrame, whole: pl.DataFrame, rungs: Sequence[str], scripted: str) -> pl.DataFrame:
    """Return the course of each row, see `SkillCurve.courses`."""
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
    """Return the course of a row from the scripted rung to the top.

    Parameters
    ----------
    verdicts
        Of all rungs, in their order.
    was, now
        Those of the scripted rung and of the top.

    Returns
    -------
    "holds": out of balance to the same side on both. "flips": to the other side at the top. "fades": balanced at
    the top. "open": at the top there are too few games to say. "shows": out of balance at the top, though not on the
    scripted rung. "depends": on neither, but on other rungs. Else "fair" where the top is balanced, and "not
    known".
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
    """Whether a change is significant, corrected for all rows."""
    return bool(row["flag"])
