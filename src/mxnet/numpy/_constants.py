"""Constants and element types of `mx.np`."""

import numpy

pi, e, inf, nan = numpy.pi, numpy.e, numpy.inf, numpy.nan
NaN = NAN = nan
PINF, NINF = inf, -inf
PZERO, NZERO = 0.0, -0.0
newaxis = None

float16, float32, float64 = numpy.float16, numpy.float32, numpy.float64
uint8, int8, int32, int64 = numpy.uint8, numpy.int8, numpy.int32, numpy.int64
bool_ = numpy.bool_
bool = bool
finfo = numpy.finfo

__all__ = [name for name in sorted(globals()) if not name.startswith("_") and name != "numpy"]
