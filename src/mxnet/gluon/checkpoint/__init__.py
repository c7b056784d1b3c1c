"""Checkpoints of training: written beside it, and read by any number of ranks (ADR 0034)."""

from mxnet.gluon.checkpoint._checkpoint import Checkpoint as Checkpoint
