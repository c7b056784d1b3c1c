"""Installs libraries built on MXNet beside Glueball and runs a program with each.

    python -m tools.try_clients [NAME ...] [--folder .clients] [--fresh] [--write]

Builds the wheel of this project, installs it into an environment under `.clients/`, and gives each
library of `tools/clients/catalog.py` an environment on top of that one, into which the lines of the
documentation install it. Packages come from the index that pip is set up with. Prints a table in
Markdown; with `--write` it goes into `docs/clients.md`. Ends with status 1 unless all programs ran.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tools.clients.catalog import CLIENTS, Client

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "clients.md"
BEGIN, END = "<!-- clients: make clients -->", "<!-- end of clients -->"
SECONDS = 3600
"""After which a command hangs; installing torch takes minutes on a busy machine."""


class Outcome(NamedTuple):
    """How a program ended."""

    ran: bool
    said: str


class StepError(Exception):
    """A step that a program needs went wrong."""


def run(command: list[str | Path], **options) -> str:
    """Runs a command and returns what it printed.

    Raises:
        StepError: if it fails, with the last line of what it said.
    """
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=SECONDS, **options
        )
    except subprocess.TimeoutExpired as error:
        raise StepError(f"took longer than {SECONDS} seconds") from error
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines() or ["no message"]
        raise StepError(lines[-1])
    return done.stdout


def python_of(environment: Path) -> Path:
    """Returns the interpreter of an environment."""
    return environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def packages_of(environment: Path) -> Path:
    """Returns the folder of an environment in which packages lie."""
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    return Path(run([python_of(environment), "-c", code]).strip())


def make_base(folder: Path) -> Path:
    """Makes the environment with Glueball and its engine, as the wheel of this tree brings it."""
    base = folder / "base"
    wheels = folder / "wheel"
    shutil.rmtree(wheels, ignore_errors=True)
    if not python_of(base).exists():
        run([sys.executable, "-m", "venv", base])
    pip = [python_of(base), "-m", "pip"]
    run([*pip, "wheel", "-q", "--no-deps", "-w", wheels, ROOT])
    (wheel,) = wheels.glob("glueball-*.whl")
    run([*pip, "install", "-q", "-c", ROOT / "constraints.txt", wheel])
    run([*pip, "install", "-q", "--force-reinstall", "--no-deps", wheel])
    return base


def install(client: Client, folder: Path, base: Path) -> Path:
    """Makes the environment of a library, in which that of Glueball can be seen."""
    environment = folder / client.name
    if python_of(environment).exists():
        return environment
    try:
        run([sys.executable, "-m", "venv", environment])
        link = packages_of(environment) / "glueball-base.pth"
        link.write_text(f"{packages_of(base)}\n", encoding="utf-8")
        for line in client.install:
            run([python_of(environment), "-m", "pip", "install", "-q", *line.split()])
    except StepError:
        shutil.rmtree(environment, ignore_errors=True)  # or the next run would take it for whole
        raise
    return environment


def try_client(client: Client, folder: Path, base: Path) -> Outcome:
    """Installs a library and runs its program."""
    try:
        environment = install(client, folder, base)
        clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        program = ROOT / "tools" / "clients" / client.program
        said = run([python_of(environment), program], env={**clean, **client.variables}, cwd=folder)
    except StepError as error:
        return Outcome(False, str(error))
    return Outcome(True, "; ".join(said.strip().splitlines()))


def describe(client: Client, outcome: Outcome) -> str:
    """Returns what the documentation says of a library."""
    variables = "".join(f"export {key}={value}\n" for key, value in client.variables.items())
    lines = "".join(f"pip install {shell_words(line)}\n" for line in client.install)
    result = "Ran" if outcome.ran else "FAILED"
    return (
        f"### {client.title}\n\n```sh\n{lines}{variables}```\n\n{client.why}\n\n"
        f"{result}: [{client.program}](../tools/clients/{client.program}) printed "
        f"`{outcome.said}`\n"
    )


def shell_words(line: str) -> str:
    """Returns arguments of pip as a shell takes them."""
    return " ".join(map(shlex.quote, line.split()))


def write_page(outcomes: dict[Client, Outcome], base: Path) -> None:
    """Writes table and sections into the page."""
    code = "import sys, numpy, torch; print(sys.version.split()[0], torch.__version__, "
    code += "numpy.__version__)"
    python, torch, numpy = run([python_of(base), "-c", code]).split()
    ran = sum(outcome.ran for outcome in outcomes.values())
    text = (
        f"{ran} of {len(outcomes)} ran, with Python {python}, torch {torch} and, where the lines "
    )
    text += f"below do not say otherwise, NumPy {numpy}.\n\n"
    text += "\n".join(describe(client, outcome) for client, outcome in outcomes.items())
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n\n{text}\n{END}{after}", encoding="utf-8")


def parse(arguments: list[str]) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="libraries to try; all if none is named")
    parser.add_argument("--folder", type=Path, default=ROOT / ".clients", help="environments")
    parser.add_argument("--fresh", action="store_true", help="install again")
    parser.add_argument("--write", action="store_true", help="write docs/clients.md")
    options = parser.parse_args(arguments)
    unknown = set(options.names) - {client.name for client in CLIENTS}
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    if options.write and options.names:
        parser.error("--write needs all libraries")
    return options


def main(arguments: list[str]) -> int:
    """Tries the libraries, one after the other."""
    options = parse(arguments)
    folder = options.folder.resolve()
    if options.fresh:
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    base = make_base(folder)
    outcomes: dict[Client, Outcome] = {}
    print("| library | ran | what it printed |\n| --- | --- | --- |", flush=True)
    for client in CLIENTS:
        if not options.names or client.name in options.names:
            outcome = outcomes[client] = try_client(client, folder, base)
            ran = "yes" if outcome.ran else "NO"
            print(f"| {client.title} | {ran} | {outcome.said} |", flush=True)
    if options.write:
        write_page(outcomes, base)
    return 0 if all(outcome.ran for outcome in outcomes.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
