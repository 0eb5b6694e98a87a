"""One game of a run again, told in words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import polars as pl
from pydantic import BaseModel, ConfigDict, Field

from sim.batch import Plan, play, sources_digest
from sim.compiling import players_of
from sim.data.catalog import validate_row
from sim.data.changes import parse_change
from sim.errors import UserError
from sim.game import check_table, choose_factions, load_game, variant_for
from sim.rows import BLOCK, GAME
from sim.runs.config import MAX_GAMES, MAX_SEED, listed
from sim.runs.groups import variants_named
from sim.runs.loading import check_weights, code_digest, load_code, scripts_of
from sim.runs.manifest import MANIFEST, read_manifest
from sim.runs.store import seat_frame
from sim.scripts import Script, Strategy


class Part(BaseModel):
    """What a manifest says of a part file."""

    model_config = ConfigDict(strict=True)

    file: str
    games: int = Field(ge=1)


class Player(BaseModel):
    """What a manifest says of a strategy."""

    model_config = ConfigDict(strict=True)

    name: str
    base: str
    description: str
    temperature: float = Field(ge=0.0)
    weights: dict[str, float]
    source: str
    code: str = ""


class Count(BaseModel):
    """What a manifest says of the games with one number of players and one variant."""

    model_config = ConfigDict(strict=True)

    players: int
    variant: str
    games: int = Field(ge=1, le=MAX_GAMES)
    first_game: int = Field(default=0, ge=0, le=MAX_GAMES)
    first_block: int = Field(default=0, ge=0, le=MAX_GAMES)
    first_deal: int = Field(default=0, ge=0, le=MAX_GAMES)
    factions_fixed: bool


class Recipe(BaseModel):
    """What of a manifest decides how the games of a run go."""

    model_config = ConfigDict(strict=True)

    game: str
    players: int | list[int]
    variant: str
    games: int = Field(ge=1, le=MAX_GAMES)
    player_counts: list[Count] = []
    seed: int = Field(ge=0, le=MAX_SEED)
    assign: Literal["rotate", "random", "fixed"]
    strategies: list[Player] = Field(min_length=1)
    lineup: list[str] = Field(min_length=1)
    factions_dealt: list[str]
    factions_fixed: bool
    settings: dict[str, bool | int | float | str]
    changes: list[str] = Field(default=[])
    tables: str
    sources: str
    shards: list[Part]


def count_of(folder: Path, recipe: Recipe, game: int) -> Count:
    """Return what the manifest says of the games that have as many players as this one, and its variant.

    Raises
    ------
    UserError
        The manifest contradicts itself.
    """
    if isinstance(recipe.players, int) and len(recipe.player_counts) < 2:
        return Count(
            players=recipe.players, variant=recipe.variant, games=recipe.games, factions_fixed=recipe.factions_fixed
        )
    found = list(dict.fromkeys(count.players for count in recipe.player_counts))
    played = listed(recipe.players)
    if found != played:
        message = "these are not the numbers of players of the run"
        raise UserError(message, file=folder / MANIFEST, field="player_counts", found=found, allowed=played)
    for count in recipe.player_counts:
        if count.first_game <= game < count.first_game + count.games:
            return count
    raise UserError("no entry has this game", file=folder / MANIFEST, field="player_counts", found=game)


def plan_of(folder: Path, recipe: Recipe, count: Count | None = None) -> Plan:
    """Return the plan a run was played by, or that of some of its games (`count_of`; by default the first).

    Raises
    ------
    UserError
        The manifest contradicts itself, or tables or a user's strategy file have changed since the run.
    """
    count = count or count_of(folder, recipe, 0)
    game = load_game(recipe.game)
    variant = variant_for(game, count.players, count.variant)
    # Changes of strategies are in the weights that the manifest holds.
    changes = [change for change in map(parse_change, recipe.changes) if change.file in game.files]
    data = game.load(recipe.settings, changes)
    if data.digest != recipe.tables:
        message = "the game's tables have changed since this run, so its games cannot be played again"
        raise UserError(message, file=folder / MANIFEST, field="tables", found=recipe.tables, allowed=data.digest)
    strategies = tuple(_strategy(folder, game.name, row) for row in recipe.strategies)
    names = [strategy.name for strategy in strategies]
    for name in recipe.lineup:
        if name not in names:
            raise UserError("unknown strategy", file=folder / MANIFEST, field="lineup", found=name, allowed=names)
    factions = choose_factions(game, data, recipe.factions_dealt)
    check_table(game, data, factions, count.players)
    return Plan(
        game=game,
        data=data,
        players=count.players,
        variant=variant.name,
        strategies=strategies,
        lineup=tuple(names.index(name) for name in recipe.lineup),
        factions=factions,
        factions_fixed=count.factions_fixed,
        assign=recipe.assign,
        seed=recipe.seed,
        changes=tuple(recipe.changes),
    )


def _strategy(folder: Path, game: str, row: Player) -> Strategy:
    """Return a strategy with the weights it had in a run.

    Raises
    ------
    UserError
        A user's file is gone or has changed, or the weights are not those of the script.
    """
    if code_digest(row.source) != row.code:
        message = "this strategy file has changed since the run, so its games cannot be played again"
        raise UserError(message, file=row.source)
    script: Script | None = scripts_of(game).get(row.base)
    if script is None:
        script = load_code(Path(row.source)).script
    check_weights(folder / MANIFEST, row.name, script, row.weights)
    return Strategy(row.name, script, row.weights, row.temperature, row.description, row.source)


def recorded_rows(folder: Path, recipe: Recipe, game: int) -> pl.DataFrame:
    """Read what a run recorded of one game.

    Raises
    ------
    UserError
        The part file is missing or damaged.
    """
    first = 0
    for part in recipe.shards:
        if game < first + part.games:
            path = folder / part.file
            try:
                return pl.read_parquet(path).filter(pl.col("game") == game)
            except (OSError, pl.exceptions.PolarsError) as error:
                raise UserError(f"the part cannot be read ({error})", file=path) from error
        first += part.games
    raise UserError("no part holds this game", file=folder / MANIFEST, field="shards", found=game)


def replay(folder: Path, game: int) -> Sequence[str]:
    """Tell one game of a run, in lines of words, having checked that it ends as it was recorded.

    Raises
    ------
    UserError
        There is no run or no such game, its manifest is damaged, or what it was played with has changed.
    """
    recipe: Any = validate_row(folder / MANIFEST, read_manifest(folder), Recipe, None)
    if not 0 <= game < recipe.games:
        raise UserError("the run has no such game", field="game", found=game, allowed=f"0 to {recipe.games - 1}")
    count = count_of(folder, recipe, game)
    plan = plan_of(folder, recipe, count)
    own = game - count.first_game + count.first_deal * plan.block_games
    rows, _ = play(plan, players_of(plan), own, 1)
    rows[:, GAME] = game
    rows[:, BLOCK] += count.first_block - count.first_deal
    variants = variants_named((one.players, one.variant) for one in recipe.player_counts)
    if not seat_frame(plan, rows, variants).equals(recorded_rows(folder, recipe, game)):
        changed = "engine or players have" if recipe.sources != sources_digest(plan) else "its manifest has"
        message = f"game {game} played again does not end as recorded: {changed} changed since the run"
        raise UserError(message, file=folder)
    return plan.game.tell(plan, own)
