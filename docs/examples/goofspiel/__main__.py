"""`python -m docs.examples.goofspiel COMMAND ...`: the program with one game more."""

from runpy import run_module

from sim.engine.api import GAMES

GAMES["goofspiel"] = "docs.examples.goofspiel.game"
run_module("sim.cli", run_name="__main__")
