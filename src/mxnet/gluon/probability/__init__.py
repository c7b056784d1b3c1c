"""Distributions of MXNet 2, transformations of their variables, KL divergences, stochastic blocks.

Parameters are numbers or arrays of `mx.np`; all of it works in blocks that are hybridized, too.

Example:
    >>> import mxnet as mx
    >>> from mxnet.gluon import probability as mgp
    >>> loc = mx.np.zeros(2)
    >>> loc.attach_grad()
    >>> with mx.autograd.record():
    ...     sample = mgp.Normal(loc, 0.5).sample()
    >>> sample.backward()
    >>> print(loc.grad)
    [1. 1.]
"""

from collections.abc import Mapping
from types import ModuleType

from mxnet._start import make_module as _make_module
from mxnet._start import publish_classes, tracebacks
from mxnet.gluon.probability import _constraints, _utils
from mxnet.gluon.probability._categories import Categorical as Categorical
from mxnet.gluon.probability._categories import Multinomial as Multinomial
from mxnet.gluon.probability._categories import OneHotCategorical as OneHotCategorical
from mxnet.gluon.probability._counts import Bernoulli as Bernoulli
from mxnet.gluon.probability._counts import Binomial as Binomial
from mxnet.gluon.probability._counts import Geometric as Geometric
from mxnet.gluon.probability._counts import NegativeBinomial as NegativeBinomial
from mxnet.gluon.probability._counts import Poisson as Poisson
from mxnet.gluon.probability._distribution import Distribution as Distribution
from mxnet.gluon.probability._distribution import ExponentialFamily as ExponentialFamily
from mxnet.gluon.probability._divergence import empirical_kl as empirical_kl
from mxnet.gluon.probability._divergence import kl_divergence as kl_divergence
from mxnet.gluon.probability._divergence import register_kl as register_kl
from mxnet.gluon.probability._location_scale import Cauchy as Cauchy
from mxnet.gluon.probability._location_scale import Gumbel as Gumbel
from mxnet.gluon.probability._location_scale import Laplace as Laplace
from mxnet.gluon.probability._location_scale import Normal as Normal
from mxnet.gluon.probability._location_scale import StudentT as StudentT
from mxnet.gluon.probability._location_scale import Uniform as Uniform
from mxnet.gluon.probability._multivariate import Dirichlet as Dirichlet
from mxnet.gluon.probability._multivariate import Independent as Independent
from mxnet.gluon.probability._multivariate import MultivariateNormal as MultivariateNormal
from mxnet.gluon.probability._positive import Beta as Beta
from mxnet.gluon.probability._positive import Chi2 as Chi2
from mxnet.gluon.probability._positive import Exponential as Exponential
from mxnet.gluon.probability._positive import FisherSnedecor as FisherSnedecor
from mxnet.gluon.probability._positive import Gamma as Gamma
from mxnet.gluon.probability._stochastic_block import StochasticBlock as StochasticBlock
from mxnet.gluon.probability._stochastic_block import StochasticSequential as StochasticSequential
from mxnet.gluon.probability._transformation import AbsTransform as AbsTransform
from mxnet.gluon.probability._transformation import AffineTransform as AffineTransform
from mxnet.gluon.probability._transformation import ComposeTransform as ComposeTransform
from mxnet.gluon.probability._transformation import ExpTransform as ExpTransform
from mxnet.gluon.probability._transformation import PowerTransform as PowerTransform
from mxnet.gluon.probability._transformation import SigmoidTransform as SigmoidTransform
from mxnet.gluon.probability._transformation import SoftmaxTransform as SoftmaxTransform
from mxnet.gluon.probability._transformation import Transformation as Transformation
from mxnet.gluon.probability._transformation import TransformBlock as TransformBlock
from mxnet.gluon.probability._transformation import biject_to as biject_to
from mxnet.gluon.probability._transformation import domain_map as domain_map
from mxnet.gluon.probability._transformation import transform_to as transform_to
from mxnet.gluon.probability._transformed import HalfCauchy as HalfCauchy
from mxnet.gluon.probability._transformed import HalfNormal as HalfNormal
from mxnet.gluon.probability._transformed import Pareto as Pareto
from mxnet.gluon.probability._transformed import RelaxedBernoulli as RelaxedBernoulli
from mxnet.gluon.probability._transformed import (
    RelaxedOneHotCategorical as RelaxedOneHotCategorical,
)
from mxnet.gluon.probability._transformed import TransformedDistribution as TransformedDistribution
from mxnet.gluon.probability._transformed import Weibull as Weibull
from mxnet.gluon.probability._utils import cached_property as cached_property
from mxnet.gluon.probability._utils import constraint_check as constraint_check
from mxnet.gluon.probability._utils import digamma as digamma
from mxnet.gluon.probability._utils import erf as erf
from mxnet.gluon.probability._utils import erfinv as erfinv
from mxnet.gluon.probability._utils import gammaln as gammaln
from mxnet.gluon.probability._utils import logit2prob as logit2prob
from mxnet.gluon.probability._utils import prob2logit as prob2logit
from mxnet.gluon.probability._utils import sample_n_shape_converter as sample_n_shape_converter

