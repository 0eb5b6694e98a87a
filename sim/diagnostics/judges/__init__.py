"""Trains learned judges (`sim.players.judge`): games of self-play, the fit of the nets, the test on fresh deals."""
