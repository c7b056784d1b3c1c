"""Lowered graphs as Python functions: a line for each call, or for each step of a long graph.

The code lives as long as the function does; a `torch.fx.GraphModule` leaves every source in caches
of the process for ever.

Python takes twenty microseconds to compile a line, and graphs of thousands of calls repeat
themselves, as a recurrent network that is unrolled does. So a long graph is cut into steps, and
steps that do the same to other values share a function.

No text of a user or of a file is in the source: functions and inputs have names of this package,
and values other than integers are looked up by names of their own.
"""

from __future__ import annotations

import builtins
import itertools
import keyword
import linecache
import operator
import weakref
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from types import CodeType, FunctionType, MethodType
from typing import Any

from torch import nn

from mxnet.graph.lower.calls import Call, CallGraph, find_calls

_LONG = 400
"""Calls of a graph that is cut into steps."""
_STEP_LENGTHS = range(12, 121)
"""Lengths of steps: longer ones are seldom alike, and shorter ones are called too often."""


class Source:
    """The source of a function that computes a graph, with the values that it reads.

    Args:
        graph: The graph.

    Attributes:
        text: The source. The last function in it is `forward`, which takes the module and inputs.
        values: What the source reads by name.
    """

    def __init__(self, graph: CallGraph) -> None:
        self.values: dict[str, Any] = {}
        self._names: dict[Hashable, str] = {}
        self._signatures: dict[tuple[Any, int], Hashable] = {}
        self._steps: dict[Hashable, str] = {}
        self._functions: list[str] = []
        by_kind: dict[str, list[Call]] = {"placeholder": [], "get_attr": [], "call_function": []}
        for call in graph.nodes:
            by_kind.setdefault(call.op, []).append(call)
        inputs, attributes, calls = (
            by_kind["placeholder"],
            by_kind["get_attr"],
            by_kind["call_function"],
        )
        variables: dict[Call, str] = {}
        for call in (*inputs, *attributes):
            variables[call] = str(call.target)
        (output,) = by_kind["output"]
        lines = [f"{call.target} = self.{call.target}" for call in attributes]
        write = self._write_steps if len(calls) > _LONG else self._write_calls
        lines += write(calls, variables, {*find_calls(output.args)})
        lines.append(f"return {self._write(output.args[0], variables)}")
        self._define("forward", ["self", *[variables[call] for call in inputs]], lines)
        self.text = "\n".join(self._functions)

    def _define(self, name: str, parameters: Iterable[str], lines: Iterable[str]) -> None:
        body = "\n    ".join(lines)
        self._functions.append(f"def {name}({', '.join(parameters)}):\n    {body}\n")

    def _write_calls(
        self, calls: Sequence[Call], variables: dict[Call, str], results: set[Call]
    ) -> list[str]:
        """Returns a line for each call, which also drops what no later call reads.

        Args:
            calls: The calls.
            variables: What the results of others are called; those of these are added.
            results: Which results are kept.
        """
        lines = []
        for call in calls:
            if call not in variables:
                variables[call] = f"v{len(variables)}"
        runs = _find_runs(calls)
        reads = [[*run[0].all_input_nodes, *run] for run in runs]
        dead = _find_dead(reads, results)
        for place, run in enumerate(runs):
            if len(run) == 1:
                line = f"{variables[run[0]]} = {self._write_call(run[0], variables)}"
            else:  # the part of a tuple that several calls pick
                targets = ", ".join([variables[call] for call in run])
                source, first = run[0].args
                line = f"{targets} = {self._write(source, variables)}[{first}:{first + len(run)}]"
            if place in dead:
                line += f"; del {', '.join([variables[call] for call in dead[place]])}"
            lines.append(line)
        return lines

    def _write_steps(
        self, calls: Sequence[Call], variables: dict[Call, str], results: set[Call]
    ) -> list[str]:
        """Returns a line for each step of a long graph; see `_write_calls`."""
        steps = [_Step(step, results, self) for step in _cut(calls)]
        lines = []
        for step in steps:
            for call in step.results:
                variables[call] = f"v{len(variables)}"
        reads = [[*step.inputs, *step.results] for step in steps]
        all_dead = _find_dead(reads, results)
        for place, step in enumerate(steps):
            dead = all_dead.get(place)
            if all(call.target is operator.getitem for call in step.calls):  # a line at most
                lines += self._write_calls(step.calls, variables, {*step.results, *step.inputs})
                if dead:
                    lines[-1] += f"; del {', '.join([variables[call] for call in dead])}"
                continue
            arguments = ", ".join([variables[call] for call in step.inputs])
            targets = "".join([f"{variables[call]}, " for call in step.results])
            line = f"{self._name_step(step)}({arguments})"
            lines.append(f"{targets}= {line}" if targets else line)
            if dead:
                lines[-1] += f"; del {', '.join([variables[call] for call in dead])}"
        return lines

    def _name_step(self, step: _Step) -> str:
        """Returns the name of the function of a step, which is written if there is none yet."""
        name = self._steps.get(step.key)
        if name is None:
            name = self._steps[step.key] = f"step_{len(self._steps)}"
            variables = {call: f"a{place}" for place, call in enumerate(step.inputs)}
            parameters = [*variables.values()]
            lines = self._write_calls(step.calls, variables, {*step.results, *step.inputs})
            lines.append(f"return ({''.join(f'{variables[call]}, ' for call in step.results)})")
            self._define(name, parameters, lines)
        return name

    def sign(self, call: Call) -> Hashable:
        """Returns what calls that differ only in the values of positional arguments share.

        None is returned for a call that reads values by name.
        """
        key = (call.target, id(call.kwargs))  # which lives as long as the call
        signature = self._signatures.get(key, self)
        if signature is self:
            names = call.kwargs.items()
            signature = None
            if not find_calls(call.kwargs.values()):
                signature = (call.target, *[(k, self._write_value(item)) for k, item in names])
            self._signatures[key] = signature
        return signature

    def encode(self, value: Any, find_place: Callable[[Call], int]) -> Hashable:
        """Returns what equal arguments of calls in other steps share.

        Args:
            value: The argument.
            find_place: Returns the place of a result in the step.
        """
        if value.__class__ is Call:
            return find_place(value)
        if value.__class__ in (list, tuple) and find_calls(value):
            return (value.__class__, *[self.encode(item, find_place) for item in value])
        return self._write_value(value)

    def _write_call(self, call: Call, variables: Mapping[Call, str]) -> str:
        if call.target is operator.getitem:
            return f"{self._write(call.args[0], variables)}[{self._write(call.args[1], variables)}]"
        arguments = [
            variables[item] if item.__class__ is Call else self._write(item, variables)
            for item in call.args
        ]
        for key, item in call.kwargs.items():
            is_plain = item is None or item.__class__ in (int, bool)
            arguments.append(f"{key}={item if is_plain else self._write(item, variables)}")
        return f"{self._name_function(call.target)}({', '.join(arguments)})"

    def _write(self, value: Any, variables: Mapping[Call, str]) -> str:
        if value.__class__ is Call:
            return variables[value]
        if value.__class__ in (list, tuple) and find_calls(value):
            items = ""
            for item in value:
                written = (
                    variables[item] if item.__class__ is Call else self._write(item, variables)
                )
                items += f"{written}, "
            return f"[{items[:-2]}]" if value.__class__ is list else f"({items})"
        return self._write_value(value)

    def _write_value(self, value: Any) -> str:
        """Returns an integer, or the name of another value."""
        if value is None or value.__class__ in (int, bool):
            return repr(value)
        # Equal values need not be the same: -0.0 and 0.0, True and 1.
        is_plain = value.__class__ in (float, str, tuple)
        key = (value.__class__, repr(value)) if is_plain else id(value)
        name = self._names.get(key)
        if name is None:
            name = self._names[key] = f"value_{len(self.values)}"
            self.values[name] = value
        return name

    def _name_function(self, function: Any) -> str:
        name = self._names.get(id(function))
        if name is None:
            name = getattr(function, "__name__", "function")
            if not name.isidentifier() or keyword.iskeyword(name) or not name.isascii():
                name = "function"
            # The number keeps it apart from variables and from other functions of the name.
            name = self._names[id(function)] = f"{name}_{len(self.values)}"
            self.values[name] = function
        return name


