"""Runs the test suites of libraries built on MXNet against this package.

    python -m tools.try_client_suites CHECKOUTS [NAME ...] [--python PYTHON] [--write]

The suites of `tools/clients/suites.py` are in the packages themselves or, where those leave them
out, in repositories of which you have clones in the folder CHECKOUTS: `gluon-nlp`, `MXFusion` and
`xfer`. Each suite gets an environment below `.clients/`, as `make clients` makes them; `--python`
names an interpreter that has all it needs instead. What should pass is what passes with the
original, as `tests/golden/client_suites.json` lists it; with `--original`, `--python` names one
that has MXNet 1.9.1, and that list is written. `--write` writes `docs/clients.md`. Ends with status
1 if a test fails that should pass.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tests.golden.writing import write_json
from tools.clients.suites import SUITES, Suite
from tools.suites import downloads, report
from tools.suites.processes import Result, Setting, run_file
from tools.suites.sources import lay_out
from tools.try_clients import PAGE, ROOT, install, make_base, packages_of, python_of, run

EXPECTED = ROOT / "tests" / "golden" / "client_suites.json"
PROBE = (
    "import platform, numpy; print('Python', platform.python_version() + ', NumPy',"
    " numpy.__version__)"
)


def find_checkout(checkouts: Path, repository: str) -> Path:
    """Returns the clone of a repository: a folder of its name, or a mirror's `owner+name`."""
    name = repository.partition("/")[2]
    mirror = repository.replace("/", "+")
    for path in (checkouts / name, checkouts / mirror / "repo", checkouts / mirror):
        if path.is_dir():
            return path
    sys.exit(f"{checkouts} has no clone of {repository}")


def find_python(suite: Suite, options: argparse.Namespace) -> Path:
    """Returns the interpreter that runs a suite, for which an environment is made if need be."""
    if options.python:
        return options.python.absolute()
    base = options.folder / "base"
    if not python_of(base).exists():
        make_base(options.folder)
    return python_of(install(suite, options.folder, base))


def run_suite(suite: Suite, options: argparse.Namespace, proxy: str) -> dict[str, Result]:
    """Runs a suite in a copy of its tests, or where the package has them."""
    python = find_python(suite, options)
    with tempfile.TemporaryDirectory(prefix="client-tests-") as name:
        if suite.repository:
            checkout = find_checkout(options.checkouts, suite.repository)
            missing = lay_out(checkout, suite.revision, suite.folders, Path(name))
            if missing:
                print(f"{suite.title}: the clone lacks {len(missing)} files", file=sys.stderr)
            root = Path(name, suite.root)
        else:
            root = packages_of(python.parent.parent)
        setting = Setting(
            python=python,
            root=root,
            proxy=proxy,
            limit=options.limit,
            arguments=suite.arguments,
            variables={"MXNET_NUMPY_ALIASES": "1", **suite.variables},
            logs=options.logs,
            beside=bool(suite.repository),
        )
        results: dict[str, Result] = {}
        for tests in suite.tests:
            results.update(run_file(setting, tests))
    return results


def read_expected() -> dict[str, list[str]]:
    """Returns the tests of each suite that pass with the original."""
    listed = json.loads(EXPECTED.read_text(encoding="utf-8")) if EXPECTED.exists() else {}
    return {
        suite: [f"{file}::{test}" for file, tests in files.items() for test in tests]
        for suite, files in listed.items()
    }


def write_expected(suite: str, results: Mapping[str, Result]) -> None:
    """Writes which tests of a suite have passed with the original."""
    listed = json.loads(EXPECTED.read_text(encoding="utf-8")) if EXPECTED.exists() else {}
    files: dict[str, list[str]] = {}
    for test in sorted(results):
        if report.has_passed(test, results):
            file, _, name = test.partition("::")
            files.setdefault(file, []).append(name)
    listed[suite] = files
    write_json(EXPECTED, {item.name: listed[item.name] for item in SUITES if item.name in listed})


def describe(suite: Suite, results: Mapping[str, Result], versions: str) -> str:
    """Returns the part of the page for a suite: its sum, what is left out and what fails."""
    expected = read_expected().get(suite.name, [])
    source = f"`{suite.repository}` at `{suite.revision}`" if suite.repository else "the package"
    count = report.count_tests(expected, results, suite.left_out)
    text = f"**{suite.title}**: {count}. Tests of {source}, with {versions}."
    failures = report.list_failures(expected, results, suite.left_out)
    excused = {test: why for test, why in suite.left_out.items() if test not in failures}
    missed = {test: why for test, why in excused.items() if not report.has_passed(test, results)}
    if missed:
        text += f" Left out:\n\n{report.as_list(missed)}"
    if failures:
        text += f"\n\nTests that fail:\n\n{report.as_list(failures)}"
    return text


def parse(arguments: list[str]) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("checkouts", type=Path, help="folder of clones")
    parser.add_argument("names", nargs="*", help="suites to run; all if none is named")
    parser.add_argument("--folder", type=Path, default=ROOT / ".clients", help="environments")
    parser.add_argument("--python", type=Path, help="interpreter to run with, for one suite")
    parser.add_argument("--original", action="store_true", help="list what passes with it")
    parser.add_argument("--limit", type=float, default=300, help="seconds that a test may take")
    parser.add_argument("--logs", type=Path, help="folder that keeps what the tests print")
    parser.add_argument("--write", action="store_true", help="write docs/clients.md")
    options = parser.parse_args(arguments)
    unknown = set(options.names) - {suite.name for suite in SUITES}
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    if options.python and len(options.names) != 1:
        parser.error("--python needs the name of one suite")
    if options.original and not options.python:
        parser.error("--original needs --python")
    options.folder = options.folder.absolute()
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.logs:
        options.logs = options.logs.absolute()
        options.logs.mkdir(parents=True, exist_ok=True)
    return options


def main(arguments: list[str]) -> int:
    """Runs the suites, one after the other."""
    options = parse(arguments)
    chosen = [suite for suite in SUITES if not options.names or suite.name in options.names]
    with downloads.serve(options.folder / "downloads") as proxy:
        return 1 if sum([try_suite(suite, options, proxy) for suite in chosen]) else 0


def try_suite(suite: Suite, options: argparse.Namespace, proxy: str) -> bool:
    """Runs a suite and reports; tells whether a test failed that should pass."""
    results = run_suite(suite, options, proxy)
    if options.original:
        write_expected(suite.name, results)
        return False
    versions = run([find_python(suite, options), "-c", PROBE]).strip()
    text = describe(suite, results, versions)
    print(f"{text}\n", flush=True)
    if options.write:
        report.replace_part(PAGE, f"suite {suite.name}: make clients", text)
    expected = read_expected().get(suite.name, [])
    return bool(report.list_failures(expected, results, suite.left_out))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
