"""Caravans, compiled: what it declares, and its numbers, which are those of the plain game."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from fast_caravans import turns

from sim.engine.api import (
    Change,
    Data,
    Faction,
    GameSpec,
    Kind,
    Row,
    Variant,
    digest,
    read_changed,
    read_once,
    resolve_settings,
    validate_row,
)

FILE = Path(__file__).resolve().parents[1] / "caravans.toml"


class Rules(Row):
    """The table [rules]."""

    rounds: int
    row: int
    die: int


class Family(Row):
    """A row of [[family]]."""

    name: str
    coins: int
    camels: int
    guards: int


class Good(Row):
    """A row of [[good]]."""

    name: str
    value: int
    copies: int


FILES = {FILE.name: {"rules": Kind(Rules), "family": Kind(Family, ("name",)), "good": Kind(Good, ("name",))}}


@read_once(FILE.parent)
def load(settings: Mapping[str, object], changes: Sequence[Change] = ()) -> Data:
    """Read the numbers with changes to them, and pack them for the kernels."""
    resolve_settings([], settings, {}, "caravans")
    content = read_changed(FILE, FILES[FILE.name], changes)
    t = np.zeros(1, turns.TABLES)
    for name, value in validate_row(FILE, content["rules"], Rules, "rules"):
        t[name] = value
    for table, model in (("family", Family), ("good", Good)):
        t[f"{table}_count"] = len(content[table])
        for number, row in enumerate(content[table]):
            for name, value in validate_row(FILE, row, model, row["name"]):
                if name != "name":
                    t[f"{table}_{name}"][0, number] = value
    t.flags.writeable = False
    families = tuple(Faction(name=row["name"], attributes={}) for row in content["family"])
    return Data(tables=t[0], certainty={}, digest=digest(content), catalog=content, factions=families)


GAME = GameSpec(
    title="Caravans, compiled",
    variants=(Variant("standard", (2, 3, 4), ""),),
    folder=FILE.parent,
    files=FILES,
    faction_title="family",
    faction_place=lambda data, number: (FILE.name, data.factions[number].name),
    state=turns.STATE,
    tables=turns.TABLES,
    load=load,
    set_up=turns.set_up,
    play_step=turns.play_step,
    redeal=turns.redeal,
    score_game=turns.score_game,
    default_strategies=("trader", "hasty"),
)
