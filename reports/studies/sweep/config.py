"""Configuration of a sweep: one or two parameters, their values, and the rows to show."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import Field

from reports.studies.search.parameters import Knob, find_knob, printed_game, with_knob
from sim.data.catalog import Row, read_toml, validate_row
from sim.data.changes import toml_text
from sim.errors import UserError, described_in
from sim.runs.config import RunConfig, check_describes, spelt_out

MAX_ARMS = 400


class Vary(Row):
    """A parameter and the values that it takes, from a `[[vary]]` table."""

    change: str
    values: list[bool | int | float | str | list[Any] | dict[str, Any]] = Field(min_length=1)


class SweepConfig(RunConfig):
    """The configuration of a sweep: that of a run, the varied parameters and the rows to show."""

    vary: list[Vary] = Field(min_length=1, max_length=2)
    watch: list[str] = Field(default=[])

    @property
    def arms(self) -> int:
        """Number of combinations of values."""
        return math.prod(len(vary.values) for vary in self.vary)


def read_sweep(path: Path) -> SweepConfig:
    """Read a sweep's TOML file."""
    data = read_toml(path)
    check_describes(path, data, "sweep")
    config = validate_row(path, data, SweepConfig, "sweep")
    with described_in(path):
        config = spelt_out(config)
    for number, vary in enumerate(config.vary, start=1):
        written = [toml_text(value) for value in vary.values]
        if len(set(written)) < len(written):
            twice = next(text for text in written if written.count(text) > 1)
            raise UserError("duplicate value", file=path, row=f"vary {number}", field="values", found=twice)
    if config.arms > MAX_ARMS:
        allowed = f"at most {MAX_ARMS}"
        raise UserError("too many combinations", file=path, field="vary", found=config.arms, allowed=allowed)
    return config


def find_knobs(config: SweepConfig) -> tuple[Knob, ...]:
    """Return the parameters of a sweep.

    Raises UserError if a parameter or a name to watch is unknown, or if both parameters are the same.
    """
    game, data = printed_game(config)
    knobs = tuple(find_knob(game, data, vary.change) for vary in config.vary)
    if len(knobs) == 2 and (knobs[0].row, knobs[0].name) == (knobs[1].row, knobs[1].name):
        raise UserError("both parameters are the same", field="vary", found=knobs[1].text, allowed="two different ones")
    names = [faction.name for faction in data.factions] + list(config.strategies)
    for name in config.watch:
        if name.casefold() not in [known.casefold() for known in names]:
            raise UserError("unknown name to watch", field="watch", found=name, allowed=names)
    return knobs


def sweep_arms(config: SweepConfig, knobs: Sequence[Knob]) -> dict[tuple[Any, ...], RunConfig]:
    """Return the configuration of every arm by its values, as TOML. The first parameter changes slowest."""
    arms = {}
    plain = RunConfig.model_validate({name: getattr(config, name) for name in RunConfig.model_fields})
    for values in itertools.product(*(vary.values for vary in config.vary)):
        arm = plain
        for knob, value in zip(knobs, values, strict=True):
            arm = with_knob(arm, knob, value)
        arms[tuple(map(toml_text, values))] = arm
    return arms
