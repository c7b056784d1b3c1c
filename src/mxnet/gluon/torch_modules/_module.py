"""A block as a module of torch."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn

from mxnet._arrays.bridges import share_tensor
from mxnet._frontend.dialect import Dialect, current_dialect
from mxnet._state import Scope, changed_modes
from mxnet.errors import MXNetError, UnsupportedTypeError
from mxnet.gluon.blocks.location import describe
from mxnet.gluon.hybrid.compiled import share
from mxnet.gluon.hybrid.tracing import Leaf, leaves_of, replace_leaves, structure_of
from mxnet.gluon.parameters import Parameter, Replicas, replacements
from mxnet.gluon.torch_modules import _program
from mxnet.ndarray import NDArray
from mxnet.ndarray._creation import on_tensor


class BlockModule(nn.Module):
    """A block as a module of torch, made by `Block.to_torch`.

    Args:
        block: The block.
        share: Returns the tensor of a parameter.
    """

    def __init__(self, block: Any, share: Callable[[Parameter], Tensor]) -> None:
        nn.Module.__init__(self)
        self._block = block
        self._dialect: Dialect = current_dialect()
        self._programs: dict[Any, _program.Program | None] = {}
        self._structures: dict[Any, Any] = {}
        self._reason = ""
        self._open: set[Any] = set()
        """Keys of programs that wait for the shapes of a call."""
        self._device = torch.device("cpu")
        for name, parameter in block._reg_params.items():
            tensor = share(parameter)
            if isinstance(tensor, nn.Parameter):
                self.register_parameter(_program.member_name(name), tensor)
            else:
                self.register_buffer(_program.member_name(name), tensor)

    def forward(self, x: Any, *rest: Any) -> Any:
        """Computes the output on tensors, as a call of the block does on arrays."""
        args = (x, *rest)
        key = (self.training, *(_sign(item) for item in args))
        tensors = _tensors_in(args)
        if key not in self._programs or key in self._open:
            self._prepare(_structure(args), shapes=[tuple(item.shape) for item in tensors])
        program = self._programs[key]
        if program is None:
            return self._run_block(args)
        if program.depends_on_device and tensors and tensors[0].device != self._device:
            self._move_to(tensors[0].device)
            return self.forward(x, *rest)
        members = [_find(self, path) for path in program.members]
        results = program.run(None, *tensors, *members)
        return results[0] if program.structure is None else _nest(program.structure, iter(results))

    def extra_repr(self) -> str:
        """Returns what a layer prints between its parentheses."""
        text = repr(self._block).strip()
        return "" if "\n" in text else text.partition("(")[2].removesuffix(")")

    def _get_name(self) -> str:
        return type(self._block).__name__

    def _prepare(
        self,
        structure: Any,
        known: _program.Known | None = None,
        shapes: _program.Shapes | None = None,
    ) -> None:
        """Makes the programs of this module and of those that it calls, for both modes."""
        known = {} if known is None else known
        signature = tuple(_sign(item) for item in structure)
        if signature in self._structures and (True, *signature) not in self._open:
            return
        self._structures[signature] = structure
        for training in (True, False):
            key = (training, *signature)
            self._open.discard(key)
            self._programs[key] = self._try_program(structure, key, known, shapes)

    def _try_program(
        self, structure: Any, key: Any, known: _program.Known, shapes: _program.Shapes | None
    ) -> _program.Program | None:
        try:
            has_graph = self._block._mx_has_hybrid_forward() and not self._block._mx_remembers()
        except AttributeError:
            has_graph = False
        if not has_graph:
            self._reason = "it has no hybrid_forward"
            return None
        try:
            program = _program.make_program(
                self._block, structure, key[0], self._device, self._dialect, known, shapes
            )
        except Exception as error:  # noqa: BLE001 - a program of the user's, on symbols
            self._reason = f"{type(error).__name__}: {error}"
            if isinstance(error, _program.OpenLengthsError):
                self._open.add(key)
            return None
        for path, arguments in program.calls:
            child = _find(self, path)
            if isinstance(child, BlockModule):
                child._prepare(arguments, known)
        return program

    def _apply(self, fn: Callable[..., Any], recurse: bool = True) -> BlockModule:
        super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        tensors = (*self.parameters(), *self.buffers())
        for module in self.modules() if tensors else ():
            if isinstance(module, BlockModule):
                module._move_to(tensors[0].device)
        return self

    def _move_to(self, device: torch.device) -> None:
        """Has programs make tensors on a device, if they make some."""
        if device == self._device:
            return
        self._device = device
        if any(program and program.depends_on_device for program in self._programs.values()):
            structures = list(self._structures.values())
            self._structures.clear()
            self._programs.clear()
            for structure in structures:
                self._prepare(structure)

    def _run_block(self, args: tuple[Any, ...]) -> Any:
        """Runs a block that cannot become a graph, operator by operator."""
        if torch.compiler.is_exporting():
            raise MXNetError(
                f"{describe(self._block)} cannot be exported, because it cannot become a graph "
                f"({self._reason}); write it as hybrid_forward"
            )
        paths, cls = _program.descendants(self._block), self._dialect.array
        blocks: dict[int, Any] = {}
        self._block.apply(lambda each: blocks.setdefault(id(each), each))
        blocks.pop(id(self._block), None)

        def call_module(block: Any, original: Callable[..., Any], given: tuple[Any, ...]) -> Any:
            del original
            tensors = replace_leaves(given, _as_tensor)
            return replace_leaves(_find(self, paths[id(block)])(*tensors), _as_array(cls))

        scope = Scope(torch.is_grad_enabled(), self.training)
        with (
            _program.redirected(blocks, call_module),
            scope,
            changed_modes(imperative=True),
            self._values_in(blocks, cls),
        ):
            result = self._block.forward(*replace_leaves(args, _as_array(cls)))
            return replace_leaves(result, _as_tensor)

    @contextmanager
    def _values_in(self, blocks: dict[int, Any], cls: type[NDArray]) -> Iterator[None]:
        """Sets the parameters of the block to the values of the module."""
        before: list[tuple[Parameter, Any]] = []
        paths = _program.descendants(self._block)
        try:
            for block in (self._block, *blocks.values()):
                owner = _find(self, paths.get(id(block), ()))
                for name, parameter in block._reg_params.items():
                    value = getattr(owner, _program.member_name(name), None)
                    if isinstance(value, Tensor):
                        before.append((parameter, parameter._arrays))
                        parameter._arrays = Replicas([on_tensor(value, cls)])
            replacements.note()
            yield
        finally:
            for parameter, arrays in before:
                parameter._arrays = arrays
            replacements.note()

    def __deepcopy__(self, memo: dict[int, Any]) -> BlockModule:
        memo[id(self._block)] = self._block  # which is only asked how it computes
        memo[id(self._dialect)] = self._dialect
        copied: BlockModule = type(self).__new__(type(self))
        memo[id(self)] = copied
        copied.__dict__.update(copy.deepcopy(self.__dict__, memo))
        return copied

    def __getstate__(self) -> dict[str, Any]:
        return {
            **self.__dict__,
            "_programs": {},
            "_structures": {},
            "_open": set(),
            "_dialect": None,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)  # type: ignore[no-untyped-call]
        self._dialect = current_dialect()


class LinearModule(BlockModule, nn.Linear):
    """A dense layer without activation, which tools of torch know as `nn.Linear`."""


class Conv1dModule(BlockModule, nn.Conv1d):
    """A convolution without activation, which tools of torch know as `nn.Conv1d`."""


class Conv2dModule(BlockModule, nn.Conv2d):
    """A convolution without activation, which tools of torch know as `nn.Conv2d`."""


class EmbeddingModule(BlockModule, nn.Embedding):
    """An embedding, which tools of torch know as `nn.Embedding`."""


_LIKE: dict[type[nn.Module], type[BlockModule]] = {
    nn.Linear: LinearModule,
    nn.Conv1d: Conv1dModule,
    nn.Conv2d: Conv2dModule,
    nn.Embedding: EmbeddingModule,
}
"""Classes of modules for blocks that are like a layer of torch."""


def as_torch_module(block: Any, *args: Any) -> nn.Module:
    """Returns a block as a module of torch; see `Block.to_torch`.

    Args:
        block: The block.
        *args: Arrays to call the block with, if shapes of its parameters are not known yet.
    """
    if not hasattr(block, "_mx_make_torch_module"):
        raise UnsupportedTypeError(f"as_torch_module: takes a Block, got {type(block).__name__}")
    if args:
        with Scope(False, False):
            block(*args)
    module = _Maker().make(block)
    if isinstance(module, BlockModule):
        structure = structure_of(args) if args else [Leaf.ARRAY] * _count_arguments(block)
        shapes = [item.shape for item in leaves_of(args) if isinstance(item, NDArray)]
        module._prepare(structure, shapes=shapes if args else None)
    return module


class _Maker:
    """Makes modules of blocks, one for each block and one tensor for each parameter."""

    def __init__(self) -> None:
        self._modules: dict[int, nn.Module] = {}
        self._tensors: dict[int, Tensor] = {}

    def make(self, block: Any) -> nn.Module:
        """Returns the module of a block."""
        module = self._modules.get(id(block))
        if module is None:
            module = self._modules[id(block)] = _make(block, self._share)
            for name, child in block._children.items():
                module.add_module(_program.member_name(name), self.make(child))
            if isinstance(module, BlockModule) and self._tensors:
                module._device = next(iter(self._tensors.values())).device
        return module

    def _share(self, parameter: Parameter) -> Tensor:
        if id(parameter) not in self._tensors:
            self._tensors[id(parameter)] = _share(parameter)
        return self._tensors[id(parameter)]


def _make(block: Any, share: Callable[[Parameter], Tensor]) -> nn.Module:
    own: nn.Module | None = block._mx_make_torch_module(share)
    if own is not None:
        return own
    like = block._mx_torch_layer()
    if like is None:
        return BlockModule(block, share)
    cls, attributes = like
    module = _LIKE[cls](block, share)
    for name, value in attributes.items():
        setattr(module, name, value)
    if "bias" not in block._reg_params and cls is not nn.Embedding:
        module.register_parameter("bias", None)
    return module


def _share(parameter: Parameter) -> Tensor:
    """Returns a parameter of torch, or a buffer, on the memory of one of Gluon."""
    return share(parameter, parameter._check_and_get(parameter._data, list)[0])


def _count_arguments(block: Any) -> int:
    """Returns how many arguments a call of a block needs."""
    function = getattr(block, "hybrid_forward", block.forward)
    names = [
        item.name
        for item in inspect.signature(function).parameters.values()
        if item.kind in (item.POSITIONAL_ONLY, item.POSITIONAL_OR_KEYWORD)
        and item.default is item.empty
        and item.name not in block._reg_params
    ]
    return max(1, len(names) - (function is not block.forward and "F" in names[:1]))


def _find(module: nn.Module, path: _program.Path) -> Any:
    found: Any = module
    for name in path:
        found = getattr(found, name)
    return found


def _sign(item: Any) -> Any:
    """Returns what calls of one program have in common in an argument."""
    if isinstance(item, Tensor) or item is Leaf.ARRAY:
        return True
    if isinstance(item, (list, tuple)):
        return tuple([_sign(each) for each in item])
    if isinstance(item, NDArray):
        raise UnsupportedTypeError(
            f"a module of torch takes tensors of torch, got {type(item).__name__}; "
            "call x.to_torch() on it"
        )
    return (type(item), item)


def _structure(args: Any) -> Any:
    return replace_leaves(args, lambda item: Leaf.ARRAY if isinstance(item, Tensor) else item)


def _tensors_in(args: Any) -> list[Tensor]:
    found: list[Tensor] = []
    for item in args:
        if isinstance(item, Tensor):
            found.append(item)
        elif isinstance(item, (list, tuple)):
            found.extend(_tensors_in(item))
    return found


def _nest(structure: Sequence[Any], results: Iterator[Tensor]) -> list[Any]:
    return [
        _nest(item, results) if isinstance(item, list) else None if item is None else next(results)
        for item in structure
    ]


def _as_tensor(item: Any) -> Any:
    return share_tensor(item) if isinstance(item, NDArray) else item


def _as_array(cls: type[NDArray]) -> Callable[[Any], Any]:
    return lambda item: on_tensor(item, cls) if isinstance(item, Tensor) else item
