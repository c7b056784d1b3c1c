"""The passes that a lowered graph goes through before it is run, as a table.

A row says in which conditions a pass is for a plan, and which features a graph must have. The
others are skipped without a look at the graph: of twenty passes a small network needs three.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import suppress
from typing import Literal, NamedTuple, TypeAlias

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.graph import fused
from mxnet.graph.infer import Shapes
from mxnet.graph.lower import Call, CallGraph, Feature, LoweredGraph, Setting
from mxnet.graph.passes.attention import fuse_attention
from mxnet.graph.passes.basics import remove_dead, remove_identities, remove_joins, share_repeated
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
