"""Cards, factions and settings of Imperial Settlers, from `configs/games/imperial_settlers/`.

There is one file for the common cards, one for each faction, attack.toml for the solo game, lessons.toml and
rules.toml. `load_catalog` reads the files together with users' decks, and checks every row. Effects are checked by
`build_tables`, which compiles them. The header of common.toml explains fields and operations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sim.data.catalog import CONFIGS, Kind
from sim.data.game_files import GameCatalog, GameFiles, Setting, catalog_loader
from sim.errors import UserError
from sim.games.imperial_settlers.data import models
from sim.games.imperial_settlers.data.decks import (
    FACTION_FILE,
    LABEL,
    FactionDeck,
    check_numbers,
    read_faction,
    read_own_decks,
)
from sim.games.imperial_settlers.rules.constants import EMPIRES, MAX_SEATS, ROUNDS, SETTINGS
from sim.games.imperial_settlers.rules.tables import MAX_CARDS, MAX_FACTIONS, MAX_ZONE

FOLDER = CONFIGS / "games" / "imperial_settlers"
COMMON_CODE = "COM"
"""Prefix of the codes of common cards."""
FILES: dict[str, dict[str, Kind]] = {
    "common.toml": {"card": Kind(models.CommonCard, LABEL)},
    **{f"{name}.toml": FACTION_FILE for name in EMPIRES},
    "attack.toml": {"attack": Kind(models.Attack, ("target",))},
    "lessons.toml": {"lesson": Kind(models.CardLesson, LABEL), "move": Kind(models.MoveLesson, ("move",))},
    "rules.toml": {"constants": Kind(models.Constants), "setting": Kind(Setting, LABEL)},
}
"""The tables in each file."""


@dataclass(frozen=True)
class Catalog(GameCatalog):
    """The content of `configs/games/imperial_settlers/`. Rows have been checked, but not effects.

    Attributes
    ----------
    cards
        One entry for each copy of the common cards, then for each copy in each faction's deck. If a copy is a variant
        (its cost, raze field or deal differs), its entry has the values of the variant. Card c is row c of the card
        table. The attack cards follow in that table.
    codes
        Code of each card in `cards`, such as "COM048".
    paths
        File that contains each card's row, attack cards included.
    faction_of
        Faction of each card in `cards`, -1 for the common cards.
    decks
        The factions with their decks. Faction f has the id f. The printed decks come first.
    attacks
        Every copy of the attack cards.
    lessons, moves
        Learned bonuses (points that scripted players add to the value of a move): of cards, by name, and of kinds of
        moves.
    """

    cards: tuple[models.Card, ...]
    codes: tuple[str, ...]
    paths: tuple[Path, ...]
    faction_of: tuple[int, ...]
    decks: tuple[FactionDeck, ...]
    attacks: tuple[models.Attack, ...]
    constants: models.Constants
    lessons: Mapping[str, models.CardLesson]
    moves: Mapping[str, models.MoveLesson]

    @property
    def files(self) -> tuple[str, ...]:
        """Names of the files that contain the rows of all cards, attack cards included."""
        return tuple(path.name for path in self.paths)

    @property
    def names(self) -> tuple[str, ...]:
        """All distinct card names, in the order of the card table. `t.name` holds indices into this tuple."""
        return tuple(dict.fromkeys([*(card.name for card in self.cards), *(card.name for card in self.attacks)]))

    @property
    def first_copies(self) -> tuple[int, ...]:
        """First copy of each card name in the common deck and the faction decks, in the order of `names`."""
        places: dict[str, int] = {}
        for card, row in enumerate(self.cards):
            places.setdefault(row.name, card)
        return tuple(places.values())

    @property
    def card_names(self) -> tuple[str, ...]:
        """Names of all cards in the card table. If cards share a name, their code is added: "Castle (COM046)"."""
        copies = Counter(card.name for card in self.cards)
        shown = (
            f"{card.name} ({code})" if copies[card.name] > 1 else card.name
            for card, code in zip(self.cards, self.codes, strict=True)
        )
        return (*shown, *(card.name for card in self.attacks))

    @property
    def faction_names(self) -> tuple[str, ...]:
        """Names of all factions."""
        return tuple(deck.faction.name for deck in self.decks)

    def label(self, card: int) -> str:
        """Return the label of a card's row in messages and in users' changes: the name, or an attack card's target."""
        return self.cards[card].name if card < len(self.cards) else self.attacks[card - len(self.cards)].target


def _build(files: GameFiles) -> Catalog:
    """Build the catalogue from the files of cards, factions and decks, after checking their rows against each other."""
    folder, constants = files.folder, files.constants
    commons, attacks = files.read("common.toml")["card"], files.read("attack.toml")["attack"]
    _check_commons(folder / "common.toml", commons, constants)
    _check_attacks(folder / "attack.toml", attacks)
    printed = [read_faction(files, empire) for empire in range(len(EMPIRES))]
    own = [deck for addition in files.additions for deck in read_own_decks(addition, printed, constants, files.changes)]
    decks = [*printed, *own]
    _check_apart(folder / "common.toml", commons, decks)
    copies = _copies_of(folder, commons, decks)
    _check_size(folder, copies, decks, attacks)
    cards = {copy.row.name: copy.row for copy in copies}
    rows = {"common.toml": commons} | {deck.path.name: deck.cards for deck in printed}
    known = [*cards, *(name for file, of_file in rows.items() for name in files.names(file, "card", of_file))]
    lessons, moves = files.lessons("lesson", known), files.lessons("move")
    attack_cards = [row for row in attacks for _ in range(row.copies)]
    resolved = {
        "cards": list(cards.values()),
        "decks": [[deck.empire, deck.faction.model_dump(), [card.name for card in deck.cards]] for deck in decks],
        "attacks": attacks,
        "constants": constants,
        "lessons": [*lessons.values(), *moves.values()],
    }
    certainty = {"cards": [*cards.values(), *attacks], "factions": [deck.faction for deck in decks]}
    return Catalog(
        cards=tuple(_as_printed(copy.row, copy.number) for copy in copies),
        codes=tuple(f"{copy.code}{copy.number:03}" for copy in copies),
        paths=(*(copy.path for copy in copies), *[folder / "attack.toml"] * len(attack_cards)),
        faction_of=tuple(copy.faction for copy in copies),
        decks=tuple(decks),
        attacks=tuple(attack_cards),
        lessons=lessons,
        moves=moves,
        **files.common(certainty, resolved),
    )


