"""Reports a metagame: tables, equilibria and invaders, in numbers and in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from reports.claims import Claim, Said, claims_on, split_claims
from reports.drawing import WIDTH, Axes, draw_cells, label_cells, styled, styled_axes
from reports.formatting import UNKNOWN, counted, interval, listed, percent, points, size
from reports.model import Column, Listing, Picture, Results, Section
from reports.statistics.core.win_rate import ALPHA, Floats
from reports.statistics.strength.equilibria import Equilibrium
from reports.statistics.strength.metagame import MIN_BATCHES, Support, TableWins, frequency_limits, share_rows
from sim.runs.config import RunConfig

MIN_RESAMPLE_SHARE = 0.05
"""An equilibrium that occurs only in resamples is mentioned if more than this share of the resamples has it."""
MAX_NAMED = 3
ALL_BUT = 0.9995
"""A share above this would print as 100 %."""
METAGAME_READING = (
    "Every player draws a strategy at random, all with the same chances: a mixture. A mixture is an equilibrium if no "
    "strategy wins more than its fair share when all others play the mixture. It is stable if a few players who try "
    "something else win less than the rest. Each equilibrium is found on one set of deals and tested on another: each "
    "strategy in turn takes one seat, and the others play the mixture. Resamples redraw the deals, each with all its "
    "tables. A strategy that is not in the list may win against all of these. Win rates have errors, and so do "
    "mixtures."
)
EQUILIBRIUM_COLUMNS = (
    Column("equilibrium", "no.", "count"),
    Column("mixture", "mixture", "text", meaning="chance with which a player takes each strategy"),
    Column("stable", "stable", "text", meaning="whether a few who play otherwise win less"),
    Column("invader", "best invader", "text", meaning="who gains most in one seat among players of the mixture"),
    Column("gain", "gains", "edge", "low", "high", "over its fair share, on fresh deals"),
    Column("resamples", "in resamples", "text", meaning="an equilibrium of the same strategies is found, 95 % limits"),
)
INVADER_COLUMNS = (
    Column("equilibrium", "no.", "count"),
    Column("strategy", "strategy", "text"),
    Column("share", "share", "share", "share_low", "share_high", "its chance in the mixture; limits from resamples"),
    Column("expected", "gain expected", "edge", meaning="on the deals from which the mixture comes"),
    Column("gain", "gain played", "edge", "low", "high", "on fresh deals; limits hold for all strategies at once"),
    Column("note", "note", "text"),
)
SHARE_COLUMNS = (
    Column("win_rate", "wins", "share", "low", "high", "win rate of one seat"),
    Column("edge", "edge", "edge", meaning="over the fair share"),
    Column("flag", "flag", "flag", meaning="certain, corrected for all rows of all tables"),
    Column("note", "note", "text"),
)
ONE_AMONG = (Column("strategy", "one seat", "text"), Column("among", "all others", "text"), *SHARE_COLUMNS)
TABLE_COLUMNS = (
    Column("table", "table", "text"),
    Column("strategy", "strategy", "text"),
    Column("seats", "seats", "count"),
    *SHARE_COLUMNS,
)


@dataclass(frozen=True)
class Metagame(Results):
    """Result of a metagame.

    Attributes
    ----------
    title
        The game's title.
    tables
        Win rates of the seats at every table.
    equilibria
        Symmetric equilibria of these win rates.
    supports
        In how many resamples of the deals each of `equilibria` occurs, then the same for those that occur only in
        resamples.
    resamples
        Number of resamples. 0 if there are too few deals.
    fresh
        Win rates on fresh deals, at the tables where an invader (one seat of any strategy) meets an equilibrium.
    invaders
        For each equilibrium: the rows of `invader_rows` (in `reports.statistics.strength.metagame`) on fresh deals.
    """

    config: RunConfig
    title: str
    tables: TableWins
    equilibria: tuple[Equilibrium, ...]
    supports: tuple[Support, ...]
    resamples: int
    fresh: TableWins
    invaders: tuple[pl.DataFrame, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the strategies."""
        return self.tables.names

    @property
    def players(self) -> int:
        """Number of seats at a table."""
        return self.tables.companies.players

    @property
    def sections(self) -> tuple[Section, ...]:
        """The result as sections, which terminal, page and notebook show."""
        return (metagame_section(self),)

    def __repr__(self) -> str:
        return "\n".join(self.sections[0].sentences)


