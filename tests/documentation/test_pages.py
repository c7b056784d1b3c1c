"""Programs of the pages run, one page after the other, and print what the pages show."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest

import mxnet as mx
from tests.mixed_precision import turn_off
from tools.site.figures import taken_figures
from tools.site.pages import Program, read_programs

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
SLOW = {"course/training.md": "trains for three rounds"}
"""Pages that take longer than a second, and why."""
TESTED_ELSEWHERE = {
    "errors.md": "tests/tools/test_make_errors_page.py: programs that fail",
    "distributed.md": "tests/test_documentation.py: programs of processes with names of their own",
    "reference/operators.md": "shows signatures, which tools/make_docs.py takes from declarations",
}
NEEDS = {
    "gallery/old_project.md": ["onnx", "onnxruntime"],
    "guides/notebooks.md": ["matplotlib"],
    "visualization.md": ["graphviz"],
    "onnx.md": ["onnx", "onnxruntime"],
    "onnx_import.md": ["onnx"],
}
"""Packages without which a page cannot run."""


def pages_with_programs() -> list[object]:
    """Returns the pages of one language; those of the other have the same programs."""
    found = []
    for path in sorted(DOCS.rglob("*.md")):
        name = path.relative_to(DOCS).as_posix()
        is_tested_here = name not in TESTED_ELSEWHERE and not name.startswith(("adr/", "zh/"))
        if is_tested_here and read_programs(path.read_text(encoding="utf-8")):
            is_slow = name in SLOW or name.startswith("gallery/")  # these train for a while
            marks = [pytest.mark.slow] if is_slow else []
            found.append(pytest.param(name, marks=marks, id=name))
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch):
    """A folder like the root of the repository, in which pages may leave files."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))  # for programs that start others
    yield tmp_path
    mx.npx.reset_np()
    turn_off()  # mixed precision
    mx.profiler.set_state("stop")
    mx.profiler.set_config(filename=str(tmp_path / "profile.json"))  # written when Python ends


def shows_pictures(name: str, programs: list[Program]) -> bool:
    """Returns whether the pictures of a page are checked: those of the course and the gallery."""
    return name.startswith(("course/", "gallery/")) and any(item.picture for item in programs)


@pytest.mark.parametrize("name", pages_with_programs())
@pytest.mark.usefixtures("folder")
def test_programs_of_a_page(name: str, capsys):
    page = DOCS / name
    programs = read_programs(page.read_text(encoding="utf-8"))
    has_pictures = shows_pictures(name, programs)
    for package in [*NEEDS.get(name, []), *(["matplotlib"] if has_pictures else [])]:
        pytest.importorskip(package)
    mx.random.seed(1)
    scope: dict[str, object] = {"__name__": "__main__"}
    with taken_figures() if has_pictures else nullcontext([]) as figures:
        for program in programs:
            if program.why_not_run:
                continue
            padded = "\n" * (program.line - 1) + program.text  # tracebacks show lines of the page
            exec(compile(padded, str(page), "exec"), scope)  # noqa: S102 - the page is ours
            printed = capsys.readouterr().out
            assert program.prints(printed), f"{name}:{program.line} printed\n{printed}"
            assert len(figures) == (program.picture is not None), f"{name}:{program.line}"
            figures.clear()


@pytest.mark.parametrize("folder_name", ["course", "gallery"])
def test_every_lesson_and_every_program_of_the_gallery_has_a_picture(folder_name: str):
    for page in sorted((DOCS / folder_name).glob("*.md")):
        if page.name == "index.md":
            continue
        programs = read_programs(page.read_text(encoding="utf-8"))
        shown = [program for program in programs if program.shows_picture]
        assert shown, f"{page.name}: no program draws a picture"
        for program in shown:
            assert program.picture, f"{page.name}:{program.line}: plt.show() without a picture"
            assert program.words, f"{page.name}:{program.line}: the picture has no description"
            size = (page.parent / program.picture).stat().st_size
            assert 1_000 < size < 80_000, f"{program.picture}: {size} bytes"


def test_lists_of_pages_name_pages():
    missing = [name for name in [*SLOW, *TESTED_ELSEWHERE] if not (DOCS / name).exists()]
    assert missing == []
