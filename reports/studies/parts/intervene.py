"""Measures what a piece is worth to seats that build it, by playing deals as printed and again with the piece changed.

`reports/statistics/pieces/piece_effects.py` says which seats are compared, and why.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reports.formatting import plural, with_article
from reports.statistics.pieces.piece_effects import (
    COUNTS,
    NEVER,
    SUMS,
    Intervention,
    add_differences,
    effects_frame,
    find_first_differing_turns,
    is_removal,
)
from reports.studies.parts.own_judges import own_judges, train_missing, with_own_judges
from reports.studies.parts.parts import changes_by_way
from reports.studies.search.parameters import SETTING
from reports.studies.stretches import block_stretches, play_stretches
from sim.data.arguments import jobs_to_use
from sim.data.changes import parse_change, parse_path, with_later
from sim.data.lessons import LESSONS_FILE, OFF, WEIGHT
from sim.engine.result_rows import PIECE_KEYS
from sim.engine.script import Strategy
from sim.errors import UserError, nearest
from sim.game import Data, GameSpec, PiecesInFiles
from sim.players.batch import Plan, play
from sim.players.compile_players import players_of
from sim.runs.run import warm_up

PIECE_STRETCH_GAMES = 600
"""Approximate number of games that each worker holds in memory. It is fixed, so sums do not depend on the machine."""
Array = NDArray[Any]


def choose_pieces(game: GameSpec, data: Data, names: Sequence[str]) -> list[int]:
    """Return the ids of the pieces that match names: "Loom (2)", "Loom" for the Looms of all ages, or "all".

    Raises UserError if a name matches no piece. The error suggests the nearest name.
    """
    place, noun = rows_of_pieces(game).place, noun_of(game)
    short = [piece.partition(" (")[0] for piece in data.pieces]
    chosen: list[int] = []
    for name in names:
        query = name.strip().casefold()
        rows = [place(data, piece)[1] for piece in range(len(data.pieces))]
        labels = list(zip(data.pieces, rows, short, strict=True))
        result = [piece for piece, own in enumerate(labels) if query in ("all", *(label.casefold() for label in own))]
        if not result:
            near = nearest(query, [*short, *data.pieces])
            hint = "" if near is None else f"; did you mean {near!r}?"
            allowed = f"{with_article(noun)}'s name, or all{hint}"
            raise UserError(f"unknown {noun}", field="card", found=name, allowed=allowed)
        chosen.extend(piece for piece in result if piece not in chosen)
    return chosen


def rows_of_pieces(game: GameSpec) -> PiecesInFiles:
    """Return the table of a game's pieces in its files. Raise UserError if the files have no such table."""
    if game.pieces is None or game.pieces.in_files is None:
        raise UserError(f"{game.title} has no {plural(noun_of(game))} that could be changed")
    return game.pieces.in_files


def noun_of(game: GameSpec) -> str:
    """Return the game's word for a piece, or "piece" if it has no word."""
    return "piece" if game.pieces is None else game.pieces.name


def changes_for(game: GameSpec, data: Data, piece: int, make: str) -> list[str]:
    """Return the changes that make a piece what `make` says: "none", "half", "free", or FIELD=VALUE.

    Raises UserError if `make` is anything else, or if the piece cannot be changed in this way.
    """
    table = rows_of_pieces(game)
    file, row = table.place(data, piece)
    way = make.strip().casefold()
    if way == "free" and table.free is None:
        message = f"{plural(noun_of(game))} of {game.title} have no price"
        raise UserError(message, field="make", found=make, allowed="none, or FIELD=VALUE, such as armies=10")
    if way == "half":
        changes = changes_by_way(game, f"{file}#{row}", table.nothing(data, piece), {}).get("half", ())
        if not changes:
            message = f"the effects of {data.pieces[piece]} hold no number that could be halved"
            raise UserError(message, field="make", found=make, allowed="none, free, or FIELD=VALUE")
        return list(changes)
    if way == "none":
        fields = table.nothing(data, piece)
    elif way == "free" and table.free is not None:
        fields = table.free(data, piece)
    else:
        field, equals, value = make.partition("=")
        if not (equals and field.strip() and value.strip()):
            message = f"{with_article(noun_of(game))} is made none, half, free, or gets a field's value"
            raise UserError(message, field="make", found=make,
                            allowed="none, half, free, or FIELD=VALUE, such as effects=[{ vp = 5 }]")  # fmt: skip
        fields = {field.strip(): value.strip()}
    return [f"{file}#{row}.{field}={value}" for field, value in fields.items()]


