"""Functions with NumPy's signatures, written once for arrays (`mx.np`) and graphs (`mx.sym.np`).

A function here gets as its first argument `F`, the operators of the frontend that calls it, as a
`hybrid_forward` does, or is declared as that of an operator. It knows neither arrays nor symbols.
"""

from mxnet._np_functions import comparing as comparing
from mxnet._np_functions import creation as creation
from mxnet._np_functions import elementwise as elementwise
from mxnet._np_functions import extension as extension
from mxnet._np_functions import indexing as indexing
from mxnet._np_functions import joining as joining
from mxnet._np_functions import linalg as linalg
from mxnet._np_functions import methods as methods
from mxnet._np_functions import mxnet2 as mxnet2
from mxnet._np_functions import polynomials as polynomials
from mxnet._np_functions import random as random
from mxnet._np_functions import reduction as reduction
from mxnet._np_functions import shape as shape
from mxnet._np_functions import standard as standard
from mxnet._np_functions import statistics as statistics
from mxnet._np_functions import table as table
