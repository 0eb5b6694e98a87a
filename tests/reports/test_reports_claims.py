"""What studies claim is false as seldom as they promise, and every sentence that claims something is a claim first."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

from reports.claims import KINDS, Claim
from reports.data.cells import count_cells
from reports.data.load import Ladder
from reports.model import Finding, Report, Section
from reports.report import RUN_SECTIONS, SECTION_ALPHA, build_report
from reports.sections.compare.robustness import robustness_section, sides_section
from reports.sections.core.shares import share_tables
from reports.sections.course.results import odds_sections
from reports.sections.course.ways import section_of_ways
from reports.sections.factions.explained import explained
from reports.sections.factions.price import price_sections
from reports.sections.pieces.pieces import pieces_section
from reports.sections.pieces.restricted import restricted_section
from reports.statistics.core.win_rate import ALPHA, FIRST_SCREEN_ALPHA, PAGES_ALPHA, one_family
from reports.statistics.pieces.restricted import restricted_frame
from tests.reports.claims import (
    HANDICAPS,
    PAGE,
    RATES,
    STUDIES,
    World,
    alone_match,
    brought_by,
    counted,
    drama_of,
    handicapped,
    is_kept,
    judged_alternatives,
    ladder_of,
    mirror_match,
    mixed_match,
    planned,
    played,
    reshuffled_wins,
    rolled_match,
    shuffled,
    table,
)
from tests.reports.conftest import Kept, at_terminal
from tests.reports.synthetic import (
    made_up_histories,
    made_up_restrictions,
    made_up_tables,
    made_up_ways,
    rare_is_strong,
    studied,
)

CLAIMING = re.compile(
    r"too (strong|weak|often|rarely)|out of balance|(more|less) often|\bsurely\b|\bfor sure\b|would decide|to decide"
    r"|no longer|differs? from|\bpays?\b|\b(gains?|loses?)\b|changes what|holds under|\bflips?\b|stands? out"
    r"|wins? (most|least|more|less) than|finishes (ahead|behind)|\b(rise|fall)s?\b|disagree|significantly"
    r"|(more|less) common|matters most"
)
"""Words with which sentences say something about the truth."""
LIMITED = re.compile(r"± \d|\([^()]*\d to [+-]?\d[^()]*\)")
"""Limits, as sentences write them: '+0.8 ± 0.5', '1.6 (1.3 to 2.0)'; '(±1 point)' is a margin."""
SPREAD = re.compile(r"\(nine of ten games: .*?\)")
"""Where games lie, which is no limit of an estimate."""
FOUND_NOTHING = re.compile(r"\b(no|none|not|nobody|nothing)\b", re.IGNORECASE)
"""A sentence that says that nothing was found says nothing about the truth."""
FIRST, WORLDS = 11, 4
"""Seed of a study's first world, whose sentences are kept, and how many worlds are tried: with 3 false it fails."""
CHANGING = (
    "compare", "compare, until sure", "rebalance, a race", "rebalance, one number", "rebalance, a set", "sweep",
)  # fmt: skip
"""Studies of changes."""


@cache
def first_world(study: str) -> World:
    """Return a study's first world, played once per process."""
    return STUDIES[study].play(FIRST)


@cache
def mixed_report() -> Report:
    """Return the report of a run with three strategies."""
    return build_report(mixed_match())


