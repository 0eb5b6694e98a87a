"""Searches for the value of a parameter at which a faction is fair."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from sim.commands.completion import complete_cards, complete_factions
from sim.commands.console import command_again, new_folder, next_file
from sim.commands.options import (
    Changes,
    GameName,
    Options,
    games_option,
    option,
    read_changes,
    whole_number,
    with_options,
)
from sim.commands.sections import Places, emit_sections
from sim.errors import UserError

if TYPE_CHECKING:
    from reports.model import Section
    from reports.sections.core.next_step import NextStep
    from reports.studies.parts.parts import Part
    from reports.studies.search.checkpoint import SumStore
    from reports.studies.search.engine import Found
    from reports.studies.search.goals import Goal
    from reports.studies.search.rebalance_report import Rebalance
    from sim.game import GameSpec
    from sim.players.batch import Plan
    from sim.runs.config import RunConfig

GAMES = 20_000
FITTING = 300.0
"""Maximum seconds of a proposed comparison or run. A comparison with the default number of games may take longer."""
LONGEST = 3600.0
"""Maximum seconds of a proposed search."""


@with_options(
    "players strategies factions variant change low high step margin top_games patch seed jobs code sandbox arms "
    "settings decks html csv as_json full quiet",
    margin="Edges up to this one count as balanced, in percentage points.",
    change="Start from a game with this change; @FILE.toml: a list of changes. May be repeated.",
)
def rebalance(
    options: Options,
    game: GameName,
    knob: Annotated[
        str | None,
        option(
            'Number to change: a field of its row (coins_start) or FILE#ROW.FIELD; a part ("stage 1"); "all": '
            "every number of it.",
            of="FIELD",
        ),
    ] = None,
    faction: Annotated[
        str | None,
        option(
            "Faction to make fair (Rhodos B); without --knob also several of one name (Rhodos).",
            of="NAME",
            complete=complete_factions,
        ),
    ] = None,
    card: Annotated[
        str | None,
        option(
            "Piece to make fair, in games whose seats take new pieces every period: an empire.",
            of="NAME",
            complete=complete_cards,
        ),
    ] = None,
    change: Changes = None,
    every: Annotated[bool, option("Bring all factions within the margin with few changes.", "--all")] = False,
    target: Annotated[
        Path | None, option("Reach the win rates that a file asks for with few changes.", of="FILE.toml")
    ] = None,
    games: Annotated[
        int | None,
        games_option("Games at each value, and for the confirmation.", whole_number, "20000; in a quick search fewer"),
    ] = None,
    refine: Annotated[
        bool, option("With --knob all: search on more games, and combine more changes.", "--refine")
    ] = False,
    low: Annotated[float | None, option("Lowest value to try.", usual="5, or the printed value, below it")] = None,
    high: Annotated[float | None, option("Highest value to try.", usual="5, or the printed value, above it")] = None,
    step: Annotated[float | None, option("Step between values.", usual="1, or a 20th of the range")] = None,
    top_games: Annotated[
        int | None,
        option(
            "With --all, --target or several sides: games of each arm with the ladder's best players; 0: none.",
            parser=whole_number,
            usual="those of a rung that looks ahead, at most --games",
        ),
    ] = None,
    patch: Annotated[
        Path | None, option("Write the change that was found to a file, for --change @FILE.toml.", of="FILE.toml")
    ] = None,
) -> None:
    """Find the value of a number at which a faction wins its fair share, and confirm it on fresh deals.

    Examples
    --------
    empirelab rebalance seven_wonders --faction "Rhodos B" --knob coins_start
    empirelab rebalance seven_wonders --faction "Halikarnassos B" --knob all --patch fair.toml
    empirelab compare seven_wonders --change @fair.toml
    empirelab rebalance seven_wonders --faction "Halikarnassos B" --knob all --change @fair.toml --patch more.toml
    empirelab rebalance seven_wonders --all --margin 2 --patch all-fair.toml
    empirelab rebalance seven_wonders --faction Rhodos --margin 2 --top-games 0 --patch both-sides.toml
    empirelab rebalance seven_wonders --target docs/examples/target.toml --margin 2 --patch wanted.toml
    empirelab rebalance history_of_the_world --card Khmers --knob armies --high 12

    Notes
    -----
    All values are tried on the same deals. The best one is played again beside the printed value on fresh deals,
    those of the next seed: only what these confirm is proposed, and its effect on the others comes from them. If the
    printed value may be fair, no change is shown to be needed. The command says so if the number cannot make the
    faction fair, has no effect, or its edge both rises and falls. `--patch` writes the change; the command that tries
    it on unused deals is printed. It asks for the games that `--margin` needs; if more would be needed than
    play in five minutes here, for the smallest margin that these reach.

    **On top of other changes** (`--change`). The search starts from the changed game, called "as changed". `--patch`
    then writes those changes together with the new one. If no value of a number is fair, as when 1 leaves too much and
    0 too little, the command that searches another number on top of the nearer value is printed.

    **All numbers of a faction** (`--knob all`). The command says first how long the search takes here. A quick search
    takes less than a minute on two cores in every game, says how large an effect it can find, and prints the command
    that refines it (`--refine`) with its time. It plays one small and one larger step of every printed number on the
    same deals, and drops numbers that remove less than a quarter of the edge. The best ten are refined with more
    games, and the best three play all games. The first is proposed and confirmed on fresh deals, with three others
    beside it. A change counts as fair if the whole interval of the remaining edge lies within the margin; if it
    reaches beyond, the report says how many games would decide. If fresh deals do not confirm the change, no file is
    written. Changes that remove an effect or have a surprising direction, such as more points for a strong faction,
    follow the others that come as near. If no single number suffices, pairs are tried: of numbers that
    help, and of a number whose neighbouring values leave too much and too little with one that corrects either, even if
    that one goes the wrong way by itself. With `--refine` further steps follow, at most nine in all.
    Each stage says how many games it plays at most and how long they take.
    Equal copies of a card change together ("Flood (all 3)").

    **Several factions** (`--all`, or `--faction` with a name that several share). The faction farthest off gets the
    smallest change, or pair of changes, that helps; then everything is played again with the changes so far, until
    nothing is certainly off or nothing helps. At the end each change is tried without. The result is played beside
    the printed game on fresh deals, and with players who look ahead in all seats. Factions that remain off
    are named with the reason. A search for 14 factions plays about two million games.

    **A target** (`--target`) asks for other win rates than fair ones:

    ```toml
    others = "free"            # or "fair": the others are to win their fair share

    [shares]
    "Rhodos B" = 0.30          # share of its games that it wins

    [beats."Gizah A"]
    "Halikarnassos B" = 0.55   # share of their common games in which Gizah A ends ahead; a tie is half
    ```

    Shares that cannot be had together are refused: the win rates of all factions have a fixed sum.

    **Players with a learned judge** need a judge for each game that is tried. A search of one number trains one for
    each value. In a search of many numbers the judge's base plays in its place, and the result is played with judges
    that are trained for the printed and for the changed game.

    If a search with several numbers is interrupted, the same command resumes it: its games are kept beside the file
    of `--patch` or `--html` until that is written, or in `--arms`.
    """
    from sim.game import load_game

    places, margin = options.places, options.margin
    played = load_game(game)
    racing = not every and target is None and knob is not None and knob.strip().casefold() == "all"
    if refine and not racing:
        raise UserError("this option is for a search of all numbers", field="refine", allowed="with --knob all")
    usual = quick_games(options, game) if racing and not refine else GAMES
    base = read_changes(change, game)
    config = options.config(game, games=usual if games is None else games, changes=base)
    search = RebalanceSearch(options, config, played, places, patch, tuple(change or ()))
    if every or target is not None:
        check_alone(every, target, {"knob": knob, "faction": faction, "card": card, "low": low, "high": high,
                                    "step": step})  # fmt: skip
        text = search_for_changes(search, goal_of(config, margin, target=target), top_games=top_games)
    elif (sides := match_sides(config, faction, card, knob)) is not None:
        check_whole(low, high, step)
        text = search_for_changes(search, goal_of(config, margin, sides), top_games=top_games)
    else:
        if top_games is not None:
            message = "games of the best players need --all, --target or all sides of a faction"
            raise UserError(message, field="top-games", found=top_games)
        rival = rival_name(played, faction, card)
        if knob is None:
            raise missing_knob(config, rival)
        if (parts := match_parts(config, rival, knob)) is not None:
            check_whole(low, high, step)
            text = search_for_changes(
                search, goal_of(config, margin, [number_of(config, rival)]), parts, racing and not refine
            )
        else:
            text = search_one(search, rival, knob, (low, high, step))
    if patch is not None and not options.as_json:
        print(patch_message(patch, text))


def patch_message(patch: Path, text: str) -> str:
    """Return a message on the file of changes `patch`: that it was written, or why not. `text` is its content."""
    from sim.data.catalog import parse_toml

    if not text:
        return f"not written: {patch}, because fresh deals did not confirm that a change is enough"
    return f"written: {patch}{'' if parse_toml(patch, text).get('changes') else '; it holds no change'}"


@dataclass(frozen=True)
class RebalanceSearch:
    """What every search needs: options, the run that they request, paths of outputs, and --change as it was typed."""

    options: Options
    config: RunConfig
    game: GameSpec
    places: Places
    patch: Path | None
    base: tuple[str, ...] = ()

    def emit(
        self, sections: Sequence[Section], more: Mapping[str, Any], full: bool = False, step: NextStep | None = None
    ) -> None:
        """Print what was played, how certain the game's data are, and the results. Write the requested files."""
        from reports.formatting import counted, some
        from sim.runs.config import game_of

        config = self.config
        played = f"{counted(config.games, 'game')} of each version, seed {config.seed}"
        played += f", on top of {some(self.base)}" if self.base else ""
        heading = (
            f"{self.game.title}: {sections[0].title.replace(': ', ', ')}",
            f"{config.players} players, {', '.join(config.strategies)}, {played}",
        )
        certainty = game_of(config).load(config.settings).certainty
        emit_sections(sections, self.places, heading, more=more, full=full, certainty=certainty, step=step)


