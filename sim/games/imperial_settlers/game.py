"""Imperial Settlers as the rest of the program sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sim.compiler.kernel import Record
from sim.data.additions import Addition
from sim.data.catalog import CERTAINTIES
from sim.data.changes import Change
from sim.data.load_once import read_once
from sim.game import Data, Faction, FactionPart, Game, PieceEvent, Pieces, PiecesInFiles, Variant
from sim.games.imperial_settlers.data.catalog import FILES, FOLDER, load_catalog
from sim.games.imperial_settlers.data.compile import build_tables
from sim.games.imperial_settlers.data.decks import DECK_FILE
from sim.games.imperial_settlers.io.narrate import tell as tell_rounds
from sim.games.imperial_settlers.io.narrate import tell_header
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.determinize import redeal
from sim.games.imperial_settlers.rules.play import (
    CARD_COLUMNS,
    CARD_ROWS,
    CHECKPOINTS,
    MEASURES,
    write_measures,
    write_pieces,
)
from sim.games.imperial_settlers.rules.scoring import finish
from sim.games.imperial_settlers.rules.setup import set_up
from sim.games.imperial_settlers.rules.state import STATE
from sim.games.imperial_settlers.rules.tables import TABLES
from sim.games.imperial_settlers.rules.turns import play_step

PRINTED_DECK = "printed"
"""Deck of a faction that plays the cards of the box as they are."""


@read_once(FOLDER)
def load(settings: Mapping[str, object], changes: Sequence[Change] = (), additions: Sequence[Addition] = ()) -> Data:
    """Read the cards, factions and settings of Imperial Settlers, with changes to what the files say and own decks.

    Raises
    ------
    UserError
        Anything is wrong in the files, the changes, the settings or the decks.
    """
    catalog = load_catalog(settings=settings, changes=changes, additions=additions)
    rows = catalog.certainty
    return Data(
        tables=build_tables(catalog),
        factions=tuple(
            Faction(
                deck.faction.name,
                {
                    "empire": catalog.decks[deck.empire].faction.name,
                    "deck": PRINTED_DECK if number < len(constants.EMPIRES) else deck.faction.name,
                },
                deck.faction.certainty,
            )
            for number, deck in enumerate(catalog.decks)
        ),
        pieces=catalog.names[: len(catalog.first_copies)],
        settings=catalog.settings,
        certainty={level: rows["cards"][level] + rows["factions"][level] for level in CERTAINTIES},
        settings_certainty={level: rows["settings"][level] for level in CERTAINTIES},
        digest=catalog.digest,
        catalog=catalog,
    )


def faction_place(data: Data, faction: int) -> tuple[str, str]:
    """File and label of the row of a faction's board, or of a user's deck."""
    deck = data.catalog.decks[faction]
    return deck.path.name, deck.row


def faction_values(data: Data, faction: int) -> Mapping[str, object]:
    """Fields of a faction's row with the values they have where the row does not give them."""
    return {"samurai": False, "cards_can_be_razed": False} if faction < len(constants.EMPIRES) else {}


def faction_parts(data: Data, faction: int) -> Sequence[FactionPart]:
    """What a faction keeps at the clean-up and its special rules; none of a user's deck, whose empire has them."""
    if faction >= len(constants.EMPIRES):
        return []
    file, place = faction_place(data, faction)
    row = data.catalog.decks[faction].faction
    rules = {"stores": bool(row.stores), "samurai": row.samurai}
    off = {"stores": "[]", "samurai": "false"}
    names = {"stores": "what it stores", "samurai": "samurai"}
    return [FactionPart(names[rule], file, place, {rule: off[rule]}) for rule, has in rules.items() if has]


def name_place(data: Data, name: int) -> tuple[str, str]:
    """File and label of the row of all cards of a name."""
    card = data.catalog.first_copies[name]
    return data.catalog.files[card], data.catalog.label(card)


