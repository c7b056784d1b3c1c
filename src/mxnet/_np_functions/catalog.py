"""Imports every module that fills the table."""

from mxnet._np_functions import creation as creation
from mxnet._np_functions import elementwise as elementwise
from mxnet._np_functions import joining as joining
from mxnet._np_functions import reduction as reduction
