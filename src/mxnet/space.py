"""Choices that a tuner of operators has: `mxnet.space`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from mxnet.errors import ArgumentValueError


class OtherOptionEntity:
    """One value that an option can have.

    Args:
        val: The value.
    """

    def __init__(self, val: Any) -> None:
        self.val = val

    @classmethod
    def from_tvm(cls, x: Any) -> OtherOptionEntity:
        """Makes one of a value of AutoTVM, or of anything with an attribute `val`."""
        return cls(x.val)

    def __repr__(self) -> str:
        return str(self.val)


class OtherOptionSpace:
    """All values that an option can have.

    Args:
        entities: The values, each of which becomes an `OtherOptionEntity`.
    """

    def __init__(self, entities: Iterable[Any]) -> None:
        self.entities = [OtherOptionEntity(value) for value in entities]

    @classmethod
    def from_tvm(cls, x: Any) -> OtherOptionSpace:
        """Makes one of the values of AutoTVM's, `x.entities`."""
        return cls([entity.val for entity in x.entities])

    def __len__(self) -> int:
        return len(self.entities)

    def __repr__(self) -> str:
        return f"OtherOption({self.entities}) len={len(self)}"


class ConfigSpace:
    """The options of one operator, with the values that were chosen.

    Args:
        space_map: An `OtherOptionSpace` for each option.
        _entity_map: The chosen `OtherOptionEntity` of each option.
    """

    def __init__(
        self,
        space_map: Mapping[str, OtherOptionSpace],
        _entity_map: Mapping[str, OtherOptionEntity],
    ) -> None:
        self.space_map, self._entity_map = space_map, _entity_map
        self._length = int(np.prod([len(space) for space in space_map.values()], dtype=int))

    @classmethod
    def from_tvm(cls, x: Any) -> ConfigSpace:
        """Makes one of AutoTVM's, with its `space_map` and `_entity_map`."""
        spaces = {name: OtherOptionSpace.from_tvm(space) for name, space in x.space_map.items()}
        chosen = x._entity_map.items()
        return cls(spaces, {name: OtherOptionEntity.from_tvm(entity) for name, entity in chosen})

    @classmethod
    def from_json_dict(cls, json_dict: Mapping[str, Any]) -> ConfigSpace:
        """Makes one of what `to_json_dict` returns, or of the same from a file of JSON."""
        spaces, chosen = _read(json_dict["s"]), _read(json_dict["e"])
        return cls(
            {name: OtherOptionSpace(values) for name, values in spaces},
            {name: OtherOptionEntity(value) for name, value in chosen},
        )

    def __len__(self) -> int:
        return self._length

    def __repr__(self) -> str:
        rows = [f"  {i:2d} {name}: {space}\n" for i, (name, space) in enumerate(self._items())]
        return f"ConfigSpace (len={len(self)}, space_map=\n{''.join(rows)})"

    def to_json_dict(self) -> dict[str, Any]:
        """Returns the choices `"e"` and the options `"s"` as lists of name, type and values."""
        return {
            "e": [(name, "ot", entity.val) for name, entity in self._entity_map.items()],
            "s": [
                (name, "ot", [entity.val for entity in space.entities])
                for name, space in self._items()
            ],
        }

    def _items(self) -> list[tuple[str, OtherOptionSpace]]:
        return list(self.space_map.items())


def _read(rows: Iterable[tuple[str, str, Any]]) -> list[tuple[str, Any]]:
    """Returns names and values of rows as `to_json_dict` writes them."""
    found = []
    for name, kind, value in rows:
        if kind != "ot":
            raise ArgumentValueError(f"ConfigSpace: knows options of type 'ot', got {kind!r}")
        found.append((str(name), value))
    return found


class ConfigSpaces:
    """Options of several operators, by the names of these."""

    def __init__(self) -> None:
        self.spaces: dict[str, ConfigSpace] = {}

    @classmethod
    def from_json_dict(cls, json_dict: Iterable[tuple[str, Any]]) -> ConfigSpaces:
        """Makes one of what `to_json_dict` returns."""
        made = cls()
        for name, space in json_dict:
            made[str(name)] = ConfigSpace.from_json_dict(space)
        return made

    def __setitem__(self, name: str, space: ConfigSpace) -> None:
        self.spaces[name] = space

    def __len__(self) -> int:
        return len(self.spaces)

    def __repr__(self) -> str:
        rows = [f"  {i:2d} {name}:\n {space}\n" for i, (name, space) in enumerate(self._items())]
        return f"ConfigSpaces (len={len(self)}, config_space=\n{''.join(rows)})"

    def to_json_dict(self) -> list[tuple[str, dict[str, Any]]]:
        """Returns the name of each operator with what `ConfigSpace.to_json_dict` returns."""
        return [(name, space.to_json_dict()) for name, space in self._items()]

    def _items(self) -> list[tuple[str, ConfigSpace]]:
        return list(self.spaces.items())
