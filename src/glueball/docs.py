"""`glueball docs [PAGE]`: the documentation that came with the package, without a network."""

from __future__ import annotations

import argparse
import pydoc
import re
import sys
from difflib import get_close_matches
from pathlib import Path

from glueball.console import CommandError, printable, table, write

_INSTALLED = Path(__file__).with_name("pages")
_IN_TREE = Path(__file__).parents[2] / "docs"
_TITLE = re.compile(r"#{1,6} +(.+)")
_FENCE = re.compile(r"(```+|~~~+)")


def run(options: argparse.Namespace) -> int:
    """Lists the pages, or shows one."""
    folder = find_folder()
    if options.page is None:
        _print_folder(folder, options.path)
        return 0
    name, _, section = options.page.partition("#")
    path = find_page(folder, name)
    if options.path:
        write(str(path))
        return 0
    text = path.read_text(encoding="utf-8")
    text = find_section(text, section, name) if section else text
    if sys.stdout.isatty():
        pydoc.pager(text)
    else:
        write(text.rstrip("\n"))
    return 0


def find_folder() -> Path:
    """Returns the folder of the pages: of the installed package, or of the source tree."""
    for folder in (_INSTALLED, _IN_TREE):
        if (folder / "index.md").is_file():
            return folder
    raise CommandError(
        f"expected pages in {_INSTALLED}, found none; run `pip install --force-reinstall glueball`"
    )


def list_pages(folder: Path) -> dict[str, Path]:
    """Returns the pages by their names, such as `zh/migration`: those of users first."""
    names = {
        path.relative_to(folder).with_suffix("").as_posix(): path for path in folder.rglob("*.md")
    }
    return {name: names[name] for name in sorted(names, key=_rank)}


def _rank(name: str) -> tuple[bool, bool, str]:
    """Returns what pages are sorted by: pages of the top, of folders, records of decisions."""
    return name.startswith("adr/"), "/" in name, name


def find_page(folder: Path, name: str) -> Path:
    """Returns the page of a name, which may be written as a file: `docs/migration.md`."""
    pages = list_pages(folder)
    wanted = name.removeprefix("docs/").removesuffix(".md").rstrip("/")
    for candidate in (wanted, f"{wanted}/index"):
        if candidate in pages:
            return pages[candidate]
    close = get_close_matches(wanted, pages, n=1)
    hint = f"did you mean {close[0]}?" if close else "`glueball docs` lists the pages"
    raise CommandError(f"there is no page {printable(name)}; {hint}")


def find_section(text: str, anchor: str, page: str) -> str:
    """Returns the part of a page below a heading, up to the next one of the same level.

    Args:
        text: The page.
        anchor: The heading as it stands in links, such as `mixed-precision`.
        page: Name of the page, for the error.
    """
    lines = text.splitlines()
    headings = _find_headings(lines)
    start = next((line for line, _, slug in headings if slug == anchor), None)
    if start is None:
        known = ", ".join(slug for _, _, slug in headings)
        raise CommandError(f"{page} has no section {printable(anchor)}, but {known}")
    level = next(level for line, level, _ in headings if line == start)
    ends = (line for line, other, _ in headings if line > start and other <= level)
    return "\n".join(lines[start : next(ends, len(lines))])


def _find_headings(lines: list[str]) -> list[tuple[int, int, str]]:
    """Returns line, level and anchor of each heading outside of code."""
    headings, inside_code = [], False
    for number, line in enumerate(lines):
        inside_code ^= _FENCE.match(line.lstrip()) is not None
        match = _TITLE.match(line)
        if match is not None and not inside_code:
            level = len(line) - len(line.lstrip("#"))
            headings.append((number, level, _split_anchor(match[1])[1]))
    return headings


def _split_anchor(title: str) -> tuple[str, str]:
    """Returns the words of a heading and its anchor, which may stand there as `{ #name }`."""
    words, _, given = title.removesuffix(" }").partition(" { #")
    return words, given or slug_of(words)


def slug_of(title: str) -> str:
    """Returns the anchor of a heading.

    Example:
        >>> slug_of("Gluon, optimizers, metrics"), slug_of("`mx.np`")
        ('gluon-optimizers-metrics', 'mxnp')
    """
    kept = re.sub(r"[^\w\s-]", "", title.lower()).strip()
    return re.sub(r"[\s-]+", "-", kept)


def _print_folder(folder: Path, only_path: bool) -> None:
    if only_path:
        write(str(folder))
        return
    rows = [(name, _title_of(path)) for name, path in list_pages(folder).items()]
    for line in table(["page", "title"], rows):
        write(line)
    write("\n`glueball docs PAGE` shows one of them, `glueball docs PAGE#SECTION` a part of it")


def _title_of(path: Path) -> str:
    """Returns the first heading of a page."""
    lines = path.read_text(encoding="utf-8").splitlines()
    found = next((match[1] for line in lines if (match := _TITLE.match(line))), path.stem)
    return re.sub(r"<[^>]*>", "", found).strip()
