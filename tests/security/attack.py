"""What a hostile input is, and the table of them that a family makes.

A family is a module of `tests.security.attacks` with a `TABLE`. An attack is a function that
takes an empty folder, writes the hostile files into it and uses them as a victim would::

    TABLE = Attacks()

    @TABLE.add
    def truncated_header(folder: Path) -> None:
        path = folder / "net-symbol.json"
        path.write_text("{")
        mx.sym.load(str(path))

Each runs in a child process of its own under limits of time and memory (`sandbox.py`). It must
raise an `MXNetError` or a `ValueError`, with the name of a file of the folder in the message if
it wrote one. An attack added with `harmless=True` may also come back without an error: what it
does is allowed, but must not run code, hang or take memory. `names` is a word that the message
must hold, for attacks without files: the operator, the attribute.

`PAYLOAD` is Python source that an attacker would like to run: it makes a file, and an attack
after which that file exists has succeeded, whatever else it did.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

PAYLOAD = "__import__('pathlib').Path('OWNED').touch()"
CANARY = "OWNED"

Run: TypeAlias = Callable[[Path], object]


@dataclass(frozen=True)
class Attack:
    """A hostile input and what may come of it."""

    name: str
    run: Run
    harmless: bool = False
    """Whether it may also succeed, in the limits of time and memory."""
    names: str | None = None
    """What the message must hold."""
    seconds: float = 10.0


class Attacks(dict[str, Attack]):
    """The attacks of a family, by name."""

    def add(
        self, run: Run | None = None, *, harmless: bool = False, names: str | None = None
    ) -> Callable[[Run], Run] | Run:
        """Adds a function as an attack; used as a decorator, with or without arguments."""

        def register(function: Run) -> Run:
            self.put(Attack(function.__name__, function, harmless, names))
            return function

        return register if run is None else register(run)

    def add_each(
        self,
        name: str,
        cases: Iterable[tuple[str, object]],
        run: Callable[[Path, object], object],
        *,
        harmless: bool = False,
        names: str | None = None,
    ) -> None:
        """Adds an attack for each of some inputs, `(label, input)`, which `run` is given."""
        for label, case in cases:
            attack = lambda folder, case=case: run(folder, case)  # noqa: E731
            self.put(Attack(f"{name}-{label}", attack, harmless, names))

    def put(self, attack: Attack) -> None:
        """Adds an attack; two of one name are a mistake."""
        if attack.name in self:
            raise KeyError(f"there are two attacks {attack.name!r}")
        self[attack.name] = attack
