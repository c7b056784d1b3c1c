"""The files of a checkpoint: its index and the random states of a rank.

One file holds both, as JSON by name; the use of it puts them into a good checkpoint's folder.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import mxnet as mx
from mxnet._state import processes
from mxnet.gluon import Checkpoint, Trainer, nn
from tools.fuzzing.mutation import NUMBERS, TEXTS, Format, Mutator

_FILES = ("index.json", "rank0.json")


@cache
def _good() -> dict[str, bytes]:
    """Returns the files of a good checkpoint by name."""
    with tempfile.TemporaryDirectory() as folder:
        net, trainer = _network()
        try:
            checkpoint = Checkpoint(folder, net, trainer)
            checkpoint.step, checkpoint.extra = 3, {"a": [1, 2.5, None]}
            next(checkpoint.batches([1, 2]))
            checkpoint.save()
        finally:
            processes.leave()
        (place,) = Path(folder).iterdir()
        return {path.name: path.read_bytes() for path in place.iterdir()}


@cache
def _network() -> tuple[Any, Any]:
    net = nn.Dense(2, in_units=3)
    net.initialize()
    trainer = Trainer(net.collect_params(), "sgd", {"momentum": 0.9}, kvstore=None)
    with mx.autograd.record():
        loss = net(mx.nd.ones((1, 3))).sum()
    loss.backward()
    trainer.step(1)
    return net, trainer


@cache
def _restorer(folder: Path, process: int) -> Checkpoint:
    """Makes what restores checkpoints of a folder, once for each process."""
    del process
    return Checkpoint(folder, *_network())


_IMPORTER = os.getpid()


def _mutate(mutator: Mutator, value: Any) -> Any:
    """Returns a value of JSON with some parts replaced, dropped or repeated."""
    rng = mutator.rng
    if mutator.strikes():
        return rng.choice(
            [rng.choice(NUMBERS), rng.choice(TEXTS), None, [], {}, True, 1.5, -1e308, [value], [[]]]
        )
    if isinstance(value, dict):
        items = [
            (mutator.text(key), _mutate(mutator, item))
            for key, item in value.items()
            if not mutator.strikes()
        ]
        return dict(items)
    if isinstance(value, list):
        items = [_mutate(mutator, item) for item in value if not mutator.strikes()]
        return items * (2 if mutator.strikes() else 1)
    if isinstance(value, int) and not isinstance(value, bool):
        return mutator.number(value, 64, signed=True)
    if isinstance(value, str) and len(value) > 8 and mutator.strikes():
        return value[: rng.randrange(len(value))]
    return value


def make_checkpoint(rng: random.Random) -> bytes:
    """Makes an index and random states."""
    good = _good()
    mutator = Mutator(rng, rng.choice([0.0, 0.005, 0.02, 0.1]))
    parts = {name: _mutate(mutator, json.loads(good[name])) for name in _FILES}
    return mutator.damage(json.dumps(parts).encode("utf-8", "surrogatepass"))


def use_checkpoint(path: Path) -> None:
    """Restores a checkpoint whose files are hostile."""
    try:
        parts = json.loads(path.read_bytes())
        files = {name: json.dumps(parts[name]).encode("utf-8", "replace") for name in _FILES}
    except (ValueError, KeyError, TypeError, RecursionError):
        files = dict.fromkeys(_FILES, path.read_bytes())  # damaged as a whole
    folder = path.parent / "saved"
    place = folder / "step-00000003"
    place.mkdir(parents=True, exist_ok=True)
    try:
        for name, content in (_good() | files).items():
            (place / name).write_bytes(content)
        checkpoint = _restorer(folder, os.getpid())
        checkpoint.restore_latest()
        for _ in zip(checkpoint.batches(iter([1, 2, 3])), range(3), strict=False):
            random.gauss(0, 1)
        mx.nd.random.uniform(shape=(2,)).asnumpy()
    finally:
        if os.getpid() == _IMPORTER:  # a child is for this alone, and joining takes time
            _restorer.cache_clear()
            processes.leave()
        shutil.rmtree(folder)


FORMAT = Format("checkpoint", ".checkpoint", make_checkpoint, use_checkpoint)
