"""The players of Goofspiel: each scores the card that would be bid."""

from sim.engine.api import Record, Script, kernel


@kernel
def random(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Like every card alike."""
    return 0.0


@kernel
def matching(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Bid the card that is nearest to the points at stake."""
    return -abs(g.option_card[option] + 1.0 - g.at_stake)


SCRIPTS = (Script("random", random, (), "bids any card"), Script("matching", matching, (), "bids what is at stake"))
