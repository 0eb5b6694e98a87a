"""The scripted players of History of the World. A weight `x` of their TOML files is `P_X` in `weights`."""

from __future__ import annotations

from sim.compiler.kernel import bind_kernels, kernel
from sim.engine.script import RANDOM, Script, score_each
from strategies.history_of_the_world.decisions import score_option
from strategies.history_of_the_world.prepare import prepare
from strategies.history_of_the_world.weights import KEPT_NOTES, PARAMETERS

SCRIPTS = (
    RANDOM,
    Script(
        "appraising",
        score_option,
        PARAMETERS,
        "conquers what brings most points for an army",
        prepare,
        KEPT_NOTES,
        score_all=kernel(bind_kernels(score_each, __name__, score=score_option)),
    ),
)
"""Functions from which the strategies in `configs/strategies/history_of_the_world/` are made."""
