"""Detail sections of an explained faction: leads, opponents and players, pieces, adjusted edge and single games."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import polars as pl

from reports.claims import Claim, Said, claims_on, split_claims, unclaimed
from reports.data.load import Run
from reports.data.opponents import Beside
from reports.formatting import capital, count, counted, interval, listed, percent, plural, points
from reports.model import Column, Listing, Picture, Section, limited, said_section
from reports.sections.course.luck import moment_title
from reports.sections.factions.explained_figures import draw_chances_by_lead, draw_taken
from reports.statistics.core.win_rate import ALPHA, PAGES_ALPHA
from reports.statistics.factions.opponents import by_company, by_players, chances_by_lead, leads_on_the_way
from reports.statistics.factions.opponents_games import chosen_games
from reports.statistics.factions.opponents_pieces import games_read, pieces_beside
from sim.game import is_game_file

NAMED = 3
FEW_ROWS = 8
"""Tables with more rows than this are folded."""
SHARES = {"wins": 0.25, "points": 0.2, "leads": 0.15, "company": 0.15, "pieces": 0.15, "parts": 0.1}
"""Share of a page's error rate that each kind of comparison gets, even if a page has no comparison of this kind."""
RARE = 0.02
"""A piece is named as a first choice only if it was taken first in at least this share of games."""
WHY = {
    "typical win": "a win close to the average in every part of the score",
    "typical loss": "a loss close to the average in every part of the score",
    "telling": "a clear example of its differences",
    "closest": "smallest winning margin",
    "turned": "largest deficit made up",
}


@dataclass(frozen=True)
class Page:
    """The seats of an explained faction beside all others, and the number of pages that share an error rate."""

    found: Beside
    pages: int = 1

    @staticmethod
    def weight_of(kind: str, pages: int) -> float:
        """Return the weight for `with_family_limits` of a kind of comparison (a key of `SHARES`).

        It makes the error rate of the kind `SHARES[kind]` times `ALPHA` on a single page. Several pages share
        `PAGES_ALPHA` evenly in place of `ALPHA`.
        """
        return (1.0 if pages == 1 else pages * ALPHA / PAGES_ALPHA) / SHARES[kind]

    def weight(self, kind: str) -> float:
        """Return the weight (`weight_of`) of a kind of comparison on this page."""
        return self.weight_of(kind, self.pages)

    def claims(
        self, kind: str, rows: Sequence[dict[str, Any]], said: str, prefix: str = "", value: str = "difference"
    ) -> tuple[Claim, ...]:
        """Claim that true values of rows lie in their limits, which hold for all pages. `kind` is a key of `SHARES`.

        Estimates are in the column `value`, their limits in `<prefix>family_low` and `<prefix>family_high`.
        """
        family = "all statements about it" if self.pages == 1 else f"all statements of {self.pages} pages"

        def called(row: dict[str, Any]) -> str:
            own = [str(row[name]) for name in ("what", "moment", "with", "piece", "change") if name in row]
            return ": ".join([self.found.faction, *filter(None, [prefix.removesuffix("_"), *own])])

        columns = (value, f"{prefix}family_low", f"{prefix}family_high")
        return claims_on(f"{kind} explained", rows, said, family, columns, called)


def limit_words(row: dict[str, Any], scale: float = 1.0, prefix: str = "") -> str:
    """Format half the width of the simultaneous interval, times `scale`: ' ± 1.2'. Empty if the interval is unknown."""
    low, high = (row[f"{prefix}family_{end}"] for end in ("low", "high"))
    return "" if low is None else f" ± {scale * (high - low) / 2:.1f}"


def interval_words(row: dict[str, Any], prefix: str) -> str:
    """Format the simultaneous limits of a share: ' (21 to 29 %)'. Empty if the limits are unknown."""
    low, high = (row[f"{prefix}family_{end}"] for end in ("low", "high"))
    return "" if low is None else f" ({interval(low, high, 0)} %)"


