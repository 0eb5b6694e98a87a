"""Functions for Python and notebooks: lists of games and players, comparisons, and studies that play games.

Each function does what the command of the same name does.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from reports.claims import Said, saying, split_claims
from reports.data.ladder_rows import ladder_of
from reports.data.load import Run, as_run
from reports.model import ByName, Column, Listing, Results, Section, Sections
from reports.sections.compare.changes import Comparison, changes_said
from reports.sections.course.ways import ways_section
from reports.sections.factions.explained import explained, others_section, rivals_of, widest_first
from reports.sections.factions.parts import parts_section
from reports.sections.factions.plan import plan_section
from reports.sections.factions.price import price_sections
from reports.sections.people.validation import AnySimulated, BesidePeople, Forecast, beside_league, forecast
from reports.sections.strength.skill import ladder_sections
from reports.statistics.core.decisions import Pilot, margin_of
from reports.studies.compare.arms import knowing_alike
from reports.studies.compare.compare import compare_runs
from reports.studies.course.drama import DRAMA_GAMES, REPLAYED, play_drama
from reports.studies.parts.explain_parts import PART_GAMES, play_parts_of_run
from reports.studies.parts.own_judges import train_missing
from reports.studies.parts.restricted import RESTRICTED_GAMES, play_restrictions
from reports.studies.players.ladder import played_ladder
from reports.studies.players.ladder_config import ladder_config
from reports.studies.players.metagame import TABLE_GAMES as GAMES_OF_A_TABLE
from reports.studies.players.metagame import play_metagame
from reports.studies.players.metagame_report import Metagame
from reports.studies.price.report import played_sections
from reports.studies.price.start_goods import VALUE_GAMES as PRICE_GAMES
from reports.studies.price.start_goods import prices_played
from reports.studies.sample_size.plan import (
    PILOT_GAMES,
    check_effect_size,
    check_plan_table,
    plan_needs,
    play_pilot,
    question,
)
from reports.studies.search.rebalance import search_value
from reports.studies.search.rebalance_report import Rebalance
from reports.studies.stretches import Bar
from reports.studies.sweep.config import SweepConfig
from reports.studies.sweep.report import Sweep
from reports.studies.sweep.sweep import play_sweep
from sim.data.arguments import annotations_of, check_kinds, checks_arguments
from sim.data.catalog import validate_row
from sim.data.declarations import GAMES
from sim.errors import UserError, check_kind
from sim.game import is_touching, load_game, name_game
from sim.league.folder import load_league
from sim.league.read import League
from sim.players.find_strategies import load_strategies
from sim.runs.config import RunConfig, game_of, make_plan
from sim.runs.progress import show_progress
from sim.runs.simulate import config_of, simulate, words_of
from sim.runs.store.verify import reading

AnyRun = Run | str | os.PathLike[str]
OPTION_DEFAULTS: dict[str, Any] = {"factions": "all", "settings": {}, "code": None}


def configured(origin: str, game: str, options: Mapping[str, Any]) -> RunConfig:
    """Return the configuration for options of `simulate`, or their defaults. Error messages begin with `origin`."""
    check_kinds(origin, annotations_of(simulate), options.items())
    return config_of(origin, game=game, **(OPTION_DEFAULTS | dict(options)))


def bars(progress: bool) -> Bar:
    """Return a function with which studies show progress bars, each with a label and a number of games."""

    @contextmanager
    def bar(label: str, games: int) -> Iterator[Callable[[int], None]]:
        with show_progress(label, games, progress) as shown:
            yield shown.advance

    return bar


@checks_arguments
def games() -> Listing:
    """Return the table of games: their names, variants, default numbers of players and default strategies."""
    rows = [
        {
            "name": name,
            "title": game.title,
            "variants": ", ".join(variant.name for variant in game.variants),
            "players": game.default_players,
            "strategies": ", ".join(game.default_strategies),
            "factions": game.faction_title,
        }
        for name, game in ((name, load_game(name)) for name in GAMES)
    ]
    columns = [Column(name, name, "text") for name in rows[0]]
    columns[3] = Column("players", "players", "count", meaning="by default")
    return Listing("games", "Games", pl.DataFrame(rows), tuple(columns), whole=True)


@checks_arguments
def strategies(game: str, code: str | os.PathLike[str] | None = None) -> Listing:
    """Return the scripted players of a game.

    Parameters
    ----------
    game
        Name of the game.
    code
        A file with a player of your own, who is added to the list.

    Raises
    ------
    UserError
        The game does not exist, or the file is invalid.
    """
    game = name_game(game)
    found = load_strategies(load_game(game).name, None if code is None else Path(code))
    rows = [{"name": name, "description": one.description, "source": one.source} for name, one in found.items()]
    columns = (Column("name", "name", "text"), Column("description", "description", "text"))
    return Listing("strategies", f"Players of {load_game(game).title}", pl.DataFrame(rows), columns, whole=True)


@dataclass(frozen=True)
class Comparisons(Results):
    """Several runs compared with the first of them.

    Attributes
    ----------
    base
        Title of the first run.
    comparisons
        By title: each other run compared with the first. The claims of all comparisons hold at once.
    """

    base: str
    comparisons: ByName[Comparison]

    @property
    def tables(self) -> ByName[Listing]:
        """Tables by grouping ("faction", "seat", "strategy", ...): how the edge of each row changes in each run."""
        first = next(iter(self.comparisons.values())).tables
        return ByName({name: self._table(name) for name in first}, {one.noun: name for name, one in first.items()})

    def _table(self, name: str) -> Listing:
        """Return the table of one grouping, with a column of changes for each run."""
        found = {title: one.tables[name] for title, one in self.comparisons.items() if name in one.tables}
        frame, columns = pl.DataFrame(schema={"level": pl.String}), []
        for title, table in found.items():
            own = {"change": title, "low": f"{title} low", "high": f"{title} high", "flag": f"{title}: flag"}
            own_frame = table.frame.select("level", *(pl.col(old).alias(new) for old, new in own.items()))
            frame = frame.join(own_frame, on="level", how="full", coalesce=True, maintain_order="left_right")
            columns += [
                Column(own["change"], title, "edge", own["low"], own["high"]),
                Column(own["flag"], own["flag"], "flag"),
            ]
        noun = next(iter(found.values())).noun
        heading = f"Change by {noun}, against {self.base}"
        return Listing(f"change {name}", heading, frame, (Column("level", noun, "text"), *columns))

    @property
    def sections(self) -> tuple[Section, ...]:
        """What changes in each run: a section with the main sentences on all runs, then a section for each run."""

        def first_words() -> Iterator[Said]:
            for title, one in self.comparisons.items():
                every = list(changes_said(one))
                for said, claims in [each for each in every if each[1]][:2] or every[:1]:
                    yield saying(f"{title}: {said}", claims)

        sentences, claims = split_claims(first_words())
        summary = Section("arms", f"Changes against {self.base}", sentences, tuple(self.tables.values()), claims=claims)
        return (summary, *(self._section(title, one) for title, one in self.comparisons.items()))

    def _section(self, title: str, comparison: Comparison) -> Section:
        """Return the section on the changes in one run. The names of its tables and figures get the run's title."""
        found = comparison.sections[0]
        listings = tuple(replace(one, name=f"{one.name}, {title}") for one in found.listings)
        pictures = tuple(replace(one, name=f"{one.name}, {title}") for one in found.pictures)
        return replace(found, name=title, title=f"{title}: what changed", listings=listings, pictures=pictures)

    def __repr__(self) -> str:
        return "\n".join(self.sections[0].sentences)


