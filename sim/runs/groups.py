"""Conditions in a run: which games are played by how many, and in which variant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sim.errors import UserError
from sim.players.batch import Plan


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
    variants
        All variants that the seats of the run name (`variants_named`).
    """

    plan: Plan
    games: int
    first_game: int = 0
    first_block: int = 0
    first_deal: int = 0
    variants: tuple[str, ...] = ()

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
    variants = variants_named((plan.players, plan.variant) for plan in plans)
    for number, plan in enumerate(plans):
        own = games // len(plans) + (number < games % len(plans))
        group = Group(plan, own, game, block, dealt[plan.players], variants)
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


@dataclass(frozen=True)
class Stretch:
    """Some games of a longer run: `groups` hold the games `first` to `stop` - 1 of `whole`, numbered from 0."""

    groups: tuple[Group, ...]
    whole: tuple[Group, ...]
    first: int
    stop: int
    first_block: int


def stretch_of(whole: Sequence[Group], first: int | None, stop: int | None) -> Stretch:
    """Take a stretch of a run's games, whole blocks of them.

    Parameters
    ----------
    first, stop
        Games of the run from which and before which games are taken; by default its first, and all up to its last.

    Raises
    ------
    UserError
        The run does not have these games, or they begin or end within a block.
    """
    games = sum(group.games for group in whole)
    first, stop = first or 0, games if stop is None else stop
    if not 0 <= first < games:
        raise UserError("the run has no such game", field="games-from", found=first, allowed=f"0 to {games - 1}")
    if not first < stop <= games:
        raise UserError("the run has no such games", field="games-to", found=stop, allowed=f"{first + 1} to {games}")
    for field, game in (("games-from", first), ("games-to", stop)):
        check_between_blocks(whole, field, game)
    taken: list[Group] = []
    game = block = 0
    first_block = 0
    for group in whole:
        begin, end = max(first - group.first_game, 0), min(stop - group.first_game, group.games)
        if begin < end:
            before = begin // group.plan.block_games
            first_block = first_block if taken else group.first_block + before
            taken.append(
                replace(
                    group, games=end - begin, first_game=game, first_block=block, first_deal=group.first_deal + before
                )
            )
            game += taken[-1].games
            block += taken[-1].blocks
    return Stretch(tuple(taken), tuple(whole), first, stop, first_block)


def check_between_blocks(groups: Sequence[Group], field: str, game: int) -> None:
    """Raise UserError where a block has games on both sides of one that begins a stretch."""
    for group in groups:
        own, size = game - group.first_game, group.plan.block_games
        if 0 < own < group.games and own % size:
            below, above = game - own % size, min(game - own % size + size, group.first_game + group.games)
            message = f"a stretch has whole blocks, here of {size} games"
            raise UserError(message, field=field, found=game, allowed=f"{below} or {above}")


def cut(games: int, size: int) -> list[tuple[int, int]]:
    """First game and number of games of each stretch of such a size."""
    return [(first, min(size, games - first)) for first in range(0, games, size)]
