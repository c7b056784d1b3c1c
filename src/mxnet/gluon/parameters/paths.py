"""Parameters by the paths of attributes that lead to them, as MXNet 2 names them.

`"features.0.weight"` is the weight of the first child of `net.features`. Files of parameters have
these names in both versions.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping
from math import prod
from typing import Any

import torch

from mxnet._start import level_of_program, public_methods
from mxnet._state import rules
from mxnet.context import Context
from mxnet.errors import UnknownNameError
from mxnet.gluon.parameters.dictionary import ParameterDict, ParameterTree
from mxnet.gluon.parameters.parameter import Parameter, ParameterError
from mxnet.ndarray import NDArray


class ParametersByPath(dict[str, Parameter]):
    """The parameters of a block by path, which `collect_params` gives under the rules of MXNet 2.

    It is a `dict`, with what dictionaries of parameters can do besides.
    """

    def _distinct(self) -> ParameterDict:
        """Returns the parameters, each once however many paths lead to it."""
        found = ParameterDict()
        found._params.update((str(id(item)), item) for item in self.values())
        return found

    def initialize(self, *args: Any, **kwargs: Any) -> None:
        """Initializes all parameters, as `ParameterDict.initialize` does."""
        self._distinct().initialize(*args, **kwargs)

    def zero_grad(self) -> None:
        """Sets all gradients to zero."""
        self._distinct().zero_grad()

    def reset_ctx(self, ctx: Any) -> None:
        """Moves all parameters to other contexts."""
        self._distinct().reset_ctx(ctx)

    def list_ctx(self) -> list[Context]:
        """Returns all contexts in use."""
        return self._distinct().list_ctx()

    def setattr(self, name: str, value: Any) -> None:
        """Sets an attribute of every parameter, such as `grad_req` or `lr_mult`."""
        self._distinct().setattr(name, value)


def select_by_path(tree: ParameterTree, select: str | None) -> ParametersByPath:
    """Returns the parameters of a block and its children by path.

    Args:
        tree: The block.
        select: Regular expression that the beginning of a path must match.
    """
    paths = tree._collect_params_with_prefix().items()
    return ParametersByPath(
        (path, item) for path, item in paths if not select or re.match(select, path)
    )


@public_methods("setattr", "zero_grad", "reset_ctx", "reset_device", "share_parameters")
class PathTree(ParameterTree):
    """What blocks of MXNet 2 do with the parameters of their tree; a base of `Block`."""

    def setattr(self, name: str, value: Any) -> None:
        """Sets an attribute of every parameter, such as `grad_req` or `lr_mult`.

        Example:
            >>> import mxnet as mx
            >>> net = mx.gluon.nn.Dense(2)
            >>> net.setattr("grad_req", "null")
            >>> net.weight.grad_req
            'null'
        """
        self.collect_params().setattr(name, value)

    def zero_grad(self) -> None:
        """Sets the gradients of all parameters to zero.

        Example:
            >>> import mxnet as mx
            >>> net = mx.gluon.nn.Dense(1, in_units=2)
            >>> net.initialize()
            >>> with mx.autograd.record():
            ...     loss = net(mx.nd.ones((1, 2)))
            >>> loss.backward()
            >>> net.zero_grad()
            >>> print(net.weight.grad().asnumpy())
            [[0. 0.]]
        """
        self.collect_params().zero_grad()

    def reset_ctx(self, ctx: Any) -> None:
        """Moves all parameters to other contexts.

        Args:
            ctx: Context, or a list of them.

        Example:
            >>> import mxnet as mx
            >>> net = mx.gluon.nn.Dense(2, in_units=3)
            >>> net.initialize()
            >>> net.reset_ctx(mx.cpu(1))
            >>> net.weight.list_ctx()
            [cpu(1)]
        """
        self.collect_params().reset_ctx(ctx)

    def reset_device(self, device: Any) -> None:
        """Moves all parameters to other devices, as `reset_ctx` does.

        Args:
            device: Device, or a list of them.

        Example:
            >>> import mxnet as mx
            >>> net = mx.gluon.nn.Dense(2, in_units=3)
            >>> net.initialize()
            >>> net.reset_device(mx.cpu(1))
            >>> net.weight.list_device()
            [cpu(1)]
        """
        self.reset_ctx(device)

    def share_parameters(self, shared: Mapping[str, Parameter] | None) -> PathTree:
        """Makes parameters of this block those of another one, by path.

        Args:
            shared: What `collect_params` gives for the other block, or parameters by path; None
                shares nothing.

        Returns:
            The block.

        Example:
            >>> from mxnet.gluon import nn
            >>> first, second = nn.Dense(2, in_units=3), nn.Dense(2, in_units=3)
            >>> second.share_parameters(first.collect_params()).weight is first.weight
            True
        """
        if shared is None:
            return self
        tree = getattr(shared, "_tree", None)
        by_path = dict(shared.items()) if tree is None else tree._collect_params_with_prefix()
        unused = dict(by_path)
        for path, (owner, attribute) in _places_in(self):
            if path in by_path:
                del unused[path]
                owner._mx_replace_parameter(attribute, by_path[path])
        if unused:
            warnings.warn(
                f"share_parameters: {type(self).__name__} has no {', '.join(sorted(unused))}",
                stacklevel=level_of_program(),
            )
        return self

    def _mx_flat_names(self) -> list[str]:
        """Returns the attributes of parameters that files of MXNet 2 have as one, `rnn_param`."""
        return []

    def _mx_part_paths(self) -> list[tuple[str, str]]:
        """Returns name and path of each parameter of which `rnn_param` consists in MXNet 1.9.1."""
        return []

    def _mx_computes_in_forward(self) -> bool:
        """Returns whether the block is written as MXNet 2 wants it, with a `forward` on arrays."""
        return True

    def _mx_adopt_parameter(self, attribute: str, parameter: Parameter) -> None:
        """Makes a parameter that the program has made and set as an attribute one of the block's.

        In MXNet 1.9.1 only those from `self.params` are. The name that it was made with goes on to
        say how it is initialized.
        """
        params, name = self._params._params, parameter.name
        if params.get(name) is parameter:
            return
        replaced = self._reg_params.get(attribute)
        follows_new_rules = rules.version > 1 or self._mx_computes_in_forward()
        if replaced is not None and replaced is not parameter and not follows_new_rules:
            raise ParameterError(
                f"{type(self).__name__}: parameter attribute {attribute} cannot be replaced; to "
                "share parameters use share_parameters or the argument params, or get the other "
                "through self.params"
            )
        if follows_new_rules:
            self._mx_replace_parameter(attribute, parameter)

    def _mx_replace_parameter(self, attribute: str, parameter: Parameter) -> None:
        """Sets a parameter of the block, in the place of the one that it had."""
        params, replaced = self._params._params, self._reg_params.get(attribute)
        if not parameter._owner_named:
            parameter._purpose, parameter._owner_named = parameter.name, True
            parameter.name, parameter._var = f"{self._prefix}{attribute}", None
        if replaced is not None and params.get(replaced.name) is replaced:
            del params[replaced.name]
        if params.setdefault(parameter.name, parameter) is not parameter:
            raise UnknownNameError(
                f"{type(self).__name__}: {attribute} would be a second Parameter {parameter.name!r}"
            )
        self._reg_params[attribute] = parameter
        self.__dict__[attribute] = parameter


def split_flat(tree: Any, values: dict[str, NDArray], prefix: str = "") -> None:
    """Replaces the one array that MXNet 2 saves for a recurrent layer by those of its parameters.

    Args:
        tree: The block that the values are for.
        values: Arrays by path.
        prefix: Path of the block, with a dot at its end.
    """
    names = tree._mx_flat_names()
    flat = values.pop(f"{prefix}rnn_param", None) if names else None
    if flat is not None:
        paths = {id(item): path for path, item in tree._collect_params_with_prefix().items()}
        shapes = [list(tree._reg_params[name]._shape) for name in names]
        known = sum(prod(shape) for shape in shapes if min(shape) > 0)
        open_rows = sum(prod(shape[:-1]) for shape in shapes if min(shape) <= 0)
        start = 0
        for name, shape in zip(names, shapes, strict=True):
            if min(shape) <= 0:  # the size of the input, which the length of the whole tells
                shape[-1] = (flat.size - known) // open_rows
            end = start + prod(shape)
            if end > flat.size:
                break
            values[prefix + paths[id(tree._reg_params[name])]] = flat[start:end].reshape(shape)
            start = end
        if start != flat.size:
            raise ParameterError(
                f"{prefix}rnn_param has {flat.size} elements, which does not fit the parameters "
                f"of {type(tree).__name__}"
            )
    for name, child in tree._children.items():
        split_flat(child, values, f"{prefix}{name}.")


def join_parts(tree: Any, values: dict[str, NDArray], prefix: str = "") -> None:
    """Replaces the arrays that MXNet 1.9.1 saves for a recurrent layer by one, `rnn_param`.

    Args:
        tree: The block that the values are for.
        values: Arrays by path, or by name.
        prefix: Path of the block, with a dot at its end.
    """
    parts = tree._mx_part_paths()
    spellings = (
        (f"{prefix}rnn_param", [prefix + path for _, path in parts]),
        (f"{prefix}rnn_param", [prefix + name for name, _ in parts]),
        (f"{tree.prefix}rnn_param", [tree.prefix + name for name, _ in parts]),
    )
    for joined, names in spellings:
        if names and all(name in values for name in names):
            arrays = [values.pop(name).reshape((-1,)) for name in names]
            values[joined] = type(arrays[0])._wrap(
                torch.cat([array._plain for array in arrays]), arrays[0]._ctx
            )
    for name, child in tree._children.items():
        join_parts(child, values, f"{prefix}{name}.")


def _places_in(tree: ParameterTree, prefix: str = "") -> Iterator[tuple[str, tuple[Any, str]]]:
    """Yields the path of each parameter, with the block that has it and its attribute there."""
    for name in list(tree._reg_params):
        yield prefix + name, (tree, name)
    for name, child in tree._children.items():
        yield from _places_in(child, f"{prefix}{name}.")
