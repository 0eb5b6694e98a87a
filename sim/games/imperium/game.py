"""Declares Imperium."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter

from sim.data.declarations import Faction, PieceEvent
from sim.game import Data, FactionPart, GameSpec, JudgeFeatures, Pieces, PiecesInFiles, data_loader, piece_place
from sim.games.imperium.about import TITLE, VARIANTS
from sim.games.imperium.data.catalog import FILES, FOLDER, Catalog, load_catalog
from sim.games.imperium.data.compile import build_tables
from sim.games.imperium.io.narrate import narrate
from sim.games.imperium.rules import constants, features
from sim.games.imperium.rules.determinize import redeal
from sim.games.imperium.rules.results import CARD_COLUMNS, CARD_ROWS, MEASURES, write_measures, write_pieces
from sim.games.imperium.rules.scoring import score_game
from sim.games.imperium.rules.setup import set_up
from sim.games.imperium.rules.state import DRAWN_FULL, STATE
from sim.games.imperium.rules.tables import TABLES
from sim.games.imperium.rules.turns import play_step


def list_factions(catalog: Catalog) -> Iterator[Faction]:
    """Yield the factions: both sides of every nation."""
    for nation in catalog.nations:
        for side in "AB":
            attributes = {"nation": nation.name, "side": side, "box": nation.box}
            yield Faction(name=f"{nation.name} {side}", attributes=attributes, certainty=nation.certainty)


load = data_loader(FOLDER, load_catalog, build_tables, attrgetter("card_names"), list_factions)


def faction_place(data: Data, faction: int) -> tuple[str, str]:
    """Return the file and the label of the row with a nation's power card."""
    return piece_place(data, data.catalog.factions[faction])


def without_effects(data: Data, card: int) -> Mapping[str, str]:
    """Return the new TOML values, by field, that remove a card's effects. Its points and icons stay."""
    row = data.catalog.cards[card]
    lists = {name: "[]" for name in ("play", "exhaust", "solstice", "passive") if getattr(row, name)}
    answers = {f"{name}.do": "[]" for name in ("react", "when") if getattr(row, name) is not None}
    return lists | answers or {"play": "[]"}


def faction_parts(data: Data, faction: int) -> Sequence[FactionPart]:
    """Return a faction's only removable part: its power card, with values that remove effects and variable points."""
    file, row = faction_place(data, faction)
    power = data.catalog.factions[faction]
    points = {} if data.catalog.cards[power].vp_for is None else {"vp_for.per": "99"}
    effects = {name: value for name, value in without_effects(data, power).items() if not (points and name == "play")}
    return [FactionPart("power", file, row, {**points, **effects})]


def without_price(_: Data, __: int) -> Mapping[str, str]:
    """Return the new TOML values, by field, that remove the price of a development card."""
    return {"cost": "{}"}


def name_features(data: Data) -> tuple[str, ...]:
    """Return the name of each feature: one for each count, for each nation side, and for each card in each place."""
    nations = (f"nation: {faction.name}" for faction in data.factions)
    cards = (f"{place}: {card}" for place in features.PLACES for card in data.pieces)
    return (*features.COUNTS, *nations, *cards)


CARDS = Pieces(
    name="card",
    plural="cards",
    columns=CARD_COLUMNS,
    rows=CARD_ROWS,
    offered="offered",
    events=(
        PieceEvent(column="played_round", title="played", in_play=True),
        PieceEvent(column="developed_round", title="developed"),
        PieceEvent(column="history_round", title="put into history"),
        PieceEvent(column="garrison_round", title="garrisoned"),
        PieceEvent(column="lost_round", title="lost", taken=False),
    ),
    in_files=PiecesInFiles(nothing=without_effects, free=without_price),
)

GAME = GameSpec(
    title=TITLE,
    variants=VARIANTS,
    faction_title="nation side",
    faction_attributes=("nation", "side", "box"),
    exclusive="nation",
    files=FILES,
    faction_place=faction_place,
    faction_parts=faction_parts,
    number_words=constants.NUMBER_WORDS,
    score_parts=constants.SCORE_PARTS,
    measures=MEASURES,
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
    judge=JudgeFeatures(
        describe_seat=features.describe_seat,
        max_features=features.MAX_FEATURES,
        name_features=name_features,
        phase_of=features.phase_of,
        phases=features.PHASES,
        may_stop=features.may_stop,
    ),
    decisions=constants.DECISIONS,
    write_measures=write_measures,
    write_pieces=write_pieces,
    narrate=narrate,
    bench_lineups={
        "random": ("random",),
        "seven heuristics mixed": ("empire-rush", "conquest", "history", "fame", "unrest-attack", "market", "balanced"),
        "balanced": ("balanced",),
    },
    compile_seconds=45,
    paired_attribute="side",
    errors={DRAWN_FULL: f"an effect remembers more than {constants.DRAWN_CARDS} drawn cards (frame of the record)"},
    tools={"inspect": "sim.games.imperium.io.positions"},
)
