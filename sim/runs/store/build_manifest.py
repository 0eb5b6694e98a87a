"""Builds the part of a manifest that follows from the plans of a run."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import version
from typing import Any

from sim.data.game_files import setting_rows
from sim.game import Data, DeclaredTally, Pieces
from sim.games.plain.content import numbers_by_place
from sim.players.batch import sources_digest
from sim.players.find_strategies import code_digest
from sim.players.judge_files import judges_digest
from sim.runs.shards import Group, Stretch
from sim.runs.store.manifest import (
    FORMAT,
    SEAT_TABLE,
    CountEntry,
    DeckEntry,
    OtherReadingEntry,
    PicksEntry,
    PlannedRun,
    PlayerEntry,
    StretchEntry,
    TallyEntry,
    WholeEntry,
)


def planned_run(groups: Sequence[Group], command: str, stretch: Stretch | None = None) -> PlannedRun:
    """Return the part of a manifest that follows from the plans of a run, or of one stretch of a longer run."""
    plan = groups[0].plan
    game, pieces = plan.game, plan.game.pieces
    # The plan declares wider types than `PlannedRun`, and `PlannedRun` checks the values.
    assign: Any = plan.assign
    settings: Any = dict(plan.data.settings)
    return PlannedRun(
        format=FORMAT,
        game=game.name,
        title=game.title,
        **dict(sizes_of(groups)),
        seed=plan.seed,
        assign=assign,
        detail=pieces.plural if pieces is not None and plan.keeps_pieces else SEAT_TABLE,
        command=command,
        strategies=[
            PlayerEntry(
                name=strategy.name,
                base=strategy.script.name,
                description=strategy.description,
                temperature=strategy.temperature,
                weights=dict(strategy.weights),
                source=strategy.source,
                code=code_digest(strategy.source)
                or judges_digest(strategy.search, [each.plan.players for each in groups], plan.data.digest),
                search=strategy.search,
            )
            for strategy in plan.strategies
        ],
        lineup=[plan.strategies[number].name for number in plan.lineup],
        factions=list(plan.data.factions),
        factions_dealt=[plan.data.factions[number].name for number in plan.factions],
        faction_title=game.faction_title,
        faction_attributes=list(game.faction_attributes),
        exclusive=game.exclusive,
        paired_attribute=game.paired_attribute,
        starting_place=game.starting_place,
        score_parts=list(game.score_parts),
        measures=list(game.measures),
        checkpoints=list(game.checkpoints),
        event_rounds=list(game.event_rounds),
        end_reasons=list(game.end_reasons),
        piece="" if pieces is None else pieces.name,
        pieces_offered="" if pieces is None else pieces.offered,
        pieces_changeable=pieces is not None and pieces.in_files is not None,
        picks=picks_entry(pieces, plan.data),
        tallies=[tally_entry(tally, plan.data) for tally in game.tallies if plan.keeps_pieces],
        circumstances=list(game.circumstances),
        piece_events=[] if pieces is None else list(pieces.events),
        settings=settings,
        changes=list(plan.changes),
        decks=[DeckEntry(file=addition.file.name, text=addition.text) for addition in game.added],
        certainty=dict(plan.data.certainty),
        settings_certainty=dict(plan.data.settings_certainty),
        other_readings=list(known_readings(groups)),
        numbers={} if game.plain is None else numbers_by_place(plan.data.catalog),
        tables=plan.data.digest,
        sources=sources_digest(plan),
        versions=dict(installed_versions()),
        stretch=None
        if stretch is None
        else StretchEntry(
            first_game=stretch.first,
            stop_game=stretch.stop,
            first_block=stretch.first_block,
            whole=sizes_of(stretch.whole),
        ),
    )


@cache
def installed_versions() -> dict[str, str]:
    """Return the versions of empirelab, of Python, and of the packages that play games and write files."""
    packages = ("empirelab", "numba", "numpy", "polars")
    return {name: version(name) for name in packages} | {"python": platform.python_version()}


def sizes_of(groups: Sequence[Group]) -> WholeEntry:
    """Return the size of a run: its games, blocks, numbers of players and variants."""
    games, blocks = sum(group.games for group in groups), sum(group.blocks for group in groups)
    counts = list(dict.fromkeys(group.plan.players for group in groups))
    variants = list(dict.fromkeys(group.plan.variant for group in groups))
    return WholeEntry(
        variant=" and ".join(variants),
        variants=variants,
        players=counts[0] if len(counts) == 1 else counts,
        games=games,
        blocks=blocks,
        block_games=groups[0].plan.block_games if len(groups) == 1 else max(1, round(games / blocks)),
        player_counts=[describe_group(group) for group in groups],
        factions_fixed=all(group.plan.factions_fixed for group in groups),
    )


def known_readings(groups: Sequence[Group]) -> Iterator[OtherReadingEntry]:
    """Yield measured effects of interpreting ambiguous rules differently than in a run.

    Such an interpretation ("reading") is a value of a setting. The effects were measured on games like the run's. If
    the run does not play the default reading but the measured one, the default is yielded with the effect's sign
    reversed.
    """
    plan = groups[0].plan
    tables = [(group.plan.players, set(group.plan.variant.split("+"))) for group in groups]
    for row in setting_rows(plan.game.folder, plan.game.files):
        played: Any = plan.data.settings[row.name]
        for found in row.measured if row.certainty != "confirmed" else ():
            parts = set(found.variant.split("+"))
            alike = any(players in found.players and parts <= variant for players, variant in tables)
            if alike and played in (row.value, found.value):
                turned = played == found.value
                sign = -1 if turned else 1
                low, high = sorted((sign * found.low, sign * found.high))
                yield OtherReadingEntry(
                    setting=row.name,
                    played=played,
                    other=row.value if turned else found.value,
                    moves=found.moves,
                    points=sign * found.points,
                    low=low,
                    high=high,
                    games=found.games,
                    strategies=found.strategies,
                    command=found.command,
                )


def tally_entry(tally: DeclaredTally, data: Data) -> TallyEntry:
    """Return the manifest's entry of a tally (counts that belong to no seat), with the tally's rows."""
    return TallyEntry(**{**dict(tally), "rows": list(tally.rows(data))})


def picks_entry(pieces: Pieces | None, data: Data) -> PicksEntry | None:
    """Return the manifest's entry of a game's picks (`sim.data.declarations.Picks`); None if the game has no picks.

    The entry lists the names of the pieces by kind.
    """
    if pieces is None or pieces.picks is None:
        return None
    kinds: dict[str, list[str]] = {}
    for name, kind in zip(data.pieces, pieces.picks.kinds(data), strict=True):
        kinds.setdefault(kind, []).append(name)
    return PicksEntry(**{**dict(pieces.picks), "kinds": kinds})


def describe_group(group: Group) -> CountEntry:
    """Return the manifest's entry of a group: its number of players, variant, and place in the run."""
    return CountEntry(
        players=group.plan.players,
        variant=group.plan.variant,
        games=group.games,
        first_game=group.first_game,
        blocks=group.blocks,
        first_block=group.first_block,
        first_deal=group.first_deal,
        block_games=group.plan.block_games,
        factions_fixed=group.plan.factions_fixed,
    )
