"""Build the documentation as a site: what `make docs` does.

python docs/make_site.py                 # into site/
python docs/make_site.py --api docs/api  # with a reference that `make api` has written before

The pages are Markdown that also reads well in the repository. They are copied into one folder, and links out of `docs/`
are rewritten: kernels to the reference from docstrings, other files to a copy. Then Zensical builds the site. A broken
link is an error.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote

import tomli_w

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
BESIDE = {ROOT / "README.md": "readme.md"} | {ROOT / name: name for name in ("CONTRIBUTING.md", "CHANGELOG.md")}
"""Pages outside of `docs/`, and their names in the site, where a README would take the place of the index."""
LINK = re.compile(r"\]\(([^)\s]+)\)")
DEFINITION = re.compile(r"^\[`([^`]+)`\]: (\S+)\n?", re.MULTILINE)
USE = re.compile(r"\[`([^`]+)`\](?![(\[])")
"""A name of code that is a link where it is defined: GitHub knows such links, Python's Markdown does not."""
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


class BrokenLinkError(Exception):
    """A link leads nowhere."""


def pages() -> dict[Path, str]:
    """Return all pages, and their names in the site."""
    return {page: page.name for page in sorted(DOCS.glob("*.md"))} | BESIDE


def make_site(api: Path, out: Path) -> int:
    """Write the site to `out`, replacing its content, with the reference `api` that `docs/make_api.py` has written.

    Return how many pages of Markdown it has. Raise BrokenLinkError if a link of a page leads nowhere, and
    CalledProcessError if Zensical ends with a warning.
    """
    with TemporaryDirectory(prefix="empirelab-site-") as name:
        folder = Path(name)
        stage(api, folder / "docs")
        (folder / "zensical.toml").write_text(tomli_w.dumps(settings()), "utf-8")
        made = subprocess.run(
            [sys.executable, "-m", "zensical", "build", "--clean", "--strict"],
            cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
        if made.returncode:
            sys.exit(made.stdout)
        shutil.rmtree(out, ignore_errors=True)
        shutil.move(folder / "site", out)
    missing = [name for name in pages().values() if not (out / name).with_suffix(".html").is_file()]
    if missing:
        sys.exit(f"the site lacks {', '.join(missing)}: another page has its place")
    return len(pages())


def stage(api: Path, folder: Path) -> None:
    """Copy pages, reference and all that pages lead to into one folder."""
    shutil.copytree(api, folder / "api")
    for page, name in pages().items():
        text = page.read_text("utf-8")
        leads = dict(DEFINITION.findall(text))
        code, rest = FENCE.findall(text), FENCE.split(text)
        parts = [turned(part, leads, page, folder) for part in rest]
        whole = parts[0] + "".join(block + part for block, part in zip(code, parts[1:], strict=True))
        (folder / name).write_text(whole, "utf-8")


def turned(text: str, leads: dict[str, str], page: Path, folder: Path) -> str:
    """Turn the links of a text to where they lead in the site; `leads` are those of names of code."""

    def use(found: re.Match[str]) -> str:
        name = found[1]
        if name not in leads:
            return found[0]
        return f"[`{name}`]({place(leads[name], page, folder, name.rpartition('.')[2])})"

    text = LINK.sub(lambda found: f"]({place(found[1], page, folder)})", text)
    return USE.sub(use, DEFINITION.sub("", text))


def place(target: str, page: Path, folder: Path, function: str = "") -> str:
    """Return where a link leads in the site, and copy a target that is no page.

    Raise BrokenLinkError if it leads nowhere.
    """
    name, mark, anchor = target.partition("#")
    if not name or re.match(r"[a-z]+:", name):
        return target
    file = (page.parent / unquote(name)).resolve()
    if file in pages():
        return pages()[file] + mark + anchor
    if not file.exists() or not file.is_relative_to(ROOT):
        raise BrokenLinkError(f"{page.relative_to(ROOT)}: {target}")
    own = file.relative_to(ROOT)
    described = Path("api") / own.with_suffix(".html")
    if function and (folder / described).is_file():
        if f'id="{function}"' in (folder / described).read_text("utf-8"):
            return f"{described.as_posix()}#{function}"
        raise BrokenLinkError(f"{page.relative_to(ROOT)}: {target} has no {function}")
    if file.is_dir():
        shutil.copytree(file, folder / "files" / own, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        listing = "".join(f'<li><a href="{one.name}">{one.name}</a></li>' for one in sorted(file.glob("*.*")))
        (folder / "files" / own / "index.html").write_text(f"<ul>{listing}</ul>", "utf-8")
        return f"files/{own.as_posix()}/index.html"
    (folder / "files" / own).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, folder / "files" / own)
    return f"files/{own.as_posix()}"


def settings() -> dict[str, object]:
    """Return the settings for Zensical; the navigation has the sections of the index."""
    listed: set[str] = set()
    navigation: list[object] = [{"Documentation": "index.md"}, {"empirelab": BESIDE[ROOT / "README.md"]}]
    for section in re.split(r"^## ", (DOCS / "index.md").read_text("utf-8"), flags=re.MULTILINE)[1:]:
        names = [
            place(link, DOCS / "index.md", DOCS)
            for link in re.findall(r"^\| \[[^\]]+\]\(([^)#]+\.md)\)", section, re.MULTILINE)
        ]
        navigation.append({section.partition("\n")[0]: [{heading(name): name} for name in names]})
        listed |= {*names}
    missing = {*pages().values()} - listed - {"index.md", BESIDE[ROOT / "README.md"]}
    if missing:
        sys.exit(f"docs/index.md does not list {', '.join(sorted(missing))}")
    navigation.append({"Reference of all modules": "api/index.html"})
    return {
        "project": {
            "site_name": "empirelab",
            "site_description": "What is out of balance in empire-building board games",
            "docs_dir": "docs",
            "site_dir": "site",
            "use_directory_urls": False,
            "nav": navigation,
            "theme": {"font": False, "features": ["navigation.indexes", "navigation.sections", "content.code.copy"]},
        }
    }


def heading(name: str) -> str:
    """Return the heading of a page."""
    page = next(page for page, own in pages().items() if own == name)
    return next(line[2:] for line in page.read_text("utf-8").splitlines() if line.startswith("# "))


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Write the documentation as a site.")
    parser.add_argument("--api", type=Path, default=DOCS / "api", help="reference that `make api` has written")
    parser.add_argument("--out", type=Path, default=ROOT / "site", help="folder for the site")
    asked = parser.parse_args()
    os.environ.setdefault("NO_COLOR", "1")
    try:
        print(f"{make_site(asked.api.resolve(), asked.out.resolve())} pages and the reference in {asked.out}")
    except BrokenLinkError as error:
        sys.exit(f"this link leads nowhere: {error}")


if __name__ == "__main__":
    main()
