"""Draws the pictures of the course and of the gallery, by running their programs.

    PYTHONPATH=src python tools/make_pictures.py [PAGE ...]

A page is named from `docs`, such as `course/training.md`; without any, all pages are run that have
a picture below a program with `plt.show()`. Pictures are written where the pages look for them, and
differ a little from machine to machine, so they are drawn when a program has changed, not always.
"""

from __future__ import annotations

import argparse
import io
import os
import shutil
import sys
import tempfile
from contextlib import redirect_stdout
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from tools.site.figures import make_smaller, taken_figures  # noqa: E402
from tools.site.pages import read_programs  # noqa: E402

DOCS = ROOT / "docs"
FOLDERS = ("course", "gallery")


def pages_with_pictures() -> list[str]:
    """Returns the names of the English pages whose programs show pictures."""
    pages = sorted(page for folder in FOLDERS for page in (DOCS / folder).glob("*.md"))
    return [
        page.relative_to(DOCS).as_posix()
        for page in pages
        if any(program.picture for program in read_programs(page.read_text(encoding="utf-8")))
    ]


def draw(name: str) -> list[Path]:
    """Runs the programs of a page in a temporary folder and returns the pictures it has written."""
    import mxnet as mx

    page = DOCS / name
    scope: dict[str, object] = {"__name__": "__main__"}
    written = []
    mx.random.seed(1)
    with (
        tempfile.TemporaryDirectory() as folder,
        taken_figures() as figures,
        redirect_stdout(io.StringIO()),
    ):
        shutil.copytree(ROOT / "examples", Path(folder, "examples"))
        os.chdir(folder)
        try:
            for program in read_programs(page.read_text(encoding="utf-8")):
                if program.why_not_run:
                    continue
                figures.clear()
                padded = "\n" * (program.line - 1) + program.text
                exec(compile(padded, str(page), "exec"), scope)  # noqa: S102 - the page is ours
                if program.picture is not None:
                    path = (page.parent / program.picture).resolve()
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(make_smaller(figures[0]))
                    written.append(path)
        finally:
            os.chdir(ROOT)
            mx.npx.reset_np()
    return written


def main() -> None:
    """Draws the pictures of the named pages, or of all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="such as course/training.md")
    for name in parser.parse_args().pages or pages_with_pictures():
        for path in draw(name):
            print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
