"""Writes the page on the model zoo from the networks themselves.

    python tools/make_zoo_table.py [--check]

Parameters and multiplications are counted on the graph of each network, whose shapes are inferred;
nothing is computed. With `--check` nothing is written; the program fails if the page is out of
date.
"""

from __future__ import annotations

import argparse
from math import prod
from pathlib import Path

import mxnet as mx
from mxnet.gluon.model_zoo import vision
from mxnet.gluon.model_zoo.vision._network import NETWORKS

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "zoo.md"
INTRODUCTION = """\
# Model zoo

Written by `make docs` from the networks; do not edit. All of them classify images into 1,000
classes unless `classes=` says otherwise, and are those of MXNet 1.9.1: its parameter files fit.

```python
from mxnet import nd
from mxnet.gluon.model_zoo import vision

net = vision.get_model("mobilenetv2_0.25", classes=10)
net.initialize()  # or pretrained=True above, which downloads trained parameters
print(net(nd.zeros((1, 3, 64, 64))).shape)
```

```text
(1, 10)
```

Trained parameters are looked for in `~/.mxnet/models` (`root=` or `MXNET_HOME` choose another
folder) and downloaded if they are not there; [Pretrained weights](weights.md) says where else they
come from. Images go in as float32 in the layout (batch, 3, height, width), scaled to [0, 1], minus
the mean (0.485, 0.456, 0.406), divided by (0.229, 0.224, 0.225).

Parameters include running averages. Multiplications are those of convolutions and dense layers for
one image of the given size; most tables call that number multiply-adds, twice of it FLOPs. MB is
the size of a file in float32.
"""
LARGE_IMAGES = {"inceptionv3": 299}
"""Sizes of images that are not 224."""


def measure(name: str) -> tuple[int, int, int]:
    """Returns the size of images, and the numbers of parameters and of multiplications."""
    size = LARGE_IMAGES.get(name, 224)
    outputs = vision.get_model(name)(mx.sym.var("data"))
    internals = outputs.get_internals()
    shapes, results, aux_shapes = internals.infer_shape(data=(1, 3, size, size))
    by_name = dict(zip(internals.list_arguments(), shapes, strict=True))
    parameters = sum(map(prod, shapes)) - prod(by_name["data"]) + sum(map(prod, aux_shapes))
    multiplications = 0
    for output, shape in zip(internals.list_outputs(), results, strict=True):
        weight = by_name.get(f"{output.removesuffix('_fwd_output')}_weight")
        if output.endswith("_fwd_output") and weight is not None:
            multiplications += prod(shape) * prod(weight[1:])
    return size, parameters, multiplications


def make_page() -> str:
    """Returns the text of the page."""
    rows = ["| `get_model(...)` | image | parameters | MB | multiplications |"]
    rows.append("| --- | ---: | ---: | ---: | ---: |")
    for name in sorted(NETWORKS):
        size, parameters, multiplications = measure(name)
        rows.append(
            f"| `{name}` | {size} | {parameters:,} | {parameters * 4 / 1e6:.1f} "
            f"| {multiplications / 1e9:.2f} billion |"
        )
    return INTRODUCTION + "\n" + "\n".join(rows) + "\n"


def main() -> int:
    """Writes or checks the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail if the page is out of date")
    options = parser.parse_args()
    page = make_page()
    if not options.check:
        PAGE.write_text(page, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page:
        print("docs/zoo.md is out of date: run `make docs`")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
