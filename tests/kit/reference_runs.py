"""Reference runs: what they come to is kept, so that a change that is to change no result can be seen to change none.

    python -m tests.kit.reference_runs                # play all runs, compare with the kept digests
    python -m tests.kit.reference_runs --renew        # write the digests again
    python -m tests.kit.reference_runs --only 7w      # those whose names begin so

The digests are of what stands in the tables of a run, not of the files, which another version of Polars may write
another way.
"""

import argparse
import hashlib
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from sim import simulate

KEPT = Path(__file__).parent / "data" / "reference_digests.json"
Digests = Mapping[str, str]
"""Digest of each table of a run: "seats", "cards"."""

SEVEN_WONDERS = "military,science,civil,trade,wonder,guilds,blocker,balanced,greedy,random"
IMPERIUM = "random,greedy,empire-rush,conquest,history,fame,unrest-attack,market,balanced"
IMPERIAL_SETTLERS = "random,greedy,builder,razer,dealer,faction,commons,balanced"
HISTORY_OF_THE_WORLD = "random,greedy,expander,controller,raider,fortifier,balanced"
GLORY_OF_ROME = "random,greedy,military,politics,commerce,religion,builder,intriguer,balanced"
OTHER_READINGS = {"last_card_spends_turn_income": True, "last_card_before_discard_build": False}


@dataclass(frozen=True)
class ReferenceRun:
    """One run."""

    name: str  # its key among the digests
    options: Mapping[str, Any]  # of `sim.simulate`
    small: bool = False  # whether it is short enough for the tests to play it

    @property
    def exact(self) -> bool:
        """Whether it is the same on any machine: noise takes logarithms from the machine's mathematics library."""
        return "@" not in self.options["strategies"]


def runs_of_seven_wonders() -> list[ReferenceRun]:
    """All numbers of players, with all strategies and with noise; ways to sit; other readings of the rules."""
    runs = []
    for players in range(2, 8):
        table = {"game": "seven_wonders", "players": players}
        all_meet = {**table, "games": 2100, "strategies": SEVEN_WONDERS, "detail": "cards", "seed": 5}
        noise = {**table, "games": 840, "strategies": "balanced@0.5,science,random@1.0", "seed": 11}
        runs += [
            ReferenceRun(f"7w {players} mixed cards", all_meet, small=players in (2, 5)),
            ReferenceRun(f"7w {players} temp", noise),
        ]
    four = {"game": "seven_wonders", "players": 4, "games": 1000}
    at_random = {**four, "players": 5, "strategies": SEVEN_WONDERS, "assign": "random", "seed": 3}
    fixed = {**four, "strategies": "balanced,science,civil,random", "assign": "fixed", "seed": 3}
    read_otherwise = {"strategies": "balanced,science", "settings": OTHER_READINGS, "detail": "cards", "seed": 9}
    demo = {"game": "seven_wonders", "players": "3,4,7", "games": 20_000, "strategies": SEVEN_WONDERS, "seed": 1}
    return [
        *runs,
        ReferenceRun("7w random assign", at_random, small=True),
        ReferenceRun("7w fixed", fixed, small=True),
        ReferenceRun("7w settings", {**four, **read_otherwise}, small=True),
        ReferenceRun("7w demo", demo),
    ]


def runs_of_imperium() -> list[ReferenceRun]:
    """Both boxes and all numbers of players, with all strategies and with noise; both boxes in one run."""
    runs = []
    for box in ("classics", "legends"):
        for players in (2, 3, 4):
            table = {"game": "imperium", "variant": box, "players": players}
            all_meet = {**table, "games": 400, "strategies": IMPERIUM, "detail": "cards", "seed": 5}
            noise = {**table, "games": 120, "strategies": "balanced@0.5,conquest,random@1.0", "seed": 7}
            runs += [
                ReferenceRun(f"imp {box} {players} mixed cards", all_meet, small=players == 3),
                ReferenceRun(f"imp {box} {players} temp", noise),
            ]
    both = {"variant": "classics,legends", "players": "2,3,4", "games": 3000, "strategies": IMPERIUM, "seed": 1}
    at_random = {"players": 4, "games": 400, "strategies": IMPERIUM, "assign": "random", "seed": 3}
    return [
        *runs,
        ReferenceRun("imp both", {"game": "imperium", **both}),
        ReferenceRun("imp random assign", {"game": "imperium", **at_random}),
    ]


def runs_of_imperial_settlers() -> list[ReferenceRun]:
    """All variants and numbers of players, with all strategies and with noise; other readings of the rules."""
    runs = []
    for players in (2, 3, 4):
        table = {"game": "imperial_settlers", "players": players}
        all_meet = {**table, "games": 400, "strategies": IMPERIAL_SETTLERS, "detail": "cards", "seed": 5}
        noise = {**table, "games": 200, "strategies": "balanced@0.5,razer,random@1.0", "seed": 7}
        runs += [
            ReferenceRun(f"is {players} mixed cards", all_meet, small=players == 3),
            ReferenceRun(f"is {players} temp", noise),
        ]
    every = {"game": "imperial_settlers", "strategies": IMPERIAL_SETTLERS, "seed": 1}
    variants = "standard,alternative,advanced,peaceful,peaceful-alternative,peaceful-advanced"
    solo = {**every, "players": 1, "variant": "solo", "games": 200, "detail": "cards"}
    settings = {"reshuffle": "all", "wood_for_razed_faction_location": True, "foundations_score": True}
    return [
        *runs,
        ReferenceRun("is variants", {**every, "variant": variants, "players": "2,3,4", "games": 3600}),
        ReferenceRun("is solo", solo, small=True),
        ReferenceRun("is settings", {**every, "players": 3, "games": 400, "settings": settings}),
    ]


