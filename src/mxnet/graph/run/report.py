"""What became of a program: its plans, with what was fused, captured and given up."""

from __future__ import annotations

from collections import Counter

from torch import Tensor

from mxnet.graph import openvino
from mxnet.graph.lower import Call, CallGraph, Setting
from mxnet.graph.run.adaptive import AdaptivePlan
from mxnet.graph.run.captured import CapturedPlan
from mxnet.graph.run.plan import GivenUpPlan, Plan, PlanFacts, Run
from mxnet.graph.run.program import Program
from mxnet.ops.nn.layouts import put_channels_last

_TWICE = "it is differentiated twice"


def describe_program(program: Program) -> list[PlanFacts]:
    """Returns what is known of the plans that a program has made so far."""
    count = sum(node.op is not None for node in program.graph.nodes)
    return [_describe(setting, run, count) for setting, run in program.plans()]


def _describe(setting: Setting, run: Run, num_operators: int) -> PlanFacts:
    plan, captured, reason, way = run, list[CapturedPlan](), "", "graph"
    if isinstance(run, AdaptivePlan):
        plan, captured, reason = run.plan, [*run.captured.values()], run.reason
    elif isinstance(run, CapturedPlan):
        plan, captured = run.plan, [run]
    count = sum(item.count for item in captured)
    if any(item.is_left for item in captured):
        reason = _TWICE
    elif captured or (plan is not run and not reason):
        way = "captured" if count else "graph, to be captured"
    if isinstance(plan, GivenUpPlan):
        way, reason = "given up", plan.reason
    elif not isinstance(plan, Plan):
        return _of_others(setting, num_operators)
    elif plan.compiler:
        way = plan.compiler if way == "graph" else f"{plan.compiler}, {way}"
    graph = plan.module.graph
    calls = [call for call in graph.nodes if call.op == "call_function"]
    layout = ""
    if not graph.features.isdisjoint(("convolution", "deconvolution")):
        is_last = any(call.target is put_channels_last for call in calls)
        layout = f"channels {'last' if is_last else 'first'}"
    return PlanFacts(
        mode=_name_mode(setting),
        device=str(setting.device),
        way=way,
        num_operators=num_operators,
        num_calls=sum(not _only_reorders(call) for call in calls),
        num_prepared=plan.num_prepared if isinstance(plan, Plan) else 0,
        layout=layout,
        num_conversions=sum(map(_only_reorders, calls)),
        fused=_count_fused(graph),
        captures=count,
        reason=reason,
    )


def _only_reorders(call: Call) -> bool:
    return call.target in (put_channels_last, Tensor.contiguous)


def _of_others(setting: Setting, num_operators: int) -> PlanFacts:
    """Returns what is known of a plan that is not run by torch."""
    return PlanFacts(
        mode=_name_mode(setting),
        device=str(setting.device),
        way=openvino.BACKEND,
        num_operators=num_operators,
        num_calls=1,
        num_prepared=0,
        layout="",
        num_conversions=0,
        fused={},
        captures=0,
        reason="",
    )


def _name_mode(setting: Setting) -> str:
    mode = "training" if setting.training else "prediction"
    if setting.training == setting.recording:
        return mode
    return f"{mode}, {'recorded' if setting.recording else 'not recorded'}"


def _count_fused(graph: CallGraph) -> dict[str, int]:
    """Counts calls that do the work of several operators, by the names of those."""
    names = [
        " + ".join(source.op.name for source in call.sources if source.op is not None)
        for call in graph.nodes
        if len(call.sources) > 1
    ]
    return dict(Counter(names))
