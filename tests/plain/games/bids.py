"""A game of sealed bids for prizes: all choose at the same time, and the numbers stand in the class."""

from empirelab import Game


class Bids(Game):
    players = (2, 3)
    data = {"prizes": 5, "bonus": 1}  # noqa: RUF012 - as authors write it
    hidden = ("prizes",)

    def setup(self, state, deal):
        state.prizes = list(range(1, self.data["prizes"] + 1))
        deal.shuffle(state.prizes)
        state.cards = [list(range(1, self.data["prizes"] + 1)) for _ in range(state.players)]
        state.won = [0] * state.players
        state.prize = state.prizes.pop()
        state.seat = 0

    def seats_to_act(self, state):
        return range(state.players)

    def options(self, state):
        return list(state.cards[state.seat])

    def apply(self, state, option, chance):
        best = max(option.values())
        winners = [seat for seat, bid in option.items() if bid == best]
        for seat, bid in option.items():
            state.cards[seat].remove(bid)
        if len(winners) == 1:
            state.won[winners[0]] += state.prize + self.data["bonus"]
        if not state.prizes:
            return True
        state.prize = state.prizes.pop()
        return False

    def score(self, state, seat):
        return state.won[seat]


def matching(game, state, option, *, push=0.0):
    """Bids the prize."""
    return -abs(option - state.prize - push)