def metagame_section(result: Metagame) -> Section:
    """Return the section on mixtures that no strategy can beat, with tables and invaders."""
    rows = share_rows(result.tables).with_columns(among=pl.lit(""))
    rows = rows.with_columns(table_words=pl.Series([table_words(result, place) for place in rows["table"]]))
    one = one_among(result, rows)
    each = f"{counted(int(result.tables.blocks.sum()), 'deal')}, each played at every table from all seats"
    note = f"{each}. At tables of one strategy everybody wins {percent(1 / result.players)}, so they are not played."
    listings = (
        Listing("equilibria", "Equilibria", equilibrium_rows(result), EQUILIBRIUM_COLUMNS,
                note=resample_note(result)),
        Listing("invaders", "One seat among players of the mixture", gain_rows(result), INVADER_COLUMNS,
                note="Gains in percentage points of win rate over the fair share."),
        Listing("one among others", "One among players of one strategy", one, ONE_AMONG, note=f"{each}."),
        Listing("tables", "All tables", rows.drop("table", "among").rename({"table_words": "table"}), TABLE_COLUMNS,
                True, note),
    )  # fmt: skip
    picture = Picture("one among others", partial(one_among_map, result, one), map_text(result, one))
    sentences, claims = split_claims([*equilibria_statements(result), *companies_said(result, one)])
    return Section("metagame", "Choice of strategies", sentences, listings, (picture,), METAGAME_READING, claims=claims)


def equilibria_statements(result: Metagame) -> Iterator[Said]:
    """Say which equilibria there are, how certain each of them is, and what invaders gain."""
    many, where = len(result.equilibria), f"{listed(result.names)} at tables of {result.players}"
    mixtures = [mixture_words(result, one) for one in result.equilibria]
    if not many:
        yield f"No symmetric equilibrium of {where} was found, though one always exists.", ()
        return
    if many == 1:
        yield f"Of {where} one symmetric equilibrium was found: {mixtures[0]}.", ()
    else:
        each = "; ".join(f"({number}) {mixture}" for number, mixture in enumerate(mixtures, 1))
        yield f"Of {where} {many} symmetric equilibria were found: {each}.", ()
        yield "Where there are several, what players come to depends on where they begin.", ()
    for number, one in enumerate(result.equilibria):
        yield one_said(result, number, one, f"({number + 1}) " if many > 1 else "")
    strange = [one for one in result.supports[many:] if one.found > MIN_RESAMPLE_SHARE * result.resamples]
    if strange:
        others = [f"{members_words(result, one)} in {found_words(one, result.resamples)}" for one in strange]
        text = f"Not ruled out, as resamples of the deals show them: an equilibrium of {', '.join(others[:MAX_NAMED])}."
        yield text, ()


def one_said(result: Metagame, number: int, one: Equilibrium, which: str) -> Said:
    """Say whether the equilibrium `one` is stable, how often resamples have it, and what invaders gain.

    `number` is its index. The sentence begins with `which`: its number in brackets, or "" if it is the only one.
    """
    stable = (
        "stable against small invasions by these win rates"
        if one.stable
        else "not stable by these win rates: a few who play otherwise need not lose"
    )
    if not one.single:
        stable += "; one of a whole line of mixtures, for some of these strategies win alike"
    pure = len(one.support) == 1
    name = f"All {result.names[one.support[0]]}" if pure else f"The mixture of {members_words(result, one)}"
    sure = " Too few deals to say how sure that is."
    if result.resamples:
        found = found_words(result.supports[number], result.resamples)
        sure = f" An equilibrium of {'it alone' if pure else 'just these'} is found in {found}."
    text = f"{which}{name}: {stable}.{sure} {invader_words(result, number)}"
    return text, invader_claims(result, number, text)


