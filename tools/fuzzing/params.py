"""Parameter files of every generation, dense and sparse."""

from __future__ import annotations

import random
import struct
from math import prod
from pathlib import Path

import mxnet as mx
from tools.fuzzing.mutation import Format, Mutator

ITEM_SIZES = {0: 4, 1: 8, 2: 2, 3: 1, 4: 4, 5: 1, 6: 8, 7: 1, 8: 2, 9: 2, 10: 4, 11: 8, 12: 2}


def _shape(mutator: Mutator, lengths: list[int]) -> bytes:
    count = mutator.number(len(lengths), 32, signed=True)
    return struct.pack("<i", count) + b"".join(
        struct.pack("<q", mutator.number(length, 64, signed=True)) for length in lengths
    )


def _data(mutator: Mutator, lengths: list[int], code: int, limit: int = 256) -> bytes:
    size = prod(lengths) * ITEM_SIZES[code]
    if mutator.strikes():
        size = max(0, size + mutator.rng.choice([-1, 1, -size, 7]))
    return mutator.rng.randbytes(min(size, limit))


def _dense(mutator: Mutator) -> bytes:
    rng = mutator.rng
    lengths = [rng.randrange(0, 5) for _ in range(rng.randrange(0, 4))]
    code = rng.choice(list(ITEM_SIZES))
    place = struct.pack("<ii", mutator.number(1, 32, True), mutator.number(0, 32, True))
    tail = place + struct.pack("<i", mutator.number(code, 32, True))
    content = _data(mutator, lengths, code)
    generation = rng.choice(["v0", "v1", "v2", "v3"])
    if generation == "v0":
        head = struct.pack("<I", mutator.number(len(lengths), 32))
        head += b"".join(struct.pack("<I", mutator.number(length, 32)) for length in lengths)
        return head + tail + content
    magic = {"v1": 0xF993FAC8, "v2": 0xF993FAC9, "v3": 0xF993FACA}[generation]
    head = struct.pack("<I", mutator.number(magic, 32))
    if generation != "v1":
        head += struct.pack("<i", mutator.number(0, 32, True))
    return head + _shape(mutator, lengths) + tail + content


def _sparse(mutator: Mutator) -> bytes:
    rng = mutator.rng
    csr = rng.random() < 0.5
    rows, columns, count = rng.randrange(1, 6), rng.randrange(1, 6), rng.randrange(0, 5)
    storage = [count] if csr else [min(count, rows), columns]
    head = struct.pack("<I", 0xF993FAC9) + struct.pack(
        "<i", mutator.number(2 if csr else 1, 32, True)
    )
    head += _shape(mutator, storage) + _shape(mutator, [rows, columns])
    head += struct.pack("<iii", 1, 0, mutator.number(0, 32, True))
    if csr:
        pointers = sorted(rng.randrange(0, count + 1) for _ in range(rows - 1))
        auxiliary = [[0, *pointers, count], sorted(rng.randrange(columns) for _ in range(count))]
    else:
        auxiliary = [sorted(rng.sample(range(rows), storage[0]))]
    for values in auxiliary:
        head += struct.pack("<i", mutator.number(6, 32, True)) + _shape(mutator, [len(values)])
    content = _data(mutator, storage, 0)
    for values in auxiliary:
        content += b"".join(struct.pack("<q", mutator.number(v, 64, True)) for v in values)
    return head + content


def make(rng: random.Random) -> bytes:
    """Makes a file of a few arrays."""
    mutator = Mutator(rng)
    arrays = [rng.choice([_dense, _dense, _sparse])(mutator) for _ in range(rng.randrange(0, 4))]
    names = [mutator.text(f"arg:w{i}").encode("utf-8", "surrogatepass") for i in range(len(arrays))]
    if rng.random() < 0.3:
        names = []
    head = struct.pack(
        "<QQQ", mutator.number(0x112, 64), mutator.number(0, 64), mutator.number(len(arrays), 64)
    )
    tail = struct.pack("<Q", mutator.number(len(names), 64))
    tail += b"".join(struct.pack("<Q", mutator.number(len(name), 64)) + name for name in names)
    return mutator.damage(head + b"".join(arrays) + tail)


def use(path: Path) -> None:
    """Loads a file and reads the arrays."""
    found = mx.nd.load(str(path))
    for array in found.values() if isinstance(found, dict) else found:
        with mx.limits.scope(array_bytes=1 << 26):  # what is left is a matter of time
            if array.stype != "default":
                array.tostype("default")
            array.asnumpy()


FORMAT = Format("params", ".params", make, use)
