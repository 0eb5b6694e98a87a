"""The Python API: play games, see what is out of balance, change a number, see its effect.

    import empirelab

    run = empirelab.simulate("seven_wonders", games=20_000, strategies=["balanced", "military", "science"])
    run                              # what was played, the verdict, a figure
    run.table("faction")             # who wins too often: any table of win rates by name
    run.report()                     # everything the command `report` says
    run.seats                        # the games themselves, one row for each seat: a lazy Polars scan
    print(run.game(12))              # one game, narrated turn by turn

This is the one name to import. It builds on the packages `sim`, `strategies` and `reports`; import from those to go
deeper. Wrong input raises `UserError`, whose message says what is allowed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from importlib.util import find_spec
from inspect import signature
from pathlib import Path
from shutil import copytree
from typing import TYPE_CHECKING, Any, Literal, ParamSpec

PACKAGES = ("sim", "strategies", "reports")
"""Packages of empirelab; a user's file with one of these names would be imported instead."""


def check_not_shadowed(home: Path) -> None:
    """Check that the packages to be imported are those next to this file.

    Raises
    ------
    ImportError
        Python finds another file or folder of that name first, or none at all; the message names it.
    """
    for name in PACKAGES:
        spec = find_spec(name)
        found = None if spec is None or spec.origin is None else Path(spec.origin)
        if found is None:
            message = f"the package {name} of empirelab is missing; it belongs next to {home / 'empirelab.py'}"
            raise ImportError(message, name=name)
        if home.resolve() not in found.resolve().parents:
            message = (
                f"{found}: this file is called like the package {name} of empirelab, and Python finds it first; "
                f"allowed: another name (empirelab's own is {home / name})"
            )
            raise ImportError(message, name=name, path=str(found))


check_not_shadowed(Path(__file__).parent)

# Import these only after the check: now they are certain to be the right packages.
from sim.data.arguments import checks_arguments  # noqa: E402
from sim.errors import UserError  # noqa: E402
from sim.games.plain.interface import Game, toml  # noqa: E402

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    from matplotlib.axes import Axes

    from reports import (
        Comparison,
        Comparisons,
        FolderView,
        Report,
        Section,
        Sections,
        Table,
        compare,
        drama,
        equilibria,
        explain,
        forest,
        frames,
        games,
        heat_map,
        ladder,
        part_bars,
        pictures,
        plan,
        predict,
        price,
        restricted,
        score_distributions,
        strategies,
        sweep,
        tune_strategy,
        validate,
        ways,
        write_html,
    )
    from reports import open_report as report
    from reports import view_folder as view
    from reports.data.load import Run as OpenedRun
    from reports.model import ByName, Listing, Picture, Verdict
    from reports.studies.search.rebalance_report import Rebalance
    from sim.diagnostics.judges.train import train
    from sim.league.read import League, read_results

__all__ = [
    "Comparison", "Comparisons", "FolderView", "Game", "League", "Report", "Run", "Section", "Sections", "Table",
    "Told", "UserError", "calibrate", "compare", "drama", "equilibria", "explain", "forest", "frames", "games",
    "heat_map", "ladder", "open", "part_bars", "pictures", "plan", "predict", "price", "read_results", "rebalance",
    "report", "restricted", "score_distributions", "simulate", "strategies", "sweep", "toml", "train",
    "tune_strategy", "validate", "view", "ways", "write_html",
]  # fmt: skip

IN_REPORTS = {"view": "view_folder", "report": "open_report", "sweep_values": "sweep", "games_needed": "plan"}
"""Functions that have other names in the package `reports`; the last two are former names."""

Asked = ParamSpec("Asked")


def __getattr__(name: str) -> Any:
    """Import a function at first use: polars, scipy and matplotlib take seconds to import."""
    if name == "simulate":
        from sim.runs.simulate import simulate as play

        globals()[name] = _that_opens(play)
        return globals()[name]
    if name in ("League", "read_results"):
        from sim.league import read

        return getattr(read, name)
    if name == "train":
        from sim.diagnostics.judges import train

        return train.train
    if name not in (*__all__, *IN_REPORTS, "fair_value"):
        raise AttributeError(f"module 'empirelab' has no attribute {name!r}")
    import reports

    return getattr(reports, IN_REPORTS.get(name, name))


def __dir__() -> list[str]:
    return __all__