@checks_arguments
def compare(runs: Mapping[str, AnyRun], *, margin: float = 1.0) -> Comparison | Comparisons:
    """Compare runs of one game with the first of them. Runs with the same seed are compared deal by deal.

    Parameters
    ----------
    runs
        Runs or their folders, by title: `{"as printed": run, "cheaper": other, "dearer": "runs/dear"}`.
    margin
        Edges up to this many percentage points count as balanced.

    Returns
    -------
    Comparison or Comparisons
        The comparison of two runs. With more runs, each is compared with the first. All claims hold at once, so limits
        widen with the number of runs.

    Raises
    ------
    UserError
        There are fewer than two runs, the runs are of different games, or the margin is impossible.
    """
    if len(runs) < 2:
        raise UserError("a comparison needs two runs or more", field="runs", found=list(runs))
    (base, first), *others = ((title, as_run(run)) for title, run in runs.items())
    found = {title: compare_runs(first, run, base, title, margin, len(others)) for title, run in others}
    return next(iter(found.values())) if len(found) == 1 else Comparisons(base, ByName(found))


@checks_arguments
def validate(runs: AnySimulated | Sequence[AnySimulated], league: League | str | os.PathLike[str]) -> BesidePeople:
    """Compare a simulation with people: which factions win in each, and how well the two agree.

    Parameters
    ----------
    runs
        One or several runs with different players, or folders of runs and ladders. In place of runs, predictions or a
        file of predictions.
    league
        From `read_results`, or the folder that `empirelab import` has written.

    Returns
    -------
    BesidePeople
        Sections with tables, figures and claims. `calibrations` says how much each run's edges must be shrunk.

    Raises
    ------
    UserError
        A run or the league cannot be opened, or they have fewer than two factions with enough games in common.

    Examples
    --------
    >>> league = empirelab.read_results(empirelab.open("runs/first").to_polars().select("game", "faction", "score"))
    >>> empirelab.validate("runs/first", league).tables["validation rungs"]["players"].to_list()
    ['balanced and military']
    """
    given = list(runs) if isinstance(runs, Sequence) and not isinstance(runs, str | Forecast) else [runs]
    for one in given:
        if not isinstance(one, str | os.PathLike | Forecast):
            check_kind(one, Run, "a run, its folder, or predictions")
    return beside_league(given, as_league(league))


