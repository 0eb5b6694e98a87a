"""Names of cards and locations in positions, and the cards and locations to which names refer."""

from __future__ import annotations

from collections.abc import Sequence

from sim.compiler.kernel import Record
from sim.games.imperial_settlers.data.catalog import Catalog
from sim.games.imperial_settlers.rules import constants
from sim.games.shared.describe import cards_in, near_names

# ---- Cards ----


def cards_named(catalog: Catalog, t: Record, name: str) -> list[int]:
    """Return the cards to which `name` refers. A code refers to one card; a name refers to all cards with that name.

    Variants are left out unless `name` is their code. The name of an attack card is its target.
    """
    if name in catalog.codes:
        return [catalog.codes.index(name)]
    return [card for card in range(int(t.cards)) if card_name(catalog, card) == name and not is_variant(catalog, card)]


def card_name(catalog: Catalog, card: int) -> str:
    """Return the name of a card. An attack card is named by its target; a nameless card has the name ""."""
    commons_and_factions = len(catalog.cards)
    if card < commons_and_factions:
        return catalog.cards[card].name
    attack = card - commons_and_factions
    return catalog.attacks[attack].target if attack < len(catalog.attacks) else ""


def is_variant(catalog: Catalog, card: int) -> bool:
    """Tell whether a card is a variant: a copy with values of its own. Its code refers to this copy alone."""
    if card >= len(catalog.cards):
        return False
    return any(catalog.codes[card].endswith(f"{variant.number:03}") for variant in catalog.cards[card].variants)


def is_called(catalog: Catalog, card: int, name: str) -> bool:
    """Tell whether a name or code refers to a card.

    A name refers to all cards with that name. The code of a variant refers only to that copy. Any other code refers to
    all copies that are not variants.
    """
    if card < 0 or name not in catalog.codes:
        return card >= 0 and card_name(catalog, card) == name
    wanted = catalog.codes.index(name)
    if is_variant(catalog, wanted) or is_variant(catalog, card):
        return card == wanted
    return card_name(catalog, card) == card_name(catalog, wanted)


def near_card_names(names: Sequence[str], name: str) -> list[str] | str:
    """Return the names of the cards most similar to a name, for a message."""
    return near_names(names, name, "the name of a card, or the code of a print (COM048)")


# ---- Locations ----


def name_and_number(name: str) -> tuple[str, int]:
    """Split the name of a location into name and number. "Mill#2" is the second Mill."""
    plain, mark, number = name.rpartition("#")
    if mark and number.isascii() and number.isdigit() and len(number) < 4:
        return plain, int(number)
    return name, 1


def location_named(g: Record, catalog: Catalog, owner: int, name: str) -> int | None:
    """Return the location of an empire to which a name refers: the first with that name, or with "#2" the second."""
    plain, wanted = name_and_number(name)
    built = cards_in(g, owner, constants.LOCATIONS)
    named = [card for card in built if is_called(catalog, card, plain)]
    return named[wanted - 1] if 1 <= wanted <= len(named) else None


def location_name(g: Record, catalog: Catalog, card: int) -> str:
    """Return the name of a location. The second with the same name in an empire ends with "#2", and so on."""
    name = card_name(catalog, card)
    alike = [each for each in cards_in(g, int(g.owner[card]), constants.LOCATIONS) if card_name(catalog, each) == name]
    number = alike.index(card) + 1 if card in alike else 1
    return name if number == 1 else f"{name}#{number}"
