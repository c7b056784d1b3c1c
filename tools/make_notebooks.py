"""Writes the notebooks of the crash course from its pages.

    python tools/make_notebooks.py [--check]

A page has one notebook, with its prose, its programs and what they print. With `--check` nothing is
written; the program fails if a notebook is out of date.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from tools.site.pages import Program, read_programs  # noqa: E402

LANGUAGES = {"en": ROOT / "docs" / "course", "zh": ROOT / "docs" / "zh" / "course"}
"""Folders of the pages, by language."""
SETUP = {
    "en": "# Go to the root of the repository, which has the data.",
    "zh": "# 切换到代码仓库的根目录",
}
START = """\
import os
from pathlib import Path

while not Path("examples/data/digits").exists() and Path.cwd() != Path.cwd().parent:
    os.chdir("..")
"""
_QUESTION = re.compile(r'^!!! \w+ "(.*)"\n((?:    .*\n|\n)*)', re.MULTILINE)
_LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)(#[^)]*)?\)")


def make_notebook(page: str, language: str) -> str:
    """Returns the notebook of a page, as the text of its file."""
    page = _LINK.sub(lambda match: _notebook_link(match, language), page)
    cells: list[dict[str, object]] = [_code_cell(0, f"{SETUP[language]}\n{START}", None)]
    position = 0
    for program in read_programs(page):
        _add_prose(cells, page[position : program.start])
        position = program.end
        if program.why_not_run:
            _add_prose(cells, f"```python\n{program.text}```")
        else:
            cells.append(_code_cell(len(cells), program.text, program))
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
    text = _QUESTION.sub(_plain_question, text).strip()
    if text:
        cell = {"cell_type": "markdown", "id": f"cell-{len(cells)}", "metadata": {}}
        cells.append({**cell, "source": text.splitlines(keepends=True)})


def _plain_question(match: re.Match[str]) -> str:
    """Returns a box of the site in Markdown that notebooks know."""
    body = "\n".join(line.removeprefix("    ") for line in match[2].splitlines())
    return f"**{match[1]}**\n\n{body}\n"


def _notebook_link(match: re.Match[str], language: str) -> str:
    """Returns a link of a page as one of its notebook; pages of the course become notebooks."""
    target, anchor = match[1], match[2] or ""
    if "/" not in target and target.endswith(".md") and target != "index.md":
        return f"]({target.removesuffix('.md')}.ipynb)"
    path = (LANGUAGES[language] / target).resolve()
    return f"](../../{path.relative_to(ROOT).as_posix()}{anchor})"


def _code_cell(number: int, source: str, program: Program | None) -> dict[str, object]:
    """Returns a cell with a program and the output that the page shows."""
    outputs = []
    if program is not None and program.output is not None:
        text = program.output.splitlines(keepends=True)
        outputs.append({"name": "stdout", "output_type": "stream", "text": text})
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
    notebooks = {}
    for language, folder in LANGUAGES.items():
        for page in sorted(folder.glob("*.md")):
            if page.name != "index.md":
                path = ROOT / "notebooks" / language / f"{page.stem}.ipynb"
                notebooks[path] = make_notebook(page.read_text(encoding="utf-8"), language)
    return notebooks


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
