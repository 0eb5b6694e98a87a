"""Files of a user's own that add to a game's data: read whole, and refused where they cannot be."""

from pathlib import Path

import pytest

from sim.data.changes import MAX_TEXT, Addition, read_addition
from sim.errors import UserError


def test_a_file_is_kept_as_its_text_and_read_as_toml(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('# mine\n[[deck]]\nname = "Mine"\n', "utf-8-sig")
    addition = read_addition(file)
    assert addition == Addition(file, '# mine\n[[deck]]\nname = "Mine"\n')
    assert addition.tables() == {"deck": [{"name": "Mine"}]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[[deck", r"mine.toml: not valid TOML"),
        (b"name = '\xff'", r"mine.toml: not UTF-8 text \(at line 1\)"),
        (b"#" * (MAX_TEXT + 1), r"mine.toml: too long \(found: 100001\); allowed: at most 100,000 letters"),
        (b"a = " + b"[" * 5000, r"mine.toml: nested too deep"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(content)
    with pytest.raises(UserError, match=message):
        read_addition(file)


def test_a_file_that_there_is_not_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file"):
        read_addition(tmp_path / "mine.toml")
    with pytest.raises(UserError, match="cannot be read"):
        read_addition(tmp_path)
