"""Writes docs/validity.md from results of people and kept figures of runs, both in `configs/validity/`.

python docs/make_validity.py          # write the page
python docs/make_validity.py --check  # only tell whether it says what the files say
python docs/make_validity.py --play   # first play the runs again and keep their figures: about a quarter of an hour
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import stats

import empirelab
from reports.data.validity import FOLDER, PLAYED, KeptPlay, Revision, Validity, plays_of, validity_of
from reports.statistics.agreement import spearman, spread_of
from reports.statistics.core.win_rate import ALPHA, Floats, holm
from reports.statistics.distributions import normal_isf
from sim.compiler.source_digest import own_environment
from sim.data.changes import toml_text
from sim.data.declarations import GAMES
from sim.game import load_game

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "validity.md"
TWO_SIDED = float(normal_isf(ALPHA / 2))
INTRODUCTION = """<!-- Written by docs/make_validity.py: do not edit. -->

# Validity

A report says what is out of balance under scripted players. This page holds that against what people found: published
results with a source, and cards that designers changed in a reprint. Results of your own games say more than this page:
import them with `empirelab import` and set a run beside them with `empirelab validate`.

What a source cannot tell stands beside it. The figures of runs are kept with the commands that play them, and
`python docs/make_validity.py --play` plays them again.
"""
SOURCES_SAY = (
    "*Sources say* is the mean of all findings: 1 for good, 0 for average, -1 for bad. The other columns are edges "
    "in points of win rate over the fair share, both sides of a board together, with 95 % limits."
)
RANKS = (
    "Rank correlation (Spearman) of the {wonders} wonders that sources name; *by chance* is the share of all orders "
    "of the wonders that correlate as well or better. Findings of one tournament in several years are not "
    "independent."
)
FACES = (
    "**new faces that the designers printed make nations fairer in the simulation: the spread over nations is surely "
    "narrower in {narrower} of {conditions} conditions. Of {cases} cases (nations whose new faces can be played, in "
    "each condition), {towards} moved surely towards fair and {away} surely away; in {opposite} the share moved "
    "against its imbalance of 2021.** *Surely* allows for all conditions and cases at once: the chance that any of the "
    "{counted} is wrong is at most 5 % (Holm, of {conditions} spreads and {cases} cases together). All cases are of "
    "the same {nations} nations, so they do not confirm each other as {cases} nations would."
)
SPREADS = (
    "With *classics and legends* half of the games have the commons of each box. "
    "*Spread* is the root mean square of the nations' edges in points, without noise. *Towards fair* and *away* "
    "count nations whose distance from the fair share shrank or grew (95 % for all nations of a row at once, so that "
    "chance gives {lines} such rows about one wrong count at most; the sentence at the top counts more strictly). "
    "*Against imbalance* counts those whose share fell if it was above fair in 2021, or rose if it was below. "
    "*Distance* is the mean distance from fair, with the faces of 2021, of the nations that were changed and can be "
    "played, and of those that were not changed; *by chance* is the p-value of a rank test (Mann and Whitney) that "
    "the first are farther."
)
NEEDED = {"Horizons": "the new box", "reading": "a reading"}
LEFT = (
    "Of {horizons} faces only what the new box brings is left out: without its cards and tokens these parts cannot be "
    "played at all, and the cards of 2021 have no use for them. All other parts of the new faces are played. Of "
    "{reading} faces the source leaves open how a part works; it is played in the plainest way."
)
NOTHING = (
    "No public results of people with a source were found for {title}, so nothing is known of how far the simulation "
    "agrees with them."
)
RUNGS = {
    "random": ("random",),
    "greedy": ("greedy",),
    "balanced": ("balanced",),
    "balanced, without lessons": ("balanced", "--change", "balanced.toml#lessons=0"),
    "balanced+8": ("balanced+8",),
    "judge+4": ("judge+4",),
}
"""Players of a rung: their name, and more options of `simulate`."""
TRAINED = "trained"
"""Name of a judge that is trained for changed cards."""
IMPERIUM = [
    ("imperium", rung, variant, players, 20_000, changes)
    for variant, players, rungs in (
        *((variant, players, ("random", "greedy", "balanced, without lessons", "balanced"))
          for variant in ("classics", "legends") for players in (2, 3)),
        *((variant, 4, ("balanced",)) for variant in ("classics", "legends")),
        ("classics,legends", 2, ("balanced",)),
    )
    for rung in rungs
    for changes in ("", "faces_2024")
]  # fmt: skip
PLAYS = [
    *(("seven_wonders", rung, "standard", 4, 20_000, "") for rung in ("random", "greedy", "balanced")),
    ("seven_wonders", "balanced+8", "standard", 4, 3_000, ""),
    *IMPERIUM,
    *(("imperium", "judge+4", "classics", 2, 3_000, changes) for changes in ("", "faces_2024")),
]
"""Game, rung, variant, number of players, games and changes of each run."""


def play(game: str, rung: str, variant: str, players: int, games: int, changes: str) -> KeptPlay:
    """Play a run, and return the edges of its factions."""
    kept = validity_of(game)
    assert kept is not None
    name, *more = RUNGS[rung]
    seats, changed = ["--variant", variant, "--players", str(players)], ["--change", f"@{changes}"] if changes else []
    before = []
    if changes and name.startswith("judge"):
        before = ["train", game, *seats, *changed, "--out", f"{TRAINED}.toml"]
        name, more = name.replace("judge", TRAINED), ["--code", f"{TRAINED}.toml"]
    asked = ["simulate", game, *seats, "--games", str(games), "--strategies", name, *more, *changed]
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "run"
        for words in (before, [*asked, "--jobs", "1", "--out", str(out)]):
            if words:
                command = [sys.executable, "-m", "sim.cli", *words, "--quiet"]
                subprocess.run(command, check=True, cwd=scratch, stdout=subprocess.DEVNULL, env=own_environment())
        frame = empirelab.open(out).table(kept.attribute).frame.sort("level")
    edges = {row["level"]: [round(row["edge"], 4), round(row["error"], 4)] for row in frame.iter_rows(named=True)}
    typed = " && ".join(" ".join(["empirelab", *words]) for words in (before, asked) if words)
    return KeptPlay(rung=rung, variant=variant, players=players, games=games, changes=changes, command=typed,
                    edges=edges)  # fmt: skip


def written(play: KeptPlay) -> Iterator[str]:
    """Return the lines of a run in its file."""
    yield "\n[[play]]"
    for name, value in play:
        if name != "edges":
            yield f"{name} = {toml_text(value)}"
    yield "[play.edges]"
    yield from (f"{toml_text(name)} = {toml_text(edge)}" for name, edge in play.edges.items())


def play_all() -> None:
    """Play all runs and keep their figures; a game's file is written when all its runs are there."""
    for game in dict.fromkeys(of for of, *_ in PLAYS):
        lines = ["# Edges and standard errors by faction, of runs that `python docs/make_validity.py --play` played."]
        for asked in PLAYS:
            if asked[0] == game:
                print(*asked[1:], flush=True)
                lines += written(play(*asked))
        (FOLDER / PLAYED).mkdir(exist_ok=True)
        (FOLDER / PLAYED / f"{game}.toml").write_text("\n".join(lines) + "\n", "utf-8")


