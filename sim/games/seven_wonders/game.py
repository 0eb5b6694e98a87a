"""7 Wonders as the rest of the program sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sim.compiler.kernel import Record
from sim.data.catalog import CERTAINTIES
from sim.data.changes import Change
from sim.data.load_once import read_once
from sim.game import Data, Faction, FactionPart, Game, PieceEvent, Pieces, PiecesInFiles, Variant
from sim.games.seven_wonders.data.catalog import FILES, FOLDER, load_catalog
from sim.games.seven_wonders.data.compile import build_tables
from sim.games.seven_wonders.io.narrate import tell as tell_turns
from sim.games.seven_wonders.io.narrate import tell_header
from sim.games.seven_wonders.rules.constants import DECISIONS
from sim.games.seven_wonders.rules.determinize import redeal
from sim.games.seven_wonders.rules.play import CARD_COLUMNS, MEASURES, write_measures, write_pieces
from sim.games.seven_wonders.rules.scoring import CHECKPOINTS, SCORE_PARTS, score_game
from sim.games.seven_wonders.rules.setup import set_up
from sim.games.seven_wonders.rules.state import CITY_FULL, MAX_CITY_CARDS, STATE
from sim.games.seven_wonders.rules.tables import MAX_CARDS, TABLES
from sim.games.seven_wonders.rules.turns import play_step


@read_once(FOLDER)
def load(settings: Mapping[str, object], changes: Sequence[Change] = ()) -> Data:
    """Read the cards, boards and settings of 7 Wonders, with changes to what the files say.

    Raises
    ------
    UserError
        Anything is wrong in the files, the changes or the settings.
    """
    catalog = load_catalog(settings=settings, changes=changes)
    factions = tuple(
        Faction(f"{wonder.name} {wonder.side}", {"wonder": wonder.name, "side": wonder.side}, wonder.certainty)
        for wonder in catalog.wonders
    )
    rows = catalog.certainty
    return Data(
        tables=build_tables(catalog),
        factions=factions,
        pieces=tuple(f"{card.name} ({card.age})" for card in catalog.cards),
        settings=catalog.settings,
        certainty={level: rows["cards"][level] + rows["wonders"][level] for level in CERTAINTIES},
        settings_certainty={level: rows["settings"][level] for level in CERTAINTIES},
        digest=catalog.digest,
        catalog=catalog,
    )


def faction_values(data: Data, faction: int) -> Mapping[str, object]:
    """Fields of a board's row with the values they have where the row does not give them."""
    return {"coins_start": data.catalog.coins_start(data.catalog.wonders[faction])}


def boards(players: int) -> int:
    """Boards on the table: one for each player, and the Free City's with two."""
    return max(players, 3)


def tell(g: Record, data: Data, strategies: Sequence[str]) -> Sequence[str]:
    """Tell a finished game turn by turn in words, with who sits where ahead of it."""
    return [*tell_header(g, data.catalog, strategies), *tell_turns(g, data.tables, data.catalog, strategies)]


def card_place(data: Data, card: int) -> tuple[str, str]:
    """File and label of a card's row: that of "Loom (2)" is "Loom 2" in cards.toml."""
    return "cards.toml", data.pieces[card].replace("(", "").replace(")", "")


def without_effects(_: Data, __: int) -> Mapping[str, str]:
    """Fields that leave a card without effects."""
    return {"effects": "[{ vp = 0 }]"}


def without_price(_: Data, __: int) -> Mapping[str, str]:
    """Fields that leave a card without its price."""
    return {"cost": "{}"}


def faction_place(data: Data, faction: int) -> tuple[str, str]:
    """File and label of a board's row."""
    return "wonders.toml", data.factions[faction].name


def faction_parts(data: Data, faction: int) -> Sequence[FactionPart]:
    """Stages of a board."""
    file, row = faction_place(data, faction)
    stages = range(1, len(data.catalog.wonders[faction].stage) + 1)
    return [
        FactionPart(
            name=f"stage {stage}",
            file=file,
            row=f"{row}.stage.{stage}",
            nothing={"effects": "[{ vp = 0 }]"},
            free={"cost": "{}"},
            event=("stage_turn", stage),
        )
        for stage in stages
    ]


CARDS = Pieces(
    name="card",
    plural="cards",
    columns=CARD_COLUMNS,
    rows=MAX_CARDS,
    offered="offered",
    events=(
        PieceEvent("built_turn", "built", in_play=True),
        PieceEvent("stage_turn", "put below a stage"),
        PieceEvent("discard_turn", "discarded"),
    ),
    in_files=PiecesInFiles(place=card_place, nothing=without_effects, free=without_price),
)

GAME = Game(
    name="seven_wonders",
    title="7 Wonders",
    variants=(
        Variant("standard", (3, 4, 5, 6, 7), "3 to 7 players"),
        Variant("free-city", (2,), "2 players, who take turns in playing for the Free City"),
    ),
    faction_title="board",
    faction_attributes=("wonder", "side"),
    exclusive="wonder",
    touching=True,
    folder=FOLDER,
    files=FILES,
    faction_place=faction_place,
    faction_values=faction_values,
    faction_parts=faction_parts,
    boards=boards,
    score_parts=SCORE_PARTS,
    measures=MEASURES,
    checkpoints=CHECKPOINTS,
    end_reasons=("end of age III",),
    pieces=CARDS,
    state=STATE,
    tables=TABLES,
    load=load,
    set_up=set_up,
    play_step=play_step,
    redeal=redeal,
    score_game=score_game,
    decisions=DECISIONS,
    write_measures=write_measures,
    write_pieces=write_pieces,
    tell=tell,
    bench_lineups={
        "random": ("random",),
        "eight heuristics mixed": (
            "military",
            "science",
            "civil",
            "trade",
            "wonder",
            "guilds",
            "blocker",
            "balanced",
        ),
        "balanced": ("balanced",),
    },
    paired_attribute="side",
    errors={CITY_FULL: f"a city would have more than {MAX_CITY_CARDS} cards (city_cards of the record)"},
    view="sim.games.seven_wonders.io.view",
    laws="sim.games.seven_wonders.rules.invariants",
    tools={
        "inspect": "sim.games.seven_wonders.io.positions",
        "verify": "sim.games.seven_wonders.io.verify",
    },
)