def search_for_changes(
    search: RebalanceSearch, goal: Goal, parts: list[Part] | None = None, quick: bool = False, top_games: int | None = 0
) -> str:
    """Search for changes that reach a goal, and print and write the results.

    Return the file of changes as text; "" if fresh deals do not confirm any change.
    """
    from reports.studies.search.checkpoint import search_checkpoint
    from reports.studies.search.search_report import confirmed_changes, patch_of_changes, search_sections
    from reports.studies.search.target_file import goal_as_json
    from sim.commands.sections import check_place
    from sim.data.files import write_whole

    options, patch = search.options, search.patch
    if patch is not None:
        check_place(patch, "patch")
    with search_checkpoint(options.arms, patch or search.places.html, options.log) as store:
        found = find_changes(
            search.config, goal, parts, quick, top_games, jobs=options.jobs, shown=not options.quiet, say=options.log,
            store=store,
        )  # fmt: skip
        text = patch_of_changes(found)
        if patch is not None and text:
            write_whole(patch, text.encode("utf-8"))
        more = {
            **goal_as_json(goal), "faction": goal.names[0] if goal.one else None, "changes": confirmed_changes(found),
            "stuck": found.stuck, "config": search.config.model_dump(),
        }  # fmt: skip
        search.emit(search_sections(found), more, step=step_after(search, found, text))
    return text


