"""Contributed operators: `mx.sym.contrib`."""

from mxnet.symbol._contrib_functions import rand_zipfian as rand_zipfian
from mxnet.symbol._control_flow import cond as cond
from mxnet.symbol._control_flow import foreach as foreach
from mxnet.symbol._control_flow import while_loop as while_loop
from mxnet.symbol._namespaces import populate

__all__ = [*populate(globals(), "contrib"), "cond", "foreach", "rand_zipfian", "while_loop"]
