"""Predicts how long a training step takes on many GPUs: a simulation, not a measurement.

The compute time of one GPU and the bandwidths between GPUs are measured elsewhere and given here.
Buckets of gradients become ready one after the other while the backward pass runs; each is reduced
over all ranks as soon as the links are free; the update begins when the last one is done. See
`docs/distributed.md` for the formulas and for what the model leaves out.

    python tools/predict_scaling.py                       # the networks and machine of the document
    python tools/predict_scaling.py --bytes 51e6 --forward 0.007 --backward 0.013 --inter 25e9
    python tools/predict_scaling.py --links one.json --links two.json --gpus 16 64

The files of links are what `benchmarks/allreduce.py` measured, first in one machine and then on
several: what the first says is taken off the times of the second.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

MEGABYTE = 2**20
SMALLEST_BUCKET, LARGEST_BUCKET = 1 * MEGABYTE, 25 * MEGABYTE
COUNTS = (1, 8, 16, 32, 64, 128, 256, 512, 1024)


@dataclass(frozen=True)
class Network:
    """What is trained, on one GPU.

    Attributes:
        name: What to print.
        forward_s: Seconds of the forward pass.
        backward_s: Seconds of the backward pass.
        update_s: Seconds of the update.
        gradient_bytes: Size of all gradients as they are sent.
        parameters: Number of parameters, for the memory.
        bytes_per_parameter: Bytes of weights, gradients and states for each parameter.
    """

    name: str
    forward_s: float
    backward_s: float
    update_s: float
    gradient_bytes: float
    parameters: float
    bytes_per_parameter: float = 16.0


@dataclass(frozen=True)
class Links:
    """How fast GPUs exchange data.

    Attributes:
        per_node: GPUs in one machine.
        intra: Bytes a second that a GPU sends to others of its machine.
        inter: Bytes a second that a machine sends to others, all its network cards together.
        intra_latency_s: Seconds of a message within a machine.
        inter_latency_s: Seconds of a message between machines.
        efficiency: Share of `inter` that is left with many machines, for shared switches.
        jitter: Standard deviation of the compute time from GPU to GPU, as a share of it.
    """

    per_node: int = 8
    intra: float = 360e9
    inter: float = 360e9
    intra_latency_s: float = 3e-6
    inter_latency_s: float = 10e-6
    efficiency: float = 1.0
    jitter: float = 0.01


@dataclass(frozen=True)
class Step:
    """A predicted step.

    Attributes:
        seconds: From begin to end.
        compute_s: Of these, on the GPU.
        exposed_s: Of these, waiting for others.
        sent_bytes: What each GPU sends.
        memory_bytes: Weights, gradients and states on each GPU.
    """

    seconds: float
    compute_s: float
    exposed_s: float
    sent_bytes: float
    memory_bytes: float

    @property
    def efficiency(self) -> float:
        """Share of the time that the GPU computes."""
        return self.compute_s / self.seconds


H200 = Links()
"""Assumed: machines of eight GPUs with NVLink 4 and one 400 Gbit/s card for each GPU."""

NETWORKS = (
    Network("ResNet-50, batch 128, float16", 0.0075, 0.0150, 0.0040, 51.1e6, 25.6e6),
    Network("BERT-base, 32 x 128, float16", 0.0028, 0.0056, 0.0014, 218e6, 109e6),
    Network("7 billion, 4 x 2048, bfloat16", 0.29, 0.58, 0.02, 14e9, 7e9),
)
"""Steps of one H200: the first two were measured (see RESULTS.md) and split by rule of thumb into
forward, backward and update; the last one is 6 operations a parameter and token at 40 % of the peak
of a GPU with 990 teraflops."""


def all_reduce_s(size: float, ranks: int, links: Links) -> float:
    """Returns the seconds of an all-reduce: within machines, between them, and back.

    Args:
        size: Bytes of the buffer.
        ranks: Number of GPUs.
        links: How fast they exchange.
    """
    local = min(ranks, links.per_node)
    nodes = -(-ranks // links.per_node)
    within = 2 * (local - 1) / local * size / links.intra
    within += 2 * (local - 1) * links.intra_latency_s
    if nodes == 1:
        return within
    between = 2 * (nodes - 1) / nodes * size / (links.inter * links.efficiency)
    return within + between + 2 * math.ceil(math.log2(nodes)) * links.inter_latency_s


def gather_s(size: float, ranks: int, links: Links) -> float:
    """Returns the seconds of an all-gather or a reduce-scatter, which go around a ring.

    They send half of what an all-reduce sends, but each message passes every machine in turn.
    """
    local = min(ranks, links.per_node)
    nodes = -(-ranks // links.per_node)
    within = (local - 1) / local * size / links.intra + (local - 1) * links.intra_latency_s
    between = (nodes - 1) / nodes * size / (links.inter * links.efficiency)
    return within + between + (nodes - 1) * links.inter_latency_s


def straggling_s(compute_s: float, ranks: int, links: Links) -> float:
    """Returns how much later than the mean the slowest of the GPUs is, if times vary normally."""
    return links.jitter * compute_s * math.sqrt(2 * math.log(ranks))


def cut_into_buckets(size: float, bucket_bytes: float | None = None) -> list[float]:
    """Returns the sizes of the buckets of a gradient, as a trainer makes them (ADR 0032).

    Args:
        size: Bytes of the gradient.
        bucket_bytes: Size of all buckets but the last; None for the rule of the trainer.
    """
    buckets = []
    if bucket_bytes is None:
        bucket_bytes = min(max(size / 8, SMALLEST_BUCKET), LARGEST_BUCKET)
        buckets = [min(SMALLEST_BUCKET, size)]
        size -= buckets[0]
    while size > 0:
        buckets.append(min(bucket_bytes, size))
        size -= buckets[-1]
    return buckets


def predict_replicated(
    network: Network, ranks: int, links: Links, bucket_bytes: float | None = None
) -> Step:
    """Predicts a step in which every GPU has all weights.

    A bucket is ready when the backward pass has come as far as its share of the gradients; buckets
    are reduced one after the other.
    """
    compute = network.forward_s + network.backward_s + network.update_s
    memory = network.parameters * network.bytes_per_parameter
    if ranks == 1:
        return Step(compute, compute, 0.0, 0.0, memory)
    backward_ends = network.forward_s + network.backward_s
    ready_bytes, free_at = 0.0, 0.0
    for bucket in cut_into_buckets(network.gradient_bytes, bucket_bytes):
        ready_bytes += bucket
        share = ready_bytes / network.gradient_bytes
        ready_at = network.forward_s + network.backward_s * share
        free_at = max(ready_at, free_at) + all_reduce_s(bucket, ranks, links)
    exposed = max(0.0, free_at - backward_ends) + straggling_s(compute, ranks, links)
    sent = 2 * (ranks - 1) / ranks * network.gradient_bytes
    return Step(compute + exposed, compute, exposed, sent, memory)


def predict_sharded(network: Network, ranks: int, links: Links, layers: int = 32) -> Step:
    """Predicts a step in which weights, gradients and states are split over all GPUs.

    Each layer's weights are gathered in the forward and again in the backward pass, while the layer
    before computes; the sums of its gradients are scattered and waited for (ADR 0033). Beside its
    share a GPU holds two layers, and the gradients of one.
    """
    compute = network.forward_s + network.backward_s + network.update_s / ranks
    states = network.parameters * network.bytes_per_parameter
    if ranks == 1:
        return Step(compute, compute, 0.0, 0.0, states)
    layer_bytes = network.gradient_bytes / layers
    layer_s = gather_s(layer_bytes, ranks, links)
    exposed = layers * layer_s
    for pass_s in (network.forward_s, network.backward_s):
        exposed += layer_s + (layers - 1) * max(0.0, layer_s - pass_s / layers)
    exposed += straggling_s(compute, ranks, links)
    sent = 3 * (ranks - 1) / ranks * network.gradient_bytes
    return Step(compute + exposed, compute, exposed, sent, states / ranks + 3 * layer_bytes)


def fit_line(points: list[tuple[float, float]]) -> tuple[float, float]:
    """Returns the seconds of a byte, and those of no byte, by least squares.

    Args:
        points: Bytes and seconds of all-reduces of at least two sizes.
    """
    if len({size for size, _ in points}) < 2:
        raise ValueError("links: takes times of at least two sizes")
    # Small messages matter as much as large ones: errors are weighted by the time itself.
    weights = [1 / seconds**2 for _, seconds in points]
    total = sum(weights)
    mean_size = sum(w * size for w, (size, _) in zip(weights, points, strict=True)) / total
    mean_time = sum(w * seconds for w, (_, seconds) in zip(weights, points, strict=True)) / total
    over = sum(
        w * (size - mean_size) * (seconds - mean_time)
        for w, (size, seconds) in zip(weights, points, strict=True)
    )
    under = sum(w * (size - mean_size) ** 2 for w, (size, _) in zip(weights, points, strict=True))
    slope = over / under
    if slope <= 0:
        raise ValueError("links: the time does not grow with the size; measure larger sizes")
    return slope, max(0.0, mean_time - slope * mean_size)


def fit_links(points: list[tuple[float, float]], ranks: int, nodes: int, links: Links) -> Links:
    """Returns links with bandwidth and latency from measured all-reduces.

    Args:
        points: Bytes and seconds of each.
        ranks: Number of GPUs that took part.
        nodes: Number of machines; with more than one, links between machines are what is found.
        links: The links before; those within a machine take their share of the times of several.
    """
    if ranks < 2 or ranks % nodes:
        raise ValueError(f"links: takes equally many GPUs of each machine, got {ranks} on {nodes}")
    slope, start = fit_line(points)
    local = ranks // nodes
    if nodes == 1:
        bandwidth = 2 * (local - 1) / local / slope
        return replace(links, intra=bandwidth, intra_latency_s=start / (2 * (local - 1)))
    slope -= 2 * (local - 1) / local / links.intra
    start -= 2 * (local - 1) * links.intra_latency_s
    if slope <= 0:
        raise ValueError(
            "links: several machines took less time than the links within one explain; "
            "measure these, too, and give their file first"
        )
    bandwidth = 2 * (nodes - 1) / nodes / slope
    latency = max(0.0, start) / (2 * math.ceil(math.log2(nodes)))
    return replace(links, inter=bandwidth, inter_latency_s=latency)


def read_links(path: Path, links: Links) -> Links:
    """Returns links with what `benchmarks/allreduce.py` measured within or between machines."""
    measured = json.loads(path.read_text())
    points = [(size, seconds) for size, seconds in measured["points"]]
    return fit_links(points, measured["ranks"], measured["nodes"], links)


def describe(network: Network, links: Links, counts: Sequence[int] = COUNTS) -> list[str]:
    """Returns the rows of a table for one network.

    Args:
        network: The network.
        links: How fast GPUs exchange data.
        counts: Numbers of GPUs.
    """
    lines = [
        f"### {network.name} (simulated)",
        "",
        "| GPUs | step ms | waiting ms | efficiency | sent MB a GPU | split: step ms | split: GB |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for ranks in counts:
        whole = predict_replicated(network, ranks, links)
        split = predict_sharded(network, ranks, links)
        lines.append(
            f"| {ranks:,} | {whole.seconds * 1e3:.2f} | {whole.exposed_s * 1e3:.2f} "
            f"| {whole.efficiency:.1%} | {whole.sent_bytes / 1e6:.0f} "
            f"| {split.seconds * 1e3:.2f} | {split.memory_bytes / 1e9:.2f} |"
        )
    return lines


def positive(text: str) -> float:
    """Returns a number of the command line that has to be above zero."""
    number = float(text)
    if not (number > 0 and math.isfinite(number)):
        raise argparse.ArgumentTypeError(f"takes a number above 0, got {text}")
    return number


def count(text: str) -> int:
    """Returns a whole number of the command line that has to be above zero."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"takes a whole number above 0, got {text}")
    return number


