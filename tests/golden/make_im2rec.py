"""Runs the original's im2rec.py on small images and stores what it writes.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md). Writes
`tests/golden/im2rec`: the images, and `results.json`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

import cv2  # noqa: E402

import mxnet as mx  # noqa: E402
from mxnet import recordio  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parent))

import im2rec_cases as cases  # noqa: E402

FOLDER = Path(__file__).resolve().parent / "im2rec"
TOOL = Path(mx.__file__).parent / "tools" / "im2rec.py"


def run(prefix: Path, root: str, arguments: list[str]) -> str:
    """Runs the tool and gives what it prints."""
    command = [sys.executable, str(TOOL), str(prefix), str(FOLDER / root), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main() -> None:
    """Writes the images and the results."""
    for path in cases.SIZES:
        target = FOLDER / "images" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(target), cases.make_image(path))
    (FOLDER / "images" / "cat" / "notes.txt").write_text("no image\n")
    results = {"lists": {}, "printed": {}, "records": {}}
    for name, (root, arguments) in cases.LISTS.items():
        with tempfile.TemporaryDirectory() as folder:
            printed = run(Path(folder, "a"), root, ["--list", *arguments])
            results["printed"][name] = printed
            results["lists"][name] = cases.describe_lists(Path(folder))
    for name, (lines, arguments) in cases.RECORDS.items():
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "a.lst").write_text(lines)
            run(Path(folder, "a"), "images", arguments)
            reader = recordio.MXRecordIO(str(Path(folder, "a.rec")), "r")
            records = [record.hex() for record in iter(reader.read, None)]
            index = Path(folder, "a.idx").read_text()
            results["records"][name] = {"idx": index, "records": records}
    (FOLDER / "results.json").write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
