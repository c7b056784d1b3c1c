"""The passes that a lowered graph goes through before it is run, as a table.

A row says in which conditions a pass is for a plan, and which features a graph must have. The
others are skipped without a look at the graph: of twenty passes a small network needs three.

The passes that need no kind of layer are here too: calls without effect, repeated, dead or
constant, and joins.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from typing import Any, Literal, NamedTuple, TypeAlias

import torch
from torch import Tensor

from mxnet._arrays.autograd import tape
from mxnet.errors import MXNetError
from mxnet.graph import fused
from mxnet.graph.infer import Shapes
from mxnet.graph.ir import Node, SubgraphOp
from mxnet.graph.lower import (
    Call,
    CallGraph,
    Feature,
    LoweredGraph,
    Setting,
    attribute,
    find_calls,
    is_pure,
    passes_through,
    role_of,
    without_gradient,
)
from mxnet.graph.passes.attention_fusion import fuse_attention
from mxnet.graph.passes.layout import Layout, note_inferred_shapes, order_channels_last
from mxnet.graph.passes.onednn import (
    fold_normalizations,
    fuse_activations,
    is_fused,
    note_parameters,
    note_shapes,
    pack_dense,
)
from mxnet.graph.passes.patterns import (
    CROSS_ENTROPY,
    draw_masks,
    join_products,
    merge_cross_entropy,
    pool_before_rectifying,
)
from mxnet.ops.core.interposing import PlannedCall, watched

# Joins are there for results without a derivative in graphs that are differentiated: torch forgets
# where such a result comes from. In the original its inputs have a gradient, which is zero; so the
# result is joined to its inputs again. That takes longer than most operators, and it makes torch
# record everything that is computed from the result. It changes nothing where the same variables
# have a gradient anyway: a mask of the shape of a hidden state, for example, depends on the
# weights that the state depends on.


def watch_calls(graph: CallGraph) -> None:
    """Lets the calls that do the work of operators go through what is interposed."""
    for call in graph.nodes:
        sources = call.sources
        if sources:
            names = ",".join(source.op.name for source in sources if source.op is not None)
            nodes = tuple(source.name for source in sources)
            read = [entry.node for source in sources for entry in source.inputs]
            variables = tuple(node.name for node in read if node.op is None)
            planned = PlannedCall(names, nodes, variables, _program_of(sources[0]))
            call.target = watched(planned, call.target)


def _program_of(source: Node) -> str:
    """Returns the name of the user's operator that a node runs, if it does."""
    is_program = source.op is not None and source.op.traits.runs_program
    return str(source.parsed["op_type"]) if is_program else ""


def remove_identities(graph: CallGraph) -> None:
    """Takes out what has no effect in prediction: dropout, and operators about gradients."""
    for node in graph.calls_of("passes_through"):
        if passes_through(node):
            node.replace_all_uses_with(node.args[0])
            graph.erase_node(node)


def share_repeated(graph: CallGraph) -> None:
    """Computes what several nodes compute alike only once."""
    known: dict[Any, Call] = {}
    keys: dict[int, tuple[Any, Any]] = {}  # of attributes, which calls that are alike share
    impure = {*graph.calls_of("impure")}
    for node in graph.nodes:
        if node.op != "call_function" or node in impure:
            continue
        attrs = node.kwargs
        if id(attrs) not in keys:
            keys[id(attrs)] = attrs, _key_of_attributes(attrs)  # kept, so that the number stays
        key: Any = (node.target, node.args, keys[id(attrs)][1])
        try:
            same = known.setdefault(key, node)
        except TypeError:  # a list, or an attribute that cannot be compared
            try:
                same = known.setdefault((node.target, _hashable(node.args), key[2]), node)
            except TypeError:
                continue
        if same is not node:
            node.replace_all_uses_with(same)
            graph.erase_node(node)


def _key_of_attributes(attrs: Mapping[str, Any]) -> Any:
    # 1, 1.0 and True are equal but not the same attribute.
    return tuple(sorted((k, type(v).__name__, _hashable(v)) for k, v in attrs.items()))


