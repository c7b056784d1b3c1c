"""Iterators that read one part of their data, and what each part consists of."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

COUNT = 13
"""Number of samples, which most numbers of parts do not divide."""

PARTS = (1, 2, 3, 4, 5)
_MAGIC = 0xCED7230A

IMAGE_OPTIONS: dict[str, dict[str, object]] = {
    "bytes": {},
    "index": {"path_imgidx": "one.idx"},
    "bytes, shuffled": {"shuffle": True, "seed": 7},
    "index, shuffled": {"path_imgidx": "one.idx", "shuffle": True, "seed": 7},
    "two files": {"path_imgrec": "first.rec;second.rec"},
    "two files, shuffled": {"path_imgrec": "first.rec;second.rec", "shuffle": True},
    "whole batches": {"batch_size": 4},
    "whole batches by index": {"batch_size": 4, "path_imgidx": "one.idx"},
}


def _make_picture(number: int) -> bytes:
    """Makes a picture in the BMP format, larger for some numbers than for others."""
    height, width = 4 + number % 3, 4 * (1 + (5 * number) % 3)
    pixels = np.full((height, width, 3), number, np.uint8).tobytes()
    header = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, len(pixels), 0, 0, 0, 0)
    return struct.pack("<2sIHHI", b"BM", 54 + len(pixels), 0, 0, 54) + header + pixels


def _make_record(number: int) -> bytes:
    return struct.pack("<IfQQ", 0, float(number), 100 + number, 0) + _make_picture(number)


def _make_boxed_record(number: int) -> bytes:
    header, picture = _make_record(number)[:24], _make_record(number)[24:]
    boxes = np.array([2, 5, number, 0.1, 0.1, 0.6, 0.6], np.float32)
    return struct.pack("<I", len(boxes)) + header[4:] + boxes.tobytes() + picture


def _write_records(path: Path, records: list[bytes]) -> list[int]:
    """Writes a record file and returns where each record begins."""
    content, places = b"", []
    for record in records:
        places.append(len(content))
        content += struct.pack("<II", _MAGIC, len(record)) + record + bytes(-len(record) % 4)
    path.write_bytes(content)
    return places


def write_files(folder: Path) -> None:
    """Writes everything that the cases read."""
    records = [_make_record(number) for number in range(COUNT)]
    places = _write_records(folder / "one.rec", records)
    keys = [(number * 3) % COUNT for number in range(COUNT)]
    lines = [f"{key}\t{place}\n" for key, place in zip(keys, places, strict=True)]
    (folder / "one.idx").write_text("".join(lines))
    _write_records(folder / "first.rec", records[:5])
    _write_records(folder / "second.rec", records[5:])
    boxed = [_make_boxed_record(number) for number in range(COUNT)]
    places = _write_records(folder / "boxed.rec", boxed)
    lines = [f"{number}\t{place}\n" for number, place in enumerate(places)]
    (folder / "boxed.idx").write_text("".join(lines))
    for number in range(COUNT):
        (folder / f"{number}.bmp").write_bytes(records[number][24:])
    rows = [f"{number} " + "1:1 " * (1 + number % 3) for number in range(COUNT)]
    (folder / "rows.libsvm").write_text("\n".join(rows) + "\n")
    (folder / "others.libsvm").write_text("\n".join(rows[:8]) + "\n")
    (folder / "windows.libsvm").write_bytes("\r\n".join(rows).encode() + b"\r\n")
    (folder / "even.libsvm").write_text("".join(f"{n + 10} 0:1\n" for n in range(12)))
    images = np.repeat(np.arange(COUNT, dtype=np.uint8), 4).tobytes()
    (folder / "images").write_bytes(struct.pack(">4I", 2051, COUNT, 2, 2) + images)
    (folder / "labels").write_bytes(struct.pack(">2I", 2049, COUNT) + bytes(range(COUNT)))


def _with_paths(options: dict[str, object], folder: Path) -> dict[str, object]:
    """Puts the folder in front of the names of files."""
    result = {}
    for name, value in options.items():
        if name.startswith("path_") or name in ("image", "label", "data_libsvm"):
            value = ";".join(str(folder / file) for file in str(value).split(";"))
        result[name] = value
    return result


def _list_of_images() -> list[list[object]]:
    return [[float(number), f"{number}.bmp"] for number in range(COUNT)]


def make_calls() -> Iterator[tuple[str, str, dict[str, object]]]:
    """Yields the name of a case, the iterator in `mx.io` or `mx.image`, and its options."""
    records = {"data_shape": (3, 4, 4), "preprocess_threads": 1, "verbose": False}
    for name, options in IMAGE_OPTIONS.items():
        given = {"path_imgrec": "one.rec", "batch_size": 1, **records, **options}
        yield f"ImageRecordIter, {name}", "ImageRecordIter", given
    for iterator in ("ImageRecordUInt8Iter", "ImageRecordInt8Iter"):
        given = {"path_imgrec": "one.rec", "batch_size": 2, **records}
        yield iterator, iterator, given
    boxed = {"path_imgrec": "boxed.rec", "batch_size": 1, "label_pad_width": 12, **records}
    yield "ImageDetRecordIter", "ImageDetRecordIter", boxed
    shuffled = {**boxed, "shuffle": True, "seed": 3}
    yield "ImageDetRecordIter, shuffled", "ImageDetRecordIter", shuffled
    mnist = {"image": "images", "label": "labels", "batch_size": 1, "silent": True}
    yield "MNISTIter", "MNISTIter", {**mnist, "shuffle": False}
    yield "MNISTIter, shuffled", "MNISTIter", {**mnist, "seed": 5}
    sparse = {"data_libsvm": "rows.libsvm", "data_shape": (4,), "batch_size": 1}
    yield "LibSVMIter", "LibSVMIter", sparse
    for name in ("rows.libsvm;others.libsvm", "windows.libsvm"):
        yield f"LibSVMIter, {name}", "LibSVMIter", {**sparse, "data_libsvm": name}
    yield "LibSVMIter, even lines", "LibSVMIter", {**sparse, "data_libsvm": "even.libsvm"}
    image = {"batch_size": 1, "data_shape": (3, 4, 4)}
    indexed = {**image, "path_imgrec": "one.rec", "path_imgidx": "one.idx"}
    yield "ImageIter, records", "ImageIter", indexed
    yield "ImageIter, shuffled", "ImageIter", {**indexed, "shuffle": True}
    yield (
        "ImageIter, discarded",
        "ImageIter",
        {**indexed, "batch_size": 2, "last_batch_handle": "discard"},
    )
    listed = {**image, "imglist": _list_of_images(), "path_root": "."}
    yield "ImageIter, list", "ImageIter", listed
    boxed = {**image, "path_imgrec": "boxed.rec", "path_imgidx": "boxed.idx"}
    yield "ImageDetIter", "ImageDetIter", boxed


def parts_of(name: str) -> list[tuple[int, int]]:
    """Returns the numbers of parts and the parts for which a case has more than one batch."""
    counts = PARTS[:3] if "whole batches" in name else PARTS
    return [(count, part) for count in counts for part in range(count)]


def read_part(
    make_iterator: Callable[..., Any], options: dict[str, object], folder: Path
) -> list[list[float]]:
    """Returns the class of each sample of a batch, and last its padding, for two rounds."""
    random.seed(1)
    iterator = make_iterator(**_with_paths(options, folder))
    batches = []
    for _ in range(2):
        for batch in iterator:
            labels = batch.label[0].asnumpy()
            if labels.ndim == 3:
                labels = labels[:, 0]
            elif labels.shape[1:] == (16,):  # the size of the image and a header are in front
                labels = labels[:, 6:]
            batches.append([*map(float, labels.reshape(len(labels), -1)[:, 0]), batch.pad])
        iterator.reset()
    return batches
