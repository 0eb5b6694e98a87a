"""Cards, factions and settings of Imperial Settlers as `configs/games/imperial_settlers/` has them.

There is a file for the common cards, one for each faction, attack.toml for the solo game, and rules.toml.
`load_catalog` reads them and checks every row; what effects say is checked when `build_tables` compiles them. The
header of common.toml explains fields and operations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sim.data.catalog import (
    CONFIGS,
    Certainty,
    Kind,
    certainty_shares,
    check_tables,
    digest,
    validate_row,
    validate_rows,
)
from sim.data.changes import Change, read_changed
from sim.data.settings import Setting, check_settings, open_settings, resolve_settings
from sim.errors import UserError
from sim.games.imperial_settlers.cards import (
    DECK_COPIES,
    Attack,
    Card,
    CommonCard,
    Constants,
    Faction,
    FactionCard,
    RazeField,
    fields_of_copies,
)
from sim.games.imperial_settlers.tables import MAX_CARDS, MAX_ZONE
from sim.games.imperial_settlers.words import EMPIRES, MAX_SEATS, ROUNDS, SETTINGS

FOLDER = CONFIGS / "games" / "imperial_settlers"
COMMON_CODE = "COM"
"""Letters of the codes of common cards."""

LABEL = ("name",)
FILES: dict[str, dict[str, Kind]] = {
    "common.toml": {"card": Kind(CommonCard, LABEL)},
    **{f"{name}.toml": {"faction": Kind(Faction), "card": Kind(FactionCard, LABEL)} for name in EMPIRES},
    "attack.toml": {"attack": Kind(Attack, ("target",))},
    "rules.toml": {"constants": Kind(Constants), "setting": Kind(Setting, LABEL)},
}
"""Tables of every file."""


# ---- Catalogue ----


@dataclass(frozen=True)
class Catalog:
    """Everything `configs/games/imperial_settlers/` says; rows are checked, effects not yet.

    Attributes
    ----------
    folder
        Where the files are, for messages about effects.
    cards
        Card c is row c of the card table, one for every copy, with the values of its variant: the common cards, then
        the deck of each faction. The attack cards follow them in the card table.
    codes
        Code of each of these cards, as "COM048".
    files
        Name of the file that each card's row stands in, attack cards included.
    faction_of
        Faction of each of these cards, -1 for the common cards.
    factions
        Faction f is the one with id f.
    attacks
        The attack cards, one for every copy.
    constants
        Numbers of the rulebook.
    settings
        The value of every setting, overrides included.
    certainty
        Rows by certainty, for each of "cards" (attack cards too), "factions" and "settings".
    open_settings
        Settings that neither the rulebook nor several sources decide.
    digest
        SHA-256 of all data a game depends on.
    """

    folder: Path
    cards: tuple[Card, ...]
    codes: tuple[str, ...]
    files: tuple[str, ...]
    faction_of: tuple[int, ...]
    factions: tuple[Faction, ...]
    attacks: tuple[Attack, ...]
    constants: Constants
    settings: Mapping[str, object]
    certainty: Mapping[str, Mapping[Certainty, int]]
    open_settings: tuple[str, ...]
    digest: str

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that a card has, once, in the order of the card table: `t.name` numbers them."""
        return tuple(dict.fromkeys([*(card.name for card in self.cards), *(card.name for card in self.attacks)]))

    @property
    def card_names(self) -> tuple[str, ...]:
        """Name of every card of the card table, its code behind a name that several have: "Castle (COM046)"."""
        copies = Counter(card.name for card in self.cards)
        shown = (
            f"{card.name} ({code})" if copies[card.name] > 1 else card.name
            for card, code in zip(self.cards, self.codes, strict=True)
        )
        return (*shown, *(card.name for card in self.attacks))

    @property
    def faction_names(self) -> tuple[str, ...]:
        """Name of every faction."""
        return tuple(faction.name for faction in self.factions)

    def label(self, card: int) -> str:
        """Return what a change or a message calls a card's row: its name, or the target of attack cards."""
        return self.cards[card].name if card < len(self.cards) else self.attacks[card - len(self.cards)].target


