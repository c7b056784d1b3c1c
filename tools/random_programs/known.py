"""Differences that are meant to be, which docs/differences.md lists, as patterns of findings."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

from tools.random_programs.search import Finding
from tools.random_programs.values import elements


class Rule(NamedTuple):
    """A listed difference: patterns of its cause and of the original's message, and a name."""

    cause: str
    message: str
    reason: str


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
    Rule(r"linalg.det: gradient: values", "", "gradient of a singular matrix"),
    Rule(r"(pow\w*|square): step: values", "", "integer powers that overflow"),
    Rule("raised there", r"storage_type_num_unknown|fopnode.exec", "graphs fail"),
    Rule("boolean_mask: step: raised there", "Shape is unknown", "zero-size arrays"),
)


def reason(finding: Finding) -> str:
    """Returns why a finding is no mistake, or nothing."""
    ours = finding.difference.ours
    if ours and ours[0] == "raised" and "ZeroDivisionError" in ours[2]:
        return "integers divided by 0"
    if ours and ours[0] == "raised" and "not in a computational graph" in ours[2]:
        return "constants as heads"
    if finding.difference.where.startswith("gradient") and finding.difference.kind in NOT_FINITE:
        return "infinite slopes"
    if any(not recipe["shape"] for recipe in finding.program["inputs"].values()):
        return "0-d arrays"
    if any(0 in recipe["shape"] for recipe in finding.program["inputs"].values()):
        return "zero-size arrays"
    if finding.difference.kind in ("values", *NOT_FINITE) and _special(finding.program):
        return "nan and infinities"
    theirs = finding.difference.theirs
    message = theirs[2] if theirs and theirs[0] == "raised" else ""
    for rule in RULES:
        if re.search(rule.cause, finding.cause) and re.search(rule.message, message):
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
