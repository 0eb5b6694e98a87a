"""Which player of The Glory of Rome beats which, for `tests/kit/players.py`."""

from tests.kit.players import Duel

DUELS: tuple[Duel, ...] = ()