def changed_plan(plan: Plan, changes: Sequence[str]) -> Plan:
    """Return a plan with changed data. A change replaces an earlier change of the same field."""
    texts = with_later(plan.changes, changes)
    # The plan's players already include the changes to strategies.
    of_data = [change for change in map(parse_change, texts) if change.file in plan.game.files]
    return replace(plan, data=plan.game.load(plan.data.settings, of_data), changes=texts)


def without_lessons(plan: Plan, paths: Sequence[str]) -> Plan:
    """Return a plan without lessons and with judges trained on its own game, if changes at `paths` may invalidate them.

    Otherwise, return the plan unchanged. See `lessons_off`.
    """
    off = lessons_to_drop([plan], plan.changes, paths)
    plan = replace(plan, strategies=untaught([plan], off), changes=(*plan.changes, *off))
    own = own_judges(plan, plan.changes, paths)
    return replace(with_own_judges(plan), changes=(*plan.changes, *own)) if own else plan


def untaught(plans: Sequence[Plan], off: Sequence[str]) -> tuple[Strategy, ...]:
    """Return the players of all plans in one tuple. Their lessons are switched off, unless `off` is empty."""
    return tuple(
        replace(player, weights={**player.weights, WEIGHT: 0.0}) if off and has_lessons(player) else player
        for plan in plans
        for player in plan.strategies
    )


def lessons_off(plans: Sequence[Plan], changes: Sequence[str], paths: Sequence[str]) -> list[str]:
    """Return `changes`, plus the changes that make a comparison of the runs fair.

    If the runs differ in data or settings on which lessons or judges depend, the added changes switch lessons off and
    give every player with a learned judge a judge trained on its own game (`own_judges`).

    `changes` are those of one of the runs. If one sets the weight of lessons or names a judge, that choice is kept.
    `paths` says what differs between the runs: changes, or paths such as `FILE#ROW.FIELD` or `set#NAME`.
    """
    off = lessons_to_drop(plans, changes, paths)
    return [*changes, *off, *own_judges(replace(plans[0], strategies=untaught(plans, off)), changes, paths)]


def lessons_to_drop(plans: Sequence[Plan], changes: Sequence[str], paths: Sequence[str]) -> list[str]:
    """Return changes that switch all lessons off, if what differs between the runs concerns lessons.

    Players learned their lessons from the printed game, so a comparison with a changed game is fair only without
    lessons. A lesson says how much more an option brings than its alternatives. If only the lessons on a changed card
    were dropped, that card would fall behind cards with lessons. So all lessons are switched off, unless one of the
    changes or of what differs between the runs (`paths`) sets their weight by hand.
    """
    if set_by_hand([*changes, *paths]) or not any(concerns_lessons(plans[0].game, path) for path in paths):
        return []
    players = [player for plan in plans for player in plan.strategies if has_lessons(player)]
    return [*dict.fromkeys(f"{Path(player.source).name}{OFF}" for player in players)]


def has_lessons(player: Strategy) -> bool:
    """Tell whether a player uses learned lessons. A Python script does not: its weights may mean anything."""
    return bool(player.weights.get(WEIGHT)) and player.source.endswith(".toml")


def set_by_hand(paths: Sequence[str]) -> bool:
    """Tell whether one of some changes, or of their paths, sets how much lessons weigh in a player's choices."""
    return any(re.split(r"[#.]", path.partition("=")[0].strip())[-1] == WEIGHT for path in paths)


def concerns_lessons(game: GameSpec, path: str) -> bool:
    """Tell whether a difference at `path` (a change, its path, or `set#NAME`) may invalidate learned lessons.

    Settings and most files of the game count. Files of players or lessons, and `files_without_lessons`, do not.
    """
    if path.startswith(SETTING):
        return True
    file, _ = parse_path(path.partition("=")[0])
    return file in game.files and file not in game.files_without_lessons and Path(file).name != LESSONS_FILE


