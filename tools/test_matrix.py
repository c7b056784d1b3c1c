"""Runs the tests with the oldest and the newest torch and NumPy that each Python can install.

    python tools/test_matrix.py [--python 3.12] [--torch 2.9.0] [--numpy 2.1.0] [--keep]

For every interpreter at hand, from Python 3.10 to 3.13, the package index says which releases there
are; the oldest ones are those that `pyproject.toml` admits, the newest ones whatever is there. Each
combination gets an environment of its own in `.matrix/`, which is deleted after the tests unless
`--keep` is given: with torch for a GPU it takes several gigabytes. Of tests with many samples every
eighth runs (`--every`). Prints a table in Markdown; ends with status 1 unless all passed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # which pytest brings

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".matrix"
PYTHONS = ("3.10", "3.11", "3.12", "3.13")
EXTRAS = ("dev", "examples", "images", "plot")
ENGINES = ("torch", "numpy")
UNTESTED = "default:mxnet .Glueball. has been tested:UserWarning"
"""Lets the tests begin with a release that is newer than those admitted."""
HEADER = "| Python | torch | NumPy | passed | failed | skipped | minutes |\n" + "| --- " * 7 + "|"


class Combination(NamedTuple):
    """An interpreter with releases of torch and NumPy."""

    python: str
    interpreter: Path
    torch: str
    numpy: str

    @property
    def environment(self) -> Path:
        """Returns the folder of its environment."""
        return FOLDER / f"python{self.python}-torch{self.torch}-numpy{self.numpy}"

    @property
    def log(self) -> Path:
        """Returns the file that keeps the output of its tests."""
        return FOLDER / f"{self.environment.name}.log"


class Outcome(NamedTuple):
    """What the tests said."""

    passed: int
    failed: int
    skipped: int
    seconds: float
    note: str
    """Failed tests, or why there was no run; empty if all passed."""


def find_interpreter(version: str) -> Path | None:
    """Returns the interpreter of a version of Python, on the path or installed by pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    found = [shutil.which(f"python{version}"), *sorted(pyenv.glob(f"{version}.*/bin/python"))]
    for path in filter(None, found):
        # A shim of pyenv is there for versions that it will not run.
        if run([path, "-c", "import venv"]).returncode == 0:
            return Path(path)
    return None


