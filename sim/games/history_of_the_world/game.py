"""Declares History of the World."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter

from sim.data.declarations import Picks, PieceEvent
from sim.game import Data, GameSpec, JudgeFeatures, Pieces, PiecesInFiles, data_loader
from sim.games.history_of_the_world.about import TITLE, VARIANTS
from sim.games.history_of_the_world.data.catalog import FILES, FOLDER, load_catalog
from sim.games.history_of_the_world.data.compile import build_tables
from sim.games.history_of_the_world.data.tallies import TALLIES
from sim.games.history_of_the_world.io.narrate import narrate
from sim.games.history_of_the_world.rules import constants, features, results
from sim.games.history_of_the_world.rules.determinize import redeal
from sim.games.history_of_the_world.rules.outlook import PROSPECTS, evaluate_horizon
from sim.games.history_of_the_world.rules.scoring import finish
from sim.games.history_of_the_world.rules.setup import set_up
from sim.games.history_of_the_world.rules.state import STATE
from sim.games.history_of_the_world.rules.tables import TABLES
from sim.games.history_of_the_world.rules.turns import play_step

load = data_loader(FOLDER, load_catalog, build_tables, attrgetter("card_names"))


def card_kinds(data: Data) -> tuple[str, ...]:
    """Return the kind of every card: an empire or an event."""
    return ("empire",) * len(data.catalog.empires) + ("event",) * len(data.catalog.events)


def without_effects(data: Data, card: int) -> Mapping[str, str]:
    """Return the new values of fields, by name, that remove the ability of an empire or the effect of an event.

    A kingdom keeps one army per start land, because it cannot be founded without them.
    """
    row = data.catalog.cards[card]
    if data.catalog.card_kinds[card] != "kingdom":
        return {"effect": "[]"}
    fields = {field: "[]" for field in ("fleets", "caravans") if getattr(row, field)}
    fields |= {field: "false" for field in ("capital", "city", "marauder") if getattr(row, field)}
    return {"armies": str(len(row.start_lands)), **fields}


def name_features(data: Data) -> tuple[str, ...]:
    """Return the name of each feature: counts overall, counts by region, lands with an army, and cards."""
    catalog = data.catalog
    regions = (f"{what}: {region}" for what in features.IN_REGION for region in catalog.region_names)
    lands = (f"army in: {land}" for land in catalog.land_names)
    empires = (f"to come: {card}" for card in data.pieces[: len(catalog.empires)])
    events = (f"holds: {card}" for card in data.pieces[len(catalog.empires) :])
    return (*features.COUNTS, *regions, *lands, *empires, *events)


PICKS = Pieces(
    name="card",
    plural="cards",
    columns=results.PICK_COLUMNS,
    rows=results.PICK_ROWS,
    offered="offered",
    events=(
        PieceEvent(column="taken_epoch", title="taken", in_play=True),
        PieceEvent(column="played_epoch", title="played"),
    ),
    in_files=PiecesInFiles(nothing=without_effects),
    picks=Picks(
        period="epoch",
        kinds=card_kinds,
        start="start",
        taken="taken_epoch",
        draft_place="draft_place",
        turn_place="turn_place",
        later="later_tenths",
        later_parts=10,
        draft="by lot, the seat with the most points chooses its empire last",
        reading=(
            "In the first epoch lots decide on places in the draft; later who leads has more on the map and gains "
            "more, so that only the first epoch says what the order itself is worth. The empire decides on the place "
            "in the order of turns."
        ),
    ),
)

GAME = GameSpec(
    title=TITLE,
    variants=VARIANTS,
    files=FILES,
    score_parts=constants.SCORE_PARTS,
    measures=results.MEASURES,
    checkpoints=results.CHECKPOINTS,
    starting_place="start",
    end_reasons=constants.END_REASONS,
    pieces=PICKS,
    tallies=TALLIES,
    state=STATE,
    tables=TABLES,
    load=load,
    data_sets=tuple({"data": name} for name in constants.DATA_SETS),
    set_up=set_up,
    play_step=play_step,
    redeal=redeal,
    score_game=finish,
    evaluate_horizon=evaluate_horizon,
    prospects=PROSPECTS,
    judge=JudgeFeatures(
        describe_seat=features.describe_seat,
        max_features=features.MAX_FEATURES,
        name_features=name_features,
        phase_of=features.phase_of,
        phases=features.PHASES,
        may_stop=features.may_stop,
        clock=features.clock,
    ),
    decisions=constants.DECISIONS,
    write_measures=results.write_measures,
    write_pieces=results.write_pieces,
    write_tallies=results.write_tallies,
    narrate=narrate,
    bench_lineups={
        "random": ("random",),
        "six heuristics mixed": ("greedy", "expander", "controller", "raider", "fortifier", "balanced"),
        "balanced": ("balanced",),
    },
    compile_seconds=30,
    tools={"inspect": "sim.games.history_of_the_world.io.positions"},
)
