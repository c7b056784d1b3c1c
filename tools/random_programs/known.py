"""Differences that are meant to be, which docs/differences.md lists, as patterns of findings."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

import numpy as np

from tools.random_programs.modes import has_odd_slopes
from tools.random_programs.search import Finding
from tools.random_programs.steps import writes
from tools.random_programs.values import elements, restored


class Rule(NamedTuple):
    """A listed difference: patterns of its cause and of the original's message, and a name.

    `steps` is a pattern of the steps, as JSON.
    """

    cause: str
    message: str
    reason: str
    steps: str = ""


NOT_FINITE = ("nan here", "nan there", "infinities")
REFUSED = "dtypes and sizes that the original refuses without need"
RULES = (
    Rule(
        "raised there",
        r"does not support|MKLDNN|type enum|type_flag_|data type do not match",
        REFUSED,
    ),
    Rule(
        "raised there",
        r"Too many reduction axes|not supported for|only support|Unsupported type",
        REFUSED,
    ),
    Rule("raised there", r"local size must be smaller than nchannels|too large|Not impl", REFUSED),
    Rule(
        "raised there",
        r"Out of range value for scalar|only available for GPU|convert parameter",
        REFUSED,
    ),
    Rule(
        r"([Pp]ad|concat|broadcast_like|np.diag.*|np.hstack): without: (shape|unknown here)",
        "",
        "unknown lengths, counted as 0 there",
    ),
    Rule("build: raised there", "InferShape pass cannot decide", "shapes that depend on data"),
    Rule("full: step: raised there", "TypeError|sequence by non-int", "a shape as a string"),
    Rule("Pooling: step: nan there", "", "windows outside of the image"),
    Rule("tile: step: (values|nan there)", "", "tile to many axes"),
    Rule("(argsort|topk): step: values", "", "order of equal elements"),
    Rule("erfinv: step: values", "", "erfinv of integers"),
    Rule("InstanceNorm: step: values", "", "rounding, where the variance is 0"),
    Rule("clip: step: values", "", "numbers that an integer type cannot hold"),
    Rule("concatenate: step: error class TypeError", "", "an axis as a string"),
    Rule(r"nag_mom_update.*: end: values", "", "nag_mom_update without out"),
    Rule("arange_like: step: values", "", "fractions of float16"),
    Rule(
        "raised there",
        r"non-differentiable|Cannot take gradient wrt|calculate data gradient",
        "no gradient there",
    ),
    Rule("raised there", r"could not (execute|create) a primitive", "MKLDNN fails"),
    Rule(
        "raised there",
        r"shape_num_unknown_nodes|any container is empty|kOut\] == kWriteTo",
        "graphs fail",
    ),
    Rule("raised there", r"_backward_topk", "sort without an axis cannot be recorded"),
    Rule("concatenate: step: raised there", "Inplace operations", "concatenate cannot be recorded"),
    Rule("cumsum: step: raised there", "index = -", "cumsum with a negative axis"),
    Rule("SoftmaxActivation", "", "SoftmaxActivation: over each sample"),
    Rule(r"(prod|pow\w*|norm): gradient: (nan|values|infinities)", "", "slopes at 0"),
    Rule(
        r"(gamma|gammaln|mod|broadcast_mod|modulo): gradient: (nan|infinities)",
        "",
        "slopes at poles",
    ),
    Rule(r"LeakyReLU: gradient: values", "", "selu and prelu"),
    Rule(
        r"^(symbolic|hybridized): .*LeakyReLU.*: gradient: values", "", "prelu in graphs", "prelu"
    ),
    Rule(r"linalg.det: gradient: values", "", "gradient of a singular matrix"),
    Rule(r"(pow\w*|square): step: values", "", "integer powers that overflow"),
    Rule(
        "raised there", r"storage_type_num_unknown|fopnode.exec|req\[0\] != kNullOp", "graphs fail"
    ),
    Rule("boolean_mask: step: raised there", "Shape is unknown", "zero-size arrays"),
    Rule("error class ArgumentError", "convert parameter", REFUSED),
    Rule("diag: build: raises here", "", "diagonals just beyond the matrix"),
    Rule("index_array: step: raises here", "", "axes that the array does not have"),
    Rule("LayerNorm: step: nan here", "", "squares that overflow"),
    Rule(
        r"LayerNorm.*: forward: (values|nan there|infinities)",
        "",
        "statistics of LayerNorm in graphs",
        "output_mean_var",
    ),
    Rule("Pooling: gradient: values", "", "average pooling at the far edge", "avg.*full"),
    Rule(
        "^headed: .*concatenate.*: (gradient: values|backward: raised there)",
        "",
        "concatenate cannot be recorded",
    ),
    Rule("^headed: .*sort.*: gradient: values", "", "order of equal elements"),
    Rule("^headed: .*slogdet.*: gradient: values", "", "outputs of slogdet one by one"),
    Rule("^headed: .*amp_multicast.*: gradient: values", "", "outputs of amp_multicast one by one"),
    Rule("slogdet: step: values", "", "rounding, where a matrix is nearly singular"),
    Rule(
        "^replaced: .*: forward: raised there",
        "DTypes are not|Unsupported data type|Incompatible attr in node|Non-uniform|Type inconsis",
        REFUSED,
    ),
    Rule(
        "^replaced: .*(elemwise_add|round_ste|sign_ste).*: gradient: values",
        "",
        "sums as outputs of graphs",
    ),
    Rule(
        "image.to_tensor.*: backward: raised there",
        "Incompatible attr in node",
        "no gradient there",
    ),
    Rule(
        "^accumulated: .*: gradient: (values|nan there|infinities)",
        "",
        "grad_req='add' of the original's operators",
    ),
)
JOINING = r'"np\.([dh]stack|column_stack|append)"'
NUMPY_RULES = (
    Rule(
        "raised there",
        r"Type inconsistent|not support|Not impl|type_flag_|Unsupported type|only support"
        r"|Unknown type enum|not implemented yet",
        REFUSED,
    ),
    Rule(
        "raised there", r"non-differentiable|_backward_npi_r?copysign_scalar", "no gradient there"
    ),
    Rule("np.resize: backward: raised there", "kCustomOpBackward", "no gradient there"),
    Rule("np.(quantile|percentile): gradient: values", "", "percentiles have no gradient"),
    Rule("np.rot90: gradient: values", "", "rot90"),
    Rule("cumsum: step: raised there", "index = -", "cumsum with a negative axis"),
    Rule(
        "(repeat|std|var|mean|prod): .*raised there",
        r"[sS]hape_?.Size\(\)",
        "arrays of no elements",
    ),
    Rule("raised there", r"req\[0\] == kWriteTo", "graphs fail"),
    Rule("(build|forward|backward): (raised there|shape)", "", "joining in graphs", JOINING),
    Rule("(std|var): step: dtype u?int", "", "std and var of integers"),
    Rule(r"prod: (step|forward): values", "", "products of no elements"),
    Rule("np.(quantile|percentile): step: (values|nan here)", "", "percentiles of no elements"),
    Rule(
        "raised there",
        r"must be in range \[0, 0\)|between 0 and 0|axis value -?[01] out of range",
        "reductions of a 0-d array",
    ),
    Rule("(min|max): step: raises here", "", "extremes of no elements"),
    Rule("np.copysign: step: values", "", "the sign of -0.0"),
    Rule("np.arctan2: gradient: values", "", "arctan2 of a number", '"swapped"'),
    Rule("np.tile.*: gradient: values", "", "tile with a repetition of 0", r"\[\[?0, 1\]"),
    Rule("npx.gamma: step: values", "", "gamma of the integer 13"),
    Rule(r"argsort: step: values", "", "order of equal elements"),
    Rule("clip: step: values", "", "numbers that an integer type cannot hold"),
    Rule(r"(pow\w*|square): step: values", "", "integer powers that overflow"),
    Rule("(mean|average): step: nan here", "", "means of no elements"),
    Rule(r"(var|std): gradient: values", "", "var and std have no gradient"),
    Rule("np.where: gradient: values", "", "where with a number", '"args"'),
    Rule("np.pad: step: raised there", "must be in range", "pad of vectors"),
)
"""Rules for the NumPy dialect."""


LACKING = "storage types that operators lack"
SPARSE_RULES = (
    Rule(
        "raised there",
        r"Operator not implemented: operator =|only implemented for RowSparse|kWriteInplace is"
        r"|is not implemented for CPU|Please use elemwise_div|allow_inplace == true|req\[sr: :kIdx"
        r"|mean.shape_.Size|dns.shape_.ndim",
        LACKING,
    ),
    Rule("raised there", r"Cannot use sparse_grad", "sparse_grad and storage of the gradient"),
    Rule(
        "^accumulated: .*: backward: raised there",
        r"temp.IsDefaultData|req == kWriteTo|req\[sr|kAddTo",
        "grad_req='add' with sparse gradients",
    ),
    Rule(
        "^hybridized: .*backward: raised there",
        r"output.IsDefaultData|csr.storage_type",
        "graphs fail",
    ),
    Rule(
        r"dot: step: stype (row_sparse|csr)", "", "forward_stype of dense arrays", '"forward_stype"'
    ),
    Rule(r"dot.*: gradient: values", "", "gradients of csr matrices in dot"),
    Rule(r"detach.*: end: ", "", "detached sparse arrays"),
    Rule("^hybridized: .*operator mul.*: forward: stype", "", "graphs with sparse arguments"),
    Rule(
        "^hybridized: .*(operator mul|elemwise_mul).*: gradient: values",
        "",
        "products with csr arrays in graphs",
    ),
    Rule(
        "^hybridized: .*elemwise_add.*: gradient: stype default",
        "",
        "sums with sparse arrays in graphs",
    ),
    Rule(
        "^bound: .*(dot .*operator eq|_identity_with_attr_like_rhs).*: gradient: stype",
        "",
        "storage of gradients in graphs",
    ),
    Rule(r"(add_n|ElementWiseSum)\(out\): step: values", "", "sums into one of their arrays"),
    Rule("getitem: step: (shape|raised there)", "", "empty slices of csr arrays", '"slice"'),
    Rule(r"_scatter_elemwise_div\(out\): step: nan there", "", "quotients into a dense array"),
    Rule(
        r"(gamma|reciprocal|rsqrt).*: (step|forward): (infinities|values)", "", "the sign of -0.0"
    ),
)
"""Rules for programs with sparse arrays, beside those of all."""


def reason(finding: Finding) -> str:
    """Returns why a finding is no mistake, or nothing."""
    return _by_way(finding) or _by_storage(finding) or _by_results(finding)


def _by_way(finding: Finding) -> str:
    """Returns a reason that lies in the gradients that `headed` gives."""
    where, kind = finding.difference.where.split(), finding.difference.kind
    if finding.mode != "headed" or kind not in ("raised there", "shape", "values", *NOT_FINITE):
        return ""
    odd = has_odd_slopes(finding.program, where[-1])
    return "head gradients of another shape" if odd else ""


def _by_storage(finding: Finding) -> str:
    """Returns a reason that lies in what sparse arrays store."""
    program, (where, kind, _, theirs) = finding.program, finding.difference
    if program.get("dialect") != "sparse":
        return ""
    if where.startswith("step") and kind in ("values", *NOT_FINITE) and _writes_nothing(program):
        return "results into `out` of arrays that store nothing"
    if _is_a_vector(program) and BY_DENSE.search(finding.cause):
        return "csr arrays of one row or column by a dense one"
    if UPDATE.search(finding.cause) and _lacks_rows(program):
        return "states without some rows"
    is_stored_otherwise = where.startswith("gradient") and kind.startswith("stype")
    if is_stored_otherwise and not restored(theirs[1][0]).any():
        return "storage of gradients that are zero"
    return _by_rule(finding, SPARSE_RULES)


BY_DENSE = re.compile(r"(truediv|broadcast_(mul|div)).*: (step|forward): (values|stype csr)")


UPDATE = re.compile(r"(sgd_mom|adam|ftrl)_update.*: (step|end): values")


def _lacks_rows(program: dict[str, Any]) -> bool:
    """Returns whether a state of an update is row_sparse and does not store all rows."""
    states = [name for step in program["steps"] for name in step["in"][2:]]
    recipes = [program["inputs"][name] for name in states if name in program["inputs"]]
    return any(
        not _numbers(recipe).reshape(recipe["shape"][0], -1).any(axis=1).all()
        for recipe in recipes
        if recipe.get("stype") == "row_sparse"
    )


def _sparse_inputs(program: dict[str, Any]) -> list[dict[str, Any]]:
    return [recipe for recipe in program["inputs"].values() if recipe.get("stype")]


def _writes_nothing(program: dict[str, Any]) -> bool:
    """Returns whether a step that writes gets a sparse array without elements."""
    return any(map(writes, program["steps"])) and any(
        not _numbers(recipe).any() for recipe in _sparse_inputs(program)
    )


def _is_a_vector(program: dict[str, Any]) -> bool:
    """Returns whether a csr array of a program has one row or one column."""
    return any(
        recipe["stype"] == "csr" and 1 in recipe["shape"] for recipe in _sparse_inputs(program)
    )


def _by_results(finding: Finding) -> str:
    ours = finding.difference.ours
    if ours and ours[0] == "raised" and "ZeroDivisionError" in ours[2]:
        return "integers divided by 0"
    if ours and ours[0] == "raised" and "not in a computational graph" in ours[2]:
        return "constants as heads"
    if finding.difference.where.startswith("gradient") and finding.difference.kind in NOT_FINITE:
        return "infinite slopes"
    if finding.difference.kind in ("values", *NOT_FINITE) and _special(finding.program):
        return "nan and infinities"
    numpy = finding.program.get("dialect") == "np"
    return _by_shape(finding, numpy) or _by_rule(finding, NUMPY_RULES if numpy else RULES)


def _by_shape(finding: Finding, numpy: bool) -> str:
    """Returns a reason that lies in the shapes of inputs, if the original refuses them."""
    theirs = finding.difference.theirs
    if numpy or not theirs or theirs[0] != "raised":
        return ""
    shapes = [recipe["shape"] for recipe in finding.program["inputs"].values()]
    if any(not shape for shape in shapes):
        return "0-d arrays"
    return "zero-size arrays" if any(0 in shape for shape in shapes) else ""


def _by_rule(finding: Finding, rules: tuple[Rule, ...]) -> str:
    theirs = finding.difference.theirs
    message = theirs[2] if theirs and theirs[0] == "raised" else ""
    steps = json.dumps(finding.program["steps"])
    for rule in rules:
        if (
            re.search(rule.cause, finding.cause)
            and re.search(rule.message, message)
            and re.search(rule.steps, steps)
        ):
            return rule.reason
    return ""


def _special(program: dict[str, Any]) -> bool:
    """Returns whether a program of one step gets nan or infinities."""
    if sum(step["do"] != "nothing" for step in program["steps"]) > 1:
        return False
    return not all(np.isfinite(_numbers(recipe)).all() for recipe in program["inputs"].values())


def _numbers(recipe: dict[str, Any]) -> np.ndarray:
    if "content" in recipe:
        return np.frombuffer(bytes.fromhex(recipe["content"]), dtype=recipe["dtype"])
    return elements(recipe)
