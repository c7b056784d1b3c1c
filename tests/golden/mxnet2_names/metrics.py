"""Metrics of `gluon.metric`."""

from .core import attempt, values

_TWO = [[0, 1, 1, 0], [[0.3, 0.7], [0.2, 0.8], [0.9, 0.1], [0.6, 0.4]]]
_MORE = [[1, 1, 0], [[0.6, 0.4], [0.4, 0.6], [0.5, 0.5]]]
_CHANCES = [[0, 1, 1], [0.4, 0.7, 0.5]]
_THREE = [[0, 1, 2, 2], [[0.3, 0.7, 0], [0.1, 0.9, 0], [0.1, 0.2, 0.6], [0.5, 0.2, 0.3]]]
_LABELS = [[[0, 1], [1, 1], [0, 0]], [[0.3, 0.7], [0.7, 0.5], [0.6, 0.2]]]
_NUMBERS = [values(4, 3), values(4, 3, start=9)]
_VECTORS = [values(5, start=3), values(5, start=20)]


def trace(make, *batches):
    """Makes a case that shows a metric before, between and after batches, and when it is reset."""

    def case(mx):
        metric = make(mx.gluon.metric, mx)
        seen = [metric.get(), str(type(metric).__name__)]
        for labels, preds in batches:
            arrays = mx.np.array(labels), mx.np.array(preds)
            seen.append(attempt(metric.update, *arrays))
            seen += [metric.get(), float(getattr(metric, "num_inst", 0))]
        metric.update(*([mx.np.array(side)] for side in batches[0]))
        seen += [metric.get_name_value(), metric.get_config()]
        metric.reset()
        return [*seen, metric.get()]

    return case


def refused(make, labels, preds):
    """Makes a case of a batch that does not fit."""

    def case(mx):
        metric = make(mx.gluon.metric, mx)
        arrays = [mx.np.array(labels)], [mx.np.array(preds)]
        return [attempt(metric.update, *arrays), metric.get()]

    return case


def of(text):
    """Returns a function that makes a metric, from its expression."""
    return lambda metric, mx: eval(text, {"m": metric, "mx": mx, "np": mx.np})  # noqa: S307


