"""The public names of MXNet 1.9.1, and which of them are here."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from types import MappingProxyType
from typing import Any

_FILE = Path(__file__).with_name("names.json")

_ALIASES = MappingProxyType(
    {
        "mxnet.img": "mxnet.image",
        "mxnet.init": "mxnet.initializer",
        "mxnet.kv": "mxnet.kvstore",
        "mxnet.mod": "mxnet.module",
        "mxnet.mon": "mxnet.monitor",
        "mxnet.nd": "mxnet.ndarray",
        "mxnet.np": "mxnet.numpy",
        "mxnet.npx": "mxnet.numpy_extension",
        "mxnet.rnd": "mxnet.random",
        "mxnet.sym": "mxnet.symbol",
        "mxnet.viz": "mxnet.visualization",
        "mxnet.contrib.nd": "mxnet.ndarray.contrib",
        "mxnet.contrib.ndarray": "mxnet.ndarray.contrib",
        "mxnet.contrib.sym": "mxnet.symbol.contrib",
        "mxnet.contrib.symbol": "mxnet.symbol.contrib",
        "mxnet.ndarray.np": "mxnet.ndarray.numpy",
        "mxnet.ndarray.npx": "mxnet.ndarray.numpy_extension",
        "mxnet.symbol.np": "mxnet.symbol.numpy",
        "mxnet.symbol.npx": "mxnet.symbol.numpy_extension",
    }
)
"""Modules that have a second name."""

EITHER = "F"
"""Root of names that are functions on arrays or on symbols, as in `hybrid_forward(self, F, x)`."""
_FRONTENDS = ("mxnet.ndarray", "mxnet.symbol")

_ADVICE = MappingProxyType(
    {
        "mxnet.torch": "the bridge to Lua Torch; use `array.to_torch()` and `nd.from_torch()`",
        "mxnet.tvmop": "operators made by TVM; those of the package are always there",
        "mxnet.base": "a helper of the original's C interface, which does not exist here",
    }
)
"""What to use in the place of modules that are missing."""


def read_table() -> dict[str, Any]:
    """Returns the file of names, which `tools/make_scan_names.py` writes."""
    content: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))
    return content


class Status(Enum):
    """What is known of a name."""

    SUPPORTED = "supported"
    DIFFERS = "differs"
    MISSING = "missing"
    UNKNOWN = "unknown"
    REMOVED = "removed"


class Names:
    """Looks names up.

    Args:
        here: Names that are here, by module or class.
        missing: Names of 1.9.1 that are not here, by module or class.
        missing_modules: Modules of 1.9.1 that are not here.
    """

    def __init__(
        self,
        here: Mapping[str, Sequence[str]],
        missing: Mapping[str, Sequence[str]],
        missing_modules: Sequence[str],
    ) -> None:
        self._here = {owner: frozenset(names) for owner, names in here.items()}
        self._missing = {owner: frozenset(names) for owner, names in missing.items()}
        self._missing_modules = frozenset(missing_modules)
        owners = {*self._here, *self._missing, *self._missing_modules}
        self._owners = owners | {owner.rpartition(".")[0] for owner in owners}

    @classmethod
    def load(cls) -> Names:
        """Reads the table of this package, which `tools/make_scan_names.py` writes."""
        content = read_table()
        here, missing = (
            {owner: text.split() for owner, text in content[key].items()}
            for key in ("here", "missing")
        )
        return cls(here, missing, content["missing_modules"])

    def as_table(self) -> dict[str, Any]:
        """Returns the arguments of the constructor, as JSON can hold them."""
        return {
            "here": {owner: sorted(names) for owner, names in self._here.items()},
            "missing": {owner: sorted(names) for owner, names in self._missing.items()},
            "missing_modules": sorted(self._missing_modules),
        }

    def resolve(self, path: str) -> str:
        """Returns the name that is meant by a path, without second names of modules.

        It ends with the function or class, whose attributes are its own matter.

        Example:
            >>> names = Names({"mxnet.ndarray": ["zeros"]}, {}, [])
            >>> names.resolve("mxnet.nd.zeros.__doc__")
            'mxnet.ndarray.zeros'
        """
        parts = path.split(".")
        owner = parts[0]
        for position, part in enumerate(parts[1:], start=1):
            inside = _ALIASES.get(f"{owner}.{part}", f"{owner}.{part}")
            if owner == EITHER and inside not in (f"{EITHER}.np", f"{EITHER}.npx"):
                either = [_ALIASES.get(name := f"{o}.{part}", name) for o in _FRONTENDS]
                if not any(name in self._owners for name in either):
                    return inside
            elif owner != EITHER and inside not in self._owners:
                return inside
            if position + 1 == len(parts):
                return inside
            owner = inside
        return owner

    def is_module(self, name: str) -> bool:
        """Returns whether a name is that of a module."""
        owner, _, last = name.rpartition(".")
        is_class = last in self._here.get(owner, ()) or last in self._missing.get(owner, ())
        return name == EITHER or (name in self._owners and not is_class)

    def status(self, name: str) -> Status:
        """Returns what is known of a name that `resolve` returned."""
        if name == EITHER or name.startswith(f"{EITHER}."):
            return self._status_of_either(name)
        if name in self._missing_modules:
            return Status.MISSING
        owner, _, last = name.rpartition(".")
        if last in self._missing.get(owner, ()) or self._is_in_missing_module(name):
            return Status.MISSING
        if last in self._here.get(owner, ()) or name in self._owners or last.startswith("__"):
            return Status.SUPPORTED
        return Status.UNKNOWN

    def _status_of_either(self, name: str) -> Status:
        """Returns the best of what a name is on arrays and on symbols."""
        rest = name.removeprefix(EITHER)
        found = {self.status(self.resolve(f"{owner}{rest}")) for owner in _FRONTENDS}
        order = (Status.SUPPORTED, Status.MISSING, Status.UNKNOWN)
        return next(status for status in order if status in found)

    def _is_in_missing_module(self, name: str) -> bool:
        parts = name.split(".")
        return any(
            ".".join(parts[:count]) in self._missing_modules for count in range(2, len(parts))
        )

    def advice(self, name: str) -> str:
        """Returns what to use in the place of a name that is missing, empty if nothing is known."""
        parts = name.split(".")
        if self.status(name) is Status.UNKNOWN and parts[-1].startswith("_"):
            return "nor one of the private names that are here"
        owners = (".".join(parts[:count]) for count in range(len(parts), 1, -1))
        return next((_ADVICE[owner] for owner in owners if owner in _ADVICE), "")
