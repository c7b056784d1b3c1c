"""The frame of a page in its own language: navigation, anchors, the page in the other language."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from markdown.extensions.toc import slugify, unique
from mkdocs.structure.nav import Link, Navigation, Section
from mkdocs.structure.pages import Page

CHINESE = "中文"
"""Title of the section of the navigation that has the Chinese pages."""
ENGLISH_ONLY = ("adr/", "api/", "architecture.md", "examples/", "project/", "releasing.md")
"""Pages in English alone: made from docstrings and programs, or records for engineers."""
ENGLISH_TITLES = {
    "API": "API（英文）",
    "Examples": "示例程序（英文）",
    "Architecture": "架构（英文）",
    "Decisions": "设计决定（英文）",
    "Releases": "发布（英文）",
    "Measurements": "测量结果（英文）",
    "Changes": "变更记录（英文）",
    "Contributing": "参与开发（英文）",
}
"""What these are called in the navigation of Chinese pages."""
DESCRIPTIONS = (
    "Programs for Apache MXNet 1.x and Gluon, unchanged, on PyTorch",
    "为 Apache MXNet 1.x 和 Gluon 编写的程序，一行不改，运行在 PyTorch 上",
)
"""What search engines show of a page, in English and in Chinese."""
_HEADING = re.compile(r"^(#+) (.*)$", re.MULTILINE)
_FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_HAN = r"\u3000-\u303f\u3400-\u9fff\uff00-\uffef"
_BETWEEN_HAN = rf"(?<=[{_HAN}])\n *(?=[{_HAN}])"
_AFTER_MARK = r"(?<=[，。；：？！、）])\n *(?!\d+\. )(?=[\w`*\[])"
_BREAK = re.compile(f"{_BETWEEN_HAN}|{_AFTER_MARK}")


def is_chinese(source: str) -> bool:
    """Returns whether a page is one of the Chinese ones."""
    return source.startswith("zh/")


def divide(nav: Navigation) -> dict[str, Navigation]:
    """Returns the navigation of each language, and cuts the chain of pages between them."""
    chinese = next((item for item in nav.items if item.title == CHINESE), None)
    english = [item for item in nav.items if item is not chinese]
    children = chinese.children if isinstance(chinese, Section) else []
    divided = {}
    for language, items in {"en": english, "zh": complete(children, english)}.items():
        pages = [page for page in nav.pages if is_chinese(page.file.src_uri) == (language == "zh")]
        divided[language] = Navigation(items, pages)
        if pages:
            pages[0].previous_page = None
            pages[-1].next_page = None
    if divided["zh"].pages:
        divided["zh"].homepage = divided["zh"].pages[0]
    divided["en"].homepage = nav.homepage
    return divided


def complete(chinese: list[Any], english: list[Any]) -> list[Any]:
    """Returns Chinese entries of the navigation with the English ones that have no counterpart.

    Both lists have the same order, so that an entry goes to the place that it has in English.
    """
    completed, rest = [], list(chinese)
    for item in english:
        if _is_english_only(item):
            completed.append(_retitle(item))
        elif rest:
            found = rest.pop(0)
            if isinstance(found, Section) and isinstance(item, Section):
                found.children = complete(found.children, item.children)  # pages know this parent
            completed.append(found)
    return completed + rest


def _is_english_only(item: Any) -> bool:
    """Returns whether all pages of an entry are in English alone."""
    if isinstance(item, Section):
        return all(map(_is_english_only, item.children))
    return isinstance(item, Page) and item.file.src_uri.startswith(ENGLISH_ONLY)


def _retitle(item: Any) -> Any:
    """Returns an English entry under its Chinese title."""
    title = ENGLISH_TITLES[item.title]
    if isinstance(item, Section):
        return Section(title, item.children)
    return Link(title, item.url)


def share_anchors(chinese: str, english: str) -> str:
    """Gives the headings of a Chinese page the anchors of the English ones.

    A link to a heading then holds in both languages, and none of them is called `_3`. A page that
    is a frame of the English one lacks the headings of the lower levels.
    """
    parts = re.split(_FENCE, chinese)
    levels = [level for part in parts[::2] for level, _ in _HEADING.findall(part)]
    titles = [
        (level, title)
        for level, title in _HEADING.findall(_FENCE.sub("", english))
        if level in levels
    ]
    if [level for level, _ in titles] != levels:
        return chinese
    anchors: list[str] = []
    for _, title in titles:
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).replace("`", "")
        anchors.append(unique(slugify(plain, "-"), set(anchors)))
    rest = iter(anchors)

    def name(match: re.Match[str]) -> str:
        anchor = next(rest)
        return match[0] if " { #" in match[0] else f"{match[0]} {{ #{anchor} }}"

    return "".join(part if i % 2 else _HEADING.sub(name, part) for i, part in enumerate(parts))


def join_lines(chinese: str) -> str:
    """Joins lines of Chinese text, between which a browser would show a space."""
    parts = re.split(_FENCE, chinese)
    return "".join(part if i % 2 else _BREAK.sub("", part) for i, part in enumerate(parts))


def counterpart(source: str, docs: Path) -> str:
    """Returns the page with the same content in the other language, or that language's home."""
    other = source.removeprefix("zh/") if is_chinese(source) else f"zh/{source}"
    home = "index.md" if is_chinese(source) else "zh/index.md"
    return other if (docs / other).exists() else home


def dress(context: Any, source: str, config: Any, navigation: Navigation, address: str) -> Any:
    """Sets language, navigation and the address of the other language for a page."""
    chinese = is_chinese(source)
    config.theme["language"] = "zh" if chinese else "en"
    config.site_description = DESCRIPTIONS[chinese]
    for palette in config.theme["palette"]:
        name = {"default": ("Dark", "深色"), "slate": ("Light", "浅色")}[palette["scheme"]]
        palette["toggle"]["name"] = name[chinese]
    config.extra["alternate"] = [
        {
            "name": "English" if chinese else "中文",
            "link": address,
            "lang": "en" if chinese else "zh-Hans",
        }
    ]
    context["nav"] = navigation
    return context
