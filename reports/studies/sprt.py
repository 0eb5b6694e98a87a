"""Play two arms on the same deals until it is sure whether they differ: a sequential probability ratio test.

Blocks are looked at in index order, at the block counts of `sequential.look_schedule`, and error rates are kept
however early the test stops.

References
----------
Wald, A. (1945). Sequential tests of statistical hypotheses. Ann. Math. Statist. 16, 117-186.
Sobel, M. and Wald, A. (1949). A sequential decision procedure for choosing one of three hypotheses. Ann. Math. Statist.
    20, 502-522.
Bartroff, J., Lai, T. L. and Shih, M.-C. (2013). Sequential Experimentation in Clinical Trials. Springer, ch. 3 and 4.
Robbins, H. (1970). Statistical methods related to the law of the iterated logarithm. Ann. Math. Statist. 41, 1397-1409.
Howard, S. R., Ramdas, A., McAuliffe, J. and Sekhon, J. (2021). Time-uniform, nonparametric, nonasymptotic confidence
    sequences. Ann. Statist. 49, 1055-1080.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.shapes import Column, Listing, Section
from reports.statistics.winshare import ALPHA, known
from reports.studies.sequential import (
    FIRST_LOOK,
    Floats,
    Gathering,
    Integers,
    Watch,
    block_sums,
    check_points,
    every_table,
    look_schedule,
    watch_names,
)
from reports.words import count, counted, points
from sim.batch import Plan
from sim.errors import UserError
from sim.runs.groups import share_out
from sim.runs.run import jobs_to_use, pieces_of, play_shards, warm_up

Answer = Literal["more", "less", "same", "open"]
STEP_GAMES = 1_000
"""Games of each arm that are played at one stretch."""


def paired_estimate(moments: dict[str, Floats], caution: float = 1.0) -> tuple[Floats, Floats]:
    """Difference of win shares between two arms that share their deals, and the variance of that estimate.

    With the change of wins C_b = W_b(B) - W_b(A) and N_b seat-games in block b, the same in both arms, the difference
    is d = sum(C) / sum(N) and its variance B/(B-1) * (sum((C_b - d N_b)^2) + caution * max(N_b)^2) / sum(N)^2, as in
    `winshare.clustered_error`. The added term is that of imagined blocks won whole: without it a row that nothing has
    happened to would be sure at once. It vanishes against the sum as blocks grow.

    Parameters
    ----------
    moments
        `blocks`, `largest` and sums over blocks `N`, `NN`, `C`, `CC`, `CN`; any shape.
    caution
        How many imagined blocks.

    Returns
    -------
    estimate, variance
        As fractions, of the same shape; NaN where a row has not occurred in two blocks.
    """
    blocks, n = moments["blocks"], moments["N"]
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = moments["C"] / n
        squares = moments["CC"] - 2 * estimate * moments["CN"] + estimate**2 * moments["NN"]
        squares = np.maximum(squares, 0.0) + caution * moments["largest"] ** 2
        variance = np.where(blocks > 1, blocks / (blocks - 1) * squares / n**2, np.nan)
    return estimate, variance


def caution_blocks(beta: float) -> float:
    """How many imagined blocks make `paired_estimate` as slow as an exact test where nothing has happened.

    If a share q = effect of the blocks differs and each of them fully, no difference in B blocks has chance
    (1 - q)^B, which is below beta only for B >= log(1/beta) / effect. The likelihood ratio of `sprt_answers` reaches
    log(beta) at the same B when log(1/beta)/2 blocks are added; one more allows for the estimated variance.
    """
    return 1.0 + math.log(1 / beta) / 2


def sprt_answers(estimate: Floats, variance: Floats, effect: float, alpha: float, beta: float) -> NDArray[np.int8]:
    """One look of the sequential probability ratio test between "no difference" and "differs by the effect".

    Two tests of Wald (1945) side by side, one for each direction, as Sobel and Wald (1949) do for three hypotheses.
    The log likelihood ratio of +effect against 0 is L = effect * (d - effect/2) / variance, with the variance estimated
    at each look (generalised SPRT: Bartroff, Lai and Shih 2013, ch. 3; as chess engines are tested). L >= log(2/alpha)
    accepts the direction, L <= log(beta) rules it out; by Wald's inequality a wrong "differs" then has chance at most
    alpha/2 for each direction, and a missed effect at most beta, at any schedule of looks.

    Parameters
    ----------
    estimate, variance
        From `paired_estimate`; any shape. As fractions.
    effect
        The difference to be found, as a fraction.
    alpha, beta
        Chance of "differs" where there is no difference, and of "no difference" where there is one of that size.

    Returns
    -------
    Answers of this look, int8 of the same shape: bit 1 "B is higher", bit 2 "B is lower", bit 4 "not higher by the
    effect", bit 8 "not lower by the effect".
    """
    accept, dismiss = math.log(2 / alpha), math.log(beta)
    answers = np.zeros(np.shape(estimate), np.int8)
    with np.errstate(divide="ignore", invalid="ignore"):
        for sign, accepted, dismissed in ((1, 1, 4), (-1, 2, 8)):
            ratio = effect * (sign * estimate - effect / 2) / variance
            answers |= np.where(ratio >= accept, accepted, 0).astype(np.int8)
            answers |= np.where(ratio <= dismiss, dismissed, 0).astype(np.int8)
    return answers


def settle(state: NDArray[np.int8], answers: NDArray[np.int8]) -> NDArray[np.int8]:
    """Carry the answers of a look into the state of each test; what a test has answered once stands.

    Returns
    -------
    State, int8 with the bits of `sprt_answers`. A row is settled once it holds bit 1 or 2, or both of 4 and 8.
    """
    still = ~settled(state)
    # A direction that was ruled out is not taken back, and the other way round.
    allowed = np.where(state & 4, ~np.int8(1), ~np.int8(0)) & np.where(state & 8, ~np.int8(2), ~np.int8(0))
    return np.where(still, state | (answers & allowed), state).astype(np.int8)


def settled(state: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Whether each test has its answer."""
    return ((state & 3) > 0) | ((state & 12) == 12)


