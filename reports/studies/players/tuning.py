"""Improves a strategy's weights with an evolution strategy, and tests the result on unseen deals.

Weights are varied by factors: a step of 0.3 multiplies or divides a weight by about 1.35, so the weight keeps its sign.
All candidates of a generation play the same deals. The next generation plays new deals. The result is the centre of
the last search distribution. It is measured against the original on deals that the search has not used.

References
----------
Hansen, N. and Ostermeier, A. (2001). Completely derandomized self-adaptation in evolution strategies. Evolutionary
Computation 9, 159-195.
Nomura, M. and Shibata, M. (2024). cmaes: a simple yet practical Python library for CMA-ES. arXiv:2402.01373.
"""

from __future__ import annotations

import inspect
import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TypedDict

import numpy as np
import tomli_w
from cmaes import CMA
from joblib import Parallel, delayed
from numpy.typing import NDArray

from reports.data.load import check_company
from reports.formatting import counted
from reports.statistics.distributions import t_ppf
from reports.studies.search.block_sums import wins_by_block
from sim.data.arguments import checks_arguments, jobs_to_use
from sim.data.catalog import CONFIGS, validate_row
from sim.data.files import write_whole
from sim.engine.script import Strategy
from sim.errors import UserError
from sim.game import load_game
from sim.games.plain.class_checks import FREE_PLAYERS
from sim.players.batch import Plan
from sim.players.compile_players import lineup_record, players_of
from sim.players.find_strategies import check_name, load_strategies
from sim.runs.config import RunConfig, make_plan
from sim.runs.progress import show_progress
from sim.runs.run import seconds_per_game, time_words, warm_up

