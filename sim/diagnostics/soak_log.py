"""What soaking has come to, kept in a file from one sitting to the next."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from sim.data.files import write_whole
from sim.data.json_input import read_object, read_text
from sim.errors import UserError

FORMAT = "empirelab-soak/1"


@dataclass(frozen=True)
class Violation:
    """What does not hold: in words, and the commands that play it again."""

    trial: int
    fault: str
    again: str
    plain: str


@dataclass
class BegunTrial:
    """A trial that was begun: what it was, and how much of it was clean.

    Attributes
    ----------
    trial
        Its number.
    players, variant, strategies, settings
        Its table, the names of its line-up, and how many settings had another value.
    whole
        Whether it was looked at before every decision, and all its games were played twice.
    games, decisions, looked_at
        What was clean: games, decisions in them, and before how many of these the laws were looked at.
    code
        Digest of the engine that it was played by.
    """

    trial: int
    players: int
    variant: str
    strategies: list[str]
    settings: int
    whole: bool
    code: str
    games: int = 0
    decisions: int = 0
    looked_at: int = 0


@dataclass
class Soaked:
    """What came of soaking a game: trials begun, and what was wrong; the latter of trials not played again since.

    `code` is the digest of the engine that plays now; trials of an earlier one say nothing of it.
    """

    game: str
    seed: int
    decks: list[str] = field(default_factory=list)
    tried: list[BegunTrial] = field(default_factory=list)
    violations: list[Violation] = field(default_factory=list)
    code: str = field(default="", compare=False)

    @property
    def games(self) -> int:
        """Games found clean, by whatever engine."""
        return sum(one.games for one in self.tried)

    @property
    def games_now(self) -> int:
        """Games found clean with the engine that plays now."""
        return sum(one.games for one in self.tried if one.code == self.code)

    @property
    def next_trial(self) -> int:
        """The first trial behind all that have been begun."""
        return 1 + max((one.trial for one in self.tried), default=-1)

    def begin(self, tried: BegunTrial) -> None:
        """Note that a trial begins; what was noted of it before, and of what did not hold, is forgotten."""
        self.tried = [one for one in self.tried if one.trial != tried.trial] + [tried]
        self.violations = [one for one in self.violations if one.trial != tried.trial]


def load_soaked(path: Path, game: str, seed: int, decks: Sequence[str]) -> Soaked:
    """Read what was kept of soaking, or begin anew where there is no such file.

    Raises
    ------
    UserError
        It cannot be read, or is of another game, seed or decks.
    """
    asked = {"game": game, "seed": seed, "decks": list(decks)}
    if not path.exists():
        return Soaked(game, seed, list(decks))
    try:
        content = read_object(path, read_text(path), None)
        kept = {name: content[name] for name in ("format", *asked)}
        tried = [_read_as(BegunTrial, row) for row in content["tried"]]
        violations = [_read_as(Violation, row) for row in content["violations"]]
    except (UserError, OSError, ValueError, TypeError, LookupError) as error:
        raise UserError("not kept by soak", file=path, allowed="another file, or none") from error
    for name, value in ({"format": FORMAT} | asked).items():
        if kept[name] != value:
            raise UserError("kept of other soaking", file=path, field=name, found=kept[name], allowed=str(value))
    return Soaked(game, seed, list(decks), tried, violations)


def _read_as(kind: Any, row: Mapping[str, Any]) -> Any:
    """Read a row as what was kept.

    Raises
    ------
    TypeError
        Its fields are not those of the kind, or one of them is of another type.
    """
    one = kind(**row)
    names = {"int": int, "str": str, "bool": bool, "list[str]": list}
    for name, annotation in kind.__annotations__.items():
        if type(getattr(one, name)) is not names[annotation]:
            raise TypeError(name)
    return one


def keep_soaked(path: Path, soaked: Soaked) -> None:
    """Write what has been played so far, whole or not at all.

    Raises
    ------
    UserError
        It cannot be written.
    """
    content = {"format": FORMAT, **asdict(soaked)}
    write_whole(path, (json.dumps(content, indent=None, separators=(",", ":")) + "\n").encode("utf-8"))
