"""Title and variants of The Glory of Rome.

They have a module of their own, so that a list of games can be made without loading the rules.
"""

from __future__ import annotations

from sim.data.declarations import Variant
from sim.games.glory_of_rome.rules import constants

TITLE = "The Glory of Rome"

VARIANT_NAMES = ("spies", "truce", "clockwork", "heroes", "hard-times", "imperial")
"""Names of the rules that a variant can combine, in the order of `constants.VARIANTS`."""
STANDARD = "standard"


def variant_of(bits: int) -> Variant:
    """Return the variant that combines these bits of `constants.VARIANTS`. In its name, "imperial" comes first."""
    chosen = [number for number in range(len(constants.VARIANTS)) if bits >> number & 1]
    is_solo = bits & constants.IMPERIAL != 0
    chosen.sort(key=lambda number: (1 << number != constants.IMPERIAL, number))
    name = "+".join(VARIANT_NAMES[number] for number in chosen) or STANDARD
    added = [constants.VARIANTS[number] for number in chosen if 1 << number != constants.IMPERIAL]
    head = "1 player, the Imperial variant" if is_solo else "2 to 4 players"
    description = f"{head}, with {', '.join(added)}" if added else head
    return Variant(name, (1,) if is_solo else (2, 3, 4), description)


VARIANTS = tuple(variant_of(bits) for bits in constants.VARIANT_BITS)
"""The variants, in the order of `constants.VARIANT_BITS`. Kernels know a variant by its index."""
