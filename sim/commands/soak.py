"""Plays random runs of a game with everything checked."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.commands.console import print_json, progress_bar
from sim.commands.options import AsJson, Decks, GameName, Quiet, Seed, counting_number

if TYPE_CHECKING:
    from sim.diagnostics.soak import SoakLog, Violation

BROKEN = 1
"""Exit status if a check has failed."""


def soak(
    game: GameName,
    minutes: Annotated[float, typer.Option(min=0.0, help="How long, by the clock.")] = 1.0,
    seed: Seed = 1,
    trial: Annotated[int | None, typer.Option(min=0, help="Play this trial only.")] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            "-n",
            parser=counting_number,
            metavar="NUMBER",
            help="End once this many games are clean with the current code; with --trial: number of its games.",
        ),
    ] = None,
    keep: Annotated[
        Path | None,
        typer.Option(metavar="FILE.json", help="Keep what was played, and continue after what the file already has."),
    ] = None,
    decks: Decks = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Play random line-ups, variants, settings and numbers of players, with laws, indices and digests checked.

    Example: empirelab soak seven_wonders --minutes 10
    """
    from sim.diagnostics.soak import soak as play
    from sim.errors import UserError
    from sim.game import load_game

    if keep is not None and trial is not None:
        raise UserError("a single trial is not logged", field="keep", found=str(keep), allowed="without --trial")

    with progress_bar(f"{load_game(game).title}, soaking", None, quiet or as_json) as advance:
        found = play(
            game, seconds=60.0 * minutes, seed=seed, trial=trial, games=games, decks=decks or [], keep=keep,
            progress=advance, tell=(lambda one: None) if as_json else print_violation,
        )  # fmt: skip
    if as_json:
        counts = {"games": found.games, "games_now": found.games_now, "trials": len(found.tried)}
        print_json({**counts, **asdict(found)})
    elif not quiet:
        print("\n".join(soak_summary(found)))
    if found.violations:
        raise typer.Exit(BROKEN)


def print_violation(one: Violation) -> None:
    """Print a failed check with the commands that replay it."""
    print(f"{one.fault}\n  with every check: {one.again}\n  the run itself:   {one.plain}", flush=True)


def soak_summary(found: SoakLog) -> list[str]:
    """Return lines on what was played and how it was checked, with line-ups and tables."""
    from reports.formatting import counted

    tried = found.tried
    numbers = sorted({min(one.trial for one in tried), max(one.trial for one in tried)})
    clean = "all clean" if not found.violations else f"{len(found.violations)} not clean"
    whole = [one for one in tried if one.whole]
    looks = f"laws looked at before {sum(one.looked_at for one in tried):,} of them"
    lineups = {tuple(sorted(one.strategies)) for one in tried}
    ahead, soft = (sum(any(sign in name for name in one.strategies) for one in tried) for sign in "+@")
    schools = Counter(name for one in tried for name in {name.split("@")[0].split("+")[0] for name in one.strategies})
    return [
        f"{counted(found.games, 'game')}{present_code_part(found)} in {counted(len(tried), 'trial')}"
        f" of seed {found.seed} ({' to '.join(map(str, numbers))}), {clean}",
        f"{counted(sum(one.decisions for one in tried), 'decision')}, {looks}: before every one, and every game played"
        f" twice, in {counted(len(whole), 'trial')} ({counted(sum(one.games for one in whole), 'game')}); else where"
        " turns end, and some games played twice",
        f"{counted(len(lineups), 'line-up')}; {ahead} trials with players who look ahead, {soft} with a temperature",
        f"trials by strategy: {_listed(schools)}",
        f"trials by players: {_listed(Counter(one.players for one in tried))}",
        f"trials by variant: {_listed(Counter(one.variant for one in tried))};"
        f" {sum(one.settings > 0 for one in tried)} with other settings",
    ]


def present_code_part(found: SoakLog) -> str:
    """Return how many clean games the present code has played; empty if all."""
    if found.games_now == found.games:
        return ""
    return f", of which {found.games_now:,} with the code of now (the others with earlier code),"


def _listed(counts: Counter[Any]) -> str:
    """List counts by name: "2 (17), 3 (20)"; of many only the most frequent."""
    shown = sorted(counts.most_common(MAX_LISTED))
    rest = len(counts) - len(shown)
    return ", ".join(f"{name} ({times})" for name, times in shown) + (f" and {rest} more" if rest else "")


MAX_LISTED = 12
"""Most names that are listed."""
