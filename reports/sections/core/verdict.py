"""Writes the verdict from the tables of win rates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import polars as pl

from reports.claims import Claim, claims_on, sentences
from reports.data.load import only_one_player, player_counts
from reports.data.validity import PAGE, rungs_with_results
from reports.formatting import (
    NAMED,
    capital,
    chance,
    change_verb,
    common_decimals,
    count,
    counted,
    decimals,
    factors,
    half_width,
    label,
    listed,
    margin_words,
    percent,
    plural,
    points,
    round_up,
    size,
    some,
)
from reports.model import Finding, Table, Verdict
from reports.sections.core.summary import how_many, range_words, swayed_claims, too_strong, with_limits, without_hope
from reports.statistics.core.balance import MARGIN
from reports.statistics.core.decisions import CHANGE, LEAVE, MORE, PROMISED, SWAYED, Question, table_needs
from reports.statistics.core.groupings import BOUND, associations, bound_groups
from reports.statistics.core.win_rate import ALPHA, FIRST_SCREEN_ALPHA, POWER
from sim.data.changes import toml_text
from sim.players.search_config import parted
from sim.runs.store.manifest import Manifest

FEW_BLOCKS = 30
UNEVEN = 0.1
TOO_SMALL = "This run is too small to judge"
HEADLINE_LEVEL, HEADLINE_ERROR = percent(1 - FIRST_SCREEN_ALPHA, 0), f"{FIRST_SCREEN_ALPHA:g}"
"""The confidence level of the limits on the first screen, and their error rate, as texts write them."""
AT_ONCE = (
    f"± in this headline is a {HEADLINE_LEVEL} interval that holds for every {{together}} at once, "
    "so it is wider than the intervals of single rows below."
)
CAVEAT = (
    "These results hold for the scripted strategies that played. Stronger players may win more with a "
    "weak position, or less with a strong one."
)
OUT, WITHIN = "out of balance", "within the margin"
"""Kinds of claims in a verdict."""
PROBABLY = 0.8
"""Chance of being fair above which an undecided row is called probably fair; likewise for probably not fair."""
Row = dict[str, Any]


def verdict(
    tables: list[Table], manifest: Manifest, cells: pl.DataFrame, margin: float = MARGIN
) -> tuple[Finding, ...]:
    """Say what is out of balance, by how much and how certainly. Also say what the run was able to detect.

    Parameters
    ----------
    tables
        The report's tables. Crossed tables get no finding: they are only shown as heat maps.
    cells
        Seat-games (column `games`) per `seat`, `faction` and `strategy`, to check how evenly these three are mixed.

    Returns
    -------
    A summary, one finding per table, then cautions. If seats, factions or strategies are confounded, the summary says
    so first.
    """
    bound = bound_groups(cells, manifest)
    family = family_words(tables)
    findings = [
        tied(judge_table(table, manifest, tables, margin), bound, manifest) for table in tables if not table.crossed
    ]
    head = summary([finding for finding in findings if not finding.together], tables, margin, players_words(manifest))
    if any(finding.together for finding in findings):
        said = " ".join(together_words(group, findings, tables, cells, manifest, margin) for group in bound)
        rest = "" if head.tone == "silent" else f" Apart from that, {head.headline[:1].lower()}{head.headline[1:]}"
        ends = [(table, differing_rows(table, margin)) for table in tables if not table.crossed]
        named = [claims_on(OUT, rows, said, family, called=partial(label, table)) for table, rows in ends]
        apart = [replace(claim, said=rest.strip()) for claim in head.claims if rest]
        claims = (*(claim for one in named for claim in one), *apart)
        head = Finding("", "out" if head.tone == "out" else "caution", f"{said}{rest}", claims=claims)
    return (head, *findings, *cautions(tables, manifest, cells))


def family_words(tables: Sequence[Table]) -> str:
    """Name the family of tests of a verdict: '27 rows of boards, wonders, sides, seats and strategies'."""
    judged = [table for table in tables if not (table.crossed or table.silence)]
    rows = sum(table.frame.height for table in judged)
    return f"{rows} rows of {listed([plural(table.noun) for table in judged])}" if judged else "one row"


def final_verdict(findings: Sequence[Finding], tables: Mapping[str, Table], margin: float = MARGIN) -> Verdict:
    """Return the verdict in machine-readable form: its state, and the rows out of balance."""
    rows = tuple(
        {"table": name, "name": row["level"], "edge": row["edge"], "low": row["family_low"], "high": row["family_high"]}
        for name in headline_tables(findings)
        for row in rows_out(tables[name], margin)
    )
    if rows:
        return Verdict("out of balance", rows, margin)
    return Verdict("cannot tell" if findings[0].tone in ("silent", "caution") else "nothing found", rows, margin)


def tied(finding: Finding, bound: list[tuple[str, ...]], manifest: Manifest) -> Finding:
    """Add a caution to a finding if its factor is in one of the groups `bound`, each of which is confounded."""
    kind = finding.table if finding.table in ("seat", "start", "strategy") else "faction"
    others = tuple(name for group in bound if kind in group for name in group if name != kind)
    if not others or finding.tone == "silent":
        return finding
    nouns = factors(manifest)
    with_whom = " and ".join(nouns[name] for name in others)
    caution = f"In this run {nouns[kind]} and {with_whom} are confounded: this edge may come from the {with_whom}."
    return replace(finding, details=(caution, *finding.details), together=others)


def together_words(
    group: tuple[str, ...],
    findings: list[Finding],
    tables: list[Table],
    cells: pl.DataFrame,
    manifest: Manifest,
    margin: float,
) -> str:
    """Say that the factors of `group` are confounded, and name rows that always go together: 'seat 0 with military'."""
    nouns = factors(manifest)
    names = [nouns[name] for name in group]
    said = f"In this run {listed(names)} are confounded: their effects cannot be separated."
    differ = [finding.table for finding in findings if finding.table in group and finding.tone in ("out", "small")]
    if not differ:
        return said
    table = next(table for table in tables if table.name == differ[0])
    ended = []
    for row in differing_rows(table, margin):
        verb = "more" if row["edge"] > 0 else "less"
        level = str(row["level"]).removeprefix("seat ") if table.name == "seat" else str(row["level"])
        met = cells.filter(pl.col(table.name).cast(pl.String) == level)
        partners = [(name, met[name].unique().to_list()) for name in group if name != table.name]
        known = [
            f"seat {levels[0]}" if name == "seat" else str(levels[0]) for name, levels in partners if len(levels) == 1
        ]
        who = " with ".join([label(table, row), *known])
        edge = points(row["edge"], decimals(half_width(row)))
        ended.append(f"{who} wins {verb} than the fair share ({edge} points)")
    return f"{said} Largest differences: {', '.join(ended)}."


def differing_rows(table: Table, margin: float) -> list[Row]:
    """Return the rows farthest above and below their fair share (`extreme_rows`), or else the strongest flagged row."""
    return extreme_rows(table, margin) or flagged(table)[:1]


def players_words(manifest: Manifest) -> str:
    """Say who played: 'balanced plays every seat (no look-ahead)'."""
    names = [row.name for row in manifest.strategies]
    ahead = sum(parted(name)[1] is not None for name in names)
    look = f"{ahead} with look-ahead" if 0 < ahead < len(names) else "look-ahead" if ahead else "no look-ahead"
    who = f"{names[0]} plays every seat" if len(names) == 1 else f"{counted(len(names), 'strategy')} play"
    return f"{who} ({look})"


def summary(findings: list[Finding], tables: list[Table], margin: float, players: str) -> Finding:
    """Return the finding that summarises the verdict: which rows are out of balance, and how many are in balance.

    Parameters
    ----------
    players
        Who played, from `players_words`.
    """
    tones = {finding.table: finding.tone for finding in findings}
    by_name = {table.name: table for table in tables}
    family = family_words(tables)
    inside, decided = balanced(findings, by_name, margin)
    counted_rows = tuple(claim for name in decided for claim in decided_claims(by_name[name], inside, family, margin))
    if named := [(by_name[name], extreme_rows(by_name[name], margin)) for name in headline_tables(findings)]:
        shortly = [", ".join(too_strong(table, row) for row in rows) for table, rows in named]
        out = f"Out of balance: {'; '.join(shortly)}; {players}."
        claimed = [claims_on(OUT, rows, out, family, called=partial(label, table)) for table, rows in named]
        claims = (*(claim for one in claimed for claim in one), *counted_rows)
        together = listed([table.noun for table in tables if not (table.crossed or table.silence)])
        return Finding("", "out", f"{out} {inside}".strip(), (AT_ONCE.format(together=together),), claims=claims)
    differ = ""
    if tones.get("strategy") == "out":
        rows = extreme_rows(by_name["strategy"], margin)
        differ = f"Strategies differ: {strategy_differences(by_name['strategy'], rows)}."
        counted_rows += claims_on(OUT, rows, differ, family)
    fair = [finding for finding in findings if finding.tone == "fair"]
    if fair and all(tone in ("fair", "silent") for tone in tones.values()) and all(map(too_small, fair)):
        return Finding("", "silent", f"{TOO_SMALL}: it could not reliably detect any possible edge.")
    rest = "".join(f" {text}" for text in (inside, differ) if text)
    if any(tones[name] == "small" for name in tones if name != "strategy"):
        small = [(table, row) for table in tables if tones.get(table.name) == "small" for row in flagged(table)]
        if all(confirmed_within(row, margin) for _, row in small):
            close = f"Close to balance: all confirmed differences are smaller than {margin_words(margin)}."
            counted_rows += tuple(
                Claim(WITHIN, label(table, row), row["edge"], -margin, margin, family, close) for table, row in small
            )
        else:
            close = f"Close to balance as observed: no confirmed difference reaches {margin_words(margin)}."
        return Finding("", "small", f"{close}{rest}", claims=counted_rows)
    if all(tones[name] == "silent" for name in tones):
        return Finding("", "silent", "This run allows no conclusion.")
    return Finding("", "fair", f"No imbalance found beyond chance.{rest}", claims=counted_rows)


def balanced(findings: list[Finding], tables: dict[str, Table], margin: float) -> tuple[str, list[str]]:
    """Count the factions, seats and starting places confirmed within the margin. Also return the names of their tables.

    Returns an empty text if no such table is judged.
    """
    judged = [finding.table for finding in findings if finding.tone != "silent"]
    names = [name for name in judged if name in ("faction", "seat", "start")]
    left_out = any(tables[name].frame["without_low"].is_not_null().any() for name in names)
    players = ", also with any one player left out" if left_out else ""
    said = ", ".join(how_many(tables[name], margin) for name in names)
    return (f"Confirmed balanced (±{margin_words(margin)}{players}): {said}." if said else ""), names


def decided_claims(
    table: Table, said: str, family: str, margin: float, words: Sequence[str] = (CHANGE, LEAVE, SWAYED)
) -> Iterator[Claim]:
    """Yield a claim for each row whose decision is one of `words`."""
    for row in table.frame.filter(pl.col("decision").is_in(words)).to_dicts():
        name = label(table, row)
        if row["decision"] == LEAVE:
            yield Claim(WITHIN, name, row["edge"], -margin, margin, family, said)
        elif row["decision"] == CHANGE:
            yield Claim(OUT, name, row["edge"], row["family_low"], row["family_high"], family, said)
        else:
            yield from swayed_claims([row], [name], said, family, margin)


def too_small(finding: Finding) -> bool:
    """Tell whether a finding is based on too few games for any judgement."""
    return any(detail.startswith(TOO_SMALL) for detail in finding.details)


def headline_tables(findings: Sequence[Finding]) -> list[str]:
    """Return the names of the tables out of balance that the headline names. Confounded tables are left out.

    Tables of attributes only aggregate factions, so they are named only if the table of factions is not. Strategies are
    never named: better players should win more.
    """
    free = [finding for finding in findings if finding.tone == "out" and not finding.together]
    out = [finding.table for finding in free if finding.table not in ("", "strategy")]
    return [name for name in out if name in ("faction", "seat", "start")] if "faction" in out else out


def rows_out(table: Table, margin: float) -> list[Row]:
    """Return the flagged rows whose edge, without its sign, is at least the margin. The strongest row comes first."""
    return [row for row in flagged(table) if abs(row["edge"]) >= margin]


def extreme_rows(table: Table, margin: float) -> list[Row]:
    """Return up to two rows that are out of balance: the one most above its fair share, and the one most below it.

    Either is left out if no row is out of balance on its side.
    """
    hits = rows_out(table, margin)
    ends = [row for row in hits[:1] if row["edge"] > 0]
    return ends + [row for row in hits[-1:] if row["edge"] < 0]


def headline_rows(findings: Sequence[Finding], tables: Mapping[str, Table], margin: float) -> list[tuple[str, str]]:
    """Return the table and the level of each row that the headline of a verdict names."""
    names = headline_tables(findings)
    return [(name, str(row["level"])) for name in names for row in extreme_rows(tables[name], margin)]


def strategy_differences(table: Table, rows: Sequence[Row]) -> str:
    """Give the edges of the best and the worst strategy, which are `rows`: 'A wins most (+3.1 points), ...'."""
    most, least = verbs_for(table)
    said = [(row, most if row["edge"] > 0 else least) for row in rows]
    return ", ".join(f"{label(table, row)} {verb} ({edge_for_rows(row)})" for row, verb in said)


def verbs_for(table: Table) -> tuple[str, str]:
    """Return the words for a strong and for a weak row.

    A strategy does not win "too" often, because better strategies should win more.
    """
    return ("wins most", "wins least") if table.name == "strategy" else ("wins too often", "wins too rarely")


def judge_table(table: Table, manifest: Manifest, tables: Sequence[Table], margin: float) -> Finding:
    """Return the finding on one table: its strongest and weakest flagged row, or that (or why) there is none."""
    if table.silence:
        return Finding(table.name, "silent", table.silence)
    rows = table.frame.to_dicts()
    tested = [row for row in rows if row["p"] is not None]
    if not tested:
        why = "the run has one block only" if rows[0]["note"] == "one block" else "every block gave the same result"
        return Finding(table.name, "silent", f"No finding on {plural(table.noun)}: {why}.")
    hits, family = flagged(table), family_words(tables)
    plans, decided = decisions(table, margin, family)
    reach = (*plans, *what_was_visible(table, tested, manifest, margin))
    if not hits:
        widest = max(tested, key=lambda row: abs(row["edge"]))
        edge = points(widest["edge"], decimals(half_width(widest)))
        headline = f"No imbalance found among {plural(table.noun)}."
        seen = f"The largest observed edge, {label(table, widest)} with {edge} points, may be chance."
        moved, swayed = range_words(table, [widest], margin, family)
        return Finding(table.name, "fair", headline, (seen, *reach, *moved), claims=(*decided, *swayed))
    small = max(abs(row["edge"]) for row in hits) < margin
    headline = best_and_worst_words(table, hits, "the mean is" if only_one_player(manifest) else "the fair share is")
    within: tuple[Claim, ...] = ()
    if small and all(confirmed_within(row, margin) for row in hits):
        headline = f"Real but small: {headline}"
        within = tuple(Claim(WITHIN, label(table, row), row["edge"], -margin, margin, family, headline) for row in hits)
    elif small:
        headline = f"Observed within {margin_words(margin)}, but not confirmed: {headline}"
    elif table.name not in ("faction", "strategy"):
        headline = capital(headline)
    moved, swayed = range_words(table, extreme_rows(table, margin), margin, family)
    more = others(table, hits, family)
    sure = certainty_words(table, hits, tables)
    claims = (
        *claims_on(OUT, {row["level"]: row for row in (hits[0], hits[-1])}.values(), headline, family,
                   called=partial(label, table)),
        *claims_on(OUT, hits, sure, family, called=partial(label, table)), *within, *more, *decided, *swayed,
    )  # fmt: skip
    details = (sure, *sentences(more), *reach, *moved)
    return Finding(table.name, "small" if small else "out", headline, details, claims=claims)


def confirmed_within(row: Row, margin: float) -> bool:
    """Tell whether a row lies within the margin, by the limits that hold for all rows."""
    return bool(-margin <= row["family_low"] and row["family_high"] <= margin)


def edge_for_rows(row: Row) -> str:
    """Format a row's edge with the limits that hold for all rows: '+8.1 ± 1.2 points'."""
    return with_limits(row["edge"], row["family_low"], row["family_high"], "+")