def answer_of(state: int) -> Answer:
    """The state of a test as a word: B has "more" wins, "less", the "same", or "open"."""
    return "more" if state & 1 else "less" if state & 2 else "same" if state & 12 == 12 else "open"


def always_valid_reach(variance: Floats, effect: float, alpha: float = ALPHA) -> Floats:
    """How far an interval reaches that holds at every look at once, so that stopping early does not harm it.

    The normal mixture of Robbins (1970) in the form of Howard et al. (2021, eq. 14): with information V = 1/variance,
    the estimate is within sqrt((V + r) * log((V + r) / (r * alpha^2))) / V of the truth at all looks with probability
    1 - alpha. r is chosen so that the interval is narrowest about where the test is expected to stop.

    Parameters
    ----------
    variance
        Of the estimate, any shape.
    effect
        Effect that the test looks for, as a fraction.
    alpha
        Chance that the truth ever lies outside.
    """
    information = 1 / variance
    expected = 2 * math.log(2 / alpha) / effect**2
    spread = expected / (2 * math.log(1 / alpha) + math.log(1 + 2 * math.log(1 / alpha)))
    return np.asarray(
        np.sqrt((information + spread) * np.log((information + spread) / (spread * alpha**2))) / information
    )


@dataclass
class DifferenceRule:
    """Says when it is sure for every watched row whether two arms that share their deals differ.

    Called with the seat rows of the same next games of both arms, it returns None, or the number of games (of each arm)
    after which the answer is sure. Where the rows are cut makes no difference.

    Attributes
    ----------
    effect
        The difference to be found, as a fraction.
    alpha, beta
        Error rates for all rows together; each row's test gets its share (Bonferroni).
    state
        Bits of `sprt_answers` per row; shape (rows,).
    decided
        Blocks at which each row got its answer, 0 where it is open; shape (rows,).
    blocks
        Blocks looked at so far.
    enough
        Games after which all rows were settled; None as long as they are not.
    """

    plan: Plan
    effect: float
    alpha: float
    beta: float
    watches: list[Watch]
    gatherings: tuple[Gathering, Gathering]
    moments: list[dict[str, Floats]]
    schedule: Iterator[int]
    look: int
    state: NDArray[np.int8]
    decided: NDArray[np.int64]
    blocks: int = 0
    enough: int | None = None

    @property
    def names(self) -> list[tuple[str, str]]:
        """Table and name of each row."""
        return [(watch.table, name) for watch in self.watches for name in watch.names]

    def __call__(self, rows_a: Integers, rows_b: Integers) -> int | None:
        """Take the next rows of both arms and say whether the answer is sure."""
        if self.enough is not None:
            return self.enough
        for gathering, rows in zip(self.gatherings, (rows_a, rows_b), strict=True):
            gathering.add(rows)
        while (pair := self.next_blocks(self.look)) is not None:
            self.take(pair)
            if settled(self.state).all():
                self.enough = self.blocks * self.plan.block_games
                return self.enough
            self.look = next(self.schedule)
        return None

    def look_at_rest(self) -> None:
        """Look once more at the whole blocks that have come in since the last look, when no more are to come."""
        waiting = min(gathering.rows for gathering in self.gatherings) // self.gatherings[0].rows_per_block
        if self.enough is None and waiting and (pair := self.next_blocks(self.blocks + waiting)) is not None:
            self.look = self.blocks + waiting
            self.take(pair)
            if settled(self.state).all():
                self.enough = self.blocks * self.plan.block_games

    def next_blocks(self, look: int) -> tuple[Integers, Integers] | None:
        """What both arms have up to a look; None if it has not all come in."""
        one, two = (gathering.upto(look) for gathering in self.gatherings)
        return None if one is None or two is None else (one, two)

    def take(self, pair: tuple[Integers, Integers]) -> None:
        """Add blocks up to the next look, and look."""
        players, block_games = self.plan.players, self.plan.block_games
        unit = math.lcm(*range(1, players + 1))
        for watch, moments in zip(self.watches, self.moments, strict=True):
            one, two = (block_sums(rows, watch, players, block_games) for rows in pair)
            add_paired(moments, one["N"], two["N"], (two["W"] - one["W"]) / unit)
        self.blocks = self.look
        if self.blocks < FIRST_LOOK:
            return
        estimate, variance = self.estimates()
        rows = len(self.state)
        answers = sprt_answers(estimate, variance, self.effect, self.alpha / rows, self.beta / rows)
        before = settled(self.state)
        self.state = settle(self.state, answers)
        self.decided[settled(self.state) & ~before] = self.blocks

    def estimates(self) -> tuple[Floats, Floats]:
        """Difference of every row and its variance, shape (rows,)."""
        together = {name: np.concatenate([moments[name] for moments in self.moments]) for name in self.moments[0]}
        return paired_estimate(together, caution_blocks(self.beta / len(self.state)))


