"""Imperium as the rest of the program sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sim.compiler.kernel import Record
from sim.data.catalog import CERTAINTIES
from sim.data.changes import Change
from sim.data.load_once import read_once
from sim.game import Data, Faction, FactionPart, Game, PieceEvent, Pieces, PiecesInFiles, Variant
from sim.games.imperium.data.catalog import FILES, FOLDER, load_catalog
from sim.games.imperium.data.compile import build_tables
from sim.games.imperium.io.narrate import tell as tell_turns
from sim.games.imperium.io.narrate import tell_header
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.determinize import redeal
from sim.games.imperium.rules.play import CARD_COLUMNS, CARD_ROWS, MEASURES, write_measures, write_pieces
from sim.games.imperium.rules.scoring import score_game
from sim.games.imperium.rules.setup import set_up
from sim.games.imperium.rules.state import DRAWN_FULL, STATE
from sim.games.imperium.rules.tables import TABLES
from sim.games.imperium.rules.turns import play_step


@read_once(FOLDER)
def load(settings: Mapping[str, object], changes: Sequence[Change] = ()) -> Data:
    """Read the cards, nations and settings of Imperium, with changes to what the files say.

    Raises
    ------
    UserError
        Anything is wrong in the files, the changes or the settings.
    """
    catalog = load_catalog(settings=settings, changes=changes)
    rows = catalog.certainty
    return Data(
        tables=build_tables(catalog),
        factions=tuple(
            Faction(f"{nation.name} {side}", {"nation": nation.name, "side": side, "box": nation.box}, nation.certainty)
            for nation in catalog.nations
            for side in "AB"
        ),
        pieces=catalog.card_names,
        settings=catalog.settings,
        certainty={level: rows["cards"][level] + rows["nations"][level] for level in CERTAINTIES},
        settings_certainty={level: rows["settings"][level] for level in CERTAINTIES},
        digest=catalog.digest,
        catalog=catalog,
    )


def faction_place(data: Data, faction: int) -> tuple[str, str]:
    """File and label of the row of a nation's power card."""
    return card_place(data, data.catalog.factions[faction])


def faction_values(_: Data, __: int) -> Mapping[str, object]:
    """Fields of a power card's row with the values they have where the row does not give them: none."""
    return {}


def card_place(data: Data, card: int) -> tuple[str, str]:
    """File and label of a card's row."""
    return data.catalog.files[card], data.catalog.label(card)


def without_effects(data: Data, card: int) -> Mapping[str, str]:
    """Fields that leave a card without effects; its points and icons stay."""
    row = data.catalog.cards[card]
    lists = {name: "[]" for name in ("play", "exhaust", "solstice", "passive") if getattr(row, name)}
    answers = {f"{name}.do": "[]" for name in ("react", "when") if getattr(row, name) is not None}
    return lists | answers or {"play": "[]"}


def faction_parts(data: Data, faction: int) -> Sequence[FactionPart]:
    """A nation's power card: its effects, and the points it counts."""
    file, row = faction_place(data, faction)
    power = data.catalog.factions[faction]
    points = {} if data.catalog.cards[power].vp_for is None else {"vp_for.per": "99"}
    effects = {name: value for name, value in without_effects(data, power).items() if not (points and name == "play")}
    return [FactionPart("power", file, row, {**points, **effects})]


def without_price(_: Data, __: int) -> Mapping[str, str]:
    """Fields that leave a card of a development area without its price."""
    return {"cost": "{}"}


def boards(players: int) -> int:
    """Nations on the table."""
    return players


def tell(g: Record, data: Data, strategies: Sequence[str]) -> Sequence[str]:
    """Tell a finished game turn by turn in words, with who sits where ahead of it."""
    return [*tell_header(g, data.catalog, strategies), *tell_turns(g, data.tables, data.catalog, strategies)]


CARDS = Pieces(
    name="card",
    plural="cards",
    columns=CARD_COLUMNS,
    rows=CARD_ROWS,
    offered="offered",
    events=(
        PieceEvent("played_round", "played", in_play=True),
        PieceEvent("developed_round", "developed"),
        PieceEvent("history_round", "put into history"),
        PieceEvent("garrison_round", "garrisoned"),
        PieceEvent("lost_round", "lost", taken=False),
    ),
    in_files=PiecesInFiles(place=card_place, nothing=without_effects, free=without_price),
)

GAME = Game(
    name="imperium",
    title="Imperium",
    variants=(
        Variant("classics", (2, 3, 4), "2 to 4 players with the common cards of Classics"),
        Variant("legends", (2, 3, 4), "2 to 4 players with the common cards of Legends"),
    ),
    faction_title="nation side",
    faction_attributes=("nation", "side", "box"),
    exclusive="nation",
    folder=FOLDER,
    files=FILES,
    faction_place=faction_place,
    faction_values=faction_values,
    faction_parts=faction_parts,
    number_words=constants.NUMBER_WORDS,
    boards=boards,
    score_parts=constants.SCORE_PARTS,
    measures=MEASURES,
    checkpoints=(),
    event_rounds=("empire_round",),
    end_reasons=constants.END_REASONS,
    pieces=CARDS,
    state=STATE,
    tables=TABLES,
    load=load,
    set_up=set_up,
    play_step=play_step,
    redeal=redeal,
    score_game=score_game,
    decisions=constants.DECISIONS,
    write_measures=write_measures,
    write_pieces=write_pieces,
    tell=tell,
    bench_lineups={
        "random": ("random",),
        "seven heuristics mixed": (
            "empire-rush",
            "conquest",
            "history",
            "fame",
            "unrest-attack",
            "market",
            "balanced",
        ),
        "balanced": ("balanced",),
    },
    compile_seconds=45,
    paired_attribute="side",
    errors={DRAWN_FULL: f"an effect remembers more than {constants.DRAWN_CARDS} drawn cards (frame of the record)"},
    view="sim.games.imperium.io.view",
    laws="sim.games.imperium.rules.invariants",
    tools={"inspect": "sim.games.imperium.io.positions"},
)
