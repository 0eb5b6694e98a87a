"""The scripted players of Imperium: chance, and players that appraise cards and effects by their weights."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.compiler.player_record import ALL_NOTES
from sim.engine.script import Script
from strategies.imperium.decisions import score_option, score_options
from strategies.imperium.prepare import prepare
from strategies.imperium.weights import KEPT_NOTES, PARAMETERS


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
        "appraises what cards and effects bring until the end",
        prepare,
        kept_notes=KEPT_NOTES,
        score_all=score_options,
    ),
)
"""Functions that strategies of `configs/strategies/imperium/` are made of."""
