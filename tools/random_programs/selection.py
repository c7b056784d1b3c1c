"""Chooses the steps of programs that a mode can have."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from tools.random_programs.catalogue.names import NUMPY_PAIRS, NUMPY_SINGLES
from tools.random_programs.compare import pruned, without_dependents
from tools.random_programs.steps import IN_GRAPHS, names_read, writes
from tools.random_programs.values import FLOATS, is_variable

Program = dict[str, Any]

NOT_DIFFERENTIABLE = {
    "argmax_channel", "multi_sum_sq", "batch_take", "choose_element_0index", "khatri_rao",
    "histogram", "all_finite", "multi_all_finite", "argsort", "contrib.box_nms",
    "contrib.MultiBoxPrior", "contrib.fft", "Dropout", "SequenceLast",
}  # fmt: skip
"""Operators without a gradient in the original, or with one that kills it now and then."""

LEFT_TO_NUMPY = {*NUMPY_SINGLES.split(), *NUMPY_PAIRS.split()}
"""Functions that the original leaves to NumPy, which cannot be recorded."""

ARRAYS_ALONE = {
    "RNN", "copy", "detach", "copyto", "T", "concatenate", "moveaxis", "contrib.isnan",
    "contrib.isinf", "contrib.isfinite", "add", "subtract", "multiply", "divide", "modulo", "equal",
    "not_equal", "greater", "greater_equal", "lesser", "lesser_equal", "logical_and",
    "logical_or", "logical_xor", "true_divide", "array", "sparse.array", "sparse.zeros",
    "sparse.csr_matrix", "sparse.row_sparse_array", "sparse.add", "sparse.subtract",
    "sparse.multiply", "sparse.divide", "tostype",
}  # fmt: skip
"""What symbols lack; RNN, as it needs MKLDNN in graphs of the original, which runs without."""


NUMPY_ARRAYS_ALONE = {
    "copy", "detach", "T", "np.nonzero", "npx.nonzero", "np.unique", "np.where", "np.indices",
    "np.polyval", "np.histogram", "np.bincount", "np.delete", "np.insert", "abs", "matmul", "and_",
    "or_", "xor", "invert",
}  # fmt: skip
"""What symbols of the NumPy dialect lack, or what has results of unknown shapes."""

FLAT = re.compile(
    "equal|greater|lesser|logical|ceil|floor|fix|rint|round$|trunc|sign$|ones_like|zeros_like|argm"
    "|_array|one_hot|isnan|isinf|isfinite|arange|BlockGrad|stop_gradient|detach|^(eq|ne|[lg][te])$"
)
"""Operators whose gradient is 0: differentiating results of them alone may kill the original."""


def for_gradients(programs: list[Program], theirs: dict[str, Any]) -> Iterator[Program]:
    """Yields programs without what writes to arrays or has no gradient; they know their heads."""
    for program in programs:
        floats = [
            f"{index}.{part}"
            for index, step in enumerate(program["steps"])
            if step["do"] != "nothing"
            for part, kept in enumerate(theirs[program["name"]][f"step {index}"][1])
            if kept[0] in FLOATS
        ]
        made = program | {"floats": floats, "salt": program["name"]}
        yield from _chosen(made, _differentiable)


def _differentiable(step: Program) -> bool:
    # Dropout is random in training. Gradients of positions kill the original.
    positions = step.get("name") == "topk" and step["attrs"]["ret_typ"] != "value"
    never = step.get("name") in NOT_DIFFERENTIABLE or step.get("name") in LEFT_TO_NUMPY
    return not writes(step) and not positions and not never


def for_graphs(programs: list[Program], theirs: dict[str, Any]) -> Iterator[Program]:
    """Yields programs with the steps that graphs can have."""
    for program in programs:
        shapes = {name: tuple(recipe["shape"]) for name, recipe in program["inputs"].items()}
        for index, step in enumerate(program["steps"]):
            if step["do"] != "nothing":
                for part, kept in enumerate(theirs[program["name"]][f"step {index}"][1]):
                    shapes[f"{index}.{part}"] = tuple(kept[1])
        fits = _fits_numpy_graph if program.get("dialect") == "np" else _fits_graph
        yield from _chosen(program, lambda step, shapes=shapes, fits=fits: fits(step, shapes))


def _fits_numpy_graph(step: Program, _: dict[str, tuple[int, ...]]) -> bool:
    return step["do"] in IN_GRAPHS and not writes(step) and step["name"] not in NUMPY_ARRAYS_ALONE


def _fits_graph(step: Program, shapes: dict[str, tuple[int, ...]]) -> bool:
    if step["do"] not in IN_GRAPHS or writes(step) or step["name"] in ARRAYS_ALONE:
        return False
    if isinstance(step.get("number"), bool) or isinstance(step.get("args", [0])[0], bool):
        return False
    if step["do"] == "operator" or step["name"] in ("maximum", "minimum", "power"):
        return len({shapes[name] for name in step["in"]}) == 1
    # Methods of symbols have no positional arguments of this kind.
    return not (step["do"] == "method" and ("args" in step or "copy" in step["attrs"]))


def _chosen(program: Program, fits: Callable[[Program], bool]) -> Iterator[Program]:
    others = {
        i for i, step in enumerate(program["steps"]) if step["do"] != "nothing" and not fits(step)
    }
    shorter = with_heads(pruned(program, without_dependents(program, others)))
    if shorter["heads"]:
        yield shorter


def with_heads(program: Program) -> Program:
    """Adds the heads: float results that depend on variables and that no step reads."""
    if "floats" not in program:
        return program
    read: set[str] = set()
    depends = {name for name, recipe in program["inputs"].items() if is_variable(recipe)}
    for index, step in enumerate(program["steps"]):
        names = names_read(step)
        read.update(names)
        flat = FLAT.search(step.get("name", ""))
        if step["do"] != "nothing" and not flat and depends.intersection(names):
            depends.update(f"{index}.{part}" for part in range(20))
    return program | {
        "heads": [name for name in program["floats"] if name in depends and name not in read]
    }
