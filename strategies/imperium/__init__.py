"""The scripted players of Imperium: random play, and players that appraise cards and effects by their weights."""

from __future__ import annotations

from sim.engine.script import RANDOM, Script
from strategies.imperium.decisions import score_option, score_options
from strategies.imperium.prepare import prepare
from strategies.imperium.weights import KEPT_NOTES, PARAMETERS

SCRIPTS = (
    RANDOM,
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
"""Functions from which the strategies in `configs/strategies/imperium/` are made."""
