"""`python -m docs.examples.goofspiel COMMAND ...`: the program with one game more."""

from sim.cli import main
from sim.game import GAMES

GAMES["goofspiel"] = "docs.examples.goofspiel.game"
main()
