"""How often each study claims something false, counted in worlds whose truth is known.

`python -m tests.reports.claims [--worlds 200] [STUDY ...]` counts, keeps the rates in `data/claim_rates.json` and
writes the table of docs/statistics.md from them. The tests beside this file play a few worlds of each study.
"""

import argparse
import atexit
import json
import math
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats
from scipy.special import expit, logit

import empirelab
from reports.claims import KINDS, Claim
from reports.data.cells import count_cells
from reports.data.load import Run, load_run, tallies_shown, tally_sums
from reports.data.piece_counts import UNIT
from reports.model import Report, Section
from reports.report import build_report
from reports.sections.core.shares import share_report, share_tables
from reports.sections.course.drama import drama_sections
from reports.sections.course.results import circumstances_section, endings_section, odds_sections, results_section
from reports.sections.course.ways import section_of_ways, ways_section
from reports.sections.factions.explained import adjusted_of, explained, factions_of
from reports.sections.factions.parts import parts_section
from reports.sections.factions.plan import plan_section
from reports.sections.factions.price import price_sections
from reports.sections.people.league import AMONG, STRENGTH, TREND, sections_from_results
from reports.sections.people.validation import DIFFERS, RANKS, SLOPE, agreement_section, rung_section
from reports.sections.pieces.piece_effects import intervention_section
from reports.sections.pieces.pieces import pieces_section
from reports.sections.pieces.restricted import restricted_section
from reports.sections.strength.first_player import first_player_section
from reports.sections.strength.matchups import BEYOND, CYCLE, matchups_section
from reports.sections.strength.skill import skill_section
from reports.sections.strength.skill_share import skill_share_section
from reports.sections.strength.underplayed import gain_sentences
from reports.statistics.agreement import spearman
from reports.statistics.core.balance import MARGIN
from reports.statistics.core.decisions import MORE, Pilot
from reports.statistics.course.drama import chances_by_round
from reports.statistics.factions.price import prices_of
from reports.statistics.people.edges import faction_edges, factions_at_tables
from reports.statistics.people.results import people_results
from reports.statistics.people.validation import validation_of
from reports.statistics.pieces.piece_effects import COUNTS, SUMS, Intervention, effects_frame
from reports.statistics.pieces.restricted import restricted_frame
from reports.statistics.strength.equilibria import met, payoffs_by_company
from reports.statistics.strength.interactions import incidence
from reports.statistics.strength.metagame import invader_rows
from reports.statistics.strength.skill import compare_gains, judge_gains, skill_curves
from reports.studies.compare.compare import compare_runs
from reports.studies.compare.leagues import compare_leagues, league_change_section
from reports.studies.compare.sprt import difference_rule
from reports.studies.compare.sprt_report import difference_section
from reports.studies.course.drama import drama_frames
from reports.studies.parts.explain_parts import play_parts
from reports.studies.parts.parts import faction_and_parts
from reports.studies.players.exploitability import Exploitability, exploitability_section
from reports.studies.price import start_goods
from reports.studies.price.one_parameter import OwnSeats
from reports.studies.price.report import played_sections
from reports.studies.sample_size.plan import plan_needs, question
from reports.studies.search.engine import search_changes
from reports.studies.search.goals import fair_goal, state_of
from reports.studies.search.rebalance import search_value
from reports.studies.search.search_report import search_sections, target_frame
from reports.studies.search.space import arm_changes
from reports.studies.sensitivity.report import sensitivity_section
from reports.studies.sensitivity.sensitivity import AS_PLAYED, Sensitivity, changes_by, judge_alternative
from reports.studies.sweep.config import read_sweep
from reports.studies.sweep.sweep import play_sweep
from sim.engine.result_rows import BLOCK, FACTION, GAME, RANK, SEAT
from sim.players.batch import Plan
from sim.runs.config import RunConfig, make_plan
from sim.runs.histories import Histories
from sim.runs.store.manifest import Manifest
from tests.reports.leagues import HOPELESS, UNEQUAL, MadeUpLeague, tried
from tests.reports.leagues import WORLDS as LEAGUES
from tests.reports.made_up_arms import MadeUp
from tests.reports.synthetic import (
    Strengths,
    Truth,
    equal,
    made_up_histories,
    made_up_restrictions,
    made_up_tables,
    made_up_ways,
    rare_is_strong,
    rows,
    studied,
    with_fields,
    write_rows,
)

RATES = Path(__file__).parent / "data" / "claim_rates.json"
PAGE = Path(__file__).parents[2] / "docs" / "statistics.md"
START, END = "<!-- claims: written by python -m tests.reports.claims -->", "<!-- end of claims -->"
SURE = 0.001
"""A test fails where so many false worlds or more would be rarer than this at the promised rate."""


@dataclass(frozen=True)
class World:
    """What a study claimed in one world, and which of it is false.

    Attributes
    ----------
    claims
        All that the study claims there.
    truth
        The truth about a claim; None where this world does not know it.
    spoken
        The sections that claim it, where their sentences are to be looked through.
    kinds
        Kinds of claims whose truth it knows; None for all that the study looks for.
    """

    claims: Sequence[Claim]
    truth: Callable[[Claim], float | None]
    spoken: Sequence[Section] = ()
    kinds: tuple[str, ...] | None = None

    @property
    def known(self) -> list[Claim]:
        """The claims of which this world knows the truth: no others are counted."""
        return [claim for claim in self.claims if self.truth(claim) is not None]

    @property
    def false(self) -> list[Claim]:
        """The claims that are false here."""
        truths = [(claim, self.truth(claim)) for claim in self.claims]
        return [claim for claim, truth in truths if truth is not None and claim.false_of(truth)]


@dataclass(frozen=True)
class Study:
    """A study, and worlds to try it in.

    Attributes
    ----------
    play
        Plays the study in the world of a number.
    command
        What a user types for it.
    kinds
        Kinds of claims that it looks for, whether it makes any or not.
    swept
        Whether only `--full` tries it: a few worlds claim too little for a fault to show, or take too long.
    """

    play: Callable[[int], World]
    command: str
    kinds: tuple[str, ...]
    swept: bool = False


@dataclass
class Count:
    """Claims of one kind over many worlds: single ones, and worlds with any."""

    claims: int = 0
    false: int = 0
    worlds: int = 0
    false_worlds: int = 0

    def add(self, known: Sequence[Claim], false: Sequence[Claim]) -> None:
        """Count one world more: what was claimed in it, and what of that is false."""
        self.claims += len(known)
        self.false += len(false)
        self.worlds += 1
        self.false_worlds += bool(false)

    def rate(self, kind: str) -> float:
        """Return the rate of false ones, counted as the kind promises."""
        return (
            self.false_worlds / max(self.worlds, 1) if KINDS[kind].per == "study" else self.false / max(self.claims, 1)
        )


def counted(worlds: Iterable[World], kinds: Sequence[str] = ()) -> tuple[dict[str, Count], Count]:
    """Count claims of each kind, and of all kinds that are promised by study together, over worlds.

    A world counts for the kinds of which it knows the truth, whether the study claimed any there or not.

    Parameters
    ----------
    kinds
        Those that the study looks for.
    """
    by_kind: dict[str, Count] = defaultdict(Count)
    everything = Count()
    for world in worlds:
        false, known = world.false, world.known
        everything.add(*([claim for claim in some if KINDS[claim.kind].per == "study"] for some in (known, false)))
        for kind in {*(kinds if world.kinds is None else world.kinds), *(claim.kind for claim in known)}:
            by_kind[kind].add(*([claim for claim in some if claim.kind == kind] for some in (known, false)))
    return dict(by_kind), everything


def is_kept(false: int, of: int, rate: float) -> bool:
    """Whether so many false ones are no sign that the promised rate is broken."""
    return bool(stats.binom.sf(false - 1, of, rate) > SURE)


