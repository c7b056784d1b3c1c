"""Runs a file of tests in a process of its own, and goes on after a test that ends the process."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
HIDDEN = ("MXNET_", "PYTEST_", "DMLC_", "SUITE_")
"""Variables of the user's that would change what tests do begin so."""
SILENCE = 600.0
"""Seconds that importing the files may take."""
ORDER = ("passed", "skipped", "failed", "hung", "crashed")
UNREAD = "cannot be imported"
NO_TESTS = 5
"""Status with which pytest ends when there is nothing to run."""


class Result(NamedTuple):
    """How a test ended."""

    outcome: str
    """One of `ORDER`."""
    seconds: float
    said: str


@dataclass(frozen=True)
class Setting:
    """How tests are run.

    Attributes:
        python: Interpreter.
        root: Folder that the names of tests begin at.
        paths: Folders for `PYTHONPATH`.
        proxy: Address that answers downloads.
        limit: Seconds that a test may take.
        arguments: Further arguments of pytest.
        variables: Environment variables.
        logs: Folder for what tests print, if that is to be kept.
        threads: Number of threads that a process may use.
        beside: Whether the tests' own folder is the working folder, or an empty one.
    """

    python: Path
    root: Path
    paths: tuple[Path, ...] = ()
    proxy: str = ""
    limit: float = 300.0
    arguments: tuple[str, ...] = ()
    variables: dict[str, str] = field(default_factory=dict)
    logs: Path | None = None
    threads: int = 1
    beside: bool = False

    def environment(self, home: Path) -> dict[str, str]:
        """Returns the variables of a process whose home is a given folder."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith(HIDDEN)}
        proxies = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")
        return {
            **kept,
            **dict.fromkeys(proxies, self.proxy),
            "no_proxy": "localhost,127.0.0.1",
            "HOME": str(home),
            "TMPDIR": str(home),
            "MPLBACKEND": "agg",
            "OMP_NUM_THREADS": str(self.threads),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": os.pathsep.join(map(str, (HERE / "inside", *self.paths))),
            "SUITE_STAND_INS": str(HERE / "stand_ins"),
            "SUITE_NOTES": str(home / "notes"),
            "SUITE_DONE": str(home / "done"),
            **self.variables,
        }


class Notes:
    """What the plugin in a process has noted so far."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.position = 0
        self.running = ""
        self.since = time.monotonic()
        self.results: dict[str, Result] = {}

    def read(self) -> None:
        """Takes the lines that are new."""
        if not self.path.exists():
            return
        with self.path.open("rb") as file:
            file.seek(self.position)
            lines = file.read()
        whole = lines[: lines.rfind(b"\n") + 1]
        self.position += len(whole)
        for line in whole.splitlines():
            self.take(*json.loads(line))

    def take(self, kind: str, *fields: Any) -> None:
        """Takes one line."""
        self.since = time.monotonic()
        if kind == "begin":
            (self.running,) = fields
        elif kind == "end":
            self.running = ""
            self.results[fields[0]] = Result(*fields[1:])
        elif kind == "unread":
            name, outcome, said = fields
            self.results[f"{name}::{UNREAD}"] = Result(outcome, 0.0, said)


def run_file(setting: Setting, name: str) -> dict[str, Result]:
    """Runs the tests of a file or folder of the suite.

    Returns:
        Results by names of tests; for a file that does not import, one called `UNREAD`.
    """
    results: dict[str, Result] = {}
    home = Path(tempfile.mkdtemp(prefix="suite-"))
    try:
        while True:
            (home / "done").write_text(json.dumps(list(results)), encoding="utf-8")
            (home / "notes").unlink(missing_ok=True)
            notes, status, hung = run_process(setting, name, home)
            results.update(notes.results)
            if notes.running:
                seconds = round(time.monotonic() - notes.since, 1)
                said = f"stopped after {seconds} s" if hung else f"the process ended with {status}"
                results[notes.running] = Result("hung" if hung else "crashed", seconds, said)
                continue
            if not results and status not in (0, NO_TESTS):
                said = f"the process ended with {status} before any test"
                results[f"{name}::{UNREAD}"] = Result("crashed", 0.0, said)
            return fold(results)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def run_process(setting: Setting, name: str, home: Path) -> tuple[Notes, int, bool]:
    """Runs pytest once; returns its notes, its status and whether it had to be stopped."""
    notes = Notes(home / "notes")
    folder = Path(tempfile.mkdtemp(prefix="work-", dir=home))
    (folder / "data").mkdir()  # tests download to it without making it
    command = [setting.python, "-X", "faulthandler", "-m", "pytest", setting.root / name]
    command += ["--rootdir", setting.root, "-c", HERE / "inside" / "pytest.ini"]
    command += ["-p", "suite_plugin", "-p", "no:cacheprovider", "-p", "no:warnings", "-q", "-rN"]
    command += ["--assert=plain", "--tb=short", "--continue-on-collection-errors"]
    command += [*setting.arguments]
    log = setting.logs / f"{name.replace('/', '.')}.log" if setting.logs else Path(os.devnull)
    with log.open("ab") as output:
        process = subprocess.Popen(
            list(map(str, command)),
            cwd=setting.root if setting.beside else folder,
            env=setting.environment(home),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        hung = not watch(process, notes, setting.limit)
        stop(process)
    notes.read()
    shutil.rmtree(folder, ignore_errors=True)
    return notes, process.returncode, hung


def watch(process: subprocess.Popen[bytes], notes: Notes, limit: float) -> bool:
    """Waits for a process; returns `False` once a test has taken too long."""
    while process.poll() is None:
        time.sleep(0.1)
        notes.read()
        if time.monotonic() - notes.since > (limit if notes.running else SILENCE):
            return False
    return True


def stop(process: subprocess.Popen[bytes]) -> None:
    """Ends a process and those that it has started."""
    with suppress(ProcessLookupError, PermissionError):  # all of them have ended
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def fold(results: dict[str, Result]) -> dict[str, Result]:
    """Makes one test of the cases of a parametrized one, which passes if none of them fails."""
    folded: dict[str, Result] = {}
    for name, result in results.items():
        test = name.partition("[")[0]
        before = folded.get(test)
        if before:
            seconds = round(before.seconds + result.seconds, 3)
            result = worse(before, result)._replace(seconds=seconds)
        folded[test] = result
    return folded


def worse(one: Result, other: Result) -> Result:
    """Returns the result that counts for two cases; one that is skipped counts for nothing."""
    if {one.outcome, other.outcome} == {"passed", "skipped"}:
        return one if one.outcome == "passed" else other
    return max(one, other, key=lambda result: ORDER.index(result.outcome))
