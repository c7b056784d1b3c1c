"""Imports every module that fills the table."""

from mxnet._np_functions import creation as creation
from mxnet._np_functions import diagonal as diagonal
from mxnet._np_functions import differences as differences
from mxnet._np_functions import elementwise as elementwise
from mxnet._np_functions import extension as extension
from mxnet._np_functions import indexing as indexing
from mxnet._np_functions import joining as joining
from mxnet._np_functions import linalg as linalg
from mxnet._np_functions import products as products
from mxnet._np_functions import random as random
from mxnet._np_functions import ranges as ranges
from mxnet._np_functions import reduction as reduction
from mxnet._np_functions import rounding as rounding
from mxnet._np_functions import shape as shape
from mxnet._np_functions import splitting as splitting
from mxnet._np_functions import statistics as statistics
