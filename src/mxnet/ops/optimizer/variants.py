"""How one formula of an optimizer becomes up to six operators.

An update takes a weight, its gradient and its states, changes the states in place and returns the
new weight, which callers write back by `out=weight`. Beside the plain operator there are

- `mp_x`, for a weight in half precision together with a master copy in single precision, a state;
- `multi_x` and `multi_mp_x`, for several weights: all arrays of the first, then of the second ...;
- `preloaded_multi_x` and `preloaded_multi_mp_x`, with learning rates and weight decays as arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.core.attrs import REQUIRED, Attr, codec_for
from mxnet.ops.core.registry import Input, Kernel, Op, example, register
from mxnet.ops.core.traits import NO_TRAITS, Storage, Traits

Rule: TypeAlias = Callable[..., list[Tensor] | None]
"""A function of `optimizer_rules` or `optimizer_rules_adaptive`."""

Step: TypeAlias = Callable[[Sequence[Tensor], Mapping[str, Any]], Tensor]
"""Takes the arrays of a weight and the arguments of a rule, and returns the new weight."""

MASTER = "weight32"

OF_ROWS = Traits(storage=Storage(algorithm="lazy_update"))
"""An update that may be limited to the rows that a sparse gradient has."""


@dataclass(frozen=True, slots=True)
class Option:
    """An attribute of an update.

    Attributes:
        name: Its name.
        meaning: A sentence for the documentation.
        default: Its default.
        type: Its type, which selects the codec.
        argument: What the rule calls it, by default the same; empty if the rule does not take it.
        each: Whether it has one value for each of several weights.
    """

    name: str
    meaning: str
    default: Any = REQUIRED
    type: Any = float
    argument: str | None = None
    each: bool = False

    @property
    def target(self) -> str:
        """Name of the argument of the rule."""
        return self.name if self.argument is None else self.argument


def check(name: str, weight: Tensor, grad: Tensor, *states: Tensor) -> None:
    """Checks that all arrays of an update are floats of one shape.

    Raises:
        MXNetError: if they are not.
    """
    if not weight.is_floating_point():
        raise MXNetError(f"{name}: updates floating point weights only, got {weight.dtype}")
    for item in (grad, *states):
        if item.shape != weight.shape:
            raise MXNetError(
                f"{name}: expected arrays of the weight's shape {tuple(weight.shape)}, "
                f"got {tuple(item.shape)}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What the examples of an update show: weights 1 and 2 with gradients 1 and -1.

    Attributes:
        one: Attributes of the operator on one weight.
        result: What it returns, rounded to two decimals.
        many: Attributes of the operators on several weights, of which there are two.
        shared: Those of them that do not differ among the weights.
        results: What they return.
        arrays: Other arrays than zeros for states, and than those above, by name.
    """

    one: str = ""
    result: str = ""
    many: str = ""
    shared: str = ""
    results: str = ""
    arrays: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """A formula and the operators that are made of it.

    Attributes:
        name: Name of the plain operator.
        rule: The formula: changes lists of weights and states in place, or returns what the
            operator returns.
        summary: What the plain operator does, or that on several weights if there is no plain one.
        shown: What its examples show.
        states: Meanings of the arrays after the gradient, by name.
        options: Attributes of the plain operator and `mp_`; none if there are no such operators.
        mixed: Whether there are operators `mp_`.
        many: Attributes of the operators on several weights; none if there are no such operators.
        count: Name of the attribute that is the number of weights.
        preloaded: The formula with learning rate and weight decay as tensors, if there are
            operators `preloaded_`.
        scale: Meaning of an array `rescale_grad` at the end; empty if there is none.
        gradient: Name and meaning of the gradient.
        single: Other inputs of `mp_` that are in single precision.
        changes: Names of the states that the rule changes, by default all.
        keeps_weight: Whether the rule leaves the weight alone.
        check: Raises if the arrays of a weight do not fit each other.
        traits: Facts about the plain operator, such as that it takes the rows of sparse gradients.
    """

    name: str
    rule: Rule
    summary: str
    shown: Shown
    states: Mapping[str, str] = field(default_factory=dict)
    options: Sequence[Option] = ()
    mixed: bool = False
    many: Sequence[Option] = ()
    count: str = "num_weights"
    preloaded: Rule | None = None
    scale: str = ""
    gradient: tuple[str, str] = ("grad", "Its gradient.")
    single: Sequence[str] = ()
    changes: Sequence[str] | None = None
    keeps_weight: bool = False
    check: Callable[..., None] = check
    traits: Traits = NO_TRAITS

    @property
    def changed(self) -> tuple[str, ...]:
        """Names of the states that the rule changes."""
        return tuple(self.states if self.changes is None else self.changes)


