"""Answers the decisions that occur during a move."""

from __future__ import annotations

from collections.abc import Callable

from sim.games.history_of_the_world.io.moves import PositionMove
from sim.games.history_of_the_world.io.stepping import InspectedGame
from sim.games.history_of_the_world.rules import constants
from sim.games.shared.stepping import Decision, IllegalMoveError, Option, refuse_if

LANDINGS = {"gain": 1, "lose": -1}
"""Points added to the score by each choice of a player whose marker would stop on an occupied space."""
AFTER_LOSS = {"siege": constants.SIEGE, "siege token": constants.SIEGE_TOKEN, "retreat": constants.RETREAT}


class Answers:
    """Answers the decisions of one move. The move must give exactly the answers needed, and each must be legal.

    Parameters
    ----------
    game
        The game at the start of the move.
    why
        The message if the turn does not offer the option with which the move begins.
    begins
        Fields of this option, by name.

    Attributes
    ----------
    then
        The move's answer after a lost roll. It is set during a battle.
    sites
        Lands of monuments, in the order in which they are built.
    """

    def __init__(self, game: InspectedGame, move: PositionMove, why: str, **begins: int) -> None:
        self.game, self.move, self.why, self.begins = game, move, why, begins
        self.lands, self.landing = list(move.lands), list(move.landing)
        self.then: str | None = None
        self.sites: list[str] = []

    def __call__(self, decision: Decision) -> int:
        """Return the index of the option that the move specifies.

        Raises
        ------
        IllegalMoveError
            The move does not specify an option, or specifies one that is not offered.
        """
        if decision.number in (constants.BEGIN, constants.ACT):
            return decision.pick(self.why, **self.begins)
        answers: dict[int, Callable[[Decision], int]] = {
            constants.CHOOSE_WAY: self._way,
            constants.LANDING: self._land,
            constants.SITE: self._site,
            constants.PLACE: self._place,
            constants.TARGET: lambda decision: self._named(decision).index,
            constants.AFTER_LOSS: self._after_loss,
        }
        return answers[decision.number](decision)

    def check_used(self) -> None:
        """Reject the move if it gives an answer that no decision used."""
        for land in self.lands:
            raise IllegalMoveError(f"{land} is not asked for")
        for landing in self.landing:
            raise IllegalMoveError(f"a landing is not asked for: {landing}")

    def _way(self, decision: Decision) -> int:
        way = self.move.way
        if way is None:
            return 0
        return decision.pick(f"{self.move.land} cannot be reached by {way}", value=constants.WAYS.index(way))

    def _land(self, decision: Decision) -> int:
        refuse_if((not self.landing, "the marker would stop on an occupied space: gain or lose?"))
        wanted = self.landing.pop(0)
        return decision.pick(f"the marker cannot {wanted} a point there", value=LANDINGS[wanted])

    def _site(self, decision: Decision) -> int:
        refuse_if((not self.move.lands and len(decision.options) > 1, "there is a choice of sites for a monument"))
        option = self._named(decision) if self.move.lands else decision.options[0]
        self.sites.append(self.game.land_name(option.place))
        return option.index

    def _named(self, decision: Decision) -> Option:
        """Return the option for the next land that the move gives."""
        refuse_if((not self.lands, "a land is missing"))
        name = self.lands.pop(0)
        for option in decision.options:
            if self._name(option) == name:
                return option
        raise IllegalMoveError(f"{name} cannot be chosen here")

    def _name(self, option: Option) -> str | None:
        """Return the name of an option's land, or of its body if it places a disc; None for the option to stop."""
        if option.place != constants.NO_LAND:
            return self.game.land_name(option.place)
        is_body = option.kind == constants.DISCS and option.value != constants.NOWHERE
        return self.game.catalog.body_names[option.value] if is_body else None

    def _place(self, decision: Decision) -> int:
        """Return the index of the option for the move's next land.

        If the move gives no further land, or the land is not offered, return the index of the option to stop.
        """
        names = [self._name(option) for option in decision.options]
        if self.lands and self.lands[0] in names:
            return names.index(self.lands.pop(0))
        return names.index(None)

    def _after_loss(self, decision: Decision) -> int:
        then, self.then = self.then, None
        if then is None:
            raise IllegalMoveError("a roll is lost: siege, siege token or retreat?")
        return decision.pick(f"no {then} is possible after this loss", kind=AFTER_LOSS[then])