OUTPUTS: dict[str, Callable[[], Report | Sequence[Section]]] = {
    "report": mixed_report,
    "report of a mirror match with cards": lambda: build_report(mirror_match(3000, "cards")),
    "report of games with several endings": lambda: build_report(played(1200, game="imperium")),
    "report of games with circumstances": lambda: build_report(played(1200, game="glory_of_rome")),
    "report of games of one player": lambda: build_report(alone_match()),
    "report of games with picks and odds": lambda: build_report(rolled_match()),
    "ladder": lambda: [ladder_of({name: played(3000, (name,), seed=11) for name in ("random", "greedy", "balanced")})],
    "plan": lambda: [planned(mirror_match(), 1.0)],
    "sensitivity": lambda: [
        judged_alternatives({"as played": mirror_match(), "a guess": shuffled(mirror_match(), "faction", 1)})
    ],
    "price": lambda: price_sections(handicapped(mirror_match(), HANDICAPS), "Rhodos B", touching=True),
    "price where all is equal": lambda: price_sections(shuffled(mirror_match(), "faction", 1), touching=True)[:1],
    "explain": lambda: explained(replace(mirror_match(3000, detail="cards"), folder=Path("runs/first")), "Rhodos B"),
    "drama": lambda: drama_of(
        {"2 players": made_up_histories(1, grows=0.2), "3 players": made_up_histories(2, comes_late=4)}
    ),
    "ways": lambda: [section_of_ways(made_up_ways(1, share=0.95, games=1600), "faction")],
    "restricted play": lambda: [
        restricted_section(restricted_frame(made_up_restrictions(4, kinds=3, edge=-0.1), 4), 4)
    ],
    "metagame": lambda: studied(*(made_up_tables("abc", 3, 400, rare_is_strong, seed) for seed in (1, 2)), 20).sections,
}
OUTPUTS |= {
    study: lambda study=study: first_world(study).spoken
    for study in ("price, in goods", "explain, parts", "report, a league", "ladder, skill or luck", *CHANGING)
}
"""Real outputs of studies in worlds in which something is true."""
REPORTS = {
    "report": "several strategies", "report of a mirror match with cards": "seven_wonders",
    "report of games with several endings": "imperium", "report of games with circumstances": "glory_of_rome",
    "report of games of one player": "imperial_settlers", "report of games with picks and odds": "history_of_the_world",
}  # fmt: skip
"""Names of the pages on which reports are kept."""


@pytest.fixture(scope="module", params=OUTPUTS)
def output(request: pytest.FixtureRequest) -> tuple[str, Report | Sequence[Section]]:
    """The name of an output, and the output."""
    return request.param, OUTPUTS[request.param]()


def spoken_of(said: Report | Sequence[Section]) -> list[Section | Finding]:
    """Return all that an output says, but what other runs measured of open points of the rules."""
    if not isinstance(said, Report):
        return list(said)
    own = [one for one in said.findings if not any(text.startswith("Measured with") for text in one.details)]
    return [*own, *said.sections]


def rests(spoken: Section | Finding) -> Iterator[str]:
    """Yield sentences that are no claim."""
    texts = spoken.sentences if isinstance(spoken, Section) else (spoken.headline, *spoken.details)
    for text in texts:
        claimed = "|".join(re.escape(claim.said) for claim in spoken.claims)
        rest = re.sub(claimed, "", text) if claimed else text
        yield from re.split(r"(?<=[.;:!?]) +", rest)


def unclaimed(spoken: Section | Finding) -> Iterator[str]:
    """Yield sentences that say something about the truth and are no claim."""
    for sentence in rests(spoken):
        if CLAIMING.search(sentence) and not FOUND_NOTHING.search(sentence):
            yield sentence


def test_every_sentence_that_says_something_about_the_truth_is_a_claim(output: Any) -> None:
    study, said = output
    spoken = spoken_of(said)
    assert any(one.claims for one in spoken) or "equal" in study
    assert [text for one in spoken for text in unclaimed(one)] == []


def test_every_sentence_with_limits_is_a_claim(output: Any) -> None:
    spoken = spoken_of(output[1])
    assert [text for one in spoken for text in rests(one) if LIMITED.search(SPREAD.sub("", text))] == []


def test_every_sentence_that_a_ladder_adds_to_a_report_is_a_claim() -> None:
    """The ladder has other games than the report, so that verdicts hold, flip and stay open."""
    rungs = {name: played(3000, (name,), seed=11) for name in ("random", "greedy", "balanced")}
    alone, told = (build_report(mixed_match(), ladder=ladder) for ladder in (None, Ladder(Path("rungs"), rungs)))
    added = [one for one in told.findings if one not in alone.findings]
    assert [one.headline.partition(" ")[0] for one in added] == ["Out", "Who", "By"]
    assert all(one.claims for one in added)
    assert [text for one in added for text in unclaimed(one)] == []
    assert [text for one in added for text in rests(one) if LIMITED.search(SPREAD.sub("", text))] == []


