"""Source of lowered graphs: a line for each call, or for each step of a long graph.

Python takes twenty microseconds to compile a line, and graphs of thousands of calls repeat
themselves, as a recurrent network that is unrolled does. So a long graph is cut into steps, and
steps that do the same to other values share a function.

No text of a user or of a file is in the source: functions and inputs have names of this package,
and values other than integers are looked up by names of their own.
"""

from __future__ import annotations

import keyword
import operator
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from mxnet.graph.calls import Call, CallGraph, find_calls

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
        self._attributes: dict[int, Hashable] = {}
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
        variables = {call: str(call.target) for call in (*inputs, *attributes)}
        variables.update((call, f"v{place}") for place, call in enumerate(calls))
        (output,) = by_kind["output"]
        lines = [f"{call.target} = self.{call.target}" for call in attributes]
        write = self._write_steps if len(calls) > _LONG else self._write_calls
        lines += write(calls, variables, {*find_calls(output.args)})
        lines.append(f"return {self._write(output.args[0], variables)}")
        self._define("forward", ["self", *(variables[call] for call in inputs)], lines)
        self.text = "\n".join(self._functions)

    def _define(self, name: str, parameters: Iterable[str], lines: Iterable[str]) -> None:
        body = "".join(f"    {line}\n" for line in lines)
        self._functions.append(f"def {name}({', '.join(parameters)}):\n{body}")

    def _write_calls(
        self, calls: Sequence[Call], variables: Mapping[Call, str], results: set[Call]
    ) -> list[str]:
        """Returns a line for each call, which also drops what nobody reads after it."""
        lines = []
        reads = [[*call.all_input_nodes, call] for call in calls]
        for call, dead in zip(calls, _find_dead(reads, results), strict=True):
            line = f"{variables[call]} = {self._write_call(call, variables)}"
            names = ", ".join(variables[item] for item in dead)
            lines.append(f"{line}; del {names}" if names else line)
        return lines

    def _write_steps(
        self, calls: Sequence[Call], variables: Mapping[Call, str], results: set[Call]
    ) -> list[str]:
        """Returns a line for each step of a long graph."""
        steps = [_Step(step, results) for step in _cut(calls)]
        lines = []
        reads = [[*step.inputs, *step.results] for step in steps]
        for step, dead in zip(steps, _find_dead(reads, results), strict=True):
            arguments = ", ".join(variables[call] for call in step.inputs)
            targets = "".join(f"{variables[call]}, " for call in step.results)
            line = f"{self._name_step(step)}({arguments})"
            lines.append(f"{targets}= {line}" if targets else line)
            if dead:
                lines[-1] += f"; del {', '.join(variables[call] for call in dead)}"
        return lines

    def _name_step(self, step: _Step) -> str:
        """Returns the name of the function of a step, which is written if there is none yet."""
        key = (
            tuple(step.places[call] for call in step.results),
            *(self._encode_call(call, step.places) for call in step.calls),
        )
        name = self._steps.get(key)
        if name is None:
            name = self._steps[key] = f"step_{len(self._steps)}"
            variables = {call: f"v{place}" for call, place in step.places.items() if place >= 0}
            parameters = {call: f"a{place}" for place, call in enumerate(step.inputs)}
            lines = self._write_calls(
                step.calls, variables | parameters, {*step.results, *step.inputs}
            )
            lines.append(f"return ({''.join(f'{variables[call]}, ' for call in step.results)})")
            self._define(name, parameters.values(), lines)
        return name

    def _encode_call(self, call: Call, places: Mapping[Call, int]) -> Hashable:
        kwargs = call.kwargs
        attributes = self._attributes.get(id(kwargs))
        if attributes is None:
            attributes = tuple((key, self._encode(item, places)) for key, item in kwargs.items())
            if not find_calls(kwargs.values()):
                self._attributes[id(kwargs)] = attributes  # lives as long as the call
        return call.target, tuple(self._encode(item, places) for item in call.args), attributes

    def _encode(self, value: Any, places: Mapping[Call, int]) -> Hashable:
        if value.__class__ is Call:
            return places[value]
        if value.__class__ in (list, tuple) and find_calls(value):
            return (value.__class__, *(self._encode(item, places) for item in value))
        return self._write_value(value)

    def _write_call(self, call: Call, variables: Mapping[Call, str]) -> str:
        if call.target is operator.getitem:
            return f"{self._write(call.args[0], variables)}[{self._write(call.args[1], variables)}]"
        arguments = [self._write(item, variables) for item in call.args]
        arguments += [f"{key}={self._write(item, variables)}" for key, item in call.kwargs.items()]
        return f"{self._name_function(call.target)}({', '.join(arguments)})"

    def _write(self, value: Any, variables: Mapping[Call, str]) -> str:
        if value.__class__ is Call:
            return variables[value]
        if value.__class__ in (list, tuple) and find_calls(value):
            items = "".join(f"{self._write(item, variables)}, " for item in value)
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

    Attributes:
        calls: The calls.
        inputs: The results of other calls that they read, in order.
        results: The calls whose results others read.
        places: A number for each of these and the calls; those of inputs are negative.
    """

    def __init__(self, calls: Sequence[Call], kept: set[Call]) -> None:
        self.calls = calls
        self.places = {call: place for place, call in enumerate(calls)}
        self.inputs: list[Call] = []
        self.results: list[Call] = []
        places = self.places
        for call in calls:
            for item in find_calls(call.args):
                self._place(item)
            for item in find_calls(call.kwargs.values()):
                self._place(item)
        for call in calls:
            if call in kept or any(user not in places for user in call.users):
                self.results.append(call)

    def _place(self, call: Call) -> None:
        if call not in self.places:
            self.inputs.append(call)
            self.places[call] = -len(self.inputs)


def _cut(calls: Sequence[Call]) -> list[Sequence[Call]]:
    """Cuts calls into steps, before each call of a function that is called once in most steps."""
    counts = Counter(call.target for call in calls if call.target is not operator.getitem)
    fitting = [
        (count, target) for target, count in counts.items() if len(calls) // count in _STEP_LENGTHS
    ]
    first = max(fitting, key=operator.itemgetter(0), default=(0, None))[1]
    steps, start = [], 0
    for place, call in enumerate(calls):
        length = place - start
        if length >= _STEP_LENGTHS.stop or (call.target is first and length > 1):
            steps.append(calls[start:place])
            start = place
    steps.append(calls[start:])
    return steps


def _find_dead(reads: Sequence[Sequence[Call]], kept: set[Call]) -> list[list[Call]]:
    """Returns for each place what is made or read there for the last time and not kept."""
    last = {call: place for place, calls in enumerate(reads) for call in calls}
    dead: list[list[Call]] = [[] for _ in reads]
    for call, place in last.items():
        if call not in kept:
            dead[place].append(call)
    return dead