def load_catalog(
    folder: Path | None = None, settings: Mapping[str, object] | None = None, changes: Sequence[Change] = ()
) -> Catalog:
    """Read and check cards, factions, constants and settings.

    Parameters
    ----------
    folder
        Folder of the TOML files; by default that of the project.
    settings
        Values that override those of rules.toml, by name of the setting.
    changes
        Changes to what the files say.

    Raises
    ------
    UserError
        Anything wrong in the files, the changes or the overrides but in what effects say, with file, row, field, what
        was found and what is allowed.
    """
    folder = FOLDER if folder is None else folder
    constants, rules = _read_rules(folder / "rules.toml", changes)
    values = resolve_settings(rules, settings or {}, SETTINGS, "imperial_settlers")
    commons = _read_commons(folder / "common.toml", constants, changes)
    decks = [_read_faction(folder / f"{name}.toml", constants, changes) for name in EMPIRES]
    attacks = _read_attacks(folder / "attack.toml", changes)
    _check_apart(folder, commons, decks)
    copies = [*_copies(commons, COMMON_CODE, "common.toml", -1)]
    for number, (faction, cards) in enumerate(decks):
        copies += _copies(cards, faction.code, f"{EMPIRES[number]}.toml", number)
    _check_size(folder, copies, attacks)
    rows = [*commons, *(card for _, cards in decks for card in cards)]
    factions = [faction for faction, _ in decks]
    resolved = {
        "cards": [card.model_dump() for card in rows],
        "factions": [faction.model_dump() for faction in factions],
        "attacks": [attack.model_dump() for attack in attacks],
        "constants": constants.model_dump(),
        "settings": values,
    }
    return Catalog(
        folder=folder,
        cards=tuple(copy.card for copy in copies),
        codes=tuple(copy.code for copy in copies),
        files=(*(copy.file for copy in copies), *("attack.toml" for row in attacks for _ in range(row.copies))),
        faction_of=tuple(copy.faction for copy in copies),
        factions=tuple(factions),
        attacks=tuple(row for row in attacks for _ in range(row.copies)),
        constants=constants,
        settings=values,
        certainty={
            "cards": certainty_shares([*rows, *attacks]),
            "factions": certainty_shares(factions),
            "settings": certainty_shares(rules),
        },
        open_settings=open_settings(rules),
        digest=digest(resolved),
    )


@dataclass(frozen=True)
class _Copy:
    """A copy of a card: its values, its code, the file of its row, and its faction."""

    card: Card
    code: str
    file: str
    faction: int


def _copies(rows: Iterable[Card], code: str, file: str, faction: int) -> list[_Copy]:
    """Return the copies of all cards of a deck, with the values of their variants."""
    return [
        _Copy(_as_printed(row, number), f"{code}{number:03}", file, faction) for row in rows for number in row.numbers
    ]


def _as_printed(row: Card, number: int) -> Card:
    """Return a copy of a card with the values that its variant replaces."""
    for variant in row.variants:
        if variant.number == number:
            replaced = {name: getattr(variant, name) for name in ("cost", "raze", "deal")}
            return row.model_copy(update={name: value for name, value in replaced.items() if value is not None})
    return row


def _read_rules(path: Path, changes: Sequence[Change]) -> tuple[Constants, list[Setting]]:
    data = read_changed(path, FILES[path.name], changes)
    check_tables(path, data, ("constants", "setting"))
    constants = validate_row(path, data["constants"], Constants, "constants")
    rules = validate_rows(path, data, "setting", Setting)
    check_settings(path, rules, SETTINGS)
    return constants, rules


def _read_commons(path: Path, constants: Constants, changes: Sequence[Change]) -> list[CommonCard]:
    data = read_changed(path, FILES[path.name], changes)
    check_tables(path, data, ("card",))
    cards = validate_rows(path, data, "card", CommonCard)
    _check_numbers(path, cards)
    least = MAX_SEATS * constants.start_common + 2 * (MAX_SEATS + 1)
    copies = sum(len(card.numbers) for card in cards)
    if copies < least:
        message = "too few common cards for the first round of four players"
        raise UserError(message, file=path, field="card", found=copies, allowed=f"at least {least}")
    return cards


def _read_faction(path: Path, constants: Constants, changes: Sequence[Change]) -> tuple[Faction, list[FactionCard]]:
    data = read_changed(path, FILES[path.name], changes)
    check_tables(path, data, ("faction", "card"))
    faction = validate_row(path, data["faction"], Faction, "faction")
    cards = validate_rows(path, data, "card", FactionCard)
    _check_numbers(path, cards)
    _check_raze_fields(path, faction, cards)
    _check_deck(path, constants, cards)
    return faction, cards


