"""Declares a game in plain Python to the rest of the program: its variants, factions, pieces and numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import sim.game as declared
from sim.data.catalog import CERTAINTIES, digest
from sim.data.changes import Change, apply_changes
from sim.data.declarations import Faction, PieceEvent, Variant
from sim.errors import UserError
from sim.games.plain.class_checks import STANDARD, line_of
from sim.games.plain.content import as_file, check_rows, kinds_of


class PlainGame(declared.GameSpec):
    """The declaration of a game in one plain Python file. When it is sent to another process, only the name is sent."""

    def __reduce__(self) -> Any:
        return declared.load_game, (self.name,)


def declaration_of(rules: Any) -> PlainGame:
    """Return the declaration of a game for the rest of the program."""
    kind = rules.kind
    content = as_file(rules.given)
    kinds = kinds_of(rules.data_place, content, kind.negative)
    factions = faction_rows(rules, content)
    pieces = pieces_of(rules, content)
    measures = (*kind.measure_names, *(f"after_round_{number}" for number in kind.checkpoints))
    own = [name for name, player in rules.players.items() if player.function is not None]
    in_file = bool(kind.faction_word) and kind.faction_word in content
    label = kinds[kind.faction_word].label if in_file else ()
    variants = kind.variants or {STANDARD: None}

    def place_of(data: declared.Data, number: int) -> tuple[str, str]:
        return rules.data_file.name, str(data.catalog[kind.faction_word][number][label[0]])

    counts = tuple(sorted(kind.players))
    return PlainGame(
        name=rules.name,
        title=kind.title or kind.__name__,
        variants=tuple(Variant(name, tuple(some or counts), "") for name, some in variants.items()),
        folder=rules.folder,
        files={rules.data_file.name: kinds} if kinds else {},
        score_parts=tuple(kind.score_parts),
        measures=measures,
        checkpoints=tuple(f"after_round_{number}" for number in kind.checkpoints),
        end_reasons=tuple(kind.end_reasons),
        pieces=pieces,
        state=np.dtype(np.int8),
        tables=np.dtype(np.int8),
        load=Loader(rules, content, kinds, factions),
        set_up=not_compiled,
        play_step=not_compiled,
        redeal=not_compiled,
        score_game=not_compiled,
        decisions=("move",),
        narrate=not_compiled,
        faction_title=(kind.faction_word or "faction") if factions else "",
        faction_attributes=tuple(kind.faction_attributes) if factions else (),
        faction_place=place_of if in_file else None,
        default_players=kind.default_players or counts[-1],
        default_strategies=tuple(own) or ("greedy",),
        plain=rules,
    )  # fmt: skip


def not_compiled(*_: Any) -> Any:
    """Raise UserError: a game in plain Python has no kernels."""
    allowed = "a game of the project, or one as in docs/adding-a-game.md"
    raise UserError("only compiled games support this", allowed=allowed)


def named_rows(rules: Any, content: Mapping[str, Any], field: str) -> Sequence[Mapping[str, Any]]:
    """Return the rows of the table that `field` names; raise UserError if there is no such table."""
    word = getattr(rules.kind, field)
    rows = content.get(word)
    if isinstance(rows, list | tuple):
        return rows
    place = f"{rules.place}:{line_of(rules.kind)}"
    if rows is None:
        message = "the data have no table of this name"
        raise UserError(message, file=place, field=field, found=word, allowed=list(content))
    message = f"the table {word} must be a list of rows, each with a name"
    raise UserError(message, file=place, field=field, found=f"[{word}]", allowed=f'[[{word}]] with name = "..."')


def faction_rows(rules: Any, content: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return one row for each faction; empty if the game has no factions.

    The rows come from `factions` of the class if it is set, otherwise from the table `faction_word` of the data.
    """
    kind = rules.kind
    if kind.factions:
        return [each if isinstance(each, Mapping) else {"name": str(each)} for each in kind.factions]
    if not kind.faction_word:
        return []
    rows = named_rows(rules, content, "faction_word")
    for row in rows:
        for name in kind.faction_attributes:
            if name not in row:
                raise UserError("a faction lacks this attribute", file=rules.data_file, row=row.get("name"), field=name)
    return list(rows)


