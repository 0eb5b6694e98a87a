"""Formats numbers and names in the same way for console, page and verdict."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from sim.data.lessons import JUDGE, OFF
from sim.runs.store.manifest import Manifest

UNKNOWN = "-"
MINUS = "\N{MINUS SIGN}"
ROWS = "rows of the square"
"""In a pivoted table, the column that holds the names of the rows. The other columns are named by levels, such as
factions, so no level may have this name."""
NAMED = 5
"""Number of names that a sentence lists from a longer list."""
MANY_VARIANTS = 8
"""Maximum number of variants that are listed by name."""


def percent(share: float | None, digits: int = 1) -> str:
    """Format a share such as 0.2514 as '25.1 %'; unknown as '-'."""
    return UNKNOWN if share is None else f"{100 * share:.{digits}f} %"


def points(edge: float | None, digits: int = 1) -> str:
    """Format an edge such as 0.0314 in percentage points, '+3.1'; unknown as '-'."""
    if edge is None:
        return UNKNOWN
    return signed_number(100 * edge, digits)


def size(edge: float | None, digits: int = 2) -> str:
    """Format a difference such as 0.0314 in percentage points without a sign, '3.14'; unknown as '-'."""
    return UNKNOWN if edge is None else f"{100 * edge:.{digits}f}"


def margin_words(margin: float) -> str:
    """Format a margin: 0.01 as '1 point', 0.005 as '0.5 points'."""
    return f"{100 * margin:g} point{'' if f'{100 * margin:g}' == '1' else 's'}"


def decision(row: dict[str, Any]) -> str:
    """Format the decision on a row: 'change it', 'leave it', or the number of further games needed, '+130,000'."""
    more = row["more_games"]
    return str(row["decision"]) if more is None else f"+{count(round_up(max(more, 1)))}"


def interval(low: float | None, high: float | None, digits: int = 2) -> str:
    """Format two shares as a range in percent, '24.10 to 25.90'; unknown as '-'."""
    if low is None or high is None:
        return UNKNOWN
    return f"{100 * low:.{digits}f} to {100 * high:.{digits}f}"


def number(value: float | None, digits: int = 1) -> str:
    """Format a plain number with `digits` decimals; unknown as '-'."""
    return UNKNOWN if value is None else f"{value:z.{digits}f}"


def signed_number(value: float, digits: int = 1) -> str:
    """Format a plain number with its sign; 0 has no sign: '+2.5', '-0.3', '0.0'."""
    text = f"{value:+.{digits}f}"
    return text if float(text) != 0 else f"{0:.{digits}f}"


def count(value: int) -> str:
    """Format 100000 as '100,000'."""
    return f"{value:,}"


def counted(value: int, noun: str) -> str:
    """Format 1 as '1 game', 2,000 as '2,000 games'."""
    return f"{count(value)} {noun if value == 1 else plural(noun)}"


def chance(p: float) -> str:
    """Format a p-value as 'fewer than 1 of 10,000' or '1 of 40'. The caller adds the noun, such as 'runs'."""
    return "fewer than 1 of 10,000" if p < 1e-4 else f"1 of {float(f'{1 / p:.2g}'):,.0f}"


def p_value(p: float | None) -> str:
    """Format a p-value for a table: '<0.0001', '0.0312'."""
    if p is None:
        return UNKNOWN
    return "<0.0001" if p < 1e-4 else f"{p:.4f}"


def typeset(text: str) -> str:
    """Replace the hyphen before a number by a true minus sign. This is for pages and figures, not for terminals."""
    return re.sub(r"(?<![\w-])-(?=\d)", MINUS, text)


def half_width(row: dict[str, Any]) -> float | None:
    """Return half the width of a row's edge interval, as a fraction; None if unknown."""
    low, high = row["edge_low"], row["edge_high"]
    return None if low is None or high is None else (high - low) / 2


def lopsided(row: dict[str, Any]) -> bool:
    """Tell whether a row's edge interval is asymmetric. Intervals that are clipped at 0 or 1 are asymmetric."""
    half = half_width(row)
    return half is not None and abs((row["edge_low"] + row["edge_high"]) / 2 - row["edge"]) > 0.05 * half


def decimals(half: float | None) -> int:
    """Return the number of decimals of percentage points: one, or two if `half` is below a tenth of a point."""
    return 2 if half is not None and half < 0.001 else 1


def edge_parts(row: dict[str, Any]) -> tuple[str, tuple[str, str] | None]:
    """Format a row's edge and limits: ('+8.1 ± 0.4', None), or ('-25.0', ('-25.0', '-21.3')) if asymmetric."""
    half = half_width(row)
    digits = decimals(half)
    edge = points(row["edge"], digits)
    if lopsided(row):
        return edge, (points(row["edge_low"], digits), points(row["edge_high"], digits))
    return edge if half is None else f"{edge} ± {100 * half:.{digits}f}", None


