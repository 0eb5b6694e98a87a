from empirelab import Game, toml


class Caravans(Game):
    players = (2, 3, 4)
    data = toml("caravans.toml")
    faction_word = "family"  # the rows of [[family]] are dealt to the seats

    def setup(self, state, deal):
        state.bag = [good for good in self.data["good"] for _ in range(good.copies)]
        deal.shuffle(state.bag)
        state.row = [state.bag.pop() for _ in range(self.data["rules"].row)]
        state.coins = [family.coins for family in state.factions]
        state.load = [[] for _ in range(state.players)]
        state.turn, state.seat = 0, 0

    def options(self, state):
        room = len(state.load[state.seat]) < state.factions[state.seat].camels
        return [*(("load", good) for good in dict.fromkeys(state.row) if room), "travel"]

    def apply(self, state, option, chance):
        me = state.seat
        if option == "travel":
            load = sorted(state.load[me], key=lambda good: good.value)
            if load and chance.randint(1, self.data["rules"].die) + state.factions[me].guards <= len(load):
                load.pop()  # robbers take the best
            state.coins[me] += sum(good.value for good in load)
            state.load[me] = []
        else:
            state.load[me].append(option[1])
            state.row.remove(option[1])
            if state.bag:
                state.row.append(state.bag.pop())
        state.turn += 1
        state.seat = state.turn % state.players
        return state.turn == self.data["rules"].rounds * state.players

    def score(self, state, seat):
        return state.coins[seat]

    hidden = ("bag",)

    def round(self, state):
        return 1 + min(state.turn // state.players, self.data["rules"].rounds - 1)

    def describe(self, state, option):
        return "travels" if option == "travel" else f"loads {option[1].name}"

    def check(self, state):
        for load, family in zip(state.load, state.factions, strict=True):
            assert len(load) <= family.camels, "more goods than camels"


def trader(game, state, option, *, spare=0.0):
    """Loads what is worth most; travels with a full load, or before the game ends."""
    load, camels = state.load[state.seat], state.factions[state.seat].camels
    last = state.turn >= (game.data["rules"].rounds - 1) * state.players
    if option == "travel":
        return 100 if len(load) >= camels - spare or (last and load) else 0
    return option[1].value


def hasty(game, state, option):
    """Travels with a camel to spare."""
    return trader(game, state, option, spare=1.0)
