"""The Glory of Rome as the rest of the program sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sim.data.catalog import CERTAINTIES
from sim.data.changes import Change
from sim.data.load_once import read_once
from sim.errors import UserError
from sim.game import Circumstance, Data, Faction, FactionPart, Game, PieceEvent, Pieces, PiecesInFiles, Variant
from sim.games.glory_of_rome.data.catalog import (
    CHARACTER_FILE,
    EVENT_FILE,
    FILES,
    FOLDER,
    MISSION_FILE,
    TRADE_FILE,
    load_catalog,
)
from sim.games.glory_of_rome.data.compile import build_tables
from sim.games.glory_of_rome.data.models import Mission, TradeCard
from sim.games.glory_of_rome.io.narrate import tell
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.determinize import redeal
from sim.games.glory_of_rome.rules.play import (
    CARD_COLUMNS,
    CARD_ROWS,
    CHECKPOINTS,
    MEASURES,
    write_measures,
    write_pieces,
)
from sim.games.glory_of_rome.rules.scoring import finish
from sim.games.glory_of_rome.rules.setup import set_up
from sim.games.glory_of_rome.rules.state import HAND_FULL, HAND_PLACES, MISSION_PLACES, MISSIONS_FULL, STATE
from sim.games.glory_of_rome.rules.tables import TABLES
from sim.games.glory_of_rome.rules.turns import play_step


@read_once(FOLDER)
def load(settings: Mapping[str, object], changes: Sequence[Change] = ()) -> Data:
    """Read the boards, cards and settings of The Glory of Rome, with changes to what the files say.

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
            Faction(
                character.name,
                {"anchor": "with anchor card" if character.anchor else "without anchor card"},
                character.certainty,
            )
            for character in catalog.characters
        ),
        pieces=catalog.card_names,
        settings=catalog.settings,
        certainty={level: sum(rows[kind][level] for kind in rows if kind != "settings") for level in CERTAINTIES},
        settings_certainty={level: rows["settings"][level] for level in CERTAINTIES},
        digest=catalog.digest,
        catalog=catalog,
    )


# ---- Factions and cards in the files ----


def faction_place(data: Data, faction: int) -> tuple[str, str]:
    """File and label of a character's row."""
    return CHARACTER_FILE, data.factions[faction].name


def faction_parts(data: Data, faction: int) -> Sequence[FactionPart]:
    """A character's bonuses on the discord track, and its anchor card if it has one."""
    file, row = faction_place(data, faction)
    character = data.catalog.characters[faction]
    bare = "[" + ", ".join(['"none"'] * len(character.track)) + "]"
    parts = [FactionPart("bonuses", file, row, {"track": bare})]
    return parts if not character.anchor else [*parts, FactionPart("anchor card", file, row, {"anchor": "false"})]


def card_place(data: Data, card: int) -> tuple[str, str]:
    """File and label of a card's row."""
    return data.catalog.files[card], data.catalog.label(card)


def without_effects(data: Data, card: int) -> Mapping[str, str]:
    """Fields that leave a trade card without its effect, a mission without points, an event without reward.

    What a trade card counts in sets stays, and so do direction and arrows of an event.
    """
    row = data.catalog.cards[card]
    if isinstance(row, TradeCard):
        return {"effect": "{}"}
    return {"points": "0"} if isinstance(row, Mission) else {"reward": "{}"}


def without_price(data: Data, card: int) -> Mapping[str, str]:
    """Refuse: no card of this game has a price.

    Raises
    ------
    UserError
        Always.
    """
    message = "cards of The Glory of Rome have no price"
    raise UserError(message, field="make", found=data.pieces[card], allowed="none, or FIELD=VALUE")


CARDS = Pieces(
    name="card",
    plural="cards",
    columns=CARD_COLUMNS,
    rows=CARD_ROWS,
    offered="drawn",
    events=(
        PieceEvent("taken_round", "taken"),
        PieceEvent("played_round", "played", in_play=True),
        PieceEvent("set_round", "laid in a set", in_play=True),
        PieceEvent("sold_round", "sold"),
        PieceEvent("lost_round", "lost", taken=False),
        PieceEvent("fulfilled", "fulfilled", in_play=True),
    ),
    in_files=PiecesInFiles(place=card_place, nothing=without_effects, free=without_price),
)

# ---- Variants ----

VARIANT_NAMES = ("spies", "truce", "clockwork", "heroes", "hard-times", "imperial")
"""Names of the parts of a variant, in the order of `words.VARIANTS`."""
STANDARD = "standard"


def variant_of(bits: int) -> Variant:
    """Return the variant with these bits of `words.VARIANTS`, the solo game first in its name."""
    chosen = [number for number in range(len(constants.VARIANTS)) if bits >> number & 1]
    is_solo = bits & constants.IMPERIAL != 0
    chosen.sort(key=lambda number: (1 << number != constants.IMPERIAL, number))
    name = "+".join(VARIANT_NAMES[number] for number in chosen) or STANDARD
    added = [constants.VARIANTS[number] for number in chosen if 1 << number != constants.IMPERIAL]
    head = "1 player, the Imperial variant" if is_solo else "2 to 4 players"
    description = f"{head}, with {', '.join(added)}" if added else head
    return Variant(name, (1,) if is_solo else (2, 3, 4), description)


HEURISTICS = ("greedy", "military", "politics", "commerce", "religion", "builder", "intriguer", "balanced")

GAME = Game(
    name="glory_of_rome",
    title="The Glory of Rome",
    # A kernel knows a variant by its place: see `words.VARIANT_BITS`.
    variants=tuple(variant_of(bits) for bits in constants.VARIANT_BITS),
    faction_title="character",
    faction_attributes=("anchor",),
    folder=FOLDER,
    files=FILES,
    files_without_lessons=(CHARACTER_FILE, TRADE_FILE, MISSION_FILE, EVENT_FILE),
    faction_place=faction_place,
    faction_parts=faction_parts,
    score_parts=constants.SCORE_PARTS,
    measures=MEASURES,
    checkpoints=CHECKPOINTS,
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
    decisions=constants.DECISIONS,
    write_measures=write_measures,
    write_pieces=write_pieces,
    tell=tell,
    view="sim.games.glory_of_rome.io.view",
    laws="sim.games.glory_of_rome.rules.invariants",
    bench_lineups={
        "random": ("random",),
        "heuristics mixed": HEURISTICS,
        "balanced": ("balanced",),
    },
    compile_seconds=40,
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
