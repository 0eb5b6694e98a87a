"""Sequential probability ratio test of two arms on the same deals; error rates hold whenever it stops.

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
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from reports.statistics.core.win_rate import ALPHA, Floats
from sim.errors import UserError

Answer = Literal["more", "less", "same", "open"]


def paired_estimate(moments: dict[str, Floats], caution: float = 1.0) -> tuple[Floats, Floats]:
    """Return the difference of win rates between two arms on the same deals, and the variance of that estimate.

    With the change of wins C_b = W_b(B) - W_b(A) and N_b seat-games in block b, the same in both arms, the difference
    is d = sum(C) / sum(N) and its variance B/(B-1) * (sum((C_b - d N_b)^2) + caution * max(N_b)^2) / sum(N)^2, as in
    `win_rate.clustered_error`. The added term stands for imagined blocks in which every win differs: without it, a row
    in which no win has differed yet would be certain at once. It becomes negligible as blocks accumulate.

    Parameters
    ----------
    moments
        `blocks`, `largest` and sums over blocks `N`, `NN`, `C`, `CC`, `CN`; any shape.
    caution
        How many imagined blocks.

    Returns
    -------
    estimate, variance
        As fractions, of the same shape; NaN if a row has not occurred in two blocks.
    """
    blocks, n = moments["blocks"], moments["N"]
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = moments["C"] / n
        squares = moments["CC"] - 2 * estimate * moments["CN"] + estimate**2 * moments["NN"]
        squares = np.maximum(squares, 0.0) + caution * moments["largest"] ** 2
        variance = np.where(blocks > 1, blocks / (blocks - 1) * squares / n**2, np.nan)
    return estimate, variance


def caution_blocks(beta: float) -> float:
    """Return the number of pseudo-blocks that make `paired_estimate` as slow as an exact test if no win differs.

    If a share q = effect of the blocks differs, each in all its games, no difference in B blocks has chance (1 - q)^B,
    which is below beta only for B >= log(1/beta) / effect. The likelihood ratio of `sprt_answers` reaches log(beta) at
    the same B when log(1/beta)/2 blocks are added; one more allows for the estimated variance.
    """
    return 1.0 + math.log(1 / beta) / 2


def sprt_answers(estimate: Floats, variance: Floats, effect: float, alpha: float, beta: float) -> NDArray[np.int8]:
    """Take one look of the sequential probability ratio test between "no difference" and "differs by the effect".

    Two tests of Wald (1945) side by side, one for each direction, as Sobel and Wald (1949) do for three hypotheses. The
    log likelihood ratio of +effect against 0 is L = effect * (d - effect/2) / variance, with the variance estimated at
    each look (generalised SPRT: Bartroff, Lai and Shih 2013, ch. 3; as chess engines are tested). L >= log(2/alpha)
    accepts the direction, L <= log(beta) rules it out; by Wald's inequality a wrong "differs" then has chance at most
    alpha/2 for each direction, and a missed effect at most beta, under any schedule of looks.

    Parameters
    ----------
    estimate, variance
        From `paired_estimate`; any shape. As fractions.
    effect
        The difference to be found, as a fraction.
    alpha, beta
        Chance of "differs" if there is no difference, and of "no difference" if there is one of that size.

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
    """Add the answers of a look to the state of each test; an answer is never withdrawn.

    Returns
    -------
    State, int8 with the bits of `sprt_answers`. A row is settled once it holds bit 1 or 2, or both of 4 and 8.
    """
    still = ~is_settled(state)
    # Nor is a direction accepted after it was ruled out, or the reverse.
    allowed = np.where(state & 4, ~np.int8(1), ~np.int8(0)) & np.where(state & 8, ~np.int8(2), ~np.int8(0))
    return np.where(still, state | (answers & allowed), state).astype(np.int8)


def is_settled(state: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Tell which tests are answered."""
    return ((state & 3) > 0) | ((state & 12) == 12)


def answer_word(state: int) -> Answer:
    """Return the state of a test in a word: B wins "more", "less", the "same", or the test is "open"."""
    return "more" if state & 1 else "less" if state & 2 else "same" if state & 12 == 12 else "open"


def always_valid_reach(variance: Floats, effect: float, alpha: float = ALPHA) -> Floats:
    """Return the half width of an interval that holds at every look at once (an always-valid interval).

    The normal mixture of Robbins (1970) in the form of Howard et al. (2021, eq. 14): with information V = 1/variance,
    the estimate is within sqrt((V + r) * log((V + r) / (r * alpha^2))) / V of the truth at all looks with probability
    1 - alpha. r is chosen so that the interval is narrowest about where the test is expected to stop.

    Parameters
    ----------
    variance
        Of the estimate, any shape.
    effect
        Effect that the test looks for, as a fraction.
    """
    information = 1 / variance
    expected = 2 * math.log(2 / alpha) / effect**2
    spread = expected / (2 * math.log(1 / alpha) + math.log(1 + 2 * math.log(1 / alpha)))
    return np.asarray(
        np.sqrt((information + spread) * np.log((information + spread) / (spread * alpha**2))) / information
    )


def add_paired(moments: dict[str, Floats], games_a: Floats, games_b: Floats, change: Floats) -> None:
    """Add blocks to the running moments of paired differences.

    Parameters
    ----------
    moments
        Changed in place; empty at the start.
    games_a, games_b
        Seat-games per block and row in each arm, shape (blocks, rows).
    change
        Wins in B minus wins in A.

    Raises
    ------
    UserError
        Seats have different factions or players in the two arms, so that blocks cannot be paired.
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
