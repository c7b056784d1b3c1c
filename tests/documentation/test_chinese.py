"""Chinese pages have what the English ones have: headings, code, tables, lists, pictures, links."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import tokenize
from collections import Counter
from pathlib import Path

import pytest

from tools import make_chinese_pages
from tools.site.frame import ENGLISH_ONLY
from tools.site.pages import read_programs

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
CHINESE = DOCS / "zh"
FRAME = "reference/operators.md"
"""The page whose entries are docstrings: in Chinese it has the families, with links to them."""
NAMES = sorted(
    name
    for path in DOCS.rglob("*.md")
    if not (name := path.relative_to(DOCS).as_posix()).startswith(("zh/", *ENGLISH_ONLY))
)
"""Pages for users, which exist in both languages."""
WHOLE = [name for name in NAMES if name != FRAME]
README = "README.md"
PAIRS = [README, *WHOLE]
FENCE = re.compile(r"^```(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(#+) (.*)$")
LINK = re.compile(r"(!?)\[[^\]]*\]\(([^)#\s]*)(#[^)\s]*)?\)")
CODE = re.compile(r"`[^`\n]+`")
FIGURE = re.compile(r"(?<![\w.])(?:\d{1,3}(?:,\d{3})+|\d{2,})(?:\.\d+)?(?!\w|[.,]\d| 亿)")
HAN = re.compile(r"[\u4e00-\u9fff]")
STYLES = (
    (re.compile(r"[\u4e00-\u9fff][,;:?!](?![\w/])"), "half-width punctuation after Chinese"),
    (re.compile(r"[\u4e00-\u9fff]\.(?:\s|$)"), "a full stop of English after Chinese"),
)
"""What a Chinese page must not have outside of code, and why."""
MARKED = re.compile(r"(?<!\*)\*\*?([^*\s][^*\n]*)\*\*?(\w?)")


def texts_of(name: str) -> tuple[str, str]:
    """Returns the English and the Chinese text of a page."""
    if name == README:
        paths = ROOT / "README.md", ROOT / "README.zh.md"
    else:
        paths = DOCS / name, CHINESE / name
    return paths[0].read_text(encoding="utf-8"), paths[1].read_text(encoding="utf-8")


def sections_of(text: str) -> list[list[str]]:
    """Returns the lines of each section, its heading first; code is left out."""
    sections: list[list[str]] = [[""]]
    for line in FENCE.sub("", text).splitlines():
        if HEADING.match(line):
            sections.append([])
        sections[-1].append(line)
    return sections


def outline_of(text: str) -> list[tuple[int, int, int, int]]:
    """Returns level, rows of tables, items of lists and pictures of each section."""
    return [
        (
            len(lines[0]) - len(lines[0].lstrip("#")),
            sum(line.startswith("|") for line in lines),
            sum(bool(re.match(r"\s*([-*]|\d+\.) ", line)) for line in lines),
            sum(line.count("![") for line in lines),
        )
        for lines in sections_of(text)
    ]


def links_of(text: str, folder: Path) -> Counter[str]:
    """Returns the pages and files to which a page links, a Chinese page by its English name."""
    prose = CODE.sub("``", FENCE.sub("", text))
    targets: Counter[str] = Counter()
    for is_picture, target, anchor in LINK.findall(prose):
        if is_picture or "://" in target or not target:
            targets[target or "#"] += not is_picture
            continue
        place = Path(os.path.normpath(folder / target)).relative_to(ROOT).as_posix()
        english = place.replace("docs/zh/", "docs/").replace("README.zh.md", "README.md")
        targets[english + ("#" if anchor else "")] += 1
    return +targets


def tokens_of(program: str) -> list[str]:
    """Returns the words of a program without comments and the spaces in front of them."""
    found = tokenize.generate_tokens(io.StringIO(program).readline)
    skipped = (tokenize.COMMENT, tokenize.NL)
    return [token.string for token in found if token.type not in skipped]


def blocks_of(text: str) -> list[tuple[str, object]]:
    """Returns language and content of all code of a page, as far as it must be equal."""
    blocks: list[tuple[str, object]] = []
    for language, code in FENCE.findall(text):
        if language == "python":
            blocks.append((language, tokens_of(code)))
        elif language in ("sh", "bash"):
            blocks.append((language, [line.split("#")[0].strip() for line in code.splitlines()]))
        else:
            blocks.append((language, code))
    return blocks


@pytest.mark.parametrize("name", NAMES)
def test_there_is_a_chinese_page(name: str):
    chinese = (CHINESE / name).read_text(encoding="utf-8")
    assert len(HAN.findall(FENCE.sub("", chinese))) > 50


def test_there_is_an_english_page_for_each_chinese_one():
    assert sorted(path.relative_to(CHINESE).as_posix() for path in CHINESE.rglob("*.md")) == NAMES


@pytest.mark.parametrize("name", PAIRS)
def test_code_is_that_of_the_english_page(name: str):
    english, chinese = map(blocks_of, texts_of(name))
    assert chinese == english


@pytest.mark.parametrize("name", PAIRS)
def test_what_is_not_run_or_varies_is_the_same(name: str):
    english, chinese = (
        [(bool(program.why_not_run), program.numbers_vary) for program in read_programs(text)]
        for text in texts_of(name)
    )
    assert chinese == english


@pytest.mark.parametrize("name", PAIRS)
def test_sections_have_the_same_tables_lists_and_pictures(name: str):
    english, chinese = texts_of(name)
    outlines = zip(sections_of(english), outline_of(english), outline_of(chinese), strict=True)
    differ = [
        f"{lines[0]}: level, rows, items, pictures {ours}, in Chinese {theirs}"
        for lines, ours, theirs in outlines
        if ours != theirs
    ]
    assert differ == []


@pytest.mark.parametrize("name", PAIRS)
def test_links_lead_to_the_same_pages(name: str):
    english, chinese = texts_of(name)
    folders = (ROOT, ROOT) if name == README else ((DOCS / name).parent, (CHINESE / name).parent)
    ours, theirs = links_of(english, folders[0]), links_of(chinese, folders[1])
    languages = {"README.md", "docs/index.md"}  # each leads to the other language
    differ = {link for link in ours | theirs if ours[link] != theirs[link]} - languages
    assert differ == set()


def test_rows_of_differences_have_the_same_code():
    """The longest tables of hand: a row that was moved or left out shows in its code."""
    english, chinese = (
        [sorted(CODE.findall(line)) for line in text.splitlines() if line.startswith("|")]
        for text in texts_of("differences.md")
    )
    assert chinese == english
    assert len(english) > 100


@pytest.mark.parametrize("name", PAIRS)
def test_tables_have_the_same_figures(name: str):
    """Figures of two digits and more; words may stand for smaller ones, and a billion is 10 亿."""
    english, chinese = (
        [
            FIGURE.findall(CODE.sub("", LINK.sub("", line)))
            for line in FENCE.sub("", text).splitlines()
            if line.startswith("|")
        ]
        for text in texts_of(name)
    )
    assert [sorted(row) for row in chinese] == [sorted(row) for row in english]


@pytest.mark.parametrize("name", PAIRS)
def test_the_chinese_is_set_as_chinese(name: str):
    prose = CODE.sub("``", FENCE.sub("", texts_of(name)[1]))
    found = [(why, match[0]) for pattern, why in STYLES for match in pattern.finditer(prose)]
    assert found == []
    marked = [match for match in MARKED.finditer(prose) if match[2]]
    unclosed = [match[0] for match in marked if match[1][-1] in "，。；：？！"]
    assert unclosed == [], "GitHub shows such stars as they are"


def test_the_frame_of_operators_has_every_family_and_operator():
    english, chinese = texts_of(FRAME)
    families = re.findall(r"^## ", english, re.MULTILINE)
    assert len(re.findall(r"^## ", chinese, re.MULTILINE)) == len(families)
    operators = re.findall(r"^### (\S+)$", english, re.MULTILINE)
    assert re.findall(r"\[(\w+)\]\(", chinese) == operators


def test_written_pages_are_current():
    command = [sys.executable, "tools/make_chinese_pages.py", "--check"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stdout + result.stderr


def catalogue_with(texts: dict[str, str], tmp_path: Path, monkeypatch) -> object:
    """Returns a catalogue with other texts."""
    (tmp_path / "zoo.json").write_text(json.dumps(texts))
    monkeypatch.setattr(make_chinese_pages, "CATALOGUES", tmp_path)
    return make_chinese_pages.Catalogue("zoo.md")


def test_texts_of_a_catalogue_may_have_places_for_anything(tmp_path: Path, monkeypatch):
    texts = {"{} of {} pass": "{1} 个里 {0} 个通过", "all of {} pass": "{} 个全部通过"}
    catalogue = catalogue_with(texts, tmp_path, monkeypatch)
    assert catalogue.translate("3 of 4 pass") == "4 个里 3 个通过"
    assert catalogue.translate("all of 4 pass") == "4 个全部通过"
    assert catalogue.translate("`nd.zeros` 1.5") == "`nd.zeros` 1.5"


def test_texts_without_translation_and_those_of_nothing_are_told(tmp_path: Path, monkeypatch):
    catalogue = catalogue_with({"Gone": "没有了"}, tmp_path, monkeypatch)
    with pytest.raises(make_chinese_pages.UntranslatedError, match=r"lacks \d+ texts of docs/zoo"):
        make_chinese_pages.make_page(catalogue)
    assert catalogue.unused() == ["Gone"]