publish_classes(globals())
tracebacks.public_functions(globals())
for _class in [*globals().values()]:
    if isinstance(_class, type) and _class.__module__ == __name__:
        tracebacks.public_methods()(_class)

_CONSTRAINTS = (
    "Boolean Cat Constraint GreaterThan GreaterThanEq HalfOpenInterval IntegerGreaterThan "
    "IntegerGreaterThanEq IntegerHalfOpenInterval IntegerInterval IntegerLessThan "
    "IntegerLessThanEq IntegerOpenInterval Interval LessThan LessThanEq LowerCholesky "
    "LowerTriangular NonNegative NonNegativeInteger OpenInterval Positive PositiveDefinite "
    "PositiveInteger Real Simplex Stack UnitInterval dependent_property is_dependent"
)
_DISTRIBUTIONS = {
    "bernoulli": "Bernoulli",
    "beta": "Beta",
    "binomial": "Binomial",
    "categorical": "Categorical",
    "cauchy": "Cauchy",
    "chi2": "Chi2",
    "constraint": _CONSTRAINTS,
    "dirichlet": "Dirichlet",
    "distribution": "Distribution",
    "divergence": "empirical_kl kl_divergence register_kl",
    "exp_family": "ExponentialFamily",
    "exponential": "Exponential",
    "fishersnedecor": "FisherSnedecor",
    "gamma": "Gamma",
    "geometric": "Geometric",
    "gumbel": "Gumbel",
    "half_cauchy": "HalfCauchy",
    "half_normal": "HalfNormal",
    "independent": "Independent",
    "laplace": "Laplace",
    "multinomial": "Multinomial",
    "multivariate_normal": "MultivariateNormal",
    "negative_binomial": "NegativeBinomial",
    "normal": "Normal",
    "one_hot_categorical": "OneHotCategorical",
    "pareto": "Pareto",
    "poisson": "Poisson",
    "relaxed_bernoulli": "RelaxedBernoulli",
    "relaxed_one_hot_categorical": "RelaxedOneHotCategorical",
    "studentT": "StudentT",
    "transformed_distribution": "TransformedDistribution",
    "uniform": "Uniform",
    "utils": "cached_property constraint_check digamma erf erfinv gammaln logit2prob prob2logit "
    "sample_n_shape_converter sum_right_most",
    "weibull": "Weibull",
}
_TRANSFORMATIONS = {
    "domain_map": "biject_to domain_map transform_to",
    "transformation": "AbsTransform AffineTransform ComposeTransform ExpTransform PowerTransform "
    "SigmoidTransform SoftmaxTransform TransformBlock Transformation",
}
_BLOCKS = {"stochastic_block": "StochasticBlock StochasticSequential"}


def _make_package(name: str, modules: Mapping[str, str]) -> ModuleType:
    """Makes a package of MXNet 2, whose modules are fewer here; it shows most of their names."""
    known = {**vars(_utils), **vars(_constraints), **globals()}
    made: dict[str, ModuleType] = {}
    shown: dict[str, object] = {}
    for module, names in modules.items():
        members = {item: known[item] for item in names.split()}
        path = f"{__name__}.{name}.{module}"
        publish_classes({**members, "__package__": __name__, "__name__": path})
        made[module] = _make_module(path, f"Has `{names.partition(' ')[0]}`.", members)
        shown |= {item: value for item, value in members.items() if item in globals()}
    globals().update({module: made[module] for module in made if module not in globals()})
    return _make_module(f"{__name__}.{name}", "Modules of MXNet 2.", {**made, **shown})


distributions = _make_package("distributions", _DISTRIBUTIONS)
transformation = _make_package("transformation", _TRANSFORMATIONS)
block = _make_package("block", _BLOCKS)
