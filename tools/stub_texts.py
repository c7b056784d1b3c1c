"""Texts of type stubs: functions, and the parameters and results of those of operators."""

from __future__ import annotations

from typing import Any

import torch

from mxnet.errors import MXNetError
from mxnet.ops.core.attrs import REQUIRED, Attr, encode
from mxnet.ops.core.registry import Op

WIDTH = 100
TYPES = {
    "bool": "bool",
    "int": "int",
    "float": "float",
    "str": "str",
    "a tuple of ints": "int | Sequence[int]",
    "a tuple of ints or None": "int | Sequence[int | None] | None",
    "a tuple of floats": "float | Sequence[float]",
    "a dtype": "Any",
}
"""What a user may give, by the wording of the codec; choices are plain strings."""


def annotation(attr: Attr) -> str:
    """Writes the type of an attribute."""
    if attr.name == "ctx":
        return "Any"  # a context, or its name
    expects = attr.codec.expects
    if expects in TYPES:
        return TYPES[expects]
    if expects.endswith(" or None"):
        inner = expects.removesuffix(" or None")
        return "Any" if inner == "a dtype" else f"{TYPES.get(inner, 'str')} | None"
    return "str"


def default(attr: Attr) -> str:
    """Writes the default of an attribute."""
    if isinstance(attr.default, torch.dtype):
        return repr(encode(attr.default))
    return "..." if attr.required else repr(attr.default)


def operator_parameters(op: Op, kind: str, *, for_symbols: bool) -> list[str]:
    """Writes the parameters of an operator's function on a class of arrays or symbols."""
    if op.variadic:
        written, star = [f"*{op.inputs[0].name}: {kind}", "num_args: int = ..."], []
    else:
        # A symbol that is not given becomes a variable.
        written = [
            f"{item.name}: {kind}" + (" | None = None" if item.optional or for_symbols else "")
            for item in op.inputs
        ]
        star = ["*"]
    for attr in op.attrs.values():
        if op.variadic and attr.name == "num_args":
            continue  # it is counted, also where the operator asks for it
        optional = not attr.required or (written and "=" in written[-1])
        text = f"{attr.name}: {annotation(attr)}"
        written.append(f"{text} = {default(attr)}" if optional else text)
    options = graph_options(op, kind) if for_symbols else array_options(op, kind)
    return [*written, *star, *options]


def array_options(op: Op, kind: str) -> list[str]:
    """Writes what every function on arrays takes."""
    outputs = kind if op.num_outputs == 1 else f"{kind} | Sequence[{kind}]"
    rest = ["**kwargs: Any"] if op.open_attrs else []
    return [f"out: {outputs} | None = None", "name: str | None = None", *rest]


def graph_options(op: Op, kind: str) -> list[str]:
    """Writes what every function on symbols takes; of any number of them also by name."""
    rest = ["**kwargs: Any"] if op.open_attrs else [f"**kwargs: {kind}"] if op.variadic else []
    return ["name: str | None = None", "attr: Mapping[str, str] | None = None", *rest]


def operator_result(op: Op, kind: str, *, for_symbols: bool) -> str:
    """Writes the type of what an operator returns.

    Where the attributes decide it is that of their defaults. It is a list where some have none, and
    `Any` where the program's own class decides.
    """
    if for_symbols:
        return kind
    try:
        count: Any = op.count_outputs({})
    except TypeError:  # one that must be given is no number
        count = REQUIRED
    except MXNetError:
        return "Any"
    return kind if count == 1 else f"list[{kind}]"


def definition(name: str, written: list[str], returned: str, doc: str, indent: str = "") -> str:
    """Writes a function with the first sentence of its documentation."""
    head = f"{indent}def {name}({', '.join(written)}) -> {returned}:"
    if len(head) > WIDTH:
        lines = [f"{indent}    {item},\n" for item in written]
        head = f"{indent}def {name}(\n{''.join(lines)}{indent}) -> {returned}:"
    first = " ".join(doc.split("\n\n")[0].split()).replace("\\", "\\\\")
    return f'{head}\n{indent}    """{first}"""\n' if first else f"{head} ...\n"
