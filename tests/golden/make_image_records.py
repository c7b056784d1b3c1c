"""Packs images and reads them with the original's `ImageRecordIter`.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md). Writes the
files of `tests/golden/io`: `images.rec` with its index and list, and what the original reads.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

import mxnet as mx  # noqa: E402
from mxnet import recordio  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parent))

import record_cases as cases  # noqa: E402

FOLDER = Path(__file__).resolve().parent / "io"


def write_records() -> None:
    """Writes the images as JPEG, one as PNG, with an index and a list of other labels."""
    paths = str(FOLDER / "images.idx"), str(FOLDER / "images.rec")
    writer = recordio.MXIndexedRecordIO(*paths, "w")
    boxes = recordio.MXRecordIO(str(FOLDER / "boxes.rec"), "w")
    lines = []
    for number in range(len(cases.SIZES)):
        header = recordio.IRHeader(0, float(number), 100 + number, 0)
        ending = ".png" if number == 3 else ".jpg"
        image = cases.make_image(number)
        writer.write_idx(number, recordio.pack_img(header, image, 92, ending))
        header = recordio.IRHeader(0, cases.make_boxes(number), 100 + number, 0)
        boxes.write(recordio.pack_img(header, image, 92, ending))
        lines.append(f"{100 + number}\t{number * 2}\t{number / 2}\timage{number}{ending}\n")
    writer.close()
    boxes.close()
    (FOLDER / "images.lst").write_text("".join(lines))


def keep(name: str, iterator: object, arrays: dict, results: dict) -> None:
    """Reads an iterator and keeps its batches; whole numbers take less room as bytes."""
    result = cases.describe(iterator)
    data = np.concatenate(result.pop("data"))
    whole = data.astype(np.uint8)
    arrays[name] = whole if np.array_equal(whole, data) else data
    results[name] = result


def main() -> None:
    """Writes the records and the batches of every case."""
    FOLDER.mkdir(exist_ok=True)
    write_records()
    arrays, results = {}, {}
    for name, options in cases.CASES.items():
        given = {**cases.COMMON, **options, "path_imgrec": str(FOLDER / "images.rec")}
        for key, file in (("path_imgidx", "images.idx"), ("path_imglist", "images.lst")):
            if key in given:
                given[key] = str(FOLDER / file)
        keep(name, mx.io.ImageRecordIter(**given), arrays, results)
    for name, options in cases.DETECTION_CASES.items():
        given = {**cases.COMMON, **options, "path_imgrec": str(FOLDER / "boxes.rec")}
        keep(name, mx.io.ImageDetRecordIter(**given), arrays, results)
    np.savez_compressed(FOLDER / "batches.npz", **arrays)
    lines = [f"{json.dumps(name)}: {json.dumps(result)}" for name, result in results.items()]
    (FOLDER / "batches.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
