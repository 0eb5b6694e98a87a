"""A game of guilds that buy goods: factions, pieces, a hidden deck, rounds, a setting, a variant."""

from empirelab import Game, toml


class Trade(Game):
    title = "Trade"
    players = (2, 3)
    data = toml("trade.toml")
    faction_word = "guild"
    score_parts = ("goods", "coins")
    measure_names = ("bought",)
    checkpoints = (2, 3)
    end_reasons = ("last round", "no goods left")
    piece_word, piece_events, piece_price = "good", ("bought",), ("price",)
    hidden = ("deck",)
    variants = {"standard": None, "long": (2,)}  # noqa: RUF012 - as authors write it
    settings = {"dice": (True, False)}  # noqa: RUF012 - as authors write it

    def setup(self, state, deal):
        state.deck = [good for good in self.data["good"] for _ in range(good.copies)]
        deal.shuffle(state.deck)
        state.row = [state.deck.pop() for _ in range(self.data["rules"].row)]
        state.coins = [guild.coins for guild in state.factions]
        state.points = [0] * state.players
        state.got = [[] for _ in range(state.players)]
        state.turn, state.seat = 0, 0

    def round(self, state):
        return 1 + (max(0, state.turn - 1) if self.done(state) else state.turn) // state.players

    def done(self, state):
        return not state.row or state.turn == state.players * self.length(state)

    def length(self, state):
        return self.data["rules"].rounds + (2 if state.variant == "long" else 0)

    def options(self, state):
        own = state.coins[state.seat]
        return ["work", *(("buy", good) for good in dict.fromkeys(state.row) if good.price <= own)]

    def apply(self, state, option, chance):
        me = state.seat
        if option == "work":
            dice = chance.randint(1, self.data["rules"].die) if state.settings.dice else 2
            state.coins[me] += dice + state.factions[me].wage
        else:
            good = option[1]
            state.coins[me] -= good.price
            state.points[me] += good.points
            state.got[me].append((good.name, self.round(state)))
            state.row.remove(good)
            if state.deck:
                state.row.append(state.deck.pop())
        state.turn += 1
        state.seat = state.turn % state.players

    def is_over(self, state):
        return self.done(state)

    def end_reason(self, state):
        return "last round" if state.row else "no goods left"

    def score(self, state, seat):
        return state.points[seat], state.coins[seat] // 3

    def tie_break(self, state, seat):
        return state.coins[seat]

    def measures(self, state, seat):
        return {"bought": len(state.got[seat])}

    def pieces(self, state, seat):
        return [(name, "bought", turn) for name, turn in state.got[seat]]

    def describe(self, state, option):
        return "works" if option == "work" else f"buys {option[1].name} for {option[1].price}"

    def check(self, state):
        assert min(state.coins) >= 0, "a guild has debts"


def saver(game, state, option, *, patience=1.0, greed=1.0):
    """Buys what gives most for its price."""
    return patience if option == "work" else greed * option[1].points - option[1].price / 3


def spender(game, view, options):
    """Buys the first good it can."""
    return options[-1]
