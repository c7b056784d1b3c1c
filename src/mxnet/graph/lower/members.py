"""Tensors that a module of torch holds, in the place of inputs of its graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from torch import Tensor, fx, nn

from mxnet.graph.lower.calls import CallGraph
from mxnet.graph.lower.identifiers import safe_word


class Member(NamedTuple):
    """A tensor that a module holds."""

    path: str
    """Where: names of modules and its own, with dots between them."""
    tensor: Tensor
    """A parameter, or what becomes a buffer."""


def hold_members(root: nn.Module, graph: CallGraph, members: Sequence[Member | None]) -> None:
    """Makes a graph read tensors from its module which were inputs.

    Args:
        root: The module, which gets the tensors.
        graph: The graph.
        members: For each input the tensor in its place, None if it stays an input.
    """
    inputs = [call for call in graph.nodes if call.op == "placeholder"]
    place = next(call for call in graph.nodes if call.op != "placeholder")
    taken: set[str] = set()
    for call, member in zip(inputs, members, strict=True):
        if member is None:
            continue
        path = _free_path(member.path, root, taken)
        _register(root, path, member.tensor)
        with graph.inserting_before(place):
            call.replace_all_uses_with(graph.get_attr(path))
        graph.erase_node(call)


def _free_path(path: str, root: nn.Module, taken: set[str]) -> str:
    """Returns a path that is not in use, of names that can be written into source."""
    parts = [safe_word(part) for part in path.split(".")]
    if (hasattr(root, parts[0]) and parts[0] not in root._modules) or hasattr(
        fx.GraphModule, parts[0]
    ):
        parts[0] += "_"  # such as `graph` and `forward`
    free = ".".join(parts)
    while free in taken:
        free += "_"
    taken.add(free)
    return free


def _register(root: nn.Module, path: str, tensor: Tensor) -> None:
    *owners, name = path.split(".")
    module = root
    for owner in owners:
        if owner not in module._modules:
            module.add_module(owner, nn.Module())
        module = module.get_submodule(owner)
    if isinstance(tensor, nn.Parameter):
        module.register_parameter(name, tensor)
    else:
        module.register_buffer(name, tensor)
