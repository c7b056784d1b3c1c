"""The classes of `mx.io` under the name of the module that holds them in the original."""

from mxnet._start import publish_classes
from mxnet.io._batches import DataBatch as DataBatch
from mxnet.io._batches import DataDesc as DataDesc
from mxnet.io._batches import DataIter as DataIter
from mxnet.io._batches import PrefetchingIter as PrefetchingIter
from mxnet.io._batches import ResizeIter as ResizeIter
from mxnet.io._detection import ImageDetRecordIter as ImageDetRecordIter
from mxnet.io._image_records import ImageRecordInt8Iter as ImageRecordInt8Iter
from mxnet.io._image_records import ImageRecordIter as ImageRecordIter
from mxnet.io._image_records import ImageRecordIter_v1 as ImageRecordIter_v1
from mxnet.io._image_records import ImageRecordUInt8Iter as ImageRecordUInt8Iter
from mxnet.io._image_records import ImageRecordUInt8Iter_v1 as ImageRecordUInt8Iter_v1
from mxnet.io._ndarray_iter import NDArrayIter as NDArrayIter
from mxnet.io._sources import MXDataIter as MXDataIter
from mxnet.io._text_iters import CSVIter as CSVIter
from mxnet.io._text_iters import LibSVMIter as LibSVMIter
from mxnet.io._text_iters import MNISTIter as MNISTIter

publish_classes(globals())
