"""Files of learned judges.

A file holds the weights of the judge's nets, by name of the feature, and what the judge was trained on.

A judge is refused for a game with other tables, another number of players or another variant than it was trained on,
because its estimates would be wrong.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, ValidationError

from sim.compiler.cache import cache_home
from sim.data.catalog import CONFIGS
from sim.data.declarations import Entry, Search
from sim.data.disk import write_file_atomically
from sim.engine.script import Strategy
from sim.errors import UserError
from sim.game import Data, GameSpec
from sim.players.judge import HEAD
from sim.players.search_memory import MOST_FEATURES, MOST_SEATS, UNITS

ROLES = {"others": 2, "neighbours": 4}
"""How many roles a seat can have for another (`sim.players.judge.role_of`), by the value of `JudgeFeatures.roles`."""
LARGEST_FILE = 64 << 20
"""Maximum bytes of an uncompressed judge's file."""
TABLES = "{tables}"
"""Placeholder in a judge's file name. The digest of the game's tables replaces it, so that each change of the data has
a judge of its own."""
CACHE = "{cache}"
"""Placeholder at the start of a judge's file name for the cache folder, which differs from machine to machine."""

Floats = NDArray[np.float32]


class JudgeRecord(Entry):
    """What a judge was trained on, and the loss that it reached.

    Attributes
    ----------
    game, players, variants, tables
        The game, the number of players, the variants, and the digest of the game's data.
    base
        The player whose games the judge evaluates.
    games, rounds, seed
        The number of games in the first round of training by self-play, the number of training rounds that the judge
        has learned from, and the seed.
    lead_scale
        How many points are one unit of the softened results.
    source, by_seat
        For a game in plain Python: the SHA-256 of its files, and the parts of its state that have an entry for each
        seat.
    loss, least
        For each part of the game, the cross-entropy with the softened results of held-out games; and the lowest
        possible cross-entropy, that of a judge who knows the results.
    """

    game: str = Field(min_length=1)
    players: int = Field(ge=2, le=MOST_SEATS)
    variants: list[str]
    tables: str
    base: str
    games: int = Field(ge=1)
    rounds: int = Field(default=1, ge=1)
    seed: int
    lead_scale: float = Field(ge=0.0, allow_inf_nan=False)
    loss: list[float]
    least: list[float]
    source: str = ""
    by_seat: list[str] = Field(default=[])


@dataclass(frozen=True)
class Judge:
    """A learned judge, and what it was trained on.

    `rows` are weights of the hidden units, shape (parts of the game, features, roles, UNITS), `biases` their biases,
    and `ratings` their weights in the rating; both of shape (parts of the game, UNITS).
    """

    record: JudgeRecord
    features: tuple[str, ...]
    rows: Floats
    biases: Floats
    ratings: Floats


def write_judge(path: Path, judge: Judge) -> None:
    """Write the file of a judge."""
    write_file_atomically(path, content_of(judge))


def content_of(judge: Judge) -> bytes:
    """Return the content of a judge's file. Rows are in half precision. The same judge always gives the same bytes."""
    used = np.flatnonzero(judge.rows.any(axis=(0, 2, 3)))
    content = io.BytesIO()
    np.savez_compressed(
        content,
        record=np.frombuffer(json.dumps(judge.record.model_dump(exclude_defaults=True)).encode(), np.uint8),
        features=np.frombuffer("\n".join(judge.features[place] for place in used).encode(), np.uint8),
        rows=judge.rows[:, used].astype(np.float16),
        biases=judge.biases.astype(np.float32),
        ratings=judge.ratings.astype(np.float32),
    )
    return content.getvalue()


def read_judge(path: Path) -> Judge:
    """Read the file of a judge; raise UserError if it cannot be read or is not the file of a judge."""
    return _judge_in(str(path), read_bytes_of(path))


@lru_cache(maxsize=16)
def _judge_in(file: str, content: bytes) -> Judge:
    """Parse the content of a judge's file. The result is cached."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as parts:
            if sum(part.file_size for part in parts.infolist()) > LARGEST_FILE:
                raise ValueError("too large")
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            record = JudgeRecord.model_validate_json(bytes(arrays["record"]))
            features = tuple(bytes(arrays["features"]).decode().split("\n"))
            rows, biases, ratings = (arrays[name].astype(np.float32) for name in ("rows", "biases", "ratings"))
        phases, roles = len(biases), rows.shape[2]
        shapes = (phases, len(features), roles, UNITS), (phases, UNITS), (phases, UNITS)
        if (rows.shape, biases.shape, ratings.shape) != shapes or len(set(features)) != len(features):
            raise ValueError("shapes")
        if not all(np.isfinite(array).all() for array in (rows, biases, ratings)):
            raise ValueError("numbers")
    except (ValueError, KeyError, IndexError, EOFError, OSError, zipfile.BadZipFile, ValidationError) as error:
        message = "this is not the file of a judge, or it is damaged"
        raise UserError(message, file=Path(file), allowed="a file that `empirelab train` has written") from error
    return Judge(record, features, rows, biases, ratings)


def file_of_judge(judge: str, players: int, tables: str = "") -> Path:
    """Return the path of a judge's file (`Search.judge`), for a number of players and a digest of tables."""
    name = judge.replace("{players}", str(players)).replace(TABLES, tables[:16])
    return CONFIGS / (str(cache_home()) + name.removeprefix(CACHE) if name.startswith(CACHE) else name)


