"""Numbers and names as a reader wants them: one place, so that console, page and verdict say the same."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from sim.data.lessons import OFF

UNKNOWN = "-"
MINUS = "\N{MINUS SIGN}"
ROWS = "rows of the square"
"""Column that names the rows of a square whose other columns are levels: a strategy may be called "faction"."""
NAMED = 5
"""Names of a long list that a sentence gives."""
MANY_VARIANTS = 8
"""More variants than these are counted, not named."""


def percent(share: float | None, digits: int = 1) -> str:
    """0.2514 as '25.1 %'; unknown as '-'."""
    return UNKNOWN if share is None else f"{100 * share:.{digits}f} %"


def points(edge: float | None, digits: int = 1) -> str:
    """0.0314 as '+3.1' percentage points; unknown as '-'."""
    if edge is None:
        return UNKNOWN
    text = f"{100 * edge:+.{digits}f}"
    return text if float(text) != 0 else f"{0:.{digits}f}"


def size(edge: float | None, digits: int = 2) -> str:
    """0.0314 as '3.14' percentage points without a sign; unknown as '-'."""
    return UNKNOWN if edge is None else f"{100 * edge:.{digits}f}"


def margin_words(margin: float) -> str:
    """A margin as it is said: 0.01 as '1 point', 0.005 as '0.5 points'."""
    return f"{100 * margin:g} point{'' if f'{100 * margin:g}' == '1' else 's'}"


def decision(row: dict[str, Any]) -> str:
    """What the margin decides of a row: 'change it', 'leave it', or how many more games would: '+130,000'."""
    more = row["more_games"]
    return str(row["decision"]) if more is None else f"+{count(round_up(max(more, 1)))}"


def brief_decision(row: dict[str, Any]) -> str:
    """A decision in few letters, for columns that have no room for more: 'depends' for 'depends on players'."""
    return decision(row).partition(" on ")[0]


def interval(low: float | None, high: float | None, digits: int = 2) -> str:
    """Two shares as '24.10 to 25.90' percent; unknown as '-'."""
    if low is None or high is None:
        return UNKNOWN
    return f"{100 * low:.{digits}f} to {100 * high:.{digits}f}"


def number(value: float | None, digits: int = 1) -> str:
    """A plain number with `digits` decimals; unknown as '-'."""
    return UNKNOWN if value is None else f"{value:z.{digits}f}"


def signed_number(value: float, digits: int = 1) -> str:
    """A plain number with its sign, which 0 has none of: '+2.5', '-0.3', '0.0'."""
    text = f"{value:+.{digits}f}"
    return text if float(text) != 0 else f"{0:.{digits}f}"


def count(value: int) -> str:
    """100000 as '100,000'."""
    return f"{value:,}"


def counted(value: int, noun: str) -> str:
    """1 as '1 game', 2,000 as '2,000 games'."""
    return f"{count(value)} {noun if value == 1 else plural(noun)}"


def chance(p: float) -> str:
    """A p-value as 'fewer than 1 of 10,000' or '1 of 40', in two digits, to be followed by what is counted."""
    return "fewer than 1 of 10,000" if p < 1e-4 else f"1 of {float(f'{1 / p:.2g}'):,.0f}"


def p_value(p: float | None) -> str:
    """A p-value for a table: '<0.0001', '0.0312'."""
    if p is None:
        return UNKNOWN
    return "<0.0001" if p < 1e-4 else f"{p:.4f}"


def typeset(text: str) -> str:
    """Set a true minus sign in place of the hyphen before a number; for pages and figures, not for terminals."""
    return re.sub(r"(?<![\w-])-(?=\d)", MINUS, text)


def half_width(row: dict[str, Any]) -> float | None:
    """Half the width of a row's edge interval, as a fraction; None where the interval is unknown."""
    low, high = row["edge_low"], row["edge_high"]
    return None if low is None or high is None else (high - low) / 2


def lopsided(row: dict[str, Any]) -> bool:
    """Whether a row's edge interval reaches further to one side, as it does where it is cut off at 0 or 1."""
    half = half_width(row)
    return half is not None and abs((row["edge_low"] + row["edge_high"]) / 2 - row["edge"]) > 0.05 * half


def edge_limits(row: dict[str, Any], digits: int) -> tuple[str, str]:
    """The limits of a row's edge interval: '-25.00', '-24.91'."""
    return points(row["edge_low"], digits), points(row["edge_high"], digits)


def decimals(half: float | None) -> int:
    """One decimal of a percentage point, or two where the interval is narrower than a tenth of a point."""
    return 2 if half is not None and half < 0.001 else 1


