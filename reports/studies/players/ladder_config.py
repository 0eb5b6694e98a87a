"""Configuration of a ladder: its rungs and their games; the defaults are data of the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from reports.data.ladder_rows import MIN_RUNGS, LadderRow
from sim.errors import UserError
from sim.players.find_strategies import load_strategies
from sim.players.search_config import parted
from sim.runs.config import RunConfig, make_plan


@dataclass(frozen=True)
class LadderConfig:
    """The runs of a ladder.

    Attributes
    ----------
    rungs
        Run of each player, the least skilled first.
    searcher, base
        Players of mixed tables: the highest rung that looks ahead, and its base; empty if there is no such rung, its
        base is not a rung, the game is for one player, or there are no factions to compare.
    mixed
        The run of mixed tables, or None.
    meeting
        The run in which all rungs meet, or None in a game for one player.
    """

    rungs: dict[str, RunConfig]
    searcher: str = ""
    base: str = ""
    mixed: RunConfig | None = None
    meeting: RunConfig | None = None


def ladder_config(
    config: RunConfig, row: LadderRow, rungs: Sequence[str], games: int | None, search_games: int | None
) -> LadderConfig:
    """Return the runs of a ladder.

    Parameters
    ----------
    config
        What all rungs share: game, players, variant, settings, seed, and so on.
    row
        Defaults, from `ladder_of`.
    rungs
        Players, the least skilled first; empty for the game's.
    games, search_games
        Games of a rung without and with look-ahead; None for the game's. With `games` alone no rung gets more.

    Raises
    ------
    UserError
        Fewer than two rungs, one named twice, or a player is unknown.
    """
    names = list(rungs) or list(row.rungs)
    if len(names) < MIN_RUNGS:
        raise UserError("a ladder needs at least two rungs", field="rungs", found=", ".join(names))
    for name in names:
        if names.count(name) > 1:
            raise UserError("a rung is named twice", field="rungs", found=name, allowed="each player once")
    plain = row.games if games is None else games
    deep = search_games or (row.search_games if games is None else min(row.search_games, games))
    played: dict[str, RunConfig] = {}
    ahead = []
    for name in names:
        rung = config.model_copy(update={"strategies": [name], "assign": "rotate"})
        plan = make_plan(rung)
        if plan.looks_ahead:
            ahead.append(name)
        played[name] = rung.model_copy(update={"games": deep if name in ahead else plain})
    searcher = ahead[-1] if ahead else ""
    base = parted(searcher.partition("@")[0])[0] if searcher else ""
    seats = config.players if isinstance(config.players, int) else 1
    met = min(row.rating_games, plain, deep * seats if ahead else plain)
    meeting = config.model_copy(update={"strategies": names, "assign": "rotate", "games": met})
    together = None if seats < 2 else meeting
    if base == searcher or base not in names or seats < 2 or len(plan.factions) < 2:
        return LadderConfig(played, meeting=together)
    # The number of deals is the number of games of the searcher's rung, if the base has played that many.
    deals = min(deep, played[base].games)
    update = {"strategies": [searcher, *[base] * (seats - 1)], "assign": "rotate", "games": deals * seats}
    return LadderConfig(played, searcher, base, config.model_copy(update=update), together)


def rating_config(config: RunConfig, row: LadderRow, games: int | None) -> RunConfig:
    """Return the run in which all players of a game meet: its scripts, and the other players of its ladder.

    Parameters
    ----------
    config
        Game, players, variant, settings, seed and code.
    row
        From `ladder_of`.
    games
        How many; None for the game's.
    """
    code = Path(config.code) if config.code is not None else None
    names = list(dict.fromkeys([*load_strategies(config.game, code), *row.rungs]))
    return config.model_copy(update={"strategies": names, "games": games or row.rating_games, "assign": "rotate"})
