"""Datasets, loaders and transforms."""

import numpy as onp

from .core import values


def datasets(mx):
    """ArrayDataset and what is made of it."""
    data, label = mx.np.array(values(5, 2)), mx.np.arange(5)
    dataset = mx.gluon.data.ArrayDataset(data, label)
    plain = mx.gluon.data.ArrayDataset(data)
    first = dataset.transform_first(lambda x: x * 2)
    return [
        len(dataset),
        dataset[1],
        plain[2],
        first[1],
        dataset.transform(lambda x, y: (y, x.sum()))[4],
        mx.gluon.data.SimpleDataset([1, 2, 3]).transform(lambda x: mx.np.array(x))[1],
        dataset.take(2)[1],
        dataset.filter(lambda item: float(item[1]) > 2)[0],
    ]


def loader(**options):
    """Makes a case of a loader."""

    def case(mx):
        data, label = mx.np.array(values(5, 2)), mx.np.arange(5)
        dataset = mx.gluon.data.ArrayDataset(data, label)
        return [list(batch) for batch in mx.gluon.data.DataLoader(dataset, **options)]

    return case


def kinds(mx):
    """What loaders make of NumPy's arrays, numbers, lists and arrays of several ranks."""
    rows = [
        [onp.float32(1), onp.float32(2)],
        [onp.ones(2, "float64"), onp.zeros(2, "float64")],
        [1, 2],
        [1.5, 2.5],
        [(1, onp.ones(2, "float32")), (2, onp.ones(2, "float32"))],
        [mx.np.array(1.0), mx.np.array(2.0)],
        [mx.np.array([1], dtype="int32"), mx.np.array([2], dtype="int32")],
    ]
    return [next(iter(mx.gluon.data.DataLoader(row, 2))) for row in rows]


def _image(mx):
    return mx.np.array(values(6, 5, 3, low=0, high=255).astype("uint8"), dtype="uint8")


def transform(text, scaled=False):
    """Makes a case of a transform of images."""

    def case(mx):
        image = _image(mx).astype("float32") / 255 if scaled else _image(mx)
        if scaled:
            image = image.transpose(2, 0, 1)
        block = eval(text, {"T": mx.gluon.data.vision.transforms})  # noqa: S307
        results = [block(image)]
        if hasattr(block, "hybridize"):
            block.hybridize()
            results.append(block(image))
        return results

    return case


def over_dataset(mx):
    """Transforms over a dataset and a loader."""
    transforms = mx.gluon.data.vision.transforms
    data = mx.np.stack([_image(mx)] * 3)
    dataset = mx.gluon.data.ArrayDataset(data, onp.arange(3, dtype="int32"))
    both = transforms.Compose([transforms.Resize(4), transforms.ToTensor()])
    results = []
    for x, y in mx.gluon.data.DataLoader(dataset.transform_first(both), 2):
        results += [type(x).__name__, x.shape, str(x.dtype), x.mean(), y]
    return results


CASES = {case.__name__: case for case in (datasets, kinds, over_dataset)}
CASES |= {
    "loader batches": loader(batch_size=2),
    "loader discards": loader(batch_size=2, last_batch="discard"),
    "loader rolls over": loader(batch_size=2, last_batch="rollover"),
    "loader with workers": loader(batch_size=2, num_workers=1),
    "loader with threads": loader(batch_size=2, num_workers=1, thread_pool=True),
}
CASES |= {
    text: transform(text)
    for text in (
        "T.ToTensor()",
        "T.Cast('float32')",
        "T.Resize(3)",
        "T.Resize((4, 3), keep_ratio=False)",
        "T.CenterCrop(3)",
        "T.CropResize(1, 1, 3, 2)",
        "T.Compose([T.CenterCrop(4), T.ToTensor(), T.Normalize(0.5, 0.5)])",
        "T.RandomResizedCrop(3, (1, 1), (1.2, 1.2))",
        "T.RandomBrightness(0)",
    )
}
CASES |= {
    text: transform(text, scaled=True)
    for text in ("T.Normalize(0.5, 2)", "T.Normalize((0.1, 0.2, 0.3), (1, 2, 3))")
}