def find_changes(
    config: RunConfig,
    goal: Goal,
    parts: list[Part] | None = None,
    quick: bool = False,
    top_games: int | None = 0,
    *,
    jobs: int = -1,
    shown: bool = True,
    say: Callable[[str], None] | None = None,
    store: SumStore | None = None,
) -> Found:
    """Search for changes that reach a goal, and show a progress bar.

    Messages go to `say`, by default to `bar.say`.
    """
    from reports.studies.search.engine import search_changes
    from sim.runs.config import make_plan
    from sim.runs.progress import show_progress
    from sim.runs.run import seconds_per_game

    with show_progress("search", None, shown) as bar:
        return search_changes(
            make_plan(config), goal, config.games, quick=quick, parts=parts, top=with_best_players(config, top_games),
            measure=partial(seconds_per_game, jobs=jobs, written=False), jobs=jobs, say=bar.say if say is None else say,
            progress=bar.advance, expect=bar.expect, store=store,
        )  # fmt: skip


def goal_of(config: RunConfig, margin: float, chosen: Sequence[int] | None = None, target: Path | None = None) -> Goal:
    """Return the goal of a search.

    The aim is that all factions, or the chosen ones, win their fair share within a margin in points. With `target`, the
    aim is that of the target file.
    """
    from reports.statistics.core.decisions import margin_of
    from reports.studies.search.goals import fair_goal
    from reports.studies.search.target_file import read_target
    from sim.runs.config import make_plan

    near, plan = margin_of(margin), make_plan(config)
    if not plan.data.factions or plan.game.faction_place is None:
        message = f"{plan.game.title} has no factions whose numbers could be changed"
        picks = None if plan.game.pieces is None else plan.game.pieces.picks
        allowed = "--card NAME --knob FIELD, one at a time" if picks is not None else None
        raise UserError(message, field="all" if target is None else "target", allowed=allowed)
    if plan.players < 2 or len(plan.factions) < 2:
        raise UserError("this search needs factions that meet", field="players", found=plan.players)
    return fair_goal(plan, near, chosen) if target is None else read_target(target, plan, near)