def _hashable(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return (type(value).__name__, *map(_hashable, value))
    return value


_REMOVABLE = ("call_function", "get_attr")


def remove_dead(graph: CallGraph) -> None:
    """Takes out calls whose results are not read."""
    for node in reversed(graph.nodes):
        if node.users or node.op not in _REMOVABLE:
            continue
        if node.op == "get_attr" or is_pure(node):
            graph.erase_node(node)


def split_constant(graph: CallGraph, constants: Collection[Call]) -> CallGraph | None:
    """Moves what depends on nothing but constants to a graph of its own.

    Args:
        graph: The graph; after its own placeholders it gets one for each value that is computed
            elsewhere now.
        constants: Placeholders whose values stay the same between calls.

    Returns:
        The other graph, of the same placeholders, which gives these values; None if there is none.
    """
    fixed = _find_constant(graph, constants)
    if len(fixed) == len(constants):
        return None
    wanted = [
        node
        for node in graph.nodes
        if node in fixed
        and node.op == "call_function"
        and any(user not in fixed for user in node.users)
    ]
    if not wanted:
        return None
    prepared = CallGraph()
    copies: dict[Call, Call] = {}
    for node in graph.nodes:
        if node.op == "placeholder" or node in fixed:
            copies[node] = prepared.node_copy(node, copies.__getitem__)
    prepared.output([copies[node] for node in wanted])
    first = next(node for node in graph.nodes if node.op != "placeholder")
    with graph.inserting_before(first):
        for position, node in enumerate(wanted):
            node.replace_all_uses_with(graph.placeholder(f"prepared_{position}"))
    remove_dead(graph)
    remove_dead(prepared)
    return prepared


def _find_constant(graph: CallGraph, constants: Collection[Call]) -> dict[Call, None]:
    """Finds the nodes whose value is the same in every call."""
    fixed: dict[Call, None] = dict.fromkeys(constants)
    for node in graph.nodes:
        if node.op != "call_function" or (node.args and node.args[0].__class__ is Call):
            continue
        if is_pure(node) and not node.all_input_nodes:
            fixed[node] = None
    unknown: dict[Call, int] = {}  # how many of its inputs are not fixed
    pending = list(fixed)
    for node in pending:
        for user in node.users:
            count = unknown.get(user)
            count = unknown[user] = (len(user.all_input_nodes) if count is None else count) - 1
            if not count and is_pure(user):
                fixed[user] = None
                pending.append(user)
    return fixed


_WITH_HISTORY = frozenset(
    {
        *("_contrib_MultiBoxTarget", "_contrib_MultiProposal", "_contrib_Proposal"),
        *("_contrib_box_decode", "_contrib_box_encode", "_contrib_box_iou", "_contrib_edge_id"),
        *("_contrib_dequantize", "_contrib_quantize", "_contrib_requantize"),
        *("_contrib_intgemm_fully_connected", "_contrib_intgemm_maxabsolute"),
        *("_contrib_quantized_act", "_contrib_quantized_concat", "_contrib_quantized_conv"),
        *("_contrib_quantized_elemwise_add", "_contrib_quantized_elemwise_mul"),
        *("_contrib_quantized_embedding", "_contrib_quantized_flatten"),
        *("_contrib_quantized_fully_connected", "_contrib_quantized_pooling"),
        *("_contrib_quantized_reshape", "_contrib_quantized_transpose", "_npx_quantized_reshape"),
        *("_histogram", "_np_atleast_1d", "_np_atleast_2d", "_np_atleast_3d", "_npi_bincount"),
        *("_npi_eig", "_npi_eigh", "_npi_eigvals", "_npi_eigvalsh", "_npi_gamma", "_npi_interp"),
        *("_npi_lstsq", "_npi_pinv", "_npi_pinv_scalar_rcond", "_npi_powerd", "_npi_uniform"),
        *("_npi_uniform_n", "_npx__random_multinomial"),
    }
)
"""Operators without a derivative whose kernels torch would differentiate all the same."""


def remove_joins(graph: CallGraph) -> None:
    """Takes out the joins whose inputs have a gradient from every output that reads the join.

    Of what torch would differentiate, the part of them stays that cuts the result off. Sets of
    inputs of the graph are integers, with a bit for each input.

    Args:
        graph: The graph, lowered for recording.
    """
    calls = graph.nodes
    joins = [call for call in calls if call.target is without_gradient]
    if not joins:
        return
    reached: dict[Call, int] = {}
    differentiated: dict[Call, int] = {}
    for place, call in enumerate(calls):
        if call.op == "placeholder":
            reached[call] = differentiated[call] = 1 << place
        else:
            connected = _find_connected(call)
            reached[call] = _unite(reached, connected)
            differentiated[call] = _unite(differentiated, _find_differentiated(call, connected))
    common = _find_common(calls, differentiated)
    kept = []
    for join in joins:
        result = join.args[0]
        source = result if result.operator else result.all_input_nodes[0]  # of several results
        if reached[join] & ~common.get(join, -1):
            kept.append(join)
        elif source.operator.name in _WITH_HISTORY:
            join.set_arguments((result, ()))
        else:
            join.replace_all_uses_with(result)
            graph.erase_node(join)
    _move_joins(graph, kept)


def _move_joins(graph: CallGraph, joins: Sequence[Call]) -> None:
    """Joins outputs to what the results that they read have been joined to.

    What is computed on the way needs no gradient of these results then, such as that of the images
    which a generator made for a critic alone.
    """
    calls, (output, *_) = graph.nodes, reversed(graph.nodes)
    programs = [call for call in calls if call.operator and call.operator.traits.runs_program]
    if programs or not joins:  # a program may count the calls of its backward
        return
    joined: dict[Call, dict[Call, None]] = {}
    for call in calls:
        found = dict.fromkeys(find_calls(call.args[1])) if call in joins else {}
        for read in call.all_input_nodes:
            found |= joined.get(read, {})
        if found:
            joined[call] = found
    for join in joins:
        join.set_arguments((join.args[0], ()))
    with graph.inserting_before(output):
        heads = [
            graph.call_function(tape.join_result, (head, tuple(joined[head])))
            if head in joined
            else head
            for head in output.args[0]
        ]
    output.set_arguments((heads,))


def _unite(sets: dict[Call, int], calls: Iterable[Call]) -> int:
    union = 0
    for call in calls:
        union |= sets[call]
    return union


def _find_connected(call: Call) -> Sequence[Call]:
    """Lists the inputs of a call that torch may connect the result with: all but indices."""
    op = call.operator
    if op is None or op.variadic:
        return call.all_input_nodes
    if op.aux:
        return _find_normalized(call) or call.all_input_nodes
    if not op.any_dtype:
        return call.all_input_nodes
    pairs = zip(op.inputs, call.args, strict=False)
    return find_calls(value for item, value in pairs if item.name not in op.any_dtype)


def _find_differentiated(call: Call, connected: Sequence[Call]) -> Sequence[Call]:
    """Lists those of the connected inputs to which torch hands a gradient for sure."""
    op = call.operator
    if op is None:
        return () if call.target is without_gradient else connected
    may_stop = op.traits.ignores_head or op.traits.runs_program or isinstance(op, SubgraphOp)
    dtype = call.kwargs.get("dtype")
    is_integral = isinstance(dtype, torch.dtype) and not dtype.is_floating_point
    if may_stop or is_integral or not op.differentiable:
        return ()
    return _find_normalized(call) if op.aux else connected


def _find_normalized(call: Call) -> Sequence[Call]:
    """Lists the inputs of a normalization by the batch that have a gradient; else none."""
    if role_of(call) != "normalization" or attribute(call, "output_mean_var"):
        return ()
    data, gamma, beta, *_ = call.args
    return find_calls((data, beta) if attribute(call, "fix_gamma") else (data, gamma, beta))


def _find_common(calls: Sequence[Call], differentiated: dict[Call, int]) -> dict[Call, int]:
    """Returns the inputs that have a gradient from every output that a call leads to."""
    common: dict[Call, int] = {}
    for call in reversed(calls):
        if call.op == "output":
            common.update((item, differentiated[item]) for item in call.all_input_nodes)
            continue
        own = common.get(call, -1)
        for item in call.all_input_nodes:
            common[item] = common.get(item, -1) & own
    return common


Condition: TypeAlias = Literal["predicts", "records", "fuses", "reorders", "chooses", "measured"]
"""What a pass can be for.

`predicts`: neither training nor recording. `records`: gradients will be asked for. `fuses`: oneDNN
computes layers together with what follows. `reorders`: some convolutions may have their channels
last in memory. `chooses`: those do that gain by it. `measured`: the shapes of the inputs are known.
"""


class Job(NamedTuple):
    """What passes know of the plan that is being made."""

    module: LoweredGraph
    graph: CallGraph
    """The graph of the module."""
    setting: Setting
    """What the graph was lowered for."""
    constants: Mapping[Call, torch.dtype]
    """Inputs that are parameters, with their types; none are where values are not kept."""
    conditions: frozenset[Condition]
    tensors: Sequence[Tensor] = ()
    """The inputs of the first run."""
    infer_shapes: Callable[[], Shapes] = dict
    """Returns the shapes in the graph that was lowered, for these inputs."""


class Pass(NamedTuple):
    """A row of the table."""

    run: Callable[[Job], object]
    when: Set[Condition] = frozenset()
    """Conditions all of which hold for the plans that it is for."""
    needs: Set[Feature] = frozenset()
    """Features all of which a graph has that it can change."""


def _note_layouts(job: Job) -> None:
    """Notes the shapes by which a layout is chosen."""
    with suppress(MXNetError):  # what no rule tells stays in the ordinary order
        note_inferred_shapes(job.graph, job.infer_shapes(), job.tensors)


def _order_channels_last(job: Job) -> None:
    order_channels_last(job.graph, where_it_pays="chooses" in job.conditions)


def _order_without_convolutions(job: Job) -> None:
    """Does the same for a network that has deconvolutions alone."""
    if "convolution" not in job.graph.features:
        _order_channels_last(job)


PASSES = (
    Pass(lambda job: fused.split_layers(job.graph, job.setting.device), {"predicts"}, {"fused"}),
    # What others read: shapes.
    Pass(_note_layouts, {"chooses", "measured"}, {"convolution"}),
    Pass(lambda job: note_shapes(job.module, job.tensors), {"fuses", "measured"}, {"convolution"}),
    Pass(
        lambda job: note_parameters(job.constants, job.graph, job.tensors),
        {"fuses", "measured"},
        {"dense"},
    ),
    # Layers and what follows them.
    Pass(lambda job: remove_identities(job.graph), {"predicts"}, {"passes_through"}),
    Pass(lambda job: fused.prepare_layers(job.graph, job.setting.device), {"predicts"}, {"fused"}),
    Pass(
        lambda job: fold_normalizations(job.graph, job.constants), {"predicts"}, {"normalization"}
    ),
    Pass(lambda job: fuse_activations(job.graph, job.constants), {"fuses"}, {"convolution"}),
    Pass(lambda job: remove_joins(job.graph), {"records"}, {"joined"}),
    Pass(lambda job: merge_cross_entropy(job.graph), needs=CROSS_ENTROPY),
    Pass(lambda job: pool_before_rectifying(job.graph), needs={"pooling"}),
    Pass(_order_channels_last, {"reorders"}, {"convolution"}),
    Pass(_order_without_convolutions, {"reorders"}, {"deconvolution"}),
    # Calls that are alike, which the ones above may have added.
    Pass(lambda job: share_repeated(job.graph), needs={"repeated"}),
    Pass(lambda job: join_products(job.graph), needs={"dense", "split"}),
    Pass(lambda job: fuse_attention(job.graph, job.setting), needs={"attention"}),
    Pass(lambda job: draw_masks(job.graph, job.setting), needs={"dropout", "ones"}),
    Pass(lambda job: remove_dead(job.graph)),
    # The weights that are left.
    Pass(lambda job: pack_dense(job.graph, job.constants), {"fuses"}, {"dense"}),
)


def run_passes(job: Job) -> None:
    """Simplifies a lowered graph, in place."""
    conditions, features = job.conditions, job.graph.features
    for each in PASSES:
        if each.when <= conditions and each.needs <= features:
            each.run(job)


def find_conditions(setting: Setting, layout: Layout, fuses: bool) -> set[Condition]:
    """Returns what holds for the plans of a setting.

    Args:
        setting: What the graph was lowered for.
        layout: Which convolutions run with the channels last in memory.
        fuses: Whether a library may run layers together with what follows, where it can.
    """
    conditions: set[Condition] = set()
    if setting.recording:
        conditions.add("records")
    elif not setting.training:
        conditions.add("predicts")
    if fuses and is_fused(setting):
        conditions.add("fuses")
    if layout is not Layout.CHANNELS_FIRST:
        conditions.add("reorders")
    if layout is Layout.WHERE_IT_PAYS:
        conditions.add("chooses")
    return conditions
