"""Lowered graphs as Python functions: straight code, which lives as long as the function does.

`torch.fx` writes the source of a graph. A `torch.fx.GraphModule` would compile it too, but leaves
every source in caches of the process for ever. No name of a file is in the source: inputs have
numbers (`mxnet.graph.lower`).
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

_numbers = itertools.count()


def compile_graph(graph: fx.Graph, root: nn.Module) -> Callable[..., Any]:
    """Returns the function of the inputs that computes a graph.

    Args:
        graph: The graph.
        root: Module with the attributes that the graph reads.
    """
    code = graph.python_code("self")
    # Tracebacks look the lines up under this name.
    path = f"<mxnet graph {next(_numbers)}>"
    compiled = compile(code.src, path, "exec", dont_inherit=True)
    (body,) = (item for item in compiled.co_consts if isinstance(item, CodeType))
    function = FunctionType(body, dict(code.globals))
    linecache.cache[path] = (len(code.src), None, code.src.splitlines(keepends=True), path)
    weakref.finalize(function, linecache.cache.pop, path, None).atexit = False
    return MethodType(function, root)


def as_module(root: nn.Module, graph: fx.Graph) -> fx.GraphModule:
    """Returns a graph as a module of torch, for its compilers and for users.

    The module's source leaves the caches of torch when the module is released.
    """
    module = fx.GraphModule(root, graph, class_name="LoweredGraph")
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
