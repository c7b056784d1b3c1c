"""Small files in the formats of the published datasets."""

from __future__ import annotations

import gzip
import io
import struct
import tarfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

SIZES = {"train": 6, "t10k": 4}


def idx(array: np.ndarray) -> bytes:
    """Returns the bytes of an idx file."""
    header = bytes((0, 0, 8, array.ndim)) + struct.pack(f">{array.ndim}I", *array.shape)
    return header + array.astype(np.uint8).tobytes()


def write_mnist(folder: Path, *, packed: bool = True, seed: int = 0) -> dict[str, np.ndarray]:
    """Writes the four files of MNIST, with few images, and gives the arrays."""
    random = np.random.RandomState(seed)
    arrays = {}
    for part, size in SIZES.items():
        arrays[f"{part}-images-idx3-ubyte"] = random.randint(0, 256, (size, 28, 28))
        arrays[f"{part}-labels-idx1-ubyte"] = random.randint(0, 10, size)
    for name, array in arrays.items():
        if packed:
            (folder / f"{name}.gz").write_bytes(gzip.compress(idx(array)))
        else:
            (folder / name).write_bytes(idx(array))
    return arrays


def cifar(names: Mapping[str, int], num_labels: int) -> dict[str, bytes]:
    """Returns files of CIFAR with few records: for each name the number of them."""
    random = np.random.RandomState(1)
    files = {}
    for name, size in names.items():
        labels = random.randint(0, 20, (size, num_labels))
        pixels = random.randint(0, 256, (size, 3 * 32 * 32))
        files[name] = np.concatenate([labels, pixels], axis=1).astype(np.uint8).tobytes()
    return files


CIFAR10 = cifar({**{f"data_batch_{i}.bin": 2 for i in range(1, 6)}, "test_batch.bin": 3}, 1)
CIFAR100 = cifar({"train.bin": 4, "test.bin": 3}, 2)


def write_archive(path: Path, folder: str, files: Mapping[str, bytes]) -> None:
    """Writes a gzipped tar archive with files in one folder."""
    with tarfile.open(path, "w:gz") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(f"{folder}/{name}")
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
