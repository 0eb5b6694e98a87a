"""Searches the value of a number at which a faction is fair."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.commands.guarding import TIME_LIMIT, Guard, TimeLimit
from sim.commands.sections import CSV, Places, hand_over
from sim.commands.shared import (
    AsJson,
    Code,
    Decks,
    Factions,
    Full,
    GameName,
    Jobs,
    KeptArms,
    Page,
    Players,
    Quiet,
    Seed,
    Settings,
    Strategies,
    Variant,
    read_settings,
    say_unless,
    whole_number,
)
from sim.errors import UserError

if TYPE_CHECKING:
    from reports.model import Section
    from reports.studies.parts.parts import Part
    from reports.studies.search.checkpoint import SumStore
    from reports.studies.search.rebalance_report import Rebalance
    from sim.game import Game
    from sim.players.batch import Plan
    from sim.runs.config import RunConfig


def rebalance(
    game: GameName,
    knob: Annotated[
        str | None,
        typer.Option(
            help='What is turned: a field of its row, e.g. coins_start, or FILE#ROW.FIELD; "all" for every printed '
            'number of it, or a part such as "stage 1".'
        ),
    ] = None,
    faction: Annotated[
        str | None,
        typer.Option(help='Whose edge is to vanish: "Rhodos B"; "Rhodos" for all its sides at once, without --knob.'),
    ] = None,
    card: Annotated[
        str | None,
        typer.Option(help="In its place where seats take new pieces every period: an empire."),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Bring all factions within the margin by few printed changes.")
    ] = False,
    target: Annotated[
        Path | None,
        typer.Option(metavar="FILE.toml", help="Reach the shares and meetings of a file by few printed changes."),
    ] = None,
    games: Annotated[
        int,
        typer.Option(
            "--games", "-n", parser=whole_number, metavar="NUMBER", help="Games at each value tried, and to confirm."
        ),
    ] = 20_000,
    players: Players = None,
    strategies: Strategies = None,
    factions: Factions = "all",
    variant: Variant = None,
    low: Annotated[float | None, typer.Option(help="Lowest value to try.")] = None,
    high: Annotated[float | None, typer.Option(help="Highest value to try.")] = None,
    step: Annotated[float | None, typer.Option(help="Step between values; 1 for whole numbers.")] = None,
    margin: Annotated[
        float,
        typer.Option(
            metavar="POINTS", help="In a race, for all or for all sides: edges up to this one count as balanced."
        ),
    ] = 1.0,
    top_games: Annotated[
        int | None,
        typer.Option(
            parser=whole_number,
            metavar="NUMBER",
            help="With --all, --target or all sides: games of either arm with the ladder's best players; 0 for none.",
        ),
    ] = None,
    patch: Annotated[
        Path | None,
        typer.Option(metavar="FILE.toml", help="Write the change that was found, for --change @FILE.toml."),
    ] = None,
    seed: Seed = 1,
    jobs: Jobs = -1,
    code: Code = None,
    guard: Guard = True,
    time_limit: TimeLimit = TIME_LIMIT,
    arms: KeptArms = None,
    settings: Settings = None,
    decks: Decks = None,
    html: Page = None,
    csv: Annotated[str | None, CSV] = None,
    as_json: AsJson = False,
    full: Full = False,
    quiet: Quiet = False,
) -> None:
    """Search the value of a number at which a faction's edge vanishes, and confirm it on fresh deals.

    Examples: empirelab rebalance seven_wonders --faction "Rhodos B" --knob coins_start

    empirelab rebalance seven_wonders --faction "Rhodos B" --knob all --patch fair.toml

    empirelab rebalance seven_wonders --all --margin 2 --patch fair.toml
    """
    from reports.studies.api import configured
    from sim.game import load_game

    places = Places(html, csv, as_json, full=full)
    options = {
        "games": games,
        "players": players,
        "strategies": strategies,
        "factions": factions,
        "variant": variant,
        "seed": seed,
        "code": code,
        "settings": read_settings(settings),
        "decks": decks or [],
    }
    config = configured("command line", game, options)
    played = load_game(game)
    asked = SearchAsked(config, played, places, patch, jobs, quiet, arms)
    if every or target is not None:
        check_alone(every, target, {"knob": knob, "faction": faction, "card": card, "low": low, "high": high,
                                    "step": step})  # fmt: skip
        search_for_all(asked, target, margin, top_games)
    elif (sides := sides_meant(config, faction, card, knob)) is not None:
        check_whole(low, high, step)
        search_for_all(asked, None, margin, top_games, sides)
    else:
        if top_games is not None:
            message = "the best players play with --all, --target or all sides of a faction"
            raise UserError(message, field="top-games", found=top_games)
        rival = asked_for(played, faction, card)
        if knob is None:
            raise UserError("say what is turned", field="knob", allowed="--knob FIELD, or --knob all for a race of all")
        if (parts := parts_meant(config, rival, knob)) is not None:
            check_whole(low, high, step)
            race_parts(asked, rival, parts, margin)
        else:
            search_one(asked, rival, knob, (low, high, step))
    if patch is not None and not as_json:
        say_written(patch, config, played, margin)


@dataclass(frozen=True)
class SearchAsked:
    """What every search is asked for: who plays, where its outputs go, and how it is played."""

    config: RunConfig
    game: Game
    places: Places
    patch: Path | None
    jobs: int
    quiet: bool
    arms: Path | None

    def hand_over(self, sections: Sequence[Section], more: Mapping[str, Any], full: bool = False) -> None:
        """Hand over what was found, with what was played and how sure its data is at the head."""
        from reports.formatting import counted
        from sim.runs.config import game_of

        config = self.config
        played = f"{counted(config.games, 'game')} of each, seed {config.seed}"
        heading = (
            f"{self.game.title}: {sections[0].title.replace(': ', ', ')}",
            f"{config.players} players, {', '.join(config.strategies)}, {played}",
        )
        certainty = game_of(config).load(config.settings).certainty
        hand_over(sections, self.places, heading, more=more, full=full, certainty=certainty)


def search_for_all(
    asked: SearchAsked, target: Path | None, margin: float, top_games: int | None, sides: Sequence[int] | None = None
) -> None:
    """Search changes that bring all factions, or some, within the margin, or reach a target, and hand them over."""
    from reports.studies.search.checkpoint import search_checkpoint

    with search_checkpoint(asked.arms, asked.patch or asked.places.html, say_unless(asked.quiet)) as store:
        sections, more = several(asked, target, margin, top_games, store, sides)
        asked.hand_over(sections, more)


def race_parts(asked: SearchAsked, rival: str, parts: list[Part], margin: float) -> None:
    """Race the numbers of some parts of a faction, and hand over what makes it fair."""
    from reports.studies.search.checkpoint import search_checkpoint

    with search_checkpoint(asked.arms, asked.patch or asked.places.html, say_unless(asked.quiet)) as store:
        sections = raced(asked.config, rival, parts, margin, asked.patch, asked.jobs, asked.quiet, store)
        more = {"faction": rival, "config": asked.config.model_dump()}
        asked.hand_over(sections, more)


def search_one(
    asked: SearchAsked, rival: str, knob: str, limits: tuple[float | None, float | None, float | None]
) -> None:
    """Search the value of one number, from the lowest to the highest in steps, and hand over what was found.

    Raises
    ------
    UserError
        A change of a setting is to be written, which a file of changes cannot hold, or as for
        `reports.studies.search.rebalance.search_value`.
    """
    from reports.formatting import counted
    from reports.studies.search.checkpoint import resume_hint
    from reports.studies.search.parameters import SETTING
    from reports.studies.search.rebalance import search_value as carry_out
    from reports.studies.search.rebalance_report import patch_of_value
    from sim.commands.sections import check_place
    from sim.data.files import write_whole

    if asked.patch is not None:
        check_place(asked.patch, "patch")
        if knob.strip().startswith(SETTING):
            raise UserError(
                "a file of changes holds no settings", field="patch", allowed="--knob with a printed number"
            )
    tell, config, (low, high, step) = say_unless(asked.quiet), asked.config, limits

    def trying(turned: Any, value: float, seed: int) -> None:
        fresh = "" if seed == config.seed else f", fresh deals (seed {seed})"
        tell(f"playing {counted(config.games, 'game')} with {turned.title} = {value:g}{fresh}")

    try:
        done = carry_out(
            config, rival, knob, low=low, high=high, step=step, jobs=asked.jobs, arms=asked.arms, trying=trying
        )
    except KeyboardInterrupt as error:
        raise KeyboardInterrupt(str(error) or ("" if asked.arms else resume_hint(None))) from error
    if asked.patch is not None:
        write_whole(asked.patch, patch_of_value(done, asked.game.title).encode("utf-8"))
    asked.hand_over(done.sections, as_values(done), full=True)


def say_written(patch: Path, config: RunConfig, game: Game, margin: float) -> None:
    """Say where the changes were written, and the command that tries them on deals that had no part in finding them."""
    from sim.data.catalog import read_toml

    if not read_toml(patch).get("changes"):
        print(f"written: {patch}; it holds no change")
        return
    print(
        f"written: {patch}; play it with --change {shlex.quote(f'@{patch}')}, on deals that had no part in finding it:"
    )
    print(f"  {confirming_command(patch, config, game, margin)}")


def confirming_command(patch: Path, config: RunConfig, game: Game, margin: float) -> str:
    """The command that plays changes beside the printed game, as the search played it; the usual options left out.

    A search chooses on the deals of two seeds at most and confirms on those of a third.
    """
    from reports.sections.core.next_step import margin_option
    from reports.statistics.core.decisions import margin_of
    from sim.commands.compare import GAMES
    from sim.runs.store.manifest import MAX_SEED

    fresh = (config.seed + 3) % (MAX_SEED + 1)
    words = ["empirelab", "compare", game.name, "--change", f"@{patch}", "--seed", str(fresh)]
    options = {
        "--games": (config.games, GAMES),
        "--players": (config.players, game.default_players),
        "--strategies": (",".join(config.strategies), ",".join(game.default_strategies)),
        "--factions": (",".join(config.factions), "all"),
        "--variant": (config.variant, None),
        "--code": (config.code, None),
    }
    for name, (value, usual) in options.items():
        words += [] if value in (usual, None) else [name, str(value)]
    words += margin_option(margin_of(margin))
    for name, setting in config.settings.items():
        words += ["--set", f"{name}={str(setting).lower() if isinstance(setting, bool) else setting}"]
    for deck in config.decks:
        words += ["--deck", str(deck)]
    return shlex.join(words)


def check_alone(every: bool, target: Path | None, others: Mapping[str, object]) -> None:
    """Check that what is asked for all is not asked for one faction too.

    Raises
    ------
    UserError
        It is.
    """
    if every and target is not None:
        message = "either all are to be fair, or a target is to be reached"
        raise UserError(message, field="target", found=str(target), allowed="--all or --target FILE.toml")
    for field, value in others.items():
        if value is not None and not (field == "knob" and str(value).casefold() == "all"):
            message = f"{'--all' if every else '--target'} turns the numbers of all factions: this is for a single one"
            raise UserError(message, field=field, found=str(value), allowed=f"without --{field}")


def sides_meant(config: RunConfig, faction: str | None, card: str | None, knob: str | None) -> tuple[int, ...] | None:
    """Factions of one name that are to be fair at once, such as both sides of a nation; None where it names just one.

    Raises
    ------
    UserError
        The name stands for nothing, or one of them is not dealt.
    """
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
        raise UserError("not all that this name stands for are dealt", field="faction", found=missing, allowed=names)
    return chosen


def several(
    asked: SearchAsked,
    target: Path | None,
    margin: float,
    top_games: int | None,
    store: SumStore | None,
    sides: Sequence[int] | None = None,
) -> tuple[tuple[Section, ...], dict[str, Any]]:
    """Search changes that make all factions fair, or some, or reach a target.

    Returns
    -------
    What was found, and what JSON says beside.

    Raises
    ------
    UserError
        The game has no factions with numbers, one plays alone, the target cannot be had, or as for
        `reports.studies.search.all_factions.change_set`.
    """
    from reports.statistics.core.decisions import margin_of
    from reports.studies.search.all_factions import change_set
    from reports.studies.search.all_factions_report import patch_of_set, set_sections
    from reports.studies.search.goals import fair_goal
    from reports.studies.search.space import arm_changes
    from reports.studies.search.target_file import goal_as_json, read_target
    from sim.commands.sections import check_place
    from sim.data.files import write_whole
    from sim.runs.config import make_plan
    from sim.runs.progress import show_progress

    config, patch = asked.config, asked.patch
    if patch is not None:
        check_place(patch, "patch")
    near = margin_of(margin)
    plan = make_plan(config)
    if not plan.data.factions or plan.game.faction_place is None:
        message = f"{plan.game.title} has no factions whose numbers could be changed"
        picks = None if plan.game.pieces is None else plan.game.pieces.picks
        allowed = "--card NAME --knob FIELD, one at a time" if picks is not None else None
        raise UserError(message, field="all" if target is None else "target", allowed=allowed)
    if plan.players < 2 or len(plan.factions) < 2:
        raise UserError("fair shares are sought among factions that meet", field="players", found=plan.players)
    goal = fair_goal(plan, near, sides) if target is None else read_target(target, plan, near)
    top = with_best_players(config, top_games)
    say = say_unless(asked.quiet)
    with show_progress("changes", None, not asked.quiet) as bar:
        found = change_set(
            plan, goal, config.games, top, jobs=asked.jobs, say=say, progress=bar.advance, expect=bar.expect,
            store=store,
        )  # fmt: skip
    if patch is not None:
        write_whole(patch, patch_of_set(found).encode("utf-8"))
    return set_sections(found), {
        **goal_as_json(goal), "changes": arm_changes(found.arm), "stuck": found.stuck, "config": config.model_dump(),
    }  # fmt: skip


def with_best_players(config: RunConfig, games: int | None) -> tuple[Plan, int] | None:
    """Return the plan with the top of the game's ladder in all seats, and its games; None where nobody asks for them.

    Raises
    ------
    UserError
        Fewer games than none.
    """
    from reports.studies.players.ladder_config import ladder_of
    from sim.runs.config import game_of, make_plan

    if games is not None and games < 0:
        raise UserError("no number of games", field="top-games", found=games, allowed="0 for none, or more")
    row = ladder_of(game_of(config))
    games = min(row.search_games, config.games) if games is None else games
    if games == 0 or list(config.strategies) == row.rungs[-1:]:
        return None
    best = config.model_copy(update={"strategies": row.rungs[-1:], "assign": "rotate", "code": None})
    return make_plan(best), games


def parts_meant(config: RunConfig, faction: str, knob: str) -> list[Part] | None:
    """Parts of a faction whose numbers are raced: all of them, or the one a knob names; None for a single number.

    Raises
    ------
    UserError
        All numbers are meant in a game without factions, or there is no such faction.
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
    """Check that no range is given, which only a single number has.

    Raises
    ------
    UserError
        One is.
    """
    if any(limit is not None for limit in limits):
        message = "a range is for one number; a race turns all"
        raise UserError(message, field="low", allowed="--knob FIELD with --low, --high, --step")


