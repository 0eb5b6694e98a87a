"""What a manifest says of a run before it is played: all that follows from its plans."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

from sim.data.settings import setting_rows
from sim.game import Data, Picks, Tally
from sim.players.batch import sources_digest
from sim.players.find_strategies import code_digest
from sim.players.strategy import Search
from sim.runs.shards import Group, Stretch
from sim.runs.store.manifest import (
    FORMAT,
    SEAT_TABLE,
    CircumstanceEntry,
    CountEntry,
    DeckEntry,
    EventEntry,
    FactionEntry,
    OtherReadingEntry,
    PicksEntry,
    PlannedRun,
    PlayerEntry,
    SearchEntry,
    StretchEntry,
    TallyEntry,
    TallyRowEntry,
    WholeEntry,
)


def describe(groups: Sequence[Group], command: str, stretch: Stretch | None = None) -> PlannedRun:
    """Say in the manifest what follows from the plans of a run, and which games of a longer one it has."""
    plan = groups[0].plan
    game, pieces = plan.game, plan.game.pieces
    # The model checks what the types of a plan leave open.
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
                code=code_digest(strategy.source),
                search=None if strategy.search is None else describe_search(strategy.search),
            )
            for strategy in plan.strategies
        ],
        lineup=[plan.strategies[number].name for number in plan.lineup],
        factions=[
            FactionEntry(name=faction.name, attributes=dict(faction.attributes), certainty=faction.certainty)
            for faction in plan.data.factions
        ],
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
        card_offered="" if pieces is None else pieces.offered,
        card_changeable=pieces is not None and pieces.in_files is not None,
        picks=None if pieces is None or pieces.picks is None else describe_picks(pieces.picks, plan.data),
        tallies=[describe_tally(tally, plan.data) for tally in game.tallies if plan.keeps_pieces],
        circumstances=[CircumstanceEntry(**asdict(entry)) for entry in game.circumstances],
        card_events=[] if pieces is None else [EventEntry(**asdict(event)) for event in pieces.events],
        settings=settings,
        changes=list(plan.changes),
        decks=[DeckEntry(file=addition.file.name, text=addition.text) for addition in game.added],
        certainty=dict(plan.data.certainty),
        settings_certainty=dict(plan.data.settings_certainty),
        other_readings=list(known_readings(groups)),
        tables=plan.data.digest,
        sources=sources_digest(plan),
        versions={name: version(name) for name in ("empirelab", "numba", "numpy", "polars")}
        | {"python": platform.python_version()},
        stretch=None
        if stretch is None
        else StretchEntry(
            first_game=stretch.first,
            stop_game=stretch.stop,
            first_block=stretch.first_block,
            whole=sizes_of(stretch.whole),
        ),
    )


def sizes_of(groups: Sequence[Group]) -> WholeEntry:
    """What the manifest says of how many games there are, of what kinds."""
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
    """Other readings of open points that were measured to move results of games such as those of a run.

    Where the run plays the other reading, what was measured is reversed.
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


def describe_search(search: Search) -> SearchEntry:
    """What the manifest says of how a strategy looks ahead."""
    return SearchEntry.model_validate(
        asdict(search) | {"decisions": list(search.decisions), "outlook": list(search.outlook)}
    )


def describe_tally(tally: Tally, data: Data) -> TallyEntry:
    """What the manifest says of a tally."""
    rows = [TallyRowEntry(name=row.name, values=dict(row.values), near=list(row.near)) for row in tally.rows(data)]
    return TallyEntry(
        name=tally.name,
        plural=tally.plural,
        shows=tally.shows,
        columns=list(tally.columns),
        parts=dict(tally.parts),
        rows=rows,
        reading=tally.reading,
    )


def describe_picks(picks: Picks, data: Data) -> PicksEntry:
    """What the manifest says of picks: their columns, and which pieces are of which kind."""
    kinds: dict[str, list[str]] = {}
    for name, kind in zip(data.pieces, picks.kinds(data), strict=True):
        kinds.setdefault(kind, []).append(name)
    columns = {name: value for name, value in asdict(picks).items() if name != "kinds"}
    return PicksEntry(kinds=kinds, **columns)


def describe_group(group: Group) -> CountEntry:
    """What the manifest says of the games with one number of players and one variant."""
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
