"""Parameters of which each rank holds some rows."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import torch

from mxnet._frontend.array_trace import traced_like
from mxnet._frontend.dialect import in_scope
from mxnet._state import modes, processes
from mxnet.context import Context, cpu, intern
from mxnet.gluon.parameters import Parameter, ParameterError
from mxnet.gluon.parts import note_shard
from mxnet.gluon.sharding._gathering import Bundle, Member, in_call, read
from mxnet.gluon.sharding._group import Group, Piece, broadcast
from mxnet.ndarray import NDArray


class ShardedParameter(Parameter):
    """A parameter of which this rank holds some rows, and the same rows of the gradient.

    `shape` is that of the whole, and `data()` returns the whole, which all ranks must ask for
    together; `grad()` has the rows of this rank. A parameter becomes one by `gluon.shard`, which
    changes its class.
    """

    _is_sharded = True

    _members: list[Parameter]
    """The parameters that are gathered together, of which this is one; set by `shard`."""
    _unit: str
    """What errors call them."""
    _member: Member | None

    @property
    def piece(self) -> Piece:
        """Which rows this rank holds."""
        return Piece.of(self._shape or (), processes.rank(), processes.size())

    def _begin(self, members: list[Parameter], unit: str) -> None:
        """Replaces the value by the rows of this rank."""
        self._members, self._unit, self._member = members, unit, None
        if self._data is not None:
            self._init_impl(self._data[0], self.list_ctx())

    def _init_impl(self, data: NDArray, contexts: Sequence[Context]) -> None:
        if len(contexts) != 1:
            raise ParameterError(
                f"Parameter {self.name!r} is sharded and takes one context in each process, "
                f"got {list(contexts)}"
            )
        placed = self._place(in_scope(data), contexts[0])
        with processes.guard(f"initializing Parameter {self.name!r}"):
            broadcast(placed._plain)
        self._set_values([self._shard_of(placed)])

    def _shard_of(self, whole: NDArray) -> NDArray:
        """Returns this rank's rows of a whole value."""
        return type(whole)._wrap(self.piece.take(whole._plain), whole._ctx)

    def _set_values(self, arrays: list[NDArray]) -> None:
        super()._set_values(arrays)
        for gradient in self._grad or ():
            note_shard(gradient)
        self._ungroup()

    def _wait_for_shape(self, shape: tuple[int, ...] | None, deferred: tuple[Any, ...]) -> None:
        super()._wait_for_shape(shape, deferred)
        self._ungroup()

    def _ungroup(self) -> None:
        """Has parameters grouped again, as one of them has got another value, maybe dtype."""
        for parameter in self._members:
            if isinstance(parameter, ShardedParameter):
                parameter._member = None

    def _choose_member(self) -> Member:
        """Returns how to gather the parameter: outside of all calls, without the others."""
        if in_call():
            return self._find_member()
        return Member(Bundle(Group(f"Parameter {self.name!r}", [self.piece]), [self]), 0)

    def _find_member(self) -> Member:
        """Returns the place of the parameter among those that are gathered with it."""
        if self._member is None:
            _form_bundles(self._members, self._unit)
        if self._member is None:
            raise self._uninitialized()
        return self._member

    def data(self, ctx: Context | None = None) -> NDArray:
        """Returns the whole value, gathered from all ranks, which must ask for it together.

        While the block that it belongs to runs, all calls return the same memory.
        """
        held = self._check_and_get(self._data, ctx)
        whole = in_scope(read(self._choose_member(), type(held), held._ctx))
        if modes.tracer is None:
            return whole
        traced = modes.tracer.stand_in(held)
        if traced is held:
            return whole
        stood: NDArray = traced_like(whole, traced._entry)
        return stood

    def list_data(self) -> list[NDArray]:
        """Returns the whole value as a list of one."""
        return [self.data()]

    def _reduce(self) -> NDArray:
        if self._data is None:
            raise self._uninitialized()
        return self.data().as_in_context(intern(cpu()))

    def set_data(self, data: NDArray) -> None:
        """Sets the value, of which this rank takes its rows."""
        if self._data is None:
            super().set_data(data)
            return
        self.shape = data.shape
        rows = self._shard_of(data)
        held = self._data[0]
        held[:] = rows.astype(held.dtype).as_in_context(held.context)

    def __reduce__(self) -> tuple[object, ...]:
        raise ParameterError(
            f"Parameter {self.name!r} is sharded and cannot be pickled or copied; save the network "
            "by save_parameters or by gluon.Checkpoint"
        )


_LARGE = 1 << 20
"""Number of bytes from which the rows of a rank are sent by themselves, without a copy."""


def _form_bundles(parameters: Sequence[Parameter], unit: str) -> None:
    """Groups parameters that have values by dtype and device."""
    groups: dict[object, list[ShardedParameter]] = {}
    for parameter in parameters:
        if not isinstance(parameter, ShardedParameter) or parameter._data is None:
            continue
        tensor = parameter._data[0]._plain
        size = parameter.piece.length * tensor.element_size()
        key = id(parameter) if size >= _LARGE else (tensor.dtype, tensor.device)
        groups.setdefault(key, []).append(parameter)
    for members in groups.values():
        bundle = Bundle(Group(unit, [member.piece for member in members]), members)
        for position, member in enumerate(members):
            member._member = Member(bundle, position)


def may_be_sharded(parameter: Parameter) -> bool:
    """Returns whether a parameter is split: those without a gradient, such as averages, are not."""
    known = parameter._shape is not None and min(parameter._shape, default=1) >= 0
    return parameter.grad_req != "null" and not (known and prod(parameter._shape or ()) == 0)


def refuse(parameter: Parameter) -> None:
    """Raises for a parameter that cannot be sharded."""
    if parameter._stype != "default" or parameter._grad_stype != "default":
        raise ParameterError(
            f"shard: Parameter {parameter.name!r} is row_sparse or has such a gradient, which "
            "cannot be sharded; make the layer with sparse_grad=False"
        )
    if parameter._trainer is not None:
        raise ParameterError(
            f"shard: Parameter {parameter.name!r} has a Trainer already; make it after shard()"
        )
    if type(parameter) is not Parameter:
        raise ParameterError(
            f"shard: Parameter {parameter.name!r} is a {type(parameter).__name__}, which may "
            "compute its value and cannot be sharded"
        )
    if not parameter._differentiable or not _is_floating(parameter):
        raise ParameterError(
            f"shard: Parameter {parameter.name!r} has dtype {parameter.dtype} and a gradient"
        )


def _is_floating(parameter: Parameter) -> bool:
    arrays = parameter._data
    return arrays is None or torch.is_floating_point(arrays[0]._plain)
