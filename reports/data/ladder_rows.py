"""Reads a game's file in `configs/ladder/`: its players by skill, and the sizes of ladders and of quick searches."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sim.data.catalog import CONFIGS, Row, read_toml, validate_row
from sim.game import GameSpec

MIN_RUNGS = 2
"""Minimum number of players of a ladder."""


class LadderRow(Row):
    """The ladder of a game, as in `configs/ladder/<game>.toml`.

    Attributes
    ----------
    rungs
        Players, the least skilled first.
    games
        Number of games of each rung whose player does not look ahead.
    search_games
        Number of games of each rung whose player looks ahead.
    mixed_deals
        Number of deals of mixed tables, at which one seat looks ahead. This is each seat in turn, on the same deal.
    instead, instead_games
        Player of the top rung if no learned judge (a trained evaluation of positions) fits the numbers of players and
        the variants, and its number of games and deals. Searches for changes of the game also use it as the best
        player, because judges were trained on the unchanged game.
    top_games
        On request, a search plays each version of the game with players that have learned judges. This is the number of
        games of each version.
    rating_games
        Number of games of `strategies GAME --ladder`, in which all players meet.
    quick_games
        Number of games with which a quick search of `rebalance` tries each value. The search takes less than a minute
        on two cores.
    judge_games
        Number of games of self-play on which a judge for a changed game is trained.
    quick_total, quick_seconds
        About how many games a quick search plays in all, and how many seconds it needs for everything else: starting,
        loading tables, preparing players.
    """

    rungs: list[str] = Field(min_length=MIN_RUNGS)
    games: Annotated[int, Field(ge=1)] = 10_000
    search_games: Annotated[int, Field(ge=1)] = 200
    mixed_deals: Annotated[int, Field(ge=1)] = 200
    instead: str = ""
    instead_games: Annotated[int, Field(ge=1)] = 100
    top_games: Annotated[int, Field(ge=1)] = 100
    rating_games: Annotated[int, Field(ge=1)] = 400
    quick_games: Annotated[int, Field(ge=1)] = 1_000
    judge_games: Annotated[int, Field(ge=1)] = 20_000
    quick_total: Annotated[int, Field(ge=1)] = 12_000
    quick_seconds: Annotated[float, Field(ge=0)] = 2.0


def ladder_of(game: GameSpec) -> LadderRow:
    """Return the ladder of a game.

    A game in plain Python has the rungs random play, greedy play and its first default strategy. Any other game without
    a file has random play and its first default strategy.
    """
    path = CONFIGS / "ladder" / f"{game.name}.toml"
    if game.plain is not None:
        return LadderRow(rungs=list(dict.fromkeys(["random", "greedy", game.default_strategies[0]])))
    if not path.is_file():
        return LadderRow(rungs=list(dict.fromkeys(["random", *game.default_strategies]))[:MIN_RUNGS])
    return validate_row(path, read_toml(path), LadderRow, game.name)
