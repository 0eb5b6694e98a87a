"""The scripted players of 7 Wonders: random play, greedy play for points, and schools.

All schools share one appraisal: the worth of a card or stage to a city in victory points. It counts what the card or
stage adds now, what it unlocks later and what it denies to others. A school is a table of weights in
`configs/strategies/seven_wonders/`; the parameters are named in weights.py. So a variant, or a tuned player, needs no
code.

A player looks only at its own hand and the open information on the table. When it builds from the discard pile, it also
looks at the cards offered.
"""

from __future__ import annotations

from sim.compiler.kernel import ALL_NOTES
from sim.engine.script import RANDOM, Script
from strategies.seven_wonders.decisions import score_school, score_school_at_once
from strategies.seven_wonders.prepare import prepare_school
from strategies.seven_wonders.terms.greedy import score_greedy
from strategies.seven_wonders.weights import PARAMETERS

SCRIPTS = (
    RANDOM,
    Script("greedy", score_greedy, (), "takes the option that adds the most points now", kept_notes=ALL_NOTES),
    Script(
        "school",
        score_school,
        PARAMETERS,
        "appraises what an option adds, unlocks and denies",
        prepare_school,
        kept_notes=ALL_NOTES,
        score_all=score_school_at_once,
    ),
)
"""Functions from which the strategies in `configs/strategies/seven_wonders/` are made."""
