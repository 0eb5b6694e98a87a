"""How a player of 7 Wonders plays otherwise than those it meets, counted over games.

`python -m tests.games.seven_wonders.habits 100 balanced+32` seats one such player among three `balanced` in 100 games,
in all seats in turn; `... 100 balanced+32 tuned` meets others. The counts, for each seat and game, stand in
docs/players.md.
"""

from __future__ import annotations

import sys
import tempfile
import tomllib
from pathlib import Path

import polars as pl

from sim import simulate
from sim.data.catalog import CONFIGS

PLAYERS, TURNS = 4, 6
COLOURS = ("brown", "grey", "blue", "green", "yellow", "red", "purple")
PARTS = ("score", "win", "military", "treasury", "wonder", "blue", "science", "yellow", "guild", "coins")


def colours() -> dict[str, str]:
    """Colour of each card by its name and age, as results name them."""
    rows = tomllib.loads((CONFIGS / "games" / "seven_wonders" / "cards.toml").read_text(encoding="utf-8"))["card"]
    return {f"{row['name']} ({row['age']})": row["colour"] for row in rows}


def counts_of(folder: Path) -> pl.DataFrame:
    """Counts for each seat and game of a run that has kept its cards, a row for each strategy."""
    seats = pl.read_parquet(folder / "seats" / "*.parquet").with_columns(pl.col("strategy").cast(str))
    cards = pl.read_parquet(folder / "cards" / "*.parquet")
    cards = cards.with_columns(colour=pl.col("card").cast(str).replace_strict(colours()))
    built, staged, thrown = (pl.col(name) > 0 for name in ("built_turn", "stage_turn", "discard_turn"))
    late = (pl.col("built_turn") - 1) % TURNS >= TURNS - 2
    counted = cards.group_by("game", "seat").agg(
        *((built & (pl.col("colour") == colour)).sum().alias(f"builds {colour}") for colour in COLOURS),
        (built & late & (pl.col("colour") == "red")).sum().alias("builds red in the last two turns of an age"),
        *(
            (staged & (pl.col("colour") == colour)).sum().alias(f"puts {colour} below a stage")
            for colour in ("green", "red", "purple")
        ),
        staged.sum().alias("builds stages"),
        *(
            (staged & pl.col("stage_turn").is_between(first, last)).sum().alias(f"builds stages in age {age}")
            for age, first, last in (("I", 1, 6), ("II", 7, 12), ("III", 13, 18))
        ),
        thrown.sum().alias("discards for coins"),
        (built & (pl.col("built_how") == 2)).sum().alias("builds by a chain"),
        pl.col("coins_paid").sum().alias("pays coins"),
    )
    habits = [name for name in counted.columns if name not in ("game", "seat")]
    joined = seats.join(counted, on=["game", "seat"])
    means = [pl.col(name).mean() for name in (*PARTS, *habits)]
    return joined.group_by("strategy").agg(pl.len().alias("seats"), *means)


def main(games: int, player: str, others: str = "balanced") -> None:
    """Play and print what the player does and what the others do."""
    with tempfile.TemporaryDirectory() as folder:
        lineup = ",".join([player, *[others] * (PLAYERS - 1)])
        options = {"games": games, "players": PLAYERS, "strategies": lineup, "detail": "cards", "seed": 41, "jobs": 1}
        simulate("seven_wonders", out=Path(folder) / "run", progress=False, **options)
        found = counts_of(Path(folder) / "run")
    own, rest = (found.row(by_predicate=pl.col("strategy") == name, named=True) for name in (player, others))
    for name in own:
        if name not in ("strategy", "seats"):
            print(f"| {name} | {own[name]:.2f} | {rest[name]:.2f} |")


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
