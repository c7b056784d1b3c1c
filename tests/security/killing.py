"""Kills processes that write, and fills up their disk, and looks at what they leave.

    python -m tests.security.killing WAYS [--kills 1000] [--seed 0] ...

prints a line of figures for each writer: killed at random moments, before each call of the system,
with a limit to the size of files, on a small disk, at the same time as another, without the right
to write. Killed processes are forks of this one, which has imported the package.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from tqdm import tqdm

from mxnet import MXNetError
from tests.security.writers import SETS, WRITERS, Writer

PAGE = 4096
DISK_PAGES = 400
MOST_FREE_PAGES = 12
MOST_SIZES = 400
READ_AT_ONCE = ("export", "model.save_checkpoint")
"""Sets that are checked by one call; other checks look several times."""
STEPS = (
    *("open", "link", "replace", "unlink", "fsync", "chmod", "ftruncate", "write"),
    *("rename", "mkdir", "rmdir"),
)
"""Functions of the system at which a writer can be stopped."""


def warm_up() -> None:
    """Makes networks and modules, so that forked processes have them."""
    with tempfile.TemporaryDirectory() as folder:
        for name, writer in WRITERS.items():
            Path(folder, name).mkdir()
            for generation in range(2):
                writer.save(f"{folder}/{name}", generation)
                writer.check(f"{folder}/{name}")


def fork(work: Callable[[], object]) -> int:
    """Runs a function in a child process, which ends with status 1 if it raises."""
    child = os.fork()
    if child:
        return child
    # What the parent has left to collect, such as groups of processes, ends threads that are not
    # here: its destructors would wait for them for ever.
    gc.freeze()
    status = 1
    try:
        work()
        status = 0
    except BaseException:  # noqa: BLE001 - told by the status
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def do_not_sync(fd: int) -> None:
    """Takes the place of `os.fsync` where only the order of calls matters."""


def wait(child: int) -> int:
    """Returns the exit status of a child, negative if it was killed."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def save_whole(writer: Writer, folder: str, generation: int) -> None:
    """Saves in a child process, and checks that it leaves nothing but the files."""
    assert wait(fork(lambda: writer.save(folder, generation))) == 0
    assert writer.check(folder) == generation
    assert not hidden(folder), f"left: {hidden(folder)}"


def hidden(folder: str) -> list[str]:
    """Returns the names of files that no user has asked for."""
    return [path.name for path in Path(folder).rglob(".*")]


def has_journal(folder: str) -> bool:
    """Returns whether a set of files has been left amid its renames."""
    return any(name.endswith(".pending") for name in hidden(folder))


def kill_at_random(writer: Writer, folder: str, first: int, rng: random.Random) -> int:
    """Kills a process that saves one generation after the other, and returns which is found."""

    is_synced, seconds = rng.random() < 0.5, rng.random() * writer.seconds
    source, sink = os.pipe()

    def work() -> None:
        if not is_synced:
            os.fsync = do_not_sync  # so that more of the time is spent between two steps
        os.write(sink, b"begin")
        for generation in itertools.count(first):
            writer.save(folder, generation)

    child = fork(work)
    os.close(sink)
    os.read(source, 5)
    os.close(source)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    assert wait(child) == -signal.SIGKILL
    found = writer.check(folder)
    assert found >= first - 1 or writer.is_stream, f"generation {found} is older than {first - 1}"
    return found


def kill_at_step(writer: Writer, folder: str, generation: int, step: int) -> bool:
    """Kills a process before it calls the system for the n-th time, if it comes to that."""

    def work() -> None:
        left = itertools.count(step, -1)

        def stop_before(function: Callable[..., object]) -> Callable[..., object]:
            def call(*args: object, **kwargs: object) -> object:
                if next(left) == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                return function(*args, **kwargs)

            return call

        for name in STEPS:
            setattr(os, name, stop_before(getattr(os, name)))
        writer.save(folder, generation)

    status = wait(fork(work))
    assert status in (0, -signal.SIGKILL)
    found = writer.check(folder)
    assert found in (generation - 1, generation) or writer.is_stream
    return status != 0


