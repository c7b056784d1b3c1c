"""Cuts the notes of a release out of the changelog, and checks that a release is ready.

    python tools/release_notes.py [VERSION] [--check]

Prints the section of `CHANGELOG.md` with that version, or the one of this tree. With `--check` it
fails unless the version is that of the tree and its section is dated and says something.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HEADING = re.compile(r"^## \[([^\]]+)\](?: - (\d{4}-\d{2}-\d{2}))?$", re.MULTILINE)
LOCAL_LINK = re.compile(r"\[([^\]]*)\]\((?!https?://)[^)]*\)")


def read_version() -> str:
    """Returns the version of this tree."""
    text = (ROOT / "src" / "mxnet" / "_version.py").read_text(encoding="utf-8")
    return re.search(r'PRODUCT_VERSION = "([^"]+)"', text)[1]


def cut(changelog: str, version: str) -> tuple[str, str | None]:
    """Returns the notes of a version and its date, None if it has none.

    Raises:
        ValueError: if the changelog does not have the version.
    """
    headings = list(HEADING.finditer(changelog))
    for number, heading in enumerate(headings):
        if heading[1] == version:
            following = headings[number + 1 : number + 2]
            end = following[0].start() if following else len(changelog)
            notes = changelog[heading.end() : end].strip()
            return LOCAL_LINK.sub(r"\1", notes), heading[2]
    known = ", ".join(heading[1] for heading in headings)
    raise ValueError(f"CHANGELOG.md: no section for {version}; it has {known}")


def find_problem(changelog: str, version: str, of_tree: str) -> str | None:
    """Returns why a version cannot be released, None if it can."""
    if version != of_tree:
        return f"the tree is version {of_tree}, not {version}: set it in src/mxnet/_version.py"
    try:
        notes, date = cut(changelog, version)
    except ValueError as error:
        return str(error)
    if date is None:
        return f"CHANGELOG.md: the section of {version} has no date"
    return None if notes else f"CHANGELOG.md: the section of {version} says nothing"


def main(arguments: list[str]) -> int:
    """Prints the notes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("version", nargs="?", default=read_version(), help="such as 0.1.0")
    parser.add_argument("--check", action="store_true", help="fail unless it can be released")
    options = parser.parse_args(arguments)
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version = options.version.removeprefix("v")
    problem = find_problem(changelog, version, read_version()) if options.check else None
    if problem:
        sys.exit(problem)
    try:
        notes, _ = cut(changelog, version)
    except ValueError as error:
        sys.exit(str(error))
    print(notes)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