def edge_words(row: dict[str, Any]) -> str:
    """A row's edge with its interval: '+8.1 ± 0.4 points', or '-25.0 points, between -25.0 and -21.3' if lopsided."""
    half = half_width(row)
    digits = decimals(half)
    if lopsided(row):
        low, high = edge_limits(row, digits)
        return f"{points(row['edge'], digits)} points, between {low} and {high}"
    spread = "" if half is None else f" ± {100 * half:.{digits}f}"
    return f"{points(row['edge'], digits)}{spread} points"


def label(table: Any, row: dict[str, Any]) -> str:
    """Name a row in a sentence: factions, seats and strategies by name, attributes with the attribute's name."""
    plain = table.name in ("faction", "seat", "strategy")
    return str(row["level"]) if plain else f"{table.noun} {row['level']}"


def named_level(table: Any, row: dict[str, Any]) -> str:
    """Name a row among those of its table: 'Rhodos B', 'A', but a bare number with its noun: 'starting place 1'."""
    level = str(row["level"])
    return label(table, row) if level.isdecimal() else level


def plural(noun: str) -> str:
    """'wonder side' as 'wonder sides', 'strategy' as 'strategies'."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    hissing = noun.endswith(("s", "x", "ch", "sh")) and not noun.endswith("epoch")
    return f"{noun}es" if hissing else f"{noun}s"


def with_article(noun: str) -> str:
    """'card' as 'a card', 'empire' as 'an empire'."""
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def factors(manifest: dict[str, Any]) -> dict[str, str]:
    """What seats differ by and what it is called: faction, in a game that has any, seat and strategy."""
    factions = {"faction": str(manifest["faction_title"])} if manifest["factions"] else {}
    return {**factions, "seat": "seat", "strategy": "strategy"}


def company_of(manifest: dict[str, Any]) -> list[str]:
    """What a seat comes with, as sentences name it: the game's word for a faction, then strategy and seat.

    Who plays alone has no other seat to sit in.
    """
    nouns = factors(manifest)
    names = ("faction", "strategy") if manifest["players"] == 1 else ("faction", "strategy", "seat")
    return [nouns[name] for name in names if name in nouns]


def only_one(has_factions: bool) -> str:
    """Say that all seats of a run are alike."""
    return "one faction and one strategy only" if has_factions else "one strategy only"


def listed(names: Sequence[object], word: str = "and") -> str:
    """'board, strategy and seat'; two as 'strategy and seat'; with another word '2, 3 or 4'."""
    *first, last = map(str, names)
    return f"{', '.join(first)} {word} {last}" if first else last


def variant_words(manifest: dict[str, Any]) -> str:
    """Name the variants that a run was played in: 'standard, alternative and peaceful', '32 variants'."""
    played = manifest.get("variants") or [manifest["variant"]]
    return listed(played) if len(played) <= MANY_VARIANTS else f"{len(played)} variants"


def some(names: Sequence[str]) -> str:
    """Name a few: 'A, B and C', 'A, B, C, D, E and 4 more'; one more name takes no more room than 'and 1 more'."""
    return listed(names if len(names) <= NAMED + 1 else [*names[:NAMED], f"{count(len(names) - NAMED)} more"])


def capital(text: str) -> str:
    """The text with its first letter large; the rest as it is."""
    return text[:1].upper() + text[1:]


def round_up(value: float, digits: int = 2) -> int:
    """A number of games rounded up to `digits` significant digits, so that advice never falls short."""
    if value <= 0:
        return 0
    step = 10 ** max(0, math.floor(math.log10(value)) - digits + 1)
    return math.ceil(value / step) * step


def common_decimals(edges: Sequence[float], halves: Sequence[float | None]) -> int:
    """Decimals for several edges in one list, so that all have the same: two only where one would leave nothing."""
    fine = any(decimals(half) == 2 for half in halves)
    return 2 if edges and fine and min(map(abs, edges)) < 0.002 else 1


def fair_meaning(manifest: dict[str, Any]) -> str:
    """What the fair share of a row is: 'mean of 1/players', or that of games of one player."""
    players = manifest["players"]
    alone = "the share of games of one player that all rows win"
    if players == 1:
        return alone
    return f"the mean of 1/players{f', and of {alone}' if isinstance(players, list) and 1 in players else ''}"


def unfinished_words(manifest: dict[str, Any]) -> str:
    """How far an unfinished run is.

    'Unfinished: 40,000 of 100,000 games so far; it is being played. ...'
    """
    played, most = count(manifest["games"]), counted(manifest["unfinished"]["at_most"], "game")
    state = "it is being played" if manifest["unfinished"]["being_written"] else "the command that began it goes on"
    return (
        f"Unfinished: {played} of {most} so far; {state}. Who stops as soon as the figures please finds more than "
        "there is: intervals and tests hold for a number of games that was settled beforehand."
    )


def stop_words(manifest: dict[str, Any]) -> str:
    """How a rule ended the run, or that it was not reached, or how far an unfinished run is; empty for any other.

    'Stopped after 110,500 of at most 400,000 games: every board is known to ± 0.495 points (± 0.5 was asked for).'
    """
    if "unfinished" in manifest:
        return unfinished_words(manifest)
    stopped = manifest.get("stopped")
    if not isinstance(stopped, dict):
        return ""
    played, most = count(manifest["games"]), counted(stopped.get("at_most", manifest["games"]), "game")
    before = f"Stopped after {played} of at most {most}" if stopped.get("early") else f"Played to the last of {most}"
    width, reached = stopped.get("width"), stopped.get("reached")
    if width is None:
        return f"{before}; a rule ({stopped.get('rule', 'of its own')}) could end the run."
    asked, whose = f"± {width:g} points", str(stopped.get("least_precise") or "")
    if stopped.get("enough"):
        every = {"faction": manifest["faction_title"], "all": "row"}.get(str(stopped.get("of")), str(stopped.get("of")))
        known = "" if reached is None else f" is known to ± {reached:.3g} points or better"
        return f"{before}: every {every}{known or ' is known well enough'} ({asked} was asked for)."
    if stopped.get("looks") == 0:
        return (
            f"Not reached: {counted(manifest['games'], 'game')} are too few for a first look ({asked} was asked for)."
        )
    left = f"{whose} is known to ± {reached:.3g} points only" if reached is not None else f"{whose} is not known yet"
    return f"Not reached after {counted(manifest['games'], 'game')}: {asked} was asked for, but {left}."


def run_size(manifest: dict[str, Any]) -> str:
    """How large a run is: '100,000 games of 4 players in 25,000 blocks, seed 1', and which games of a longer one."""
    blocks = counted(manifest["blocks"], "block")
    return f"{games_of(manifest)} in {blocks}, {seeds_of(manifest)}{stretch_words(manifest)}"


def games_of(manifest: dict[str, Any]) -> str:
    """How many games a run has, of how many players: '100,000 games of 4 players'."""
    players = manifest["players"]
    each = counted(players, "player") if isinstance(players, int) else f"{listed(players, 'or')} players"
    return f"{counted(manifest['games'], 'game')} of {each}"


def played_size(manifest: dict[str, Any]) -> str:
    """How large a run is, in few words: '100,000 games of 4 players, seed 1', and which games of a longer one."""
    return f"{games_of(manifest)}, {seeds_of(manifest)}{stretch_words(manifest)}"


def stretch_words(manifest: dict[str, Any]) -> str:
    """Which games of a longer run a stretch has: ' (games 0 to 199 of 400)'; empty for a run that has all its games."""
    stretch = manifest.get("stretch")
    if stretch is None:
        return ""
    first, last = count(stretch["first_game"]), count(stretch["stop_game"] - 1)
    return f" (games {first} to {last} of {count(stretch['whole']['games'])})"


def seeds_of(manifest: dict[str, Any]) -> str:
    """Seeds of a run: 'seed 1', and of runs joined 'seeds 1, 2 and 3' or 'seeds 1, 2, 3, 4, 5 and 7 more'."""
    seeds = [entry["seed"] for entry in manifest.get("player_counts", []) if entry.get("seed") is not None]
    named = list(dict.fromkeys(map(str, seeds)))
    return f"seeds {some(named)}" if len(named) > 1 else f"seed {manifest['seed']}"


def dealt(manifest: dict[str, Any]) -> int:
    """How many factions could be dealt in a run."""
    return len(manifest.get("factions_dealt") or manifest["factions"])


def certainty(manifest: dict[str, Any]) -> str:
    """How sure the game data is: 'Game data: 92 rows, 100.0 % confirmed, 0.0 % single-source, 0.0 % stand-in'."""
    rows = sum(manifest["certainty"].values())
    if not rows:
        return "Game data: nothing is said on how sure it is"
    shares = ", ".join(f"{percent(number / rows)} {name}" for name, number in manifest["certainty"].items())
    return f"Game data: {counted(rows, 'row')}, {shares}"


def open_rules(manifest: dict[str, Any]) -> str:
    """How many points of the rules no source settles: 'Rules: 5 of 15 open points are played by choice (settings)'."""
    settings = manifest.get("settings_certainty", {})
    if not settings:
        return ""
    chosen = settings.get("stand-in", 0)
    return f"Rules: {count(chosen)} of {count(sum(settings.values()))} open points are played by choice (see settings)"


def lessons_words(changes: Sequence[str]) -> list[str]:
    """Say that the players of games that are compared do without lessons, where the changes of all of them say so."""
    if not any(text.endswith(OFF) for text in changes):
        return []
    return [
        "In all games compared here the players do without their lessons, which they learned from the printed game."
    ]
