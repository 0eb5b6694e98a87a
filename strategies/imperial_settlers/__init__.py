"""The scripted players of Imperial Settlers: chance, and players that appraise what they build, do and draw."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.compiler.player_record import ALL_NOTES
from sim.engine.script import Script
from strategies.imperial_settlers.decisions import score_option, score_options
from strategies.imperial_settlers.prepare import prepare
from strategies.imperial_settlers.weights import KEPT_NOTES, PARAMETERS


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
        "plans the round by what its goods still buy",
        prepare,
        KEPT_NOTES,
        score_all=score_options,
    ),
)
"""Functions that strategies of `configs/strategies/imperial_settlers/` are made of."""
