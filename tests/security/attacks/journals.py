"""Journals and temporary files that came with a folder: they must not decide what is read.

Each attack puts hostile files beside good ones, loads and saves, and raises if a hidden file was
read or moved.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import mxnet as mx
from mxnet._formats.files import journal, saving, temporary
from mxnet.gluon import nn
from mxnet.gluon.utils import check_sha1
from tests.security.attack import Attacks

TABLE = Attacks()

TOKEN = "0123456789abcdef01234567"
GOOD, BAD = 1.0, 6.0
Forge = Callable[[Path, Path], object]


class DeceivedError(Exception):
    """A hostile file was believed; not an error that an attack may end with."""


def forge(target: Path, hidden: Path, **changes: object) -> Path:
    """Writes a journal that has a hidden file in place of a file, with some fields changed."""
    inode, size, written, changed = journal.identity_of(hidden.lstat())
    row = {
        "name": target.name,
        "token": TOKEN,
        "before": journal.signature_of(target),
        # The number and the time of change are what an archive cannot bring along.
        "after": [inode + 1, size, written, changed - 1],
    } | changes
    marker = journal.marker_of(target)
    marker.write_text(json.dumps([list(row.values())]))
    marker.chmod(0o644)
    return marker


def use(folder: Path, attack: object) -> None:
    """Loads and saves a file beside a hostile journal."""
    target = folder / "net.params"
    mx.nd.save(str(target), {"a": mx.nd.full((4,), GOOD)})
    hidden = folder / temporary.temporary_name(target.name, TOKEN)
    hidden.write_bytes(target.read_bytes().replace(b"\0\0\x80\x3f", b"\0\0\xc0\x40"))
    attack(target, hidden)
    saving._next_sweeps.clear()
    begin = time.monotonic()
    expect(target, GOOD)
    mx.nd.save(str(folder / "other.params"), {"a": mx.nd.zeros((1,))})
    expect(target, GOOD)
    mx.nd.save(str(target), {"a": mx.nd.full((4,), GOOD + 1)})
    expect(target, GOOD + 1)
    if time.monotonic() - begin > 3:
        raise DeceivedError("saving takes seconds")


def expect(target: Path, value: float) -> None:
    found = mx.nd.load(str(target))["a"].asnumpy()
    if (found != value).any():
        raise DeceivedError(f"a hidden file was read: {found}")


def world_writable(target: Path, hidden: Path) -> None:
    forge(target, hidden, after=journal.identity_of(hidden.lstat())).chmod(0o666)


def group_writable(target: Path, hidden: Path) -> None:
    forge(target, hidden, after=journal.identity_of(hidden.lstat())).chmod(0o664)


def of_another_user(target: Path, hidden: Path) -> None:
    marker = forge(target, hidden, after=journal.identity_of(hidden.lstat()))
    if os.geteuid() == 0:
        os.chown(marker, 65534, 65534)
    else:
        marker.chmod(0o666)


def content_of_another_user(target: Path, hidden: Path) -> None:
    if os.geteuid() == 0:
        os.chown(hidden, 65534, 65534)
        forge(target, hidden, after=journal.identity_of(hidden.lstat()))


def changed_after(target: Path, hidden: Path) -> None:
    forge(target, hidden, after=journal.identity_of(hidden.lstat()))
    before = hidden.stat()
    hidden.write_bytes(hidden.read_bytes())
    os.utime(hidden, ns=(before.st_atime_ns, before.st_mtime_ns))


def link_for_content(target: Path, hidden: Path) -> None:
    real = hidden.rename(hidden.with_name("elsewhere"))
    hidden.symlink_to(real)
    forge(target, hidden, after=journal.identity_of(real.lstat()))


def folder_for_content(target: Path, hidden: Path) -> None:
    hidden.unlink()
    hidden.mkdir()
    forge(target, hidden)


def pipe_for_content(target: Path, hidden: Path) -> None:
    hidden.unlink()
    os.mkfifo(hidden)
    forge(target, hidden, after=journal.identity_of(hidden.lstat()))


def pipe_for_journal(target: Path, hidden: Path) -> None:
    del hidden
    os.mkfifo(journal.marker_of(target))


def device_for_journal(target: Path, hidden: Path) -> None:
    del hidden
    journal.marker_of(target).symlink_to("/dev/zero")


def folder_for_journal(target: Path, hidden: Path) -> None:
    del hidden
    journal.marker_of(target).mkdir()


def link_to_a_journal(target: Path, hidden: Path) -> None:
    marker = forge(target, hidden, after=journal.identity_of(hidden.lstat()))
    marker.rename(marker.with_name("journal"))
    marker.symlink_to("journal")


def huge_journal(target: Path, hidden: Path) -> None:
    del hidden
    with journal.marker_of(target).open("wb") as file:
        file.truncate(1 << 40)


def deep_journal(target: Path, hidden: Path) -> None:
    del hidden
    journal.marker_of(target).write_text("[" * 200_000)


def many_journals(target: Path, hidden: Path) -> None:
    del hidden
    rows = [[f"{n}.json", TOKEN, None, [0, 0, 0, 0]] for n in range(3000)]
    for number in range(300):
        rows[0][0] = f"x{number}.json"
        target.with_name(f".x{number}.json.pending").write_text(json.dumps(rows))
        target.with_name(f".x{number}.json.{TOKEN}.saving").touch()


def many_temporary_files(target: Path, hidden: Path) -> None:
    del hidden
    for number in range(3000):
        target.with_name(temporary.temporary_name(f"{number}", TOKEN)).touch()


def one_journal_under_many_names(target: Path, hidden: Path) -> None:
    marker = forge(target, hidden)
    for number in range(500):
        os.link(marker, target.with_name(f".y{number}.params.pending"))


def names_a_program(target: Path, hidden: Path) -> None:
    target.with_name("run.py").write_text("good")
    target.with_name(f".run.py.{TOKEN}.saving").write_text("bad")
    forge(target, hidden, name="run.py")
    forge(target.with_name("run.py"), hidden)


def names_another_folder(target: Path, hidden: Path) -> None:
    forge(target, hidden, name=f"../{target.parent.name}/{target.name}")


FORGERIES = [
    ("from_an_archive", forge),
    ("of_an_earlier_release", lambda t, h: forge(t, h, after=None)),
    ("two_rows_of_one_name", lambda t, h: forge(t, h).write_text(
        json.dumps([[t.name, TOKEN, journal.signature_of(t), [0] * 4]] * 2))),
    ("numbers_as_text", lambda t, h: forge(t, h, after=["1", "2", "3", "4"])),
    ("endless_numbers", lambda t, h: forge(t, h, after=[float("inf")] * 4)),
    ("token_with_a_path", lambda t, h: forge(t, h, token="../../../../../../etc/x")),
    *((function.__name__, function) for function in (
        world_writable, group_writable, of_another_user, content_of_another_user, changed_after,
        link_for_content, folder_for_content, pipe_for_content, pipe_for_journal,
        device_for_journal, folder_for_journal, link_to_a_journal, huge_journal, deep_journal,
        many_journals, many_temporary_files, one_journal_under_many_names, names_a_program,
        names_another_folder,
    )),
]  # fmt: skip

TABLE.add_each("load_and_save", FORGERIES, use, harmless=True)


@TABLE.add(harmless=True)
def locked_for_ever(folder: Path) -> None:
    target = folder / "net.params"
    marker = journal.marker_of(target)
    marker.write_text("[]")
    marker.chmod(0o666)
    with marker.open("rb") as file:
        temporary.try_lock(file.fileno())
        mx.nd.save(str(target), {"a": mx.nd.full((4,), GOOD)})
    expect(target, GOOD)


@TABLE.add(harmless=True)
def export_beside_hostile_journals(folder: Path) -> None:
    net = nn.HybridSequential()
    net.add(nn.Dense(2, in_units=2))
    net.initialize()
    net.hybridize()
    net(mx.nd.ones((1, 2)))
    for name in ("net-symbol.json", "net-0000.params"):
        (folder / f".{name}.pending").write_text(json.dumps([["net-symbol.json", TOKEN, None, 1]]))
    net.export(str(folder / "net"))
    mx.gluon.SymbolBlock.imports(
        str(folder / "net-symbol.json"), ["data"], str(folder / "net-0000.params")
    )


@TABLE.add(harmless=True)
def hash_of_another_file_than_is_read(folder: Path) -> None:
    """The hash that a program takes must be that of what it then reads."""
    target = folder / "net.params"
    mx.nd.save(str(target), {"a": mx.nd.full((4,), GOOD)})
    visible = hashlib.sha1(target.read_bytes(), usedforsecurity=False).hexdigest()
    hidden = folder / temporary.temporary_name(target.name, TOKEN)
    hidden.write_bytes(target.read_bytes().replace(b"\0\0\x80\x3f", b"\0\0\xc0\x40"))
    forge(target, hidden, after=journal.identity_of(hidden.lstat()))
    if check_sha1(target, visible):
        expect(target, GOOD)