def number_of(config: RunConfig, faction: str) -> int:
    """Return the index of the named faction in the game's data."""
    from reports.studies.search.parameters import find_faction, printed_game

    return find_faction(*printed_game(config), faction)


def search_one(
    search: RebalanceSearch, rival: str, knob: str, limits: tuple[float | None, float | None, float | None]
) -> str:
    """Try values of one number, and print and write the results. Return the file of changes as text.

    `limits` are the lowest and the highest value, and the step between values; None for the default.
    """
    from reports.formatting import counted
    from reports.studies.search.checkpoint import resume_hint
    from reports.studies.search.parameters import SETTING
    from reports.studies.search.rebalance import search_value
    from reports.studies.search.rebalance_report import patch_of_value
    from sim.commands.sections import check_place
    from sim.data.files import write_whole

    if search.patch is not None:
        check_place(search.patch, "patch")
        if knob.strip().startswith(SETTING):
            raise UserError(
                "a file of changes holds no settings", field="patch", allowed="--knob with a printed number"
            )
    tell, config, (low, high, step) = search.options.log, search.config, limits

    def trying(turned: Any, value: float, seed: int) -> None:
        fresh = "" if seed == config.seed else f", fresh deals (seed {seed})"
        tell(f"playing {counted(config.games, 'game')} with {turned.title} = {value:g}{fresh}")

    try:
        done = search_value(
            config,
            rival,
            knob,
            low=low,
            high=high,
            step=step,
            jobs=search.options.jobs,
            arms=search.options.arms,
            trying=trying,
            say=tell,
        )
    except KeyboardInterrupt as error:
        raise KeyboardInterrupt(str(error) or ("" if search.options.arms else resume_hint(None))) from error
    text = patch_of_value(done, search.game.title)
    if search.patch is not None:
        write_whole(search.patch, text.encode("utf-8"))
    then = None if knob.strip().startswith(SETTING) else step_after_value(search, done, text)
    search.emit(done.sections, rebalance_values(done), full=True, step=then)
    return text


@dataclass(frozen=True)
class Left:
    """The edge that a faction still has after a change, on fresh deals.

    `rows` is the number of rows that are judged together with this faction.
    """

    name: str
    edge: float
    error: float
    rows: int


