"""What a card is worth to those who build it: the same deals played as printed, and with the card changed.

Who builds a card is not drawn by lot, so "builders win more" says little. Here every deal is played twice, once as
printed (arm A) and once with the card changed (arm B), and the same seats are compared with themselves. Game, deal and
lots being fixed by the seed, each seat has one outcome in either arm (Rubin 1974), and the difference is the change's
own work.

Which seats? Those that put the card in play, in either arm, while both were still alike, move for move. Seats that did
so after the arms had parted were picked by luck that the other arm does not share: they are ahead in A because things
went well in A, and would fall back in B even if the card were worth nothing. (`worth_all` shows all together.)

References
----------
Rubin, D. B. (1974). Estimating causal effects of treatments in randomized and nonrandomized studies. J. Educational
Psychology 66, 688-701.
Frangakis, C. E. and Rubin, D. B. (2002). Principal stratification in causal inference. Biometrics 58, 21-29 (units may
be chosen by what does not depend on the arm).
Cochran, W. G. (1977). Sampling Techniques, 3rd ed., ch. 6 and 9A. Boos, D. D. (1992). On generalized score tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.data import moments
from reports.data.card_counts import UNIT
from reports.data.moments import add_block
from reports.sections.card_figures import draw_effects
from reports.shapes import Column, Listing, Picture, Section
from reports.statistics.winshare import (
    ALPHA,
    blank_zero,
    clustered_error,
    holm,
    minimum_detectable_effect,
    score_test,
    t_quantile,
)
from reports.words import count, counted, edge_words, percent
from sim.batch import RANK, SCORE, Plan, play, players_of
from sim.data.changes import parse_change
from sim.errors import UserError, nearest
from sim.game import Data, Game
from sim.jit import kernel
from sim.parallel import in_order
from sim.runs.run import jobs_to_use, warm_up

SHARD_GAMES = 600
"""Games of both arms that are in memory at a time, about, for each worker; fixed, so that sums do not depend on it."""
SUMS = (*moments.SUMS, "differing", "won")
"""Sums over blocks, with the difference of wins in place of wins; blocks in which wins differ, and wins in A."""
DIFFERING, WON = range(len(moments.SUMS), len(SUMS))
ALIKE, ALL = 0, 1
COUNTS = ("offered_a", "offered_b", "built_a", "built_b")
FEWEST_BLOCKS = 20
NEVER = 1_000_000
COLUMNS_BEFORE = 3
"""Columns of a card row before the game's own: game, seat, card."""

Array = NDArray[Any]


@dataclass(frozen=True)
class Intervention:
    """What changing cards, one at a time, does to those who build them.

    Attributes
    ----------
    frame
        One row per card, widest worth first, see `effects_frame`.
    make
        "none", "free" or what the cards were changed to.
    plan
        Arm A.
    games
        Games of each arm.
    """

    frame: pl.DataFrame
    make: str
    plan: Plan
    games: int


def choose_cards(game: Game, data: Data, names: Sequence[str]) -> list[int]:
    """Return the ids of the cards that names stand for: "Loom (2)", "Loom" for those of all ages, or "all".

    Raises
    ------
    UserError
        A name stands for no card; the nearest one is suggested.
    """
    short = [card.partition(" (")[0] for card in data.cards]
    chosen: list[int] = []
    for name in names:
        wanted = name.strip().casefold()
        rows = [game.card_table.place(data, card)[1] for card in range(len(data.cards))]
        labels = list(zip(data.cards, rows, short, strict=True))
        found = [card for card, own in enumerate(labels) if wanted in ("all", *(label.casefold() for label in own))]
        if not found:
            near = nearest(wanted, [*short, *data.cards])
            hint = "" if near is None else f"; did you mean {near!r}?"
            message = f"unknown card{hint}"
            raise UserError(message, field="card", found=name, allowed="a card's name, or all")
        chosen.extend(card for card in found if card not in chosen)
    return chosen


def changes_for(game: Game, data: Data, card: int, make: str) -> list[str]:
    """Return the changes, as texts, that make a card "none", "free", or FIELD=VALUE.

    Raises
    ------
    UserError
        `make` is none of these.
    """
    table = game.card_table
    ways = {"none": table.nothing, "free": table.free}
    way = ways.get(make.strip().casefold())
    if way is not None:
        fields = way(data, card)
    else:
        field, equals, value = make.partition("=")
        if not (equals and field.strip() and value.strip()):
            raise UserError("a card is made none, free, or gets a field's value", field="make", found=make,
                            allowed="none, free, or FIELD=VALUE, such as effects=[{ vp = 5 }]")  # fmt: skip
        fields = {field.strip(): value.strip()}
    file, row = table.place(data, card)
    return [f"{file}#{row}.{field}={value}" for field, value in fields.items()]


