"""Notebooks of the course are those of its pages, and run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import make_notebooks

nbformat = pytest.importorskip("nbformat", reason="comes with the extra docs")
nbclient = pytest.importorskip("nbclient", reason="comes with the extra docs")

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = make_notebooks.make_all()
QUICK = "notebooks/en/arrays.ipynb"


def notebooks() -> list[object]:
    """Returns all notebooks; one is run always, the others take a kernel each and are slow."""
    names = sorted(path.relative_to(ROOT).as_posix() for path in NOTEBOOKS)
    return [
        pytest.param(name, id=name, marks=[] if name == QUICK else [pytest.mark.slow])
        for name in names
    ]


def printed(cell: nbformat.NotebookNode) -> str:
    return "".join(output.text for output in cell.outputs if output.get("name") == "stdout")


def pictures_in(cell: nbformat.NotebookNode) -> int:
    return sum("image/png" in output.get("data", {}) for output in cell.outputs)


def run(path: Path, folder: Path) -> nbformat.NotebookNode:
    notebook = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    return client.execute()


def test_all_notebooks_are_up_to_date():
    outdated = [
        path.relative_to(ROOT).as_posix()
        for path, text in NOTEBOOKS.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    assert outdated == []


def test_programs_are_those_of_the_pages():
    for path in NOTEBOOKS:
        language, *rest = path.relative_to(ROOT / "notebooks").with_suffix(".md").parts
        rest = rest if rest[0] == "gallery" else ["course", *rest]
        page = make_notebooks.LANGUAGES[language].joinpath(*rest).read_text(encoding="utf-8")
        cells = nbformat.reads(NOTEBOOKS[path], as_version=4).cells
        programs = [cell.source for cell in cells if cell.cell_type == "code"][1:]
        assert [program for program in programs if program not in page] == []


def test_every_notebook_shows_a_picture():
    without = [path.name for path, text in NOTEBOOKS.items() if "image/png" not in text]
    assert without == []


def test_no_notebook_is_left_over():
    written = {path for path in (ROOT / "notebooks").rglob("*.ipynb")}
    assert written == set(NOTEBOOKS)


@pytest.mark.parametrize("name", notebooks())
def test_a_notebook_runs(name: str, tmp_path: Path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # threads that spin take time from other tests
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    before = sorted(path.name for path in tmp_path.iterdir())
    notebook = run(ROOT / name, tmp_path)
    written = sorted(path.name for path in tmp_path.iterdir())
    assert written == before, "a notebook writes into its temporary folder alone"
    shown = nbformat.read(ROOT / name, as_version=4)
    programs = [cell for cell in shown.cells if cell.cell_type == "code"]
    results = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for program, result in zip(programs, results, strict=True):
        assert not any(output.output_type == "error" for output in result.outputs)
        if program.outputs:
            expected, got = printed(program), printed(result)
            assert len(got.splitlines()) == len(expected.splitlines())
            assert pictures_in(result) == pictures_in(program)
