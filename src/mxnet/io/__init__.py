"""Iterators over batches: `mx.io`."""

from mxnet.io import io as io
from mxnet.io import utils as utils
from mxnet.io.io import CSVIter as CSVIter
from mxnet.io.io import DataBatch as DataBatch
from mxnet.io.io import DataDesc as DataDesc
from mxnet.io.io import DataIter as DataIter
from mxnet.io.io import ImageDetRecordIter as ImageDetRecordIter
from mxnet.io.io import ImageRecordInt8Iter as ImageRecordInt8Iter
from mxnet.io.io import ImageRecordIter as ImageRecordIter
from mxnet.io.io import ImageRecordIter_v1 as ImageRecordIter_v1
from mxnet.io.io import ImageRecordUInt8Iter as ImageRecordUInt8Iter
from mxnet.io.io import ImageRecordUInt8Iter_v1 as ImageRecordUInt8Iter_v1
from mxnet.io.io import LibSVMIter as LibSVMIter
from mxnet.io.io import MNISTIter as MNISTIter
from mxnet.io.io import MXDataIter as MXDataIter
from mxnet.io.io import NDArrayIter as NDArrayIter
from mxnet.io.io import PrefetchingIter as PrefetchingIter
from mxnet.io.io import ResizeIter as ResizeIter
