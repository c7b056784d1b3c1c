"""Measures predictions on a CPU with `hybridize(backend="openvino")`, in milliseconds a call.

    python benchmarks/openvino_backend.py [--rounds N] [--compile] [--rows NAME ...]

The candidates take turns, and the best of all rounds counts: ours with OpenVINO, OpenVINO called by
hand on the same graph, torch by itself on a network that is written for it and, with `--compile`,
`torch.compile`. Ours is to take at most 1.05 times what OpenVINO takes by hand; else the program
ends with 1.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import openvino
import torch
import torch_networks

import mxnet as mx
from mxnet.gluon.model_zoo import vision

NETWORKS = {
    "MobileNetV2": (vision.mobilenet_v2_1_0, torch_networks.mobilenet_v2),
    "ResNet-50": (vision.resnet50_v1, torch_networks.resnet50),
}
ROWS = {
    f"{name} b{batch} {precision}": (name, batch, precision)
    for name, batch in (("MobileNetV2", 1), ("ResNet-50", 1), ("ResNet-50", 16))
    for precision in ("float32", "bfloat16")
}
HINTS = {"float32": "f32", "bfloat16": "bf16"}
LIMIT = 1.05
Case = Callable[[], object]


def make_ours(name: str, batch: int, precision: str) -> Case:
    """Returns a prediction by a block that OpenVINO computes."""
    net = NETWORKS[name][0]()
    net.initialize(mx.init.Xavier())
    data = mx.nd.random.uniform(shape=(batch, 3, 224, 224))
    net.optimize_for(data, backend="openvino", precision=precision, strict=True)
    return lambda: net(data)


class Bound(torch.nn.Module):
    """The graph of a block with its parameters, as a module of torch."""

    def __init__(self, net: mx.gluon.HybridBlock, data: mx.nd.NDArray) -> None:
        super().__init__()
        self.graph = net.to_fx(data)
        parameters = net.collect_params()
        names = [node.target for node in self.graph.graph.nodes if node.op == "placeholder"]
        self.values = [torch.from_numpy(parameters[name].data().asnumpy()) for name in names[1:]]

    def forward(self, data: torch.Tensor) -> torch.Tensor:
        return self.graph(data, *self.values)[0]


def make_by_hand(name: str, batch: int, precision: str) -> Case:
    """Returns the same by OpenVINO's own functions, as its documentation has them."""
    net = NETWORKS[name][0]()
    net.initialize(mx.init.Xavier())
    data = torch.rand(batch, 3, 224, 224)
    bound = Bound(net, mx.nd.array(data.numpy())).eval()
    with torch.no_grad():
        model = openvino.convert_model(bound, example_input=data, input=list(data.shape))
    properties = {
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": HINTS[precision],
        "INFERENCE_NUM_THREADS": torch.get_num_threads(),
    }
    request = openvino.Core().compile_model(model, "CPU", properties).create_infer_request()
    array = data.numpy()
    return lambda: request.infer([array], share_inputs=True, share_outputs=True)


def make_torch(name: str, batch: int, precision: str, *, compiled: bool = False) -> Case:
    """Returns the same by torch."""
    dtype = getattr(torch, precision)
    net = NETWORKS[name][1]().eval().to(dtype)
    if compiled:
        net = torch.compile(net)
    data = torch.rand(batch, 3, 224, 224, dtype=dtype)

    def predict() -> object:
        with torch.no_grad():
            return net(data)

    return predict


def measure(cases: dict[str, Case], rounds: int) -> dict[str, float]:
    """Returns the best time of each case, in milliseconds."""
    best = dict.fromkeys(cases, float("inf"))
    for case in cases.values():
        case()
        case()
    for _ in range(rounds):
        for name, case in cases.items():
            case()  # the threads of the candidate before may still be waiting for work
            start = time.perf_counter()
            case()
            best[name] = min(best[name], 1000 * (time.perf_counter() - start))
    return best


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--compile", action="store_true", help="measure torch.compile too")
    parser.add_argument("--rows", nargs="*", default=list(ROWS), help="rows to measure")
    options = parser.parse_args()
    slow = []
    for row in options.rows:
        cases = {
            "ours": make_ours(*ROWS[row]),
            "OpenVINO by hand": make_by_hand(*ROWS[row]),
            "torch": make_torch(*ROWS[row]),
        }
        if options.compile:
            cases["torch.compile"] = make_torch(*ROWS[row], compiled=True)
        best = measure(cases, options.rounds)
        ratio = best["ours"] / best["OpenVINO by hand"]
        times = ", ".join(f"{name} {value:.2f}" for name, value in best.items())
        print(f"{row}: {times}; ours {ratio:.3f} of by hand", flush=True)
        if ratio > LIMIT:
            slow.append(row)
    if slow:
        print(f"above {LIMIT}: {', '.join(slow)}")
    return bool(slow)


if __name__ == "__main__":
    raise SystemExit(main())
