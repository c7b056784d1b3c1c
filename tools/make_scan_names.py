"""Writes which public names of MXNet 1.9.1 are here, for `glueball scan`.

    python tools/make_scan_names.py [--check]

The names are those that the original shows (`tests/golden/api_names.json`); each is looked up in
the installed package. With `--check` nothing is written; the program fails if a name has become
present or missing since the file was written.
"""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import mxnet  # noqa: E402
from mxnet._legacy.imported_names import read_names  # noqa: E402
from tools.make_support_table import NAMES, find, has  # noqa: E402
from tools.versions.compare import Surface  # noqa: E402

PRIVATE = ["mxnet.ndarray._internal", "mxnet.symbol._internal"]
"""Private modules whose functions programs call."""

SHOWN = ROOT / "tests" / "golden" / "imported_names.json"
"""All names in modules of 1.9.1, with where they come from."""

TARGET = ROOT / "src" / "glueball" / "scan" / "names.json"


def own_modules() -> list[str]:
    """Lists the public modules of this package."""
    found = pkgutil.walk_packages(mxnet.__path__, "mxnet.", onerror=lambda _: None)
    names = ["mxnet", *(module.name for module in found)]
    public = [name for name in names if not any(part.startswith("_") for part in name.split("."))]
    return [*public, *PRIVATE]


def own_names(path: str) -> set[str]:
    """Lists the names of a module of ours, without those of others that it imports.

    Programs use private functions and classes of the original, so that those count that are here,
    and modules by way of others that import them.
    """
    try:
        module = importlib.import_module(path)
    except ImportError:
        return set()
    shows_others = path == "mxnet" or path.startswith("mxnet.numpy")
    of_original = read_names().get(path, {})
    names = set()
    for name in dir(module):
        value = getattr(module, name, None)
        origin = getattr(value, "__module__", None) or ""
        is_private = name.startswith("_")
        if name.startswith("__"):
            continue
        if isinstance(value, ModuleType):
            is_other = path != "mxnet" and value.__name__ != f"{path}.{name}"
            if is_other and value.__name__.startswith("mxnet.") and not is_private:
                names.add(name)
        elif (
            origin.startswith("mxnet")
            or name in of_original
            or (not is_private and (shows_others or not origin))
        ):
            names.add(name)
    return names


def collect() -> dict[str, object]:
    """Looks all names up."""
    here: dict[str, set[str]] = {path: own_names(path) for path in own_modules()}
    missing: dict[str, set[str]] = {}
    missing_modules = []
    for path, names in json.loads(NAMES.read_text(encoding="utf-8")).items():
        owner = find(path)
        if owner is None:
            missing_modules.append(path)
            continue
        present = {name for name in names if has(owner, name)}
        here.setdefault(path, set()).update(present)
        missing[path] = {*names} - present
    only_1, only_2 = compare_versions()
    return {
        "version": "1.9.1",
        "only_1": only_1,
        "only_2": only_2,
        "missing_modules": sorted(missing_modules),
        "missing": {path: " ".join(sorted(names)) for path, names in sorted(missing.items())},
        "here": {path: " ".join(sorted(names)) for path, names in sorted(here.items()) if names},
    }


def compare_versions() -> tuple[dict[str, str], dict[str, str]]:
    """Returns the names that only 1.9.1 has, and those that only 2.0.0b1 has, by module or class.

    Members of classes count where programs see the class: those of arrays. A module that only
    2.0.0b1 has is a name of the one around it.
    """
    first = {
        path: {*names} for path, names in json.loads(NAMES.read_text(encoding="utf-8")).items()
    }
    shown = json.loads(SHOWN.read_text(encoding="utf-8"))  # names that it imports, too
    all_first = {path: names | {*shown.get(path, ())} for path, names in first.items()}
    surface = Surface.read()
    second: dict[str, set[str]] = {}
    for module in surface.modules:
        for name, _ in surface.names(module):
            owner, _, member = f"{module}.{name}".rpartition(".")
            if owner == module or owner in first:
                second.setdefault(owner, set()).add(member)

    for module in surface.modules.keys() - all_first.keys():
        owner, _, last = module.rpartition(".")
        second.setdefault(owner, set()).add(last)

    def subtract(names: dict[str, set[str]], others: dict[str, set[str]]) -> dict[str, str]:
        rest = {path: found - others.get(path, set()) for path, found in names.items()}
        return {path: " ".join(sorted(found)) for path, found in sorted(rest.items()) if found}

    return subtract(first, second), subtract(second, all_first)


def main() -> int:
    """Writes or checks the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail if the file is out of date")
    options = parser.parse_args()
    content = collect()
    if not options.check:
        TARGET.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        return 0
    written = json.loads(TARGET.read_text(encoding="utf-8"))
    kept = ("missing_modules", "missing", "only_1", "only_2")
    changed = [key for key in kept if written[key] != content[key]]
    if changed:
        print(f"{TARGET.relative_to(ROOT)} is out of date: run `make docs`")
    return 1 if changed else 0


if __name__ == "__main__":
    raise SystemExit(main())
