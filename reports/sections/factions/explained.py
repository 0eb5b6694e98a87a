"""Explain why a faction wins as often as it does: a short answer, then the details."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import polars as pl

from reports.claims import Said, split_claims
from reports.data.load import Run, check_company, player_counts
from reports.data.opponents import Beside, seats_beside
from reports.data.piece_counts import among_its_like
from reports.formatting import count, counted, listed, number, percent, plural, points, size
from reports.model import Column, Listing, Picture, Section, limited
from reports.sections.core.next_step import (
    GAMES,
    PATCH,
    VALUES,
    NextStep,
    command,
    rows_in_files,
    same_games,
    search_time,
    time_of_games,
)
from reports.sections.core.shares import MIN_MEAN, share_report
from reports.sections.factions.explained_details import (
    Page,
    adjusted_section,
    company_section,
    faction_pieces_section,
    games_section,
    lead_section,
    limit_words,
)
from reports.sections.factions.explained_figures import draw_differences
from reports.sections.pieces.pieces import UNLIKE_THE_REPORT
from reports.statistics.core.win_rate import ALPHA, PAGES_ALPHA
from reports.statistics.course.luck import moments_before_the_end
from reports.statistics.factions.opponents import (
    by_players,
    compared_values,
    difference_columns,
    means_of,
    null_frame,
    with_family_limits,
)
from reports.statistics.factions.opponents_adjusted import adjusted_edges
from reports.statistics.pieces.picks import pick_findings
from sim.errors import UserError
from sim.game import is_game_file

NAMED = 3
"""Maximum number of items of each kind that a sentence names."""
EDGES = 3
"""Number of edges that a page states: against the fair share, against the mean of all factions, and against this mean
after adjustment."""
READING = (
    "Every figure compares the {noun} with the other seats of the same games, so deals and "
    "high-scoring games cancel out. Intervals come from blocks. In sentences, and for 'more' and "
    "'less', they hold for all statements of {pages} at once: in {runs}, none of them is wrong. In "
    "tables, each is a 95 % interval of its own. A difference shows where points come from, not what "
    "would happen without them: `explain --pieces` and `intervene` "
    "play such games and show it."
)
PICK_READING = (
    "Win rates are as counted. Edges are relative to others with the same player at the same place of "
    "the draft: a {noun} equal to the mean of its period has no edge."
)


def explained(run: Run, name: str, adjusted: pl.DataFrame | None = None, pages: int = 1) -> tuple[Section, ...]:
    """Return the sections that explain one faction of a run, the short answer first.

    Parameters
    ----------
    name
        Name of a faction or pick, case ignored.
    adjusted
        From `adjusted_of`, with the same run and pages. Pass it if several factions are explained, so that it is
        computed only once.
    pages
        Number of factions that are explained together and share the error rate.

    Raises
    ------
    UserError
        The faction is unknown, nobody met it, or all games have one player.
    """
    check_company(max(player_counts(run.manifest)), "games of one player have no opponents to compare with")
    run, faction = rivals_of(run, name)
    moments = moments_before_the_end(run, run.manifest.checkpoints)
    found = seats_beside(run, faction, moments)
    page = Page(found, pages)
    adjusted = adjusted_of(run, pages) if adjusted is None else adjusted
    lead, company = lead_section(page), company_section(page, dealt=bool(run.manifest.factions))
    last, pieces = adjusted_section(page, adjusted), faction_pieces_section(run, page)
    why = why_section(page, run, [section for section in (lead, company, last) if section is not None])
    return tuple(filter(None, [why, lead, company, pieces, last, games_section(found, run)]))


def adjusted_of(run: Run, pages: int = 1) -> pl.DataFrame:
    """Return `adjusted_edges` of a run, with limits that hold for this many pages at once."""
    return adjusted_edges(run, ALPHA / EDGES / Page.weight_of("wins", pages))


def factions_of(run: Run) -> list[str]:
    """Return the names that `explained` accepts: the factions that can be dealt, or the picks."""
    if run.manifest.factions:
        return list(run.manifest.factions_dealt)
    picks = run.manifest.picks
    return [name for names in picks.kinds.values() for name in names] if picks else []


def rivals_of(run: Run, name: str) -> tuple[Run, str]:
    """Return the run with factions (or picks) in its column `faction`, and the exact spelling of `name`.

    Raises UserError: the game has neither factions nor picks, the run kept no picks, or the name is unknown.
    """
    names = factions_of(run)
    if not names:
        raise UserError(f"{run.manifest.title} has no factions or picks to explain", field="faction", found=name)
    same = [one for one in names if one.casefold() == name.strip().casefold()]
    if not same:
        noun = run.manifest.faction_title or run.manifest.piece
        meant = [one for one in names if name.strip().casefold() in one.casefold().split()]
        message = f"this name matches several {plural(noun)}" if len(meant) > 1 else f"this run has no such {noun}"
        raise UserError(message, field="faction", found=name, allowed=meant if len(meant) > 1 else names)
    if run.manifest.factions:
        return run, same[0]
    if run.pieces is None:
        message, pieces = "this run did not record cards", run.manifest.detail or "cards"
        raise UserError(message, file=run.folder, found=pieces, allowed="simulate --detail cards")
    return among_its_like(run, same[0]), same[0]


def widest_first(run: Run) -> pl.DataFrame:
    """Return `level`, `edge`, `edge_low` and `edge_high` of every faction or pick: flagged ones first, then by size."""
    if run.manifest.factions:
        frame, flag = share_report(run).tables["faction"].frame, pl.col("flag") != ""
    else:
        rivals_of(run, next(iter(factions_of(run)), ""))
        names = {f"gain{end}": f"edge{end}" for end in ("", "_low", "_high")}
        frame, flag = pick_findings(run).picks.rename(names), pl.col("gain_flag").fill_null("") != ""
    ordered = frame.sort(flag, pl.col("edge").abs(), descending=True, nulls_last=True)
    return ordered.select("level", "edge", "edge_low", "edge_high")


def others_section(run: Run, edges: pl.DataFrame) -> Section:
    """List the other factions that can be explained. The page explains the faction in the first row of `edges`."""
    noun = plural(run.manifest.faction_title or "pick")
    others = edges.slice(1)
    named = [f"{row['level']} {points(row['edge'])}" for row in others.head(NAMED).to_dicts()]
    first = edges.row(0, named=True)
    said = f"Explained above: {first['level']} ({points(first['edge'])} points). Next: {listed(named)} points."
    columns = (Column("level", run.manifest.faction_title or "pick", "text"), limited("edge", "edge", "edge"))
    again = command("explain", str(run.folder), "--faction", *others["level"].head(1).to_list())
    listing = Listing("others", f"Edges of other {noun}", others, columns, folded=True)
    return Section("others", f"Other {noun}", (said, f"To explain the next: `{again}`."), (listing,))


def next_of(run: Run, faction: str) -> NextStep | None:
    """Return commands that measure a faction's parts or search for a change of its numbers; None if neither can."""
    known = same_games(run.manifest, run.folder)
    if known is None:
        return None
    game, options = known
    picks = run.manifest.picks
    if picks is not None and faction in next(iter(picks.kinds.values())):
        search = command("rebalance", game, "--card", faction, "--knob", "armies", *options, "--patch", PATCH)
        takes = time_of_games(run.manifest, VALUES * GAMES)
        return NextStep(f"Find a printed number that balances {faction} ({takes}).", (search,))
    if not run.manifest.factions or not rows_in_files(run.manifest):
        return None
    trust = ["--trust"] if is_game_file(run.manifest.game) else []
    parts = command("explain", str(run.folder), "--faction", faction, "--pieces", *trust)
    search = command("rebalance", game, "--faction", faction, "--knob", "all", *options, "--patch", PATCH)
    said = (
        f"Measure what each part of {faction} is worth (the command says first how long that takes), "
        f"or find a printed number that balances it ({search_time(run.manifest)})."
    )
    if game != run.manifest.game:  # the run can be replayed only if the game's file is still found under the same name
        return NextStep(f"Find a printed number that balances {faction}.", (search,))
    return NextStep(said, (parts, search))


