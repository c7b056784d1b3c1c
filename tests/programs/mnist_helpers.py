"""Files of images of digits, and their batches."""

from __future__ import annotations

import os
import struct

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

from .data_iterator_helpers import file, folder, names, rows

pixels = np.arange(10 * 4 * 3, dtype=np.uint8).reshape(10, 4, 3)
image, label = (os.path.join(folder, name) for name in ("i", "l"))
with open(image, "wb") as f:
    f.write(struct.pack(">4i", 2051, 10, 4, 3) + pixels.tobytes())
with open(label, "wb") as f:
    f.write(struct.pack(">2i", 2049, 10) + bytes(range(10)))


def mnist(**more):
    it = mx.io.MNISTIter(image=image, label=label, silent=True, **{"batch_size": 4, **more})
    batches = [
        [
            (b.data[0].asnumpy()[:, ..., -1].ravel().tolist(), b.label[0].asnumpy().tolist(), b.pad)
            for b in it
        ]
        for _ in range(1)
    ]
    return names(it.provide_data), names(it.provide_label), it.batch_size, batches
