"""Formats of other programs, and how to run what is written in them."""

from __future__ import annotations

import argparse
import importlib
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import torch

import mxnet as mx
from glueball.console import CommandError
from glueball.convert.torch_module import TorchModule
from glueball.examples import make_block, make_data
from glueball.models import Model
from mxnet._formats.files import write_atomically, written_together
from mxnet.onnx._export.graph import read_variables


class Converted(NamedTuple):
    """A model in another format.

    Attributes:
        path: The file to open.
        files: All files.
        program: What can run it, or why nothing can.
        run: Computes outputs from data, None if the program is not installed.
        takes_no_data: Whether the file has parameters alone, which `run` returns.
        notes: What else is to be known.
    """

    path: Path
    files: Sequence[Path]
    program: str
    run: Callable[[Sequence[np.ndarray]], list[np.ndarray]] | None
    takes_no_data: bool = False
    notes: Sequence[str] = ()


Writer = Callable[[Model, Path, argparse.Namespace], Converted]


class Format(NamedTuple):
    """A format: the ending of its files, and the function that writes them."""

    ending: str
    write: Writer


def _optional(module: str, extra: str, purpose: str) -> Any:
    """Imports a package that need not be installed."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise CommandError(
            f"{purpose} needs {module}: run `pip install 'glueball[{extra}]'`"
        ) from error


def write_onnx(model: Model, target: Path, options: argparse.Namespace) -> Converted:
    """Writes an ONNX file, which ONNX Runtime and others run."""
    _optional("onnx", "onnx", "--to onnx")
    model.need_parameters()
    names = model.data_names
    read = {node.name for node in read_variables(model.graph._graph)}
    used = [place for place, name in enumerate(names) if name in read]  # labels are not
    shapes = [model.shapes[names[place]] for place in used]
    data = make_data(model)
    dtypes = [data[place].dtype for place in used]
    mx.onnx.export_model(
        model.graph,
        dict(model.parameters),
        shapes,
        dtypes,
        str(target),
        opset_version=options.opset,
        dynamic=options.dynamic_batch,
        dynamic_input_shapes=[("batch", *shape[1:]) for shape in shapes]
        if options.dynamic_batch
        else None,
    )
    beside = target.with_name(f"{target.name}.data")
    files = [target, *([beside] if beside.exists() else [])]
    return Converted(target, files, *_onnx_runtime(target, used))


def _onnx_runtime(
    path: Path, used: Sequence[int]
) -> tuple[str, Callable[[Sequence[np.ndarray]], list[np.ndarray]] | None]:
    try:
        runtime = importlib.import_module("onnxruntime")
    except ImportError:
        return "onnxruntime is not installed (pip install 'glueball[onnx]')", None

    def run(data: Sequence[np.ndarray]) -> list[np.ndarray]:
        session = runtime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        inputs = [given.name for given in session.get_inputs()]
        values = [data[place] for place in used]
        return list(session.run(None, dict(zip(inputs, values, strict=True))))

    return f"ONNX Runtime {runtime.__version__}", run


def write_torch(model: Model, target: Path, options: argparse.Namespace) -> Converted:
    """Writes a program of `torch.export`, which `torch.export.load(path).module()` runs."""
    del options
    block, data = make_block(model), make_data(model)
    module = TorchModule(block, data)
    example = tuple(array.to_torch() for array in data)
    with torch.no_grad():
        program = torch.export.export(module, example)
    with written_together() as saving, saving.reserve(target).open("wb") as file:
        torch.export.save(program, file)

    def run(data: Sequence[np.ndarray]) -> list[np.ndarray]:
        loaded = torch.export.load(str(target)).module()
        with torch.no_grad():
            outputs = loaded(*(torch.from_numpy(array.copy()) for array in data))
        return [output.numpy() for output in outputs]

    notes = [f'in torch: torch.export.load("{target.name}").module()']
    return Converted(target, [target], f"torch {torch.__version__}", run, notes=notes)


def write_safetensors(model: Model, target: Path, options: argparse.Namespace) -> Converted:
    """Writes the parameters, without the graph."""
    del options
    if not model.parameters:
        raise CommandError(f"{model.files[0]} has no parameters beside it")
    mx.nd.save(str(target), dict(model.parameters))

    def run(data: Sequence[np.ndarray]) -> list[np.ndarray]:
        del data
        loaded = mx.nd.load(str(target))
        if not isinstance(loaded, dict):
            raise CommandError(f"{target} has lost the names of the parameters")
        return [loaded[name].asnumpy() for name in model.parameters]

    return Converted(target, [target], "reading it again", run, takes_no_data=True)


def write_openvino(model: Model, target: Path, options: argparse.Namespace) -> Converted:
    """Writes OpenVINO's representation, by way of ONNX."""
    openvino = _optional("openvino", "openvino", "--to openvino")
    with tempfile.TemporaryDirectory() as folder:
        between = write_onnx(model, Path(folder) / "model.onnx", options)
        network = openvino.convert_model(str(between.path))
        made = Path(folder) / target.name
        openvino.save_model(network, str(made), compress_to_fp16=False)
        with written_together():
            for path in (made.with_suffix(".bin"), made):
                write_atomically(target.with_name(path.name), [path.read_bytes()])

    def run(data: Sequence[np.ndarray]) -> list[np.ndarray]:
        compiled = openvino.Core().compile_model(
            str(target), "CPU", {"INFERENCE_PRECISION_HINT": "f32"}
        )
        read = {node.name for node in read_variables(model.graph._graph)}
        values = [array for name, array in zip(model.data_names, data, strict=True) if name in read]
        results = compiled(values)
        return [results[output] for output in compiled.outputs]

    files = [target, target.with_suffix(".bin")]
    return Converted(target, files, f"OpenVINO {openvino.__version__.split('-')[0]}", run)


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "onnx": Format(".onnx", write_onnx),
        "torch": Format(".pt2", write_torch),
        "safetensors": Format(".safetensors", write_safetensors),
        "openvino": Format(".xml", write_openvino),
    }
)
