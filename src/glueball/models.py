"""Opens models: `PREFIX-symbol.json` with `PREFIX-0000.params`, by any of these names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import mxnet as mx
from glueball.console import CommandError, plural, printable
from glueball.shapes import complete_shapes, parse_shapes
from mxnet._formats import element_types
from mxnet.graph.infer import costs
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol

_EPOCH = re.compile(r"(?P<prefix>.*)-(?P<epoch>\d{4,})\.params")
_SYMBOL = "-symbol.json"
_WEIGHTS = (".params", ".safetensors", ".npz")
_KINDS = ("arg:", "aux:")
_SHOWN = 5


@dataclass(frozen=True)
class Model:
    """A network from files.

    Attributes:
        name: What to call it and files that are made of it.
        symbol: The graph, None if there are parameters alone.
        parameters: The parameters by name; empty if there is no file of them.
        files: Files that were read.
        shapes: Shapes of the data by name, as far as they are known.
        guessed: Names of data whose shape was guessed from the network.
    """

    name: str
    symbol: Symbol | None
    parameters: Mapping[str, NDArray]
    files: Sequence[Path]
    shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    guessed: Sequence[str] = ()

    @property
    def graph(self) -> Symbol:
        """The graph.

        Raises:
            CommandError: if there is none.
        """
        if self.symbol is None:
            raise CommandError(
                f"{self.files[0]} holds parameters alone; the graph is in a file "
                f"{self.name}{_SYMBOL} beside it, which `net.export` or `save_checkpoint` writes"
            )
        return self.symbol

    @property
    def data_names(self) -> list[str]:
        """Names of the inputs that are not parameters: data and labels.

        Without a file of parameters, those that layers read as weights are parameters.
        """
        known = self.parameters or _find_weights(self.graph)
        return [name for name in self.graph.list_inputs() if name not in known]

    def need_parameters(self) -> None:
        """Checks that the network can be run.

        Raises:
            CommandError: if there is no file of parameters or some are missing.
        """
        if not self.parameters:
            raise CommandError(
                f"{self.files[0]} has no parameters beside it; there should be a file "
                f"{self.name}-0000.params"
            )
        needed = {*self.graph.list_arguments(), *self.graph.list_auxiliary_states()}
        unknown = sorted(needed - {*self.parameters} - {*self.shapes})
        if unknown:
            raise CommandError(
                f"there is no value for {_listed(unknown)}: if they are data, give their shapes "
                f"by --shape {unknown[0]}=1,3,224,224; if not, the parameters are of another model"
            )

    def measure(self) -> costs.Costs:
        """Returns what the nodes of the graph cost."""
        dtypes = {
            name: element_types.to_torch(value.dtype) for name, value in self.parameters.items()
        }
        known = {name: value.shape for name, value in self.parameters.items()}
        inputs = {*self.graph.list_inputs()}
        return costs.measure(
            self.graph._graph,
            {name: shape for name, shape in (known | dict(self.shapes)).items() if name in inputs},
            {name: dtype for name, dtype in dtypes.items() if name in inputs},
            self.data_names,
        )


def open_model(text: str, given_shapes: Sequence[str] = ()) -> Model:
    """Reads a model.

    Args:
        text: A prefix, the file of a graph, or a file of parameters.
        given_shapes: Shapes of data, such as `data=1,3,224,224`.

    Raises:
        CommandError: if there is no such model.
        MXNetError: if a file is damaged.
    """
    prefix, symbol_path, weights_path = _find(text)
    files = [path for path in (symbol_path, weights_path) if path is not None]
    symbol = None if symbol_path is None else mx.sym.load(symbol_path)
    parameters = {} if weights_path is None else _load_parameters(weights_path)
    model = Model(prefix.name, symbol, parameters, files)
    shapes = parse_shapes(given_shapes)
    if symbol is None:
        return model
    known = {name: value.shape for name, value in parameters.items()}
    wrong = sorted({*shapes} - {*symbol.list_inputs()})
    if wrong:
        raise CommandError(
            f"--shape: the network has no input {_listed(wrong)}; it has "
            f"{_listed(model.data_names)}"
        )
    complete = complete_shapes(symbol, known, shapes, model.data_names)
    guessed = [name for name in complete if name not in shapes]
    return Model(prefix.name, symbol, parameters, files, complete, guessed)


def _find_weights(symbol: Symbol) -> set[str]:
    """Returns the names of the variables that layers read as parameters."""
    return {
        entry.node.name
        for node in symbol._graph.nodes
        if node.op is not None
        for position, (name, entry) in enumerate(zip(node.input_names, node.inputs, strict=False))
        if entry.node.op is None
        and (name in node.op.traits.variables.parameters or node.updates(position))
    }


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(printable(name) for name in names[:_SHOWN])
    more = len(names) - _SHOWN
    return f"{shown} and {plural(more, 'other')}" if more > 0 else shown


def _find(text: str) -> tuple[Path, Path | None, Path | None]:
    """Returns the prefix of a model and the files of its graph and of its parameters."""
    path = Path(text)
    if path.is_dir():
        inside = sorted(file.name.removesuffix(_SYMBOL) for file in path.glob(f"*{_SYMBOL}"))
        advice = f"; it has {_listed(inside)}" if inside else ""
        raise CommandError(f"{text} is a folder; give the prefix of a model{advice}")
    if text.endswith(_WEIGHTS):
        return _from_weights(path)
    if text.endswith(".json"):
        _need(path)
        prefix = Path(text.removesuffix(_SYMBOL).removesuffix(".json"))
        return prefix, path, _newest_weights(prefix)
    symbol_path = Path(f"{text}{_SYMBOL}")
    if not symbol_path.exists():
        raise CommandError(
            f"there is no model {text}: no file {symbol_path}; MODEL is the path of a graph "
            "(NAME-symbol.json), of parameters (NAME-0000.params) or what comes before that (NAME)"
        )
    return path, symbol_path, _newest_weights(path)


def _from_weights(path: Path) -> tuple[Path, Path | None, Path | None]:
    _need(path)
    found = _EPOCH.fullmatch(str(path))
    prefix = Path(found["prefix"]) if found else path.with_suffix("")
    symbol_path = Path(f"{prefix}{_SYMBOL}")
    return prefix, symbol_path if symbol_path.exists() else None, path


def _need(path: Path) -> None:
    if not path.is_file():
        raise CommandError(f"there is no file {path}")


def _newest_weights(prefix: Path) -> Path | None:
    """Returns the file of the last epoch, None if there is none."""
    by_epoch = {
        int(found["epoch"]): path
        for path in prefix.parent.glob("*.params")
        if (found := _EPOCH.fullmatch(path.name)) and found["prefix"] == prefix.name
    }
    if by_epoch:
        return by_epoch[max(by_epoch)]
    others = (prefix.with_name(f"{prefix.name}{ending}") for ending in _WEIGHTS)
    return next((path for path in others if path.is_file()), None)


def _load_parameters(path: Path) -> dict[str, NDArray]:
    loaded = mx.nd.load(str(path))
    if not isinstance(loaded, dict):
        raise CommandError(f"{path} has arrays without names, so that they are not parameters")
    return {
        name[len(_KINDS[0]) :] if name.startswith(_KINDS) else name: value
        for name, value in loaded.items()
    }