def step_after_value(search: RebalanceSearch, done: Rebalance, text: str) -> NextStep | None:
    """Return the next step after the search of one number.

    It plays the best value on fresh deals, or searches another number on top of this value.
    """
    import polars as pl

    from reports.studies.search.rebalance_report import is_too_far, row_at, value_words, where_words

    fresh = done.confirmation
    if fresh is None:
        return None
    row = row_at(fresh.tried, done.best)
    if is_too_far(done, search.options.margin / 100) and not done.picked:
        words = ["--change", f"@{search.patch}"] if search.patch is not None else changing(search, [done.change])
        return further_step(search, done.faction, f"{where_words(done)} = {value_words(done.best)}", words)
    rows = 1 + done.others.filter(pl.col("table") == "faction").height
    return confirming_step(search, text, Left(done.faction, row["edge"], row["error"], rows))


def changing(search: RebalanceSearch, changes: Sequence[str] = ()) -> list[str]:
    """Return the --change options for `changes` together with the changes from which a search started."""
    from sim.data.changes import with_later

    texts = with_later(search.config.changes, changes) if changes else search.base
    return [word for text in texts for word in ("--change", text)]


def further_step(search: RebalanceSearch, faction: str, where: str, words: Sequence[str]) -> NextStep:
    """Return the command that searches another number on top of a change.

    `words` are the --change options for the change, and `where` names the changed value in the sentence.
    """
    from reports.data.ladder_rows import ladder_of
    from reports.sections.core.next_step import NextStep
    from sim.runs.config import game_of, make_plan
    from sim.runs.run import seconds_per_game, time_words

    row = ladder_of(game_of(search.config))
    each = seconds_per_game(make_plan(search.config), search.options.jobs)
    takes = time_words(row.quick_total * each + row.quick_seconds)
    words = ["rebalance", search.game.name, "--faction", faction, "--knob", "all", *words]
    words += [] if search.patch is None else ["--patch", str(next_file(search.patch))]
    config = search.config.model_copy(update={"games": GAMES, "changes": []})
    command = command_again(words, config, search.options.margin, GAMES)
    return NextStep(f"From {where}, search another number of {faction} on top ({takes}).", (command,))


def confirming_step(search: RebalanceSearch, patch: str, left: Left | None = None) -> NextStep | None:
    """Return the command that plays the changes in a file on fresh deals; None if the file holds no change.

    With `left`, the command asks for as many games as the margin needs. If these would take too long, it asks for the
    smallest margin that an affordable number of games can confirm.
    """
    from reports.formatting import margin_words
    from reports.sections.core.next_step import NextStep
    from reports.statistics.core.decisions import margin_of
    from sim.data.catalog import parse_toml
    from sim.runs.config import make_plan
    from sim.runs.run import seconds_per_game, time_words

    changes = parse_toml(Path("changes"), patch).get("changes")
    if not changes:
        return None
    named = changes if search.patch is None else [f"@{search.patch}"]
    games, asked = max(search.config.games, GAMES), margin_of(search.options.margin)
    each, margin, wider = seconds_per_game(make_plan(search.config), search.options.jobs), asked, ""
    if left is not None and math.isfinite(left.error):
        games, margin = fitting_run(left, search.config, asked, each)
    if left is not None and margin > asked:
        points = margin_words(margin)
        wider = (
            f" No run of a few minutes here is expected to confirm {margin_words(asked)}, so the command asks for"
            f" {points}: then {left.name} may win up to {points} more or less than fair. To confirm"
            f" {margin_words(asked)}, play more games, or find a change that comes nearer."
        )
    said = f"Play the change on fresh deals, which had no part in finding it ({time_words(2 * games * each)}).{wider}"
    config = search.config.model_copy(update={"games": games, "changes": []})
    return NextStep(said, (confirming_command(named, config, 100 * margin),), patch)


