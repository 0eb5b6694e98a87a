"""Section on picks, pieces of which a seat takes one every period, compared with others of their period.

For games without factions this is the balance: which empire of an epoch, and which place in the draft, is worth more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from reports.claims import Said, claims_on, told
from reports.data.load import Run
from reports.drawing import FAINT, INK, NEUTRAL, STRONG, WEAK, WIDTH, dressed, signed, styled
from reports.formatting import capital, counted, edge_words, listed, plural, points, typeset, with_article
from reports.model import Column, Listing, Picture, Section
from reports.statistics.core.win_rate import ALPHA, several_figures
from reports.statistics.pieces.picks import ABOVE, BELOW, INSEPARABLE, PickFindings, pick_findings
from sim.runs.store.manifest import PicksEntry

NAMED = 3
"""Picks named at either end."""
COLOURS = {ABOVE: STRONG, BELOW: WEAK}
AS_IN_THE_REPORT = "The report of a run shows the same edges: they are adjusted for strategy and place by points."
UNLIKE_THE_REPORT = (
    "The report of a run fits places, strategies and all picks together; here, seats that stood alike "
    "are compared directly. The two agree if every pick reaches every place; an edge of a pick that "
    "mostly reaches the same place is closer to 0 here."
)
"""How the edges of `among_its_like`, which `explain` uses, differ from those of this section."""


def picks_section(run: Run, rate: float = ALPHA) -> Section | None:
    """Compare each pick with those of its kind and period, and say what the draft order is worth.

    Returns
    -------
    None for a game without picks, or a run that kept none.
    """
    picks = run.manifest.picks
    if picks is None or run.pieces is None:
        return None
    found = pick_findings(run)
    period, kinds = str(picks.period), found.levels.kinds
    title = f"{capital(listed([plural(kind) for kind in kinds]))} against the average of their {period}"
    if not found.picks.height:
        return Section("picks", title, (f"No player took {listed([with_article(kind) for kind in kinds], 'or')}.",))
    words = {"strong": ABOVE, "weak": BELOW}
    found = replace(found, picks=several_figures(found.picks, {
        "": ("worth", "worth_low", "worth_high", "p"), "gain_": ("gain", "gain_low", "gain_high", "gain_p"),
    }, {"": words, "gain_": words}, rate=rate))  # fmt: skip
    listings, pictures = [], []
    for kind in kinds:
        frame = found.picks.filter(pl.col("kind") == kind)
        heading = f"{capital(plural(kind))}, by {period}"
        listings.append(Listing(f"picks {kind}", heading, frame, pick_table_columns(kind, period), folded=True))
        judged = frame.filter(pl.col("worth").is_not_null())
        if judged.height:
            pictures.append(picture(judged, kind, period))
    for name, frame, noun, meaning in places(found, period):
        listings.append(
            Listing(name, f"{capital(noun)}, by {period}", frame, place_columns(noun, meaning), folded=True)
        )
    said, claims = told(pick_sentences(found, picks, run.manifest.pieces_changeable))
    return Section("picks", title, said, tuple(listings), tuple(pictures), picks_reading(kinds, picks), claims=claims)


def places(found: PickFindings, period: str) -> Iterator[tuple[str, pl.DataFrame, str, str]]:
    """Yield tables of places: name, rows, noun and meaning of a place."""
    first = found.levels.kinds[0]
    yield "draft order", found.draft, "place in the draft", f"place by points as the {period} begins, 1 for the most"
    yield "turn order", found.turn, "place in the turn order", f"place in the order in which each {first} is played"


def measured(against: str) -> tuple[Column, ...]:
    """Return the columns of results, compared with `against`."""
    return (
        Column("flag", "points", "flag", meaning="whether the points differ; holds for all figures at once"),
        Column("worth", "against mean", "number", "worth_low", "worth_high", f"points more than {against}, adjusted"),
        Column("gain", "win rate", "edge", "gain_low", "gain_high", f"win rate more than {against}, adjusted, points"),
        Column("gain_flag", "wins", "flag", meaning="whether the win rate differs; holds for all figures at once"),
        Column("points", "at once", "number", meaning="mean points that the seat gained in the period", further=True),
        Column(
            "later",
            "later",
            "number",
            meaning="mean points that the pick brought its seat in later turns",
            further=True,
        ),
        Column("games", "games", "count", meaning="seat-games"),
        Column("p_holm", "p", "p", meaning="of the points, corrected for all rows", further=True),
    )


def pick_table_columns(kind: str, period: str) -> tuple[Column, ...]:
    """Return the columns of the table of one kind of picks."""
    against = f"the mean {kind} of the {period}"
    return (Column("period", period, "count"), Column("level", kind, "text"), *measured(against))


def place_columns(noun: str, meaning: str) -> tuple[Column, ...]:
    """Return the columns of a table of places."""
    return (Column("period", "period", "count"), Column("level", noun, "text", meaning=meaning),
            *measured("the mean seat of the table"))  # fmt: skip


def pick_score_words(row: dict[str, Any]) -> str:
    """Format the points against the mean with half the interval: '+4.1 ± 0.3 points'."""
    low, high = (row.get(f"family_{end}", row[f"worth_{end}"]) for end in ("low", "high"))
    return f"{row['worth']:+.1f} ± {(high - low) / 2:.1f} points"


def win_words(row: dict[str, Any]) -> str:
    """Format the win rate against the mean with its interval: '+4.1 ± 0.3 points'."""
    low, high = (row.get(f"gain_family_{end}", row[f"gain_{end}"]) for end in ("low", "high"))
    return edge_words({"edge": row["gain"], "edge_low": low, "edge_high": high})


def sure_gain(row: Mapping[str, Any]) -> float:
    """Return the limit of a pick's gain that is nearer to 0, as a distance."""
    return float(row["gain_low"] if row["gain"] > 0 else -row["gain_high"])


