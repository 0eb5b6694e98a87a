"""Says why a faction wins as often as it does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim.commands.completion import complete_factions
from sim.commands.defaults import typed
from sim.commands.options import Options, RunFolder, counting_number, games_option, option, with_options
from sim.commands.sections import Places, emit_sections
from sim.errors import UserError

if TYPE_CHECKING:
    from reports.data.load import Run
    from reports.model import Section
    from reports.sections.core.next_step import NextStep
    from sim.runs.store.manifest import Manifest


@with_options("jobs arms html csv png full as_json quiet", png="Write the first figure as a PNG file.")
def explain(
    options: Options,
    context: typer.Context,
    folder: RunFolder,
    faction: Annotated[
        str | None,
        option(
            'Faction whose wins are explained, such as "Rhodos B". Default: the one most out of balance.',
            "--faction",
            "-f",
            of="NAME",
            complete=complete_factions,
        ),
    ] = None,
    trust: Annotated[
        bool, option("Run the Python files of strategies that the run names, to narrate games.", "--trust")
    ] = False,
    pieces: Annotated[
        bool,
        option(
            "Also play the same deals without each of its stages, powers, cards and numbers, and with half.", "--pieces"
        ),
    ] = False,
    games: Annotated[int | None, games_option("With --pieces: games of each change.", usual="4000")] = None,
    budget: Annotated[
        int | None, option("With --pieces, or instead of it: games of all changes together.", parser=counting_number)
    ] = None,
) -> None:
    """Say why a faction wins as often as it does: points, opponents, neighbours, leads, choices, single games.

    Examples
    --------
    empirelab explain runs/first --faction "Halikarnassos B" --html why.html
    empirelab explain runs/first --faction "Halikarnassos B" --pieces --games 4000
    empirelab explain runs/cards --faction "Halikarnassos B" --budget 100000 --full

    Notes
    -----
    First comes a summary: the edge, the points above or below the others at its tables and their sources, with which
    strategies and beside whom the faction wins. Then the details: when it leads and what it wins from behind,
    neighbours, cards (for runs with `--detail cards`), the edge adjusted for seat, strategy and opponents, and single
    games with the command that narrates them; the page narrates them itself. Intervals in sentences hold for all of a
    page at once, and for all pages of `report --explain`.

    In History of the World the faction is an empire, and the run needs `--detail cards`. With `--html` the games of
    `--pieces` are kept beside the page until it is written.
    """
    from reports.data.load import load_run
    from reports.sections.factions.explained import explained, next_of, others_section, widest_first
    from reports.studies.search.checkpoint import search_checkpoint
    from sim.runs.store.verify import reading

    places = options.places
    run = load_run(folder)
    with reading(folder):
        others: tuple[Section, ...] = ()
        if faction is None:
            edges = widest_first(run)
            faction, others = str(edges["level"][0]), (others_section(run, edges),)
        sections = (*explained(run, faction), *others)
    step = next_of(run, faction)
    if pieces or budget is not None:
        from reports.sections.factions.parts import parts_section
        from reports.studies.parts.explain_parts import PART_GAMES, play_parts_of_run

        with search_checkpoint(options.arms, options.html, options.log) as store:
            played = play_parts_of_run(
                folder, faction, games or PART_GAMES, budget, trust=trust, jobs=options.jobs, say=options.log,
                bar=options.progress_bar, store=store,
            )  # fmt: skip
            sections = (sections[0], parts_section(played), *sections[1:])
            emit_explanation(sections, run, places, trust, options.log, step)
    elif needless := typed(context, ("arms", "games")):
        raise UserError("this option needs --pieces or --budget", field=needless[0])
    else:
        emit_explanation(sections, run, places, trust, options.log, step)


def emit_explanation(
    sections: Sequence[Section],
    run: Run,
    places: Places,
    trust: bool,
    say: Callable[[str], None],
    step: NextStep | None,
) -> None:
    """Print the explanation of why a faction wins, and write the requested files.

    The page also narrates the games that the sections name.
    """
    if places.html is not None:
        sections = with_games_told(sections, run.folder, trust, say)
    heading = (f"{run.manifest.title}: {sections[0].title}", subtitle_of(run.manifest))
    emit_sections(sections, places, heading, {"run": run.manifest}, step=step)


def subtitle_of(manifest: Manifest) -> str:
    """Return one line that says what was played."""
    from reports.formatting import run_size, variant_words

    return f"variant {variant_words(manifest)}, {run_size(manifest)}"


def with_games_told(
    sections: Sequence[Section], folder: Path, trust: bool, say: Callable[[str], None]
) -> tuple[Section, ...]:
    """Narrate the games that the sections name, and return the sections with the narrations.

    If a game cannot be narrated, log the reason.
    """
    from dataclasses import replace
    from functools import partial

    from reports.model import Telling
    from reports.studies.parts.own_judges import train_again
    from sim.runs.replay import replay

    def told(section: Section) -> Section:
        tellings: list[Telling] = []
        for row in section.listings[0].frame.iter_rows(named=True):
            try:
                lines = replay(folder, row["game"], trust=trust, train=partial(train_again, say=say))
            except UserError as error:
                say(f"games are not narrated in the page: {error}")
                break
            tellings.append(Telling(f"{row['which']}: game {row['game']}, {row['why']}", tuple(lines)))
        return replace(section, tellings=tuple(tellings))

    return tuple(told(section) if section.name == "games" else section for section in sections)
