"""Writes a bill of materials of the package as CycloneDX 1.6, in JSON.

    python -m tools.make_sbom [--extra onnx ...] [--output FILE]

Lists what `pip install glueball`, with the extras named, brings: the packages that the metadata of
`pyproject.toml` asks for and those that these ask for in turn, with the releases that are tested
(`constraints.txt`) and the licences that the installed packages state. Needs them to be installed,
as `make venv` does. The same tree gives the same file.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import uuid
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

from tools.release_notes import read_version

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[1]
PRODUCT = "glueball"


def canonical(name: str) -> str:
    """Returns the name of a package as indexes write it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def read_project() -> dict:
    """Returns the metadata in `pyproject.toml`."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def read_pins() -> dict[str, str]:
    """Returns the releases that are tested, by package."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split("==") for line in lines if "==" in line and not line.startswith("#"))
    return {canonical(name): version.split(";")[0].strip() for name, version in pairs}


def needed(requirements: Iterable[str], extras: Iterable[str] = ()) -> Iterator[Requirement]:
    """Yields the requirements that hold on this system with some extras."""
    for text in requirements:
        requirement = Requirement(text)
        marker = requirement.marker
        environments = [{"extra": extra} for extra in ("", *extras)]
        if marker is None or any(marker.evaluate(item) for item in environments):
            yield requirement


def follow(direct: Iterable[Requirement]) -> dict[str, set[str]]:
    """Returns all packages that some requirements bring, each with those that it asks for.

    Raises:
        SystemExit: if one of them is not installed.
    """
    found: dict[str, set[str]] = {}
    waiting = list(direct)
    while waiting:
        requirement = waiting.pop()
        name = canonical(requirement.name)
        try:
            stated = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            sys.exit(f"{name} is not installed: run `make venv` first")
        more = list(needed(stated, requirement.extras))
        names = {canonical(item.name) for item in more}
        if name in found and names <= found[name]:
            continue
        found.setdefault(name, set()).update(names)
        waiting += more
    return found


def licence_of(name: str) -> list[dict]:
    """Returns the licence that an installed package states, in CycloneDX's form."""
    stated = metadata.metadata(name)
    expression = stated.get("License-Expression")
    if expression:
        return [{"expression": expression}]
    classified = [
        item.rpartition(" :: ")[2]
        for item in stated.get_all("Classifier") or []
        if item.startswith("License :: ")
    ]
    free_text = (stated.get("License") or "").strip().splitlines()[:1]
    return [{"license": {"name": text}} for text in classified or free_text if text]


def component(name: str, version: str) -> dict:
    """Returns the entry of a package."""
    address = f"pkg:pypi/{name}@{version}"
    entry = {
        "type": "library",
        "bom-ref": address,
        "name": name,
        "version": version,
        "purl": address,
    }
    licences = licence_of(name)
    return {**entry, "licenses": licences} if licences else entry


def make_bill(extras: Iterable[str] = ()) -> dict:
    """Returns the bill of materials of this tree."""
    project, pins, version = read_project(), read_pins(), read_version()
    chosen = [item for extra in extras for item in project["optional-dependencies"][extra]]
    direct = list(needed([*project["dependencies"], *chosen]))
    graph = follow(direct)
    releases = {name: pins.get(name) or metadata.version(name) for name in sorted(graph)}
    address = {name: f"pkg:pypi/{name}@{release}" for name, release in releases.items()}
    product = f"pkg:pypi/{PRODUCT}@{version}"
    edges = {product: {canonical(item.name) for item in direct}}
    edges |= {address[name]: names for name, names in sorted(graph.items())}
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": product,
                "name": PRODUCT,
                "version": version,
                "purl": product,
                "description": project["description"],
                "licenses": [{"expression": project["license"]}],
            }
        },
        "components": [component(name, release) for name, release in releases.items()],
        "dependencies": [
            {"ref": ref, "dependsOn": sorted(address[name] for name in names)}
            for ref, names in edges.items()
        ],
    }
    number = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(bill, sort_keys=True))
    return {**bill, "serialNumber": f"urn:uuid:{number}"}


def main(arguments: list[str]) -> int:
    """Writes the bill."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--extra", action="append", default=[], help="an extra; again for more")
    parser.add_argument("--output", type=Path, help="a file; standard output if none is given")
    options = parser.parse_args(arguments)
    text = json.dumps(make_bill(options.extra), indent=2) + "\n"
    if options.output is None:
        sys.stdout.write(text)
    else:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
