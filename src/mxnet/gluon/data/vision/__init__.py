"""Datasets of images, and the transforms that prepare them."""

from mxnet.gluon.data.vision import datasets as datasets
from mxnet.gluon.data.vision import transforms as transforms
from mxnet.gluon.data.vision.datasets import CIFAR10 as CIFAR10
from mxnet.gluon.data.vision.datasets import CIFAR100 as CIFAR100
from mxnet.gluon.data.vision.datasets import MNIST as MNIST
from mxnet.gluon.data.vision.datasets import FashionMNIST as FashionMNIST
from mxnet.gluon.data.vision.datasets import ImageFolderDataset as ImageFolderDataset
from mxnet.gluon.data.vision.datasets import ImageListDataset as ImageListDataset
from mxnet.gluon.data.vision.datasets import ImageRecordDataset as ImageRecordDataset
