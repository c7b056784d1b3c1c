"""Writes the notebooks of the crash course and of the gallery from their pages.

    python tools/make_notebooks.py [--check]

A page has one notebook, with its prose, its programs, what they print and the pictures that they
draw. A notebook writes its files into a temporary folder. With `--check` nothing is
written; the program fails if a notebook is out of date.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from base64 import b64encode
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from tools.site.pages import Program, read_programs  # noqa: E402

LANGUAGES = {"en": ROOT / "docs", "zh": ROOT / "docs" / "zh"}
"""Folders of the pages, by language."""
FOLDERS = {"course": "", "gallery": "gallery"}
"""Folders of pages that become notebooks, and the folders of those."""
SETUP = {
    "en": "# Work in a temporary folder with a copy of the examples and their data.",
    "zh": "# 把示例和数据复制到临时文件夹并切换过去",
}
START = """\
import os
import shutil
import tempfile
from pathlib import Path

root = Path.cwd()
while not (root / "examples/data/digits").exists():
    if root == root.parent:
        raise FileNotFoundError("examples/data: start the notebook in a clone of the repository")
    root = root.parent
workplace = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
shutil.copytree(root / "examples", Path(workplace.name, "examples"))
os.chdir(workplace.name)
"""
_QUESTION = re.compile(r'^!!! \w+ "(.*)"\n((?:    .*\n|\n)*)', re.MULTILINE)
_ANCHOR = re.compile(r"^(#+ .*?) \{ #[\w-]+ \}$", re.MULTILINE)
_LINK = re.compile(r"^```.*?^```$|\]\((?!https?:|#)([^)#]+)(#[^)]*)?\)", re.MULTILINE | re.DOTALL)
"""A link of a page with its anchor, or a program, in which `a[0](x)` is none."""


def make_notebook(source: Path, language: str) -> str:
    """Returns the notebook of a page, as the text of its file.

    Args:
        source: The page.
        language: Its language.
    """
    page = source.read_text(encoding="utf-8")
    page = _LINK.sub(lambda match: _notebook_link(match, source, language), page)
    folder = notebook_of(source, language).parent
    cells: list[dict[str, object]] = [_code_cell(0, f"{SETUP[language]}\n{START}", [])]
    position = 0
    for program in read_programs(page):
        _add_prose(cells, page[position : program.start])
        position = program.end
        if program.why_not_run:
            _add_prose(cells, f"```python\n{program.text}```")
        else:
            cells.append(_code_cell(len(cells), program.text, _outputs_of(program, folder)))
    _add_prose(cells, page[position:])
    cells.insert(0, cells.pop(1))  # the title first
    notebook = {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def _add_prose(cells: list[dict[str, object]], text: str) -> None:
    """Adds a cell with text between programs, if there is any."""
    text = _ANCHOR.sub(r"\1", _QUESTION.sub(_plain_question, text)).strip()
    if text:
        cell = {"cell_type": "markdown", "id": f"cell-{len(cells)}", "metadata": {}}
        cells.append({**cell, "source": text.splitlines(keepends=True)})


def _plain_question(match: re.Match[str]) -> str:
    """Returns a box of the site in Markdown that notebooks know."""
    body = "\n".join(line.removeprefix("    ") for line in match[2].splitlines())
    return f"**{match[1]}**\n\n{body}\n"


def notebook_of(page: Path, language: str) -> Path:
    """Returns the file of the notebook of a page."""
    return ROOT / "notebooks" / language / FOLDERS[page.parent.name] / f"{page.stem}.ipynb"


def _notebook_link(match: re.Match[str], source: Path, language: str) -> str:
    """Returns a link of a page as one of its notebook; pages with notebooks become those."""
    if match[1] is None:
        return match[0]
    path, anchor = (source.parent / match[1]).resolve(), match[2] or ""
    has_notebook = path.suffix == ".md" and path.name != "index.md"
    if has_notebook and path.parent in [LANGUAGES[language] / name for name in FOLDERS]:
        path, anchor = notebook_of(path, language), ""
    start = notebook_of(source, language).parent
    return f"]({Path(os.path.relpath(path, start)).as_posix()}{anchor})"


def _outputs_of(program: Program, folder: Path) -> list[dict[str, object]]:
    """Returns what the page shows of a program: text, and a picture named from the notebook."""
    outputs: list[dict[str, object]] = []
    if program.output is not None:
        text = program.output.splitlines(keepends=True)
        outputs.append({"name": "stdout", "output_type": "stream", "text": text})
    if program.picture is not None:
        path = (folder / program.picture).resolve()  # the folder need not exist yet
        encoded = b64encode(path.read_bytes()).decode("ascii")
        data = {"image/png": encoded, "text/plain": [f"<Figure: {program.words}>"]}
        outputs.append({"data": data, "metadata": {}, "output_type": "display_data"})
    return outputs


def _code_cell(number: int, source: str, outputs: list[dict[str, object]]) -> dict[str, object]:
    """Returns a cell with a program and its outputs."""
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": f"cell-{number}",
        "metadata": {},
        "outputs": outputs,
        "source": source.rstrip("\n").splitlines(keepends=True),
    }


def make_all() -> dict[Path, str]:
    """Returns all notebooks: their files and texts."""
    return {
        notebook_of(page, language): make_notebook(page, language)
        for language, docs in LANGUAGES.items()
        for folder in FOLDERS
        for page in sorted((docs / folder).glob("*.md"))
        if page.name != "index.md"
    }


def main() -> int:
    """Writes or checks the notebooks."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail if a notebook is out of date")
    options = parser.parse_args()
    outdated = []
    for path, text in make_all().items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        outdated.append(path.relative_to(ROOT).as_posix())
        if not options.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if options.check and outdated:
        print(f"out of date: {', '.join(outdated)}; run `make docs`")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