def fitting_run(left: Left, config: RunConfig, margin: float, each: float) -> tuple[int, float]:
    """Return the number of games of the comparison that confirms a change, and the margin that they can confirm.

    `each` is the seconds per game.
    """
    from reports.formatting import round_down, round_up
    from reports.statistics.core.decisions import confirming_games
    from sim.commands.compare import MAX_ARM_GAMES

    games, players = config.games, len(config.strategies)
    fit = min(max(games, round_down(FITTING / (2 * each))), MAX_ARM_GAMES)
    needed, reached = confirming_games(left.edge, left.error, games, margin, left.rows, fit, players)
    return (max(games, GAMES) if needed <= GAMES <= fit else min(round_up(needed), fit)), reached


def confirming_command(changes: Sequence[str], config: RunConfig, margin: float) -> str:
    """Return the command that compares changes with the printed game, with the options of the search."""
    from sim.commands.compare import GAMES

    words = ["compare", config.game, *(word for text in changes for word in ("--change", text))]
    return command_again([*words, "--seed", str(fresh_seed(config))], config, margin, GAMES)


def fresh_seed(config: RunConfig) -> int:
    """Return a seed whose deals a search has not used.

    A search uses its own seed, and the seeds right after it to confirm the result.
    """
    from sim.runs.store.manifest import MAX_SEED

    return (config.seed + 3) % (MAX_SEED + 1)


def quick_games(options: Options, game: str) -> int:
    """Return how many games of each value a quick search of a game plays."""
    from reports.data.ladder_rows import ladder_of
    from sim.runs.config import game_of

    return ladder_of(game_of(options.config(game, games=GAMES))).quick_games


def check_alone(every: bool, target: Path | None, others: Mapping[str, object]) -> None:
    """Raise UserError if --all and --target are both given, or one of them with options for a single faction.

    `others` has the values of these options. For `knob`, "all" is allowed.
    """
    if every and target is not None:
        message = "--all and --target exclude each other"
        raise UserError(message, field="target", found=str(target), allowed="--all or --target FILE.toml")
    for field, value in others.items():
        if value is not None and not (field == "knob" and str(value).casefold() == "all"):
            option = "--all" if every else "--target"
            message = f"{option} changes the numbers of all factions: this option is for a single one"
            raise UserError(message, field=field, found=str(value), allowed=f"without --{field}")


def match_sides(config: RunConfig, faction: str | None, card: str | None, knob: str | None) -> tuple[int, ...] | None:
    """Return the factions that --faction names if they are several, such as both sides of a nation; otherwise None."""
    from reports.studies.search.parameters import printed_game
    from sim.game import choose_factions
    from sim.runs.config import make_plan

    if faction is None or card is not None or (knob is not None and knob.strip().casefold() != "all"):
        return None
    game, data = printed_game(config)
    if not data.factions:
        return None
    chosen = choose_factions(game, data, [faction])
    if len(chosen) < 2:
        return None
    dealt = make_plan(config).factions
    if missing := [data.factions[number].name for number in chosen if number not in dealt]:
        names = [data.factions[number].name for number in dealt]
        raise UserError("not all factions of this name are dealt", field="faction", found=missing, allowed=names)
    return chosen


def with_best_players(config: RunConfig, games: int | None) -> tuple[Plan, int] | None:
    """Return a plan with the game's best player in all seats, and its number of games.

    The best player is the top rung of the game's ladder, or the ladder's substitute for players with a judge. The
    result is None if no games are requested, or if that player already has all seats in `config`.
    """
    from reports.data.ladder_rows import ladder_of
    from sim.runs.config import game_of, make_plan

    if games is not None and games < 0:
        raise UserError("no number of games", field="top-games", found=games, allowed="0 for none, or more")
    row = ladder_of(game_of(config))
    # A player with a judge is not used: it would need one judge for the printed game and another for the changed game.
    name, usual = (row.instead, row.instead_games) if row.instead else (row.rungs[-1], row.search_games)
    games = min(usual, config.games) if games is None else games
    if games == 0 or list(config.strategies) == [name]:
        return None
    return make_plan(config.model_copy(update={"strategies": [name], "assign": "rotate", "code": None})), games


