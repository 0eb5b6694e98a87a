"""Says why a faction wins as often as it does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim.commands.sections import CSV, Places, hand_over
from sim.commands.shared import (
    AsJson,
    Full,
    Jobs,
    KeptArms,
    Page,
    Quiet,
    RunFolder,
    counting_number,
    progress_bar,
    say_unless,
)
from sim.errors import UserError

if TYPE_CHECKING:
    from reports.data.load import Run
    from reports.model import Section
    from reports.studies.search.checkpoint import SumStore


def explain(
    folder: RunFolder,
    faction: Annotated[str, typer.Option("--faction", "-f", help='Whose wins are explained: "Rhodos B".')],
    trust: Annotated[
        bool,
        typer.Option("--trust", help="Run the Python files of players that the run names, to tell single games."),
    ] = False,
    pieces: Annotated[
        bool,
        typer.Option(
            "--pieces", help="Play the same deals without each of its stages, powers, cards, numbers, and with half."
        ),
    ] = False,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            "-n",
            parser=counting_number,
            metavar="NUMBER",
            help="With --pieces: games of each change; 4000 where nothing is said.",
        ),
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(parser=counting_number, metavar="NUMBER", help="With --pieces: games of all changes together."),
    ] = None,
    jobs: Jobs = -1,
    arms: KeptArms = None,
    html: Page = None,
    csv: Annotated[str | None, CSV] = None,
    png: Annotated[Path | None, typer.Option(metavar="FILE.png", help="Write the first figure as a PNG file.")] = None,
    full: Full = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Say why a faction wins as often as it does: points, players, company, leads, choices, single games.

    Example: empirelab explain runs/first --faction "Rhodos B" --html rhodos.html
    """
    from reports.data.load import load_run
    from reports.sections.factions.explained import explained
    from reports.studies.search.checkpoint import search_checkpoint
    from sim.runs.store.verify import reading

    places = Places(html, csv, as_json, png, full)
    run = load_run(folder)
    with reading(folder):
        sections = explained(run, faction)
    tell = say_unless(quiet)
    if pieces or budget is not None:
        with search_checkpoint(arms, html, tell) as store:
            parts = parts_played(folder, faction, games, budget, trust, jobs, quiet, store)
            hand_over_explained((sections[0], parts, *sections[1:]), run, places, trust, tell)
    elif arms is not None or games is not None:
        field, found = ("games", games) if arms is None else ("arms", str(arms))
        raise UserError("games are played with --pieces or --budget only", field=field, found=found)
    else:
        hand_over_explained(sections, run, places, trust, tell)


def parts_played(
    folder: Path,
    faction: str,
    games: int | None,
    budget: int | None,
    trust: bool,
    jobs: int,
    quiet: bool,
    store: SumStore | None,
) -> Section:
    """Play a run's deals without each part of a faction, and with half of it, and say what each is worth.

    Raises
    ------
    UserError
        As for `reports.studies.parts.explain_parts.play_parts_of_run`.
    """
    from reports.sections.factions.parts import parts_section
    from reports.studies.parts.explain_parts import PART_GAMES, play_parts_of_run

    return parts_section(
        play_parts_of_run(
            folder, faction, games or PART_GAMES, budget, trust=trust, jobs=jobs, say=say_unless(quiet),
            bar=partial(progress_bar, quiet=quiet), store=store,
        )
    )  # fmt: skip


def hand_over_explained(
    sections: Sequence[Section], run: Run, places: Places, trust: bool, say: Callable[[str], None]
) -> None:
    """Hand over why a faction wins; a page tells the games that are named, too."""
    if places.html is not None:
        sections = with_games_told(sections, run.folder, trust, say)
    heading = (f"{run.manifest['title']}: {sections[0].title}", subtitle_of(run.manifest))
    hand_over(sections, places, heading, {"run": run.manifest})


def subtitle_of(manifest: dict[str, object]) -> str:
    """What was played, in one line."""
    from reports.formatting import run_size, variants_of

    return f"variant {variants_of(manifest)}, {run_size(manifest)}"


def with_games_told(
    sections: Sequence[Section], folder: Path, trust: bool, say: Callable[[str], None]
) -> tuple[Section, ...]:
    """Return sections with the games that they name told turn by turn; where that cannot be, it is said why."""
    from dataclasses import replace

    from reports.model import Telling
    from sim.runs.replay import replay

    def told(section: Section) -> Section:
        tellings: list[Telling] = []
        for row in section.listings[0].frame.iter_rows(named=True):
            try:
                lines = replay(folder, row["game"], trust=trust)
            except UserError as error:
                say(f"games are not told in the page: {error}")
                break
            tellings.append(Telling(f"{row['which']}: game {row['game']}, {row['why']}", tuple(lines)))
        return replace(section, tellings=tuple(tellings))

    return tuple(told(section) if section.name == "games" else section for section in sections)
