"""One game of a run again, told in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sim.batch import Plan, sources_digest
from sim.errors import UserError
from sim.game import load_game
from sim.runs.manifest import MANIFEST, read_manifest
from strategies.api import Strategy
from strategies.loading import code_digest, load_code, scripts_of


def plan_of(folder: Path, manifest: Mapping[str, Any]) -> Plan:
    """Return the plan a run was played by.

    Raises
    ------
    UserError
        The tables or a user's strategy file have changed since, so that the games cannot be played again.
    """
    game = load_game(manifest["game"])
    data = game.load(manifest["settings"])
    if data.digest != manifest["tables"]:
        message = "the game's tables have changed since this run, so its games cannot be played again"
        raise UserError(message, file=folder / MANIFEST, field="tables", found=manifest["tables"], allowed=data.digest)
    names = [faction.name for faction in data.factions]
    names_of_strategies = [row["name"] for row in manifest["strategies"]]
    return Plan(
        game=game,
        data=data,
        players=manifest["players"],
        variant=manifest["variant"],
        strategies=tuple(_strategy(game.name, row) for row in manifest["strategies"]),
        lineup=tuple(names_of_strategies.index(name) for name in manifest["lineup"]),
        factions=tuple(names.index(name) for name in manifest["factions_dealt"]),
        factions_fixed=manifest["factions_fixed"],
        assign=manifest["assign"],
        seed=manifest["seed"],
    )


def _strategy(game: str, row: Mapping[str, Any]) -> Strategy:
    """Return a strategy with the weights it had in a run.

    Raises
    ------
    UserError
        A user's file is gone or has changed.
    """
    scripts = scripts_of(game)
    if code_digest(row["source"]) != row.get("code", ""):
        message = "this strategy file has changed since the run, so its games cannot be played again"
        raise UserError(message, file=row["source"])
    script = scripts[row["base"]] if row["base"] in scripts else load_code(Path(row["source"])).script
    return Strategy(row["name"], script, row["weights"], row["temperature"], row["description"], row["source"])


def replay(folder: Path, game: int) -> tuple[Sequence[str], str]:
    """Tell one game of a run, in lines of words.

    Returns
    -------
    lines, doubt
        What was played, and why it may differ from what the run recorded (empty if it cannot).

    Raises
    ------
    UserError
        There is no run or no such game, or what it was played with has changed.
    """
    manifest = read_manifest(folder)
    if not 0 <= game < manifest["games"]:
        raise UserError("the run has no such game", field="game", found=game, allowed=f"0 to {manifest['games'] - 1}")
    plan = plan_of(folder, manifest)
    changed = manifest["sources"] != sources_digest(plan)
    doubt = "engine or players have changed since this run; the game may not be quite the one recorded"
    return plan.game.tell(plan, game), doubt if changed else ""
