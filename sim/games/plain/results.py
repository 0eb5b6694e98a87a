"""Builds the result rows of a finished game (`playing.Playing`), like those of compiled games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sim.errors import UserError

MOST_ROUNDS = 255
"""Largest number of rounds that fits in the result columns."""


def lead(totals: Sequence[int], seat: int) -> float:
    """Return by how many points a seat leads the best other seat; in a solo game, return its points."""
    return float(totals[seat] - max((*totals[:seat], *totals[seat + 1 :]), default=0))


def seat_rows_of(playing: Any, state: Any) -> list[tuple[int, ...]]:
    """Return the seat rows of a finished game."""
    game, rules = playing.game, playing.rules
    parts = [playing.parts_of(state, seat) for seat in range(playing.players)]
    totals = [sum(each) for each in parts]
    ranks = playing.ranks(state, totals)
    rounds = playing.round_of(state) if playing.round_of is not None else -(-playing.steps // playing.players)
    if rounds > MOST_ROUNDS:
        raise UserError(f"{playing.which()} has too many rounds", file=playing.place("round"), field="round",
                        found=rounds, allowed=f"up to {MOST_ROUNDS}: write round(state)")  # fmt: skip
    reason = 0
    if rules.has("end_reason"):
        said = game.end_reason(state)
        if said not in game.end_reasons:
            raise UserError("unknown end reason", file=playing.place("end_reason"), field="end_reason",
                            found=said, allowed=game.end_reasons)  # fmt: skip
        reason = list(game.end_reasons).index(said)
    rows = []
    for seat in range(playing.players):
        more = measures_of(playing, state, seat) if game.measure_names else ()
        rows.append(
            (playing.number, playing.block, seat, playing.faction[seat], playing.strategy[seat], totals[seat],
             ranks[seat], rounds, reason, *parts[seat], *more, *(each[seat] for each in playing.kept))
        )  # fmt: skip
    return rows


def measures_of(playing: Any, state: Any, seat: int) -> Sequence[int]:
    """Return the measures of a seat; raise UserError if they do not match `measure_names`."""
    names, found = playing.game.measure_names, playing.game.measures(state, seat)
    if isinstance(found, Mapping):
        for name in found:
            if name not in names:
                raise UserError("unknown measure", file=playing.place("measures"), field="measures", found=name,
                                allowed=names)  # fmt: skip
        found = [found.get(name) for name in names]
    if len(found) != len(names) or not all(isinstance(each, int | np.integer) for each in found):
        raise UserError("measures must return one whole number for each name", file=playing.place("measures"),
                        field="measures", found=found, allowed=', '.join(names))  # fmt: skip
    return [int(each) for each in found]


def piece_rows_of(playing: Any, state: Any) -> list[tuple[int, ...]]:
    """Return the piece rows of a finished game."""
    names = {name: number for number, name in enumerate(playing.plan.data.pieces)}
    columns = {event: number for number, event in enumerate(("offered", *playing.game.piece_events))}
    rows: list[tuple[int, ...]] = []
    for seat in range(playing.players):
        found: dict[int, list[int]] = {}
        for name, event, turn in playing.game.pieces(state, seat):
            for said, known, what in ((name, names, playing.game.piece_word), (event, columns, "event")):
                if said not in known:
                    raise UserError(f"pieces names an unknown {what}", file=playing.place("pieces"), field="pieces",
                                    found=said, allowed=list(known))  # fmt: skip
            row = found.setdefault(names[name], [0] * len(columns))
            row[0] += event == "offered" or not row[0]
            if event != "offered" and not row[columns[event]]:
                row[columns[event]] = min(int(turn), MOST_ROUNDS)
        rows += [(playing.number, seat, piece, *found[piece]) for piece in sorted(found)]
    return rows