def shuffled(run: Run, column: str, seed: int) -> Run:
    """Return a run in which the levels of a column are permuted within each block, so that they cannot matter.

    All games of a block share one permutation: whoever had one level has another now, in all of them.
    """
    rng = np.random.default_rng(seed)
    seats = run.seats.collect()
    met = seats.select("block", column).unique(maintain_order=True)
    met = met.with_columns(pl.Series("lot", rng.random(met.height)))
    dealt = met.with_columns(pl.col(column).sort_by("lot").over("block").alias("dealt")).drop("lot")
    mixed = seats.join(dealt, on=["block", column], how="left", maintain_order="left")
    return replace(run, seats=mixed.with_columns(pl.col("dealt").alias(column)).drop("dealt").lazy())


FORECASTS = ("more games", "games to flag")


def zero(claim: Claim) -> float | None:
    """Return the truth of worlds in which nothing matters; none of games that are still to be played."""
    if claim.kind == "matchup":
        return 0.5
    return -MARGIN if claim.kind == "probably fair" else None if claim.kind in FORECASTS else 0.0


@cache
def played(
    games: int,
    strategies: tuple[str, ...] = ("balanced",),
    detail: str = "seats",
    seed: int = 7,
    game: str = "seven_wonders",
    players: int | None = None,
) -> Run:
    """Return a run, played once in a process and held in memory."""
    home = TemporaryDirectory()
    atexit.register(home.cleanup)
    folder = Path(home.name) / "run"
    plan = {"games": games, "strategies": list(strategies), "detail": detail, "seed": seed, "players": players}
    empirelab.simulate(game, out=folder, progress=False, **plan)
    run = load_run(folder)
    return replace(run, seats=run.seats.collect().lazy())


def mirror_match(games: int = 6000, detail: str = "seats") -> Run:
    """Return a run of `balanced` against itself: each game is a block."""
    return played(games, detail=detail)


def mixed_match() -> Run:
    """Return a run in which three strategies meet."""
    return played(6000, ("balanced", "military", "science"))


def alone_match() -> Run:
    """Return a run of games of one player with two strategies."""
    return played(1500, ("balanced", "greedy"), game="imperial_settlers", players=1)


def rolled_match() -> Run:
    """Return a run that counted rolls of dice."""
    return played(400, detail="cards", game="history_of_the_world")


def told_of(report: Report) -> list[Claim]:
    """Return the claims of the first screen of a report."""
    return [claim for finding in report.findings for claim in finding.claims]


def first_screen(seed: int) -> World:
    """Report a mirror match whose boards were permuted within blocks."""
    return World(told_of(share_report(shuffled(mirror_match(), "faction", seed))), zero)


def of_strategies(seed: int) -> World:
    """Report a run whose boards and strategies were permuted within blocks: neither can matter."""
    run = shuffled(shuffled(mixed_match(), "faction", seed), "strategy", seed + 1)
    return World(told_of(share_report(run)), zero)


def meaningless(seed: int) -> tuple[Run, Callable[[Claim], float | None]]:
    """Return a run whose boards and strategies cannot matter, and the truth of claims on it.

    In turn it is a mirror match, or three strategies meet; and every other one has nothing that goes with winning.
    """
    strategies = ("balanced", "military", "science") if seed % 4 > 1 else ("balanced",)
    played_out = shuffled(played(3000, strategies, "cards"), "strategy", seed + 1)
    run, truth = unexplained(seed, played_out)

    def told(claim: Claim) -> float | None:
        if claim.kind == "piece" and not seed % 2:
            return None
        return truth(claim) if claim.kind in EXPLAINED else zero(claim)

    return run, told


def sections_reported(seed: int) -> World:
    """Report a run whose boards and strategies cannot matter: the first screen and all sections."""
    run, told = meaningless(seed)
    return World(build_report(run).claims, told)


def everything_reported(seed: int) -> World:
    """Report a run whose boards and strategies cannot matter, with the pages of all boards."""
    run, told = meaningless(seed)
    return World([*build_report(run).claims, *claims_of_pages(run)], told)


def redrawn(run: Run, spread: float, seed: int) -> tuple[Run, dict[str, float]]:
    """Return a run whose boards have strengths of their own and whose winners are drawn by them, and all true edges.

    Boards share half of the variance of their strengths with the other side of the same wonder. A true edge is the mean
    chance to win at the tables of the run, minus the fair share.
    """
    rng = np.random.default_rng(seed)
    seats = run.seats.collect()
    wonders = {row.name: str(row.attributes["wonder"]) for row in run.manifest.factions}
    shared = {name: rng.normal(0, math.sqrt(0.5)) for name in dict.fromkeys(wonders.values())}
    own = {name: 4 / 3 * spread * (4 * shared[of] + 4 * rng.normal(0, math.sqrt(0.5))) for name, of in wonders.items()}
    weights = seats["faction"].cast(pl.String).replace_strict(own, return_dtype=pl.Float64).exp().to_numpy()
    players = int(run.manifest.players)
    chances = (table := weights.reshape(-1, players)) / table.sum(axis=1, keepdims=True)
    won = (rng.random((len(chances), 1)) < chances.cumsum(axis=1)).argmax(axis=1)
    wins = (np.arange(players) == won[:, None]).ravel()
    frame = seats.with_columns(
        pl.Series("win", wins.astype(np.float32)), pl.Series("rank", np.where(wins, 1, 2).astype(np.uint8))
    )
    known = pl.DataFrame({"level": seats["faction"].cast(pl.String), "seat": seats["seat"], "p": chances.ravel()})
    truth = dict(known.group_by("level").agg(pl.col("p").mean() - 1 / players).rows())
    truth |= {f"seat {seat}": p for seat, p in known.group_by("seat").agg(pl.col("p").mean() - 1 / players).rows()}
    return replace(run, seats=frame.lazy()), truth


def probably(seed: int) -> World:
    """Report runs of many sizes whose boards differ much, little or hardly at all."""
    rng = np.random.default_rng(seed)
    games = int(np.exp(rng.uniform(np.log(500), np.log(6000))))
    run, truth = redrawn(cut(mirror_match(), 0, games), float(np.exp(rng.uniform(np.log(0.002), np.log(0.06)))), seed)
    claims = [claim for claim in told_of(share_report(run)) if claim.kind == "probably fair"]
    return World(claims, lambda claim: abs(truth[claim.subject]) - MARGIN)


