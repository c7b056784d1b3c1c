"""The stack machine that a pickle is a program for, and limits on the containers that it makes."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from mxnet import limits
from mxnet._formats.safe_pickle.opcodes import read_instructions
from mxnet._formats.safe_pickle.plain import find_plain
from mxnet._formats.safe_pickle.reading import Find, Name, Reading, Unfinished, shorten
from mxnet.errors import MXNetError

_DICTS = (dict, OrderedDict, defaultdict)
_MARK = object()


def loads(data: bytes, where: str, find: Find) -> Any:
    """Reads a pickle without running anything that it names.

    Args:
        data: The pickle; bytes after its end are ignored, as Python does.
        where: Name of the source, for messages.
        find: Returns the constructor for a module and name that is allowed besides the plain ones.

    Raises:
        RefusedPickleError: if the pickle names anything else, or needs too much memory.
        LimitExceededError: if it has more values than `pickle_values` of `mx.limits` allows.
        FileFormatError: if it is damaged.
    """
    reading = Reading(where, len(data))
    try:
        return _run(data, reading, find)
    except MXNetError as error:
        if where in str(error):
            raise
        raise reading.error(str(error)) from error
    except (
        ArithmeticError,
        AttributeError,
        LookupError,
        MemoryError,
        RecursionError,
        TypeError,
        ValueError,
    ) as error:
        raise reading.error(f"not a readable pickle: {error or type(error).__name__}") from error


def _run(data: bytes, reading: Reading, find: Find) -> Any:
    machine = _Machine(reading, find)
    most = limits.get("pickle_values")
    for steps, (action, argument) in enumerate(read_instructions(data, reading), start=1):
        if steps > most:
            limits.check("pickle_values", steps, reading.place)
        if action == "stop":
            break
        _ACTIONS[action](machine, argument)
    return machine.result()


class _Machine:
    """A stack, a memo, and facts about the containers in them.

    The object that a name refers to is never on the stack, only a `Name` that holds a constructor.
    Objects are made in two steps: they are `Unfinished` until they become a part of something.
    """

    def __init__(self, reading: Reading, find: Find) -> None:
        self._reading = reading
        self._find = find
        self._stack: list[Any] = []
        self._memo: dict[int, Any] = {}
        self._contents = Contents(reading)

    def result(self) -> Any:
        """Returns the value that the pickle ends with."""
        value = self._pop()
        if self._contents.has_names(value):
            raise self._reading.refusal("a class is no value")
        return self._contents.finish(value)

    def _push(self, value: Any) -> None:
        self._stack.append(value)

    def _push_container(self, value: Any, parts: Sequence[Any] = ()) -> None:
        """Pushes a new container that holds its parts already."""
        self._contents.add(value, parts)
        self._stack.append(value)

    def _top(self) -> Any:
        if not self._stack or self._stack[-1] is _MARK:
            raise self._reading.error("not a readable pickle: nothing is on the stack")
        return self._stack[-1]

    def _pop(self) -> Any:
        value = self._top()
        self._stack.pop()
        return value

    def _pop_marked(self) -> list[Any]:
        """Removes and returns what is above the last mark."""
        for position in range(len(self._stack) - 1, -1, -1):
            if self._stack[position] is _MARK:
                values = self._stack[position + 1 :]
                del self._stack[position:]
                return values
        raise self._reading.error("not a readable pickle: there is no mark on the stack")

    def _skip(self, _: None) -> None:
        """Does nothing: the instruction only describes the encoding of the file."""

    def _refuse(self, what: str) -> None:
        raise self._reading.refusal(f"refuses to load {what}")

    def _mark(self, _: None) -> None:
        self._stack.append(_MARK)

    def _drop(self, _: None) -> None:
        if not self._stack:
            raise self._reading.error("not a readable pickle: nothing is on the stack")
        self._stack.pop()

    def _drop_marked(self, _: None) -> None:
        self._pop_marked()

    def _duplicate(self, _: None) -> None:
        self._push(self._top())

    def _put(self, index: int) -> None:
        self._memo[index] = self._top()

    def _memoize(self, _: None) -> None:
        self._memo[len(self._memo)] = self._top()

    def _get(self, index: int) -> None:
        if index not in self._memo:
            raise self._reading.error(f"not a readable pickle: nothing is noted as {index}")
        self._push(self._memo[index])

    def _push_tuple(self, values: Sequence[Any]) -> None:
        self._push_container(tuple(map(self._contents.finish, values)), values)

    def _tuple(self, _: None) -> None:
        self._push_tuple(self._pop_marked())

    def _tuple_of(self, length: int) -> None:
        self._push_tuple([self._pop() for _ in range(length)][::-1])

    def _empty_list(self, _: None) -> None:
        self._push_container([])

    def _list(self, _: None) -> None:
        values = self._pop_marked()
        self._push_container([])
        self._extend(values)

    def _append(self, _: None) -> None:
        self._extend([self._pop()])

    def _appends(self, _: None) -> None:
        self._extend(self._pop_marked())

    def _extend(self, values: Sequence[Any]) -> None:
        target = self._top()
        if type(target) is not list:
            raise self._wrong_target("a list", target)
        target.extend(self._contents.put_in(target, values))

    def _empty_dict(self, _: None) -> None:
        self._push_container({})

    def _dict(self, _: None) -> None:
        values = self._pop_marked()
        self._push_container({})
        self._set(values)

    def _set_item(self, _: None) -> None:
        value, key = self._pop(), self._pop()
        self._set([key, value])

    def _set_items(self, _: None) -> None:
        self._set(self._pop_marked())

    def _set(self, values: Sequence[Any]) -> None:
        target = self._top()
        if type(target) not in _DICTS:
            raise self._wrong_target("a dict", target)
        if len(values) % 2:
            raise self._reading.error("not a readable pickle: a key has no value")
        values = self._contents.put_in(target, values)
        for key, value in zip(values[::2], values[1::2], strict=True):
            self._reading.check_key(key)
            target[key] = value

    def _empty_set(self, _: None) -> None:
        self._push_container(set())

    def _add_items(self, _: None) -> None:
        values = self._pop_marked()
        target = self._top()
        if type(target) is not set:
            raise self._wrong_target("a set", target)
        values = self._contents.put_in(target, values)
        for value in values:
            self._reading.check_key(value)
        target.update(values)

    def _frozen_set(self, _: None) -> None:
        values = self._pop_marked()
        finished = [self._contents.finish(value) for value in values]
        for value in finished:
            self._reading.check_key(value)
        self._push_container(frozenset(finished), values)

    def _wrong_target(self, expected: str, target: Any) -> Exception:
        return self._reading.error(f"expected {expected} to add to, got {type(target).__name__}")

    def _name(self, names: tuple[str, str]) -> None:
        self._push(self._find_name(*names))

    def _stack_name(self, _: None) -> None:
        name, module = self._pop(), self._pop()
        if type(name) is not str or type(module) is not str:
            raise self._reading.error("expected the name of a module and a name in it")
        self._push(self._find_name(module, name))

    def _find_name(self, module: str, name: str) -> Name:
        make = find_plain(module, name) or self._find(module, name)
        if make is None:
            raise self._reading.refusal(
                f"refuses to load {shorten(module)}.{shorten(name)}; allowed are arrays, NumPy "
                "scalars, containers, optimizers and learning rate schedules. Register an "
                "optimizer of your own before loading its states"
            )
        return Name(module, name, make)

    def _call(self, _: None) -> None:
        arguments, name = self._pop(), self._pop()
        self._make(name, arguments)

    def _call_with_names(self, _: None) -> None:
        named, arguments, name = self._pop(), self._pop(), self._pop()
        if type(named) is not dict or named:
            raise self._reading.refusal("refuses to make an object with arguments by name")
        self._make(name, arguments)

    def _object(self, _: None) -> None:
        name, *arguments = self._pop_marked() or [None]
        self._push_tuple(arguments)
        self._make(name, self._pop())

    def _instance(self, names: tuple[str, str]) -> None:
        self._push_tuple(self._pop_marked())
        self._make(self._find_name(*names), self._pop())

    def _make(self, name: Any, arguments: Any) -> None:
        if type(name) is not Name:
            raise self._reading.refusal(f"refuses to call a value of type {type(name).__name__}")
        if type(arguments) is not tuple:
            raise self._reading.error(f"expected a tuple, got {type(arguments).__name__}")
        made = name.make(arguments, self._reading)
        self._contents.add_made(made, arguments)
        self._stack.append(made)

    def _build(self, _: None) -> None:
        state, target = self._pop(), self._top()
        if not isinstance(target, Unfinished):
            raise self._reading.refusal(
                f"refuses to set the state of a value of type {type(target).__name__}"
            )
        (state,) = self._contents.put_in(target, [state])
        target.build(state, self._reading)


_NAMES = (
    "add_items append appends build call call_with_names dict duplicate empty_dict empty_list "
    "empty_set frozen_set get instance list mark memoize name object push put refuse set_item "
    "set_items skip stack_name tuple tuple_of"
)
_ACTIONS: dict[str, Callable[[_Machine, Any], None]] = {
    **{name: getattr(_Machine, f"_{name}") for name in _NAMES.split()},
    "pop": _Machine._drop,
    "pop_mark": _Machine._drop_marked,
}


# A pickle may use one container in many places, so that a few bytes make a structure that takes
# exponential time to walk, and may nest containers deeper than Python's functions can follow. Here
# a container must not change after it has become a part of another one, which no real file does.
# So depth and size are known exactly when a part is added, and no container contains itself.

_DEPTH = 64
_SET, _CONTAINER = 256, 64
"""Approximate bytes of an empty set and of another container; in the file it takes one byte."""
_CONTAINERS = (dict, set, frozenset, Unfinished)
"""Types of constructed values that have parts."""


@dataclass(slots=True)
class _Facts:
    value: Any
    """Kept alive, so that no other object gets its id."""
    depth: int = 1
    size: int = 1
    """Number of values in it, counting each as often as it is used."""
    is_part: bool = False
    has_names: bool = False


class Contents:
    """The containers that a pickle has made so far."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._facts: dict[int, _Facts] = {}
        self._most = limits.get("pickle_values")

    def add(self, value: Any, parts: Sequence[Any]) -> None:
        """Notes a new container and its parts."""
        if value != ():  # the empty tuple, which is a singleton
            self._reading.charge(_SET if isinstance(value, (set, frozenset)) else _CONTAINER)
            facts = self._facts[id(value)] = _Facts(value)
            self._count(facts, parts)

    def add_made(self, value: Any, arguments: tuple[Any, ...]) -> None:
        """Notes a value that a constructor made; names in its arguments are not parts of it."""
        if isinstance(value, _CONTAINERS):
            self.add(value, (arguments,))
            self._facts[id(value)].has_names = False

    def finish(self, value: Any) -> Any:
        """Returns a value in its final form."""
        return value.finish(self._reading) if isinstance(value, Unfinished) else value

    def put_in(self, target: Any, parts: Sequence[Any]) -> list[Any]:
        """Notes that values become parts of a container, and returns them in their final form."""
        facts = self._facts[id(target)]
        self._count(facts, parts)
        if facts.is_part:
            raise self._reading.error(
                "a container or object changes after it has become a part of another one, or of "
                "itself"
            )
        if facts.has_names:
            raise self._reading.refusal("a class is no value")
        return [self.finish(part) for part in parts]

    def has_names(self, value: Any) -> bool:
        """Returns whether a value is a name or has names among its parts."""
        if type(value) is Name:
            return True
        facts = self._facts.get(id(value))
        return facts is not None and facts.has_names

    def _count(self, facts: _Facts, parts: Sequence[Any]) -> None:
        for part in parts:
            below = self._facts.get(id(part))
            if below is None:
                facts.size += 1
                facts.has_names |= type(part) is Name
                continue
            below.is_part = True
            facts.depth = max(facts.depth, below.depth + 1)
            facts.size += below.size
            facts.has_names |= below.has_names
        if facts.depth > _DEPTH:
            raise self._reading.error(
                f"expected containers in containers to a depth of {_DEPTH} at most"
            )
        if facts.size > self._most:
            limits.check("pickle_values", facts.size, self._reading.place)
