"""The players of the compiled game; each scores an option."""

from fast_caravans.turns import TRAVEL

from sim.engine.api import Record, Script, kernel


@kernel
def random(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Like every option alike."""
    return 0.0


@kernel
def trader(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Load what is worth most; travel with a full load, or before the game ends."""
    good, load = g.option_good[option], g.load_count[me]
    if good != TRAVEL:
        return float(t.good_value[good])
    last = g.turn >= (t.rounds - 1) * g.players
    ready = load >= t.family_camels[g.faction[me]] - w.weight[0] or (last and load > 0)
    return 100.0 if ready else 0.0


SCRIPTS = (
    Script("random", random, (), "takes any option"),
    Script("trader", trader, ("spare",), "loads what is worth most; travels with a full load"),
)