CANDIDATE, ORIGINAL = 0, 1
"""Indices of a plan's strategies. The pool begins at the original."""
FIRST_STEP = 0.3
"""Initial step size of the search, in the log of a weight."""
WEIGHT_DIGITS = 4
"""Weights are written with this many significant digits. Finer differences do not show in games."""
MIN_POPULATION = 4
WEIGHED = 1e-3
"""Preparation is timed with a trial candidate, in which each varied weight is changed by this step in the log."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Difference:
    """An edge or a gain in win rate per seat (a fraction), its 95 % limits, and the number of games behind it."""

    edge: float
    low: float
    high: float
    games: int


@dataclass(frozen=True)
class Tuning:
    """Result of tuning or distilling.

    Attributes
    ----------
    original, tuned
        The strategy before and after tuning.
    edge_before, edge_after
        Win rate per seat minus the fair share, against the pool, on fresh deals.
    gain
        The difference of these edges, paired by deal.
    duel
        Edge of the tuned strategy at tables that it shares with the original only.
    history
        Best and mean edge of each generation on its own deals, shape (generations, 2). Empty if there are no
        generations.
    record
        Record of the search from `record_of`, or empty.
    found_by
        The method of the search, in a few words.
    """

    original: Strategy
    tuned: Strategy
    edge_before: float
    edge_after: float
    gain: Difference
    duel: Difference
    history: Floats
    record: Mapping[str, object] = field(default_factory=dict)
    found_by: str = "found by an evolution strategy"

    @property
    def improved(self) -> bool:
        """Tell whether fresh deals show that the tuned strategy wins more than the original."""
        return self.gain.low > 0

    def __repr__(self) -> str:
        return "\n".join(tuning_lines(self))


@checks_arguments
def tune_strategy(
    game: str,
    strategy: str,
    *,
    pool: Sequence[str] | None = None,
    weights: Sequence[str] | None = None,
    games: int = 4000,
    generations: int = 40,
    population: int = 0,
    fresh: int = 100_000,
    players: int | None = None,
    factions: Sequence[str] = ("all",),
    variant: str | None = None,
    seed: int = 1,
    code: str | Path | None = None,
    decks: Sequence[str | Path] = (),
    name: str | None = None,
    out: str | Path | None = None,
    jobs: int = -1,
    command: str = "",
    progress: bool = True,
    say: Callable[[str], None] = lambda text: None,
) -> Tuning:
    """Search for better weights of a strategy, and test them on fresh deals. Like `empirelab tune`.

    Parameters
    ----------
    game, strategy
        Names of the game and of the strategy.
    pool
        Opponents of the candidates, besides the strategy itself. By default all other strategies except `random` (and,
        in a game in plain Python, its greedy player).
    weights
        Weights to vary. By default all that are not 0.
    games
        Games of each candidate in a generation.
    generations, population
        Number of generations, and of candidates in each. 0 candidates stands for a number that suits the number of
        weights.
    fresh
        Games of the test on fresh deals.
    players, factions, variant, seed, code, decks
        As in `simulate`.
    name
        Name of the new strategy. By default the old name with "-tuned" added.
    out
        TOML file for the new strategy. An existing file is replaced. None writes nothing.
    jobs
        Workers, -1 for all cores.
    command
        The command, for the record.
    progress
        Show a bar on a terminal or in a notebook.
    say
        Takes messages on what is varied and on each generation.

    Raises
    ------
    UserError
        A name is unknown or an option impossible, as in `simulate`, or the file cannot be written.
    """
    called = name or f"{strategy}-tuned"
    own = None if code is None else Path(code)
    run = RunOptions(game=game, players=players, factions=factions, variant=variant, seed=seed, code=own, decks=decks)
    plan = plan_to_tune(strategy, called, pool, run)
    names = tunable(plan.strategies[ORIGINAL], weights)
    many = candidates_per_generation(population, len(names))
    workers = jobs_to_use(jobs)
    each = counted(generations, "generation")
    say(f"varying {len(names)} weights of {strategy}, {many} candidates in each of {each}")
    warm_up([plan], say)
    measure = partial(seconds_per_game, jobs=workers, written=False)
    say(f"this takes {time_words(tuning_seconds(plan, names, games, generations, many, fresh, workers, measure))}")
    with show_progress(f"Tuning {strategy}", games * many * generations, progress) as bar:

        def tell(generation: int, best: float, mean: float) -> None:
            bar.advance(games * many)
            edges = f"best {100 * best:+.2f} points, mean {100 * mean:+.2f}"
            say(f"generation {generation}: edge against the pool, {edges}")

        result = search_weights(
            plan, names=names, name=called, games=games, generations=generations, population=many, fresh_games=fresh,
            seed=seed % 2**32, jobs=workers, say=tell,
        )  # fmt: skip
    options = {"command": command, "games": games, "generations": generations, "population": many,
               "decks": [Path(path).name for path in decks]}  # fmt: skip
    return with_record(result, plan, options, out)


def tuning_seconds(
    plan: Plan,
    names: Sequence[str],
    games: int,
    generations: int,
    population: int,
    fresh_games: int,
    jobs: int,
    measure: Callable[[Plan], float],
) -> float:
    """Estimate how many seconds a search takes. `measure` returns the seconds per game of a plan, with all workers."""
    arena = Arena(plan, tables_against(len(plan.strategies) - 1, plan.players))
    original = plan.strategies[ORIGINAL]
    other = replace(original, weights=point_weights(original, names, np.full(len(names), WEIGHED)))
    began = time.perf_counter()
    lineup_record((other, *plan.strategies[1:]), plan.data, plan.players)
    preparing = time.perf_counter() - began
    each = sum(map(measure, arena.tables)) / len(arena.tables)
    # Some workers are idle during the last candidates of a generation, and during the three parts of the test.
    turns = math.ceil(population / jobs) * jobs
    test = jobs * {1: 2.5, 2: 1.5}.get(jobs, 1.0)
    blocks = partial(round_up_blocks, block=plan.block_games)
    played = generations * turns * blocks(games / len(arena.tables)) + test * blocks(fresh_games / len(arena.tables))
    return preparing * generations * population + each * played * len(arena.tables)


class RunOptions(TypedDict):
    """What is played, as in `simulate`. `players` and `variant` are None for the defaults of the game."""

    game: str
    players: int | None
    factions: Sequence[str]
    variant: str | None
    seed: int
    code: Path | None
    decks: Sequence[str | Path]


def plan_to_tune(strategy: str, name: str, pool: Sequence[str] | None, run: RunOptions) -> Plan:
    """Return a plan whose strategies are the candidate, the original and the rest of the pool."""
    game = load_game(run["game"])
    known = load_strategies(game.name, run["code"])
    if strategy not in known:
        raise UserError("unknown strategy", found=strategy, allowed=list(known))
    check_name(name, known)
    # In a game in plain Python, the greedy player copies the state for every option. It would take most of the time.
    weak = ("random",) if game.plain is None else FREE_PLAYERS
    others = [other for other in known if other not in (strategy, *weak)] if pool is None else pool
    plan = checked_plan("tune", [strategy, *(other for other in others if other != strategy)], run)
    check_company(plan.players, "weights are judged against opponents")
    return replace(plan, strategies=(replace(plan.strategies[0], name=name), *plan.strategies), lineup=(0,))


def checked_plan(origin: str, strategies: Sequence[str], run: RunOptions) -> Plan:
    """Return the plan for options given by name. If an option is not allowed, the UserError names `origin`."""
    options = {
        **run,
        "strategies": list(strategies),
        "factions": list(run["factions"]),
        "code": None if run["code"] is None else str(run["code"]),
        "decks": [str(path) for path in run["decks"]],
    }
    if run["players"] is None:
        del options["players"]
    return make_plan(validate_row(origin, options, RunConfig, None))


def candidates_per_generation(population: int, weights: int) -> int:
    """Return the number of candidates in a generation: `population`, or if this is 0, a default (Hansen 2016).

    The default depends on the number of weights that are varied.
    """
    if 0 < population < MIN_POPULATION:
        raise UserError("too few candidates to learn from", field="population", found=population, allowed="4 or more")
    return population or 4 + int(3 * math.log(weights))


def tables_against(pool: int, players: int) -> list[tuple[int, ...]]:
    """Return the line-ups at which a candidate is judged, as indices of a plan's strategies.

    At some tables, one candidate sits among strategies of the pool. Each strategy of the pool sits at one such table or
    more. With three players or more, there are also tables where half the seats are candidates and the others play one
    strategy of the pool. So a candidate cannot win only by exploiting weak players.
    """
    others = list(range(ORIGINAL, ORIGINAL + pool))
    mixed = [
        (CANDIDATE, *(others[(first + step) % pool] for step in range(players - 1)))
        for first in range(0, pool, players - 1)
    ]
    if players == 2:
        return mixed
    half = players // 2
    return [*mixed, *((CANDIDATE,) * half + (other,) * (players - half) for other in others)]


def tunable(strategy: Strategy, names: Sequence[str] | None) -> tuple[str, ...]:
    """Return the names of the weights to vary: those given, or all that are not 0.

    Raises UserError if the strategy has no such weights.
    """
    if not strategy.weights:
        raise UserError(f"strategy {strategy.name} has no weights to tune", field="strategy", found=strategy.name)
    varied = tuple(name for name, value in strategy.weights.items() if value != 0)
    if not varied:
        message = f"all weights of {strategy.name} are 0; weights are varied by factors, so they would stay 0"
        raise UserError(message, field="strategy", found=strategy.name)
    if names is None:
        return varied
    for name in names:
        if name not in strategy.weights:
            raise UserError("unknown weight", field="weights", found=name, allowed=list(strategy.weights))
        if strategy.weights[name] == 0:
            message = f"the weight {name} of {strategy.name} is 0; weights are varied by factors, so it would stay 0"
            raise UserError(message, field="weights", found=name, allowed="weights that are not 0")
    if not names:
        raise UserError("no weight is named", field="weights", allowed=list(strategy.weights))
    return tuple(dict.fromkeys(names))


def point_weights(strategy: Strategy, names: Sequence[str], point: Floats) -> dict[str, float]:
    """Return the weights at a point of the search space: the i-th weight of `names` is multiplied by exp(point[i])."""
    factors = dict(zip(names, np.exp(point).tolist(), strict=True))
    return {name: value * factors.get(name, 1.0) for name, value in strategy.weights.items()}


class Arena:
    """Tables at which candidates are measured. Players are compiled once for all weights."""

    def __init__(self, plan: Plan, tables: Sequence[Sequence[int]]) -> None:
        """Take line-ups (`tables`) of a plan's strategies: the candidate, which is in each line-up, and the pool."""
        self.plan = plan
        self.slots, _ = players_of(plan)
        self.tables = [replace(plan, lineup=tuple(table)) for table in tables]

    def edges(self, strategy: Strategy, first: int, games: int) -> Floats:
        """Return the edges of `strategy`, first all blocks of the first table, then those of the next, and so on.

        Every table plays the deals from game `first` on. `games` is the number of games of each table.
        """
        strategies = (replace(strategy, name=self.plan.strategies[CANDIDATE].name), *self.plan.strategies[1:])
        players = (self.slots, lineup_record(strategies, self.plan.data, self.plan.players))
        shares = [wins_by_block(table, players, first, games)[:, CANDIDATE] for table in self.tables]
        return np.concatenate(shares) - 1 / self.plan.players


