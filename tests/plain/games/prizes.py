"""Goofspiel in plain Python: the twin of the compiled example."""

from empirelab import Game


class Prizes(Game):
    title = "Goofspiel"
    players = (2, 3, 4)
    data = {"ranks": 13}  # noqa: RUF012 - as authors write it
    hidden = ("deck",)

    def setup(self, state, deal):
        state.deck = list(range(self.data["ranks"]))
        deal.shuffle(state.deck)
        state.hands = [list(range(self.data["ranks"])) for _ in range(state.players)]
        state.won, state.seat = [0] * state.players, 0
        state.at_stake = state.deck.pop(0) + 1

    def seats_to_act(self, state):
        return range(state.players)

    def options(self, state):
        return list(state.hands[state.seat])

    def apply(self, state, option, chance):
        best = max(option.values())
        winners = [seat for seat, bid in option.items() if bid == best]
        for seat, bid in option.items():
            state.hands[seat].remove(bid)
        if len(winners) == 1:
            state.won[winners[0]] += state.at_stake
            state.at_stake = 0
        if not state.deck:
            return True
        state.at_stake += state.deck.pop(0) + 1
        return False

    def score(self, state, seat):
        return state.won[seat]
