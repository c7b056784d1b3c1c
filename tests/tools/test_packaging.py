"""Dockerfile and recipe say what the project's own metadata says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from tools.release_notes import read_version

tomllib = pytest.importorskip("tomllib")  # of Python 3.11 and newer

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RECIPE = yaml.safe_load((ROOT / "recipe" / "recipe.yaml").read_text(encoding="utf-8"))
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
CONDA_NAMES = {"torch": "pytorch"}


def as_conda(requirement: str) -> str:
    name, limits = re.fullmatch(r"([\w-]+)(.*)", requirement).groups()
    return f"{CONDA_NAMES.get(name, name)} {limits}"


def test_the_recipe_has_the_version_and_texts_of_the_project():
    assert RECIPE["context"]["version"] == read_version()
    assert RECIPE["about"]["summary"] == PROJECT["description"]
    assert RECIPE["about"]["license"] == PROJECT["license"]
    assert RECIPE["about"]["license_file"] == PROJECT["license-files"]


def test_the_recipe_asks_for_what_the_project_asks_for():
    expected = {f"python {PROJECT['requires-python']}", *map(as_conda, PROJECT["dependencies"])}
    assert set(RECIPE["requirements"]["run"]) == expected


def test_the_recipe_installs_the_commands_of_the_project():
    found = dict(line.split(" = ") for line in RECIPE["build"]["python"]["entry_points"])
    assert found == PROJECT["scripts"]


def test_stages_of_the_dockerfile_are_for_both_devices():
    stages = re.findall(r"^FROM (\S+) AS (\w+)$", DOCKERFILE, re.MULTILINE)
    assert [name for _, name in stages] == ["base", "wheel", "cuda", "cpu"]
    known = {"python:3.11-slim", *(name for _, name in stages)}
    assert {image for image, _ in stages} <= known


def test_the_dockerfile_copies_what_exists_and_is_not_ignored():
    admitted = re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE)
    names = {name for line in copied for name in line.split()}
    assert names == set(admitted)
    assert all((ROOT / name).exists() for name in names)


def test_the_dockerfile_installs_extras_that_exist():
    (extras,) = set(re.findall(r"\.whl\)\[([\w,]+)\]", DOCKERFILE))
    assert set(extras.split(",")) <= set(PROJECT["optional-dependencies"])
