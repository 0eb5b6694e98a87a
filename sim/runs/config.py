"""What a run is asked to be: the options of `simulate`, or a TOML file, checked and resolved to a plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from sim.batch import Plan
from sim.catalog import Row, fault, no_repeats, read_toml, validate_row
from sim.changes import split_changes
from sim.errors import UserError
from sim.game import Game, check_table, choose_factions, load_game, variant_for
from strategies.loading import load_strategies, pick, strategy_files

MAX_GAMES = 2**31 - 1
MAX_SEED = 2**63 - 1


def numbers_of_players(value: object) -> object:
    """Validate one number of players, or a list of them, all different; a list of one is that one."""
    several = value if isinstance(value, list) else [value]
    for place, number in enumerate(several, start=1):
        field = str(place) if isinstance(value, list) else None
        if not isinstance(number, int) or isinstance(number, bool):
            fault("not allowed here", field=field, found=number, allowed="a whole number")
        if number < 1:
            fault("not allowed here", field=field, found=number, allowed="greater than or equal to 1")
    if not several:
        fault("wrong number of entries", found=0, allowed="at least 1")
    no_repeats(several)
    return several[0] if len(several) == 1 else several


Players = Annotated[int | list[int], BeforeValidator(numbers_of_players)]
"""One number of players, or several, all different; a list of one is that one."""


class RunConfig(Row):
    """A run as it is asked for; the fields are the options of `empirelab simulate`."""

    game: str
    games: int = Field(default=10_000, ge=1, le=MAX_GAMES)
    players: Players = 4
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


def make_plans(config: RunConfig) -> tuple[Plan, ...]:
    """Resolve a configuration to a plan for each number of players, in the order they are named.

    Raises
    ------
    UserError
        As for `make_plan`, for any of the numbers.
    """
    counts = config.players if isinstance(config.players, list) else [config.players]
    first = make_plan(config.model_copy(update={"players": counts[0]}))
    return (first, *(for_players(first, config, players) for players in counts[1:]))


def for_players(plan: Plan, config: RunConfig, players: int) -> Plan:
    """Return a plan of the same run for another number of players.

    Raises
    ------
    UserError
        The variant, the line-up or the pool of factions is not for so many.
    """
    variant = variant_for(plan.game, players, config.variant)
    check_lineup(plan.assign, plan.lineup, players)
    check_table(plan.game, plan.data, plan.factions, players)
    fixed = factions_are_fixed(plan.game, config, players, len(plan.factions))
    return replace(plan, players=players, variant=variant.name, factions_fixed=fixed)


def make_plan(config: RunConfig) -> Plan:
    """Resolve a configuration with one number of players to a plan.

    Raises
    ------
    UserError
        Unknown game, variant, strategy or faction, a number of players the game is not for, a pool of factions
        too small for the table, a fixed line-up that does not fit the seats, a strategy file whose strategy does not
        play, an unknown setting, a change that does not fit the data, or several numbers of players.
    """
    players = config.players
    if isinstance(players, list):
        raise UserError("one number of players is needed here", field="players", found=players)
    game = load_game(config.game)
    variant = variant_for(game, players, config.variant)
    code = Path(config.code) if config.code is not None else None
    data_changes, strategy_changes = split_changes(config.changes, list(game.files), strategy_files(game.name, code))
    data = game.load(config.settings, data_changes)
    known = load_strategies(game.name, code, changes=strategy_changes)
    strategies, lineup = pick(known, config.strategies)
    own = list(known)[-1]  # a user's own file is the last
    if code is not None and all(strategy.name.partition("@")[0] != own for strategy in strategies):
        message = f"the strategy {own} of {code} is not among those that meet"
        raise UserError(message, field="strategies", found=", ".join(config.strategies), allowed=f"with {own}")
    check_lineup(config.assign, lineup, players)
    factions = choose_factions(game, data, config.factions)
    check_table(game, data, factions, players)
    return Plan(
        game=game,
        data=data,
        players=players,
        variant=variant.name,
        strategies=strategies,
        lineup=lineup,
        factions=factions,
        factions_fixed=factions_are_fixed(game, config, players, len(factions)),
        assign=config.assign,
        seed=config.seed,
        keeps_cards=config.detail == "cards",
        changes=tuple(config.changes),
    )


def check_lineup(assign: str, lineup: Sequence[int], players: int) -> None:
    """Check that a fixed line-up fits the seats.

    Raises
    ------
    UserError
        It names more than one strategy, but not one for each seat.
    """
    if assign == "fixed" and len(lineup) not in (1, players):
        message = "a fixed line-up names one strategy for each seat, or one for all"
        raise UserError(message, field="strategies", found=len(lineup), allowed=f"1 or {players}")


def factions_are_fixed(game: Game, config: RunConfig, players: int, factions: int) -> bool:
    """Tell whether seat i plays the i-th faction named: a fixed line-up that names one for each board."""
    return config.assign == "fixed" and factions == len(config.factions) == game.boards(players)