def why_section(page: Page, run: Run, details: list[Section]) -> Section:
    """Return the section with the short answer.

    The section compares the faction's points and actions with those of others. It repeats the first sentence of each
    section in `details`.
    """
    found = page.found
    values = compared_values(found, page.weight("points"))
    parts = ["score", *run.manifest.score_parts]
    score, others = (values.filter(pl.col("what").is_in(parts) == inside) for inside in (True, False))
    edge = faction_edge(page)
    own, flag = share_said(page, edge), edge["flag"]
    parts_said = [own, score_said(page, score), *distinctive_actions(page, others), (best_player_words(found), ())]
    for section in details:
        first = section.sentences[0]
        parts_said.append((first, tuple(claim for claim in section.claims if claim.said == first)))
    said, claims = split_claims(parts_said)
    columns = (
        Column("what", "mean of", "text"),
        Column("flag", "flag", "text", meaning="differs from the others; holds for all statements at once"),
        Column("difference", "difference", "number", "low", "high", "its mean minus that of the others at its tables"),
        Column("own", found.faction, "number"),
        Column("others", "others at its tables", "number"),
        Column("p_family", "p", "p", meaning="corrected for all statements of the page"),
    )
    listings = [Listing("why", "Where its points come from", readable(score), columns)]
    if others.height:
        title = "What it does more or less of"
        listings.append(Listing("why did", title, readable(others), columns, folded=others.height > 2 * NAMED))
    pages, runs = "this page", "19 of 20 runs"
    if page.pages > 1:
        pages, runs = f"{page.pages} pages", f"all but one of {1 / PAGES_ALPHA:.0f} runs"
    reading = READING.format(noun=found.noun, pages=pages, runs=runs)
    if not run.manifest.factions:
        reading += f" {PICK_READING.format(noun=found.noun)} {UNLIKE_THE_REPORT}"
    picture = Picture("why", partial(draw_differences, score, found.faction), said[1])
    title = f"Why {found.faction} wins {flag} often than its fair share" if flag else f"How {found.faction} wins"
    titled = tuple(replace(claim, said=title) for claim in own[1]) if flag else ()
    return Section("why", title, said, tuple(listings), (picture,), reading, claims=(*titled, *claims))