def pick_sentences(found: PickFindings, picks: PicksEntry, changeable: bool) -> Iterator[Said]:
    """Yield the results, most important first; `picks` is the manifest's entry."""
    period = picks.period
    family = f"{2 * found.picks.height} figures of picks"
    for kind in found.levels.kinds:
        yield from said_of_kind(found.picks.filter(pl.col("kind") == kind), kind, period, family)
    yield from ((said, ()) for said in said_of_draft(found.draft, period, picks.draft))
    measure = ": `empirelab intervene` plays the same deals with one changed" if changeable else ""
    yield (
        f"Players choose their picks, so these figures are associations, not effects of a pick{measure}.",
        (),
    )


def said_of_kind(frame: pl.DataFrame, kind: str, period: str, family: str) -> Iterator[Said]:
    """Yield the results on the picks of one kind."""

    def claimed(sentence: str, rows: list[dict[str, Any]], columns: tuple[str, str, str]) -> Said:
        return sentence, claims_on("piece", rows, sentence, family, columns)

    judged = frame.filter(pl.col("worth").is_not_null())
    if not judged.height and (frame["note"] == INSEPARABLE).all():
        yield (
            f"Each {kind} is confounded with a place or a strategy, so its own effect cannot be estimated.",
            (),
        )
        return
    if not judged.height:
        few = f"the run is too small to adjust {counted(frame.height, kind)}"
        yield f"Of {plural(kind)} only means are given: {few} of {counted(frame['period'].n_unique(), period)}.", ()
        return
    sure = judged.filter(pl.col("flag") != "").sort("worth", descending=True)
    if not sure.height:
        yield f"No {kind} is shown to bring more or fewer points than others of its {period}.", ()
    for flag, word in ((ABOVE, "more"), (BELOW, "fewer")):
        rows = sure.filter(pl.col("flag") == flag)
        ends = (rows if flag == ABOVE else rows.reverse()).head(NAMED).to_dicts()
        if ends:
            named = ", ".join(f"{row['level']} ({period} {row['period']}) {pick_score_words(row)}" for row in ends)
            whom = f"{counted(rows.height, kind)} {'bring' if rows.height != 1 else 'brings'}"
            sentence = f"{whom} {word} points than others of the {period}; most so {named}."
            yield claimed(sentence, rows.to_dicts(), ("worth", "family_low", "family_high"))
    winning = sorted(judged.filter(pl.col("gain_flag") != "").to_dicts(), key=sure_gain, reverse=True)
    if winning:
        named = ", ".join(f"{row['level']} {win_words(row)}" for row in winning[:NAMED])
        sentence = f"The win rate changes with {counted(len(winning), kind)}; most so with {named}."
        yield claimed(sentence, winning, ("gain", "gain_family_low", "gain_family_high"))
    else:
        yield f"No {kind} alone is shown to raise or lower the win rate.", ()


