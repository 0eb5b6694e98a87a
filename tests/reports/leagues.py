"""Made-up leagues whose truth is known, and how often what is said of them is false.

`python -m tests.reports.leagues [--leagues 400]` counts, and writes the table of docs/statistics.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import polars as pl

from reports.statistics.people.edges import faction_edges, judged_edges, seat_edges, tables_of
from reports.statistics.people.model import fit_people, sheet_of
from sim.league.read import League

PAGE = Path(__file__).parents[2] / "docs" / "statistics.md"
START, END = "<!-- leagues: written by python -m tests.reports.leagues -->", "<!-- end of leagues -->"


@dataclass(frozen=True)
class MadeUpLeague:
    """How a league is made up.

    Attributes
    ----------
    strength
        Log strength of each faction.
    games, people
        Games, and people who may play.
    spread
        Standard deviation of the log strengths of players.
    preference
        How much rather good players take the first faction: log odds per unit of strength.
    taste
        Standard deviation of the likings of players, in log odds.
    learning
        Log strength that a player gains while the games played grow by a factor e; it differs between players.
    changing
        How much rather experienced players take the second faction.
    form
        Standard deviation of a player's strength from evening to evening.
    seat
        What the first seat is stronger, in log strength.
    noise
        "gumbel" for finishing orders of Plackett and Luce, "normal" for others.
    winner_only
        Whether only who won is known.
    sizes
        Numbers of players.
    """

    strength: Sequence[float] = (0.0,) * 6
    games: int = 300
    people: int = 30
    spread: float = 0.7
    preference: float = 1.0
    taste: float = 0.7
    learning: float = 0.15
    changing: float = 0.3
    form: float = 0.2
    seat: float = 0.0
    noise: str = "gumbel"
    winner_only: bool = False
    sizes: Sequence[int] = field(default=(3, 4, 5))

    def made(self, seed: int) -> League:
        """Return the league of a seed."""
        rng = np.random.default_rng(seed)
        skill = rng.normal(0, self.spread, self.people)
        taste = rng.normal(0, self.taste, (self.people, len(self.strength)))
        taste[:, 0] += self.preference * skill
        pace = self.learning * rng.gamma(2, 0.5, self.people)
        often = rng.pareto(1.2, self.people) + 0.3
        often /= often.sum()
        played = np.zeros(self.people)
        rows: list[tuple[object, ...]] = []
        game = evening = 0
        while game < self.games:
            evening += 1
            here = rng.choice(self.people, min(self.people, int(rng.integers(5, 13))), replace=False, p=often)
            form = dict(zip(here.tolist(), rng.normal(0, self.form, len(here)), strict=True))
            for _ in range(int(rng.integers(1, 5))):
                size = int(rng.choice([size for size in self.sizes if size <= len(here)]))
                seated = rng.choice(here, size, replace=False)
                rng.shuffle(seated)
                free = list(range(len(self.strength)))
                scores = []
                for seat, person in enumerate(seated.tolist()):
                    liking = taste[person, free] + self.changing * np.log1p(played[person]) * (np.array(free) == 1)
                    odds = np.exp(liking - liking.max())
                    faction = free[int(rng.choice(len(free), p=odds / odds.sum()))]
                    if len(free) > 1:
                        free.remove(faction)
                    theta = self.strength[faction] + skill[person] + pace[person] * np.log1p(played[person])
                    theta += form[person] + self.seat * (seat == 0)
                    luck = rng.gumbel() if self.noise == "gumbel" else rng.normal(0, 1.28)
                    scores.append((theta + luck, person, faction, seat))
                best = max(score for score, *_ in scores)
                for score, person, faction, seat in scores:
                    below = sum(other[0] > score for other in scores)
                    rank = min(below, 1) + 1 if self.winner_only else below + 1
                    rows.append((game, size, seat, f"p{person}", f"F{faction}", rank, float(score == best),
                                 f"evening {evening}"))  # fmt: skip
                    played[person] += 1
                game += 1
        names = ("game", "players", "seat", "player", "faction", "rank", "win", "event")
        frame = pl.DataFrame(rows, schema=names, orient="row").with_columns(
            pl.col("game").cast(pl.UInt32), pl.col("players", "seat", "rank").cast(pl.UInt8),
            pl.lit(None, pl.Float64).alias("score"), pl.lit(None, pl.Float64).alias("rating"),
            pl.lit(None, pl.Date).alias("date"), pl.lit(not self.winner_only).alias("order"),
        )  # fmt: skip
        return League("made up", frame)


FAIR = MadeUpLeague()
UNEQUAL = MadeUpLeague((0.0, 0.4, -0.3, 0.1, -0.4, 0.2), seat=0.3)
WORLDS = {
    "300 games, 30 people, all equal": FAIR,
    "the same, only winners known": replace(FAIR, winner_only=True),
    "the same, places of another law": replace(FAIR, noise="normal"),
    "the same, good players far more often with one": replace(FAIR, preference=2.5, spread=1.0),
    "80 games, 12 people, all equal": replace(FAIR, games=80, people=12),
    "1,500 games, 200 people, all equal": replace(FAIR, games=1500, people=200),
    "300 games, 30 people, unequal": UNEQUAL,
    "the same, only winners known ": replace(UNEQUAL, winner_only=True),
    "80 games, 12 people, unequal": replace(UNEQUAL, games=80, people=12),
    "1,500 games, 200 people, unequal": replace(UNEQUAL, games=1500, people=200),
}


def truth_of(world: MadeUpLeague, sheet) -> np.ndarray:
    """Return the true edges."""
    tables = tables_of(sheet)
    strength = np.array([world.strength[int(name[1:])] for name in sheet.factions])
    edges = faction_edges(strength, tables)
    first = np.zeros(sheet.seats)
    first[:1] = world.seat
    return np.append(edges, seat_edges(first, tables))


def try_out(name, leagues, first=0):
    world = WORLDS[name]
    cover = []
    false = []
    fam = []
    bias = []
    se = []
    plain = []
    spreads = []
    for seed in range(first, first + leagues):
        league = world.made(seed)
        sheet = sheet_of(league)
        fit = fit_people(sheet)
        frame = judged_edges(sheet, fit)
        truth = truth_of(world, sheet)
        f = frame.with_columns(pl.Series("truth", truth)).filter("judged")
        cover.append(((f["edge_low"] <= f["truth"]) & (f["truth"] <= f["edge_high"])).to_numpy())
        fam.append(((f["family_low"] > f["truth"]) | (f["truth"] > f["family_high"])).any())
        false.append(((f["flag"] != "") & (f["truth"].abs() < 1e-9)).any())
        bias.append((f["edge"] - f["truth"]).to_numpy()[:6])
        se.append(f["error"].to_numpy()[:6])
        spreads.append(fit.spread)
        plain.append(float((f["flag"] != "").sum()))
    n = min(map(len, bias))
    print(
        f"{name:50s} cover {np.concatenate(cover).mean():.3f} familyfalse {np.mean(fam):.3f} flagfalse {np.mean(false):.3f} bias {100 * np.mean([b[:n] for b in bias], axis=0).round(4)} se {100 * np.mean([s.mean() for s in se]):.2f} sd {100 * np.std([b[:n] for b in bias], axis=0).mean():.2f} spread {np.mean(spreads):.2f} flagged {np.mean(plain):.2f}",
        flush=True,
    )


if __name__ == "__main__":
    import sys

    for name in WORLDS:
        if len(sys.argv) < 3 or sys.argv[2] in name:
            try_out(name, int(sys.argv[1]))