def members_words(result: Metagame, one: Equilibrium | Support) -> str:
    """Name the strategies of an equilibrium: 'military alone', 'military and science'."""
    members = one.support if isinstance(one, Equilibrium) else one.members
    names = [result.names[member] for member in members]
    return listed(names) if len(names) > 1 else f"{names[0]} alone"


def mixture_words(result: Metagame, one: Equilibrium) -> str:
    """Return the shares of an equilibrium in words: 'all play science', '62 % military and 38 % science'."""
    if len(one.support) == 1:
        return f"all play {result.names[one.support[0]]}"
    order = sorted(one.support, key=lambda place: -one.shares[place])
    return listed([f"{share_words(float(one.shares[place]))} {result.names[place]}" for place in order])


def frequency_words(result: int, resamples: int) -> str:
    """Return 95 % limits of a frequency in words, such as 'at least 98.2 %'. No limit reads 0 % or 100 %.

    `result` of the `resamples` have the equilibrium.
    """
    low, high = frequency_limits(result, resamples)
    if high > ALL_BUT:
        return f"at least {percent(low)}"
    return f"at most {percent(high)}" if low < 1 - ALL_BUT else f"{interval(low, high, 1)} %"


def found_words(one: Support, resamples: int) -> str:
    """Say how often resamples have an equilibrium: '200 of 200 resamples of the deals (at least 98.2 %)'."""
    return f"{one.found} of {resamples} resamples of the deals ({frequency_words(one.found, resamples)})"


def share_words(share: float) -> str:
    """Format a share of a mixture: '62 %', with a decimal near 0 and 1."""
    return percent(share, 0 if 0.01 <= share <= 0.99 else 1)


def best_invader(result: Metagame, number: int) -> dict[str, Any]:
    """Return the row of the strategy that gains most against the equilibrium with index `number`.

    If some gains are confirmed, only these are compared. A strategy that everybody plays gains nothing and is left out.
    The added entry `at_most` is the largest upper limit of all gains.
    """
    rows = result.invaders[number].filter(pl.col("note") != "all play it")
    sure = rows.filter(pl.col("low") > 0)
    return (sure if sure.height else rows).row(0, named=True) | {"at_most": rows["high"].max()}


def invader_words(result: Metagame, number: int) -> str:
    """Say what the best invader gains on fresh deals."""
    row = best_invader(result, number)
    games = counted(int(result.fresh.blocks.sum()), "fresh deal")
    within = "" if row["low"] is None else f" ({points(row['low'])} to {points(row['high'])})"
    first = f"On {games} {row['strategy']} does best against it, {points(row['gain'])} points{within}"
    if row["low"] is None:
        return f"{first}: too few deals to say whether anybody gains."
    if row["low"] > 0:
        one = result.equilibria[number]
        if len(one.support) > 1 and result.names.index(row["strategy"]) in one.support:
            # Shares are estimated from noisy win rates. With enough fresh deals, some strategy of any mixture would be
            # found to gain. That refutes the shares, not the choice of strategies.
            return f"{first}: it gains, so these shares are not an equilibrium; other shares of the same may be."
        return f"{first}: it gains, so this is not an equilibrium of the game: the payoffs have errors."
    if row["at_most"] < 0:
        return f"{first}: every invader loses."
    most = size(row["at_most"], 1)
    return f"{first}: no strategy is found to gain; the 95 % upper limit of what any gains is {most} points."


def invader_claims(result: Metagame, number: int, said: str) -> tuple[Claim, ...]:
    """Claim the gain of the best invader of the equilibrium with index `number`, as the sentence `said` states it.

    If this gain is not confirmed, also claim that no other invader gains more than `said` states.
    """
    best = best_invader(result, number)
    if best["low"] is None:
        return ()
    family, of = f"all strategies against {counted(len(result.equilibria), 'mixture')}", f"mixture {number + 1}"
    # If nobody certainly gains, the sentence limits the gains of the others too.
    rows = [] if best["low"] > 0 else result.invaders[number].filter(pl.col("note") == "").to_dicts()
    others = [row | {"low": None, "high": best["at_most"]} for row in rows if row["strategy"] != best["strategy"]]
    return claims_on("gain of an invader", [best, *others], said, family, ("gain", "low", "high"),
                     lambda row: f"{row['strategy']} against {of}")  # fmt: skip


