"""Names of players and factions: merges names that differ only in case and blanks, and lists similar names."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from itertools import combinations

import polars as pl

MAX_ALIKE = 20
"""Maximum size of a group of similar names. Larger groups are not listed."""
SHORTEST = 4
"""Minimum length of two names that count as similar if they differ in one letter."""
UNKNOWN = ("", "-", "?", "??", "???", "n/a", "na", "none", "unknown", "tbd", "anonymous", "guest", "null", "nan")


def same_names(seats: pl.DataFrame, kind: str) -> tuple[pl.DataFrame, list[list[str]]]:
    """Give every name in the column `kind` the most frequent of its spellings. Names equal in `folded_name` are merged.

    Placeholder names, such as "?", become null. Return the changed rows, and the spellings of each merged name.
    """
    counts = seats[kind].drop_nulls().value_counts(sort=True)
    spelled: dict[str, list[str]] = defaultdict(list)
    for name in counts[kind]:
        spelled[folded_name(name)].append(name)
    kept = {
        name: " ".join(names[0].split()) for fold, names in spelled.items() if fold not in UNKNOWN for name in names
    }
    old = list(kept)
    named = pl.col(kind).replace_strict(old, [kept[name] for name in old], default=None, return_dtype=pl.String)
    merged = [names for fold, names in spelled.items() if len(names) > 1 and fold not in UNKNOWN]
    return seats.with_columns(named.alias(kind)), merged


def folded_name(name: str) -> str:
    """Return a name in lower case with single blanks and in one form of Unicode (NFKC)."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def similar_names(names: pl.Series) -> list[tuple[str, str]]:
    """Return pairs of names that may mean the same.

    The names of a pair are equal except for accents and punctuation, or except for one letter.

    Names that differ only in a number, such as Player 1 and Player 2, are not similar.
    """
    whole: dict[str, list[str]] = defaultdict(list)
    changed: dict[tuple[int, str], list[str]] = defaultdict(list)
    bare_names = {name: bare_name(name) for name in sorted(names.drop_nulls().unique())}
    for name, bare in bare_names.items():
        whole[bare].append(name)
        for place in range(len(bare) if len(bare) >= SHORTEST else 0):
            changed[place, bare[:place] + bare[place + 1 :]].append(name)
    alike = [*whole.values(), *changed.values()]
    alike += [[*shorter, *longer] for (_, rest), longer in changed.items() if (shorter := whole.get(rest))]
    pairs = {
        (min(one, other), max(one, other))
        for group in alike
        if 1 < len(group) <= MAX_ALIKE
        for one, other in combinations(dict.fromkeys(group), 2)
        if re.sub(r"\d+", "", one) != re.sub(r"\d+", "", other)
    }
    return sorted(pairs)


def bare_name(name: str) -> str:
    """Return the letters and digits of a name in lower case, without accents."""
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFKD", name).casefold())