def changed_plan(plan: Plan, changes: Sequence[str]) -> Plan:
    """Return a plan whose data has been changed.

    Raises
    ------
    UserError
        A change does not fit the data.
    """
    data = plan.game.load(plan.data.settings, [parse_change(text) for text in changes])
    return replace(plan, data=data, changes=(*plan.changes, *changes))


def intervene(
    plan: Plan,
    games: int,
    cards: Sequence[int],
    make: str = "none",
    *,
    jobs: int = -1,
    say: Callable[[str], None] = lambda text: None,
    progress: Callable[[int], None] = lambda games: None,
) -> Intervention:
    """Play games as printed and once more for each card with that card changed, and compare seat by seat.

    Games are played and compared stretch by stretch in memory; nothing is written.

    Parameters
    ----------
    plan
        Who meets and what is dealt; without changes.
    games
        Games of each arm.
    cards
        Ids of the cards, each an arm of its own.
    make
        See `changes_for`.
    jobs
        Workers, -1 for all cores; the result is the same for any number.
    say, progress
        Told what is being prepared, and how many games have been finished.

    Raises
    ------
    UserError
        A card cannot be made so, `jobs` makes no sense, or a strategy fails.
    """
    workers = jobs_to_use(jobs)
    printed = replace(plan, keeps_cards=True)
    arms = [changed_plan(printed, changes_for(plan.game, plan.data, card, make)) for card in cards]
    (players,) = warm_up([printed], say)
    armed = [(arm, players_of(arm)) for arm in arms]
    size = max(SHARD_GAMES // plan.block_games, 1) * plan.block_games
    pieces = [(first, min(size, games - first)) for first in range(0, games, size)]
    sums, counts = np.zeros((len(cards), 2, len(SUMS))), np.zeros((len(cards), len(COUNTS)), np.int64)
    compared = partial(compare_stretch, printed, players, armed, cards)
    with closing(in_order(compared, pieces, workers)) as stretches:
        for (_, played), (stretch_sums, stretch_counts) in zip(pieces, stretches, strict=True):
            sums += stretch_sums
            counts += stretch_counts
            progress(played * (1 + len(cards)))
    names = [plan.data.cards[card] for card in cards]
    return Intervention(effects_frame(names, sums, counts, removed=is_removal(make)), make, plan, games)


def is_removal(make: str) -> bool:
    """Whether the card's effects were taken away, so that its worth is what is lost."""
    return make.strip().casefold() == "none"


def compare_stretch(
    plan: Plan, players: Any, arms: Sequence[Any], cards: Sequence[int], first: int, games: int
) -> tuple[Array, Array]:
    """Play a stretch of whole blocks in every arm and compare it with the stretch as printed.

    Returns
    -------
    Sums over blocks, shape (cards, 2, SUMS), for seats chosen while the arms were alike and for all; counts, shape
    (cards, COUNTS).
    """
    columns, in_play = event_columns(plan.game)
    seats_a, rows_a = play(plan, players, first, games)
    sums, counts = np.zeros((len(cards), 2, len(SUMS))), np.zeros((len(cards), len(COUNTS)), np.int64)
    dealt = set(np.unique(rows_a[:, 2]).tolist())
    for place, (card, (arm, arm_players)) in enumerate(zip(cards, arms, strict=True)):
        if card in dealt:  # else nobody could build it: nothing is added to the sums
            seats_b, rows_b = play(arm, arm_players, first, games)
            apart = np.full(games, NEVER)
            first_difference(rows_a, rows_b, columns, first, apart)
            add_differences(
                seats_a, rows_a, seats_b, rows_b, card, columns, in_play, apart, plan.players, plan.block_games,
                first, sums[place], counts[place],
            )  # fmt: skip
    return sums, counts


def event_columns(game: Game) -> tuple[Array, Array]:
    """Columns of a card row that hold a turn, int64, and which of them put the card in play, bool."""
    names = [name for name, _ in game.card_columns]
    columns = [COLUMNS_BEFORE + names.index(event.column) for event in game.card_table.events]
    return np.array(columns), np.array([event.in_play for event in game.card_table.events])


@kernel
def first_difference(rows_a: Array, rows_b: Array, columns: Array, first: int, apart: Array) -> None:
    """Note for each game the first turn in which something else became of a card in the two arms.

    Both tables are in the order of games, seats and cards; a row that only one of them has differs where it holds a
    turn. `apart` has shape (games,) and begins with `NEVER`.
    """
    a = 0
    b = 0
    while a < len(rows_a) or b < len(rows_b):
        order = 0  # which comes first: -1 the row of A, 1 that of B, 0 both are of the same card
        if a == len(rows_a):
            order = 1
        elif b == len(rows_b):
            order = -1
        else:
            for column in range(COLUMNS_BEFORE):
                if rows_a[a, column] != rows_b[b, column]:
                    order = -1 if rows_a[a, column] < rows_b[b, column] else 1
                    break
        game = (rows_a[a, 0] if order <= 0 else rows_b[b, 0]) - first
        for column in columns:
            turn_a = rows_a[a, column] if order <= 0 else 0
            turn_b = rows_b[b, column] if order >= 0 else 0
            if turn_a != turn_b:
                if turn_a > 0:
                    apart[game] = min(apart[game], turn_a)
                if turn_b > 0:
                    apart[game] = min(apart[game], turn_b)
        a += int(order <= 0)
        b += int(order >= 0)


@kernel
def turn_in_play(row: Array, columns: Array, in_play: Array) -> int:
    """Turn in which a card row came into play; 0 if never."""
    turn = 0
    for event in range(len(columns)):
        if in_play[event] and row[columns[event]] > 0 and (turn == 0 or row[columns[event]] < turn):
            turn = row[columns[event]]
    return turn


@kernel
def win_of(seats: Array, game: int, seat: int, players: int) -> float:
    """Win of a seat in units of 1/UNIT: a win shared by two counts half."""
    if seats[game * players + seat, RANK] != 1:
        return 0.0
    winners = 0
    for other in range(players):
        winners += int(seats[game * players + other, RANK] == 1)
    return float(UNIT // winners)


@kernel
def turns_in_play(
    rows: Array, card: int, columns: Array, in_play: Array, players: int, first: int, turns: Array
) -> int:
    """Note the turn in which a card came into play for each seat, shape (games * players,); return how many had it."""
    had = 0
    for row in range(len(rows)):
        if rows[row, 2] == card:
            had += 1
            turns[(rows[row, 0] - first) * players + rows[row, 1]] = turn_in_play(rows[row], columns, in_play)
    return had


@kernel
def add_differences(
    seats_a: Array, rows_a: Array, seats_b: Array, rows_b: Array, card: int, columns: Array, in_play: Array,
    apart: Array, players: int, block_games: int, first: int, sums: Array, counts: Array,
) -> None:  # fmt: skip
    """Add what a stretch says of one card to the sums over blocks (2, SUMS) and the counts (COUNTS).

    A seat counts if it put the card in play in either arm: in the first row of `sums` only if it did so no later than
    in the turn in which the arms parted.
    """
    turns_a = np.zeros(len(seats_a), np.int64)
    turns_b = np.zeros(len(seats_b), np.int64)
    counts[0] += turns_in_play(rows_a, card, columns, in_play, players, first, turns_a)
    counts[1] += turns_in_play(rows_b, card, columns, in_play, players, first, turns_b)
    counts[2] += np.count_nonzero(turns_a)
    counts[3] += np.count_nonzero(turns_b)
    block = np.zeros((2, 4))  # seats, difference of wins, of scores, wins in A
    for game in range(len(apart)):
        if game > 0 and (first + game) % block_games == 0:
            close_block(block, sums)
        for seat in range(players):
            place = game * players + seat
            turn = turns_a[place]
            if turn == 0 or 0 < turns_b[place] < turn:
                turn = turns_b[place]
            if turn == 0:
                continue
            win = win_of(seats_a, game, seat, players)
            change = win - win_of(seats_b, game, seat, players)
            scores = seats_a[place, SCORE] - seats_b[place, SCORE]
            for group in range(2):
                if group == ALL or turn <= apart[game]:
                    block[group, 0] += 1.0
                    block[group, 1] += change
                    block[group, 2] += scores
                    block[group, 3] += win
    close_block(block, sums)


@kernel
def close_block(block: Array, sums: Array) -> None:
    """Add a block's sums to those over blocks, in the order of `SUMS`, and set them to 0."""
    for group in range(2):
        n, d, s, w = block[group]
        if n > 0.0:
            add_block(sums[group], n, d, 0.0, s, 0.0, 0.0)
            sums[group, DIFFERING] += 1.0 if d != 0.0 else 0.0
            sums[group, WON] += w
        block[group, :] = 0.0


def effects_frame(names: Sequence[str], sums: Array, counts: Array, removed: bool = True) -> pl.DataFrame:
    """Worth of every card with interval and test; the rows together are one family for Holm's correction.

    With D the wins in arm A minus those in arm B of the N seats chosen in a block, worth = sum(D) / sum(N), a ratio
    over blocks with the error and the test of `reports.statistics.winshare`.

    Parameters
    ----------
    names
        Cards, shape (cards,).
    sums
        Shape (cards, 2, SUMS); wins in units of 1/UNIT.
    counts
        Shape (cards, COUNTS).
    removed
        Whether effects were taken away: worth is A - B. Otherwise it is what the change brings: B - A.

    Returns
    -------
    Sorted by worth, best first: `card`, `games` (seat-games compared), `blocks`; `worth` as a fraction of a win with
    `low`, `high`, `error`, `p`, `p_holm`, `mde`, `flag` ("strong": those who build the card win more by it), the same
    in points of score as `score`, `score_low`, `score_high`; `win_share` of the seats as printed; `built` and
    `built_changed`, the shares of seats with the card before them that put it in play; `compared`, the share of its
    builders that the figures are of; `worth_all` with limits for all of them (see the module); `note`, a word why
    something is null.
    """
    sign = 1.0 if removed else -1.0
    alike, everybody = (ratios(sums[:, group], sign) for group in (ALIKE, ALL))
    p = alike["p"]
    flag = np.where(holm(p) < ALPHA, np.where(alike["worth"] > 0, "strong", "weak"), "")
    n, blocks = (sums[:, ALIKE, SUMS.index(name)] for name in ("N", "blocks"))
    differing, won = sums[:, ALIKE, DIFFERING], sums[:, ALIKE, WON]
    built = counts[:, 2] + counts[:, 3]
    cases = [counts[:, 0] == 0, built == 0, n == 0, blocks < 2, differing == 0, differing < FEWEST_BLOCKS]
    words = ["never dealt", "never in play", "never in play alike", "one block", "no win differs", "few blocks differ"]
    offered = blank_zero(counts[:, :2].astype(np.float64))
    columns = {
        "worth": alike["worth"], "low": alike["low"], "high": alike["high"], "error": alike["error"],
        "p": p, "p_holm": holm(p), "mde": alike["mde"],
        "score": alike["score"], "score_low": alike["score_low"], "score_high": alike["score_high"],
        "win_share": won / UNIT / blank_zero(n),
        "built": counts[:, 2] / offered[:, 0], "built_changed": counts[:, 3] / offered[:, 1],
        "compared": n / blank_zero(sums[:, ALL, SUMS.index("N")]),
        "worth_all": everybody["worth"], "worth_all_low": everybody["low"], "worth_all_high": everybody["high"],
    }  # fmt: skip
    frame = pl.DataFrame({
        "card": list(names), "games": n.astype(np.int64), "blocks": blocks.astype(np.int64),
        **{name: pl.Series(values, dtype=pl.Float64).fill_nan(None) for name, values in columns.items()},
        "flag": pl.Series(flag.astype(str), dtype=pl.String),
        "note": pl.Series(np.select(cases, words, "").astype(str), dtype=pl.String),
    })  # fmt: skip
    return frame.sort(["worth", "card"], descending=[True, False], nulls_last=True)


def ratios(sums: Array, sign: float) -> dict[str, Array]:
    """Worth in wins and in score with limits, error, p and MDE from sums over blocks of shape (cards, SUMS)."""
    m = dict(zip(SUMS, sums.T.astype(np.float64), strict=True))
    n, blocks = blank_zero(m["N"]), m["blocks"]
    wins = {"D": m["W"] / UNIT, "DD": m["DD"] / UNIT**2, "DN": m["DN"] / UNIT}
    reach = t_quantile(blocks, 1 - ALPHA / 2)
    sizes = {"blocks": blocks, "n": n, "nn": m["NN"]}
    worth, score = sign * wins["D"] / n, sign * m["S"] / n
    with np.errstate(invalid="ignore"):
        error = blank_zero(clustered_error(sign * worth, wins["DD"], wins["DN"], **sizes))
        score_error = blank_zero(clustered_error(sign * score, m["SS"], m["SN"], **sizes))
    known = np.where(np.isnan(n), 0.0, blocks)
    return {
        "worth": worth,
        "error": error,
        "low": np.maximum(worth - reach * error, -1.0),
        "high": np.minimum(worth + reach * error, 1.0),
        "p": score_test(wins["D"], wins["DD"], known),
        "mde": minimum_detectable_effect(error, blocks),
        "score": score,
        "score_low": score - reach * score_error,
        "score_high": score + reach * score_error,
    }


# ---- In words ----


def intervention_section(found: Intervention) -> Section:
    """Say what cards are worth to those who build them, with a table and a figure."""
    removed = is_removal(found.make)
    title = "What cards are worth" if removed else f"A card {changed_words(found.make)}"
    reading = (
        "Every deal was played as printed and again with the card changed, players knowing it. The seats that put "
        "the card in play in either game, while both were still the same move for move, are compared with themselves: "
        "neither wealth nor luck is mistaken for the card. The rest of the card stays (its kind, what it leads to); "
        "it changes for all seats at once. 'strong' means that those who play it win more by it."
    )
    columns = (
        Column("card", "card", "text"),
        Column("worth", "worth" if removed else "change", "edge", "low", "high",
               "points of win share that those who play the card owe to it" if removed
               else "points of win share that those who play the card gain by the change"),
        Column("flag", "flag", "flag"),
        Column("games", "games", "count", meaning="seat-games compared"),
        Column("built", "in play", "share", meaning="of the seats that had it before them, as printed"),
        Column("built_changed", "changed", "share", meaning="the same after the change"),
        Column("score", "score", "number", "score_low", "score_high", "the same in points of score"),
        Column("compared", "compared", "share", meaning="share of those who play it that the figures are of"),
        Column("p_holm", "p", "p", meaning="chance of so wide a difference by luck alone, corrected for all rows"),
        Column("note", "note", "text"),
    )  # fmt: skip
    known = found.frame.filter(pl.col("low").is_not_null())
    pictures: tuple[Picture, ...] = ()
    if known.height:
        label = (
            "points of win share it brings those who play it" if removed else "points of win share the change brings"
        )
        pictures = (
            Picture("intervention", lambda ax=None: draw_effects(known, "worth", label, ax),
                    f"{title}: {', '.join(effect_words(row) for row in known.head(3).to_dicts())}."),
        )  # fmt: skip
    listing = Listing("intervention", title, found.frame, columns, note=unknown_words(found.frame))
    return Section("intervention", title, tuple(sentences(found, known)), (listing,), pictures, reading)


def sentences(found: Intervention, known: pl.DataFrame) -> Iterator[str]:
    """What was found, most important first."""
    removed = is_removal(found.make)
    plan = found.plan
    who = ", ".join(strategy.name for strategy in plan.strategies)
    base = f"{counted(found.games, 'game')} of {plan.players} players ({who}), seed {plan.seed}, each played as printed"
    if known.height == 0:
        yield "Nothing can be said: no card was put in play in two blocks with different outcomes. Play more games."
    strong, weak = (known.filter(pl.col("flag") == flag) for flag in ("strong", "weak"))
    if strong.height:
        best = ", ".join(effect_words(row) for row in strong.head(3).to_dicts())
        lead = "Worth most to those who play them" if removed else "Those who play them gain most by the change"
        yield f"{lead}: {best}."
    if weak.height:
        worst = ", ".join(effect_words(row) for row in weak.tail(3).reverse().to_dicts())
        lead = "Worth less than nothing" if removed else "Those who play them lose most by the change"
        yield f"{lead}: {worst}."
    quiet = known.height - strong.height - weak.height
    if quiet:
        calm = known.filter(pl.col("flag") == "")
        error, blocks = (calm[name].to_numpy().astype(np.float64) for name in ("error", "blocks"))
        found_mostly = minimum_detectable_effect(error, blocks, known.height)
        seen = found_mostly[np.isfinite(found_mostly)]
        reach = f"; one of {100 * np.median(seen):.1f} points would have been, four times in five" if len(seen) else ""
        yield f"{counted(quiet, 'card')}: no difference was found{reach}."
    yield f"{base} and again with {'the card' if found.frame.height == 1 else 'each card'} {changed_words(found.make)}."


def changed_words(make: str) -> str:
    """What was done to a card: 'without its effects'."""
    return {"none": "without its effects", "free": "without its cost"}.get(make.strip().casefold(), f"made {make}")


def effect_words(row: dict[str, Any]) -> str:
    """A card with its worth: 'Loom (1) +2.1 ± 0.4 points'."""
    edge = {"edge": row["worth"], "edge_low": row["low"], "edge_high": row["high"]}
    return f"{row['card']} {edge_words(edge)}"


def unknown_words(frame: pl.DataFrame) -> str:
    """Say which cards nobody had or built, and how many builders could be compared."""
    unknown = frame.filter(pl.col("low").is_null())
    compared = frame["compared"].drop_nulls()
    said = f"Unknown for {count(unknown.height)} of {counted(frame.height, 'card')}." if unknown.height else ""
    if len(compared):
        said = f"{said} Of those who play them, compared: {percent(float(compared.to_numpy().mean()), 0)} on average."
    return said.strip()
