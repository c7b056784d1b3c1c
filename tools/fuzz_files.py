"""Feeds hostile files to every reader, and keeps those that it does not survive.

    python -m tools.fuzz_files --count 100000 --seed 1 --keep findings
    python -m tools.fuzz_files --minutes 30 --seed 1 --keep findings

Files are made by the grammar of their format (`tools/fuzzing`), read in child processes under
limits of time and memory. A reader may succeed, or raise an `MXNetError` or a `ValueError`;
anything else is a finding: another exception, a signal, a file that takes more than ten seconds
or more than a GiB, code that runs. The number of a file and the seed make the same file again.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import os
import random
import resource
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.fuzzing import (
    checkpoints,
    images,
    journals,
    params,
    programs,
    records,
    safetensors,
    states,
    symbols,
    texts,
)
from tools.fuzzing.mutation import Format

FORMATS = {
    item.name: item
    for item in (
        symbols.FORMAT,
        params.FORMAT,
        safetensors.FORMAT,
        states.FORMAT,
        records.RECORDS,
        records.INDEX,
        images.IMAGES,
        texts.CSV,
        texts.LIBSVM,
        texts.VECTORS,
        texts.LIST,
        programs.PROGRAM,
        programs.NOTEBOOK,
        journals.FORMAT,
        checkpoints.FORMAT,
    )
}
if importlib.util.find_spec("onnx") is not None:  # an extra
    FORMATS["onnx"] = importlib.import_module("tools.fuzzing.onnx").FORMAT
SECONDS = 10
MEMORY = 1 << 30
FOLDER = Path("/dev/shm")
"""Where files are written if it exists: in memory, which is a hundred times as fast as a disk."""
BATCH = 500
"""Files that one child reads."""


@dataclass(frozen=True)
class Finding:
    """A file that a reader does not survive."""

    format: str
    number: int
    content: bytes
    reason: str


def make_file(format: Format, seed: int, number: int) -> bytes:
    """Makes a file again."""
    return format.make(random.Random(f"{format.name}-{seed}-{number}"))


def judge(format: Format, path: Path) -> str | None:
    """Reads a file and returns what is wrong with the way it went, None if nothing."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            format.use(path)
    except (ValueError, RuntimeError) as error:
        kinds = {kind.__name__ for kind in type(error).__mro__}
        if kinds & {"MXNetError", "ValueError"}:
            return None
        return "".join(traceback.format_exception(error, limit=-3))
    except Exception as error:  # noqa: BLE001 - any other error is a finding
        return "".join(traceback.format_exception(error, limit=-3))
    return None


def _time_out(*_: object) -> None:
    raise TimeoutError(f"takes more than {SECONDS} s")


def _read_batch(format: Format, seed: int, numbers: Sequence[int], sink: int) -> None:
    """Reads files in this process, telling before each which one it is."""
    signal.signal(signal.SIGALRM, _time_out)
    room = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (room + 2 * MEMORY, room + 2 * MEMORY))
    with TemporaryDirectory(dir=FOLDER if FOLDER.is_dir() else None) as folder:
        os.chdir(folder)
        path = Path(folder, f"hostile{format.suffix}")
        for number in numbers:
            _tell(sink, {"number": number})
            path.write_bytes(make_file(format, seed, number))
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            signal.alarm(SECONDS)
            reason = judge(format, path)
            signal.alarm(0)
            grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
            if Path(folder, "OWNED").exists():
                reason = "code ran"
                Path(folder, "OWNED").unlink()
            if reason is None and grown > MEMORY:
                reason = f"takes {grown >> 20} MiB"
            if reason is not None:
                _tell(sink, {"finding": number, "reason": reason[-3000:]})


def _tell(sink: int, message: object) -> None:
    os.write(sink, (json.dumps(message) + "\n").encode())


def _run_child(format: Format, seed: int, numbers: Sequence[int]) -> tuple[list[str], int]:
    """Reads files in a child; returns the lines that it told and how it ended."""
    source, sink = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(source)
        try:
            _read_batch(format, seed, numbers, sink)
        finally:
            os._exit(0)
    os.close(sink)
    with os.fdopen(source, "rb") as pipe:
        lines = pipe.read().decode().splitlines()
    return lines, os.waitpid(child, 0)[1]


def fuzz(format: Format, seed: int, count: int) -> Iterator[Finding]:
    """Yields what a reader does not survive of some files."""
    todo = list(range(count))
    format.make(random.Random(0))  # seeds are made once, before the first fork
    importlib.import_module("torch._dynamo")  # which the first inference of shapes would load
    while todo:
        lines, status = _run_child(format, seed, todo[:BATCH])
        told = [json.loads(line) for line in lines]
        for line in told:
            if "finding" in line:
                content = make_file(format, seed, line["finding"])
                yield Finding(format.name, line["finding"], content, line["reason"])
        done = [line["number"] for line in told if "number" in line]
        if os.WIFSIGNALED(status):
            reason = f"ends by signal {os.WTERMSIG(status)}"
            yield Finding(format.name, done[-1], make_file(format, seed, done[-1]), reason)
        todo = todo[len(done) :]


def _run_format(format: Format, seed: int, count: int, keep: Path | None) -> int:
    """Reads some files of a format and prints what was found; returns how many that were."""
    start, found = time.monotonic(), 0
    for finding in fuzz(format, seed, count):
        found += 1
        print(f"{format.name} {seed}-{finding.number}: {finding.reason}", flush=True)
        if keep is not None:
            keep.mkdir(parents=True, exist_ok=True)
            (keep / f"{seed}-{finding.number}{format.suffix}").write_bytes(finding.content)
    seconds = time.monotonic() - start
    print(f"{format.name}: {count} files, {found} findings, {seconds:.0f} s", flush=True)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns 1 if there are findings."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=10_000, help="files in all")
    parser.add_argument("--minutes", type=float, help="go on with further seeds for so long")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--format", choices=[*FORMATS, "all"], default="all")
    parser.add_argument("--keep", type=Path, help="folder for the files that were found")
    given = parser.parse_args(arguments)
    chosen = list(FORMATS.values()) if given.format == "all" else [FORMATS[given.format]]
    end = time.monotonic() + 60 * (given.minutes or 0)
    found, seed = 0, given.seed
    while True:
        for format in chosen:
            found += _run_format(format, seed, given.count // len(chosen), given.keep)
        seed += 1
        if time.monotonic() >= end:
            return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