def add_paired(moments: dict[str, Floats], games_a: Floats, games_b: Floats, change: Floats) -> None:
    """Add blocks to the running moments of paired differences.

    Parameters
    ----------
    moments
        Changed in place; empty at the start.
    games_a, games_b
        Seat-games per block and row in either arm, shape (blocks, rows).
    change
        Wins in B minus wins in A.

    Raises
    ------
    UserError
        The arms do not share who plays what: there are no pairs.
    """
    if not np.array_equal(games_a, games_b):
        raise UserError("the change alters who plays what, so the arms do not share their deals", field="change")
    new = {
        "blocks": (games_a > 0).sum(axis=0).astype(np.float64),
        "N": games_a.sum(axis=0), "NN": (games_a**2).sum(axis=0), "C": change.sum(axis=0),
        "CC": (change**2).sum(axis=0), "CN": (change * games_a).sum(axis=0),
    }  # fmt: skip
    for name, values in new.items():
        moments[name] = moments[name] + values if name in moments else values
    largest = games_a.max(axis=0)
    moments["largest"] = np.maximum(moments["largest"], largest) if "largest" in moments else largest


def difference_rule(
    plan: Plan, effect: float, on: Sequence[str] = (), alpha: float = ALPHA, beta: float = ALPHA
) -> DifferenceRule:
    """Stop two arms on the same deals when it is sure for every watched row whether they differ.

    Parameters
    ----------
    plan
        Either arm: they share seats, factions and strategies.
    effect
        In percentage points: the smallest difference worth finding.
    on
        Rows to watch; by default all factions and strategies, where there is more than one.
    alpha, beta
        Chance of any wrong "differs" where nothing differs, and of any "no difference of that size" where there is one.

    Raises
    ------
    UserError
        An impossible number, an unknown row, or nothing to watch.
    """
    check_points("effect", effect, 100.0)
    check_rate("alpha", alpha)
    check_rate("beta", beta)
    watches = watch_names(plan, on) if on else [watch for watch in every_table(plan) if watch.table != "seat"]
    if not watches:
        raise UserError("one faction and one strategy only: nothing can differ; watch a seat", field="on")
    rows = sum(len(watch.names) for watch in watches)
    schedule = look_schedule()
    rows_per_block = plan.block_games * plan.players
    return DifferenceRule(
        plan=plan,
        effect=effect / 100,
        alpha=alpha,
        beta=beta,
        watches=watches,
        gatherings=(Gathering(rows_per_block), Gathering(rows_per_block)),
        moments=[{} for _ in watches],
        schedule=schedule,
        look=next(schedule),
        state=np.zeros(rows, np.int8),
        decided=np.zeros(rows, np.int64),
    )


