"""Compares two runs, or a game with a changed version of the game on the same deals."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.commands.completion import (
    complete_factions,
    complete_games_and_runs,
    complete_runs,
    complete_settings,
    complete_strategies,
)
from sim.commands.console import command_again, command_line, command_with, more_games_step, next_file
from sim.commands.defaults import typed
from sim.commands.options import Options, games_option, named_game, option, read_changes, read_settings, with_options
from sim.commands.sections import Places, emit_sections
from sim.errors import UserError

if TYPE_CHECKING:
    from reports.sections.compare.changes import Comparison
    from reports.sections.core.next_step import NextStep
    from sim.runs.config import RunConfig

FORMAT = "empirelab-comparison/1"
GAMES = 20_000
MAX_ARM_GAMES = 1_000_000


CHANGING = ("change", "with-strategies", "with-set", "with-deck")
ONLY_SPRT = ("effect", "on", "alpha", "beta")
ONLY_PLAYING = (
    "change", "with_strategies", "with_set", "with_deck", "games", "players", "strategies", "factions", "variant",
    "assign", "seed", "code", "settings", "decks", "sprt", *ONLY_SPRT, "out",
)  # fmt: skip
"""Options that say how games are played. They do not apply if two finished runs are compared."""


@with_options(
    "players strategies factions variant assign seed code sandbox settings decks sprt effect on alpha beta margin out "
    "html csv as_json full jobs quiet",
    seed="Seed of both arms.",
)
def compare(
    options: Options,
    context: typer.Context,
    first: Annotated[
        str,
        typer.Argument(
            metavar="RUN_A|GAME", help="Folder of a run, or name of a game.", autocompletion=complete_games_and_runs
        ),
    ],
    second: Annotated[
        Path | None,
        typer.Argument(metavar="[RUN_B]", help="Folder of the run to compare with.", autocompletion=complete_runs),
    ] = None,
    change: Annotated[
        list[str] | None,
        option("Change of the second arm; @FILE.toml: a list of changes. May be repeated.", of="FILE#ROW.FIELD=VALUE"),
    ] = None,
    with_strategies: Annotated[
        str | None,
        option(
            "Strategies of the second arm, with commas.",
            of="NAMES",
            usual="those of the first",
            complete=complete_strategies,
        ),
    ] = None,
    with_set: Annotated[
        list[str] | None,
        option(
            "Open point of the rules in the second arm only. May be repeated.",
            "--with-set",
            of="NAME=VALUE",
            complete=complete_settings,
        ),
    ] = None,
    with_deck: Annotated[
        list[Path] | None,
        option(
            "Your own deck, which the second arm plays in place of a printed one. May be repeated.",
            "--with-deck",
            of="FILE.toml",
        ),
    ] = None,
    games: Annotated[
        int | None, games_option("Games of each arm; with --sprt the limit.", usual="20000; with --sprt 1000000")
    ] = None,
    sprt: Annotated[bool, option("Stop when it is certain which of the watched rows differ.", "--sprt")] = False,
    effect: Annotated[
        float | None, option("With --sprt: smallest difference worth finding.", of="POINTS", usual="1")
    ] = None,
    on: Annotated[
        list[str] | None,
        option(
            'With --sprt: row to watch: a faction, strategy or "seat 0". May be repeated.',
            of="NAME",
            usual="all factions and strategies",
            complete=complete_factions,
        ),
    ] = None,
    alpha: Annotated[float, option("With --sprt: largest probability of any wrong 'differs'.", of="SHARE")] = 0.05,
    beta: Annotated[float, option("With --sprt: largest probability of any wrong 'no difference'.", of="SHARE")] = 0.05,
    out: Annotated[Path | None, option("Keep the two runs as DIR/a and DIR/b.", "--out", "-o", of="DIR")] = None,
) -> None:
    """Say what differs between two runs, or what a change does to a game, on the same deals.

    If a comparison with --out is interrupted, the same command resumes it.

    Examples
    --------
    empirelab compare runs/first runs/other-rules
    empirelab compare runs/league-before runs/league-after
    empirelab compare seven_wonders --change "cards.toml#pawnshop.vp=4" --games 20000 --html pawnshop.html
    empirelab compare seven_wonders --change "wonders.toml#Rhodos B.coins_start=2" --margin 2
    empirelab compare seven_wonders --change "cards.toml#pawnshop.vp=4" --sprt --effect 2 --on "Rhodos B"

    Notes
    -----
    The result opens with the faction that the change was for and the largest side effect, and names the change in
    words with the printed value. Then it says for each faction, attribute, seat and strategy what changed, with
    intervals, and gives the spread and the verdict before and after. The change is the second run minus the first.
    All sentences hold at once in 19 of 20 comparisons. A row counts as balanced only if it is shown to lie within the
    margin.

    In a game whose seats take new pieces every period it opens with the piece, and compares it with others of its
    period. Runs of such a game need `--detail cards`.

    Runs on the same deals are compared block by block, which saves games. If they share only some of their deals,
    those are compared, and the command says how many games it leaves out. Runs without common deals (another seed,
    number of players or line-up) are compared as independent runs. Runs of different games are refused.

    If cards, boards or rules differ, both arms play without the lessons that players learned from the printed game.
    Players with a learned judge get one for each arm, trained by as many games of self-play. The command says before
    how long that takes. Judges are kept in the cache, so each is trained once.
    """
    from reports.statistics.core.decisions import margin_of
    from reports.studies.compare.arms import knowing_alike

    places, margin = options.places, options.margin
    margin_of(margin)
    if second is not None or is_run(first):
        compare_folders(Path(first), second, typed(context, ONLY_PLAYING), margin, places)
        return
    first = named_game(context, first)
    if not sprt and (needless := typed(context, ONLY_SPRT)):
        raise UserError("this option needs --sprt", field=needless[0])
    if sprt and typed(context, ["margin"]):
        message = "--sprt tests differences only and gives no verdict on balance"
        raise UserError(message, field="margin", allowed="without --sprt, or --effect")
    if not (change or with_strategies or with_set or with_deck):
        message = "nothing to compare with: give the folder of a second run, or a change for the second arm"
        raise UserError(message, field="change", allowed="--change, --with-strategies, --with-set or --with-deck")
    changes = read_changes(change, first)
    if not (changes or with_strategies or with_set or with_deck):
        raise UserError("the file holds no change: nothing to compare", field="change", found=", ".join(change or []))
    if sprt and with_deck:
        raise UserError("a sequential comparison needs the same factions in both arms", field="with-deck")
    arms = Arms(options, first, games, changes, with_strategies, read_settings(with_set), out, keep_new=sprt)
    if with_deck:
        arms.exchange([str(path) for path in with_deck])
    arms.config_a, arms.config_b = knowing_alike(arms.config_a, arms.config_b)
    if sprt:
        compare_sequentially(arms, (1.0 if effect is None else effect, alpha, beta), on or [], places)
    else:
        compare_arms(arms, margin, places, change or [])


class Arms:
    """The two arms of a comparison: their configurations and titles, the number of games, and the output folder.

    `beside` says in which players and decks the arms differ. Changes and settings are not part of it.
    """

    def __init__(
        self,
        options: Options,
        game: str,
        games: int | None,
        changes: list[str],
        strategies: str | None,
        settings: dict[str, object],
        out: Path | None,
        keep_new: bool,
    ) -> None:
        from sim.game import is_known, load_game

        if not is_known(game) and ("/" in game or Path(game).exists()):
            raise UserError("neither a run's folder nor the name of a game", file=game)
        self.title = load_game(game).title
        self.games, self.out, self.options = games, out, options
        size: dict[str, Any] = {"games": games or GAMES}
        pieces = load_game(game).pieces
        if pieces is not None and pieces.picks is not None:
            size |= {"detail": pieces.plural}  # only the piece rows of picks show the effect of a change
        own = read_settings(options.settings)
        self.config_a = options.config(game, **size)
        self.config_b = options.config(
            game, strategies=strategies or options.strategies, settings=own | settings, changes=changes, **size
        )
        other = [strategies] if strategies and strategies != options.strategies else []
        said = [text.partition("#")[2] or text for text in changes]
        said += [f"{name}={value}" for name, value in (own | settings).items() if own.get(name) != value] + other
        self.titles = ("as it is" if own else "as printed", ", ".join(said))
        there = [] if out is None else [name for name in ("a", "b") if (out / name).exists()]
        self.beside = other
        for name in ("a", "b"):
            # If the folder of only one arm exists, the comparison was interrupted, and it is resumed.
            if out is not None and (keep_new or len(there) != 1 or name not in there):
                check_new(out / name)

    def exchange(self, decks: Sequence[str]) -> None:
        """In the second arm, let each of the user's decks replace the dealt faction that has the same board."""
        from sim.game import choose_factions
        from sim.runs.config import game_of

        config = self.config_b.model_copy(update={"decks": [*self.config_b.decks, *decks]})
        game, played = game_of(self.config_b), game_of(config)
        data = game.load(config.settings)
        own = played.load(config.settings).factions[len(data.factions) :]
        dealt = [data.factions[number] for number in choose_factions(game, data, config.factions)]
        names = [faction.name for faction in dealt]
        boards = [faction.attributes[game.exclusive] for faction in dealt]
        for faction in own:
            board = faction.attributes[game.exclusive]
            places = [place for place, other in enumerate(boards) if other == board]
            if len(places) != 1 or names[places[0]] != dealt[places[0]].name:
                message = f"exactly one dealt {game.faction_title} must have the {game.exclusive} of this deck"
                raise UserError(
                    message, field="with-deck", found=faction.name, allowed=f"one deck of each {game.exclusive} dealt"
                )
            names[places[0]] = faction.name
        self.config_b = config.model_copy(update={"factions": names})
        said = [f"{faction.name} as {faction.attributes[game.exclusive]}" for faction in own]
        self.titles = (self.titles[0], ", ".join([*filter(None, [self.titles[1]]), *said]))
        self.beside += said