_TRACES = {
    "m.Accuracy()": (_TWO, _THREE, _CHANCES),
    "m.Accuracy(axis=0, name='columns')": ([[2, 1], _TWO[1]],),
    "m.create('acc')": (_TWO,),
    "m.TopKAccuracy(top_k=2)": (_THREE, _TWO),
    "m.create('top_k_acc', top_k=2)": (_THREE,),
    "m.F1()": (_TWO, _MORE, _CHANCES),
    "m.F1(average='macro')": (_TWO, _MORE),
    "m.F1(average=None)": (_TWO, _MORE),
    "m.F1(threshold=0.6)": (_CHANCES, _TWO),
    "m.F1(class_type='multiclass')": (_THREE, _THREE),
    "m.F1(class_type='multiclass', average='macro')": (_THREE, _THREE),
    "m.F1(class_type='multiclass', average=None)": (_THREE, _THREE),
    "m.F1(class_type='multilabel')": (_LABELS,),
    "m.F1(class_type='multilabel', average='macro')": (_LABELS, _LABELS),
    "m.F1(class_type='multilabel', threshold=np.array([0.4, 0.6]))": (_LABELS,),
    "m.Fbeta(beta=2)": (_TWO, _MORE),
    "m.Fbeta(beta=0.5, class_type='multiclass', average='macro')": (_THREE,),
    "m.create('fbeta', beta=3)": (_TWO,),
    "m.BinaryAccuracy()": (_CHANCES, _LABELS),
    "m.BinaryAccuracy(threshold=0.6, name='mine')": (_CHANCES,),
    "m.BinaryAccuracy(threshold=np.array([0.4, 0.6]))": (_LABELS,),
    "m.MCC()": (_TWO, _MORE, _CHANCES),
    "m.PCC()": (_TWO, _THREE, _MORE),
    "m.MAE()": (_NUMBERS, _VECTORS, [values(4, 1), values(4, start=5)]),
    "m.MSE()": (_NUMBERS, _VECTORS, [values(4, 1), values(4, start=5)]),
    "m.RMSE()": (_NUMBERS, _VECTORS),
    "m.MeanPairwiseDistance()": (_NUMBERS, _VECTORS, [values(2, 3, 2), values(2, 3, 2, start=7)]),
    "m.MeanPairwiseDistance(p=4, name='four')": (_NUMBERS,),
    "m.MeanPairwiseDistance(p=3)": (_NUMBERS,),
    "m.MeanCosineSimilarity()": (_NUMBERS, _VECTORS, [values(2, 3, 2), values(2, 3, 2, start=7)]),
    "m.MeanCosineSimilarity(eps=10)": (_NUMBERS,),
    "m.CrossEntropy()": (_TWO, _THREE, [[0, 5], _TWO[1][:2]]),
    "m.CrossEntropy(ignore_label=1)": (_TWO, _MORE),
    "m.CrossEntropy(eps=0.5)": (_TWO,),
    "m.CrossEntropy(from_logits=True)": (_TWO, _THREE),
    "m.create('ce', ignore_label=0, from_logits=True)": (_TWO,),
    "m.Perplexity()": (_TWO, _THREE),
    "m.Perplexity(ignore_label=2, from_logits=True)": (_THREE,),
    "m.PearsonCorrelation()": (_NUMBERS, _VECTORS),
    "m.create('pearsonr')": (_VECTORS,),
    "m.Loss()": (_NUMBERS, _VECTORS),
    "m.Torch()": (_NUMBERS,),
    "m.CustomMetric(lambda a, b: (np.abs(a - b).sum(), a.size))": (_NUMBERS, _VECTORS),
    "m.CustomMetric(lambda a, b: float((a * b).sum()), name='product')": (_NUMBERS, _VECTORS),
    "m.np(lambda a, b: np.square(a - b).max(), 'largest')": (_NUMBERS, _VECTORS),
    "m.create(['acc', 'f1', m.MCC(name='mine')])": (_TWO, _MORE),
    "m.CompositeEvalMetric([m.MAE(), 'mse', 'pearsonr'])": (_NUMBERS, _VECTORS),
}
_NO_CONFIGURATION = ("m.CustomMetric", "m.np")
_REFUSED = {
    "m.Accuracy()": ([0, 1, 1], [[0.3, 0.7], [0.6, 0.4]]),
    "m.TopKAccuracy(top_k=4)": _THREE,
    "m.F1()": ([2, 1], [0.4, 0.4]),
    "m.F1(name='wide')": ([0, 1], [[0.4, 0.4, 0.1], [0.4, 0.4, 0.1]]),
    "m.F1(class_type='other')": _TWO,
    "m.F1(class_type='multiclass')": ([0, 3], [[0.4, 0.4, 0.1], [0.4, 0.4, 0.1]]),
    "m.F1(class_type='multilabel')": ([0, 1], [[0.3, 0.7], [0.7, 0.5]]),
    "m.F1(threshold=1)": _CHANCES,
    "m.BinaryAccuracy(threshold=1)": _CHANCES,
    "m.BinaryAccuracy(threshold=np.array([0.1, 0.7, 0.3]))": _LABELS,
    "m.MCC()": ([2, 1], [0.4, 0.4]),
    "m.MAE()": (values(4), values(3)),
    "m.CrossEntropy()": ([0, 1, 1], [[0.2, 0.8], [0.3, 0.7]]),
    "m.PearsonCorrelation()": (values(4), values(2, 2)),
    "m.EvalMetric('none')": _CHANCES,
}


def _changed_classes(mx):
    metric = mx.gluon.metric.F1(class_type="multilabel")
    metric.update(*map(mx.np.array, _LABELS))
    four = mx.np.array([[0, 1, 1, 0]])
    return [metric.get(), attempt(metric.update, four, four * 0.5), metric.get()]


