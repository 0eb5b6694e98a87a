"""What a run is asked to be: the options of `simulate`, or a TOML file, checked and resolved to a plan."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from sim.batch import Plan
from sim.catalog import Row, read_toml, validate_row
from sim.changes import split_changes
from sim.errors import UserError
from sim.game import Game, check_table, choose_factions, load_game, variant_for
from strategies.loading import load_strategies, pick, strategy_files

MAX_GAMES = 2**31 - 1
MAX_SEED = 2**63 - 1


class RunConfig(Row):
    """A run as it is asked for; the fields are the options of `empirelab simulate`."""

    game: str
    games: int = Field(default=10_000, ge=1, le=MAX_GAMES)
    players: int = Field(default=4, ge=1)
    strategies: list[str] = Field(default=["balanced"])
    factions: list[str] = Field(default=["all"])
    variant: str | None = None
    assign: Literal["rotate", "random", "fixed"] = "rotate"
    seed: int = Field(default=1, ge=0, le=MAX_SEED)
    detail: Literal["seats", "cards"] = "seats"
    out: str | None = None
    jobs: int = -1
    code: str | None = None
    settings: dict[str, bool | int | float | str] = Field(default={})
    changes: list[str] = Field(default=[])


def read_config(path: Path) -> RunConfig:
    """Read a run's TOML file; paths in it are relative to the working directory.

    Raises
    ------
    UserError
        The file cannot be read, or a field is unknown or has a wrong value.
    """
    return validate_row(path, read_toml(path), RunConfig, "run")


def make_plan(config: RunConfig) -> Plan:
    """Resolve a configuration to a plan.

    Raises
    ------
    UserError
        Unknown game, variant, strategy or faction, a number of players the game is not for, a pool of factions
        too small for the table, a fixed line-up that does not fit the seats, a strategy file whose strategy does not
        play, an unknown setting, or a change that does not fit the data.
    """
    game = load_game(config.game)
    variant = variant_for(game, config.players, config.variant)
    data_changes, strategy_changes = split_changes(config.changes, list(game.files), strategy_files(game.name))
    data = game.load(config.settings, data_changes)
    code = Path(config.code) if config.code is not None else None
    known = load_strategies(game.name, code, changes=strategy_changes)
    strategies, lineup = pick(known, config.strategies)
    if code is not None and all(strategy.source != str(code) for strategy in strategies):
        own = next(name for name, strategy in known.items() if strategy.source == str(code))
        message = f"the strategy {own} of {code} is not among those that meet"
        raise UserError(message, field="strategies", found=", ".join(config.strategies), allowed=f"with {own}")
    if config.assign == "fixed" and len(lineup) not in (1, config.players):
        message = "a fixed line-up names one strategy for each seat, or one for all"
        raise UserError(message, field="strategies", found=len(lineup), allowed=f"1 or {config.players}")
    factions = choose_factions(game, data, config.factions)
    check_table(game, data, factions, config.players)
    return Plan(
        game=game,
        data=data,
        players=config.players,
        variant=variant.name,
        strategies=strategies,
        lineup=lineup,
        factions=factions,
        factions_fixed=factions_are_fixed(game, config, len(factions)),
        assign=config.assign,
        seed=config.seed,
        keeps_cards=config.detail == "cards",
        changes=tuple(config.changes),
    )


def factions_are_fixed(game: Game, config: RunConfig, factions: int) -> bool:
    """Tell whether seat i plays the i-th faction named: a fixed line-up that names one for each board."""
    return config.assign == "fixed" and factions == len(config.factions) == game.boards(config.players)