def readable(frame: pl.DataFrame) -> pl.DataFrame:
    """Replace underscores in the names of rows by spaces."""
    return frame.with_columns(pl.col("what").str.replace_all("_", " "))


def faction_edge(page: Page) -> dict[str, Any]:
    """Return the faction's win rate minus its fair share, with the limits and the flag of `with_family_limits`."""
    own = page.found.own
    means = means_of((own["win"] - own["fair"]).to_numpy()[:, None], own["block"].to_numpy())
    return with_family_limits(null_frame({}, difference_columns(means)), EDGES * page.weight("wins")).row(0, named=True)


def share_said(page: Page, edge: dict[str, Any]) -> Said:
    """State how often the faction wins, in how many games, and how far this is from its fair share.

    A pick is compared with other picks of the same player at the same place of the draft instead.
    """
    found = page.found
    share = percent(float(found.own["won"].to_numpy().mean()))
    part = "" if found.games == found.all_games else f", of the first {count(found.games)} of {count(found.all_games)}"
    side, amount = {"more": "above", "less": "below"}.get(edge["flag"]), points(edge["difference"])
    against = f"{side or 'from'} its fair share"
    if not found.own["won"].equals(found.own["win"]):
        against = "against others with the same player at the same place of the draft"
    elif side is not None:
        amount = size(abs(edge["difference"]), 1)
    what = f"{amount}{limit_words(edge, 100)} points {against}"
    said = f"{found.faction} wins {share} of its {counted(found.own.height, 'game')}{part}: {what}."
    return said, page.claims("wins", [edge], said)


def score_said(page: Page, score: pl.DataFrame) -> Said:
    """State by how much the faction outscores the others, and in which score parts."""
    total = score.row(0, named=True)
    parts = score.slice(1).filter(pl.col("flag") != "").sort(pl.col("difference").abs(), descending=True)
    named = parts.head(NAMED + 1).to_dicts()
    told = [f"{spoken(row)} {row['difference']:+.1f}{limit_words(row)}" for row in named]
    made = f": {listed(told)}" if told else "; no part of the score differs significantly"
    more = "more" if total["difference"] >= 0 else "less"
    said = f"It scores {abs(total['difference']):.1f}{limit_words(total)} {more} than the others at its tables{made}."
    return said, page.claims("points", [total, *named], said)


def spoken(row: dict[str, Any]) -> str:
    """Return the name of a row (score, part or measure), with spaces in place of underscores."""
    return str(row["what"]).replace("_", " ")


def distinctive_actions(page: Page, others: pl.DataFrame) -> list[Said]:
    """Name what the faction certainly does more or less than others, by relative difference. Empty if nothing."""
    size = (pl.col("difference") / (pl.col("own").abs() + pl.col("others").abs())).abs()
    large = pl.max_horizontal(pl.col("own").abs(), pl.col("others").abs()) >= MIN_MEAN
    sure = others.filter((pl.col("flag") != "") & large).sort(size, descending=True).head(NAMED).to_dicts()
    named = [
        f"{spoken(row)} {number(row['own'])} against {number(row['others'])} "
        f"({row['difference']:+.1f}{limit_words(row)})"
        for row in sure
    ]
    if not named:
        return []
    said = f"Largest differences in play: {listed(named)}."
    return [(said, page.claims("points", sure, said))]


def best_player_words(found: Beside) -> str:
    """Name the players with which the faction was observed to win most and least."""
    rows = by_players(found).to_dicts()
    if len(rows) == 1:
        return f"Mirror match: {rows[0]['strategy']} plays every seat."
    best, worst = (
        f"{row['strategy']} ({percent(row['share'])}; others with the same player {percent(row['others'])})"
        for row in (rows[0], rows[-1])
    )
    return f"Observed win rate by player: highest with {best}, lowest with {worst}."