class Told(str):
    """A game narrated turn by turn: a string that prompts and notebooks show line by line."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class Run:
    """A run: a folder of played games, and its results.

    Notebooks and prompts display its verdict. A `Run` can be passed wherever the folder of a run is expected.

    Parameters
    ----------
    folder
        The folder of a finished run, as `simulate` or the command line wrote it.

    Raises
    ------
    UserError
        The folder does not exist, or its run is unfinished or damaged.

    Examples
    --------
    >>> run = empirelab.Run("runs/first")
    >>> run
    7 Wonders: 400 games of 4 players in 100 blocks, seed 1; strategies: balanced, military
    >>> run.table("strategy").frame.select("level", "games").rows()
    [('balanced', 800), ('military', 800)]
    """

    @checks_arguments
    def __init__(self, folder: str | os.PathLike[str]) -> None:
        from reports import load_run

        self._opened: OpenedRun = load_run(Path(folder))

    @property
    def folder(self) -> Path:
        """The folder of the run."""
        return self._opened.folder

    @property
    def manifest(self) -> dict[str, Any]:
        """The content of `run.json`: all options, versions and digests."""
        return self._opened.manifest.model_dump(exclude={"unfinished"})

    @property
    def seats(self) -> pl.LazyFrame:
        """The games: a lazy Polars scan of one row for each seat of each game; `docs/results.md` has the columns.

        Examples
        --------
        >>> empirelab.open("runs/first").seats.select("win").sum().collect().item()
        400.0
        """
        return self._opened.seats

    @property
    def pieces(self) -> tuple[pl.LazyFrame, ...] | None:
        """Lazy scans of the parts of the table of cards, in a run with `detail="cards"`; else None."""
        return self._opened.pieces

    @cached_property
    def _shares(self) -> Report:
        """Win rates and verdict, without the other sections of a report."""
        from reports import share_report

        return share_report(self._opened)

    @cached_property
    def _whole(self) -> Report:
        """The report with the default margin."""
        from reports import build_report

        return build_report(self._opened)

    @property
    def verdict(self) -> Verdict:
        """What is out of balance: `state`, and `rows` with name, edge (win rate minus fair share) and limits.

        Examples
        --------
        >>> empirelab.open("runs/first").verdict.state in ("out of balance", "nothing found", "cannot tell")
        True
        """
        return self._shares.verdict

    @property
    def tables(self) -> ByName[Table | Listing]:
        """All tables by name: win rates ("faction", "seat", ...), then those of the sections ("matchups faction", ...).

        Examples
        --------
        >>> len(empirelab.open("runs/first").tables["matchups"])
        1
        """
        from reports.model import ByName, Sections

        whole = self._whole
        found: dict[str, Table | Listing] = {**whole.tables, **Sections(whole.sections).tables}
        return ByName(found, whole.nouns)

    @property
    def figures(self) -> ByName[Picture]:
        """All figures by name, drawn on demand."""
        from reports import pictures

        return pictures(self._whole)

    def to_polars(self) -> pl.DataFrame:
        """Return the seats as a Polars frame: all rows at once, so for a large run filter `seats` first.

        Examples
        --------
        >>> empirelab.open("runs/first").to_polars().height
        1600
        """
        return self.seats.collect()

    def to_pandas(self) -> pd.DataFrame:
        """Return the seats as a pandas frame: all rows at once, so for a large run filter `seats` first.

        Examples
        --------
        >>> empirelab.open("runs/first").to_pandas().groupby("strategy", observed=True)["game"].count().to_dict()
        {'balanced': 800, 'military': 800}
        """
        return self.to_polars().to_pandas()

    @checks_arguments
    def table(self, name: str = "faction") -> Table | Listing:
        """Return one of `tables`: win rates by "faction", "seat", "strategy", ..., or another statistic: "matchups".

        The game's own word for a faction works too: `run.table("board")`.

        Raises
        ------
        UserError
            The run has no such table; the message names those it has.

        Examples
        --------
        >>> table = empirelab.open("runs/first").table("seat")
        >>> len(table), table.columns[:4]
        (4, ['seat', 'games', 'win rate', 'win rate low'])
        >>> table.sort("edge").head(1)["seat"].to_list()
        ['seat 2']
        """
        try:
            return self._shares.tables[name]  # without the time that a whole report takes
        except UserError:
            return self.tables[name]

    @checks_arguments
    def plot(self, name: str | None = None, ax: Axes | None = None) -> Axes:
        """Draw a table, by default that of factions or of strategies, on given axes or on new ones; return the axes."""
        known = self._shares.tables
        return self.table(name or ("faction" if "faction" in known else "strategy")).plot(ax)

    @checks_arguments
    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Save the run or its report; return the path.

        Parameters
        ----------
        path
            A folder, to which the run is copied and which `open` opens; or a file that ends in .html (the page of the
            report), .csv (its tables of win rates) or .json (the whole report).
        overwrite
            Whether to replace an existing file, or the run in the folder.

        Raises
        ------
        UserError
            The file or folder exists, or cannot be written.
        """
        from reports.render.export import json_text, write_csv
        from reports.render.page import write_html
        from sim.data.files import write_whole
        from sim.runs.store.parquet import check_run_folder
        from sim.runs.store.run_folder import atomic_folder

        place = Path(path)
        if place.suffix not in (".html", ".csv", ".json"):
            with atomic_folder(place, partial(check_run_folder, place, overwrite)) as folder:
                copytree(self.folder, folder, dirs_exist_ok=True)
        elif place.exists() and not overwrite:
            raise UserError("the file exists", file=place, allowed="another name, or overwrite=True")
        elif place.suffix == ".html":
            write_html(self._whole, place)
        elif place.suffix == ".csv":
            write_csv(self._whole, place)
        else:
            write_whole(place, json_text(self._whole).encode("utf-8"))
        return place

    @checks_arguments
    def report(self, *others: Run | str | os.PathLike[str], margin: float = 1.0) -> Report:
        """Return everything that the command `report` shows: verdict, tables, and sections from strength to luck.

        Parameters
        ----------
        others
            Other runs of the same game, for example under other conditions, in which the findings should also hold.
        margin
            Edges up to this one, in percentage points, count as balanced.

        Raises
        ------
        UserError
            As for `reports.build_report`.

        Examples
        --------
        >>> empirelab.open("runs/first").report(margin=2).section("matchups").title
        'Matchups'
        """
        from reports import build_report

        if not others and margin == 1.0:
            return self._whole
        return build_report(self._opened, [_opened(other) for other in others], margin)

    @checks_arguments
    def compare(
        self, other: Run | str | os.PathLike[str], before: str = "before", after: str = "after", *, margin: float = 1.0
    ) -> Comparison:
        """Compare this run with another one of the same game, deal by deal if both have the same seed.

        Parameters
        ----------
        other
            The run with the change.
        before, after
            Names of the runs in sentences and figures.
        margin
            Edges up to this one, in percentage points, count as balanced.

        Raises
        ------
        UserError
            The other run is of another game, or the margin is impossible.

        Examples
        --------
        >>> options = {"games": 400, "strategies": "balanced,military"}
        >>> changed = empirelab.simulate("seven_wonders", **options, changes=["cards.toml#pawnshop.vp=8"])
        >>> empirelab.open("runs/first").compare(changed).apart
        ''
        """
        from reports import compare_runs

        return compare_runs(self._opened, _opened(other), before, after, margin)

    @checks_arguments
    def explain(
        self,
        faction: str | None = None,
        *,
        pieces: bool = False,
        games: int | None = None,
        budget: int | None = None,
        trust: bool = False,
        jobs: int = -1,
        progress: bool = True,
    ) -> Sections:
        """Return why a faction wins as often as it does: `empirelab.explain` of this run, with the same options.

        Examples
        --------
        >>> [section.name for section in empirelab.open("runs/first").explain("Rhodos B")]
        ['why', 'on the way', 'company', 'games']
        """

        from reports import explain

        return explain(
            self._opened, faction, pieces=pieces, games=games, budget=budget, trust=trust, jobs=jobs, progress=progress
        )

    @checks_arguments
    def price(
        self,
        faction: str | None = None,
        *,
        goods: str | None = None,
        games: int = 8000,
        margin: float = 1.0,
        jobs: int = -1,
        trust: bool = False,
        progress: bool = True,
    ) -> Sections:
        """Return how many points or start goods would make each faction fair: `empirelab.price`, with the same options.

        Examples
        --------
        >>> found = empirelab.open("runs/first").price("Rhodos B")
        >>> found.section("price beside").title
        'The price of Rhodos B beside each board'
        >>> found.section("price").listings[0].frame.select("players").unique().item()
        4
        """
        from reports import price

        return price(
            self._opened, faction, goods=goods, games=games, margin=margin, jobs=jobs, trust=trust, progress=progress
        )

    @checks_arguments
    def game(
        self, which: int | str = 0, *, pick: Literal["typical", "closest", "first"] = "typical", trust: bool = False
    ) -> Told:
        """Replay one game and narrate it turn by turn.

        Parameters
        ----------
        which
            The number of the game, from 0; or a condition in the words of `replay --where`: "Rhodos B wins".
        pick
            Which of the games that meet the condition: "typical" (nearest to their medians), "closest" (smallest lead)
            or "first".
        trust
            Whether Python files of your own players, which the run names, may be run.

        Raises
        ------
        UserError
            The game does not exist, or data or players of the run have changed or are not trusted.

        Examples
        --------
        >>> empirelab.open("runs/first").game(12).splitlines()[0]
        'Seat 0: Olympia B, balanced'
        >>> empirelab.open("runs/first").game("Rhodos B in seat 1 wins", pick="closest").splitlines()[1]
        'Seat 1: Rhodos B, balanced'
        """
        from reports.studies.parts.own_judges import train_again
        from sim.runs.game_query import pick_game
        from sim.runs.replay import replay

        number = which if isinstance(which, int) else pick_game(self.folder, which, pick).game
        return Told("\n".join(replay(self.folder, number, trust=trust, train=train_again)))

    def __fspath__(self) -> str:
        return os.fspath(self.folder)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Pass the seats to any library that reads Arrow: `polars.DataFrame(run)`."""
        return self.to_polars().__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return repr(self._opened)

    def _repr_html_(self) -> str:
        from reports import run_card

        return run_card(self._shares)


def _opened(run: Run | str | os.PathLike[str]) -> OpenedRun:
    """Return the run as the object that the report packages use."""
    from reports.data.load import as_run

    return run._opened if isinstance(run, Run) else as_run(run)


@checks_arguments
def open(folder: str | os.PathLike[str]) -> Run:  # noqa: A001 - `empirelab.open`, as `gzip.open` and `Image.open`
    """Open the folder of a finished run.

    Raises
    ------
    UserError
        As for `Run`.

    Examples
    --------
    >>> empirelab.open("runs/first").manifest["games"]
    400
    """
    return Run(folder)


@checks_arguments
def rebalance(
    game: str,
    faction: str | None = None,
    knob: str = "all",
    *,
    low: float | None = None,
    high: float | None = None,
    step: float | None = None,
    margin: float = 1.0,
    refine: bool = False,
    top_games: int | None = None,
    jobs: int = -1,
    progress: bool = True,
    **options: Any,
) -> Rebalance | Sections:
    """Search for changes of printed numbers that make a faction, or every faction, fair: the command `rebalance`.

    Parameters
    ----------
    game
        Name of the game.
    faction
        Its name: "Rhodos B"; by default all factions. "Rhodos" means all its sides.
    knob
        What is changed: "all" of its printed numbers, a part such as "stage 1", one number (`coins_start`), or
        `FILE#ROW.FIELD`.
    low, high, step
        For one number: range and step of the search.
    margin
        Edges up to this one, in percentage points, count as balanced.
    refine
        With a faction and "all": search on more games, and combine more changes. Otherwise this search is quick.
    top_games
        For several factions: games of the printed and of the changed game with the ladder's best players; 0 for none.
    jobs
        Workers, -1 for all cores.
    progress
        Show a bar on a terminal or in a notebook.
    options
        Options of `simulate`: `games` (at each value tried; 20,000 by default, fewer in a quick search), `players`,
        `strategies`, `seed`, `changes` (from which the search starts), ...

    Returns
    -------
    Rebalance or Sections
        Its `changes` are what to play: `simulate(game, changes=found.changes)`.

    Raises
    ------
    UserError
        No such faction or number, or a value or an option that is not allowed.
    """
    from reports import Sections
    from reports.data.ladder_rows import ladder_of
    from reports.studies.api import configured, fair_value
    from reports.studies.search.search_report import confirmed_changes, search_sections
    from sim.commands.rebalance import GAMES, check_whole, find_changes, goal_of, match_parts, match_sides, number_of
    from sim.runs.config import game_of

    config = configured("rebalance", game, {"games": GAMES} | options)
    racing = faction is not None and knob.strip().casefold() == "all"
    if faction is None and knob != "all":
        raise UserError("a number is given without its faction", field="faction", allowed="its name")
    if refine and not racing:
        message = "this option is for a search of all numbers of a faction"
        raise UserError(message, field="refine", allowed='knob="all"')
    quick = racing and not refine
    if quick and "games" not in options:
        config = config.model_copy(update={"games": ladder_of(game_of(config)).quick_games})
    sides = None if faction is None else match_sides(config, faction, None, knob)
    parts = None if faction is None or sides is not None else match_parts(config, faction, knob)
    if faction is not None and sides is None and parts is None:
        limits = {"low": low, "high": high, "step": step}
        return fair_value(game, faction, knob, jobs=jobs, progress=progress, **{"games": GAMES, **limits} | options)
    check_whole(low, high, step)
    if faction is not None and parts is not None:
        sides, top_games = (number_of(config, faction),), 0
    goal = goal_of(config, margin, sides)
    found = find_changes(config, goal, parts, quick, top_games, jobs=jobs, shown=progress)
    sections = Sections(search_sections(found))
    sections.changes = tuple(confirmed_changes(found))
    return sections


@checks_arguments
def calibrate(
    game: str,
    *,
    games: int = 2_000,
    pilots: int = 6,
    changes: str | Sequence[str] = (),
    margin: float = 1.0,
    jobs: int = -1,
    progress: bool = True,
    **options: Any,
) -> Section:
    """Check the claims of short runs against a later run on fresh deals, as the command `calibrate` does.

    Parameters
    ----------
    game
        Name of the game.
    games, pilots
        Games of each short run, and number of short runs. The later run has ten times the games of a short run.
    changes
        Changes to try; by default one that a quick search confirms.
    margin
        Edges up to this one, in percentage points, count as balanced.
    jobs
        Workers, -1 for all cores.
    progress
        Show a bar on a terminal or in a notebook.
    options
        Options of `simulate`: `players`, `strategies`, `seed`, ...

    Raises
    ------
    UserError
        An option is not allowed, or there are several numbers of players.
    """
    from reports.statistics.core.decisions import margin_of
    from reports.studies.api import configured
    from reports.studies.calibrate.calibrate import play_calibration
    from reports.studies.calibrate.report import calibration_section
    from sim.commands.calibrate import searched
    from sim.runs.progress import show_progress
    from sim.runs.simulate import words_of

    config = configured("calibrate", game, {**options, "games": games})
    near, given = margin_of(margin), words_of(changes)
    with show_progress("calibration", None, progress) as bar:
        found = play_calibration(
            config, pilots, near, lambda name: given or searched(config, name, margin, jobs, bar.say),
            jobs=jobs, say=bar.say, progress=bar.advance,
        )  # fmt: skip
    return calibration_section(found)


PLAYED = """    -------
    Run
        The games, opened.
