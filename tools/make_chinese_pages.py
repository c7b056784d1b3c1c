"""Writes the Chinese pages whose English ones are written by programs.

    python tools/make_chinese_pages.py [--check] [--missing]

Such a page is translated text by text: headings, paragraphs, items of lists and cells of tables are
looked up in `tools/chinese/<page>.json`, code stays as it is. `{}` in a text of the catalogue
stands for anything, in the order of the English text. What is not in the catalogue makes the
program fail; `--missing` lists it. With `--check` nothing is written; the program fails if a page
is out of date.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
CHINESE = DOCS / "zh"
CATALOGUES = ROOT / "tools" / "chinese"
PAGES = (
    "clients.md",
    "errors.md",
    "original_tests.md",
    "reference/modules.md",
    "reference/onnx.md",
    "zoo.md",
)
"""Pages that are translated whole."""
OPERATORS = "reference/operators.md"
"""The page of which there is a frame alone: its entries are the docstrings of the source."""
_BLOCK = re.compile(r"(^```.*?^```$|^<!--.*?-->$)", re.MULTILINE | re.DOTALL)
_LEAD = re.compile(r"(#+ |- |\d+\. )")
_CODE = re.compile(r"`[^`]*`")
_LETTER = re.compile(r"[A-Za-z]")
_WHOLE_LINK = re.compile(r"\[[^\]]*\]\([^)]*\)")
_LINK = re.compile(r"(!?\[[^\]]*\]\()([^)#\s]+)")


class UntranslatedError(LookupError):
    """Texts of a page that its catalogue does not have."""

    def __init__(self, page: str, texts: list[str]) -> None:
        super().__init__(f"tools/chinese lacks {len(texts)} texts of docs/{page}")
        self.texts = texts


class Catalogue:
    """The Chinese texts of a page, by the English ones."""

    def __init__(self, page: str) -> None:
        self.page = page
        path = CATALOGUES / f"{Path(page).stem}.json"
        self._texts: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
        self.used: set[str] = set()
        self._missing: list[str] = []

    @cached_property
    def _patterns(self) -> list[tuple[re.Pattern[str], str]]:
        """Returns the texts with places for anything, the longest first."""
        keys = sorted((key for key in self._texts if "{}" in key), key=len, reverse=True)
        return [
            (re.compile("(.+?)".join(map(re.escape, key.split("{}"))), re.DOTALL), key)
            for key in keys
        ]

    def translate(self, text: str) -> str:
        """Returns a text in Chinese; code, numbers and what is empty stay as they are."""
        if not _LETTER.search(_CODE.sub("", text)):
            return text
        if text in self._texts:
            self.used.add(text)
            return self._texts[text]
        for pattern, key in self._patterns:
            if match := pattern.fullmatch(text):
                self.used.add(key)
                return self._texts[key].format(*match.groups())
        self._missing.append(text)
        return text

    def finish(self) -> None:
        """Raises if a text was not found."""
        if self._missing:
            raise UntranslatedError(self.page, list(dict.fromkeys(self._missing)))

    def unused(self) -> list[str]:
        """Returns English texts that the page does not have any more."""
        return [text for text in self._texts if text not in self.used]


def make_page(catalogue: Catalogue) -> str:
    """Returns a page in Chinese."""
    english = (DOCS / catalogue.page).read_text(encoding="utf-8")
    if catalogue.page == OPERATORS:
        english = _frame_of(english)
    parts = _BLOCK.split(english)
    chinese = "".join(
        part if index % 2 else "\n".join(_translate_prose(part, catalogue))
        for index, part in enumerate(parts)
    )
    catalogue.finish()
    return _point_links(chinese, catalogue.page)


def _frame_of(english: str) -> str:
    """Returns the introduction of the page of operators, with a section for each family."""
    introduction, _, rest = english.partition("\n- ")
    families = rest.partition("\n\n")[0].split("\n- ")
    sections = []
    for family in families:
        heading, _, links = family.partition(": [")
        sections.append(f"## {heading}\n\n[{links.replace('](#', '](operators.md#')}\n")
    return "\n".join([introduction, *sections])


def _translate_prose(part: str, catalogue: Catalogue) -> Iterator[str]:
    """Yields the lines of what lies between blocks of code; a paragraph becomes one line."""
    paragraph: list[str] = []
    for line in [*part.split("\n"), None]:
        begins = line is None or not line.strip() or line.startswith("|") or _LEAD.match(line)
        if begins and paragraph:
            text = " ".join(paragraph)
            lead = match[0] if (match := _LEAD.match(text)) else ""
            yield lead + _translate_text(text[len(lead) :], catalogue)
            paragraph = []
        if line is None:
            return
        if line.startswith("|"):
            yield _translate_row(line, catalogue)
        elif line.strip():
            paragraph.append(line.strip())
        else:
            yield line


def _translate_text(text: str, catalogue: Catalogue) -> str:
    """Returns a text in Chinese; one that consists of links alone stays."""
    rest = _WHOLE_LINK.sub("", text)
    return catalogue.translate(text) if rest == text or rest.strip(", ") else text


def _translate_row(row: str, catalogue: Catalogue) -> str:
    """Returns a row of a table; cells of several reasons are translated reason by reason."""
    cells = []
    for cell in re.split(r"(?<!\\)\|", row.strip("|")):
        reasons = [catalogue.translate(text) for text in cell.strip().split("; ")]
        cells.append("；".join(reasons))
    return f"| {' | '.join(cells)} |"


def _point_links(text: str, page: str) -> str:
    """Points links, which are written as in the English page, at Chinese pages or out of `zh`."""
    folder = Path(page).parent

    def point(match: re.Match[str]) -> str:
        target = match[2]
        if "://" in target:
            return match[0]
        place = os.path.normpath(folder / target)
        has_chinese = place in PAGES or (CHINESE / place).exists()
        home = DOCS / place if page == OPERATORS or not has_chinese else CHINESE / place
        return match[1] + Path(os.path.relpath(home, CHINESE / folder)).as_posix()

    parts = _BLOCK.split(text)
    return "".join(part if i % 2 else _LINK.sub(point, part) for i, part in enumerate(parts))


def main() -> int:
    """Writes or checks the pages."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail if a page is out of date")
    parser.add_argument("--missing", action="store_true", help="list texts without translation")
    options = parser.parse_args()
    status = 0
    for name in (*PAGES, OPERATORS):
        catalogue, path = Catalogue(name), CHINESE / name
        try:
            page = make_page(catalogue)
        except UntranslatedError as error:
            print(error)
            if options.missing:
                print(json.dumps(dict.fromkeys(error.texts, ""), ensure_ascii=False, indent=1))
            status = 1
            continue
        if not options.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(page, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != page:
            print(f"docs/zh/{name} is out of date: run python tools/make_chinese_pages.py")
            status = 1
        if unused := catalogue.unused():
            print(f"tools/chinese has texts that docs/{name} has not: {unused}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