def said_of_draft(draft: pl.DataFrame, period: str, rule: str) -> Iterator[str]:
    """Yield the result on the draft order in the first period; `rule` is the game's rule for it."""
    first = draft.filter((pl.col("period") == 1) & pl.col("worth").is_not_null())
    if first.height < 2:
        return
    ends = [
        f"{row['worth']:+.1f} points and {points(row['gain'])} points"
        for row in (first.row(0, named=True), first.row(-1, named=True))
    ]
    yield (
        f"Draft order in {period} 1{f' ({rule})' if rule else ''}: the seat with the most points has "
        f"{ends[0]} of win rate relative to the mean of its table; the seat with the fewest at the largest "
        f"table has {ends[1]}."
    )


def picks_reading(kinds: tuple[str, ...], picks: PicksEntry) -> str:
    """Return how to read the section, ending with the game's own text."""
    period = picks.period
    several = listed([plural(kind) for kind in kinds])
    return (
        f"At once: points that the seat gained in the {period} in which it took the pick, from any source. "
        "Later: points that the pick's own pieces brought afterwards. Against mean: both together, "
        f"relative to other {several} of the same kind and {period}, adjusted for strategy, variant, number "
        f"of players and place by points at the start of the {period}; intervals by block. Win rate: the "
        "same for winning. Places in the draft are places by points. Places in the turn order are also "
        f"adjusted for the {kinds[0]}. {picks.reading}"
    ).rstrip()


# ---- Figure ----


def picture(judged: pl.DataFrame, kind: str, period: str) -> Picture:
    """Return the figure of the picks of a kind."""
    best = judged.sort("worth", descending=True)
    ends = ", ".join(
        f"{row['level']} {pick_score_words(row)}" for row in (best.row(0, named=True), best.row(-1, named=True))
    )
    return Picture(
        f"picks {kind}", lambda ax=None: draw_picks(judged, kind, period, ax),
        f"Points of every {kind} against the mean of its {period}, from most to fewest: {ends}.",
    )  # fmt: skip


@styled
def draw_picks(frame: pl.DataFrame, kind: str, period: str, ax: Axes | None = None) -> Axes:
    """Draw the points of picks against the mean of their period with intervals; flagged dots are filled."""
    rows = frame.to_dicts()
    ax = dressed(ax, WIDTH, 1.1 + 0.2 * (len(rows) + frame["period"].n_unique()))
    place, ticks = 0.0, []
    for number, row in enumerate(rows):
        if number == 0 or row["period"] != rows[number - 1]["period"]:
            ax.axhline(place - 0.5, color=FAINT, lw=0.8, zorder=0)
            ax.annotate(f"{period} {row['period']}", (0, place), xycoords=ax.get_yaxis_transform(), fontsize=8,
                        xytext=(2, 0), textcoords="offset points", color=NEUTRAL, va="center")  # fmt: skip
            place += 1.0
        ticks.append(place)
        colour = COLOURS.get(row["flag"], INK)
        ax.plot([row["worth_low"], row["worth_high"]], [place, place], color=colour, lw=2.0, solid_capstyle="butt")
        ax.plot(row["worth"], place, "o", ms=5, mec=colour, mew=1.3, color=colour if row["flag"] else "white")
        half = (row["worth_high"] - row["worth_low"]) / 2
        ax.annotate(typeset(f"{row['worth']:+.1f} ± {half:.1f}"), (1.02, place), va="center", fontsize=8.5,
                    xycoords=ax.get_yaxis_transform(), color=colour)  # fmt: skip
        place += 1.0
    ax.axvline(0, color=INK, lw=1.1, ls=(0, (4, 3)), zorder=1)
    ax.set_yticks(ticks, [row["level"] for row in rows], fontsize=8.5)
    ax.set_ylim(place - 0.3, -0.7)
    ax.grid(axis="x", color=FAINT, lw=0.8)
    ax.xaxis.set_major_formatter(FuncFormatter(signed))
    ax.set_xlabel(f"points against the mean {kind} of the {period}", fontsize=9, color=NEUTRAL)
    return ax