def lead_section(page: Page) -> Section | None:
    """Say when the faction leads, and how its win rate depends on the lead. None without scores before the end."""
    found = page.found
    if not found.moments:
        return None
    frame, chances = leads_on_the_way(found, page.weight("leads")), chances_by_lead(found)
    rows = frame.to_dicts()
    said, claims = split_claims([ahead_said(page, rows), *lead_said(page, rows[-2])])
    titled = {name: moment_title(name) for name in found.moments} | {"score": "at the end"}
    frame = frame.with_columns(pl.col("moment").replace_strict(titled, default=pl.col("moment")))
    columns = (
        Column("moment", "moment", "text"),
        limited("led", "has most points", "share", "share of its games; ties shared"),
        Column("fair", "fair", "share"),
        limited("ahead", "points ahead", "number", "points minus the mean of the others"),
        Column(
            "wins_leading", "then wins", "share", meaning="win rate in games in which it has most points at that moment"
        ),
        Column("others_leading", "others then win", "share", further=True),
        Column("wins_behind", "wins from behind", "share", further=True),
        Column("others_behind", "others from behind", "share", further=True),
    )
    listings = [Listing("lead", "Leads", frame, columns)]
    pictures: tuple[Picture, ...] = ()
    if chances.height:
        lead = "points ahead of the best other"
        written = chances.with_columns(
            pl.col("moment").replace_strict(titled), pl.Series(lead, lead_range_words(chances))
        )
        shown = (
            Column("moment", "moment", "text"),
            Column(lead, lead, "text"),
            Column("share", "wins", "share", "low", "high"),
            Column(
                "others",
                "others win",
                "share",
                meaning="win rate of the other seats of its tables at the same distance",
            ),
            Column("games", "games", "count"),
            Column("others_games", "of others", "count"),
        )
        listings.append(Listing("chances", "Chance to win by moment and deficit", written, shown, folded=True))
        draw = partial(draw_chances_by_lead, chances, found.faction, {name: titled[name] for name in found.moments})
        pictures = (Picture("chances", draw, said[-1]),)
    reading = (
        "Points are those that would count if the game ended at that moment. The lines show the chance to "
        f"win by the distance to the best other seat: solid for this {found.noun}, dashed for the others at its "
        f"tables. If the solid line lies above the dashed one by more than its interval, this {found.noun} wins "
        "more often than the others from the same distance."
    )
    return Section("on the way", "Leads during the game", said, tuple(listings), pictures, reading, claims=claims)