def raced(
    config: RunConfig,
    faction: str,
    parts: list[Part],
    margin: float,
    patch: Path | None,
    jobs: int,
    quiet: bool,
    store: SumStore | None,
) -> tuple[Section, ...]:
    """Race numbers of a faction, and write the change found if it is asked for.

    Raises
    ------
    UserError
        As for `reports.studies.search.one_faction.race`; the file cannot be written.
    """
    from reports.statistics.core.decisions import margin_of
    from reports.studies.search.one_faction import race
    from reports.studies.search.one_faction_report import patch_text, race_sections
    from reports.studies.search.parameters import find_faction
    from sim.commands.sections import check_place
    from sim.data.files import write_whole
    from sim.runs.config import make_plan
    from sim.runs.progress import show_progress

    if patch is not None:
        check_place(patch, "patch")
    plan = make_plan(config)
    number = find_faction(plan.game, plan.data, faction)
    with show_progress("race", None, not quiet) as bar:
        found = race(
            plan, number, parts, config.games, margin_of(margin), jobs=jobs, say=say_unless(quiet),
            progress=bar.advance, expect=bar.expect, store=store,
        )  # fmt: skip
    if patch is not None:
        write_whole(patch, patch_text(found).encode("utf-8"))
    return race_sections(found)


def asked_for(game: Game, faction: str | None, card: str | None) -> str:
    """Return the name of whose edge is to vanish: of a faction, or of a piece that seats take in a period.

    Raises
    ------
    UserError
        Neither or both are named, or a card of a game whose seats take no new pieces every period.
    """
    from reports.formatting import with_article

    name = faction if card is None else card
    if name is None:
        raise UserError("say whose edge is to vanish", field="faction", allowed="--faction NAME or --card NAME")
    if faction is not None and card is not None:
        raise UserError("one edge at a time: say --faction or --card, not both", field="card", found=card)
    if card is not None and (game.pieces is None or game.pieces.picks is None):
        message = "this option is for games whose seats take new pieces every period"
        allowed = f"--faction with {with_article(game.faction_title)}" if game.faction_title else None
        raise UserError(message, field="card", found=card, allowed=allowed)
    return name


def as_values(done: Rebalance) -> dict[str, Any]:
    """All results as JSON can say them."""
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
