"""A race of all printed numbers of a faction: which small change makes it fair, and what else that changes.

Every value is played on the same deals. A first heat plays one small and one larger step of each number; numbers that
surely take away less than a part of the edge stop. A second heat plays all steps of the best on more games. The last
values are played once more beside the printed ones on the deals of another seed, which had no part in choosing them.

References
----------
Maron, O. and Moore, A. W. (1994). Hoeffding races: accelerating model selection search for classification and function
approximation. NIPS 6, 59-66.
Glasserman, P. and Yao, D. D. (1992). Some guidelines and guarantees for common random numbers. Management Science 38.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from reports.studies.arm_sums import ArmSums, Watched, play_sums, told_by_rows, warmed
from reports.studies.explain_parts import LEAST_BLOCKS, compared_arms, usage
from reports.studies.intervene import changed_plan
from reports.studies.parts import Part
from reports.studies.race_knobs import LARGE, Turn, first_values, fits, named_apart, turns_of
from sim.batch import Plan
from sim.errors import UserError
from sim.runs.manifest import MAX_SEED

FIRST, SECOND = 8, 3
"""Parts of the games of the last heat that the first and the second play."""
HOPE = 0.25
"""A number goes on if its changes may take away so much of the edge."""
GO_ON = 10
"""Numbers that the second heat plays at most."""
STEPS = 4
"""Steps of a number that the second heat plays."""
FINALISTS = 5
UNUSED = 0.5
"""A change that leaves less than this part of those who had a component works by its not being had."""

Key = tuple[str, int]
"""A number by its text, and a value."""


@dataclass(frozen=True)
class Race:
    """What came of a race.

    Attributes
    ----------
    faction, noun
        Whose edge is to vanish, and what the game calls it.
    frame
        Final values: `change` in words, `text` of the change, `steps` from the printed value; `edge` on fresh deals
        with `edge_low`, `edge_high`, `worth` (what the change takes away) with `low`, `high`; `fair` (its interval
        holds 0, or it lies within the margin), `moved`, `moved_by` and `rounds` with
        their limits (see `explain_parts.PartsPlayed`), `used` and `used_after`, `note`; the best change first.
    tried
        All values: `change`, `text`, `edge` with limits, `worth` with limits, `games` played of it.
    hints
        Sentences on fair values between printed ones.
    edge, low, high
        Its edge as printed, on fresh deals.
    turned, arms
        Numbers found and values played.
    plan, games, seed, margin
        What was played, games of the last heat, seed of the fresh deals, and the margin as a fraction.
    """

    faction: str
    noun: str
    frame: pl.DataFrame
    tried: pl.DataFrame
    hints: tuple[str, ...]
    edge: float
    low: float
    high: float
    turned: int
    arms: int
    plan: Plan
    games: int
    seed: int
    margin: float


class Heats:
    """Arms of a race on the same deals, each played as far as it was asked for."""

    def __init__(
        self, plan: Plan, faction: int, turns: Sequence[Turn], jobs: int, progress: Callable[[int], None]
    ) -> None:
        self.plan, self.faction, self.jobs, self.progress = plan, faction, jobs, progress
        self.watched = list({turn.part.name: turn.part for turn in turns if told_by_rows(turn.part)}.values())
        self.sums: dict[Key, ArmSums] = {}

    def play(self, key: Key, change: Sequence[str], parts: tuple[Part, ...], games: int) -> ArmSums:
        """Play an arm on to so many games."""
        before = self.sums.get(key)
        done = 0 if before is None else before.games
        if done < games:
            arm = changed_plan(self.plan, change) if change else self.plan
            more = play_sums(
                arm, Watched(self.faction, parts), done, games - done, jobs=self.jobs, progress=self.progress
            )
            self.sums[key] = more if before is None else before.joined(more)
        return self.sums[key]


PRINTED: Key = ("", 0)


def race(
    plan: Plan,
    faction: int,
    parts: Sequence[Part],
    games: int,
    margin: float,
    *,
    jobs: int = -1,
    say: Callable[[str], None] = lambda text: None,
    progress: Callable[[int], None] = lambda games: None,
) -> Race:
    """Find the printed numbers of a faction whose change makes it fair.

    Parameters
    ----------
    plan
        Who meets and what is dealt, as printed.
    faction, parts
        Its number, and the parts whose numbers are turned.
    games
        Games of each value in the last heat.
    margin
        Edges up to this fraction count as balanced.

    Raises
    ------
    UserError
        No number can be turned, it is not dealt, or the games are too few.
    """
    if faction not in plan.factions:
        name = plan.data.factions[faction].name
        raise UserError(f"this {plan.game.faction_title} is not dealt", field="factions", found=name)
    least = LEAST_BLOCKS * plan.block_games
    if games < least:
        raise UserError("too few games for a race", field="games", found=games, allowed=f"at least {least}")
    turns = named_apart(turns_of(plan.game, plan.data, parts))
    turns = [turn for turn in turns if first_values(plan.game, plan.data, turn)]
    if not turns:
        raise UserError("no number of it can be turned", field="knob", found=plan.data.factions[faction].name)
    warmed([plan], say)
    heats = Heats(plan, faction, turns, jobs, progress)
    by_text = {turn.text: turn for turn in turns}
    arms = [(turn, value) for turn in turns for value in first_values(plan.game, plan.data, turn)]
    say(f"{len(turns)} numbers, {len(arms)} values in the first heat")
    play_heat(heats, arms, whole(plan, max(games // FIRST, least)))
    kept = going_on(heats, arms)
    second = [(turn, value) for turn, side in kept for value in steps_of(plan, turn, side)]
    say(f"{len(kept)} of {len(turns)} numbers go on, with {len(second)} values")
    play_heat(heats, second, whole(plan, max(games // SECOND, least)))
    final = finalists(heats, second)
    say(f"the last {len(final)} values, on fresh deals")
    fresh_seed = plan.seed + 1 if plan.seed < MAX_SEED else 0
    fresh = Heats(replace(plan, seed=fresh_seed), faction, turns, jobs, progress)
    play_heat(fresh, final, whole(plan, games))
    own = row_of(fresh, None)
    tried = pl.DataFrame([tried_row(heats, by_text[text], value) for text, value in heats.sums if text],
                         infer_schema_length=None)  # fmt: skip
    return Race(
        faction=plan.data.factions[faction].name, noun=plan.game.faction_title,
        frame=ranked([final_row(fresh, turn, value, margin) for turn, value in final]),
        tried=tried.sort(pl.col("edge").abs()), hints=tuple(hints_of(heats, kept)), edge=own["edge"],
        low=own["edge_low"], high=own["edge_high"], turned=len(turns), arms=len(heats.sums) - 1, plan=plan,
        games=whole(plan, games), seed=fresh_seed, margin=margin,
    )  # fmt: skip


def whole(plan: Plan, games: int) -> int:
    """A whole number of blocks."""
    return max(games // plan.block_games, 1) * plan.block_games


def play_heat(heats: Heats, arms: Sequence[tuple[Turn, int]], games: int) -> None:
    """Play the printed values and those of a heat on to so many games."""
    heats.play(PRINTED, (), tuple(heats.watched), games)
    for turn, value in arms:
        own = (turn.part,) if told_by_rows(turn.part) else ()
        heats.play((turn.text, value), [turn.change(value)], own, games)


def row_of(heats: Heats, key: Key | None) -> dict[str, Any]:
    """Columns of `compared_arms` for an arm beside the printed one."""
    base = heats.sums[PRINTED]
    return compared_arms(heats.plan, heats.faction, base, base if key is None else heats.sums[key])


def going_on(heats: Heats, arms: Sequence[tuple[Turn, int]]) -> list[tuple[Turn, int]]:
    """Numbers, each with the direction that helps, which may take away enough of the edge; those that help most."""
    edge = row_of(heats, None)["edge"]
    sign = 1 if edge > 0 else -1
    best: dict[str, tuple[float, Turn, int]] = {}
    for turn, value in arms:
        row = row_of(heats, (turn.text, value))
        half = row["high"] - row["worth"] if math.isfinite(row["high"]) else 0.0
        helps = sign * row["worth"]
        if helps > best.get(turn.text, (0.0,))[0] and helps + half >= HOPE * abs(edge):
            best[turn.text] = helps, turn, 1 if value > turn.present else -1
    ordered = sorted(best.values(), key=lambda one: -one[0])[:GO_ON]
    return [(turn, side) for _, turn, side in ordered]


def steps_of(plan: Plan, turn: Turn, side: int) -> list[int]:
    """Values of the second heat: steps to one side."""
    values = [turn.present + side * size for size in range(1, max(STEPS, LARGE) + 1)]
    return [value for value in values if fits(plan.game, plan.data, turn, value)]


def finalists(heats: Heats, arms: Sequence[tuple[Turn, int]]) -> list[tuple[Turn, int]]:
    """The best value of each number, those with the smallest edge left."""
    best: dict[str, tuple[float, Turn, int]] = {}
    for turn, value in arms:
        left = abs(row_of(heats, (turn.text, value))["edge"])
        if turn.text not in best or left < best[turn.text][0]:
            best[turn.text] = left, turn, value
    return [(turn, value) for _, turn, value in sorted(best.values(), key=lambda one: one[0])[:FINALISTS]]


def hints_of(heats: Heats, kept: Sequence[tuple[Turn, int]]) -> list[str]:
    """Say of numbers whose edge changes its sign between two printed values where between them it would be fair."""
    printed = row_of(heats, None)["edge"]
    said = []
    for turn, side in kept:
        values = [value for text, value in heats.sums if text == turn.text and (value - turn.present) * side > 0]
        values.sort(key=lambda value: abs(value - turn.present))
        before, edge = turn.present, printed
        for value in values:
            after = row_of(heats, (turn.text, value))["edge"]
            if edge * after < 0:
                between = before + (value - before) * edge / (edge - after)
                said.append(f"{turn.name}: fair at about {between:.1f}, between {before} and {value}")
                break
            before, edge = value, after
    return said


def tried_row(heats: Heats, turn: Turn, value: int) -> dict[str, Any]:
    """A row of `Race.tried`."""
    row = row_of(heats, (turn.text, value))
    names = ("edge", "edge_low", "edge_high", "worth", "low", "high")
    found = {name: row[name] if math.isfinite(row[name]) else None for name in names}
    games = heats.sums[turn.text, value].games
    return {"change": turn.words(value), "text": turn.change(value), **found, "games": games}


def final_row(fresh: Heats, turn: Turn, value: int, margin: float) -> dict[str, Any]:
    """A row of `Race.frame`."""
    row = row_of(fresh, (turn.text, value))
    watched = [part.name for part in fresh.watched]
    used = used_after = None
    if turn.part.name in watched:
        used = usage(fresh.sums[PRINTED], watched.index(turn.part.name))
        used_after = usage(fresh.sums[turn.text, value], 0)
    fair = bool(abs(row["edge"]) <= margin or row["edge_low"] <= 0 <= row["edge_high"])
    gone = fair and used is not None and used_after is not None and used_after < UNUSED * used
    note = "fair because fewer have it" if gone else ""
    return {"change": turn.words(value), "text": turn.change(value), "steps": abs(value - turn.present), "fair": fair,
            "used": used, "used_after": used_after, "note": note, **row}  # fmt: skip


def ranked(rows: list[dict[str, Any]]) -> pl.DataFrame:
    """Best change first: fair ones by size, those that only put a component out of use behind; then by what is left."""
    if not rows:
        return pl.DataFrame(schema={"change": pl.String, "fair": pl.Boolean, "note": pl.String})
    frame = pl.DataFrame(rows, infer_schema_length=None).with_columns(pl.col(pl.Float64).fill_nan(None))
    keys = [~pl.col("fair"), pl.col("note") != "", pl.when("fair").then("steps").otherwise(0), pl.col("edge").abs()]
    return frame.sort(keys)
