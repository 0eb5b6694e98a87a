"""Sequential probability ratio test of two arms on the same deals; its error rates hold whenever it stops.

Sources, in full in `docs/statistics.md`: Wald (1945), Sobel and Wald (1949) and Bartroff, Lai and Shih (2013, ch. 3 and
4) for the test, Robbins (1970) and Howard, Ramdas, McAuliffe and Sekhon (2021) for intervals that hold at every look.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from reports.statistics.core.win_rate import ALPHA, Floats
from sim.errors import UserError

Answer = Literal["more", "less", "same", "open"]


def paired_estimate(moments: dict[str, Floats], caution: float = 1.0) -> tuple[Floats, Floats]:
    """Return the difference of win rates between two arms on the same deals, and the variance of this estimate.

    Let C_b = W_b(B) - W_b(A) be the change of wins in block b, and N_b its seat-games, which are the same in both arms.
    The difference is d = sum(C_b) / sum(N_b). Its variance is blocks / (blocks - 1) * (sum((C_b - d N_b)^2) + caution *
    max(N_b)^2) / sum(N_b)^2, as in `win_rate.clustered_error` but for the term with `caution`. This term stands for
    imagined blocks in which every win differs. Without it, a row in which no win has differed so far would be certain
    at once. The term becomes negligible as blocks accumulate.

    Parameters
    ----------
    moments
        `blocks`, `largest` and sums over blocks `N`, `NN`, `C`, `CC`, `CN`; any shape.
    caution
        Number of imagined blocks.

    Returns
    -------
    estimate, variance
        As fractions, of the same shape as the sums; NaN for a row that has not occurred in two blocks.
    """
    blocks, n = moments["blocks"], moments["N"]
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = moments["C"] / n
        squares = moments["CC"] - 2 * estimate * moments["CN"] + estimate**2 * moments["NN"]
        squares = np.maximum(squares, 0.0) + caution * moments["largest"] ** 2
        variance = np.where(blocks > 1, blocks / (blocks - 1) * squares / n**2, np.nan)
    return estimate, variance


def caution_blocks(beta: float) -> float:
    """Return the number of imagined blocks that `paired_estimate` needs to be as cautious as an exact test.

    The number is chosen for the case that no win has differed yet.

    Suppose that a fraction q = effect of the blocks differs, each in all its games. Then B blocks show no difference
    with chance (1 - q)^B, which is below beta only for B >= log(1/beta) / effect. The log likelihood ratio of
    `sprt_answers` reaches log(beta) at the same B if log(1/beta)/2 blocks are added. One more block allows for the
    estimated variance.
    """
    return 1.0 + math.log(1 / beta) / 2


def sprt_answers(estimate: Floats, variance: Floats, effect: float, alpha: float, beta: float) -> NDArray[np.int8]:
    """Evaluate the sequential test of "no difference" against "differs by the effect" at one look (interim analysis).

    Two tests of Wald (1945) run side by side, one for each direction, as Sobel and Wald (1949) do for three hypotheses.
    The log likelihood ratio of +effect against 0 is L = effect * (estimate - effect/2) / variance, with the variance
    estimated at each look. (This is the generalised SPRT of Bartroff, Lai and Shih 2013, ch. 3, with which chess
    engines are tested.) L >= log(2/alpha) accepts the direction; L <= log(beta) rules it out. Then, by Wald's
    inequality and under any schedule of looks, a wrong "differs" has a chance of at most alpha/2 for each direction,
    and a missed effect has a chance of at most beta.

    Parameters
    ----------
    estimate, variance
        From `paired_estimate`, as fractions; any shape.
    effect
        The difference to be found, as a fraction.
    alpha, beta
        Chance of the answer "differs" if there is no difference, and of "no difference" if there is a difference of
        this size.

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


def update_state(state: NDArray[np.int8], answers: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return the state of each test after a look with these answers. An answer is never withdrawn.

    Returns
    -------
    The new state, int8 with the bits of `sprt_answers`. A row is settled once it has bit 1 or bit 2, or both bit 4 and
    bit 8.
    """
    still = ~is_settled(state)
    # A direction that was ruled out is not accepted later, and one that was accepted is not ruled out.
    allowed = np.where(state & 4, ~np.int8(1), ~np.int8(0)) & np.where(state & 8, ~np.int8(2), ~np.int8(0))
    return np.where(still, state | (answers & allowed), state).astype(np.int8)


def is_settled(state: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Tell which tests have their answer."""
    return ((state & 3) > 0) | ((state & 12) == 12)


def answer_word(state: int) -> Answer:
    """Return the state of a test as a word: B wins "more", "less" or the "same" as A, or the test is still "open"."""
    return "more" if state & 1 else "less" if state & 2 else "same" if state & 12 == 12 else "open"


def always_valid_reach(variance: Floats, effect: float, alpha: float = ALPHA) -> Floats:
    """Return the half width of an interval that holds at all looks at once (an always-valid interval).

    The interval is the normal mixture of Robbins (1970) in the form of Howard et al. (2021, eq. 14). With the
    information V = 1/variance, the estimate is within sqrt((V + r) * log((V + r) / (r * alpha^2))) / V of the truth at
    all looks with probability 1 - alpha. r is chosen so that the interval is narrowest at about the time when the test
    is expected to stop.

    Parameters
    ----------
    variance
        Variance of the estimate, any shape.
    effect
        Difference that the test looks for, as a fraction.
    """
    information = 1 / variance
    expected = 2 * math.log(2 / alpha) / effect**2
    spread = expected / (2 * math.log(1 / alpha) + math.log(1 + 2 * math.log(1 / alpha)))
    return np.asarray(
        np.sqrt((information + spread) * np.log((information + spread) / (spread * alpha**2))) / information
    )


def add_paired(moments: dict[str, Floats], games_a: Floats, games_b: Floats, change: Floats) -> None:
    """Add some blocks to the running moments of paired differences.

    Parameters
    ----------
    moments
        Moments by name, changed in place; empty at the start.
    games_a, games_b
        Seat-games per block and row in each arm, shape (blocks, rows).
    change
        Wins in B minus wins in A, shape (blocks, rows).

    Raises
    ------
    UserError
        Some seats have different factions or players in the two arms, so that blocks cannot be paired.
    """
    if not np.array_equal(games_a, games_b):
        raise UserError(
            "the change alters factions or players of seats, so the arms do not share their deals", field="change"
        )
    new = {
        "blocks": (games_a > 0).sum(axis=0).astype(np.float64),
        "N": games_a.sum(axis=0), "NN": (games_a**2).sum(axis=0), "C": change.sum(axis=0),
        "CC": (change**2).sum(axis=0), "CN": (change * games_a).sum(axis=0),
    }  # fmt: skip
    for name, values in new.items():
        moments[name] = moments[name] + values if name in moments else values
    largest = games_a.max(axis=0)
    moments["largest"] = np.maximum(moments["largest"], largest) if "largest" in moments else largest
