"""Goofspiel as the rest of the program sees it: its table, how a game is told, and what it declares."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from pydantic import Field

from docs.examples.goofspiel import turns
from docs.examples.goofspiel.about import TITLE, VARIANTS
from sim.engine.api import (
    Certainty,
    Change,
    Data,
    GameSpec,
    Kind,
    Record,
    Row,
    certainty_shares,
    digest,
    read_changed,
    read_once,
    resolve_settings,
    validate_row,
)

FILE = Path(__file__).with_name("rules.toml")


class Suit(Row):
    """The one table of rules.toml."""

    certainty: Certainty
    ranks: list[str] = Field(min_length=2, max_length=turns.RANKS)
    tied_prizes_wait: bool


FILES = {FILE.name: {"suit": Kind(Suit)}}


@read_once(FILE.parent)
def load(settings: Mapping[str, object], changes: Sequence[Change] = ()) -> Data:
    """Read the table, with changes to what the file says; there are no settings."""
    resolve_settings([], settings, {}, "goofspiel")
    suit = validate_row(FILE, read_changed(FILE, FILES[FILE.name], changes)["suit"], Suit, "suit")
    t = np.array([(len(suit.ranks), suit.tied_prizes_wait)], turns.TABLES)
    t.flags.writeable = False
    return Data(tables=t[0], certainty=certainty_shares([suit]), digest=digest(suit.model_dump()), catalog=suit)


def narrate(g: Record, data: Data, strategies: Sequence[str]) -> list[str]:
    """Tell a finished game, a line for each bid."""
    return [
        f"{data.catalog.ranks[prize]}: seat {seat} ({strategies[g.strategy[seat]]}) "
        f"bids {data.catalog.ranks[bid]}, wins {points}"
        for prize, seat, bid, points in g.log.rows[: g.log.row_count]
    ]


GAME = GameSpec(
    title=TITLE,
    variants=VARIANTS,
    files=FILES,
    score_parts=("prizes",),
    end_reasons=("all prizes turned up",),
    state=turns.STATE,
    tables=turns.TABLES,
    load=load,
    set_up=turns.set_up,
    play_step=turns.play_step,
    redeal=turns.redeal,
    score_game=turns.score_game,
    decisions=("bid",),
    narrate=narrate,
    default_strategies=("matching@2",),
)
