"""The interface of a game in one plain Python file: a class with four methods, and optional methods for more features.

    from empirelab import Game, toml

    class Realms(Game):
        title = "Three Realms"
        players = (2, 3, 4)
        faction_word = "nation"                # the rows of [[nation]] in the data are the factions
        score_parts = ("cards", "spoils")
        data = toml("realms.toml")             # every number in it can be varied: realms.toml#Traders.gold

        def setup(self, state, deal): ...      # state has players and factions; set state.seat to who begins
        def options(self, state): ...          # what state.seat may do: a list that is never empty
        def apply(self, state, option, chance): ...   # True ends the game, or write is_over(state)
        def score(self, state, seat): ...      # one whole number for each score part

    def balanced(game, state, option, *, raid=1.0): ...   # a player: scores one option; the best one is taken
    def careful(game, view, options): ...                 # a player: returns one of the options

Every function of the file whose first arguments are `game, state, option` or `game, view, options` is a player; its
keyword arguments are its weights. Two players come with every game: `random`, and `greedy`, which takes the option
after which its seat has the largest lead in points.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from operator import is_
from pathlib import Path
from types import MappingProxyType, ModuleType, SimpleNamespace
from typing import Any

from sim.data.arguments import checks_arguments
from sim.data.catalog import read_toml
from sim.errors import nearest


class TomlFile:
    """A TOML file next to the Python file that refers to it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, game: object, kind: type[Game]) -> Any:
        """Return the file's content for an instance of the game (as in a test), and this object for the class."""
        if game is None:
            return self
        return frozen(read_toml(Path(kind.setup.__code__.co_filename).parent / self.name))


@checks_arguments
def toml(name: str) -> Any:
    """Declare the TOML file with a game's numbers: `data = toml("realms.toml")`. It lies next to the Python file.

    In the game `self.data` is the file's content: `self.data["card"]` are the rows of `[[card]]`, and `row["cost"]` and
    `row.cost` are equivalent. Rows are shared by all games, so they cannot be changed; they may be part of options.
    """
    return TomlFile(name)


METHODS_OF_ROWS = frozenset(dir(dict))
"""Names of fields that cannot be read as attributes of a row: `row.items` is the method, `row["items"]` the field."""


class DataRow(dict[str, Any]):
    """A table of a game's data: a read-only dictionary whose values are also attributes."""

    __slots__ = ("__dict__", "_hash", "_table")

    def __init__(self, content: Mapping[str, Any], table: str = "") -> None:
        super().__init__(content)
        object.__setattr__(self, "_table", table)
        object.__setattr__(self, "_hash", hash(tuple(self.items())))
        # Reading a real attribute is several times as fast as reading one through `__getattr__`.
        object.__setattr__(self, "__dict__", {name: self[name] for name in self if name not in METHODS_OF_ROWS})

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(no_field(self, name), name=name, obj=self)

    def __missing__(self, name: str) -> Any:
        raise KeyError(no_field(self, name))

    def __hash__(self) -> int:  # type: ignore[override]
        return self._hash

    def __copy__(self) -> DataRow:
        return self

    def __deepcopy__(self, memo: object) -> DataRow:
        return self

    def __reduce__(self) -> Any:
        return DataRow, (dict(self), self._table)

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise TypeError("the data are shared by all games and cannot be changed; copy what changes into the state")

    __setitem__ = __delitem__ = __setattr__ = update = pop = popitem = clear = setdefault = __ior__ = _refuse


ATOMS = frozenset({int, float, str, bool, type(None), bytes, complex, range, frozenset, DataRow})
"""Types of immutable values; a copy shares these values with its original."""


def no_field(row: Mapping[str, Any], name: str) -> str:
    """Return the message that a row of the data lacks a field; it suggests the field with the nearest name."""
    near = nearest(str(name), map(str, row))
    what = "this row of the data has no" if getattr(row, "_table", "") else "the data have no table"
    return f"{what} {name!r}" + (f"; did you mean {near!r}?" if near else "")


def frozen(value: Any, table: str = "") -> Any:
    """Convert dictionaries to `DataRow` and lists to tuples, so that games cannot change them."""
    if isinstance(value, dict):
        return DataRow({name: frozen(each, name) for name, each in value.items()}, table)
    return tuple(frozen(each, table) for each in value) if isinstance(value, list | tuple) else value