def flagged(table: Table) -> list[Row]:
    """Return the flagged rows, the strongest first.

    From a table of two rows only the first is returned, because it gains what the other loses.
    """
    hits = table.frame.filter(pl.col("flag") != "").to_dicts()
    return hits[:1] if table.frame.height == 2 else hits


def best_and_worst_words(table: Table, hits: list[Row], measure: str) -> str:
    """Say which flagged row wins most and which wins least. Give their win rates, the fair share, edges and intervals.

    `measure` stands before the fair share in the sentence.
    """
    verbs = verbs_for(table)
    best, worst = hits[0], hits[-1]
    digits = decimals(half_width(best))
    parts = []
    if best["edge"] > 0:
        parts.append(
            f"{label(table, best)} {verbs[0]}: {percent(best['win_rate'], digits)} of its games; {measure} "
            f"{percent(best['null'], digits)} ({edge_for_rows(best)})"
        )
    if worst["edge"] < 0:
        share = percent(worst["win_rate"], digits)
        fair = "" if parts else f" of its games; {measure} {percent(worst['null'], digits)}"
        parts.append(f"{label(table, worst)} {verbs[1]}: {share}{fair} ({edge_for_rows(worst)})")
    return "; ".join(parts) + "."


def certainty_words(table: Table, hits: list[Row], tables: Sequence[Table]) -> str:
    """State how often luck alone would produce edges as clear as those of `hits` in any of the rows judged together."""
    surest, least = min(row["p_family"] for row in hits), max(row["p_family"] for row in hits)
    which = "produce an edge this clear" if len(hits) == 1 else "match the clearest edge here"
    sure = f"Evidence: in a balanced game, luck would {which} in {chance(surest)} runs"
    if len(hits) > 1 and chance(least) != chance(surest):
        sure += f", and the faintest flagged edge in {chance(least)}"
    rows = table.frame.height
    many = "its two rows are one test" if rows == 2 else f"{len(hits)} of {counted(rows, table.noun)} flagged"
    return f"{sure} ({many})."


