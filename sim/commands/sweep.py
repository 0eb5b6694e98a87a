"""Plays a game at many values of one or two parameters."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from shutil import rmtree
from typing import Annotated

import typer

from sim.commands.shared import (
    AsJson,
    FileJobs,
    Out,
    Page,
    Quiet,
    command_line,
    counting_number,
    print_json,
    progress_bar,
    say_unless,
)


def sweep(
    config: Annotated[Path, typer.Argument(metavar="CONFIG.toml", help="File that describes the sweep.")],
    out: Out = None,
    overwrite: Annotated[bool, typer.Option(help="Replace the sweep in the output folder.")] = False,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            "-n",
            parser=counting_number,
            metavar="NUMBER",
            help="Games at each value, instead of the file's.",
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", "-s", min=0, help="Seed, instead of the file's.")] = None,
    jobs: FileJobs = None,
    html: Page = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Play the same deals at many values of one or two parameters, and draw how win shares respond.

    Example: empirelab sweep configs/sweeps/rhodos-coins.toml --out runs/rhodos-coins
    """
    from reports.show.export import rows, section_content
    from reports.show.figures import png
    from reports.show.page import sections_page
    from reports.show.terminal import print_section
    from reports.studies.sweep import check_folder, describe, play_sweep, write_sweep
    from reports.studies.sweep_config import SweepConfig, read_sweep
    from reports.studies.sweep_found import draw_sweep
    from reports.words import counted
    from sim.commands.sections import check_place
    from sim.data.catalog import validate_row
    from sim.files import write_whole
    from sim.runs.making import folder_in_the_making
    from sim.runs.run import jobs_to_use

    if html is not None:
        check_place(html, "html")
    asked = read_sweep(config)
    given = {name: value for name, value in (("games", games), ("seed", seed), ("jobs", jobs)) if value is not None}
    asked = validate_row("command line", asked.model_dump() | given, SweepConfig, None)
    jobs_to_use(asked.jobs)
    folder = out or (Path(asked.out) if asked.out else Path("runs") / f"sweep-{config.stem}")
    check_folder(folder, overwrite)
    arms = folder.with_name(f".{folder.name}.arms")
    with folder_in_the_making(folder, partial(check_folder, folder, overwrite)) as making:
        with progress_bar(f"{asked.arms} settings", asked.arms * asked.games, quiet) as advance:
            done = play_sweep(
                asked, jobs=asked.jobs, arms=arms, overwrite=overwrite, say=say_unless(quiet), progress=advance
            )
        write_sweep(done, png(draw_sweep(done)), making, command_line())
    rmtree(arms, ignore_errors=True)
    if html is not None:
        subtitle = f"{counted(asked.games, 'game')} at each value, {', '.join(asked.strategies)}, seed {asked.seed}"
        write_whole(html, sections_page(f"{done.title}: a sweep", subtitle, done.sections).encode("utf-8"))
    if as_json:
        found = [section_content(section) for section in done.sections]
        print_json(
            {"folder": str(folder), **describe(done, command_line()), "rows": rows(done.frame), "sections": found}
        )
    elif not quiet:
        for section in done.sections:
            print_section(section, full=True, files="sweep.parquet")
        print(f"written to {folder}: sweep.png, sweep.parquet, sweep.json")
        if html is not None:
            print(f"written: {html}")
