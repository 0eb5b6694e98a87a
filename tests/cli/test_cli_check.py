"""`check` finds whatever of a run is not as it was written, and says where."""

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sim.runs import run as playing
from tests.cli.conftest import Message, Program
from tests.kit.processes import Outcome
from tests.reports.synthetic import edit

PLAYED = (
    "simulate", "seven_wonders", "--games", 60, "--players", "3,4", "--strategies", "random,greedy",
    "--detail", "cards", "--jobs", 1, "--quiet",
)  # fmt: skip
SEATS, CARDS = "seats/part-000001.parquet", "cards/part-000001.parquet"


@pytest.fixture
def folder(once: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A run of 30 games of three and 30 of four players in parts of 20 games."""
    with monkeypatch.context() as patched:
        patched.setattr(playing, "PART_GAMES", 20)
        patched.setattr(playing, "PART_GAMES_OF_PIECES", 20)
        once(*PLAYED, "--out", "out")
    return tmp_path / "out"


def forge(folder: Path, part: str, change: Callable[[pl.DataFrame], pl.DataFrame]) -> None:
    """Change the rows of a part, and the manifest's digest with them."""
    change(pl.read_parquet(folder / part)).write_parquet(folder / part)
    digest = hashlib.sha256((folder / part).read_bytes()).hexdigest()
    table, number = "shards" if part.startswith("seats") else "piece_parts", int(part[-9:-8])
    edit(folder, lambda m: m[table][number].update(sha256=digest))


def forged(part: str, change: Callable[[pl.DataFrame], pl.DataFrame]) -> Callable[[Path], object]:
    """Damage to a run: rows of a part changed, and its digest with them."""
    return lambda folder: forge(folder, part, change)


def edited(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], object]:
    """Damage to a run: its manifest changed."""
    return lambda folder: edit(folder, change)


def at(row: int, **values: object) -> Callable[[pl.DataFrame], pl.DataFrame]:
    """A change of one row."""
    here = pl.int_range(pl.len()) == row
    return lambda frame: frame.with_columns(
        pl.when(here).then(pl.lit(value)).otherwise(name).cast(frame.schema[name]).alias(name)
        for name, value in values.items()
    )