def companies_said(result: Metagame, one: pl.DataFrame) -> Iterator[Said]:
    """Say which strategies win more than a fair share in a single seat if all other seats play another strategy."""
    for name in result.names:
        rows = one.filter((pl.col("among") == name) & (pl.col("flag") == "strong")).sort("win_rate", descending=True)
        if not rows.height:
            continue
        where = f"Alone among {result.players - 1} {name}" if result.players > 2 else f"Against {name}"
        wins = [
            f"{row['strategy']} wins {percent(row['win_rate'])} ({interval(row['family_low'], row['family_high'], 1)})"
            for row in rows.to_dicts()
        ]
        text = f"{where}, {listed(wins)}; the fair share is {percent(1 / result.players)}."
        columns = ("win_rate", "family_low", "family_high")
        yield text, claims_on("one among others", rows.to_dicts(), text, "all rows of all tables", columns,
                              lambda row: f"{row['strategy']} among {row['among']}")  # fmt: skip


def one_among(result: Metagame, rows: pl.DataFrame) -> pl.DataFrame:
    """Return those of `rows` about a single seat of one strategy at a table where all others play another strategy.

    The added column `among` names that other strategy. A table of two players gives two rows, one for each player.
    """
    others = result.tables.companies.tables[rows["table"].to_numpy()]
    single = (rows["seats"].to_numpy() == 1) & ((others > 0).sum(axis=1) == 2)
    others[np.arange(len(others)), [result.names.index(name) for name in rows["strategy"]]] -= 1
    among = pl.Series(np.array(result.names)[others.argmax(axis=1)])
    chosen = rows.with_columns(among=among).filter(pl.Series(single)).drop("table", "table_words", "seats")
    order = {name: place for place, name in enumerate(result.names)}
    chosen = chosen.sort([pl.col("among").replace_strict(order), pl.col("win_rate")], descending=[False, True])
    return chosen.select("strategy", "among", pl.exclude("strategy", "among"))


def table_words(result: Metagame, place: int) -> str:
    """Return the seats of the table with index `place` in words: '1 balanced, 3 military'."""
    seats = result.tables.companies.tables[place]
    return ", ".join(f"{number} {name}" for number, name in zip(seats.tolist(), result.names, strict=True) if number)


def equilibrium_rows(result: Metagame) -> pl.DataFrame:
    """Return a row per equilibrium: its mixture, how certain it is, and the gain of the best invader."""
    rows = []
    for number, one in enumerate(result.equilibria):
        best = best_invader(result, number)
        rows.append({
            "equilibrium": number + 1,
            "mixture": mixture_words(result, one),
            "stable": "yes" if one.stable else "no" if one.single else "no, one of a line",
            "invader": best["strategy"], **{name: best[name] for name in ("gain", "low", "high")},
            "resamples": resample_words(result.supports[number], result.resamples),
        })  # fmt: skip
    kinds: dict[str, Any] = {"equilibrium": pl.Int64, "mixture": pl.String, "stable": pl.String, "invader": pl.String}
    kinds |= dict.fromkeys(("gain", "low", "high"), pl.Float64) | {"resamples": pl.String}
    return pl.DataFrame(rows, schema=kinds)


def resample_words(one: Support, resamples: int) -> str:
    """Say in a table how often resamples have an equilibrium: '200 of 200 (at least 98.2 %)'."""
    return f"{one.found} of {resamples} ({frequency_words(one.found, resamples)})" if resamples else UNKNOWN


def gain_rows(result: Metagame) -> pl.DataFrame:
    """Return a row per equilibrium and strategy: share with limits from resamples, expected gain, measured gain."""
    frames = []
    for number, (one, rows) in enumerate(zip(result.equilibria, result.invaders, strict=True)):
        low, high = share_limits(result.supports[number])
        columns = {"share_low": low, "share_high": high, "expected": one.gains}
        own = pl.DataFrame({"strategy": result.names} | columns).with_columns(
            pl.col("share_low", "share_high").fill_nan(None), equilibrium=pl.lit(number + 1, pl.Int64)
        )
        frames.append(rows.join(own, on="strategy").select("equilibrium", pl.exclude("equilibrium")))
    names = (
        "equilibrium",
        *(name for column in INVADER_COLUMNS[1:] for name in (column.name, column.low, column.high) if name),
    )
    return pl.concat(frames) if frames else pl.DataFrame(schema=dict.fromkeys(names, pl.Float64))