# ---- The page ----


def percent(share: float) -> str:
    """Return 0.1234 as '12.3'."""
    return f"{100 * share:.1f}"


def with_error(value: float, error: float) -> str:
    """Return an edge in points with its 95 % half-width."""
    return f"{100 * value:+.1f} ± {100 * TWO_SIDED * error:.1f}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return a table in Markdown."""
    return [f"| {' | '.join(head)} |", "|---" * len(head) + "|", *(f"| {' | '.join(row)} |" for row in rows), ""]


def source_lines(kept: Validity) -> Iterator[str]:
    """Return what each source is, tells and does not tell."""
    for source in kept.source:
        address = f"<{source.address}>" if " " not in source.address else source.address
        games = f"{source.games} games" if source.games else ""
        size = "; ".join(filter(None, [str(source.year or ""), games, source.size]))
        yield f"- **{source.title}** ({size}). {source.tells} *Not told:* {source.does_not_tell} {address}"
    yield ""


def said_of(kept: Validity) -> dict[str, float]:
    """Return the mean of what sources say of each faction: 1 good, 0 average, -1 bad."""
    names = dict.fromkeys(finding.faction for finding in kept.finding)
    return {name: float(np.mean([row.direction for row in kept.finding if row.faction == name])) for name in names}


def agreement_row(play: KeptPlay, kept: Validity) -> list[str]:
    """Return how far a rung agrees with what sources say."""
    judged = [finding for finding in kept.finding if finding.direction]
    agree = sum(finding.direction * play.edges[finding.faction][0] > 0 for finding in judged)
    factions = {name: side for name, side in said_of(kept).items() if side}
    signs = sum(side * play.edges[name][0] > 0 for name, side in factions.items())
    said = said_of(kept)
    rank = spearman(np.array(list(said.values())), np.array([play.edges[name][0] for name in said]))
    chance = permutation_chance(np.array(list(said.values())), np.array([play.edges[name][0] for name in said]))
    return [f"`{play.rung}`", f"{play.games:,}", f"{agree} of {len(judged)}", f"{signs} of {len(factions)}",
            f"{rank:+.2f}", f"{chance:.2f}"]  # fmt: skip


