"""Files made by `tools/fuzz_files.py`: some new ones, and all that readers once did not survive."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools.fuzz_files import FORMATS, fuzz, judge

FINDINGS = Path(__file__).parent / "findings"
SEED = 20261115


@pytest.mark.skipif(sys.platform != "linux", reason="limits of a process are Linux's")
@pytest.mark.parametrize("name", list(FORMATS))
def test_readers_survive_hostile_files(name: str):
    assert list(fuzz(FORMATS[name], SEED, 200)) == []


@pytest.mark.parametrize("path", sorted(FINDINGS.iterdir()), ids=lambda path: path.name)
def test_what_was_found_once_stays_mended(path: Path, tmp_path: Path):
    (format,) = [item for item in FORMATS.values() if path.name.endswith(item.suffix)]
    copy = tmp_path / path.name
    copy.write_bytes(path.read_bytes())
    assert judge(format, copy) is None