def as_league(league: League | str | os.PathLike[str]) -> League:
    """Return a league, opened if only its folder is given. Raise UserError for anything else."""
    if isinstance(league, str | os.PathLike):
        return load_league(Path(league))
    check_kind(league, League, 'read_results("results.csv"), or the folder of a league')
    return league


@checks_arguments
def predict(run: AnyRun, calibration: BesidePeople | str | os.PathLike[str] | None = None) -> Forecast:
    """Return what a run predicts for people, with limits, date and digest. `save` writes the predictions to a file.

    Parameters
    ----------
    run
        A run, or its folder.
    calibration
        The result of `validate` with another league, or the file that `validate --json` has written.

    Raises
    ------
    UserError
        The run has no factions, or the calibration does not cover its players.

    Examples
    --------
    >>> found = empirelab.predict("runs/first")
    >>> found.tables["predictions"].columns
    ['faction', 'predicted', 'predicted low', 'predicted high', 'simulation']
    """
    known = Path(calibration) if isinstance(calibration, str | os.PathLike) else calibration
    if known is not None and not isinstance(known, Path):
        check_kind(known, BesidePeople, "what validate returns, or the file of validate --json")
    return forecast(as_run(run), known)


@checks_arguments
def explain(
    run: AnyRun,
    faction: str | None = None,
    *,
    pieces: bool = False,
    games: int | None = None,
    budget: int | None = None,
    trust: bool = False,
    jobs: int = -1,
    progress: bool = True,
) -> Sections:
    """Explain why a faction wins as often as it does. Like `empirelab explain`.

    Parameters
    ----------
    run
        A run, or its folder.
    faction
        Name of the faction, case ignored. If a game has no factions, but seats take new pieces every period, the name
        of such a piece. By default the faction that is most out of balance. If that default is used, a last section
        lists the other factions.
    pieces
        Whether the run's deals are also played without each part of the faction, and with half of each part.
    games, budget
        Games without each part and with half of it (4000 each by default), and the maximum for all parts together. If
        a budget is given, these games are played even without `pieces`.
    trust
        Whether these games may run a Python file with a player of your own, if the run names one.
    jobs
        Workers, -1 for all cores.
    progress
        Show a bar on a terminal or in a notebook.

    Raises
    ------
    UserError
        There is no such faction, nobody met it, or the games without its parts cannot be played. Or `games` is given,
        but nothing is to be played.
    """
    if games is not None and not pieces and budget is None:
        raise UserError("games are played only with pieces=True or a budget", field="games", found=games)
    opened = as_run(run)
    with reading(opened.folder):
        others: list[Section] = []
        if faction is None:
            edges = widest_first(opened)
            faction, others = str(edges["level"][0]), [others_section(opened, edges)]
        first, *rest = [*explained(opened, faction), *others]
    if pieces or budget is not None:
        played = play_parts_of_run(
            opened.folder, faction, games or PART_GAMES, budget, trust=trust, jobs=jobs, bar=bars(progress)
        )
        rest = [parts_section(played), *rest]
    return Sections([first, *rest])


