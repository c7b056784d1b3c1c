"""RecordIO files: records one after the other, and images packed into them.

A record is a magic number, its length, its bytes and zeros up to a multiple of four. Content that
has the magic number at an aligned offset is split there, so that a reader can find the next record
after damage by searching for that number (`MXRecordIO.resync`).

This package needs neither arrays nor torch. Images need OpenCV.
"""

from mxnet._start import tracebacks
from mxnet.base import c_str as c_str
from mxnet.base import check_call as check_call
from mxnet.recordio._files import MXIndexedRecordIO as MXIndexedRecordIO
from mxnet.recordio._files import MXRecordIO as MXRecordIO
from mxnet.recordio._files import read_index as read_index
from mxnet.recordio._format import _IR_FORMAT as _IR_FORMAT
from mxnet.recordio._format import _IR_SIZE as _IR_SIZE
from mxnet.recordio._format import IRHeader as IRHeader
from mxnet.recordio._format import RecordError as RecordError
from mxnet.recordio._format import pack as pack
from mxnet.recordio._format import pack_img as pack_img
from mxnet.recordio._format import read_record as read_record
from mxnet.recordio._format import unpack as unpack
from mxnet.recordio._format import unpack_img as unpack_img

for _class in (MXRecordIO, MXIndexedRecordIO, IRHeader):
    _class.__module__ = __name__
IRHeader.__name__ = "HEADER"  # the name that is printed; pickles use the qualified name

tracebacks.public_functions(globals())