def runs_of_history_of_the_world() -> list[ReferenceRun]:
    """Both variants and all numbers of players, with all strategies and with noise; the other data set and readings."""
    runs = []
    for players in (3, 4, 5, 6):
        table = {"game": "history_of_the_world", "players": players}
        all_meet = {**table, "games": 210, "strategies": HISTORY_OF_THE_WORLD, "detail": "cards", "seed": 5}
        noise = {**table, "games": 60, "strategies": "balanced@0.5,raider,random@1.0", "seed": 7}
        runs += [
            ReferenceRun(f"hw {players} mixed cards", all_meet, small=players == 4),
            ReferenceRun(f"hw {players} temp", noise),
        ]
    every = {"game": "history_of_the_world", "strategies": HISTORY_OF_THE_WORLD, "seed": 1}
    of_1993 = {"data": "edition-1993"}
    settings = {"enhancements": "between phases", "siege_tokens_build_forts": True, "landing_below_one": True}
    return [
        *runs,
        ReferenceRun("hw classic", {**every, "variant": "classic", "players": "3,4,5,6", "games": 420}),
        ReferenceRun("hw 1993", {**every, "players": 6, "games": 140, "settings": of_1993}, small=True),
        ReferenceRun("hw settings", {**every, "players": 4, "games": 210, "settings": settings}),
    ]


def runs_of_glory_of_rome() -> list[ReferenceRun]:
    """All numbers of players, with all strategies and with noise; variants; the solo game; other readings."""
    runs = []
    for players in (2, 3, 4):
        table = {"game": "glory_of_rome", "players": players}
        all_meet = {**table, "games": 450, "strategies": GLORY_OF_ROME, "detail": "cards", "seed": 5}
        noise = {**table, "games": 200, "strategies": "balanced@0.5,military,random@1.0", "seed": 7}
        runs += [
            ReferenceRun(f"gr {players} mixed cards", all_meet, small=players == 3),
            ReferenceRun(f"gr {players} temp", noise),
        ]
    every = {"game": "glory_of_rome", "strategies": GLORY_OF_ROME, "seed": 1}
    variants = "spies,truce,clockwork,heroes,hard-times,spies+truce+clockwork+heroes+hard-times"
    solo = {**every, "players": 1, "variant": "imperial", "games": 200, "detail": "cards"}
    settings = {
        "first_round": "no event", "draw_beyond_limit": "lost", "roof_first": "allowed",
        "left_region": "stays conquered",
    }  # fmt: skip
    return [
        *runs,
        ReferenceRun("gr variants", {**every, "variant": variants, "players": "2,3,4", "games": 3600}),
        ReferenceRun("gr spies", {**every, "variant": "spies", "players": 4, "games": 200}, small=True),
        ReferenceRun("gr solo", solo, small=True),
        ReferenceRun("gr settings", {**every, "players": 4, "games": 400, "settings": settings}),
    ]


ALL = [
    *runs_of_seven_wonders(), *runs_of_imperium(), *runs_of_imperial_settlers(), *runs_of_history_of_the_world(),
    *runs_of_glory_of_rome(),
]  # fmt: skip
RUNS = {run.name: run for run in ALL}


def play(run: ReferenceRun) -> Digests:
    """Play a run and return its digests."""
    with tempfile.TemporaryDirectory() as folder:
        out = simulate(**run.options, out=Path(folder) / "run", jobs=1, progress=False)
        tables = sorted({path.parent for path in out.rglob("*.parquet")})
        return {table.name: digest(pl.read_parquet(table / "*.parquet")) for table in tables}


def digest(frame: pl.DataFrame) -> str:
    """SHA-256 over the names, types and values of all columns."""
    found = hashlib.sha256()
    for column in frame:
        found.update(f"{column.name} {column.dtype}".encode())
        found.update(column.to_physical().to_numpy().tobytes())
    return found.hexdigest()


def kept() -> dict[str, Digests]:
    """Return the kept digests of all runs."""
    digests: dict[str, Digests] = json.loads(KEPT.read_text("utf-8"))
    return digests


def compare(names: Sequence[str]) -> int:
    """Play runs and say which are as they were; return how many are not that should be on any machine."""
    before, differing = kept(), 0
    for name in names:
        same = play(RUNS[name]) == before.get(name)
        differing += not same and RUNS[name].exact
        remark = "" if RUNS[name].exact else " (noise: depends on the machine's mathematics library)"
        print(f"{'same' if same else 'OTHER'}  {name}{remark}", flush=True)
    return differing


def renew(names: Sequence[str]) -> None:
    """Play runs and keep their digests; runs that are no longer there are forgotten."""
    before = kept() if KEPT.exists() else {}
    digests = {name: play(RUNS[name]) if name in names else before.get(name, {}) for name in RUNS}
    KEPT.write_text(json.dumps(digests, indent=1) + "\n", "utf-8")
    print(f"{KEPT.name}: {len(names)} of {len(RUNS)} runs written")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Play the reference runs and compare what they come to.")
    parser.add_argument("--renew", action="store_true", help="write the digests again")
    parser.add_argument("--only", default="", help="runs whose names begin so")
    asked = parser.parse_args()
    names = [name for name in RUNS if name.startswith(asked.only)]
    if asked.renew:
        renew(names)
    else:
        sys.exit(1 if compare(names) else 0)


if __name__ == "__main__":
    main()
