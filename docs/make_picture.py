"""Writes docs/report.png, the README's picture of a page: what `make picture` does.

python docs/make_picture.py PAGE.html

The first screen of a page that `report --html` has written, as Chromium shows it, in few colours.
"""

from __future__ import annotations

import argparse
import io
import shutil
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

PICTURE = Path(__file__).resolve().parent / "report.png"
SCREEN = (1280, 850)
"""Width and height in pixels: a page's headline, its figure, and what to change."""
COLOURS = 64
"""With so many letters look as they did, in a third of the bytes."""


def picture_of(page: Path, program: str) -> bytes:
    """Return the first screen of a page as PNG, taken with the Chromium `program`."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        shown = browser.new_page(viewport={"width": SCREEN[0], "height": SCREEN[1]})
        shown.goto(page.resolve().as_uri(), wait_until="networkidle")
        taken = shown.screenshot()
        browser.close()
    content = io.BytesIO()
    Image.open(io.BytesIO(taken)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(
        content, "PNG", optimize=True
    )
    return content.getvalue()


def main() -> None:
    """Read the command line, write the picture."""
    parser = argparse.ArgumentParser(description="Write the README's picture of a page.")
    parser.add_argument("page", type=Path, help="page that report --html has written")
    page = parser.parse_args().page
    program = shutil.which("chromium")
    if program is None:
        sys.exit("the picture is taken with chromium, which is not installed")
    if not page.is_file():
        sys.exit(f"{page}: no such page; make demo writes one")
    PICTURE.write_bytes(picture_of(page, program))
    print(f"{PICTURE}: {PICTURE.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
