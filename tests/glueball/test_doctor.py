"""`glueball doctor` says what is installed, what is missing and what is in the way."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from glueball import doctor, installation, main, variables

ROOT = Path(__file__).resolve().parents[2]
NOT_FOR_USERS = {"dev", "docs", "examples"}


def test_the_report_of_a_sound_installation(capsys, monkeypatch):
    monkeypatch.setenv("MXNET_GPU_MEM_POOL_TYPE", "Round")
    monkeypatch.setenv("MXNET_HOME", "/data/models")
    monkeypatch.setattr(installation, "find_originals", list)
    assert main.main(["doctor"]) == 0
    report = capsys.readouterr().out
    assert re.search(r"^  torch +2\.", report, re.MULTILINE)
    assert "mx.cpu(): " in report
    assert "MXNET_GPU_MEM_POOL_TYPE=Round  (a variable of the original that is ignored" in report
    assert "MXNET_HOME=/data/models  (folder of downloaded" in report
    assert report.endswith("No problems found.\n")


def test_json_for_scripts(capsys):
    main.main(["doctor", "--json"])
    report = json.loads(capsys.readouterr().out)
    assert report["versions"]["numpy"].startswith(("1.", "2."))
    assert report["devices"][0]["context"] == "cpu()"
    assert {extra["extra"] for extra in report["extras"]} == {*installation.EXTRAS}


def test_the_original_beside_it_is_a_problem(tmp_path, monkeypatch, capsys):
    wheel = tmp_path / "mxnet_cu112-1.9.1.dist-info"
    wheel.mkdir()
    (wheel / "METADATA").write_text("Metadata-Version: 2.1\nName: mxnet-cu112\nVersion: 1.9.1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert main.main(["doctor"]) == 1
    assert "PROBLEM: mxnet-cu112 1.9.1, the original" in capsys.readouterr().out


def test_a_package_that_cannot_be_imported_is_a_problem(tmp_path, monkeypatch):
    (tmp_path / "broken_engine.py").write_text("raise OSError('libcudart.so: cannot open')")
    monkeypatch.syspath_prepend(str(tmp_path))
    problems: list[str] = []
    assert doctor._import("broken_engine", problems) is None
    assert problems == ["`import broken_engine` fails: OSError: libcudart.so: cannot open"]


def test_a_package_that_is_missing_says_how_to_install_it():
    problems: list[str] = []
    assert doctor._import("no_such_engine.core", problems) is None
    assert problems[0].endswith("run `pip install no_such_engine`")


def test_a_warning_of_an_import_is_a_problem(tmp_path, monkeypatch):
    (tmp_path / "new_engine.py").write_text("import warnings\nwarnings.warn('not tested with 9')")
    monkeypatch.syspath_prepend(str(tmp_path))
    problems: list[str] = []
    assert doctor._import("new_engine", problems) is not None
    assert problems == ["`import new_engine` warns: not tested with 9"]


def test_a_missing_extra_says_how_to_install_it(monkeypatch, capsys):
    monkeypatch.setattr(installation, "is_importable", lambda _: False)
    main.main(["doctor"])
    assert "missing; pip install 'glueball[onnx]'" in capsys.readouterr().out


def test_extras_are_those_of_the_project():
    section = (ROOT / "pyproject.toml").read_text().split("[project.optional-dependencies]")[1]
    section = section.split("\n[")[0]
    declared = {*re.findall(r"^(\w+) = \[", section, re.MULTILINE)} - NOT_FOR_USERS
    assert {*installation.EXTRAS} == declared
    for name, extra in installation.EXTRAS.items():
        line = re.search(rf"^{name} = \[(.*?)\]", section, re.MULTILINE | re.DOTALL)[1]
        assert {*re.findall(r'"([a-z_-]+)>=', line)} == {*extra.modules}


def test_variables_that_the_package_reads_are_known():
    read = set()
    for path in (ROOT / "src" / "mxnet").rglob("*.py"):
        read |= {*re.findall(r'"(MXNET_[A-Z_]+|DMLC_[A-Z_]+)"', path.read_text(encoding="utf-8"))}
    others = {"MXNET_API", "MXNET_"}  # a label of the profiler, and a prefix
    assert read - {*variables.KNOWN} - others == set(), "describe them in glueball/variables.py"


@pytest.mark.parametrize(
    ("name", "relevant"), [("OMP_NUM_THREADS", True), ("NCCL_DEBUG", True), ("HOME", False)]
)
def test_which_variables_matter(name, relevant):
    assert variables.is_relevant(name) == relevant
