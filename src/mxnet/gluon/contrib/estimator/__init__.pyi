"""Written by `make stubs`; do not edit."""

from mxnet.gluon.contrib.estimator import batch_processor as batch_processor
from mxnet.gluon.contrib.estimator import estimator as estimator
from mxnet.gluon.contrib.estimator import event_handler as event_handler
from mxnet.gluon.contrib.estimator import utils as utils
from mxnet.gluon.contrib.estimator._records import ProgressBarHandler as ProgressBarHandler
from mxnet.gluon.contrib.estimator._records import RunFolder as RunFolder
from mxnet.gluon.contrib.estimator._records import TensorBoardHandler as TensorBoardHandler
from mxnet.gluon.contrib.estimator._resuming import ResumeHandler as ResumeHandler
from mxnet.gluon.contrib.estimator.batch_processor import BatchProcessor as BatchProcessor
from mxnet.gluon.contrib.estimator.batch_processor import MixedPrecisionProcessor as MixedPrecisionProcessor
from mxnet.gluon.contrib.estimator.batch_processor import TrainStepProcessor as TrainStepProcessor
from mxnet.gluon.contrib.estimator.estimator import Estimator as Estimator
from mxnet.gluon.contrib.estimator.event_handler import BatchBegin as BatchBegin
from mxnet.gluon.contrib.estimator.event_handler import BatchEnd as BatchEnd
from mxnet.gluon.contrib.estimator.event_handler import BatchesHandler as BatchesHandler
from mxnet.gluon.contrib.estimator.event_handler import CheckpointHandler as CheckpointHandler
from mxnet.gluon.contrib.estimator.event_handler import EarlyStoppingHandler as EarlyStoppingHandler
from mxnet.gluon.contrib.estimator.event_handler import EpochBegin as EpochBegin
from mxnet.gluon.contrib.estimator.event_handler import EpochEnd as EpochEnd
from mxnet.gluon.contrib.estimator.event_handler import GradientUpdateHandler as GradientUpdateHandler
from mxnet.gluon.contrib.estimator.event_handler import LoggingHandler as LoggingHandler
from mxnet.gluon.contrib.estimator.event_handler import MetricHandler as MetricHandler
from mxnet.gluon.contrib.estimator.event_handler import StoppingHandler as StoppingHandler
from mxnet.gluon.contrib.estimator.event_handler import TrainBegin as TrainBegin
from mxnet.gluon.contrib.estimator.event_handler import TrainEnd as TrainEnd
from mxnet.gluon.contrib.estimator.event_handler import ValidationHandler as ValidationHandler

__all__ = ['BatchBegin', 'BatchEnd', 'BatchProcessor', 'BatchesHandler', 'CheckpointHandler', 'EarlyStoppingHandler', 'EpochBegin', 'EpochEnd', 'Estimator', 'GradientUpdateHandler', 'LoggingHandler', 'MetricHandler', 'MixedPrecisionProcessor', 'ProgressBarHandler', 'ResumeHandler', 'RunFolder', 'StoppingHandler', 'TensorBoardHandler', 'TrainBegin', 'TrainEnd', 'TrainStepProcessor', 'ValidationHandler', 'batch_processor', 'estimator', 'event_handler', 'utils']
