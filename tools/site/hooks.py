"""Hooks of mkdocs: pages that are made while the site is built, and links that leave docs/."""

from __future__ import annotations

import logging
import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from tools.site import api, frame, search  # noqa: E402

PROJECT_FILES = {
    "benchmarks/RESULTS.md": "project/results.md",
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "RELEASING.md": "releasing.md",
}
"""Files outside of docs/ that the site shows, and the pages that they become."""
EXAMPLES = sorted(path.name for path in (ROOT / "examples").glob("*.py"))
HOMES = ("index.md", "zh/index.md")
"""Pages that have the whole width."""
_navigation: dict[str, Navigation] = {}
_entries: list[search.Entry] = []
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)#\s]+)(#[^)\s]*)?\)")


class _NoComplaintOfLists(logging.Filter):
    """Drops griffe's warning of `__all__` with names that are computed."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Returns whether a message is shown."""
        return "Unsupported item in" not in record.getMessage()


def on_startup(**_: Any) -> None:
    """Prepares the messages of a build; strict builds count warnings, even those with `--quiet`."""
    logging.getLogger("mkdocs.plugins.griffe").addFilter(_NoComplaintOfLists())
    messages = logging.getLogger("mkdocs")
    messages.setLevel(min(messages.level or logging.WARNING, logging.WARNING))


def on_config(config: Any) -> Any:
    """Completes the navigation: folders become their pages, pages that do not exist are dropped."""
    config.nav = [entry for entry in map(_complete, config.nav) if entry is not None]
    return config


def _complete(entry: Any) -> Any:
    """Returns an entry of the navigation with its pages, None if there are none."""
    if isinstance(entry, str):
        return entry if _exists(entry) else None
    ((title, content),) = entry.items()
    if content == "api":
        pages: Any = [{heading: f"api/{name}.md"} for name, (heading, _) in api.PAGES.items()]
    elif content == "examples":
        pages = ["examples/index.md", *(f"examples/{_stem(name)}.md" for name in EXAMPLES)]
    elif content == "adr":
        pages = ["adr/index.md", *(f"adr/{path.name}" for path in _decisions())]
    elif isinstance(content, str):
        pages = content if _exists(content) else None
    else:
        pages = [page for page in map(_complete, content) if page is not None]
    return {title: pages} if pages else None


def _exists(page: str) -> bool:
    return page in PROJECT_FILES.values() or (ROOT / "docs" / page).exists()


def _decisions() -> list[Path]:
    return sorted((ROOT / "docs" / "adr").glob("0*.md"))[1:]  # the template is none


def _stem(name: str) -> str:
    return name.removesuffix(".py")


def on_files(files: Files, config: Any) -> Files:
    """Adds the pages that are made here."""
    for name, (title, modules) in api.PAGES.items():
        _add(files, config, f"api/{name}.md", api.write_page(title, modules))
    for source, page in PROJECT_FILES.items():
        _add(files, config, page, (ROOT / source).read_text(encoding="utf-8"))
    listing = ["# Examples\n", "Programs of one topic each; all of them run in the tests.\n"]
    for name in EXAMPLES:
        program = (ROOT / "examples" / name).read_text(encoding="utf-8")
        summary = program.split('"""')[1].strip().splitlines()[0]
        listing.append(f"- [{name}]({_stem(name)}.md): {summary}")
        text = f"# {name}\n\n{summary}\n\n```python\n{program}```\n"
        _add(files, config, f"examples/{_stem(name)}.md", text)
    _add(files, config, "examples/index.md", "\n".join(listing))
    rows = ["# Decisions\n", "What was decided, why, and what follows from it.\n"]
    for path in _decisions():
        title = path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        rows.append(f"- [{title}]({path.name})")
    _add(files, config, "adr/index.md", "\n".join(rows))
    return files


def _add(files: Files, config: Any, page: str, text: str) -> None:
    files.append(File.generated(config, page, content=text))


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Points links to files outside of docs/ at the pages that show them."""
    source = page.file.src_uri
    origin = next((path for path, shown in PROJECT_FILES.items() if shown == source), None)
    folder = (ROOT / (origin or f"docs/{source}")).parent
    depth = "../" * source.count("/")

    def point(match: re.Match[str]) -> str:
        text, target, anchor = match[1], match[2], match[3] or ""
        if "://" in target or target.startswith("mailto:"):
            return match[0]
        path = (folder / target).resolve()
        if not path.exists() and source.startswith(("api/", "examples/", "adr/index")):
            return match[0]
        shown = _page_of(path)
        if shown is None:  # in the repository alone
            return text
        return f"[{text}]({depth}{shown}{anchor})"

    if source in HOMES:  # their heading stands in a box, where mkdocs does not look for it
        page.meta["title"] = re.search(r"^# (.*)$", markdown, re.MULTILINE)[1]
    markdown = _outside_of_code(markdown, lambda prose: LINK.sub(point, prose))
    if not frame.is_chinese(source):
        return markdown
    english = (ROOT / "docs" / source.removeprefix("zh/")).read_text(encoding="utf-8")
    return frame.join_lines(frame.share_anchors(markdown, english))


def _outside_of_code(markdown: str, change: Any) -> str:
    """Changes the parts of a page that are not fenced code."""
    parts = re.split(r"(^```.*?^```$)", markdown, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if index % 2 else change(part) for index, part in enumerate(parts))


def _page_of(path: Path) -> str | None:
    """Returns the page, counted from docs/, that shows a file; None if there is none."""
    if not path.is_relative_to(ROOT):
        return None
    name = path.relative_to(ROOT).as_posix()
    if name in PROJECT_FILES:
        return PROJECT_FILES[name]
    if name == "README.md":
        return "index.md"
    if name == "README.zh.md":
        return "zh/index.md"
    if name == "docs/adr":
        return "adr/index.md"
    if name == "examples":
        return "examples/index.md"
    if name.startswith("docs/"):
        return name.removeprefix("docs/")
    folder, _, file_name = name.rpartition("/")
    if folder == "examples" and file_name in EXAMPLES:
        return f"examples/{_stem(file_name)}.md"
    return None


def on_nav(nav: Navigation, **_: Any) -> Navigation:
    """Remembers the navigation of each language."""
    _navigation.update(frame.divide(nav))
    _entries.clear()
    return nav


def on_page_content(html: str, page: Any, **_: Any) -> str:
    """Collects what the search can find in a page."""
    html = search.mark_rows(html, page.file.dest_uri)
    _entries.extend(search.read_entries(html, page.file.dest_uri, page.title or ""))
    return html


def on_page_context(context: Any, page: Any, config: Any, **_: Any) -> Any:
    """Sets the frame in the language of the page."""
    source = page.file.src_uri
    if source in HOMES:
        page.meta["hide"] = ["navigation", "toc"]
    other = frame.counterpart(source, ROOT / "docs").removesuffix(".md")
    language = "zh" if frame.is_chinese(source) else "en"
    return frame.dress(context, source, config, _navigation[language], f"{other}.html")


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """Says which Chinese it is that Chinese pages are written in, and marks the homes."""
    source = page.file.src_uri
    if frame.is_chinese(source):
        output = output.replace('<html lang="zh"', '<html lang="zh-Hans"', 1)
        output = output.replace('title="Permanent link"', 'title="本节的链接"')
    return output.replace("<body ", '<body class="gb-home" ', 1) if source in HOMES else output


def on_post_build(config: Any, **_: Any) -> None:
    """Writes the indices of the search."""
    search.write_indices(_entries, Path(config.site_dir) / "search")