@checks_arguments
def price(
    run: AnyRun,
    faction: str | None = None,
    *,
    goods: str | None = None,
    games: int = PRICE_GAMES,
    margin: float = 1.0,
    jobs: int = -1,
    trust: bool = False,
    progress: bool = True,
) -> Sections:
    """Return how many points at the end, or goods at the start, would make each faction fair. Like `empirelab price`.

    Parameters
    ----------
    run
        A run, or its folder.
    faction
        For this faction, also return the price beside each neighbour. With `goods`, return only this faction's price.
    goods
        A number that every faction's row has, such as "coins_start". The run's deals are played again with other
        values of this number. By default, prices are in points, and nothing is played.
    games, jobs, trust
        With `goods`: games of each value, workers, and whether Python files of players may be run.
    margin
        With `goods`: a faction this close to its fair share counts as fair, in percentage points.
    progress
        Show a bar on a terminal or in a notebook.

    Raises
    ------
    UserError
        There is no such faction, the game has no factions, all games have one player, or the margin is impossible.
    """
    opened = as_run(run)
    name = None if faction is None else rivals_of(opened, faction)[1]
    if goods is not None:
        near = margin_of(margin)
        with show_progress(f"Prices in {goods}", None, progress) as bar:
            found = prices_played(
                opened.folder, goods, name, games, trust=trust, jobs=jobs, say=bar.say, progress=bar.advance
            )
        return Sections(played_sections(found, name, near))
    with reading(opened.folder):
        return Sections(price_sections(opened, name, is_touching(opened.manifest.game)))


@checks_arguments
def ladder(
    game: str,
    rungs: str | Sequence[str] = (),
    *,
    games: int | None = None,
    search_games: int | None = None,
    margin: float = 1.0,
    out: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    jobs: int = -1,
    progress: bool = True,
    **options: Any,
) -> Sections:
    """Play the same deals with ever better players in all seats, and say which verdicts hold. Like `empirelab ladder`.

    Parameters
    ----------
    game
        Name of the game.
    rungs
        Players, the least skilled first. By default the rungs of the game's ladder.
    games, search_games
        Games of a rung without look-ahead, and of a rung with look-ahead. By default as in the game's ladder.
    margin
        Edges up to this many percentage points count as balanced.
    out, overwrite
        Folder in which runs are kept and from which they resume, and whether existing runs are replaced.
    jobs
        Workers, -1 for all cores.
    progress
        Show bars on a terminal or in a notebook.
    options
        Options of `simulate`: `players`, `factions`, `variant`, `seed`, `settings`, `code`.

    Raises
    ------
    UserError
        A player or an option is not allowed, or the folder holds something else.
    """
    near = margin_of(margin)
    shared = configured("ladder", game, options)
    config = ladder_config(shared, ladder_of(game_of(shared)), words_of(rungs), games, search_games)
    folder = None if out is None else Path(out)
    with played_ladder(config, folder, overwrite=overwrite, jobs=jobs, progress=progress) as found:
        return Sections(ladder_sections(found, near))


