"""Compares the public names of MXNet 2 and their signatures with what is here.

    python -m tools.versions.compare                # counts, by module
    python -m tools.versions.compare gluon.nn       # the names of a module and those inside of it
    python -m tools.versions.compare --write        # lower the counts of what is still to do

`mxnet2.json` has the names; `record.py` writes it. `missing.json` says why names are not here, and
counts those that are still to do, module by module.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import inspect
import json
import warnings
from collections import defaultdict
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

from mxnet import set_version
from mxnet._start import takes_device
from mxnet.ops.core.traits import LATER_ATTRIBUTES

HERE = Path(__file__).resolve().parent
SURFACE = HERE / "mxnet2.json"
MISSING = HERE / "missing.json"
BASES = "(bases)"
REST = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
OPTIONAL = inspect.Parameter.POSITIONAL_OR_KEYWORD


class Difference(NamedTuple):
    """A name of MXNet 2 that is not here, or that takes other arguments.

    Attributes:
        module: The public module in which programs look for it.
        name: Its name there, with that of the class for a member.
        problem: What a call stumbles over; "" if there is no such name.
    """

    module: str
    name: str
    problem: str = ""

    @property
    def path(self) -> str:
        """The whole name."""
        return f"{self.module}.{self.name}"


def read(default: ast.expr) -> Any:
    """Returns a default; infinity is an expression."""
    try:
        return ast.literal_eval(default)
    except ValueError:
        return ...


def parse(text: str) -> list[inspect.Parameter]:
    """Reads parameters as files of signatures have them."""
    arguments = ast.parse(f"def f({text}): pass").body[0].args  # type: ignore[attr-defined]
    listed = [*arguments.posonlyargs, *arguments.args]
    names = [item.arg for item in listed if item.arg != "self"]
    values = [read(item) for item in arguments.defaults]
    missing = [inspect.Parameter.empty] * (len(names) - len(values))
    found = [
        inspect.Parameter(name, OPTIONAL, default=value)
        for name, value in zip(names, [*missing, *values], strict=True)
    ]
    for item, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        value = inspect.Parameter.empty if default is None else read(default)
        found.append(inspect.Parameter(item.arg, inspect.Parameter.KEYWORD_ONLY, default=value))
    rest = zip(REST, (arguments.vararg, arguments.kwarg), strict=True)
    return [*found, *(inspect.Parameter(item.arg, kind) for kind, item in rest if item)]


def same_default(ours: Any, theirs: Any) -> bool:
    """Compares defaults; one number stands for several, and None for what follows from others."""
    if theirs is ... or ours == theirs or ours is None:
        return True
    if isinstance(theirs, (tuple, list)):
        return tuple(theirs) == ours or {*theirs} == {ours}
    return theirs == {} or (isinstance(theirs, str) and theirs.startswith("~"))


_ENDS = (["out", "name", "kwargs"], ["name", "attr", "out", "kwargs"])
"""What functions of operators take last, those on arrays and those on symbols."""


def _fit_operators(expected: list[inspect.Parameter]) -> list[inspect.Parameter]:
    """Takes away what functions of operators have in common.

    Such functions show attributes as keywords here, and take them and these by position as well,
    in the order of MXNet 1.9.1 (`tests/symbol/test_operator_functions.py`).
    """
    names = [item.name for item in expected]
    for end in _ENDS:
        if names[-len(end) :] == end:
            by_name = inspect.Parameter.KEYWORD_ONLY
            return [
                item.replace(kind=by_name, default=item.empty) for item in expected[: -len(end)]
            ]
    return expected


def _takes_device(function: Any) -> bool:
    """Returns whether a function, or one that it calls with what it gets, takes `device=`."""
    while function is not None:
        if takes_device(function):
            return True
        function = getattr(function, "__wrapped__", None)
    return False


def _parameters(function: Any) -> list[inspect.Parameter]:
    """Returns what a function shows, and `name`, which some functions take and do not show."""
    shown = [*inspect.signature(function).parameters.values()]
    is_shown = "name" in [item.name for item in shown]
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    code = getattr(function, "__code__", None)
    if not is_shown and code and "name" in code.co_varnames[: code.co_argcount]:
        shown.append(inspect.Parameter("name", OPTIONAL, default=None))
    return shown


def _taken_by_name(name: str) -> set[str]:
    """Returns the attributes of MXNet 2 that functions of a name take and do not show."""
    return {
        attribute
        for operator, later in LATER_ATTRIBUTES.items()
        if operator.removeprefix("_contrib_").removeprefix("_image_") == name
        for attribute in later
    }


def problems(
    expected: list[inspect.Parameter], function: Any, defaults: Mapping[str, Any] | None = None
) -> list[str]:
    """Returns what a call of the original would stumble over.

    Args:
        expected: What the original takes.
        function: What is called here.
        defaults: What it takes under the rules of MXNet 2, if that is something else.
    """
    given = [item for item in _parameters(function) if item.name != "self"]
    if defaults:
        chosen = [
            inspect.Parameter(name, OPTIONAL, default=value) for name, value in defaults.items()
        ]
        given = [*chosen, inspect.Parameter("kwargs", REST[1])]
    if _takes_device(function) and "device" in [item.name for item in expected]:
        named = {"ctx": "device", "context": "device"}
        given = [item.replace(name=named.get(item.name, item.name)) for item in given]
    says_all = not any(item.kind in REST for item in expected)
    expected = [item for item in expected if item.kind not in REST]
    ours = {item.name: item for item in given if item.kind not in REST}
    takes_all = {item.kind for item in given if item.kind in REST}
    found = []
    if REST[0] not in takes_all:
        order = [item.name for item in given if item.kind is OPTIONAL]
        wanted = [item.name for item in expected if item.kind is OPTIONAL]
        if order[: len(wanted)] != wanted:
            found.append(f"has {order}, expected {wanted}")
    for item in expected:
        if item.name not in ours:
            found += [] if REST[1] in takes_all else [f"{item.name} is missing"]
        elif item.default is not item.empty and not same_default(
            ours[item.name].default, item.default
        ):
            found.append(f"{item.name} is {ours[item.name].default!r}, expected {item.default!r}")
    names = {item.name for item in expected}
    needed = [n for n, item in ours.items() if n not in names and item.default is item.empty]
    return [*found, *(f"{name} is needed" for name in needed if says_all)]


class Surface:
    """The names of a release, as `record.py` writes them.

    Args:
        modules: Names with their signatures, by module.
    """

    def __init__(self, modules: Mapping[str, Mapping[str, str]]) -> None:
        self.modules = modules
        self._shown: dict[str, str] = {}
        shown = [
            (text.removeprefix("= ") if text.startswith("= ") else f"{module}.{name}", module)
            for module, names in modules.items()
            for name, text in names.items()
            if "." not in name
        ]
        # First the packages around the module that defines it, the outermost of these.
        for home, module in sorted(
            shown, key=lambda item: (not item[0].startswith(f"{item[1]}."), item[1].count("."))
        ):
            self._shown.setdefault(home, module)

    @classmethod
    def read(cls) -> Surface:
        """Reads the file."""
        return cls(json.loads(SURFACE.read_text("utf-8")))

    def names(self, module: str) -> Iterator[tuple[str, str]]:
        """Yields the names in a module with their signatures, and members of its classes.

        Of classes that several modules show, the outermost has the members.
        """
        for name, text in self.modules[module].items():
            if "." in name or name.endswith(BASES):
                continue
            home, _, own = text.removeprefix("= ").rpartition(".")
            if not text.startswith("= "):
                home, own = module, name
            yield name, self.modules.get(home, {}).get(own, "(...)")
            if self._shown.get(f"{home}.{own}") != module:
                continue
            members = self.members(home, own)
            yield from ((f"{name}.{member}", found) for member, found in members.items())

    def inherits(self, module: str, name: str, member: str) -> bool:
        """Returns whether a class has a member from a base that a module shows."""
        text = self.modules[module][name]
        home, _, own = text.removeprefix("= ").rpartition(".")
        if not text.startswith("= "):
            home, own = module, name
        names = self.modules.get(home, {})
        bases = [path.rpartition(".") for path in names.get(f"{own}{BASES}", "").split()]
        return f"{own}.{member}" not in names and any(
            f"{base}.{member}" in self.modules.get(place, {}) and base in self.modules[place]
            for place, _, base in bases
        )

    def members(self, module: str, name: str) -> dict[str, str]:
        """Returns the members of a class with their signatures, those that it inherits, too."""
        names = self.modules.get(module, {})
        classes = [f"{module}.{name}", *names.get(f"{name}{BASES}", "").split()]
        found: dict[str, str] = {}
        for path in reversed(classes):
            home, _, own = path.rpartition(".")
            start = f"{own}."
            found |= {
                key.removeprefix(start): text
                for key, text in self.modules.get(home, {}).items()
                if key.startswith(start) and not key.endswith(BASES)
            }
        return found


def find(module: str, name: str) -> Any:
    """Returns what is here under a name; raises where there is nothing."""
    owner = importlib.import_module(module)
    for part in name.split("."):
        owner = getattr(owner, part)
    return owner


def compare(surface: Surface) -> Iterator[Difference]:
    """Yields names that are not here, and signatures that calls of MXNet 2 do not fit.

    They are those under the rules of MXNet 2.

    Members of a class that is not here do not count, nor does what a class only inherits: it is
    looked for in the class that has it first.
    """
    before = set_version(2)
    try:
        yield from _differences(surface)
    finally:
        set_version(before)


def _differences(surface: Surface) -> Iterator[Difference]:
    for module in surface.modules:
        if any(part.startswith("_") for part in module.split(".")):
            continue
        missing: set[str] = set()
        for name, text in surface.names(module):
            owner, _, member = name.rpartition(".")
            if owner in missing or (owner and surface.inherits(module, owner, member)):
                continue
            problem = find_problem(module, name, text)
            if problem is None:
                missing.add(name)
            if problem != "":
                yield Difference(module, name, problem or "")


def _same(theirs: list[inspect.Parameter], also: list[inspect.Parameter]) -> bool:
    """Compares parameters but for defaults that are no constants."""
    return len(theirs) == len(also) and all(
        one.name == other.name and (one.default is ... or one.default == other.default)
        for one, other in zip(theirs, also, strict=True)
    )


def find_problem(module: str, name: str, text: str) -> str | None:
    """Returns what a call stumbles over, None where there is nothing of the name."""
    try:
        value = find(module, name)
    except (ImportError, AttributeError):
        return None
    if text in ("", "(...)") or not callable(value):
        return ""
    try:
        chosen = value.__init__ if isinstance(value, type) else value
        also = getattr(chosen, "mxnet2_signature", None)
        if also is not None and _same(parse(text), parse(also)):
            return ""  # it tells such calls by their arguments
        defaults = getattr(chosen, "mxnet2_defaults", None)
        hidden = _taken_by_name(name)
        expected = [item for item in _fit_operators(parse(text)) if item.name not in hidden]
        return "; ".join(problems(expected, value, defaults))
    except (TypeError, ValueError, SyntaxError):
        return ""  # an object that does not say what it takes


def explained(path: str, reasons: Mapping[str, str]) -> bool:
    """Returns whether one of the patterns with reasons covers a name."""
    return any(fnmatchcase(path, pattern) for pattern in reasons)


def count(differences: list[Difference], reasons: Mapping[str, str]) -> dict[str, dict[str, int]]:
    """Counts what is without a reason, by kind and module."""
    counts: dict[str, dict[str, int]] = {"names": defaultdict(int), "signatures": defaultdict(int)}
    for item in differences:
        if not explained(item.path, reasons):
            counts["signatures" if item.problem else "names"][item.module] += 1
    return {kind: dict(sorted(found.items())) for kind, found in counts.items()}


def read_missing() -> dict[str, Any]:
    """Returns the reasons and the counts."""
    missing: dict[str, Any] = json.loads(MISSING.read_text("utf-8"))
    return missing


def write_missing(missing: Mapping[str, Any]) -> None:
    """Writes the reasons and the counts, a fact per line."""
    MISSING.write_text(json.dumps(missing, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Prints the differences or writes their counts."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("modules", nargs="*", help="modules to list, such as gluon.nn")
    parser.add_argument("--write", action="store_true", help="write the counts of what is to do")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    surface, missing = Surface.read(), read_missing()
    differences = list(compare(surface))
    if options.write:
        write_missing(missing | {"todo": count(differences, missing["reasons"])})
    wanted = [f"mxnet.{module}".rstrip(".") for module in options.modules]
    for item in differences:
        if item.module.startswith((*wanted,)) and not explained(item.path, missing["reasons"]):
            print(f"{item.path}: {item.problem or 'missing'}")
    if not wanted:
        counts = count(differences, missing["reasons"])
        for module in sorted({*counts["names"], *counts["signatures"]}):
            print(
                f"{module}: {counts['names'].get(module, 0)} names missing, "
                f"{counts['signatures'].get(module, 0)} other signatures"
            )
        total = sum(1 for module in surface.modules for _ in surface.names(module))
        sums = {kind: sum(found.values()) for kind, found in counts.items()}
        print(f"of {total} names {sums['names']} missing, {sums['signatures']} other signatures")


if __name__ == "__main__":
    main()
