"""Graphs of calls: what graphs are lowered to, and what passes work on.

They look like those of `torch.fx`, with the same words, but making one takes a tenth of the time:
no names are thought out, no source is written and arguments are not searched by `pytree`. Graphs
of thousands of small operators, such as unrolled recurrent networks, need that. `modules.as_fx`
turns one into a graph of torch, for its compilers and for users.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal, TypeAlias

from mxnet.graph.ir import Node, OwningOp, SubgraphOp
from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.registry import Op
from mxnet.ops.core.traits import Activation, Role

Feature: TypeAlias = (
    Op | Role | Literal["attention", "fused", "passes_through", "impure", "joined", "repeated"]
)
"""What passes look for in a graph: an operator, a role, or a fact.

`attention`: it can be a part of attention. `fused`: it is a fused layer. `passes_through`: it may
return its first input in prediction. `impure`: see `is_pure_operator`. `joined`: its result has no
derivative. `repeated`: some function is called more than once.
"""

_NO_KWARGS: Mapping[str, Any] = {}


class Call:
    """An input of a graph, the call of a function, or the output.

    Args:
        op: One of "placeholder", "call_function", "get_attr" and "output".
        target: The function, or the name of an input or of an attribute of the module.
        args: Arguments, in which other calls stand for their results, also in lists and tuples.
        kwargs: Arguments by name.
        operator: The operator whose kernel is called, None for an auxiliary call.
        source: Node of the graph that was lowered to this call.
        place: The call before which this one stands; None for one of no graph.

    Attributes:
        args: Arguments by position; `set_arguments` changes them.
        kwargs: Arguments by name.
        users: The calls that read the result, in order; the values are None.
        merged: Nodes whose work the call does, where it is not that of `source` alone.
        shape: Shape of the result, if a pass has noted it.
        is_fused: Whether a convolution of oneDNN is called, perhaps with what follows it.
    """

    __slots__ = (
        "_next", "_previous", "args", "is_fused", "kwargs", "merged", "op", "operator", "shape",
        "source", "target", "users",
    )  # fmt: skip

    def __init__(
        self,
        op: str,
        target: Any,
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] = _NO_KWARGS,
        operator: Op | None = None,
        source: Node | None = None,
        place: Call | None = None,
    ) -> None:
        self.op, self.target, self.args, self.kwargs = op, target, args, kwargs
        self.operator, self.source = operator, source
        self.users: dict[Call, None] = {}
        self.merged: tuple[Node, ...] = ()
        self.shape: Shape | None = None
        self.is_fused = False
        self._previous = self._next = self
        if place is not None:
            before = place._previous
            self._previous, self._next = before, place
            before._next = place._previous = self
        # Most arguments are calls, and most calls have few: no function is called for these.
        for value in args:
            if value.__class__ is Call:
                value.users[self] = None
            elif value.__class__ in (list, tuple):
                _note_user(self, value)
        for value in kwargs.values() if kwargs else ():
            if value.__class__ in (Call, list, tuple):
                _note_user(self, (value,))

    def __repr__(self) -> str:
        name = getattr(self.target, "__name__", self.target)
        return f"<{self.op} {name}>"

    def set_arguments(self, args: tuple[Any, ...], kwargs: Mapping[str, Any] | None = None) -> None:
        """Replaces the arguments by position, and those by name if any are given."""
        for call in self.all_input_nodes:
            call.users.pop(self, None)
        self.args = args
        if kwargs is not None:
            self.kwargs = kwargs
        for call in self.all_input_nodes:
            call.users[self] = None

    @property
    def all_input_nodes(self) -> list[Call]:
        """The calls whose results this one reads, each once."""
        found: dict[Call, None] = {}
        for value in (*self.args, *self.kwargs.values()):
            if value.__class__ is Call:
                found[value] = None
            elif value.__class__ in (list, tuple):
                found.update(dict.fromkeys(find_calls(value)))
        return list(found)

    @property
    def sources(self) -> tuple[Node, ...]:
        """Nodes of the graph whose work the call does."""
        return self.merged or (() if self.source is None else (self.source,))

    def replace_all_uses_with(self, other: Call) -> None:
        """Makes everything that reads this result read that of another call."""

        def replace(call: Call) -> Call:
            return other if call is self else call

        for user in self.users:
            user.args = map_calls(user.args, replace)
            if self in find_calls(user.kwargs.values()):
                user.kwargs = {key: map_calls(item, replace) for key, item in user.kwargs.items()}
            other.users[user] = None
        self.users = {}


def _note_user(user: Call, values: Iterable[Any]) -> None:
    """Enters a call as a reader of the calls among some of its arguments."""
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
        return value.__class__([map_calls(item, function) for item in value])
    return value


def is_pure_operator(op: Op) -> bool:
    """Returns whether a kernel gives the same result each time and changes nothing."""
    random = "generator" in op.supplied  # and a program of the user may count its calls
    return not (random or op.aux or op.mutates or op.traits.runs_program)


def _features_of(op: Op) -> frozenset[Feature]:
    """Returns what passes may look for in an operator."""
    traits = op.traits
    features: list[Feature] = [op]
    if traits.role is not None:
        features.append(traits.role)
    if traits.fusion.attention is not None:
        features.append("attention")
    if traits.fusion.passes_through:
        features.append("passes_through")
    if isinstance(op, OwningOp) and not isinstance(op, SubgraphOp):
        features.append("fused")
    if not op.differentiable:
        features.append("joined")
    if not is_pure_operator(op):
        features.append("impure")
    return frozenset(features)


class CallGraph:
    """Calls in the order in which they are run.

    Attributes:
        features: What there is, or was, in the graph for passes to look for.
    """

    def __init__(self) -> None:
        # The calls are a ring with this one, so that each has a neighbour on both sides.
        self._end = Call("root", "")
        self._place = self._end
        self._nodes: list[Call] | None = None
        self._operators: dict[Op, frozenset[Feature]] = {}
        self._targets: set[Any] = set()
        self.features: set[Feature] = set()

    @property
    def nodes(self) -> list[Call]:
        """All calls, in a list that is not to be changed; changes of the graph do not either."""
        calls = self._nodes
        if calls is None:
            calls, call, end = [], self._end._next, self._end
            while call is not end:
                calls.append(call)
                call = call._next
            self._nodes = calls
        return calls

    def calls_of(self, feature: Feature) -> list[Call]:
        """Lists the calls that run the kernels of operators with a feature."""
        if feature not in self.features:
            return []
        wanted = {op for op, features in self._operators.items() if feature in features}
        return [call for call in self.nodes if call.operator in wanted]

    def call_function(
        self,
        function: Callable[..., Any],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] = _NO_KWARGS,
        operator: Op | None = None,
        source: Node | None = None,
    ) -> Call:
        """Adds the call of a function; see `Call`."""
        self._nodes = None
        if operator is not None and operator not in self._operators:
            features = self._operators[operator] = _features_of(operator)
            self.features |= features
        if function in self._targets:
            self.features.add("repeated")
        else:
            self._targets.add(function)
        return Call("call_function", function, args, kwargs, operator, source, self._place)

    def placeholder(self, name: str) -> Call:
        """Adds an input."""
        self._nodes = None
        return Call("placeholder", name, place=self._place)

    def get_attr(self, name: str) -> Call:
        """Adds the value of an attribute of the module."""
        self._nodes = None
        return Call("get_attr", name, place=self._place)

    def output(self, results: Sequence[Any]) -> Call:
        """Adds the output."""
        self._nodes = None
        return Call("output", "output", (results,), place=self._place)

    def node_copy(self, call: Call, transform: Callable[[Call], Any] = lambda call: call) -> Call:
        """Adds a call like one of this or another graph.

        Args:
            call: The call.
            transform: Returns what is read in place of the result of a call.
        """
        args = map_calls(call.args, transform)
        kwargs = {key: map_calls(item, transform) for key, item in call.kwargs.items()}
        if call.op == "call_function":
            copy = self.call_function(call.target, args, kwargs, call.operator, call.source)
        else:
            self._nodes = None
            copy = Call(call.op, call.target, args, kwargs, place=self._place)
        copy.merged, copy.shape, copy.is_fused = call.merged, call.shape, call.is_fused
        return copy

    def erase_node(self, call: Call) -> None:
        """Removes a call whose result is not read.

        Raises:
            RuntimeError: if it is.
        """
        if call.users:
            raise RuntimeError(f"{call} is read by {list(call.users)} and cannot be removed")
        for read in call.all_input_nodes:
            read.users.pop(call, None)
        self._nodes = None
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


def note_merged(call: Call, parts: Iterable[Call]) -> None:
    """Notes that a call does the work of other calls, for profilers, which show what runs.

    Args:
        call: The call, which may be one of the others.
        parts: The others in the order of the graph.
    """
    call.merged = tuple(source for part in parts for source in part.sources)


def attribute(node: Call, name: str) -> Any:
    """Returns an attribute of the operator that a node calls, its default if it is not given."""
    if name in node.kwargs:
        return node.kwargs[name]
    return operator_of(node).attrs[name].default


def is_pure(node: Call) -> bool:
    """Returns whether a call gives the same result each time and changes nothing."""
    op = node.operator
    return node.op == "call_function" and (op is None or is_pure_operator(op))


def operator_of(node: Call) -> Op:
    """Returns the operator whose kernel a node calls, which is no auxiliary call.

    Raises:
        TypeError: if it is one.
    """
    if node.operator is None:
        raise TypeError(f"{node} is not the call of an operator")
    return node.operator


def settings_of(node: Call) -> dict[str, Any]:
    """Returns all attributes of the operator that a node calls."""
    return {name: attribute(node, name) for name in operator_of(node).attrs}


def role_of(node: Call) -> Role | None:
    """Returns what passes may treat a call as, None for an auxiliary call."""
    op = node.operator
    return None if op is None else op.traits.role


def activation_of(node: Call) -> Activation | None:
    """Returns the activation that a call computes, None for another function."""
    op = node.operator
    rule = None if op is None else op.traits.fusion.activation
    return rule(**settings_of(node)) if callable(rule) else rule


def passes_through(node: Call) -> bool:
    """Returns whether a call returns its first input in prediction."""
    op = node.operator
    if op is None:
        return False
    rule = op.traits.fusion.passes_through
    return rule(**settings_of(node)) if callable(rule) else rule
