"""Says how many points, or goods at the start, would make each faction of a run fair."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim.commands.options import Options, RunFolder, games_option, with_options
from sim.commands.sections import emit_sections
from sim.errors import UserError

if TYPE_CHECKING:
    from reports.model import Section
    from reports.studies.search.checkpoint import SumStore


@with_options("jobs arms html csv png full as_json quiet")
def price(
    options: Options,
    folder: RunFolder,
    faction: Annotated[
        str | None,
        typer.Option(
            "--faction", "-f", help='Also the price of this one beside each neighbour, with --in only it: "Rhodos B".'
        ),
    ] = None,
    within: Annotated[
        str | None,
        typer.Option("--in", metavar="FIELD", help="In goods: a number of every faction's row, such as coins_start."),
    ] = None,
    games: Annotated[int | None, games_option("With --in: games of each value.")] = None,
    margin: Annotated[
        float | None,
        typer.Option(metavar="POINTS", help="With --in: how far from its fair share is near enough; 1 by default."),
    ] = None,
    trust: Annotated[
        bool, typer.Option("--trust", help="With --in: run the Python files of players that the run names.")
    ] = False,
) -> None:
    """Say how many points, or goods at the start, would make each faction fair, for every number of players of a run.

    Examples: empirelab price runs/first --faction "Rhodos B"

    empirelab price runs/first --in coins_start
    """
    from reports.data.load import load_run
    from reports.formatting import run_size, variant_words
    from reports.sections.factions.explained import rivals_of
    from reports.sections.factions.price import price_sections
    from reports.statistics.core.balance import MARGIN
    from reports.statistics.core.decisions import margin_of
    from reports.studies.search.checkpoint import search_checkpoint
    from sim.game import load_game
    from sim.runs.store.verify import reading

    places = options.places
    run = load_run(folder)
    name = None if faction is None else rivals_of(run, faction)[1]
    subtitle = f"variant {variant_words(run.manifest)}, {run_size(run.manifest)}"

    def write(sections: tuple[Section, ...]) -> None:
        heading = (f"{run.manifest.title}: {sections[0].title}", subtitle)
        emit_sections(sections, places, heading, {"run": run.manifest})

    needless = {"games": games, "margin": margin, "trust": trust or None, "arms": options.arms}
    if within is not None:
        near = MARGIN if margin is None else margin_of(margin)
        with search_checkpoint(options.arms, options.html, options.log) as store:
            write(in_goods(options, folder, within, name, games, near, trust, store))
    elif given := [field for field, value in needless.items() if value is not None]:
        raise UserError("prices in points play no games", field=given[0], allowed="with --in FIELD")
    else:
        with reading(folder):
            sections = price_sections(run, name, load_game(run.manifest.game).touching)
        write(sections)


def in_goods(
    options: Options,
    folder: Path,
    field: str,
    faction: str | None,
    games: int | None,
    margin: float,
    trust: bool,
    store: SumStore | None,
) -> tuple[Section, ...]:
    """Play a run's deals with other values of a number of each faction; return what was found.

    Raises
    ------
    UserError
        As for `reports.studies.price.start_goods.prices_played`.
    """
    from reports.studies.price.report import played_sections
    from reports.studies.price.start_goods import VALUE_GAMES, prices_played

    with options.progress_bar("prices", None) as advance:
        found = prices_played(
            folder, field, faction, VALUE_GAMES if games is None else games, trust=trust, jobs=options.jobs,
            say=options.log, progress=advance, store=store,
        )  # fmt: skip
    return played_sections(found, faction, margin)
