"""Uses the wheel in empty environments outside of the tree, with every Python at hand.

    python -m tools.try_wheel [--python 3.12] [--dist FOLDER] [--tests] [--folder FOLDER]

Builds source distribution and wheel, or takes those in `--dist`. For each Python it makes an empty
environment, installs the wheel as a user does, and runs in an empty folder: the program of the
README, the command line, and a library built on MXNet. With `--tests` it also unpacks the source
distribution and runs a sample of its tests there. Prints a table in Markdown; ends with status 1
unless all went well.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.clients.catalog import CLIENTS
from tools.test_matrix import PYTHONS, find_interpreter
from tools.try_clients import StepError, python_of, run

ROOT = Path(__file__).resolve().parents[1]
CLIENT = next(client for client in CLIENTS if client.name == "gluoncv2")
"""A library that needs little beside the package."""
TEST_TOOLS = ("hypothesis", "matplotlib", "pytest", "pytest-xdist")
SAMPLE = (
    *("tests/arrays/test_array.py", "tests/formats/test_params_file.py", "tests/metric"),
    *("tests/tools/test_setup.py", "tests/tools/test_make_support_table.py"),
)
"""Tests that read golden files, documentation and tools."""
STEPS = ("README", "command line", CLIENT.title, "tests of the sdist")
COMMANDS = (("glueball", "--version"), ("glueball", "doctor"), ("im2rec", "--help"))


def build(folder: Path) -> Path:
    """Builds both distributions in an environment of their own; returns their folder."""
    environment = folder / "build"
    run([sys.executable, "-m", "venv", environment])
    run([python_of(environment), "-m", "pip", "install", "-q", "build"])
    run([python_of(environment), "-m", "build", "-q", "--outdir", folder / "dist", ROOT])
    return folder / "dist"


def find_one(folder: Path, pattern: str) -> Path:
    """Returns the only file of a pattern.

    Raises:
        StepError: if there is none, or more than one.
    """
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise StepError(f"{folder}: expected one {pattern}, got {len(found)}")
    return found[0].resolve()


class Trial:
    """An environment with the wheel, and an empty folder to work in.

    Args:
        folder: Folder of both, which is made.
        interpreter: The Python.
        dist: Folder of the distributions.
        requirements: What pip installs together with the wheel, such as a release of torch.
    """

    def __init__(
        self, folder: Path, interpreter: Path, dist: Path, requirements: list[str]
    ) -> None:
        self._environment = folder / "environment"
        self._work = folder / "work"
        self._work.mkdir(parents=True)
        self._sdist = find_one(dist, "glueball-*.tar.gz")
        run([interpreter, "-m", "venv", self._environment])
        self.pip("install", "-q", find_one(dist, "glueball-*.whl"), *requirements)

    @property
    def python(self) -> Path:
        """Returns the interpreter of the environment."""
        return python_of(self._environment)

    def run(self, *command: str | Path, cwd: Path | None = None) -> str:
        """Runs a command that sees nothing of this tree."""
        clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        return run(list(command), cwd=cwd or self._work, env=clean)

    def pip(self, *arguments: str | Path) -> None:
        """Runs pip in the environment."""
        self.run(self.python, "-m", "pip", *arguments)

    def releases(self) -> tuple[str, str]:
        """Returns the releases of torch and NumPy that were installed."""
        code = "import torch, numpy; print(torch.__version__, numpy.__version__)"
        torch, numpy = self.run(self.python, "-c", code).split()
        return torch, numpy

    def try_readme(self) -> None:
        """Runs the program of the README."""
        text = (ROOT / "README.md").read_text(encoding="utf-8")
        (self._work / "program.py").write_text(
            re.search(r"```python\n(.*?)```", text, re.DOTALL)[1], encoding="utf-8"
        )
        printed = self.run(self.python, "program.py")
        if "NDArray 1x2" not in printed or not (self._work / "linear.params").exists():
            raise StepError(f"printed {printed!r}")

    def try_command_line(self) -> None:
        """Runs the programs that the wheel installs, and the package as a program."""
        scripts = self.python.parent
        for name, *arguments in COMMANDS:
            self.run(scripts / name, *arguments)
        self.run(self.python, "-m", "mxnet", "--version")

    def try_client(self) -> None:
        """Installs a library and runs its program."""
        for line in CLIENT.install:
            self.pip("install", "-q", *line.split())
        program = ROOT / "tools" / "clients" / CLIENT.program
        shutil.copy(program, self._work)
        self.run(self.python, CLIENT.program)

    def try_tests(self) -> None:
        """Runs a sample of the tests in the unpacked source distribution."""
        self.pip("install", "-q", *TEST_TOOLS)
        with tarfile.open(self._sdist) as archive:
            archive.extractall(self._work, filter="data")
        (tree,) = self._work.glob("glueball-*")
        self.run(self.python, "-m", "pytest", "-q", "--every", "8", *SAMPLE, cwd=tree)


def attempt(step: Callable[[], None]) -> str:
    """Runs a step; returns "yes", or what went wrong."""
    try:
        step()
    except StepError as error:
        return f"NO: {error}"
    return "yes"


def try_python(folder: Path, version: str, options: argparse.Namespace) -> list[str]:
    """Returns the cells of the row of a Python."""
    interpreter = find_interpreter(version)
    if interpreter is None:
        return [version, "no interpreter at hand"]
    try:
        trial = Trial(folder / version, interpreter, options.dist, options.require)
        cells = [version, *trial.releases()]
    except StepError as error:
        return [version, f"does not install: {error}"]
    steps = [trial.try_readme, trial.try_command_line, trial.try_client]
    steps += [trial.try_tests] if options.tests else []
    return cells + [attempt(step) for step in steps]


@contextmanager
def working_folder(given: Path | None) -> Iterator[Path]:
    """Returns the folder of the environments; one that is not given is deleted in the end."""
    if given is not None:
        given.mkdir(parents=True, exist_ok=True)
        yield given.resolve()
        return
    with tempfile.TemporaryDirectory(prefix="glueball-wheel-") as made:
        yield Path(made)


def parse(arguments: list[str]) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--python", action="append", help="a version such as 3.12; again for more")
    parser.add_argument("--dist", type=Path, help="folder of a wheel and a source distribution")
    parser.add_argument("--folder", type=Path, help="keep the environments here")
    parser.add_argument("--tests", action="store_true", help="run tests of the source distribution")
    parser.add_argument(
        "--require", action="append", default=[], help="install this too, such as torch==2.13.0"
    )
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    """Tries one Python after the other."""
    options = parse(arguments)
    titles = ["Python", "torch", "NumPy", *STEPS[: 4 if options.tests else 3]]
    with working_folder(options.folder) as folder:
        options.dist = options.dist or build(folder)
        rows = []
        print(f"| {' | '.join(titles)} |\n{'| --- ' * len(titles)}|", flush=True)
        for version in options.python or PYTHONS:
            rows.append(try_python(folder, version, options))
            print(f"| {' | '.join(rows[-1])} |", flush=True)
    wanted = [*["yes"] * (len(titles) - 3)]
    return 0 if rows and all(row[3:] == wanted for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