def share_limits(support: Support) -> tuple[Floats, Floats]:
    """Return 95 % limits of an equilibrium's shares, from those resamples that have the equilibrium.

    NaN for an equilibrium of one strategy, and for strategies outside it.
    """
    limits, members = np.full((2, support.shares.shape[1]), np.nan), list(support.members)
    if len(members) > 1 and support.found:
        limits[:, members] = np.quantile(support.shares[:, members], (ALPHA / 2, 1 - ALPHA / 2), axis=0)
    return limits[0], limits[1]


def resample_note(result: Metagame) -> str:
    """Say how resamples were drawn, and what they cannot show."""
    if not result.resamples:
        return f"Fewer than {MIN_BATCHES} deals are too few for resamples: how certain this is stays unknown."
    return (
        f"{result.resamples} resamples of the deals, each with all its tables. That a mixture is in many of them says "
        "only that luck of the deals did not make it; the gain of the best invader is measured on deals of its own."
    )


def map_text(result: Metagame, one: pl.DataFrame) -> str:
    """Return the alternative text of the figure from `one_among_map`."""
    row = one.sort("win_rate", descending=True).row(0, named=True)
    return (
        f"Win rate of one seat of each strategy where all others play another. Most: {row['strategy']} among "
        f"{row['among']}, {percent(row['win_rate'])}."
    )


@styled
def one_among_map(result: Metagame, one: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw the win rate of one seat of a strategy (rows) when all other seats play another strategy (columns).

    `one` is from `one_among`.
    """
    names, fair = result.names, 100 / result.players
    values, bold = np.full((len(names), len(names)), fair), np.zeros((len(names), len(names)), np.bool_)
    for row in one.to_dicts():
        place = names.index(row["strategy"]), names.index(row["among"])
        values[place], bold[place] = 100 * row["win_rate"], row["flag"] != ""
    title = f"Wins of one seat of the row's strategy among players of the column's, % (fair: {fair:.1f})"
    ax = styled_axes(ax, max(2.6 + 0.9 * len(names), WIDTH), 1.9 + 0.4 * len(names), title)
    texts = np.array([[f"{value:.1f}" for value in row] for row in values], dtype=object)
    # Uncertain cells stay white.
    shown = np.where(bold, values, fair)
    draw_cells(ax, shown, texts, bold, max(float(np.abs(shown - fair).max()), 1.0), middle=fair)
    label_cells(ax, names, names)
    return ax


def metagame_values(done: Metagame) -> dict[str, Any]:
    """Return all results as JSON values. They stand beside the section in the JSON output."""
    result = []
    for number, one in enumerate(done.equilibria):
        low, high = ([None if np.isnan(value) else float(value) for value in values]
                     for values in share_limits(done.supports[number]))  # fmt: skip
        best = best_invader(done, number)
        result.append({
            "shares": dict(zip(done.names, one.shares.tolist(), strict=True)),
            "share_low": dict(zip(done.names, low, strict=True)),
            "share_high": dict(zip(done.names, high, strict=True)),
            "stable": one.stable, "single": one.single, "found_in": done.supports[number].found,
            "best_invader": {name: best[name] for name in ("strategy", "gain", "low", "high", "at_most")},
        })  # fmt: skip
    return {
        "game": done.config.game, "players": done.players, "strategies": list(done.names), "seed": done.config.seed,
        "deals": int(done.tables.blocks.sum()), "fresh_deals": int(done.fresh.blocks.sum()),
        "resamples": done.resamples, "equilibria": result,
        "only_in_resamples": [{"strategies": [done.names[place] for place in one.members], "found_in": one.found}
                              for one in done.supports[len(done.equilibria):]],
        "config": done.config.model_dump(),
    }  # fmt: skip
