"""Hex, by Piet Hein and John Nash: two players place stones in turn; the first to connect two opposite sides wins.

empirelab simulate docs/examples/hex.py --games 2000 --out runs/hex
empirelab report runs/hex
empirelab compare docs/examples/hex.py --games 2000 --with-set swap=true
"""

from collections import deque

from empirelab import Game

BEYOND = 1000
"""Distance of a cell that cannot be reached."""


class Hex(Game):
    """Seat 0 connects top and bottom, seat 1 left and right. With `swap`, seat 1 may take over the first stone."""

    players = (2,)
    data = {"side": 5}
    score_parts = ("won",)
    measure_names = ("stones_missing",)
    settings = {"swap": (False, True)}
    hidden = ()  # nothing is hidden, so players may look ahead: connect+8

    def setup(self, state, deal):
        """Start with an empty board."""
        side = self.data["side"]
        state.owner = {(row, column): None for row in range(side) for column in range(side)}
        state.seat, state.turn = 0, 0
        self.note_ways(state)

    def options(self, state):
        """Return the empty cells, and the swap of the first stone."""
        empty = [cell for cell, owner in state.owner.items() if owner is None]
        return ["swap", *empty] if state.settings.swap and state.turn == 1 else empty

    def apply(self, state, option, chance):
        """Place a stone. A stone that is taken over moves to the mirrored cell: the sides are mirrored, too."""
        if option == "swap":
            (stone,) = [cell for cell, owner in state.owner.items() if owner == 0]
            state.owner[stone] = None
            option = stone[1], stone[0]
        state.owner[option] = state.seat
        self.note_ways(state)
        state.turn += 1
        state.seat = 1 - state.seat
        return 0 in state.missing

    def score(self, state, seat):
        """Return 1 for a connection."""
        return int(state.missing[seat] == 0)

    def measures(self, state, seat):
        """Return the stones that a seat still needs."""
        return {"stones_missing": min(state.missing[seat], self.data["side"])}

    def describe(self, state, option):
        """Name a cell as Hex players do: b3."""
        return option if option == "swap" else f"{'abcdefghijklmnopqrs'[option[1]]}{option[0] + 1}"

    def steps_to_centre(self, cell):
        """Return the rows and columns between a cell and the middle of the board."""
        middle = (self.data["side"] - 1) / 2
        return abs(cell[0] - middle) + abs(cell[1] - middle)

    def note_ways(self, state):
        """Note for both seats the stones missing for a connection, in all and through each cell."""
        state.through = [self.paths(state, seat) for seat in (0, 1)]
        state.missing = [min(paths.values()) for paths in state.through]

    def paths(self, state, seat):
        """Return for each cell the fewest stones that a seat lacks for a connection through it."""
        last = self.data["side"] - 1
        cost = {cell: 0 if owner == seat else 1 if owner is None else BEYOND for cell, owner in state.owner.items()}
        ends = [self.distances(cost, [cell for cell in cost if cell[seat] == edge]) for edge in (0, last)]
        return {cell: ends[0][cell] + ends[1][cell] - cost[cell] for cell in cost}

    def distances(self, cost, edge):
        """Return the cheapest way from an edge to each cell, the cell itself included."""
        found = dict.fromkeys(cost, 2 * BEYOND)
        found |= {cell: cost[cell] for cell in edge}
        waiting = deque(sorted(edge, key=cost.get))
        while waiting:
            cell = row, column = waiting.popleft()
            for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)):
                other = row + down, column + right
                if other in cost and found[cell] + cost[other] < found[other]:
                    found[other] = found[cell] + cost[other]
                    (waiting.append if cost[other] else waiting.appendleft)(other)
        return found


def connect(game, state, option, *, block=1.0, off_centre=3.0):
    """Plays where its own way and that of the other are shortest; with `swap` it opens off the centre."""
    if state.turn == 0 and state.settings.swap:
        return -abs(game.steps_to_centre(option) - off_centre)
    if option == "swap":
        (stone,) = [cell for cell, owner in state.owner.items() if owner == 0]
        return 0.0 if game.steps_to_centre(stone) < off_centre else -BEYOND
    mine, other = state.through[state.seat], state.through[1 - state.seat]
    return -mine[option] - block * other[option]


def race(game, state, option):
    """Cares more for its own way than for that of the other."""
    return connect(game, state, option, block=0.6)
