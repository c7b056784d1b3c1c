"""Nodes and graphs: what networks are written down as."""

from mxnet.graph.ir.graph import HIDDEN_KEYS as HIDDEN_KEYS
from mxnet.graph.ir.graph import Entry as Entry
from mxnet.graph.ir.graph import Graph as Graph
from mxnet.graph.ir.graph import Kind as Kind
from mxnet.graph.ir.graph import Node as Node
from mxnet.graph.ir.graph import NodeList as NodeList
from mxnet.graph.ir.graph import hide as hide
from mxnet.graph.ir.graph import hide_keys as hide_keys
from mxnet.graph.ir.graph import is_user_key as is_user_key
from mxnet.graph.ir.graph import rewrite as rewrite
from mxnet.graph.ir.graph import sort_nodes as sort_nodes
from mxnet.graph.ir.subgraph import Body as Body
from mxnet.graph.ir.subgraph import Control as Control
from mxnet.graph.ir.subgraph import OwningOp as OwningOp
from mxnet.graph.ir.subgraph import SubgraphOp as SubgraphOp
from mxnet.graph.ir.subgraph import Wire as Wire
from mxnet.graph.ir.subgraph import arrange as arrange
from mxnet.graph.ir.subgraph import check_subgraphs as check_subgraphs
from mxnet.graph.ir.subgraph import depends_on_values as depends_on_values
from mxnet.graph.ir.subgraph import runs_program as runs_program
