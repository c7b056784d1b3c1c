"""The frame of a page in its own language: navigation, theme, and the page in the other language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mkdocs.structure.nav import Navigation, Section

CHINESE = "中文"
"""Title of the section of the navigation that has the Chinese pages."""
ENGLISH_ONLY = ("adr/", "api/", "architecture.md", "examples/", "project/", "releasing.md")
"""Pages without a Chinese counterpart: made from docstrings, programs and records of the project."""


def is_chinese(source: str) -> bool:
    """Returns whether a page is one of the Chinese ones."""
    return source.startswith("zh/")


def divide(nav: Navigation) -> dict[str, Navigation]:
    """Returns the navigation of each language, and cuts the chain of pages between them."""
    chinese = next((item for item in nav.items if item.title == CHINESE), None)
    children = chinese.children if isinstance(chinese, Section) else []
    parts = {
        "en": [item for item in nav.items if item is not chinese],
        "zh": children,
    }
    divided = {}
    for language, items in parts.items():
        pages = [page for page in nav.pages if is_chinese(page.file.src_uri) == (language == "zh")]
        divided[language] = Navigation(items, pages)
        if pages:
            pages[0].previous_page = None
            pages[-1].next_page = None
    if divided["zh"].pages:
        divided["zh"].homepage = divided["zh"].pages[0]
    divided["en"].homepage = nav.homepage
    return divided


def counterpart(source: str, docs: Path) -> str:
    """Returns the page with the same content in the other language, or that language's home."""
    other = source.removeprefix("zh/") if is_chinese(source) else f"zh/{source}"
    home = "index.md" if is_chinese(source) else "zh/index.md"
    return other if (docs / other).exists() else home


def dress(context: Any, source: str, config: Any, navigation: Navigation, address: str) -> Any:
    """Sets language, navigation and the address of the other language for a page."""
    chinese = is_chinese(source)
    config.theme["language"] = "zh" if chinese else "en"
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
