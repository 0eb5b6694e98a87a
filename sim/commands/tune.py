"""Improves a strategy's weights."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from sim.commands.shared import GameName, command_line, say, split
from sim.errors import UserError

LEAST_POPULATION = 4


def tune(
    game: GameName,
    strategy: Annotated[str, typer.Argument(metavar="STRATEGY", help="The strategy whose weights are to be improved.")],
    pool: Annotated[
        str | None, typer.Option(help="Whom it meets besides itself, with commas; by default all others but random.")
    ] = None,
    weights: Annotated[
        str | None, typer.Option(help="Weights to vary, with commas; by default all that are not 0.")
    ] = None,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="Games of each candidate in a generation.")] = 4000,
    generations: Annotated[int, typer.Option(min=1, help="Rounds of the search.")] = 40,
    population: Annotated[
        int, typer.Option(min=0, help="Candidates of a generation; 0: as many as so many weights ask for.")
    ] = 0,
    fresh: Annotated[int, typer.Option(min=2, help="Games of the test on fresh deals.")] = 100_000,
    players: Annotated[int, typer.Option("--players", "-k", help="Players at the table.")] = 4,
    factions: Annotated[str, typer.Option(help='What may be dealt, with commas, as in simulate; or "all".')] = "all",
    seed: Annotated[int, typer.Option("--seed", "-s", help="Seed of the deals and of the search.")] = 1,
    code: Annotated[Path | None, typer.Option(help="File with a strategy of your own, to tune or to meet.")] = None,
    name: Annotated[str | None, typer.Option(help="Name of the new strategy; by default STRATEGY-tuned.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="TOML file to write; by default NAME.toml in this folder.")
    ] = None,
    overwrite: Annotated[bool, typer.Option(help="Replace the file.")] = False,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Workers; -1 for all cores.")] = -1,
    as_json: Annotated[bool, typer.Option("--json", help="Print the record as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No word on how it goes.")] = False,
) -> None:
    """Improve a strategy's weights by an evolution strategy, test them on fresh deals, and write them as a TOML file.

    Example: empirelab tune seven_wonders military --weights military,blue --generations 20
    """
    from math import log

    from reports.export import write_whole
    from sim.runs.run import jobs_to_use
    from strategies.tuning import as_toml, record_of, tunable
    from strategies.tuning import tune as search

    called = name or f"{strategy}-tuned"
    path = out or Path(f"{called}.toml")
    check_file(path, overwrite)
    plan = plan_to_tune(game, strategy, called, pool, players, factions, seed, code)
    if 0 < population < LEAST_POPULATION:
        raise UserError("too few candidates to learn from", field="population", found=population, allowed="4 or more")
    names = tunable(plan.strategies[1], None if weights is None else split(weights))
    workers = jobs_to_use(jobs)
    many = population or 4 + int(3 * log(len(names)))
    try:
        if not quiet:
            say(f"varying {len(names)} weights of {strategy}, {many} candidates in each of {generations} generations")
        found = search(
            plan,
            names=names,
            name=called,
            games=games,
            generations=generations,
            population=many,
            fresh_games=fresh,
            seed=seed % 2**32,
            jobs=workers,
            say=(lambda *progress: None) if quiet else tell_generation,
        )
    except KeyboardInterrupt:
        say("empirelab: interrupted; nothing is written")
        raise typer.Exit(130) from None
    asked = {"command": command_line(), "games": games, "generations": generations, "population": many}
    record = record_of(found, plan, asked)
    write_whole(path, as_toml(found, record).encode("utf-8"))
    print(json.dumps(record, indent=1) if as_json else "\n".join(told(found, path)))


def plan_to_tune(
    game: str, strategy: str, name: str, pool: str | None, players: int, factions: str, seed: int, code: Path | None
) -> Any:
    """Return a plan whose strategies are the candidate, the original and the rest of the pool.

    Raises
    ------
    UserError
        Anything is unknown or impossible, as in `simulate`.
    """
    from dataclasses import replace

    from sim.catalog import validate_row
    from sim.game import load_game
    from sim.runs.config import RunConfig, make_plan
    from strategies.loading import check_name, load_strategies

    known = load_strategies(load_game(game).name, code)
    if strategy not in known:
        raise UserError("unknown strategy", found=strategy, allowed=list(known))
    check_name(name, known)
    others = [other for other in known if other not in (strategy, "random")] if pool is None else split(pool)
    asked = {
        "game": game,
        "players": players,
        "strategies": [strategy, *(other for other in others if other != strategy)],
        "factions": split(factions),
        "seed": seed,
        "code": None if code is None else str(code),
    }
    plan = make_plan(validate_row("command line", asked, RunConfig, None))
    return replace(plan, strategies=(replace(plan.strategies[0], name=name), *plan.strategies), lineup=(0,))


def check_file(path: Path, overwrite: bool) -> None:
    """Check, before any work is done, that a file may be written.

    Raises
    ------
    UserError
        It exists and is not to be overwritten, or its folder does not exist or cannot be written.
    """
    import os

    if path.exists() and (not overwrite or not path.is_file()):
        raise UserError("the file exists", file=path, allowed="a new file, or --overwrite")
    folder = path.absolute().parent
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        raise UserError("the file cannot be written", file=path, allowed="a file in a folder you may write to")


def tell_generation(generation: int, best: float, mean: float) -> None:
    """Say how a generation went."""
    say(f"generation {generation}: edge against the pool, best {100 * best:+.2f} points, mean {100 * mean:+.2f}")


def told(found: Any, path: Path) -> list[str]:
    """Say what a search found, in lines of words."""
    gain, duel = found.gain, found.duel
    verdict = "better" if found.improved else "worse" if gain.high < 0 else "not shown to be better"
    moved = sorted(found.tuned.weights, key=lambda name: -abs(log_factor(found, name)))[:6]
    changes = ", ".join(f"{name} {found.original.weights[name]:g} to {found.tuned.weights[name]:g}" for name in moved)
    return [
        f"{found.tuned.name} is {verdict} than {found.original.name}: {span(gain)} points of win share against the "
        f"pool, on {gain.games:,} fresh games",
        f"against the pool: {100 * found.edge_before:+.2f} points before, {100 * found.edge_after:+.2f} after",
        f"at tables shared with {found.original.name} only: {span(duel)} points ({duel.games:,} games)",
        f"moved most: {changes}",
        f"written: {path}; play it with: --code {path}",
    ]


def span(difference: Any) -> str:
    """A difference with its interval, in points."""
    return f"{100 * difference.edge:+.2f} ± {50 * (difference.high - difference.low):.2f}"


def log_factor(found: Any, name: str) -> float:
    """By how much a weight was multiplied, as a logarithm; 0 for one that is 0."""
    from math import log

    before, after = found.original.weights[name], found.tuned.weights[name]
    return log(after / before) if before else 0.0