def mean_interval(values: Floats, games: int) -> Difference:
    """Return the mean of a value per block with its 95 % interval (Student's t)."""
    mean, blocks = float(values.mean()), len(values)
    error = float(values.std(ddof=1)) / math.sqrt(blocks)
    reach = float(t_ppf(0.975, blocks - 1)) * error
    return Difference(mean, mean - reach, mean + reach, games)


def search_weights(
    plan: Plan,
    *,
    names: Sequence[str],
    name: str,
    games: int,
    generations: int,
    population: int,
    fresh_games: int,
    seed: int,
    jobs: int,
    say: Callable[[int, float, float], None] = lambda generation, best, mean: None,
) -> Tuning:
    """Search for better values of the weights `names`, and test them. The tuned strategy gets the name `name`.

    The plan rotates players over seats. Its first strategy is the candidate. The pool follows, with the original first.
    All names differ. Over all tables, a candidate plays about `games` games in a generation, and `fresh_games` in the
    test. The deals come from the plan, not from the seed of the search. `say` takes the number of each
    generation, its best edge and its mean edge.
    """
    original = plan.strategies[ORIGINAL]
    arena = Arena(plan, tables_against(len(plan.strategies) - 1, plan.players))
    each = round_up_blocks(games / len(arena.tables), plan.block_games)
    search = CMA(mean=np.zeros(len(names)), sigma=FIRST_STEP, population_size=population, seed=seed)
    history = np.zeros((generations, 2))

    def measure(point: Floats, first: int) -> float:
        return float(arena.edges(replace(original, weights=point_weights(original, names, point)), first, each).mean())

    with Parallel(n_jobs=jobs, backend="threading") as workers:
        for generation in range(generations):
            points = [search.ask() for _ in range(population)]
            values = workers(delayed(measure)(point, generation * each) for point in points)
            search.tell([(point, -value) for point, value in zip(points, values, strict=True)])
            history[generation] = max(values), np.mean(values)
            say(generation + 1, *history[generation])
    weights = {key: significant(value) for key, value in point_weights(original, names, search.mean).items()}
    tuned = replace(original, name=name, weights=weights, source="")
    return measure_tuned_strategy(arena, tuned, generations * each, fresh_games, jobs, history)