def check_new(folder: Path) -> None:
    """Check that a run can be written to a new folder; called before anything is played."""
    from sim.runs.store.parquet import check_out

    if folder.exists():
        raise UserError("the output folder exists", file=folder, field="out", allowed="a new folder")
    check_out(folder, False)


def is_run(text: str) -> bool:
    """Tell whether an argument is the folder of a run or league, not the name of a game."""
    from sim.data.files import MANIFEST
    from sim.league.manifest import is_league

    return (Path(text) / MANIFEST).is_file() or is_league(Path(text))


def compare_folders(first: Path, second: Path | None, needless: list[str], margin: float, places: Places) -> None:
    """Compare two finished runs or leagues, and show the result.

    `needless` names the options given that need a game. Raises UserError if there are any, or if a run is missing.
    """
    from reports.data.load import load_run
    from reports.studies.compare.compare import compare_runs
    from sim.league.manifest import is_league
    from sim.runs.store.manifest import load_manifest

    changing = [option for option in needless if option in CHANGING]
    if second is None and changing and not is_league(first):
        message = "a finished run is compared with a second run; to try a change, give the game"
        game = load_manifest(first).game
        raise UserError(message, file=first, field=changing[0], allowed=f"empirelab compare {game} --{changing[0]} ...")
    if second is None:
        raise UserError("a second run is needed to compare this one with", file=first)
    if needless:
        raise UserError("this option needs a game, not two finished runs", field=needless[0])
    if any(map(is_league, (first, second))):
        compare_two_leagues(first, second, places)
        return
    run_a, run_b = load_run(first), load_run(second)
    compared = compare_runs(run_a, run_b, str(first), str(second), margin)
    show_comparison(compared, places, f"{run_a.manifest.title}, two runs compared")


