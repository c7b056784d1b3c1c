"""Measures which operators can be exported to ONNX, and writes the table of them.

    python tools/make_onnx_table.py [--check]

Every sample of every operator is exported, checked by the package `onnx`, run by ONNX Runtime and
compared with the kernel, which takes a minute or two. With `--check` nothing is measured: the
program fails if the page does not have the operators and numbers of samples of today.
"""

from __future__ import annotations

import argparse
import re
import sys
import warnings
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import mxnet as mx
from mxnet.onnx._export.table import CONVERTERS, DEFAULT_OPSET, NEWEST_OPSET, OLDEST_OPSET
from mxnet.ops.core.registry import all_ops, get_op

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from tests.onnx.agreement import Outcome, try_sample  # noqa: E402
from tests.ops.samples import custom  # noqa: E402
from tests.ops.samples.core import Sample  # noqa: E402
from tests.ops.samples.table import families  # noqa: E402

PAGE = ROOT / "docs" / "reference" / "onnx.md"
INTRODUCTION = f"""\
# Operators in ONNX

Written by `python tools/make_onnx_table.py` from what was measured; do not edit. Every operator has
samples, which the tests of the package use, too. Each sample was exported with opset
{DEFAULT_OPSET} (`opset_version` takes {OLDEST_OPSET} to {NEWEST_OPSET}), checked by the package
`onnx`, run by ONNX Runtime on the CPU and compared with our own result: equal within 1e-4, or
within 2e-2 in half precision. The samples are meant to be difficult: arrays without elements, nan,
narrow integers, float64.

How to export is told in [ONNX](../onnx.md). Loops and branches (`contrib.foreach`,
`contrib.while_loop`, `contrib.cond`) can be exported as well.
"""
_ROW = re.compile(r"^\| `(\w+)` \| \d+ of (\d+) \|", re.MULTILINE)
_MISSING_TITLE = "## Operators that cannot be exported"


def samples_by_operator() -> dict[str, list[Sample]]:
    """Returns the samples that are computed, by the canonical name of the operator."""
    found: dict[str, list[Sample]] = defaultdict(list)
    for samples in families().values():
        for sample in samples:
            if not sample.raises:
                found[get_op(sample.op).name].append(sample)
    return dict(found)


def explain(sample: Sample, outcome: Outcome) -> str:
    """Returns in a few words why a sample is not equal."""
    dtypes = {array.dtype for array in sample.inputs if array is not None}
    if outcome.word == "unsupported" and "NOT_IMPLEMENTED" in outcome.reason:
        return f"ONNX Runtime has no {', '.join(sorted(dtypes))}"
    if outcome.word == "refused":
        return outcome.reason.partition("cannot be written in ONNX: ")[2] or "refused"
    text = sample.id.partition("/")[2]
    if "nan" in text or "inf" in text:
        return "nan or infinity"
    if any(array is not None and 0 in array.full_shape for array in sample.inputs):
        return "arrays without elements"
    return f"`{text[:60].replace('|', '/')}`"


def measure(samples: Iterable[Sample]) -> tuple[int, list[str]]:
    """Returns how many samples are equal, and why others are not."""
    equal, reasons = 0, []
    for sample in samples:
        outcome = try_sample(sample)
        if outcome.word == "equal":
            equal += 1
        else:
            reasons.append(explain(sample, outcome))
    return equal, sorted(set(reasons))


def make_page() -> str:
    """Measures all operators and returns the page."""
    rows, samples = [], samples_by_operator()
    counts = [0, 0]
    for name in sorted(set(CONVERTERS) & set(samples), key=str.lower):
        equal, reasons = measure(samples[name])
        counts[0] += equal
        counts[1] += len(samples[name])
        notes = "; ".join(reasons[:3]) + ("; ..." if len(reasons) > 3 else "")
        rows.append(f"| `{name}` | {equal} of {len(samples[name])} | {notes} |")
    head = f"{len(rows)} operators, {counts[0]} of {counts[1]} samples equal.\n"
    table = "| operator | samples equal | where not |\n| --- | --- | --- |\n" + "\n".join(rows)
    return "\n".join([INTRODUCTION, head, table, "", _MISSING_TITLE, "", _list_missing(), ""])


def _list_missing() -> str:
    names = sorted((op.name for op in all_ops() if op.name not in CONVERTERS), key=str.lower)
    return ", ".join(f"`{name}`" for name in names) + "."


def is_current(page: str) -> bool:
    """Returns whether a page has the operators and numbers of samples of today."""
    table, _, missing = page.partition(_MISSING_TITLE)
    samples = samples_by_operator()
    expected = {name: len(samples[name]) for name in CONVERTERS if name in samples}
    listed = {name: int(count) for name, count in _ROW.findall(table)}
    return listed == expected and missing.strip() == _list_missing()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail if the page is out of date")
    custom.prepare(mx)
    if parser.parse_args().check:
        if PAGE.exists() and is_current(PAGE.read_text(encoding="utf-8")):
            return 0
        print("docs/reference/onnx.md is out of date: run `python tools/make_onnx_table.py`")
        return 1
    warnings.simplefilter("ignore")
    PAGE.write_text(make_page(), encoding="utf-8")
    print("wrote docs/reference/onnx.md")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
