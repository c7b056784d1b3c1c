"""Measures how fast JPEGs come out of a record file, augmented and in batches, on one core.

    python benchmarks/records.py [--oracle PYTHON] [--record] [--check]

All threads share one core, so that the time is the work for an image and not the number of cores.
torch's side is its `DataLoader` with a dataset that decodes with OpenCV, image by image.
`--oracle` names an interpreter with MXNet 1.9.1, which runs this file as a worker.
"""

from __future__ import annotations

import os
import random
import tempfile
from functools import cache
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

if np.lib.NumpyVersion(np.__version__) < "1.24.0":
    np.bool = bool  # the original predates NumPy 1.24

from harness import Benchmark, Case, main

COUNT, BATCH = 128, 32
MEAN, STD = (123.68, 116.28, 103.53), (58.395, 57.12, 57.375)
SMALL, LARGE = (256, 256), (375, 500)
TARGETS = {
    "256x256, crop 224 and flip": (1.0, 1.0),
    "256x256, crop 224, flip, mean and std": (1.0, 1.0),
    "375x500, resize 256, crop 224 and flip": (1.0, 1.0),
}
FOLDER = tempfile.TemporaryDirectory()


def make_image(seed: int, height: int, width: int) -> np.ndarray:
    """Makes something like a photograph: shades, shapes and noise."""
    rng = np.random.RandomState(seed)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    image = np.full((height, width, 3), 128, np.float32)
    for channel in range(3):
        for _ in range(4):
            wave = rng.uniform(0, 0.1, 2)
            shade = np.sin(wave[0] * x + wave[1] * y + rng.uniform(0, 6))
            image[..., channel] += rng.uniform(10, 45) * shade
    for _ in range(8):
        centre, radius = rng.uniform(0, (height, width)), rng.uniform(8, height / 4)
        image[(y - centre[0]) ** 2 + (x - centre[1]) ** 2 < radius**2] = rng.uniform(0, 255, 3)
    return np.clip(image + rng.normal(0, 6, image.shape), 0, 255).astype(np.uint8)


@cache
def record_file(size: tuple[int, int]) -> str:
    """Returns a record file of JPEGs of one size, with its index beside it."""
    from mxnet import recordio

    path = Path(FOLDER.name, f"{size[0]}.rec")
    writer = recordio.MXIndexedRecordIO(str(path.with_suffix(".idx")), str(path), "w")
    for number in range(COUNT):
        header = recordio.IRHeader(0, float(number % 10), number, 0)
        writer.write_idx(number, recordio.pack_img(header, make_image(number, *size), 95, ".jpg"))
    writer.close()
    return str(path)


def mxnet_cases() -> tuple[dict[str, Case], Case]:
    """Returns one round through the file for each case, and the function that waits."""
    import mxnet as mx

    def make(size: tuple[int, int], **options: object) -> Case:
        batches = mx.io.ImageRecordIter(
            path_imgrec=record_file(size),
            data_shape=(3, 224, 224),
            batch_size=BATCH,
            shuffle=True,
            rand_crop=True,
            rand_mirror=True,
            preprocess_threads=1,
            verbose=False,
            **options,
        )

        def read_round() -> None:
            batches.reset()
            for batch in batches:
                batch.data[0].wait_to_read()

        return read_round

    scaling = {f"mean_{c}": value for c, value in zip("rgb", MEAN, strict=True)}
    scaling |= {f"std_{c}": value for c, value in zip("rgb", STD, strict=True)}
    cases = (make(SMALL), make(SMALL, **scaling), make(LARGE, resize=256))
    return dict(zip(TARGETS, cases, strict=True)), mx.nd.waitall


def torch_cases() -> tuple[dict[str, Case], Case]:
    """Returns the same with a dataset and torch's loader."""
    import cv2
    import torch
    from torch.utils.data import DataLoader, Dataset

    from mxnet import recordio

    torch.set_num_threads(1)

    class Images(Dataset):
        def __init__(self, size: tuple[int, int], resize: int = 0, scales: bool = False) -> None:
            path = Path(record_file(size))
            self.file = recordio.MXIndexedRecordIO(path.with_suffix(".idx"), path, "r")
            self.resize = resize
            self.scales = scales
            self.mean = torch.tensor(MEAN).view(3, 1, 1)
            self.std = torch.tensor(STD).view(3, 1, 1)

        def __len__(self) -> int:
            return COUNT

        def __getitem__(self, number: int) -> tuple[torch.Tensor, float]:
            header, image = recordio.unpack_img(self.file.read_idx(number), 1)
            height, width = image.shape[:2]
            if self.resize:
                scale = self.resize / min(height, width)
                image = cv2.resize(image, (round(width * scale), round(height * scale)))
                height, width = image.shape[:2]
            top, left = random.randint(0, height - 224), random.randint(0, width - 224)
            image = image[top : top + 224, left : left + 224, ::-1]
            if random.random() < 0.5:
                image = image[:, ::-1]
            tensor = torch.from_numpy(image.transpose(2, 0, 1).copy()).float()
            return (tensor - self.mean) / self.std if self.scales else tensor, header.label

    def make(*arguments: object, **options: object) -> Case:
        loader = DataLoader(Images(*arguments, **options), BATCH, shuffle=True)

        def read_round() -> None:
            for _ in loader:
                pass

        return read_round

    cases = (make(SMALL), make(SMALL, scales=True), make(LARGE, resize=256))
    return dict(zip(TARGETS, cases, strict=True)), lambda: None


if __name__ == "__main__":
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    benchmark = Benchmark(
        "Record files",
        f"{COUNT} JPEGs on one core, microseconds",
        "records",
        mxnet_cases,
        torch_cases,
        TARGETS,
        seconds=0.2,
        rounds=8,
    )
    raise SystemExit(main(benchmark))
