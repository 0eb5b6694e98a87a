"""What a move says of the decisions that the engine then asks for: each must be given and legal."""

from __future__ import annotations

from sim.compiler.kernel import Record
from sim.games.glory_of_rome.io.moves import PositionMove
from sim.games.glory_of_rome.io.reasons import NO_ROOM
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.pantheon import is_finished
from sim.games.shared.stepping import IllegalMoveError


class Given:
    """Answers the decisions of one move.

    Parameters
    ----------
    move
        The move.
    t
        Tables.
    """

    def __init__(self, move: PositionMove, t: Record) -> None:
        self.move, self.t = move, t
        self.legions = list(move.legions)
        self.moves_legions = False

    def __call__(self, g: Record) -> int:
        """Return the place of the option that the move gives.

        Raises
        ------
        IllegalMoveError
            It gives none, or one that is not offered.
        """
        ways = {
            constants.ASK_LEGION: self._legion,
            constants.ASK_LEVEL: self._level,
            constants.ASK_ANSWER: self._answer,
            constants.ASK_SPY: self._spy,
            constants.ASK_WINDOW: self._window,
        }
        return ways[int(g.paused_decision)](g)

    def check_used(self) -> None:
        """Check that no more steps of legions are given than were asked for; where none are, none count.

        Raises
        ------
        IllegalMoveError
            There are more.
        """
        if self.moves_legions and self.legions:
            raise IllegalMoveError(f"too many steps of legions, one to {self.legions[0].to} is left over")

    def _legion(self, g: Record) -> int:
        self.moves_legions = True
        if not self.legions:
            raise IllegalMoveError("a step of a legion is missing")
        step = self.legions.pop(0)
        to = constants.REGIONS.index(step.to)
        if step.source is None:
            option = find_option(g, constants.PLACE_LEGION, option_place=to)
            why = "there is no legion on the player board"
        else:
            source = constants.REGIONS.index(step.source)
            option = find_option(g, constants.MOVE_LEGION, option_card=source, option_place=to)
            why = f"no legion can be moved from {step.source} to {step.to}"
        if option is None:
            raise IllegalMoveError(why)
        return option

    def _level(self, g: Record) -> int:
        if self.move.level is None:
            raise IllegalMoveError("the level of the Pantheon is not given")
        level = constants.PANTHEON_LEVELS.index(str(self.move.level))
        option = find_option(g, constants.PLACE_PIECE, option_card=level)
        if option is None:
            raise IllegalMoveError(
                f"no piece can be placed on the {self.move.level}: {_why_no_piece(g, self.t, level)}"
            )
        return option

    def _answer(self, g: Record) -> int:
        option = find_option(g, constants.ACCEPT if self.move.accepted else constants.REFUSE)
        assert option is not None
        return option

    def _spy(self, g: Record) -> int:
        if self.move.choice is None:
            raise IllegalMoveError("what the spy brings is not chosen: glory, or action?")
        option = find_option(g, constants.TAKE_GLORY if self.move.choice == "glory" else constants.FREE_ACTION)
        if option is None:
            raise IllegalMoveError(f"the action of the {self.move.building} building is not possible")
        return option

    def _window(self, g: Record) -> int:
        # A spy's owner with a full hand; room is made by moves of its own before the token is put.
        raise IllegalMoveError(NO_ROOM)


def _why_no_piece(g: Record, t: Record, level: int) -> str:
    """Say why the seat on turn can place no piece of the Pantheon on a level."""
    seat = int(g.turn_seat)
    if is_finished(g, t, seat, level):
        return "it is finished"
    if level == constants.ROOF and not t.roof_first and not is_finished(g, t, seat, constants.BASE):
        return "the base is not finished"
    return "no common piece is left"


def find_option(g: Record, kind: int, **fields: int) -> int | None:
    """Return the place of the option of a kind with these fields; None if it is not offered."""
    for option in range(int(g.option_count)):
        if g.option_kind[option] == kind and all(g[field][option] == number for field, number in fields.items()):
            return option
    return None
