"""Declares Imperial Settlers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sim.data.declarations import Faction, PieceEvent
from sim.game import Data, FactionPart, GameSpec, JudgeFeatures, Pieces, PiecesInFiles, data_loader
from sim.games.imperial_settlers.about import TITLE, VARIANTS
from sim.games.imperial_settlers.data.catalog import FILES, FOLDER, Catalog, load_catalog
from sim.games.imperial_settlers.data.compile import build_tables
from sim.games.imperial_settlers.data.decks import DECK_FILE
from sim.games.imperial_settlers.io.narrate import narrate
from sim.games.imperial_settlers.rules import constants, features, results
from sim.games.imperial_settlers.rules.determinize import redeal
from sim.games.imperial_settlers.rules.scoring import finish
from sim.games.imperial_settlers.rules.setup import set_up
from sim.games.imperial_settlers.rules.state import STATE
from sim.games.imperial_settlers.rules.tables import TABLES
from sim.games.imperial_settlers.rules.turns import play_step

PRINTED_DECK = "printed"
"""Value of the attribute `deck` for a faction with its printed deck."""


def list_factions(catalog: Catalog) -> Iterator[Faction]:
    """Yield the factions with printed decks, then those with users' decks."""
    for number, deck in enumerate(catalog.decks):
        attributes = {
            "empire": catalog.decks[deck.empire].faction.name,
            "deck": PRINTED_DECK if number < len(constants.EMPIRES) else deck.faction.name,
        }
        yield Faction(name=deck.faction.name, attributes=attributes, certainty=deck.faction.certainty)


def list_pieces(catalog: Catalog) -> Sequence[str]:
    """Return the names of all cards that a player can have."""
    return catalog.names[: len(catalog.first_copies)]


load = data_loader(FOLDER, load_catalog, build_tables, list_pieces, list_factions)


def faction_place(data: Data, faction: int) -> tuple[str, str]:
    """Return the file and the label of the row that contains a faction's board or a user's deck."""
    deck = data.catalog.decks[faction]
    return deck.path.name, deck.row


def faction_values(data: Data, faction: int) -> Mapping[str, object]:
    """Return the default of each field that a faction's row may omit. For a user's deck, the mapping is empty."""
    return {"samurai": False, "cards_can_be_razed": False} if faction < len(constants.EMPIRES) else {}


def faction_parts(data: Data, faction: int) -> Sequence[FactionPart]:
    """Return the removable special rules of a printed faction: the goods that it stores in cleanup, and samurai."""
    if faction >= len(constants.EMPIRES):
        return []
    file, place = faction_place(data, faction)
    row = data.catalog.decks[faction].faction
    rules = {"stores": bool(row.stores), "samurai": row.samurai}
    off = {"stores": "[]", "samurai": "false"}
    names = {"stores": "what it stores", "samurai": "samurai"}
    return [FactionPart(names[rule], file, place, {rule: off[rule]}) for rule, has in rules.items() if has]


def name_place(data: Data, name: int) -> tuple[str, str]:
    """Return the file that contains a card, and the label of its row. `name` is the index of the card's name."""
    card = data.catalog.first_copies[name]
    return data.catalog.files[card], data.catalog.label(card)


def without_effects(data: Data, name: int) -> Mapping[str, str]:
    """Return the new TOML values, by field, that remove a card's effects. Its points, raze goods and deal stay."""
    row = data.catalog.cards[data.catalog.first_copies[name]]
    fields = {field: "[]" for field in ("production", "bonus") if getattr(row, field)}
    if row.action is not None:
        fields["action.do"] = "[]"
    if row.feature is not None:
        fields["feature"] = '{ on = "none" }'
    return fields or {"bonus": "[]"}


def without_price(data: Data, name: int) -> Mapping[str, str]:
    """Return the new TOML values, by field, that remove the cost of a card and of its variants."""
    row = data.catalog.cards[data.catalog.first_copies[name]]
    variants = [number for number, variant in enumerate(row.variants, start=1) if variant.cost is not None]
    return {"cost": "{}", **{f"variants.{number}.cost": "{}" for number in variants}}


def name_features(data: Data) -> tuple[str, ...]:
    """Return the name of each feature: one per count, per faction, and per card name in each of the two `PLACES`."""
    factions = (f"faction: {faction.name}" for faction in data.factions)
    cards = (f"{place}: {card}" for card in data.pieces for place in features.PLACES)
    return (*features.COUNTS, *factions, *cards)


CARDS = Pieces(
    name="card",
    plural="cards",
    columns=results.CARD_COLUMNS,
    rows=results.CARD_ROWS,
    offered="offered",
    events=(
        PieceEvent(column="held_round", title="taken"),
        PieceEvent(column="built_round", title="built", in_play=True),
        PieceEvent(column="dealt_round", title="made a deal"),
        PieceEvent(column="razed_round", title="razed"),
        PieceEvent(column="given_up_round", title="given up", taken=False),
        PieceEvent(column="lost_round", title="lost", taken=False),
    ),
    in_files=PiecesInFiles(place=name_place, nothing=without_effects, free=without_price),
)

HEURISTICS = ("builder", "razer", "dealer", "faction", "commons", "balanced")

GAME = GameSpec(
    title=TITLE,
    variants=VARIANTS,
    faction_title="faction",
    faction_attributes=("empire", "deck"),
    exclusive="empire",
    files=FILES,
    files_without_lessons=("attack.toml",),
    faction_place=faction_place,
    faction_values=faction_values,
    faction_parts=faction_parts,
    score_parts=constants.SCORE_PARTS,
    measures=results.MEASURES,
    checkpoints=results.CHECKPOINTS,
    end_reasons=constants.END_REASONS,
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
    compile_seconds=40,
    paired_attribute="deck",
    starting_place="starting_place",
    addition=DECK_FILE,
    tools={"inspect": "sim.games.imperial_settlers.io.positions"},
)
