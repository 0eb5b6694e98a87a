"""Measures what each part of a faction is worth by removing or halving it on the same deals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from reports.sections.factions.explained_details import Page
from reports.sections.factions.parts import PartsPlayed
from reports.statistics.compare.arm_changes import changed
from reports.statistics.core.win_rate import ALPHA, t_quantile
from reports.statistics.distributions import t_ppf, t_sf
from reports.statistics.factions.opponents import with_family_limits
from reports.studies.parts.intervene import changed_plan, without_lessons
from reports.studies.parts.own_judges import bases_words, with_bases
from reports.studies.parts.parts import Part, check_loads, concerned_share, faction_and_parts, part_words, relatives
from reports.studies.search.block_sums import (
    ArmSums,
    ReferenceArm,
    Watched,
    compile_players_of,
    play_sums,
    shows_in_rows,
)
from reports.studies.search.checkpoint import SumStore
from reports.studies.stretches import Bar
from sim.errors import UserError
from sim.players.batch import Plan
from sim.runs.replay import manifest_plan
from sim.runs.run import seconds_per_game, time_words
from sim.runs.store.manifest import load_manifest

MIN_BLOCKS = 20
PART_GAMES = 4000
"""Default number of games of each arm."""


def part_arms(plan: Plan, parts: Sequence[Part], names: Sequence[str]) -> tuple[list[tuple[Part, str]], list[str]]:
    """Return the arms that the game can play, and the names of the others. An arm is a part and a way to change it.

    `names` are the ways that are tried, such as "none" and "half".
    """
    ways = [(part, way) for part in parts for way in names if way in part.changes]
    fits = [check_loads(plan.game, plan.data, part.changes[way]) for part, way in ways]
    arms = [one for one, fit in zip(ways, fits, strict=True) if fit]
    return arms, [f"{part_words(part)} ({way})" for (part, way), fit in zip(ways, fits, strict=True) if not fit]


def games_of_arm(plan: Plan, arms: int, games: int, budget: int | None) -> int:
    """Return how many games each arm plays: `games`, or fewer if all arms together would exceed the budget.

    Raises UserError if too few blocks remain for an interval.
    """
    least = MIN_BLOCKS * plan.block_games
    fits = games if budget is None else min(games, budget // (arms + 1))
    if fits < least:
        result, allowed = (games, least) if budget is None else (budget, least * (arms + 1))
        field = "games" if budget is None or games < least else "budget"
        message = f"too few games for an interval ({arms + 1} arms of {MIN_BLOCKS} blocks each)"
        raise UserError(message, field=field, found=result, allowed=f"at least {allowed:,}")
    return fits // plan.block_games * plan.block_games


def play_parts(
    plan: Plan,
    faction: int,
    parts: Sequence[Part],
    games: int,
    ways: Sequence[str] = ("none", "half"),
    *,
    jobs: int = -1,
    say: Callable[[str], None] = lambda text: None,
    progress: Callable[[int], None] = lambda games: None,
    store: SumStore | None = None,
) -> PartsPlayed:
    """Play games as printed and with each part changed in some ways (`parts.WAYS`), and measure what the faction wins.

    Each arm plays `games` games, in whole blocks. Raises UserError if no part can be changed in these ways, or the
    faction is not dealt.
    """
    arms, left_out = part_arms(plan, parts, ways)
    if not arms:
        message, allowed = "no part can be changed in this way", f"of {[part.name for part in parts]}"
        raise UserError(message, field="make", found=", ".join(ways), allowed=allowed)
    if faction not in plan.factions:
        name = plan.data.factions[faction].name
        raise UserError(f"this {plan.game.faction_title} is not dealt", field="factions", found=name)
    paths = [text for part, way in arms for text in part.changes[way]]
    said = bases_words(plan)
    plan = without_lessons(with_bases(replace(plan, keeps_pieces=False)), paths)
    compile_players_of([plan], say)
    rows: list[dict[str, Any]] = []
    told = {part.name for part, _ in arms}
    watched = tuple(part for part in parts if part.name in told and shows_in_rows(part))
    sums = partial(play_sums, first=0, games=games, jobs=jobs, progress=progress, store=store)
    base = sums(plan, Watched(faction, watched))
    reference = ReferenceArm(base, relatives(plan.game, plan.data, faction))
    for part, way in arms:
        own = (part,) if part in watched else ()
        after = sums(changed_plan(plan, part.changes[way]), Watched(faction, own), reference=reference)
        rows.append({
            "part": part_words(part), "way": way, **compare_with_base(plan, faction, base, after),
            "used": use_share(base, watched.index(part)) if own else None,
            "used_after": use_share(after, 0) if own else None, "changes": list(part.changes[way]),
        })  # fmt: skip
    return replace(assemble_parts(plan, faction, base, rows, games, left_out), players=tuple(said))


def play_parts_of_run(
    folder: Path,
    faction: str,
    games: int = PART_GAMES,
    budget: int | None = None,
    *,
    trust: bool = False,
    jobs: int = -1,
    say: Callable[[str], None] = lambda text: None,
    bar: Bar,
    store: SumStore | None = None,
) -> PartsPlayed:
    """Play a run's deals without each part of a faction, and with half of each part, and measure the effect.

    `games` and `budget` are as in `games_of_arm`. `trust` allows the run's Python players to be executed. Raises
    UserError if the run cannot be played again, the game's files contain no parts of the faction, or the games are too
    few.
    """
    plan = manifest_plan(folder, load_manifest(folder), trust=trust)
    if not plan.data.factions:
        message = f"{plan.game.title} has no factions to take apart; `intervene --card NAME` changes single pieces"
        raise UserError(message, field="pieces", found=faction)
    number, parts = faction_and_parts(plan.game, plan.data, faction)
    arms, _ = part_arms(plan, parts, ("none", "half"))
    each = games_of_arm(plan, len(arms), games, budget)
    compile_players_of([plan], say)
    played = each * (1 + len(arms) * concerned_share(plan, number))
    say(f"this takes {time_words(played * seconds_per_game(plan, jobs))}")
    with bar(f"{len(arms) + 1} arms", each * (len(arms) + 1)) as advance:
        return play_parts(plan, number, parts, each, jobs=jobs, say=say, progress=advance, store=store)


def use_share(sums: ArmSums, part: int) -> float:
    """Return the share of the faction's seat-games in which it had the watched part with index `part`."""
    return float(sums.uses[:, part].sum() / max(sums.owners.sum(), 1.0))


