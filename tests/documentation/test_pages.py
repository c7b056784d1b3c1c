"""Programs of the pages run, one page after the other, and print what the pages show."""

from __future__ import annotations

from pathlib import Path

import pytest

import mxnet as mx
from tests.mixed_precision import turn_off
from tools.site.pages import read_programs

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
            marks = [pytest.mark.slow] if name in SLOW else []
            found.append(pytest.param(name, marks=marks, id=name))
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch):
    """A folder like the root of the repository, in which pages may leave files."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    mx.npx.reset_np()
    turn_off()  # mixed precision
    mx.profiler.set_state("stop")
    mx.profiler.set_config(filename=str(tmp_path / "profile.json"))  # written when Python ends


@pytest.mark.parametrize("name", pages_with_programs())
@pytest.mark.usefixtures("folder")
def test_programs_of_a_page(name: str, capsys):
    for package in NEEDS.get(name, []):
        pytest.importorskip(package)
    page = DOCS / name
    mx.random.seed(1)
    scope: dict[str, object] = {"__name__": "__main__"}
    for program in read_programs(page.read_text(encoding="utf-8")):
        if program.why_not_run:
            continue
        padded = "\n" * (program.line - 1) + program.text  # tracebacks show lines of the page
        exec(compile(padded, str(page), "exec"), scope)  # noqa: S102 - the page is ours
        printed = capsys.readouterr().out
        assert program.prints(printed), f"{name}:{program.line} printed\n{printed}"


def test_lists_of_pages_name_pages():
    missing = [name for name in [*SLOW, *TESTED_ELSEWHERE] if not (DOCS / name).exists()]
    assert missing == []
