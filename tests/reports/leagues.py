"""Made-up leagues whose truth is known, and how often what is said of them is false.

`python -m tests.reports.leagues [--leagues 400]` counts, and writes the table of docs/statistics.md.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import polars as pl

from reports.claims import Claim
from reports.sections.people.league import STRENGTH, TREND, balance_section, seats_section
from reports.statistics.core.win_rate import Floats
from reports.statistics.people.edges import faction_edges, factions_at_tables, seat_edges
from reports.statistics.people.results import ELO, MEAN_ELO, PeopleResults, people_results
from sim.league.read import League

RATES = Path(__file__).parent / "data" / "league_rates.json"
PAGE = Path(__file__).parents[2] / "docs" / "statistics.md"
STEP = 32
"""Points of the Elo scale that a game moves a rating at most."""
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
    rated
        Share of players who have a rating.
    rating_error
        Standard deviation of the error of a rating, in log strength.
    moving
        Whether ratings follow the results of the league, as Elo's do; else they stay as they were before it.
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
    sizes: Sequence[int] = (3, 4, 5)
    rated: float = 0.0
    rating_error: float = 0.4
    moving: bool = False

    def made(self, seed: int) -> tuple[League, dict[str, float]]:
        """Return the league of a seed, and the mean log strength of each player over the player's games."""
        rng = np.random.default_rng(seed)
        skill = rng.normal(0, self.spread, self.people)
        taste = rng.normal(0, self.taste, (self.people, len(self.strength)))
        taste[:, 0] += self.preference * skill
        pace = self.learning * rng.gamma(2, 0.5, self.people)
        often = rng.pareto(1.2, self.people) + 0.3
        often /= often.sum()
        played, shown = np.zeros(self.people), np.zeros(self.people)
        rows: list[tuple[object, ...]] = []
        # Ratings have a stream of their own, so that a league is the same with and without them.
        more = np.random.default_rng([seed, 1])
        rating = MEAN_ELO + ELO * (skill + more.normal(0, self.rating_error, self.people))
        has_rating = more.random(self.people) < self.rated
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
                    own = skill[person] + pace[person] * np.log1p(played[person]) + form[person]
                    shown[person] += own
                    theta = self.strength[faction] + own + self.seat * (seat == 0)
                    luck = rng.gumbel() if self.noise == "gumbel" else rng.normal(0, 1.28)
                    scores.append((theta + luck, person, faction, seat))
                best = max(score for score, *_ in scores)
                for score, person, faction, seat in scores:
                    below = sum(other[0] > score for other in scores)
                    rank = min(below, 1) + 1 if self.winner_only else below + 1
                    rows.append((game, size, seat, f"p{person}", f"F{faction}", rank, float(score == best),
                                 date(2020, 1, 1) + timedelta(7 * evening),
                                 float(rating[person]) if has_rating[person] else None))  # fmt: skip
                    played[person] += 1
                if self.moving:
                    rating = after_game(rating, [(person, score) for score, person, *_ in scores])
                game += 1
        schema = dict.fromkeys(("game", "players", "seat", "player", "faction", "rank", "win", "date"), None)
        frame = pl.DataFrame(rows, schema=schema | {"rating": pl.Float64}, orient="row").with_columns(
            pl.col("game").cast(pl.UInt32), pl.col("players", "seat", "rank").cast(pl.UInt8),
            pl.lit(None, pl.Float64).alias("score"),
            pl.lit(None, pl.String).alias("event"), pl.lit(not self.winner_only).alias("order"),
        )  # fmt: skip
        people = np.flatnonzero(played)
        return League("made up", frame), {f"p{person}": shown[person] / played[person] for person in people}


def after_game(rating: Floats, scores: Sequence[tuple[int, float]]) -> Floats:
    """Return ratings after a game: Elo's rule for every pair of players, with `STEP` points a game."""
    renewed = rating.copy()
    for person, score in scores:
        for other, theirs in scores:
            if other != person:
                expected = 1 / (1 + np.exp((rating[other] - rating[person]) / ELO))
                renewed[person] += STEP / (len(scores) - 1) * (float(score > theirs) - expected)
    return renewed


FAIR = MadeUpLeague()
UNEQUAL = MadeUpLeague((0.0, 0.4, -0.3, 0.1, -0.4, 0.2), seat=0.3)
HOPELESS = replace(UNEQUAL, strength=(0.0, 0.4, -4.0, 0.1, -0.4, 0.2))
"""A faction hardly ever wins, so that its strength is not determined."""
WORLDS = {
    "300 games, 30 people, all equal": FAIR,
    "300 games, 30 people, all equal, only winners known": replace(FAIR, winner_only=True),
    "300 games, 30 people, all equal, places of another law": replace(FAIR, noise="normal"),
    "300 games, 30 people, all equal, stronger preferences": replace(FAIR, preference=2.5, spread=1.0),
    "80 games, 12 people, all equal": replace(FAIR, games=80, people=12),
    "1,500 games, 200 people, all equal": replace(FAIR, games=1500, people=200),
    "300 games, 30 people, unequal": UNEQUAL,
    "300 games, 30 people, unequal, only winners known": replace(UNEQUAL, winner_only=True),
    "80 games, 12 people, unequal": replace(UNEQUAL, games=80, people=12),
    "1,500 games, 200 people, unequal": replace(UNEQUAL, games=1500, people=200),
    "300 games, 30 people, all equal, ratings of seven in ten": replace(FAIR, rated=0.7),
    "300 games, 30 people, all equal, ratings that follow results": replace(FAIR, rated=1.0, moving=True),
    "300 games, 30 people, unequal, ratings that follow results": replace(UNEQUAL, rated=1.0, moving=True),
    "80 games, 12 people, all equal, ratings that follow results": replace(
        FAIR, games=80, people=12, rated=1.0, moving=True
    ),
}
"""Leagues in which good players prefer a faction, players learn, and experienced ones prefer another."""


