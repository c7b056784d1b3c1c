"""Graphs of calls: what graphs are lowered to, and what passes work on.

They look like those of `torch.fx`, with the same words, but making one takes a tenth of the time:
no names are thought out, no source is written and arguments are not searched by `pytree`. Graphs
of thousands of small operators, such as unrolled recurrent networks, need that. `as_fx` turns one
into a graph of torch, for its compilers and for users.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from torch import fx

from mxnet.ops.core.registry import Op


class Call:
    """An input of a graph, the call of a function, or the output.

    Args:
        op: One of "placeholder", "call_function", "get_attr" and "output".
        target: The function, or the name of an input or of an attribute of the module.
        args: Arguments, in which other calls stand for their results, also in lists and tuples.
        kwargs: Arguments by name.
        meta: What passes know about it.

    Attributes:
        users: The calls that read the result, in order; the values are None.
    """

    __slots__ = ("_args", "_kwargs", "_next", "_previous", "meta", "op", "target", "users")

    def __init__(
        self,
        op: str,
        target: Any,
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] = {},
        meta: dict[str, Any] | None = None,
    ) -> None:
        self.op, self.target = op, target
        self.users: dict[Call, None] = {}
        self.meta: dict[str, Any] = {} if meta is None else meta
        self._previous = self._next = self
        self._args, self._kwargs = args, kwargs
        self._join()

    def __repr__(self) -> str:
        name = getattr(self.target, "__name__", self.target)
        return f"<{self.op} {name}>"

    @property
    def args(self) -> tuple[Any, ...]:
        """Arguments by position."""
        return self._args

    @args.setter
    def args(self, args: tuple[Any, ...]) -> None:
        self._leave()
        self._args = args
        self._join()

    @property
    def kwargs(self) -> Mapping[str, Any]:
        """Arguments by name."""
        return self._kwargs

    @kwargs.setter
    def kwargs(self, kwargs: Mapping[str, Any]) -> None:
        self._leave()
        self._kwargs = kwargs
        self._join()

    @property
    def all_input_nodes(self) -> list[Call]:
        """The calls whose results this one reads, each once."""
        found = find_calls(self._args)
        if self._kwargs:
            found += find_calls(self._kwargs.values())
        return found if len(found) < 2 else list(dict.fromkeys(found))

    def replace_all_uses_with(self, other: Call) -> None:
        """Makes everything that reads this result read that of another call."""

        def replace(call: Call) -> Call:
            return other if call is self else call

        for user in self.users:
            user._args = map_calls(user._args, replace)
            if self in find_calls(user._kwargs.values()):
                user._kwargs = {key: map_calls(item, replace) for key, item in user._kwargs.items()}
            other.users[user] = None
        self.users = {}

    def _join(self) -> None:
        _note_user(self, self._args)
        if self._kwargs:
            _note_user(self, self._kwargs.values())

    def _leave(self) -> None:
        for call in self.all_input_nodes:
            call.users.pop(self, None)


def _note_user(user: Call, values: Iterable[Any]) -> None:
    """Notes with the calls among some arguments who reads their results."""
    for value in values:
        if value.__class__ is Call:
            value.users[user] = None
        elif value.__class__ in (list, tuple):
            _note_user(user, value)


def find_calls(values: Iterable[Any]) -> list[Call]:
    """Lists the calls among some arguments, also those in lists and tuples."""
    found = []
    for value in values:
        if value.__class__ is Call:
            found.append(value)
        elif value.__class__ in (list, tuple):
            found += find_calls(value)
    return found


def map_calls(value: Any, function: Callable[[Call], Any]) -> Any:
    """Returns an argument with each call in it replaced by what a function returns for it."""
    if value.__class__ is Call:
        return function(value)
    if value.__class__ in (list, tuple):
        return value.__class__(map_calls(item, function) for item in value)
    return value


class CallGraph:
    """Calls in the order in which they are run."""

    def __init__(self) -> None:
        # The calls are a ring with this one, so that each has a neighbour on both sides.
        self._end = Call("root", "")
        self._place = self._end
        self._nodes: list[Call] | None = None
        self._ops: set[Op] | None = None

    @property
    def nodes(self) -> list[Call]:
        """All calls, in a list that nobody may change; changes of the graph do not either."""
        calls = self._nodes
        if calls is None:
            calls, call, end = [], self._end._next, self._end
            while call is not end:
                calls.append(call)
                call = call._next
            self._nodes = calls
        return calls

    def calls_of(self, wants: Callable[[Op], object]) -> list[Call]:
        """Lists the calls that run the kernels of some operators.

        Most passes look for calls that most graphs do not have, which is told from the few
        operators of a graph without looking at each call.

        Args:
            wants: Returns whether an operator is one of them.
        """
        ops = self._ops
        if ops is None:
            ops = self._ops = {call.meta["op"] for call in self.nodes if "op" in call.meta}
        wanted = {op for op in ops if wants(op)}
        return [call for call in self.nodes if call.meta.get("op") in wanted] if wanted else []

    def call_function(
        self,
        function: Callable[..., Any],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] = {},
        meta: dict[str, Any] | None = None,
    ) -> Call:
        """Adds the call of a function."""
        return self._insert(Call("call_function", function, args, kwargs, meta))

    def placeholder(self, name: str) -> Call:
        """Adds an input."""
        return self._insert(Call("placeholder", name))

    def get_attr(self, name: str) -> Call:
        """Adds the value of an attribute of the module."""
        return self._insert(Call("get_attr", name))

    def output(self, results: Sequence[Any]) -> Call:
        """Adds the output."""
        return self._insert(Call("output", "output", (results,)))

    def node_copy(self, call: Call, transform: Callable[[Call], Any] = lambda call: call) -> Call:
        """Adds a call like one of this or another graph.

        Args:
            call: The call.
            transform: Returns what is read in place of the result of a call.
        """
        kwargs = {key: map_calls(item, transform) for key, item in call.kwargs.items()}
        copy = self._insert(Call(call.op, call.target, map_calls(call.args, transform), kwargs))
        copy.meta = dict(call.meta)
        return copy

    def erase_node(self, call: Call) -> None:
        """Removes a call whose result nobody reads.

        Raises:
            RuntimeError: if somebody does.
        """
        if call.users:
            raise RuntimeError(f"{call} is read by {list(call.users)} and cannot be removed")
        call._leave()
        self._nodes = self._ops = None
        call._previous._next, call._next._previous = call._next, call._previous

    @contextmanager
    def inserting_before(self, call: Call) -> Iterator[None]:
        """Adds calls before one of them for the time of a `with` block."""
        before, self._place = self._place, call
        try:
            yield
        finally:
            self._place = before

    def inserting_after(self, call: Call) -> Any:
        """Adds calls after one of them for the time of a `with` block."""
        return self.inserting_before(call._next)

    def _insert(self, call: Call) -> Call:
        place = self._place
        self._nodes = self._ops = None
        call._previous, call._next = place._previous, place
        place._previous._next = call
        place._previous = call
        return call


def as_fx(graph: CallGraph) -> fx.Graph:
    """Returns a graph as one of torch."""
    result = fx.Graph()
    nodes: dict[Call, fx.Node] = {}
    for call in graph.nodes:
        args = map_calls(call.args, nodes.__getitem__)
        kwargs = {key: map_calls(item, nodes.__getitem__) for key, item in call.kwargs.items()}
        if call.op == "output":
            node = result.output(*args)
        elif call.op == "placeholder":
            node = result.create_node("placeholder", call.target, name=call.target)
            node.target = node.name  # which torch may have changed to a free one
        else:
            node = result.create_node(call.op, call.target, args, kwargs)
        node.meta.update(call.meta)
        nodes[call] = node
    return result
