"""The releases of torch and NumPy that are admitted, and the private names of torch in use."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from mxnet._start import engine

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "src" / "mxnet").rglob("*.py"))
OPTIONAL = (
    *("ops.mkldnn", "ops.onednn", "ops.aten", "_dynamo", "_functorch", "_inductor"),
    *("cuda._compile_kernel", "cuda._utils"),
)
"""Names that are asked for where they are used, and done without if they are missing."""


def test_pyproject_admits_what_was_tested():
    text = (ROOT / "pyproject.toml").read_text()
    for package, tested in engine.TESTED.items():
        first, second = tested.newest
        oldest = "{}.{}".format(*tested.oldest)
        assert f'"{package}>={oldest},<{first}.{second + 1}"' in text


@pytest.mark.parametrize("version", ["2.6.0", "2.13.0+cpu", "2.15.3", "2.15.0a0+git1234", "custom"])
def test_tested_releases_pass(version):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        engine.check_release("torch", version)


@pytest.mark.parametrize("version", ["2.16.0", "2.16.0.dev20260101+cpu", "3.0.1", "10.1"])
def test_a_newer_release_is_a_warning_in_one_sentence(version):
    with pytest.warns(UserWarning, match=f"torch 2.6 to 2.15, not with torch {re.escape(version)}"):
        engine.check_release("torch", version)


@pytest.mark.parametrize(
    ("package", "version"), [("torch", "2.5.1+cu121"), ("torch", "1.13.1"), ("numpy", "1.25.2")]
)
def test_an_older_release_is_refused_in_one_sentence(package, version):
    with pytest.raises(ImportError, match=rf"got {package} {re.escape(version)}; run `pip install"):
        engine.check_release(package, version)


@pytest.mark.parametrize(
    ("version", "sentence"),
    [
        ("2.5.1", "ImportError: mxnet (Glueball) needs torch 2.6 to 2.15, got torch 2.5.1;"),
        ("2.99.0", "<string>:3: UserWarning: mxnet (Glueball) has been tested with torch 2.6 to"),
    ],
)
def test_import_says_so(version, sentence):
    program = f"import torch\ntorch.__version__ = {version!r}\nimport mxnet"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert sentence in done.stderr
    assert (done.returncode == 0) == ("Warning" in sentence)


def test_a_missing_name_is_named(monkeypatch):
    monkeypatch.setattr(engine, "PRIVATE", ("_foreach_add", "_foreach_frobnicate"))
    with pytest.raises(ImportError, match="lacks _foreach_frobnicate, which mxnet"):
        engine.check()


def test_names_that_are_missing():
    assert engine.has("relu", "ops.aten.relu.default")
    assert not engine.has("relu", "_frobnicate")
    assert not engine.has("ops.aten.frobnicate.default")


def private_names(source: Path) -> set[str]:
    """Returns the names that a file takes from torch and that start with an underscore."""
    names = set()
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("torch."):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Attribute) and ast.unparse(node).startswith("torch."):
            names.add(ast.unparse(node))
    inside = {name.removeprefix("torch.") for name in names}
    return {name for name in inside if re.fullmatch(r"(\w+\.)*(_[a-zA-Z]\w*|ops\.\w+)", name)}


def test_private_names_of_torch_are_looked_for_when_the_package_is_imported():
    used = {name for source in SOURCES for name in private_names(source)}
    assert used
    looked_for = engine.PRIVATE + engine.PRIVATE_ON_GPUS
    unlisted = {
        name
        for name in used
        if not name.startswith(OPTIONAL)
        and not any(listed == name or listed.startswith(f"{name}.") for listed in looked_for)
    }
    assert unlisted == set()
