"""Metrics on arrays of `mx.np`."""

from .core import values

_SCORES = values(4, 3, low=0.05, high=0.9)
_CLASSES = [0, 2, 1, 1]
_BINARY = values(4, 2, low=0.1, high=0.9)
_HALVES = [0, 1, 1, 0]
_TARGETS = values(4, 3, start=6)

_ROWS = [
    ("Accuracy()", _CLASSES, _SCORES),
    ("TopKAccuracy(2)", _CLASSES, _SCORES),
    ("F1()", _HALVES, _BINARY),
    ("F1(average='micro')", _HALVES, _BINARY),
    ("MCC()", _HALVES, _BINARY),
    ("Perplexity(ignore_label=1)", _CLASSES, _SCORES),
    ("MAE()", _TARGETS, _SCORES),
    ("MSE()", _TARGETS, _SCORES),
    ("RMSE()", _TARGETS, _SCORES),
    ("CrossEntropy()", _CLASSES, _SCORES),
    ("NegativeLogLikelihood()", _CLASSES, _SCORES),
    ("PearsonCorrelation()", _TARGETS, _SCORES),
    ("PCC()", _HALVES, _BINARY),
    ("Loss()", _TARGETS, _SCORES),
    ("CustomMetric(lambda label, pred: float(abs(label - pred).mean()))", _TARGETS, _SCORES),
]


def measure(text, label, prediction):
    """Makes a case: one update, another with lists, and what the metric says then."""

    def case(mx):
        metric = eval(f"mx.metric.{text}", {"mx": mx, "abs": abs})  # noqa: S307
        labels, predictions = mx.np.array(label), mx.np.array(prediction)
        metric.update(labels, predictions)
        first = metric.get()
        metric.update([labels, labels], [predictions, predictions * 0.5])
        results = [first, metric.get(), metric.get_name_value()]
        metric.reset()
        return [*results, str(metric.get()[1])]

    return case


def composite(mx):
    """Several metrics at once."""
    metric = mx.metric.create(["acc", "ce"])
    metric.update([mx.np.array(_CLASSES)], [mx.np.array(_SCORES)])
    return metric.get()


def functions(mx):
    """A metric of a program."""

    def distance(label, pred):
        return float(((label - pred) ** 2).sum())

    metric = mx.metric.np(distance)
    metric.update([mx.np.array(_TARGETS)], [mx.np.array(_SCORES)])
    return metric.get()


CASES = {text: measure(text, label, prediction) for text, label, prediction in _ROWS}
CASES |= {"composite": composite, "functions": functions}