def play_intervention(
    plan: Plan,
    games: int,
    pieces: Sequence[int],
    make: str = "none",
    *,
    jobs: int = -1,
    say: Callable[[str], None] = lambda text: None,
    progress: Callable[[int], None] = lambda games: None,
) -> Intervention:
    """Play games as printed and once more for each changed piece, and compare them seat by seat.

    Games are played and compared stretch by stretch in memory. Nothing is written.

    Parameters
    ----------
    plan
        The players, and what is dealt, without the changes of pieces.
    pieces
        Ids of the pieces. Each is changed in an arm of its own.
    make
        How each piece is changed, see `changes_for`.

    Raises
    ------
    UserError
        A piece cannot be changed in this way, `jobs` is not allowed, or a strategy fails.
    """
    workers = jobs_to_use(jobs)
    changes = [changes_for(plan.game, plan.data, piece, make) for piece in pieces]
    plan = without_lessons(plan, [text for own in changes for text in own])
    printed = replace(plan, keeps_pieces=True)
    arms = [changed_plan(printed, own) for own in changes]
    train_missing([printed, *arms], say, jobs)
    (players,) = warm_up([printed], say)
    armed = [(arm, players_of(arm)) for arm in arms]
    compare = partial(compare_stretch, printed, players, armed, pieces)
    stretches = block_stretches(plan, games, PIECE_STRETCH_GAMES)
    sums, counts = np.zeros((len(pieces), 2, len(SUMS))), np.zeros((len(pieces), len(COUNTS)), np.int64)

    def advance(played: int) -> None:
        progress(played * (1 + len(pieces)))

    with closing(play_stretches(compare, plan, stretches, workers, advance)) as results:
        for stretch_sums, stretch_counts in results:
            sums += stretch_sums
            counts += stretch_counts
    names = [plan.data.pieces[piece] for piece in pieces]
    frame = effects_frame(noun_of(plan.game), names, sums, counts, removed=is_removal(make))
    return Intervention(frame, noun_of(plan.game), make, plan, games)


def compare_stretch(
    plan: Plan, players: Any, arms: Sequence[Any], pieces: Sequence[int], first: int, games: int
) -> tuple[Array, Array]:
    """Play a stretch of whole blocks as printed and in every arm, and compare each arm with the printed game.

    Returns
    -------
    sums, counts
        `sums` are sums over blocks, shape (pieces, 2, SUMS). Index 0 of the second axis has the seats that put the
        piece in play before the arms diverged, and index 1 all seats that put it in play. `counts` has the shape
        (pieces, COUNTS).
    """
    columns, in_play = event_columns(plan.game)
    seats_a, rows_a = play(plan, players, first, games)
    sums, counts = np.zeros((len(pieces), 2, len(SUMS))), np.zeros((len(pieces), len(COUNTS)), np.int64)
    dealt = set(np.unique(rows_a[:, 2]).tolist())
    for place, (piece, (arm, arm_players)) in enumerate(zip(pieces, arms, strict=True)):
        if piece in dealt:  # a piece that was never dealt changes nothing, so its sums stay 0
            seats_b, rows_b = play(arm, arm_players, first, games)
            apart = np.full(games, NEVER)
            find_first_differing_turns(rows_a, rows_b, columns, first, apart)
            add_differences(
                seats_a, rows_a, seats_b, rows_b, piece, columns, in_play, apart, plan.players, plan.block_games,
                first, sums[place], counts[place],
            )  # fmt: skip
    return sums, counts


def event_columns(game: GameSpec) -> tuple[Array, Array]:
    """Return for each event of a piece its column in piece rows, and whether the event puts the piece in play."""
    assert game.pieces is not None, "what is changed is a piece"
    names = [name for name, _ in game.pieces.columns]
    columns = [PIECE_KEYS + names.index(event.column) for event in game.pieces.events]
    return np.array(columns), np.array([event.in_play for event in game.pieces.events])