def of_skill(seed: int) -> World:
    """Say how much skill decides where four players of known strengths meet; in turn they are equal."""
    rng = np.random.default_rng(seed)
    names = ("random", "greedy", "balanced", "military")
    games = int(rng.choice([200, 400, 1200]))
    run = cut(played(1200, names), 0, games)
    run = replace(run, manifest=with_fields(run.manifest, {"blocks": games // 4}))
    strengths = dict(zip(names, rng.normal(0, rng.choice([0.0, 0.3, 1.0, 2.0]), 4), strict=True))
    seats = run.seats.collect()
    drawn = seats["strategy"].cast(pl.String).replace_strict(strengths, return_dtype=pl.Float64).to_numpy()
    times = -(drawn + rng.gumbel(size=drawn.size)).reshape(-1, int(run.manifest.players))
    ranks = 1 + times.argsort(axis=1).argsort(axis=1).ravel()
    frame = seats.with_columns(pl.Series("rank", ranks.astype(np.uint8)))

    def ahead(pair: Sequence[str]) -> float:
        return float(expit(strengths[pair[0]] - strengths[pair[1]]))

    whole = np.mean([(2 * ahead(pair) - 1) ** 2 for pair in combinations(names, 2)])
    section = skill_share_section(replace(run, seats=frame.lazy()))
    return claimed(
        [section], lambda claim: float(whole) if claim.kind == "skill" else ahead(claim.subject.split(" ahead of "))
    )


def of_matchups(seed: int) -> World:
    """Say who finishes ahead of whom in a run whose boards and strategies were permuted within blocks."""
    run = shuffled(shuffled(mixed_match(), "faction", seed), "strategy", seed + 1)
    return World(matchups_section(run).claims, zero)


ADVANTAGE = 3
"""Points that the first player has more in a world in which seats cannot matter otherwise."""


def of_first_player(seed: int) -> World:
    """Say what it is worth to play first where seats cannot matter, or where the first has points more at the end."""
    run, points = shuffled(mirror_match(), "seat", seed), ADVANTAGE * (seed % 2)
    run = handicapped(run, {"0": points}, "seat")
    claims = () if (section := first_player_section(run)) is None else section.claims
    kinds = ("price alone",) if points else ("price alone", "out of balance")

    def told(claim: Claim) -> float | None:
        return -float(points) if claim.kind == "price alone" else None if points else 0.0

    return World(claims, told, kinds=kinds)


UNLIKE = 8
"""Strategies of made-up games in which some are stronger than others."""


def of_unlike_matchups(seed: int) -> World:
    """Say who finishes ahead of whom among unlike strategies: by strength alone, or in every other world also by pair.

    By strength alone finishing orders of four follow Plackett and Luce; by pair, games of two their log odds.
    """
    rng = np.random.default_rng(seed)
    strength, own = rng.normal(0, 0.4, UNLIKE), np.triu(rng.normal(0, 0.3 * (seed % 2), (UNLIKE, UNLIKE)), 1)
    players, blocks = (2, 3000) if seed % 2 else (4, 1000)
    odds = strength[:, None] - strength + own - own.T
    who = np.argsort(rng.random((blocks, UNLIKE)), axis=1)[:, :players]
    luck = strength[who] + rng.gumbel(size=who.shape)
    if seed % 2:
        luck = np.stack([odds[who[:, 0], who[:, 1]] + rng.logistic(size=blocks), np.zeros(blocks)], axis=1)
    score = (luck.argsort(axis=1).argsort(axis=1) + 40).astype(np.int16)
    names = [f"s{number}" for number in range(UNLIKE)]
    truth = Truth(blocks=blocks, players=players, strategies=dict.fromkeys(names, 0.0))
    with TemporaryDirectory() as home:
        frame = rows(np.zeros_like(who) + np.arange(players), who, score, np.arange(blocks), names)
        claims = matchups_section(load_run(write_rows(Path(home) / "run", frame, truth))).claims
    first, second = np.triu_indices(UNLIKE, 1)
    design = incidence(first, second, UNLIKE)
    left = odds[first, second] - design @ np.linalg.lstsq(design, odds[first, second], rcond=None)[0]
    apart = float(np.sqrt((left**2).sum() / (len(left) - UNLIKE + 1))) / 4

    def told(claim: Claim) -> float:
        levels = [names.index(name) for name in claim.subject.replace(" ahead of ", ", ").split(", ") if name in names]
        if claim.kind == BEYOND:
            return apart if claim.subject == "strategy" else 0.0
        if not levels:  # seats hold the same faction, which does not matter
            return 0.5 if claim.kind == "matchup" else 0.0
        if claim.kind == "matchup":
            return float(expit(odds[levels[0], levels[1]]))
        return min(float(expit(odds[a, b])) - 0.5 for a, b in zip(levels, [*levels[1:], levels[0]], strict=True))

    return World(claims, told)


def cut(run: Run, first: int, games: int) -> Run:
    """Return some games of a mirror match, as a run of its own."""
    players = run.manifest.players
    seats = run.seats.slice(first * players, games * players)
    return replace(run, seats=seats, manifest=with_fields(run.manifest, {"games": games, "blocks": games}))


def long_match() -> tuple[Run, int]:
    """Return a long mirror match to cut pilots from, and how many games it has."""
    games = int(os.environ.get("CLAIMS_LONG", "20000"))
    return mirror_match(games), games


def forecasts(seed: int) -> World:
    """Report a pilot and play on: for as many games as it said would decide each row.

    Forecasts of more games than were played are not known.
    """
    run, games = long_match()
    pilot, margin = (5000, 0.01) if seed % 2 else (2000, 0.02)
    first = int(np.random.default_rng(seed).integers(0, games // 4))
    report = share_report(cut(run, first, pilot), margin)
    claims = [claim for claim in told_of(report) if claim.kind == "more games"]

    def decided(claim: Claim) -> float | None:
        total = pilot + int(claim.high or 0)
        if first + total > games:
            return None
        later = share_report(cut(run, first, total), margin)
        rows = [row for table in later.tables.values() if table.decides for row in table.frame.to_dicts()]
        decision = next(row["decision"] for row in rows if row["level"] == claim.subject)
        return 0.0 if decision != MORE else math.inf

    known = {claim: decided(claim) for claim in claims}
    return World([claim for claim in claims if known[claim] is not None], known.get)


def plans(seed: int) -> World:
    """Plan how many games flag the edge that a board truly has, and play so many other games."""
    run, games = long_match()
    rng = np.random.default_rng(seed)
    claims = planned(cut(run, int(rng.integers(0, games // 2 - 4000)), 4000), 100 * abs(true_edge("Rhodos B"))).claims
    needed = int(claims[0].high or 0)
    fresh = cut(run, int(rng.integers(games // 2, games - needed)), needed)
    (seen,) = share_report(fresh).tables["faction"].frame.filter(pl.col("level") == "Rhodos B").to_dicts()
    return World(claims, lambda _: 0.0 if seen["flag"] else math.inf)


@cache
def true_edge(board: str) -> float:
    """Return the edge of a board in the long match, which passes for the truth."""
    (row,) = share_report(long_match()[0]).tables["faction"].frame.filter(pl.col("level") == board).to_dicts()
    return float(row["edge"])


def planned(pilot: Run, points: float) -> Section:
    """Return what a plan says after a pilot: how many games flag an edge of so many points."""
    asked = question(points, 0.8, 0.05)
    one = Pilot(pilot, 1.0)
    return plan_section(plan_needs(one, asked, "faction"), one, asked)


def ladders(seed: int) -> World:
    """Climb a ladder whose rungs deal out the same boards, permuted: no board can matter to anybody."""
    rungs = {
        name: shuffled(played(3000, (name,), seed=11), "faction", seed + place)
        for place, name in enumerate(("random", "greedy", "balanced"))
    }
    return World(ladder_of(rungs).claims, zero)


def ladder_of(rungs: dict[str, Run]) -> Section:
    """Return what a ladder of runs on the same deals says."""
    return skill_section(skill_curves(rungs), [])


def looking_ahead(seed: int) -> World:
    """Compare gains of a player who looks ahead and wins the same odds, or the same points, more with every board."""
    rng, boards, deals = np.random.default_rng(seed), 14, 200
    base = np.clip(rng.normal(0.25, 0.04, boards), 0.1, 0.5)
    better = expit(logit(base) + 0.5) if seed % 2 else base + 0.1
    first, second = (np.stack([games, rng.binomial(games, share)], axis=-1).astype(float)
                     for games, share in ((np.full((deals, boards), 16), base), (np.full((deals, boards), 4), better))
                     )  # fmt: skip
    names = [f"board {number}" for number in range(boards)]
    found = judge_gains([compare_gains(first, second, names, ("seer", "balanced", "board"), deals)])
    claims = [claim for one in found for _, told in gain_sentences(one, "14 rows") for claim in told]
    alike = "by odds" if seed % 2 else "in points"
    return World(claims, lambda claim: 0.0 if claim.subject.endswith(alike) else None)


def alternatives(seed: int) -> World:
    """Judge alternatives that are other games of a run whose boards were permuted within blocks."""
    arms = (AS_PLAYED, "one guess", "another guess")
    runs = {arm: shuffled(mirror_match(3000), "faction", seed + 1000 * place) for place, arm in enumerate(arms)}
    return World(judged_alternatives(runs).claims, zero)


def judged_alternatives(runs: dict[str, Run]) -> Section:
    """Return what is said of alternatives to a game as it was played."""
    tables = {name: share_tables(run, count_cells(run))[0] for name, run in runs.items()}
    names = [name for name in ("faction", "seat") if not tables[AS_PLAYED][name].silence]
    judged = {name: judge_alternative(name, tables, 0.01, 2 * len(names)) for name in names}
    moved = {name: changes_by(runs[AS_PLAYED], runs, name, 2 * len(names)) for name in names}
    config, manifest = RunConfig(game="seven_wonders"), runs[AS_PLAYED].manifest
    return sensitivity_section(Sensitivity("7 Wonders", config, manifest, len(runs) - 1, (), judged, moved))


def reseated(run: Run, seed: int) -> Run:
    """Return a run whose seats are shuffled within each game, so that it cannot matter who sits beside whom."""
    seats = run.seats.collect()
    lots = pl.Series("lot", np.random.default_rng(seed).random(seats.height))
    place = (pl.col("lot").rank("ordinal").over("game") - 1).cast(seats.schema["seat"])
    return replace(run, seats=seats.with_columns(lots).with_columns(seat=place).drop("lot").lazy())


def handicapped(run: Run, handicaps: dict[str, int], column: str = "faction") -> Run:
    """Return a run in which some factions, or seats, have points more at the end; who won follows from the scores."""
    more = pl.col(column).cast(pl.String).replace_strict(handicaps, default=0, return_dtype=pl.Int64)
    seats = run.seats.collect()
    score = (pl.col("score") + more).cast(seats.schema["score"])
    seats = seats.with_columns(score=score)
    seats = seats.with_columns(
        rank=pl.col("score").rank("min", descending=True).over("game").cast(seats.schema["rank"])
    )
    first = pl.col("rank") == 1
    return replace(run, seats=seats.with_columns(win=first / first.sum().over("game")).lazy())


HANDICAPS = {"Rhodos B": 6, "Rhodos A": 6, "Gizah A": 3, "Babylon B": -2}
"""Points that some boards have more in a world in which boards cannot matter otherwise."""


PRICES = ("price alone", "price when all pay", "bid", "price by neighbour")


def priced(seed: int) -> tuple[Run, Callable[[Claim], float | None], tuple[str, ...]]:
    """Return a mirror match whose prices are known, the truth of claims on them, and the kinds that it is known of.

    In turn boards cannot matter; some have points more and nothing else, so that their prices are known when all pay;
    and seats are shuffled, so that neighbours cannot matter.
    """
    if seed % 3 == 2:
        beside = "price by neighbour"
        return reseated(mirror_match(), seed), lambda claim: 0.0 if claim.kind == beside else None, (beside,)
    run = shuffled(mirror_match(), "faction", seed)
    if seed % 3 == 0:
        return run, zero, PRICES
    run = handicapped(run, HANDICAPS)
    owned = Counter(run.seats.collect()["faction"].cast(pl.String).to_list())
    level = sum(HANDICAPS.get(name, 0) * many for name, many in owned.items()) / owned.total()

    def truth(claim: Claim) -> float | None:
        points = HANDICAPS.get(claim.subject.partition(",")[0], 0)
        if claim.kind == "price when all pay":
            return level - points
        return float(points - min(HANDICAPS.values())) if claim.kind in ("bid", "bid by itself") else None

    return run, truth, ("price when all pay", "bid")


def prices(seed: int) -> World:
    """Price the boards of a mirror match."""
    run, truth, kinds = priced(seed)
    return claimed(price_sections(run, touching=True), truth, kinds)


def bids(seed: int) -> World:
    """Take every bid of the table for a claim."""
    run, truth, _ = priced(3 * seed + seed % 2)
    rows = prices_of(run).to_dicts()
    return World(
        [Claim("bid by itself", row["faction"], row["bid"], row["bid_low"], row["bid_high"], "one row", "")
         for row in rows], truth,
    )  # fmt: skip


def reshuffled_wins(run: Run, seed: int) -> Run:
    """Return a run whose wins are shuffled within each game, so that nothing goes with winning."""
    seats = run.seats.collect()
    lots = pl.Series("lot", np.random.default_rng(seed).random(seats.height))
    dealt = [pl.col(name).sort_by("lot").over("game") for name in ("win", "rank")]
    return replace(run, seats=seats.with_columns(lots).with_columns(dealt).drop("lot").lazy())


def unexplained(seed: int, run: Run | None = None) -> tuple[Run, Callable[[Claim], float | None]]:
    """Return a run whose boards cannot matter, every other one without anything that goes with winning."""
    run = shuffled(run or mirror_match(3000, detail="cards"), "faction", seed)
    if seed % 2:
        run = reshuffled_wins(run, seed + 1_000_000)  # other lots than those of the boards

    def truth(claim: Claim) -> float | None:
        if ": led: " in claim.subject:
            return 1 / 4
        return None if ": brings: " in claim.subject and not seed % 2 else 0.0

    return run, truth


def explained_page(seed: int) -> World:
    """Explain one board of a mirror match."""
    run, truth = unexplained(seed)
    names = factions_of(run)
    sections = explained(run, names[seed % len(names)])
    return World([claim for section in sections for claim in section.claims], truth)


def explained_pages(seed: int) -> World:
    """Explain all boards of a mirror match."""
    run, truth = unexplained(seed)
    return World(claims_of_pages(run), truth)


def claims_of_pages(run: Run) -> list[Claim]:
    """Return what the pages of all boards claim."""
    names = factions_of(run)
    adjusted = adjusted_of(run, len(names))
    pages = [explained(run, name, adjusted, len(names)) for name in names]
    return [claim for sections in pages for section in sections for claim in section.claims]


def pieces_of_winners(seed: int) -> World:
    """Say which cards winners have in a mirror match whose wins were shuffled within games."""
    section = pieces_section(reshuffled_wins(mirror_match(3000, detail="cards"), seed))
    return World(section.claims if section else (), zero)


def brought_by(run: Run, card: str, chance: float, seed: int) -> Run:
    """Return a run in which a seat that has built a card comes first in a share of its games, whoever came first."""
    assert run.pieces is not None
    built = pl.concat(run.pieces).filter((pl.col("card") == card) & (pl.col("built_turn") > 0)).collect()
    lucky = built.filter(pl.Series(np.random.default_rng(seed).random(built.height) < chance)).unique("game")
    seats = run.seats.collect().join(lucky.select("game", own="seat"), on="game", how="left", maintain_order="left")
    own, first = pl.col("seat") == pl.col("own"), pl.col("own").is_not_null()
    rank = pl.when(own).then(1).when(first).then(2).otherwise(pl.col("rank")).cast(seats.schema["rank"])
    win = pl.when(first).then(own.cast(seats.schema["win"])).otherwise(pl.col("win"))
    return replace(run, seats=seats.with_columns(rank=rank, win=win).drop("own").lazy())


def of_endings(seed: int) -> World:
    """Say who wins where games end in one way: wins of one game were shuffled, or nations within blocks."""
    run = played(1200, game="imperium")
    run = reshuffled_wins(run, seed) if seed % 2 else shuffled(run, "faction", seed)
    section = endings_section(run)
    return claimed([section] if section else [], zero)


def of_circumstances(seed: int) -> World:
    """Say who gains by the direction of play: wins of one game were shuffled, or leaders and places within blocks."""
    run = played(1200, game="glory_of_rome")
    run = reshuffled_wins(run, seed) if seed % 2 else shuffled(shuffled(run, "faction", seed), "starting_place", seed)
    section = circumstances_section(run)
    return claimed([section] if section else [], zero)


def of_results(seed: int) -> World:
    """Say which results come more often with a faction or strategy: both were permuted over all games of one player."""
    run = alone_match()
    rng, seats = np.random.default_rng(seed), run.seats.collect()
    dealt = [seats[name].gather(rng.permutation(seats.height)) for name in ("faction", "strategy")]
    section = results_section(replace(run, seats=seats.with_columns(dealt).lazy()))
    return claimed([section] if section else [], zero)


def of_odds(seed: int) -> World:
    """Say which rolls differ from their exact odds: the outcomes of all that were made are drawn by these odds."""
    run = rolled_match()
    (entry,) = tallies_shown(run, "odds")
    rng, counts, drawn = np.random.default_rng(seed), tally_sums(run, entry), []
    for row, made in zip(entry.rows, counts.select(entry.columns).rows(), strict=True):
        odds = [row.values[name] for name in entry.columns] if row.values else np.array(made) / max(sum(made), 1)
        drawn.append(rng.multinomial(sum(made), odds))
    rolls = pl.DataFrame(np.array(drawn), entry.columns, orient="row").with_columns(counts["row"].alias(entry.name))
    kept = rolls.with_columns(pl.col(entry.name).cast(pl.Enum(counts["row"]))).lazy()
    return claimed(odds_sections(replace(run, tallies={**run.tallies, entry.plural: kept})), zero)


def choices(seed: int) -> World:
    """Let players choose among strategies that win alike, or of which a rare one wins more, by made-up tables."""
    strengths = equal if seed % 2 else rare_is_strong
    searched, fresh = (made_up_tables("abc", 3, 400, strengths, 2 * seed + which) for which in (0, 1))
    done = studied(searched, fresh, resamples=20)
    companies = searched.companies
    chance = companies.tables * np.stack([strengths(seats) for seats in companies.tables])
    payoffs = chance / chance.sum(axis=1, keepdims=True) / np.maximum(companies.tables, 1)

    def truth(claim: Claim) -> float:
        name, _, other = claim.subject.partition(" a")
        own = "abc".index(name)
        if other.startswith("gainst"):
            mixture = done.equilibria[int(other.rpartition(" ")[2]) - 1].shares
            return float(payoffs_by_company(companies, payoffs)[own] @ met(companies, mixture) - 1 / 3)
        seats = 2 * np.eye(3)["abc".index(other.rpartition(" ")[2])] + np.eye(3)[own]
        return float(payoffs[(companies.tables == seats).all(axis=1), own][0])

    return World([claim for section in done.sections for claim in section.claims], truth)


def answers(seed: int) -> World:
    """Let the best of four answers meet players who win alike, or less where they are many, by made-up tables."""
    strengths = equal if seed % 2 else rare_is_strong
    rows = []
    for place, player in enumerate("xyz"):
        tried = [answered(strengths, 100 * seed + 10 * place + which) for which in range(4)]
        best = max(tried, key=lambda one: one["gain"])
        fresh = answered(strengths, 100 * seed + 10 * place + 9)
        rows.append(fresh | {"player": player, "strategy": f"answer {tried.index(best)}", "games": 1200})
    found = Exploitability(RunConfig(game="seven_wonders"), "Made up", 3, pl.DataFrame(rows), pl.DataFrame())
    return World(exploitability_section(found).claims, lambda claim: 0.0 if seed % 2 else 1 / 2 - 1 / 3)


def answered(strengths: Strengths, seed: int) -> dict[str, Any]:
    """One seat among copies of a player in made-up tables."""
    tables = made_up_tables("ab", 3, 400, strengths, seed)
    return invader_rows(tables, np.array([0.0, 1.0]), 3).filter(pl.col("strategy") == "a").row(0, named=True)


def parts_worth_nothing(seed: int) -> World:
    """Take a board's parts away in games on which no part has any effect."""
    plan = make_plan(RunConfig(game="seven_wonders", players=4, strategies=["balanced"], seed=seed))
    game = MadeUp(plan, {TURNED: 0.05 * (seed % 2)}, own=0.1)
    number, parts = faction_and_parts(plan.game, plan.data, TURNED)
    with pytest.MonkeyPatch.context() as patch:
        game.played_with(patch)
        found = play_parts(plan, number, parts, 4000, jobs=1)
    edge = float(game.edge_of(())[number])
    section = parts_section(found)
    return claimed([section], lambda claim: edge if claim.subject.endswith(": as printed") else 0.0)


def priced_in_goods(seed: int) -> World:
    """Price boards in coins, in games in which all are alike and a coin more brings all of them the same."""
    plan = make_plan(RunConfig(game="seven_wonders", players=4, strategies=["balanced"]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(start_goods, "own_seats", partial(alike, seed))
        patch.setattr(start_goods, "compile_players_of", lambda plans, say: None)
        patch.setattr(start_goods, "manifest_plan", lambda folder, manifest, count, trust: plan)
        patch.setattr(start_goods, "load_manifest", lambda folder: manifest_of(plan, FEW))
        found = start_goods.prices_played(Path("run"), "coins_start", None, FEW)
    return claimed(played_sections(found, margin=0.02), truth_where_alike)


FEW, PER_COIN = 600, 0.05
"""Blocks of a made-up run with coins, and what a coin more adds to a share of wins."""


def manifest_of(plan: Plan, games: int) -> Any:
    """Return what a search for prices reads of a run's manifest."""
    counts, names = [SimpleNamespace(players=4, games=games)], [faction.name for faction in plan.data.factions]
    return SimpleNamespace(player_counts=counts, factions=names, title="7 Wonders", faction_title="board")


def alike(world: int, plan: Plan, only: int | None = None, **_: object) -> dict[int, OwnSeats]:
    """Seats that win by their coins alone, other ones in each world and on fresh deals."""
    found = {}
    for number in plan.factions if only is None else (only,):
        rng = np.random.default_rng((world, number, plan.seed))
        table = (number + 1 + rng.integers(0, 11, (FEW, 1)) + np.arange(3)) % len(plan.factions)
        names = [faction.name for faction in plan.data.factions]
        own = [float(text.partition("=")[2]) for text in plan.changes if named(text, names) == names[number]]
        win = (rng.random(FEW) < 0.25 + PER_COIN * (own[0] - 3 if own else 0)).astype(np.float64)
        found[number] = OwnSeats(np.arange(FEW), win, table[:, 0], table[:, 1], table)
    return found


def named(text: str, names: list[str]) -> str:
    """Whose number a change is."""
    row = text.partition("#")[2].partition(".")[0]
    return next(name for name in names if name.casefold().replace(" ", "-") == row.casefold().replace(" ", "-"))


def truth_where_alike(claim: Claim) -> float:
    """0 for prices and neighbours, for what values leave a share for each coin more or less than printed."""
    left = claim.kind == "left at a price"
    return max(PER_COIN * (float(claim.subject.rpartition(", ")[2]) - 3), -0.25) if left else 0.0


# ---- Changes ----

PRINTED, CHANGED = 3, 1
"""Printed value of the number that is turned in made-up worlds, and the one that a comparison changes it to."""
NUMBER = "wonders.toml#Rhodos B.coins_start"
TURNED, SIBLING = "Rhodos B", "Rhodos A"


def moved(run: Run, edge: float, seed: int) -> Run:
    """Return a run in which one board wins more by so much than its fair share, whatever it won.

    In some games it changes places with who came first, or last where it is to win less. It needs boards that were
    shuffled; the same games change first as the edge grows, so that runs with one seed share their luck.
    """
    seats = run.seats.collect()
    by_game = seats.group_by("game", maintain_order=True)
    worth = float(by_game.agg(pl.col("win").max())["win"].cast(pl.Float64).to_numpy().mean()) - 0.25
    chance = edge / worth if edge > 0 else edge / -0.25
    lot = np.random.default_rng(seed).random(run.manifest.games)
    rank = seats["rank"].to_numpy().reshape(-1, 4)
    board = seats["faction"].cast(pl.String).to_numpy().reshape(-1, 4).copy()
    other = rank.argmin(axis=1) if edge > 0 else rank.argmax(axis=1)
    games = np.flatnonzero((board == TURNED).any(axis=1) & (lot < chance))
    own = (board[games] == TURNED).argmax(axis=1)
    board[games, own], board[games, other[games]] = board[games, other[games]], TURNED
    named = pl.Series("faction", board.ravel(), dtype=seats.schema["faction"])
    return replace(run, seats=seats.with_columns(named).lazy())


def edges_with(edge: float, manifest: Manifest) -> dict[str, float]:
    """True edges of all rows of tables where one board has this edge: the other side of its wonder never meets it."""
    boards = {row.name: row.attributes for row in manifest.factions}
    edges = {name: edge if name == TURNED else 0.0 if name == SIBLING else -edge / 12 for name in boards}
    levels: dict[str, list[float]] = defaultdict(list)
    for name, attributes in boards.items():
        for level in attributes.values():
            levels[str(level)].append(edges[name])
    return {f"seat {seat}": 0.0 for seat in range(4)} | {k: float(np.mean(v)) for k, v in levels.items()} | edges


def changed_boards(seed: int) -> World:
    """Compare two mirror matches whose boards and seats were permuted: alike, or one board moved by known edges."""
    run = shuffled(mirror_match(2400), "seat", seed)
    before, after = [(0.0, 0.0), (0.0, 0.011), (0.06, 0.011)][seed % 3]
    runs = []
    for number, edge in enumerate((before, after)):
        # Of every other pair the second run has deals of its own; of others it deals other boards on the same deals.
        lot = 2 * seed + number if seed % 4 else seed
        one = moved(shuffled(run, "faction", lot), edge, lot)
        changes = [f"{NUMBER}={CHANGED}"] if number else []
        manifest = with_fields(run.manifest, {"changes": changes, "seed": 7 + number * (seed % 2)})
        runs.append(replace(one, folder=run.folder / str(number), manifest=manifest))
    a, b = (edges_with(edge, run.manifest) for edge in (before, after))

    def truth(claim: Claim) -> float:
        name, _, when = claim.subject.partition(", ")
        level = name if name in a else next(level for level in a if name.endswith(f" {level}"))  # 'wonder Rhodos'
        if claim.kind == "change":
            return b[level] - a[level]
        return (a if when == "before" else b)[level]

    found = compare_runs(runs[0], runs[1])
    return claimed(found.sections, truth)


def in_step(seed: int) -> World:
    """Play two arms in step until it is sure what differs: nothing, or one board by what is looked for."""
    effect, rng, plan = 0.1, np.random.default_rng(seed), make_plan(RunConfig(game="seven_wonders", players=4))
    games, turned = 4000, [faction.name for faction in plan.data.factions].index(TURNED)
    change = 1.001 * effect if seed % 2 else 0.0
    factions = rng.random((games, len(plan.factions))).argsort(axis=1)[:, :4]
    rows = np.zeros((games * 4, plan.columns), np.int32)
    rows[:, GAME] = rows[:, BLOCK] = np.repeat(np.arange(games), 4)
    rows[:, SEAT], rows[:, FACTION] = np.tile(np.arange(4), games), factions.ravel()
    arms = []
    for more in (0.0, change / 0.75):
        winner = rng.integers(0, 4, games)
        lucky = (factions == turned).any(axis=1) & (rng.random(games) < more)
        winner[lucky] = (factions[lucky] == turned).argmax(axis=1)
        arms.append(rows.copy())
        arms[-1][:, RANK] = 1 + (np.arange(4) != winner[:, None]).ravel()
    rule = difference_rule(plan, 100 * effect, [TURNED, "seat 1", "seat 2"])
    rule(*arms)
    return claimed([difference_section(rule, games)], lambda claim: change if claim.subject == TURNED else 0.0)


def claimed(
    sections: Sequence[Section], truth: Callable[[Claim], float | None], kinds: tuple[str, ...] | None = None
) -> World:
    """Return the world of all that some sections claim."""
    return World([claim for section in sections for claim in section.claims], truth, sections, kinds)


@contextmanager
def arms_of_values(edge_at: Callable[[float], float]) -> Iterator[None]:
    """Have studies that turn a number play mirror matches whose board has an edge that follows from its value."""

    @contextmanager
    def arm(config: RunConfig, *_: object, **__: object) -> Iterator[Run]:
        (value,) = [text.partition("=")[2] for text in config.changes if text.startswith(NUMBER)] or [PRINTED]
        run = shuffled(mirror_match(2400), "faction", config.seed)
        yield moved(run, edge_at(float(value)), config.seed)

    @contextmanager
    def arms(configs: dict[str, RunConfig], *_: object, **__: object) -> Iterator[dict[str, Run]]:
        with ExitStack() as held:
            yield {name: held.enter_context(arm(config)) for name, config in configs.items()}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("reports.studies.search.rebalance.play_arm", arm)
        patch.setattr("reports.studies.sweep.sweep.play_arms", arms)
        yield


def one_number(seed: int) -> World:
    """Search the fair value of a number that moves a board along a line."""
    fair, step = (1.6, 0.05) if seed % 2 else (2.9, 0.02)
    config = RunConfig(game="seven_wonders", games=2400, seed=10 * seed)
    with arms_of_values(lambda value: step * (value - fair)):
        found = search_value(config, TURNED, "coins_start", jobs=1)
    change = step * (found.best - PRINTED)

    def truth(claim: Claim) -> float:
        if claim.kind == "fair value":
            return fair
        return step * (found.best - fair) if claim.kind == "left after a change" else edges_of_move(change, claim)

    return claimed(found.sections, truth)


def edges_of_move(change: float, claim: Claim) -> float:
    """What a board gains or loses where another gains so much."""
    return edges_with(change, mirror_match(2400).manifest)[claim.subject.partition(" at ")[0]]


def swept(seed: int) -> World:
    """Sweep a number that does nothing, or moves a board along a line."""
    fair, step = (5.0, 0.02) if seed % 2 else (PRINTED, 0.0)
    text = f'''
game = "seven_wonders"
games = 2400
seed = {10 * seed}
watch = ["Rhodos B", "Gizah A", "Ephesos A"]
[[vary]]
change = "{NUMBER}"
values = [0, 2, 3, 6]
'''
    with TemporaryDirectory() as home, arms_of_values(lambda value: step * (value - fair)):
        (Path(home) / "swept.toml").write_text(text)
        found = play_sweep(read_sweep(Path(home) / "swept.toml"), jobs=1)

    def truth(claim: Claim) -> float | None:
        value = float(claim.subject.rpartition(" ")[2]) if " at " in claim.subject else 0.0
        if claim.kind == "change":
            return edges_of_move(step * (value - PRINTED), claim)
        if claim.kind == "out of balance":
            return edges_of_move(step * (value - fair), claim)
        return fair if step else None

    return claimed(found.sections, truth, ("change", "out of balance", *(["fair value"] if step else [])))


@contextmanager
def made_up_arms(seed: int) -> Iterator[MadeUp]:
    """Have races and searches for sets play a made-up game: a board that is off, or none; numbers that help."""
    plan = make_plan(RunConfig(game="seven_wonders", players=4, strategies=["balanced"], seed=100 * seed))
    game = MadeUp(plan, own=0.1)
    rng = np.random.default_rng(seed)
    if seed % 3:
        game.edges = {TURNED: float(rng.uniform(0.03, 0.08)), "Olympia B": -0.04}
        points = NUMBER.replace("coins_start", "stage.1.effects.1.vp")
        texts = NUMBER, points, NUMBER.replace(TURNED, "Olympia B")
        game.effects = {text: float(rng.uniform(0.008, 0.03)) for text in texts}
    with pytest.MonkeyPatch.context() as patch:
        yield game.played_with(patch)


def later(game: MadeUp, claim: Claim, row: dict[str, Any], edge: float, margin: float, games: int) -> float:
    """Return the truth of a forecast: 0 where that many games of a made-up game tell its true edge from the margin."""
    asked = claim.high or math.inf
    half = (row["edge_high"] - row["edge_low"]) / 2 * math.sqrt(games / asked)
    error = math.hypot(game.luck, game.own) / math.sqrt(asked / game.plan.block_games)
    seen = np.random.default_rng([game.plan.seed, *claim.subject.encode()]).normal(edge, error)
    return math.inf if state_of(seen - half, seen + half, margin) == "undecided" else 0.0


def raced(seed: int) -> World:
    """Search the numbers of a board, as far as it is off, on games of known effects."""
    return searched(seed, one=True)


def set_of_changes(seed: int) -> World:
    """Search a set of changes that makes all fair or two boards, on games of known effects."""
    return searched(seed, one=False)


def searched(seed: int, *, one: bool) -> World:
    """Search changes that make one board, two or all fair, on games of known effects."""
    with made_up_arms(seed) as game:
        plan = game.plan
        number, parts = faction_and_parts(plan.game, plan.data, TURNED)
        some = [number] if one else None if seed % 2 else [plan.factions[0], plan.factions[13]]
        margin = 0.01 if one and seed % 2 else 0.02  # some numbers are too coarse for the smaller one
        found = search_changes(plan, fair_goal(plan, margin, some), 4000, parts=parts if one else None, jobs=1)
        before, after = game.edge_of(()), game.edge_of(tuple(arm_changes(found.arm)))
    names = [faction.name for faction in plan.data.factions]

    def truth(claim: Claim) -> float:
        if claim.kind == "length of a game":
            return 0.0
        name, _, when = claim.subject.partition(", ")
        place = names.index(name)
        if claim.kind == "change":
            return float(after[place] - before[place])
        if claim.kind == "more games":
            (row,) = target_frame(found, found.fresh).filter(pl.col("name") == name).to_dicts()
            return later(game, claim, row, float(after[place]), found.goal.margin, found.fresh.games)
        return float((before if when == "as printed" else after)[place])

    return claimed(search_sections(found), truth)


def sums_of_pieces(pieces: int, shares: tuple[float, float], seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return what `effects_frame` needs of pieces whose builders win so often with and without them, in 150 blocks."""
    rng, blocks = np.random.default_rng(seed), 150
    n = rng.integers(1, 4, (pieces, blocks)).astype(float)
    d = rng.binomial(n.astype(int), shares[0]) - rng.binomial(n.astype(int), shares[1]) + 0.0
    sums, counts = np.zeros((pieces, 2, len(SUMS))), np.ones((pieces, len(COUNTS)), np.int64)
    w = d * UNIT
    columns = {
        "blocks": n**0, "N": n, "W": w, "S": d, "NN": n * n, "DD": w * w, "DN": w * n, "SS": d * d, "SN": d * n,
        "differing": d != 0, "won": n,
    }  # fmt: skip
    for name, values in columns.items():
        sums[:, :, SUMS.index(name)] = values.sum(axis=1)[:, None]
    return sums, counts


def pieces_worth_nothing(seed: int) -> World:
    """Compare seats with and without pieces that are worth nothing to those who build them."""
    pieces = 30
    sums, counts = sums_of_pieces(pieces, (0.25, 0.25), seed)
    frame = effects_frame("card", [f"card {number}" for number in range(pieces)], sums, counts)
    plan = make_plan(RunConfig(game="seven_wonders"))
    return claimed([intervention_section(Intervention(frame, "card", "none", plan, 600))], zero)


def dramas(seed: int) -> World:
    """Describe games under three equal conditions, in which no round depends on the ones before it."""
    names = ("2 players", "3 players", "4 players")
    return claimed(drama_of({name: made_up_histories(3 * seed + number) for number, name in enumerate(names)}), zero)


def drama_of(conditions: dict[str, Histories]) -> list[Section]:
    """Return what is said of games under some conditions."""
    every = list(conditions.values())
    return drama_sections(drama_frames(list(conditions), every, [chances_by_round(one) for one in every]))


def restrictions(seed: int) -> World:
    """Restrict a player in ways that change nothing."""
    return claimed([restricted_section(restricted_frame(made_up_restrictions(seed), 4), 4)], zero)


def ways_to_win(seed: int) -> World:
    """Group winners of games whose wins were shuffled; in turn made-up factions win four of five games in one way."""
    if seed % 2:
        section = section_of_ways(made_up_ways(seed), "faction")
        return claimed([section], lambda claim: 0.8 if claim.kind == "one way" else 0.0)
    section = ways_section(reshuffled_wins(played(2000, ("balanced", "military", "science")), seed))
    return claimed([section], lambda claim: 0.0 if claim.kind == "way" else None, ("way",))


SCREEN = ("out of balance", "within the margin")
AGREEMENT = (DIFFERS, RANKS, SLOPE)
"""Kinds of claims on a simulation beside people."""
BESIDE, SPREAD, REST, SHARE, NOISE = 8, 0.06, 0.03, 0.19, 0.005
"""Factions of a simulation beside people; spreads of simulated edges and of people's about them; edge per unit of log
strength; error of simulated edges."""
TRUE_SLOPE = 0.64
"""Slope of people's true edges on simulated ones, over 500 such worlds."""


def beside_people(seed: int) -> World:
    """Set made-up simulated edges beside a made-up league whose factions follow them in part."""
    rng = np.random.default_rng(seed)
    simulated = rng.normal(0, SPREAD, BESIDE)
    strength = (0.6 * simulated + rng.normal(0, REST, BESIDE)) / SHARE
    found = people_results(MadeUpLeague(strength=tuple(strength)).made(30_000 + seed)[0], 0.01)
    names = found.sheet.factions
    people = dict(zip(names, faction_edges(strength, factions_at_tables(found.sheet)) - simulated, strict=True))
    frame = pl.DataFrame({"level": names, "games": 10_000, "edge": simulated + rng.normal(0, NOISE, BESIDE)})
    beside = validation_of(found, {"players": ("faction", frame.with_columns(error=NOISE))}, [4])
    rank = spearman(simulated, np.array(list(people.values())) + simulated)

    def truth(claim: Claim) -> float:
        return {RANKS: rank, SLOPE: TRUE_SLOPE}.get(claim.kind, people.get(claim.subject.split(",")[0], 0.0))

    return claimed([agreement_section(beside, {}), *map(rung_section, beside.rungs)], truth)


SECTIONS = (
    *SCREEN, "depends on players", "under a condition", "adjusted strength", "lower places", "pair", "matchup", BEYOND,
    CYCLE,
)  # fmt: skip
EXPLAINED = tuple(f"{part} explained" for part in ("wins", "points", "leads", "company", "pieces"))
OF_LEAGUES = (AMONG, "within the margin", STRENGTH, TREND)
"""Kinds of claims of the report of a league."""


def of_leagues(seed: int) -> World:
    """Report a made-up league; in turn its factions are equal, unequal or hopeless, and it is small or winners only."""
    small = [world for world in LEAGUES.values() if world.games <= 300 and not world.rated]
    small += [HOPELESS, replace(HOPELESS, winner_only=True)]
    league = tried(small[(seed + 3) % len(small)], 10_000 + seed)
    sections = sections_from_results(league.found)
    return World([claim for section in sections for claim in section.claims], league.truth, sections)


def of_two_leagues(seed: int) -> World:
    """Compare two made-up leagues of the same unequal factions, in turn with one that hardly wins: nothing changes."""
    made_up = (UNEQUAL, HOPELESS, replace(HOPELESS, games=80, people=12))[seed % 3]
    leagues = [made_up.made(20_000 + 2 * seed + number)[0] for number in (0, 1)]
    section = league_change_section(compare_leagues(*leagues), ("before", "after"))
    return World(section.claims, zero, [section])


STUDIES = {
    "report, first screen": Study(first_screen, "report RUN", SCREEN),
    "report, first screen, several strategies": Study(of_strategies, "report RUN", (*SCREEN, "depends on players")),
    "report, all sections": Study(
        sections_reported, "report RUN --full", (*SECTIONS, "piece", "probably fair", "price alone"), swept=True
    ),
    "report, everything": Study(
        everything_reported,
        "report RUN --explain --html PAGE",
        (*SECTIONS, "piece", "probably fair", "price alone", *EXPLAINED),
        swept=True,
    ),
    "report, pieces": Study(pieces_of_winners, "report RUN --full", ("piece",)),
    "report, matchups": Study(of_matchups, "report RUN --full", ("matchup", BEYOND, CYCLE)),
    "report, matchups of unlike strategies": Study(of_unlike_matchups, "report RUN --full", ("matchup", BEYOND, CYCLE)),
    "report, first player": Study(of_first_player, "report RUN", ("out of balance", "price alone")),
    "report, endings": Study(of_endings, "report RUN", ("ending",)),
    "report, circumstances": Study(of_circumstances, "report RUN", ("circumstance",)),
    "report, results": Study(of_results, "report RUN", ("result",)),
    "report, odds": Study(of_odds, "report RUN", ("result",)),
    "report, a league": Study(of_leagues, "report LEAGUE", OF_LEAGUES),
    "compare, two leagues": Study(of_two_leagues, "compare LEAGUE_A LEAGUE_B", ("change",)),
    "validate": Study(beside_people, "validate RUN LEAGUE", AGREEMENT),
    "report, games to come": Study(forecasts, "report RUN", ("more games",), swept=True),
    "report, probably fair": Study(probably, "report RUN", ("probably fair",)),
    "plan": Study(plans, "plan seven_wonders", ("games to flag",), swept=True),
    "ladder": Study(ladders, "ladder seven_wonders", ("by skill", "under a condition"), swept=True),
    "ladder, underplayed": Study(looking_ahead, "ladder seven_wonders", ("underplayed",)),
    "ladder, skill or luck": Study(of_skill, "ladder GAME", ("skill", "matchup")),
    "sensitivity": Study(alternatives, "sensitivity GAME", ("alternative", "under a condition"), swept=True),
    "price": Study(prices, "price RUN", PRICES, swept=True),
    "price, in goods": Study(
        priced_in_goods, "price RUN --in FIELD", ("price alone", "left at a price", "price by neighbour"), swept=True
    ),
    "price, each bid": Study(bids, "price RUN", ("bid by itself",)),
    "metagame": Study(choices, "metagame GAME --strategies NAMES", ("gain of an invader", "one among others")),
    "metagame, answers": Study(answers, "metagame GAME --strategies NAMES --answers NAMES", ("gain of an invader",)),
    "drama": Study(dramas, "drama GAME --players NUMBERS", ("runaway", "drama"), swept=True),
    "ways": Study(ways_to_win, "ways RUN", ("way", "one way"), swept=True),
    "explain, one page": Study(explained_page, "explain RUN --faction NAME", EXPLAINED),
    "explain, parts": Study(parts_worth_nothing, "explain RUN --faction NAME --pieces", ("parts explained",)),
    "explain, all pages": Study(explained_pages, "report RUN --explain --html PAGE", EXPLAINED, swept=True),
    "compare": Study(changed_boards, "compare RUN_A RUN_B", ("change", "out of balance")),
    "rebalance, a race": Study(
        raced,
        "rebalance GAME --faction NAME --knob all",
        ("change", "left after a change", "within the margin", "length of a game", "more games"),
    ),
    "rebalance, one number": Study(
        one_number, "rebalance GAME --faction NAME --knob FIELD", ("change", "fair value", "left after a change")
    ),
    "rebalance, a set": Study(
        set_of_changes,
        "rebalance GAME --all",
        ("change", "left after a change", "out of balance", "within the margin", "more games"),
    ),
    "sweep": Study(swept, "sweep FILE", ("change", "fair value", "out of balance")),
    "compare, until sure": Study(
        in_step, "compare GAME --change CHANGE --sprt", ("differs between arms", "no such difference")
    ),
    "intervene": Study(pieces_worth_nothing, "intervene GAME --card all", ("change",)),
    "intervene, restricted play": Study(restrictions, "intervene GAME --forbid all", ("restricted",)),
}
"""Every study that claims anything, in worlds where claims of it are false."""


def table(rates: dict[str, Any]) -> str:
    """Return the table of docs/statistics.md: each study, any claim of it and each kind of claim it looks for."""
    lines = ["| Study | Kind of claim | Promised, at most | Measured | Worlds | Command |", "|---|---|---|---|---|---|"]
    for name, study in rates.items():
        whole = study["any"]
        rows = [(KINDS[kind].says, promise(kind), row["rate"], row["worlds"]) for kind, row in study["kinds"].items()]
        if any(KINDS[kind].per == "study" for kind in study["kinds"]):
            rows.insert(
                0, ("**any claim**", "5 % of studies", whole["false_worlds"] / whole["worlds"], whole["worlds"])
            )
        lines += [
            f"| {name} | {says} | {promised} | {100 * rate:.1f} % | {worlds} | `{study['command']}` |"
            for says, promised, rate, worlds in rows
        ]
    return "\n".join(lines)


def promise(kind: str) -> str:
    """Return the promised rate of a kind of claim: '5 % of studies'."""
    return f"{100 * KINDS[kind].rate:g} % of {'studies' if KINDS[kind].per == 'study' else 'claims'}"


def measure(names: Sequence[str], worlds: range) -> None:
    """Count false claims of studies in the worlds of some numbers, keep the rates, and write the table of the docs."""
    rates = json.loads(RATES.read_text()) if RATES.exists() else {}
    for name in names:
        study = STUDIES[name]
        kinds, everything = counted(map(study.play, worlds), study.kinds)
        print(f"{name}: any false claim in {everything.false_worlds} of {everything.worlds} worlds", flush=True)
        rates[name] = {
            "command": study.command,
            "any": asdict(everything),
            "kinds": {kind: asdict(count) | {"rate": count.rate(kind)} for kind, count in sorted(kinds.items())},
        }
    write({name: rates[name] for name in STUDIES if name in rates})


def write(rates: dict[str, Any]) -> None:
    """Keep rates, and write the table of the docs from them."""
    RATES.write_text(json.dumps(rates, indent=1) + "\n")
    before, _, rest = PAGE.read_text().partition(START)
    after = rest.partition(END)[2]
    PAGE.write_text(f"{before}{START}\n\n{table(rates)}\n\n{END}{after}")


LONG = "300000"
"""Games of the long match that the rates of the docs are measured with; the tests play fewer."""

if __name__ == "__main__":
    os.environ.setdefault("CLAIMS_LONG", LONG)
    asked = argparse.ArgumentParser(description="Count how often studies claim something false.")
    asked.add_argument("studies", nargs="*", choices=[[], *STUDIES], default=[])
    asked.add_argument("--worlds", type=int, default=200)
    asked.add_argument("--first", type=int, default=0, help="number of the first world: others are other games")
    options = asked.parse_args()
    measure(options.studies or list(STUDIES), range(options.first, options.first + options.worlds))