def make_parser() -> argparse.ArgumentParser:
    """Returns what reads the command line."""
    parser = argparse.ArgumentParser(description="Predicts step times; simulated, not measured.")
    given = parser.add_argument_group("a network of your own, as one GPU trains it")
    given.add_argument("--bytes", type=positive, help="bytes of all gradients as they are sent")
    given.add_argument("--forward", type=positive, help="seconds of the forward pass")
    given.add_argument("--backward", type=positive, help="seconds of the backward pass")
    given.add_argument("--update", type=positive, help="seconds of the update, 0 by default")
    given.add_argument(
        "--parameters", type=positive, help="their number, by default a quarter of --bytes"
    )
    machine = parser.add_argument_group("the machines")
    machine.add_argument("--per-node", type=count, default=H200.per_node, help="GPUs in each")
    machine.add_argument(
        "--intra", type=positive, default=H200.intra, help="bytes a second of a GPU within one"
    )
    machine.add_argument(
        "--inter", type=positive, default=H200.inter, help="bytes a second of one to the others"
    )
    machine.add_argument(
        "--links", type=Path, action="append", default=[], help="output of benchmarks/allreduce.py"
    )
    machine.add_argument("--gpus", type=count, nargs="+", default=COUNTS, help="their numbers")
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the tables.

    Args:
        arguments: The command line, by default that of the process.
    """
    parser = make_parser()
    options = parser.parse_args(arguments)
    links = replace(H200, per_node=options.per_node, intra=options.intra, inter=options.inter)
    networks = NETWORKS
    own = options.bytes, options.forward, options.backward
    if None not in own:
        times = options.forward, options.backward, options.update or 0.0
        parameters = options.parameters or options.bytes / 4
        networks = (Network("your network", *times, options.bytes, parameters),)
    elif any((*own, options.update, options.parameters)):
        parser.error("a network of your own takes --bytes, --forward and --backward")
    try:
        for path in options.links:
            links = read_links(path, links)
    except (OSError, ValueError, KeyError, TypeError) as error:
        parser.error(f"--links {path}: {error}")
    for network in networks:
        print("\n".join(describe(network, links, options.gpus)), end="\n\n")


if __name__ == "__main__":
    main()
