"""Blocks that are exported, each alone, by this package and by the original.

Every layer, loss and recurrent cell of the tables of `tests/gluon/nn/layers.py`,
`gluon_rnn_cases.py` and `gluon_loss_cases.py`, as far as it is a hybrid block, and a few networks
with several inputs, shared parameters or other element types.
"""

from __future__ import annotations

import json
import sys
import tarfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import mxnet as mx
from mxnet import gluon
from mxnet.gluon import nn

HERE = Path(__file__).resolve().parent
for folder in (HERE, HERE.parent):
    if str(folder) not in sys.path:
        sys.path.append(str(folder))

import gluon_loss_cases  # noqa: E402
import gluon_rnn_cases  # noqa: E402
from gluon.nn import layers as layer_rows  # noqa: E402

TIME, BATCH, INPUT = gluon_rnn_cases.TIME, gluon_rnn_cases.BATCH, gluon_rnn_cases.INPUT


@dataclass(frozen=True)
class Case:
    """A block and the arguments of its call: NumPy arrays, None, or lists of these."""

    make: Callable[[], Any]
    args: tuple[Any, ...]
    cast: str = ""


class Unrolled(gluon.HybridBlock):
    """Runs a cell over a sequence; the cell need not be a hybrid block."""

    def __init__(self, cell, options, **kwargs):
        super().__init__(**kwargs)
        self._hidden = [cell]
        self._options = options

    def collect_params(self, select=None):
        """Returns the parameters of the cell."""
        return self._hidden[0].collect_params(select)

    def hybrid_forward(self, F, *args):  # noqa: ARG002 - the cell finds its own
        options = dict(self._options)
        inputs = args[0]
        if options.pop("valid", False):
            options["valid_length"] = args[1]
            args = args[1:]
        states = list(args[1:]) or None
        self._hidden[0].reset()
        outputs, states = self._hidden[0].unroll(
            options.pop("length", TIME), inputs, states, **options
        )
        return outputs, states


class Shared(gluon.HybridBlock):
    """Two layers of the same weights, on two inputs, with several outputs."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.first = nn.Dense(3, in_units=3, prefix="both_")
            self.second = nn.Dense(3, in_units=3, prefix="both_", params=self.first.params)

    def hybrid_forward(self, F, x, y):
        return [self.first(x), [self.second(self.first(y)), F.concat(x, y, dim=0)]], x + y


class Optional(gluon.HybridBlock):
    """Takes None for some of its inputs."""

    def hybrid_forward(self, F, x, y=None, z=None):
        result = F.relu(x)
        for item in (y, z):
            if item is not None:
                result = result + F.tanh(item)
        return result


class Arithmetic(gluon.HybridBlock):
    """Operators and methods of symbols."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.offset = self.params.get_constant("offset", np.array([[1, 2, 3, 4.0]]))

    def hybrid_forward(self, F, x, offset):
        y = F.broadcast_add(x, offset)
        y = (2 - y) / 3 + 1 / (abs(y) + 1) - y * 0.5 + 3 ** (y * 0.1) + (y**2) % 5 + (-y)
        z = (
            y.slice_axis(axis=1, begin=1, end=3)
            .expand_dims(0)
            .transpose((1, 2, 0))
            .reshape((0, -1))
        )
        compared = (y > 1) + (y >= 1) * 2 + (y < 2) + (y <= 2) + (y == 3) + (y != 3)
        return y, z.sum(axis=1, keepdims=True), compared, F.where(y > 1, y, F.zeros_like(y))