def compare_two_leagues(first: Path, second: Path, places: Places) -> None:
    """Compare two leagues of real games; raise UserError if one of them is a simulated run."""
    from reports.studies.compare.leagues import compare_leagues, league_change_section
    from sim.league.folder import load_league
    from sim.league.manifest import is_league

    simulated = next((folder for folder in (first, second) if not is_league(folder)), None)
    if simulated is not None:
        message = "results of real games are compared with other results of real games"
        raise UserError(message, file=simulated, allowed="two leagues that import has written, or two runs")
    leagues = load_league(first), load_league(second)
    titles = tuple(one.name for one in leagues)
    names = (titles[0], titles[1]) if titles[0] != titles[1] else (str(first), str(second))
    section = league_change_section(compare_leagues(*leagues), names)
    sizes = " and ".join(f"{name}: {league.games:,} games" for name, league in zip(names, leagues, strict=True))
    emit_sections([section], places, ("Two leagues compared", sizes), more={"format": "empirelab-league-comparison/1"})


def compare_arms(arms: Arms, margin: float, places: Places, change: Sequence[str]) -> None:
    """Play both arms and compare them. `change` holds the changes as they were typed."""
    from reports.studies.compare.arms import play_arms
    from reports.studies.compare.change_words import turned_between
    from reports.studies.compare.compare import compare_runs

    configs = {"a": arms.config_a, "b": arms.config_b}
    count, began = arms.config_a.games, time.perf_counter()
    with arms.options.progress_bar(f"{arms.title}, two arms", 2 * count) as advance:
        played = play_arms(
            configs, count, arms.out, jobs=arms.options.jobs, command=command_line(), say=arms.options.log,
            progress=advance,
        )  # fmt: skip
        with played as runs:
            turned = turned_between(runs["a"].manifest, runs["b"].manifest)
            changed = "; ".join([*map(str, turned), *arms.beside]) or arms.titles[1]
            comparison = compare_runs(runs["a"], runs["b"], arms.titles[0], changed, margin)
    settling = settling_step(comparison, count, time.perf_counter() - began)
    step = both_steps(settling, step_on_top(comparison, arms.config_b, margin, change))
    show_comparison(comparison, places, f"{arms.title}, {changed}", step)


