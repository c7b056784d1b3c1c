"""Measures the way of a newcomer: from an empty environment to trained digits.

    python -m tools.try_newcomer [--torch cpu] [--load 2] [--use PYTHON] [--folder FOLDER]

Makes an empty environment, installs this tree as `make quickstart` does, and runs the quickstart:
with one thread, with `OMP_NUM_THREADS` unset, and both again while `--load` processes keep cores
busy. Prints times by the clock, times of the processor and sizes as a table in Markdown. Ends with
status 1 if everything beside the download takes more than 90 seconds of the processor, or an unset
`OMP_NUM_THREADS` more than 1.5 times what one thread takes.

`--use` takes an environment that exists, so that no package index is needed.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.try_clients import StepError, python_of
from tools.try_wheel import working_folder

ROOT = Path(__file__).resolve().parents[1]
MOST_SECONDS = 90.0
MOST_RATIO = 1.5
BUSY = "while True: pass"


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


def requirements(torch_build: str) -> list[str]:
    """Returns what is installed, as the Makefile does it."""
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    torch = re.search(r"^torch==.*$", pins, re.MULTILINE)[0]
    return [*([f"{torch}+{torch_build}"] if torch_build else []), f"{ROOT}[examples]"]


def install(folder: Path, torch_build: str) -> list[Step]:
    """Makes the environment; downloading is a step of its own, which is not judged."""
    environment, wheels = folder / "environment", folder / "wheels"
    wanted, pins = requirements(torch_build), ["-c", ROOT / "constraints.txt"]
    variables = dict(os.environ)
    made, _ = measure(
        "make the environment", [sys.executable, "-m", "venv", environment], folder, variables
    )
    pip = [python_of(environment), "-m", "pip"]
    fetched, _ = measure(
        "download", [*pip, "wheel", "-w", wheels, *pins, *wanted], folder, variables
    )
    offline = ["install", "--no-index", "--find-links", wheels, *wheels_of(wheels)]
    installed, _ = measure("install", [*pip, *offline], folder, variables)
    return [
        made,
        Step(fetched.name, fetched.clock, fetched.processor, f"{size_of(wheels) / 1e9:.2f} GB"),
        Step(
            installed.name,
            installed.clock,
            installed.processor,
            f"{size_of(environment) / 1e9:.2f} GB on disk",
        ),
    ]


def wheels_of(folder: Path) -> list[Path]:
    """Returns the wheels of a folder."""
    return sorted(folder.glob("*.whl"))


def train(python: Path, folder: Path, threads: str, name: str) -> Step:
    """Runs the quickstart with a number of threads, or as `make quickstart` does if "" is given."""
    clean = {k: v for k, v in os.environ.items() if k not in ("OMP_NUM_THREADS", "PYTHONPATH")}
    chosen = {"OMP_NUM_THREADS": threads} if threads else {"OMP_WAIT_POLICY": "passive"}
    program = ROOT / "examples" / "quickstart.py"
    extra = {"PYTHONPATH": str(ROOT / "src")}  # of an environment that exists, this tree is tried
    step, printed = measure(
        name, [python, program, "--output", folder / "out"], folder, clean | chosen | extra
    )
    accuracy = re.findall(r"accuracy\D*([\d.]+)", printed)
    return Step(
        step.name, step.clock, step.processor, f"accuracy {accuracy[-1]}" if accuracy else ""
    )


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


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--torch", default="", help="build of torch, such as cpu")
    parser.add_argument("--load", type=int, default=os.cpu_count() or 1, help="busy processes")
    parser.add_argument("--use", type=Path, help="interpreter of an environment that exists")
    parser.add_argument("--folder", type=Path, help="keep the environment here")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """Measures all steps, prints them and judges them."""
    options = parse(arguments)
    wrong = []
    print("| step | seconds | of the processor | |\n| --- | ---: | ---: | --- |", flush=True)
    with working_folder(options.folder) as folder:
        installing = [] if options.use else install(folder, options.torch)
        for step in installing:
            print(step.row(), flush=True)
        python = options.use.absolute() if options.use else python_of(folder / "environment")
        for load, state in ((0, "idle"), (options.load, f"{options.load} busy processes")):
            with busy(load):
                one = train(python, folder, "1", f"train, 1 thread, {state}")
                print(one.row(), flush=True)
                unset = train(python, folder, "", f"train, OMP_NUM_THREADS unset, {state}")
                print(unset.row(), flush=True)
            wrong += [f"{state}: {reason}" for reason in judge(installing, one, unset)]
    print(*(f"\nTOO MUCH: {reason}" for reason in wrong), sep="")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
