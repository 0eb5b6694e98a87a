"""Why something cannot be said of adjusted strengths, in words."""

from __future__ import annotations

from collections.abc import Mapping

from reports.formatting import capital, counted, listed, plural
from reports.statistics.strength.ratings import Silence


def silence_words(silence: Silence, nouns: Mapping[str, str]) -> str:
    """Say what cannot be said, and why.

    Parameters
    ----------
    silence
        From `fit_strengths`.
    nouns
        What factors are called: `words.factors`.
    """
    if silence.kind.startswith("pairs: "):
        return pair_words(silence, nouns)
    meant = [nouns.get(factor, factor) for factor in silence.factors]
    number = silence.number
    if silence.kind == "one level":
        return f"Every seat has the same {meant[0]}, {silence.names[0]}: nothing to adjust for or to compare."
    if silence.kind == "never meet":
        return (
            f"Not all {plural(meant[0])} can be compared: some never meet others at a table, even by way of third ones."
        )
    if silence.kind == "go together":
        return (
            f"{capital(listed(meant))} go together in this run, wholly or in part: their strengths cannot be told "
            "apart and are not given."
        )
    if silence.kind == "too few blocks":
        blocks = counted(number, "block")
        return f"The run has {blocks}: too few for intervals of adjusted strengths, which need {silence.needed}."
    return {
        "too many cells": "Strengths are not adjusted: the run has "
        f"{counted(number, 'combination')} of seats and players.",
        "one player": "Every game has one player: there are no finishing orders to learn from.",
        "nothing differs": "Nothing differs between the seats of this run but luck.",
    }[silence.kind]


def pair_words(silence: Silence, nouns: Mapping[str, str]) -> str:
    """Say why it is not judged which strategy suits which faction, or of which it is not."""
    faction, number = nouns.get("faction", "faction"), silence.number
    if silence.kind == "pairs: left out":
        left = ", ".join(silence.names)
        return f"Which {faction} suits them is not judged of {left}: too few wins, or losses."
    why = {
        "pairs: too few wins": "fewer than two strategies win and lose often enough",
        "pairs: too few games": f"a pair of them has {number} games, and {silence.needed} are needed",
        "pairs: too few blocks": f"{counted(number, 'block')} are too few for {silence.needed} effects",
        "pairs: not mixed": "the run does not mix them enough to tell it from other effects",
    }[silence.kind]
    return f"Whether a strategy suits a {faction} is not judged: {why}."
