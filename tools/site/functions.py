"""Sections of functions that are made at import, so that no source shows their docstrings.

A section has the signature, the docstring, and what does the same in the other dialect and torch.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from itertools import takewhile
from textwrap import dedent

from tools.site.counterparts import read_counterparts

SHORT_NAMES = {"ndarray": "nd", "numpy": "np", "numpy_extension": "npx"}
"""Modules under the names by which programs know them."""
_TITLES = {"Args": "Parameters", "Example": "Examples"}
_HEADING = re.compile(r"^(Args|Attributes|Example|Raises|Returns|Shapes):$", re.MULTILINE)
_ITEM = re.compile(r"^(\*{0,2}\w+(?:\[[^]]*\])?): (.*)$")
_COUNTERPARTS = read_counterparts()


def write_section(module: str, name: str, function: object, homes: Mapping[str, str]) -> str:
    """Returns the Markdown of a function.

    Args:
        module: Its module without the name of the package, such as `numpy.linalg`.
        name: Its name there.
        function: The function.
        homes: Address of the section of each function, by names such as `np.linalg.norm`.
    """
    heading = f'### <span class="doc-object-name doc-function-name">{name}</span>'
    parts = [
        f"{heading} {{ #mxnet.{module}.{name} }}",
        f"```python\n{short_name(module)}.{name}{write_signature(function)}\n```",
        *write_docstring(inspect.getdoc(function) or ""),
    ]
    others = write_counterparts(f"{short_name(module)}.{name}", homes)
    return "\n\n".join(filter(None, [*parts, others])) + "\n"


def short_name(module: str) -> str:
    """Returns a module as programs call it under `mx`: `np.linalg` for `numpy.linalg`."""
    head, dot, rest = module.partition(".")
    return f"{SHORT_NAMES.get(head, head)}{dot}{rest}"


def write_signature(function: object) -> str:
    """Returns how a function is called, without annotations."""
    try:
        signature = inspect.signature(function)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return "(...)"
    plain = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for parameter in signature.parameters.values()
    ]
    return str(signature.replace(parameters=plain, return_annotation=inspect.Signature.empty))


def write_docstring(text: str) -> Iterator[str]:
    """Yields the paragraphs, lists and sessions of a docstring as Markdown."""
    start, *sections = _HEADING.split(text)
    yield start.strip()
    for title, body in zip(sections[::2], sections[1::2], strict=True):
        lines = body.strip("\n").splitlines()
        inside = list(takewhile(lambda line: not line or line[0] == " ", lines))
        content = dedent("\n".join(inside)).strip()
        yield f"**{_TITLES.get(title, title)}**"
        if title == "Example":
            yield f"```pycon\n{content}\n```"
        elif title in ("Args", "Attributes", "Raises"):
            yield "\n".join(_write_items(content))
        else:
            yield content
        yield "\n".join(lines[len(inside) :])


def _write_items(text: str) -> Iterator[str]:
    """Yields the lines of a list of parameters."""
    for line in text.splitlines():
        item = _ITEM.match(line)
        yield f"- `{item[1]}`: {item[2]}" if item else f"  {line.strip()}"


def write_counterparts(name: str, homes: Mapping[str, str]) -> str:
    """Returns the line that says what does the same as `nd.concat`, empty if nothing does."""
    shown = []
    for other in _COUNTERPARTS.get(name, ()):
        full = other if other.startswith("torch.") else f"mx.{other}"
        shown.append(f"[`{full}`]({homes[other]})" if other in homes else f"`{full}`")
    return f"**The same elsewhere**: {', '.join(shown)}" if shown else ""
