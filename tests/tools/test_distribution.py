"""The source distribution has all that the repository has."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BY_THEMSELVES = {"LICENSE", "MANIFEST.in", "NOTICE", "README.md", "pyproject.toml", "setup.py"}
"""What setuptools adds without being told, beside the package in `src`."""


def test_the_manifest_names_all_files_and_folders():
    listing = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listing.returncode or not listing.stdout:
        pytest.skip("no repository, as in an unpacked source distribution")
    tracked = {path.partition("/")[0] for path in listing.stdout.splitlines()}
    manifest = (ROOT / "MANIFEST.in").read_text(encoding="utf-8")
    named = {
        name
        for line in re.findall(r"^(?:include|graft) (.*)$", manifest, re.MULTILINE)
        for name in line.split()
    }
    assert tracked - named - BY_THEMSELVES - {"src"} == set()


def test_the_manifest_names_nothing_that_is_gone():
    manifest = (ROOT / "MANIFEST.in").read_text(encoding="utf-8")
    for line in re.findall(r"^(?:include|graft) (.*)$", manifest, re.MULTILINE):
        for name in line.split():
            assert (ROOT / name).exists(), name