def pieces_of(rules: Any, content: Mapping[str, Any]) -> declared.Pieces | None:
    """Return the declaration of the pieces; None if the game does not record what happens to pieces."""
    kind = rules.kind
    if not kind.piece_word or not rules.has("pieces"):
        return None
    rows = named_rows(rules, content, "piece_word")
    label = kinds_of(rules.data_file, {kind.piece_word: rows}, ())[kind.piece_word].label[0]

    def numbers(data: declared.Data, piece: int, wanted: Callable[[str], bool]) -> dict[str, str]:
        row = data.catalog[kind.piece_word][piece]
        return {name: "0" for name, value in row.items() if type(value) in (int, float) and wanted(name)}

    plural = f"{kind.piece_word}s"
    return declared.Pieces(
        name=kind.piece_word,
        plural=plural,
        columns=(("offered", "uint8"), *((event, "uint8") for event in kind.piece_events)),
        rows=len(rows),
        offered="offered",
        events=tuple(
            PieceEvent(column=event, title=event.replace("_", " "), in_play=place == 0)
            for place, event in enumerate(kind.piece_events)
        ),
        in_files=declared.PiecesInFiles(
            nothing=lambda data, piece: numbers(data, piece, lambda name: name not in ("copies", *kind.piece_price)),
            free=(lambda data, piece: numbers(data, piece, lambda name: name in kind.piece_price))
            if kind.piece_price
            else None,
            place=lambda data, piece: (rules.data_file.name, str(data.catalog[kind.piece_word][piece][label])),
        ),
    )


@dataclass
class Loader:
    """The `load` function of a game: returns its numbers with changes applied, and the values of its settings."""

    rules: Any
    content: Mapping[str, Any]
    kinds: Mapping[str, Any]
    factions: Sequence[Mapping[str, Any]]

    def names(self, table: str, rows: Sequence[Mapping[str, Any]], label: str) -> tuple[str, ...]:
        """Return the value of the field `label` in each row, as a string; raise UserError if a row lacks the field."""
        for number, row in enumerate(rows, start=1):
            if label not in row:
                message, place = "a row without a name", f"{table} {number}"
                raise UserError(message, file=self.rules.data_file, row=place, field=label, allowed=f'{label} = "..."')
        return tuple(str(row[label]) for row in rows)

    def __call__(
        self, settings: Mapping[str, object], changes: Sequence[Change] = (), additions: Sequence[object] = ()
    ) -> declared.Data:
        """Return a run's data with settings and changes; raise UserError if one of them is invalid."""
        rules = self.rules
        content = apply_changes(rules.data_file, dict(self.content), self.kinds, changes)
        if changes:
            check_rows(rules.data_file, content, self.kinds)
        values = {name: allowed[0] for name, allowed in rules.kind.settings.items()}
        for name, value in settings.items():
            if name not in values:
                raise UserError(f"unknown setting of {rules.name}", found=name, allowed=list(values) or "none")
            if value not in rules.kind.settings[name]:
                allowed = list(rules.kind.settings[name])
                raise UserError(f"setting {name}: unknown value", found=value, allowed=allowed)
            values[name] = value
        word, label = rules.kind.faction_word, "name"
        rows = content[word] if not rules.kind.factions and word in content else self.factions
        certainty: dict[str, int] = dict.fromkeys(CERTAINTIES, 0)
        for table in content.values():
            for row in [table] if isinstance(table, dict) else table:
                said = row.get("certainty", "confirmed")
                certainty[said if said in certainty else "confirmed"] += 1
        if rows and label not in rows[0]:
            label = self.kinds[word].label[0]
        piece = rules.kind.piece_word
        return declared.Data(
            tables=np.zeros(1, np.int8),
            factions=tuple(
                Faction(
                    name=name,
                    attributes={name: str(row[name]) for name in rules.kind.faction_attributes},
                    certainty="" if rules.kind.factions else str(row.get("certainty", "confirmed")),
                )
                for name, row in zip(self.names(word, rows, label), rows, strict=True)
            ),
            pieces=self.names(piece, content.get(piece, ()), self.kinds[piece].label[0]) if piece else (),
            settings=values,
            certainty=certainty,
            settings_certainty={},
            digest=digest({"data": content, "factions": list(self.factions), "settings": values}),
            catalog=content,
        )