class Game:
    """A game. Write `setup`, `options`, `apply` and `score`; everything else is optional and enables further features.

    The framework reads the state only through these methods. Everything that changes during a game belongs to the
    state: a game cannot set its own attributes. Draw random numbers only from `deal` (shared by the games of a block)
    and `chance`, which are `random.Random`. Draws from the module `random` and the order of sets differ between
    processes; `empirelab soak` finds games that depend on them.

    Attributes
    ----------
    title
        Name in reports; by default the name of the class.
    players
        Numbers of players that the game allows; the last is the default unless `default_players` gives another.
    data
        Numbers: `toml("my_game.toml")`, or a dictionary. `rebalance` and `sweep` can vary every number in them.
    negative
        Fields, such as "card.points", that a change may set below 0 although no number in them is below 0 now.
    faction_word, faction_attributes
        `faction_word` is what a faction is called, and the name of the table with one row for each faction.
        `faction_attributes` are the fields by which reports group factions.
    factions
        The factions, if they are not in the data: a list of names or rows.
    score_parts
        Names of the numbers that `score` returns; the highest sum wins.
    measure_names
        Names of the numbers that `measures` returns. Each becomes a column of the report.
    checkpoints
        Rounds after which scores are recorded. Reports use them for lead changes and the chance to win by round. The
        method `round` is needed.
    end_reasons
        The strings that `end_reason` may return.
    piece_word, piece_events
        `piece_word` is the table of the data whose rows are pieces, such as "card". `piece_events` are the events that
        can happen to a piece; the first is that it comes into play. With the method `pieces`, they enable `--detail`,
        card tables, `intervene` and `explain --pieces`.
    piece_price
        Fields of a piece that make up its price.
    hidden
        Attributes of the state that seats do not see: each is a pile, or a list with the hand of each seat. `()` means
        that everything is open. `hidden` enables look-ahead (`balanced+8`), the test of hidden information, Python bots
        and PettingZoo.
    variants
        Ways to play: the name of each, with the numbers of players that it allows, or None if it allows all.
        `state.variant` is the name of the one that is played.
    settings
        Open points of the rules, each with its allowed values, the default first. `--set` chooses a value;
        `state.settings` holds it.
    search
        How players look ahead, where it differs from the default: `{"options": 3, "horizon": 2}`, as in the table
        `[search]` of a player's TOML file (docs/own-game.md).
    max_steps
        Number of moves after which a game counts as endless.
    """

    title = ""
    players: Sequence[int] = ()
    default_players: int | None = None
    data: Any = MappingProxyType({})
    negative: Sequence[str] = ()
    faction_word = ""
    faction_attributes: Sequence[str] = ()
    factions: Sequence[Any] = ()
    score_parts: Sequence[str] = ("points",)
    measure_names: Sequence[str] = ()
    checkpoints: Sequence[int] = ()
    end_reasons: Sequence[str] = ("over",)
    piece_word = ""
    piece_events: Sequence[str] = ("gained",)
    piece_price: Sequence[str] = ()
    hidden: Sequence[str] | None = None
    variants: Mapping[str, Sequence[int] | None] = MappingProxyType({})
    settings: Mapping[str, Sequence[Any]] = MappingProxyType({})
    search: Mapping[str, Any] = MappingProxyType({})
    max_steps = 10_000

    # ---- The four methods that every game has ----

    def setup(self, state: Any, deal: Any) -> Any:
        """Set up a game in `state`, a namespace with `players`, `factions`, `variant` and `settings`.

        Set `state.seat` to the seat that decides first. Instead of filling `state`, the method may return a state
        object of a class of your own.
        """
        raise NotImplementedError

    def options(self, state: Any) -> Sequence[Any]:
        """Return the options of `state.seat`, at least one. Options may be any hashable values."""
        raise NotImplementedError

    def apply(self, state: Any, option: Any, chance: Any) -> Any:
        """Carry out an option, with dice and reshuffles from `chance`, and set `state.seat`.

        Return True to end the game.
        """
        raise NotImplementedError

    def score(self, state: Any, seat: int) -> Any:
        """Return the points of a seat as if the game ended now: one number for each score part."""
        raise NotImplementedError

    # ---- Optional ----

    def is_over(self, state: Any) -> bool:
        """Tell whether the game has ended."""
        return False

    def tie_break(self, state: Any, seat: int) -> Any:
        """Return a number that breaks ties between equal scores; higher is better."""
        return 0

    def seats_to_act(self, state: Any) -> Sequence[int]:
        """Return the seats that choose at the same time; `apply` then receives `{seat: option}`.

        `options` is called for each of them with `state.seat` set.
        """
        return (state.seat,)

    def round(self, state: Any) -> int:
        """Return the number of the round, from 1. It is needed for the length of games and for checkpoints."""
        raise NotImplementedError

    def end_reason(self, state: Any) -> str:
        """Return why the game ended, one of `end_reasons`."""
        return self.end_reasons[0]

    def measures(self, state: Any, seat: int) -> Any:
        """Return the numbers that `measure_names` lists. This method is called at the end of a game."""
        return ()

    def pieces(self, state: Any, seat: int) -> Iterable[tuple[str, str, int]]:
        """Return the events of a seat's pieces.

        Each event is the name of the piece, one of `piece_events`, and the round, from 1.

        The event "offered" means that the seat could have taken the piece.
        """
        return ()

    def redeal(self, state: Any, seat: int, random: Any) -> None:
        """Redeal what a seat cannot know; `state` is a copy. By default, the piles and hands of `hidden` are redealt.

        The default shuffles all cards of one kind together: rows of one table, or values of one type. Write this method
        if cards of one kind form piles that never mix, such as decks of two ages.
        """
        shuffle_hidden(state, seat, random, self.hidden or ())

    def view(self, state: Any, seat: int) -> Any:
        """Return what a seat may see. By default, the hidden piles and the other seats' hands become lists of None."""
        return view_without(state, seat, self.hidden or ())

    def features(self, state: Any, seat: int) -> Mapping[str, float]:
        """Return numbers that describe how a seat stands. Learned judges see these numbers.

        By default they are all numbers in the state.

        `state` is the view of the seat that looks ahead: each pile or hand that this seat cannot see is a list of None.
        """
        return {}

    def describe(self, state: Any, option: Any) -> str:
        """Return an option in words, for narrated games."""
        return in_words(option)

    def check(self, state: Any) -> None:
        """Raise an error, such as that of `assert`, if the state is impossible; `soak` calls it after every move."""

    def copy(self, state: Any) -> Any:
        """Return a copy of the state that shares no mutable objects with it."""
        return copied(state, {})

    def __setattr__(self, name: str, value: object) -> None:
        if name not in ("data", "_ready") and self.__dict__.get("_ready"):
            raise AttributeError(f"a game cannot set self.{name}: what changes during a game belongs to the state")
        super().__setattr__(name, value)


