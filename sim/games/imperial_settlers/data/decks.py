"""Decks of factions: printed decks, and decks that users build (rulebook: Building one's own deck).

A deck contains all copies of each of its cards. The rulebook fixes how many different cards of a deck have one, two and
three copies. So a card can be replaced only by a card with the same number of copies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sim.data.catalog import Kind, check_tables, validate_rows
from sim.data.changes import Addition, Change, apply_changes
from sim.data.game_files import GameFiles
from sim.errors import UserError
from sim.games.imperial_settlers.data.models import (
    DECK_COPIES,
    Card,
    Constants,
    Deck,
    FactionCard,
    FactionRow,
    RazeField,
    fields_of_copies,
)
from sim.games.imperial_settlers.rules.constants import EMPIRES

LABEL = ("name",)
FACTION_FILE: dict[str, Kind] = {"faction": Kind(FactionRow), "card": Kind(FactionCard, LABEL)}
"""The tables in the file of a faction."""
DECK_FILE: dict[str, Kind] = {"deck": Kind(Deck, LABEL), "card": Kind(FactionCard, LABEL)}
"""The tables in a user's file: decks, and further cards for the decks."""


@dataclass(frozen=True)
class FactionDeck:
    """A faction with its deck.

    Attributes
    ----------
    faction
        The faction's board and special rules. For a user's deck, the row has the deck's own name and, if given,
        its own hints and certainty (how well the data are known).
    empire
        The faction's index in `EMPIRES`.
    cards
        The cards of the deck, one row per name.
    paths
        File that contains each of these rows.
    path, row
        File of the faction or of the user's deck, and the name of its row in messages.
    """

    faction: FactionRow
    empire: int
    cards: tuple[FactionCard, ...]
    paths: tuple[Path, ...]
    path: Path
    row: str


def read_faction(files: GameFiles, empire: int) -> FactionDeck:
    """Read and check a faction with its printed deck."""
    name = f"{EMPIRES[empire]}.toml"
    path, tables = files.folder / name, files.read(name)
    faction, cards = tables["faction"], tables["card"]
    check_numbers(path, cards)
    _check_raze_fields(path, faction, cards)
    _check_built(path, None, files.constants, cards)
    return FactionDeck(faction, empire, tuple(cards), (path,) * len(cards), path, "faction")


def read_own_decks(
    addition: Addition, printed: Sequence[FactionDeck], constants: Constants, changes: Sequence[Change]
) -> list[FactionDeck]:
    """Read and check the decks in a user's file.

    Parameters
    ----------
    printed
        The printed decks, in the order of `EMPIRES`.
    constants
        Numbers of the rulebook.
    changes
        The user's changes of rows; those for this file are applied first.

    Raises
    ------
    UserError
        There is an error in the file or the changes.
    """
    path = addition.file
    data = apply_changes(path, addition.tables(), DECK_FILE, changes)
    check_tables(path, {"card": [], **data}, tuple(DECK_FILE))
    decks = validate_rows(path, data, "deck", Deck)
    cards = validate_rows(path, data, "card", FactionCard) if data.get("card", []) != [] else []
    check_numbers(path, cards)
    for card in cards:
        for deck in printed:
            if card.name in [other.name for other in deck.cards]:
                message = f"a printed card of the {deck.faction.name} has this name"
                raise UserError(message, file=path, row=card.name, field="name", allowed="another name")
    own = {card.name: card for card in cards}
    return [_build(path, deck, printed[EMPIRES.index(deck.empire)], own, constants) for deck in decks]


