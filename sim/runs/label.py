"""What a user writes on a run: tags and a note. They stand in the manifest and decide no game and no byte of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sim.errors import UserError

LONGEST_TAG, LONGEST_NOTE, MOST_TAGS = 50, 2000, 50


@dataclass(frozen=True)
class Label:
    """Tags and a note of a run."""

    tags: tuple[str, ...] = ()
    note: str = ""


UNLABELLED = Label()


def label_of(tags: str | Sequence[str] | None, note: str | None) -> Label:
    """Return what is written on a run; tags may be one text with commas.

    Raises
    ------
    UserError
        A tag is empty, too long or not on one line, there are too many, or the note is too long.
    """
    texts = [tags] if isinstance(tags, str) else list(tags or ())
    words = [word.strip() for text in texts for word in text.split(",")]
    for word in words:
        if not word or len(word) > LONGEST_TAG or not word.isprintable():
            raise UserError("not a tag", field="tag", found=word, allowed=f"1 to {LONGEST_TAG} letters on one line")
    if len(words) > MOST_TAGS:
        raise UserError("too many tags", field="tag", found=len(words), allowed=f"at most {MOST_TAGS}")
    said = (note or "").strip()
    if len(said) > LONGEST_NOTE:
        raise UserError("too long for a note", field="note", found=said, allowed=f"at most {LONGEST_NOTE} letters")
    return Label(tuple(dict.fromkeys(words)), said)


def joined(labels: Sequence[Label]) -> Label:
    """Return the label of runs that are joined: all tags, and each note once."""
    tags = tuple(dict.fromkeys(tag for label in labels for tag in label.tags))
    return Label(tags, "\n".join(dict.fromkeys(label.note for label in labels if label.note)))
