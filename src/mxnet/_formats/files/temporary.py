"""Temporary files: private to their writer, and told from those that a dead process left.

The writer holds a lock on its temporary file until the file is in its place. The system drops the
lock when the process ends in whatever way, so that a file without one is a leftover.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import secrets
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

if sys.platform != "win32":
    import fcntl

SPECIAL_FLAGS: int = (
    getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
)
"""Opening a file follows no link and waits for no pipe, and Windows leaves its bytes alone."""

_SUFFIX = ".saving"
NAME_BYTES = 200
"""How much of the target's name a temporary name keeps; file systems take 255 bytes in all."""
_TRIES = 100
_FOREIGN_AGE_SECONDS = 24 * 3600
"""From when on a file that another machine left is taken for dead: locks may not reach here."""


def _identify_system() -> str:
    """Returns the same eight digits in all processes between which locks are known to work."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii")
    except OSError:
        boot = ""
    return hashlib.sha256(f"{boot}{platform.node()}".encode()).hexdigest()[:8]


_SYSTEM = _identify_system()
_TOKEN = re.compile(r"[0-9a-f]{24}")
_TOKEN_LENGTH = 24
_NAME = re.compile(rf"\..*\.([0-9a-f]{{8}})[0-9a-f]{{16}}{re.escape(_SUFFIX)}", re.DOTALL)


def is_token(text: object) -> bool:
    """Returns whether a value can be what tells temporary files of one target apart."""
    return isinstance(text, str) and _TOKEN.fullmatch(text) is not None


def cut_name(name: str, size: int = NAME_BYTES) -> str:
    """Returns the beginning of a file's name, of whole characters."""
    return os.fsencode(name)[:size].decode("utf-8", "ignore")


def temporary_name(name: str, token: str) -> str:
    """Returns the name of a temporary file beside a file of a name."""
    return f".{cut_name(name)}.{token}{_SUFFIX}"


def try_lock(fd: int) -> bool | None:
    """Tries to lock an open file.

    Returns:
        Whether that was possible; None if the file system knows no locks.
    """
    if sys.platform == "win32":
        return None
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def open_to_lock(path: Path) -> int | None:
    """Opens a file to lock it; returns None if that is not possible."""
    for way in (os.O_RDWR, os.O_RDONLY):  # some file systems lock only what may be written
        try:
            return os.open(path, way | SPECIAL_FLAGS)
        except FileNotFoundError:
            return None
        except OSError:
            continue
    return None


def is_at(fd: int, path: Path) -> bool:
    """Returns whether a path still leads to an open file."""
    try:
        return os.path.samestat(os.fstat(fd), path.lstat())
    except OSError:
        return False


def is_trusted(owner: int) -> bool:
    """Returns whether what a user has left beside a file is acted on: this one or root has.

    In a folder of a group, what another member has left is neither believed nor removed.
    """
    return not hasattr(os, "geteuid") or owner in (os.geteuid(), 0)


def sync_folder(folder: Path) -> None:
    """Makes sure that new names in a folder outlive a failure of power, where that is possible."""
    with suppress(OSError):  # some systems and file systems do not sync folders
        fd = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)


def usual_mode(folder: Path) -> int:
    """Returns the permissions of a new file in a folder.

    The mask of the process cannot be read without setting it for all threads, so this looks at
    an empty file.
    """
    path = folder / temporary_name("mode", _SYSTEM + secrets.token_hex(8))
    fd = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | SPECIAL_FLAGS, 0o666)
    try:
        return stat.S_IMODE(os.fstat(fd).st_mode)
    finally:
        os.close(fd)
        path.unlink(missing_ok=True)  # a sweep of the folder may have removed it as a leftover


class Temporary:
    """A file that is to take the place of another, open and locked.

    Other users cannot read it before `publish`.

    Args:
        target: The file that it will replace, with no link on the way.
    """

    def __init__(self, target: Path) -> None:
        self.target = target
        self.is_kept = False
        """Whether a journal needs the file even if its writer gives up."""
        self.token, self.path, fd = _create(target)
        self.file: BinaryIO = os.fdopen(fd, "wb")
        self._early_sync = EarlySync(fd)

    def fill(self, chunks: Iterable[bytes | memoryview]) -> None:
        """Writes the content. What fails in writing names the target, not what gives chunks."""
        for chunk in chunks:
            try:
                self._early_sync.note(self.file.write(chunk))
            except OSError as error:
                raise name_file(error, self.target) from error

    def sync(self) -> None:
        """Brings the content to the disk."""
        try:
            self.file.flush()
            self._early_sync.stop()
            os.fsync(self.file.fileno())
        except OSError as error:
            raise name_file(error, self.target) from error

    def publish(self, allowed: int = 0o7777) -> None:
        """Sets the permissions that the target has, or those of any new file.

        Args:
            allowed: Permissions that may be among them.
        """
        try:
            try:
                mode = stat.S_IMODE(self.target.stat().st_mode)
            except FileNotFoundError:
                mode = usual_mode(self.target.parent)
            self.path.chmod(mode & allowed)
        except OSError as error:
            raise name_file(error, self.target) from error

    def pour(self) -> bool:
        """Copies the content into the target if that is an empty file.

        Programs make one, such as `tempfile.NamedTemporaryFile`, and read it by the handle that
        they hold. There is no old content to keep; of a copy that fails nothing stays.

        Returns:
            Whether it was copied; not if the target has content, or may not be written.
        """
        try:
            fd = os.open(self.target, os.O_RDWR | SPECIAL_FLAGS)
        except OSError:
            return False
        with os.fdopen(fd, "r+b", buffering=0) as target:  # nothing is left to write afterwards
            status = os.fstat(fd)
            if not stat.S_ISREG(status.st_mode) or status.st_size or try_lock(fd) is False:
                return False
            try:
                with self.path.open("rb") as source:
                    while block := memoryview(source.read(LARGE)):
                        while block:
                            block = block[target.write(block) :]
                os.fsync(fd)
            except OSError as error:
                with suppress(OSError):
                    os.ftruncate(fd, 0)
                raise name_file(error, self.target) from error
        return True

    def replace(self) -> None:
        """Takes the target's place; does nothing if another process has done it already."""
        if sys.platform == "win32":
            self.close()  # an open file cannot be renamed there
        old = hold_large(self.target)
        try:
            os.replace(self.path, self.target)
        except OSError as error:
            if self.file.closed or not is_at(self.file.fileno(), self.target):
                raise name_file(error, self.target) from error
        finally:
            release(old)

    def close(self) -> None:
        """Closes the file, which also unlocks it."""
        with suppress(OSError):  # what could not be written has been reported before
            self._early_sync.stop()
        with suppress(OSError):
            self.file.close()

    def discard(self) -> None:
        """Removes the file, if it has not taken its place."""
        if not self.is_kept:
            with suppress(OSError):
                self.path.unlink()
        self.close()


