"""Reports the certainty of a game's data."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from sim.commands.console import print_json
from sim.commands.options import AsJson, Decks, GameName, Quiet, game_with, option


def check_data(
    game: GameName,
    all_rows: Annotated[bool, option("List every row that is not confirmed, not only the stand-ins.", "--all")] = False,
    decks: Decks = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Check a game's tables, and list the stand-ins: rows about which no source of the printed game says anything.

    Examples
    --------
    empirelab check-data seven_wonders
    empirelab check-data imperium --all

    Notes
    -----
    The rows of every file are counted by certainty. A stand-in some of whose fields have a source names these as
    known.
    """
    from sim.data.certainty import certainty_of_rows, shares_in_words

    declared = game_with(game, decks)
    for settings in declared.data_sets:
        declared.load(settings)
    rows = certainty_of_rows(declared.folder, declared.files, declared.added)
    listed = [row for row in rows if row.certainty == "stand-in" or (all_rows and row.certainty != "confirmed")]
    if as_json:
        print_json([asdict(row) for row in listed])
        return
    for name in declared.files:
        print(f"{name}: {shares_in_words([row for row in rows if row.file == name])}")
    print(f"all: {shares_in_words(rows)}")
    if listed:
        print()
    for row in listed:
        known = f" (known: {', '.join(row.known)})" if row.known else ""
        print(f"{row.certainty}: {row.file}, {row.table}, {row.row}{known}")