def edge_words(row: dict[str, Any]) -> str:
    """Format a row's edge: '+8.1 ± 0.4 points', or '-25.0 points, between -25.0 and -21.3' if asymmetric."""
    edge, limits = edge_parts(row)
    return f"{edge} points" if limits is None else f"{edge} points, between {limits[0]} and {limits[1]}"


def edge_between(edge: float, low: float | None, high: float | None) -> str:
    """Format an edge with its limits, which may hold for a whole family of rows: see `edge_words`."""
    return edge_words({"edge": edge, "edge_low": low, "edge_high": high})


def label(table: Any, row: dict[str, Any]) -> str:
    """Name a row in a sentence: 'Rhodos B', 'seat 0', 'first player'.

    A row of an attribute gets the attribute's name: 'wonder Rhodos'.
    """
    plain = table.name in ("faction", "seat", "start", "strategy")
    return str(row["level"]) if plain else f"{table.noun} {row['level']}"


def change_verb(table: Any) -> str:
    """Return the verb for what a designer does to a row out of balance: seats are compensated, other rows changed."""
    return "compensate" if table.name in ("seat", "start") else "change"


def named_level(table: Any, row: dict[str, Any]) -> str:
    """Name a row among others of its table: 'Rhodos B', 'A'. A bare number gets its noun: 'epoch 1'."""
    level = str(row["level"])
    return label(table, row) if level.isdecimal() else level


def plural(noun: str) -> str:
    """Return the plural of a noun: 'wonder side' becomes 'wonder sides', 'strategy' becomes 'strategies'."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    hissing = noun.endswith(("s", "x", "ch", "sh")) and not noun.endswith("epoch")
    return f"{noun}es" if hissing else f"{noun}s"


def with_article(noun: str) -> str:
    """Put the article before a noun: 'a card', 'an empire'."""
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def factors(manifest: Manifest) -> dict[str, str]:
    """Return the factors on which wins depend, with the game's nouns: faction (if there are any), seat and strategy."""
    factions = {"faction": manifest.faction_title} if manifest.factions else {}
    return {**factions, "seat": "seat", "strategy": "strategy"}


def company_of(manifest: Manifest) -> list[str]:
    """Return the nouns of `factors`, without "seat" if all games have one player."""
    nouns = factors(manifest)
    names = ("faction", "strategy") if manifest.players == 1 else ("faction", "strategy", "seat")
    return [nouns[name] for name in names if name in nouns]


def only_one(has_factions: bool) -> str:
    """Return words for a run in which all seats have the same faction (if the game has factions) and strategy."""
    return "one faction and one strategy only" if has_factions else "one strategy only"


def listed(names: Sequence[object], word: str = "and") -> str:
    """Join names: 'board, strategy and seat'; with another word, '2, 3 or 4'."""
    *first, last = map(str, names)
    return f"{', '.join(first)} {word} {last}" if first else last


def variant_words(manifest: Manifest) -> str:
    """Name the variants of a run: 'standard, alternative and peaceful'. If there are many: '32 variants'."""
    played = manifest.variants or [manifest.variant]
    return listed(played) if len(played) <= MANY_VARIANTS else f"{len(played)} variants"


def some(names: Sequence[str]) -> str:
    """Join names, but only the first of many: 'A, B and C', 'A, B, C, D, E and 4 more'; never 'and 1 more'."""
    return listed(names if len(names) <= NAMED + 1 else [*names[:NAMED], f"{count(len(names) - NAMED)} more"])


def capital(text: str) -> str:
    """Capitalise the first letter only."""
    return text[:1].upper() + text[1:]


def round_up(value: float) -> int:
    """Round a number of games up to two significant digits, so that the advised number is never too small."""
    if value <= 0:
        return 0
    step = 10 ** max(0, math.floor(math.log10(value)) - 1)
    return math.ceil(value / step) * step


def round_down(value: float, digits: int = 2) -> int:
    """Round a number of games down to `digits` significant digits."""
    step = 10 ** max(0, math.floor(math.log10(max(value, 1.0))) - digits + 1)
    return math.floor(value / step) * step


def common_decimals(edges: Sequence[float], halves: Sequence[float | None]) -> int:
    """Return 2 decimals if some edge is below 0.2 points and some half-width below 0.1 points, else 1."""
    fine = any(decimals(half) == 2 for half in halves)
    return 2 if edges and fine and min(map(abs, edges)) < 0.002 else 1


def fair_meaning(manifest: Manifest) -> str:
    """Say what the fair share is: 'the mean of 1/players', or the mean win rate of all rows in solo games."""
    players = manifest.players
    alone = "the mean win rate of all rows in games of one player"
    if players == 1:
        return alone
    return f"the mean of 1/players{f', and of {alone}' if isinstance(players, list) and 1 in players else ''}"