def flip(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 4
    file.write_bytes(content)


def swap(one: Path, other: Path) -> None:
    kept = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(kept)


def test_a_whole_run_passes_with_a_short_word(empirelab: Program, folder: Path) -> None:
    shutil.copytree(folder, folder.parent / "copy")
    rows = sum(pl.read_parquet(file).height for file in folder.rglob("*.parquet"))
    said = f"intact (60 games, 18 blocks, {rows:,} rows, 6 parts)\n"
    assert empirelab("check", "out", "copy") == Outcome(0, f"out: {said}copy: {said}", "")
    assert empirelab("check", "out", "--quiet").out == ""


DAMAGE: dict[str, tuple[Callable[[Path], object], str]] = {
    "a flipped bit": (lambda f: flip(f / SEATS), f"out/{SEATS}, field sha256: checksum mismatch"),
    "a flipped bit of cards": (lambda f: flip(f / CARDS), f"out/{CARDS}, field sha256: checksum mismatch"),
    "no events": (
        lambda f: (flip(f / CARDS), edit(f, lambda m: m.update(piece_events=[]))),
        f"out/{CARDS}, field sha256: checksum mismatch",
    ),
    "parts in turn": (lambda f: swap(f / SEATS, f / "seats/part-000002.parquet"), f"out/{SEATS}, field sha256"),
    "no part": (lambda f: (f / CARDS).unlink(), f"out/{CARDS}: this part of the run is missing"),
    "a page": (lambda f: (f / "page.html").touch(), "out/page.html: not a file of this run"),
    "a folder": (lambda f: (f / "more").mkdir(), "out/more: not a file of this run"),
    "half a part": (
        lambda f: (f / "seats/part-000003.unfinished").touch(),
        "out/seats/part-000003.unfinished: not a file of this run",
    ),
    "a link": (
        lambda f: ((f / "run.json").rename(f.parent / "else"), (f / "run.json").symlink_to(f.parent / "else")),
        "out/run.json: a link in a run folder",
    ),
    "another table": (
        lambda f: (
            (f / "cards").rename(f / "kards"),
            edit(f, lambda m: [part.update(file="k" + part["file"][1:]) for part in m["piece_parts"]]),
        ),
        "field piece_parts: not a part of this table (found: 'kards/part-000000.parquet'); allowed: cards/...",
    ),
    "a null": (edited(lambda m: m["score_parts"].append(None)), "out/run.json, field score_parts.8: not allowed here"),
    "blocks": (edited(lambda m: m.update(blocks=19)), "out/run.json, field blocks"),
    "first game": (
        edited(lambda m: m["player_counts"][1].update(first_game=29)),
        "field player_counts.2.first_game: does not continue where the previous entry ends (found: 29); allowed: 30",
    ),
    "fewer of three": (
        edited(lambda m: (m["player_counts"][0].update(games=28), m["player_counts"][1].update(first_game=28))),
        "field games: the entries of player_counts make 58",
    ),
    "another game": (forged(SEATS, at(0, game=99)), f"out/{SEATS}, row game 99, field game"),
    "games that are torn": (
        forged(SEATS, lambda t: pl.concat([t[1:], t[:1]])),
        f"out/{SEATS}, row game 20, field seat: not a number that this run can have here",
    ),
    "players": (
        forged(SEATS, at(4, players=4)),
        f"out/{SEATS}, row game 21, field players: not a number that this run can have here; play the run again "
        "(found: 4); allowed: the same in all rows of a game",
    ),
    "a seat": (forged(SEATS, at(4, seat=0)), f"out/{SEATS}, row game 21, field seat: not a number"),
    "a block": (forged(SEATS, at(4, block=9)), f"out/{SEATS}, row game 21, field one block"),
    "a later block": (
        forged(SEATS, lambda t: t.with_columns(pl.col("block") + (pl.col("game") > 35).cast(pl.UInt32) * 2)),
        f"out/{SEATS}, row game 36, field block: the rows of this game are not those of the run: 13 where 12 is",
    ),
    "a winner more": (forged(SEATS, lambda t: t.with_columns(win=pl.lit(1.0, pl.Float32))), "the wins add up to"),
    "a loser who won": (
        forged(SEATS, lambda t: t.with_columns(pl.col("rank") % 3 + 1)),
        f"out/{SEATS}, row game 20, field winners of rank 1",
    ),
    "blocks that are no whole numbers": (
        lambda f: [forge(f, f"seats/part-00000{n}.parquet", lambda t: t.cast({"block": pl.Float64})) for n in range(3)],
        "out/seats/part-000000.parquet, field block: not a column of whole numbers (found: 'Float64')",
    ),
    "another type": (
        forged(SEATS, lambda t: t.cast({"blue": pl.Int64})),
        f"out/{SEATS}, field blue: the type differs from the first part: part of another run (found: 'Int64')",
    ),
    "other ends": (
        forged(SEATS, lambda t: t.with_columns(end_reason=pl.lit("x", pl.Enum(["x"])))),
        f"out/{SEATS}, field end_reason: other end_reasons than in the first part",
    ),
    "no value": (forged(SEATS, at(3, blue=None)), f"out/{SEATS}, field blue: 1 row without a value"),
    "cards whose meaning is not declared": (
        lambda f: (
            forge(f, CARDS, lambda t: t.cast({"seat": pl.String})),
            edit(f, lambda m: m.update(piece_events=[])),
        ),
        f"out/{CARDS}, field seat: not a column of whole numbers (found: 'String')",
    ),
    "a card of another game": (
        forged(CARDS, at(3, game=5)),
        f"out/{CARDS}, row 3: a row names a game or seat that this part does not have (found: 'game 5, seat",
    ),
    "a card of no seat": (forged(CARDS, at(3, seat=3)), f"out/{CARDS}, row 3: a row names a game or seat"),
}


@pytest.mark.parametrize(("damage", "message"), DAMAGE.values(), ids=list(DAMAGE))
def test_what_is_not_as_it_was_written_is_named(
    complaint: Message, folder: Path, damage: Callable[[Path], object], message: str
) -> None:
    damage(folder)
    assert message in complaint("check", "out")


def everywhere(**values: object) -> Callable[[pl.DataFrame], pl.DataFrame]:
    """A change of all rows."""
    return lambda frame: frame.with_columns(
        pl.lit(value).cast(frame.schema[name]).alias(name) for name, value in values.items()
    )


NUMBERS: dict[str, tuple[Callable[[pl.DataFrame], pl.DataFrame], str]] = {
    "a rank behind the last": (
        everywhere(rank=99),
        "row game 20, field rank: {} (found: 99); allowed: 1 to the number",
    ),
    "a rank that only a larger table has": (at(1, rank=4), "row game 20, field rank: {} (found: 4)"),
    "rank 0": (at(0, rank=0), "row game 20, field rank: {} (found: 0)"),
    "a seat that no game has": (everywhere(seat=100), "row game 20, field seat: {} (found: 100); allowed: 0 to 3"),
    "one game": (everywhere(game=5), "row game 5, field seat: {} (found: 0); allowed: the seats of each game in order"),
    "a game of no run": (everywhere(game=60), "row game 60, field game: {} (found: 60); allowed: 0 to 59"),
    "a game less": (
        lambda frame: frame.with_columns(pl.col("game") - (pl.col("game") == 25)),
        "row game 24, field seat: {} (found: 0)",
    ),
    "games backwards": (
        lambda frame: frame.with_columns(game=59 - pl.col("game")),
        "row game 38, field game: {} (found: 38); allowed: a larger number than the game before",
    ),
    "no players": (everywhere(players=0), "row game 20, field players: {} (found: 0); allowed: 3 or 4"),
    "a player more": (
        lambda frame: frame.with_columns(pl.col("players") + (pl.col("game") == 20)),
        "row game 20, field players: {} (found: 4); allowed: the number of rows of the game",
    ),
    "a block of no run": (at(0, block=18), "row game 20, field block: {} (found: 18); allowed: 0 to 17"),
    "a win too large": (at(0, win=1.5), "row game 20, field win: {} (found: 1.5); allowed: 0 to 1"),
    "a win that is no number": (at(0, win=float("nan")), "row game 20, field win: {} (found: nan); allowed: a finite"),
    "a score that is no number": (
        lambda frame: at(0, score=float("inf"))(frame.cast({"score": pl.Float64})),
        "row game 20, field score: {} (found: inf); allowed: a finite number",
    ),
    "the games of the part before": (
        lambda frame: frame.with_columns(pl.col("game") - 10),
        "field game: not the games after those of the previous part; play the run again (found: 10)",
    ),
    "a negative seat": (
        lambda frame: at(0, seat=-1)(frame.cast({"seat": pl.Int64})),
        "row game 20, field seat: {} (found: -1)",
    ),
}


@pytest.mark.parametrize(("change", "message"), NUMBERS.values(), ids=list(NUMBERS))
def test_numbers_that_a_run_cannot_have_are_named(
    complaint: Message, folder: Path, change: Callable[[pl.DataFrame], pl.DataFrame], message: str
) -> None:
    forge(folder, SEATS, change)
    expected = message.format("not a number that this run can have here; play the run again")
    for command in ("report", "check"):
        assert f"out/{SEATS}, {expected}" in complaint(command, "out")


@pytest.mark.parametrize(("name", "number"), [("seat", 100), ("game", 60)])
def test_cards_of_no_seat_or_game_of_the_run_are_named(
    complaint: Message, folder: Path, name: str, number: int
) -> None:
    forge(folder, CARDS, at(3, **{name: number}))
    for command in ("report", "check"):
        assert f"field {name}: not a number that this run can have" in complaint(command, "out")


def test_no_run_is_no_run(complaint: Message, folder: Path) -> None:
    assert "nowhere: no such run folder" in complaint("check", "nowhere")
    assert "seats: not a finished run" in complaint("check", folder / "seats")


READERS = (
    ("report", "out"),
    ("compare", "out", "out"),
    ("replay", "out"),
    ("replay", "out", "--where", "greedy wins", "--pick", "closest"),
    ("explain", "out", "--faction", "Rhodos A"),
    ("price", "out"),
    ("merge", "out", "other", "--out", "joined"),
    ("check", "out"),
)


@pytest.mark.parametrize("words", READERS, ids=" ".join)
def test_every_reader_refuses_a_flipped_bit_and_a_broken_part_with_the_right_digest(
    once: Program, complaint: Message, folder: Path, words: tuple[str, ...]
) -> None:
    if words[0] == "merge":
        once(*PLAYED, "--seed", 2, "--out", "other")
    part = folder / "seats" / "part-000000.parquet"
    whole = part.read_bytes()
    flip(part)
    said = complaint(*words)
    assert "seats/part-000000.parquet, field sha256: checksum mismatch" in said
    assert "play it again with: empirelab check --repair out" in said
    for content in (b"PAR1" + bytes(200) + b"PAR1", whole[: len(whole) // 2], whole[:40] + bytes(600) + whole[640:]):
        part.write_bytes(content)
        digest = hashlib.sha256(content).hexdigest()
        edit(folder, lambda m, digest=digest: m["shards"][0].update(sha256=digest))
        assert "cannot be read" in complaint(*words)
    part.write_bytes(whole)
    forge(folder, "seats/part-000000.parquet", lambda t: t.cast({"score": pl.String}))
    assert "field score: not a column of numbers" in complaint(*words)