def missing_knob(config: RunConfig, faction: str) -> UserError:
    """Return the error for a missing --knob. Its message lists the numbers of the faction."""
    from reports.studies.search.parameters import find_faction, full_name, printed_game
    from reports.studies.search.rebalance import names_of_knobs

    game, data = printed_game(config)
    allowed: str | list[str] = "--knob FIELD"
    if data.factions:
        name = data.factions[find_faction(game, data, faction)].name
        allowed = names_of_knobs(game, data, name, "*", full_name(game, data, name, "*"))
    return UserError("no number is given", field="knob", allowed=allowed)


def match_parts(config: RunConfig, faction: str, knob: str) -> list[Part] | None:
    """Return the parts of a faction whose numbers are tried; None if `knob` is a single number.

    If `knob` is "all", these are all parts of the faction; otherwise the part that `knob` names.
    """
    from reports.studies.parts.parts import faction_and_parts
    from reports.studies.search.parameters import printed_game

    wanted = " ".join(knob.split()).casefold()
    game, data = printed_game(config)
    if not data.factions:
        if wanted == "all":
            message = f"{game.title} has no factions whose numbers could be raced: name one number"
            raise UserError(message, field="knob", found=knob, allowed="a field of its row, such as armies")
        return None
    _, parts = faction_and_parts(game, data, faction)
    named = [part for part in parts if part.name.casefold() == wanted and "." not in part.places[0].partition("#")[2]]
    staged = [part for part in parts if part.name.casefold() == wanted and (part.event[0] or len(part.places) > 1)]
    return parts if wanted == "all" else (named or staged or None)


def check_whole(*limits: float | None) -> None:
    """Raise UserError if a limit is given. Only the search of a single number takes a range of values."""
    if any(limit is not None for limit in limits):
        message = "a range is for a single number"
        raise UserError(message, field="low", allowed="--knob FIELD with --low, --high, --step")


def step_after(search: RebalanceSearch, found: Found, text: str) -> NextStep | None:
    """Return the next step after a search: play its changes on fresh deals, search on top of them, or refine it.

    If no change is shown to be needed, the next step is that of `deciding_step`.
    """
    from reports.sections.core.next_step import NextStep
    from reports.studies.search.engine import QUICK
    from reports.studies.search.search_report import error_left, helps_but_not_enough, is_due, target_frame
    from reports.studies.search.space import arm_changes, arm_words
    from reports.studies.search.successive_halving import SearchRequest
    from sim.runs.run import time_words

    row = target_frame(found, found.fresh).row(0, named=True)
    if found.one is not None and not is_due(row):
        return deciding_step(search, found, row)
    step = None
    if text and found.arm:
        off = float(found.fresh.after.off[0])
        left = Left(found.goal.names[0], off, error_left(found), len(found.plan.factions)) if found.one else None
        step = confirming_step(search, text, left)
    elif helps_but_not_enough(found):
        words = changing(search, arm_changes(found.arm))
        step = further_step(search, found.goal.names[0], arm_words(found.arm), words)
    if found.rule != QUICK or found.cost is None:
        return step
    refined = SearchRequest(found.plan, found.goal, GAMES)
    words = ["rebalance", search.game.name, "--faction", found.goal.names[0], "--knob", "all", "--refine"]
    words += changing(search)
    words += [] if search.patch is None else ["--patch", str(search.patch)]
    config = search.config.model_copy(update={"games": GAMES, "changes": []})
    command = command_again(words, config, search.options.margin, GAMES)
    seconds = found.cost.seconds(refined, False, late=len(found.arm) != 1)
    if seconds > LONGEST:
        said = f"A search that combines more changes (--refine) would take {time_words(seconds)}."
        return NextStep(said, ()) if step is None else replace(step, said=f"{step.said} {said}")
    said = f"Search more precisely, and combine more changes ({time_words(seconds)})."
    if step is None:
        return NextStep(said, (command,))
    return NextStep(f"{step.said} Or s{said[1:]}", (*step.commands, command), step.patch)


