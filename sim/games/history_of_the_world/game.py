"""History of the World as the rest of the program sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sim.data.catalog import CERTAINTIES
from sim.data.changes import Change
from sim.data.reading import read_once
from sim.game import Data, Game, PieceEvent, Pieces, Variant
from sim.games.history_of_the_world import words
from sim.games.history_of_the_world.catalog import FILES, FOLDER, load_catalog
from sim.games.history_of_the_world.compile import build_tables
from sim.games.history_of_the_world.play import (
    CHECKPOINTS,
    MEASURES,
    PICK_COLUMNS,
    PICK_ROWS,
    play_games,
    start_game,
)
from sim.games.history_of_the_world.redeal import redeal
from sim.games.history_of_the_world.state import STATE
from sim.games.history_of_the_world.tables import TABLES
from sim.games.history_of_the_world.told import tell
from sim.games.history_of_the_world.turns import play_on, play_step


@read_once(FOLDER)
def load(settings: Mapping[str, object], changes: Sequence[Change] = ()) -> Data:
    """Read the map, cards and settings of History of the World, with changes to what the files say.

    Raises
    ------
    UserError
        Anything is wrong in the files, the changes or the settings.
    """
    catalog = load_catalog(settings=settings, changes=changes)
    rows = catalog.certainty
    return Data(
        tables=build_tables(catalog),
        pieces=catalog.card_names,
        settings=catalog.settings,
        certainty={level: sum(rows[kind][level] for kind in rows if kind != "settings") for level in CERTAINTIES},
        settings_certainty={level: rows["settings"][level] for level in CERTAINTIES},
        digest=catalog.digest,
        catalog=catalog,
    )


PICKS = Pieces(
    name="card",
    plural="cards",
    columns=PICK_COLUMNS,
    rows=PICK_ROWS,
    offered="offered",
    events=(
        PieceEvent("taken_epoch", "taken", in_play=True),
        PieceEvent("played_epoch", "played"),
    ),
)

PLAYERS = (3, 4, 5, 6)

GAME = Game(
    name="history_of_the_world",
    title="History of the World",
    variants=(
        Variant("draft", PLAYERS, "3 to 6 players who draft events and empires"),
        Variant("classic", PLAYERS, "3 to 6 players with the classic card selection"),
    ),
    folder=FOLDER,
    files=FILES,
    score_parts=words.SCORE_PARTS,
    measures=MEASURES,
    checkpoints=CHECKPOINTS,
    end_reasons=words.END_REASONS,
    pieces=PICKS,
    state=STATE,
    tables=TABLES,
    load=load,
    data_sets=tuple({"data": name} for name in words.DATA_SETS),
    start_game=start_game,
    play_step=play_step,
    play_on=play_on,
    redeal=redeal,
    play_games=play_games,
    tell=tell,
    bench_lineups={
        "random": ("random",),
        "six heuristics mixed": ("greedy", "expander", "controller", "raider", "fortifier", "balanced"),
        "balanced": ("balanced",),
    },
    compile_seconds=25,
    tools={"inspect": "sim.games.history_of_the_world.positions"},
)
