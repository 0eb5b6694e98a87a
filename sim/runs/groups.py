"""Numbers of players in a run: which games are played at tables of how many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sim.batch import Plan
from sim.errors import UserError


@dataclass(frozen=True)
class Group:
    """The games of a run that have one number of players; they stand one after another.

    Game i of a group is the game i that a run with this number of players alone would play. In the run it is game
    `first_game` + i.

    Attributes
    ----------
    first_game, first_block
        Numbers in the run of the group's first game and block.
    """

    plan: Plan
    games: int
    first_game: int = 0
    first_block: int = 0

    @property
    def blocks(self) -> int:
        """Blocks of the group; the last one may lack games."""
        return -(-self.games // self.plan.block_games)


def share_out(plans: Sequence[Plan], games: int) -> tuple[Group, ...]:
    """Share games out evenly between plans, which differ in the number of players; the first get the remainder.

    Raises
    ------
    UserError
        There are fewer games than plans.
    """
    if games < len(plans):
        message = "too few games for so many numbers of players"
        raise UserError(message, field="games", found=games, allowed=f"{len(plans)} or more")
    groups: list[Group] = []
    game = block = 0
    for number, plan in enumerate(plans):
        group = Group(plan, games // len(plans) + (number < games % len(plans)), game, block)
        groups.append(group)
        game += group.games
        block += group.blocks
    return tuple(groups)
