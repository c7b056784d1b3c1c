"""What torch's own operators return on `meta` tensors, found without torch's Python.

torch computes shapes of most operators in Python. The first such call of a process imports its
compiler and a library of symbolic mathematics, which takes one to two seconds, and every call
takes a fraction of a millisecond. The rules here cover what the kernels of this package call, on
ordinary arguments; whatever they do not cover goes to torch, errors included.
"""

from mxnet.ops.meta._mode import MetaRules as MetaRules