def permutation_chance(one: Floats, other: Floats) -> float:
    """Return the chance of a rank correlation as high or higher if the factions of `other` are shuffled."""
    seen = spearman(one, other)
    found = [spearman(one, other[list(order)]) for order in permutations(range(len(other)))]
    return float(np.mean([value >= seen - 1e-9 for value in found]))


def people_lines(game: str, kept: Validity) -> Iterator[str]:
    """Return the comparison with what sources say of factions."""
    plays = [play for play in plays_of(game) if not play.changes]
    if not kept.finding:
        return
    shares = {row.faction: row.share for row in kept.finding if row.share is not None}
    said, fair = said_of(kept), 1 / plays[0].players
    head = ["Wonder", "Sources say", "Share of wins", *(f"`{play.rung}`" for play in plays)]
    rows = []
    for name in sorted(plays[-1].edges, key=lambda name: -said.get(name, 0)):
        share = "-" if name not in shares else f"{percent(shares[name])} % ({100 * (shares[name] - fair):+.0f})"
        edges = [with_error(*play.edges[name]) for play in plays]
        rows.append([name, f"{said[name]:+.2f}" if name in said else "-", share, *edges])
    yield from table(head, rows)
    yield SOURCES_SAY
    yield ""
    head = ["Players", "Games", "Findings with this sign", "Wonders with this sign", "Rank correlation", "By chance"]
    yield from table(head, [agreement_row(play, kept) for play in plays])
    yield RANKS.format(wonders=len(said))
    yield ""


class Revised(NamedTuple):
    """A pair of runs, with the faces of the first printing and with the new ones.

    Attributes
    ----------
    row
        Its row of the table.
    moves
        By how many standard errors the distance from fair grew, for each nation whose new faces are played.
    opposite
        How many of these moved against their imbalance in the first printing.
    narrower
        By how many standard errors the spread over nations fell.
    chance
        The chance that the changed nations are as far from fair or farther.
    """

    row: list[str]
    moves: Floats
    opposite: int
    narrower: float
    chance: float


def revised(play: KeptPlay, later: KeptPlay, revision: Revision) -> Revised:
    """Return what the new faces changed for the players of a run."""
    limit, total = normal_isf(ALPHA / 2 / len(revision.played)), len(revision.played)
    (before, one), (after, other) = (np.array([of.edges[name] for name in revision.played]).T for of in (play, later))
    # Past the fair share, the distance is what counts.
    moves = (abs(after) - abs(before)) / np.hypot(one, other)
    opposite = int(((after - before) * before < 0).sum())
    spreads = [spread_of(*np.array(list(of.edges.values())).T) for of in (play, later)]
    (wide, one), (narrow, other) = spreads
    changed = [abs(play.edges[name][0]) for name in revision.played]
    rest = [abs(edge) for name, (edge, _) in play.edges.items() if name not in {*revision.played, *revision.left_out}]
    chance = float(stats.mannwhitneyu(changed, rest, alternative="greater").pvalue)
    row = [
        f"`{play.rung}`", commons(play), str(play.players), *(f"{100 * root:.1f} ± {100 * TWO_SIDED * error:.1f}"
        for root, error in spreads), f"{(moves < -limit).sum()} of {total}", f"{(moves > limit).sum()}",
        f"{opposite} of {total}", f"{100 * np.mean(changed):.1f} / {100 * np.mean(rest):.1f}", f"{chance:.2f}",
    ]  # fmt: skip
    return Revised(row, moves, opposite, (wide - narrow) / float(np.hypot(one, other)), chance)


def commons(play: KeptPlay) -> str:
    """Name the box of the common cards: 'classics', or both."""
    return play.variant.replace(",", " and ")


def left_lines(revision: Revision) -> Iterator[str]:
    """Return what the changes leave out of the new faces, play otherwise, or read in one of several ways."""
    if revision.left:
        head = ["Cards", "The face says", "Played", "Needs", "Why", "Certainty"]
        rows = [
            [", ".join(row.cards), row.says, row.plays or "-", NEEDED[row.needs], row.why, row.certainty]
            for row in revision.left
        ]
        yield from table(head, rows)
        horizons, reading = (
            len({card for row in revision.left if row.needs == kind for card in row.cards}) for kind in NEEDED
        )
        yield LEFT.format(horizons=horizons, reading=reading)
        yield ""


