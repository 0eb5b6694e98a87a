"""The scripted players of History of the World. A weight `x` of their TOML files is `P_X` in `weights`."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.compiler.player_record import ALL_NOTES
from sim.engine.script import Script
from strategies.history_of_the_world.decisions import score_option
from strategies.history_of_the_world.prepare import prepare
from strategies.history_of_the_world.weights import KEPT_NOTES, PARAMETERS


@kernel
def score_random(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Score every legal option alike, so that chance decides."""
    return 0.0


SCRIPTS = (
    Script("random", score_random, (), "chooses any legal option with equal chance", kept_notes=ALL_NOTES),
    Script(
        "appraising",
        score_option,
        PARAMETERS,
        "conquers what brings most points for an army",
        prepare,
        KEPT_NOTES,
    ),
)
"""Functions that strategies of `configs/strategies/history_of_the_world/` are made of."""