def both_steps(one: NextStep | None, other: NextStep | None) -> NextStep | None:
    """Combine two suggested next steps into one. None if both are None."""
    from reports.sections.core.next_step import NextStep

    if one is None or other is None:
        return one or other
    return NextStep(f"{one.said} {other.said}", (*one.commands, *other.commands))


def step_on_top(comparison: Comparison, config: RunConfig, margin: float, change: Sequence[str]) -> NextStep | None:
    """Return the command that searches for a further change; None if no faction is out of balance with this change.

    Of the factions that the change is for, the command names the one that is farthest out of balance. If all of these
    factions are balanced, it names the faction with the worst side effect. `config` is the configuration of the second
    arm, and `change` holds its changes as they were typed.
    """
    from reports.sections.core.next_step import PATCH, NextStep, rows_in_files, search_time
    from reports.sections.core.opening import is_put_out, opened_rows, worst_moved

    opened = opened_rows(comparison.turned, comparison.tables)
    if not change or config.decks or not opened or opened[-1][0].name != "faction":
        return None
    table, own = opened[-1][0], [str(row["level"]) for other, row in opened if other is opened[-1][0]]
    before, after = comparison.standings
    out = {
        level: abs(after[key].edge)
        for level in own
        if (key := (table.name, level)) in after and after[key].state == "out"
    }
    worst = None if out else worst_moved(table, own, before, after)
    if worst is not None and is_put_out(table, worst, before, after):
        out = {str(worst["level"]): 0.0}
    if not out or not rows_in_files(comparison.manifest_b):
        return None
    name, files = max(out, key=out.__getitem__), [Path(text[1:]) for text in change if text.startswith("@")]
    words = ["rebalance", config.game, "--faction", name, "--knob", "all"]
    words += [word for text in change for word in ("--change", text)]
    words += ["--patch", str(next_file(files[-1]) if files else PATCH)]
    plain = config.model_copy(update={"games": GAMES, "changes": []})
    said = (
        f"{name} is out of balance with the change: search a number of it on top "
        f"({search_time(comparison.manifest_b)} at the speed of this run)."
    )
    return NextStep(said, (command_again(words, plain, margin, GAMES),))


def settling_step(comparison: Comparison, games: int, seconds: float) -> NextStep | None:
    """Return the command that decides whether the rows that a change is for are balanced; None if they are all decided.

    For some rows, the answer depends on which players play. More games do not decide such a row, and the step says so.
    Each arm has played `games` games, which took `seconds`.
    """
    from reports.formatting import count, listed, margin_words, round_up
    from reports.sections.core.next_step import NextStep
    from reports.sections.core.opening import opened_rows
    from sim.runs.run import time_words

    after = comparison.standings[1]
    keys = [(table.name, str(row["level"])) for table, row in opened_rows(comparison.turned, comparison.tables)]
    left = {level: after[name, level] for name, level in keys if (name, level) in after}
    left = {level: standing for level, standing in left.items() if standing.state == "open"}
    if keys and not left:
        return None
    swayed = [level for level, standing in left.items() if standing.without]
    if swayed:
        return players_step(comparison, swayed)
    needed = [standing.more for standing in left.values() if standing.more is not None]
    if not keys or len(needed) < len(left):
        return more_games_step(games, seconds)
    whole = round_up(games + max(needed))
    more, takes = count(round_up(max(needed))), time_words(seconds * whole / games)
    said = (
        f"{listed(list(left))}: about {more} more games of each arm decide in four of five cases whether "
        f"{'it is' if len(left) == 1 else 'each is'} balanced with the change (±{margin_words(comparison.margin)}; "
        f"all games: {takes})."
    )
    return NextStep(said, (command_with("--games", whole),))


