"""Cuts the example digits out of the full MNIST files.

    python tools/make_digits.py FOLDER_WITH_THE_FOUR_MNIST_FILES

Takes the same number of images of each class, spread evenly over the source (its test half is not
of even difficulty), keeps their order and writes byte-identical files on every run.
"""

from __future__ import annotations

import argparse
import gzip
import struct
from pathlib import Path

import numpy as np

TARGET = Path(__file__).resolve().parents[1] / "examples" / "data" / "digits"
PER_CLASS = {"train": 500, "t10k": 100}
NUM_CLASSES = 10
UNSIGNED_BYTE = 0x08


def read_idx(path: Path) -> np.ndarray:
    """Reads a gzipped IDX file of unsigned bytes."""
    content = gzip.decompress(path.read_bytes())
    _, kind, ndim = struct.unpack(">HBB", content[:4])
    if kind != UNSIGNED_BYTE:
        raise ValueError(f"{path.name}: expected an IDX file of unsigned bytes, got type {kind:#x}")
    shape = struct.unpack(f">{ndim}I", content[4 : 4 + 4 * ndim])
    return np.frombuffer(content, np.uint8, offset=4 + 4 * ndim).reshape(shape)


def write_idx(path: Path, array: np.ndarray) -> None:
    """Writes unsigned bytes as a gzipped IDX file, without a time stamp."""
    header = struct.pack(f">HBB{array.ndim}I", 0, UNSIGNED_BYTE, array.ndim, *array.shape)
    path.write_bytes(gzip.compress(header + array.tobytes(), compresslevel=9, mtime=0))


def choose(labels: np.ndarray, per_class: int) -> np.ndarray:
    """Returns the sorted positions of evenly spread images, `per_class` of each class."""
    chosen = []
    for digit in range(NUM_CLASSES):
        positions = np.flatnonzero(labels == digit)
        steps = np.arange(per_class) * len(positions) // per_class
        chosen.append(positions[steps])
    return np.sort(np.concatenate(chosen))


def main() -> None:
    """Writes the four files of the subset."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path, help="folder of the four full MNIST files")
    source = parser.parse_args().source
    TARGET.mkdir(parents=True, exist_ok=True)
    for part, per_class in PER_CLASS.items():
        images, labels = f"{part}-images-idx3-ubyte.gz", f"{part}-labels-idx1-ubyte.gz"
        all_labels = read_idx(source / labels)
        chosen = choose(all_labels, per_class)
        write_idx(TARGET / images, read_idx(source / images)[chosen])
        write_idx(TARGET / labels, all_labels[chosen])
        print(f"{part}: {len(chosen)} images, {(TARGET / images).stat().st_size} bytes")


if __name__ == "__main__":
    main()
