"""Plays a game with many values of one or two parameters."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Annotated

import typer

from sim.commands.console import command_line, log_unless, playing_step, print_json, progress_bar
from sim.commands.options import FILES_OWN, AsJson, FileJobs, Page, Quiet, games_option, option
from sim.errors import described_in

if TYPE_CHECKING:
    from reports.sections.core.next_step import NextStep
    from reports.studies.sweep.config import SweepConfig
    from reports.studies.sweep.report import Sweep


def sweep(
    config: Annotated[Path, typer.Argument(metavar="CONFIG.toml", help="File that describes the sweep.")],
    out: Annotated[
        Path | None,
        option("Folder for the results.", "--out", "-o", of="DIR", usual="the file's, or runs/sweep- and its name"),
    ] = None,
    overwrite: Annotated[bool, option("Replace the sweep in the output folder.", "--overwrite")] = False,
    games: Annotated[int | None, games_option("Games at each value.", usual=FILES_OWN)] = None,
    seed: Annotated[int | None, option("Seed.", "--seed", "-s", least=0, usual=FILES_OWN)] = None,
    jobs: FileJobs = None,
    html: Page = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Play the same deals at many values of one or two parameters, and draw how win rates respond.

    If a sweep is interrupted, the same command resumes it. Defaults from empirelab.toml do not apply.

    Examples
    --------
    empirelab sweep configs/sweeps/rhodos-coins.toml
    empirelab sweep configs/sweeps/rhodos-coins.toml --games 5000 --out runs/coins --overwrite

    Notes
    -----
    The file has the keys of a file for `run`, one or two `[[vary]]` tables, and `watch`:

    ```toml
    game = "seven_wonders"
    games = 20000                     # at each value
    players = 4
    strategies = ["balanced"]
    watch = ["Rhodos B"]              # factions or strategies to show; by default those that change most

    [[vary]]
    change = "wonders.toml#Rhodos B.coins_start"
    values = [0, 1, 2, 3, 4, 5, 6]
    ```

    A parameter is a change without its value, in the data of the game or in a strategy
    (`tuned.toml#weights.military`), or a setting of the rules: `set#discounts_add_up`. Two `[[vary]]` tables play
    every pair of values.

    The folder holds `sweep.png` (lines with 95 % bands for one parameter, a heat map for two), `sweep.parquet` (a row
    for each value, table and level: win rate, edge, mean score and change, with limits) and `sweep.json` (what was
    asked). A change is measured against the printed value, or against the first value if the printed one is not among
    them, on the same deals. Players with a learned judge get one for each value, which is trained first.
    """
    from reports.studies.sweep.sweep import check_sweep_folder
    from sim.commands.options import TIME_LIMIT, codes_of, run_command_guarded
    from sim.commands.sections import check_place

    run_command_guarded(codes_of(config), TIME_LIMIT)
    if html is not None:
        check_place(html, "html")
    asked = asked_of_file(config, {"games": games, "seed": seed, "jobs": jobs})
    folder = out or (Path(asked.out) if asked.out else Path("runs") / f"sweep-{config.stem}")
    check_sweep_folder(folder, overwrite)
    done = play_into(asked, folder, overwrite, quiet)
    step = sweep_step(done)
    if html is not None:
        write_page(done, asked, html, step)
    if as_json:
        print_values(done, folder)
    elif not quiet:
        print_found(done, folder, html, step)


def asked_of_file(config: Path, options: dict[str, int | None]) -> SweepConfig:
    """Read and check the file of a sweep. `options` of the command line that are not None replace those of the file."""
    from reports.studies.sweep.config import SweepConfig, find_knobs, read_sweep, sweep_arms
    from sim.data.arguments import jobs_to_use
    from sim.data.catalog import validate_row
    from sim.runs.config import make_plan

    given = {name: value for name, value in options.items() if value is not None}
    asked = validate_row("command line", read_sweep(config).model_dump() | given, SweepConfig, None)
    jobs_to_use(asked.jobs)
    with described_in(config):
        # An error in the first arm that does not come from the varied value is a mistake in the file.
        make_plan(next(iter(sweep_arms(asked, find_knobs(asked)).values())), untrained=True)
    return asked


def play_into(asked: SweepConfig, folder: Path, overwrite: bool, quiet: bool) -> Sweep:
    """Play a sweep, and write it to its folder. An interrupted sweep is resumed."""
    from reports.render.chart import png
    from reports.studies.sweep.report import draw_sweep
    from reports.studies.sweep.sweep import check_sweep_folder, play_sweep, write_sweep
    from sim.runs.store.run_folder import atomic_folder

    arms = folder.with_name(f".{folder.name}.arms")
    with atomic_folder(folder, partial(check_sweep_folder, folder, overwrite)) as making:
        with progress_bar(f"{asked.arms} settings", asked.arms * asked.games, quiet) as advance:
            done = play_sweep(
                asked, jobs=asked.jobs, arms=arms, overwrite=overwrite, say=log_unless(quiet), progress=advance
            )
        write_sweep(done, png(draw_sweep(done)), making, command_line())
    rmtree(arms, ignore_errors=True)
    return done


def sweep_step(done: Sweep) -> NextStep | None:
    """Return the command that searches for the value at which a faction is fair.

    The faction is the first in the sweep that is fair at some value. The result is None if there is no such faction, if
    a setting is varied, or if the changes name learned judges.
    """
    from reports.sections.core.next_step import VALUES
    from reports.studies.search.parameters import SETTING
    from reports.studies.sweep.report import crossings_of
    from sim.commands.rebalance import GAMES
    from sim.data.lessons import JUDGE
    from sim.runs.config import RunConfig

    fair = [level for table, level in done.watched if table == "faction" and crossings_of(done, table, level)]
    asked = done.config
    if not fair or done.knobs[0].text.startswith(SETTING) or any(JUDGE in text for text in asked.changes):
        return None
    config = RunConfig(**{name: value for name, value in asked.model_dump().items() if name in RunConfig.model_fields})
    config = config.model_copy(update={"games": GAMES})
    words = ["rebalance", asked.game, "--faction", fair[0], "--knob", done.knobs[0].text]
    said = f"Search the value that makes {fair[0]} fair, and confirm it on fresh deals"
    return playing_step(said, words, config, asked.jobs, GAMES, VALUES)


def write_page(done: Sweep, asked: SweepConfig, html: Path, step: NextStep | None) -> None:
    """Write the results as one HTML page."""
    from reports.formatting import counted
    from reports.render.page import sections_page
    from sim.data.files import write_whole

    subtitle = f"{counted(asked.games, 'game')} at each value, {', '.join(asked.strategies)}, seed {asked.seed}"
    write_whole(html, sections_page(f"{done.title}: a sweep", subtitle, done.sections, step=step).encode("utf-8"))


def print_values(done: Sweep, folder: Path) -> None:
    """Print the results as JSON."""
    from reports.claims import claim_rows
    from reports.render.export import rows, section_content
    from reports.studies.sweep.sweep import describe_sweep

    found = {"claims": claim_rows(done.claims), "sections": [section_content(section) for section in done.sections]}
    print_json({"folder": str(folder), **describe_sweep(done, command_line()), "rows": rows(done.frame), **found})


def print_found(done: Sweep, folder: Path, html: Path | None, step: NextStep | None) -> None:
    """Print the results and the paths of the written files."""
    from reports.render.terminal import print_section, print_step, standard_output

    for section in done.sections:
        print_section(section, full=True, files="sweep.parquet")
    print_step(step, standard_output())
    print(f"written to {folder}: sweep.png, sweep.parquet, sweep.json")
    if html is not None:
        print(f"written: {html}")