def players_step(comparison: Comparison, swayed: list[str]) -> NextStep:
    """Return the next step for rows whose verdict depends on the players: compare with one player, such as the best."""
    from reports.formatting import listed
    from reports.sections.core.next_step import NextStep

    best = comparison.tables["strategy"].frame.sort("edge_a", descending=True, nulls_last=True)["level"][0]
    said = (
        f"Whether {listed(swayed)} {'is' if len(swayed) == 1 else 'are'} balanced depends on the players: more games "
        f"do not decide it. Choose which players count, such as {best}, who won most often here."
    )
    alike = comparison.manifest_a.lineup == comparison.manifest_b.lineup
    return NextStep(said, (command_with("--strategies", best),) if alike else ())


def compare_sequentially(arms: Arms, rates: tuple[float, float, float], on: list[str], places: Places) -> None:
    """Play both arms until a sequential test has decided what differs, and show the result.

    `rates` are the smallest difference to find, in percentage points, and the error rates alpha and beta. `on` names
    the rows to watch; if it is empty, these are all factions and strategies.
    """
    from reports.studies.compare.sprt import difference_rule, play_in_step
    from reports.studies.compare.sprt_report import difference_section
    from reports.studies.parts.own_judges import train_missing
    from sim.runs.config import make_plan

    plan_a, plan_b = make_plan(arms.config_a), make_plan(arms.config_b)
    train_missing([plan_a, plan_b], arms.options.log, arms.options.jobs)
    if [s.name for s in plan_a.strategies] != [s.name for s in plan_b.strategies] or plan_a.lineup != plan_b.lineup:
        message = "a sequential comparison needs the same strategies in both arms"
        raise UserError(message, field="with-strategies", found=", ".join(arms.config_b.strategies))
    most = arms.games or MAX_ARM_GAMES
    effect, alpha, beta = rates
    rule = difference_rule(plan_a, effect, on, alpha, beta)
    began = time.perf_counter()
    with arms.options.progress_bar(f"{arms.title}, two arms, at most", 2 * most) as advance:
        needed = play_in_step(
            plan_a, plan_b, most, rule, jobs=arms.options.jobs, say=arms.options.log, progress=advance
        )
    seconds = time.perf_counter() - began
    step = None if rule.enough is not None else more_games_step(most, seconds)
    section = difference_section(rule, most)
    if arms.out is not None:
        size = {"games": max(needed, 1)}
        arms.config_a, arms.config_b = (config.model_copy(update=size) for config in (arms.config_a, arms.config_b))
        from reports.studies.compare.arms import play_arms

        configs = {"a": arms.config_a, "b": arms.config_b}
        with play_arms(configs, max(needed, 1), arms.out, jobs=arms.options.jobs, command=command_line()):
            pass
    heading = (f"{arms.title}, {arms.titles[1]}", "two arms on the same deals, played until decided")
    emit_sections([section], places, heading, more={"format": FORMAT}, step=step)


def show_comparison(comparison: Any, places: Places, title: str, step: NextStep | None = None) -> None:
    """Print a comparison, and write the requested files."""
    from reports.formatting import played_size
    from reports.sections.compare.changes import comparison_sections

    manifests = {comparison.title_a: comparison.manifest_a, comparison.title_b: comparison.manifest_b}
    sizes = [played_size(manifest) for manifest in comparison.played]
    heading = (title, sizes[0] if sizes[0] == sizes[1] else f"{sizes[0]}; then {sizes[1]}")
    more = {"format": FORMAT, "deals_differ_in": comparison.apart, "same": comparison.same,
            "margin": comparison.margin}  # fmt: skip
    emit_sections(comparison_sections(comparison), places, heading, manifests, more, step=step)
