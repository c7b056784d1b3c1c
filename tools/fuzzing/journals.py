"""Journals of files that are saved together, beside the files that they are about.

A hostile journal must neither change what is read under a name, nor move, hang or stop a save.
"""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any
from unittest import mock

from mxnet._formats.files import (
    journal,
    read_saved,
    saving,
    temporary,
    write_atomically,
    written_together,
)
from tools.fuzzing.mutation import Format, Mutator

_NAMES = ("net-symbol.json", "net-0000.params", "run.py")
_OTHERS = ("../net-symbol.json", "/etc/passwd.json", ".", "", "a/b.json", "x.json", "\0.json")
_TOKEN = "0123456789abcdef01234567"
_OLD, _HIDDEN = b"old", b"hidden"


def _row(mutator: Mutator, name: str) -> Any:
    """Makes a row, in which `"after"` stands for what only the folder knows."""
    before: Any = mutator.choice([len(_OLD), mutator.number(0, 64)], [None, [], [1, 2, 3], "x"])
    after: Any = mutator.choice("after", [None, [], [1, 2], {}, [mutator.number(1, 64)] * 4])
    row = [
        mutator.choice(mutator.text(name), list(_OTHERS)),
        mutator.choice(_TOKEN, ["", "x" * 24, "../" * 8, _TOKEN.upper(), _TOKEN + "0"]),
        before,
        after,
    ]
    while mutator.strikes():
        mutator.rng.choice([row.pop, lambda: row.append(0)])()
        if not row:
            break
    return mutator.choice(row, [{}, 5, None, "row", [row], {"name": name}])


def make_journal(rng: random.Random) -> bytes:
    """Makes the content of a journal of a few files."""
    mutator = Mutator(rng)
    rows: Any = [_row(mutator, rng.choice(_NAMES)) for _ in range(rng.randrange(0, 5))]
    rows = mutator.choice(rows, [{}, None, 1e400, [rows], "[]"])
    return mutator.damage(json.dumps(rows).encode("utf-8", "surrogatepass"))


def use_journal(path: Path) -> None:
    """Reads and saves files beside a journal, as a program does that does not know of it."""
    folder, content = path.parent, path.read_bytes()
    files = [folder / name for name in _NAMES]
    for file in files:
        file.write_bytes(_OLD)
        hidden = file.with_name(temporary.temporary_name(file.name, _TOKEN))
        hidden.write_bytes(_HIDDEN)
        # What an archive can bring along: all but the number and the time that the system gives.
        status = list(journal.identity_of(hidden.lstat()))
        status[0], status[3] = status[0] + 1, status[3] - 1
        made = content.replace(b'"after"', json.dumps(status).encode())
        marker = journal.marker_of(file)
        marker.write_bytes(made)
        marker.chmod(0o644)
    saving._next_sweeps.clear()
    _expect([_OLD, _OLD, _OLD], files)
    with mock.patch.object(os, "fsync"), written_together():  # which takes nearly all the time
        for file in files[:2]:
            write_atomically(file, [b"new"])
    _expect([b"new", b"new", _OLD], files)
    for item in folder.iterdir():
        if item != path:
            item.unlink()


def _expect(contents: list[bytes], files: list[Path]) -> None:
    found = [read_saved(file) for file in files]
    plain = [file.read_bytes() for file in files]
    if found != contents or plain != contents:
        raise AssertionError(f"expected {contents}, got {found} and {plain}")


FORMAT = Format("journal", ".pending", make_journal, use_journal)