def measure_tuned_strategy(arena: Arena, tuned: Strategy, first: int, games: int, jobs: int, history: Floats) -> Tuning:
    """Measure the tuned strategy against the original on the deals from game `first` on. Return the whole result."""
    plan = arena.plan
    original = plan.strategies[ORIGINAL]
    each = round_up_blocks(games / len(arena.tables), plan.block_games)
    half = plan.players // 2
    duel = Arena(plan, [(CANDIDATE,) * half + (ORIGINAL,) * (plan.players - half)])
    duel_games = round_up_blocks(games / 2, plan.block_games)
    work = [(arena, original, each), (arena, tuned, each), (duel, tuned, duel_games)]
    before, after, head_to_head = Parallel(n_jobs=jobs, backend="threading")(
        delayed(where.edges)(who, first, count) for where, who, count in work
    )
    # All tables with a deal share its luck, so the deal is the unit of analysis.
    gains = (after - before).reshape(len(arena.tables), -1).mean(axis=0)
    gain, alone = mean_interval(gains, each * len(arena.tables)), mean_interval(head_to_head, duel_games)
    return Tuning(original, tuned, float(before.mean()), float(after.mean()), gain, alone, history)


def round_up_blocks(games: float, block: int) -> int:
    """Round games up to whole blocks, at least two."""
    return max(2, math.ceil(games / block)) * block


def significant(value: float) -> float:
    """Round a number to `WEIGHT_DIGITS` significant digits."""
    return float(f"{value:.{WEIGHT_DIGITS}g}")


def rounded_points(edge: float) -> float:
    """Return an edge in percentage points, rounded to two decimals."""
    return round(100 * edge, 2)


def record_of(tuning: Tuning, plan: Plan, options: Mapping[str, object]) -> dict[str, object]:
    """Return the record for the file of the tuned strategy: the options, and the results on fresh deals."""
    gain, duel = tuning.gain, tuning.duel
    edges = {
        "edge_before": tuning.edge_before, "edge_after": tuning.edge_after,
        "gain": gain.edge, "gain_low": gain.low, "gain_high": gain.high,
        "duel": duel.edge, "duel_low": duel.low, "duel_high": duel.high,
    }  # fmt: skip
    return {
        **options, "players": plan.players, "pool": [strategy.name for strategy in plan.strategies[ORIGINAL:]],
        "deals": plan.seed, **{name: rounded_points(edge) for name, edge in edges.items()},
        "fresh_games": gain.games, "duel_games": duel.games, "tables": plan.data.digest,
    }  # fmt: skip


