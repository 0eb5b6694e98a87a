"""Says how many points, or goods at the start, would make each faction of a run fair."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim.commands.completion import complete_factions
from sim.commands.defaults import typed
from sim.commands.options import Options, RunFolder, games_option, option, with_options
from sim.commands.sections import emit_sections
from sim.errors import UserError

if TYPE_CHECKING:
    from reports.model import Section
    from reports.sections.core.next_step import NextStep
    from sim.runs.store.manifest import Manifest


@with_options("jobs arms html csv png full as_json quiet")
def price(
    options: Options,
    context: typer.Context,
    folder: RunFolder,
    faction: Annotated[
        str | None,
        option(
            "Also price this faction beside each neighbour; with --in, only this faction.",
            "--faction",
            "-f",
            of="NAME",
            complete=complete_factions,
        ),
    ] = None,
    within: Annotated[
        str | None,
        option(
            "Price in goods: a number of every faction's row, such as coins_start.", "--in", of="FIELD", usual="points"
        ),
    ] = None,
    games: Annotated[int | None, games_option("With --in: games of each value.", usual="8000")] = None,
    margin: Annotated[
        float | None, option("With --in: a win rate this close to its fair share is fair.", of="POINTS", usual="1")
    ] = None,
    trust: Annotated[
        bool, option("With --in: run the Python files of strategies that the run names.", "--trust")
    ] = False,
) -> None:
    """Say how many points, or goods at the start, would make each faction fair, for each number of players of a run.

    Examples
    --------
    empirelab price runs/first --faction "Rhodos B" --html prices.html
    empirelab price runs/first --in coins_start --games 4000

    Notes
    -----
    Prices in points play no games: the final scores of the run tell them. They are given once for each faction alone
    and once for all prices paid together, as a league needs them and as bids from 0 on. Half of the deals set the
    prices, the other half tests them. In games whose neighbours interact (7 Wonders), each price is also given beside
    each neighbour. Prices are exact for points added at the end of the game. Sentences name only what holds for all
    prices at once.

    `--in` plays the run's deals again with other values of one number, one faction at a time, and says at which value
    each faction would be fair, with an interval, and who cannot be made fair this way. Then all values change
    together, and fresh deals confirm the result. If it is interrupted, the same command resumes it: its games are
    kept beside the page of `--html` until that is written, or in `--arms`. In a run of players with a learned judge
    their base plays in their place, since every value would need a judge.
    """
    from reports.data.load import load_run
    from reports.sections.factions.explained import rivals_of
    from reports.sections.factions.price import price_sections
    from reports.statistics.core.balance import MARGIN
    from reports.statistics.core.decisions import margin_of
    from reports.studies.search.checkpoint import search_checkpoint
    from sim.commands.explain import subtitle_of
    from sim.game import is_touching
    from sim.runs.store.verify import reading

    places = options.places
    run = load_run(folder)
    name = None if faction is None else rivals_of(run, faction)[1]

    def write(sections: tuple[Section, ...]) -> None:
        heading = (f"{run.manifest.title}: {sections[0].title}", subtitle_of(run.manifest))
        step = price_step(sections[0], run.manifest, folder)
        emit_sections(sections, places, heading, {"run": run.manifest}, step=step)

    if within is not None:
        from reports.studies.price.report import played_sections
        from reports.studies.price.start_goods import VALUE_GAMES, prices_played

        near = MARGIN if margin is None else margin_of(margin)
        with search_checkpoint(options.arms, options.html, options.log) as store:
            with options.progress_bar("prices", None) as advance:
                found = prices_played(
                    folder, within, name, VALUE_GAMES if games is None else games, trust=trust, jobs=options.jobs,
                    say=options.log, progress=advance, store=store,
                )  # fmt: skip
            write(played_sections(found, name, near))
    elif needless := typed(context, ("games", "margin", "trust", "arms")):
        raise UserError("this option needs --in FIELD: prices in points play no games", field=needless[0])
    else:
        with reading(folder):
            sections = price_sections(run, name, is_touching(run.manifest.game))
        write(sections)


def price_step(section: Section, manifest: Manifest, folder: Path) -> NextStep | None:
    """Return the command that searches for a change of the faction with the largest price.

    Only prices that are certainly not 0 count. If there are none, the result is None.
    """
    from reports.sections.core.next_step import NextStep, rows_in_files, same_games, search_time

    known, frame = same_games(manifest, folder), section.listings[0].frame
    if known is None or not rows_in_files(manifest) or not {"faction", "price", "low", "high"} <= set(frame.columns):
        return None
    rows = frame.filter((frame["low"] > 0) | (frame["high"] < 0)).to_dicts()
    if not rows:
        return None
    name = max(rows, key=lambda row: abs(row["price"]))["faction"]
    command = shlex.join(["empirelab", "rebalance", known[0], "--faction", name, "--knob", "all", *known[1]])
    takes = f"{search_time(manifest)} at the speed of this run"
    said = f"Search a printed change that does the same for {name} ({takes})."
    return NextStep(said, (command,))
