"""Plays a ladder of ever more skilled players, and says which verdicts hold at the top."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from sim.commands.completion import complete_strategies
from sim.commands.console import command_line, more_games_step
from sim.commands.options import GameName, Options, counting_number, games_option, option, split, with_options
from sim.commands.sections import emit_sections


@with_options(
    "players factions variant seed jobs code sandbox settings margin out overwrite as_json html csv png full quiet"
)
def ladder(
    options: Options,
    game: GameName,
    rungs: Annotated[
        str | None,
        option(
            "Players, the least skilled first, with commas.",
            of="NAMES",
            usual="the game's ladder",
            complete=complete_strategies,
        ),
    ] = None,
    games: Annotated[int | None, games_option("Games of each rung.", usual="the game's own")] = None,
    search_games: Annotated[
        int | None,
        option("Games of a rung that looks ahead.", parser=counting_number, usual="the game's own, at most --games"),
    ] = None,
    out: Annotated[
        Path | None, option("Keep the runs in this folder, for `report --ladder`.", "--out", "-o", of="DIR")
    ] = None,
    overwrite: Annotated[bool, option("Play finished runs again.", "--overwrite")] = False,
) -> None:
    """Play the same deals with more and more skilled players: which verdicts hold at the top, which flip on the way?

    If a ladder with --out is interrupted, the same command resumes it; it shows a finished one without playing.

    Examples
    --------
    empirelab ladder seven_wonders --out runs/ladder --html ladder.html --png ladder.png
    empirelab ladder seven_wonders --rungs random,greedy,balanced,balanced+8 --games 2000
    empirelab simulate seven_wonders --games 20000 --out runs/balanced
    empirelab report runs/balanced --ladder runs/ladder

    Notes
    -----
    Each rung is one player in all seats. Then one seat looks ahead while the others play its base, and at last all
    rungs meet, which tells how much is skill and how much is luck. For each faction and seat the result says whether
    the verdict holds at the top rung, flips on the way or depends on the players, which factions rise and fall, and
    with which factions there is more to gain than with others. `configs/ladder/` has each game's rungs and games. The
    top rung looks ahead with a learned judge where one comes with the game for this table; elsewhere a slower player
    without one takes its place, for fewer games. The command says beforehand how long it takes. `DIR/rungs/`,
    `DIR/mixed` and `DIR/meeting` are run folders that other commands read too.
    """
    from reports.data.ladder_rows import ladder_of
    from reports.formatting import variant_words
    from reports.sections.strength.skill import ladder_sections
    from reports.statistics.core.decisions import margin_of
    from reports.studies.players.ladder import played_ladder
    from reports.studies.players.ladder_config import ladder_config
    from sim.runs.config import game_of

    places = options.places
    near = margin_of(options.margin)
    shared = options.config(game)
    config = ladder_config(shared, ladder_of(game_of(shared)), split(rungs or ""), games, search_games)
    playing = played_ladder(
        config,
        out,
        overwrite=overwrite,
        jobs=options.jobs,
        command=command_line(),
        progress=not options.quiet,
        say=options.log,
    )
    with playing as found:
        sections = ladder_sections(found, near)
        manifest = found.manifest
        size = f"{manifest.players} players, variant {variant_words(manifest)}, seed {manifest.seed}"
        heading = (f"{manifest.title}: verdicts by skill", f"{', '.join(found.rungs)}; {size}")
        manifests = {name: run.manifest for name, run in found.rungs.items()}
        top = list(found.rungs.values())[-1].manifest
        searches = "+" in list(found.rungs)[-1]
        step = more_games_step(top.games, top.seconds, "--search-games" if searches else "--games")
        emit_sections(sections, places, heading, manifests, {"rungs": list(found.rungs)}, step=step)


def rate(options: Options, game: str, games: int | None, out: Path | None) -> None:
    """Rate all players of a game, for `strategies --ladder`: play them against each other, and show the ratings."""
    from reports.data.ladder_rows import ladder_of
    from reports.formatting import run_size, variant_words
    from reports.sections.strength.player_ratings import rating_section
    from reports.sections.strength.skill_share import skill_share_section
    from reports.studies.players.ladder import played_rating
    from reports.studies.players.ladder_config import rating_config
    from sim.game import load_game

    places = options.places
    config = rating_config(options.config(game), ladder_of(load_game(game)), games)
    playing = played_rating(
        config, out, jobs=options.jobs, command=command_line(), progress=not options.quiet, say=options.log
    )
    with playing as run:
        manifest = run.manifest
        heading = (
            f"{manifest.title}: rating of all players",
            f"{run_size(manifest)}, variant {variant_words(manifest)}",
        )
        sections = [rating_section(run), skill_share_section(run)]
        emit_sections(sections, places, heading, {"the games": manifest})
