"""Improves a strategy's weights."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sim.commands.guarding import TIME_LIMIT, Guard, TimeLimit, guarded
from sim.commands.shared import (
    AsJson,
    Decks,
    Factions,
    Fresh,
    GameName,
    Jobs,
    NewStrategy,
    Players,
    Pool,
    Quiet,
    Replace,
    Variant,
    Weights,
    command_line,
    counting_number,
    print_json,
    say_unless,
    split,
)
from sim.errors import UserError

MOST = {"games": 10_000_000, "generations": 100_000, "population": 10_000, "fresh": 10_000_000}
"""Largest sizes of a search: games of a candidate lie in memory together."""


def tune(
    game: GameName,
    strategy: Annotated[str, typer.Argument(metavar="STRATEGY", help="The strategy whose weights are to be improved.")],
    pool: Pool = None,
    weights: Weights = None,
    games: Annotated[
        int,
        typer.Option(
            "--games", "-n", parser=counting_number, metavar="NUMBER", help="Games of each candidate in a generation."
        ),
    ] = 4000,
    generations: Annotated[int, typer.Option(min=1, help="Rounds of the search.")] = 40,
    population: Annotated[
        int, typer.Option(min=0, help="Candidates of a generation; 0: as many as so many weights ask for.")
    ] = 0,
    fresh: Fresh = 100_000,
    players: Players = None,
    factions: Factions = "all",
    variant: Variant = None,
    seed: Annotated[int, typer.Option("--seed", "-s", help="Seed of the deals and of the search.")] = 1,
    code: Annotated[
        Path | None, typer.Option(callback=guarded, help="File with a strategy of your own, to tune or to meet.")
    ] = None,
    guard: Guard = True,
    time_limit: TimeLimit = TIME_LIMIT,
    decks: Decks = None,
    name: Annotated[str | None, typer.Option(help="Name of the new strategy; by default STRATEGY-tuned.")] = None,
    out: NewStrategy = None,
    overwrite: Replace = False,
    jobs: Jobs = -1,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Improve a strategy's weights by an evolution strategy, test them on fresh deals, and write them as a TOML file.

    Example: empirelab tune seven_wonders military --weights military,blue --generations 20
    """
    from reports.studies.players.tuning import tune_strategy, tuning_lines

    called = name or f"{strategy}-tuned"
    path = out or Path(f"{called}.toml")
    check_name_of_file(called)
    check_file(path, overwrite)
    check_sizes(games=games, generations=generations, population=population, fresh=fresh)
    found = tune_strategy(
        game,
        strategy,
        pool=None if pool is None else split(pool),
        weights=None if weights is None else split(weights),
        games=games,
        generations=generations,
        population=population,
        fresh=fresh,
        players=players,
        factions=split(factions),
        variant=variant,
        seed=seed,
        code=code,
        decks=decks or [],
        name=called,
        out=path,
        jobs=jobs,
        command=command_line(),
        progress=False,
        say=say_unless(quiet),
    )
    if as_json:
        print_json(dict(found.record))
    else:
        print("\n".join([*tuning_lines(found), f"written: {path}; play it with: --code {path}"]))


def check_name_of_file(called: str) -> None:
    """Check that a strategy may be called so, whose file is called after it.

    Raises
    ------
    UserError
        It may not.
    """
    if "/" in called:
        raise UserError("the name of a strategy has no slash", field="name", found=called, allowed="letters and digits")


def check_file(path: Path, overwrite: bool) -> None:
    """Check, before any work is done, that a file may be written.

    Raises
    ------
    UserError
        It exists and is not to be overwritten, is a folder or a part of a run, or its folder does not exist or cannot
        be written.
    """
    import os

    from sim.runs.store.parquet import check_not_part

    check_not_part(path, "out")
    if path.is_dir():
        raise UserError("the file cannot be written: this is a folder", file=path, allowed="the name of a file")
    if path.exists() and not overwrite:
        raise UserError("the file exists", file=path, allowed="a new file, or --overwrite")
    folder = path.absolute().parent
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        raise UserError("the file cannot be written", file=path, allowed="a file in a folder you may write to")


def check_sizes(**sizes: int) -> None:
    """Check that a search is of a size that a computer can hold.

    Parameters
    ----------
    sizes
        Some of those in `MOST`.

    Raises
    ------
    UserError
        Some number is beyond it.
    """
    for field, size in sizes.items():
        if size > MOST[field]:
            raise UserError("more than can be played", field=field, found=size, allowed=f"at most {MOST[field]:,}")
    if sizes["fresh"] < 2:
        raise UserError("too few for a test", field="fresh", found=sizes["fresh"], allowed="2 or more")
