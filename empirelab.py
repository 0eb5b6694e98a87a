"""empirelab in Python: play games, see what is out of balance, change a number, see what that does.

    import empirelab

    run = empirelab.simulate("seven_wonders", games=20_000, strategies=["balanced", "military", "science"])
    run                              # what was played, the verdict, a figure
    run.table("faction")             # who wins too often: any table of win rates by name
    run.report()                     # everything the command `report` says
    run.seats                        # the games themselves, one row for each seat: a lazy Polars scan
    print(run.game(12))              # one game, told turn by turn

This is the one name to import. What stands here is put together from the packages `sim`, `strategies` and `reports`,
which are there for who wants to go deeper. Wrong input raises `UserError`, whose message says what is allowed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from html import escape
from importlib.util import find_spec
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec

PACKAGES = ("sim", "strategies", "reports")
"""Packages of empirelab; a user's file with one of these names would be imported instead."""


def check_not_shadowed(home: Path) -> None:
    """Check that the packages to be imported are those next to this file.

    Raises
    ------
    ImportError
        Another file or folder of that name is found first, or none at all; the message names it.
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

# Only now is it sure whose packages these are.
from reports import (  # noqa: E402
    Report,
    Table,
    compare_runs,
    equilibria,
    fair_value,
    forest,
    frames,
    games_needed,
    heat_map,
    load_run,
    part_bars,
    pictures,
    score_distributions,
    sweep_values,
    write_html,
)
from reports.data.load import Run as OpenedRun  # noqa: E402
from reports.data.load import as_run  # noqa: E402
from reports.folder_view import FolderView, view_folder  # noqa: E402
from reports.model import Section  # noqa: E402
from reports.render.page import run_card  # noqa: E402
from reports.report import build_report  # noqa: E402
from reports.sections.compare.changes import Comparison  # noqa: E402
from reports.sections.core.shares import share_report  # noqa: E402
from reports.sections.factions.explained import explained, rivals_of  # noqa: E402
from reports.sections.factions.parts import parts_section  # noqa: E402
from reports.sections.factions.price import price_sections  # noqa: E402
from reports.statistics.core.decisions import margin_of  # noqa: E402
from reports.studies.parts.explain_parts import PART_GAMES, play_parts_of_run  # noqa: E402
from reports.studies.players.tuning import tune_strategy  # noqa: E402
from reports.studies.price.report import played_sections  # noqa: E402
from reports.studies.price.start_goods import VALUE_GAMES as PRICE_GAMES  # noqa: E402
from reports.studies.price.start_goods import prices_played  # noqa: E402
from sim.data.arguments import checks_arguments  # noqa: E402
from sim.errors import UserError  # noqa: E402
from sim.game import load_game  # noqa: E402
from sim.runs.game_query import Pick, pick_game  # noqa: E402
from sim.runs.progress import show_progress  # noqa: E402
from sim.runs.replay import replay  # noqa: E402
from sim.runs.simulate import simulate as play_run  # noqa: E402
from sim.runs.store.verify import reading  # noqa: E402

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

__all__ = [
    "Comparison",
    "FolderView",
    "Report",
    "Run",
    "Sections",
    "Table",
    "Told",
    "UserError",
    "equilibria",
    "fair_value",
    "forest",
    "frames",
    "games_needed",
    "heat_map",
    "open",
    "part_bars",
    "pictures",
    "score_distributions",
    "simulate",
    "sweep_values",
    "tune_strategy",
    "view",
    "write_html",
]

Asked = ParamSpec("Asked")


class Told(str):
    """A game narrated turn by turn: a text that a prompt or a notebook shows line by line."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Return the text, for prompts."""
        return str(self)


class Sections(tuple[Section, ...]):
    """Results by section, shown at a prompt or in a notebook."""

    __slots__ = ()

    @checks_arguments
    def section(self, name: str) -> Section:
        """Return the section of that name: `run.explain("Rhodos B").section("company")`.

        Raises
        ------
        UserError
            There is none; the message names those there are.
        """
        found = {one.name: one for one in self}
        if name not in found:
            raise UserError("no such section", found=name, allowed=list(found))
        return found[name]

    def __repr__(self) -> str:
        """Show itself at a prompt."""
        return "\n\n".join(map(repr, self))

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        return "".join(f"<h3>{escape(one.title)}</h3>\n{one._repr_html_() or ''}" for one in self)