def _by_names(mx):
    metric = mx.gluon.metric.create(["acc", "ce"], output_names=["out"], label_names=["label"])
    labels, preds = map(mx.np.array, _TWO)
    metric.update_dict({"label": labels, "extra": preds}, {"out": preds, "other": labels})
    return [metric.get(), metric.get_config()]


def _own_metrics(mx):
    class Share(mx.gluon.metric.EvalMetric):
        def __init__(self, bound=0.5):
            super().__init__("share", bound=bound)
            self.bound = bound

        def update(self, _, preds):
            for pred in preds:
                self.sum_metric += (pred > self.bound).sum()
                self.num_inst += pred.size

    share = Share(0.2)
    share.update(None, [mx.np.array(values(7))])
    return [share.get(), share.get_config(), share.get_name_value()]


def _functions(mx):
    m, array = mx.gluon.metric, mx.np.array
    two = array([0.2, 0.6])
    return [
        m.one_hot(array([0, 2]), 3),
        m.one_hot(array([1, 0], dtype="int32"), 2),
        m.predict_with_threshold(two),
        m.predict_with_threshold(two, array([0.1, 0.7])),
        attempt(m.predict_with_threshold, two, 1),
        attempt(m.predict_with_threshold, two, array([0.1, 0.7, 3])),
        attempt(m.check_label_shapes, [1], [2, 3]),
        m.check_label_shapes(array([1]), array([2]), wrap=True),
        attempt(m.check_label_shapes, array([[1]]), array([1]), False, True),
    ]


def _creation(mx):
    m = mx.gluon.metric
    made = [
        *("nope", "nll_loss", "caffe", 3, "ACC", "CrossEntropy", "composite", "binaryaccuracy"),
        m.F1().get_config(),
        m.CompositeEvalMetric(["acc", "mae"]).get_config(),
    ]
    seen = [attempt(lambda item=item: m.create(item).get()) for item in made]
    custom = m.create(lambda *_: 1.5)
    return [
        *seen,
        custom.get(),
        attempt(custom.get_config),
        attempt(m.TopKAccuracy, 1),
        attempt(m.create, "f1", beta=2),
        m.CompositeEvalMetric([]).get(),
        type(m.CompositeEvalMetric(["acc"]).get_metric(0)).__name__,
    ]


def _extra_outputs(mx):
    m, (labels, preds) = mx.gluon.metric, map(mx.np.array, _NUMBERS)
    seen = []
    for extra in (False, True):
        metric = m.CustomMetric(lambda a, b: (a - b).max(), "gap", allow_extra_outputs=extra)
        seen += [attempt(metric.update, [labels], [preds, labels]), metric.get()]
    return seen


def _several_outputs(mx):
    seen = []
    for name in ("acc", "f1", "mcc", "ce", "pcc"):
        metric = mx.gluon.metric.create(name)
        labels = [mx.np.array(batch[0]) for batch in (_TWO, _MORE)]
        metric.update(labels, [mx.np.array(batch[1]) for batch in (_TWO, _MORE)])
        seen.append(metric.get())
    return seen


def _shown(text, batches):
    case = trace(of(text), *batches)
    if not text.startswith(_NO_CONFIGURATION):
        return case

    def without_configuration(mx):
        metric, seen = of(text)(mx.gluon.metric, mx), []
        for labels, preds in batches:
            metric.update([mx.np.array(labels)], [mx.np.array(preds)])
            seen += [metric.get(), float(getattr(metric, "num_inst", 0))]
        return seen

    return without_configuration


CASES = {text: _shown(text, batches) for text, batches in _TRACES.items()}
CASES |= {f"refuses: {text}": refused(of(text), *batch) for text, batch in _REFUSED.items()}
CASES |= {
    "number of classes": _changed_classes,
    "by names": _by_names,
    "own metrics": _own_metrics,
    "functions": _functions,
    "creation": _creation,
    "extra outputs": _extra_outputs,
    "several outputs": _several_outputs,
}
