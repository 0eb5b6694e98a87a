"""My Game: clans buy cards from a row or work for coins. A small game that plays; replace it with yours, part by part.

empirelab simulate my_game.py --games 5000 --out runs/my_game
empirelab report runs/my_game
empirelab rebalance my_game.py --faction Smiths --knob all --patch fair.toml
"""

from empirelab import Game, toml


class MyGame(Game):
    """The rules: `setup`, `options`, `apply` and `score` are enough. Each optional part unlocks something."""

    title = "My Game"
    players = (2, 3, 4)
    data = toml("my_game.toml")  # the numbers; `--change my_game.toml#Smiths.coins=2` changes one for a run
    faction_word = "clan"  # the rows of [[clan]] are the factions, dealt to the seats as state.factions
    score_parts = ("cards", "coins")  # what `score` returns; the sum decides

    def setup(self, state, deal):
        """Lay out the table. Shuffle with `deal` only: games with the same deal can then be compared."""
        state.deck = [card for card in self.data["card"] for _ in range(card.copies)]
        deal.shuffle(state.deck)
        state.row = [state.deck.pop() for _ in range(self.data["rules"].row)]
        state.coins = [clan.coins for clan in state.factions]
        state.bought = [[] for _ in range(state.players)]
        state.turn, state.seat = 0, 0

    def options(self, state):
        """Return what state.seat may do: never an empty list."""
        cards = [card for card in dict.fromkeys(state.row) if card.price <= state.coins[state.seat]]
        return ["work", *(("buy", card) for card in cards)]

    def apply(self, state, option, chance):
        """Carry out an option and pass the turn. Roll dice with `chance`. True ends the game."""
        me = state.seat
        if option == "work":
            state.coins[me] += state.factions[me].wage + chance.randint(1, self.data["rules"].die)
        else:
            card = option[1]
            state.coins[me] -= card.price
            state.bought[me].append((card, self.round(state)))
            state.row.remove(card)
            if state.deck:
                state.row.append(state.deck.pop())
        state.turn += 1
        state.seat = state.turn % state.players
        return state.turn == self.data["rules"].rounds * state.players

    def score(self, state, seat):
        """Return the points of a seat, a whole number for each of `score_parts`."""
        cards = sum(card.points for card, _ in state.bought[seat])
        return cards, state.coins[seat] // self.data["rules"].coins_per_point

    # ---- Optional from here on: delete what you do not need ----

    hidden = ("deck",)  # what nobody sees: unlocks look-ahead (--strategies collector+8), bots and soak's test of it
    piece_word, piece_events = "card", ("bought",)  # with `pieces`: card tables (--detail cards), intervene

    def round(self, state):
        """Return the number of the round, from 1: the length of games in the report."""
        return 1 + min(state.turn // state.players, self.data["rules"].rounds - 1)

    def pieces(self, state, seat):
        """Return what became of cards: name, event, round."""
        return [(card.name, "bought", turn) for card, turn in state.bought[seat]]

    def describe(self, state, option):
        """Return an option in words, for `empirelab replay`."""
        return "works" if option == "work" else f"buys {option[1].name} for {option[1].price}"

    def check(self, state):
        """Fail if the state is impossible: `empirelab soak my_game.py` calls it after every move."""
        assert min(state.coins) >= 0, "a clan has debts"


# ---- Players: functions that score one option; the best one is taken. `random` and `greedy` exist already. ----


def collector(game, state, option, *, thrift=0.3):
    """Buys what gives most points, less what it costs. `empirelab tune` finds a better `thrift`."""
    return 1 if option == "work" else option[1].points - thrift * option[1].price


def worker(game, state, option):
    """Works until the last rounds, then buys the dearest card."""
    late = game.round(state) > game.data["rules"].rounds // 2
    return 0.5 if option == "work" else option[1].price * late
