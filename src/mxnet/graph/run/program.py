"""Running a graph: one plan for each setting, made when it is first needed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import Tensor, fx

from mxnet._start import collector_paused
from mxnet._state import Lock, remember
from mxnet.errors import MXNetError
from mxnet.graph import fused, openvino, passes
from mxnet.graph.infer import Shapes, complete_attrs, find_open, infer_shapes, infer_types
from mxnet.graph.ir import Entry, Graph, Node, depends_on_values, runs_program
from mxnet.graph.lower import (
    ERRORS,
    Feature,
    Interpreter,
    LoweredGraph,
    Member,
    NodeError,
    PlanError,
    Report,
    Setting,
    as_module,
    hold_members,
    identifiers,
    lower,
)
from mxnet.graph.run.plan import GivenUpPlan, Plan, PlanFacts, Run
from mxnet.ops.core.carriers import carrier_of
from mxnet.ops.core.interposing import Sight, interposers, sight_of_graphs

if TYPE_CHECKING:
    from mxnet.graph.run.captured import CapturedPlan

_MOST_PLANS = 256
"""Plans that a program keeps; where they depend on shapes, data of ever new ones needs new ones."""

_FEW_NODES = 64
"""Nodes of a graph whose plan takes so few objects that the collector hardly starts meanwhile."""

_WATCHED = object()
"""Begins the key of a plan whose calls are watched: one that is neither compiled nor captured."""


_dtype_of = attrgetter("dtype")

_WITH_IMAGES: frozenset[Feature] = frozenset({"convolution", "deconvolution", "fused"})
"""Features of graphs that may have images."""


def can_capture(device: torch.device) -> bool:
    """Returns whether plans on a device can be captured."""
    return device.type == "cuda"


class Options(NamedTuple):
    """How plans of a program are made."""

    static: bool = False
    """Whether calls of one shape are captured and replayed, where the device can do that."""
    adapts: bool = False
    """Whether they are once they have repeated themselves, as far as that is possible."""
    backend: str | None = None
    """Compiler of torch that plans go through, or `"openvino"`, which is for prediction alone."""
    backend_options: tuple[tuple[str, Any], ...] = ()
    strict: bool = False
    """Whether a plan that is given up, or compiled again, is an error and not a warning."""
    channels_last: bool | None = None
    """Whether convolutions run with the channels last in memory; None decides by the device."""
    inline_limit: int = 2
    """Up to how many operators count as recorded one by one; a graph of more is one node."""


class Program:
    """A graph that runs on tensors.

    Operators run one after the other on what autograd of torch records, or not, as the tensors
    ask for it. Auxiliary states are updated in place.

    Args:
        graph: What to compute.
        input_names: Names of the variables in the order in which their tensors are given.
        constants: Names of parameters: variables that keep their values for many calls.
        options: How plans are made.

    Attributes:
        graph: What is computed.
        names: Names of the variables in order.
    """

    def __init__(
        self,
        graph: Graph,
        input_names: Sequence[str],
        constants: Collection[str] = (),
        options: Options = Options(),  # noqa: B008 - it does not change
    ) -> None:
        self.graph, self.names = graph, tuple(input_names)
        self._constants: list[int] = []
        self._given: list[int] = []
        for place, name in enumerate(input_names):
            (self._constants if name in constants else self._given).append(place)
        self._options = options
        if options.static and depends_on_values(graph.nodes):
            self._options = options._replace(static=False)
        self._open: list[Node] = []
        if any([op.traits.shapes.open_lengths for op in graph.nodes.ops]):
            self._open = find_open(graph.nodes)
        self.is_open = bool(self._open)
        # By setting, dtypes and, where it matters, shapes; `_MOST_PLANS` at most. The graph does
        # not change; a plan itself looks whether the parameters have.
        self._plans: dict[Any, Run] = {}
        self._claimed: dict[Setting, set[Any]] = {}
        """Shapes for which the plans of an open graph have captures."""
        self._lock = Lock()
        self._check()

    @cached_property
    def is_inline(self) -> bool:
        """Whether its operators, not the graph, are what `autograd.get_symbol` shows."""
        operators = sum(node.op is not None for node in self.graph.nodes)
        return operators <= self._options.inline_limit

    def _check(self) -> None:
        for head in self.graph.heads:
            if head.output >= head.node.num_outputs:
                raise MXNetError(f"graph: {head.node.name!r} has no output {head.output}")
        known = {*self.names}
        for node in self.graph.inputs:
            if node.name not in known:
                raise MXNetError(f"graph: no value for the variable {node.name!r}")

    def __call__(self, tensors: Sequence[Tensor], supplied: Mapping[str, Any]) -> list[Tensor]:
        """Computes the heads.

        Args:
            tensors: Values of the variables, as the names were given.
            supplied: Values of `training`, `generator` and `device` for kernels that ask.

        Raises:
            MXNetError: if an operator fails; it names the node.
        """
        recording = any(item.requires_grad for item in tensors)
        return self.run(tensors, Setting(recording=recording, **supplied))

    def run(self, tensors: Sequence[Tensor], setting: Setting) -> list[Tensor]:
        """Computes the heads in a setting; see `__call__`."""
        watched = False
        if interposers:
            sight = sight_of_graphs()
            if sight is Sight.OPERATORS:
                return Interpreter(self.lower(setting, tensors)).run(*tensors)  # type: ignore[no-any-return]
            watched = sight is Sight.PLANNED_CALLS
        # A network that is cast takes data of another type from then on.
        key: Any = (setting, *map(_dtype_of, map(tensors.__getitem__, self._given)))
        if self.is_open or (self._options.static and can_capture(setting.device)):
            key = (setting, *[(tensors[i].shape, tensors[i].dtype) for i in self._given])
        if watched:
            key = (_WATCHED, *key)
        plan = self._plans.get(key)
        try:
            if plan is None:
                plan = self._add_plan(key, setting, tensors)
            return plan(tensors)
        except (NodeError, PlanError):
            raise  # by a loop's body, which would be run twice for every loop around it
        except ERRORS as error:
            results, plan = self._run_plainly(setting, tensors, error)
            remember(self._plans, key, plan, _MOST_PLANS)
            return results

    def _add_plan(self, key: Any, setting: Setting, tensors: Sequence[Tensor]) -> Run:
        """Lets one thread make a plan, for which others wait."""
        with self._lock:
            plan = self._plans.get(key)
            if plan is None:
                is_large = len(self.graph.nodes) > _FEW_NODES
                with collector_paused() if is_large else nullcontext():
                    plan = self._make_plan(key, setting, tensors)
                remember(self._plans, key, plan, _MOST_PLANS)
            return plan

    def _make_plan(self, key: Any, setting: Setting, tensors: Sequence[Tensor]) -> Run:
        dtypes = {position: tensors[position].dtype for position in self._constants}
        module = self.lower(setting, tensors)
        watched = key[0] is _WATCHED
        backend, predicts = self._options.backend, not (setting.recording or setting.training)
        if backend == openvino.BACKEND and predicts and not watched:
            return self._make_openvino_plan(module, setting, tensors)
        compiles = backend is not None and backend != openvino.BACKEND
        channels_last = self._options.channels_last
        if channels_last is None and compiles and not predicts:
            channels_last = False  # a compiler of torch chooses by itself, but in every call
        layout = None
        if channels_last is not None or not _WITH_IMAGES.isdisjoint(module.graph.features):
            layout = passes.choose_layout(channels_last, setting, dtypes.values())
        # A compiler cannot read packed weights.
        fuses = layout is not passes.Layout.CHANNELS_LAST and not compiles
        plan = Plan(
            module,
            dtypes,
            setting,
            fuses=fuses,
            layout=layout,
            watched=watched,
            tensors=tensors,
            infer_shapes=lambda: self._infer_shapes(tensors),
        )
        if watched:
            return plan
        if backend is not None and backend != openvino.BACKEND:
            backend_options = dict(self._options.backend_options)
            plan.compile(backend, backend_options, self.names, self._report())
        static = self._options.static
        if not ((static or self._options.adapts) and can_capture(setting.device)):
            return plan
        if static:
            return self._capture(plan, setting, self._report(), exact=False)
        if runs_program(self.graph.nodes) or depends_on_values(self.graph.nodes):
            return plan  # a replay runs no Python
        from mxnet.graph.run.adaptive import AdaptivePlan  # noqa: PLC0415 - on GPUs only

        report = self._report()._replace(strict=False)  # the program has not asked for captures
        # An open graph has a plan for each shape, and all of them share the room for captures.
        claimed = self._claimed.setdefault(setting, set()) if self.is_open else set()
        return AdaptivePlan(
            plan,
            self._given,
            lambda: self._capture(plan, setting, report, exact=True),
            report,
            claimed,
        )

    def _capture(
        self, plan: Plan, setting: Setting, report: Report, *, exact: bool
    ) -> CapturedPlan:
        """Returns a plan that is captured and replayed."""
        # Prediction writes to none; to restore them would make folded weights look out of date,
        # and their computation part of the capture.
        names = set(self.graph.state_names) if setting.training else set()
        states = [i for i, name in enumerate(self.names) if name in names]
        from mxnet.graph.run.captured import CapturedPlan  # noqa: PLC0415 - on GPUs only
        from mxnet.graph.run.second_order import SecondOrder  # noqa: PLC0415

        second_order = None
        if setting.recording:
            draws = any("generator" in op.supplied for op in self.graph.nodes.ops)
            second_order = SecondOrder(plan.run_uncompiled, states, draws, setting, report)
        return CapturedPlan(plan, self._given, states, second_order, exact=exact)

    def _make_openvino_plan(
        self, module: LoweredGraph, setting: Setting, tensors: Sequence[Tensor]
    ) -> Run:
        if setting.device.type != "cpu":
            raise MXNetError(
                f"openvino: computes on a CPU, got arrays on {setting.device}; "
                'hybridize with another backend, such as "inductor"'
            )
        if "fused" in module.graph.features:
            fused.split_layers(module.graph, setting.device)
        config = openvino.read_config(dict(self._options.backend_options))
        return openvino.make_plan(module, self._constants, tensors, config, self._report())

    def lower(self, setting: Setting, tensors: Sequence[Tensor]) -> LoweredGraph:
        """Returns the graph of kernels, before any pass."""
        sizes = self._find_sizes(tensors) if self.is_open else {}
        integers = {
            name
            for name, tensor in zip(self.names, tensors, strict=False)
            if not tensor.dtype.is_floating_point and carrier_of(tensor) is not None
        }
        return lower(self.graph, self.names, setting, sizes, integers=integers)

    def as_module(
        self, setting: Setting, tensors: Sequence[Tensor], members: Mapping[str, Member]
    ) -> fx.GraphModule:
        """Returns the graph as a module of torch, whose inputs are called like the variables.

        Args:
            setting: What to lower for.
            tensors: Values of the variables.
            members: Variables that the module holds, by name.
        """
        sizes = self._find_sizes(tensors) if self.is_open else {}
        lowered = lower(self.graph, self.names, setting, sizes, identifiers(self.names))
        if "fused" in lowered.graph.features and not (setting.recording or setting.training):
            fused.split_layers(lowered.graph, setting.device)
        hold_members(lowered, lowered.graph, [members.get(name) for name in self.names])
        return as_module(lowered, lowered.graph)

    def _run_plainly(
        self, setting: Setting, tensors: Sequence[Tensor], error: Exception
    ) -> tuple[list[Tensor], Run]:
        """Runs the graph as it is, to find the node that fails.

        If it was the plan that failed, it is given up for the graph as it is.

        Raises:
            NodeError: if an operator fails.
            PlanError: if the plan failed and the options are strict.
        """
        module = self.lower(setting, tensors)
        results: list[Tensor] = Interpreter(module).run(*tensors)
        reason = str(error).partition("\n")[0]
        end = "" if self._options.strict else "; its operators run one by one from now on"
        self._report()(f"failed ({type(error).__name__}: {reason}){end}", error)
        plan = GivenUpPlan(module, f"{type(error).__name__}: {reason}")
        return results, plan

    def plans(self) -> list[tuple[Setting, Run]]:
        """Lists the plans that have been made, with what each is for."""
        known = [(key, plan) for key, plan in self._plans.items() if key[0] is not _WATCHED]
        return [(key[0], plan) for key, plan in known]

    def describe(self) -> list[PlanFacts]:
        """Returns what is known of the plans that have been made."""
        from mxnet.graph.run.report import describe_program  # noqa: PLC0415 - few programs ask

        return describe_program(self)

    def _report(self) -> Report:
        return Report(self.graph.heads[0].node.name, self._options.strict)

    def _find_sizes(self, tensors: Sequence[Tensor]) -> dict[Node, dict[str, Any]]:
        """Completes the attributes of constants whose shape depends on the data: first states."""
        shapes = self._infer_shapes(tensors)
        return {node: complete_attrs(node, shapes.get(Entry(node))) for node in self._open}

    def _infer_shapes(self, tensors: Sequence[Tensor]) -> Shapes:
        """Returns the shapes of all that is computed."""
        given = {name: tuple(t.shape) for name, t in zip(self.names, tensors, strict=True)}
        nodes = self.graph.nodes
        return infer_shapes(nodes, given, infer_types(nodes, {}))
