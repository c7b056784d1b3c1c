"""Curves of a training, drawn while it runs: in loops of one's own and for `Estimator`."""

from mxnet.gluon.contrib.plot._live_plot import Curve as Curve
from mxnet.gluon.contrib.plot._live_plot import LivePlot as LivePlot
from mxnet.gluon.contrib.plot._live_plot import PlotHandler as PlotHandler
from mxnet.gluon.contrib.plot._live_plot import draw as draw
from mxnet.gluon.contrib.plot._live_plot import notebook_display as notebook_display

__all__ = ["LivePlot", "PlotHandler"]
