"""Plays random runs of a game with everything checked."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.commands.console import command_with, print_json, progress_bar
from sim.commands.options import AsJson, Changes, Decks, GameName, Quiet, Seed, games_option, option, read_changes

if TYPE_CHECKING:
    from sim.diagnostics.soak import SoakLog, Violation

BROKEN = 1
"""Exit status of the command if a check has failed."""


def soak(
    game: GameName,
    minutes: Annotated[float, option("Duration; the last trial is finished.", least=0.0, of="MINUTES")] = 1.0,
    seed: Seed = 1,
    trial: Annotated[int | None, option("Play only this trial.", least=0)] = None,
    games: Annotated[
        int | None,
        games_option("Stop when this many games are clean with the current code; with --trial: games of it."),
    ] = None,
    keep: Annotated[
        Path | None, option("Keep the results in this file, and continue after the trials that it has.", of="FILE.json")
    ] = None,
    decks: Decks = None,
    change: Changes = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Play random runs of a game with all checks: invariants, array indices, the same results when replayed.

    Examples
    --------
    empirelab soak seven_wonders --minutes 10
    empirelab soak seven_wonders --minutes 60 --games 1e6 --keep soaked.json
    empirelab soak seven_wonders --seed 1 --trial 0 --games 20
    empirelab soak seven_wonders --change @fair.toml --minutes 10

    Notes
    -----
    Successive trials take the numbers of players in turn, as well as the players; in some of them one looks ahead. Each
    draws the other strategies, noise, variant, settings, factions and seats, and plays about 4,000 games or 4 CPU
    seconds of them. It checks

    - the laws of the game: no card appears or disappears, nothing is negative, counts agree. Every fourth trial, a
      whole one, checks before every decision, the others at the end of turns;
    - every index that a kernel uses, as with `EMPIRELAB_CHECK_BOUNDS=1`;
    - that the points of each game are the sum of their parts, that ranks follow them, and that it ends by a rule;
    - that games come out the same when they are played again: all games of a whole trial, every fourth stretch of the
      others;
    - in the first game, that no strategy changes the state, and that the game can be narrated.

    For each fault the command prints two commands, which repeat its first trial with every check and as a plain run. At
    the end it names the other trials with the fault; the exit status is then 1. Trial k of a seed is the same on every
    machine. Decks of `--deck` are dealt in half of the trials; `--change` holds in all of them.

    `--keep` writes the results after each trial, and the same command continues. Each trial keeps the digest of its
    rules, data and players; `--games` counts those of the current code. Failed trials are repeated first. The first
    start compiles every kernel with checked indices, which takes minutes.
    """
    from sim.diagnostics.soak import soak as play
    from sim.errors import UserError
    from sim.game import load_game

    if keep is not None and trial is not None:
        raise UserError("a single trial is not logged", field="keep", found=str(keep), allowed="without --trial")

    began = time.perf_counter()
    with progress_bar(f"{load_game(game).title}, soaking", None, quiet or as_json) as advance:
        found = play(
            game, seconds=60.0 * minutes, seed=seed, trial=trial, games=games, decks=decks or [],
            changes=read_changes(change, game), keep=keep, progress=advance,
            tell=(lambda one: None) if as_json else print_violation,
        )  # fmt: skip
    seconds, (untried, more) = time.perf_counter() - began, ([], 0) if trial is not None else untried_by(found)
    if as_json:
        counts = {"games": found.games, "games_now": found.games_now, "trials": len(found.tried), "not_tried": untried}
        print_json({**counts, **asdict(found)})
    elif not quiet:
        lines = soak_summary(found, untried)
        if untried:
            whole = math.ceil(seconds * (1 + more / max(len(found.tried), 1)) / 60)
            # With the same --games, the command would stop again after the same number of games.
            again = command_with("--minutes", f"{minutes:g}" if keep else whole, "--games")
            lines.append(f"try them: {again}")
        print("\n".join([*lines, *open_deals(game, found)]))
    if found.violations:
        raise typer.Exit(BROKEN)


