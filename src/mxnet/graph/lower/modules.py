"""Lowered graphs as modules of torch: the tensors that they hold, and names fit for source."""

from __future__ import annotations

import builtins
import hashlib
import keyword
import linecache
import re
import weakref
from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple

from torch import Tensor, fx, nn
from torch.fx import graph_module

from mxnet.graph.lower.calls import Call, CallGraph, map_calls

_MAX_LENGTH = 80
_WORDS = frozenset((*keyword.kwlist, "self"))
_RESERVED = {
    *_WORDS,
    *dir(builtins),
    *("forward", "torch", "device", "inf", "nan", "NoneType", "fx_pytree", "pytree"),
}
"""What a name in source that `torch.fx` writes would hide, or be hidden by."""


def safe_word(name: str, taken: Container[str] = ()) -> str:
    """Returns a word for a name, of which a module of torch may have a child or a parameter.

    torch writes such names into source, and those in the file of a stranger may be anything: all
    but words are replaced, by another word for each. Numbers are words, as children have them.

    Args:
        name: The name.
        taken: Words that are in use already.
    """
    if re.fullmatch(r"[A-Za-z0-9_]{1,80}", name) and name not in _WORDS and name not in taken:
        return name
    digest = hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()
    stem = re.sub(r"[^A-Za-z0-9_]", "_", name[:40])
    return f"{stem}_{digest[:12]}"


def identifiers(names: Iterable[str]) -> list[str]:
    """Returns an identifier for each name: alike where that is possible, and each only once."""
    used = set(_RESERVED)
    found = []
    for name in names:
        stem = re.sub(r"[^A-Za-z0-9_]", "_", name[:_MAX_LENGTH])
        # Those with underscores in front may be names of the language, such as __debug__.
        if not stem or stem[0].isdigit() or stem.startswith("__"):
            stem = f"input_{stem}"
        chosen, count = stem, 0
        while chosen in used:
            count += 1
            chosen = f"{stem}_{count}"
        used.add(chosen)
        found.append(chosen)
    return found


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


def as_fx(graph: CallGraph) -> fx.Graph:
    """Returns a graph as one of torch."""
    result = fx.Graph()
    nodes: dict[Call, fx.Node] = {}
    for call in graph.nodes:
        args = map_calls(call.args, nodes.__getitem__)
        kwargs = {key: map_calls(item, nodes.__getitem__) for key, item in call.kwargs.items()}
        if call.op == "output":
            node = result.output(*args)
        elif call.op == "placeholder":
            node = result.create_node("placeholder", call.target, name=call.target)
            node.target = node.name  # which torch may have changed to a free one
        else:
            node = result.create_node(call.op, call.target, args, kwargs)
        if call.operator is not None:
            node.meta.update(op=call.operator, source=call.source)
        nodes[call] = node
    return result


def as_module(root: nn.Module, graph: CallGraph) -> fx.GraphModule:
    """Returns a graph as a module of torch, for its compilers and for users.

    The module's source leaves the caches of torch when the module is released.
    """
    module = fx.GraphModule(root, as_fx(graph), class_name="LoweredGraph")
    path = type(module).forward.__code__.co_filename
    weakref.finalize(module, _forget, path).atexit = False
    return module


def _forget(path: str) -> None:
    """Removes a source from the caches where `torch.fx` keeps it, wherever a release does."""
    linecache.cache.pop(path, None)
    loader = getattr(graph_module, "_loader", None)
    sources = getattr(loader, "eval_cache", None)
    if isinstance(sources, dict):
        sources.pop(path, None)
