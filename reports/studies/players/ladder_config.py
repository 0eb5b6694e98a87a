"""Configuration of a ladder: its rungs and how many games each plays. The defaults are data of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reports.data.ladder_rows import MIN_RUNGS, LadderRow
from reports.studies.parts.own_judges import has_judge, with_bases
from sim.errors import UserError
from sim.game import load_game
from sim.players.batch import Plan
from sim.players.find_strategies import load_strategies, pick_strategy
from sim.players.judge_files import check_judges
from sim.players.search_config import parted
from sim.runs.config import RunConfig, make_plan


@dataclass(frozen=True)
class LadderConfig:
    """The runs of a ladder.

    Attributes
    ----------
    rungs
        The run of each player, the least skilled first.
    searcher, base
        Players of mixed tables, where one `searcher` meets copies of `base`, the same player without look-ahead. The
        searcher is the highest rung whose base is also a rung. Empty if there is none, if the run has one player or
        several numbers of players, or if there are no factions to compare.
    mixed
        The run of mixed tables. None if `searcher` is empty.
    meeting
        The run in which all rungs meet. None if the run has one player or several numbers of players.
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
        Players, the least skilled first. Empty for the rungs of the game's ladder.
    games, search_games
        Games of a rung without look-ahead, and of a rung with look-ahead. None for those of the game's ladder. If only
        `games` is given, rungs with look-ahead play at most that many games too.

    Raises
    ------
    UserError
        There are fewer than two rungs, a rung is named twice, or a player is unknown.
    """
    names = list(rungs) or rungs_for(config, row)
    if len(names) < MIN_RUNGS:
        raise UserError("a ladder needs at least two rungs", field="rungs", found=", ".join(names))
    for name in names:
        if names.count(name) > 1:
            raise UserError("a rung is named twice", field="rungs", found=name, allowed="each player once")
    code = None if config.code is None else Path(config.code)
    pick_strategy(load_game(config.game), load_strategies(config.game, code, judges=True), names, "rungs")
    plain = row.games if games is None else games
    usual = {True: (row.search_games, row.mixed_deals), False: (row.instead_games, row.instead_games)}
    deep = plain
    played: dict[str, RunConfig] = {}
    deals: dict[str, int] = {}  # of the mixed tables, by rung with look-ahead
    for name in names:
        rung = config.model_copy(update={"strategies": [name], "assign": "rotate"})
        plan = make_plan(rung)
        if plan.looks_ahead:
            most, mixed = usual[any(map(has_judge, plan.strategies))]
            deep = search_games or (most if games is None else min(most, games))
            deals[name] = min(search_games or mixed, deep)
        played[name] = rung.model_copy(update={"games": deep if name in deals else plain})
    bases = [(name, base_named(name, played)) for name in reversed(deals)]
    searcher, base = next(((name, base) for name, base in bases if base != name and base in names), ("", ""))
    seats = config.players if isinstance(config.players, int) else 1
    met = min(row.rating_games, plain, deep * seats if deals else plain)
    meeting = config.model_copy(update={"strategies": names, "assign": "rotate", "games": met})
    together = None if seats < 2 else meeting
    if not searcher or seats < 2 or len(plan.factions) < 2:
        return LadderConfig(played, meeting=together)
    games = min(deals[searcher], played[base].games) * seats
    update = {"strategies": [searcher, *[base] * (seats - 1)], "assign": "rotate", "games": games}
    return LadderConfig(played, searcher, base, config.model_copy(update=update), together)


def rungs_for(config: RunConfig, row: LadderRow) -> list[str]:
    """Return the rungs of a game's ladder that can play this table size and variant.

    If the ladder names no substitute (`row.instead`), these are all its rungs. Otherwise, players whose judge (a
    learned estimate of win probabilities) was not trained for this table size and variant are omitted. If no rung with
    a judge is left, the substitute is the top rung.
    """
    if not row.instead:
        return list(row.rungs)
    plans = {name: make_plan(config.model_copy(update={"strategies": [name]}), untrained=True) for name in row.rungs}
    known = [name for name, plan in plans.items() if knows_table(plan)]
    judged = any(has_judge(player) for name in known for player in plans[name].strategies)
    return known if judged else [*known, row.instead]


def knows_table(plan: Plan) -> bool:
    """Tell whether the judges of a plan's players were trained for its data, number of players and variant."""
    try:
        check_judges(plan.strategies, plan.game, plan.data, plan.players, plan.variant)
    except UserError:
        return False
    return True


def base_named(searcher: str, played: Mapping[str, RunConfig]) -> str:
    """Return the name of the player that the rung `searcher` becomes without its look-ahead.

    `played` has the runs of all rungs by name.
    """
    name = parted(searcher.partition("@")[0])[0]
    return name if name in played else with_bases(make_plan(played[searcher])).strategies[0].name


def rating_config(config: RunConfig, row: LadderRow, games: int | None) -> RunConfig:
    """Return the run in which all players of a game meet: its scripts, and the other players of its ladder.

    `row` is from `ladder_of`. Without a number of `games`, the run has as many as the ladder says.
    """
    code = Path(config.code) if config.code is not None else None
    names = list(dict.fromkeys([*load_strategies(config.game, code), *rungs_for(config, row)]))
    return config.model_copy(update={"strategies": names, "games": games or row.rating_games, "assign": "rotate"})