def deciding_step(search: RebalanceSearch, found: Found, row: dict[str, Any]) -> NextStep | None:
    """Return the next step if no change is shown to be needed: decide whether a faction is fair, or stop.

    A run is proposed only if it takes at most a few minutes. The result is None if the faction is shown to be fair.
    `row` is the row of the faction on fresh deals, from `search_report.target_frame`.
    """
    from reports.formatting import count, margin_words
    from reports.sections.core.next_step import NextStep, margin_option
    from reports.statistics.core.decisions import PROMISED
    from reports.studies.search.search_report import as_before, games_of_report
    from sim.runs.run import seconds_per_game, time_words

    if row["state_before"] == "within":
        return None
    what = f"whether {row['name']} is fair within {margin_words(found.goal.margin)} {as_before(found.base)}"
    if row["before_low"] is None:
        return NextStep(f"Too few games to say how many decide {what}: search with more --games.", ())
    games = games_of_report(found, row, len(search.config.strategies))
    if games is None:
        return NextStep(
            f"Stop here: no affordable number of games is expected to decide {what}. A wider --margin may.", ()
        )
    seconds = games * seconds_per_game(found.plan, search.options.jobs)
    if seconds > FITTING:
        said = f"Stop here: to decide {what} takes about {count(games)} games ({time_words(seconds)})"
        return NextStep(f"{said}. With a wider --margin it takes fewer.", ())
    folder = new_folder(f"runs/{Path(search.game.name).stem}-{games}")
    words = ["simulate", search.game.name, *changing(search), "--seed", str(fresh_seed(search.config)), "--out", folder]
    config = search.config.model_copy(update={"games": games, "changes": []})
    report = shlex.join(["empirelab", "report", folder, *margin_option(found.goal.margin)])
    power = f"{100 * PROMISED:.0f} % power"
    said = f"Stop here, or decide {what} with about {count(games)} fresh games ({power}, {time_words(seconds)})."
    return NextStep(said, (command_again(words, config, 1.0, 0), report))


def rival_name(game: GameSpec, faction: str | None, card: str | None) -> str:
    """Return the name of the faction or card that the search makes fair.

    It can be a card only in a game whose seats take new cards every period.
    """
    from reports.formatting import with_article

    name = faction if card is None else card
    if name is None:
        factions = [faction.name for faction in game.load({}).factions]
        message = "no faction is given with --faction" if factions else "no card is given with --card"
        raise UserError(message, allowed=factions or None)
    if faction is not None and card is not None:
        raise UserError("give either --faction or --card, not both", field="card", found=card)
    if card is not None and (game.pieces is None or game.pieces.picks is None):
        message = "this option needs a game whose seats take new pieces every period"
        allowed = f"--faction with {with_article(game.faction_title)}" if game.faction_title else None
        raise UserError(message, field="card", found=card, allowed=allowed)
    return name


def rebalance_values(done: Rebalance) -> dict[str, Any]:
    """Return all results of the search of one number as JSON values."""
    from reports.render.export import rows
    from reports.studies.search.rebalance_report import value_sentences

    crossing, fresh = done.crossing, done.confirmation
    value = done.grid.value
    return {
        "faction": done.faction,
        "knob": done.knob.text,
        "printed": done.grid.printed,
        "outcome": done.outcome,
        "not_monotone": done.winding,
        "fair_value": None if crossing is None else value(crossing.place),
        "fair_low": None if crossing is None or crossing.open_low else value(crossing.low),
        "fair_high": None if crossing is None or crossing.open_high else value(crossing.high),
        "best": done.best,
        "confirmed": None if fresh is None else not fresh.doubt,
        "fresh_seed": None if fresh is None else fresh.seed,
        "fresh": [] if fresh is None else rows(fresh.tried),
        "sentences": value_sentences(done),
        "tried": rows(done.tried),
        "others": rows(done.others),
        "config": done.config.model_dump(),
    }
