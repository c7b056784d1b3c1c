"""Element types and storage types of everything in a graph, from those of some variables.

Nodes are visited until nothing new is found (`work_list.py`). An operator has one type for all
its inputs but those that it declares to be of any; what it computes is asked from the kernel.

Most operators have one type for all inputs and outputs: as soon as one is known, the others are. If
all operators of a graph are so, and there is a way between any two of its nodes, a single type that
is known is that of everything. To see it takes as long as the graph has kinds of nodes and
variables, of which there are few.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import TypeAlias

import torch

from mxnet._formats import element_types
from mxnet._state import remember
from mxnet.errors import MXNetError, shown
from mxnet.graph.infer.kernels import ask_kernel, in_operator, keeps_dtype, list_entries
from mxnet.graph.infer.subgraph import find_types
from mxnet.graph.infer.work_list import Known, Session, Uniform, Visits, WorkList, is_constant
from mxnet.graph.ir import Entry, Graph, Kind, Node, NodeList, SubgraphOp
from mxnet.ops.core.custom import Use
from mxnet.ops.core.precision import converted_dtypes
from mxnet.ops.core.registry import Op
from mxnet.ops.core.traits import TypeRule
from mxnet.ops.rules.storage_types import storage_of_gradient, storage_of_result


def find_one_dtype(
    nodes: NodeList, given: Iterable[torch.dtype]
) -> Mapping[Entry, torch.dtype] | None:
    """Returns the dtypes of a graph if they are all one, None if that is not certain.

    Args:
        nodes: The nodes.
        given: The dtypes of variables that are known.
    """
    if not nodes.is_connected or not all(map(_couples, nodes.ops)):
        return None
    kinds: set[Kind | None] = {*map(attrgetter("kind"), nodes)}
    constants = [kind for kind in kinds if kind is not None and not kind.op.inputs]
    dtypes = {*given, *(kind.settings["dtype"] for kind in constants)}
    if not dtypes:
        return {}
    dtype, *others = dtypes
    if others or not isinstance(dtype, torch.dtype) or not dtype.is_floating_point:
        return None
    return Uniform(nodes, dtype)


def _couples(op: Op) -> bool:
    """Returns whether floating-point inputs and outputs have one dtype as soon as one has it."""
    traits = op.traits
    if traits.runs_program or isinstance(op, SubgraphOp):
        return False
    if not op.inputs:
        return "dtype" in op.attrs
    return (
        (traits.types.same or traits.role == "movement")
        and "dtype" not in op.attrs
        and not (op.aux or op.any_dtype or traits.types.casts_precision)
        and not (traits.types.statistics or traits.types.assumed or traits.types.dtype_input)
    )


Types: TypeAlias = Mapping[Entry, torch.dtype]

_MOST_ANSWERS = 2
"""Answers that are kept for a graph: binding asks with and without the types of arrays."""
_SMALL_SHAPES = ((2, 2), (2, 2, 2, 2), (2,), (1, 1), (2,) * 5, (2,) * 6)
"""Shapes of inputs with which a kernel is asked for types; attributes may name any axis."""
_BY_CODE = {str(code): row.torch for code, row in element_types.BY_CODE.items()}


def declared_type(node: Node) -> torch.dtype | None:
    """Reads the element type that a variable carries as an attribute, by its number in files."""
    text = node.attrs.get("__dtype__")
    if text is None or text == "-1":
        return None
    if text not in _BY_CODE:
        raise MXNetError(f"variable {node.name!r}: __dtype__ is {shown(text)}")
    return _BY_CODE[text]


def infer_types(nodes: NodeList, given: Mapping[str, torch.dtype]) -> Types:
    """Finds out the element types of all outputs of sorted nodes, as far as that is possible.

    Args:
        nodes: The nodes, each after what it reads.
        given: Types of variables by name.
    """
    key = (Node.revision, tuple(given.items()))
    types: Types | None = nodes.types.get(key)
    if types is None:
        known = _known_of_variables(nodes, given)
        types = find_one_dtype(nodes, known.values())
        if types is None:
            types = _Inference(nodes, Session(nodes)).run(known)
        if is_constant(nodes):
            remember(nodes.types, key, types, _MOST_ANSWERS)
    return types


def infer_inside(graph: Graph, given: Mapping[str, torch.dtype], session: Session) -> Types:
    """Infers the types of a subgraph, unless that has been done for such inputs before.

    Args:
        graph: The subgraph.
        given: Types of its inputs by name.
        session: The question that this is a part of.
    """
    key = ("types", graph, tuple(given.items()))
    types: Types | None = session.recall(key)
    if types is None:
        known = _known_of_variables(graph.nodes, given)
        types = _Inference(graph.nodes, session).run(known)
        session.keep(key, types)
    return types


def _known_of_variables(
    nodes: NodeList, given: Mapping[str, torch.dtype]
) -> dict[Node, torch.dtype]:
    """Returns the dtypes of variables that are given or that they carry."""
    known: dict[Node, torch.dtype] = {}
    for node in nodes.variables:
        dtype = given.get(node.name)
        if dtype is None and "__dtype__" in node.attrs:
            dtype = declared_type(node)
        if dtype is not None:
            known[node] = dtype
    return known


class _Inference:
    """The element types of one graph in the making.

    Args:
        nodes: The nodes, each after what it reads.
        session: The question that this is a part of.
    """

    def __init__(self, nodes: NodeList, session: Session) -> None:
        self._nodes, self._session = nodes, session
        self._work = WorkList(nodes)
        self._known: Known[torch.dtype] = Known()
        # For nodes without known outputs.
        self._visits = Visits(self._known)

    def run(self, given: Mapping[Node, torch.dtype]) -> Types:
        """Finds out all types from those of variables."""
        for node in self._nodes.variables:
            self._known.by_node[node] = (given.get(node),)
        self._session.spend_round(self._nodes)
        for node in self._work.first_round(self._known, self._visits.told):
            self._visit(node)
        for node in self._work.later_rounds():
            self._session.spend(node)
            self._visit(node)
        return self._known

    def _learn(self, entry: Entry, dtype: torch.dtype | None) -> None:
        """Takes a type for what had none; the first to know it is right."""
        if dtype is not None and entry not in self._known:
            self._known[entry] = dtype
            self._work.wake(entry)

    def _is_settled(self, node: Node) -> bool:
        known = self._known
        if None in known.outputs_of(node):
            return False
        return None not in map(known.get, node.inputs)

    def _visit(self, node: Node) -> None:
        op = node.op
        if op is None:
            return
        if op.traits.runs_program or isinstance(op, SubgraphOp):
            self._visit_program(node, op)
            return
        outputs = self._known.by_node.get(node, ())
        if outputs.count(None) < len(outputs):
            self._visit_alone(node, op)
            return
        key, before = self._visits.key_of(node)
        visit = self._visits.get(key)
        if visit is None:
            is_settled = self._visit_alone(node, op)
            self._visits.note(key, node, before, is_settled)
            return
        visit.tell(node, before, self._learn)
        if visit.is_settled:
            self._work.settle()

    def _visit_alone(self, node: Node, op: Op) -> bool:
        """Visits a node, and returns whether it has nothing more to tell."""
        if self._is_settled(node):
            return True
        if op.traits.types.rule is not None:
            self._visit_by_rule(node, op.traits.types.rule)
        elif not self._visit_plain(node, op):
            self._visit_operator(node, op)
        is_settled = self._is_settled(node)
        if is_settled:
            self._work.settle()
        return is_settled

    def _visit_program(self, node: Node, op: Op) -> None:
        """Asks an operator written in Python, or a loop or branch."""
        if self._is_settled(node):
            return
        if node.custom is not None:
            self._visit_custom(node, node.custom)
        elif isinstance(op, SubgraphOp):
            infer = partial(infer_inside, session=self._session)
            for entry, dtype in find_types(node, op, self._known, infer):
                self._learn(entry, dtype)
        if self._is_settled(node):
            self._work.settle()

    def _visit_plain(self, node: Node, op: Op) -> bool:
        """Visits a node whose output is of the type of its inputs, if these are known."""
        dtypes = [self._known.get(entry) for entry in node.inputs]
        if op.traits.types.casts_precision:
            return self._visit_conversion(node, dtypes)
        if None in dtypes or node.num_outputs > 1:
            return False
        if not keeps_dtype(op, dtypes):
            return False
        self._learn(Entry(node), self._known[node.inputs[0]])
        self._work.settle()
        return True

    def _visit_by_rule(self, node: Node, rule: TypeRule) -> None:
        """Asks the rule of an operator whose inputs and outputs have types of their own."""
        known = [self._known.get(entry) for entry in node.inputs]
        try:
            inputs, outputs = rule(node.input_names, known, node.settings)
        except MXNetError as error:
            raise in_operator(error, node) from error
        for entry, dtype in zip(node.inputs, inputs, strict=True):
            self._learn(entry, dtype)
        for place, dtype in enumerate(outputs):
            self._learn(Entry(node, place), dtype)

    def _visit_conversion(self, node: Node, dtypes: Sequence[torch.dtype | None]) -> bool:
        """Visits a conversion of mixed precision, if its inputs are known."""
        known = [dtype for dtype in dtypes if dtype is not None]
        if len(known) < len(dtypes):
            return False
        for output, dtype in enumerate(converted_dtypes(known, **node.settings)):
            self._learn(Entry(node, output), dtype)
        self._work.settle()
        return True

    def _visit_custom(self, node: Node, custom: Use) -> None:
        """Asks an operator written in Python for element types."""
        count = len(custom.arguments)
        given = [self._known.get(entry) for entry in node.inputs[:count]]
        try:
            inferred = custom.infer_types(given)
        except MXNetError:
            if None not in given:
                raise
            return
        for entry, dtype in zip(list_entries(node, count), chain(*inferred), strict=False):
            self._learn(entry, dtype)

    def _visit_operator(self, node: Node, op: Op) -> None:
        types, traits = self._known, op.traits
        outputs = [Entry(node, index) for index in range(node.num_outputs)]
        own = node.settings.get("dtype")
        fixed = own if isinstance(own, torch.dtype) else None
        named = list(zip(node.input_names, node.inputs, strict=True))
        if traits.types.dtype_input is not None:
            weight = dict(named)[traits.types.dtype_input]
            self._learn(weight, fixed or torch.float32)
            fixed = types[weight]
        common = _find_common(op, named, types)
        if common is None and fixed is None:
            common = next((types[entry] for entry in outputs if entry in types), None)
        half = bool(op.aux) and common in (torch.float16, torch.bfloat16)
        if common is not None:
            for name, entry in named:
                if name in traits.types.statistics:
                    self._learn(entry, torch.float32 if half else common)
                elif name in traits.types.assumed or _has_common(op, name):
                    self._learn(entry, common)
        for entry, dtype in zip(outputs, _ask_kernel(node, op, types), strict=False):
            self._learn(entry, dtype)
        result = common if fixed is None else fixed
        for entry in outputs:
            self._learn(entry, torch.float32 if half and entry.output and result else result)


def _has_common(op: Op, name: str) -> bool:
    """Returns whether an input has the dtype that most inputs of the operator share."""
    if op.traits.types.dtype_input is not None:
        return name == op.traits.types.dtype_input
    return not op.any_dtype if op.variadic else name not in op.any_dtype


def _find_common(op: Op, named: Sequence[tuple[str, Entry]], types: Types) -> torch.dtype | None:
    """Returns the dtype that most inputs share, if that of one of them is known."""
    return next(
        (
            types[entry]
            for name, entry in named
            if name not in op.traits.types.statistics and _has_common(op, name) and entry in types
        ),
        None,
    )


def _ask_kernel(node: Node, op: Op, types: Types) -> list[torch.dtype]:
    """Asks the kernel for the types of its outputs, on small inputs that it may not take."""
    if op.fill_shapes is not None or any(entry not in types for entry in node.inputs):
        return []
    dtypes = [types[entry] for entry in node.inputs]
    if keeps_dtype(op, dtypes):
        return dtypes[:1]
    placed: list[torch.dtype | None] = [*dtypes]
    if not op.variadic:
        named = dict(zip(node.input_names, dtypes, strict=True))
        placed = [named.get(item.name) for item in op.inputs]
    for shape in _SMALL_SHAPES:
        shapes = [None if dtype is None else shape for dtype in placed]
        try:
            return [dtype for _, dtype in ask_kernel(op, shapes, placed, node.parsed)]
        except MXNetError:
            continue
    return []


def check_types(nodes: Sequence[Node], types: Mapping[Entry, torch.dtype]) -> None:
    """Checks that no operator gets inputs of dtypes that it does not mix.

    Raises:
        MXNetError: if one does; it names the node and the input.
    """
    if isinstance(types, Uniform):
        return
    for node in nodes:
        op = node.op
        if op is None or op.strict_dtypes:
            continue
        inputs = node.inputs
        if len(inputs) < 2:
            continue
        first = types.get(inputs[0])
        if all([types.get(entry) is first for entry in inputs]):  # a list is faster
            continue
        expected = None
        names = [op.inputs[0].name] * len(node.inputs) if op.variadic else node.input_names
        for name, entry in zip(names, node.inputs, strict=True):
            dtype = types.get(entry)
            if dtype is None or dtype is expected or name in op.any_dtype:
                continue
            if expected is not None:
                raise MXNetError(
                    f"Error in operator {node.name}: {op.name}: input {name} has the type "
                    f"{element_types.name_of(dtype)}, expected {element_types.name_of(expected)}"
                )
            expected = dtype


def infer_storage(nodes: Iterable[Node], given: Mapping[str, str]) -> dict[Entry, str]:
    """Finds the entries that are not dense.

    Args:
        nodes: The nodes of the graph, each after those that it reads.
        given: Storage types of the variables by name.
    """
    sparse: dict[Entry, str] = {}
    for node in nodes:
        if node.op is None:
            stype = given.get(node.name, "default")
        elif not sparse and not node.op.traits.storage.from_attrs:
            continue  # dense inputs have a dense result
        else:
            stypes = [sparse.get(entry, "default") for entry in node.inputs]
            if node.custom is not None:
                outputs = enumerate(node.custom.store(stypes))
                sparse |= {Entry(node, place): item for place, item in outputs if item != "default"}
                continue
            stype = storage_of_result(node.op, stypes, node.parsed)
        if stype != "default":
            sparse[Entry(node)] = stype
    return sparse


def infer_gradient_storage(
    nodes: Sequence[Node], outputs: Iterable[Entry], given: Mapping[str, str]
) -> dict[str, str]:
    """Finds how the gradients of variables are stored.

    The gradient of an output is stored as the output is, and each operator hands on what its
    declaration says. A variable that gets none is not among the results.

    Args:
        nodes: The nodes of the graph, each after those that it reads.
        outputs: The outputs of the graph.
        given: Storage types of the variables by name.
    """
    storage = infer_storage(nodes, given)
    gradients: dict[Node, str] = {}
    for entry in outputs:
        _add_gradient(gradients, entry.node, storage.get(entry, "default"))
    for node in reversed(nodes):
        if node.op is None or node not in gradients:
            continue
        stypes = [storage.get(entry, "default") for entry in node.inputs]
        told: dict[tuple[str, int], str | None] = {}
        for position, entry in enumerate(node.inputs):
            key = (stypes[position], min(position, 2))  # all that rules ask of an input
            if key not in told:
                told[key] = storage_of_gradient(
                    node.op, position, stypes, node.parsed, gradients[node]
                )
            _add_gradient(gradients, entry.node, told[key])
    return {node.name: gradients[node] for node in nodes if node.op is None and node in gradients}


def _add_gradient(gradients: dict[Node, str], node: Node, stype: str | None) -> None:
    """Notes a gradient of a node; with another one it is dense, unless both are rows."""
    if stype is None:
        return
    if node in gradients and not gradients[node] == stype == "row_sparse":
        stype = "default"
    gradients[node] = stype