load_catalog = catalog_loader(FOLDER, FILES, SETTINGS, _build)


@dataclass(frozen=True)
class _Copy:
    """A copy of a card, with the card's row and file, the copy's number, the code of its deck, and its faction."""

    row: models.Card
    path: Path
    number: int
    code: str
    faction: int


def _copies_of(folder: Path, commons: Iterable[models.Card], decks: Sequence[FactionDeck]) -> list[_Copy]:
    """Return all copies of all cards, without the attack cards, in the order of the card table."""
    common = [_Copy(row, folder / "common.toml", number, COMMON_CODE, -1) for row in commons for number in row.numbers]
    return common + [
        _Copy(row, path, number, deck.faction.code, faction)
        for faction, deck in enumerate(decks)
        for row, path in zip(deck.cards, deck.paths, strict=True)
        for number in row.numbers
    ]


def _as_printed(row: models.Card, number: int) -> models.Card:
    """Return a card's row as printed on copy `number`. Some copies have another cost, raze field or deal."""
    for variant in row.variants:
        if variant.number == number:
            replaced = {name: getattr(variant, name) for name in ("cost", "raze", "deal")}
            return row.model_copy(update={name: value for name, value in replaced.items() if value is not None})
    return row


# ---- Checks of rows against each other ----


def _check_commons(path: Path, cards: Sequence[models.CommonCard], constants: models.Constants) -> None:
    """Check that names and numbers are unique. The common cards must suffice for the first round of four players."""
    check_numbers(path, cards)
    least = MAX_SEATS * constants.start_common + 2 * (MAX_SEATS + 1)
    copies = sum(len(card.numbers) for card in cards)
    if copies < least:
        message = "too few common cards for the first round of four players"
        raise UserError(message, file=path, field="card", found=copies, allowed=f"at least {least}")


def _check_attacks(path: Path, attacks: Sequence[models.Attack]) -> None:
    """Check that each target occurs once. A solo game must have enough attack cards, but no more than fit a zone."""
    targets = Counter(attack.target for attack in attacks)
    for target, rows in targets.items():
        if rows > 1:
            raise UserError("duplicate target", file=path, row=target, field="target", found=target, allowed="once")
    cards = sum(attack.copies for attack in attacks)
    least = 1 + 2 * ROUNDS
    if not least <= cards <= MAX_ZONE:
        allowed = f"{least} to {MAX_ZONE}: one at first, two in each round"
        raise UserError("wrong number of attack cards", file=path, field="copies", found=cards, allowed=allowed)


def _check_apart(common: Path, commons: Sequence[models.CommonCard], decks: Sequence[FactionDeck]) -> None:
    """Check that cards with the same name are equal, and that no two factions have the same name.

    Two factions may have the same code only if their decks are for the same empire.
    """
    cards: dict[str, tuple[Path, models.Card]] = {card.name: (common, card) for card in commons}
    factions: dict[tuple[str, str], FactionDeck] = {}
    for deck in decks:
        wrong = partial(UserError, file=deck.path, row=deck.row)
        if deck.faction.code == COMMON_CODE:
            raise wrong("the common cards have this code", field="code", found=COMMON_CODE, allowed="another one")
        for field, value in (("name", deck.faction.name.casefold()), ("code", deck.faction.code)):
            other = factions.setdefault((field, value), deck)
            if other is not deck and (field == "name" or other.empire != deck.empire):
                found = getattr(deck.faction, field)
                raise wrong(f"{field} of another faction", field=field, found=found, allowed="another one")
        for card, path in zip(deck.cards, deck.paths, strict=True):
            known, same = cards.setdefault(card.name, (path, card))
            if same != card:
                message = f"another card of {known.name} has this name"
                raise UserError(message, file=path, row=card.name, field="name", allowed="another name")


def _check_size(
    folder: Path, copies: Sequence[_Copy], decks: Sequence[FactionDeck], attacks: Sequence[models.Attack]
) -> None:
    """Check that all cards fit into the card table, and that all cards of one player fit into a zone of the record."""
    if len(decks) > MAX_FACTIONS:
        allowed = f"at most {MAX_FACTIONS}, the printed ones among them"
        raise UserError("too many decks", file=decks[-1].path, field="deck", found=len(decks), allowed=allowed)
    cards = len(copies) + sum(attack.copies for attack in attacks)
    if cards > MAX_CARDS:
        raise UserError("too many cards", file=folder, found=cards, allowed=f"at most {MAX_CARDS}")
    sizes = Counter(copy.faction for copy in copies)
    largest = max(size for faction, size in sizes.items() if faction >= 0)
    if sizes[-1] + largest > MAX_ZONE:
        wrong = partial(UserError, "too many common cards", file=folder / "common.toml", field="card")
        allowed = f"at most {MAX_ZONE - largest}, so that with a faction's deck they fit a hand"
        raise wrong(found=sizes[-1], allowed=allowed)
