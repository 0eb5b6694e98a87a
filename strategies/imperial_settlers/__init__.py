"""The scripted players of Imperial Settlers: random play, and players that appraise what they build, do and draw."""

from __future__ import annotations

from sim.engine.script import RANDOM, Script
from strategies.imperial_settlers.decisions import score_option, score_options
from strategies.imperial_settlers.prepare import prepare
from strategies.imperial_settlers.weights import KEPT_NOTES, PARAMETERS

SCRIPTS = (
    RANDOM,
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
"""Functions from which the strategies in `configs/strategies/imperial_settlers/` are made."""