def others(table: Table, hits: list[Row], family: str) -> tuple[Claim, ...]:
    """Return claims on the flagged rows except the strongest above the fair share and the weakest below it."""
    claims: tuple[Claim, ...] = ()
    strong = [row for row in hits if row["edge"] > 0][1:]
    weak = [row for row in reversed(hits) if row["edge"] < 0][1:]
    for word, rows in (("strong", strong), ("weak", weak)):
        if rows:
            first = rows[: NAMED + 1]
            digits = common_decimals([row["edge"] for row in first], list(map(half_width, first)))
            named = some([f"{label(table, row)} ({points(row['edge'], digits)})" for row in rows])
            also = f"too {word}" if table.name != "strategy" else f"with {'more' if word == 'strong' else 'fewer'} wins"
            claims += claims_on(OUT, rows, f"Also {also}: {named}.", family, called=partial(label, table))
    return claims


def decisions(table: Table, margin: float, family: str) -> tuple[tuple[str, ...], tuple[Claim, ...]]:
    """Say which factions to change (or which seats to compensate), which to leave, and which need more games.

    Returns sentences and claims. Both are empty for other tables, or if nothing can be decided.
    """
    if table.name not in ("faction", "seat", "start") or not table.decides:
        return (), ()
    rows = sorted(table.frame.to_dicts(), key=lambda row: -abs(row["edge"]))
    chosen = {word: [row for row in rows if row["decision"] == word] for word in (CHANGE, LEAVE, MORE)}
    said = [
        f"{verb} {some([label(table, row) for row in chosen[word]])}"
        for word, verb in ((CHANGE, change_verb(table)), (LEAVE, "leave"))
        if chosen[word]
    ]
    short = [row for row in chosen[MORE] if row["mde_family"] is None]
    near = [row for row in chosen[MORE] if row["more_games"] is None and row not in short]
    open_rows = [row for row in chosen[MORE] if row["more_games"] is not None]
    if open_rows:
        few, many = (count(round_up(end(row["more_games"] for row in open_rows))) for end in (min, max))
        games = f"about {many}" if few == many else f"about {few} to {many}"
        named = f"undecided are {some([label(table, row) for row in open_rows])}" if said or short else "none yet"
        each = "" if len(open_rows) == 1 else " each"
        said.append(f"{named} ({games} more games to decide{each}, {percent(PROMISED, 0)} power)")
    if near:
        lies = "lies" if len(near) == 1 else "lie"
        named = some([label(table, row) for row in near])
        said.append(f"{named} {lies} too close to the margin for any number of games to promise a decision")
    if short and not said:
        said.append("none yet")
    if not said:
        return (), ()
    sentence = f"Decisions (±{margin_words(margin)}): {'; '.join(said)}."
    more = [(label(table, row), float(round_up(row["more_games"]))) for row in open_rows]
    claims = (
        *decided_claims(table, sentence, family, margin, (CHANGE, LEAVE)),
        *(Claim("more games", name, games, None, games, "one row", sentence) for name, games in more),
    )
    likely, beliefs = likely_words(table, chosen[MORE], margin)
    return (sentence, *likely), (*claims, *beliefs)