def without_effects(data: Data, name: int) -> Mapping[str, str]:
    """Fields that leave cards without effects; what they are worth at the end, when razed and as a deal stays."""
    row = data.catalog.cards[data.catalog.first_copies[name]]
    fields = {field: "[]" for field in ("production", "bonus") if getattr(row, field)}
    if row.action is not None:
        fields["action.do"] = "[]"
    if row.feature is not None:
        fields["feature"] = '{ on = "none" }'
    return fields or {"bonus": "[]"}


def without_price(data: Data, name: int) -> Mapping[str, str]:
    """Fields that leave cards without their price, copies with one of their own too."""
    row = data.catalog.cards[data.catalog.first_copies[name]]
    variants = [number for number, variant in enumerate(row.variants, start=1) if variant.cost is not None]
    return {"cost": "{}", **{f"variants.{number}.cost": "{}" for number in variants}}


def boards(players: int) -> int:
    """Empires on the table."""
    return players


def tell(g: Record, data: Data, strategies: Sequence[str]) -> Sequence[str]:
    """Tell a finished game round by round in words, with who sits where ahead of it."""
    return [*tell_header(g, data.catalog, strategies), *tell_rounds(g, data.tables, data.catalog, strategies)]


CARDS = Pieces(
    name="card",
    plural="cards",
    columns=CARD_COLUMNS,
    rows=CARD_ROWS,
    offered="offered",
    events=(
        PieceEvent("held_round", "taken"),
        PieceEvent("built_round", "built", in_play=True),
        PieceEvent("dealt_round", "made a deal"),
        PieceEvent("razed_round", "razed"),
        PieceEvent("given_up_round", "given up", taken=False),
        PieceEvent("lost_round", "lost", taken=False),
    ),
    in_files=PiecesInFiles(place=name_place, nothing=without_effects, free=without_price),
)

LOOKOUTS = {
    "standard": "the standard lookout: cards picked from an open row, there and back",
    "alternative": "the alternative lookout: cards picked from packs that are passed on",
    "advanced": "the advanced lookout: cards picked from an open row of five",
}
HEURISTICS = ("builder", "razer", "dealer", "faction", "commons", "balanced")

GAME = Game(
    name="imperial_settlers",
    title="Imperial Settlers",
    # A kernel knows a variant by its place: see `setup.py`.
    variants=(
        *(Variant(name, (2, 3, 4), f"2 to 4 players, {lookout}") for name, lookout in LOOKOUTS.items()),
        Variant("peaceful", (2, 3, 4), f"2 to 4 players at peace, {LOOKOUTS['standard']}"),
        *(
            Variant(f"peaceful-{name}", (2, 3, 4), f"2 to 4 players at peace, {lookout}")
            for name, lookout in LOOKOUTS.items()
            if name != "standard"
        ),
        Variant("solo", (1,), "1 player against the virtual player"),
    ),
    faction_title="faction",
    faction_attributes=("empire", "deck"),
    exclusive="empire",
    folder=FOLDER,
    files=FILES,
    files_without_lessons=("attack.toml",),
    faction_place=faction_place,
    faction_values=faction_values,
    faction_parts=faction_parts,
    boards=boards,
    score_parts=constants.SCORE_PARTS,
    measures=MEASURES,
    checkpoints=CHECKPOINTS,
    end_reasons=constants.END_REASONS,
    pieces=CARDS,
    state=STATE,
    tables=TABLES,
    load=load,
    set_up=set_up,
    play_step=play_step,
    redeal=redeal,
    score_game=finish,
    decisions=constants.DECISIONS,
    write_measures=write_measures,
    write_pieces=write_pieces,
    tell=tell,
    bench_lineups={
        "random": ("random",),
        "heuristics mixed": HEURISTICS,
        "balanced": ("balanced",),
    },
    compile_seconds=45,
    paired_attribute="deck",
    starting_place="starting_place",
    addition=DECK_FILE,
    tools={"inspect": "sim.games.imperial_settlers.io.positions"},
    view="sim.games.imperial_settlers.io.view",
    laws="sim.games.imperial_settlers.rules.invariants",
)
