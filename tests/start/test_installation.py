"""The check for the original's wheel, with which this package shares its import name."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from mxnet._start import installation


def install(folder: Path, name: str) -> Path:
    (folder / name).mkdir(parents=True)
    return folder


@pytest.fixture
def package(tmp_path):
    folder = tmp_path / "ours" / "mxnet"
    folder.mkdir(parents=True)
    return folder


@pytest.mark.parametrize(
    ("wheel", "name"),
    [
        ("mxnet-1.9.1.dist-info", "mxnet"),
        ("mxnet_cu112-1.9.1.dist-info", "mxnet-cu112"),
        ("mxnet_mkl-1.6.0.dist-info", "mxnet-mkl"),
        ("mxnet_cu101mkl-1.5.1.dist-info", "mxnet-cu101mkl"),
        ("mxnet_native-1.9.1.dist-info", "mxnet-native"),
        ("MXNet-2.0.0b1.dist-info", "MXNet"),
    ],
)
def test_the_original_over_this_package_is_an_error(package, wheel, name):
    folder = install(package.parent, wheel)
    with pytest.raises(ImportError) as caught:
        installation.check([str(folder)], package)
    message = str(caught.value)
    assert f"pip uninstall {name}" in message
    assert "pip install --force-reinstall glueball" in message
    assert wheel.removesuffix(".dist-info") in message


def test_the_original_in_another_folder_is_a_warning(package, tmp_path):
    folder = install(tmp_path / "site-packages", "mxnet-1.9.1.dist-info")
    with pytest.warns(UserWarning, match="pip uninstall mxnet"):
        installation.check([str(folder)], package)


@pytest.mark.parametrize(
    "name",
    [
        "glueball-0.1.0.dist-info",
        "mxnet",
        "mxnet_tools-1.0.dist-info",
        "gluonmxnet-1.0.dist-info",
        "mxnet-1.9.1.egg-info",
        "mxnet-model-server-1.0.dist-info",
    ],
)
def test_other_packages_pass(package, tmp_path, name):
    folder = install(tmp_path / "site-packages", name)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        installation.check([str(folder)], package)


def test_folders_that_do_not_exist_and_files_pass(package, tmp_path):
    archive = tmp_path / "packages.zip"
    archive.write_bytes(b"")
    installation.check([str(tmp_path / "missing"), str(archive), ""], package)


def test_the_folders_of_python_are_looked_in(package, tmp_path, monkeypatch):
    folder = install(tmp_path / "site-packages", "mxnet_cu110-1.9.1.dist-info")
    monkeypatch.setattr(sys, "path", [str(folder)])
    with pytest.warns(UserWarning, match="mxnet-cu110"):
        installation.check(package=package)


def test_a_link_to_the_folder_is_the_same_folder(package, tmp_path):
    install(package.parent, "mxnet-1.9.1.dist-info")
    link = tmp_path / "link"
    link.symlink_to(package.parent, target_is_directory=True)
    with pytest.raises(ImportError):
        installation.check([str(link)], package.resolve())


def test_import_runs_the_check_first(tmp_path):
    install(tmp_path, "mxnet-1.9.1.dist-info")
    source = Path(installation.__file__).resolve().parents[2]
    program = f"import sys; sys.path[:0] = [{str(source)!r}, {str(tmp_path)!r}]; import mxnet"
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", "-c", program],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "pip uninstall mxnet" in done.stderr


def test_import_says_so_where_the_original_replaced_the_first_files(tmp_path):
    """Lays files over a copy of this package as the original's wheel does."""
    copy = tmp_path / "mxnet"
    shutil.copytree(
        Path(installation.__file__).parents[1], copy, ignore=shutil.ignore_patterns("__pycache__")
    )
    (copy / "__init__.py").write_text("from .context import Context, cpu, gpu\nCOMPLETE = True\n")
    (copy / "context.py").write_text("Context = cpu = gpu = None\n")
    install(tmp_path, "mxnet_cu112-1.9.1.dist-info")
    done = subprocess.run(
        [sys.executable, "-c", "import mxnet"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
    )
    assert done.returncode != 0
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ImportError: mxnet_cu112-1.9.1 is installed over this package.")
    assert "pip uninstall mxnet-cu112" in last


def test_a_folder_that_cannot_be_listed_is_passed_over(package, tmp_path):
    file = tmp_path / "library.zip"
    file.write_bytes(b"")
    installation.check([str(file), str(tmp_path / "missing")], package)
