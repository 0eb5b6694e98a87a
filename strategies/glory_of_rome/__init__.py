"""The scripted players of The Glory of Rome. A weight `x` of their TOML files is `P_X` in `weights`."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.script import Script
from strategies.glory_of_rome.decisions import score_option, score_options
from strategies.glory_of_rome.prepare import prepare
from strategies.glory_of_rome.weights import PARAMETERS


@kernel
def score_random(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Score every legal option alike, so that chance decides."""
    return 0.0


SCRIPTS = (
    Script("random", score_random, (), "chooses any legal option with equal chance"),
    Script(
        "appraising",
        score_option,
        PARAMETERS,
        "weighs what every step brings now and at the end",
        prepare,
        score_all=score_options,
    ),
)
"""Functions that strategies of `configs/strategies/glory_of_rome/` are made of."""
