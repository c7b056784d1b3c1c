"""Options of the iterators that read files.

The iterators of the original take keywords whose values may also be strings, such as
`data_shape="(3, 224, 224)"`. Here the options of an iterator are a frozen dataclass, and the
annotation of a field selects how a value is read, as it does for attributes of operators.
"""

from __future__ import annotations

import inspect
import warnings
from dataclasses import MISSING, dataclass, fields
from typing import Any, Literal, TypeVar, get_type_hints

from mxnet._tracebacks import level_of_program
from mxnet.errors import AttributeValueError
from mxnet.ops.core.attrs import REQUIRED, Attr, codec_for

O = TypeVar("O", bound="BatchOptions")  # noqa: E741 - not used as a number

ElementName = Literal[
    "bfloat16", "float16", "float32", "float64", "int32", "int64", "int8", "uint8"
]


@dataclass(frozen=True, kw_only=True)
class BatchOptions:
    """What all iterators over files take.

    Attributes:
        batch_size: Number of examples in a batch.
        round_batch: Whether to fill the last batch with the first examples, which the next round
            then skips.
        prefetch_buffer: How many batches to make ahead, where making them takes time.
        ctx: Accepted for programs that give it; batches are made on the CPU.
        dtype: Element type of a batch; None leaves it to the iterator.
        data_name: Name of the data.
        label_name: Name of the label.
    """

    batch_size: int
    round_batch: bool = True
    prefetch_buffer: int = 4
    ctx: Literal["cpu", "gpu"] = "gpu"
    dtype: ElementName | None = None
    data_name: str = "data"
    label_name: str = "softmax_label"


def _attributes(cls: type[BatchOptions]) -> dict[str, Attr]:
    hints = get_type_hints(cls)
    return {
        field.name: Attr(
            field.name,
            codec_for(hints[field.name]),
            REQUIRED if field.default is MISSING else field.default,
        )
        for field in fields(cls)
    }


def read_options(cls: type[O], where: str, given: dict[str, Any]) -> O:
    """Reads the keywords of an iterator.

    Args:
        cls: Dataclass of the options.
        where: Name of the iterator, for messages.
        given: Keywords and their values; unknown ones are named in a warning and left out.

    Raises:
        AttributeValueError: if a value cannot be read, or a required option is not given.
    """
    known = _attributes(cls)
    missing = [name for name, attr in known.items() if attr.required and name not in given]
    if missing:
        raise AttributeValueError(f"{where}: missing option {', '.join(map(repr, missing))}")
    unknown = [name for name in given if name not in known]
    if unknown:
        message = f"{where}: no option {', '.join(map(repr, unknown))}; left out"
        warnings.warn(message, UserWarning, stacklevel=level_of_program())
    values = {
        name: known[name].parse(value, where) for name, value in given.items() if name in known
    }
    options = cls(**values)
    if options.batch_size <= 0:
        raise AttributeValueError(
            f"{where}: `batch_size` takes a positive number, got {options.batch_size}"
        )
    return options


def signature_of(cls: type[BatchOptions]) -> inspect.Signature:
    """Returns the signature that `help` shows for an iterator with these options."""
    return inspect.signature(cls).replace(return_annotation=inspect.Signature.empty)
