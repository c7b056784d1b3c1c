"""The index of the search: sections of pages and objects of the API, as scripts.

Browsers load scripts from files, but nothing else, so that the search works without a server. There
are three indices: pages in English, pages in Chinese, and the reference, which both languages
search. `docs/assets/rank.js` ranks what they hold.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

HEADINGS = {"h1", "h2", "h3", "h4"}
LONGEST_TEXT = 1500
"""Characters of a section that are searched; sections beyond are tables and generated lists."""
_ROW = re.compile(
    r'<h2 id="(?P<module>mxnet[\w.]*)"|<tr>(?P<row>\s*<td>(?:<a [^>]*>)?<code>(?P<name>\w[\w.]*)\()'
)
_MODULE = re.compile(r"mxnet(\.[a-z][a-z_]*)+")
_SPACE = re.compile(r"\s+")
_SKIPPED = re.compile(r"(^|\s)(headerlink|md-annotation|doc-labels|linenos)(\s|$)")


@dataclass
class Entry:
    """What the search can find.

    Args:
        address: The page, counted from the site's root, with the anchor.
        title: The heading, or the name of an object.
        page: Title of the page.
        kind: `page`, `section`, `module`, `class`, `function`, `method`, `attribute`, `operator`.
        text: What stands below the heading, up to the next one.
    """

    address: str
    title: str
    page: str
    kind: str
    text: list[str] = field(default_factory=list)

    def packed(self) -> list[str]:
        """Returns the entry as it stands in the index."""
        text = _SPACE.sub(" ", "".join(self.text)).strip()
        return [self.address, self.title, self.page, self.kind, text[:LONGEST_TEXT]]


def mark_rows(html: str, address: str) -> str:
    """Gives rows of tables of functions their full names as anchors, to be pointed at."""
    taken = set(re.findall(r'id="([^"]+)"', html))
    module = ""

    def anchor(match: re.Match[str]) -> str:
        nonlocal module
        if match["module"]:
            module = match["module"]
            return match[0]
        name = f"{module}.{match['name']}"
        if name in taken:
            return match[0]
        taken.add(name)
        return f'<tr id="{name}">{match["row"]}'

    return _ROW.sub(anchor, html) if address.startswith("api/") else html


class _Reader(HTMLParser):
    """Cuts the HTML of a page into entries."""

    def __init__(self, address: str, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.entries: list[Entry] = []
        self._address = address
        self._page = page
        self._heading: list[str] | None = None
        self._skipped_depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begins an entry at headings and at rows of functions."""
        attributes = {name: value or "" for name, value in attrs}
        if self._skipped_depth or _SKIPPED.search(attributes.get("class", "")):
            self._skipped_depth += tag not in ("br", "img", "hr", "input")
            return
        anchor = attributes.get("id", "")
        if tag in HEADINGS and anchor:
            kind = {"h1": "page"}.get(tag, "module" if _MODULE.fullmatch(anchor) else "section")
            self.entries.append(Entry(self._place(anchor, tag), "", self._page, kind))
            self._heading = []
        elif tag == "tr" and anchor.startswith("mxnet."):
            name = anchor.rpartition(".")[2]
            self.entries.append(Entry(self._place(anchor, tag), name, self._page, "function"))
        if self._heading is not None and self.entries:
            self._find_kind(attributes.get("class", ""))
        if tag in ("p", "li", "td", "th", "br", "pre", "div") and self.entries:
            self.entries[-1].text.append(" ")

    def _place(self, anchor: str, tag: str) -> str:
        return self._address if tag == "h1" else f"{self._address}#{anchor}"

    def _find_kind(self, classes: str) -> None:
        """Sees from the classes of a heading what object it shows."""
        entry = self.entries[-1]
        if "doc-class-name" in classes:
            entry.kind = "class"
        elif "doc-function-name" in classes:
            owner = entry.address.rpartition("#")[2].split(".")[-2:-1]
            entry.kind = "method" if owner and owner[0][:1].isupper() else "function"
        elif "doc-attribute-name" in classes:
            entry.kind = "attribute"

    def handle_endtag(self, tag: str) -> None:
        """Ends headings."""
        if self._skipped_depth:
            self._skipped_depth -= 1
        elif tag in HEADINGS and self._heading is not None:
            self.entries[-1].title = _SPACE.sub(" ", "".join(self._heading)).strip()
            self._heading = None

    def handle_data(self, data: str) -> None:
        """Collects text."""
        if self._skipped_depth:
            return
        if self._heading is not None:
            self._heading.append(data)
        elif self.entries:
            self.entries[-1].text.append(data)


def read_entries(html: str, address: str, page: str) -> list[Entry]:
    """Returns what a page has for the search."""
    reader = _Reader(address, unescape(page))
    reader.feed(html)
    reader.close()
    entries = [entry for entry in reader.entries if entry.title]
    if address == "reference/operators.html":
        for entry in entries:
            if re.fullmatch(r"\w+", entry.title) and entry.kind == "section":
                entry.kind = "operator"
    return entries


def index_of(address: str) -> str:
    """Returns the name of the index that has a page."""
    if address.startswith(("api/", "reference/", "examples/")):
        return "reference"
    return "zh" if address.startswith("zh/") else "en"


def write_indices(entries: list[Entry], folder: Path) -> None:
    """Writes the indices of all pages as scripts."""
    folder.mkdir(parents=True, exist_ok=True)
    groups: dict[str, list[list[str]]] = {"en": [], "zh": [], "reference": []}
    for entry in entries:
        groups[index_of(entry.address)].append(entry.packed())
    for name, rows in groups.items():
        data = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
        script = f"(window.glueballIndex??={{}}).{name}={data};\n"
        (folder / f"index-{name}.js").write_text(script, encoding="utf-8")