def play_in_step(
    plan_a: Plan,
    plan_b: Plan,
    games: int,
    rule: DifferenceRule,
    *,
    jobs: int = -1,
    say: Callable[[str], None] = lambda text: None,
    progress: Callable[[int], None] = lambda games: None,
) -> int:
    """Play two arms side by side in memory until the rule is sure or the games are used up.

    Parameters
    ----------
    plan_a, plan_b
        The arms; they share seed, seats, factions and strategies.
    games
        The most games of each arm.
    rule
        From `difference_rule`.
    jobs
        Workers, -1 for all cores; the answer is the same for any number.
    say, progress
        Told what is being prepared, and how many games (of both arms together) have been finished.

    Returns
    -------
    Games of each arm that the answer rests on: whole blocks that the rule has looked at.

    Raises
    ------
    UserError
        A strategy fails, or the change alters who plays what.
    """
    workers = jobs_to_use(jobs)
    teams = [warm_up([plan], say)[0] for plan in (plan_a, plan_b)]
    pieces = [
        pieces_of(share_out([plan], games), [team], STEP_GAMES)
        for plan, team in zip((plan_a, plan_b), teams, strict=True)
    ]
    with closing(play_shards(pieces[0], workers)) as first, closing(play_shards(pieces[1], workers)) as second:
        for piece, (rows_a, _), (rows_b, _) in zip(pieces[0], first, second, strict=True):
            progress(2 * piece.count)
            if rule(rows_a, rows_b) is not None:
                break
    rule.look_at_rest()
    return min(games, rule.blocks * rule.plan.block_games)


def difference_section(rule: DifferenceRule, most: int) -> Section:
    """What a sequential comparison has found, for terminal, page and JSON.

    Parameters
    ----------
    rule
        After `play_in_step`.
    most
        The most games that each arm was allowed.
    """
    order = {"more": 0, "less": 1, "open": 2, "same": 3}
    frame = difference_frame(rule)
    frame = frame.sort(frame["answer"].replace_strict(order, return_dtype=pl.Int64), maintain_order=True)
    games, effect = rule.blocks * rule.plan.block_games, counted_points(rule.effect)
    rows = frame.to_dicts()
    said = []
    for answer, words in (("more", "wins more in the second arm"), ("less", "wins less in the second arm")):
        named = [f"{row['level']} ({points(row['change'])} points)" for row in rows if row["answer"] == answer]
        said += [f"{', '.join(named)} {words if len(named) == 1 else words.replace('wins', 'win')}."] if named else []
    same = [row["level"] for row in rows if row["answer"] == "same"]
    unsure = [row["level"] for row in rows if row["answer"] == "open"]
    if same:
        said.append(f"No difference of {effect}: {', '.join(same)}.")
        if any(row["answer"] == "same" and max(-row["low"], row["high"]) > rule.effect for row in rows):
            said.append(
                f"That a difference is smaller than {effect} is sure before its size is: the interval in the table "
                "holds at every look at once, is wider for it, and may reach further."
            )
    if unsure:
        said.append(f"Undecided after {counted(games, 'game')}: {', '.join(unsure)}. More games may tell.")
    stop = "Stopped" if rule.enough is not None else "Ended without every answer"
    said.append(
        f"{stop} after {counted(games, 'game')} of each arm ({counted(rule.blocks, 'block')}) of {count(most)}."
    )
    reading = (
        f"Where nothing differs, any row is called different in at most {100 * rule.alpha:g} % of such tests; a "
        f"difference of {effect} is missed in at most {100 * rule.beta:g} %. A smaller difference may be found or not. "
        "The intervals hold however early the test has stopped, and are wider for it than those of a run of fixed size."
    )
    columns = (
        Column("level", "row", "text"),
        Column("answer", "answer", "text", meaning="more, less or the same number of wins in the second arm"),
        Column("change", "change", "edge", "low", "high", "win share in the second arm minus the first, in points"),
        Column("decided", "games", "count", meaning="games of each arm after which the row was decided"),
    )
    listing = Listing("sequential", "Answers", frame, columns)
    return Section("sequential", "Is it sure yet?", tuple(said), (listing,), (), reading)


def counted_points(share: float) -> str:
    """'1 point', '0.5 points'."""
    return f"{100 * share:g} point{'' if math.isclose(share, 0.01) else 's'}"


def difference_frame(rule: DifferenceRule) -> pl.DataFrame:
    """Each watched row: `table`, `level`, `answer`, `change` with `low` and `high`, `decided` (games), `note`."""
    estimate, variance = rule.estimates() if rule.blocks else (np.full(len(rule.state), np.nan),) * 2
    reach = always_valid_reach(variance, rule.effect)
    noted = np.where(np.isnan(reach), "too few blocks", "")
    return pl.DataFrame(
        [
            pl.Series("table", [table for table, _ in rule.names]),
            pl.Series("level", [name for _, name in rule.names]),
            pl.Series("answer", [answer_of(int(state)) for state in rule.state]),
            *known(
                {"change": estimate, "low": np.maximum(estimate - reach, -1), "high": np.minimum(estimate + reach, 1)}
            ),
            pl.Series("decided", rule.decided * rule.plan.block_games).replace(0, None),
            pl.Series("note", [str(word) for word in noted]),
        ]
    )


def check_rate(field: str, value: float) -> None:
    """Raise UserError unless a probability lies between 0 and 1, both excluded."""
    if not 0 < value < 1:
        raise UserError("impossible probability", field=field, found=value, allowed="between 0 and 1")