class _Step:
    """Some calls of a graph, one after the other.

    Args:
        calls: The calls.
        kept: The calls whose results are outputs of the graph.
        source: The source that the step is written into.

    Attributes:
        calls: The calls.
        inputs: The results of other calls that they read, in order.
        results: The calls whose results others read.
        key: What steps that do the same to other values share.
    """

    def __init__(self, calls: Sequence[Call], kept: set[Call], source: Source) -> None:
        self.calls = calls
        self.inputs: list[Call] = []
        self._places: dict[Call, int] = {}  # those of inputs are negative
        places, key = self._places, []
        for place, call in enumerate(calls):
            signature = source.sign(call)
            key.append(signature)
            for value in call.args:
                if value.__class__ is Call and value in places:
                    key.append(places[value])
                else:
                    key.append(source.encode(value, self._find_place))
            if signature is None:
                key += [call.target, *call.kwargs]
                key += [source.encode(item, self._find_place) for item in call.kwargs.values()]
            places[call] = place
        self.results = [call for call in calls if call in kept or self._is_read_outside(call)]
        self.key = (*key, None, *[places[call] for call in self.results])

    def _is_read_outside(self, call: Call) -> bool:
        places = self._places
        for user in call.users:  # noqa: SIM110 - `any` takes twice as long
            if user not in places:
                return True
        return False

    def _find_place(self, call: Call) -> int:
        place = self._places.get(call)
        if place is None:
            self.inputs.append(call)
            place = self._places[call] = -len(self.inputs)
        return place