def likely_words(table: Table, rows: list[Row], margin: float) -> tuple[tuple[str, ...], tuple[Claim, ...]]:
    """Return sentences and claims: which undecided `rows` are probably fair or unfair, and their chances."""
    known = [(row, row["fair_chance"]) for row in rows if row["fair_chance"] is not None]
    fair = sorted(((row, p) for row, p in known if p >= PROBABLY), key=lambda pair: -pair[1])
    off = sorted(((row, p) for row, p in known if p <= 1 - PROBABLY), key=lambda pair: pair[1])
    heads = ("Undecided, but probably fair", "Probably not fair" if fair else "Undecided, but probably not fair")
    said = [
        f"{head}: {some([f'{label(table, row)} ({percent(p, 0)})' for row, p in pairs])}"
        for head, pairs in zip(heads, (fair, off), strict=True)
        if pairs
    ]
    if not said:
        return (), ()
    sentence = f"{'. '.join(said)}. In brackets: chance that the true edge lies within {margin_words(margin)}."
    claims = [
        Claim("probably fair", label(table, row), abs(row["edge"]) - margin, low, high, "one row", sentence)
        for pairs, low, high in ((fair, None, 0.0), (off, 0.0, None))
        for row, _ in pairs
    ]
    return (sentence,), tuple(claims)