def pairs_of(game: str, revision: Revision) -> list[tuple[KeptPlay, KeptPlay]]:
    """Return the runs of the first printing, each with the run of the same players with the new faces."""
    plays = plays_of(game)
    return [
        (play, later) for play in plays for later in plays
        if not play.changes and later.changes == revision.changes
        and (play.rung, play.variant, play.players) == (later.rung, later.variant, later.players)
    ]  # fmt: skip


def headline(game: str, revision: Revision) -> str:
    """Say what the new faces change in the simulation, and what that does not show."""
    found = [revised(play, later, revision) for play, later in pairs_of(game, revision)]
    moves, spreads = np.concatenate([one.moves for one in found]), np.array([one.narrower for one in found])
    sure = holm(2 * stats.norm.sf(abs(np.concatenate([moves, spreads])))) <= ALPHA
    counts = {
        "towards": (sure[: len(moves)] & (moves < 0)).sum(), "away": (sure[: len(moves)] & (moves > 0)).sum(),
        "narrower": (sure[len(moves) :] & (spreads > 0)).sum(),
    }  # fmt: skip
    said = FACES.format(conditions=len(found), cases=len(moves), opposite=sum(one.opposite for one in found),
                        nations=len(revision.played), counted=sum(counts.values()), **counts)  # fmt: skip
    chances = [one.chance for one in found]
    shown = "is shown in some conditions only" if min(chances) < ALPHA else "is not shown"
    return (
        f"{said} That the changed nations were farther from fair than the others {shown}: the p-values run from "
        f"{min(chances):.2f} to {max(chances):.2f}, with few nations on each side."
    )


def revision_lines(game: str, revision: Revision) -> Iterator[str]:
    """Return the comparison of the first printing with the designers' new faces."""
    pairs = pairs_of(game, revision)
    found = [revised(play, later, revision) for play, later in pairs]
    head = ["Players", "Commons", "Table", "Spread 2021", "Spread 2024", "Towards fair", "Away", "Against imbalance",
            "Distance, changed / not", "By chance"]  # fmt: skip
    yield from table(head, [one.row for one in found])
    yield SPREADS.format(lines=len(found))
    yield ""
    for play, later in pairs:
        if play.rung != "balanced":
            continue
        fair = 1 / play.players
        table_of = f"commons of {commons(play)}, tables of {play.players} (fair: {percent(fair)} %)"
        yield f"Shares with `balanced`, {table_of}, in per cent:"
        yield ""
        rows = []
        for name, (edge, error) in sorted(play.edges.items(), key=lambda item: -item[1][0]):
            after, other = later.edges[name]
            new = "played" if name in revision.played else "left out" if name in revision.left_out else "none"
            half = TWO_SIDED * float(np.hypot(error, other))
            rows.append([name, new, percent(fair + edge), percent(fair + after),
                         f"{100 * (after - edge):+.1f} ± {100 * half:.1f}"])  # fmt: skip
        yield from table(["Nation", "New faces", "2021", "2024", "Change"], rows)


def page() -> str:
    """Return the page."""
    lines = [INTRODUCTION]
    games = [name for name, module in GAMES.items() if module.startswith("sim.")]
    for name in games:
        for revision in [] if (kept := validity_of(name)) is None else kept.revision:
            lines += [f"{load_game(name).title}: {headline(name, revision)}", ""]
    for name in games:
        kept, title = validity_of(name), load_game(name).title
        lines += [f"## {title}", ""]
        if kept is None:
            lines += [NOTHING.format(title=title), ""]
            continue
        lines += source_lines(kept)
        lines += people_lines(name, kept)
        for revision in kept.revision:
            lines += [f"{revision.limits} Play them with `--change @{revision.changes}`.", ""]
            lines += left_lines(revision)
            lines += revision_lines(name, revision)
        lines += [f"**Not played:** {kept.not_played}", "", f"**What this does and does not show:** {kept.shows}", ""]
        if plays_of(name):
            lines += [f"The runs behind the figures, with their commands: `configs/validity/{PLAYED}/{name}.toml`.", ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def main() -> None:
    """Play if asked, then write the page or compare."""
    parser = argparse.ArgumentParser(description="Write docs/validity.md from configs/validity/.")
    parser.add_argument("--play", action="store_true", help="play the runs again first")
    parser.add_argument("--check", action="store_true", help="only tell whether the page says what the files say")
    asked = parser.parse_args()
    if asked.play:
        play_all()
    made = page()
    if not asked.check:
        PAGE.write_text(made, "utf-8")
    elif PAGE.read_text("utf-8") != made:
        sys.exit(f"{PAGE.name} does not say what configs/validity says: run docs/make_validity.py")


if __name__ == "__main__":
    main()
