"""What a move says of the decisions that it brings: each must be given and legal, no more and no less."""

from __future__ import annotations

from collections.abc import Callable

from sim.games.history_of_the_world.io.moves import PositionMove
from sim.games.history_of_the_world.io.stepping import Asked, InspectedGame, Option
from sim.games.history_of_the_world.rules import constants
from sim.games.shared.stepping import IllegalMoveError

STEP_OF = {"gain": 1, "lose": -1}
"""What a landing does to the score."""


class Given:
    """Answers the decisions of one move.

    Parameters
    ----------
    game
        The game as the move begins.
    move
        The move.
    begins
        Finds the option of the turn that the move means.

    Attributes
    ----------
    then
        What follows a roll that was lost, as the move says it; set while a battle is fought.
    sites
        Lands of monuments, in the order in which they are built.
    """

    def __init__(self, game: InspectedGame, move: PositionMove, begins: Callable[[Asked], int]) -> None:
        self.game, self.move, self.begins = game, move, begins
        self.lands = list(move.lands)
        self.landing = list(move.landing)
        self.then: str | None = None
        self.sites: list[str] = []

    def __call__(self, asked: Asked) -> int:
        """Return the place of the option that the move gives.

        Raises
        ------
        IllegalMoveError
            It gives none, or one that is not offered.
        """
        if asked.decision in (constants.BEGIN, constants.ACT):
            return self.begins(asked)
        ways = {
            constants.CHOOSE_WAY: self._way,
            constants.LANDING: self._land,
            constants.SITE: self._site,
            constants.PLACE: self._place,
            constants.TARGET: self._target,
            constants.AFTER_LOSS: self._after_loss,
        }
        return ways[asked.decision](asked)

    def check_used(self) -> None:
        """Check that nothing is given that nobody has asked for.

        Raises
        ------
        IllegalMoveError
            Something is.
        """
        if self.lands:
            raise IllegalMoveError(f"{self.lands[0]} is not asked for")
        if self.landing:
            raise IllegalMoveError(f"a landing is not asked for: {self.landing[0]}")

    def _way(self, asked: Asked) -> int:
        if self.move.way is None:
            return asked.options[0].place
        for option in asked.options:
            if constants.WAYS[option.value] == self.move.way:
                return option.place
        raise IllegalMoveError(f"{self.move.land} cannot be reached by {self.move.way}")

    def _land(self, asked: Asked) -> int:
        if not self.landing:
            raise IllegalMoveError("the marker would stop on an occupied space: gain or lose?")
        wanted = self.landing.pop(0)
        for option in asked.options:
            if option.value == STEP_OF[wanted]:
                return option.place
        raise IllegalMoveError(f"the marker cannot {wanted} a point there")

    def _site(self, asked: Asked) -> int:
        option = self._named(asked) if self.move.lands else self._only(asked)
        self.sites.append(self.game.land_name(option.land))
        return option.place

    def _only(self, asked: Asked) -> Option:
        if len(asked.options) > 1:
            raise IllegalMoveError("there is a choice of sites for a monument")
        return asked.options[0]

    def _named(self, asked: Asked) -> Option:
        """Return the option that is the next land given."""
        if not self.lands:
            raise IllegalMoveError("a land is missing")
        name = self.lands.pop(0)
        for option in asked.options:
            if self._name(option) == name:
                return option
        raise IllegalMoveError(f"{name} cannot be chosen here")

    def _name(self, option: Option) -> str | None:
        """Return the land or, of a disc, the body of an option; None for the one that stops."""
        if option.land != constants.NO_LAND:
            return self.game.land_name(option.land)
        return self.game.catalog.body_names[option.value] if self._is_body(option) else None

    @staticmethod
    def _is_body(option: Option) -> bool:
        return option.kind == constants.DISCS and option.value != constants.NOWHERE

    def _target(self, asked: Asked) -> int:
        return self._named(asked).place

    def _place(self, asked: Asked) -> int:
        """Place something in the next land given; where none is left that fits, stop."""
        for option in asked.options:
            if self.lands and self._name(option) == self.lands[0]:
                self.lands.pop(0)
                return option.place
        return next(option.place for option in asked.options if self._name(option) is None)

    def _after_loss(self, asked: Asked) -> int:
        kinds = {"siege": constants.SIEGE, "siege token": constants.SIEGE_TOKEN, "retreat": constants.RETREAT}
        wanted, self.then = self.then, None
        if wanted is None:
            raise IllegalMoveError("a roll is lost: siege, siege token or retreat?")
        for option in asked.options:
            if option.kind == kinds[wanted]:
                return option.place
        raise IllegalMoveError(f"no {wanted} is possible after this loss")
