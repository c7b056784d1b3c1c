"""Arrays that are parts of a batch on several contexts, or of an array over several processes."""

from mxnet.gluon.parts.batches import PartsTogether as PartsTogether
from mxnet.gluon.parts.batches import any_rank as any_rank
from mxnet.gluon.parts.batches import complete_norms as complete_norms
from mxnet.gluon.parts.batches import compute_with_others as compute_with_others
from mxnet.gluon.parts.batches import need_all_parts as need_all_parts
from mxnet.gluon.parts.batches import note_parent as note_parent
from mxnet.gluon.parts.batches import note_parts as note_parts
from mxnet.gluon.parts.batches import note_shard as note_shard
from mxnet.gluon.parts.batches import whole_norms as whole_norms
