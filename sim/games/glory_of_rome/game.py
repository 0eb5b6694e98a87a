"""Declares The Glory of Rome."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter

from sim.data.declarations import Circumstance, Faction, PieceEvent
from sim.errors import UserError
from sim.game import Data, FactionPart, GameSpec, JudgeFeatures, Pieces, PiecesInFiles, data_loader
from sim.games.glory_of_rome.about import TITLE, VARIANTS
from sim.games.glory_of_rome.data.catalog import (
    CHARACTER_FILE,
    EVENT_FILE,
    FILES,
    FOLDER,
    MISSION_FILE,
    TRADE_FILE,
    Catalog,
    load_catalog,
)
from sim.games.glory_of_rome.data.compile import build_tables
from sim.games.glory_of_rome.data.models import Mission, TradeCard
from sim.games.glory_of_rome.io.narrate import narrate
from sim.games.glory_of_rome.rules import constants, features, results
from sim.games.glory_of_rome.rules.determinize import redeal
from sim.games.glory_of_rome.rules.scoring import finish
from sim.games.glory_of_rome.rules.setup import set_up
from sim.games.glory_of_rome.rules.state import HAND_FULL, HAND_PLACES, MISSION_PLACES, MISSIONS_FULL, STATE
from sim.games.glory_of_rome.rules.tables import TABLES
from sim.games.glory_of_rome.rules.turns import play_step


def list_factions(catalog: Catalog) -> Iterator[Faction]:
    """Yield all characters."""
    for character in catalog.characters:
        anchor = "with anchor card" if character.anchor else "without anchor card"
        yield Faction(name=character.name, attributes={"anchor": anchor}, certainty=character.certainty)


load = data_loader(FOLDER, load_catalog, build_tables, attrgetter("card_names"), list_factions)


def faction_place(data: Data, faction: int) -> tuple[str, str]:
    """Return the file that holds a character's row, and the label that identifies the row."""
    return CHARACTER_FILE, data.factions[faction].name


def faction_parts(data: Data, faction: int) -> Sequence[FactionPart]:
    """Return a character's bonuses on the discord track, and its anchor card if it has one."""
    file, row = faction_place(data, faction)
    character = data.catalog.characters[faction]
    bare = "[" + ", ".join(['"none"'] * len(character.track)) + "]"
    parts = [FactionPart("bonuses", file, row, {"track": bare})]
    return parts if not character.anchor else [*parts, FactionPart("anchor card", file, row, {"anchor": "false"})]


def without_effects(data: Data, card: int) -> Mapping[str, str]:
    """Return new values of fields, by name, that remove what a card brings.

    They remove the effect of a trade card, the points of a mission, or the reward of an event. A trade card still
    counts for sets, and an event keeps its direction and arrows.
    """
    row = data.catalog.cards[card]
    if isinstance(row, TradeCard):
        return {"effect": "{}"}
    return {"points": "0"} if isinstance(row, Mission) else {"reward": "{}"}


def without_price(data: Data, card: int) -> Mapping[str, str]:
    """Raise UserError, because no card of this game has a price."""
    message = "cards of The Glory of Rome have no price"
    raise UserError(message, field="make", found=data.pieces[card], allowed="none, or FIELD=VALUE")


def name_features(data: Data) -> tuple[str, ...]:
    """Return the name of each feature: counts, characters, trade cards in hand, and missions held."""
    catalog = data.catalog
    characters = (f"character: {character.name}" for character in data.factions)
    held = data.pieces[: len(catalog.trade_cards) + len(catalog.missions)]
    return (*features.COUNTS, *characters, *(f"holds: {card}" for card in held))


CARDS = Pieces(
    name="card",
    plural="cards",
    columns=results.CARD_COLUMNS,
    rows=results.CARD_ROWS,
    offered="drawn",
    events=(
        PieceEvent(column="taken_round", title="taken"),
        PieceEvent(column="played_round", title="played", in_play=True),
        PieceEvent(column="set_round", title="laid in a set", in_play=True),
        PieceEvent(column="sold_round", title="sold"),
        PieceEvent(column="lost_round", title="lost", taken=False),
        PieceEvent(column="fulfilled", title="fulfilled", in_play=True),
    ),
    in_files=PiecesInFiles(nothing=without_effects, free=without_price),
)

HEURISTICS = ("greedy", "military", "politics", "commerce", "religion", "builder", "intriguer", "balanced")

GAME = GameSpec(
    title=TITLE,
    variants=VARIANTS,
    faction_title="character",
    faction_attributes=("anchor",),
    files=FILES,
    files_without_lessons=(CHARACTER_FILE, TRADE_FILE, MISSION_FILE, EVENT_FILE),
    faction_place=faction_place,
    faction_parts=faction_parts,
    score_parts=constants.SCORE_PARTS,
    measures=results.MEASURES,
    checkpoints=results.CHECKPOINTS,
    end_reasons=constants.END_REASONS,
    errors={
        HAND_FULL: f"a hand would have more than {HAND_PLACES} trade cards",
        MISSIONS_FULL: f"a player would have more than {MISSION_PLACES} missions",
    },
    pieces=CARDS,
    state=STATE,
    tables=TABLES,
    load=load,
    set_up=set_up,
    play_step=play_step,
    redeal=redeal,
    score_game=finish,
    judge=JudgeFeatures(
        describe_seat=features.describe_seat,
        max_features=features.MAX_FEATURES,
        name_features=name_features,
        phase_of=features.phase_of,
        phases=features.PHASES,
        may_stop=features.may_stop,
    ),
    decisions=constants.DECISIONS,
    write_measures=results.write_measures,
    write_pieces=results.write_pieces,
    narrate=narrate,
    bench_lineups={"random": ("random",), "heuristics mixed": HEURISTICS, "balanced": ("balanced",)},
    compile_seconds=42,
    starting_place="starting_place",
    circumstances=(
        Circumstance(
            measure="clockwise_rounds",
            name="direction of play",
            unit="round clockwise",
            less="mostly counter-clockwise",
            more="mostly clockwise",
        ),
    ),
    tools={"inspect": "sim.games.glory_of_rome.io.positions"},
)
