"""Says how many games a question needs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sim.commands.sections import CSV, Places, hand_over
from sim.commands.shared import Factions, GameName, Players, Settings, Strategies, Variant, read_settings, say
from sim.errors import UserError


def plan(
    game: GameName,
    effect: Annotated[float, typer.Option("--effect", "-e", help="Edge or change to be found, in points.")] = 1.0,
    power: Annotated[float, typer.Option(help="How often it is to be found.")] = 0.9,
    alpha: Annotated[float, typer.Option(help="Chance of a false alarm in a table.")] = 0.05,
    table: Annotated[str, typer.Option(help="For which table: faction, seat, strategy or all.")] = "all",
    change: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE#ROW.FIELD=VALUE", help="Change to be compared on the same deals; may be repeated."),
    ] = None,
    players: Players = None,
    strategies: Strategies = None,
    factions: Factions = "all",
    variant: Variant = None,
    assign: Annotated[str, typer.Option(help="Who sits where: rotate, random or fixed.")] = "rotate",
    seed: Annotated[int, typer.Option("--seed", "-s", help="Seed of the pilot.")] = 1,
    pilot: Annotated[int, typer.Option(help="Games of the pilot that measures how much blocks vary.")] = 4000,
    code: Annotated[Path | None, typer.Option(help="Python file with a strategy of your own.")] = None,
    settings: Settings = None,
    html: Annotated[Path | None, typer.Option(metavar="PAGE.html", help="Write the answer as one page.")] = None,
    csv: Annotated[str | None, CSV] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Workers; -1 for all cores.")] = -1,
) -> None:
    """Say how many games it takes to find an edge or a change of some size, and how long they take here.

    Example: empirelab plan seven_wonders --effect 1.0 --power 0.9 --strategies balanced,military,science
    """
    from reports.power import check_effect, check_table, plan_needs, plan_section, play_pilot, question
    from sim.runs.config import make_plan
    from sim.runs.simulate import config_of

    places = Places(html, csv, Path("-") if as_json else None)
    asked = question(effect, power, alpha)
    check_table(table)
    if pilot < 1:
        raise UserError("a pilot has one game at least", field="pilot", found=pilot, allowed="1 or more")
    config = config_of(
        "command line",
        game=game,
        games=pilot,
        players=players,
        strategies=strategies,
        factions=factions,
        variant=variant,
        assign=assign,
        seed=seed,
        code=code,
        settings=read_settings(settings),
    )
    arms = [config, config.model_copy(update={"changes": list(change)})] if change else [config]
    plans = [make_plan(arm) for arm in arms]
    check_effect(effect, plans[0].players)
    pilots = [play_pilot(one, pilot, jobs, (lambda text: None) if as_json else say) for one in plans]
    needs = plan_needs(pilots[0], asked, table, pilots[1] if change else None)
    section = plan_section(needs, pilots[0], asked)
    heading = (plans[0].game.title, f"{plans[0].players} players, {', '.join(config.strategies)}")
    more = {"effect": effect, "power": power, "alpha": alpha, "needs": needs.to_dicts(), "pilot_games": pilot}
    more |= {"games_per_second": round(pilot / max(pilots[0].seconds, 1e-9), 1)}
    hand_over([section], places, heading, more=more)