def _create(target: Path) -> tuple[str, Path, int]:
    flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | SPECIAL_FLAGS
    for _ in range(_TRIES):
        token = _SYSTEM + secrets.token_hex(8)
        path = target.with_name(temporary_name(target.name, token))
        try:
            fd = os.open(path, flags, 0o600)
        except FileExistsError:
            continue
        except OSError as error:
            raise name_file(error, target) from error
        if try_lock(fd) is not False and is_at(fd, path):
            return token, path, fd
        os.close(fd)  # another process took it for a dead one's before it was locked
    raise FileExistsError(17, "no temporary file can be made beside the file", str(target))


def name_file(error: OSError, path: str | os.PathLike[str]) -> OSError:
    """Returns an error of the same kind that names the file that a user knows."""
    if error.errno is None:
        return error  # not one of the system's
    return OSError(error.errno, error.strerror, os.fspath(path))


def target_name(name: str) -> str:
    """Returns the beginning of the name of the file that a temporary file is beside of."""
    return name[1 : -len(_SUFFIX) - _TOKEN_LENGTH - 1]


def is_temporary(name: str) -> bool:
    """Returns whether a name is that of a temporary file."""
    return name.startswith(".") and name.endswith(_SUFFIX) and _NAME.fullmatch(name) is not None


def open_if_dead(path: Path) -> int | None:
    """Opens and locks a temporary file whose writer is provably not at work any more.

    Returns:
        The open file; None if the writer may be alive, or the file is no temporary one.
    """
    found = _NAME.fullmatch(path.name)
    fd = open_to_lock(path)
    if fd is None:
        return None
    status = os.fstat(fd)
    locked = try_lock(fd)
    if found is None or not stat.S_ISREG(status.st_mode) or not is_trusted(status.st_uid):
        dead = False
    elif found[1] == _SYSTEM:
        dead = locked is True
    else:
        dead = locked is not False and status.st_mtime < time.time() - _FOREIGN_AGE_SECONDS
    if dead and is_at(fd, path):
        return fd
    os.close(fd)
    return None


LARGE = 32 << 20
"""Bytes from which on a thread pays; so many are brought to the disk at a time."""

THREAD_NAME = "mxnet saving"


class EarlySync:
    """Brings a file to the disk while it is still written, so that little is left in the end.

    Args:
        fd: The open file.
    """

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._waiting = 0
        self._wake = threading.Event()
        self._stopped = False
        self._thread: threading.Thread | None = None
        self._error: OSError | None = None

    def note(self, num_bytes: int) -> None:
        """Notes that so many bytes more have been written."""
        self._waiting += num_bytes
        if self._waiting < LARGE or not hasattr(os, "fdatasync"):
            return
        self._waiting = 0
        if self._thread is None:
            self._thread = _start(self._run)
        self._wake.set()

    def _run(self) -> None:
        while self._wake.wait() and not self._stopped:
            self._wake.clear()
            try:
                os.fdatasync(self._fd)
            except OSError as error:  # which the system does not report a second time
                self._error = error
                return

    def stop(self) -> None:
        """Waits for the thread.

        Raises:
            OSError: if the content cannot be brought to the disk.
        """
        if self._thread is not None:
            self._stopped = True
            self._wake.set()
            self._thread.join()
        if self._error is not None:
            raise self._error


def hold_large(path: Path) -> int | None:
    """Opens a file that is about to be replaced, if it takes the system long to free it."""
    if sys.platform == "win32":  # where an open file cannot be replaced
        return None
    try:
        return os.open(path, os.O_RDONLY) if path.stat().st_size >= LARGE else None
    except OSError:
        return None


def release(fd: int | None) -> None:
    """Closes what `hold_large` has opened, in a thread: its blocks and pages are freed by that."""
    if fd is not None and _start(lambda: os.close(fd)) is None:
        os.close(fd)


def _start(function: Callable[[], None]) -> threading.Thread | None:
    """Starts a thread; returns None if there can be no more, as while the interpreter ends."""
    thread = threading.Thread(target=function, name=THREAD_NAME)
    try:
        thread.start()
    except RuntimeError:
        return None
    return thread