def what_was_visible(table: Table, tested: list[Row], manifest: Manifest, margin: float) -> Iterator[str]:
    """State which edge this run detects with 80 % power in every row.

    If this edge exceeds the margin, also state how many games it takes to detect an edge as large as the margin.
    """
    errors = [row["error"] for row in tested if row["error"]]
    effects = [row["mde_family"] for row in tested if row["mde_family"] is not None]
    if not errors:
        return
    needs = table_needs(table, manifest.games, Question(margin, POWER, ALPHA))["flag_any"].drop_nulls().to_list()
    games = round_up(max(needs)) if needs else None
    if not effects:
        unfound = "it could not reliably detect any possible edge"
        rest = " the rest" if any(row["flag"] for row in tested) else ""
        see = "" if games is None else f"; detecting {margin_words(margin)} takes about {counted(games, 'game')}"
        yield f"{TOO_SMALL}{rest}: {unfound}{see}."
        return
    worst = max(effects)
    needed = ""
    if worst > margin and games is not None and games > manifest.games:
        needed = f"; detecting {margin_words(margin)} takes about {count(games)} games"
    short = [label(table, row) for row in tested if row["error"] and row["mde_family"] is None]
    said = f"an edge of {size(worst)} points or more ({percent(POWER, 0)} power){needed}."
    if short:
        yield f"Too few games to judge: {some(short)}. Detectable in the other rows: {said}"
        return
    yield f"Detectable here: {said}"