def kill_randomly(root: str, kills: int, seed: int) -> None:
    """Kills writers in turn and prints what was found."""
    rng = random.Random(seed)
    found: dict[str, Counter[str]] = {name: Counter() for name in WRITERS}
    generations = dict.fromkeys(WRITERS, 2)
    for _, name in zip(range(kills), itertools.cycle(WRITERS), strict=False):
        folder, writer = f"{root}/{name}", WRITERS[name]
        Path(folder).mkdir(exist_ok=True)
        save_whole(writer, folder, generations[name])
        generation = kill_at_random(writer, folder, generations[name] + 1, rng)
        found[name]["kills"] += 1
        found[name]["saved before"] += max(0, generation - generations[name])
        found[name]["left temporary files"] += bool(hidden(folder))
        found[name]["left a journal"] += has_journal(folder)
        generations[name] = max(generation, generations[name]) + 1
    for name, counts in found.items():
        report(f"{name}: {', '.join(f'{n} {key}' for key, n in counts.items())}")
    total = sum(counts["kills"] for counts in found.values())
    report(f"{total} kills at random moments, every file and set loads")


def kill_stepwise(root: str, names: Sequence[str]) -> None:
    """Kills writers once before each of their calls of the system."""
    os.fsync = do_not_sync
    for name in names:
        writer, folder = WRITERS[name], f"{root}/{name}"
        Path(folder).mkdir()
        save_whole(writer, folder, 2)
        generation, journals = 3, 0
        for step in itertools.count():
            if not kill_at_step(writer, folder, generation, step):
                break
            journals += has_journal(folder)
            generation = writer.check(folder) + 1
        save_whole(writer, folder, generation + 1)
        report(f"{name}: {step} kills at {step} steps, {journals} left a journal")
        assert journals > 0 or name not in SETS


