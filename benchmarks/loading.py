"""Measures the loading of batches against torch's DataLoader and the original's.

    python benchmarks/loading.py [--oracle PYTHON] [--rounds N] [--record]

10,000 images of 28x28 bytes go through ToTensor and Normalize in batches of 256, without workers
and with 2. The dataset is in memory, or one whose samples are made one by one by a class of the
program. Torch transforms every sample, as its users do. A time is that of one pass over the data,
start and end of the workers included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from harness import Benchmark, main

LENGTH = 10_000
BATCH = 256
MEAN, STD = 0.13, 0.31
TARGETS = {
    "in memory, no workers": (0.2, 3.0),
    "in memory, 2 workers": (0.2, 3.0),
    "one by one, no workers": (0.67, 3.0),
    "one by one, 2 workers": (0.67, 3.0),
}


def images() -> tuple[np.ndarray, np.ndarray]:
    """Returns pictures of noise, and labels."""
    pixels = np.random.RandomState(0).randint(0, 256, (LENGTH, 28, 28, 1)).astype(np.uint8)
    return pixels, np.arange(LENGTH, dtype=np.int32) % 10


def visit(loader: Iterable) -> Callable[[], None]:
    """Makes a case of a loader: one pass, which has to give every sample."""

    def run() -> None:
        count = sum(batch.shape[0] for batch, _ in loader)
        if count != LENGTH:
            raise SystemExit(f"the loader gave {count} samples")

    return run


def mxnet_cases() -> tuple[dict[str, Callable[[], None]], Callable[[], None]]:
    """Returns the cases on `mxnet`, ours or the original."""
    from mxnet import nd
    from mxnet.gluon import data
    from mxnet.gluon.data.vision import transforms

    pixels, labels = images()
    array = nd.array(pixels, dtype="uint8")

    class OneByOne(data.Dataset):
        def __len__(self) -> int:
            return LENGTH

        def __getitem__(self, idx: int) -> tuple:
            return array[int(idx)], labels[idx]

    transform = transforms.Compose([transforms.ToTensor(), transforms.Normalize(MEAN, STD)])
    datasets = {"in memory": data.ArrayDataset(array, labels), "one by one": OneByOne()}
    cases = {}
    for name, dataset in datasets.items():
        changed = dataset.transform_first(transform)
        for workers in (0, 2):
            loader = data.DataLoader(changed, BATCH, num_workers=workers)
            cases[f"{name}, {workers or 'no'} workers"] = visit(loader)
    return cases, nd.waitall


def torch_cases() -> tuple[dict[str, Callable[[], None]], Callable[[], None]]:
    """Returns the same on torch."""
    import torch
    from torch.utils import data

    pixels, labels = images()

    class Images(data.Dataset):
        def __init__(self) -> None:
            self.pixels, self.labels = torch.from_numpy(pixels), torch.from_numpy(labels)
            self.mean, self.std = torch.tensor(MEAN).view(1, 1, 1), torch.tensor(STD).view(1, 1, 1)

        def __len__(self) -> int:
            return LENGTH

        def __getitem__(self, index: int) -> tuple:
            image = self.pixels[index].permute(2, 0, 1).contiguous().to(torch.float32).div(255)
            return image.sub(self.mean).div(self.std), self.labels[index]

    cases = {}
    for name in TARGETS:
        workers = 2 if "2 workers" in name else 0
        cases[name] = visit(data.DataLoader(Images(), BATCH, num_workers=workers))
    return cases, lambda: None


BENCHMARK = Benchmark(
    title="Loading",
    unit="10,000 images of 28x28, microseconds",
    script="loading",
    mxnet_cases=mxnet_cases,
    torch_cases=torch_cases,
    targets=TARGETS,
    seconds=0.003,
    rounds=5,
)

if __name__ == "__main__":
    raise SystemExit(main(BENCHMARK))
