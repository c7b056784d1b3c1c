"""Callbacks for notebooks: tables of metrics by pandas, and curves by Bokeh that grow.

pandas and Bokeh are imported when a callback is made; a message says what to install if one is
missing.

Example:
    >>> from mxnet.notebook.callback import args_wrapper
    >>> class Counter:
    ...     def callback_args(self):
    ...         return {"batch_end_callback": print}
    >>> args_wrapper(Counter(), Counter())
    {'batch_end_callback': [<built-in function print>, <built-in function print>]}
"""

from mxnet._start import importing
from mxnet.notebook._charts import LiveBokehChart as LiveBokehChart
from mxnet.notebook._charts import LiveLearningCurve as LiveLearningCurve
from mxnet.notebook._charts import LiveTimeSeries as LiveTimeSeries
from mxnet.notebook._tables import Pandas_Failed_To_Import as Pandas_Failed_To_Import
from mxnet.notebook._tables import PandasLogger as PandasLogger
from mxnet.notebook._tables import args_wrapper as args_wrapper

for _class in (
    *(LiveBokehChart, LiveLearningCurve, LiveTimeSeries),
    *(PandasLogger, Pandas_Failed_To_Import),
):
    _class.__module__ = __name__  # where programs find them

__getattr__ = importing.make_getattr(__name__, globals(), {"pd": "mxnet.notebook._tables:pd"})
