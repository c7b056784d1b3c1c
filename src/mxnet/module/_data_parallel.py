"""Data parallelism: batches divided over contexts, and executors that compute one part each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mxnet import ndarray as nd
from mxnet.context import Context
from mxnet.errors import ArgumentValueError, ShapeMismatchError
from mxnet.executor import Executor
from mxnet.ndarray import NDArray


def split_input_slice(batch_size: int, work_load_list: Sequence[float]) -> list[slice]:
    """Divides a batch among contexts.

    Args:
        batch_size: Number of examples.
        work_load_list: Share of each context.

    Returns:
        The part of each context.

    Raises:
        ArgumentValueError: if one would get nothing.
    """
    total = sum(work_load_list)
    sizes = [round(share * batch_size / total) for share in work_load_list]
    sizes[-1] += batch_size - sum(sizes)
    parts, begin = [], 0
    for size in sizes:
        end = min(begin + size, batch_size)
        if begin >= end:
            raise ArgumentValueError(
                f"a batch of {batch_size} cannot be divided among {len(sizes)} contexts "
                f"with the work load {list(work_load_list)}: some would get nothing"
            )
        parts.append(slice(begin, end))
        begin = end
    return parts


def part(array: NDArray, piece: slice, axis: int) -> NDArray:
    """Returns some examples of an array; all of it if no axis is the batch."""
    if axis < 0 or (piece.start == 0 and piece.stop == array.shape[axis]):
        return array
    if axis == 0:
        return array[piece]
    elements: NDArray = nd.slice_axis(array, axis=axis, begin=piece.start, end=piece.stop)
    return elements


def load(
    name: str, source: Any, targets: Sequence[NDArray], slices: Sequence[slice], axis: int
) -> None:
    """Copies an input to the arrays of executors, to each its part."""
    array = source if isinstance(source, NDArray) else nd.array(source)
    for target, piece in zip(targets, slices, strict=True):
        chosen = array if len(targets) == 1 else part(array, piece, axis)
        if chosen.shape != target.shape:
            raise ShapeMismatchError(
                f"forward: {name} takes an array of shape {target.shape}, got {chosen.shape}"
            )
        chosen.copyto(target)


def merge(arrays: Sequence[NDArray], axis: int) -> NDArray:
    """Puts the parts of contexts together, on the first one."""
    if len(arrays) == 1 or axis < 0:
        return arrays[0]
    home = arrays[0].context
    joined: NDArray = nd.concat(*(array.as_in_context(home) for array in arrays), dim=axis)
    return joined


def write_mean(replicas: Sequence[NDArray], target: NDArray | None) -> NDArray:
    """Writes the mean of arrays into another one, or into a new one on the CPU."""
    mean = replicas[0]
    if len(replicas) > 1:
        home = mean.context
        total: Any = nd.add_n(*(item.as_in_context(home) for item in replicas))
        mean = total / len(replicas)
    if target is None:
        return mean.copyto(Context("cpu", 0))  # type: ignore[return-value]  # a new array
    mean.copyto(target)
    return target


class ParallelExecutors:
    """Executors of a network on several contexts, each of which gets a part of every batch.

    Attributes:
        execs: The executors.
        slices: Part of the batch of each executor.
        data_arrays: For each data input, parts of the batch with the arrays that they go to.
        label_arrays: The same for each label.
        param_arrays: For each parameter its array on each context.
        grad_arrays: For each parameter its gradient on each context.
        aux_arrays: For each auxiliary state its array on each context.
    """

    execs: list[Executor]
    slices: Sequence[slice]
    data_names: list[str]
    label_names: list[str]
    param_names: list[str]
    aux_names: list[str]

    def _gather(self, names: Iterable[str], attribute: str) -> list[list[Any]]:
        """Returns, for each name, the arrays of all executors."""
        tables = [getattr(executor, attribute) for executor in self.execs]
        return [[table[name] for table in tables] for name in names]

    def _collect_arrays(self) -> None:
        """Lists the arrays of the executors by what they are for."""
        self.data_arrays, self.label_arrays = (
            [list(zip(self.slices, row, strict=True)) for row in self._gather(names, "arg_dict")]
            for names in (self.data_names, self.label_names)
        )
        self.param_arrays = self._gather(self.param_names, "arg_dict")
        self.grad_arrays = self._gather(self.param_names, "grad_dict")
        self.aux_arrays = self._gather(self.aux_names, "aux_dict")

    def _run(self, is_train: bool) -> None:
        for executor in self.execs:
            executor.forward(is_train)

    def set_params(
        self,
        arg_params: Mapping[str, NDArray],
        aux_params: Mapping[str, NDArray] | None,
        allow_extra: bool = False,
    ) -> None:
        """Copies parameters to all contexts."""
        for executor in self.execs:
            executor.copy_params_from(arg_params, aux_params, allow_extra_params=allow_extra)

    def get_params(self, arg_params: dict[str, NDArray], aux_params: dict[str, NDArray]) -> None:
        """Writes the parameters, averaged over the contexts, into dictionaries of arrays."""
        for names, arrays, target in (
            (self.param_names, self.param_arrays, arg_params),
            (self.aux_names, self.aux_arrays, aux_params),
        ):
            for name, replicas in zip(names, arrays, strict=True):
                target[name] = write_mean(replicas, target.get(name))


def _load_general(data: Sequence[Any], targets: Sequence[Any], major_axis: Sequence[int]) -> None:
    """Copies arrays to those of executors.

    Args:
        data: Arrays, or lists with an array for each target.
        targets: For each an array, a list of arrays, or pairs of a part of the batch and an array.
        major_axis: For each the axis of the batch, -1 if there is none.
    """
    for source, target, axis in zip(data, targets, major_axis, strict=False):
        if isinstance(target, NDArray):
            source.copyto(target)
        elif isinstance(source, (list, tuple)):
            for array, to in zip(source, target, strict=False):
                array.copyto(to)
        else:
            for piece, to in target:
                part(source, piece, axis).copyto(to)


def _load_data(batch: Any, targets: Sequence[Any], major_axis: Sequence[int]) -> None:
    """Copies the data of a batch to the arrays of executors."""
    _load_general(batch.data, targets, major_axis)


def _load_label(batch: Any, targets: Sequence[Any], major_axis: Sequence[int]) -> None:
    """Copies the labels of a batch to the arrays of executors."""
    _load_general(batch.label, targets, major_axis)


def _merge_multi_context(
    outputs: Sequence[Sequence[NDArray]], major_axis: Sequence[int]
) -> list[NDArray]:
    """Puts the parts of all outputs together; see `merge`."""
    pairs = zip(outputs, major_axis, strict=False)
    return [merge(list(arrays), axis) for arrays, axis in pairs]
