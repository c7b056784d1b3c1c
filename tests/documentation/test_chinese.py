"""Chinese pages have the programs of the English ones; comments of programs may be translated."""

from __future__ import annotations

import io
import re
import tokenize
from pathlib import Path

import pytest

from tools.site.pages import read_programs

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
CHINESE = DOCS / "zh"
PAIRS = [(ROOT / "README.md", ROOT / "README.zh.md")] + [
    (DOCS / path.relative_to(CHINESE), path) for path in sorted(CHINESE.rglob("*.md"))
]
WHOLE = [pair for pair in PAIRS[1:] if pair[1].name != "performance.md"]
"""Pages that are translated whole; of measurements there is a summary."""
FENCE = re.compile(r"^```(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MUST_EXIST = [
    "index.md",
    "getting_started.md",
    "migration.md",
    "faq.md",
    "performance.md",
    "to_pytorch.md",
    "distributed.md",
    "dialects.md",
    "profiling.md",
    "differences.md",
    *(f"course/{path.name}" for path in sorted((DOCS / "course").glob("*.md"))),
    *(f"guides/{path.name}" for path in sorted((DOCS / "guides").glob("*.md"))),
]


def rows_by_section(path: Path) -> list[list[str]]:
    """Returns the rows of the tables of each section of a page, in their order."""
    sections = re.split(r"^## .*$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [re.findall(r"^\|.*\|$", section, re.MULTILINE) for section in sections]


def code_of(row: str) -> list[str]:
    """Returns the pieces of code in a row; words around them may come in another order."""
    return sorted(re.findall(r"`[^`]+`", row))


def tokens_of(program: str) -> list[str]:
    """Returns the words of a program without comments and the spaces in front of them."""
    found = tokenize.generate_tokens(io.StringIO(program).readline)
    skipped = (tokenize.COMMENT, tokenize.NL)
    return [token.string for token in found if token.type not in skipped]


def blocks_of(path: Path) -> list[tuple[str, object]]:
    """Returns language and content of all code of a page, as far as it must be equal."""
    blocks: list[tuple[str, object]] = []
    for language, text in FENCE.findall(path.read_text(encoding="utf-8")):
        if language == "python":
            blocks.append((language, tokens_of(text)))
        elif language in ("sh", "bash"):
            blocks.append((language, [line.split("#")[0].strip() for line in text.splitlines()]))
        else:
            blocks.append((language, text))
    return blocks


@pytest.mark.parametrize(("english", "chinese"), PAIRS, ids=[path.name for _, path in PAIRS])
def test_code_is_that_of_the_english_page(english: Path, chinese: Path):
    assert blocks_of(chinese) == blocks_of(english)


@pytest.mark.parametrize(("english", "chinese"), PAIRS, ids=[path.name for _, path in PAIRS])
def test_what_is_not_run_or_varies_is_the_same(english: Path, chinese: Path):
    notes = [
        [(bool(program.why_not_run), program.numbers_vary) for program in read_programs(text)]
        for text in (english.read_text(encoding="utf-8"), chinese.read_text(encoding="utf-8"))
    ]
    assert notes[0] == notes[1]


@pytest.mark.parametrize("name", MUST_EXIST)
def test_there_is_a_chinese_page(name: str):
    text = (CHINESE / name).read_text(encoding="utf-8")
    prose = FENCE.sub("", text)
    assert len(re.findall(r"[\u4e00-\u9fff]", prose)) > 100


@pytest.mark.parametrize(("english", "chinese"), WHOLE, ids=[path.name for _, path in WHOLE])
def test_pages_have_the_same_sections(english: Path, chinese: Path):
    counts = [
        [len(line.split()[0]) for line in FENCE.sub("", text).splitlines() if re.match("#+ ", line)]
        for text in (english.read_text(encoding="utf-8"), chinese.read_text(encoding="utf-8"))
    ]
    assert counts[0] == counts[1]


def test_sections_of_differences_have_as_many_rows():
    english, chinese = (
        [len(rows) for rows in rows_by_section(folder / "differences.md")]
        for folder in (DOCS, CHINESE)
    )
    assert chinese == english
    assert sum(english) > 100


def test_rows_of_differences_are_in_the_same_place():
    english, chinese = (
        [code_of(row) for rows in rows_by_section(folder / "differences.md") for row in rows]
        for folder in (DOCS, CHINESE)
    )
    assert chinese == english
