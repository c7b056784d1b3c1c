"""Writes record files and packed headers with the original MXNet 1.9.1.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md). Writes
`tests/golden/io/plain.rec`, `keyed.rec` with `keyed.idx`, and `packed.json`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

from mxnet import recordio  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parent))

import recordio_cases as cases  # noqa: E402

FOLDER = Path(__file__).resolve().parent / "io"


def main() -> None:
    """Writes all files."""
    FOLDER.mkdir(exist_ok=True)
    writer = recordio.MXRecordIO(str(FOLDER / "plain.rec"), "w")
    for payload in cases.PAYLOADS:
        writer.write(payload)
    writer.close()
    keyed = recordio.MXIndexedRecordIO(str(FOLDER / "keyed.idx"), str(FOLDER / "keyed.rec"), "w")
    for key, payload in zip(cases.KEYS, cases.PAYLOADS, strict=True):
        keyed.write_idx(key, payload)
    keyed.close()
    packed = {name: recordio.pack(header, b"xyz").hex() for name, header in cases.HEADERS.items()}
    images = {
        name: recordio.pack_img((0, 1.0, 2, 3), cases.make_image(), quality, ending).hex()
        for name, (quality, ending) in cases.IMAGES.items()
    }
    content = {"packed": packed, "images": images}
    (FOLDER / "packed.json").write_text(json.dumps(content, indent=1) + "\n")


if __name__ == "__main__":
    main()
