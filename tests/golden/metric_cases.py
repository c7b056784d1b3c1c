"""Programs with metrics that run alike under the original and under this package."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Batch = tuple[list[np.ndarray], list[np.ndarray]]


@dataclass(frozen=True)
class Case:
    """One metric, the batches it sees, and how the arrays are handed over."""

    id: str
    metric: Any
    batches: list[Batch]
    args: dict[str, Any] = field(default_factory=dict)
    bare: bool = False
    """Hands over arrays instead of lists of one array."""
    loses_totals: bool = False
    """The original forgets global totals or keeps local ones: what follows the batches is ours."""

    def __str__(self) -> str:
        return self.id


def trace(mx: Any, case: Case) -> list[Any]:
    """Runs a case and notes everything a program can see of it."""
    metric = mx.metric.create(case.metric, **case.args)
    seen = [snapshot(metric)]
    for labels, preds in case.batches:
        given = [[mx.nd.array(item, dtype=item.dtype) for item in side] for side in (labels, preds)]
        try:
            metric.update(*((side[0] for side in given) if case.bare else given))
        except Exception as error:  # noqa: BLE001 - which error it is, is the result
            seen.append(["error", *(kind.__name__ for kind in type(error).__mro__)])
            continue
        seen.append(snapshot(metric))
    for step in ("reset_local", "update", "reset"):
        if step == "update":
            if seen[-1][0] != "error" and seen[1][0] != "error":
                labels, preds = case.batches[0]
                metric.update(
                    [mx.nd.array(x, dtype=x.dtype) for x in labels],
                    [mx.nd.array(x, dtype=x.dtype) for x in preds],
                )
        else:
            getattr(metric, step)()
        seen.append(snapshot(metric))
    return seen


def snapshot(metric: Any) -> list[Any]:
    """Returns name, values and counts as JSON."""
    name, value = metric.get()
    _, overall = metric.get_global()
    counts = [getattr(metric, key, None) for key in ("num_inst", "global_num_inst")]
    return [name, _plain(value), _plain(overall), *map(_plain, counts)]


def _plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return None if value is None else float(value)


def _softmax(random: np.random.RandomState, *shape: int, axis: int = -1) -> np.ndarray:
    values = np.exp(random.normal(size=shape))
    return (values / values.sum(axis=axis, keepdims=True)).astype("float32")


def _classes(random: np.random.RandomState, count: int, *shape: int) -> np.ndarray:
    return random.randint(0, count, shape).astype("float32")


def _batches(count: int, make: Callable[[int], tuple[Any, Any]]) -> list[Batch]:
    return [([label], [pred]) for label, pred in map(make, range(count))]


def _accuracy(random: np.random.RandomState) -> Iterator[Case]:
    plain = _batches(3, lambda i: (_classes(random, 4, 5 + i), _softmax(random, 5 + i, 4)))
    yield Case("accuracy", "acc", plain)
    yield Case("accuracy bare", "accuracy", plain, bare=True)
    yield Case("accuracy named", "acc", plain, {"name": "my acc"})
    yield Case(
        "accuracy two outputs",
        "acc",
        [([_classes(random, 3, 4)] * 2, [_softmax(random, 4, 3), _softmax(random, 4, 3)])],
    )
    yield Case(
        "accuracy of classes",
        "acc",
        _batches(2, lambda _: (_classes(random, 3, 6), _classes(random, 3, 6))),
    )
    yield Case(
        "accuracy truncates",
        "acc",
        [([np.float32([0.9, 1.2, -0.5, 2])], [np.float32([0.1, 1.9, 0, 1.99])])],
    )
    yield Case(
        "accuracy integer labels",
        "acc",
        _batches(1, lambda _: (_classes(random, 3, 6).astype("int64"), _softmax(random, 6, 3))),
    )
    yield Case(
        "accuracy float16",
        "acc",
        _batches(1, lambda _: (_classes(random, 3, 6), _softmax(random, 6, 3).astype("float16"))),
    )
    yield Case(
        "accuracy column labels",
        "acc",
        _batches(1, lambda _: (_classes(random, 3, 6, 1), _softmax(random, 6, 3))),
    )
    for axis, shape in ((1, (2, 4, 3)), (2, (2, 3, 4)), (-1, (2, 3, 4))):
        yield Case(
            f"accuracy axis {axis}",
            "acc",
            [([_classes(random, 4, 2, 3)], [_softmax(random, *shape)])],
            {"axis": axis},
        )
    yield Case("accuracy lengths", "acc", [([_classes(random, 3, 5)], [_softmax(random, 4, 3)])])
    yield Case(
        "accuracy counts of arrays",
        "acc",
        [([_classes(random, 3, 4)], [_softmax(random, 4, 3), _softmax(random, 4, 3)])],
    )
    yield Case(
        "accuracy of a vector", "acc", [([_classes(random, 2, 4)], [np.float32([0.3, 0.6, 0.9])])]
    )


def _top_k(random: np.random.RandomState) -> Iterator[Case]:
    plain = _batches(3, lambda _: (_classes(random, 9, 8), _softmax(random, 8, 9)))
    for k in (2, 3, 9):
        yield Case(f"top {k}", "top_k_accuracy", plain, {"top_k": k})
    yield Case("top 3 by name", "top_k_acc", plain, {"top_k": 3, "name": "best"})
    yield Case(
        "top 5 of 4",
        "topkaccuracy",
        _batches(1, lambda _: (_classes(random, 4, 8), _softmax(random, 8, 4))),
        {"top_k": 5},
    )
    yield Case(
        "top 2 integer labels",
        "top_k_acc",
        _batches(1, lambda _: (_classes(random, 9, 8).astype("int32"), _softmax(random, 8, 9))),
        {"top_k": 2},
    )
    yield Case(
        "top 2 of a vector",
        "top_k_acc",
        [([np.float32([2, 0, 1])], [np.float32([0.1, 0.5, 0.3])])],
        {"top_k": 2},
        loses_totals=True,
    )
    yield Case(
        "top 2 of three axes",
        "top_k_acc",
        [([_classes(random, 3, 2)], [_softmax(random, 2, 3, 2)])],
        {"top_k": 2},
    )
    yield Case(
        "top 2 lengths",
        "top_k_acc",
        [([_classes(random, 3, 5)], [_softmax(random, 4, 3)])],
        {"top_k": 2},
    )


def _binary(random: np.random.RandomState) -> Iterator[Case]:
    plain = _batches(3, lambda i: (_classes(random, 2, 7 + i), _softmax(random, 7 + i, 2)))
    many = [([_classes(random, 2, 6)] * 2, [_softmax(random, 6, 2), _softmax(random, 6, 2)])] * 2
    wrong = ([np.float32([0, 1, 2])], [_softmax(random, 3, 2)])
    for name in ("f1", "mcc"):
        for average in ("macro", "micro"):
            given = {"average": average}
            yield Case(f"{name} {average}", name, plain, given)
            yield Case(f"{name} {average} two outputs", name, many, given)
            yield Case(f"{name} {average} bare", name, plain, given, bare=True)
            yield Case(f"{name} {average} three classes", name, [wrong, *plain[:1]], given)
        one = np.ones(4, "float32")
        yes, no = np.float32([[0.2, 0.8]] * 4), np.float32([[0.8, 0.2]] * 4)
        for kind, label, pred in (
            ("all hits", one, yes),
            ("all misses", one, no),
            ("all right negatives", 0 * one, no),
            ("false alarms", 0 * one, yes),
        ):
            yield Case(f"{name} {kind}", name, [([label], [pred])])
        yield Case(
            f"{name} labels two and one",
            name,
            [([np.float32([1, 2, 2, 1])], [_softmax(random, 4, 2)])],
        )
        yield Case(
            f"{name} of three columns", name, [([_classes(random, 2, 8)], [_softmax(random, 8, 3)])]
        )
        yield Case(f"{name} lengths", name, [([_classes(random, 2, 5)], [_softmax(random, 4, 2)])])


def _multiclass(random: np.random.RandomState) -> Iterator[Case]:
    for count in (2, 3, 6):
        batches = [([_classes(random, count, 12)], [_softmax(random, 12, count)]) for _ in range(3)]
        yield Case(f"pcc {count}", "pcc", batches)
    yield Case(
        "pcc growing",
        "pcc",
        [
            ([np.float32([0, 1, 1])], [_softmax(random, 3, 2)]),
            ([np.float32([0, 5, 1])], [_softmax(random, 3, 2)]),
            ([np.float32([0, 5, 1])], [_softmax(random, 3, 8)]),
        ],
    )
    yield Case("pcc of classes", "pcc", [([_classes(random, 3, 9)], [_classes(random, 3, 9)])])
    yield Case("pcc one class", "pcc", [([np.zeros(4, "float32")], [_softmax(random, 4, 1)])])
    yield Case("pcc bare", "pcc", [([_classes(random, 3, 9)], [_softmax(random, 9, 3)])], bare=True)
    yield Case(
        "pcc two outputs",
        "pcc",
        [([_classes(random, 3, 9)] * 2, [_softmax(random, 9, 3), _softmax(random, 9, 3)])],
    )


def _likelihoods(random: np.random.RandomState) -> Iterator[Case]:
    plain = _batches(3, lambda i: (_classes(random, 4, 5 + i), _softmax(random, 5 + i, 4)))
    certain = [([np.float32([0, 1])], [np.float32([[0, 1], [0, 1]])])]
    for name in ("ce", "crossentropy", "nll_loss"):
        yield Case(name, name, plain)
        yield Case(f"{name} eps", name, plain, {"eps": 0.1})
        yield Case(f"{name} bare", name, plain, bare=True)
        yield Case(f"{name} certain", name, certain)
        yield Case(
            f"{name} certain float64",
            name,
            [([np.float32([0, 1])], [np.float64([[0, 1], [0, 1]])])],
        )
        yield Case(f"{name} lengths", name, [([_classes(random, 3, 5)], [_softmax(random, 4, 3)])])
        yield Case(
            f"{name} column labels",
            name,
            _batches(1, lambda _: (_classes(random, 3, 6, 1), _softmax(random, 6, 3))),
        )
        yield Case(
            f"{name} class out of range", name, [([np.float32([0, 3])], [_softmax(random, 2, 3)])]
        )
        yield Case(
            f"{name} two outputs",
            name,
            [([_classes(random, 3, 4)] * 2, [_softmax(random, 4, 3), _softmax(random, 4, 3)])],
        )
    yield from _perplexities(random, plain, certain)


def _perplexities(
    random: np.random.RandomState, plain: list[Batch], certain: list[Batch]
) -> Iterator[Case]:
    for ignore in (None, 0, 2, -1):
        yield Case(f"perplexity ignoring {ignore}", "perplexity", plain, {"ignore_label": ignore})
    ignored = [([np.zeros(3, "float32")], [_softmax(random, 3, 4)])]
    yield Case("perplexity ignoring all", "perplexity", ignored, {"ignore_label": 0})
    yield Case("perplexity named", "perplexity", plain, {"ignore_label": None, "name": "ppl"})
    yield Case("perplexity certain", "perplexity", certain, {"ignore_label": None})
    yield Case(
        "perplexity flat",
        "perplexity",
        [([_classes(random, 4, 2, 3)], [_softmax(random, 6, 4)])],
        {"ignore_label": None},
    )
    yield Case(
        "perplexity sizes",
        "perplexity",
        [([_classes(random, 4, 5)], [_softmax(random, 6, 4)])],
        {"ignore_label": None},
    )
    yield Case(
        "perplexity two outputs",
        "perplexity",
        [([_classes(random, 3, 4)] * 2, [_softmax(random, 4, 3), _softmax(random, 4, 3)])],
        {"ignore_label": 1},
    )
    yield Case(
        "perplexity axis 0",
        "perplexity",
        [([_classes(random, 4, 4)], [_softmax(random, 4, 4)])],
        {"ignore_label": None, "axis": 0},
    )
    yield Case(
        "perplexity clips classes",
        "perplexity",
        [([np.float32([0, 7, -3])], [_softmax(random, 3, 4)])],
        {"ignore_label": None},
    )


def _regressions(random: np.random.RandomState) -> Iterator[Case]:
    def values(*shape: int) -> np.ndarray:
        return random.normal(size=shape).astype("float32")

    for name in ("mae", "mse", "rmse"):
        yield Case(name, name, _batches(3, lambda i: (values(4 + i, 1), values(4 + i, 1))))
        yield Case(f"{name} vectors", name, _batches(2, lambda _: (values(4), values(4))))
        yield Case(
            f"{name} vector and column", name, _batches(2, lambda _: (values(4), values(4, 1)))
        )
        yield Case(
            f"{name} column and vector", name, _batches(2, lambda _: (values(4, 1), values(4)))
        )
        yield Case(f"{name} broadcast", name, _batches(1, lambda _: (values(4), values(4, 3))))
        yield Case(
            f"{name} images", name, _batches(1, lambda _: (values(2, 3, 4), values(2, 3, 4)))
        )
        yield Case(f"{name} misfit", name, _batches(1, lambda _: (values(4), values(3))))
        yield Case(f"{name} bare", name, _batches(1, lambda _: (values(4), values(4))), bare=True)
        yield Case(f"{name} two outputs", name, [([values(4)] * 2, [values(4), values(4)])])
        yield Case(f"{name} integers", name, [([np.int32([1, 2, 3])], [np.int32([3, 2, 5])])])


def _correlations(random: np.random.RandomState) -> Iterator[Case]:
    def values(*shape: int) -> np.ndarray:
        return random.normal(size=shape).astype("float32")

    plain = _batches(3, lambda i: (values(4 + i), values(4 + i)))
    programs = {
        "plain": plain,
        "columns": _batches(2, lambda _: (values(4, 2), values(4, 2))),
        "bare": plain,
        "two outputs": [([values(4)] * 2, [values(4), values(4)])] * 2,
        "misfit": _batches(1, lambda _: (values(4), values(4, 1))),
        "constant": [([np.ones(4, "float32")], [values(4)])],
        "single values": _batches(3, lambda _: (values(1), values(1))),
    }
    for kind, batches in programs.items():
        for average in ("macro", "micro"):
            yield Case(
                f"pearsonr {average} {kind}",
                "pearsonr",
                batches,
                {"average": average},
                bare=kind == "bare",
                loses_totals=average == "micro",
            )


def _others(random: np.random.RandomState) -> Iterator[Case]:
    plain = _batches(3, lambda i: (_classes(random, 2, 5 + i), _softmax(random, 5 + i, 2)))
    for name in ("loss", "torch", "caffe"):
        yield Case(name, name, plain)
        yield Case(f"{name} bare", name, plain, bare=True)
    yield Case("loss extra", "loss", [([], [_softmax(random, 3, 2), _softmax(random, 4)])])
    yield Case("composite", ["acc", "f1", "ce", "mcc"], plain)
    yield Case("composite bare", ["acc", "ce"], plain, bare=True)
    yield Case("nested composite", ["acc", ["f1", "mse"]], plain)
    yield Case("function", difference, plain)
    yield Case("function with a count", weighted, plain)
    yield Case("function bare", difference, plain, bare=True)
    yield Case("function in a list", [difference, "acc"], plain)
    yield Case(
        "function extra output",
        difference,
        [(batch[0], [batch[1][0], batch[1][0]]) for batch in plain],
    )
    yield Case(
        "function extra output allowed",
        difference,
        [(batch[0], [batch[1][0], batch[1][0]]) for batch in plain],
        {"allow_extra_outputs": True},
    )
    yield Case("lambda", lambda label, pred: float(label.sum() - pred.sum()), plain)


def difference(label: np.ndarray, pred: np.ndarray) -> float:
    """Compares two means."""
    return float(label.mean() - pred.mean())


def weighted(label: np.ndarray, pred: np.ndarray) -> tuple[float, int]:
    """Returns a sum and a count."""
    return float((label * pred[:, 0]).sum()), label.size


def cases() -> list[Case]:
    """Returns all cases, the same at each call."""
    random = np.random.RandomState(7)
    families = (
        _accuracy,
        _top_k,
        _binary,
        _multiclass,
        _likelihoods,
        _regressions,
        _correlations,
        _others,
    )
    return [case for family in families for case in family(random)]
