"""For which version of MXNet a program was written, and which names decide that.

Names that only one of 1.9.1 and 2.0.0b1 has decide, and ways of writing: `hybrid_forward` and
prefixes of names are of 1.x, a `forward` of a hybrid block and `device=` of 2.x.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from glueball.scan.names import read_table

HYBRID_FORWARD, NAME_SCOPE = "def hybrid_forward", "name_scope()"
FORWARD, DEVICE = "def forward of a HybridBlock", "device="
MARKS: Mapping[str, int] = MappingProxyType(
    {HYBRID_FORWARD: 1, NAME_SCOPE: 1, FORWARD: 2, DEVICE: 2}
)
"""Ways of writing, with the version that they are of."""


class Verdict(NamedTuple):
    """What a program was written for.

    Attributes:
        version: 1 or 2, 0 if nothing decides.
        signs: How often what decides is used, by name, for each version.
    """

    version: int
    signs: Mapping[int, Counter[str]]

    def __str__(self) -> str:
        if not self.version:
            return "nothing tells whether it is for MXNet 1.x or 2"
        name = {1: "MXNet 1.x", 2: "MXNet 2"}[self.version]
        own, others = (self.signs[number] for number in (self.version, 3 - self.version))
        text = f"written for {name}: {_list(own)}"
        return text + (f"; of the other version: {_list(others)}" if others else "")


def _list(signs: Counter[str], most: int = 5) -> str:
    shown = ", ".join(f"{name} ({number})" for name, number in signs.most_common(most))
    return shown + (f" and {len(signs) - most} more" if len(signs) > most else "")


class Versions:
    """Knows which version of MXNet has which names.

    Args:
        only: Names that no other version has, by module, for 1 and for 2.
    """

    def __init__(self, only: Mapping[int, Mapping[str, str]]) -> None:
        self._only = {
            version: {owner: frozenset(names.split()) for owner, names in owners.items()}
            for version, owners in only.items()
        }

    @classmethod
    def load(cls) -> Versions:
        """Reads the table of this package, which `tools/make_scan_names.py` writes."""
        content = read_table()
        return cls({1: content["only_1"], 2: content["only_2"]})

    def version_of(self, name: str) -> int:
        """Returns the version that alone has a name, or a way of writing; 0 if both have it."""
        if name in MARKS:
            return MARKS[name]
        owner, _, last = name.rpartition(".")
        found = (version for version, owners in self._only.items() if last in owners.get(owner, ()))
        return next(found, 0)

    def judge(self, uses: Counter[str]) -> Verdict:
        """Returns what programs with these names were written for: what more of them are of."""
        signs: dict[int, Counter[str]] = {1: Counter(), 2: Counter()}
        for name, number in uses.items():
            version = self.version_of(name)
            if version:
                signs[version][name] += number
        first, second = (signs[version].total() for version in (1, 2))
        version = 0 if first == second else 1 + (second > first)
        return Verdict(version, signs)


def find_marks(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yields the ways of writing in a program that tell its version, with their lines."""
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(bases=bases, body=body) if any(map(_is_hybrid, bases)):
                methods = {
                    item.name: item.lineno for item in body if isinstance(item, ast.FunctionDef)
                }
                if "hybrid_forward" in methods:
                    yield HYBRID_FORWARD, methods["hybrid_forward"]
                elif "forward" in methods:
                    yield FORWARD, methods["forward"]
            case ast.Call(func=ast.Attribute(attr="name_scope"), args=[], lineno=line):
                yield NAME_SCOPE, line
            case ast.Call(keywords=keywords, lineno=line):
                if any(item.arg == "device" for item in keywords):
                    yield DEVICE, line


def _is_hybrid(base: ast.expr) -> bool:
    name = base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")
    return name == "HybridBlock"