def in_words(option: Any) -> str:
    """Return an option as a string for narrated games; rows of the data appear by name."""
    if isinstance(option, DataRow):
        return str(option.get("name", dict(option)))
    if isinstance(option, tuple | list):
        return " ".join(in_words(part) for part in option if part is not None)
    return str(option)


def copied(value: Any, known: dict[int, Any]) -> Any:
    """Return a deep copy of plain Python state, several times as fast as `copy.deepcopy`. Rows of the data are shared.

    Lists, dictionaries and sets that contain only atoms (`ATOMS`) are copied in one step. Objects are copied attribute
    by attribute if their class does not customize copying. Everything else is left to `copy.deepcopy`. `known` are the
    copies made so far, keyed by the `id` of the original.
    """
    kind = type(value)
    if kind in ATOMS:
        return value
    if (found := known.get(id(value))) is not None:
        return found
    new: Any
    if kind is list:
        known[id(value)] = new = value[:]
        if not ATOMS.issuperset(map(type, value)):
            new[:] = [copied(each, known) for each in value]
    elif kind is dict:
        known[id(value)] = new = value.copy()
        if not (ATOMS.issuperset(map(type, value)) and ATOMS.issuperset(map(type, value.values()))):
            new.clear()
            for name, each in value.items():
                new[copied(name, known)] = copied(each, known)
    elif kind is tuple or hasattr(kind, "_make"):
        parts = value if ATOMS.issuperset(map(type, value)) else [copied(each, known) for each in value]
        same = all(map(is_, parts, value))
        known[id(value)] = new = value if same else tuple(parts) if kind is tuple else kind._make(parts)
    elif kind is set and ATOMS.issuperset(map(type, value)):
        known[id(value)] = new = value.copy()
    elif isinstance(value, Enum) or is_card(value):
        known[id(value)] = new = value
    elif (names := attributes_of(kind)) is not None:
        known[id(value)] = new = kind() if kind is SimpleNamespace else object.__new__(kind)
        if (own := getattr(value, "__dict__", None)) is not None:
            vars(new).update({name: each if type(each) in ATOMS else copied(each, known) for name, each in own.items()})
        for name in names:
            if hasattr(value, name):
                object.__setattr__(new, name, copied(getattr(value, name), known))
    else:
        known[id(value)] = new = copy.deepcopy(value, known)
    return new