def with_record(tuning: Tuning, plan: Plan, options: Mapping[str, object], out: str | Path | None) -> Tuning:
    """Return a result with its record added. If `out` names a file, write the tuned strategy to it."""
    record = record_of(tuning, plan, {name: value for name, value in options.items() if value not in ("", [])})
    if out is not None:
        write_whole(Path(out), as_toml(tuning, record, Path(out).parent).encode("utf-8"))
    return replace(tuning, record=record)


def as_toml(tuning: Tuning, record: Mapping[str, object], folder: Path = Path()) -> str:
    """Return the tuned strategy as TOML: its base, the changed weights, and the record.

    A user's Python file is named relative to `folder`, the folder of the new file. Edges in the record are percentage
    points of win rate per seat. Intervals are 95 % intervals.
    """
    before = tuning.original.weights
    origin, rests_on_all = origin_of(tuning.original, folder)
    weights = {name: value for name, value in tuning.tuned.weights.items() if rests_on_all or value != before[name]}
    description = f"{tuning.original.name} with weights {tuning.found_by}."
    content = {"name": tuning.tuned.name, **origin, "description": description, "weights": weights}
    return tomli_w.dumps(content | {"record": dict(record)})


def origin_of(strategy: Strategy, folder: Path) -> tuple[dict[str, str], bool]:
    """Return the file entries that name a strategy's base, and whether the file must list all weights.

    A strategy from a user's TOML file is not named as the base, because a run takes only one such file.
    """
    source = Path(strategy.source)
    if source.suffix == ".py":
        return {"base": os.path.relpath(source, folder)}, True  # a TOML file may have changed any weight
    if source.suffix != ".toml" or source.is_relative_to(CONFIGS):
        return {"base": strategy.name}, False
    if strategy.script.plain is not None:  # a player of the game's file, or of a user's TOML file
        return ({"script": strategy.script.name}, True) if source.is_file() else ({"base": strategy.name}, False)
    code = Path(inspect.getfile(inspect.unwrap(getattr(strategy.script.score, "py_func", strategy.script.score))))
    if code.is_relative_to(CONFIGS.parent):
        return {"script": strategy.script.name}, True
    return {"base": os.path.relpath(code, folder)}, True


def tuning_lines(result: Tuning) -> list[str]:
    """Describe the result, line by line."""
    gain, duel, old, new = result.gain, result.duel, result.original.weights, result.tuned.weights
    verdict = "better" if result.improved else "worse" if gain.high < 0 else "not shown to be better"
    changes = ", ".join(f"{name} {old[name]:g} to {new[name]:g}" for name in moved_weights(result)[:6])
    return [
        f"{result.tuned.name} is {verdict} than {result.original.name}{duel_words(result)}: "
        f"{difference_with_interval(gain)} points of win rate against the pool, on {gain.games:,} fresh games",
        f"above its fair share against the pool: {100 * result.edge_before:+.2f} points before, "
        f"{100 * result.edge_after:+.2f} after",
        f"above its fair share at tables shared with {result.original.name} only: "
        f"{difference_with_interval(duel)} points ({duel.games:,} games)",
        f"moved most: {changes}" if changes else f"no weight has moved: it plays as {result.original.name} does",
    ]


def duel_words(result: Tuning) -> str:
    """Return a caveat if the tuned strategy does not beat the original itself. Otherwise return an empty text."""
    if not result.improved or result.duel.low > 0:
        return ""
    told_apart = "loses" if result.duel.high < 0 else "is not shown to win more"
    return f" against the pool, but {told_apart} where the two alone share a table"


def difference_with_interval(difference: Difference) -> str:
    """Format a difference with its interval, in percentage points."""
    return f"{100 * difference.edge:+.2f} ± {50 * (difference.high - difference.low):.2f}"


def moved_weights(result: Tuning) -> list[str]:
    """Return the names of the changed weights, those with the greatest relative change first."""
    logs = {name: math.log(result.tuned.weights[name] / old) for name, old in result.original.weights.items() if old}
    return sorted((name for name in result.tuned.weights if logs.get(name)), key=lambda name: -abs(logs[name]))
