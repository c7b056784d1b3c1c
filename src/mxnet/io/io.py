"""The classes of `mx.io` under the name of the module that holds them in the original."""

from mxnet.io._batches import DataBatch as DataBatch
from mxnet.io._batches import DataDesc as DataDesc
from mxnet.io._batches import DataIter as DataIter
from mxnet.io._detection import ImageDetRecordIter as ImageDetRecordIter
from mxnet.io._image_records import ImageRecordInt8Iter as ImageRecordInt8Iter
from mxnet.io._image_records import ImageRecordIter as ImageRecordIter
from mxnet.io._image_records import ImageRecordIter_v1 as ImageRecordIter_v1
from mxnet.io._image_records import ImageRecordUInt8Iter as ImageRecordUInt8Iter
from mxnet.io._image_records import ImageRecordUInt8Iter_v1 as ImageRecordUInt8Iter_v1
from mxnet.io._mnist import MNISTIter as MNISTIter
from mxnet.io._ndarray_iter import NDArrayIter as NDArrayIter
from mxnet.io._sources import MXDataIter as MXDataIter
from mxnet.io._text_iters import CSVIter as CSVIter
from mxnet.io._text_iters import LibSVMIter as LibSVMIter
from mxnet.io._wrapping import PrefetchingIter as PrefetchingIter
from mxnet.io._wrapping import ResizeIter as ResizeIter

_PUBLIC = (
    DataBatch,
    DataDesc,
    DataIter,
    ImageDetRecordIter,
    ImageRecordInt8Iter,
    ImageRecordIter,
    ImageRecordIter_v1,
    ImageRecordUInt8Iter,
    ImageRecordUInt8Iter_v1,
    MNISTIter,
    NDArrayIter,
    MXDataIter,
    CSVIter,
    LibSVMIter,
    PrefetchingIter,
    ResizeIter,
)
for _class in _PUBLIC:  # programs print and pickle them under this name
    _class.__module__ = __name__
