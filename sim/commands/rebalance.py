"""Searches the value of a number at which a faction is fair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.commands.sections import CSV, Places, hand_over
from sim.commands.shared import (
    AsJson,
    Code,
    Decks,
    Factions,
    GameName,
    Jobs,
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
    from reports.studies.rebalance_found import Rebalance
    from sim.game import Game


def rebalance(
    game: GameName,
    knob: Annotated[str, typer.Option(help="What is turned: a field of its row, e.g. coins_start, or FILE#ROW.FIELD.")],
    faction: Annotated[str | None, typer.Option(help='Whose edge is to vanish: "Rhodos B".')] = None,
    card: Annotated[
        str | None,
        typer.Option(help="In its place where seats take new pieces every period: an empire."),
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
    seed: Seed = 1,
    jobs: Jobs = -1,
    code: Code = None,
    settings: Settings = None,
    decks: Decks = None,
    html: Page = None,
    csv: Annotated[str | None, CSV] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Search the value of a number at which a faction's edge vanishes, and confirm it on fresh deals.

    Example: empirelab rebalance seven_wonders --faction "Rhodos B" --knob coins_start
    """
    from reports.studies.notebook import configured
    from reports.studies.rebalance import rebalance as carry_out
    from reports.words import counted
    from sim.game import load_game

    places = Places(html, csv, as_json)
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
    rival = asked_for(played, faction, card)

    tell = say_unless(quiet)

    def trying(turned: Any, value: float, seed: int) -> None:
        fresh = "" if seed == config.seed else f", fresh deals (seed {seed})"
        tell(f"playing {counted(games, 'game')} with {turned.title} = {value:g}{fresh}")

    done = carry_out(config, rival, knob, low=low, high=high, step=step, jobs=jobs, trying=trying)
    heading = (played.title, f"{config.players} players, {', '.join(config.strategies)}")
    hand_over(done.sections, places, heading, more=as_values(done), full=True)


def asked_for(game: Game, faction: str | None, card: str | None) -> str:
    """Return the name of whose edge is to vanish: of a faction, or of a piece that seats take in a period.

    Raises
    ------
    UserError
        Neither or both are named, or a card of a game whose seats take no new pieces every period.
    """
    from reports.words import with_article

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
    from reports.show.export import rows
    from reports.studies.rebalance_found import sentences

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
        "sentences": sentences(done),
        "tried": rows(done.tried),
        "others": rows(done.others),
        "config": done.config.model_dump(),
    }