def ahead_said(page: Page, rows: Sequence[dict[str, Any]]) -> Said:
    """State the faction's lead at some moments and at the end."""
    steps = rows[:-1] if len(rows) <= NAMED + 1 else [rows[0], rows[(len(rows) - 1) // 2], rows[-2]]
    moments = [*steps, rows[-1]]
    ahead = [
        f"{row['ahead']:+.1f}{limit_words(row, 1, 'ahead_')} "
        f"{'at the end' if row is rows[-1] else moment_title(row['moment'])}"
        for row in moments
    ]
    last = (rows[-2], rows[-1])
    led = [f"{percent(row['led'], 0)}{interval_words(row, 'led_')}" for row in last]
    said = (
        f"Points ahead of the others: {listed(ahead)}; it leads in {led[0]} of games {moment_title(last[0]['moment'])} "
        f"and in {led[1]} at the end (fair share: {percent(rows[-1]['fair'], 0)})."
    )
    of_points = page.claims("leads", moments, said, "ahead_", "ahead_difference")
    return said, (*of_points, *page.claims("leads", last, said, "led_", "led"))


def lead_said(page: Page, last: dict[str, Any]) -> Iterator[Said]:
    """Compare how often the faction and others win when they lead, and when they are behind."""
    for which, place in (("leading", "ahead"), ("behind", "behind")):
        value, prefix = f"{which}_difference", f"{which}_"
        if last[f"{prefix}family_low"] is not None:
            said = (
                f"When {place} {moment_title(last['moment'])}, it wins {percent(last[f'wins_{which}'])} of games, "
                f"others {percent(last[f'others_{which}'])}: {points(last[value])}{limit_words(last, 100, prefix)} "
                "points."
            )
            yield said, page.claims("leads", [last], said, prefix, value)


def lead_range_words(chances: pl.DataFrame) -> list[str]:
    """Format the ranges of leads into which the seats are divided: '-12 to -5'."""
    rows = chances.select("least", "most").iter_rows()
    return [f"{low:+.0f}" if low == high else f"{low:+.0f} to {high:+.0f}" for low, high in rows]


def company_section(page: Page, dealt: bool) -> Section:
    """Say with which opponents and players the faction wins more. Factions are drawn if `dealt`, otherwise chosen."""
    found = page.found
    players, company = by_players(found), by_company(found, page.weight("company"))
    several_play = player_range_words(players) if players.height > 1 else "One strategy plays all seats."
    of_players = (
        Column("strategy", "player", "text"),
        Column("share", "wins", "share", "low", "high"),
        Column(
            "others",
            "others with this player",
            "share",
            meaning="win rate of the same player with other factions at its tables",
        ),
        Column("games", "games", "count"),
    )
    listings = [Listing("players", "By player", players, of_players, folded=players.height > FEW_ROWS)]
    if company.height > 1:
        several = bool(company["left_difference"].is_not_null().any())
        of_company = (
            Column("with", "at the table", "text"),
            Column("flag", "flag", "text"),
            Column("difference", "change", "edge", "low", "high", "win rate with it at the table minus that without"),
            *(
                Column(f"{side}_difference", f"at its {side}", "edge", f"{side}_low", f"{side}_high",
                       f"the same if it sits at its {side}, in the seat {'before' if side == 'left' else 'after'} it")
                for side in ("left", "right") if several
            ),
            Column("share", "wins", "share"),
            Column("games", "games", "count", further=True),
            Column("p_family", "p", "p", further=True),
        )  # fmt: skip
        folded = company.height > FEW_ROWS
        listings.append(Listing("company", "By opponents at the table, and beside it", company, of_company, folded))
    cause = f"Players choose their {plural(found.noun)}, so opponents go with the change but need not cause it."
    if dealt:
        cause = "Opponents are drawn at random, so with these players the opponent itself causes the change."
    reading = f"{cause} Left is the seat before, right the seat after; neighbours matter in some games only."
    parts = [company_said(page, company), (several_play, ())]
    return said_section("company", "Players and opponents", parts, listings, reading=reading)


def company_said(page: Page, company: pl.DataFrame) -> Said:
    """Name the opponents that certainly change the faction's win rate, or else the largest observed change."""
    known = company.filter(pl.col("family_low").is_not_null())
    if known.height < 2:
        return "Too few games to judge the effect of opponents.", ()
    sure = known.filter(pl.col("flag") != "").to_dicts()
    if not sure:
        widest = known.sort(pl.col("difference").abs(), descending=True).row(0, named=True)
        said = (
            "No opponent at the table is shown to change its win rate; the largest observed change is with "
            f"{widest['with']}: {points(widest['difference'])}{limit_words(widest, 100)} points."
        )
        return said, page.claims("company", [widest], said)
    sure = sure if len(sure) <= 2 * NAMED else [*sure[:NAMED], *sure[-NAMED:]]
    named = [f"{row['with']} by {points(row['difference'])}{limit_words(row, 100)}" for row in sure]
    said = f"Opponents at its table change its win rate: {listed(named)} points."
    return said, page.claims("company", sure, said)


def player_range_words(players: pl.DataFrame) -> str:
    """State with which player the faction was observed to win most, and with which least."""
    ends = players[[0, -1]].to_dicts()
    best, worst = (f"{percent(row['share'])} with {row['strategy']}" for row in ends)
    return f"Observed win rate by player: from {best} to {worst}; intervals are in the table."


def faction_pieces_section(run: Run, page: Page) -> Section | None:
    """Say which pieces the faction puts in play, takes first and wins with. None for a run without pieces."""
    found = page.found
    frame = pieces_beside(run, found, page.weight("pieces"))
    if frame is None or not frame.height:
        return None
    noun = run.manifest.piece
    more, less = frame.filter(pl.col("flag") == "more"), frame.filter(pl.col("flag") == "less").reverse()
    said: list[Said] = []
    for part, word in ((more, "more"), (less, "less")):
        if rows := part.head(NAMED).to_dicts():
            named = [f"{row['piece']} {percent(row['own'], 0)} against {percent(row['others'], 0)}" for row in rows]
            text = f"It plays these {word} often than the others: {listed(named)}."
            said.append((text, page.claims("pieces", rows, text)))
    if first := frame.filter(pl.col("first") >= RARE).sort("first", descending=True).head(NAMED).to_dicts():
        named = [
            f"{row['piece']} in {percent(row['first'], 0)} of games (won {percent(row['first_wins'])} of them)"
            for row in first
        ]
        said += unclaimed([f"First choices: {listed(named)}."])
    known = frame.filter(pl.col("brings_low").is_not_null())
    sure = known.filter(pl.col("brings_flag") != "").sort("brings", descending=True)
    if sure.height:
        ends = (sure if sure.height == 1 else pl.concat([sure.head(1), sure.tail(1)])).to_dicts()
        named = [f"{row['piece']} ({points(row['brings'])}{limit_words(row, 100, 'brings_')})" for row in ends]
        which = f"One {noun} is associated with winning or losing"
        if sure.height > 1:
            several = f"Of {sure.height} {plural(noun)} associated with winning or losing"
            which = f"{several}, the most positive and the most negative"
        text = f"{which} (points of win rate): {listed(named)}."
        said.append((text, page.claims("pieces", sure.to_dicts(), text, "brings_", "brings")))
    taken, unused = f"in which it was the first {noun} taken", "with it offered but not in play"
    columns = (
        Column("piece", noun, "text"),
        Column("flag", "flag", "text", meaning="played more or less often than by the others"),
        Column("own", "in play", "share", meaning="of its games"),
        Column("others", "others", "share", meaning="of the games of the others at its tables"),
        Column("difference", "difference", "edge", "low", "high"),
        Column("first", "first choice", "share", meaning=f"share of its games {taken}", further=True),
        limited("first_wins", "wins then", "share", "win rate of the games in which it took this first", further=True),
        Column("taken", "taken", "share", meaning="share of its games in which it was offered", further=True),
        limited("brings", "association", "edge", f"win rate with it in play minus win rate {unused}"),
        Column("brings_p_family", "p", "p", meaning="of the association, corrected for all statements", further=True),
        Column("wins", "wins with it", "share", further=True),
        Column("offered", "offered", "count", meaning="games in which it was offered", further=True),
    )
    there, some = found.own["game"].n_unique(), len(games_read(found))
    reading = (
        f"Of {'the first ' if some < there else ''}{counted(some, 'game')}. Choices are associated with winning for "
        f"many reasons, such as wealth: `intervene` plays the same deals without each {noun} and measures its worth."
    )
    title = f"Its {plural(noun)}: what it plays and what it wins with"
    listing = Listing("pieces beside", title, frame, columns, folded=True)
    pictures: tuple[Picture, ...] = ()
    if known.height >= NAMED:
        draw = partial(draw_taken, known, noun)
        pictures = (Picture("taken against won", draw, f"Share taken and association with winning, for each {noun}."),)
    return said_section("pieces beside", capital(title), said, [listing], pictures, reading)


def adjusted_section(page: Page, adjusted: pl.DataFrame) -> Section | None:
    """Return the section on the faction's edge, unadjusted and adjusted. None if there are too few games."""
    found = page.found
    frame = adjusted.filter((pl.col("level") == found.faction) & pl.col("edge").is_not_null())
    if not frame.height:
        return None
    columns = (
        Column("allowed", "adjusted for", "text"),
        limited("edge", "edge", "edge", f"win rate minus the mean of all {plural(found.noun)}"),
        limited("points", "points", "number", "points above the others at the table"),
    )
    ends = frame.head(1).to_dicts() + frame.slice(1).tail(1).to_dicts()
    edges = [f"{points(row['edge'])}{limit_words(row, 100)} points" for row in ends]
    said = f"Relative to the mean of all {plural(found.noun)}, its edge is {edges[0]} unadjusted"
    said += f"; adjusted for {ends[1]['allowed']} it is {edges[1]}." if len(ends) > 1 else "."
    claims = page.claims("wins", ends, said, value="edge")
    reading = (
        "These figures are a least-squares fit to the same games, with errors by block. The deal is the same for "
        "all seats of a table and cancels out; seats, players and opponents are adjusted for. All rows use the same "
        "games, so overlapping intervals do not show whether two rows differ."
    )
    title = "Adjusted for seat, player and opponents"
    listing = Listing("adjusted edge", title, frame, columns)
    return Section("adjusted edge", listing.title, (said,), (listing,), (), reading, claims=claims)


def games_section(found: Beside, run: Run) -> Section:
    """Return the section that lists single games worth a look, each with the command that replays it."""
    frame = chosen_games(found, list(run.manifest.score_parts))
    trust = " --trust" if is_game_file(run.manifest.game) else ""
    commands = [f"empirelab replay {shlex.quote(str(run.folder))} --game {game}{trust}" for game in frame["game"]]
    why = [WHY[which] for which in frame["which"]]
    for at, row in enumerate(frame.to_dicts()):
        if row["behind"] is not None:
            why[at] += f": {row['behind']:.0f} points {moment_title(row['moment'])}"
    frame = frame.with_columns(pl.Series("why", why, dtype=pl.String), pl.Series("command", commands, dtype=pl.String))
    columns = (
        Column("which", "game", "text"),
        Column("score", "its score", "number"),
        Column("best_other", "best other", "number"),
        Column("strategy", "player", "text"),
        Column("seat", "seat", "number"),
        Column("why", "why", "text"),
    )
    said = [f"{counted(frame.height, 'instructive game')} of its {count(found.own.height)}."]
    said += [f"{capital(row['which'])}, {row['why']}: {row['command']}" for row in frame.to_dicts()]
    return Section("games", "Games to look at", tuple(said), (Listing("games", "Single games", frame, columns),))
