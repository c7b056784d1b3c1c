"""Loops and conditions on symbols, which become nodes with subgraphs.

The function of the user is called once, on variables, inside of a scope that marks all nodes made
there. What it reads from outside of the scope becomes an input of the node.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from mxnet._state import Lock
from mxnet.attribute import AttrScope
from mxnet.errors import ArgumentValueError, CheckFailedError, MXNetError, UnsupportedTypeError
from mxnet.graph.ir import Control, Entry, Graph, Node, hide, sort_nodes
from mxnet.graph.json import read_json
from mxnet.graph.run import (
    CALL,
    COND,
    FOREACH,
    WHILE_LOOP,
    flatten,
    make_call_op,
    make_control_node,
    read_limit,
    regroup,
)
from mxnet.name import NameManager
from mxnet.ops.core.attrs import write
from mxnet.symbol._functions import FUNCTIONS, make_node, var
from mxnet.symbol.symbol import Symbol

_SCOPE = "__subgraph_name__"

_naming = Lock()


class _Part(NamedTuple):
    """A function of the user as a graph."""

    graph: Graph
    outer: dict[str, Entry]
    """What the variables of the graph stand for, those of loops left out."""


def _open_scope(name: str) -> AttrScope:
    """Makes the scope of a subgraph; nested ones are joined by a dollar sign."""
    outer = AttrScope._current.value.get(None).get(_SCOPE)
    full = name if outer is None else f"{outer}${name}"
    with _naming:
        number = AttrScope._subgraph_names[full]
        AttrScope._subgraph_names[full] = number + 1
    return AttrScope(**{_SCOPE: f"{full}{number}"})


def _entry(symbol: Symbol, where: str) -> Entry:
    if len(symbol) != 1:
        raise MXNetError(f"{where}: {symbol!r} has {len(symbol)} outputs; pick one of them")
    return symbol._heads[0]


def _make_variables(symbols: Sequence[Symbol], where: str) -> list[Symbol]:
    """Makes what stands for arrays inside of a subgraph, of different names."""
    made = []
    taken: set[str] = set()
    for symbol in symbols:
        entry = _entry(symbol, where)
        name = f"{entry.node.name}-{entry.output}"
        while name in taken:
            name += "-0"
        taken.add(name)
        made.append(var(name))
    return made


def _cut(outputs: Sequence[Symbol], scope: str, variables: Sequence[Symbol], where: str) -> _Part:
    """Separates what was made inside of a scope from the rest of the graph."""
    heads = _own_heads(outputs, scope, where)
    own = {symbol._heads[0].node for symbol in variables}
    copies: dict[Entry, Entry] = {}
    outer: dict[str, Entry] = {}

    def find(entry: Entry) -> Entry:
        """Returns the entry of the subgraph that stands for one of the whole graph."""
        if entry not in copies:
            node = entry.node
            inside = node.attrs.get(_SCOPE) == scope
            name = node.output_name(entry.output)
            if inside and node.op is None:
                copies[entry] = entry
            elif not inside:
                copies[entry] = Entry(Node(None, name))
            if node not in own and outer.setdefault(name, entry) != entry:
                raise CheckFailedError(
                    f"{where}: two things that the function reads are called {name}"
                )
        return copies[entry]

    for node in sort_nodes(heads):
        if node.op is not None and node.attrs.get(_SCOPE) == scope:
            copy = Node(node.op, node.name, node.attrs, [find(entry) for entry in node.inputs])
            copies.update(
                (Entry(node, index), Entry(copy, index)) for index in range(node.num_counted)
            )
    return _Part(Graph(copies[head] for head in heads), outer)


def _own_heads(outputs: Sequence[Symbol], scope: str, where: str) -> list[Entry]:
    """Returns the outputs of a subgraph, each of a node of its own inside of the scope."""
    heads: list[Entry] = []
    for output in outputs:
        head = _entry(output, where)
        foreign = head.node.op is None or head.node.attrs.get(_SCOPE) != scope
        if foreign or any(head.node is other.node for other in heads):
            head = FUNCTIONS["op"]["identity"](output)._heads[0]
        heads.append(head)
    return heads


def _make(
    control: Control, attrs: dict[str, Any], inputs: Sequence[Entry], parts: Sequence[_Part]
) -> list[Symbol]:
    """Makes a node of control flow and returns its outputs."""
    text = {key: str(value) for key, value in attrs.items()}
    scoped = AttrScope._current.value.get(None)
    text.update((hide(key), value) for key, value in scoped.items())
    text["num_args"] = str(len(inputs) + len(parts))
    node_name = NameManager._current.value.get(None, control.name)
    node = make_control_node(control, node_name, text, inputs, [part.graph for part in parts])
    return list(Symbol._of_node(node))


def _positions(part: _Part, variables: Sequence[Symbol], where: str, what: str) -> list[int]:
    names = part.graph.input_names
    for variable in variables:
        if variable.name not in names:
            raise CheckFailedError(f"{where}: the function does not use {what} {variable.name!r}")
    return [names.index(str(variable.name)) for variable in variables]


def foreach(
    body: Callable[..., Any], data: Any, init_states: Any, name: str = "foreach"
) -> tuple[Any, Any]:
    """Runs a function for each slice of arrays along their first axis.

    Args:
        body: Called once as `body(slices, states)`, where it builds the graph of one step; gives
            the outputs of the step and the new states.
        data: What to go through, a symbol or nested lists of symbols.
        init_states: States before the first step, a symbol or nested lists of symbols.
        name: What the name of the subgraph begins with.

    Returns:
        The outputs, stacked over all steps, and the states after the last step, nested as `body`
        gives them.

    Example:
        >>> import mxnet as mx
        >>> total = lambda x, state: (x + state, x + state)
        >>> sums, last = mx.sym.contrib.foreach(total, mx.sym.var("x"), mx.sym.var("start"))
        >>> sums.infer_shape(x=(3, 2), start=(2,))[1]
        [(3, 2)]
    """
    arrays, data_form = flatten(data, Symbol, "foreach: data")
    states, state_form = flatten(init_states, Symbol, "foreach: states")
    with _open_scope(name) as scope:
        made = _make_variables([*arrays, *states], "foreach")
        slices, old = made[: len(arrays)], made[len(arrays) :]
        outputs, new_states = body(regroup(slices, data_form), regroup(old, state_form))
        results, form = flatten(outputs, Symbol, "foreach: output")
        new, new_form = flatten(new_states, Symbol, "foreach: new states")
        if new_form != state_form:
            raise CheckFailedError("foreach: new states are not nested as the first ones")
        if not results and not new:
            raise UnsupportedTypeError("foreach: the function gives neither outputs nor states")
        part = _cut([*results, *new], scope._attr[_SCOPE], made, "foreach")
    data_places = _positions(part, slices, "foreach", "the data")
    state_places = _positions(part, old, "foreach", "the state")
    names = part.graph.input_names
    rest = [i for i in range(len(names)) if i not in (*data_places, *state_places)]
    attrs = {
        "num_outputs": len(results) + len(new),
        "num_out_data": len(results),
        "in_state_locs": state_places,
        "in_data_locs": data_places,
        "remain_locs": rest,
    }
    inputs = [_entry(symbol, "foreach") for symbol in (*arrays, *states)]
    inputs += [part.outer[names[i]] for i in rest]
    symbols = _make(FOREACH, attrs, inputs, [part])
    return regroup(symbols[: len(results)], form), regroup(symbols[len(results) :], state_form)


def while_loop(
    cond: Callable[..., Any],
    func: Callable[..., Any],
    loop_vars: Any,
    max_iterations: int | None = None,
    name: str = "while_loop",
) -> tuple[Any, Any]:
    """Runs a function as long as a condition holds.

    Args:
        cond: Called once as `cond(*loop_vars)`; gives a symbol of one number.
        func: Called once as `func(*loop_vars)`; gives the outputs of a step and the new variables.
        loop_vars: Variables before the first step, a symbol or nested lists of symbols.
        max_iterations: Largest number of steps.
        name: What the names of the subgraphs begin with.

    Returns:
        The outputs, stacked to `max_iterations` rows of which those after the last step are zero,
        and the variables after the last step.

    Example:
        >>> import mxnet as mx
        >>> def body(i, total):
        ...     return total, (i + 1, total + i)
        ...
        >>> start = mx.sym.var("i"), mx.sym.var("total")
        >>> loop = mx.sym.contrib.while_loop
        >>> outputs, (i, total) = loop(lambda i, _: i <= 4, body, start, max_iterations=6)
        >>> print(total.eval(i=mx.nd.array([1]), total=mx.nd.array([0]))[0].asnumpy())
        [10.]
    """
    limit = read_limit(max_iterations)
    first, form = flatten(loop_vars, Symbol, "while_loop: loop_vars")
    if not first:
        raise ArgumentValueError("while_loop: there must be at least one variable")

    def call(function: Callable[..., Any], variables: Sequence[Symbol]) -> Any:
        nested = regroup(variables, form)
        return function(*(nested if form is not None else [nested]))

    with _open_scope(f"{name}_cond") as scope:
        cond_vars = _make_variables(first, "while_loop")
        answer = call(cond, cond_vars)
        if not isinstance(answer, Symbol):
            raise ArgumentValueError(
                f"while_loop: the condition must give a Symbol, got {answer!r}"
            )
        cond_part = _cut([answer], scope._attr[_SCOPE], cond_vars, "while_loop")
    with _open_scope(f"{name}_func") as scope:
        func_vars = _make_variables(first, "while_loop")
        outputs, new_vars = call(func, func_vars)
        results, out_form = flatten(
            [] if outputs is None else outputs, Symbol, "while_loop: output"
        )
        new, _ = flatten([] if new_vars is None else new_vars, Symbol, "while_loop: loop_vars")
        if len(new) != len(first):
            raise ArgumentValueError(f"while_loop: expected {len(first)} variables, got {len(new)}")
        func_part = _cut([*results, *new], scope._attr[_SCOPE], func_vars, "while_loop")
    for number, variable in enumerate(func_vars):
        if variable.name not in func_part.graph.input_names:
            raise ArgumentValueError(f"while_loop: the function does not use variable {number}")
    given = dict(zip((str(v.name) for v in func_vars), first, strict=True))
    inputs, places = _join_inputs((cond_part, func_part), given)
    attrs = {
        "max_iterations": limit,
        "cond_input_locs": places[0],
        "func_input_locs": places[1],
        "func_var_locs": _positions(func_part, func_vars, "while_loop", "variable"),
        "num_out_data": len(results),
        "num_outputs": len(results) + len(new),
    }
    symbols = _make(WHILE_LOOP, attrs, inputs, (cond_part, func_part))
    return regroup(symbols[: len(results)], out_form), regroup(symbols[len(results) :], form)


def _join_inputs(
    parts: Sequence[_Part], variables: dict[str, Symbol]
) -> tuple[list[Entry], list[list[int]]]:
    """Lists what several subgraphs read, and for each of them where its arguments are."""
    inputs: list[Entry] = []
    shared: dict[str, int] = {}
    places: list[list[int]] = []
    for part in parts:
        own = []
        for name in part.graph.input_names:
            entry = part.outer[name] if name in part.outer else variables[name]._heads[0]
            is_shared = name not in part.outer or entry.node.op is None
            if is_shared and name in shared:
                own.append(shared[name])
                continue
            if is_shared:
                shared[name] = len(inputs)
            own.append(len(inputs))
            inputs.append(entry)
        places.append(own)
    return inputs, places


def cond(
    pred: Symbol, then_func: Callable[[], Any], else_func: Callable[[], Any], name: str = "cond"
) -> Any:
    """Runs one of two functions.

    Args:
        pred: A symbol of one number; all but 0 chooses the first function.
        then_func: Called once without arguments; gives a symbol or nested lists of symbols.
        else_func: The other choice, with as many outputs.
        name: What the names of the subgraphs begin with.

    Returns:
        The outputs of the chosen function, nested as `then_func` gives them.

    Example:
        >>> import mxnet as mx
        >>> x = mx.sym.var("x")
        >>> y = mx.sym.contrib.cond(x < 0, lambda: -x, lambda: x)
        >>> print(y.eval(x=mx.nd.array([-3]))[0].asnumpy())
        [3.]
    """
    parts, form, counts = [], None, []
    for label, function in (("pred", lambda: pred), ("then", then_func), ("else", else_func)):
        with _open_scope(f"{name}_{label}") as scope:
            outputs, nesting = flatten(function(), Symbol, f"cond: {label}")
            if not outputs:
                raise UnsupportedTypeError(f"cond: {label} gives nothing")
            parts.append(_cut(outputs, scope._attr[_SCOPE], (), "cond"))
        counts.append(len(outputs))
        form = nesting if label == "then" else form
    if counts[1] != counts[2]:
        raise ArgumentValueError(
            f"cond: {counts[1]} outputs in one branch, {counts[2]} in the other"
        )
    inputs, places = _join_inputs(parts, {})
    keys = ("cond_input_locs", "then_input_locs", "else_input_locs")
    attrs: dict[str, Any] = dict(zip(keys, places, strict=True)) | {"num_outputs": counts[1]}
    return regroup(_make(COND, attrs, inputs, parts), form)


def call_graph(
    *args: Symbol, subgraph: str = "", name: str | None = None, attr: Any = None, **kwargs: Any
) -> Symbol:
    """Makes a node that runs a graph: `mx.sym._internal._CachedOp`.

    Args:
        *args: Symbols for the variables of the graph, in the order of its `list_inputs`; what is
            missing becomes a variable.
        subgraph: The graph, as `Symbol.tojson` writes it.
        name: Name of the node.
        attr: Attributes of the user, strings by name.
        **kwargs: Options of hybridized blocks, kept in files.
    """
    op = make_call_op(read_json(subgraph, f"{CALL}: subgraph"))
    attrs = {"subgraph": subgraph, **{key: write(value) for key, value in kwargs.items()}}
    entries = [_entry(item, CALL) for item in args]
    return Symbol._of_node(make_node(op, CALL.lower(), entries, attrs, name, attr))
