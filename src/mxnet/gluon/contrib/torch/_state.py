"""Parameters and buffers of a module that is called with the values of others."""

from __future__ import annotations

import copy
import json
import threading
from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.parameter import is_lazy as is_lazy

from mxnet import initializer
from mxnet._formats import element_types
from mxnet.ndarray import NDArray


class ModuleValue(initializer.Initializer):
    """Fills an array with the values that a module has for a parameter.

    Args:
        module: The module.
        path: Path of the parameter in it.
    """

    def __init__(self, module: nn.Module, path: str) -> None:
        super().__init__()
        self._module, self._path = module, path

    def dumps(self) -> str:
        """Returns the default initializer: files have no modules."""
        return json.dumps(["uniform", {"scale": 0.07}])

    def _init_weight(self, name: str, arr: NDArray) -> None:  # noqa: ARG002 - whatever its name
        tensor = _find(self._module, self._path)
        arr._writable().copy_(tensor.detach().reshape(arr.shape))


def _find(module: nn.Module, path: str) -> Tensor:
    owner, _, name = path.rpartition(".")
    tensor: Tensor = getattr(module.get_submodule(owner), name)
    return tensor


class ModuleState:
    """A module, and which of its tensors are parameters of a block.

    Buffers that are neither trained nor saved, and tensors without elements, stay with the module.
    They are moved to the devices that it is called on.

    Args:
        module: The module.

    Attributes:
        module: The module.
        flat_names: Names of all parameters and buffers as Gluon writes them, by their paths.
    """

    def __init__(self, module: nn.Module) -> None:
        self.module = module
        self._kept = {name for name, tensor in module.named_parameters() if _is_empty(tensor)}
        persistent = module.state_dict(keep_vars=True).keys()
        counters = set(_counters_without_effect(module))
        for name, buffer in module.named_buffers():
            is_array = buffer.dtype in element_types.BY_TORCH and not _is_empty(buffer)
            if name in counters or name not in persistent or not is_array:
                self._kept.add(name)
        tensors = dict((*self.parameters(), *self.states()))
        self.flat_names = _flatten_names([*tensors])
        self._scalars = {n for n, item in tensors.items() if not is_lazy(item) and not item.dim()}
        self._moved: dict[torch.device, dict[str, Tensor]] = {}
        self._lock = threading.RLock()

    def __getstate__(self) -> dict[str, Any]:
        return {key: item for key, item in vars(self).items() if key not in ("_moved", "_lock")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _moved={}, _lock=threading.RLock())

    def parameters(self) -> Iterator[tuple[str, Tensor]]:
        """Yields what can be trained, each tensor once."""
        for name, tensor in self.module.named_parameters():
            if name not in self._kept:
                yield name, tensor

    def states(self) -> Iterator[tuple[str, Tensor]]:
        """Yields buffers that are saved with the module."""
        for name, tensor in self.module.named_buffers():
            if name not in self._kept:
                yield name, tensor

    def find(self, path: str) -> Tensor:
        """Returns a parameter or a buffer of the module."""
        return _find(self.module, path)

    def set_values(self, arrays: Mapping[str, NDArray]) -> None:
        """Copies values into the parameters and buffers of the module."""
        with torch.no_grad():
            for name, array in arrays.items():
                tensor, value = self.find(name), array._plain
                if is_lazy(tensor):
                    tensor.materialize(array.shape)
                tensor.data = value.reshape(tensor.shape).to(tensor.device, copy=True)

    def copy_with(self, tensors: Mapping[str, Tensor]) -> nn.Module:
        """Returns a copy of the module with other parameters and buffers."""
        copied = copy.deepcopy(self.module)
        for path, _ in list(copied.named_parameters(remove_duplicate=False)):
            first = next(
                name for name, each in self.module.named_parameters() if each is self.find(path)
            )
            if first in tensors:
                _replace(copied, path, tensors[first], self._scalars)
        for path, _ in list(copied.named_buffers()):
            if path in tensors:
                _replace(copied, path, tensors[path], self._scalars)
        return copied

    def materialize(self, args: tuple[Any, ...]) -> None:
        """Calls the module once, so that its lazy parts make their parameters."""
        device = next((item.device for item in self._tensors() if not is_lazy(item)), None)

        def move(item: Any) -> Any:
            return item.to(device or "cpu") if isinstance(item, Tensor) else item

        with self._lock, torch.no_grad():
            self._set_mode(False)
            self.module(*torch.utils._pytree.tree_map(move, args))

    def call(self, values: dict[str, Tensor], args: tuple[Any, ...], training: bool) -> Any:
        """Calls the module with values in the place of its parameters and buffers.

        Args:
            values: Tensors by path; what the module writes to buffers is written to them.
            args: Arguments of the call.
            training: Whether it runs for training.
        """
        device = args[0].device
        # Arrays without axes have one here, as the classic dialect knows no others.
        scalars = {name: values[name].reshape(()) for name in self._scalars}
        given = {**values, **scalars}
        with self._lock:
            given.update(self._kept_on(device))
            before = dict(given)
            self._set_mode(training)
            result = torch.func.functional_call(self.module, given, args)
        for name, tensor in given.items():
            if tensor is not before[name]:  # a buffer that was replaced, not written to
                before[name].detach().copy_(tensor.detach())
        return result

    def _kept_on(self, device: torch.device) -> dict[str, Tensor]:
        if device not in self._moved:
            self._moved[device] = {name: self.find(name).detach().to(device) for name in self._kept}
        return self._moved[device]

    def _set_mode(self, training: bool) -> None:
        if self.module.training is not training:
            self.module.train(training)

    def _tensors(self) -> Iterator[Tensor]:
        yield from self.module.parameters()
        yield from self.module.buffers()


def _replace(module: nn.Module, path: str, tensor: Tensor, scalars: set[str]) -> None:
    """Puts another tensor in the place of a parameter or a buffer."""
    owner, _, name = path.rpartition(".")
    parent = module.get_submodule(owner)
    if path in scalars:
        tensor = _like(tensor, tensor.detach().reshape(()))
    if name not in parent._parameters:
        parent._buffers[name] = tensor
    elif isinstance(tensor, nn.Parameter):
        parent._parameters[name] = tensor
    else:
        parent._parameters[name] = nn.Parameter(tensor, False)


def _like(tensor: Tensor, value: Tensor) -> Tensor:
    return nn.Parameter(value, tensor.requires_grad) if isinstance(tensor, nn.Parameter) else value


def _is_empty(tensor: Tensor) -> bool:
    return not is_lazy(tensor) and tensor.numel() == 0


def _counters_without_effect(module: nn.Module) -> Iterator[str]:
    """Yields counts of batches, which normalizations with a momentum do not look at."""
    for path, part in module.named_modules():
        if "num_batches_tracked" in part._buffers and getattr(part, "momentum", None) is not None:
            yield f"{path}.num_batches_tracked".lstrip(".")


def _flatten_names(paths: list[str]) -> dict[str, str]:
    """Returns names without dots, which in files of parameters separate blocks."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for path in paths:
        name = path.replace(".", "_")
        while name in taken:
            name += "_"
        taken.add(name)
        names[path] = name
    return names
