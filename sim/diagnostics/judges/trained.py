"""What all trainings of judges share: the plans of self-play, the test on fresh deals, and writing the files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import tomli_w

from sim.compiler.source_digest import digest_of_code
from sim.data.catalog import CONFIGS
from sim.data.files import write_whole
from sim.diagnostics.judges.duel import Duel, duel_of, judging
from sim.diagnostics.judges.rounds import fit_nets, seed_of
from sim.diagnostics.judges.self_play import beginnings
from sim.engine.script import Script
from sim.errors import UserError
from sim.game import GameSpec, load_game
from sim.players.batch import Plan
from sim.players.find_strategies import load_strategies
from sim.players.judge_files import Judge, judge_for, write_judge
from sim.runs.config import RunConfig, conditions, make_plan


@dataclass(frozen=True)
class Training:
    """The result of a training: the judge, its test on fresh deals, and the file of its weights."""

    judge: Judge
    duel: Duel
    weights: Path

    def __str__(self) -> str:
        """Return the result in one line."""
        return f"{self.duel}; written: {self.weights.with_suffix('.toml')} and {self.weights}"


def check_training_sizes(**sizes: int) -> None:
    """Check that the sizes of a training are possible; raise UserError if a size is too small."""
    for name, size in sizes.items():
        if size < 1 and not (name == "games" and size == 0 and sizes["rounds"] > 1):
            allowed = "1 or more" + ("; 0 with several rounds begins with the old judge" if name == "games" else "")
            raise UserError("the training is too small", field=name, found=size, allowed=allowed)


def plans_of(config: RunConfig, base: str) -> tuple[tuple[Plan, ...], tuple[float, ...]]:
    """Return a plan of self-play for each variant, and the share of the seats of each strategy at the start.

    Raise UserError if the game has no features for a judge, or the base or the table is not allowed.
    """
    game = load_game(config.game)
    if game.judge is None and game.plain is None:
        raise UserError(f"{game.title} has no features for a judge", field="game", found=game.name)
    if isinstance(config.players, list) or config.players < 2:
        raise UserError("a judge is trained for one table of several players", field="players", found=config.players)
    names, shares = beginnings(base)
    plans = tuple(
        make_plan(config.model_copy(update={"strategies": names, "players": players, "variant": variant}))
        for players, variant in conditions(config)
    )
    if plans[0].looks_ahead or "@" in base:
        message = "the base of a judge plays without look-ahead and noise"
        raise UserError(message, field="base", found=base, allowed="a scripted player, such as balanced")
    return plans, shares


def work_of(config: RunConfig, plans: Sequence[Plan], **sizes: object) -> dict[str, object]:
    """Return all that determines a training: table, players, sizes, code. If it changes, saved work is discarded."""
    game = plans[0].game
    players = {each.name: each for each in (*load_strategies(config.game).values(), *plans[0].strategies)}
    return {
        "config": config.model_dump(mode="json"), "tables": [plan.data.digest for plan in plans], "sizes": sizes,
        "players": {name: [each.script.name, each.temperature, dict(each.weights)] for name, each in players.items()},
        "code": code_of_training(game, [each.script for each in players.values()]),
        "versions": {name: version(name) for name in ("empirelab", "numpy", "scipy")},
    }  # fmt: skip


def code_of_training(game: GameSpec, scripts: Sequence[Script]) -> str:
    """Return the SHA-256 of the code that determines what a judge learns: the game, the players and the training."""
    if game.plain is not None:
        return str(game.plain.digest()) + digest_of_code([fit_nets])
    assert game.judge is not None
    code: list[Callable[..., Any]] = [*game.source_functions, game.judge.describe_seat, fit_nets]
    for script in scripts:
        code += [script.score, *([] if script.score_all is None else [script.score_all])]
    return digest_of_code(code)


# ---- Test and files ----


def test_judge(judge: Judge, plan: Plan, table: dict[str, object], out: Path, games: int, jobs: int) -> Duel:
    """Play the new judge's player on fresh deals against that of the old judge, or the base if there is none."""
    old = plan.strategies[0]
    if (file := old_file(out, plan)) is not None:
        old = judging(old, plan, table, file, f"the judge of {file.name}")
    return duel_of(judge, old, replace(plan, seed=seed_of(plan, 0, test=True)), table, games, jobs)


def write_training(found: Training, base: str, table: dict[str, object], even_if_weaker: bool) -> Training:
    """Write the file of the new judge in `found`, and the TOML file of its player; return `found`.

    Raises
    ------
    UserError
        The new judge is weaker than its opponent in the test.
    """
    out = found.weights.with_suffix(".toml")
    if found.duel.is_weaker and not even_if_weaker:
        message = f"the new judge is weaker than {found.duel.opponent}, so nothing is written"
        allowed = "more games of self-play; or --even-if-weaker, which does not train again"
        raise UserError(message, found=str(found.duel), allowed=allowed)
    write_judge(found.weights, found.judge)
    write_whole(out, player_file(out, base, table, found.duel, found.judge).encode())
    return found


def old_file(out: Path, plan: Plan) -> Path | None:
    """Return the file of the old judge: the file to be replaced, or the file that comes with the game.

    None if neither file holds a judge for this table.
    """
    shipped = CONFIGS / "judges" / plan.game.name / f"{plan.players}.npz"
    return next((file for file in (out.with_suffix(".npz"), shipped) if fits(file, plan)), None)


def fits(file: Path, plan: Plan) -> bool:
    """Tell whether a file holds a judge that was trained for the table of a plan."""
    try:
        judge_for(str(file.resolve()), plan.game, plan.data, plan.players, plan.variant)
    except UserError:
        return False
    return True


def player_file(out: Path, base: str, table: dict[str, object], duel: Duel, judge: Judge) -> str:
    """Return the content of the TOML file of a player who uses a new judge."""
    record = judge.record
    content = {
        "name": out.stem,
        "description": f"Looks ahead as {base} and lets a judge trained on {record.games:,} games decide who will win.",
        "base": base,
        "search": {**table, "judge": out.with_suffix(".npz").name},
        "record": {**record.model_dump(exclude_defaults=True), "test": str(duel)},
    }
    return tomli_w.dumps(content)
