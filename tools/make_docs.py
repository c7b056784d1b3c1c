"""Writes the operator reference from the registry.

    python tools/make_docs.py [--check]

With `--check` nothing is written; the program fails if the page is out of date.
"""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from collections import defaultdict
from pathlib import Path

import mxnet  # noqa: F401 - fills the registry
from mxnet.ops.core.attrs import Attr, encode
from mxnet.ops.core.registry import Op, all_ops

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
from ops.samples.table import families  # noqa: E402

PAGE = ROOT / "docs" / "reference" / "operators.md"
INTRODUCTION = """\
# Operators

Written by `make docs` from the declarations in `src/mxnet/ops`; do not edit. What stands before
`*` in a signature is an array, what follows it an attribute. Functions of `mx.nd` take attributes
by position as well, in this order, and besides `out` (an array to write into) and `name`.

An operator `_contrib_x` is found as `mx.nd.contrib.x`, `_linalg_x` as `mx.nd.linalg.x`, `_image_x`
as `mx.nd.image.x`, any other name with an underscore in front in `mx.nd._internal`.
"""
TITLES = {
    "binary": "Arithmetic of two operands",
    "custom": "Operators written in Python",
    "elementwise": "Functions of each element",
    "linalg": "Linear algebra",
    "later_nn": "MXNet 2: networks",
    "later_np": "MXNet 2: NumPy dialect",
    "nn_conv": "Networks: convolution",
    "nn_ctc": "Networks: CTC loss",
    "nn_deformable": "Networks: deformable convolution",
    "nn_linear": "Networks: affine layers",
    "nn_norm": "Networks: normalization",
    "nn_output": "Networks: losses and outputs",
    "nn_resize": "Networks: resizing of images",
    "nn_rnn": "Networks: recurrent layers",
    "optimizer": "Updates of optimizers",
    "products": "Matrix products",
    "random": "Random numbers",
    "random_pdf": "Probability densities",
    "sequence": "Sequences",
    "shape": "Shapes",
}
"""Headings of families, where the name of the family does not say enough."""
GROUPS = {"nn_": "Networks", "np_": "NumPy dialect"}
"""What the headings of families begin with, by what their names begin with."""


def default_text(attr: Attr) -> str:
    """Writes an attribute as in a signature."""
    if attr.required:
        return attr.name
    value = repr(attr.default) if isinstance(attr.default, str) else encode(attr.default)
    return f"{attr.name}={value}"


def signature(op: Op) -> str:
    """Writes the call of an operator."""
    if op.variadic:
        inputs = [f"*{op.inputs[0].name}"]
    else:
        inputs = [f"{item.name}=None" if item.optional else item.name for item in op.inputs]
    star = ["*"] if op.attrs and not op.variadic else []
    attributes = [default_text(attr) for attr in op.attrs.values()]
    return f"{op.name}({', '.join([*inputs, *star, *attributes])})"


def markdown(doc: str) -> str:
    """Turns a docstring in Google's style into markdown."""
    text, *sections = re.split(r"^(\w+):\n(?= )", doc, flags=re.MULTILINE)
    parts = [text.strip()]
    for title, body in zip(sections[::2], sections[1::2], strict=True):
        content = textwrap.dedent(body).strip()
        if title in ("Args", "Raises"):
            content = re.sub(r"^(\w[\w.]*|\*\w+):", r"- `\1`:", content, flags=re.MULTILINE)
            content = re.sub(r"\n +", "\n  ", content)
        elif title in ("Example", "Examples"):
            content = f"```python\n{content}\n```"
        parts.append(f"{title}:\n\n{content}")
    return "\n\n".join(parts)


def section(op: Op) -> str:
    """Writes the section of one operator: signature, other names, docstring."""
    lines = [f"### {op.name}", "", "```python", signature(op), "```", ""]
    if op.aliases:
        lines += ["Also " + ", ".join(f"`{alias}`" for alias in op.aliases) + ".", ""]
    return "\n".join([*lines, markdown(op.doc), ""])


def title(family: str) -> str:
    """Returns the heading of a family."""
    if family in TITLES:
        return TITLES[family]
    for prefix, group in GROUPS.items():
        if family.startswith(prefix):
            return f"{group}: {family.removeprefix(prefix).replace('_', ' ')}"
    return family.replace("_", " ").capitalize()


def by_family() -> dict[str, list[Op]]:
    """Sorts the operators into the families of their samples, by heading and name."""
    family_of = {sample.op: name for name, rows in families().items() for sample in rows}
    found: dict[str, list[Op]] = defaultdict(list)
    for op in all_ops():
        found[title(family_of.get(op.name, "other"))].append(op)
    return {
        heading: sorted(found[heading], key=lambda op: (op.name.strip("_").lower(), op.name))
        for heading in sorted(found)
    }


def contents(groups: dict[str, list[Op]]) -> str:
    """Writes the list of families with links to their operators."""
    rows = [
        f"- {heading}: " + ", ".join(f"[{op.name}](#{op.name.lower()})" for op in ops)
        for heading, ops in groups.items()
    ]
    return "\n".join(rows) + "\n"


def render() -> str:
    """Writes the whole page."""
    groups = by_family()
    count = sum(map(len, groups.values()))
    parts = [INTRODUCTION, f"Number of operators: {count}.\n", contents(groups)]
    for heading, ops in groups.items():
        parts += [f"## {heading}\n", *map(section, ops)]
    return "\n".join(parts)


def main() -> int:
    """Writes or checks the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail if the page is out of date")
    page = render()
    if not parser.parse_args().check:
        PAGE.parent.mkdir(parents=True, exist_ok=True)
        PAGE.write_text(page, encoding="utf-8")
        print("wrote docs/reference/operators.md")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page:
        print("docs/reference/operators.md is out of date: run `make docs`")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