def run(command: list[str | Path], **options) -> subprocess.CompletedProcess[str]:
    """Runs a command and keeps what it writes."""
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def requirements() -> list[str]:
    """Returns what the package and its tests need, as `pyproject.toml` says."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = [item for name in EXTRAS for item in project["optional-dependencies"][name]]
    return [*project["dependencies"], *extras]


def oldest_admitted(package: str) -> tuple[int, ...]:
    """Returns the oldest release that the package admits."""
    (found,) = (item for item in requirements() if re.match(rf"{package}\W", item))
    return as_numbers(re.search(r">=([\d.]+)", found)[1])


def as_numbers(version: str) -> tuple[int, ...]:
    """Returns the numbers of a version, by which versions are ordered."""
    return tuple(map(int, re.match(r"[\d.]*\d", version)[0].split(".")))


def read_versions(text: str) -> list[str]:
    """Returns the releases that `pip index versions` lists, the oldest first."""
    found = re.search(r"^Available versions: (.*)$", text, re.MULTILINE)
    listed = found[1].split(", ") if found else []
    # A local build (`+cpu`) is one of a release that is listed too.
    return sorted({item.partition("+")[0] for item in listed}, key=as_numbers)


def find_ends(interpreter: Path, package: str) -> tuple[str, str]:
    """Returns the oldest and the newest release that an interpreter can install."""
    listing = run([interpreter, "-m", "pip", "index", "versions", package])
    least = oldest_admitted(package)
    versions = [item for item in read_versions(listing.stdout) if as_numbers(item) >= least]
    if package == "torch":  # which comes as wheels alone, so that all that is listed is for us
        candidates = versions
    else:
        candidates = list(filter_ends(interpreter, package, versions))
    if not candidates:
        sys.exit(f"{package}: the package index has no release for {interpreter}")
    return candidates[0], candidates[-1]


def filter_ends(interpreter: Path, package: str, versions: list[str]) -> Iterator[str]:
    """Returns the first and the last of some releases that have a wheel."""
    attempt = [interpreter, "-m", "pip", "install", "--dry-run", "--no-deps", "--ignore-installed"]
    for order in (versions, list(reversed(versions))):
        for version in order:
            wheel = ["--only-binary", ":all:", f"{package}=={version}"]
            if run([*attempt, *wheel]).returncode == 0:
                yield version
                break


def combinations(options: argparse.Namespace) -> Iterator[Combination]:
    """Returns what to test: for each Python the oldest releases, then the newest."""
    for python in options.python or PYTHONS:
        interpreter = find_interpreter(python)
        if interpreter is None:
            print(f"Python {python}: no interpreter at hand", file=sys.stderr)
            continue
        given = (options.torch, options.numpy)
        ends = [
            (version, version) if version else find_ends(interpreter, package)
            for package, version in zip(ENGINES, given, strict=True)
        ]
        for pair in dict.fromkeys(zip(*ends, strict=True)):
            yield Combination(python, interpreter, *pair)


def install(combination: Combination) -> str:
    """Makes an environment; returns what went wrong, nothing if all is well."""
    shutil.rmtree(combination.environment, ignore_errors=True)
    python = combination.environment / "bin" / "python"
    others = [item for item in requirements() if not re.match(r"(torch|numpy)\W", item)]
    pinned = [f"torch=={combination.torch}", f"numpy=={combination.numpy}"]
    pip: list[str | Path] = [python, "-m", "pip", "install", "-q", "--only-binary", ":all:"]
    for command in (
        [combination.interpreter, "-m", "venv", combination.environment],
        [*pip, *pinned, *others],
    ):
        done = run(command)
        if done.returncode:
            combination.log.write_text(done.stdout + done.stderr)
            errors = [line for line in done.stderr.splitlines() if "error" in line.lower()]
            return f"does not install: {(errors or ['see its log'])[-1]}"
    return ""


def run_tests(combination: Combination, options: argparse.Namespace) -> Outcome:
    """Installs a combination, runs the tests and keeps their output in `.matrix/`."""
    begin = time.perf_counter()
    problem = install(combination)
    if problem:
        return Outcome(0, 0, 0, time.perf_counter() - begin, problem)
    python = combination.environment / "bin" / "python"
    command = [python, "-m", "pytest", "-n", options.jobs, "--every", options.every]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1"}
    begin = time.perf_counter()
    tests = ["-p", "no:cacheprovider", "-W", UNTESTED, *options.tests]
    done = run([*map(str, command), *tests], cwd=ROOT, env=environment)
    combination.log.write_text(done.stdout + done.stderr)
    return read_outcome(done.stdout, done.returncode, time.perf_counter() - begin)


def read_outcome(text: str, status: int, seconds: float) -> Outcome:
    """Reads what pytest says at its end."""
    counts = {kind: 0 for kind in ("passed", "failed", "skipped", "error", "errors")}
    summary = next((line for line in reversed(text.splitlines()) if " in " in line), "")
    counts.update((kind, int(count)) for count, kind in re.findall(r"(\d+) (\w+)", summary))
    failed = counts["failed"] + counts["error"] + counts["errors"]
    names = re.findall(r"^(?:FAILED|ERROR) (\S+)", text, re.MULTILINE)
    note = "\n".join(names) or ("" if status == 0 else f"pytest ended with status {status}")
    return Outcome(counts["passed"], failed, counts["skipped"], seconds, note)


def as_row(combination: Combination, outcome: Outcome) -> str:
    """Returns a row of the table."""
    cells = combination.python, combination.torch, combination.numpy, *outcome[:3]
    return f"| {' | '.join(map(str, cells))} | {outcome.seconds / 60:.1f} |"


def parse(arguments: list[str]) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--python", action="append", help="a version such as 3.12; again for more")
    parser.add_argument("--torch", help="this release instead of the oldest and the newest")
    parser.add_argument("--numpy", help="this release instead of the oldest and the newest")
    parser.add_argument("--keep", action="store_true", help="keep the environments")
    parser.add_argument("--jobs", type=int, default=2, help="processes that run tests")
    parser.add_argument("--every", type=int, default=8, help="of many samples, run every N-th")
    parser.add_argument("tests", nargs="*", default=["tests"], help="files or folders of tests")
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    """Tests all combinations, one after the other."""
    options = parse(arguments)
    FOLDER.mkdir(exist_ok=True)
    outcomes: dict[Combination, Outcome] = {}
    print(HEADER, flush=True)
    for combination in combinations(options):
        outcome = outcomes[combination] = run_tests(combination, options)
        print(as_row(combination, outcome), flush=True)
        if not options.keep:
            shutil.rmtree(combination.environment, ignore_errors=True)
    for combination, outcome in outcomes.items():
        if outcome.note:
            print(f"\n{combination.environment.name}:\n{outcome.note}")
    return 0 if outcomes and not any(item.note for item in outcomes.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
