"""What a seat may see of Goofspiel, and its options, by name: for players in plain Python."""

from typing import Any

from sim.engine.api import Data, Record


def look(g: Record, data: Data, me: int) -> dict[str, Any]:
    """Return the prizes turned up, what is at stake, all hands, and the points won."""
    ranks = data.catalog.ranks
    seats = range(int(g.players))
    return {
        "players": int(g.players),
        "turned_up": [ranks[prize] for prize in g.deck[: g.turned]],
        "at_stake": int(g.at_stake),
        "hands": [[rank for card, rank in enumerate(ranks) if g.holds[seat, card]] for seat in seats],
        "points": [int(g.score[seat, 1]) for seat in seats],
    }


def name_options(g: Record, data: Data, me: int, decision: int) -> list[dict[str, Any]]:
    """Return the cards that can be bid, with their `value` in points."""
    ranks, cards = data.catalog.ranks, [int(card) for card in g.option_card[: g.option_count]]
    return [{"text": f"bid {ranks[card]}", "card": ranks[card], "value": card + 1} for card in cards]