@checks_arguments
def sweep(
    game: str,
    vary: Mapping[str, Sequence[Any]],
    *,
    watch: Sequence[str] = (),
    jobs: int = -1,
    progress: bool = True,
    **options: Any,
) -> Sweep:
    """Play the same deals at many values of one or two parameters. Like `empirelab sweep`.

    Parameters
    ----------
    game
        Name of the game.
    vary
        The values of one or two parameters: `{"wonders.toml#Rhodos B.coins_start": [1, 2, 3]}`. A parameter is written
        like a change without its value, or is a setting of the rules: `set#discounts_add_up`.
    watch
        Factions or strategies to show. By default those that change most.
    jobs
        Workers, -1 for all cores.
    progress
        Show a bar on a terminal or in a notebook.
    options
        Options of `simulate`: `games` (at each value), `players`, `strategies`, `seed`, ...

    Raises
    ------
    UserError
        A parameter does not exist, or a value or an option is not allowed.
    """
    requested = configured("sweep", game, options).model_dump()
    requested |= {"vary": [{"change": name, "values": list(values)} for name, values in vary.items()]}
    config: SweepConfig = validate_row("sweep", requested | {"watch": list(watch)}, SweepConfig, None)
    with show_progress(f"{config.arms} values", config.arms * config.games, progress) as bar:
        return play_sweep(config, jobs=jobs, say=bar.say, progress=bar.advance)


@checks_arguments
def fair_value(
    game: str,
    faction: str,
    knob: str,
    *,
    low: float | None = None,
    high: float | None = None,
    step: float | None = None,
    jobs: int = -1,
    progress: bool = True,
    **options: Any,
) -> Rebalance:
    """Search for the value of a number at which a faction's edge vanishes. Like `empirelab rebalance`.

    Parameters
    ----------
    game
        Name of the game.
    faction
        Name of the faction: "Rhodos B".
    knob
        A field of the faction's row in the game's data (`coins_start`), or `FILE#ROW.FIELD`.
    low, high, step
        Range and step of the search. For the defaults see `reports.studies.search.rebalance.rebalance_grid`.
    jobs
        Workers, -1 for all cores.
    progress
        Show which value is being played, on a terminal or in a notebook.
    options
        Options of `simulate`: `games` (at each value tried), `players`, `strategies`, `seed`, ...

    Raises
    ------
    UserError
        There is no such faction or knob, or a value or an option is not allowed.
    """
    config = configured("fair_value", game, options)
    with show_progress(f"Search of {knob}", None, progress) as bar:
        return search_value(
            config, faction, knob, low=low, high=high, step=step, jobs=jobs, progress=bar.advance, say=bar.say,
            trying=lambda turned, value, seed: bar.say(f"playing {turned.title} = {value:g}, seed {seed}"),
        )  # fmt: skip


@checks_arguments
def drama(game: str, *, replays: int = REPLAYED, jobs: int = -1, progress: bool = True, **options: Any) -> Sections:
    """Say when games are decided, how often winners come back, whether leads grow, and how much kingmaking there is.

    The same as `empirelab drama`.

    Parameters
    ----------
    game
        Name of the game.
    replays
        Games of each condition that are replayed to measure kingmaking. 0 for none.
    jobs
        Workers, -1 for all cores.
    progress
        Show a bar on a terminal or in a notebook.
    options
        Options of `simulate`: `players`, `variant`, `games` (of each condition), `strategies`, `seed`, ... Every
        combination of a number of players and a variant is a condition.

    Raises
    ------
    UserError
        An option is not allowed. Also raised by `reports.studies.course.drama.play_drama`.
    """
    config = configured("drama", game, {"games": DRAMA_GAMES} | options)
    return Sections(play_drama(config, replays=replays, jobs=jobs, bar=bars(progress)))


@checks_arguments
def restricted(
    game: str,
    forbid: str | Sequence[str] = (),
    require: str | Sequence[str] = (),
    *,
    jobs: int = -1,
    progress: bool = True,
    **options: Any,
) -> Sections:
    """Say how much a player wins if it never does something, or does it whenever possible.

    The opponents play the same strategy without a restriction. Like `empirelab intervene --forbid` and `--require`.

    Parameters
    ----------
    game
        Name of the game.
    forbid, require
        Kinds of options, such as "build red cards". "A + B" restricts two kinds at once. "all" tries every kind that is
        offered often, one by one.
    jobs
        Workers, -1 for all cores.
    progress
        Show a bar on a terminal or in a notebook.
    options
        Options of `simulate`: `strategies` (one), `players`, `games` (of each arm), `seed`, ...

    Raises
    ------
    UserError
        An option is not allowed. Also raised by `reports.studies.parts.restricted.play_restrictions`.
    """
    config = configured("restricted", game, {"games": RESTRICTED_GAMES} | options)
    asked = [[text] if isinstance(text, str) else list(text) for text in (forbid, require)]
    return Sections([play_restrictions(config, *asked, jobs=jobs, bar=bars(progress)).section])


