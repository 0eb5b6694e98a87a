"""Reports a search for a fair value: numbers, sentences, tables, a figure, and a file of changes."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np
import polars as pl

from reports.claims import Claim, Said, saying, split_claims, unclaimed
from reports.formatting import capital, counted, lessons_words, plural, points
from reports.model import Column, Listing, Picture, Section, TabledResults
from reports.sections.core.fair_pictures import FairRange, edge_by_value
from reports.sections.pieces.pieces import AS_IN_THE_REPORT
from reports.statistics.core.crossing import Crossing, Doubt
from reports.statistics.core.win_rate import Floats
from reports.studies.search.parameters import Knob, readings_of_run
from reports.studies.search.search_report import (
    LIMITS,
    as_before,
    base_changes_words,
    fair_value_claims,
    left_claims,
    patch_file,
)
from sim.data.changes import with_later, with_value
from sim.runs.config import RunConfig

Outcome = Literal["fair", "not needed", "out of range", "no effect", "one block"]
MIN_SIDE_EFFECT = 0.0005
"""A side effect below this would print as 0.0 points."""
NO_OTHERS = pl.DataFrame(
    schema={"table": pl.String, "level": pl.String}
    | dict.fromkeys(("edge_before", "edge_after", "change", "low", "high", "family_low", "family_high"), pl.Float64)
)
"""An empty table of side effects."""
VALUE_FAMILY = "all that is said: fair values, what a value leaves, what it does to others"
WIDE_LIMITS = "In 19 of 20 searches all statements hold together, so these limits are wider than 95 % intervals."
NOT_NEEDED = "No change is shown to be needed."


@dataclass(frozen=True)
class SearchGrid:
    """Values that a search may try.

    Attributes
    ----------
    values
        The values in ascending order, shape (places,).
    present
        Index of the printed value.
    whole
        Whether the values are whole numbers.
    """

    values: Floats
    present: int
    whole: bool

    @property
    def printed(self) -> float | int:
        """The printed value."""
        return self.value(self.present)

    def value(self, place: float) -> float | int:
        """Return the value at an index. Between two indices, the value is interpolated."""
        value = float(np.interp(place, np.arange(len(self.values)), self.values))
        return round(value) if self.whole and value.is_integer() else round(value, 10)


@dataclass(frozen=True)
class Confirmation:
    """Results of the best and the printed value on deals that were not used for the choice.

    Attributes
    ----------
    tried
        The two values, with the columns of `Rebalance.tried`.
    seed
        Seed of these deals.
    doubt
        What these deals do not confirm, see `crossing.doubt_of`. Empty if they confirm the best value.
    """

    tried: pl.DataFrame
    seed: int
    doubt: Doubt


@dataclass(frozen=True)
class Rebalance(TabledResults):
    """Result of a search for a fair value.

    Attributes
    ----------
    faction, title, knob, grid
        The faction, the game's word for a faction, the number that was varied, and its possible values.
    config
        The run that was played at each value.
    outcome
        "fair": a fair value was found. "not needed": the printed value has no confirmed edge, or is among the values
        that may be fair. "out of range": the edge keeps its sign. "no effect": no effect of the number was found. "one
        block": there are too few games.
    crossing
        Where the edge vanishes, as an index of the grid. None if no such place is known.
    winding
        Whether the edge certainly both rises and falls over the range.
    tried
        One row per tried value: `value`, `edge`, `low`, `high`, `error`, and `change` of the edge against the printed
        value, with `change_low` and `change_high`.
    best
        The tried value with the smallest edge. The printed value if no change is shown to be needed.
    confirmation
        The best value on fresh deals. None if the printed value is the best.
    others
        How every other level changes from the printed to the best value: `table`, `level`, `edge_before`, `edge_after`
        and the columns of `paired.paired_differences`. Empty if the printed value is the best.
    picked
        Whether edges are those of picks, such as empires, against the mean pick of their period.
    base
        Changes from which the search started. Values that are called printed include them.
    """

    faction: str
    title: str
    knob: Knob
    grid: SearchGrid
    config: RunConfig
    outcome: Outcome
    crossing: Crossing | None
    winding: bool
    tried: pl.DataFrame
    best: float | int
    confirmation: Confirmation | None
    others: pl.DataFrame
    picked: bool = False
    base: tuple[str, ...] = ()

    @property
    def changes(self) -> tuple[str, ...]:
        """Changes for `simulate(changes=...)`: the base, and the change to the best value if a better one was found."""
        return self.base if self.best == self.grid.printed else with_later(self.base, [self.change])

    @property
    def change(self) -> str:
        """The change that sets the number to the best value."""
        return with_value(self.knob.text, self.best)

    @property
    def sections(self) -> tuple[Section, ...]:
        """The result as sections, which terminal, page and notebook show."""
        return (rebalance_section(self),)

    def __repr__(self) -> str:
        """Return the first sentence, for the prompt of a Python session."""
        return self.sections[0].sentences[0]


def value_words(value: float) -> str:
    """Format a value of a knob: '3', '1.6', '0.25'."""
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"


def edge_with_half(row: dict[str, Any]) -> str:
    """Format an edge with its interval: '+0.8 ± 0.5 points'."""
    spread = "" if row["low"] is None else f" ± {50 * (row['high'] - row['low']):.1f}"
    return f"{points(row['edge'])}{spread} points"


def seen_words(row: dict[str, Any]) -> str:
    """Format an edge without its interval, for sentences that claim nothing: '+0.8 points observed'."""
    return f"{points(row['edge'])} points observed"


def row_at(tried: pl.DataFrame, value: float) -> dict[str, Any]:
    """Return the row of the tried value that is nearest to `value`."""
    return min(tried.to_dicts(), key=lambda row: abs(row["value"] - value))


def may_be_fair(row: dict[str, Any]) -> bool:
    """Tell whether the interval of an edge contains 0."""
    return row["low"] is not None and row["low"] <= 0 <= row["high"]


def crossing_words(result: Rebalance) -> str:
    """Say at which value the edge vanishes, with limits: '1.6 (1.3 to 2.0)'. Empty if it is not known to vanish."""
    crossing = result.crossing
    if crossing is None:
        return ""
    low, place, high = (result.grid.value(at) for at in (crossing.low, crossing.place, crossing.high))
    digits = max(0, math.ceil(0.5 - math.log10(max(high - low, 1e-6))))
    first, last = f"{low:.{digits}f}", f"{high:.{digits}f}"
    interval = {
        (True, True): f"anywhere from {first} to {last} or beyond", (True, False): f"at most {last}",
        (False, True): f"at least {first}", (False, False): f"{first} to {last}",
    }[crossing.open_low, crossing.open_high]  # fmt: skip
    return f"{place:.{digits}f} ({interval})"


def value_sentences(result: Rebalance) -> list[str]:
    """Return the sentences of a search, without claims."""
    return list(split_claims(value_statements(result))[0])


def value_statements(result: Rebalance) -> list[Said]:
    """Return the sentences of a search with their claims, then sentences that claim nothing.

    The latter say from which changes the search started, whether players use learned lessons, and how open points of
    the rules are answered.
    """
    config = result.config
    readings = readings_of_run(config.game, config.settings, [result.knob.text])
    more = [*base_changes_words(result.base), *lessons_words(config.changes), *readings]
    return [*outcome_statements(result), *unclaimed(more)]


def outcome_statements(result: Rebalance) -> list[Said]:
    """Say what changing the number can achieve, with claims."""
    where = where_words(result)
    present, printed = row_at(result.tried, result.grid.printed), value_words(result.grid.printed)
    when = capital(as_before(result.base))
    at_present: Said = f"{when}, with {where} = {printed}, its edge is {seen_words(present)}.", ()
    if result.outcome == "one block":
        few = f"{result.faction} came to the table in fewer than two blocks: nothing can be said. Play more games."
        return [(few, ())]
    if result.outcome == "no effect":
        statements = [*unclaimed(no_effect_sentences(result)), at_present]
        return statements + (unclaimed([NOT_NEEDED]) if may_be_fair(present) else [])
    if result.outcome == "not needed":
        statements = not_needed_sentences(result, seen_words(present))
    elif result.confirmation is not None and result.confirmation.doubt:
        statements = [unconfirmed_said(result, result.confirmation)]
    elif result.outcome == "out of range":
        fresh = result.confirmation
        left = row_at(result.tried if fresh is None else fresh.tried, result.best)
        edge = seen_words(left) if fresh is None else edge_with_half(left)
        nearest = f"nearest is {value_words(result.best)}, which leaves an edge of {edge}"
        missed = f"No value of {where} from {span_words(result)} was found to make {result.faction} fair: {nearest}."
        statements = [saying(missed, [] if fresh is None else value_claims(result, left)), at_present]
        statements += unclaimed([] if fresh is None else [f"That was {tried_words(result, fresh)}."])
    elif result.confirmation is None:
        none = f"No {kind_words(result)} of {where} was found fairer than the {present_word(result)} {printed}"
        between = f"In between, it would be fair with {crossing_words(result)}."
        statements = unclaimed([f"{none}, which leaves {result.faction} an edge of {seen_words(present)}."])
        statements.append(saying(between, crossing_claims(result)))
    else:
        fair = f"{result.faction} would be fair with {where} = {crossing_words(result)}, as far as these games show."
        statements = [saying(fair, crossing_claims(result)), at_present, best_sentence(result, result.confirmation)]
    both = "The edge rises over a part of the range and falls over another, so other values may be fair too."
    return [*statements, *(unclaimed([both]) if result.winding else []), *others_sentences(result)]


def crossing_claims(result: Rebalance) -> list[Claim]:
    """Claim that the fair value lies within its limits. No claim if every tried value may be fair."""
    crossing, value = result.crossing, result.grid.value
    if crossing is not None:
        low, place, high = value(crossing.low), value(crossing.place), value(crossing.high)
        crossing = replace(crossing, low=low, place=place, high=high)
    return fair_value_claims(f"{result.faction}: {result.knob.text}", crossing, VALUE_FAMILY)


def value_claims(result: Rebalance, row: dict[str, Any]) -> list[Claim]:
    """Claim that the edge on fresh deals lies within its limits. No claim without limits."""
    subject = f"{result.faction} with {result.knob.text}={value_words(result.best)}"
    return left_claims(subject, row, VALUE_FAMILY, limits="")


def where_words(result: Rebalance) -> str:
    """Name the number that was varied. Name its row too, unless it is the row of the faction."""
    return result.knob.said if result.knob.row == result.faction else result.knob.title


def span_words(result: Rebalance) -> str:
    """Return the range of tried values in words."""
    values = result.tried["value"].to_list()
    return f"{value_words(min(values))} to {value_words(max(values))}"


def kind_words(result: Rebalance) -> str:
    """Return the words for the values among which the best is chosen: 'whole value' or 'value tried'."""
    return "whole value" if result.grid.whole and (np.diff(result.grid.values) == 1).all() else "value tried"


def no_effect_sentences(result: Rebalance) -> list[str]:
    """Say that no effect was found, and what size of effect may have been missed."""
    halves = [row["change_high"] - row["change"] for row in result.tried.to_dicts() if row["change_high"] is not None]
    # 1.43 = (t + z of 80 %) / t: half the interval is t standard errors.
    missed = 143 * max(halves, default=1.0)
    hint = f"A change below {missed:.1f} points may have been missed." if missed < 50 else "Play more games."
    turning = f"Turning {where_words(result)} from {span_words(result)}"
    return [f"{turning} has no effect on {result.faction} that these games show.", hint]


def present_word(result: Rebalance) -> str:
    """Return the word for the value from which a search started: 'printed', or 'present' in a changed game."""
    return "present" if result.base else "printed"


def not_needed_sentences(result: Rebalance, edge: str) -> list[Said]:
    """Say that the printed value may be fair, and which other values may be."""
    where, value, when = where_words(result), value_words(result.grid.printed), as_before(result.base)
    text = f"{NOT_NEEDED[:-1]}: {when}, with {where} = {value}, the edge of {result.faction} is {edge}."
    statements = unclaimed([text])
    if result.crossing is None:
        return statements
    inside = result.crossing.low <= result.grid.present <= result.crossing.high
    among = f", and the {present_word(result)} {value} lies among them" if inside else ""
    values = f"Fair values of {where}, as far as these games can tell: {crossing_words(result)}{among}."
    return [*statements, saying(values, crossing_claims(result))]


def tried_words(result: Rebalance, fresh: Confirmation) -> str:
    """Say on which games a value was played again: 'played again on 20,000 fresh games (seed 2)'."""
    return f"played again on {counted(result.config.games, 'fresh game')} (seed {fresh.seed})"


def unconfirmed_said(done: Rebalance, fresh: Confirmation) -> Said:
    """Say what the search proposes, and how fresh deals contradict it. Only the fair value is claimed."""
    value, where = value_words(done.best), where_words(done)
    before, after = (points(row_at(fresh.tried, at)["edge"]) for at in (done.grid.printed, done.best))
    searched, when = points(row_at(done.tried, done.best)["edge"]), as_before(done.base)
    against = {
        "printed": f"do not show again that a change is needed (edge {when} {before} points observed)",
        "change": f"do not show that it is any fairer (edge {before} points {when}, {after} with it, as seen)",
        "left": f"leave {after} points with it, where the search left {searched}",
    }[fresh.doubt or "printed"]
    games = f"{counted(done.config.games, 'fresh game')} (seed {fresh.seed})"
    result = "" if done.crossing is None else f", the fair value being {crossing_words(done)}"
    text = f"Not confirmed: the search proposes {where} = {value} for {done.faction}{result}, but {games} {against}."
    return saying(f"{text} Play more games.", crossing_claims(done))


def best_sentence(result: Rebalance, fresh: Confirmation) -> Said:
    """Say what edge the best of the tried values leaves on fresh deals."""
    kind, row = kind_words(result), row_at(fresh.tried, result.best)
    verdict = "which may be fair" if may_be_fair(row) else "so it is not quite fair" + other_side_words(result)
    value = value_words(result.best)
    left = f"an edge of {edge_with_half(row)} is left, {verdict}"
    text = f"The {kind} that came nearest is {value}, {tried_words(result, fresh)}: {left}."
    return saying(text, value_claims(result, row))


def is_too_far(result: Rebalance, margin: float) -> bool:
    """Tell whether on fresh deals the edge of the best value lies beyond the margin and its interval excludes 0."""
    fresh = result.confirmation
    if fresh is None or fresh.doubt:
        return False
    row = row_at(fresh.tried, result.best)
    return row["low"] is not None and not may_be_fair(row) and abs(row["edge"]) > margin


def other_side_words(result: Rebalance) -> str:
    """Say what edge the whole number on the other side of the fair value leaves. Empty if that number may be fair."""
    if result.crossing is None or not result.grid.whole:
        return ""
    other = result.best + (1 if result.grid.value(result.crossing.place) > result.best else -1)
    row, best = row_at(result.tried, other), row_at(result.tried, result.best)
    if row["value"] != other or may_be_fair(row) or row["edge"] * best["edge"] >= 0:
        return ""
    return f"; {where_words(result)} is too coarse, since {value_words(other)} leaves {seen_words(row)}"


def others_sentences(result: Rebalance) -> list[Said]:
    """Say which factions gain and lose most at the best value."""
    others = [row for row in result.others.to_dicts() if row["table"] == "faction" and row["change"] is not None]
    if not others:
        return []
    sentences, claims = [], []
    for word, side in (("gains", 1), ("loses", -1)):
        row = max(others, key=lambda row: side * row["change"])
        if side * row["change"] < MIN_SIDE_EFFECT:
            continue
        low, high = row["family_low"], row["family_high"]
        half = "" if low is None else f" ± {50 * (high - low):.1f}"
        doubt = ", which may be chance" if low is None or low <= 0 <= high else ""
        claims += [] if low is None else [Claim("change", row["level"], row["change"], low, high, VALUE_FAMILY, "")]
        sentences.append(f"{row['level']} {word} most ({points(row['change'])}{half} points{doubt})")
    return [saying(f"Of the other {plural(result.title)}, {' and '.join(sentences)}.", claims)] if sentences else []


def patch_of_value(result: Rebalance, title: str) -> str:
    """Return a file of changes for `--change @FILE`: sentences of the search as comments, then a TOML list `changes`.

    If no value is better than the printed one, the list holds only the base of the search.
    """
    statements = [f"# {title}, {result.faction}.", *(f"# {sentence}" for sentence in value_sentences(result))]
    return patch_file(statements, result.changes)


def rebalance_section(result: Rebalance) -> Section:
    """Return the section of a search: sentences, tried values, side effects and the figure."""
    meaning = "change of the edge, on the same deals"
    tried = (
        Column("value", result.knob.said, "number"),
        Column("edge", "edge", "edge", "low", "high", "wins minus fair share"),
        Column("change", f"against {present_word(result)}", "edge", "change_low", "change_high", meaning, further=True),
    )
    others = (
        Column("level", "", "text"),
        Column("edge_before", f"edge {as_before(result.base)}", "edge", further=True),
        Column("edge_after", "edge then", "edge"),
        Column("change", "change", "edge", "family_low", "family_high", limits=LIMITS),
    )
    note = "Edges and changes in percentage points of win rate, with 95 % intervals by block."
    note += f" {AS_IN_THE_REPORT}" if result.picked else ""
    listings = [Listing("tried", "Values tried", result.tried, tried, note=note)]
    if result.confirmation is not None:
        title = f"The same values on fresh deals (seed {result.confirmation.seed})"
        wider = tuple(replace(column, limits=LIMITS) for column in tried)
        listings.append(Listing("fresh", title, result.confirmation.tried, wider, note=WIDE_LIMITS))
    if not result.others.is_empty():
        title = f"Side effects of {result.knob.title} = {value_words(result.best)}"
        listings.append(Listing("side effects", f"{title}, on fresh deals", result.others, others, note=WIDE_LIMITS))
    title = f"{result.faction}: {result.knob.said}"
    sentences, claims = split_claims(value_statements(result))
    return Section("rebalance", title, sentences, tuple(listings), (value_picture(result),), claims=claims)


def value_picture(result: Rebalance) -> Picture:
    """Return the figure of the edge over the tried values, with a line where the edge is 0."""
    crossing, value = result.crossing, result.grid.value
    fair = None if crossing is None else FairRange(*map(value, (crossing.place, crossing.low, crossing.high)))
    tried = result.tried.sort("value")
    draw = partial(edge_by_value, tried, where_words(result), result.grid.printed, result.best, fair)
    statements = [f"{value_words(row['value'])}: {edge_with_half(row)}" for row in tried.to_dicts()]
    met = f"It is fair at {crossing_words(result)}." if fair is not None else "It was not seen to meet the fair line."
    text = f"Edge of {result.faction} by {result.knob.said}: {'; '.join(statements)}. {met}"
    return Picture("edge by value", draw, text)