class Parallel(gluon.HybridBlock):
    """Children side by side, and the same child twice."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.branches = gluon.contrib.nn.HybridConcurrent(axis=1)
            self.branches.add(nn.Conv2D(2, 1), nn.Conv2D(3, 3, padding=1), nn.BatchNorm())
            self.twice = nn.BatchNorm()

    def hybrid_forward(self, F, x):
        return F.Dropout(self.twice(self.twice(self.branches(x))), p=0.3)


def random_array(seed: str, shape: tuple[int, ...], dtype: str = "float32") -> np.ndarray:
    """Random numbers that depend on the arguments alone."""
    random = np.random.RandomState(zlib.crc32(repr((seed, shape)).encode()))
    return random.uniform(-1, 1, shape).astype(dtype)


def layer_cases() -> dict[str, Case]:
    """One case for each layer that is a hybrid block and takes data."""
    found = {}
    for row in layer_rows.ROWS:
        if row.oracle and row.shape and isinstance(row.make(), gluon.HybridBlock):
            cast = "" if row.dtype == "float32" else row.dtype
            found[str(row)] = Case(row.make, (row.make_data(),), cast)
    return found


def loss_cases() -> dict[str, Case]:
    """One case for each call of a loss."""
    return {
        str(case): Case(
            lambda case=case: getattr(gluon.loss, case.loss)(prefix="loss_", **case.options),
            tuple(None if item is None else item.astype(case.dtype) for item in case.args),
        )
        for case in gluon_loss_cases.cases()
    }


def recurrent_cases() -> dict[str, Case]:
    """Recurrent layers, single steps of cells, and unrolled cells."""
    found = {}
    for name, (make, how) in gluon_rnn_cases.layers().items():
        dtype = how.get("dtype", "float32")
        shape = (TIME, BATCH, INPUT) if how["layout"] == "TNC" else (BATCH, TIME, INPUT)
        args: tuple[Any, ...] = (random_array("x", shape, dtype),)
        if how.get("states"):
            args += (_make_states(make(gluon), BATCH, dtype),)
        found[name] = Case(lambda make=make: make(gluon), args)
    for name, make in gluon_rnn_cases.cells().items():
        found.update(_cell_cases(name, make))
    for name, (make, shape) in gluon_rnn_cases.convolutional_cells().items():
        states = _make_states(make(gluon), 2)
        data = random_array("x", (2, *shape))
        found[f"{name}-step"] = Case(lambda make=make: make(gluon), (data, states))
        both = random_array("x", (2, 2, *shape))
        found[f"{name}-unrolled"] = Case(
            lambda make=make: Unrolled(make(gluon), {"length": 2}, prefix="net_"), (both, *states)
        )
    return found


def _make_states(cell: Any, batch: int, dtype: str = "float32") -> list[np.ndarray]:
    return [
        random_array(f"state{i}", tuple(info["shape"]), dtype)
        for i, info in enumerate(cell.state_info(batch))
    ]


def _cell_cases(name: str, make: Callable[[Any], Any]) -> dict[str, Case]:
    data = random_array("x", (BATCH, TIME, INPUT))
    states = _make_states(make(gluon), BATCH)
    lengths = np.array(gluon_rnn_cases.LENGTHS, "float32")
    ways: dict[str, tuple[dict[str, Any], tuple[Any, ...]]] = {
        "plain": ({}, (data, *states)),
        "merged": ({"merge_outputs": True}, (data, *states)),
        "zeros": ({"merge_outputs": False}, (data,)),
        "valid": ({"valid": True}, (data, lengths, *states)),
        "time first": (
            {"layout": "TNC", "merge_outputs": True},
            (random_array("y", (TIME, BATCH, INPUT)),),
        ),
    }
    found = {
        f"{name}-{way}": Case(
            lambda options=options: Unrolled(make(gluon), options, prefix="net_"), args
        )
        for way, (options, args) in ways.items()
    }
    if isinstance(make(gluon), gluon.HybridBlock) and not isinstance(
        make(gluon), gluon.rnn.BidirectionalCell
    ):
        found[f"{name}-step"] = Case(lambda: make(gluon), (data[:, 0], states))
    return found


def _make_sequence(*children: Any) -> Any:
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(*(child() for child in children))
    return net


def network_cases() -> dict[str, Case]:
    """Networks of several blocks."""
    table = random_array("table", (2, 3))
    wide = random_array("wide", (2, 4))
    image = random_array("image", (2, 3, 6, 6))
    half = [lambda: nn.Conv2D(2, 3), lambda: nn.BatchNorm(), lambda: nn.Dense(3)]
    return {
        "shared": Case(lambda: Shared(prefix="net_"), (table, table * 2)),
        "one of three": Case(lambda: Optional(prefix="net_"), (table,)),
        "two of three": Case(lambda: Optional(prefix="net_"), (table, None, table * 2)),
        "three": Case(lambda: Optional(prefix="net_"), (table, table * 3, table * 2)),
        "arithmetic": Case(lambda: Arithmetic(prefix="net_"), (wide,)),
        "parallel": Case(lambda: Parallel(prefix="net_"), (image,)),
        "float64": Case(lambda: _make_sequence(*half), (image.astype("float64"),), "float64"),
        "float16": Case(lambda: _make_sequence(*half), (image.astype("float16"),), "float16"),
        "embedding": Case(
            lambda: _make_sequence(
                lambda: nn.Embedding(5, 3),
                lambda: gluon.rnn.LSTM(3, 2, dropout=0.2, bidirectional=True),
                lambda: nn.Dense(2, flatten=False),
            ),
            (np.array([[0, 1, 4], [2, 3, 3]], "float32"),),
        ),
    }


FAMILIES: dict[str, Callable[[], dict[str, Case]]] = {
    "layers": layer_cases,
    "losses": loss_cases,
    "recurrent": recurrent_cases,
    "networks": network_cases,
}


def to_arrays(args: Any) -> Any:
    """Makes arrays of NumPy ones, also in lists."""
    if isinstance(args, (list, tuple)):
        return [to_arrays(item) for item in args]
    return None if args is None else mx.nd.array(args, dtype=args.dtype)


def flat(values: Any) -> list[Any]:
    """Lists the arrays in nested lists without None."""
    if isinstance(values, (list, tuple)):
        return [item for value in values for item in flat(value)]
    return [] if values is None else [values]


def fill(parameter: Any) -> None:
    """Returns a parameter values that depend on its name and shape."""
    if isinstance(parameter, gluon.Constant):
        return
    random = np.random.RandomState(zlib.crc32(parameter.name.encode()))
    low, high = (16, 48) if parameter.name.endswith("var") else (-16, 16)
    values = random.randint(low, high, parameter.shape) / 32
    parameter.set_data(mx.nd.array(values, dtype=parameter.data().dtype))


def export(case: Case, path: str) -> list[np.ndarray]:
    """Writes the files of a case and gives what it computes."""
    net = case.make()
    net.initialize()
    if case.cast:
        net.cast(case.cast)
    args = to_arrays(case.args)
    parameters = net.collect_params().values()
    waiting = [item for item in parameters if item._deferred_init]
    for parameter in parameters:
        if parameter not in waiting:
            fill(parameter)  # before a call of the original, which may rearrange their memory
    net.hybridize()
    net(*args)
    for parameter in waiting:
        fill(parameter)
    outputs = [item.asnumpy() for item in flat(net(*args))]
    net.export(path)
    return outputs


def load(case: Case, path: str) -> list[np.ndarray]:
    """Reads the files of a case and gives what the graph computes."""
    graph = mx.sym.load(f"{path}-symbol.json")
    given = list_inputs(case, graph.list_inputs())
    variables = [mx.sym.var(name, dtype=item.dtype) for name, item in given.items()]
    net = gluon.SymbolBlock(graph, variables)
    net.collect_params().load(f"{path}-0000.params", cast_dtype=True, dtype_source="saved")
    return [item.asnumpy() for item in flat(net(*given.values()))]


def list_inputs(case: Case, known: list[str]) -> dict[str, Any]:
    """Returns the arrays of a call by the names that they have in the graph."""
    given = flat(to_arrays(case.args))
    if len(given) == 1 and "data0" in known:
        # The layer has made its first states itself, and they are inputs of the graph.
        count = sum(name in known for name in ("data1", "data2"))
        given += case.make().begin_state(BATCH, dtype=case.args[0].dtype)[:count]
    if len(given) == 1:
        return {"data": given[0]}
    return {f"data{i}": item for i, item in enumerate(given)}


def all_cases() -> dict[tuple[str, str], Case]:
    """Returns the cases of all families by family and name."""
    return {
        (family, name): case for family, make in FAMILIES.items() for name, case in make().items()
    }


def file_name(name: str) -> str:
    """Returns what the names of the files of a case begin with."""
    return f"{zlib.crc32(name.encode()):08x}"


def export_family(family: str, folder: Path) -> dict[str, str]:
    """Exports all cases of a family with what they compute; gives why some cannot be."""
    failures = {}
    for name, case in FAMILIES[family]().items():
        path = str(folder / file_name(name))
        try:
            outputs = export(case, path)
        except Exception as error:  # noqa: BLE001 - what the original cannot do is noted
            failures[name] = type(error).__name__
        else:
            np.savez(f"{path}.npz", *outputs)
    return failures


def compare(case: Case, path: str) -> float:
    """Loads an exported case and gives the largest relative difference of what it computes."""
    with np.load(f"{path}.npz") as stored:
        expected = [stored[key] for key in stored.files]
    found = load(case, path)
    shapes = [(item.shape, item.dtype) for item in found]
    if shapes != [(item.shape, item.dtype) for item in expected]:
        raise ValueError(f"expected {expected}, got {found}")
    return max(_difference(one, other) for one, other in zip(found, expected, strict=True))


def _difference(found: np.ndarray, expected: np.ndarray) -> float:
    """Returns the largest relative difference, in hundredths where numbers have half precision."""
    with np.errstate(invalid="ignore"):
        relative = np.abs(found - expected) / (1 + np.abs(expected))
    same = (found == expected) | (np.isnan(found) & np.isnan(expected))
    scale = 0.01 if found.dtype == np.float16 else 1.0
    return scale * float(np.max(np.where(same, 0, relative)))


def pack(folder: Path, archive: Path) -> None:
    """Puts all files of a folder into an archive that depends on nothing but them."""
    with tarfile.open(archive, "w:xz") as tar:
        for path in sorted(folder.iterdir()):
            info = tarfile.TarInfo(path.name)
            info.size = path.stat().st_size
            with path.open("rb") as file:
                tar.addfile(info, file)


def read_graph(path: str) -> Any:
    """Reads a symbol file without what differs by design.

    The shapes of parameters are from before the first call in the original, and a constant has the
    address of its initializer there.
    """
    graph = json.loads(Path(f"{path}-symbol.json").read_text())
    for node in graph["nodes"]:
        attrs = node.get("attrs", {})
        attrs.pop("__shape__", None)
        if "onstant" in attrs.get("__init__", ""):
            del attrs["__init__"]
        if not attrs:
            node.pop("attrs", None)
    return graph