def cautions(tables: list[Table], manifest: Manifest, cells: pl.DataFrame) -> Iterator[Finding]:
    """Yield the cautions: doubtful data or rules, solo games, few blocks, uneven mixing, weak players, validity."""
    yield from stand_ins(manifest)
    yield from other_readings(manifest)
    yield from alone(manifest)
    blocks = max(block for table in tables for block in table.frame["blocks"])
    if blocks < FEW_BLOCKS:
        few = f"Only {counted(blocks, 'block')}: with fewer than {FEW_BLOCKS}, intervals are rough."
        yield Finding("", "caution", few)
    yield from mixing(cells, manifest)
    yield from without_hope(tables, family_words(tables))
    yield Finding("", "caution", f"{CAVEAT} {validity_words(manifest)}")


def validity_words(manifest: Manifest) -> str:
    """Say whether results of these players have been compared with results of people."""
    held = rungs_with_results(manifest.game)
    names = [row.name for row in manifest.strategies]
    without = [name for name in names if name not in held]
    if not without:
        return f"{PAGE} shows how far figures of these players agree with what people found."
    who = "these players" if len(without) == len(names) else some(without)
    return f"No figures of {who} have been held against results of people ({PAGE})."


def alone(manifest: Manifest) -> Iterator[Finding]:
    """Explain what the fair share means in solo games."""
    numbers = player_counts(manifest)
    if 1 in numbers:
        where = "Every game has one player" if numbers == [1] else "Some games have one player"
        said = f"{where}: there the fair share is the mean win rate of all rows, and an edge is the difference from it."
        yield Finding("", "caution", f"{said} Difficulty is not judged.")