def attributes_of(kind: type) -> tuple[str, ...] | None:
    """Return the slots of a class if its objects are copied attribute by attribute; otherwise None."""
    if kind not in _SLOTS:
        _SLOTS[kind] = () if kind is SimpleNamespace else slots_of(kind)
    return _SLOTS[kind]


_SLOTS: dict[type, tuple[str, ...] | None] = {}
"""Cache of `attributes_of`."""


def slots_of(kind: type) -> tuple[str, ...] | None:
    """Return the slots of a class and its bases; None if the class customizes how its objects are copied or built."""
    own = ("__new__", "__deepcopy__", "__reduce_ex__", "__reduce__", "__getstate__", "__setstate__", "__getnewargs__")
    if issubclass(kind, ModuleType) or any(
        getattr(kind, name, None) is not getattr(object, name, None) for name in own
    ):
        return None
    slots = {name for base in kind.__mro__ for name in slot_names(vars(base).get("__slots__", ()))}
    slots -= {"__dict__", "__weakref__"}
    return None if any(name.startswith("__") for name in slots) else tuple(sorted(slots))


def slot_names(slots: Any) -> tuple[str, ...]:
    """Return the names in `__slots__`, which may be a single string."""
    return (slots,) if isinstance(slots, str) else tuple(slots)


def is_card(value: Any) -> bool:
    """Tell whether a value is an instance of a frozen dataclass with only atoms as fields.

    Copies share such a value with the original.
    """
    frozen = getattr(getattr(value, "__dataclass_params__", None), "frozen", False)
    return frozen and ATOMS.issuperset(map(type, getattr(value, "__dict__", {"": []}).values()))


def named_piles(state: Any, names: Sequence[str]) -> list[tuple[str, Any]]:
    """Return the hidden piles and hands of a state by name; raise AttributeError if the state lacks a name."""
    return [(name, getattr(state, name)) for name in names]


def is_list_of_hands(pile: Any, players: int) -> bool:
    """Tell whether a hidden attribute is a list of hands, one for each seat."""
    return isinstance(pile, list) and len(pile) == players and all(isinstance(hand, list) for hand in pile)


def shuffle_hidden(state: Any, seat: int, random: Any, names: Sequence[str]) -> None:
    """Redeal the cards of the hidden piles and the other seats' hands: each kind of card is shuffled separately.

    Every card is replaced by one of its kind: a hand of two wares and a contract gets two wares and a contract.
    """
    piles: list[list[Any]] = []
    for _, pile in named_piles(state, names):
        if is_list_of_hands(pile, state.players):
            piles += [hand for owner, hand in enumerate(pile) if owner != seat]
        else:
            piles.append(pile)
    pools: dict[Any, list[Any]] = {}
    for pile in piles:
        for each in pile:
            pools.setdefault(kind_of_card(each), []).append(each)
    for pool in pools.values():
        random.shuffle(pool)
    for pile in piles:
        pile[:] = [pools[kind_of_card(each)].pop() for each in pile]


def kind_of_card(card: Any) -> object:
    """Return the kind of a card: the table if it is a row of the data, otherwise its type.

    Only cards of one kind are shuffled together.
    """
    return card._table if type(card) is DataRow else type(card)


def view_without(state: Any, seat: int, names: Sequence[str]) -> Any:
    """Return a copy of a state in which every hidden pile, and every hidden hand of another seat, is a list of None."""
    seen = copied(state, {})
    for name, pile in named_piles(seen, names):
        if is_list_of_hands(pile, state.players):
            setattr(seen, name, [hand if owner == seat else [None] * len(hand) for owner, hand in enumerate(pile)])
        else:
            setattr(seen, name, [None] * len(pile))
    return seen
