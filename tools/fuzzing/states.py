"""Optimizer states: the opcodes of real pickles, changed one by one, and what follows them."""

from __future__ import annotations

import functools
import itertools
import pickle
import pickletools
import random
import struct
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import mxnet as mx
from tools.fuzzing.mutation import NUMBERS, TEXTS, Format, Mutator

GLOBALS = [
    ("os", "system"), ("builtins", "eval"), ("builtins", "getattr"), ("builtins", "range"),
    ("builtins", "set"), ("builtins", "bytearray"), ("numpy", "dtype"), ("numpy", "ndarray"),
    ("numpy.core.multiarray", "scalar"), ("numpy.core.multiarray", "_reconstruct"),
    ("collections", "OrderedDict"), ("collections", "defaultdict"), ("mxnet.context", "Context"),
    ("mxnet.ndarray.ndarray", "NDArray"), ("mxnet.optimizer.optimizer", "SGD"),
    ("mxnet.optimizer.optimizer", "Adam"), ("mxnet.lr_scheduler", "FactorScheduler"),
]  # fmt: skip
PLAIN = [b"N", b"\x88", b"\x89", b"]", b"}", b")", b"(", b"0", b"1", b"2", b"a", b"e", b"s", b"u",
         b"t", b"\x85", b"\x86", b"\x87", b"R", b"b", b"o", b"\x81", b"\x92", b"\x90", b"\x91",
         b"\x8f", b"\x94", b"\x93", b"Q", b"."]  # fmt: skip


def _trainer(optimizer: str) -> mx.gluon.Trainer:
    net = mx.gluon.nn.Dense(2, in_units=3)
    net.initialize()
    schedule = mx.lr_scheduler.FactorScheduler(step=2, factor=0.5, base_lr=0.1)
    options = {"lr_scheduler": schedule}
    trainer = mx.gluon.Trainer(net.collect_params(), optimizer, options)
    with mx.autograd.record():
        loss = net(mx.nd.ones((2, 3)))
    loss.backward()
    trainer.step(2)
    return trainer


@functools.cache
def _seeds() -> list[bytes]:
    found = []
    with TemporaryDirectory() as folder:
        for optimizer in ("sgd", "adam", "nadam"):
            path = Path(folder, optimizer)
            _trainer(optimizer).save_states(str(path))
            found.append(path.read_bytes())
    plain = {0: (np.float32(1.5), np.arange(3)), 1: [None, {"a": 1.0}, b"bytes", 2**70, -3]}
    found.extend(pickle.dumps(plain, protocol) for protocol in range(6))
    return found


def _hostile_opcode(rng: random.Random) -> bytes:
    number = rng.choice(NUMBERS) & 0xFFFFFFFF
    module, name = rng.choice(GLOBALS)
    return rng.choice(
        [
            rng.choice(PLAIN),
            f"c{module}\n{name}\n".encode(),
            f"i{module}\n{name}\n".encode(),
            struct.pack(
                "<cI", rng.choice([b"j", b"r", b"J", b"B", b"X", b"\x84", b"\x8b"]), number
            ),
            struct.pack(
                "<cQ", rng.choice([b"\x8d", b"\x8e", b"\x95", b"\x96"]), rng.getrandbits(64)
            ),
            f"I{rng.choice(NUMBERS)}\n".encode(),
            f"L{rng.choice(TEXTS)[:300]}L\n".encode("utf-8", "surrogatepass"),
            f"V{rng.choice(TEXTS)[:300]}\n".encode("utf-8", "surrogatepass"),
            b"\x8c" + bytes([len(name)]) + name.encode(),
        ]
    )


@functools.cache
def _split(data: bytes) -> tuple[tuple[bytes, ...], bytes]:
    """Returns the opcodes of a pickle, and what stands after it."""
    places = [place for _, _, place in pickletools.genops(data)]
    end = places[-1] + 1
    cuts = [*places, end]
    return tuple(data[a:b] for a, b in itertools.pairwise(cuts)), data[end:]


def make(rng: random.Random) -> bytes:
    """Makes a changed file of real states."""
    mutator = Mutator(rng, rng.choice([0.005, 0.02, 0.1]))
    opcodes, rest = _split(rng.choice(_seeds()))
    result = list(opcodes)
    for _ in range(rng.choice([0, 1, 1, 2, 5, 20])):
        place = rng.randrange(len(result))
        change = rng.randrange(5)
        if change == 0:
            result[place : place + 1] = []
        elif change == 1:
            result.insert(place, _hostile_opcode(rng))
        elif change == 2:
            result[place] = _hostile_opcode(rng)
        elif change == 3:
            result.insert(place, rng.choice(result))
        else:
            result[place] = mutator.damage(result[place])
        result = result or [b"."]
    return mutator.damage(b"".join(result) + (rest if rng.random() < 0.7 else mutator.damage(rest)))


@functools.cache
def _victim() -> mx.gluon.Trainer:
    return _trainer("adam")


def use(path: Path) -> None:
    """Loads states into a trainer, and plain ones into an updater."""
    trainer = _victim()
    updater = mx.optimizer.get_updater(mx.optimizer.Adam())
    errors = []
    for load in (
        lambda: trainer.load_states(str(path)),
        lambda: updater.set_states(path.read_bytes()),
    ):
        try:
            load()
        except (mx.MXNetError, ValueError) as error:
            errors.append(error)
    if mx.cpu() != mx.cpu():
        raise AssertionError("a class has been patched")


FORMAT = Format("states", ".states", make, use)