def _build(
    path: Path, deck: Deck, printed: FactionDeck, own: dict[str, FactionCard], constants: Constants
) -> FactionDeck:
    """Assemble a user's deck, and check that it follows the deck-building rule."""
    pool = {card.name: card for card in printed.cards} | own
    for place, name in enumerate(deck.cards, start=1):
        if name not in pool:
            message = f"no card of the {printed.faction.name}, and none of this file"
            raise UserError(message, file=path, row=deck.name, field=f"cards.{place}", found=name, allowed=list(pool))
    cards = [pool[name] for name in deck.cards]
    new = [card for card in cards if card.name in own]
    numbers = {number: card.name for card in printed.cards for number in card.numbers}
    for card in new:
        for number in card.numbers:
            if number in numbers:
                wrong = partial(UserError, f"number of {numbers[number]}", file=path, row=card.name, field="numbers")
                raise wrong(found=number, allowed=f"from {max(numbers) + 1} on")
    _check_raze_fields(path, printed.faction, new)
    _check_built(path, deck.name, constants, cards)
    built = _in_printed_places(cards, printed.cards)
    given = {"name": deck.name, "certainty": deck.certainty, "hints": deck.hints}
    faction = printed.faction.model_copy(update={name: value for name, value in given.items() if value is not None})
    paths = tuple(path if card.name in own else printed.path for card in built)
    return FactionDeck(faction, printed.empire, tuple(built), paths, path, deck.name)


def _in_printed_places(cards: Sequence[FactionCard], printed: Sequence[FactionCard]) -> list[FactionCard]:
    """Return a user's cards in the order of the printed deck, so that the same seed shuffles both decks alike.

    A new card takes the place of a removed card with the same number of copies. If a removed card has no such
    replacement, return the cards in the user's order.
    """
    new = [card for card in cards if card.name not in [other.name for other in printed]]
    kept = [card.name for card in cards]
    placed = []
    for card in printed:
        if card.name not in kept:
            like = next((other for other in new if len(other.numbers) == len(card.numbers)), None)
            if like is None:
                return list(cards)
            new.remove(like)
            placed.append(like)
        else:
            placed.append(card)
    return placed


# ---- Checks of rows against each other ----


def check_numbers(path: Path, cards: Sequence[Card]) -> None:
    """Check that no two cards in a file share a name or a number."""
    names: set[str] = set()
    numbers: dict[int, str] = {}
    for card in cards:
        wrong = partial(UserError, file=path, row=card.name)
        if card.name in names:
            raise wrong("card given twice", field="name", found=card.name, allowed="one row for all copies")
        names.add(card.name)
        for number in card.numbers:
            if number in numbers:
                raise wrong(f"number of {numbers[number]}", field="numbers", found=number, allowed="each number once")
            numbers[number] = card.name


def _check_raze_fields(path: Path, faction: FactionRow, cards: Sequence[FactionCard]) -> None:
    """Check that cards have a raze field only if they can be razed."""
    for card in cards:
        for field, goods in fields_of_copies(card, "raze"):
            if goods not in (None, RazeField()) and not faction.cards_can_be_razed:
                message = f"cards of the {faction.name} have no raze field"
                allowed = "{}, or cards_can_be_razed = true for the faction"
                raise UserError(message, file=path, row=card.name, field=field, allowed=allowed)


def _check_built(path: Path, row: str | None, constants: Constants, cards: Sequence[FactionCard]) -> None:
    """Check how many cards of a user's deck have one, two and three copies: the rulebook fixes these numbers."""
    for card in cards:
        copies = len(card.numbers)
        if copies not in DECK_COPIES:
            wrong = partial(UserError, "wrong number of copies", file=path, row=card.name, field="numbers")
            raise wrong(found=copies, allowed=f"{DECK_COPIES[0]} to {DECK_COPIES[-1]} numbers, one for each copy")
    names = [sum(len(card.numbers) == copies for card in cards) for copies in DECK_COPIES]
    if names != constants.deck_names:
        wrong = partial(
            UserError, "wrong numbers of copies in the deck", file=path, row=row, field="cards" if row else "card"
        )
        raise wrong(found=names_by_copies(names), allowed=names_by_copies(constants.deck_names))


def names_by_copies(names: Sequence[int]) -> str:
    """Describe a deck: "9 names x1, 6 names x2, 3 names x3: 30 cards".

    `names` has the number of card names with one, two and three copies.
    """
    counted = list(zip(names, DECK_COPIES, strict=True))
    said = ", ".join(f"{number} {'name' if number == 1 else 'names'} x{copies}" for number, copies in counted)
    return f"{said}: {sum(number * copies for number, copies in counted)} cards"
