"""Measures the way of a newcomer: from an empty environment to trained digits.

    python -m tools.try_newcomer [--torch cpu] [--load 2] [--use ENVIRONMENT] [--folder FOLDER]

Copies this tree, downloads what it needs, and runs `make quickstart` in the copy: the installation
into an empty environment, then the training with one thread and with `OMP_NUM_THREADS` unset, and
both again while `--load` processes keep cores busy. Prints times by the clock, times of the
processor and sizes as a table in Markdown. Ends with status 1 if everything beside the download
takes more than 90 seconds of the processor, or an unset `OMP_NUM_THREADS` more than 1.5 times what
one thread takes.

`--use` takes an environment that exists, so that nothing is downloaded and installed.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from tools.try_clients import StepError, python_of
from tools.try_wheel import working_folder

ROOT = Path(__file__).resolve().parents[1]
MOST_SECONDS = 90.0
MOST_RATIO = 1.5
BUSY = "while True: pass"
NOT_COPIED = (".*", "__pycache__", "*.egg-info", "build", "dist")
STAMP = ".quickstart"
"""The file that the Makefile makes in an environment after the installation."""


@dataclass(frozen=True)
class Step:
    """What a step took: seconds by the clock, and of the processor."""

    name: str
    clock: float
    processor: float
    remark: str = ""

    def row(self) -> str:
        """Returns the row of the table."""
        return f"| {self.name} | {self.clock:.1f} | {self.processor:.1f} | {self.remark} |"


def measure(
    name: str, command: Sequence[str | Path], folder: Path, variables: dict[str, str]
) -> tuple[Step, str]:
    """Runs a command; returns what it took, with its children, and what it printed.

    Raises:
        StepError: if it fails.
    """
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        list(map(str, command)), cwd=folder, env=variables, capture_output=True, text=True
    )
    clock, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise StepError(f"{name}: status {done.returncode}: {done.stderr.strip()[-500:]}")
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Step(name, clock, processor), done.stdout


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Keeps so many cores busy for the time of a `with` block."""
    others = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(count)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()  # after all measured steps, so that its time is in none of them


def size_of(folder: Path) -> int:
    """Returns the bytes of all files below a folder."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())


def requirements(tree: Path, torch_build: str) -> list[str]:
    """Returns what `make quickstart` installs, and what it needs to build the package."""
    pins = (tree / "constraints.txt").read_text(encoding="utf-8")
    settings = (tree / "pyproject.toml").read_text(encoding="utf-8")
    torch = re.search(r"^torch==.*$", pins, re.MULTILINE)[0]
    builder = re.search(r'^requires = \["([^"]+)"\]$', settings, re.MULTILINE)[1]
    return [*([f"{torch}+{torch_build}"] if torch_build else []), builder, f"{tree}[examples]"]


def variables(**others: str | Path) -> dict[str, str]:
    """Returns the environment of a newcomer, who has set nothing for this project."""
    own = ("MAKEFLAGS", "OMP_NUM_THREADS", "PYTHONPATH", "VIRTUAL_ENV")
    clean = {name: value for name, value in os.environ.items() if name not in own}
    return clean | {name: str(value) for name, value in others.items()}


def install(tree: Path, folder: Path, torch_build: str) -> list[Step]:
    """Makes the environment; downloading is a step of its own, which is not judged."""
    wheels = folder / "wheels"
    pip = [sys.executable, "-m", "pip", "download", "-d", wheels, "-c", tree / "constraints.txt"]
    fetched, _ = measure("download", [*pip, *requirements(tree, torch_build)], folder, variables())
    offline = variables(PIP_NO_INDEX="1", PIP_FIND_LINKS=wheels)
    make = ["make", f"PYTHON={sys.executable}", f"TORCH={torch_build}", f".venv/{STAMP}"]
    installed, _ = measure("install", make, tree, offline)
    return [
        replace(fetched, remark=f"{size_of(wheels) / 1e9:.2f} GB"),
        replace(installed, remark=f"{size_of(tree / '.venv') / 1e9:.2f} GB on disk"),
    ]


def train(tree: Path, environment: Path, threads: str, name: str) -> Step:
    """Runs `make quickstart` with a number of threads, with `OMP_NUM_THREADS` unset if ""."""
    others = {"OMP_NUM_THREADS": threads} if threads else {}
    # An environment that exists may have another tree installed; what is there is not remade.
    make = ["make", f"VENV={environment}", "-o", environment / STAMP, "quickstart"]
    step, printed = measure(name, make, tree, variables(PYTHONPATH=tree / "src", **others))
    accuracy = re.findall(r"accuracy\D*([\d.]+)", printed)
    return replace(step, remark=f"accuracy {accuracy[-1]}" if accuracy else "")


def judge(installing: Sequence[Step], one: Step, unset: Step) -> list[str]:
    """Returns what is not as it has to be."""
    beside = sum(step.processor for step in installing if step.name != "download")
    total, ratio = beside + unset.processor, unset.processor / one.processor
    wrong = []
    if total > MOST_SECONDS:
        wrong.append(
            f"{total:.0f} s of the processor beside the download, {MOST_SECONDS:.0f} allowed"
        )
    if ratio > MOST_RATIO:
        wrong.append(
            f"OMP_NUM_THREADS unset takes {ratio:.2f} times one thread, {MOST_RATIO} allowed"
        )
    return wrong


def describe(python: Path) -> str:
    """Returns the date, the machine and the releases that were measured."""
    code = (
        "import platform, numpy, torch; print('Python', platform.python_version() + "
        "', torch', torch.__version__ + ', NumPy', numpy.__version__)"
    )
    releases = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{time.strftime('%Y-%m-%d')}, {cores} cores, {releases.stdout.strip()}"


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--torch", default="", help="build of torch, such as cpu")
    parser.add_argument("--load", type=int, default=os.cpu_count() or 1, help="busy processes")
    parser.add_argument("--use", type=Path, help="folder of an environment that exists")
    parser.add_argument("--folder", type=Path, help="keep the copy and its environment here")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """Measures all steps, prints them and judges them."""
    options = parse(arguments)
    wrong = []
    print("| step | seconds | of the processor | |\n| --- | ---: | ---: | --- |", flush=True)
    with working_folder(options.folder) as folder:
        tree = folder / "tree"
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*NOT_COPIED))
        installing = [] if options.use else install(tree, folder, options.torch)
        for step in installing:
            print(step.row(), flush=True)
        environment = options.use.absolute() if options.use else tree / ".venv"
        for load, state in ((0, "no load"), (options.load, f"{options.load} busy processes")):
            with busy(load):
                one = train(tree, environment, "1", f"train, 1 thread, {state}")
                print(one.row(), flush=True)
                unset = train(tree, environment, "", f"train, OMP_NUM_THREADS unset, {state}")
                print(unset.row(), flush=True)
            wrong += [f"{state}: {reason}" for reason in judge(installing, one, unset)]
        print(f"\n{describe(python_of(environment))}")
    print(*(f"\nTOO MUCH: {reason}" for reason in wrong), sep="")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
