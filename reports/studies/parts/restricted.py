"""Plays games in which one player never does something, or does it whenever possible. See `sim.players.restriction`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from reports.data.load import check_company
from reports.model import Section
from reports.sections.core.shares import rung_words
from reports.sections.pieces.restricted import restricted_section
from reports.statistics.pieces.restricted import ALWAYS_DOES, NEVER_DOES, RestrictedArm, block_sums, restricted_frame
from reports.studies.parts.parts import find_row
from reports.studies.stretches import Bar, block_stretches, no_bar, play_stretches
from sim.data.arguments import jobs_to_use
from sim.engine.result_rows import BLOCK, RANK, SCORE, STRATEGY
from sim.errors import UserError, nearest
from sim.game import Data, GameSpec
from sim.players.batch import Plan
from sim.players.batch import play as play_games
from sim.players.restriction import Labels, Restriction, merged, play_restricted
from sim.runs.config import RunConfig, make_plan
from sim.runs.run import warm_up

RESTRICTED_GAMES = 2_000
PILOT = 40
"""Number of games that are played to see which kinds of options there are."""
STRETCH = 100
"""Approximate number of games in a worker's task. Results do not depend on it."""
ALL = "all"
MOST_KINDS = 30
"""Maximum number of kinds that `all` tries. It takes the kinds that are offered most often."""
SELDOM = 0.5
"""`all` tries a kind only if at least this many decisions per game offer it, on average."""
MERE_ENDS = (
    "pass", "stop", "go on", "end the turn", "no", "yes", "nothing", "build nothing", "follow", "target", "way",
)  # fmt: skip
"""Options that only end or continue something, or say how it is done. `all` leaves out such options and their kinds."""
KIND_FIELDS = ("kind", "kinds", "type", "types", "colour", "colours", "color", "colors", "suit", "suits", "state")
"""Fields of a piece's row that name the kinds of the piece."""


@dataclass(frozen=True)
class Restricted:
    """Results of restricted play.

    Attributes
    ----------
    plan
        The plan of the first strategy, with two players: the restricted copy of it, and the strategy itself.
    frame
        From `restricted_frame`.
    section
        The section with the results.
    kinds
        All kinds of options that the first games have shown, and how many decisions per game offer each kind.
    """

    plan: Plan
    frame: pl.DataFrame
    section: Section
    kinds: Mapping[str, float]


def play_restrictions(
    config: RunConfig,
    forbid: Sequence[str] = (),
    require: Sequence[str] = (),
    *,
    jobs: int = -1,
    say: Callable[[str], None] = lambda text: None,
    bar: Bar = no_bar,
) -> Restricted:
    """Play games in which one player is restricted, with an arm for each entry of `forbid` and `require`.

    Parameters
    ----------
    config
        The game, the strategies, and the games of each arm. Each strategy plays only against itself.
    forbid, require
        Kinds of options. "+" joins several kinds in one arm: "build red cards + build Altar". "all" stands for every
        kind of action that is offered often, each in its own arm.

    Raises
    ------
    UserError
        No kind is given, or a kind is unknown. Also raised by `make_plan`.
    """
    workers = jobs_to_use(jobs)
    plans = restricted_plans(config)
    teams = [team for plan in plans for team in warm_up([plan], say)]
    plan, groups = plans[0], kinds_of_pieces(plans[0].game, plans[0].data)
    seen = kinds_seen(plans, teams, groups)
    wanted = [(NEVER_DOES, names) for text in forbid for names in kinds_named(text, seen, plan, "forbid")]
    wanted += [(ALWAYS_DOES, names) for text in require for names in kinds_named(text, seen, plan, "require")]
    if not wanted:
        raise UserError("no kind of option is given", field="forbid", allowed=[ALL, *list(seen)[:8]])
    arms = []
    with bar("restricted play", config.games * len(wanted) * len(plans)) as advance:
        for own, team in zip(plans, teams, strict=True):
            control = play_control(own, team, config.games)
            for rule, names in wanted:
                make = partial(new_rule, rule, names, groups)
                blocks, counted = play_restricted_arm(own, team, config.games, make, workers, advance)
                arms.append(RestrictedArm(rule, " + ".join(names), own.strategies[1].name, blocks, control, counted))
    frame = restricted_frame(arms, plan.players)
    rung, on_ladder = rung_words(plan.game.name, list(dict.fromkeys(arm.player for arm in arms)))
    return Restricted(plan, frame, restricted_section(frame, plan.players, rung if on_ladder else ""), seen)


def new_rule(rule: str, kinds: Sequence[str], groups: Mapping[str, Labels]) -> Restriction:
    """Return a restriction that forbids or requires kinds of options. It counts the decisions that it affects."""
    none = frozenset[str]()
    return Restriction(*((frozenset(kinds), none) if rule == NEVER_DOES else (none, frozenset(kinds))), groups)


def restricted_plans(config: RunConfig) -> list[Plan]:
    """Return a plan for each strategy against itself. The player to be restricted takes each seat in turn."""
    plan = make_plan(config)
    check_company(plan.players, "a restricted player is compared with its opponents")
    lineup = (0, *[1] * (plan.players - 1))
    pairs = [(replace(base, name=f"{base.name}, restricted"), base) for base in plan.strategies]
    return [replace(plan, strategies=pair, lineup=lineup, assign="rotate") for pair in pairs]


