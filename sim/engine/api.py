"""What authors of games and players import: all they need of `sim`, except the rules of the games themselves.

Players
    `kernel` decorates functions that `score` calls; `Script` declares a script in a package of strategies.
Rules of a game
    The record of a game (`game_record`, `log_record`, `begin_game`, `begin_step`), decisions (`choose`, options),
    random draws, zones of cards, the stack of effects, the event log, ranks, rows of results, invariants.
Data of a game
    Rows of TOML files (`Row`, `Kind`), changes to them, settings.
Declaration
    `GameSpec` and what it is made of; `GAMES` names the module of each game.

The modules named below say more. Games of the project import from those modules, not from this one. The reason is that
the digest of a run's sources covers all files that the game's rules import, and this module imports too many.
"""

from sim.compiler.kernel import ALL_NOTES, FieldRecord, Floats, Integers, Record, kernel, shared_kernel
from sim.data.catalog import (
    CERTAINTIES,
    Certainty,
    Kind,
    Name,
    Names,
    Row,
    Sourced,
    certainty_shares,
    digest,
    fault,
    read_toml,
    validate_row,
    validate_rows,
)
from sim.data.changes import Addition, Change, read_changed
from sim.data.declarations import GAMES, Circumstance, Faction, Picks, PieceEvent, TallyRow, Variant
from sim.data.game_files import Setting, check_settings, read_once, resolve_settings, setting_rows
from sim.engine.decide import Players, choose
from sim.engine.determinize import renew_chance, sort_numbers
from sim.engine.effect_stack import (
    FRAME_AT,
    FRAME_CARD,
    FRAME_LEFT,
    FRAME_ROOT,
    FRAME_SEAT,
    FRAME_VALUE,
    OWN_FRAME_FIELDS,
    push,
    push_step,
)
from sim.engine.event_log import NO_ROW, new_row, write_log_row
from sim.engine.features import add_feature, blank_counts, count_feature, drop_zeros
from sim.engine.invariants import NOTES, OWN_NOTES, cards_are_others, mark_of
from sim.engine.options import clear_options, offer
from sim.engine.ranking import rank_seats
from sim.engine.result_rows import (
    END_REASON,
    FACTION,
    FIXED_COLUMNS,
    RANK,
    ROUNDS,
    SCORE,
    SEAT,
    STRATEGY,
    write_piece_row,
    write_piece_rows,
    write_tally,
)
from sim.engine.rng import CHANCE, DEAL, SEARCH, SEATS, below, renew_stream, shuffle, uniform
from sim.engine.script import Script
from sim.engine.seating import seat_after
from sim.engine.state import NO_ERROR, OWN_ERRORS, begin_game, begin_step, game_record, log_record
from sim.engine.zones import place_in, put, put_below, take_at, take_out, take_top
from sim.errors import UserError
from sim.game import Data, DeclaredTally, FactionPart, GameSpec, JudgeFeatures, Pieces, PiecesInFiles

__all__ = [
    "ALL_NOTES", "CERTAINTIES", "CHANCE", "DEAL", "END_REASON", "FACTION", "FIXED_COLUMNS", "FRAME_AT",
    "FRAME_CARD", "FRAME_LEFT", "FRAME_ROOT", "FRAME_SEAT", "FRAME_VALUE", "GAMES", "NOTES", "NO_ERROR", "NO_ROW",
    "OWN_ERRORS", "OWN_FRAME_FIELDS", "OWN_NOTES", "RANK", "ROUNDS", "SCORE", "SEARCH", "SEAT", "SEATS", "STRATEGY",
    "Addition", "Certainty", "Change", "Circumstance", "Data", "DeclaredTally", "Faction", "FactionPart",
    "FieldRecord", "Floats", "GameSpec", "Integers", "JudgeFeatures", "Kind", "Name", "Names", "Picks",
    "PieceEvent", "Pieces", "PiecesInFiles", "Players", "Record", "Row", "Script", "Setting", "Sourced", "TallyRow",
    "UserError", "Variant", "add_feature", "begin_game", "begin_step", "below", "blank_counts", "cards_are_others",
    "certainty_shares", "check_settings", "choose", "clear_options", "count_feature", "digest", "drop_zeros",
    "fault", "game_record", "kernel", "log_record", "mark_of", "new_row", "offer", "place_in", "push", "push_step",
    "put", "put_below", "rank_seats", "read_changed", "read_once", "read_toml", "renew_chance", "renew_stream",
    "resolve_settings", "seat_after", "setting_rows", "shared_kernel", "shuffle", "sort_numbers", "take_at",
    "take_out", "take_top", "uniform", "validate_row", "validate_rows", "write_log_row", "write_piece_row",
    "write_piece_rows", "write_tally",
]  # fmt: skip
