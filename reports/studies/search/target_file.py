"""Reads a target file (target shares and meetings) and checks that its targets are possible.

others = "free"            # or "fair": factions without a target win their fair share

[shares]
"Rhodos B" = 0.30          # share of its games won

[beats."Rhodos B"]
"Gizah A" = 0.55           # share of common games finished ahead; a tie counts half
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import Field

from reports.studies.search.goals import Goal
from reports.studies.search.parameters import find_faction
from sim.data.catalog import Row, read_toml, validate_row
from sim.errors import UserError
from sim.players.batch import Plan

SHARE_TOLERANCE = 1e-9
TARGET_EXAMPLE = '[shares] with "NAME" = 0.30, or [beats."NAME"] with "OTHER" = 0.55'


class TargetRow(Row):
    """The content of a target file.

    Attributes
    ----------
    shares
        By faction: its target share of wins.
    beats
        By faction and rival: in which share of their common games the faction should finish ahead.
    others
        Whether factions without a target are "free", or must be "fair".
    """

    shares: dict[str, float] = Field(default={})
    beats: dict[str, dict[str, float]] = Field(default={})
    others: Literal["free", "fair"] = "free"


def read_target(path: Path, plan: Plan, margin: float) -> Goal:
    """Read a target file for the factions of a plan. `margin` is the largest accepted deviation, a fraction.

    Raises UserError if the file cannot be read, a faction is unknown, not dealt or named twice, a pair of factions
    never meets, a share is invalid, or shares are impossible together.
    """
    row = validate_row(path, read_toml(path), TargetRow, "target")
    shares: dict[int, float] = {}
    for name, share in row.shares.items():
        number = faction_named(path, "shares", plan, name)
        if number in shares:
            raise UserError("named twice", file=path, row="shares", field=name)
        check_share(path, "shares", name, share)
        shares[number] = share
    pairs: dict[tuple[int, int], float] = {}
    for name, rivals in row.beats.items():
        for other, share in rivals.items():
            pair = pair_named(path, plan, name, other)
            if pair in pairs or pair[::-1] in pairs:
                raise UserError("this pair is named twice", file=path, row=f"beats {name}", field=other)
            check_share(path, f"beats {name}", other, share)
            pairs[pair] = share
    if not shares and not pairs:
        raise UserError("this file sets no target", file=path, allowed=TARGET_EXAMPLE)
    check_together(path, plan, shares, row.others, margin)
    if row.others == "fair":
        shares |= {number: 1 / plan.players for number in plan.factions if number not in shares}
    name_of = [faction.name for faction in plan.data.factions]
    return Goal(
        names=(*(name_of[number] for number in shares), *(f"{name_of[a]} ahead of {name_of[b]}" for a, b in pairs)),
        factions=(*((number,) for number in shares), *pairs), shares=tuple(shares), pairs=tuple(pairs),
        targets=np.array([*shares.values(), *pairs.values()]), margin=margin,
    )  # fmt: skip


def faction_named(path: Path, row: str, plan: Plan, name: str) -> int:
    """Return the index of the dealt faction that a name matches. Raise UserError if none matches, or several do."""
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
    """Return the indices of two factions that can meet. Raise UserError if they cannot, or if a name is unknown."""
    row = f"beats {name}"
    first, second = faction_named(path, row, plan, name), faction_named(path, row, plan, other)
    if kind_of(plan, first) == kind_of(plan, second):
        apart = f"{name} and {other} never sit at one table"
        why = "a faction cannot finish ahead of itself" if first == second else apart
        raise UserError(why, file=path, row=row, field=other)
    return first, second


def kind_of(plan: Plan, number: int) -> str:
    """Return what factions at one table must not share: an attribute such as the wonder, or else the faction's name."""
    faction = plan.data.factions[number]
    return faction.attributes[plan.game.exclusive] if plan.game.exclusive else faction.name


def check_share(path: Path, row: str, name: str, share: float) -> None:
    """Raise UserError unless a share lies between 0 and 1."""
    if not 0 <= share <= 1:
        hint = f"; {share:g} % is {share / 100:g}" if 2 <= share <= 100 else ""
        raise UserError("not a share", file=path, row=row, field=name, found=share, allowed=f"0 to 1{hint}")


def check_together(path: Path, plan: Plan, shares: dict[int, float], others: str, margin: float) -> None:
    """Raise UserError unless the target shares are possible together. The shares of all seats at a table add up to 1.

    If factions are not dealt equally often, only targets that are all above or all below the fair share are rejected.
    """
    fair, left = 1 / plan.players, [number for number in plan.factions if number not in shares]
    kinds = Counter(kind_of(plan, number) for number in plan.factions)
    given, total = sum(shares.values()), fair * len(plan.factions)
    if len(set(kinds.values())) == 1:
        # Each named faction may miss its target by the margin, so the others may get that much more or less.
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
        f"these shares are impossible together: they add up to too {too}. One of {plan.players} seats wins, so the "
        f"{len(plan.factions)} that are dealt have shares that sum to {total:.4g}"
    )
    raise UserError(message, file=path, row="shares", found=f"{given:.4g} for {len(shares)}, {rest}")


def goal_as_json(goal: Goal) -> dict[str, Any]:
    """Return the margin and the targets by name, as values for JSON."""
    return {"margin": goal.margin, "wanted": dict(zip(goal.names, goal.targets.tolist(), strict=True))}