def play_restricted_arm(
    plan: Plan,
    players: Any,
    games: int,
    make_rule: Callable[[], Restriction],
    workers: int,
    progress: Callable[[int], None],
) -> tuple[np.ndarray, Restriction]:
    """Play an arm. Return the restricted player's sums by block, and the restriction with its counts of decisions.

    `make_rule` returns a new restriction with counts of 0. Every worker's task counts with its own.
    """

    def play(first: int, count: int) -> tuple[np.ndarray, Restriction]:
        rule = make_rule()
        return sums_of(play_restricted(plan, players, first, count, rule), plan), rule

    stretches = block_stretches(plan, in_blocks(plan, games), STRETCH)
    played = list(play_stretches(play, plan, stretches, workers, progress))
    return np.concatenate([sums for sums, _ in played]), merged([rule for _, rule in played])


def play_control(plan: Plan, players: Any, games: int) -> np.ndarray:
    """Play the deals of an arm without its restriction.

    Return by block the wins of the player that the arm restricts.
    """
    rows, _ = play_games(plan, players, 0, in_blocks(plan, games))
    return sums_of(rows, plan)[:, 1]


def in_blocks(plan: Plan, games: int) -> int:
    """Round games up to whole blocks."""
    return -(-games // plan.block_games) * plan.block_games


def sums_of(rows: np.ndarray, plan: Plan) -> np.ndarray:
    """Return the sums (`block_sums`) of the line-up's first strategy, a row for each block. Column 1 holds its wins."""
    return block_sums(rows, plan.players, (BLOCK, STRATEGY, SCORE, RANK))


# ---- Kinds of options ----


def kinds_of_pieces(game: GameSpec, data: Data) -> dict[str, Labels]:
    """Return the kinds of every piece and place of a compiled game by name: ("red cards",), ("in Italy",).

    The kinds of a piece are the strings in the `KIND_FIELDS` of its row. The kind of a place is its group on the map.
    """
    found: dict[str, Labels] = {}
    if game.plain is not None:
        return found
    if game.pieces is not None and game.pieces.in_files is not None:
        for number, piece in enumerate(data.pieces):
            kinds = kinds_in(find_row(game, *game.pieces.in_files.place(data, number)))
            labels = tuple(f"{kind.replace('_', ' ')} {game.pieces.plural}" for kind in kinds)
            found |= {piece: labels, piece.partition(" (")[0]: labels}
    for tally in game.tallies:
        for place in tally.rows(data):
            if "group" in place.values:
                found[place.name] = (f"in {place.values['group']}",)
    return found


def kinds_in(row: Mapping[str, Any]) -> list[str]:
    """Return the kinds that the row of a piece names."""
    values = [row[name] for name in KIND_FIELDS if name in row]
    texts = [text for value in values for text in ([value] if isinstance(value, str) else value or ())]
    return [text for text in texts if isinstance(text, str)]


def kinds_seen(plans: Sequence[Plan], teams: Sequence[Any], groups: Mapping[str, Labels]) -> dict[str, float]:
    """Play a few games, and return how many decisions per game offer each kind of option, the most frequent first.

    `teams` has the compiled players of each plan, and `groups` the kinds of each piece and place by name.
    """
    games, rules = in_blocks(plans[0], PILOT), []
    for plan, team in zip(plans, teams, strict=True):
        rules.append(Restriction(groups=groups, counts_kinds=True))
        play_restricted(plan, team, 0, games, rules[-1])
    return {kind: count / games / len(plans) for kind, count in merged(rules).seen.most_common()}


def kinds_named(text: str, seen: Mapping[str, float], plan: Plan, field: str) -> list[list[str]]:
    """Return the kinds of options to restrict, a list for each arm, that the text of a user names.

    Raises UserError if no option of a kind was seen. The error suggests the nearest kind.
    """
    if text.strip().casefold() == ALL:
        return [[kind] for kind in broad_kinds(seen, plan)]
    known = {kind.casefold(): kind for kind in seen}
    names = []
    for part in text.split("+"):
        asked = " ".join(part.replace("_", " ").split())
        if asked.casefold() not in known:
            near = nearest(asked, seen)
            kinds = dict.fromkeys([*([near] if near else []), *broad_kinds(seen, plan), ALL])
            raise UserError("no option of this kind was seen", field=field, found=asked, allowed=list(kinds))
        names.append(known[asked.casefold()])
    return [names]


def broad_kinds(seen: Mapping[str, float], plan: Plan) -> list[str]:
    """Return the kinds that `all` tries: kinds of actions, groups and buildings, but not single cards and places.

    `seen` has the number of decisions per game that offer each kind.
    """
    single = {*plan.data.pieces, *(piece.partition(" (")[0] for piece in plan.data.pieces)}
    single |= {place.name for tally in plan.game.tallies for place in tally.rows(plan.data)}
    suffixes = tuple(f" {name}" for name in single)
    found: list[str] = []
    for kind, often in seen.items():
        alike = any(seen[other] == often and kind.startswith(f"{other} ") for other in found)
        if (
            often >= SELDOM
            and not {kind, kind.split(" ", 1)[0]} & {*MERE_ENDS}
            and not kind.startswith(("yes", "no "))
            and not alike
            and not (suffixes and kind.endswith(suffixes))
        ):
            found.append(kind)
    return found[:MOST_KINDS]
