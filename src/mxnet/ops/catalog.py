"""Imports every module that declares operators, so that the registry is complete."""

from mxnet.ops import binary as binary
from mxnet.ops import comparison as comparison
from mxnet.ops import creation as creation
from mxnet.ops import elementwise as elementwise
from mxnet.ops import indexing as indexing
from mxnet.ops import joining as joining
from mxnet.ops import linalg as linalg
from mxnet.ops import ordering as ordering
from mxnet.ops import products as products
from mxnet.ops import random as random
from mxnet.ops import random_pdf as random_pdf
from mxnet.ops import reduction as reduction
from mxnet.ops import sequence as sequence
from mxnet.ops import shape as shape
from mxnet.ops import slicing as slicing
from mxnet.ops.nn import activation as activation
from mxnet.ops.nn import conv as conv
from mxnet.ops.nn import ctc as ctc
from mxnet.ops.nn import dropout as dropout
from mxnet.ops.nn import linear as linear
from mxnet.ops.nn import norm as norm
from mxnet.ops.nn import output as output
from mxnet.ops.nn import pooling as pooling
from mxnet.ops.nn import resize as resize
from mxnet.ops.nn import rnn as rnn
from mxnet.ops.nn import softmax as softmax
