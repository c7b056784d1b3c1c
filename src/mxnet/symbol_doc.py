"""Examples that extend the documentation of operators on symbols: `mx.symbol_doc`.

A subclass of `SymbolDoc` that is named after an operator has examples of it in its docstring.
"""

from __future__ import annotations

from collections.abc import Sequence

from mxnet.ndarray_doc import build_doc, find_examples
from mxnet.symbol import Symbol


class SymbolDoc:
    """Base of the classes that have examples of an operator on symbols."""

    @staticmethod
    def get_output_shape(
        sym: Symbol, **input_shapes: tuple[int, ...]
    ) -> dict[str, tuple[int, ...]]:
        """Returns the shapes of the outputs of a symbol by their names.

        Args:
            sym: The symbol.
            **input_shapes: Shapes of its inputs by their names.

        Raises:
            MXNetError: if the symbol has no such input, or the shapes do not fit.
        """
        _, output_shapes, _ = sym.infer_shape(**input_shapes)
        return dict(zip(sym.list_outputs(), output_shapes, strict=True))


class ActivationDoc(SymbolDoc):
    """Shows that the shape stays.

    Example:
        >>> import mxnet as mx
        >>> out = mx.sym.Activation(mx.sym.var("data"), act_type="relu", name="relu")
        >>> SymbolDoc.get_output_shape(out, data=(3, 4))
        {'relu_output': (3, 4)}
    """


class DropoutDoc(SymbolDoc):
    """Shows that the shape stays.

    Example:
        >>> import mxnet as mx
        >>> out = mx.sym.Dropout(mx.sym.var("data"), p=0.2, name="dropout")
        >>> SymbolDoc.get_output_shape(out, data=(3, 4))
        {'dropout_output': (3, 4)}
    """


class EmbeddingDoc(SymbolDoc):
    """Shows that each index becomes a vector.

    Example:
        >>> import mxnet as mx
        >>> out = mx.sym.Embedding(mx.sym.var("data"), input_dim=26, output_dim=16, name="embed")
        >>> SymbolDoc.get_output_shape(out, data=(8, 5))
        {'embed_output': (8, 5, 16)}
    """


class FlattenDoc(SymbolDoc):
    """Shows that all axes but the first become one.

    Example:
        >>> import mxnet as mx
        >>> out = mx.sym.Flatten(mx.sym.var("data"), name="flat")
        >>> SymbolDoc.get_output_shape(out, data=(2, 3, 4, 5))
        {'flat_output': (2, 60)}
    """


class FullyConnectedDoc(SymbolDoc):
    """Shows that the last axis gets the number of hidden units.

    Example:
        >>> import mxnet as mx
        >>> out = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=10, name="fc")
        >>> SymbolDoc.get_output_shape(out, data=(2, 3))
        {'fc_output': (2, 10)}
    """


class ConcatDoc(SymbolDoc):
    """Shows that the lengths along the joined axis are added.

    Example:
        >>> import mxnet as mx
        >>> out = mx.sym.Concat(mx.sym.var("a"), mx.sym.var("b"), dim=1, name="both")
        >>> SymbolDoc.get_output_shape(out, a=(2, 3), b=(2, 5))
        {'both_output': (2, 8)}
    """


class BroadcastPlusDoc(SymbolDoc):
    """Shows that axes of length 1 are repeated.

    Example:
        >>> import mxnet as mx
        >>> out = mx.sym.broadcast_plus(mx.sym.var("a"), mx.sym.var("b"), name="sum")
        >>> SymbolDoc.get_output_shape(out, a=(2, 1), b=(1, 3))
        {'sum_output': (2, 3)}
    """


def _build_doc(
    func_name: str,
    desc: str,
    arg_names: Sequence[str],
    arg_types: Sequence[str],
    arg_desc: Sequence[str],
    key_var_num_args: str | None = None,
    ret_type: str | None = None,
) -> str:
    """Returns the documentation of an operator on symbols.

    Args:
        func_name: Name of the operator, which selects the class with its examples.
        desc: What the operator does.
        arg_names: Names of its arguments.
        arg_types: Types of the arguments.
        arg_desc: Descriptions of the arguments.
        key_var_num_args: Attribute with the number of symbols, "" or None if that is fixed.
        ret_type: Type of the result; not shown, as in the original.
    """
    del ret_type
    if key_var_num_args:
        desc += "\nIt takes any number of symbols, in their order."
    return build_doc(
        desc,
        (arg_names, arg_types, arg_desc),
        "name : string, optional\n    Name of the new symbol.",
        "Symbol\n    The new symbol.",
        find_examples(SymbolDoc, func_name),
    )