def compare_with_base(
    plan: Plan, faction: int, base: ArmSums, after: ArmSums, rate: float = ALPHA, rest: float = ALPHA
) -> dict[str, Any]:
    """Return `p` and those columns of `PartsPlayed.frame` that follow from the sums of two arms.

    The limits of the faction's wins have the error rate `rate`. The limits of the other faction that moves most, and
    those of a game's length, have the error rate `rest` each.
    """
    result = changed((base.wins, base.seats, base.scores), (after.wins, after.seats, after.scores), 1 / plan.players)
    reach = np.where(result.blocks >= MIN_BLOCKS, t_quantile(result.blocks, 1 - rate / 2), np.nan)
    worth, half = -result.change[faction], reach[faction] * result.change_error[faction]
    own = reach[faction] * result.error[faction]
    p = np.nan
    if result.change_error[faction] > 1e-12 and np.isfinite(half):
        p = 2 * t_sf(abs(worth) / result.change_error[faction], result.blocks[faction] - 1)
    # The faction that moves most is selected from all others, so its limits allow for that many tests (Bonferroni).
    others = max(int(np.isfinite(result.change).sum()) - 1, 1)
    wide = np.where(result.blocks >= MIN_BLOCKS, t_quantile(result.blocks, 1 - rest / 2 / others), np.nan)
    sure = np.abs(result.change) - wide * result.change_error
    sure[faction] = -np.inf
    moved = int(np.nanargmax(np.where(np.isfinite(sure), sure, -np.inf)))
    apart = wide[moved] * result.change_error[moved]
    blocks = min(len(base.rounds), len(after.rounds))
    longer = (after.rounds[:blocks] - base.rounds[:blocks]) / plan.block_games
    rounds = longer.mean()
    round_half = t_ppf(1 - rest / 2, blocks - 1) * longer.std(ddof=1) / np.sqrt(blocks)
    row = {
        "worth": worth, "low": worth - half, "high": worth + half, "p": p,
        "edge": result.edge[faction], "edge_low": result.edge[faction] - own, "edge_high": result.edge[faction] + own,
        "score": -result.score[faction],
        "rounds": rounds, "rounds_low": rounds - round_half, "rounds_high": rounds + round_half,
        "moved_by": result.change[moved], "moved_low": result.change[moved] - apart,
        "moved_high": result.change[moved] + apart,
    }  # fmt: skip
    return {name: float(value) for name, value in row.items()} | {"moved": plan.data.factions[moved].name}


def assemble_parts(
    plan: Plan, faction: int, base: ArmSums, rows: list[dict[str, Any]], games: int, left_out: Sequence[str]
) -> PartsPlayed:
    """Assemble the result from the rows of all arms. Limits allow for the number of rows.

    `base` has the sums of the printed game, and `left_out` names the arms that cannot be played.
    """
    own = compare_with_base(plan, faction, base, base)
    printed = {"worth": own["edge"], "low": own["edge_low"], "high": own["edge_high"], "p": np.nan}
    frame = pl.DataFrame([*rows, printed], infer_schema_length=None).with_columns(pl.col(pl.Float64).fill_nan(None))
    frame = frame.with_columns(blocks=pl.lit(float((base.owners > 0).sum())))
    frame = with_family_limits(frame, Page.weight_of("parts", 1) * (len(rows) + 1) / len(rows), value="worth")
    frame = frame.with_columns(pl.col("flag").replace({"more": "strong", "less": "weak"}))
    *_, last = frame.iter_rows(named=True)
    name, noun = plan.data.factions[faction].name, plan.game.faction_title
    return PartsPlayed(
        name, noun, frame.head(len(rows)).sort("worth", descending=True, nulls_last=True), own["edge"], own["edge_low"],
        own["edge_high"], (last["family_low"], last["family_high"]), plan, games, tuple(left_out),
    )  # fmt: skip
