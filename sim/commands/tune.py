"""Improves a strategy's weights by evolution."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.commands.completion import complete_strategies
from sim.commands.console import command_line, command_with, playing_step, print_json
from sim.commands.options import (
    GameName,
    NewStrategy,
    Options,
    Replace,
    games_option,
    guarded,
    option,
    split,
    with_options,
)
from sim.errors import UserError

if TYPE_CHECKING:
    from reports.sections.core.next_step import NextStep
    from reports.studies.players.tuning import Tuning

GAMES = 20_000
"""Number of games of the run that is suggested as the next step."""
MOST = {"games": 10_000_000, "generations": 100_000, "population": 10_000, "fresh": 10_000_000}
"""Maximum sizes of a search. They are limited because all games of a candidate are in memory at once."""


@with_options(
    "pool weights games generations population fresh players factions variant seed "
    "code sandbox decks name out overwrite jobs html as_json quiet",
    seed="Seed of the deals and of the search.",
)
def tune(
    options: Options,
    game: GameName,
    strategy: Annotated[
        str,
        typer.Argument(
            metavar="STRATEGY", help="Strategy whose weights are improved.", autocompletion=complete_strategies
        ),
    ],
    games: Annotated[int, games_option("Games of each candidate in a generation.")] = 4000,
    generations: Annotated[int, option("Generations of the search.", least=1)] = 40,
    population: Annotated[int, option("Candidates of a generation; 0: 4 + 3 log(weights).", least=0)] = 0,
    code: Annotated[
        Path | None,
        typer.Option(metavar="FILE", callback=guarded, help="File with your own strategy, to tune or as an opponent."),
    ] = None,
    name: Annotated[str | None, option("Name of the new strategy.", of="NAME", usual="STRATEGY-tuned")] = None,
    out: NewStrategy = None,
    overwrite: Replace = False,
) -> None:
    """Improve a strategy's weights by an evolution strategy, test them on fresh deals, and write them as a TOML file.

    Examples
    --------
    empirelab tune seven_wonders military --pool balanced,civil --weights military,blue --generations 2 --out tuned.toml

    Notes
    -----
    The search is CMA-ES. Candidates of a generation play the same deals, and each generation plays new ones. At most
    tables one candidate meets opponents of the pool; at the others half the table are candidates, so that beating
    weak players is not enough. The result is then measured against the original on unused deals: its gain against the
    pool, and its win rate at tables shared with the original. The file's `[record]` keeps all of this. Play the new
    strategy with `--code tuned.toml`. The same seed gives the same file. The command says first how long the search
    takes here. The page of `--html` shows the old and the new strategy, the weights that moved, and the file.
    """
    from reports.render.page import sections_page
    from reports.render.terminal import print_step, standard_output
    from reports.studies.players.tuning import as_toml, tune_strategy, tuning_lines
    from reports.studies.players.tuning_report import tuning_sections
    from sim.data.files import write_whole
    from sim.game import load_game

    places = options.places
    called = name or f"{strategy}-tuned"
    path = out or Path(f"{called}.toml")
    check_name_of_file(called)
    check_strategy_file(path, overwrite)
    check_search_sizes(games=games, generations=generations, population=population, fresh=options.fresh)
    began = time.monotonic()
    found = tune_strategy(
        game, strategy, games=games, generations=generations, population=population, progress=False,
        **asked_of(options, code, called, path),
    )  # fmt: skip
    text = as_toml(found, found.record, path.parent)
    step = tuning_step(options, game, found, path, overwrite, text, generations, time.monotonic() - began)
    if places.html is not None:
        subtitle = f"{found.record['players']} players, {found.gain.games:,} fresh games, seed {options.seed}"
        title = f"{load_game(game).title}: {called}"
        page = sections_page(title, subtitle, tuning_sections(found), step=step)
        write_whole(places.html, page.encode("utf-8"))
    if options.as_json:
        print_json(dict(found.record))
        return
    print("\n".join(tuning_lines(found)))
    print_step(step, standard_output())
    print(f"written: {path}; play it with: --code {path}")
    if places.html is not None:
        print(f"written: {places.html}")


def asked_of(options: Options, code: Path | None, called: str, path: Path) -> dict[str, Any]:
    """Return the arguments that tuning and distilling have in common, by name."""
    return {
        "pool": None if options.pool is None else split(options.pool),
        "weights": None if options.weights is None else split(options.weights),
        "factions": split(options.factions), "decks": options.decks or [], "code": code, "name": called, "out": path,
        "command": command_line(), "say": options.log,
        **{name: getattr(options, name) for name in ("fresh", "players", "variant", "seed", "jobs")},
    }  # fmt: skip


def tuning_step(
    options: Options, game: str, found: Tuning, path: Path, overwrite: bool, text: str, generations: int, seconds: float
) -> NextStep:
    """Return the next step: play the improved strategy beside the old one, or search longer if there is no improvement.

    `text` is the content of the file at `path`. `overwrite` tells whether the typed command may replace an existing
    file. The search of `generations` and its test took `seconds`.
    """
    from reports.sections.core.next_step import NextStep
    from sim.runs.run import time_words

    title = "The strategy as a file"
    if not found.improved:
        said = f"Search twice as many generations, or vary fewer weights ({time_words(2 * seconds)} at most)."
        command = command_with("--generations", 2 * max(generations, 1)) + ("" if overwrite else " --overwrite")
        return NextStep(said, (command,), text, title)
    both = f"{found.tuned.name},{found.original.name}"
    config = options.config(game, strategies=both, code=str(path), games=GAMES)
    words = ["simulate", game, "--seed", str(options.seed + 1), "--out", f"runs/{found.tuned.name}"]
    step = playing_step("Play the new strategy beside the old one on fresh deals", words, config, options.jobs)
    return replace(step, patch=text, patch_title=title)


def check_name_of_file(called: str) -> None:
    """Raise UserError if the name of a strategy has a slash, because a file gets the same name."""
    if "/" in called:
        raise UserError(
            "the name of a strategy must not contain a slash", field="name", found=called, allowed="letters and digits"
        )


def check_strategy_file(path: Path, overwrite: bool) -> None:
    """Check that a file can be written; called before any work is done.

    Raise UserError if the file exists and must not be overwritten, or is a folder or a part of a run; or its folder is
    missing or cannot be written.
    """
    import os

    from sim.runs.store.parquet import check_not_part

    check_not_part(path, "out")
    if path.is_dir():
        raise UserError("the file cannot be written: this is a folder", file=path, allowed="the name of a file")
    if path.exists() and not overwrite:
        raise UserError("the file exists", file=path, allowed="a new file, or --overwrite")
    folder = path.absolute().parent
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        raise UserError("the file cannot be written", file=path, allowed="a file in a folder you may write to")


def check_search_sizes(**sizes: int) -> None:
    """Raise UserError if a size of a search is above its limit in `MOST`, or too few games are left for the test."""
    for field, size in sizes.items():
        if size > MOST[field]:
            raise UserError("this search is too large", field=field, found=size, allowed=f"at most {MOST[field]:,}")
    if sizes["fresh"] < 2:
        raise UserError("too few for a test", field="fresh", found=sizes["fresh"], allowed="2 or more")