@checks_arguments
def ways(run: AnyRun) -> Sections:
    """Say in how many ways a run's games are won, and which factions have only one way. Like `empirelab ways`.

    Raises
    ------
    UserError
        All games of the run have one player, or the run has too few games.
    """
    opened = as_run(run)
    with reading(opened.folder):
        return Sections([ways_section(opened)])


@checks_arguments
def equilibria(
    game: str, *, fresh: int | None = None, jobs: int = -1, progress: bool = True, **options: Any
) -> Metagame:
    """Play every table that some strategies can form, and find the mixtures that no strategy can beat.

    The same as `empirelab metagame`.

    Parameters
    ----------
    game
        Name of the game.
    fresh
        Games on fresh deals at each table that tests whether a strategy gains against an equilibrium. By default
        `games`.
    jobs
        Workers, -1 for all cores.
    progress
        Show a bar on a terminal or in a notebook.
    options
        Options of `simulate`: `strategies` (two or more), `players`, `games` (of each table), `seed`, ...

    Raises
    ------
    UserError
        An option is not allowed. Also raised by `reports.studies.players.metagame.play_metagame`.
    """
    config = configured("equilibria", game, {"games": GAMES_OF_A_TABLE} | options)

    return play_metagame(config, fresh=fresh, jobs=jobs, bar=bars(progress))


@checks_arguments
def plan(
    game: str,
    *,
    effect: float = 1.0,
    power: float = 0.9,
    alpha: float = 0.05,
    table: str = "all",
    changes: Sequence[str] = (),
    pilot: int = PILOT_GAMES,
    jobs: int = -1,
    progress: bool = True,
    **options: Any,
) -> Section:
    """Return how many games it takes to find an edge or a change of a given size. Like `empirelab plan`.

    Parameters
    ----------
    game
        Name of the game.
    effect
        Edge or change to detect, in percentage points.
    power
        Chance of detecting it.
    alpha
        Chance that any row of a table is flagged by mistake.
    table
        "faction", "seat", "strategy" or "all".
    changes
        If a comparison is planned: the changes of its second arm, which plays the same deals.
    pilot
        Games of the pilot, a short run that measures the variance between blocks.
    jobs
        Workers, -1 for all cores.
    progress
        Show, on a terminal or in a notebook, that the pilot is being played.
    options
        Options of `simulate`: `players`, `strategies`, `seed`, ...

    Raises
    ------
    UserError
        An option is not allowed, or the table cannot support any finding.
    """
    config = configured("plan", game, {**options, "games": pilot})
    with show_progress("Pilot", None, progress) as bar:
        found = needs_of(config, effect, power, alpha, table, changes, jobs=jobs, say=bar.say)
        bar.advance(pilot * (2 if changes else 1))
    return found[0]


def needs_of(
    config: RunConfig,
    effect: float,
    power: float,
    alpha: float,
    table: str,
    changes: Sequence[str],
    *,
    jobs: int = -1,
    say: Callable[[str], None] = lambda text: None,
) -> tuple[Section, pl.DataFrame, Pilot]:
    """Play a pilot of `config.games` games, and a second pilot if there are changes. Return how many games it takes.

    Returns
    -------
    section, needs, pilot
        The section with the answer, its rows (from `plan.plan_needs`), and the pilot of the first arm.

    Raises
    ------
    UserError
        An option is not allowed, or the table cannot support any finding.
    """
    asked = question(effect, power, alpha)
    check_plan_table(table)
    arms = knowing_alike(config, config.model_copy(update={"changes": list(changes)})) if changes else (config,)
    plans = [make_plan(arm) for arm in arms]
    train_missing(plans, say, jobs)
    check_effect_size(effect, plans[0].players)
    pilots = [play_pilot(plan, config.games, jobs, say) for plan in plans]
    needs = plan_needs(pilots[0], asked, table, pilots[1] if changes else None)
    return plan_section(needs, pilots[0], asked), needs, pilots[0]
