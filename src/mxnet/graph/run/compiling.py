"""Lowered graphs that a compiler of torch has taken over.

Compilers let a backward pass write to what the forward pass has kept for it ("donated buffers").
Such a pass refuses to run twice, as it does under `retain_graph=True` and when it is captured. So
graphs are compiled without that, and their backward passes are told so: torch asks for its setting
once more when they run, in threads of its engine, which do not see what was set elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, fx

from mxnet import _engine, _tape
from mxnet.graph.lower.errors import Report


class Compiled:
    """A graph that a compiler of torch runs.

    Args:
        module: The graph.
        backend: Name of the compiler, as `torch.compile` knows it.
        options: Other arguments of `torch.compile`.
        names: What the inputs of the graph are called in reports.
        report: Is told once if the graph is compiled again, with the reason.
    """

    def __init__(
        self,
        module: fx.GraphModule,
        backend: str,
        options: dict[str, Any],
        names: Sequence[str],
        report: Report,
    ) -> None:
        self._backend = _Backend(backend)
        compiler = self._backend if _engine.has("_dynamo.lookup_backend") else backend
        self._run = torch.compile(module, backend=compiler, **options)
        self._names, self._report = names, report
        self._signature: list[Any] | None = None
        """Of the inputs that the graph was last compiled for; None before the first call."""
        self._has_reported = False

    def __call__(self, *tensors: Tensor) -> list[Tensor]:
        """Computes the outputs; the first call compiles."""
        results: list[Tensor] = self._run(*tensors)
        if self._backend.has_compiled:
            self._backend.has_compiled = False
            _allow_second_pass(results)
            self._note_compilation(tensors)
        return results

    def _note_compilation(self, tensors: Sequence[Tensor]) -> None:
        before, self._signature = self._signature, [_describe(item) for item in tensors]
        if before is None or self._has_reported:
            return
        self._has_reported = True
        changes = [
            f"{name} is {new}, was {old}"
            for name, old, new in zip(self._names, before, self._signature, strict=True)
            if old != new
        ]
        self._report(
            f"was compiled again ({'; '.join(changes[:3]) or 'for inputs that look alike'}); "
            "hybridize with dynamic=True compiles once for all lengths"
        )


class _Backend:
    """Calls the compiler and notes that it has.

    Args:
        name: Name of the compiler.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self.has_compiled = False

    def __call__(
        self, module: fx.GraphModule, inputs: list[Tensor], **settings: Any
    ) -> Callable[..., Any]:
        """Compiles a graph of torch's; settings are the `mode` and the `options` of the user."""
        self.has_compiled = True
        compiler = torch._dynamo.lookup_backend(self._name)
        if self._name == "inductor":  # which knows no modes, only what they stand for
            mode, options = settings.get("mode"), settings.get("options") or {}
            patches = torch._inductor.list_mode_options(mode) if mode else {}
            settings = {"config_patches": {**patches, **options}}
        with _without_donation():
            compiled: Callable[..., Any] = compiler(module, inputs, **settings)
        return compiled


@contextmanager
def _without_donation() -> Iterator[None]:
    """Makes compilations of this thread leave buffers that are kept for a backward pass alone."""
    if not _engine.has("_functorch.config.donated_buffer"):
        yield
        return
    with torch._functorch.config.patch(donated_buffer=False):
        yield


def _allow_second_pass(results: Sequence[Tensor]) -> None:
    """Marks the backward passes of compiled graphs as such that write to nothing they read."""
    roots = {item.grad_fn for item in results if item.grad_fn is not None}
    for node in _tape.walk([*roots]):
        metadata: Any = getattr(getattr(node, "_forward_cls", None), "metadata", None)
        if hasattr(metadata, "bw_donated_idxs") and metadata.bw_donated_idxs is None:
            metadata.bw_donated_idxs = []


def _describe(tensor: Tensor) -> str:
    """Returns what a compiled graph depends on."""
    dtype = str(tensor.dtype).removeprefix("torch.")
    shape = "x".join(map(str, tensor.shape)) or "a number"
    layout = "" if tensor.is_contiguous() else f" with strides {tensor.stride()}"
    return f"{dtype} {shape}{layout}{' with gradient' if tensor.requires_grad else ''}"