def _cut(calls: Sequence[Call]) -> list[Sequence[Call]]:
    """Cuts calls into steps, before each call of a function that is called once in most steps."""
    counts = Counter(call.target for call in calls if call.target is not operator.getitem)
    fitting = [
        (count, target) for target, count in counts.items() if len(calls) // count in _STEP_LENGTHS
    ]
    first = max(fitting, key=operator.itemgetter(0), default=(0, None))[1]
    steps: list[Sequence[Call]] = []
    start = place = 0
    for run in _find_runs(calls):
        length, is_long = place - start, len(run) >= _STEP_LENGTHS.start
        begins = length > 1 and run[0].target is first
        if length and (is_long or begins or length >= _STEP_LENGTHS.stop):
            steps.append(calls[start:place])
            start = place
        place += len(run)
        if is_long:
            steps.append(run)
            start = place
    if start < place:
        steps.append(calls[start:])
    return steps


def _find_runs(calls: Sequence[Call]) -> list[list[Call]]:
    """Groups calls that pick items of a tuple, one after the other; others stay alone."""
    runs: list[list[Call]] = []
    for call in calls:
        if call.target is operator.getitem and runs:
            last = runs[-1][-1]
            source, index = call.args
            if last.target is operator.getitem and last.args == (source, index - 1):
                runs[-1].append(call)
                continue
        runs.append([call])
    return runs


def _find_dead(reads: Sequence[Sequence[Call]], kept: set[Call]) -> dict[int, list[Call]]:
    """Returns by place what is made or read there for the last time and not kept."""
    last: dict[Call, int] = {}
    for place, calls in enumerate(reads):
        for call in calls:
            last[call] = place
    dead: dict[int, list[Call]] = {}
    for call, place in last.items():
        if call not in kept:
            dead.setdefault(place, []).append(call)
    return dead


_numbers = itertools.count()


def compile_graph(graph: CallGraph, root: nn.Module) -> Callable[..., Any]:
    """Returns the function of the inputs that computes a graph.

    Args:
        graph: The graph.
        root: Module with the attributes that the graph reads.
    """
    source = Source(graph)
    # Tracebacks look the lines up under this name.
    path = f"<mxnet graph {next(_numbers)}>"
    compiled = compile(source.text, path, "exec", dont_inherit=True)
    source.values["__builtins__"] = builtins  # C functions that import modules look for it
    for body in compiled.co_consts:
        if isinstance(body, CodeType):
            source.values[body.co_name] = FunctionType(body, source.values)
    function = source.values.pop("forward")
    linecache.cache[path] = (len(source.text), None, source.text.splitlines(keepends=True), path)
    weakref.finalize(function, linecache.cache.pop, path, None).atexit = False
    return MethodType(function, root)
