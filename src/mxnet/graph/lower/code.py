"""Lowered graphs as Python functions: straight code, which lives as long as the function does.

A `torch.fx.GraphModule` leaves every source in caches of the process for ever.
"""

from __future__ import annotations

import itertools
import linecache
import weakref
from collections.abc import Callable
from types import CodeType, FunctionType, MethodType
from typing import Any

from torch import fx, nn
from torch.fx import graph_module

from mxnet.graph.lower.calls import CallGraph, as_fx
from mxnet.graph.lower.source import Source

_numbers = itertools.count()


def compile_graph(graph: CallGraph, root: nn.Module) -> Callable[..., Any]:
    """Returns the function of the inputs that computes a graph.

    Args:
        graph: The graph.
        root: Module with the attributes that the graph reads.
    """
    source = Source(graph)
    # Tracebacks look the lines up under this name.
    path = f"<mxnet graph {next(_numbers)}>"
    compiled = compile(source.text, path, "exec", dont_inherit=True)
    for body in compiled.co_consts:
        if isinstance(body, CodeType):
            source.values[body.co_name] = FunctionType(body, source.values)
    function = source.values.pop("forward")
    linecache.cache[path] = (len(source.text), None, source.text.splitlines(keepends=True), path)
    weakref.finalize(function, linecache.cache.pop, path, None).atexit = False
    return MethodType(function, root)


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