def stand_ins(manifest: Manifest) -> Iterator[Finding]:
    """Warn if game data is not confirmed by a source."""
    rows, invented = sum(manifest.certainty.values()), manifest.certainty.get("stand-in", 0)
    if invented:
        text = f"{invented} of {rows} rows of game data ({percent(invented / rows)}) are stand-ins for printed values"
        yield Finding("", "caution", f"{text}: a finding may depend on them.")


def mixing(cells: pl.DataFrame, manifest: Manifest) -> Iterator[Finding]:
    """Warn if two of seat, faction and strategy are unevenly mixed. The summary reports confounded ones."""
    nouns = factors(manifest)
    for one, other, plain, corrected in associations(cells, manifest):
        if corrected > UNEVEN and plain <= BOUND:
            mixed = f"In this run {nouns[one]} and {nouns[other]} are unevenly mixed"
            yield Finding("", "caution", f"{mixed}: part of the edge of one may come from the other.")


def other_readings(manifest: Manifest) -> Iterator[Finding]:
    """Name the ambiguous rules for which another reading changes the results, the largest change first."""
    readings = sorted(manifest.other_readings, key=lambda row: -abs(row.points))
    said = [
        f"{row.setting} is played as {toml_text(row.played)}; {toml_text(row.other)} moves {row.moves} by "
        f"{points(row.points / 100, 1)} points ({points(row.low / 100, 1)} to {points(row.high / 100, 1)}, "
        f"{counted(row.games, 'game')} of {row.strategies})."
        for row in readings
    ]
    if said:
        many = f"{len(said)} open points of the rules change"
        which = "One open point of the rules changes" if len(said) == 1 else many
        commands = listed(list(dict.fromkeys(f"`{row.command}`" for row in readings)))
        yield Finding("", "caution", f"{which} results: {said[0]}", (*said[1:], f"Measured with {commands}."))
