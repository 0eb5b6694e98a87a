"""A file that says what shares and meetings changes are to reach, read and checked against what is possible.

others = "free"            # or "fair": whoever is not named wins its fair share

[shares]
"Rhodos B" = 0.30          # of the games it is in, won

[beats."Rhodos B"]
"Gizah A" = 0.55           # of the games both are in, ended ahead of it; a tie is half
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import Field

from reports.formatting import listed
from reports.studies.search.goals import Goal
from reports.studies.search.parameters import find_faction
from sim.data.catalog import Row, read_toml, validate_row
from sim.errors import UserError
from sim.players.batch import Plan

SHARE_TOLERANCE = 1e-9
TARGET_EXAMPLE = '[shares] with "NAME" = 0.30, or [beats."NAME"] with "OTHER" = 0.55'


class TargetRow(Row):
    """What a target file says.

    Attributes
    ----------
    shares
        Wanted share of wins by name.
    beats
        By name and by the name of another, the wanted share of the games of both in which the first ends ahead.
    others
        Whether those without a wanted share may win what they win, or are to be fair.
    """

    shares: dict[str, float] = Field(default={})
    beats: dict[str, dict[str, float]] = Field(default={})
    others: Literal["free", "fair"] = "free"


def read_target(path: Path, plan: Plan, margin: float) -> Goal:
    """Read a target file.

    Parameters
    ----------
    path
        See above.
    plan
        Whose factions are meant.
    margin
        How far from its target a share may be, a fraction.

    Raises
    ------
    UserError
        The file cannot be read, names something unknown, not dealt, or twice, a pair that never meets, a share that is
        none, or shares that cannot be had together.
    """
    row = validate_row(path, read_toml(path), TargetRow, "target")
    shares: dict[int, float] = {}
    for name, wanted in row.shares.items():
        number = faction_named(path, "shares", plan, name)
        if number in shares:
            raise UserError("named twice", file=path, row="shares", field=name)
        check_share(path, "shares", name, wanted)
        shares[number] = wanted
    pairs: dict[tuple[int, int], float] = {}
    for name, rivals in row.beats.items():
        for other, wanted in rivals.items():
            pair = pair_named(path, plan, name, other)
            if pair in pairs or pair[::-1] in pairs:
                raise UserError("this pair is named twice", file=path, row=f"beats {name}", field=other)
            check_share(path, f"beats {name}", other, wanted)
            pairs[pair] = wanted
    if not shares and not pairs:
        raise UserError("nothing is wanted in this file", file=path, allowed=TARGET_EXAMPLE)
    check_together(path, plan, shares, row.others, margin)
    if row.others == "fair":
        shares |= {number: 1 / plan.players for number in plan.factions if number not in shares}
    name_of = [faction.name for faction in plan.data.factions]
    return Goal(
        names=(*(name_of[number] for number in shares), *(f"{name_of[a]} ahead of {name_of[b]}" for a, b in pairs)),
        factions=(*((number,) for number in shares), *pairs), shares=tuple(shares), pairs=tuple(pairs),
        wanted=np.array([*shares.values(), *pairs.values()]), margin=margin,
    )  # fmt: skip


def faction_named(path: Path, row: str, plan: Plan, name: str) -> int:
    """Return the number of a faction that is named.

    Raises
    ------
    UserError
        There is no such faction, several are meant, or it is not dealt.
    """
    try:
        number = find_faction(plan.game, plan.data, name)
    except UserError as error:
        raise UserError(str(error), file=path, row=row, field=name) from None
    if number not in plan.factions:
        message = f"this {plan.game.faction_title} is not dealt"
        allowed = [plan.data.factions[other].name for other in plan.factions]
        raise UserError(message, file=path, row=row, field=name, allowed=allowed)
    return number


def pair_named(path: Path, plan: Plan, name: str, other: str) -> tuple[int, int]:
    """Return the numbers of two factions that can meet.

    Raises
    ------
    UserError
        One is unknown, both are the same, or they never sit at one table.
    """
    row = f"beats {name}"
    first, second = faction_named(path, row, plan, name), faction_named(path, row, plan, other)
    if kind_of(plan, first) == kind_of(plan, second):
        why = "nobody ends ahead of itself" if first == second else f"{name} and {other} never sit at one table"
        raise UserError(why, file=path, row=row, field=other)
    return first, second


def kind_of(plan: Plan, number: int) -> str:
    """What only one faction of a table has, such as a wonder of which either side may lie there."""
    faction = plan.data.factions[number]
    return faction.attributes[plan.game.exclusive] if plan.game.exclusive else faction.name


def check_share(path: Path, row: str, name: str, wanted: float) -> None:
    """Check that a share lies between 0 and 1.

    Raises
    ------
    UserError
        It does not.
    """
    if not 0 <= wanted <= 1:
        hint = f"; {wanted:g} % is {wanted / 100:g}" if 2 <= wanted <= 100 else ""
        raise UserError("no share", file=path, row=row, field=name, found=wanted, allowed=f"0 to 1{hint}")


def check_together(path: Path, plan: Plan, shares: dict[int, float], others: str, margin: float) -> None:
    """Check that the wanted shares can be had together: those of all who are dealt come to one winner a game.

    Where factions are not dealt equally often, it is only checked that not all are above their fair share, or below.

    Raises
    ------
    UserError
        They cannot.
    """
    fair, left = 1 / plan.players, [number for number in plan.factions if number not in shares]
    kinds = Counter(kind_of(plan, number) for number in plan.factions)
    given, total = sum(shares.values()), fair * len(plan.factions)
    if len(set(kinds.values())) == 1:
        # What is left for each of the others, with the named ones as far off as the margin lets them be.
        slack = margin * len(shares) + SHARE_TOLERANCE
        least, most = (fair - margin, fair + margin) if others == "fair" else (0.0, 1.0)
        if given - slack > total - least * len(left):
            too = "much"
        elif given + slack < total - most * len(left):
            too = "little"
        else:
            return
    elif left or (min(shares.values()) <= fair + margin and max(shares.values()) >= fair - margin):
        return
    else:
        too = "much" if min(shares.values()) > fair else "little"
    rest = f"the others at {'a fair share' if others == 'fair' else 'any share'}" if left else "nobody else dealt"
    message = (
        f"these shares cannot be had together: they come to too {too}. One of {plan.players} seats wins, so the "
        f"{len(plan.factions)} that are dealt have {total:.4g} between them"
    )
    raise UserError(message, file=path, row="shares", found=f"{given:.4g} for {len(shares)}, {rest}")


def goal_as_json(goal: Goal) -> dict[str, Any]:
    """What is wanted, as JSON says it: by name, with the margin."""
    return {"margin": goal.margin, "wanted": dict(zip(goal.names, goal.wanted.tolist(), strict=True))}


def goal_words(goal: Goal) -> str:
    """What is wanted in a few words: 'Rhodos B at 30.0 %'."""
    if goal.fair:
        return "every share of wins fair"
    named = [f"{name} at {100 * wanted:.1f} %" for name, wanted in zip(goal.names, goal.wanted, strict=True)]
    return listed(named)
