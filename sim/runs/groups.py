"""Conditions in a run: which games are played by how many, and in which variant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sim.batch import Plan
from sim.errors import UserError


@dataclass(frozen=True)
class Group:
    """The games of a run that have one number of players and one variant; they stand one after another.

    Game i of a group is the game i that a run with this number of players and variant alone would play, counted from
    the first game of its deal `first_deal`. In the run it is game `first_game` + i. Groups of as many players in
    several variants have no deal in common, so that their blocks are as independent as those of one group.

    Attributes
    ----------
    first_game, first_block
        Numbers in the run of the group's first game and block.
    first_deal
        Number of the group's first block among those of its plan.
    """

    plan: Plan
    games: int
    first_game: int = 0
    first_block: int = 0
    first_deal: int = 0

    @property
    def blocks(self) -> int:
        """Blocks of the group; the last one may lack games."""
        return -(-self.games // self.plan.block_games)


def share_out(plans: Sequence[Plan], games: int) -> tuple[Group, ...]:
    """Share games out evenly between plans, which differ in players or variant; the first get the remainder.

    Raises
    ------
    UserError
        There are fewer games than plans.
    """
    if games < len(plans):
        message = "too few games for so many numbers of players and variants"
        raise UserError(message, field="games", found=games, allowed=f"{len(plans)} or more")
    groups: list[Group] = []
    game = block = 0
    dealt = dict.fromkeys((plan.players for plan in plans), 0)
    for number, plan in enumerate(plans):
        group = Group(plan, games // len(plans) + (number < games % len(plans)), game, block, dealt[plan.players])
        groups.append(group)
        game += group.games
        block += group.blocks
        dealt[plan.players] += group.blocks
    return tuple(groups)


def variants_named(conditions: Iterable[tuple[int, str]]) -> tuple[str, ...]:
    """Variants that the seats of a run name: all, where a number of players is played in several, else none.

    Parameters
    ----------
    conditions
        Number of players and variant of each group.
    """
    pairs = list(dict.fromkeys(conditions))
    several = len(pairs) > len({players for players, _ in pairs})
    return tuple(dict.fromkeys(variant for _, variant in pairs)) if several else ()


def cut(games: int, size: int) -> list[tuple[int, int]]:
    """First game and number of games of each stretch of such a size."""
    return [(first, min(size, games - first)) for first in range(0, games, size)]