def declare(update: Update, module: str) -> None:
    """Declares all operators of an update, in the name of the module that has it."""
    for mixed in (False, True) if update.mixed else (False,):
        made = [_for_one(update, mixed=mixed)] if update.options else []
        if update.many:
            made.append(_for_many(update, update.many, mixed=mixed))
        if update.preloaded is not None:
            shared = [option for option in update.many if not option.each]
            made.append(_for_many(update, shared, mixed=mixed, preloaded=True))
        for op in made:
            op.kernel.__module__ = module
            register(op)


def _name(update: Update, prefix: str) -> str:
    """Puts a prefix before a name, or after the underscore of a private one."""
    name = update.name.removeprefix("_")
    return f"_{prefix}{name}" if name != update.name else f"{prefix}{name}"


def _for_one(update: Update, *, mixed: bool) -> Op:
    """Makes the operator on one weight."""
    name = _name(update, "mp_" if mixed else "")
    master = {MASTER: "The weight in single precision, a state."} if mixed else {}
    scale = {"rescale_grad": update.scale} if update.scale else {}
    inputs = {"weight": "The weight.", update.gradient[0]: update.gradient[1]}
    inputs |= {**update.states, **master, **scale}
    summary = update.summary
    if mixed:
        summary = f"Does `{update.name}` for a half precision weight by way of its master copy."
    meanings = {**inputs, **{option.name: option.meaning for option in update.options}}
    return Op(
        name=name,
        kernel=_kernel_for_one(update, name, mixed=mixed),
        inputs=tuple(map(Input, inputs)),
        attrs=_attributes(update.options),
        doc=_document(summary, meanings) + _show_one(update, name, mixed=mixed),
        mutates=(*update.changed, *(() if update.keeps_weight else master)),
        any_dtype=frozenset(
            {*scale, *((*update.states, *master, *update.single) if mixed else ())}
        ),
        differentiable=False,
        traits=NO_TRAITS if mixed else update.traits,
    )


def _kernel_for_one(update: Update, name: str, *, mixed: bool) -> Kernel:
    size = 2 + len(update.states) + mixed
    step = _make_step(update, update.rule, name, mixed=mixed)
    defaults, targets = _defaults(update.options), _targets(update.options)

    def kernel(*arrays: Tensor, **given: Any) -> Tensor:
        values = {**defaults, **given}
        arguments = {target: values[option] for option, target in targets}
        if update.scale:
            (scale,) = arrays[size:]
            if scale.dtype is not torch.float32:
                raise MXNetError(f"{name}: expected a float32 rescale_grad, got {scale.dtype}")
            arguments["scale"] = scale.reshape(-1)[:1]
        return step(arrays[:size], arguments)

    return torch.no_grad()(kernel)


def _make_step(update: Update, rule: Rule, name: str, *, mixed: bool) -> Step:
    """Makes the function that returns a weight after a rule, which changes states in place."""
    fit, keeps_weight = update.check, update.keeps_weight
    changed = [place for place, key in enumerate(update.states) if key in update.changed]

    def step(arrays: Sequence[Tensor], arguments: Mapping[str, Any]) -> Tensor:
        weight, grad, *states = arrays
        fit(name, weight, grad, *states)
        target = weight if keeps_weight else weight.clone()
        results = rule([target], [grad], *[[state] for state in states], **arguments)
        return target if results is None else results[0]

    def step_of_master(arrays: Sequence[Tensor], arguments: Mapping[str, Any]) -> Tensor:
        weight, grad, *states, master = arrays
        fit(name, weight, grad, *states)
        check(name, weight, master)
        for item in (*[states[place] for place in changed], master):
            if item.dtype is not torch.float32:
                raise MXNetError(f"{name}: expected float32 states, got {item.dtype}")
        results = rule([master], [grad.float()], *[[state] for state in states], **arguments)
        return master.to(weight.dtype, copy=True) if results is None else results[0]

    return step_of_master if mixed else step


