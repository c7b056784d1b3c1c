"""Questions about shapes of which some are given in part."""

from __future__ import annotations

import mxnet as mx

S = mx.sym


def answers(compute, shapes, questions, scope):
    if not scope:
        return _answers(compute, shapes, questions, 0)
    with mx.util.np_shape(True):
        return _answers(compute, shapes, questions, -1)


def _answers(compute, shapes, questions, unknown):
    names = [f"x{number}" for number in range(len(shapes))]
    symbol = compute(*map(S.var, names))
    whole, outputs, _ = symbol.infer_shape(**dict(zip(names, shapes)))
    known = dict(zip(symbol.list_arguments(), whole))
    first = symbol[0] if len(outputs) > 1 else symbol
    asked = {
        question: _given(question, known, outputs[0], unknown) for question in questions.split(", ")
    }
    return {
        question: _infer(first + S.var("o") if "o" in given else symbol, given, "!" in question)
        for question, given in asked.items()
    }


def _infer(symbol, given, completely):
    ask = symbol.infer_shape if completely else symbol.infer_shape_partial
    arguments, outputs, states = ask(**given)
    if arguments is None:
        return None
    named = zip(symbol.list_arguments(), arguments)
    return f"{', '.join(f'{name} {shape}' for name, shape in named)} -> {[*outputs, *states]}"


def _given(question, known, output, unknown):
    """The shapes that are given in a question, with what stands for an unknown length."""
    what, *parts = question.replace("!", "").replace("+", " ").split()
    target = next((part for part in parts if part.startswith("x") or part in known), None)
    given = {}
    if what != "out":
        others = {name: shape for name, shape in known.items() if name != target}
        given = {} if what.startswith("only") or what == "ranks" else others
        if target is not None and what != "drop":
            given[target] = _part(known[target], what, unknown)
    if what == "ranks" or "ranks" in parts:
        given = {name: (unknown,) * len(shape) for name, shape in known.items()}
    if what == "out":
        given["o"] = _part(output, parts[0] if parts else "", unknown)
    elif "out" in parts:
        given["o"] = output
    return given


def _part(shape, what, unknown):
    what = what.replace("only", "")
    if what == "rank":
        return (unknown,) * len(shape)
    if what.startswith("dim"):
        place = int(what[3:])
        return (*shape[:place], unknown, *shape[place + 1 :])
    return shape
