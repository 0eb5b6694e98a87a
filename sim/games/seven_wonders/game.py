"""Declares 7 Wonders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sim.data.declarations import Faction, PieceEvent
from sim.game import Data, FactionPart, GameSpec, JudgeFeatures, Pieces, PiecesInFiles, data_loader
from sim.games.seven_wonders.about import TITLE, VARIANTS
from sim.games.seven_wonders.data.catalog import FILES, FOLDER, Catalog, load_catalog
from sim.games.seven_wonders.data.compile import build_tables
from sim.games.seven_wonders.io.narrate import narrate
from sim.games.seven_wonders.rules import features
from sim.games.seven_wonders.rules.constants import DECISIONS
from sim.games.seven_wonders.rules.determinize import redeal
from sim.games.seven_wonders.rules.results import CARD_COLUMNS, MEASURES, write_measures, write_pieces
from sim.games.seven_wonders.rules.scoring import CHECKPOINTS, SCORE_PARTS, score_game
from sim.games.seven_wonders.rules.setup import set_up
from sim.games.seven_wonders.rules.state import CITY_FULL, MAX_CITY_CARDS, STATE
from sim.games.seven_wonders.rules.tables import MAX_CARDS, MAX_FACTIONS, MAX_NAMES, TABLES
from sim.games.seven_wonders.rules.turns import play_step


def list_factions(catalog: Catalog) -> Iterator[Faction]:
    """Yield both sides of every board."""
    for wonder in catalog.wonders:
        attributes = {"wonder": wonder.name, "side": wonder.side}
        yield Faction(name=f"{wonder.name} {wonder.side}", attributes=attributes, certainty=wonder.certainty)


def list_pieces(catalog: Catalog) -> list[str]:
    """Return every card with its age, such as "Loom (2)"."""
    return [f"{card.name} ({card.age})" for card in catalog.cards]


load = data_loader(FOLDER, load_catalog, build_tables, list_pieces, list_factions)


def faction_values(data: Data, faction: int) -> Mapping[str, object]:
    """Return the default values of fields that a board's row may leave out."""
    return {"coins_start": data.catalog.coins_start(data.catalog.wonders[faction])}


def boards(players: int) -> int:
    """Return the number of boards: one for each player and, in two-player games, one for the Free City."""
    return max(players, 3)


def card_place(data: Data, card: int) -> tuple[str, str]:
    """Return the file and the label of a card's row: cards.toml and "Loom 2" for "Loom (2)"."""
    return "cards.toml", data.pieces[card].replace("(", "").replace(")", "")


def without_effects(_: Data, __: int) -> Mapping[str, str]:
    """Return the fields, with new values, that remove a card's effects."""
    return {"effects": "[{ vp = 0 }]"}


def without_price(_: Data, __: int) -> Mapping[str, str]:
    """Return the fields, with new values, that remove a card's cost."""
    return {"cost": "{}"}


def faction_place(data: Data, faction: int) -> tuple[str, str]:
    """Return the file and the label of a board's row."""
    return "wonders.toml", data.factions[faction].name


def faction_parts(data: Data, faction: int) -> Sequence[FactionPart]:
    """Return the stages of a board."""
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


def name_features(data: Data) -> tuple[str, ...]:
    """Return the names of all features in the order of their indices. They also identify the judge's weights."""
    boards = padded((faction.name for faction in data.factions), MAX_FACTIONS)
    names = padded(data.catalog.names, MAX_NAMES)
    cards = padded(data.pieces, MAX_CARDS)
    return (
        *features.COUNTS,
        *(f"turn {turn}" for turn in range(1, features.TURNS + 1)),
        *(f"board: {board}, {stages} stages" for board in boards for stages in range(features.STAGES)),
        *(f"built: {name}" for name in names),
        *(f"in hand: {card}" for card in cards),
        *(f"payable in hand: {card}" for card in cards),
    )


def padded(names: Iterable[str], most: int) -> list[str]:
    """Return `names`, filled up to `most` entries with "unused 1", "unused 2" and so on."""
    given = list(names)
    return [*given, *(f"unused {number}" for number in range(1, most - len(given) + 1))]


CARDS = Pieces(
    name="card",
    plural="cards",
    columns=CARD_COLUMNS,
    rows=MAX_CARDS,
    offered="offered",
    events=(
        PieceEvent(column="built_turn", title="built", in_play=True),
        PieceEvent(column="stage_turn", title="put below a stage"),
        PieceEvent(column="discard_turn", title="discarded"),
    ),
    in_files=PiecesInFiles(place=card_place, nothing=without_effects, free=without_price),
)

GAME = GameSpec(
    title=TITLE,
    variants=VARIANTS,
    faction_title="board",
    faction_attributes=("wonder", "side"),
    exclusive="wonder",
    touching=True,
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
    judge=JudgeFeatures(
        describe_seat=features.describe_seat,
        max_features=features.MAX_FEATURES,
        name_features=name_features,
        phase_of=features.phase_of,
        phases=features.PHASES,
        may_stop=features.may_stop,
        roles="neighbours",
    ),
    decisions=DECISIONS,
    write_measures=write_measures,
    write_pieces=write_pieces,
    narrate=narrate,
    bench_lineups={
        "random": ("random",),
        "eight heuristics mixed": ("military", "science", "civil", "trade", "wonder", "guilds", "blocker", "balanced"),
        "balanced": ("balanced",),
    },
    compile_seconds=17,
    paired_attribute="side",
    errors={CITY_FULL: f"a city would have more than {MAX_CITY_CARDS} cards (city_cards of the record)"},
    tools={"inspect": "sim.games.seven_wonders.io.positions", "verify": "sim.games.seven_wonders.io.verify"},
)