def _for_many(
    update: Update, options: Sequence[Option], *, mixed: bool, preloaded: bool = False
) -> Op:
    """Makes an operator on several weights."""
    multi = _name(update, "multi_mp_" if mixed else "multi_")
    name = f"preloaded_{multi}" if preloaded else multi
    if preloaded:
        summary = f"Does `{multi}` with learning rates and weight decays as arrays at the end."
    elif update.options:
        summary = f"Does `{_name(update, 'mp_' if mixed else '')}` for several weights."
    elif mixed:
        plain = _name(update, "multi_")
        summary = f"Does `{plain}` for half precision weights by way of their master copies."
    else:
        summary = update.summary
    options = [*options, Option(update.count, "Number of weights.", 1, int, argument="")]
    meanings = {"data": _list_arrays(update, mixed=mixed, preloaded=preloaded)}
    meanings |= {option.name: option.meaning for option in options}
    return Op(
        name=name,
        kernel=_kernel_for_many(update, name, options, mixed=mixed, preloaded=preloaded),
        inputs=(Input("data"),),
        attrs=_attributes(options),
        doc=_document(summary, meanings)
        + _show_many(update, name, mixed=mixed, preloaded=preloaded),
        variadic=True,
        any_dtype=frozenset({"data"}),
        differentiable=False,
        num_outputs=lambda **attrs: int(attrs[update.count]),
        returns_tuple=True,
    )


def _list_arrays(update: Update, *, mixed: bool, preloaded: bool) -> str:
    """Returns in which order the arrays of several weights come."""
    names = ["Weight", "gradient", *(f"`{name}`" for name in update.states)]
    if mixed:
        names.append("master copy")
    text = f"{', '.join(names[:-1])} and {names[-1]} of each"
    if update.scale:
        text += ", then the factor of the gradients"
    if preloaded:
        text += ", then the learning rates, then the weight decays"
    return f"{text}."


def _kernel_for_many(
    update: Update, name: str, options: Sequence[Option], *, mixed: bool, preloaded: bool
) -> Kernel:
    size = 2 + len(update.states) + mixed
    rule = update.preloaded if preloaded and update.preloaded else update.rule
    step = _make_step(update, rule, name, mixed=mixed)
    ending = ("lr", "wd") if preloaded else ("scale",) if update.scale else ()
    defaults = _defaults(options)
    common = _targets([option for option in options if not option.each])
    own = _targets([option for option in options if option.each])

    def kernel(*data: Tensor, **given: Any) -> tuple[Tensor, ...]:
        values = {**defaults, **given}
        arguments = {target: values[option] for option, target in common}
        columns = {target: values[option] for option, target in own}
        if ending:
            data, last = _split_end(name, data, ending)
            if preloaded:  # they stay on their device: no wait for an accelerator
                columns = last
            else:
                arguments["scale"] = last["scale"].reshape(-1)[:1]
        results = []
        parts = _split(name, data, values[update.count], size, *columns.values())
        for position, arrays in enumerate(parts):
            for target, column in columns.items():
                arguments[target] = column[position]
            results.append(step(arrays, arguments))
        return tuple(results)

    return torch.no_grad()(kernel)


def _split_end(
    name: str, data: tuple[Tensor, ...], ending: Sequence[str]
) -> tuple[tuple[Tensor, ...], dict[str, Tensor]]:
    """Returns the arrays of the weights, and those after them by name."""
    start = len(data) - len(ending)
    if start < 0:
        expected = "the factor of the gradients" if len(ending) == 1 else "rates and weight decays"
        raise MXNetError(f"{name}: expected {expected} at the end, got {len(data)} arrays")
    return data[:start], dict(zip(ending, data[start:], strict=True))


