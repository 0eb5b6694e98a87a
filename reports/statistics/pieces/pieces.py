"""Frequencies and edges of the pieces of a run."""

from __future__ import annotations

import numpy as np
import polars as pl

from reports.data.piece_counts import OFFERED, PLAYED, PieceGames, piece_moments
from reports.statistics.core.jackknife import t_reach
from reports.statistics.core.win_rate import ALPHA, holm, win_rates
from reports.statistics.distributions import t_sf
from reports.statistics.pieces.piece_strength import PieceStrengths, points_of_share

TAKEN = "taken"
"""Column with the share of offered pieces that seats took. An event of this title gets no further column."""
OFTEN, SELDOM = "often", "seldom"
"""Flags of edges that are only observed. Flags of measured effects have other names."""


def pieces_frame(pieces: PieceGames, strengths: PieceStrengths | None) -> pl.DataFrame:
    """Return counts, plain edges and adjusted edges of every piece that was offered or in play.

    Returns
    -------
    Sorted by adjusted edge, best first; by plain edge if nothing is adjusted:
    the name of the piece, in a column that is named by the game's word for a piece ("card");
    `offered`, the seat-games in which it was offered;
    `taken`, and one column for each event (by its title), as shares of `offered`;
    `games`, the seat-games in which it was in play, `blocks`, and `turn`, the mean turn in which it came into play;
    `win_rate`, `edge`, `edge_low`, `edge_high`, `p`, `p_holm` and `plain_flag` of the seats that had it in play;
    the same of the seats that were offered it, as `offered_...`;
    `adjusted` with `adjusted_low` and `adjusted_high`: how much the piece raises the win rate of a seat among equals,
    compared with the pieces that come into play in the same turns;
    `p_adjusted`, `p_adjusted_holm` and `flag`;
    `note`, a word on why something is null.
    """
    noun = pieces.noun
    share = {
        event.title: pieces.became[place] / np.maximum(pieces.offered, 1)
        for place, event in enumerate(pieces.events)
        if event.title != TAKEN
    }
    plays = pieces.turns.sum(axis=1)
    turn = pieces.turns @ np.arange(pieces.turns.shape[1]) / np.maximum(plays, 1)
    seen = pieces.offered > 0
    counts = pl.DataFrame({
        noun: list(pieces.names), "offered": pieces.offered.astype(np.int64),
        **{name: pl.Series(np.where(seen, values, np.nan)).fill_nan(None)
           for name, values in {TAKEN: pieces.taken / np.maximum(pieces.offered, 1), **share}.items()},
        "turn": pl.Series(np.where(plays > 0, turn, np.nan)).fill_nan(None),
        **adjusted_columns(pieces, strengths),
    })  # fmt: skip
    played = plain_figures(pieces, PLAYED).rename({"flag": "plain_flag", "note": "played_note"})
    offered = plain_figures(pieces, OFFERED).drop("games", "blocks", "note")
    offered = offered.rename({name: f"offered_{name}" for name in offered.columns if name != noun})
    frame = counts.join(played, on=noun, how="left", maintain_order="left").join(
        offered, on=noun, how="left", maintain_order="left"
    )
    frame = frame.with_columns(pl.col("games", "blocks").fill_null(0), pl.col("plain_flag").fill_null(""))
    frame = frame.filter((pl.col("offered") > 0) | (pl.col("games") > 0)).with_columns(
        note=missing_note(strengths is None)
    )
    order = ["adjusted", "edge", noun] if strengths is not None else ["edge", "adjusted", noun]
    return frame.drop("played_note").sort(order, descending=[True, True, False], nulls_last=True)


def plain_figures(pieces: PieceGames, group: int) -> pl.DataFrame:
    """Return win rate and edge of the seats of one group, by piece; `group` is `PLAYED` or `OFFERED`."""
    names = ("games", "blocks", "win_rate", "edge", "edge_low", "edge_high", "p", "p_holm", "flag", "note")
    return win_rates(piece_moments(pieces, group), [pieces.noun]).select(pieces.noun, *names)


def adjusted_columns(pieces: PieceGames, strengths: PieceStrengths | None) -> dict[str, pl.Series]:
    """Return adjusted edges as win rates, with intervals, p-values and flags; null if unknown."""
    unknown = np.full(len(pieces.names), np.nan)
    adjusted, low, high, p = unknown, unknown, unknown, unknown
    if strengths is not None:
        fair = pieces.fair or 1 / float(pieces.seats.players.mean())
        reach = t_reach(strengths.blocks, 1 - ALPHA / 2) * strengths.error
        effects = strengths.effect, strengths.effect - reach, strengths.effect + reach
        adjusted, low, high = (points_of_share(effect, fair) for effect in effects)
        p = 2 * t_sf(np.abs(strengths.effect / strengths.error), strengths.blocks - 1)
    corrected = holm(p)
    flag = np.where(corrected < ALPHA, np.where(adjusted > 0, OFTEN, SELDOM), "")
    numbers = {
        "adjusted": adjusted, "adjusted_low": low, "adjusted_high": high, "p_adjusted": p, "p_adjusted_holm": corrected,
    }  # fmt: skip
    columns = {name: pl.Series(values).fill_nan(None) for name, values in numbers.items()}
    return {**columns, "flag": pl.Series(flag.astype(str), dtype=pl.String)}


def missing_note(nothing_fitted: bool) -> pl.Expr:
    """Return an expression for why a piece has no adjusted edge or no plain edge."""
    why = "run too small" if nothing_fitted else "too few games"
    return (
        pl.when(pl.col("games") == 0)
        .then(pl.lit("never in play"))
        .when(pl.col("played_note").fill_null("") != "")
        .then(pl.col("played_note"))
        .when(pl.col("adjusted_low").is_null())
        .then(pl.lit(why))
        .otherwise(pl.lit(""))
        .alias("note")
    )
