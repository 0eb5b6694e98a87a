"""Finds the price of factions in start goods: which value of a number, such as coins, makes each of them fair.

A run's deals are played again with other values of the number, one faction at a time. Goods at the start change play,
so final scores do not determine the price. Every value is played on the same deals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import polars as pl

from reports.formatting import counted
from reports.statistics.core.win_rate import ALPHA, family_probability, t_quantile
from reports.statistics.factions.price import NEIGHBOURS_PART, with_apart
from reports.studies.parts.intervene import without_lessons
from reports.studies.parts.own_judges import bases_words, with_bases
from reports.studies.price.one_parameter import NumberTurned, own_seats
from reports.studies.price.simultaneous import PAID_SCHEMA, paid_at_once
from reports.studies.search.block_sums import compile_players_of
from reports.studies.search.checkpoint import SumStore
from reports.studies.search.parameters import Knob, find_knob, full_name, is_number, number_knobs
from sim.errors import UserError
from sim.players.batch import Plan
from sim.runs.replay import manifest_plan
from sim.runs.run import seconds_per_game, time_words
from sim.runs.store.manifest import load_manifest

VALUE_GAMES = 8000
"""Default number of games of each value."""
VALUES_TRIED, ROUNDS_PLAYED = 6, 5
"""For forecasts of time: values usually tried for a faction, and sets of values played when all factions pay at once.

