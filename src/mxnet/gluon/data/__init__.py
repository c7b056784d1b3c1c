"""Datasets, the order in which they are read, and the loader that makes batches of them."""

from mxnet.gluon.data import _batching as _batching
from mxnet.gluon.data import batchify as batchify
from mxnet.gluon.data import vision as vision
from mxnet.gluon.data.dataloader import DataLoader as DataLoader
from mxnet.gluon.data.dataset import ArrayDataset as ArrayDataset
from mxnet.gluon.data.dataset import Dataset as Dataset
from mxnet.gluon.data.dataset import RecordFileDataset as RecordFileDataset
from mxnet.gluon.data.dataset import SimpleDataset as SimpleDataset
from mxnet.gluon.data.sampler import BatchSampler as BatchSampler
from mxnet.gluon.data.sampler import FilterSampler as FilterSampler
from mxnet.gluon.data.sampler import IntervalSampler as IntervalSampler
from mxnet.gluon.data.sampler import RandomSampler as RandomSampler
from mxnet.gluon.data.sampler import Sampler as Sampler
from mxnet.gluon.data.sampler import SequentialSampler as SequentialSampler