def of_any_machine(report: Report) -> Report:
    """The report of the same run in a folder `RUN`, played at a speed of 1,000 games a second."""
    findings = tuple(
        replace(one, details=tuple(text.replace(str(report.folder), "RUN") for text in one.details))
        for one in report.findings
    )
    manifest = report.manifest.model_copy(update={"playing_seconds": report.manifest.games / 1000})
    return replace(report, findings=findings, manifest=manifest)


def test_what_a_study_says_is_as_kept(output: Any, kept: Kept) -> None:
    study, said = output
    said = of_any_machine(said) if isinstance(said, Report) else said
    kept(
        f"report, {REPORTS[study]}" if study in REPORTS else study,
        {study: [at_terminal(said), *said.sections] if isinstance(said, Report) else said},
    )


def test_every_kind_of_claim_is_in_the_table() -> None:
    measured = {kind for study in json.loads(RATES.read_text()).values() for kind in study["kinds"]}
    looked_for = {kind for study in STUDIES.values() for kind in study.kinds}
    assert measured == looked_for == set(KINDS)


def test_a_world_counts_for_the_kinds_whose_truth_it_knows() -> None:
    claim = Claim("bid", "Rhodos B", 3.0, 2.0, 4.0, "all prices", "Rhodos B pays 3.0 (2.0 to 4.0).")
    worlds = [
        World([claim], lambda _: 5.0),
        World([], lambda _: None, kinds=("price alone",)),
        World([], lambda _: 0.0),
    ]
    kinds, everything = counted(worlds, ("bid", "price alone"))
    assert (kinds["bid"].worlds, kinds["bid"].rate("bid")) == (2, 0.5)
    assert (kinds["price alone"].worlds, kinds["price alone"].rate("price alone")) == (3, 0.0)
    assert (everything.worlds, everything.false_worlds) == (3, 1)


def test_a_card_that_brings_wins_is_claimed_and_no_card_where_none_does() -> None:
    run = reshuffled_wins(mirror_match(3000, detail="cards"), 1)
    section = pieces_section(brought_by(run, "Loom (1)", 0.2, seed=1))
    assert section is not None
    (loom,) = [claim for claim in section.claims if claim.subject == "Loom (1)" and "More common" in claim.said]
    assert loom.low is not None
    assert 0 < loom.low < 0.2
    nothing = pieces_section(run)
    assert nothing is not None
    assert nothing.claims == ()


def test_a_sentence_without_a_claim_is_noticed() -> None:
    claim = Claim("out of balance", "Rhodos B", 0.05, 0.02, 0.08, "27 rows", "Rhodos B wins too often.")
    said = ("Rhodos B wins too often.", "Gizah A wins too rarely.", "No seat was found out of balance.")
    assert list(unclaimed(Section("a", "A", said, claims=(claim,)))) == ["Gizah A wins too rarely."]
    assert all(map(LIMITED.search, ["No board moves: +0.1 ± 0.4 points.", "It is fair at 1.6 (1.3 to 2.0)."]))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.sweep if study.swept else ()) for name, study in STUDIES.items()]
)
def test_a_study_claims_something_false_in_at_most_one_world_of_twenty(name: str, scaled: Callable[..., int]) -> None:
    study = STUDIES[name]
    more = range(FIRST + 1, FIRST + scaled(WORLDS, 1, full_count=200))
    kinds, _ = counted([first_world(name), *map(study.play, more)], study.kinds)
    for kind, count in kinds.items():
        false, of = (count.false_worlds, count.worlds) if KINDS[kind].per == "study" else (count.false, count.claims)
        assert is_kept(false, of, KINDS[kind].rate), f"{kind}: {false} of {of}"


