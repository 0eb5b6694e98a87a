"""The scripted players of The Glory of Rome. A weight `x` of their TOML files is `P_X` in `weights`."""

from __future__ import annotations

from sim.compiler.kernel import bind_kernels, kernel
from sim.engine.script import RANDOM, Script, score_each
from strategies.glory_of_rome.decisions import score_option
from strategies.glory_of_rome.prepare import prepare
from strategies.glory_of_rome.weights import KEPT_NOTES, PARAMETERS

SCRIPTS = (
    RANDOM,
    Script(
        "appraising",
        score_option,
        PARAMETERS,
        "weighs what every step brings now and at the end",
        prepare,
        KEPT_NOTES,
        score_all=kernel(bind_kernels(score_each, __name__, score=score_option)),
    ),
)
"""Functions from which the strategies in `configs/strategies/glory_of_rome/` are made."""