"""
EXAMPLE = """
    Examples
    --------
    >>> run = empirelab.simulate("seven_wonders", games=8, strategies=["balanced", "science"])
    >>> run.manifest["lineup"]
    ['balanced', 'science']
    """


def _that_opens(play: Callable[Asked, Path]) -> Callable[Asked, Run]:
    """Return a function that calls `play` and opens the folder that it returns as a `Run`. Options stay the same.

    Types and descriptions of the options are copied from `play`, so they are defined only once.
    """

    def simulate(*given: Asked.args, **named: Asked.kwargs) -> Run:
        return Run(play(*given, **named))

    said, _, rest = str(play.__doc__).partition("    Returns\n")
    raised = rest.partition("    Raises\n")[2]
    simulate.__doc__ = f"{said}    Returns\n{PLAYED}\n    Raises\n{raised.rstrip()}\n{EXAMPLE}"
    # Evaluate annotations: their names are defined in the module of `play`, not here.
    options = signature(play, eval_str=True).replace(return_annotation=Run)
    simulate.__signature__ = options  # type: ignore[attr-defined]
    simulate.__annotations__ = {name: one.annotation for name, one in options.parameters.items()} | {"return": Run}
    return simulate


if TYPE_CHECKING:
    from sim.runs.simulate import simulate as _play_run

    simulate = _that_opens(_play_run)

if __name__ == "__main__":
    from sim.cli import start

    start()