def print_violation(one: Violation) -> None:
    """Print a failed check with the commands that replay it."""
    print(f"{one.fault}\n  with every check: {one.again}\n  the run itself:   {one.plain}", flush=True)


def untried_by(found: SoakLog) -> tuple[list[str], int]:
    """Return what no trial of the current code has covered: numbers of players, variants, strategies, look-ahead.

    Also return about how many more trials will cover all of it.
    """
    from sim.diagnostics.soak_trials import met_by, not_met

    now = [one for one in found.tried if one.code == found.code]
    met = set().union(*(met_by(one.players, one.variant, one.strategies) for one in now))
    return not_met(found.game, found.seed, found.decks, found.changes, met, found.next_trial)


def soak_summary(found: SoakLog, untried: Sequence[str] = ()) -> list[str]:
    """Return lines that say what was played, how it was checked, and what was not tried."""
    from reports.formatting import counted, some
    from sim.diagnostics.soak import same_faults

    tried = found.tried
    numbers = sorted({min(one.trial for one in tried), max(one.trial for one in tried)})
    clean = "clean as far as tried" if untried else "all clean"
    clean = f"{len(found.violations)} not clean" if found.violations else clean
    changed = f" with {counted(len(found.changes), 'change')}" if found.changes else ""
    whole = [one for one in tried if one.whole]
    looks = f"laws checked before {sum(one.looked_at for one in tried):,} of them"
    lineups = {tuple(sorted(one.strategies)) for one in tried}
    ahead, soft = (sum(any(sign in name for name in one.strategies) for one in tried) for sign in "+@")
    schools = Counter(name for one in tried for name in {name.split("@")[0].split("+")[0] for name in one.strategies})
    again = [group for group in same_faults(found.violations) if len(group) > 1]
    return [
        *(
            f"the fault of trial {first.trial} also in {counted(len(more), 'other trial')}:"
            f" {', '.join(str(one.trial) for one in more[:MAX_LISTED])}{', ...' if len(more) > MAX_LISTED else ''}"
            for first, *more in again
        ),
        f"{counted(found.games, 'game')}{present_code_part(found)}{changed} in {counted(len(tried), 'trial')}"
        f" of seed {found.seed} ({' to '.join(map(str, numbers))}), {clean}",
        f"{counted(sum(one.decisions for one in tried), 'decision')}, {looks}: before each, and every game played"
        f" twice, in {counted(len(whole), 'trial')} ({counted(sum(one.games for one in whole), 'game')}); in the"
        " others at the end of turns, and some games played twice",
        f"{counted(len(lineups), 'line-up')}; {ahead} trials with players who look ahead, {soft} with a temperature",
        f"trials by strategy: {_listed(schools)}",
        f"trials by players: {_listed(Counter(one.players for one in tried))}",
        f"trials by variant: {_listed(Counter(one.variant for one in tried))};"
        f" {sum(one.settings > 0 for one in tried)} with other settings",
        *([f"not tried: {some(untried)}"] if untried else []),
    ]


def open_deals(game: str, found: SoakLog) -> list[str]:
    """Return a list with a warning, if a game in plain Python hides nothing that it deals. Otherwise it is empty."""
    from sim.game import load_game
    from sim.games.plain.playing import open_deal
    from sim.runs.config import RunConfig, make_plan

    if load_game(game).plain is None or found.violations:
        return []
    plan = make_plan(RunConfig(game=game, strategies=["random"], changes=found.changes))
    return [line] if (line := open_deal(plan)) else []


def present_code_part(found: SoakLog) -> str:
    """Say how many of the games the current code has played; "" if it has played all of them."""
    if found.games_now == found.games:
        return ""
    return f", of which {found.games_now:,} with the current code (the others with earlier code),"


def _listed(counts: Counter[Any]) -> str:
    """List counts by name, such as "2 (17), 3 (20)". If there are many names, only the most frequent are listed."""
    shown = sorted(counts.most_common(MAX_LISTED))
    rest = len(counts) - len(shown)
    return ", ".join(f"{name} ({times})" for name, times in shown) + (f" and {rest} more" if rest else "")


MAX_LISTED = 12
"""Maximum number of names that are listed."""
