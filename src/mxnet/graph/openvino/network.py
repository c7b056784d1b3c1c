"""Compiled networks of OpenVINO that run on tensors."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import Any

import openvino
import torch
from torch import Tensor

from mxnet._arrays.array import OwnedResults
from mxnet.graph.openvino.config import Config
from mxnet.graph.openvino.conversion import ELEMENT_TYPES, Conversion, share


class Network:
    """A model for one set of shapes, compiled with the values that its parameters have now.

    Threads may call it at the same time.

    Args:
        conversion: The model, whose inputs are data and parameters.
        tensors: Values of the inputs; those of the data are not looked at.
        constants: Positions of the parameters.
        config: How to compile it.
    """

    def __init__(
        self,
        conversion: Conversion,
        tensors: Sequence[Tensor],
        constants: Collection[int],
        config: Config,
    ) -> None:
        self._sources = conversion.sources
        self._given = [i for i in range(len(tensors)) if i not in constants]
        self._outputs: list[tuple[tuple[int, ...], torch.dtype]] = []
        self._local = threading.local()
        if not conversion.model.outputs:  # all results are inputs
            return
        # OpenVINO may read constants where they are and does not keep their memory alive.
        self._constants = {i: tensors[i].contiguous() for i in constants}
        bound = _bind(conversion.model, self._constants)
        properties = _list_properties([tensors[i].dtype for i in self._given], config)
        self._compiled = _core().compile_model(bound, "CPU", properties)
        for output in self._compiled.outputs:
            self._outputs.append((tuple(output.shape), _dtype_of(output.element_type)))

    def __call__(self, tensors: Sequence[Tensor]) -> OwnedResults:
        """Computes the outputs, in memory of their own.

        Args:
            tensors: Values of the inputs, of which parameters are not looked at.
        """
        results, request = self._set_memory(tensors)
        if request is not None:
            request.infer()
        return self._list_outputs(tensors, results)

    def start(self, tensors: Sequence[Tensor]) -> Callable[[], OwnedResults]:
        """Begins to compute, and returns the function that waits for the outputs.

        It must be called, and before this thread computes with the network again.
        """
        results, request = self._set_memory(tensors)
        if request is not None:
            request.start_async()

        def wait() -> OwnedResults:
            if request is not None:
                request.wait()
            return self._list_outputs(tensors, results)

        return wait

    def _set_memory(
        self, tensors: Sequence[Tensor]
    ) -> tuple[list[Tensor], openvino.InferRequest | None]:
        """Returns new results and the request that fills them; None if there are none."""
        results = [torch.empty(shape, dtype=dtype) for shape, dtype in self._outputs]
        if not results:
            return results, None
        memory = getattr(self._local, "memory", None)
        if memory is None:
            memory = self._local.memory = _Memory(self._compiled, len(self._given))
        memory.set([tensors[position] for position in self._given], results)
        return results, memory.request

    def _list_outputs(self, tensors: Sequence[Tensor], results: Sequence[Tensor]) -> OwnedResults:
        return OwnedResults(
            tensors[position].clone() if is_input else results[position]
            for is_input, position in self._sources
        )


class _Memory:
    """The memory that a compiled network reads from and writes to, for one thread.

    Args:
        compiled: The network.
        num_inputs: Number of its inputs.

    Attributes:
        request: Computes the outputs.
    """

    def __init__(self, compiled: openvino.CompiledModel, num_inputs: int) -> None:
        self.request = compiled.create_infer_request()
        self._read: list[Tensor | None] = [None] * num_inputs
        """Inputs of the last call or copies of them: OpenVINO does not keep their memory alive."""
        self._addresses = [0] * num_inputs

    def set(self, given: Sequence[Tensor], results: Sequence[Tensor]) -> None:
        """Lets the request read some tensors and write to others."""
        for position, tensor in enumerate(given):
            # A program may fill the same array again and again; its memory is read as it is.
            if tensor is not self._read[position] or tensor.data_ptr() != self._addresses[position]:
                data = self._read[position] = tensor.contiguous()
                self._addresses[position] = data.data_ptr()
                self.request.set_input_tensor(position, share(data))
        for position, result in enumerate(results):
            self.request.set_output_tensor(position, share(result))


@cache
def _core() -> openvino.Core:
    return openvino.Core()


def _bind(model: openvino.Model, constants: Mapping[int, Tensor]) -> openvino.Model:
    """Returns a copy of a model in which some inputs are constants, on the memory of tensors."""
    bound = model.clone()
    for position, parameter in enumerate(bound.get_parameters()):
        if position in constants:
            constant = openvino.op.Constant(share(constants[position]), True)
            parameter.output(0).replace(constant.output(0))
            bound.remove_parameter(parameter)
    bound.validate_nodes_and_infer_types()
    return bound


def _list_properties(given: Sequence[torch.dtype], config: Config) -> dict[str, Any]:
    precision = config.precision
    if precision is None:  # OpenVINO's own choice is a lower one where the processor has it
        half = [dtype for dtype in given if dtype in (torch.float16, torch.bfloat16)]
        precision = ELEMENT_TYPES[half[0]][1].get_type_name() if half else "f32"
    return {
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": precision,
        "INFERENCE_NUM_THREADS": config.num_threads or torch.get_num_threads(),
        **dict(config.properties),
    }


def _dtype_of(element_type: openvino.Type) -> torch.dtype:
    return next(dtype for dtype, (_, known) in ELEMENT_TYPES.items() if known == element_type)
