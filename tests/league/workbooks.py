"""Writes small workbooks as spreadsheet programs do: numbers, texts, dates as formatted numbers, merged cells."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from xml.sax.saxutils import escape

Cell = str | int | float | date | None
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
OFFICE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
FILES = {
    "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{OFFICE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/styles.xml" ContentType="{OFFICE}.styles+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{OFFICE}.worksheet+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="rId1" '
    f'Type="{LINKS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{LINKS}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="rId2" Type="{LINKS}/styles" Target="styles.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{LINKS}"><sheets>'
    '<sheet name="Games" sheetId="1" r:id="rId1"/></sheets></workbook>',
    # The second style shows a number as a date: 14 is the number of a format that every program knows.
    "xl/styles.xml": f'<styleSheet xmlns="{MAIN}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills>'
    '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>'
    '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>',
}
"""Everything in a workbook but its sheet."""
FIRST_DAY = date(1899, 12, 30)


def write_workbook(path: Path, rows: Sequence[Sequence[Cell]], merged: Sequence[str] = ()) -> Path:
    """Write a workbook with one sheet; `merged` are ranges such as "A2:A4"."""
    lines = ""
    for number, row in enumerate(rows, 1):
        cells = (cell(name, number, value) for name, value in zip("ABCDEFGHIJKL", row, strict=False))
        lines += f'<row r="{number}">{"".join(cells)}</row>'
    ranges = "".join(f'<mergeCell ref="{one}"/>' for one in merged)
    last = f'<mergeCells count="{len(merged)}">{ranges}</mergeCells>' if merged else ""
    sheet = f'<worksheet xmlns="{MAIN}"><sheetData>{lines}</sheetData>{last}</worksheet>'
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in {**FILES, "xl/worksheets/sheet1.xml": sheet}.items():
            archive.writestr(name, HEAD + text)
    return path


def cell(column: str, row: int, value: Cell) -> str:
    """Return a cell; nothing for an empty one."""
    at = f'r="{column}{row}"'
    if value is None:
        return ""
    if isinstance(value, str):
        return f'<c {at} t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>'
    if isinstance(value, date):
        return f'<c {at} s="1"><v>{(value - FIRST_DAY).days}</v></c>'
    return f"<c {at}><v>{value}</v></c>"
