"""Four Deltas: nations harvest, found cities, sell grain on a market, learn advances and raid each other by dice.

empirelab simulate docs/examples/deltas.py --games 10000 --out runs/deltas
empirelab report runs/deltas
empirelab rebalance docs/examples/deltas.py --faction Nile --knob all --patch fair.toml
"""

from empirelab import Game, toml


class Deltas(Game):
    """The rules; the numbers are in deltas.toml."""

    title = "Four Deltas"
    players = (2, 3, 4)
    data = toml("deltas.toml")
    faction_word = "nation"
    score_parts = ("cities", "advances", "gold")
    checkpoints = (3, 6)
    piece_word, piece_events, piece_price = "advance", ("learnt",), ("price",)
    hidden = ("deck",)

    def setup(self, state, deal):
        """Shuffle the advances, and give each nation its goods."""
        rules = self.data["rules"]
        state.deck = [advance for advance in self.data["advance"] for _ in range(advance.copies)]
        deal.shuffle(state.deck)
        state.row = [state.deck.pop() for _ in range(rules.row)]
        state.price = rules.grain_price
        state.grain = [nation.grain for nation in state.factions]
        state.gold = [nation.gold for nation in state.factions]
        state.strength = [nation.strength for nation in state.factions]
        state.farming = [nation.farming for nation in state.factions]
        state.cities = [1] * state.players
        state.learnt = [[] for _ in range(state.players)]
        state.turn, state.seat = 0, 0

    def round(self, state):
        """Return the round, from 1."""
        return 1 + min(state.turn // state.players, self.data["rules"].rounds - 1)

    def options(self, state):
        """Return what the nation in turn can pay."""
        me, rules = state.seat, self.data["rules"]
        settle = [("settle", None)] if state.grain[me] >= rules.city_price else []
        sell = [("sell", None)] if state.grain[me] else []
        learn = [("learn", advance) for advance in dict.fromkeys(state.row) if advance.price <= state.gold[me]]
        raid = [("raid", other) for other in range(state.players) if other != me and state.gold[other]]
        return [("harvest", None), *settle, *sell, *learn, *raid]

    def apply(self, state, option, chance):
        """Carry out an action; the price of grain recovers after every round."""
        me, rules, (what, which) = state.seat, self.data["rules"], option
        if what == "harvest":
            state.grain[me] += state.cities[me] + state.farming[me]
        elif what == "settle":
            state.grain[me] -= rules.city_price
            state.cities[me] += 1
        elif what == "sell":
            state.gold[me] += state.grain[me] * state.price // 2
            state.grain[me] = 0
            state.price = max(1, state.price - 1)
        elif what == "learn":
            state.gold[me] -= which.price
            state.farming[me] += which.farming
            state.strength[me] += which.strength
            state.learnt[me].append((which, self.round(state)))
            state.row.remove(which)
            if state.deck:
                state.row.append(state.deck.pop())
        elif self.roll(state, me, chance) > self.roll(state, which, chance):
            loot = min(rules.loot, state.gold[which])
            state.gold[which], state.gold[me] = state.gold[which] - loot, state.gold[me] + loot
        state.turn += 1
        state.seat = state.turn % state.players
        if state.seat == 0:
            state.price = min(rules.grain_price, state.price + 1)
        return not state.row or state.turn == rules.rounds * state.players

    def roll(self, state, seat, chance):
        """Return the strength of a nation and a die."""
        return state.strength[seat] + chance.randint(1, self.data["rules"].die)

    def score(self, state, seat):
        """Return the points of cities, advances and gold."""
        advances = sum(advance.points for advance, _ in state.learnt[seat])
        rules = self.data["rules"]
        return state.cities[seat] * rules.city_points, advances, state.gold[seat] // rules.gold_per_point

    def pieces(self, state, seat):
        """Return the advances learnt, with their rounds."""
        return [(advance.name, "learnt", turn) for advance, turn in state.learnt[seat]]


def ruler(game, state, option, *, city=2.0, grain=0.4, gold=0.3, farming=0.4, strength=0.3, raid=1.0):
    """Weighs points now against goods for later; `empirelab tune` finds better weights."""
    me, rules, (what, which) = state.seat, game.data["rules"], option
    left = rules.rounds - game.round(state)
    if what == "harvest":
        return grain * (state.cities[me] + state.farming[me])
    if what == "settle":
        return rules.city_points + city * grain * left - grain * rules.city_price
    if what == "sell":
        return gold * (state.grain[me] * state.price // 2) - grain * state.grain[me] * (left > 1)
    if what == "learn":
        return which.points + (farming * which.farming + strength * which.strength) * left - gold * which.price
    ahead = state.strength[me] - state.strength[which]
    return raid * gold * min(rules.loot, state.gold[which]) * min(1.0, max(0.0, 0.42 + 0.14 * ahead))


def merchant(game, state, option):
    """Sells and learns, and founds few cities."""
    return ruler(game, state, option, city=0.5, gold=0.5, raid=0.5)


def raider(game, state, option):
    """Learns to fight and raids."""
    return ruler(game, state, option, strength=1.0, raid=3.0)