class Run:
    """A run: a folder of played games, and its results.

    It shows itself in a notebook and at a prompt. Whatever takes the folder of a run takes a `Run` too.

    Parameters
    ----------
    folder
        The folder of a finished run, as `simulate` or the command line wrote it.

    Raises
    ------
    UserError
        No such folder, an unfinished run, or one that is damaged.

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
        """Lazy scans of the fate of every card, in a run with `detail="cards"`; else None."""
        return self._opened.pieces

    @cached_property
    def _shares(self) -> Report:
        """Win rates and verdict, without the further sections of a report."""
        return share_report(self._opened)

    def to_pandas(self) -> pd.DataFrame:
        """Return the seats as a pandas frame: all rows at once, so for a large run filter `seats` first.

        Examples
        --------
        >>> empirelab.open("runs/first").to_pandas().groupby("strategy", observed=True)["game"].count().to_dict()
        {'balanced': 800, 'military': 800}
        """
        return self.seats.collect().to_pandas()

    @checks_arguments
    def table(self, name: str = "faction") -> Table:
        """Return win rates by faction, seat, strategy, an attribute of the factions, or a pair: "strategy x faction".

        Raises
        ------
        UserError
            The run has no such table; the message names those it has.

        Examples
        --------
        >>> empirelab.open("runs/first").table("seat").frame.height
        4
        """
        return self._shares.tables[name]

    @checks_arguments
    def report(self, *others: Run | str | os.PathLike[str], margin: float = 1.0) -> Report:
        """Return everything the command `report` says: verdict, tables, and sections from strength to luck.

        Parameters
        ----------
        others
            Further runs of the same game: conditions under which the findings should hold, too.
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
        return build_report(self._opened, [_opened(other) for other in others], margin)

    @checks_arguments
    def compare(
        self,
        other: Run | str | os.PathLike[str],
        before: str = "before",
        after: str = "after",
        *,
        margin: float = 1.0,
    ) -> Comparison:
        """Return what differs in another run of the same game, deal by deal if they share the seed.

        Parameters
        ----------
        other
            The run with the change.
        before, after
            What the runs are called in sentences and figures.
        margin
            Edges up to this one, in percentage points, count as balanced.

        Raises
        ------
        UserError
            It is of another game, or the margin is impossible.

        Examples
        --------
        >>> options = {"games": 400, "strategies": "balanced,military"}
        >>> changed = empirelab.simulate("seven_wonders", **options, changes=["cards.toml#pawnshop.vp=8"])
        >>> empirelab.open("runs/first").compare(changed).apart
        ''
        """
        return compare_runs(self._opened, _opened(other), before, after, margin)

    @checks_arguments
    def explain(
        self,
        faction: str,
        *,
        pieces: bool = False,
        games: int | None = None,
        budget: int | None = None,
        trust: bool = False,
        jobs: int = -1,
        progress: bool = True,
    ) -> Sections:
        """Return why a faction wins as often as it does, as the command `explain` does.

        Parameters
        ----------
        faction
            Its name, in any case; in a game without factions whose seats take new pieces every period, such a piece.
        pieces
            Whether the run's deals are also played without each part of it, and with half of each.
        games, budget
            Games of each of these changes (4000 where nothing is said), and of all together; with a budget they are
            played without `pieces`, too.
        trust
            Whether a Python file of a player of your own, which the run names, may be run for them.
        jobs
            Workers, -1 for all cores.
        progress
            Show a bar on a terminal or in a notebook.

        Raises
        ------
        UserError
            There is no such faction, nobody met it, or its parts cannot be played; games are named, but not played.

        Examples
        --------
        >>> [section.name for section in empirelab.open("runs/first").explain("Rhodos B")]
        ['why', 'on the way', 'company', 'games']
        """

        @contextmanager
        def bar(label: str, total: int) -> Iterator[Callable[[int], None]]:
            with show_progress(label, total, progress) as shown:
                yield shown.advance

        if games is not None and not pieces and budget is None:
            raise UserError("games are played with pieces=True or a budget only", field="games", found=games)
        with reading(self.folder):
            first, *rest = explained(self._opened, faction)
        if pieces or budget is not None:
            played = play_parts_of_run(
                self.folder, faction, games or PART_GAMES, budget, trust=trust, jobs=jobs, bar=bar
            )
            rest = [parts_section(played), *rest]
        return Sections([first, *rest])

    @checks_arguments
    def price(
        self,
        faction: str | None = None,
        *,
        goods: str | None = None,
        games: int = PRICE_GAMES,
        margin: float = 1.0,
        jobs: int = -1,
        trust: bool = False,
    ) -> Sections:
        """Return how many points at the end, or goods at the start, would make each faction fair, as `price` does.

        Parameters
        ----------
        faction
            Also the price of this one beside each neighbour; in goods, its price only.
        goods
            A number of every faction's row, such as "coins_start": the run's deals are played again with other values
            of it. By default points, for which nothing is played.
        games, jobs, trust
            With goods: games of each value, workers, and whether Python files of players may be run.
        margin
            With goods: how far from its fair share is near enough, in percentage points.

        Raises
        ------
        UserError
            There is no such faction, the game has none, nobody meets in the run, or the margin is impossible.

        Examples
        --------
        >>> found = empirelab.open("runs/first").price("Rhodos B")
        >>> found.section("price beside").title
        'The price of Rhodos B beside each board'
        >>> found.section("price").listings[0].frame.select("players").unique().item()
        4
        """
        name = None if faction is None else rivals_of(self._opened, faction)[1]
        if goods is not None:
            near = margin_of(margin)
            found = prices_played(self.folder, goods, name, games, trust=trust, jobs=jobs)
            return Sections(played_sections(found, name, near))
        touching = load_game(self._opened.manifest.game).touching
        with reading(self.folder):
            return Sections(price_sections(self._opened, name, touching))

    @checks_arguments
    def game(self, which: int | str = 0, *, pick: Pick = "typical", trust: bool = False) -> Told:
        """Replay one game and narrate it turn by turn.

        Parameters
        ----------
        which
            Its number, from 0; or what it is like, in the words of `replay --where`: "Rhodos B wins".
        pick
            Which of the games that are like this: "typical", "closest" or "first".
        trust
            Whether a Python file of a player of your own, which the run names, may be run.

        Raises
        ------
        UserError
            There is no such game, or what it was played with has changed, or is not trusted.

        Examples
        --------
        >>> empirelab.open("runs/first").game(12).splitlines()[0]
        'Seat 0: Olympia B, balanced'
        >>> empirelab.open("runs/first").game("Rhodos B in seat 1 wins", pick="closest").splitlines()[1]
        'Seat 1: Rhodos B, balanced'
        """
        number = which if isinstance(which, int) else pick_game(self.folder, which, pick).game
        return Told("\n".join(replay(self.folder, number, trust=trust)))

    def __fspath__(self) -> str:
        """Return the folder as a path."""
        return os.fspath(self.folder)

    def __repr__(self) -> str:
        """Show itself at a prompt."""
        return repr(self._opened)

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        return run_card(self._shares)


def _opened(run: Run | str | os.PathLike[str]) -> OpenedRun:
    """Return a run as the packages represent it."""
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


view = view_folder


def _that_opens(play: Callable[Asked, Path]) -> Callable[Asked, Run]:
    """Return the function that plays a run and opens it, with the options and the documentation of the one that plays.

    So the options stand, with types and words, in one place.
    """

    def simulate(*given: Asked.args, **named: Asked.kwargs) -> Run:
        return Run(play(*given, **named))

    said, _, rest = str(play.__doc__).partition("    Returns\n")
    raised = rest.partition("    Raises\n")[2]
    simulate.__doc__ = f"{said}    Returns\n{PLAYED}\n    Raises\n{raised.rstrip()}\n{EXAMPLE}"
    # Evaluated, since the names of the annotations are known where `play` stands, not here.
    options = signature(play, eval_str=True).replace(return_annotation=Run)
    simulate.__signature__ = options  # type: ignore[attr-defined]
    simulate.__annotations__ = {name: one.annotation for name, one in options.parameters.items()} | {"return": Run}
    return simulate


simulate = _that_opens(play_run)

if __name__ == "__main__":
    from sim.cli import main

    main()
