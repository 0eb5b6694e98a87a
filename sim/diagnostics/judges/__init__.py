"""Trains learned judges (`sim.players.judge`): plays games of self-play, fits nets to them, tests on fresh deals."""
