"""Writes the operator reference from the registry.

    python tools/make_docs.py [--check]

With `--check` nothing is written; the program fails if the page is out of date.
"""

from __future__ import annotations

import argparse
import re
import textwrap
from pathlib import Path

import mxnet.ops.catalog  # noqa: F401 - fills the registry
from mxnet.ops.attrs import Attr, encode
from mxnet.ops.registry import Op, all_ops

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "operators.md"
INTRODUCTION = """\
# Operators

Written by `make docs` from the declarations in `src/mxnet/ops`; do not edit. What stands before
`*` in a signature is an array, what follows it an attribute.
"""


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
    lines = [f"## {op.name}", "", "```python", signature(op), "```", ""]
    if op.aliases:
        lines += ["Also " + ", ".join(f"`{alias}`" for alias in op.aliases) + ".", ""]
    return "\n".join([*lines, markdown(op.doc), ""])


def render() -> str:
    """Writes the whole page, in alphabetical order."""
    ops = sorted(all_ops(), key=lambda op: (op.name.strip("_").lower(), op.name))
    return "\n".join([INTRODUCTION, f"Number of operators: {len(ops)}.\n", *map(section, ops)])


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