def _read_attacks(path: Path, changes: Sequence[Change]) -> list[Attack]:
    data = read_changed(path, FILES[path.name], changes)
    check_tables(path, data, ("attack",))
    attacks = validate_rows(path, data, "attack", Attack, ("target",))
    targets = Counter(attack.target for attack in attacks)
    for target, rows in targets.items():
        if rows > 1:
            raise UserError("target given twice", file=path, row=target, field="target", found=target, allowed="once")
    cards = sum(attack.copies for attack in attacks)
    least = 1 + 2 * ROUNDS
    if not least <= cards <= MAX_ZONE:
        allowed = f"{least} to {MAX_ZONE}: one at first, two in each round"
        raise UserError("wrong number of attack cards", file=path, field="copies", found=cards, allowed=allowed)
    return attacks


# ---- What must hold between rows ----


def _check_numbers(path: Path, cards: Sequence[Card]) -> None:
    """Check that no two cards of a deck have a name or a number in common."""
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


def _check_raze_fields(path: Path, faction: Faction, cards: Sequence[FactionCard]) -> None:
    """Check that only cards that can be razed have a raze field."""
    for card in cards:
        for field, goods in fields_of_copies(card, "raze"):
            if goods not in (None, RazeField()) and not faction.cards_can_be_razed:
                message = f"cards of the {faction.name} have no raze field"
                allowed = "{}, or cards_can_be_razed = true for the faction"
                raise UserError(message, file=path, row=card.name, field=field, allowed=allowed)


def _check_deck(path: Path, constants: Constants, cards: Sequence[FactionCard]) -> None:
    """Check that a faction's deck is built by the rule: so many names with one, two and three copies."""
    for card in cards:
        copies = len(card.numbers)
        if copies not in DECK_COPIES:
            wrong = partial(UserError, "wrong number of copies", file=path, row=card.name, field="numbers")
            raise wrong(found=copies, allowed=f"{DECK_COPIES[0]} to {DECK_COPIES[-1]} numbers")
    names = [sum(len(card.numbers) == copies for card in cards) for copies in DECK_COPIES]
    if names != constants.deck_names:
        wrong = partial(UserError, "a deck is built otherwise", file=path, field="card")
        raise wrong(found=names_by_copies(names), allowed=names_by_copies(constants.deck_names))


def names_by_copies(names: Sequence[int]) -> str:
    """Say how many names a deck has with one, two and three copies, and how many cards that makes."""
    cards = sum(number * copies for number, copies in zip(names, DECK_COPIES, strict=True))
    said = ", ".join(f"{number} names x{copies}" for number, copies in zip(names, DECK_COPIES, strict=True))
    return f"{said}: {cards} cards"


def _check_apart(
    folder: Path, commons: Sequence[CommonCard], decks: Sequence[tuple[Faction, Sequence[FactionCard]]]
) -> None:
    """Check that decks have no names in common, nor factions their names or codes."""
    home = {card.name: "common.toml" for card in commons}
    names: set[str] = set()
    codes = {COMMON_CODE}
    for file, (faction, cards) in zip((f"{name}.toml" for name in EMPIRES), decks, strict=True):
        for field, value, taken in (("name", faction.name, names), ("code", faction.code, codes)):
            if value in taken:
                wrong = partial(UserError, file=folder / file, row="faction", field=field)
                raise wrong(f"{field} given twice", found=value, allowed="one that no other deck has")
            taken.add(value)
        for card in cards:
            if card.name in home:
                message = f"a card of {home[card.name]} is called so"
                raise UserError(message, file=folder / file, row=card.name, field="name", allowed="another name")
            home[card.name] = file


def _check_size(folder: Path, copies: Sequence[_Copy], attacks: Sequence[Attack]) -> None:
    """Check that all cards fit the card table, and that one player's fit the zones of the record."""
    cards = len(copies) + sum(attack.copies for attack in attacks)
    if cards > MAX_CARDS:
        raise UserError("too many cards", file=folder, found=cards, allowed=f"at most {MAX_CARDS}")
    sizes = Counter(copy.faction for copy in copies)
    largest = max(size for faction, size in sizes.items() if faction >= 0)
    if sizes[-1] + largest > MAX_ZONE:
        allowed = f"at most {MAX_ZONE - largest}, so that with a faction's deck they fit a hand"
        raise UserError(
            "too many common cards", file=folder / "common.toml", field="card", found=sizes[-1], allowed=allowed
        )