def test_a_report_shares_out_its_error_rate() -> None:
    sections = (*RUN_SECTIONS, robustness_section, sides_section, odds_sections)
    assert FIRST_SCREEN_ALPHA + len(sections) * SECTION_ALPHA + PAGES_ALPHA == pytest.approx(ALPHA)


def test_the_first_screen_flags_at_its_share_of_the_error_rate() -> None:
    """A row is tested at a stricter level than the 5 % that these tables have by themselves."""
    run = mixed_match()
    screen, alone = mixed_report().tables["faction"], share_tables(run, count_cells(run))[0]["faction"]
    assert screen.tests > 1.2 * alone.tests
    wider = (screen.frame["family_high"] - screen.frame["edge"]) / (alone.frame["family_high"] - alone.frame["edge"])
    assert 1.01 < wider.to_numpy().mean() < 1.05


def test_sections_of_a_report_claim_less_than_they_would_by_themselves() -> None:
    """Each has a small part of the 5 %, so that limits of what it claims are wider, and it claims no more."""
    run, report = mixed_match(), mixed_report()
    alone = [section(run, ALPHA) for section in RUN_SECTIONS]
    alone += [sides_section(report.tables, run.manifest), robustness_section(run, (), report.tables)]
    by_itself = {section.name: section for section in alone if section is not None}
    compared = Counter[str]()
    for section in report.sections:
        if section.name in by_itself:
            limits = {one.subject: one for one in by_itself[section.name].claims}
            for claim in section.claims:
                own = limits[claim.subject]
                if None not in (claim.low, claim.high) and claim.estimate == own.estimate:
                    assert claim.high - claim.low >= own.high - own.low, claim
                    compared[section.name] += claim.high - claim.low > own.high - own.low
    assert min(compared[name] for name in ("strength", "matchups", "sides")) > 0
    assert all(len(report.section(name).claims) <= len(one.claims) for name, one in by_itself.items())


@pytest.mark.parametrize("rate", [ALPHA, SECTION_ALPHA])
def test_rows_of_one_family_are_flagged_by_luck_as_often_as_it_may_be_wrong(rate: float) -> None:
    families, rows = 500, 20
    deviates = np.random.default_rng(3).standard_normal((families, rows))
    deviates *= stats.norm.isf(rate / rows / 2) / stats.norm.isf(ALPHA / rows / 2)  # as rare at each rate
    frame = pl.DataFrame({"edge": deviates.ravel(), "p": 2 * stats.norm.sf(np.abs(deviates.ravel()))})
    frame = frame.with_columns(edge_low=pl.col("edge") - 1.96, edge_high=pl.col("edge") + 1.96)
    parts = [frame.slice(rows * place, rows) for place in range(families)]
    false = sum(one_family([part], blocks=10**6, rate=rate)[0]["flag"].ne("").any() for part in parts)
    assert false / families == pytest.approx(ALPHA, abs=0.025)


def test_shuffling_keeps_who_won_and_gives_out_the_same_factions_within_each_block() -> None:
    run = mirror_match(400)
    mixed = shuffled(run, "faction", 1).seats.collect()
    seats = run.seats.collect()
    assert mixed.drop("faction").equals(seats.drop("faction"))
    assert not mixed["faction"].equals(seats["faction"])
    by_block = [frame.group_by("block").agg(frame["faction"].sort()).sort("block") for frame in (mixed, seats)]
    assert by_block[0].equals(by_block[1])


def test_a_claim_is_false_where_the_truth_lies_outside_its_limits() -> None:
    claim = Claim("out of balance", "Rhodos B", 0.05, 0.02, 0.08, "27 rows", "Rhodos B wins too often.")
    assert claim.false_of(0.0)
    assert not claim.false_of(0.05)


def test_a_claim_that_cannot_be_false_is_none() -> None:
    with pytest.raises(ValueError, match="cannot be false"):
        Claim("out of balance", "Rhodos B", 0.05, None, None, "27 rows", "Rhodos B wins.")


def test_the_table_of_the_docs_holds_the_rates_that_were_measured() -> None:
    assert table(json.loads(RATES.read_text())) in PAGE.read_text()
