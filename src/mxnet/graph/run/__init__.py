"""Programs: graphs that run on tensors, one plan for each setting."""

from mxnet.graph.run.control_flow import CALL as CALL
from mxnet.graph.run.control_flow import COND as COND
from mxnet.graph.run.control_flow import CONTROLS as CONTROLS
from mxnet.graph.run.control_flow import FOREACH as FOREACH
from mxnet.graph.run.control_flow import WHILE_LOOP as WHILE_LOOP
from mxnet.graph.run.control_flow import flatten as flatten
from mxnet.graph.run.control_flow import make_call_op as make_call_op
from mxnet.graph.run.control_flow import make_control_node as make_control_node
from mxnet.graph.run.control_flow import make_op as make_op
from mxnet.graph.run.control_flow import read_limit as read_limit
from mxnet.graph.run.control_flow import regroup as regroup
from mxnet.graph.run.plan import Kept as Kept
from mxnet.graph.run.plan import PlanFacts as PlanFacts
from mxnet.graph.run.program import Options as Options
from mxnet.graph.run.program import Program as Program
from mxnet.graph.run.reach import Reach as Reach
from mxnet.graph.run.reach import inputs_of_heads as inputs_of_heads