def save_with_limits(root: str, step: int) -> None:
    """Saves where no file may become larger than a size, for sizes up to that of the largest."""
    os.fsync = do_not_sync
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    for name, writer in WRITERS.items():
        folder = f"{root}/{name}"
        Path(folder).mkdir()
        largest = max(save_and_measure(writer, folder, generation) for generation in range(1, 3))
        generation, refused = 3, 0
        stride = max(step, largest // MOST_SIZES)
        for size in range(0, largest + stride, stride):
            with file_size_limit(size):
                succeeded = save_or_refuse(writer, folder, generation)
            check_refused(writer, folder, generation, succeeded)
            generation, refused = generation + succeeded, refused + (not succeeded)
        report(f"{name}: refused at {refused} sizes, saved at {generation - 3}")
        assert refused > 0


def save_and_measure(writer: Writer, folder: str, generation: int) -> int:
    """Returns the size of the largest file of a generation, or of one before."""
    writer.save(folder, generation)
    return max(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """Makes writing beyond a size fail as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def save_or_refuse(writer: Writer, folder: str, generation: int) -> bool:
    """Saves; returns whether there was room, and checks that an error names the file."""
    try:
        writer.save(folder, generation)
    except (OSError, MXNetError) as error:
        assert folder in str(error), f"the error does not name the file: {error}"
        return False
    return True


def check_refused(writer: Writer, folder: str, generation: int, succeeded: bool) -> None:
    """Checks what a save has left that may have failed."""
    assert not hidden(folder), f"left: {hidden(folder)}"
    found = writer.check(folder)
    is_new = found == generation and (succeeded or writer.is_repeated)
    assert writer.is_stream or is_new or (found == generation - 1 and not succeeded)


def save_to_full_disk(root: str) -> None:
    """Saves to a small disk with ever less room; does nothing where none can be mounted."""
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK_PAGES * PAGE}", "tmpfs", root]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        report("skipped: no disk can be mounted here")
        return
    try:
        for name, writer in WRITERS.items():
            report(f"{name}: refused with {fill_up(writer, f'{root}/{name}')} pages free")
    finally:
        subprocess.run(["umount", root], check=True)


def fill_up(writer: Writer, folder: str) -> list[int]:
    """Saves with every number of free pages; returns those that were too few."""
    Path(folder).mkdir()
    writer.save(folder, 2)
    generation, refused = 3, []
    for free in range(MOST_FREE_PAGES):
        ballast = Path(folder, "ballast")
        room = os.statvfs(folder).f_bavail
        ballast.write_bytes(bytes(max(0, room - free) * PAGE))
        succeeded = save_or_refuse(writer, folder, generation)
        ballast.unlink()
        check_refused(writer, folder, generation, succeeded)
        generation += succeeded
        refused += [] if succeeded else [free]
    shutil.rmtree(folder)
    assert 0 < len(refused) < MOST_FREE_PAGES
    return refused


def save_at_once(root: str, seconds: float) -> None:
    """Saves from two processes to the same files, which a third one reads all the time."""
    for name in READ_AT_ONCE:
        folder, writer = f"{root}/{name}", WRITERS[name]
        Path(folder).mkdir()
        writer.save(folder, 2)
        children = [fork(partial(save_for, writer, folder, first, seconds)) for first in (10, 11)]
        end, reads = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            writer.check(folder)
            reads += 1
        assert [wait(child) for child in children] == [0, 0]
        writer.check(folder)
        assert not hidden(folder), f"left: {hidden(folder)}"
        report(f"{name}: {reads} reads while two processes saved")


def save_for(writer: Writer, folder: str, first: int, seconds: float) -> None:
    """Saves one generation after the other for some time."""
    os.fsync = do_not_sync
    end = time.monotonic() + seconds
    for generation in itertools.count(first):
        writer.save(folder, generation)
        if time.monotonic() > end:
            return


def save_without_right(root: str) -> None:
    """Saves to and loads from a folder that may be read only, with a journal in it."""
    Path(root).chmod(0o755)
    for name in READ_AT_ONCE:
        folder, writer = f"{root}/{name}", WRITERS[name]
        Path(folder).mkdir()
        save_whole(writer, folder, 2)
        for step in itertools.count():
            kill_at_step(writer, folder, writer.check(folder) + 1, step)
            if has_journal(folder):
                break
        before = sorted(os.listdir(folder))
        Path(folder).chmod(0o555)
        assert wait(fork(partial(be_refused, writer, folder))) == 0
        assert sorted(os.listdir(folder)) == before
        report(f"{name}: read through a journal, save refused")


def be_refused(writer: Writer, folder: str) -> None:
    """Loads and tries to save as a user who may only read."""
    if os.geteuid() == 0:
        os.setgid(65534)
        os.setuid(65534)
    generation = writer.check(folder)
    assert not save_or_refuse(writer, folder, generation + 1)


def report(line: str) -> None:
    """Prints a line."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


WAYS: dict[str, Callable[[str, argparse.Namespace], None]] = {
    "random": lambda root, options: kill_randomly(root, options.kills, options.seed),
    "steps": lambda root, options: kill_stepwise(root, options.writers),
    "limits": lambda root, options: save_with_limits(root, options.step),
    "disk": lambda root, _: save_to_full_disk(root),
    "race": lambda root, options: save_at_once(root, options.seconds),
    "denied": lambda root, _: save_without_right(root),
}


def main() -> None:
    """Runs what is asked for, and fails if anything is found damaged."""
    parser = argparse.ArgumentParser()
    parser.add_argument("ways", nargs="+", choices=WAYS)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--step", type=int, default=1009, help="least bytes from one limit to the next"
    )
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--writers", nargs="+", default=list(WRITERS))
    options = parser.parse_args()
    tqdm.monitor_interval = 0
    tqdm.set_lock(threading.RLock())  # its own is shared by forks, and a killed one keeps it
    warm_up()
    for way in options.ways:
        report(f"# {way}")
        with tempfile.TemporaryDirectory() as root:
            WAYS[way](root, options)


if __name__ == "__main__":
    main()