@dataclass(frozen=True)
class TriedLeague:
    """What is said of a made-up league, and what is true.

    Attributes
    ----------
    found
        What is said.
    edges
        True edge of each row of `found.edges`.
    strengths
        True log strength of each player, the mean of those with several games 0.
    """

    found: PeopleResults
    edges: dict[str, float]
    strengths: dict[str, float]

    def truth(self, claim: Claim) -> float | None:
        """Return the truth about a claim; factions stay as they are all the time."""
        if claim.kind == TREND:
            return 0.0
        return (self.strengths if claim.kind == STRENGTH else self.edges)[claim.subject]

    @property
    def false_headline(self) -> bool:
        """Whether a sentence on factions or seats is false."""
        sections = balance_section(self.found), seats_section(self.found)
        claims = [claim for section in sections if section is not None for claim in section.claims]
        return any(claim.false_of(self.edges[claim.subject]) for claim in claims)


def tried(world: MadeUpLeague, seed: int) -> TriedLeague:
    """Return what is said of the league of a seed, and what is true."""
    league, means = world.made(seed)
    found = people_results(league, 0.01)
    sheet = found.sheet
    tables = factions_at_tables(sheet)
    strength = np.array([world.strength[int(name[1:])] for name in sheet.factions])
    first = np.eye(sheet.seats)[0] * world.seat
    edges = np.append(faction_edges(strength, tables), seat_edges(first, tables))
    middle = np.mean([means[name] for name in sheet.players])
    strengths = {name: means[name] - middle for name in sheet.players}
    return TriedLeague(found, dict(zip(found.edges["level"], edges, strict=True)), strengths)


def within(frame: pl.DataFrame, truth: dict[str, float], columns: Sequence[str]) -> list[bool]:
    """Return whether the 95 % interval of each row holds the truth; `columns` are those of its name and its limits."""
    rows = frame.select(columns).drop_nulls().rows()
    return [least <= truth[level] <= most for level, least, most in rows]


def measured(world: MadeUpLeague, seeds: range) -> dict[str, float]:
    """Return the coverage of intervals and the rate of false headlines over the leagues of these seeds."""
    edges, players, false, plain = [], [], 0, []
    for seed in seeds:
        one = tried(world, seed)
        rows = one.found.edges.filter("judged")
        edges += within(rows, one.edges, ("level", "edge_low", "edge_high"))
        players += within(one.found.players, one.strengths, ("player", "low", "high"))
        false += one.false_headline
        first = rows.filter(pl.col("level") == "F0").row(0, named=True)
        plain.append((first["plain_edge"] - one.edges["F0"], first["edge"] - one.edges["F0"]))
    counted, adjusted = (100 * float(values) for values in np.mean(plain, axis=0))
    return {
        "leagues": len(seeds), "edges": float(np.mean(edges)), "players": float(np.mean(players)),
        "false": false / len(seeds), "plain": counted, "adjusted": adjusted,
    }  # fmt: skip


def own_leagues(row: dict[str, float]) -> str:
    """Say in how many leagues players were counted, if not in all."""
    return f" ({row['player_leagues']:.0f} leagues)" if "player_leagues" in row else ""


def table(rates: dict[str, dict[str, float]]) -> str:
    """Return the table of docs/statistics.md."""
    lines = [
        "| League | Leagues | Edges within their 95 % intervals | Players within theirs | False headlines "
        "| Mean error of the plain edge of the faction that good players prefer | Of its adjusted edge |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {name} | {row['leagues']} | {100 * row['edges']:.1f} % | {100 * row['players']:.1f} %{own_leagues(row)} "
        f"| {100 * row['false']:.1f} % | {row['plain']:+.1f} points | {row['adjusted']:+.1f} points |"
        for name, row in rates.items()
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description="Count how often what is said of made-up leagues is false.")
    asked.add_argument("worlds", nargs="*", type=int, default=[], help="numbers of worlds from 0; all by default")
    asked.add_argument("--leagues", type=int, default=400)
    options = asked.parse_args()
    kept = json.loads(RATES.read_text("utf-8")) if RATES.exists() else {}
    for number in options.worlds or range(len(WORLDS)):
        name = list(WORLDS)[number]
        kept[name] = measured(WORLDS[name], range(options.leagues))
        print(name, kept[name], flush=True)
    rates = {name: kept[name] for name in WORLDS if name in kept}
    RATES.write_text(json.dumps(rates, indent=1) + "\n", "utf-8")
    before, _, rest = PAGE.read_text("utf-8").partition(START)
    PAGE.write_text(f"{before}{START}\n\n{table(rates)}\n\n{END}{rest.partition(END)[2]}", "utf-8")