def stop_words(manifest: Manifest) -> str:
    """Say how a stop rule has ended a run, or how many games an unfinished run has; empty for any other run.

    'Stopped after 110,500 of at most 400,000 games: every board is measured to ± 0.495 points ...'
    """
    if (unfinished := manifest.unfinished) is not None:
        played, most = count(manifest.games), counted(unfinished.at_most, "game")
        state = "it is still running" if unfinished.being_written else "the command that started it resumes it"
        return (
            f"Unfinished: {played} of {most} so far; {state}. Do not stop as soon as a result looks good: "
            "intervals and tests hold only for a number of games fixed beforehand."
        )
    return "" if manifest.stopped is None else stop_rule_words(manifest.stopped, manifest.games, manifest.faction_title)


def stop_rule_words(stopped: Mapping[str, Any], games: int, faction_title: str) -> str:
    """Say how a stop rule has ended a run of `games` games. `stopped` is the entry in the run's manifest."""
    played, most = count(games), counted(stopped.get("at_most", games), "game")
    before = f"Stopped after {played} of at most {most}" if stopped.get("early") else f"Played all {most}"
    width, reached = stopped.get("width"), stopped.get("reached")
    if width is None:
        return f"{before}; a rule ({stopped.get('rule', 'not named')}) could have ended the run early."
    asked, whose = f"± {width:g} points", str(stopped.get("least_precise") or "")
    if stopped.get("enough"):
        every = {"faction": faction_title, "all": "row"}.get(str(stopped.get("of")), str(stopped.get("of")))
        known = "" if reached is None else f" is measured to ± {reached:.3g} points or better"
        return f"{before}: every {every}{known or ' is measured closely enough'} ({asked} was requested)."
    if stopped.get("looks") == 0:
        return f"Not reached: {counted(games, 'game')} are too few for a first check ({asked} was requested)."
    so_far = "not measured yet" if reached is None else f"measured only to ± {reached:.3g} points"
    return f"Not reached after {counted(games, 'game')}: {asked} was requested, but {whose} is {so_far}."


def run_size(manifest: Manifest) -> str:
    """Describe the size of a run: '100,000 games of 4 players in 25,000 blocks, seed 1'."""
    blocks = counted(manifest.blocks, "block")
    return f"{games_of(manifest)} in {blocks}, {seeds_of(manifest)}{stretch_words(manifest)}"


def games_of(manifest: Manifest) -> str:
    """Describe the games of a run: '100,000 games of 4 players'."""
    players = manifest.players
    each = counted(players, "player") if isinstance(players, int) else f"{listed(players, 'or')} players"
    return f"{counted(manifest.games, 'game')} of {each}"


def played_size(manifest: Manifest) -> str:
    """Describe the size of a run in few words: '100,000 games of 4 players, seed 1'."""
    return f"{games_of(manifest)}, {seeds_of(manifest)}{stretch_words(manifest)}"


def stretch_words(manifest: Manifest) -> str:
    """Name the games of a run that is part of a longer one: ' (games 0 to 199 of 400)'; empty for a whole run."""
    stretch = manifest.stretch
    if stretch is None:
        return ""
    first, last = count(stretch.first_game), count(stretch.stop_game - 1)
    return f" (games {first} to {last} of {count(stretch.whole.games)})"


def seeds_of(manifest: Manifest) -> str:
    """Name the seeds of a run: 'seed 1'. For merged runs: 'seeds 1, 2 and 3', or 'seeds 1, 2, 3, 4, 5 and 7 more'."""
    seeds = [entry.seed for entry in manifest.player_counts if entry.seed is not None]
    named = list(dict.fromkeys(map(str, seeds)))
    return f"seeds {some(named)}" if len(named) > 1 else f"seed {manifest.seed}"


def dealt(manifest: Manifest) -> int:
    """Return the number of factions in a run's pool."""
    return len(manifest.factions_dealt or manifest.factions)


def certainty(counts: Mapping[str, int]) -> str:
    """State how certain game data is: 'Game data: 92 rows, 100.0 % confirmed, 0.0 % single-source, ...'."""
    rows = sum(counts.values())
    if not rows:
        return "Game data: certainty not stated"
    shares = ", ".join(f"{percent(number / rows)} {name}" for name, number in counts.items())
    return f"Game data: {counted(rows, 'row')}, {shares}"


def open_rules(manifest: Manifest) -> str:
    """Count the open points of the rules for which a reading was chosen: 'Rules: 5 of 15 open points are ...'."""
    settings = manifest.settings_certainty
    if not settings:
        return ""
    chosen = settings.get("stand-in", 0)
    return (
        f"Rules: {count(chosen)} of {count(sum(settings.values()))} open points are played by a chosen "
        "reading (see settings)"
    )


def lessons_words(changes: Sequence[str]) -> list[str]:
    """Say how changes to the players affect a comparison; empty if no change does.

    Either the players do without learned bonuses, or each compared game has a judge (a learned estimate) of its own.
    """
    without = "In all games compared here, players do not use learned bonuses, since these were learned from the"
    own = "Players with a learned judge have one for each of the games compared, trained by as many games of self-play"
    said = [f"{without} printed game."] if any(text.endswith(OFF) for text in changes) else []
    return [*said, f"{own}."] if any(JUDGE in text for text in changes) else said