def has_own_judge(search: Search | None) -> bool:
    """Tell whether a search uses judges that are kept in the cache, one for each change of the game's data.

    Such judges can be retrained when they are missing.
    """
    return search is not None and search.judge.startswith(CACHE) and ".." not in Path(search.judge).parts


def judge_for(judge: str, game: GameSpec, data: Data, players: int, variant: str | None = None) -> Judge:
    """Return a judge, after checking that it was trained for this game, these data, players and variant.

    `judge` names its file (`Search.judge`). If `variant` is None, the variant is not checked. Raise UserError
    if there is no judge for this number of players, or it was trained on another game, on other data, or on other
    variants.
    """
    path = file_of_judge(judge, players, data.digest)
    train = (
        f"empirelab train {game.name} --players {players} --out FILE.toml, with the same changes, then --code FILE.toml"
    )
    if game.judge is None and game.plain is None:
        raise UserError(f"{game.title} has no features for a judge", file=path, field="search.judge")
    if not path.is_file():
        raise UserError(f"there is no judge for {players} players", file=path, field="players", allowed=train)
    found = read_judge(path)
    record = found.record
    known = {"game": record.game, "number of players": str(record.players), "data": record.tables[:12]}
    played = {"game": game.name, "number of players": str(players), "data": data.digest[:12]}
    if game.plain is not None:  # the game's name is a path; it differs between folders, so names are not compared
        known["game"] = played["game"]
        known["source"], played["source"] = record.source[:12], game.plain.stamp[:12]
    if variant is not None and variant not in record.variants:
        known["variant"], played["variant"] = " and ".join(record.variants), variant
    for what, value in known.items():
        if value != played[what]:
            other = "other" if what in ("data", "source") else "another"
            message = f"the judge was trained with {other} {what} and would misjudge this game"
            raise UserError(message, file=path, field=what, found=f"{value}, not {played[what]}", allowed=train)
    if game.judge is None:
        return found
    foreign = sorted(set(found.features) - set(game.judge.name_features(data)))
    if foreign or (len(found.biases), found.rows.shape[2]) != (game.judge.phases, ROLES[game.judge.roles]):
        message = "the game's features have changed since the judge was trained"
        raise UserError(message, file=path, found=", ".join(foreign[:3]) or None, allowed=train)
    return found


def check_judges(strategies: Sequence[Strategy], game: GameSpec, data: Data, players: int, variant: str) -> None:
    """Check that the judges of strategies fit the game, except those made for each change (`has_own_judge`)."""
    for strategy in strategies:
        if strategy.search is not None and strategy.search.judge and not has_own_judge(strategy.search):
            judge_for(strategy.search.judge, game, data, players, variant)


def judges_digest(search: Search | None, players: Sequence[int], tables: str) -> str:
    """Return the SHA-256 of a search's judge files for these numbers of players and data; "" without a judge."""
    if search is None or not search.judge:
        return ""
    files = dict.fromkeys(file_of_judge(search.judge, count, tables) for count in players)
    return hashlib.sha256(b"".join(read_bytes_of(file) for file in files)).hexdigest()


def read_bytes_of(path: Path) -> bytes:
    """Return the content of a judge's file; raise UserError if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserError(f"the judge cannot be read ({error.strerror})", file=path) from error


# ---- For kernels ----


def net_numbers(judge: Judge, names: Sequence[str]) -> Floats:
    """Return a judge's weights as the array that kernels read (`sim.players.judge`).

    `names` are the features of the game, in order. Features that the judge does not know get weight 0.
    """
    phases, _, roles, _ = judge.rows.shape
    place = {name: number for number, name in enumerate(names)}
    rows = np.zeros((phases, len(names), roles, UNITS), np.float32)
    rows[:, [place[name] for name in judge.features]] = judge.rows
    nets = [rows.reshape(phases, -1), judge.biases, judge.ratings]
    head = np.array([len(names), roles, phases], np.float32)
    assert len(head) == HEAD
    return np.ascontiguousarray(np.concatenate([head, np.concatenate(nets, axis=1).ravel()]), np.float32)


def address_of_net(judge: str, game: GameSpec, data: Data, players: int) -> int:
    """Load a judge's weights into memory, and return their address for kernels.

    They stay in memory until the process ends. Raise UserError as in `judge_for`, or if the game has too many features.
    """
    features: Any = game.judge
    if features.max_features > MOST_FEATURES:
        raise UserError("a seat has too many features", found=features.max_features, allowed=f"up to {MOST_FEATURES}")
    net = net_numbers(judge_for(judge, game, data, players), features.name_features(data))
    key = hashlib.sha256(net.tobytes()).digest()
    return _nets.setdefault(key, net).ctypes.data


_nets: dict[bytes, Floats] = {}
"""The weights that kernels of this process read, by SHA-256."""
