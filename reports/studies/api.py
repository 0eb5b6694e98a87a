"""Studies for Python and notebooks: sweeps, fair values, equilibria, and the games that a question needs.

The commands `sweep`, `rebalance`, `metagame` and `plan` do the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import polars as pl

from reports.model import Section
from reports.sections.factions.plan import plan_section
from reports.statistics.core.power import Pilot
from reports.studies.compare.arms import knowing_alike
from reports.studies.players.metagame import TABLE_GAMES as GAMES_OF_A_TABLE
from reports.studies.players.metagame import play_metagame
from reports.studies.players.metagame_report import Metagame
from reports.studies.sample_size.plan import (
    PILOT_GAMES,
    check_effect_size,
    check_plan_table,
    plan_needs,
    play_pilot,
    question,
)
from reports.studies.search.rebalance import search_value
from reports.studies.search.rebalance_report import Rebalance
from reports.studies.sweep.config import SweepConfig
from reports.studies.sweep.report import Sweep
from reports.studies.sweep.sweep import play_sweep
from sim.data.arguments import check_kinds, checks_arguments, kinds_of
from sim.data.catalog import validate_row
from sim.runs.config import RunConfig, make_plan
from sim.runs.progress import show_progress
from sim.runs.simulate import config_of, simulate

OPTION_DEFAULTS: dict[str, Any] = {"factions": "all", "settings": {}, "code": None}


def configured(origin: str, game: str, options: Mapping[str, Any]) -> RunConfig:
    """Return the checked options of `simulate`, given by name; missing ones have its defaults."""
    check_kinds(origin, kinds_of(simulate), options.items())
    return config_of(origin, game=game, **(OPTION_DEFAULTS | dict(options)))


@checks_arguments
def sweep_values(
    game: str,
    vary: Mapping[str, Sequence[Any]],
    *,
    watch: Sequence[str] = (),
    jobs: int = -1,
    progress: bool = True,
    **options: Any,
) -> Sweep:
    """Play the same deals at many values of one or two parameters, as `empirelab sweep` does.

    Parameters
    ----------
    game
        Name of the game.
    vary
        Values by parameter, one or two: `{"wonders.toml#Rhodos B.coins_start": [1, 2, 3]}`. A parameter is a change
        without its value, or a setting of the rules: `set#discounts_add_up`.
    watch
        Factions or strategies to show; by default those that change most.
    jobs
        Workers, -1 for all cores.
    progress
        Show a bar on a terminal or in a notebook.
    options
        Options of `simulate`: `games` (at each value), `players`, `strategies`, `seed`, ...

    Raises
    ------
    UserError
        A parameter does not exist, or a value or an option is not allowed.
    """
    requested = configured("sweep_values", game, options).model_dump()
    requested |= {"vary": [{"change": name, "values": list(values)} for name, values in vary.items()]}
    config: SweepConfig = validate_row("sweep_values", requested | {"watch": list(watch)}, SweepConfig, None)
    with show_progress(f"{config.arms} values", config.arms * config.games, progress) as bar:
        return play_sweep(config, jobs=jobs, say=bar.say, progress=bar.advance)


@checks_arguments
def fair_value(
    game: str,
    faction: str,
    knob: str,
    *,
    low: float | None = None,
    high: float | None = None,
    step: float | None = None,
    jobs: int = -1,
    progress: bool = True,
    **options: Any,
) -> Rebalance:
    """Search the value of a number at which a faction's edge vanishes, as `empirelab rebalance` does.

    Parameters
    ----------
    game
        Name of the game.
    faction
        Its name: "Rhodos B".
    knob
        A field of the faction's row in the game's data (`coins_start`), or `FILE#ROW.FIELD`.
    low, high, step
        Range and step of the search; see `reports.studies.search.rebalance.rebalance_grid`.
    jobs
        Workers, -1 for all cores.
    progress
        Say which value is being played, on a terminal or in a notebook.
    options
        Options of `simulate`: `games` (at each value tried), `players`, `strategies`, `seed`, ...

    Raises
    ------
    UserError
        No such faction or knob, or a value or an option that is not allowed.
    """
    config = configured("fair_value", game, options)
    with show_progress(f"Search of {knob}", None, progress) as bar:
        return search_value(
            config, faction, knob, low=low, high=high, step=step, jobs=jobs, progress=bar.advance,
            trying=lambda turned, value, seed: bar.say(f"playing {turned.title} = {value:g}, seed {seed}"),
        )  # fmt: skip


@checks_arguments
def equilibria(
    game: str, *, fresh: int | None = None, jobs: int = -1, progress: bool = True, **options: Any
) -> Metagame:
    """Play every table that some strategies can form, and find the mixtures against which nobody gains.

    The same as `empirelab metagame`.

    Parameters
    ----------
    game
        Name of the game.
    fresh
        Games of each table for invaders, on other deals; by default `games`.
    jobs
        Workers, -1 for all cores.
    progress
        Show a bar on a terminal or in a notebook.
    options
        Options of `simulate`: `strategies` (two or more), `players`, `games` (of each table), `seed`, ...

    Raises
    ------
    UserError
        As for `reports.studies.players.metagame.play_metagame`, or an option is not allowed.
    """
    config = configured("equilibria", game, {"games": GAMES_OF_A_TABLE} | options)

    @contextmanager
    def bar(label: str, games: int) -> Iterator[Callable[[int], None]]:
        with show_progress(label, games, progress) as shown:
            yield shown.advance

    return play_metagame(config, fresh=fresh, jobs=jobs, bar=bar)


@checks_arguments
def games_needed(
    game: str,
    *,
    effect: float = 1.0,
    power: float = 0.9,
    alpha: float = 0.05,
    table: str = "all",
    changes: Sequence[str] = (),
    pilot: int = PILOT_GAMES,
    jobs: int = -1,
    **options: Any,
) -> Section:
    """Return how many games it takes to find an edge or a change of some size, as `empirelab plan` does.

    Parameters
    ----------
    game
        Name of the game.
    effect
        Edge or change to detect, in percentage points.
    power
        Chance of detecting it.
    alpha
        Chance of a false alarm in a table.
    table
        "faction", "seat", "strategy" or "all".
    changes
        Changes of a second arm on the same deals, if a comparison is planned.
    pilot
        Games of the pilot that measures the variance between blocks.
    jobs
        Workers, -1 for all cores.
    options
        Options of `simulate`: `players`, `strategies`, `seed`, ...

    Raises
    ------
    UserError
        An option is not allowed, or the table can hold no finding.
    """
    config = configured("games_needed", game, {**options, "games": pilot})
    return needs_of(config, effect, power, alpha, table, changes, jobs=jobs)[0]


def needs_of(
    config: RunConfig,
    effect: float,
    power: float,
    alpha: float,
    table: str,
    changes: Sequence[str],
    *,
    jobs: int = -1,
    say: Callable[[str], None] = lambda text: None,
) -> tuple[Section, pl.DataFrame, Pilot]:
    """Play a pilot of `config.games` games, and one with the changes, and return what the question needs.

    Returns
    -------
    section, needs, pilot
        The answer, its rows (`plan.plan_needs`), and the pilot of the first arm.

    Raises
    ------
    UserError
        As for `games_needed`.
    """
    asked = question(effect, power, alpha)
    check_plan_table(table)
    arms = knowing_alike(config, config.model_copy(update={"changes": list(changes)})) if changes else (config,)
    plans = [make_plan(arm) for arm in arms]
    check_effect_size(effect, plans[0].players)
    pilots = [play_pilot(plan, config.games, jobs, say) for plan in plans]
    needs = plan_needs(pilots[0], asked, table, pilots[1] if changes else None)
    return plan_section(needs, pilots[0], asked), needs, pilots[0]