def _split(
    name: str, data: tuple[Tensor, ...], count: int, size: int, *options: Sized
) -> list[tuple[Tensor, ...]]:
    """Returns the arrays of each weight, of which there are `size`.

    Raises:
        MXNetError: if the number of arrays or options does not fit the number of weights.
    """
    if len(data) != count * size:
        raise MXNetError(
            f"{name}: expected {count} times {size} arrays, got {len(data)} for {count} weights"
        )
    for values in options:
        if len(values) != count:
            raise MXNetError(
                f"{name}: expected one learning rate and weight decay for each of {count} weights, "
                f"got {len(values)}"
            )
    return [data[start : start + size] for start in range(0, count * size, size)]


def _attributes(options: Sequence[Option]) -> dict[str, Attr]:
    return {o.name: Attr(o.name, codec_for(o.type), o.default) for o in options}


def _targets(options: Sequence[Option]) -> list[tuple[str, str]]:
    """Pairs options with the arguments of the rule, where it takes them."""
    return [(option.name, option.target) for option in options if option.target]


def _defaults(options: Sequence[Option]) -> dict[str, Any]:
    return {o.name: o.default for o in options if o.default is not REQUIRED}


def _document(summary: str, meanings: Mapping[str, str]) -> str:
    lines = [f"    {name}: {meaning}" for name, meaning in meanings.items()]
    return "\n".join([summary, "", "Args:", *lines])


def _public_path(name: str) -> str:
    """Returns how programs name an operator."""
    for module in ("contrib", "sparse"):
        if name.startswith(f"_{module}_"):
            return f"mx.nd.{module}.{name.removeprefix(f'_{module}_')}"
    return f"mx.nd._internal.{name}" if name.startswith("_") else f"mx.nd.{name}"


def _show_arrays(update: Update, *, mixed: bool) -> dict[str, str]:
    """Returns the expressions of the arrays of one weight in examples, by name."""
    half = ', dtype="float16"' if mixed else ""
    arrays = {"weight": f"mx.nd.array([1, 2]{half})"}
    in_half = mixed and update.gradient[0] not in update.single
    arrays[update.gradient[0]] = f"mx.nd.array([1, -1]{half if in_half else ''})"
    arrays |= dict.fromkeys(update.states, "mx.nd.zeros(2)")
    if mixed:
        arrays[MASTER] = 'weight.astype("float32")'
    return arrays | dict(update.shown.arrays)


def _show_one(update: Update, name: str, *, mixed: bool) -> str:
    """Returns the example of an operator on one weight."""
    arrays = _show_arrays(update, mixed=mixed)
    scale = ["mx.nd.ones(1)"] if update.scale else []
    arguments = ", ".join([*arrays, *scale, update.shown.one])
    kind = "float32" if update.keeps_weight else "float16"
    return example(
        *[f">>> {key} = {value}" for key, value in arrays.items()],
        f">>> result = {_public_path(name)}({arguments})",
        f">>> print(result.asnumpy().round(2){', result.dtype.__name__' if mixed else ''})",
        f"{update.shown.result}{f' {kind}' if mixed else ''}",
    )


def _show_many(update: Update, name: str, *, mixed: bool, preloaded: bool) -> str:
    """Returns the example of an operator on several weights, of which it has two."""
    shown, arrays = update.shown, _show_arrays(update, mixed=mixed)
    arguments = ["*first", "*second", *(["mx.nd.ones(1)"] if update.scale else [])]
    arguments += ["rates", "decays", shown.shared] if preloaded else [shown.many]
    arguments = [*filter(None, arguments), f"{update.count}=2"]
    ends = (">>> rates, decays = mx.nd.array([0.1, 0.2]), mx.nd.zeros(2)",) if preloaded else ()
    return example(
        *[f">>> {key} = {value}" for key, value in arrays.items()],
        f">>> first = [{', '.join(arrays)}]",
        ">>> second = [array.copy() for array in first]",
        *ends,
        f">>> results = {_public_path(name)}(",
        f"...     {', '.join(arguments)}",
        "... )",
        ">>> print(*[result.asnumpy().round(2) for result in results])",
        shown.results,
    )
