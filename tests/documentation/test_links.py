"""Links in pages, READMEs and notebooks lead to files and headings that exist."""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMING = {"torch.md", "onnx.md", "weights.md", "command_line.md", "errors.md"}
"""Pages to which others may link before they are there."""
MADE = "api"
"""The folder of pages that exist in the site alone."""
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "examples").rglob("*.md"),
        *(ROOT / "notebooks").rglob("*.ipynb"),
    ]
)


def prose_of(path: Path) -> str:
    """Returns the text of a page or a notebook without its code."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        text = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    return re.sub(r"`[^`\n]*`", "``", FENCE.sub("", text))


@functools.cache
def anchors_of(path: Path) -> set[str]:
    """Returns the names by which links reach the headings of a page."""
    found = set()
    for heading in HEADING.findall(FENCE.sub("", path.read_text(encoding="utf-8"))):
        given = re.search(r"\{ #(\S+) \}", heading)
        words = re.sub(r"[^\w\s-]", "", heading.lower()).strip()
        found.add(given[1] if given else re.sub(r"[\s]+", "-", words))
    return found


def is_broken(page: Path, link: str) -> bool:
    target, _, anchor = link.partition("#")
    path = (page.parent / target).resolve() if target else page
    if not path.exists():
        return path.name not in COMING and path.parent.name != MADE
    return bool(anchor) and path.suffix == ".md" and anchor not in anchors_of(path)


@pytest.mark.parametrize("page", PAGES, ids=[p.relative_to(ROOT).as_posix() for p in PAGES])
def test_links_lead_somewhere(page: Path):
    links = [link for link in LINK.findall(prose_of(page)) if "://" not in link]
    broken = [link for link in links if not link.startswith("mailto:") and is_broken(page, link)]
    assert broken == []
