"""Says what differs between two runs, or between a game and a changed one on the same deals."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from sim.commands.guarding import TIME_LIMIT, Guard, TimeLimit
from sim.commands.sections import CSV, Places, hand_over
from sim.commands.shared import (
    AsJson,
    Assign,
    Code,
    Decks,
    Factions,
    Full,
    Jobs,
    Margin,
    Page,
    Players,
    Quiet,
    Settings,
    Strategies,
    Variant,
    command_line,
    counting_number,
    progress_bar,
    read_changes,
    read_settings,
    say_unless,
)
from sim.errors import UserError

FORMAT = "empirelab-comparison/1"
GAMES = 20_000
MOST_GAMES = 1_000_000


CHANGING = ("change", "with-strategies", "with-set", "with-deck")
ONLY_SPRT = ("effect", "on", "alpha", "beta")
ONLY_PLAYING = (
    "change", "with_strategies", "with_set", "with_deck", "games", "players", "strategies", "factions", "variant",
    "assign", "seed", "code", "settings", "decks", "sprt", *ONLY_SPRT, "out",
)  # fmt: skip
"""Options that say how games are to be played: two runs that were played before have no use for them."""


def compare(
    context: typer.Context,
    first: Annotated[str, typer.Argument(metavar="RUN_A|GAME", help="A run's folder, or the name of a game.")],
    second: Annotated[Path | None, typer.Argument(metavar="[RUN_B]", help="Folder of the run to compare with.")] = None,
    change: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE#ROW.FIELD=VALUE", help="Change the second arm plays with; may be repeated."),
    ] = None,
    with_strategies: Annotated[
        str | None, typer.Option(help="Strategies that meet in the second arm instead, with commas.")
    ] = None,
    with_set: Annotated[
        list[str] | None,
        typer.Option("--with-set", metavar="NAME=VALUE", help="Open point of the rules in the second arm only."),
    ] = None,
    with_deck: Annotated[
        list[Path] | None,
        typer.Option(
            "--with-deck",
            metavar="FILE.toml",
            help="Decks of your own that the second arm plays in place of the printed ones; may be repeated.",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            "-n",
            parser=counting_number,
            metavar="NUMBER",
            help="Games of each arm: 20000, or with --sprt at most 1000000, where nothing is said.",
        ),
    ] = None,
    players: Players = None,
    strategies: Strategies = None,
    factions: Factions = "all",
    variant: Variant = None,
    assign: Assign = "rotate",
    seed: Annotated[int, typer.Option("--seed", "-s", help="Seed of both arms.")] = 1,
    code: Code = None,
    guard: Guard = True,
    time_limit: TimeLimit = TIME_LIMIT,
    settings: Settings = None,
    decks: Decks = None,
    sprt: Annotated[bool, typer.Option("--sprt", help="Stop as soon as it is sure what differs.")] = False,
    effect: Annotated[
        float | None, typer.Option(help="With --sprt: difference worth finding, in points; 1 where nothing is said.")
    ] = None,
    on: Annotated[
        list[str] | None, typer.Option(help="With --sprt: row to watch, such as a faction; may be repeated.")
    ] = None,
    alpha: Annotated[float, typer.Option(help="With --sprt: most chance of a wrong 'differs'.")] = 0.05,
    beta: Annotated[float, typer.Option(help="With --sprt: most chance of a wrong 'no difference'.")] = 0.05,
    margin: Margin = 1.0,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Keep the two runs as DIR/a and DIR/b.")] = None,
    html: Page = None,
    csv: Annotated[str | None, CSV] = None,
    as_json: AsJson = False,
    full: Full = False,
    jobs: Jobs = -1,
    quiet: Quiet = False,
) -> None:
    """Say what differs between two runs, or what a change does, on the same deals.

    Examples: empirelab compare runs/a runs/b;
    empirelab compare seven_wonders --change cards.toml#pawnshop.vp=4 --games 20000
    """
    from reports.statistics.core.decisions import margin_of
    from reports.studies.compare.arms import knowing_alike

    places = Places(html, csv, as_json, full=full)
    margin_of(margin)
    if second is not None or is_run(first):
        compare_folders(Path(first), second, given(context, ONLY_PLAYING), margin, places)
        return
    if not sprt and (needless := given(context, ONLY_SPRT)):
        raise UserError("this option needs --sprt", field=needless[0])
    if sprt and given(context, ["margin"]):
        message = "with --sprt what is out of balance is not said, only what differs"
        raise UserError(message, field="margin", allowed="without --sprt, or --effect")
    if not (change or with_strategies or with_set or with_deck):
        message = "nothing to compare with: name a second run's folder, or what the second arm changes"
        raise UserError(message, field="change", allowed="--change, --with-strategies, --with-set or --with-deck")
    changes = read_changes(change, first)
    if not (changes or with_strategies or with_set or with_deck):
        raise UserError("no change stands there: nothing to compare", field="change", found=", ".join(change or []))
    if sprt and with_deck:
        raise UserError("a sequential comparison needs the same factions in both arms", field="with-deck")
    shared = {
        "game": first, "players": players, "factions": factions, "variant": variant, "assign": assign, "seed": seed,
        "code": code, "decks": decks or [],
    }  # fmt: skip
    own = read_settings(settings)
    options_a: dict[str, Any] = shared | {"strategies": strategies, "settings": own, "changes": []}
    options_b: dict[str, Any] = shared | {
        "strategies": with_strategies or strategies,
        "settings": own | read_settings(with_set),
        "changes": changes,
    }
    arms = Arms(first, options_a, options_b, games, out, jobs, quiet, keep_new=sprt)
    if with_deck:
        arms.exchange([str(path) for path in with_deck])
    arms.config_a, arms.config_b = knowing_alike(arms.config_a, arms.config_b)
    if sprt:
        compare_sequentially(arms, (1.0 if effect is None else effect, alpha, beta), on or [], places)
    else:
        compare_arms(arms, margin, places)


def given(context: typer.Context, names: Sequence[str]) -> list[str]:
    """Name those options, as they are typed, that stand on the command line."""
    typed = [name for name in names if getattr(context.get_parameter_source(name), "name", "") == "COMMANDLINE"]
    return [{"settings": "set", "decks": "deck"}.get(name, name.replace("_", "-")) for name in typed]


class Arms:
    """Two arms of a comparison: their configurations, what they are called, and how they are to be played.

    `beside` says what differs beside changes and settings: players and decks.
    """

    def __init__(
        self,
        game: str,
        options_a: dict[str, Any],
        options_b: dict[str, Any],
        games: int | None,
        out: Path | None,
        jobs: int,
        quiet: bool,
        keep_new: bool,
    ) -> None:
        from sim.game import load_game
        from sim.runs.simulate import config_of

        if "/" in game or Path(game).exists():
            raise UserError("neither a run's folder nor the name of a game", file=game)
        self.title = load_game(game).title
        self.games, self.out, self.jobs, self.quiet = games, out, jobs, quiet
        size: dict[str, Any] = {"games": games or GAMES}
        pieces = load_game(game).pieces
        if pieces is not None and pieces.picks is not None:
            size |= {"detail": pieces.plural}  # without the picks nothing could be said of whom a change is for
        self.config_a, self.config_b = (config_of("command line", **one, **size) for one in (options_a, options_b))
        said = [text.partition("#")[2] or text for text in options_b["changes"]]
        said += [f"{k}={v}" for k, v in options_b["settings"].items() if options_a["settings"].get(k) != v]
        said += [options_b["strategies"]] if options_b["strategies"] != options_a["strategies"] else []
        self.titles = ("as it is" if options_a["settings"] else "as printed", ", ".join(said))
        there = [] if out is None else [name for name in ("a", "b") if (out / name).exists()]
        self.beside = [said[-1]] if options_b["strategies"] != options_a["strategies"] else []
        for name in ("a", "b"):
            # One alone is what an interrupt has left, which is gone on with.
            if out is not None and (keep_new or len(there) != 1 or name not in there):
                check_new(out / name)

    def exchange(self, decks: Sequence[str]) -> None:
        """Let the second arm be dealt decks of a user's own in place of the factions they belong to.

        Raises
        ------
        UserError
            A deck is wrong, or none or several of the factions that are dealt could give way to it.
        """
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
                message = f"not one {game.faction_title} is dealt whose place this deck could take"
                raise UserError(
                    message, field="with-deck", found=faction.name, allowed=f"one deck of each {game.exclusive} dealt"
                )
            names[places[0]] = faction.name
        self.config_b = config.model_copy(update={"factions": names})
        said = [f"{faction.name} as {faction.attributes[game.exclusive]}" for faction in own]
        self.titles = (self.titles[0], ", ".join([*filter(None, [self.titles[1]]), *said]))
        self.beside += said


def check_new(folder: Path) -> None:
    """Check, before anything is played, that a run may be written to a new folder.

    Raises
    ------
    UserError
        It exists, lies in a run, or cannot be written.
    """
    from sim.runs.store.parquet import check_out

    if folder.exists():
        raise UserError("the output folder exists", file=folder, field="out", allowed="a new folder")
    check_out(folder, False)


def is_run(text: str) -> bool:
    """Whether a text names a folder that holds, or should hold, a run rather than a game."""
    from sim.runs.store.manifest import MANIFEST

    return (Path(text) / MANIFEST).is_file()


def compare_folders(first: Path, second: Path | None, needless: list[str], margin: float, places: Places) -> None:
    """Compare two runs that were played before."""
    from reports.data.load import load_run
    from reports.studies.compare.compare import compare_runs
    from sim.runs.store.manifest import load_manifest

    changing = [option for option in needless if option in CHANGING]
    if second is None and changing:
        message = "a run that was played is compared with a second run; a change is tried by playing the game"
        game = load_manifest(first).game
        raise UserError(message, file=first, field=changing[0], allowed=f"empirelab compare {game} --{changing[0]} ...")
    if second is None:
        raise UserError("a second run is needed to compare this one with", file=first)
    if needless:
        raise UserError("two runs are compared as they are; this option is for a game", field=needless[0])
    run_a, run_b = load_run(first), load_run(second)
    compared = compare_runs(run_a, run_b, str(first), str(second), margin)
    show(compared, places, f"{run_a.manifest['title']}, two runs compared")


def compare_arms(arms: Arms, margin: float, places: Places) -> None:
    """Play both arms and compare them."""
    from reports.studies.compare.arms import play_arms
    from reports.studies.compare.change_words import turned_between
    from reports.studies.compare.compare import compare_runs

    configs = {"a": arms.config_a, "b": arms.config_b}
    count = arms.config_a.games
    with progress_bar(f"{arms.title}, two arms", 2 * count, arms.quiet) as advance:
        played = play_arms(
            configs, count, arms.out, jobs=arms.jobs, command=command_line(), say=say_unless(arms.quiet),
            progress=advance,
        )  # fmt: skip
        with played as runs:
            turned = turned_between(runs["a"].manifest, runs["b"].manifest)
            changed = "; ".join([*map(str, turned), *arms.beside]) or arms.titles[1]
            comparison = compare_runs(runs["a"], runs["b"], arms.titles[0], changed, margin)
    show(comparison, places, f"{arms.title}, {changed}")


def compare_sequentially(arms: Arms, rates: tuple[float, float, float], on: list[str], places: Places) -> None:
    """Play both arms until it is sure what differs, and no longer."""
    from reports.studies.compare.sprt import difference_rule, play_in_step
    from reports.studies.compare.sprt_report import difference_section
    from sim.runs.config import make_plan

    plan_a, plan_b = make_plan(arms.config_a), make_plan(arms.config_b)
    if [s.name for s in plan_a.strategies] != [s.name for s in plan_b.strategies] or plan_a.lineup != plan_b.lineup:
        message = "a sequential comparison needs the same strategies in both arms"
        raise UserError(message, field="with-strategies", found=", ".join(arms.config_b.strategies))
    most = arms.games or MOST_GAMES
    effect, alpha, beta = rates
    rule = difference_rule(plan_a, effect, on, alpha, beta)
    with progress_bar(f"{arms.title}, two arms, at most", 2 * most, arms.quiet) as advance:
        told = say_unless(arms.quiet)
        needed = play_in_step(plan_a, plan_b, most, rule, jobs=arms.jobs, say=told, progress=advance)
    section = difference_section(rule, most)
    if arms.out is not None:
        size = {"games": max(needed, 1)}
        arms.config_a, arms.config_b = (config.model_copy(update=size) for config in (arms.config_a, arms.config_b))
        from reports.studies.compare.arms import play_arms

        configs = {"a": arms.config_a, "b": arms.config_b}
        with play_arms(configs, max(needed, 1), arms.out, jobs=arms.jobs, command=command_line()):
            pass
    heading = (f"{arms.title}, {arms.titles[1]}", "two arms on the same deals, played until sure")
    hand_over([section], places, heading, more={"format": FORMAT})


def show(comparison: Any, places: Places, title: str) -> None:
    """Hand a comparison over."""
    from reports.formatting import played_size
    from reports.sections.compare.changes import comparison_sections

    manifests = {comparison.title_a: comparison.manifest_a, comparison.title_b: comparison.manifest_b}
    sizes = [played_size(manifest) for manifest in comparison.played]
    heading = (title, sizes[0] if sizes[0] == sizes[1] else f"{sizes[0]}; then {sizes[1]}")
    more = {"format": FORMAT, "deals_differ_in": comparison.apart, "same": comparison.same,
            "margin": comparison.margin}  # fmt: skip
    hand_over(comparison_sections(comparison), places, heading, manifests, more)