The sets of values on fresh deals are included.
"""
RATE_SHARES = {"price": 0.4, "left": 0.25, "paid": 0.15, "beside": NEIGHBOURS_PART}
"""Share of the error rate that each kind of result gets."""

PRICE_SCHEMA = {
    "players": pl.Int64, "faction": pl.String, "games": pl.Int64, "printed": pl.Float64, "edge": pl.Float64,
    "price": pl.Float64, "low": pl.Float64, "high": pl.Float64, "price_family_low": pl.Float64,
    "price_family_high": pl.Float64, "value": pl.Float64, "nearest": pl.Float64,
    "left": pl.Float64, "left_low": pl.Float64, "left_high": pl.Float64, "other": pl.Float64, "other_left": pl.Float64,
    "other_left_low": pl.Float64, "other_left_high": pl.Float64, "least": pl.Float64, "most": pl.Float64,
    "whole": pl.Boolean, "outcome": pl.String, "tried": pl.Int64, "blocks": pl.Int64,
}  # fmt: skip


@dataclass(frozen=True)
class PricesPlayed:
    """Result of varying one number of every faction.

    Attributes
    ----------
    field, noun
        The number that was varied, and the game's word for a faction.
    frame
        A row for each number of players and faction, with these columns:

        - `games`: seats of the faction at each value.
        - `printed`, `edge`: the printed value and its edge.
        - `value`: the fair value. `price`: the fair value minus the printed one, with 95 % limits `low` and `high`.
        - `nearest`: the value that leaves the smallest edge, and `left`, that edge, with `left_low` and `left_high`.
        - `other`: the value on the other side of the price, and its edge `other_left`, with limits as above.
        - `least`, `most`: the range that was searched. `whole`: whether its values are whole numbers.
        - `outcome`: as for `rebalance`. `tried`: how many values were tried.

        `price`, `left` and `other_left` also have simultaneous limits `_family_low` and `_family_high`.
    paid
        Result when all pay at once, see `simultaneous.paid_at_once`. No rows for a single faction.
    beside
        Prices by neighbour, as `prices_by_neighbour` returns them. No rows if neighbours do not matter.
    games
        Games of each value with one number of players.
    title
        The game's title.
    changes
        Changes that apply to all games.
    players
        Sentences on players that played in place of others.
    """

    field: str
    noun: str
    frame: pl.DataFrame
    paid: pl.DataFrame
    beside: pl.DataFrame
    games: int
    title: str
    changes: tuple[str, ...] = ()
    players: tuple[str, ...] = ()


def prices_played(
    folder: Path,
    field: str,
    faction: str | None = None,
    games: int = VALUE_GAMES,
    *,
    trust: bool = False,
    jobs: int = -1,
    say: Callable[[str], None] = lambda text: None,
    progress: Callable[[int], None] = lambda games: None,
    store: SumStore | None = None,
) -> PricesPlayed:
    """Find the value of a number with which each faction wins its fair share of a run's deals.

    Parameters
    ----------
    folder
        Folder of the run whose deals and players are used.
    field
        A field of the faction's row in the game's data: "coins_start".
    faction
        Only this faction is priced. By default all factions that are dealt.
    games
        Games of each value, for each number of players and each variant. If the run has fewer, all of its games.

    Raises
    ------
    UserError
        The run cannot be played again, it has no factions, all its games have one player, or a faction lacks the
        number.
    """
    manifest = load_manifest(folder)
    counts = [count for count in manifest.player_counts if count.players > 1]
    if not manifest.factions:
        raise UserError(f"{manifest.title} has no factions to price", file=folder)
    if not counts:
        raise UserError("a game for one player has no rivals to price against", file=folder)
    rows, paid, beside = [], [], []
    changes: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    for count in counts:
        plan = manifest_plan(folder, manifest, count, trust=trust)
        compile_players_of([plan], say)
        chosen = [one for one in plan.factions if faction in (None, plan.data.factions[one].name)]
        knobs = knobs_of(plan, chosen, field)
        said = (*said, *(words for words in bases_words(plan) if words not in said))
        plan = without_lessons(with_bases(plan), [knob.text for knob in knobs])
        changes = plan.changes
        fits = max(min(games, count.games) // plan.block_games, 1) * plan.block_games
        play = partial(own_seats, games=fits, jobs=jobs, progress=progress, store=store)
        values = 1 + len(chosen) * VALUES_TRIED + (ROUNDS_PLAYED if len(chosen) > 1 else 0)
        takes = time_words(values * fits * seconds_per_game(plan, jobs, written=False))
        say(f"{plan.players} players, {counted(len(knobs), 'number')}: this takes {takes}")
        base = play(plan)
        turned = []
        for number, knob in zip(chosen, knobs, strict=True):
            say(f"{plan.players} players: {knob.title}")
            rate = ALPHA * RATE_SHARES["price"] / len(chosen) / len(counts)
            turned.append(NumberTurned(plan, number, knob, fits, play, base, rate))
            rows.append(turned[-1].row())
            beside += turned[-1].rows_beside() if plan.game.touching else []
        if len(turned) > 1:
            paid += paid_at_once(plan, turned, play, say)
    frame = pl.DataFrame(rows, schema=PRICE_SCHEMA).with_columns(pl.col(pl.Float64).fill_nan(None))
    # The reported edges were chosen among all tried values, so their limits allow for that many tests.
    tried = int(frame["tried"].sum())
    for name in ("left", "other_left"):
        frame = for_all_tried(frame, name, tried / RATE_SHARES["left"])
    frame = frame.drop("blocks").sort("players", "price", nulls_last=True)
    together = pl.DataFrame(paid, schema=PAID_SCHEMA).with_columns(pl.col(pl.Float64).fill_nan(None))
    together = for_all_tried(together.sort("players", "paid"), "left", len(paid) / RATE_SHARES["paid"]).drop("blocks")
    apart = with_apart(beside, ALPHA * RATE_SHARES["beside"])
    return PricesPlayed(field, manifest.faction_title, frame, together, apart, games, manifest.title, changes, said)


def for_all_tried(frame: pl.DataFrame, name: str, tests: float) -> pl.DataFrame:
    """Add `_family_low` and `_family_high`, limits of the edge `name` that hold for `tests` tests at once."""
    blocks = frame["blocks"].cast(pl.Float64).to_numpy()
    wider = pl.Series(t_quantile(blocks, family_probability(tests)) / t_quantile(blocks, 1 - ALPHA / 2)).fill_nan(None)
    ends = {end: frame[name] + (frame[f"{name}_{end}"] - frame[name]) * wider for end in ("low", "high")}
    return frame.with_columns(**{f"{name}_family_{end}": limit for end, limit in ends.items()})


def knobs_of(plan: Plan, factions: Sequence[int], field: str) -> list[Knob]:
    """Return for each faction the knob (a value that can be varied) of the field `field` in the faction's row.

    Raises UserError if a row lacks the field. The error lists the numbers that all factions have.
    """
    names = [plan.data.factions[number].name for number in factions]
    texts = [full_name(plan.game, plan.data, name, field) for name in names]
    try:
        result = [find_knob(plan.game, plan.data, text) for text in texts]
    except UserError:
        result = []
    if len(result) == len(texts) and all(knob.limits is not None and is_number(knob.present) for knob in result):
        return result
    own = [{name.removeprefix(text.removesuffix(field)) for name in number_knobs(plan.game, plan.data, text)}
           for text in texts]  # fmt: skip
    message = f"not every {plan.game.faction_title} has a number of this name"
    raise UserError(message, field="in", found=field, allowed=sorted(set.intersection(*own)) if own else None)
